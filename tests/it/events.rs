//! What the core makes of what it is told, in orders that a watch, a race or a person can bring about: each was once found by the simulation.
//!
//! Docs: spec/job.md J-35, J-46, J-113, J-127. All orders together are gone through in `simulation.rs`.

use api::{Duration, Kind, Timestamp, time};
use contract::{Change, Event, Json, Outcome, Part, Plan, Written};
use controllers::{Config, ControllerManager};
use serde_json::{Value, json};

#[test]
fn a_change_that_is_shown_again_changes_nothing() {
    let mut core = Core::new();
    core.show(&job(1));
    core.show(&with(job(2), "/spec/suspend", json!(true)));
    core.show(&job(1));
    assert_eq!(core.requests(), ["PUT jobs/pi/status"]);
}

#[test]
fn a_pod_that_went_does_not_come_back() {
    let mut core = Core::new();
    core.show(&job(1));
    core.show(&pod(2));
    core.show_gone(&pod(3));
    core.show(&pod(2));
    assert_eq!(core.requests(), ["POST pods", "PUT jobs/pi/status"]);
}

#[test]
fn a_job_waits_for_its_own_writes_however_long_that_takes() {
    let mut core = Core::new();
    core.show(&job(1));
    let plan = core.plan().expect("the Job has no pods");
    core.finish(&plan, &["2", "3"]);
    core.show(&with(job(3), "/status", json!({"active": 1, "ready": 0, "terminating": 0, "startTime": START})));
    core.wait(Duration::from_hours(100));
    assert!(core.requests().is_empty());
    core.show(&with(pod(4), "/status/phase", json!("Succeeded")));
    core.wait(Duration::from_secs(1));
    assert_eq!(core.requests(), ["PUT jobs/pi/status", "PATCH pods/pi-1"]);
}

#[test]
fn what_became_of_a_job_says_nothing_of_its_successor() {
    let mut core = Core::new();
    core.show(&job(1));
    core.show(&with(pod(2), "/status/phase", json!("Succeeded")));
    let plan = core.plan().expect("a pod succeeded");
    core.show_gone(&job(4));
    core.show(&with(job(5), "/metadata/uid", json!("another")));
    core.finish(&plan, &["3", "6"]);
    core.show_gone(&pod(7));
    assert_eq!(core.requests(), ["POST pods", "PUT jobs/pi/status"]);
}

#[test]
fn the_rest_of_a_plan_is_planned_again_by_another_spec() {
    let mut core = Core::new();
    core.show(&job(1));
    core.show(&with(pod(2), "/status/phase", json!("Failed")));
    let plan = core.plan().expect("a pod failed");
    core.finish(&plan, &["3", "4"]);
    let status = json!({"ready": 0, "terminating": 0, "startTime": START, "uncountedTerminatedPods": {"failed": ["pod"]}});
    let changed = with(with(with(job(5), "/status", status), "/metadata/generation", json!(2)), "/spec/suspend", json!(true));
    core.show(&with(with(pod(4), "/status/phase", json!("Failed")), "/metadata/finalizers", json!([])));
    core.show(&changed);
    let plan = core.plan().expect("a finalizer is gone");
    let codes: Vec<&str> = plan.decisions.iter().map(|decision| decision.code()).collect();
    assert_eq!(codes, ["StaysSuspended", "MarksSuspended", "StatusIsCurrent", "Records"]);
}

#[test]
fn the_clock_of_a_job_that_is_being_deleted_wakes_nobody() {
    let mut core = Core::new();
    let deleting = with(job(1), "/metadata/deletionTimestamp", json!(START));
    let deleting = with(deleting, "/status", json!({"ready": 0, "terminating": 0, "uncountedTerminatedPods": {}}));
    core.show(&with(deleting, "/spec/activeDeadlineSeconds", json!(1)));
    assert!(core.requests().is_empty());
    assert_eq!(core.manager.next_wakeup(), None);
}

#[test]
fn a_deadline_has_a_clock_that_is_written() {
    let mut core = Core::new();
    let idle = with(job(1), "/status", json!({"ready": 0, "terminating": 0, "uncountedTerminatedPods": {}}));
    core.show(&with(with(idle, "/spec/parallelism", json!(0)), "/spec/activeDeadlineSeconds", json!(1)));
    assert_eq!(core.requests(), ["PUT jobs/pi/status"]);
}

