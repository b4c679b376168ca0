//! What the core makes of edge cases that no scenario shows: each of these bugs was once in a job controller and noticed by no test.
//!
//! Docs: rules J-46, J-63, J-96, J-101, J-124; `tests/mutants/` has the bugs. The core and its objects are those of `mod.rs`.

use api::Duration;
use api::request::{ApiError, Outcome, Written};
use contract::Plan;
use serde_json::{Value, json};

use super::{Core, START, job, pod, terminated, with};

#[test]
fn a_job_does_not_end_while_a_creation_may_still_show() {
    let mut core = Core::new();
    let running = with(with(job(1), "/status", idle()), "/spec/activeDeadlineSeconds", json!(5));
    core.show(&running);
    let plan = core.plan().expect("the Job has no pods");
    core.answer(&plan, &[failed(0)]);
    core.wait(Duration::from_secs(6));
    for plan in core.plans() {
        assert_eq!(conditions(&plan), json!(null), "the pod may be there");
    }
    core.show(&pod(5));
    core.wait(Duration::from_secs(1));
    assert_eq!(core.requests(), ["DELETE pods/pi-1", "PUT jobs/pi/status", "PATCH pods/pi-1"]);
}

#[test]
fn a_job_with_other_pods_does_not_end_either_while_a_creation_may_still_show() {
    let mut core = Core::new();
    let running = with(with(job(1), "/status", idle()), "/spec/activeDeadlineSeconds", json!(5));
    core.show(&with(with(running, "/spec/parallelism", json!(2)), "/spec/completions", json!(2)));
    let plan = core.plan().expect("the Job has no pods");
    core.answer(&plan, &[Outcome::Done(Written { resource_version: "2".to_owned(), ..Written::default() }), failed(0)]);
    core.show(&pod(2));
    core.wait(Duration::from_secs(6));
    let plan = core.plan().expect("the deadline has passed");
    assert!(plan.commands().any(|command| command.request.path.ends_with("/pods/pi-1")), "its pods go at once: {plan:?}");
    assert_eq!(conditions(&plan), json!(null), "the other pod may be there");
}

#[test]
fn not_in_judges_only_containers_that_failed() {
    let rule = json!({"action": "FailJob", "onExitCodes": {"operator": "NotIn", "values": [3]}});
    let status = json!({"phase": "Failed", "containerStatuses": [ended("a", 0), ended("b", 3)]});
    assert_eq!(judged(&rule, status), json!(null));
    let status = json!({"phase": "Failed", "containerStatuses": [ended("a", 0), ended("b", 4)]});
    assert_eq!(judged(&rule, status)[0]["reason"], "PodFailurePolicy");
}

#[test]
fn exit_codes_of_init_containers_are_judged() {
    let rule = json!({"action": "FailJob", "onExitCodes": {"operator": "In", "values": [7]}});
    let status = json!({"phase": "Failed", "initContainerStatuses": [ended("init", 7)]});
    assert_eq!(judged(&rule, status)[0]["reason"], "PodFailurePolicy");
}

#[test]
fn a_rule_matches_a_condition_by_its_status() {
    let rule = json!({"action": "FailJob", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]});
    let status = |truth: &str| json!({"phase": "Failed", "conditions": [{"type": "DisruptionTarget", "status": truth}]});
    assert_eq!(judged(&rule, status("False")), json!(null));
    assert_eq!(judged(&rule, status("True"))[0]["reason"], "PodFailurePolicy");
}

#[test]
fn two_successes_of_one_index_are_one() {
    let mut core = Core::new();
    core.show(&with(indexed("pi"), "/status", idle()));
    let other = with(with(pod(3), "/metadata/name", json!("pi-2")), "/metadata/uid", json!("pod-2"));
    for pod in [pod(2), other] {
        let succeeded = with(pod, "/status/phase", json!("Succeeded"));
        core.show(&with(succeeded, "/metadata/annotations", json!({"batch.kubernetes.io/job-completion-index": "0"})));
    }
    let plan = core.plan().expect("two pods succeeded");
    let counted = plan.decisions.iter().filter(|decision| decision.code() == "CountsSuccess").count();
    let status = bodies(&plan).into_iter().find(|body| body["kind"] == "Job").expect("the status is written");
    assert_eq!((counted, &status["status"]["succeeded"], &status["status"]["completedIndexes"]), (1, &json!(1), &json!("0")));
}

#[test]
fn created_pods_hold_the_tracking_finalizer() {
    for finalizers in [json!([]), json!(["example.dev/other"]), json!(["batch.kubernetes.io/job-tracking"])] {
        let mut core = Core::new();
        core.show(&with(job(1), "/spec/template/metadata/finalizers", finalizers));
        let created = &bodies(&core.plan().expect("the Job has no pods"))[0];
        let held = created["metadata"]["finalizers"].as_array().expect("there are finalizers");
        assert_eq!(held.iter().filter(|name| **name == "batch.kubernetes.io/job-tracking").count(), 1, "{created}");
    }
}

