//! The past of a Job: its pods that ended as they were before they were counted, and the Job as it was before that.
//!
//! Docs: Jobs, "Job tracking with finalizers", "Pod backoff failure policy". What the component makes of it is asked in `mod.rs`.

use api::{Text, Timestamp, time};
use serde_json::{Value, json};

use super::Subject;

/// How many pods are remembered: after so many failures in a row the delay is as long as it ever gets.
const REMEMBERED: usize = 400;

/// A pod that ended, or is being deleted.
#[derive(Debug, Clone)]
pub struct Ended {
    /// Its name.
    pub name: String,
    /// Whether it failed, or is being deleted before it ended.
    pub failed: bool,
    /// What went wrong in it: exit codes and reasons, as its status has them; may be empty.
    pub what: String,
    created_at: Option<Timestamp>,
    object: Value,
}

impl Ended {
    /// Reads a pod; `None` if it has not ended and is not being deleted.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let object: Value = serde_json::from_str(text).ok()?;
        let (phase, deleting) =
            (object["status"]["phase"].as_str().unwrap_or_default(), !object["metadata"]["deletionTimestamp"].is_null());
        let failed = phase == "Failed" || phase != "Succeeded" && deleting;
        if phase != "Succeeded" && !failed {
            return None;
        }
        let name = object["metadata"]["name"].as_str()?.to_owned();
        let created_at = object["metadata"]["creationTimestamp"].as_str().and_then(|at| at.parse().ok());
        Some(Self { name, failed, what: what(&object["status"]), created_at, object })
    }

    /// The pod as it was before it was counted: with the finalizer.
    pub(super) fn uncounted(&self, finalizer: &str) -> Text {
        let mut object = self.object.clone();
        let metadata = &mut object["metadata"];
        metadata["resourceVersion"] = json!("1");
        metadata["finalizers"] = json!([finalizer]);
        object.to_string().into()
    }

    fn tracked(&self, finalizer: &str) -> bool {
        self.object["metadata"]["finalizers"].as_array().is_some_and(|finalizers| finalizers.iter().any(|held| held == finalizer))
    }

    fn owned_by(&self, uid: &str) -> bool {
        let owners = self.object["metadata"]["ownerReferences"].as_array();
        owners.is_some_and(|owners| owners.iter().any(|owner| owner["controller"] == true && owner["uid"] == uid))
    }
}

/// What went wrong, as a status has it.
fn what(status: &Value) -> String {
    let mut told: Vec<String> = Vec::new();
    told.extend(["reason", "message"].iter().filter_map(|field| status[*field].as_str()).map(str::to_owned));
    for list in ["initContainerStatuses", "containerStatuses"] {
        for container in status[list].as_array().into_iter().flatten() {
            let end = &container["state"]["terminated"];
            let (Some(code), Some(name)) = (end["exitCode"].as_i64().filter(|code| *code != 0), container["name"].as_str()) else {
                continue;
            };
            let reason =
                end["reason"].as_str().filter(|reason| *reason != "Error").map(|reason| format!(" ({reason})")).unwrap_or_default();
            told.push(format!("container {name} exit code {code}{reason}"));
        }
    }
    let disrupted = |condition: &&Value| condition["type"] == "DisruptionTarget" && condition["status"] == "True";
    let disruption = status["conditions"].as_array().into_iter().flatten().find(disrupted);
    told.extend(disruption.and_then(|condition| condition["reason"].as_str()).map(|reason| format!("disrupted: {reason}")));
    told.join("; ")
}

/// The pods of a Job that are counted by now, as they were before, the last ones created.
pub(super) fn counted(subject: &Subject, finalizer: &str) -> Vec<Text> {
    let uid = &*subject.job.metadata.uid;
    let counted = |pod: &Ended| !pod.tracked(finalizer) && pod.owned_by(uid);
    let mut pods: Vec<Ended> = subject.pods.values().filter_map(|pod| Ended::read(pod)).filter(counted).collect();
    pods.sort_by_key(|pod| std::cmp::Reverse(pod.created_at));
    pods.iter().take(REMEMBERED).map(|pod| pod.uncounted(finalizer)).collect()
}

/// The Job before anything was counted, for a controller that is to remember what it counts.
pub(super) fn job(text: &str) -> Text {
    before(text).to_string().into()
}

/// The same Job while it is being deleted: then every failed pod is judged at once, and none is kept for the next pod of its index.
pub(super) fn deleted_job(text: &str, now: Timestamp) -> Text {
    let mut job = before(text);
    job["metadata"]["deletionTimestamp"] = json!(time::whole_seconds(now));
    job.to_string().into()
}

/// The Job before anything was counted. It asks for no pods, bears all failures and ends on no account, so that pods are counted and nothing else is done.
fn before(text: &str) -> Value {
    let mut job: Value = serde_json::from_str(text).unwrap_or_default();
    let metadata = &mut job["metadata"];
    // What is left of a plan is dropped when another generation is shown.
    (metadata["resourceVersion"], metadata["generation"]) = (json!("1"), json!(0));
    metadata["deletionTimestamp"].take();
    let spec = &mut job["spec"];
    (spec["parallelism"], spec["backoffLimit"]) = (json!(0), json!(i32::MAX));
    for ending in ["activeDeadlineSeconds", "successPolicy", "maxFailedIndexes", "suspend"] {
        spec[ending].take();
    }
    if spec["completionMode"] != "Indexed" {
        spec["completions"] = json!(i32::MAX);
    }
    job["status"] = json!({});
    job
}
