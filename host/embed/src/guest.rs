//! One instance of the component, driven as a manager; an instance that traps is replaced.
//!
//! Docs: `crates/component/wit/controllers.wit`, "Errors". What crosses the border is converted in `border.rs`; the component is loaded in `component.rs`.

use std::time::Instant;

use api::Timestamp;
use contract::metrics::Family;
use contract::{ApiResource, Event, Explanation, Malformed, Manager, ObjectRef, Plan, Wakeup};
use wasmtime::{Store, WasmCoreDump};

use crate::Component;
use crate::border::{self, Controllers, wit};
use crate::calls::{Calls, ExportedFunction};

/// A manager behind the wall of a sandbox.
pub struct Guest {
    component: Component,
    store: Store<()>,
    instance: Controllers,
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
        let (store, instance) = instantiate(component, None)?;
        Ok(Self { component: component.clone(), store, instance, config: None, lost: None, calls: Calls::default() })
    }

    /// Resets the instance to a configuration, a JSON object; instances that replace it get the same.
    ///
    /// # Errors
    /// What is wrong with the text. Nothing is changed then.
    pub fn configure(&mut self, config: &str) -> Result<(), String> {
        let configured = self.call(ExportedFunction::Configure, |instance, store| instance.call_configure(store, config));
        configured.unwrap_or_else(|| Err(self.lost.clone().unwrap_or_default()))?;
        self.config = Some(config.to_owned());
        Ok(())
    }

    /// All that the instance has counted since it was made, and how long its queues are.
    pub fn metrics(&mut self, now: Timestamp) -> Vec<Family> {
        self.call(ExportedFunction::Metrics, |instance, store| instance.call_metrics(store, now.into()))
            .map(border::many)
            .unwrap_or_default()
    }

    /// How often each function of this instance and those before it was called, and how long that took.
    #[must_use]
    pub fn calls(&self) -> Family {
        self.calls.family()
    }

    /// Puts a new instance in the place of this one. If that fails, this one stays: it traps at the next call, and another try is made.
    fn replace(&mut self) -> Result<(), String> {
        (self.store, self.instance) = instantiate(&self.component, self.config.as_deref())?;
        Ok(())
    }

    /// Calls a function of the instance; if it traps, another instance takes its place and there is no result.
    fn call<Answer>(
        &mut self,
        function: ExportedFunction,
        call: impl FnOnce(&wit::Guest, &mut Store<()>) -> wasmtime::Result<Answer>,
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
        call: impl FnOnce(&wit::Guest, &mut Store<()>) -> wasmtime::Result<Answer>,
    ) -> Result<Answer, String> {
        let begin = Instant::now();
        let answered = call(self.instance.jobsmith_controllers_manager(), &mut self.store);
        self.calls.add(function, begin.elapsed());
        answered.map_err(|trap| panic_message(&trap, &mut self.store).unwrap_or_else(|| format!("{:#}", trap.root_cause())))
    }
}

impl Manager for Guest {
    fn resources(&mut self) -> Vec<ApiResource> {
        self.call(ExportedFunction::Resources, |instance, store| instance.call_resources(store)).map(border::many).unwrap_or_default()
    }

    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        let handled = border::lower(&event, |event| {
            self.call(ExportedFunction::Handle, |instance, store| instance.call_handle(store, event, now.into()))
        });
        // An event that was lost with its instance comes again with the lists.
        handled.unwrap_or(Ok(())).map_err(Into::into)
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        let plan = self.call(ExportedFunction::NextPlan, |instance, store| instance.call_next_plan(store, now.into())).flatten();
        plan.map(|plan| self.component.kinds.plan(plan))
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        self.call(ExportedFunction::NextWakeup, |instance, store| instance.call_next_wakeup(store)).flatten().map(Into::into)
    }

    fn explain(&mut self, object: &ObjectRef, now: Timestamp) -> Result<Explanation, String> {
        let explained = self.call(ExportedFunction::Explain, |instance, store| instance.call_explain(store, object.into(), now.into()));
        let explanation = explained.unwrap_or_else(|| Err(self.lost.clone().unwrap_or_default()))?;
        Ok(self.component.kinds.explanation(explanation))
    }

    fn restart(&mut self) {
        // `configure` resets an instance; one that cannot even do that is replaced. Whatever it lost before, it would lose here.
        let config = self.config.clone().unwrap_or_else(|| "{}".to_owned());
        let reset = self.attempt(ExportedFunction::Configure, |instance, store| instance.call_configure(store, &config));
        self.lost = if reset == Ok(Ok(())) { None } else { self.replace().err() };
    }

    fn lost(&mut self) -> Option<String> {
        self.lost.take()
    }
}