#[test]
fn a_suspended_job_has_no_deadline() {
    let mut core = Core::new();
    let suspended = with(with(job(1), "/status", idle()), "/spec/suspend", json!(true));
    core.show(&with(suspended, "/spec/activeDeadlineSeconds", json!(1)));
    core.wait(Duration::from_secs(10));
    let plan = core.plan().expect("the Job is marked as suspended");
    assert_eq!((conditions(&plan)[0]["type"].as_str(), conditions(&plan)[1].is_null()), (Some("Suspended"), true));
}

#[test]
fn nothing_is_adopted_for_a_predecessor() {
    let adoption = |uid: &str| {
        let mut core = Core::new();
        core.show(&with(job(1), "/status", idle()));
        core.show(&with(with(pod(2), "/metadata/ownerReferences", json!([])), "/metadata/finalizers", json!([])));
        let plan = core.plan().expect("the Job is read first");
        let read = Written { uid: uid.into(), resource_version: "1".into(), ..Written::default() };
        core.answer(&plan, &[Outcome::Done(read)]);
        core.requests().iter().any(|request| request == "PATCH pods/pi-1")
    };
    assert!(adoption("job") && !adoption("another"));
}

#[test]
fn pods_of_another_managers_job_keep_their_finalizer() {
    let freed = |manager: Option<&str>| {
        let mut core = Core::new();
        let complete = json!({"type": "Complete", "status": "True", "reason": "", "message": ""});
        let finished = with(job(1), "/status", json!({"startTime": START, "succeeded": 1, "conditions": [complete]}));
        core.show(&with(finished, "/spec/managedBy", json!(manager)));
        core.show(&with(pod(2), "/metadata/deletionTimestamp", json!(START)));
        !core.requests().is_empty()
    };
    assert!(freed(None) && !freed(Some("example.dev/jobs")));
}

#[test]
fn containers_get_the_index_variable_once() {
    let mut core = Core::new();
    let own = json!({"name": "JOB_COMPLETION_INDEX", "value": "mine"});
    let containers = json!([{"name": "a", "image": "none", "env": [own]}, {"name": "b", "image": "none"}]);
    core.show(&with(with(indexed("pi"), "/status", idle()), "/spec/template/spec/containers", containers));
    let created = bodies(&core.plan().expect("the Job has no pods"));
    let variables = |container: usize| created[0]["spec"]["containers"][container]["env"].as_array().expect("it has variables").len();
    assert_eq!([variables(0), variables(1)], [1, 1]);
    assert_eq!([&created[0], &created[1]].map(|pod| pod["spec"]["hostname"].clone()), ["pi-0", "pi-1"]);
}

#[test]
fn generated_names_leave_room_for_the_index() {
    let mut core = Core::new();
    core.show(&with(indexed(&"a".repeat(63)), "/status", idle()));
    let created = &bodies(&core.plan().expect("the Job has no pods"))[0];
    let name = created["metadata"]["generateName"].as_str().expect("it is text");
    assert_eq!((name.len(), name.ends_with("a-0-")), (58, true), "{name}");
}

#[test]
fn a_pod_that_has_ended_is_adopted_too() {
    let mut core = Core::new();
    core.show(&with(job(1), "/status", idle()));
    let loose = with(with(pod(2), "/metadata/ownerReferences", json!([])), "/metadata/finalizers", json!([]));
    core.show(&with(loose, "/status/phase", json!("Succeeded")));
    assert_eq!(core.requests(), ["GET jobs/pi"]);
}

#[test]
fn a_counted_pod_whose_labels_change_is_released() {
    let mut core = Core::new();
    let status = json!({"ready": 0, "terminating": 0, "succeeded": 1, "startTime": START, "uncountedTerminatedPods": {}});
    let paused = with(with(job(1), "/spec/completions", json!(2)), "/spec/parallelism", json!(0));
    core.show(&with(paused, "/status", status));
    let counted = |version| with(with(pod(version), "/status/phase", json!("Succeeded")), "/metadata/finalizers", json!([]));
    core.show(&counted(2));
    core.plans();
    core.show(&with(counted(3), "/metadata/labels", json!({"app": "another"})));
    core.wait(Duration::from_secs(1));
    assert_eq!(core.requests().first().map(String::as_str), Some("PATCH pods/pi-1"));
}

