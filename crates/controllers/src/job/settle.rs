//! Settling: what is written once finalizers have gone. Second half of the tracking protocol.
//!
//! Docs: Jobs, "Terminal Job conditions", "Job tracking with finalizers" (J-127). The first half is in `tracking.rs`.

use super::conditions::{self, Ending, EndingKind, holding};
use super::decision::{EndingProgress, JobDecision, Tracking};
use super::ownership::{adoptable, selects};
use super::plan::{End, JobPlan, StatusWrite, Sync};
use super::tally::sorted;
use super::tracking::{Settling, StatusDraft};
use super::view::JobView;
use api::job::UncountedTerminatedPods;
use api::{Pod, Timestamp};

/// Moves pods whose finalizer is gone into the counters, and ends the Job if nothing is left to wait for.
pub(crate) fn settle(view: &JobView<'_>, settling: &Settling, now: Timestamp) -> JobPlan {
    let mut plan = JobPlan::new(Sync { action: Some(settling.action), retry_at: settling.retry_at, ..Sync::default() });
    let mut draft = StatusDraft { status: view.job.status.clone(), changed: false };
    if !view.job.suspended() {
        // The first half started the clock, but wrote nothing if there was nothing else to write.
        draft.status.start_time.get_or_insert(settling.decided_at);
    }
    if view.confirmed.is_none() && view.loose.iter().any(|pod| adoptable(view.job, pod)) {
        // Pods are adopted first.
        return plan;
    }
    let waiting = waiting(view, draft.uncounted());
    let (succeeded, failed) = draft.clean(&waiting);
    if succeeded + failed > 0 {
        plan.decide(JobDecision::Tracking(Tracking::Records { succeeded, failed }));
    }
    let ending = settling.ending.as_ref().filter(|ending| nothing_left(ending, &mut draft, &mut plan));
    if ending.is_some() && !may_finish(view, &draft) {
        plan.decisions = vec![JobDecision::EndingProgress(EndingProgress::WaitsForResumption)];
        return plan;
    }
    let end = ending.map(|ending| finish(view, ending, settling, &mut draft, &mut plan, now));
    plan.then(draft.write(view, StatusWrite { end, ..StatusWrite::default() }).into_iter().collect());
    plan
}

/// The UIDs of listed pods that still hold the finalizer, sorted. Pods were claimed in the first half: the others do not matter here.
fn waiting<'a>(view: &JobView<'a>, listed: &UncountedTerminatedPods) -> Vec<&'a str> {
    let listed = sorted(listed.succeeded.iter().chain(&listed.failed));
    let holds = |pod: &&&Pod| {
        let uid = &pod.metadata.uid;
        pod.metadata.has_finalizer(&view.config.tracking_finalizer)
            && !view.memory.expectations.expects_removal(uid)
            && listed.binary_search(&&**uid).is_ok()
            && selects(view.job, pod)
    };
    sorted(view.owned.iter().filter(holds).map(|pod| &pod.metadata.uid))
}

/// Whether no pod of the Job is left to wait for (J-127). Adds the decision to wait if there is.
fn nothing_left(ending: &Ending, draft: &mut StatusDraft, plan: &mut JobPlan) -> bool {
    let (terminating, uncounted) = (draft.status.terminating.unwrap_or(0), draft.uncounted().len());
    if terminating == 0 && uncounted == 0 {
        return true;
    }
    plan.decide(JobDecision::EndingProgress(EndingProgress::WaitsForPodsToEnd { condition: ending.condition(), terminating, uncounted }));
    false
}

/// Whether the API server takes the end: not of a Job that never started, unless it is suspended and has nothing to do (A-130, J-122).
fn may_finish(view: &JobView<'_>, draft: &StatusDraft) -> bool {
    draft.status.start_time.is_some() || view.job.suspended() && view.job.spec.completions == Some(0)
}

/// Sets the last condition (J-127).
fn finish(view: &JobView<'_>, ending: &Ending, settling: &Settling, draft: &mut StatusDraft, plan: &mut JobPlan, now: Timestamp) -> End {
    let condition = ending.condition();
    let complete = ending.kind == EndingKind::Success;
    conditions::set(&mut draft.status.conditions, holding(condition, &ending.reason, &ending.message, now));
    if complete {
        draft.status.completion_time = Some(settling.decided_at);
    }
    draft.changed = true;
    plan.decide(JobDecision::EndingProgress(EndingProgress::Finishes { condition, reason: ending.reason.clone() }));
    let too_many = view.job.spec.completions.is_some_and(|completions| draft.status.succeeded > completions);
    End { complete, reason: ending.reason.clone(), message: ending.message.clone(), too_many }
}
