//! One instance of the component, driven as a manager; an instance that traps is replaced.
//!
//! Docs: `crates/component/wit/controllers.wit`, "Errors". What crosses the border is converted in `border.rs`; the component is loaded in `component.rs`.

use std::time::Instant;

use api::{Malformed, Timestamp};
use contract::metrics::Family;
use contract::{Event, Manager, Reconciled, Wakeup};
use wasmtime::{Store, WasmCoreDump};

use crate::Component;
use crate::border::{self, Controllers, wit};
use crate::calls::{Calls, Function};

/// A manager behind the wall of a sandbox.
pub struct Guest {
    component: Component,
    store: Store<()>,
    instance: Controllers,
    /// What the instance was configured with, so that the next one is too.
    config: Option<String>,
    /// Why an instance was lost, until somebody asks.
    lost: Option<String>,
    /// Whether the last call asked for a plan, and there was none.
    idle: bool,
    /// When an idle instance has a plan again if nothing happens, once it told: before that, no call is needed.
    asleep: Option<Option<Wakeup>>,
    calls: Calls,
}

impl Guest {
    /// Makes an instance with the default configuration.
    ///
    /// # Errors
    /// If the machine has no room for it.
    pub fn new(component: &Component) -> Result<Self, String> {
        let (store, instance) = instantiate(component, None)?;
        Ok(Self {
            component: component.clone(),
            store,
            instance,
            config: None,
            lost: None,
            idle: false,
            asleep: None,
            calls: Calls::default(),
        })
    }

    /// Starts the instance anew with a configuration, a JSON object, that those which replace it have too.
    ///
    /// # Errors
    /// What is wrong with the text. Nothing is changed then.
    pub fn configure(&mut self, config: &str) -> Result<(), String> {
        let configured = self.call(Function::Configure, |instance, store| instance.call_configure(store, config));
        configured.unwrap_or_else(|| Err(self.lost.clone().unwrap_or_default()))?;
        self.config = Some(config.to_owned());
        Ok(())
    }

    /// All that the instance has counted since it was made, and how long its queues are.
    pub fn metrics(&mut self, now: Timestamp) -> Vec<Family> {
        self.call(Function::Metrics, |instance, store| instance.call_metrics(store, now.into())).map(border::many).unwrap_or_default()
    }

    /// How often each function of this instance and those before it was called, and how long that took.
    #[must_use]
    pub fn calls(&self) -> Family {
        self.calls.family()
    }

    /// Puts a new instance in the place of this one.
    fn replace(&mut self) {
        match instantiate(&self.component, self.config.as_deref()) {
            Ok((store, instance)) => (self.store, self.instance) = (store, instance),
            // The instance that trapped stays: it traps at the next call, and another try is made.
            Err(reason) => self.lost = Some(reason),
        }
    }

    /// Calls a function of the instance; if it traps, another instance takes its place and there is no answer.
    fn call<Answer>(
        &mut self,
        function: Function,
        call: impl FnOnce(&wit::Guest, &mut Store<()>) -> wasmtime::Result<Answer>,
    ) -> Option<Answer> {
        (self.idle, self.asleep) = (false, None);
        let begin = Instant::now();
        let answered = call(self.instance.jobsmith_controllers_manager(), &mut self.store);
        self.calls.add(function, begin.elapsed());
        match answered {
            Ok(answer) => Some(answer),
            Err(trap) => {
                let reason = panic_message(&trap, &mut self.store).unwrap_or_else(|| format!("{:#}", trap.root_cause()));
                self.replace();
                self.lost = Some(reason);
                None
            }
        }
    }
}

