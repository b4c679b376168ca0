//! What the core makes of events in orders that a watch, a race or a person can bring about: each was once found by the simulation.
//!
//! Docs: rules J-35, J-46, J-113, J-127. All orders together are gone through in `simulation/`.

mod delegation;
mod edges;
mod explain;
mod held_runs;
mod obstacles;
mod refusals;
mod waiting;

use api::{Duration, Kind, Timestamp, time};
use contract::{Change, Event, Listing, ObjectJson, Outcome, Part, Plan, Report, Written};
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
fn what_became_of_a_job_has_no_bearing_on_its_successor() {
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
    let mut core = Core::with_released_pod("Failed");
    let status = json!({"ready": 0, "terminating": 0, "startTime": START, "uncountedTerminatedPods": {"failed": ["pod"]}});
    core.show(&with(with(with(job(5), "/status", status), "/metadata/generation", json!(2)), "/spec/suspend", json!(true)));
    let plan = core.plan().expect("a finalizer is gone");
    let codes: Vec<&str> = plan.decisions.iter().map(|decision| decision.code()).collect();
    assert_eq!(codes, ["StaysSuspended", "MarksSuspended", "StatusIsCurrent", "Records"]);
}

#[test]
fn a_job_that_has_finished_by_a_write_without_an_answer_is_not_ended_again() {
    let mut core = Core::with_released_pod("Succeeded");
    let conditions = json!([{"type": "SuccessCriteriaMet", "status": "True"}, {"type": "Complete", "status": "True"}]);
    let status = json!({"ready": 0, "terminating": 0, "succeeded": 1, "startTime": START, "completionTime": START, "uncountedTerminatedPods": {}, "conditions": conditions});
    core.show(&with(job(5), "/status", status));
    core.wait(Duration::from_secs(1));
    assert_eq!(core.requests(), [""; 0]);
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

#[test]
fn a_successor_of_the_same_name_does_not_inherit_the_back_off() {
    let mut core = Core::new();
    core.show(&job(1));
    core.show(&with(pod(2), "/status", json!({"phase": "Failed", "containerStatuses": [terminated(START)]})));
    let plan = core.plan().expect("a pod failed");
    assert!(plan.decisions.iter().any(|decision| decision.code() == "BacksOff"), "{plan:?}");
    core.finish(&plan, &["3", "4"]);
    core.show_gone(&pod(5));
    core.show_gone(&job(6));
    core.show(&with(job(7), "/metadata/uid", json!("another")));
    assert_eq!(core.requests(), ["POST pods", "PUT jobs/pi/status"]);
}

#[test]
fn what_became_of_a_plan_for_a_predecessor_starts_no_back_off() {
    let mut core = Core::new();
    core.show(&job(1));
    core.show(&with(pod(2), "/status", json!({"phase": "Failed", "containerStatuses": [terminated(START)]})));
    let plan = core.plan().expect("a pod failed");
    core.show_gone(&pod(3));
    core.show_gone(&job(4));
    core.show(&with(job(5), "/metadata/uid", json!("another")));
    core.finish(&plan, &["6", "7"]);
    assert_eq!(core.requests(), ["POST pods", "PUT jobs/pi/status"]);
}

#[test]
fn at_most_one_condition_of_a_type_no_matter_who_wrote_it() {
    let mut core = Core::new();
    let not_failed = json!({"type": "Failed", "status": "False", "reason": "NotYet", "message": ""});
    let status = json!({"ready": 0, "terminating": 0, "startTime": START, "uncountedTerminatedPods": {}, "conditions": [not_failed]});
    core.show(&with(with(job(1), "/spec/backoffLimit", json!(0)), "/status", status));
    core.show(&with(pod(2), "/status/phase", json!("Failed")));
    let plan = core.plan().expect("a pod failed");
    let written: Value = serde_json::from_str(&plan.batches[0][0].request.body).expect("a status is JSON");
    core.finish(&plan, &["3", "4"]);
    core.show(&with(with(job(3), "/spec/backoffLimit", json!(0)), "/status", written["status"].clone()));
    core.show(&with(with(pod(4), "/status/phase", json!("Failed")), "/metadata/finalizers", json!([])));
    let plan = core.plan().expect("the pod is counted");
    let written: Value = serde_json::from_str(&plan.batches[0][0].request.body).expect("a status is JSON");
    let conditions = written["status"]["conditions"].as_array().expect("there are conditions");
    let conditions: Vec<_> = conditions.iter().map(|condition| (condition["type"].as_str(), condition["status"].as_str())).collect();
    assert_eq!(conditions, [(Some("FailureTarget"), Some("True")), (Some("Failed"), Some("True"))]);
}

#[test]
fn a_pod_that_is_listed_as_succeeded_is_not_listed_as_failed_too() {
    let mut core = Core::new();
    let status = json!({"ready": 0, "terminating": 0, "startTime": START, "uncountedTerminatedPods": {"succeeded": ["pod"]}});
    core.show(&with(with(job(1), "/spec/completions", json!(2)), "/status", status));
    core.show(&with(pod(2), "/status/phase", json!("Failed")));
    let plan = core.plan().expect("there is a pod to create");
    for command in plan.commands().filter(|command| command.request.path.ends_with("/status")) {
        let written: Value = serde_json::from_str(&command.request.body).expect("a status is JSON");
        assert_eq!(written["status"]["uncountedTerminatedPods"], json!({"succeeded": ["pod"]}));
    }
    assert!(plan.decisions.iter().any(|decision| decision.code() == "CountedOtherwise"), "{plan:?}");
}

#[test]
fn events_follow_the_work() {
    let mut core = Core::new();
    core.show(&with(job(1), "/spec/suspend", json!(true)));
    core.show(&with(pod(2), "/status/phase", json!("Running")));
    let plan = core.plan().expect("a suspended Job deletes its pods");
    assert_eq!(plan.notices, [], "nothing has happened yet");
    core.finish(&plan, &["3", "4", "5"]);
    assert_eq!(core.notices(), ["SuccessfulDelete", "Suspended"]);
    core.show_gone(&pod(6));
    let suspended = json!({"type": "Suspended", "status": "True", "reason": "JobSuspended", "message": "Job suspended"});
    let status = json!({"ready": 0, "terminating": 0, "uncountedTerminatedPods": {}, "conditions": [suspended]});
    core.show(&with(with(job(7), "/status", status), "/metadata/generation", json!(2)));
    let plan = core.plan().expect("a resumed Job creates its pods");
    core.finish(&plan, &["8", "9"]);
    assert_eq!(core.notices(), ["SuccessfulCreate", "Resumed"]);
}

#[test]
fn a_failure_that_comes_before_success_is_named_with_it() {
    let mut core = Core::new();
    let spec = json!({"completionMode": "Indexed", "completions": 2, "parallelism": 2, "backoffLimit": 0,
        "successPolicy": {"rules": [{"succeededIndexes": "0"}]},
        "selector": {"matchLabels": {"app": "pi"}}, "template": {"metadata": {"labels": {"app": "pi"}}}});
    core.show(&with(job(1), "/spec", spec));
    let of_index = |pod: Value, index: &str| with(pod, "/metadata/annotations", json!({"batch.kubernetes.io/job-completion-index": index}));
    let other = with(with(pod(3), "/metadata/name", json!("pi-2")), "/metadata/uid", json!("pod-2"));
    core.show(&of_index(with(pod(2), "/status/phase", json!("Succeeded")), "0"));
    core.show(&of_index(with(other, "/status/phase", json!("Failed")), "1"));
    let plan = core.plan().expect("both are due");
    let sentences: Vec<String> = plan.decisions.iter().map(|decision| decision.sentence.to_string()).collect();
    assert!(sentences.iter().any(|sentence| sentence == "The Job fails: 1 pod failed; backoffLimit allows 0"), "{sentences:#?}");
    let lost = "Rule 0 of successPolicy is also met, but failure takes precedence (BackoffLimitExceeded)";
    assert!(sentences.iter().any(|sentence| sentence == lost), "{sentences:#?}");
}

#[test]
fn counted_pods_are_found_again_when_they_are_to_be_released() {
    let mut core = Core::new();
    let status = json!({"ready": 0, "terminating": 0, "succeeded": 1, "startTime": START, "uncountedTerminatedPods": {}});
    core.show(&with(with(job(1), "/spec/parallelism", json!(0)), "/status", status));
    let counted = with(with(pod(2), "/status/phase", json!("Succeeded")), "/metadata/finalizers", json!([]));
    core.show(&with(counted, "/metadata/labels", json!({"app": "another"})));
    let requests = core.requests();
    assert_eq!(requests.first().map(String::as_str), Some("PATCH pods/pi-1"), "{requests:?}");
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
        Self::configured(&Config::default())
    }

    fn configured(config: &Config) -> Self {
        let mut core = Self { manager: ControllerManager::new(config), now: START.parse().expect("a time") };
        for kind in Kind::ALL {
            core.handle(Event::Listed(Listing {
                kind: kind.name().into(),
                part: Part::Whole,
                resource_version: "0".into(),
                objects: Vec::new(),
            }));
        }
        core
    }

    /// A core in which the Job's pod has ended and lost its finalizer: the rest of that plan is left.
    fn with_released_pod(phase: &str) -> Self {
        let mut core = Self::new();
        core.show(&job(1));
        core.show(&with(pod(2), "/status/phase", json!(phase)));
        let plan = core.plan().expect("the pod ended");
        core.finish(&plan, &["3", "4"]);
        core.show(&with(with(pod(4), "/status/phase", json!(phase)), "/metadata/finalizers", json!([])));
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

    /// The next plan that has requests.
    fn plan(&mut self) -> Option<Plan> {
        std::iter::from_fn(|| self.manager.next_plan(self.now)).find(|plan| !plan.batches.is_empty())
    }

    /// All plans that are due.
    fn plans(&mut self) -> Vec<Plan> {
        std::iter::from_fn(|| self.manager.next_plan(self.now)).collect()
    }

    /// The requests of the next plan, in a few words.
    fn requests(&mut self) -> Vec<String> {
        let commands = self.plan().into_iter().flat_map(|plan| plan.batches).flatten();
        let object = |path: &str| path.rsplit_once("namespaces/default/").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        commands.map(|command| format!("{} {}", command.request.method.name(), object(&command.request.path))).collect()
    }

    /// The reasons of the Events that are reported next.
    fn notices(&mut self) -> Vec<String> {
        let plan = self.manager.next_plan(self.now).expect("there is a report");
        plan.notices.into_iter().map(|notice| notice.reason).collect()
    }

    /// How many failed pods were counted as judged by a pod failure policy.
    fn judged(&self) -> usize {
        let families = self.manager.metrics(self.now);
        families.iter().filter(|family| family.name.contains("failure_policy")).map(|family| family.samples.len()).sum()
    }

    /// All commands of a plan succeeded, and wrote these versions.
    fn finish(&mut self, plan: &Plan, versions: &[&str]) {
        let written = |version: &&str| Outcome::Done(Written { resource_version: (*version).into(), ..Written::default() });
        self.handle(Event::Finished(Report { plan: plan.id, outcomes: versions.iter().map(written).collect() }));
    }

    /// Reports the outcomes of a plan; what is missing was not sent.
    fn answer(&mut self, plan: &Plan, outcomes: &[Outcome]) {
        let mut outcomes = outcomes.to_vec();
        outcomes.resize(plan.commands().count(), Outcome::Skipped);
        self.handle(Event::Finished(Report { plan: plan.id, outcomes }));
    }
}

fn json(object: &Value) -> ObjectJson {
    let kind = object["kind"].as_str().unwrap_or(Kind::Pod.name());
    ObjectJson { kind: kind.into(), json: object.to_string().into() }
}

/// A container that ended at a time, with exit code 1.
fn terminated(at: &str) -> Value {
    json!({"name": "main", "state": {"terminated": {"exitCode": 1, "finishedAt": at}}})
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
