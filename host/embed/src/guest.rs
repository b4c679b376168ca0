//! One instance of the component, driven as a manager; an instance that traps is replaced.
//!
//! Docs: `crates/component/wit/controllers.wit`, "Errors". An instance is called as `instance.rs` has it; the component is loaded in `component.rs`.

use std::time::Instant;

use api::{Text, Timestamp};
use contract::canonical::{ExportedFunction, calls};
use contract::metrics::Family;
use contract::{ApiResource, Event, Explanation, Malformed, Manager, ObjectRef, Plan, Wakeup};

use crate::Component;
use crate::calls::Calls;
use crate::instance::HostInstance;

/// A manager behind the wall of a sandbox.
pub struct Guest {
    component: Component,
    instance: HostInstance,
    /// What the instance was configured with, so that the next one is too.
    config: Option<String>,
    /// Why an instance was lost, until [`Manager::lost`] is called.
    lost: Option<String>,
    calls: Calls,
}

impl Guest {
    /// Makes an instance with the default configuration.
    ///
    /// # Errors
    /// If the machine has no room for it.
    pub fn new(component: &Component) -> Result<Self, String> {
        let instance = instantiate(component, None)?;
        Ok(Self { component: component.clone(), instance, config: None, lost: None, calls: Calls::default() })
    }

    /// Resets the instance to a configuration, a JSON object; instances that replace it get the same.
    ///
    /// # Errors
    /// What is wrong with the text. Nothing is changed then.
    pub fn configure(&mut self, config: &str) -> Result<(), String> {
        let configured = self.call(ExportedFunction::Configure, |instance| calls::configure(instance, config));
        configured.unwrap_or_else(|| Err(self.lost.clone().unwrap_or_default()))?;
        self.config = Some(config.to_owned());
        Ok(())
    }

    /// All that the instance has counted since it was made, and how long its queues are.
    pub fn metrics(&mut self, now: Timestamp) -> Vec<Family> {
        self.call(ExportedFunction::Metrics, |instance| calls::metrics(instance, now)).unwrap_or_default()
    }

    /// How often each function of this instance and those before it was called, and how long that took.
    #[must_use]
    pub fn calls(&self) -> Family {
        self.calls.family()
    }

    /// Puts a new instance in the place of this one. If that fails, this one stays: its next call traps, and the replacement is tried again.
    fn replace(&mut self) -> Result<(), String> {
        self.instance = instantiate(&self.component, self.config.as_deref())?;
        Ok(())
    }

    /// Calls a function of the instance; if it traps, another instance takes its place and there is no result.
    fn call<Answer>(
        &mut self,
        function: ExportedFunction,
        call: impl FnOnce(&mut HostInstance) -> Result<Answer, String>,
    ) -> Option<Answer> {
        match self.attempt(function, call) {
            Ok(answer) => Some(answer),
            Err(mut reason) => {
                if let Err(failed) = self.replace() {
                    reason = format!("{reason}; {failed}");
                }
                // What traps later is a consequence.
                self.lost.get_or_insert(reason);
                None
            }
        }
    }

    /// Calls a function of the instance; if it traps, the instance is unusable, and the reason is returned.
    fn attempt<Answer>(
        &mut self,
        function: ExportedFunction,
        call: impl FnOnce(&mut HostInstance) -> Result<Answer, String>,
    ) -> Result<Answer, String> {
        let begin = Instant::now();
        let answered = call(&mut self.instance);
        self.calls.add(function, begin.elapsed());
        answered
    }
}

impl Manager for Guest {
    fn resources(&mut self) -> Vec<ApiResource> {
        self.call(ExportedFunction::Resources, calls::resources).unwrap_or_default()
    }

    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        // An event that was lost with its instance comes again with the lists.
        self.call(ExportedFunction::Handle, |instance| calls::handle(instance, &event, now)).unwrap_or(Ok(()))
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        self.call(ExportedFunction::NextPlan, |instance| calls::next_plan(instance, now)).flatten()
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        self.call(ExportedFunction::NextWakeup, calls::next_wakeup).flatten()
    }

    fn explain(&mut self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String> {
        let explained = self.call(ExportedFunction::Explain, |instance| calls::explain(instance, object, warnings, now));
        explained.unwrap_or_else(|| Err(self.lost.clone().unwrap_or_default()))
    }

    fn restart(&mut self) {
        // `configure` resets an instance; one that cannot even do that is replaced. Whatever it lost before, it would lose here.
        let config = self.config.clone().unwrap_or_else(|| "{}".to_owned());
        let reset = self.attempt(ExportedFunction::Configure, |instance| calls::configure(instance, &config));
        self.lost = if reset == Ok(Ok(())) { None } else { self.replace().err() };
    }

    fn take_over(&mut self) {
        // A restart forgets it again. A component that refuses it begins as it is.
        if let Some(config) = contract::taking_over(self.config.as_deref().unwrap_or("{}")) {
            self.call(ExportedFunction::Configure, |instance| calls::configure(instance, &config));
        }
    }

    fn lost(&mut self) -> Option<String> {
        self.lost.take()
    }
}

