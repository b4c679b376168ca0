//! What others write into statuses, drawn from a seed: another controller's condition on a Job, wrong numbers, a phase that turns.
//!
//! Docs: Jobs, "Job termination and cleanup"; Kubernetes API Concepts, "Status subresource" (A-120…A-149). What the API server refuses does not happen. All else
//! that people do is in `people.rs`.

use api::request::{ContentType, Method, Request, path};
use api::{Kind, Text};
use cluster::ApiServer;
use cluster::rng::Rng;
use serde_json::{Value, json};

use crate::deeds::{Deed, NAMESPACE};
use crate::ledger::listed;

/// The type of a condition that another controller sets.
pub(crate) const FOREIGN_CONDITION: &str = "example.com/Seen";

/// Somebody changes the status of a Job.
pub(crate) fn change_job_status(dice: &mut Rng, server: &ApiServer, name: &str) -> Option<Deed> {
    let stored = server.object(Kind::Job, NAMESPACE, name)?;
    let job = stored.job()?;
    let status = match dice.below(8) {
        0..3 => json!({"conditions": conditions(dice, &serde_json::from_str(&stored.json()).ok()?)}),
        3 => json!({"active": dice.below(4), "ready": 0, "terminating": dice.below(3)}),
        4 => json!({"ready": null, "terminating": null}),
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

/// The conditions of a Job with one of another controller, or without it again.
fn conditions(dice: &mut Rng, job: &Value) -> Vec<Value> {
    let mut conditions = job["status"]["conditions"].as_array().cloned().unwrap_or_default();
    conditions.retain(|condition| condition["type"] != FOREIGN_CONDITION);
    if !dice.one_in(4) {
        let at = dice.place(conditions.len() + 1);
        let since = &job["metadata"]["creationTimestamp"];
        let condition = json!({"type": FOREIGN_CONDITION, "status": dice.pick(&["True", "False", "Unknown"]), "reason": "Seen",
            "message": format!("by {}", dice.below(9)), "lastProbeTime": since, "lastTransitionTime": since});
        conditions.insert(at, condition);
    }
    conditions
}

fn patch(kind: Kind, name: &str, patch: &Value) -> Deed {
    let content_type = ContentType::MergePatch;
    Deed::Ask(Request { method: Method::Patch, path: path(kind, NAMESPACE, name, "status"), content_type, body: patch.to_string() })
}