fn instantiate(component: &Component, config: Option<&str>) -> Result<(Store<()>, Controllers), String> {
    let failed = |error: wasmtime::Error| format!("cannot start the component: {error:#}");
    let mut store = Store::new(component.instances.engine(), ());
    let instance = component.instances.instantiate(&mut store).map_err(failed)?;
    if let Some(config) = config {
        instance.jobsmith_controllers_manager().call_configure(&mut store, config).map_err(failed)??;
    }
    Ok((store, instance))
}

/// The message of the panic that trapped, if it was one.
fn panic_message(trap: &wasmtime::Error, store: &mut Store<()>) -> Option<String> {
    let dump = trap.downcast_ref::<WasmCoreDump>()?;
    dump.instances().iter().find_map(|instance| {
        let address = instance.get_global(&mut *store, "LAST_PANIC")?.get(&mut *store).i32()?;
        let memory = instance.get_memory(&mut *store, "memory")?.data(&*store);
        let (length, text) = memory.get(address.cast_unsigned() as usize..)?.split_first_chunk()?;
        let text = text.get(..u32::from_le_bytes(*length) as usize)?;
        (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;
    use std::sync::LazyLock;

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
        let wakeup = guest.next_wakeup().unwrap();
        assert!(!wakeup.reason.is_empty() && wakeup.at >= at(0), "{wakeup:?}");
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
            assert!(guest.call(ExportedFunction::NextPlan, |instance, store| instance.call_next_plan(store, BEYOND)).is_none());
            let reason = guest.lost().unwrap();
            assert!(reason.contains("the host sent a time that does not exist"), "{reason}");
        }
        assert_eq!((guest.lost(), guest.next_wakeup()), (None, None));
        list_all(&mut guest);
        assert_eq!(plans(&mut guest, at(9)), plans(&mut listed(), at(9)));
    }

    const BEYOND: wit::Timestamp = wit::Timestamp { seconds: i64::MAX, nanoseconds: 0 };

    #[test]
    fn the_first_of_several_panics_is_the_reason() {
        let mut guest = listed();
        assert!(guest.call(ExportedFunction::NextPlan, |instance, store| instance.call_next_plan(store, BEYOND)).is_none());
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
        assert!(guest.call(ExportedFunction::NextPlan, |instance, store| instance.call_next_plan(store, BEYOND)).is_none());
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
        assert!(guest.call(ExportedFunction::NextPlan, |instance, store| instance.call_next_plan(store, BEYOND)).is_none());
        guest.restart();
        assert_eq!(guest.lost(), None);
        // What trapped and was not replaced also traps when it is configured.
        assert!(guest.attempt(ExportedFunction::NextPlan, |instance, store| instance.call_next_plan(store, BEYOND)).is_err());
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
            self.calls.is_multiple_of(7)
                && self.guest.call(ExportedFunction::NextPlan, |instance, store| instance.call_next_plan(store, BEYOND)).is_none()
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

        fn explain(&mut self, object: &ObjectRef, now: Timestamp) -> Result<Explanation, String> {
            self.guest.explain(object, now)
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
        let explanation = guest.explain(&object("pi"), at(9)).unwrap();
        assert_eq!(explanation.controllers, ["job"]);
        assert!(explanation.now.batches.iter().flatten().any(|command| command.request.method == Method::Post), "{explanation:#?}");
        assert!(guest.explain(&object("e"), at(9)).unwrap_err().contains("Job default/e"));
        assert_eq!(plans(&mut guest, at(9)), plans(&mut other, at(9)));
    }

    #[test]
    fn what_to_watch_is_known_before_anything_is_listed() {
        let paths: Vec<String> = guest().resources().iter().map(|resource| resource.path("")).collect();
        assert_eq!(paths, ["/apis/batch/v1/cronjobs", "/apis/batch/v1/jobs", "/api/v1/pods"]);
    }

    #[test]
    fn times_cross_unchanged() {
        let early = Timestamp::UNIX_EPOCH - std::time::Duration::from_nanos(1);
        assert_eq!(wit::Timestamp::from(early).seconds, -1);
        for time in [Timestamp::MIN, early, Timestamp::UNIX_EPOCH, at(0), Timestamp::MAX] {
            assert_eq!(Timestamp::from(wit::Timestamp::from(time)), time);
        }
    }
}