#[test]
fn an_index_that_failed_does_not_succeed() {
    let mut core = Core::new();
    let spec = json!({"completionMode": "Indexed", "completions": 2, "parallelism": 0, "backoffLimitPerIndex": 0,
        "selector": {"matchLabels": {"app": "pi"}}, "template": {"metadata": {"labels": {"app": "pi"}}}});
    let status = json!({"active": 1, "ready": 0, "terminating": 0, "failed": 1, "failedIndexes": "0", "startTime": START, "uncountedTerminatedPods": {}});
    core.show(&with(with(job(1), "/spec", spec), "/status", status));
    let succeeded = with(pod(2), "/status/phase", json!("Succeeded"));
    core.show(&with(succeeded, "/metadata/annotations", json!({"batch.kubernetes.io/job-completion-index": "0"})));
    let plan = core.plan().expect("a pod succeeded");
    let status: Value = serde_json::from_str(&plan.batches[0][0].request.body).expect("a status is JSON");
    assert_eq!((&status["status"]["completedIndexes"], &status["status"]["failedIndexes"]), (&Value::Null, &json!("0")));
}

/// When all of it happens.
const START: &str = "2026-01-02T12:00:00Z";

/// The core, and the time.
struct Core {
    manager: ControllerManager,
    now: Timestamp,
}

impl Core {
    /// A core that knows empty lists.
    fn new() -> Self {
        let mut core = Self { manager: ControllerManager::new(&Config::default()), now: START.parse().expect("a time") };
        for kind in Kind::ALL {
            core.handle(Event::Listed { kind: kind.name().into(), part: Part::Whole, resource_version: "0".into(), objects: Vec::new() });
        }
        core
    }

    fn handle(&mut self, event: Event) {
        self.manager.handle(event, self.now).expect("it is understood");
    }

    fn show(&mut self, object: &Value) {
        self.handle(Event::Changed(Change::Applied(json(object))));
    }

    fn show_gone(&mut self, object: &Value) {
        self.handle(Event::Changed(Change::Deleted(json(object))));
    }

    fn wait(&mut self, length: Duration) {
        self.now = time::after(self.now, length);
    }

    /// The next plan that asks for something.
    fn plan(&mut self) -> Option<Plan> {
        std::iter::from_fn(|| self.manager.next_plan(self.now)).find(|plan| !plan.batches.is_empty())
    }

    /// What the next plan asks for, in a few words.
    fn requests(&mut self) -> Vec<String> {
        let commands = self.plan().into_iter().flat_map(|plan| plan.batches).flatten();
        let told = |path: &str| path.rsplit_once("namespaces/default/").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        commands.map(|command| format!("{} {}", command.request.method.name(), told(&command.request.path))).collect()
    }

    /// All commands of a plan succeeded, and wrote these versions.
    fn finish(&mut self, plan: &Plan, versions: &[&str]) {
        let written = |version: &&str| Outcome::Done(Written { resource_version: (*version).into(), ..Written::default() });
        self.handle(Event::Finished { plan: plan.id, outcomes: versions.iter().map(written).collect() });
    }
}

fn json(object: &Value) -> Json {
    let kind = if object["kind"] == "Job" { Kind::Job } else { Kind::Pod };
    Json { kind: kind.name().into(), text: object.to_string().into() }
}

/// A Job of one pod, at this version.
fn job(version: u32) -> Value {
    json!({
        "kind": "Job",
        "metadata": {"name": "pi", "namespace": "default", "uid": "job", "resourceVersion": version.to_string(), "generation": 1},
        "spec": {
            "parallelism": 1, "completions": 1, "backoffLimit": 6,
            "selector": {"matchLabels": {"app": "pi"}},
            "template": {"metadata": {"labels": {"app": "pi"}}, "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "none"}]}},
        },
    })
}

/// The Job's pod, at this version.
fn pod(version: u32) -> Value {
    let owner = json!({"apiVersion": "batch/v1", "kind": "Job", "name": "pi", "uid": "job", "controller": true});
    json!({
        "kind": "Pod",
        "metadata": {
            "name": "pi-1", "namespace": "default", "uid": "pod", "resourceVersion": version.to_string(), "creationTimestamp": START,
            "labels": {"app": "pi"}, "ownerReferences": [owner], "finalizers": ["batch.kubernetes.io/job-tracking"],
        },
        "spec": {"restartPolicy": "Never"},
        "status": {"phase": "Pending"},
    })
}

/// An object with another value at a path, which is there or is one below what is there.
fn with(mut object: Value, path: &str, value: Value) -> Value {
    let (parent, field) = path.rsplit_once('/').expect("a path begins with a slash");
    object.pointer_mut(parent).expect("there is such a part")[field] = value;
    object
}
