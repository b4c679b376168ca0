//! What others write into statuses, drawn from a seed: another controller's condition on a Job, wrong numbers, a phase that turns.
//!
//! Docs: Jobs, "Job termination and cleanup"; Kubernetes API Concepts, "Status subresource" (A-120…A-149). What the API server refuses does not happen. All else
//! that people do is in `people.rs`.

use api::job::conditions::{COMPLETE, FAILED, FAILURE_TARGET};
use api::request::{ContentType, Method, Request, path};
use api::{Kind, Text};
use cluster::ApiServer;
use cluster::rng::Rng;
use serde_json::{Value, json};

use crate::interventions::{Intervention, NAMESPACE};
use crate::ledger::listed;
use crate::page;

/// The type of a condition that another controller sets.
pub(crate) const FOREIGN_CONDITION: &str = "example.com/Seen";

/// A person changes the status of a Job.
pub(crate) fn change_job_status(dice: &mut Rng, server: &ApiServer, name: &str) -> Option<Intervention> {
    let stored = server.object(Kind::Job, NAMESPACE, name)?;
    let job = stored.job()?;
    let status = match dice.below(8) {
        0..3 => json!({"conditions": conditions(dice, &serde_json::from_str(&stored.json()).ok()?)}),
        3 if !page::is_ending(job) => json!({"active": dice.below(4), "ready": 0, "terminating": dice.below(3)}),
        3 | 4 => json!({"ready": null, "terminating": null}),
        5 if !job.indexed() && dice.one_in(2) => json!({"succeeded": job.status.succeeded + 1}),
        5 => json!({"failed": job.status.failed + 1}),
        6 => json!({"startTime": dice.pick(&[Value::Null, json!(job.metadata.creation_timestamp)])}),
        _ => {
            let failed: Vec<&Text> = listed(&job.status).filter(|(_, well)| !well).map(|(uid, _)| uid).collect();
            let stranger: Text = format!("nobody-{}", dice.below(3)).into();
            let lists = [json!(null), json!({"failed": failed.into_iter().chain([&stranger]).collect::<Vec<_>>()})];
            json!({"uncountedTerminatedPods": dice.pick(&lists)})
        }
    };
    Some(patch(Kind::Job, name, &json!({"status": status})))
}

/// The conditions of a Job with one of another controller, or without it again, or with one of its own with status False.
fn conditions(dice: &mut Rng, job: &Value) -> Vec<Value> {
    let mut conditions = job["status"]["conditions"].as_array().cloned().unwrap_or_default();
    conditions.retain(|condition| condition["type"] != FOREIGN_CONDITION);
    let at = dice.place(conditions.len() + 1);
    let since = &job["metadata"]["creationTimestamp"];
    let condition = |kind: &str, status: &str, message: u64| json!({"type": kind, "status": status, "reason": "Seen", "message": format!("by {message}"), "lastProbeTime": since, "lastTransitionTime": since});
    match dice.below(6) {
        0 => {}
        1 => {
            // It means that the Job has not ended in this way, or is not on its way there.
            let kind = *dice.pick(&[COMPLETE, FAILED, FAILURE_TARGET]);
            if conditions.iter().all(|condition| condition["type"] != kind) {
                conditions.insert(at, condition(kind, "False", 0));
            }
        }
        _ => {
            let status = *dice.pick(&["True", "False", "Unknown"]);
            conditions.insert(at, condition(FOREIGN_CONDITION, status, dice.below(9)));
        }
    }
    conditions
}

/// A person changes the phase of a pod that has ended, as a node that was cut off and reports late may do.
pub(crate) fn turn_phase(server: &ApiServer, name: &str) -> Option<Intervention> {
    let phase = match &**server.object(Kind::Pod, NAMESPACE, name)?.pod()?.status.phase() {
        "Succeeded" => "Failed",
        "Failed" => "Succeeded",
        _ => return None,
    };
    Some(patch(Kind::Pod, name, &json!({"status": {"phase": phase}})))
}

fn patch(kind: Kind, name: &str, patch: &Value) -> Intervention {
    let content_type = ContentType::MergePatch;
    Intervention::Request(Request {
        method: Method::Patch,
        path: path(kind, NAMESPACE, name, "status"),
        content_type,
        body: patch.to_string(),
    })
}