impl Manager for Guest {
    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), String> {
        let handled =
            border::lower(&event, |event| self.call(Function::Handle, |instance, store| instance.call_handle(store, event, now.into())));
        // An event that was lost with its instance comes again with the lists.
        handled.unwrap_or(Ok(())).map_err(|malformed| Malformed::from(malformed).to_string())
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Reconciled> {
        if self.asleep.as_ref().is_some_and(|wakeup| wakeup.as_ref().is_none_or(|wakeup| now < wakeup.at)) {
            return None;
        }
        let planned = self.call(Function::ReconcileNext, |instance, store| instance.call_reconcile_next(store, now.into())).flatten();
        self.idle = planned.is_none();
        planned.map(|planned| border::reconciled(planned, &self.component.kinds))
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        if let Some(wakeup) = &self.asleep {
            return wakeup.clone();
        }
        let idle = self.idle;
        let wakeup = self.call(Function::NextWakeup, |instance, store| instance.call_next_wakeup(store)).flatten().map(Into::into);
        if idle {
            self.asleep = Some(wakeup.clone());
        }
        wakeup
    }

    fn restart(&mut self) {
        // An instance starts anew with its configuration; one that cannot even do that is replaced.
        let config = self.config.clone();
        if !matches!(
            self.call(Function::Configure, |instance, store| instance.call_configure(store, config.as_deref().unwrap_or("{}"))),
            Some(Ok(()))
        ) {
            self.replace();
        }
    }

    fn lost(&mut self) -> Option<String> {
        self.lost.take()
    }
}

fn instantiate(component: &Component, config: Option<&str>) -> Result<(Store<()>, Controllers), String> {
    let failed = |error: wasmtime::Error| format!("the component does not start: {error:#}");
    let mut store = Store::new(component.instances.engine(), ());
    let instance = component.instances.instantiate(&mut store).map_err(failed)?;
    if let Some(config) = config {
        instance.jobsmith_controllers_manager().call_configure(&mut store, config).map_err(failed)??;
    }
    Ok((store, instance))
}

