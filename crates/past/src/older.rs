//! What Kubernetes before 1.31 did not write into the status of a Job that has finished: the condition that comes before the last one, and why it is
//! Complete.
//!
//! Docs: Jobs, "Terminal Job conditions". A record has both, so that it can be compared with what these controllers write.

use api::job::conditions;
use api::{Job, Text};

/// Why a Job is Complete unless a rule of `successPolicy` says otherwise.
const COMPLETIONS_REACHED: &str = "CompletionsReached";

/// Adds to a Job's status what an older version of Kubernetes left out.
pub(crate) fn complete_conditions(job: &mut Job) {
    let ends = [(conditions::FAILED, conditions::FAILURE_TARGET), (conditions::COMPLETE, conditions::SUCCESS_CRITERIA_MET)];
    for (end, interim) in ends {
        let Some(place) = job.status.conditions.iter().position(|condition| &*condition.kind == end && &*condition.status == "True") else {
            continue;
        };
        let decided = job.condition(interim).map(|condition| condition.reason.clone());
        let condition = &mut job.status.conditions[place];
        if condition.reason.is_empty() && end == conditions::COMPLETE {
            condition.reason = decided.clone().unwrap_or_else(|| COMPLETIONS_REACHED.into());
        }
        if decided.is_none() {
            let mut before = condition.clone();
            before.kind = Text::from(interim);
            job.status.conditions.insert(place, before);
        }
    }
}
