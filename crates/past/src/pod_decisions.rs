//! What the controllers decided about a failed pod, and no object records: that it does not count, and what it waited for when they deleted it.
//!
//! Docs: Jobs, "Pod failure policy" (J-100); README, "Beyond Kubernetes". How the pod ended is read in `pod_ending.rs`.

use contract::{Decision, Value};

/// What was decided about a failed pod.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PodDecisions {
    /// The field or the annotation whose rule ignores its failure, if one does.
    pub(crate) ignored_by: Option<String>,
    /// What it had waited for when it was deleted, if a rule has it deleted for that: `waited 2m for an image (ImagePullBackOff)`.
    pub(crate) waited: Option<String>,
}

impl PodDecisions {
    /// Adds a decision, if it is one of these: those about other pods are to be left out.
    pub fn add(&mut self, decision: &Decision) {
        let text = |name| if let Some(Value::Text(text)) = decision.value(name) { Some(&**text) } else { None };
        match decision.code() {
            "IgnoresFailure" => self.ignored_by = Some("podFailurePolicy".to_owned()),
            "RuleMatched" if text("action").is_some_and(|action| action.starts_with("retry uncounted")) => {
                self.ignored_by = text("annotation").map(str::to_owned);
            }
            "DeletesPending" | "PendingDeadlinePassed" | "FailsIndexByPending" => {
                let length =
                    if let Some(Value::Duration(length)) = decision.value("deadline") { api::time::length(*length) } else { String::new() };
                let why: Vec<&str> = ["reason", "message"].into_iter().filter_map(text).collect();
                let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join(": ")) };
                self.waited = text("awaited").map(|awaited| format!("waited {length} for {awaited}{why}"));
            }
            _ => {}
        }
    }
}