fn instantiate(component: &Component, config: Option<&str>) -> Result<HostInstance, String> {
    let failed = |reason: String| format!("cannot start the component: {reason}");
    let mut instance = component.instantiate().map_err(|error| failed(format!("{error:#}")))?;
    if let Some(config) = config {
        calls::configure(&mut instance, config).map_err(failed)??;
    }
    Ok(instance)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;
    use std::sync::LazyLock;

    use contract::canonical::{CoreInstance as _, Slots};
    use contract::metrics::{Histogram, Measure};
    use contract::{ApiError, Cause, Change, Listing, Method, ObjectJson, Outcome, Part, Report, Written};
    use play::Play;
    use script::Script;

    use super::*;
    use crate::Embedded;

    const JOB: &str = r#"{"metadata":{"name":"pi","namespace":"default","uid":"j","resourceVersion":"5","generation":1,
        "creationTimestamp":"2026-01-02T03:04:05Z"},"spec":{"parallelism":2,"completions":3,"backoffLimit":6,"completionMode":"NonIndexed",
        "selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"j"}},"template":{"metadata":{"labels":
        {"batch.kubernetes.io/controller-uid":"j"}},"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"b"}]}}}}"#;
    const POD: &str = r#"{"metadata":{"name":"pi-1","namespace":"default","uid":"p","resourceVersion":"9","labels":
        {"batch.kubernetes.io/controller-uid":"j"},"finalizers":["batch.kubernetes.io/job-tracking"],"ownerReferences":[{"apiVersion":"batch/v1",
        "kind":"Job","name":"pi","uid":"j","controller":true}]},"status":{"phase":"Running"}}"#;

    /// The component that `cargo xtask build` made.
    pub(crate) fn component() -> Component {
        static COMPONENT: LazyLock<Component> = LazyLock::new(|| Component::embedded(embedded()).unwrap());
        COMPONENT.clone()
    }

    pub(crate) fn embedded() -> Embedded {
        let read = |name: &str| -> &'static [u8] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/component").join(name);
            let content = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask build`", path.display()));
            Box::leak(content.into_boxed_slice())
        };
        Embedded { wasm: read("controllers.wasm"), precompiled: read("controllers.cwasm") }
    }

    fn guest() -> Guest {
        Guest::new(&component()).unwrap()
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_767_323_000 + seconds).unwrap()
    }

    fn json(kind: &str, text: &str) -> ObjectJson {
        ObjectJson { kind: kind.into(), json: text.into() }
    }

    fn list(guest: &mut Guest, kind: &str, objects: &[&str]) {
        let objects = objects.iter().map(|&object| object.into()).collect();
        guest
            .handle(Event::Listed(Listing { kind: kind.into(), part: Part::Whole, resource_version: "7".into(), objects }), at(0))
            .unwrap();
    }

    fn list_all(guest: &mut Guest) {
        list(guest, "CronJob", &[]);
        list(guest, "Job", &[JOB]);
        list(guest, "Pod", &[]);
    }

    fn listed() -> Guest {
        let mut guest = guest();
        list_all(&mut guest);
        guest
    }

    /// The plans that are due, until none is.
    fn plans(guest: &mut Guest, now: Timestamp) -> Vec<Plan> {
        let plans = std::iter::from_fn(|| guest.next_plan(now)).collect();
        assert_eq!(guest.lost(), None);
        plans
    }

    #[test]
    fn every_event_goes_in_and_plans_come_out() {
        let mut guest = listed();
        let mut first = plans(&mut guest, at(0));
        let Plan { id, controller, object, batches, decisions, .. } = first.remove(0);
        assert_eq!((&*controller, &*object.kind, &*object.namespace, &*object.name), ("job", "Job", "default", "pi"));
        assert!(!decisions.is_empty() && decisions.iter().all(|decision| !decision.sentence.0.is_empty() && !decision.kind.url.is_empty()));

        let refused = ApiError {
            code: 422,
            reason: "Invalid".to_owned(),
            message: "it is invalid".to_owned(),
            causes: vec![Cause { reason: "FieldValueInvalid".to_owned(), field: "spec".to_owned(), message: "no".to_owned() }],
        };
        let commands = batches.concat();
        let outcome = |(n, _)| match n {
            0 => Outcome::Failed(refused.clone()),
            1 => Outcome::Done(Written { name: "pi-1".to_owned(), uid: "p".to_owned(), resource_version: "9".to_owned(), deleting: false }),
            _ => Outcome::Skipped,
        };
        guest.handle(Event::Finished(Report { plan: id, outcomes: commands.iter().enumerate().map(outcome).collect() }), at(0)).unwrap();
        guest.handle(Event::Changed(Change::Applied(json("Pod", POD))), at(1)).unwrap();
        guest.handle(Event::Changed(Change::Deleted(json("Pod", POD))), at(2)).unwrap();
        // What is due all the same is refused too, until the Job waits.
        while let Some(Plan { id, batches, .. }) = guest.next_plan(at(2)) {
            let outcomes: Vec<Outcome> = batches.concat().iter().map(|_| Outcome::Failed(refused.clone())).collect();
            if !outcomes.is_empty() {
                guest.handle(Event::Finished(Report { plan: id, outcomes }), at(2)).unwrap();
            }
        }
        let wakeup = guest.next_wakeup().unwrap();
        assert!(!wakeup.reason.is_empty() && wakeup.at > at(2), "{wakeup:?}");
        let later = plans(&mut guest, at(600));
        let creates = |plan: &Plan| plan.commands().any(|command| command.request.method == Method::Post);
        assert!(later.iter().any(creates), "{later:#?}");

        let measures: Vec<Measure> =
            guest.metrics(at(600)).into_iter().flat_map(|family| family.samples).map(|sample| sample.value).collect();
        assert!(measures.iter().any(|measure| matches!(measure, Measure::Counter(1..))), "{measures:?}");
        assert!(measures.iter().any(|measure| matches!(measure, Measure::Histogram(Histogram { count: 1.., .. }))), "{measures:?}");
        assert!(measures.contains(&Measure::Gauge(0)), "{measures:?}");
    }

    #[test]
    fn a_malformed_object_is_refused_and_changes_nothing() {
        let (mut guest, mut other) = (listed(), listed());
        let malformed = r#"{"metadata":{"namespace":"default","name":"p"},"status":{"phase":1}}"#;
        let refused = guest.handle(Event::Changed(Change::Applied(json("Pod", malformed))), at(0)).unwrap_err();
        assert_eq!((&*refused.kind, &*refused.name, refused.reason.is_empty()), ("Pod", "default/p", false));
        assert_eq!(guest.lost(), None);
        assert_eq!(plans(&mut guest, at(9)), plans(&mut other, at(9)));
    }

    #[test]
    fn a_panic_is_reported_and_the_next_instance_serves() {
        let mut configured = guest();
        configured.configure("{}").unwrap();
        let mut guest = listed();
        for guest in [&mut configured, &mut guest] {
            assert!(guest.call(ExportedFunction::NextPlan, beyond).is_none());
            let reason = guest.lost().unwrap();
            assert!(reason.contains("the host sent a time that does not exist"), "{reason}");
        }
        assert_eq!((guest.lost(), guest.next_wakeup()), (None, None));
        list_all(&mut guest);
        assert_eq!(plans(&mut guest, at(9)), plans(&mut listed(), at(9)));
    }

    /// Asks for a plan at a time that does not exist.
    fn beyond(instance: &mut HostInstance) -> Result<(), String> {
        let lower = |to: &mut Slots<'_>| {
            to.s64(i64::MAX);
            to.u32(0);
        };
        instance.call(ExportedFunction::NextPlan, lower, 0, |_| Ok(()))
    }

    #[test]
    fn the_first_of_several_panics_is_the_reason() {
        let mut guest = listed();
        assert!(guest.call(ExportedFunction::NextPlan, beyond).is_none());
        let last = Event::Listed(Listing { kind: "Pod".into(), part: Part::Last, resource_version: "7".into(), objects: Vec::new() });
        guest.handle(last, at(0)).unwrap();
        let reason = guest.lost().unwrap();
        assert!(reason.contains("the host sent a time that does not exist"), "{reason}");
        assert_eq!(guest.lost(), None);
    }

    #[test]
    fn an_instance_that_cannot_be_replaced_is_reported_with_what_it_was_lost_for() {
        let mut guest = listed();
        guest.config = Some("red".to_owned());
        assert!(guest.call(ExportedFunction::NextPlan, beyond).is_none());
        let reason = guest.lost().unwrap();
        assert!(reason.contains("the host sent a time that does not exist") && reason.contains("; invalid configuration: "), "{reason}");
        guest.restart();
        assert!(guest.lost().unwrap().starts_with("invalid configuration: "));
        guest.config = None;
        guest.restart();
        assert_eq!(guest.lost(), None);
    }

    #[test]
    fn a_restart_leaves_nothing_to_report() {
        let mut guest = listed();
        assert!(guest.call(ExportedFunction::NextPlan, beyond).is_none());
        guest.restart();
        assert_eq!(guest.lost(), None);
        // What trapped and was not replaced also traps when it is configured.
        assert!(guest.attempt(ExportedFunction::NextPlan, beyond).is_err());
        guest.restart();
        assert_eq!(guest.lost(), None);
        list_all(&mut guest);
        assert_eq!(plans(&mut guest, at(9)), plans(&mut listed(), at(9)));
    }

    /// An instance that traps at every seventh call.
    struct Fragile {
        guest: Guest,
        calls: u32,
    }

    impl Fragile {
        fn traps(&mut self) -> bool {
            self.calls += 1;
            self.calls.is_multiple_of(7) && self.guest.call(ExportedFunction::NextPlan, beyond).is_none()
        }
    }

    impl Manager for &mut Fragile {
        fn resources(&mut self) -> Vec<ApiResource> {
            self.guest.resources()
        }

        fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
            if self.traps() { Ok(()) } else { self.guest.handle(event, now) }
        }

        fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
            if self.traps() { None } else { self.guest.next_plan(now) }
        }

        fn next_wakeup(&mut self) -> Option<Wakeup> {
            self.guest.next_wakeup()
        }

        fn explain(&mut self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String> {
            self.guest.explain(object, warnings, now)
        }

        fn restart(&mut self) {
            self.guest.restart();
        }

        fn lost(&mut self) -> Option<String> {
            self.guest.lost()
        }
    }

    #[test]
    fn instances_that_trap_cost_a_job_nothing() {
        let mut fragile = Fragile { guest: guest(), calls: 0 };
        let manifest = r#"{"metadata":{"name":"pi"},"spec":{"parallelism":2,"completions":3,"template":{"spec":{"restartPolicy":"Never",
            "containers":[{"name":"a","image":"b"}]}}}}"#;
        let mut play = Play::new(&mut fragile, &Script::default(), &[manifest.into()], at(0)).unwrap();
        while play.next_moment(at(600)).is_some() {}
        let job = play.jobs().next().unwrap();
        assert_eq!((job.status.succeeded, job.status.failed), (3, 0));
        assert!(job.condition(api::job::conditions::COMPLETE).is_some());
        drop(play);
        assert!(fragile.calls > 50, "{} calls", fragile.calls);
    }

    #[test]
    fn the_configuration_outlives_the_instance() {
        let mut guest = guest();
        assert!(guest.configure(r#"{"colour":"red"}"#).unwrap_err().contains("colour: unknown field"));
        guest.configure(r#"{"job":{"name":"example.com/jobs"}}"#).unwrap();
        for _ in 0..2 {
            list_all(&mut guest);
            let plans = plans(&mut guest, at(9));
            assert!(!plans.is_empty() && plans.iter().all(|plan| plan.batches.is_empty()), "the Job is another manager's: {plans:#?}");
            guest.restart();
        }
        guest.configure("{}").unwrap();
        assert!(plans(&mut guest, at(9)).is_empty(), "it was reset, so nothing is listed");
    }

    #[test]
    fn a_job_is_explained_and_nothing_changes() {
        let (mut guest, mut other) = (listed(), listed());
        let object = |name: &str| ObjectRef { kind: "Job".into(), namespace: "default".into(), name: name.into(), uid: "j".into() };
        let explanation = guest.explain(&object("pi"), &[], at(9)).unwrap();
        assert_eq!(explanation.controllers, ["job"]);
        assert!(explanation.now.batches.iter().flatten().any(|command| command.request.method == Method::Post), "{explanation:#?}");
        assert!(guest.explain(&object("e"), &[], at(9)).unwrap_err().contains("Job default/e"));
        assert_eq!(plans(&mut guest, at(9)), plans(&mut other, at(9)));
    }

    #[test]
    fn what_to_watch_is_known_before_anything_is_listed() {
        let paths: Vec<String> = guest().resources().iter().map(|resource| resource.path("")).collect();
        assert_eq!(paths, ["/apis/batch/v1/cronjobs", "/apis/batch/v1/jobs", "/api/v1/pods"]);
    }
}
