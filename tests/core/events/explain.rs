//! Explain: what is decided about a Job now and next, and about which Job.
//!
//! Docs: `crates/component/wit/controllers.wit`, `explain`. What `jobsmith explain` makes of it is tested beside `host/cluster/src/explain.rs`.

use api::{Duration, Kind};
use contract::{Explanation, Forecast, ObjectRef};
use serde_json::json;

use super::{Core, START, job, pod, terminated, with};

impl Core {
    fn explain(&self, uid: &str) -> Result<Explanation, String> {
        let object = ObjectRef { kind: Kind::Job.name().into(), namespace: "default".into(), name: "pi".into(), uid: uid.into() };
        self.manager.explain(&object, &[], self.now)
    }
}

fn codes(forecast: &Forecast) -> Vec<&str> {
    forecast.decisions.iter().map(|decision| decision.code()).collect()
}

#[test]
fn only_failed_pods_are_explained_beside_their_job() {
    let mut core = Core::new();
    core.show(&job(1));
    core.show(&with(pod(2), "/status/phase", json!("Running")));
    assert_eq!(core.explain("").map(|explanation| explanation.related.len()), Ok(0));
}

#[test]
fn a_pod_is_explained_by_its_uid() {
    let mut core = Core::new();
    core.show(&pod(1));
    let explained = |uid: &str| {
        let object = ObjectRef { kind: Kind::Pod.name().into(), namespace: "default".into(), name: "pi-1".into(), uid: uid.into() };
        core.manager.explain(&object, &[], core.now).is_ok()
    };
    assert_eq!(["pod", "", "another"].map(explained), [true, true, false]);
}

#[test]
fn a_failure_that_is_not_counted_yet_makes_the_back_off_longer_once() {
    let mut core = Core::new();
    let status = json!({"ready": 0, "terminating": 0, "failed": 1, "startTime": START, "uncountedTerminatedPods": {}});
    core.show(&with(job(1), "/status", status));
    let failed = |pod| with(pod, "/status", json!({"phase": "Failed", "containerStatuses": [terminated(START)]}));
    let other = with(with(pod(3), "/metadata/name", json!("pi-2")), "/metadata/uid", json!("pod-2"));
    core.show(&failed(pod(2)));
    core.show(&failed(with(other, "/metadata/finalizers", json!([]))));
    let explanation = core.explain("").expect("there is the Job");
    let sentences: Vec<String> = explanation.now.decisions.iter().map(|decision| decision.sentence.to_string()).collect();
    let back_off = sentences.iter().find(|sentence| sentence.starts_with("Retrying")).expect("it backs off");
    assert_eq!(explanation.related.iter().map(|related| &*related.object.name).collect::<Vec<_>>(), ["pi-1", "pi-2"]);
    assert!(back_off.ends_with("back-off of 20 s after 2 consecutive failures"), "{back_off}");
}

#[test]
fn a_delay_is_explained_as_the_controller_decides_on_it() {
    let mut core = Core::new();
    let status = json!({"ready": 0, "terminating": 0, "failed": 1, "startTime": START, "uncountedTerminatedPods": {}});
    let indexed = with(job(1), "/spec/completionMode", json!("Indexed"));
    let asks = json!({"jobsmith.dev/on-failure": "attempt 2: retry uncounted after 5s"});
    core.show(&with(with(indexed, "/metadata/annotations", asks), "/status", status));
    let counted = |name: &str, attempt: &str| {
        let pod = with(with(pod(2), "/metadata/name", json!(name)), "/metadata/uid", json!(name));
        let annotations = json!({"batch.kubernetes.io/job-completion-index": "0", "jobsmith.dev/attempt": attempt});
        let pod = with(with(pod, "/metadata/finalizers", json!([])), "/metadata/annotations", annotations);
        with(pod, "/status", json!({"phase": "Failed", "containerStatuses": [terminated(START)]}))
    };
    core.show(&counted("pi-1", "1"));
    core.show(&counted("pi-2", "2"));
    core.wait(Duration::from_secs(1));
    let waits = |codes: Vec<&str>| codes.into_iter().find(|code| ["BacksOff", "DelaysRetryByRule"].contains(code)).map(str::to_owned);
    let explained = |core: &Core| waits(codes(&core.explain("").expect("there is the Job").now));
    assert_eq!(explained(&core).as_deref(), Some("BacksOff"), "it is rebuilt from the pods");
    let plans = core.plans();
    let decided = waits(plans.iter().flat_map(|plan| &plan.decisions).map(|decision| decision.code()).collect());
    assert_eq!(decided.as_deref(), Some("BacksOff"), "the controller, which has just started, has rebuilt it, too");
    assert_eq!(explained(&core), decided);
}

#[test]
fn a_job_is_explained_by_its_uid() {
    let mut core = Core::new();
    core.show(&job(1));
    assert!(core.explain("job").is_ok() && core.explain("").is_ok());
    assert_eq!(core.explain("another").err().as_deref(), Some("no controller knows Job default/pi"));
}

#[test]
fn what_comes_next_is_known_only_if_there_is_nothing_to_do_now() {
    let mut core = Core::new();
    let hurried = |job| with(job, "/spec/activeDeadlineSeconds", json!(60));
    core.show(&hurried(job(1)));
    let explanation = core.explain("").expect("there is the Job");
    assert!(!explanation.now.batches.is_empty(), "a pod is to be created");
    assert_eq!((explanation.requeue_at.is_some(), explanation.next), (true, None));
    let status = json!({"active": 1, "ready": 0, "terminating": 0, "startTime": START, "uncountedTerminatedPods": {}});
    core.show(&hurried(with(job(2), "/status", status)));
    core.show(&pod(3));
    let explanation = core.explain("").expect("there is the Job");
    assert!(explanation.now.batches.is_empty(), "the pod runs");
    let next = codes(explanation.next.as_ref().expect("the deadline comes next")).join(" ");
    assert!(next.contains("DeadlineExceeded"), "{next}");
}

#[test]
fn what_is_under_way_is_not_decided_again() {
    let mut core = Core::new();
    core.show(&job(1));
    let plan = core.plan().expect("the Job has no pods");
    let now = core.explain("").expect("the Job is known").now;
    assert_eq!((codes(&now), now.batches.len()), (vec!["WaitsForRequests"], 0));
    core.finish(&plan, &["2", "3"]);
    let now = core.explain("").expect("the Job is known").now;
    assert_eq!((codes(&now), now.batches.len()), (vec!["WaitsForWatch"], 0));
}

#[test]
fn that_a_job_waits_for_its_pods_to_end_is_said_once() {
    let mut core = Core::new();
    let target =
        json!({"type": "FailureTarget", "status": "True", "reason": "DeadlineExceeded", "message": "late", "lastTransitionTime": START});
    let status =
        json!({"failed": 1, "ready": 0, "terminating": 1, "startTime": START, "uncountedTerminatedPods": {}, "conditions": [target]});
    core.show(&with(with(job(1), "/spec/activeDeadlineSeconds", json!(60)), "/status", status));
    let running = with(pod(2), "/status", json!({"phase": "Running"}));
    let counted = with(running, "/metadata/finalizers", json!([]));
    core.show(&with(with(counted, "/metadata/deletionTimestamp", json!(START)), "/metadata/deletionGracePeriodSeconds", json!(30)));
    let now = core.explain("").expect("there is the Job").now;
    assert_eq!((codes(&now).iter().filter(|code| **code == "WaitsForPodsToEnd").count(), now.batches.len()), (1, 0), "{now:#?}");
}
