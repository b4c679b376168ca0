//! Waiting for the watch: a Job waits for what it wrote, says so once, and its successor does not.
//!
//! Docs: rules J-35, J-63. The states of a Job's work are in `crates/controllers/src/runtime/sync_state.rs`.

use api::Duration;
use api::request::{Outcome, Written};
use contract::metrics::Measure;
use serde_json::json;

use super::{Core, START, job, pod, with};

#[test]
fn a_job_reports_once_that_it_waits() {
    let mut core = Core::new();
    core.show(&job(1));
    let plan = core.plan().expect("the Job has no pods");
    core.finish(&plan, &["2", "4"]);
    core.show(&with(job(3), "/metadata/annotations", json!({"a": "b"})));
    core.wait(Duration::from_secs(1));
    let waits = |core: &mut Core| {
        let plans = core.plans();
        plans.iter().flat_map(|plan| &plan.decisions).filter(|decision| decision.code() == "WaitsForWatch").count()
    };
    assert_eq!(waits(&mut core), 1);
    core.show(&with(job(4), "/status", json!({"active": 1, "ready": 0, "terminating": 0, "startTime": START})));
    core.wait(Duration::from_secs(1));
    assert_eq!(waits(&mut core), 0, "it waits for the pod still, which is nothing new");
    core.show(&pod(2));
    core.wait(Duration::from_secs(1));
    assert_eq!((core.plans().len(), waits(&mut core)), (1, 0));
    let skips = core.manager.metrics(core.now).into_iter().find(|family| family.name == "job_controller_stale_sync_skips_total");
    let skips = skips.map(|family| family.samples.into_iter().map(|sample| sample.value).collect::<Vec<_>>());
    assert_eq!(skips, Some(vec![Measure::Counter(1)]));
}

#[test]
fn a_successor_does_not_wait_for_what_its_predecessor_wrote() {
    let mut core = Core::new();
    core.show(&job(1));
    let plan = core.plan().expect("the Job has no pods");
    core.finish(&plan, &["2", "3"]);
    core.show_gone(&job(4));
    core.show(&with(job(5), "/metadata/uid", json!("another")));
    assert_eq!(core.requests(), ["POST pods", "PUT jobs/pi/status"]);
}

#[test]
fn a_job_that_was_read_is_not_waited_for() {
    let mut core = Core::new();
    core.show(&with(job(1), "/status", json!({"ready": 0, "terminating": 0, "startTime": START, "uncountedTerminatedPods": {}})));
    core.show(&with(with(pod(2), "/metadata/ownerReferences", json!([])), "/metadata/finalizers", json!([])));
    let plan = core.plan().expect("the Job is read first");
    core.answer(&plan, &[Outcome::Done(Written { uid: "job".into(), resource_version: "3".into(), ..Written::default() })]);
    assert_eq!(core.requests().first().map(String::as_str), Some("PATCH pods/pi-1"));
}
