//! Outcomes: how the requests of a plan for a Job ended, and what follows.
//!
//! Docs: rules J-03, J-32, J-87, J-88, J-93, J-140…J-149. What is planned next is in `reconcile.rs` and `settle.rs`.

use api::request::{ApiError, Outcome};
use api::{Job, Text, Timestamp, time};
use contract::Notice;

use super::controller::{JobController, Rest};
use super::decision::{JobDecision, OutcomeReport};
use super::expectations::Expectations;
use super::memory::{Blockable, Blocked, Confirmed, Deletions};
use super::plan::{End, Intent, StatusWrite, Sync, SyncAction};
use super::pod_changes::Grown;
use super::view::notice;
use crate::runtime::decision::RuntimeDecision;
use crate::runtime::workqueue::WorkQueue;
use crate::runtime::{Context, Finished, ObjectKey, Sent};

/// Handles the outcomes of a plan: expectations, memory, events and metrics. A plan without requests has none.
pub(super) fn finished(
    controller: &mut JobController,
    key: &ObjectKey,
    sync: Sync,
    sent: &[Sent<'_, Intent>],
    queue: &mut WorkQueue,
    context: &Context<'_>,
) -> Finished<JobController> {
    let Some(job) = context.store.job(key) else {
        queue.forget(key);
        return Finished::default();
    };
    if !sent.iter().any(status_unwritten) {
        sync.judged.iter().for_each(|action| controller.metrics.judged(action));
    }
    let mut outcomes =
        Outcomes { controller, key, job, now: context.now, reports: Vec::new(), notices: Vec::new(), confirmed: None, cut_short: false };
    for one in sent {
        if let (Intent::WriteStatus(_), Outcome::Done(_) | Outcome::Failed(_)) = (one.intent, one.outcome) {
            outcomes.announce(sync.announces.as_ref());
        }
        outcomes.record(one);
    }
    let Outcomes { reports, notices, confirmed, cut_short, .. } = outcomes;
    if cut_short {
        queue.add(key.clone(), "pods could not be created; continuing with the rest", context.now);
    }
    let failure = sent.iter().find(|one| one.failed && !namespace_terminating(one));
    if let Some((at, reason)) = sync.requeue_at.filter(|_| failure.is_none_or(|one| !one.intent.sorts_out())) {
        queue.add(key.clone(), reason, at);
    }
    if let (None, Some(backoff), Some(memory)) = (failure, sync.backoff, controller.memories.get_mut(key)) {
        memory.backoff = backoff;
    }
    let mut decisions: Vec<JobDecision> = reports.into_iter().map(JobDecision::Report).collect();
    let rest = match (failure, confirmed) {
        (Some(Sent { intent, outcome: Outcome::Failed(error), .. }), _) => {
            let (at, rest) = fail(controller, key, intent, sync, deletions(sent), queue, context);
            decisions.push(JobDecision::Shared(RuntimeDecision::RequestFailed {
                what: intent.purpose(),
                error: error.message.clone(),
                at,
            }));
            rest
        }
        (_, Some(confirmed)) => Some(Rest::Adopt(confirmed)),
        (_, None) => succeed(controller, key, sync, queue, context),
    };
    Finished { rest, decisions, notices }
}

/// All requests succeeded, or there were none: what is left follows once the watch has shown them.
fn succeed(controller: &mut JobController, key: &ObjectKey, sync: Sync, queue: &mut WorkQueue, context: &Context<'_>) -> Option<Rest> {
    let Sync { settling, action, falls_short, mut retry_at, .. } = sync;
    if falls_short {
        retry_at = retry_at.or_else(|| Some(queue.back_off(key, controller.config.limits.api_back_off(), context.now)));
    }
    if let Some(settling) = settling {
        return Some(Rest::Settle(match retry_at {
            Some(at) => settling.after_failure(at),
            None => settling,
        }));
    }
    match action.or_else(|| retry_at.map(|_| SyncAction::default())) {
        Some(action) => controller.sync_over(key, action, retry_at, queue, context),
        None => {
            if let Some(memory) = controller.memories.get_mut(key) {
                memory.began_at = None;
            }
            queue.forget(key);
        }
    }
    None
}

/// A request failed: the Job is tried again after a back-off, once for the whole sync, which goes on with what the failure does not block. Returns when,
/// and what is left.
fn fail(
    controller: &mut JobController,
    key: &ObjectKey,
    intent: &Intent,
    sync: Sync,
    deletions: Deletions,
    queue: &mut WorkQueue,
    context: &Context<'_>,
) -> (Timestamp, Option<Rest>) {
    let until = sync.retry_at.unwrap_or_else(|| queue.back_off(key, controller.config.limits.api_back_off(), context.now));
    let block = |what| Blocked { what, failures: queue.failures(key), until };
    let (blocked, rest) = match intent {
        Intent::Create { .. } => (Some(block(Blockable::Creations)), Some(Rest::Continue(deletions))),
        Intent::Free | Intent::DeleteFreed { .. } | Intent::DeleteEnding { .. } => {
            (Some(block(Blockable::Deletions)), Some(Rest::Continue(deletions)))
        }
        Intent::Confirm | Intent::Adopt | Intent::Release | Intent::WriteStatus(_) => (None, None),
        Intent::RemoveFinalizer { .. } => (None, sync.settling.map(|settling| Rest::Settle(settling.after_failure(until)))),
    };
    if let Some(memory) = controller.memories.get_mut(key).filter(|_| blocked.is_some()) {
        memory.blocked = blocked;
    }
    if rest.is_none() {
        controller.sync_over(key, sync.action.unwrap_or_default(), Some(until), queue, context);
    }
    (until, rest)
}

/// The pods that were to be deleted, by outcome.
fn deletions(sent: &[Sent<'_, Intent>]) -> Deletions {
    let mut deletions = Deletions::default();
    for one in sent {
        if let Intent::DeleteFreed { pod, index } | Intent::DeleteEnding { pod, index } = one.intent {
            match one.outcome {
                Outcome::Failed(_) if one.failed => _ = deletions.refused.insert(pod.clone()),
                Outcome::Done(_) | Outcome::Failed(_) => _ = deletions.done.insert(pod.clone(), *index),
                Outcome::Skipped => {}
            }
        }
    }
    deletions
}

/// What one plan left behind.
struct Outcomes<'a> {
    controller: &'a mut JobController,
    key: &'a ObjectKey,
    job: &'a Job,
    now: Timestamp,
    reports: Vec<OutcomeReport>,
    notices: Vec<Notice>,
    confirmed: Option<Confirmed>,
    /// Whether the rest of the plan was skipped for a reason that does not count as a failure.
    cut_short: bool,
}

impl Outcomes<'_> {
    /// Reports that the Job is suspended or resumed; it follows the Events of the pods (J-14a). Where the write of the status was skipped, the plan
    /// that makes up for it reports it.
    fn announce(&mut self, notice: Option<&Notice>) {
        if let Some(notice) = notice {
            self.reports.push(OutcomeReport::SuspensionReported { reason: notice.reason.clone() });
            self.notices.push(notice.clone());
        }
    }

    /// Handles one outcome.
    fn record(&mut self, sent: &Sent<'_, Intent>) {
        let done = matches!(sent.outcome, Outcome::Done(_));
        match (sent.intent, sent.outcome) {
            (Intent::Confirm, Outcome::Done(written)) => {
                self.confirmed = Some(Confirmed { uid: written.uid.as_str().into(), deleting: written.deleting });
            }
            // It holds the finalizer again.
            (Intent::Adopt, Outcome::Done(written)) => self.expectations(|expectations| expectations.removal_observed(&written.uid)),
            (Intent::Confirm | Intent::Adopt, Outcome::Failed(_) | Outcome::Skipped) | (Intent::Release | Intent::Free, _) => {}
            (Intent::Create { index, reason, memory }, _) => self.created(*index, reason, memory, sent),
            (Intent::DeleteFreed { pod, .. }, _) => {
                if !done {
                    self.expectations(Expectations::deletion_observed);
                }
                self.deleted(pod, sent);
            }
            (Intent::DeleteEnding { pod, .. }, _) => self.deleted(pod, sent),
            (Intent::WriteStatus(write), Outcome::Done(_)) => self.status_written(write),
            (Intent::WriteStatus(_), Outcome::Failed(_) | Outcome::Skipped) => {}
            (Intent::RemoveFinalizer { uid }, outcome) => {
                if sent.failed || *outcome == Outcome::Skipped {
                    self.expectations(|expectations| expectations.removal_observed(uid));
                }
            }
        }
    }

    fn created(&mut self, index: Option<u32>, reason: &'static str, memory: &[Grown], sent: &Sent<'_, Intent>) {
        match sent.outcome {
            Outcome::Done(written) => {
                self.controller.metrics.pod_created(reason, true);
                let pod = Text::from(written.name.as_str());
                self.notice(false, "SuccessfulCreate", &format!("Created pod: {pod}"));
                memory.iter().for_each(|grown| self.notice(false, "MemoryIncreased", &grown.message(&pod)));
                self.reports.push(OutcomeReport::PodCreated { pod, index });
            }
            Outcome::Failed(_) if namespace_terminating(sent) => {
                self.reports.push(OutcomeReport::NamespaceTerminating);
                self.cut_short = true;
            }
            Outcome::Failed(error) => {
                self.controller.metrics.pod_created(reason, false);
                let patience = time::after(self.now, self.controller.config.limits.unanswered_creation_timeout);
                self.expectations(|expectations| match error.outcome_unknown() {
                    true => expectations.creation_unanswered(patience),
                    false => expectations.creation_observed(),
                });
                self.notice(true, "FailedCreate", &format!("Error creating: {}", error.message));
            }
            Outcome::Skipped => self.expectations(Expectations::creation_observed),
        }
    }

    fn deleted(&mut self, pod: &Text, sent: &Sent<'_, Intent>) {
        match sent.outcome {
            Outcome::Done(_) => {
                self.notice(false, "SuccessfulDelete", &format!("Deleted pod: {pod}"));
                self.reports.push(OutcomeReport::PodDeleted { pod: pod.clone() });
            }
            Outcome::Failed(error) if sent.failed => self.notice(true, "FailedDelete", &format!("Error deleting: {}", error.message)),
            Outcome::Failed(_) | Outcome::Skipped => {}
        }
    }

    fn status_written(&mut self, write: &StatusWrite) {
        self.controller.metrics.status_written(self.job, write);
        if let (Some(memory), Some(backoff)) = (self.controller.memories.get_mut(self.key), write.backoff) {
            memory.backoff = backoff;
        }
        if let Some(end) = &write.end {
            self.ended(end);
        }
    }

    /// Reports that a Job ended (J-146…J-148).
    fn ended(&mut self, End { complete, reason, message, too_many }: &End) {
        if *complete {
            self.notice(false, "Completed", "Job completed");
            if *too_many {
                self.notice(true, "TooManySucceededPods", "Too many succeeded pods running after completion count reached");
            }
            self.reports.push(OutcomeReport::JobFinished { condition: api::job::conditions::COMPLETE });
        } else {
            self.notice(true, reason, message);
            self.reports.push(OutcomeReport::JobFinished { condition: api::job::conditions::FAILED });
        }
    }

    fn expectations(&mut self, change: impl FnOnce(&mut Expectations)) {
        if let Some(memory) = self.controller.memories.get_mut(self.key) {
            change(&mut memory.expectations);
        }
    }

    fn notice(&mut self, warning: bool, reason: &str, message: &str) {
        self.notices.push(notice(self.job, &self.controller.config, warning, reason, message));
    }
}

/// Whether the status was to be written and was not.
fn status_unwritten(sent: &Sent<'_, Intent>) -> bool {
    matches!((sent.intent, sent.outcome), (Intent::WriteStatus(_), Outcome::Failed(_) | Outcome::Skipped))
}

/// Whether a creation was refused because the namespace is being deleted, which does not count as a failure (J-88).
fn namespace_terminating(sent: &Sent<'_, Intent>) -> bool {
    let by_namespace = |error: &ApiError| error.causes.iter().any(|cause| cause.reason == "NamespaceTerminating");
    matches!((sent.intent, sent.outcome), (Intent::Create { .. }, Outcome::Failed(error)) if by_namespace(error))
}
