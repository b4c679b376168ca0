//! Delegation: which Jobs and CronJobs belong to a controller of another name, and under which name it reports.
//!
//! Docs: Jobs, "Delegation of managing a Job object to external controller" (J-42); README, "Beyond Kubernetes" (X-1, X-2). The built-in name is
//! played in the scenarios of `managed-by.md`.

use controllers::Config;
use serde_json::{Value, json};

use super::{Core, START, job, with};

/// The controller's first requests for a Job with this `managedBy`, and who reports the first Event.
fn check(config: &str, manager: Value) -> (Vec<String>, Option<String>) {
    let mut core = Core::configured(&Config::from_json(config).expect("it is a configuration"));
    core.show(&with(job(1), "/spec/managedBy", manager));
    let Some(plan) = core.plan() else { return (Vec::new(), None) };
    core.finish(&plan, &["2", "3"]);
    let report = core.manager.next_plan(core.now).expect("there is a report");
    let requests = plan.commands().map(|command| command.request.method.name().to_owned()).collect();
    (requests, report.notices.first().map(|notice| notice.reporting_controller.to_string()))
}

#[test]
fn jobs_without_a_manager_belong_to_the_built_in_controller() {
    let own = r#"{"job": {"name": "example.dev/jobs"}}"#;
    let acts = |controller: &str| (vec!["POST".to_owned(), "PUT".to_owned()], Some(controller.to_owned()));
    assert_eq!(check("{}", Value::Null), acts("job-controller"));
    assert_eq!(check("{}", json!("kubernetes.io/job-controller")), acts("job-controller"));
    assert_eq!(check("{}", json!("example.dev/jobs")), (Vec::new(), None));
    assert_eq!(check(own, json!("example.dev/jobs")), acts("example.dev/jobs"));
    assert_eq!(check(own, Value::Null), (Vec::new(), None));
}

/// What is decided about a CronJob that is due, with this name of the controller and these annotations, and the requests and Events that follow.
fn decided(name: &str, annotations: &Value, suspend: bool) -> (String, Vec<String>, Vec<String>) {
    let config = format!(r#"{{"cronjob": {{"name": "{name}"}}}}"#);
    let mut core = Core::configured(&Config::from_json(&config).expect("it is a configuration"));
    let before = api::time::after(START.parse().expect("a time"), api::Duration::from_secs(-60));
    let metadata = json!({"name": "hello", "namespace": "default", "uid": "cron", "resourceVersion": "1", "creationTimestamp": api::time::text(before),
        "annotations": annotations});
    let spec = json!({"schedule": "* * * * *", "concurrencyPolicy": "Allow", "suspend": suspend, "jobTemplate": {"spec": {}}});
    core.show(&json!({"kind": "CronJob", "metadata": metadata, "spec": spec}));
    let plan = core.manager.next_plan(core.now).expect("the CronJob appeared");
    let requests = plan.commands().map(|command| command.request.method.name().to_owned()).collect();
    let notices = plan.notices.iter().map(|notice| format!("{} by {}", notice.reason, notice.reporting_controller)).collect();
    (plan.decisions.last().expect("there is a reason").code().to_owned(), requests, notices)
}

#[test]
fn beside_the_built_in_controller_only_suspended_cron_jobs_that_name_it_are_ours() {
    let own = |suspend: &str| json!({"jobsmith.dev/managed-by": "example.dev/jobs", "jobsmith.dev/suspend": suspend});
    let check = |annotations: Value, suspend: bool, code: &str, requests: &[&str], notices: &[&str]| {
        let found = decided("example.dev/jobs", &annotations, suspend);
        assert_eq!((&*found.0, found.1, found.2), (code, strings(requests), strings(notices)), "{annotations}");
    };
    check(json!({}), false, "CronJobManagedByOther", &[], &[]);
    check(json!({}), true, "CronJobManagedByOther", &[], &[]);
    check(json!({"jobsmith.dev/managed-by": "example.dev/others"}), true, "CronJobManagedByOther", &[], &[]);
    check(json!({"jobsmith.dev/managed-by": "example.dev/jobs"}), true, "StartsJob", &["POST"], &[]);
    check(own("false"), true, "StartsJob", &["POST"], &[]);
    check(own("true"), true, "SuspendedByAnnotation", &[], &[]);
    check(own("yes"), true, "InvalidAnnotation", &[], &["InvalidAnnotation by example.dev/jobs"]);
    check(own("false"), false, "NotSuspendedForBuiltIn", &[], &["NotSuspended by example.dev/jobs"]);
}

#[test]
fn in_the_place_of_the_built_in_controller_all_cron_jobs_are_ours() {
    let code = |annotations: Value, suspend: bool| decided("kubernetes.io/job-controller", &annotations, suspend).0;
    for annotations in [json!({}), json!({"jobsmith.dev/managed-by": "example.dev/others", "jobsmith.dev/suspend": "true"})] {
        assert_eq!(code(annotations.clone(), false), "StartsJob");
        assert_eq!(code(annotations, true), "CronJobSuspended");
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
