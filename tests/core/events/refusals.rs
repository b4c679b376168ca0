//! What a sync goes on with after a refused request, and when it is tried again.
//!
//! Docs: rules J-02, J-03, J-80, J-134. Histories with many refused requests are compared with upstream in `tests/host/differential/refused.rs`.

use api::Duration;
use api::request::{ApiError, Outcome, Written};
use serde_json::{Value, json};

use super::{Core, START, job, pod, with};

#[test]
fn a_sync_in_which_two_requests_fail_is_tried_again_as_after_one() {
    let mut core = Core::new();
    core.show(&job(1));
    for seconds in [1, 2, 4] {
        let plan = core.plan().expect("the Job has no pods");
        core.answer(&plan, &[refused()]);
        let rest = core.plan().expect("the clock is started nevertheless");
        core.answer(&rest, &[refused()]);
        core.wait(Duration::from_secs(seconds) - Duration::from_millis(1));
        assert_eq!(core.requests(), Vec::<String>::new(), "it waits for {seconds} s");
        core.wait(Duration::from_millis(1));
    }
    assert_eq!(core.requests(), ["POST pods", "PUT jobs/pi/status"]);
}

#[test]
fn a_job_that_is_shown_again_is_synced_before_the_delay_is_over() {
    let mut core = Core::new();
    core.show(&job(1));
    for (generation, version) in [(2, "2"), (3, "3")] {
        let plan = core.plan().expect("the Job has no pods");
        core.answer(&plan, &[refused()]);
        let rest = core.plan().expect("the clock is started nevertheless");
        core.answer(&rest, &[refused()]);
        core.show(&with(with(job(1), "/metadata/generation", json!(generation)), "/metadata/resourceVersion", json!(version)));
    }
    assert_eq!(core.requests(), ["POST pods", "PUT jobs/pi/status"]);
}

#[test]
fn the_rest_of_a_sync_counts_what_was_deleted_as_terminating() {
    let statuses = [
        // The first pod keeps its finalizer, so that it is not deleted.
        (vec![refused(), done("6"), Outcome::Skipped, done("7")], json!({"active": 1, "ready": 1, "terminating": 1})),
        // It is to be deleted, and does not count as ready any longer.
        (vec![done("5"), done("6"), refused(), done("7")], json!({"active": 1, "ready": null, "terminating": 1})),
    ];
    for (outcomes, counted) in statuses {
        let mut core = Core::new();
        let running = with(with(job(1), "/spec/parallelism", json!(2)), "/spec/completions", json!(2));
        core.show(&with(running, "/spec/suspend", json!(true)));
        let ready = json!({"phase": "Running", "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": START}]});
        let second = with(with(pod(3), "/metadata/name", json!("pi-2")), "/metadata/uid", json!("second"));
        core.show(&with(pod(2), "/status", ready.clone()));
        core.show(&second);
        let plan = core.plan().expect("the Job is suspended");
        core.answer(&plan, &outcomes);
        core.show(&with(with(with(pod(5), "/status", ready), "/metadata/finalizers", json!([])), "/metadata/resourceVersion", json!("5")));
        core.show_gone(&with(with(second, "/metadata/finalizers", json!([])), "/metadata/resourceVersion", json!("7")));
        let status = written(&mut core);
        for field in ["active", "terminating"] {
            assert_eq!(status[field], counted[field], "{field} in {status}");
        }
        assert_eq!(status["ready"].as_i64().filter(|ready| *ready > 0), counted["ready"].as_i64(), "{status}");
        assert_eq!(status["conditions"][0]["type"], "Suspended");
    }
}

#[test]
fn memory_grows_with_the_pod_that_is_created_and_not_with_each_that_is_refused() {
    let mut core = Core::new();
    let resources = json!({"limits": {"memory": "1Gi"}});
    let hungry = with(job(1), "/spec/template/spec/containers/0/resources", resources);
    core.show(&with(hungry, "/metadata/annotations", json!({"jobsmith.dev/on-failure": "reason OOMKilled: retry, memory x2"})));
    let terminated = json!({"terminated": {"exitCode": 137, "reason": "OOMKilled", "finishedAt": START}});
    let status = json!({"phase": "Failed", "containerStatuses": [{"name": "main", "state": terminated}]});
    core.show(&with(with(pod(2), "/status", status), "/metadata/finalizers", json!([])));
    core.wait(Duration::from_secs(10));
    let mut events = Vec::new();
    let created = Outcome::Done(Written { name: "pi-2".into(), ..Written::default() });
    for outcome in [refused(), refused(), created] {
        while let Some(plan) = core.manager.next_plan(core.now) {
            events.extend(plan.notices.iter().map(|notice| format!("{}: {}", notice.reason, notice.message)));
            if !plan.batches.is_empty() {
                core.answer(&plan, std::slice::from_ref(&outcome));
            }
        }
        core.wait(Duration::from_secs(10));
    }
    let grown = "MemoryIncreased: Container main of pod pi-2 has 2Gi of memory instead of 1Gi";
    assert_eq!(events, ["FailedCreate: Error creating: ", "FailedCreate: Error creating: ", "SuccessfulCreate: Created pod: pi-2", grown]);
}

/// The status that the next plan writes.
fn written(core: &mut Core) -> Value {
    let plan = core.plan().expect("the status is written nevertheless");
    let bodies: Vec<Value> = plan.commands().map(|command| serde_json::from_str(&command.request.body).expect("it is JSON")).collect();
    assert_eq!(bodies.len(), 1, "nothing else is tried: {bodies:?}");
    bodies[0]["status"].clone()
}

fn refused() -> Outcome {
    Outcome::Failed(ApiError { code: 403, reason: String::new(), message: String::new(), causes: Vec::new() })
}

fn done(version: &str) -> Outcome {
    Outcome::Done(Written { resource_version: version.into(), ..Written::default() })
}