/// What the panic said that trapped, if it was one.
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

    use api::Kind;
    use contract::metrics::Measure;
    use contract::{ApiError, Cause, Change, Json, Method, Outcome, Part, Written};
    use play::Play;
    use play::script::Script;

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
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/component").join(name);
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

    fn object(kind: Kind, text: &str) -> Json {
        Json { kind, text: text.into() }
    }

    fn list(guest: &mut Guest, kind: Kind, objects: &[&str]) {
        let objects = objects.iter().map(|&object| object.into()).collect();
        guest.handle(Event::Listed { kind, part: Part::Whole, resource_version: "7".into(), objects }, at(0)).unwrap();
    }

    fn listed() -> Guest {
        let mut guest = guest();
        list(&mut guest, Kind::Job, &[JOB]);
        list(&mut guest, Kind::Pod, &[]);
        guest
    }

    /// The plans that are due, until none is.
    fn plans(guest: &mut Guest, now: Timestamp) -> Vec<Reconciled> {
        let plans = std::iter::from_fn(|| guest.next_plan(now)).collect();
        assert_eq!(guest.lost(), None);
        plans
    }

    #[test]
    fn every_event_goes_in_and_plans_come_out() {
        let mut guest = listed();
        let mut first = plans(&mut guest, at(0));
        let Reconciled { id, key, plan } = first.remove(0);
        assert_eq!((&*key.queue, &*key.namespace, &*key.name), ("job", "default", "pi"));
        assert!(!plan.decisions.is_empty() && plan.decisions.iter().all(|decision| decision.values.starts_with('{')));

        let refused = ApiError {
            code: 422,
            reason: "Invalid".to_owned(),
            message: "it is invalid".to_owned(),
            causes: vec![Cause { reason: "FieldValueInvalid".to_owned(), field: "spec".to_owned(), message: "no".to_owned() }],
        };
        let commands = plan.batches.concat();
        let outcome = |(n, _)| match n {
            0 => Outcome::Failed(refused.clone()),
            1 => Outcome::Done(Written { name: "pi-1".to_owned(), uid: "p".to_owned(), resource_version: "9".to_owned(), deleting: false }),
            _ => Outcome::Skipped,
        };
        guest.handle(Event::Finished { plan: id, outcomes: commands.iter().enumerate().map(outcome).collect() }, at(0)).unwrap();
        guest.handle(Event::Changed(Change::Applied(object(Kind::Pod, POD))), at(1)).unwrap();
        guest.handle(Event::Changed(Change::Deleted(object(Kind::Pod, POD))), at(2)).unwrap();
        let wakeup = guest.next_wakeup().unwrap();
        assert!(!wakeup.because.is_empty() && wakeup.at >= at(0), "{wakeup:?}");
        let later = plans(&mut guest, at(600));
        let creates = |plan: &Reconciled| plan.plan.batches.iter().flatten().any(|command| command.request.method == Method::Post);
        assert!(later.iter().any(creates), "{later:#?}");

        let measures: Vec<Measure> =
            guest.metrics(at(600)).into_iter().flat_map(|family| family.samples).map(|sample| sample.value).collect();
        assert!(measures.iter().any(|measure| matches!(measure, Measure::Counter(1..))), "{measures:?}");
        assert!(measures.iter().any(|measure| matches!(measure, Measure::Histogram { count: 1.., .. })), "{measures:?}");
        assert!(measures.contains(&Measure::Gauge(0)), "{measures:?}");
    }

    #[test]
    fn a_malformed_object_is_refused_and_changes_nothing() {
        let (mut told, mut untold) = (listed(), listed());
        let malformed = r#"{"metadata":{"namespace":"default","name":"p"},"status":{"phase":1}}"#;
        let refused = told.handle(Event::Changed(Change::Applied(object(Kind::Pod, malformed))), at(0)).unwrap_err();
        assert!(refused.starts_with("Pod default/p cannot be understood: "), "{refused}");
        assert_eq!(told.lost(), None);
        assert_eq!(plans(&mut told, at(9)), plans(&mut untold, at(9)));
    }

    #[test]
    fn a_panic_is_told_and_the_next_instance_serves() {
        let mut configured = guest();
        configured.configure("{}").unwrap();
        let mut guest = listed();
        let beyond = wit::Timestamp { seconds: i64::MAX, nanoseconds: 0 };
        for guest in [&mut configured, &mut guest] {
            assert!(guest.call(Function::ReconcileNext, |instance, store| instance.call_reconcile_next(store, beyond)).is_none());
            let reason = guest.lost().unwrap();
            assert!(reason.contains("the host told a time that does not exist"), "{reason}");
        }
        assert_eq!((guest.lost(), guest.next_wakeup()), (None, None));
        list(&mut guest, Kind::Job, &[JOB]);
        list(&mut guest, Kind::Pod, &[]);
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
            let beyond = wit::Timestamp { seconds: i64::MAX, nanoseconds: 0 };
            self.calls.is_multiple_of(7)
                && self.guest.call(Function::ReconcileNext, |instance, store| instance.call_reconcile_next(store, beyond)).is_none()
        }
    }

    impl Manager for &mut Fragile {
        fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), String> {
            if self.traps() { Ok(()) } else { self.guest.handle(event, now) }
        }

        fn next_plan(&mut self, now: Timestamp) -> Option<Reconciled> {
            if self.traps() { None } else { self.guest.next_plan(now) }
        }

        fn next_wakeup(&mut self) -> Option<Wakeup> {
            self.guest.next_wakeup()
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
        assert!(guest.configure(r#"{"colour":"red"}"#).unwrap_err().contains("unknown field `colour`"));
        guest.configure(r#"{"name":"example.com/jobs"}"#).unwrap();
        for _ in 0..2 {
            list(&mut guest, Kind::Job, &[JOB]);
            list(&mut guest, Kind::Pod, &[]);
            let plans = plans(&mut guest, at(9));
            assert!(!plans.is_empty() && plans.iter().all(|plan| plan.plan.batches.is_empty()), "the Job is another manager's: {plans:#?}");
            guest.restart();
        }
        guest.configure("{}").unwrap();
        assert!(plans(&mut guest, at(9)).is_empty(), "it starts anew, so nothing is listed");
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