#[test]
fn an_unanswered_creation_is_tried_again_after_half_a_minute() {
    let mut core = Core::new();
    core.show(&with(job(1), "/status", idle()));
    let plan = core.plan().expect("the Job has no pods");
    core.answer(&plan, &[failed(0)]);
    core.wait(Duration::from_secs(29));
    assert!(core.requests().is_empty(), "the pod may still show");
    core.wait(Duration::from_secs(2));
    assert!(core.requests().contains(&"POST pods".to_owned()));
}

#[test]
fn a_resumed_job_starts_again_whatever_its_start_time_was() {
    let mut core = Core::new();
    let suspended = json!({"type": "Suspended", "status": "True", "reason": "JobSuspended", "message": "Job suspended"});
    core.show(&with(job(1), "/status", with(idle(), "/conditions", json!([suspended]))));
    core.wait(Duration::from_secs(10));
    let status = bodies(&core.plan().expect("the Job is resumed")).into_iter().find(|body| body["kind"] == "Job").expect("a status");
    assert_eq!(status["status"]["startTime"], "2026-01-02T12:00:10Z");
}

#[test]
fn a_failure_policy_waits_for_pods_that_terminate_whatever_the_replacement_policy() {
    let creates = |policy: Value| {
        let mut core = Core::new();
        core.show(&with(with(job(1), "/status", idle()), "/spec/podFailurePolicy", policy));
        core.show(&with(pod(2), "/metadata/deletionTimestamp", json!(START)));
        core.wait(Duration::from_secs(11));
        core.requests().contains(&"POST pods".to_owned())
    };
    let rule = json!({"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]});
    assert!(creates(Value::Null) && !creates(json!({"rules": [rule]})));
}

#[test]
fn pods_have_their_index_as_label_and_annotation() {
    let mut core = Core::new();
    core.show(&with(indexed("pi"), "/status", idle()));
    for (index, created) in bodies(&core.plan().expect("the Job has no pods")).iter().take(2).enumerate() {
        for map in ["labels", "annotations"] {
            assert_eq!(created["metadata"][map]["batch.kubernetes.io/job-completion-index"], index.to_string());
        }
    }
}

#[test]
fn a_pod_that_is_gone_needs_no_finalizer_removed() {
    let retried = |code: u16| {
        let mut core = Core::new();
        core.show(&with(job(1), "/status", idle()));
        core.show(&with(pod(2), "/status/phase", json!("Succeeded")));
        let plan = core.plan().expect("a pod succeeded");
        let written = Written { resource_version: "3".into(), ..Written::default() };
        core.answer(&plan, &[Outcome::Done(written), failed(code)]);
        core.plans().iter().flat_map(|plan| &plan.decisions).any(|decision| decision.code() == "RequestFailed")
    };
    assert!(retried(500) && !retried(404));
}

#[test]
fn too_many_successes_are_reported_if_there_are_too_many() {
    let events = |pods: usize| {
        let mut core = Core::new();
        core.show(&with(job(1), "/status", idle()));
        let succeeded: Vec<Value> = (1..=pods)
            .map(|number| with(with(pod(2), "/metadata/name", json!(format!("pi-{number}"))), "/metadata/uid", json!(number.to_string())))
            .map(|pod| with(pod, "/status/phase", json!("Succeeded")))
            .collect();
        succeeded.iter().for_each(|pod| core.show(pod));
        let plan = core.plan().expect("pods succeeded");
        let status = bodies(&plan)[0]["status"].clone();
        core.finish(&plan, &["3", "4", "4"][..=pods]);
        core.show(&with(job(3), "/status", status));
        for pod in succeeded {
            core.show(&with(with(pod, "/metadata/finalizers", json!([])), "/metadata/resourceVersion", json!("4")));
        }
        let plan = core.plan().expect("the Job ends");
        core.finish(&plan, &["5"]);
        core.notices()
    };
    assert_eq!(events(1), ["Completed"]);
    assert_eq!(events(2), ["Completed", "TooManySucceededPods"]);
}

#[test]
fn a_pod_that_another_owner_takes_is_replaced() {
    let mut core = Core::new();
    core.show(&with(job(1), "/status", with(idle(), "/active", json!(1))));
    core.show(&pod(2));
    assert!(core.requests().is_empty(), "the pod is there");
    let other = json!({"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "web", "controller": true});
    core.show(&with(pod(3), "/metadata/ownerReferences", json!([other])));
    core.wait(Duration::from_secs(1));
    assert_eq!(core.requests().first().map(String::as_str), Some("POST pods"));
}

#[test]
fn a_successor_of_the_same_name_does_not_inherit_refused_requests() {
    let mut core = Core::new();
    for at in [1, 3] {
        core.show(&job(at));
        let plan = core.plan().expect("the Job has no pods");
        core.answer(&plan, &[failed(500)]);
        let rest = core.plan().expect("the clock is started nevertheless");
        core.answer(&rest, &[failed(409)]);
        core.wait(Duration::from_secs(2));
    }
    core.show_gone(&job(5));
    core.show(&with(job(6), "/metadata/uid", json!("another")));
    let plan = core.plan().expect("the successor has no pods");
    core.answer(&plan, &[failed(500)]);
    let rest = core.plan().expect("the clock is started nevertheless");
    core.answer(&rest, &[failed(409)]);
    core.wait(Duration::from_secs(1));
    assert_eq!(core.requests(), ["POST pods", "PUT jobs/pi/status"], "its first back-off is 1 s");
}

#[test]
fn a_leftover_finalizer_is_removed_once() {
    let mut core = Core::new();
    let orphan = with(pod(1), "/metadata/ownerReferences", json!([]));
    core.show(&orphan);
    let plan = core.plan().expect("nobody counts the pod");
    core.finish(&plan, &["3"]);
    core.show(&with(with(orphan.clone(), "/metadata/labels", json!({})), "/metadata/resourceVersion", json!("2")));
    assert_eq!(core.requests(), Vec::<String>::new(), "the watch has not shown that it is gone");
    core.show(&with(with(orphan, "/metadata/finalizers", json!([])), "/metadata/resourceVersion", json!("3")));
    assert_eq!(core.requests(), Vec::<String>::new());
}

#[test]
fn a_failure_policy_is_counted_when_the_status_is_written() {
    let mut core = Core::new();
    let rules = json!({"rules": [{"action": "Count", "onExitCodes": {"operator": "In", "values": [1]}}]});
    core.show(&with(job(1), "/spec/podFailurePolicy", rules));
    core.show(&with(pod(2), "/status", json!({"phase": "Failed", "containerStatuses": [terminated(START)]})));
    let plan = core.plan().expect("a pod failed");
    core.answer(&plan, &[failed(409)]);
    assert_eq!(core.judged(), 0);
    core.wait(Duration::from_secs(1));
    let plan = core.plan().expect("it is tried again");
    core.finish(&plan, &["3", "4"]);
    assert_eq!(core.judged(), 1);
}

#[test]
fn an_ignored_failure_is_counted_also_where_the_status_stays_as_it_is() {
    let mut core = Core::new();
    let rules = json!({"rules": [{"action": "Ignore", "onExitCodes": {"operator": "In", "values": [1]}}]});
    let status = json!({"active": 1, "ready": 0, "terminating": 0, "startTime": START, "uncountedTerminatedPods": {}});
    core.show(&with(with(job(1), "/spec/podFailurePolicy", rules), "/status", status));
    core.show(&with(pod(2), "/status", json!({"phase": "Failed", "containerStatuses": [terminated("2026-01-02T11:00:00Z")]})));
    while let Some(plan) = core.plan() {
        let commands: Vec<String> = plan.commands().map(|command| command.request.method.name().to_owned()).collect();
        assert!(!commands.contains(&"PUT".to_owned()), "{commands:?}");
        core.finish(&plan, &vec!["1"; commands.len()]);
    }
    assert_eq!(core.judged(), 1);
}

/// A request that the API server refused; with code 0, it did not answer.
fn failed(code: u16) -> Outcome {
    Outcome::Failed(ApiError { code, reason: String::new(), message: String::new(), causes: Vec::new() })
}

/// The conditions that are written of a Job when its pod ended like this, with this rule in its pod failure policy.
fn judged(rule: &Value, status: Value) -> Value {
    let mut core = Core::new();
    core.show(&with(with(job(1), "/status", idle()), "/spec/podFailurePolicy", json!({"rules": [rule]})));
    core.show(&with(pod(2), "/status", status));
    conditions(&core.plan().expect("a pod failed"))
}

/// The conditions that a plan writes.
fn conditions(plan: &Plan) -> Value {
    bodies(plan).into_iter().find(|body| body["kind"] == "Job").map(|job| job["status"]["conditions"].clone()).unwrap_or_default()
}

fn bodies(plan: &Plan) -> Vec<Value> {
    plan.commands().filter_map(|command| serde_json::from_str(&command.request.body).ok()).collect()
}

/// A status in which nothing is left to write.
fn idle() -> Value {
    json!({"ready": 0, "terminating": 0, "startTime": START, "uncountedTerminatedPods": {}})
}

fn ended(container: &str, code: i32) -> Value {
    json!({"name": container, "state": {"terminated": {"exitCode": code, "finishedAt": START}}})
}

/// An Indexed Job with two indexes.
fn indexed(name: &str) -> Value {
    let indexed = with(with(job(1), "/spec/completionMode", json!("Indexed")), "/spec/completions", json!(2));
    with(with(indexed, "/spec/parallelism", json!(2)), "/metadata/name", json!(name))
}
