//! W4 and W5: how a Job comes to its end.
//!
//! Docs: Jobs, "Terminal Job conditions" (J-126…J-130, J-134). Why it ends is in `reasons.rs`.

use api::job::conditions::{COMPLETE, FAILED, FAILURE_TARGET, SUCCESS_CRITERIA_MET};
use api::{Job, JobCondition};

use super::counting::is_accounted_for;
use super::running::is_waited_for;
use super::{Checked, CheckedWrite, hold};
use crate::ledger::PodRecord;

/// The interim condition of each end.
const ENDS: [(&str, &str); 2] = [(SUCCESS_CRITERIA_MET, COMPLETE), (FAILURE_TARGET, FAILED)];

/// W4: the interim condition is stored before the last one, which has the same reason; there is one end, and after it nothing changes.
pub(super) fn in_order(write: &CheckedWrite<'_>) -> Checked {
    let (before, after, name) = (write.before, write.after, write.name());
    hold(!before.finished(), "W4", || format!("the status of job {name} changes after its end"))?;
    for (interim, last) in ENDS {
        let known = before.condition(interim);
        let stays = known.is_none_or(|known| after.condition(interim).is_some_and(|still| same(known, still)));
        hold(stays, "W4", || format!("job {name} takes back or changes {interim}"))?;
        let Some(end) = after.condition(last) else { continue };
        hold(known.is_some_and(|known| same(known, end)), "W4", || {
            format!("job {name} is {last} ({}), but {interim} was stored as {known:?}", end.reason)
        })?;
    }
    let times = |kind: &str| after.status.conditions.iter().filter(|condition| &*condition.kind == kind).count();
    for JobCondition { kind, .. } in &after.status.conditions {
        hold(times(kind) < 2, "W4", || format!("job {name} has the condition {kind} twice"))?;
    }
    let both = |one: &str, other: &str| after.condition(one).is_some() && after.condition(other).is_some();
    let one_way = !both(SUCCESS_CRITERIA_MET, FAILURE_TARGET) && !both(COMPLETE, FAILED);
    hold(one_way, "W4", || format!("job {name} both succeeds and fails"))
}

fn same(one: &JobCondition, other: &JobCondition) -> bool {
    (&one.reason, &one.message) == (&other.reason, &other.message)
}

/// W5: at its end a Job reports that no pod is active or terminating, and that none is on its way into the counters.
pub(super) fn all_has_ended(write: &CheckedWrite<'_>) -> Checked {
    let status = &write.after.status;
    let uncounted = status.uncounted_terminated_pods.as_ref().map_or(0, api::job::UncountedTerminatedPods::len);
    let left = (status.active, status.terminating.unwrap_or(0), uncounted);
    hold(!ends(write.before, write.after) || left == (0, 0, 0), "W5", || {
        format!("job {} ends with {} active and {} terminating pods and {} uncounted ones", write.name(), left.0, left.1, left.2)
    })
}

/// W1: at the end of a Job each of its pods that has ended and holds the finalizer still is accounted for; W2 covers those that lost it.
///
/// Not those that the Job's success ended (J-118) or whose creation was not answered (J-32), and none if the Job is being deleted (J-51) or people had their hands in
/// it (J-76).
pub(super) fn nothing_is_left_out(write: &CheckedWrite<'_>) -> Checked {
    let job = write.after;
    if !ends(write.before, job) || job.metadata.deleting() || write.record.elastic {
        return Ok(());
    }
    let success = job.condition(COMPLETE).is_some();
    let mut counting = write.ledger.pods_of(&job.metadata.uid).filter(|pod| pod.ended() && pod.tracked() && !pod.touched);
    let answered = |pod: &PodRecord| pod.birth.is_some_and(|birth| birth.answered);
    let known = |pod: &PodRecord| answered(pod) && is_waited_for(write.ledger, pod, write.planned, write.settings);
    let left_out =
        counting.find(|pod| known(pod) && !is_accounted_for(write.record, pod) && !(success && pod.deleted_by_controllers.is_some()));
    hold(left_out.is_none(), "W1", || {
        let pod = left_out.map(|pod| format!("pod {} ({})", pod.name(), pod.phase())).unwrap_or_default();
        format!("job {} ends, and {pod} was never counted", write.name())
    })
}

fn ends(before: &Job, after: &Job) -> bool {
    !before.finished() && after.finished()
}
