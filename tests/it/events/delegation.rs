//! Delegation: which Jobs belong to a controller of another name, and under which name it reports.
//!
//! Docs: Jobs, "Delegation of managing a Job object to external controller" (J-42). The built-in name is played in the scenarios of `managed-by.md`.

use controllers::Config;
use serde_json::{Value, json};

use super::{Core, job, with};

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
