//! Outcomes: what became of a plan, and what follows from it.
//!
//! Docs: spec/job.md J-03, J-32, J-87, J-88, J-93, §14. What is planned next is in `job/`.

use api::request::{ApiError, Outcome};
use api::{Duration, Job, Kind, Text, Timestamp, time};
use contract::{Notice, PlanId};

use crate::decision::{Decision, Report};
use crate::freshness::Unseen;
use crate::job::memory::{Blockable, Blocked, Confirmed};
use crate::job::notice;
use crate::job::tracking::Settling;
use crate::key::{Item, JobKey};
use crate::manager::ControllerManager;
use crate::plan::{Action, End, Intent, Plan};

/// A plan that is being carried out.
#[derive(Debug)]
pub(crate) enum InFlight {
    Job { key: JobKey, uid: Text, commands: Vec<Asked>, sync: Sync },
    Orphan { item: Item, commands: Vec<Asked> },
}

/// What is known of the work on a Job while one of its plans is carried out.
#[derive(Debug)]
pub(crate) struct Sync {
    /// What is left of the tracking protocol afterwards.
    pub(crate) settling: Option<Settling>,
    /// What the metrics say of it; none if it ended before it began (J-161).
    pub(crate) action: Option<Action>,
    /// Whether something could not even be asked for.
    pub(crate) falls_short: bool,
}

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) intent: Intent,
    pub(crate) tolerates: &'static [u16],
}

/// What one plan left behind.
#[derive(Debug, Default)]
struct Aftermath {
    /// When it was told.
    now: Timestamp,
    unseen: Unseen,
    /// The first request that failed.
    failure: Option<(Intent, ApiError)>,
    reports: Vec<Report>,
    notices: Vec<Notice>,
    confirmed: Option<Confirmed>,
    /// Whether the rest of the plan was skipped for something that is no failure.
    cut_short: bool,
}

impl ControllerManager {
    /// A plan was carried out, as far as it went. A plan that is not known, or has ended, changes nothing.
    pub(crate) fn finished(&mut self, plan: PlanId, outcomes: &[Outcome], now: Timestamp) {
        let Some(at) = self.in_flight.iter().position(|(id, _)| *id == plan) else { return };
        match self.in_flight.swap_remove(at).1 {
            // What became of a Job says nothing of another one of its name.
            InFlight::Job { key, uid, .. } if self.store.job(&key).is_some_and(|job| job.metadata.uid != uid) => self.done(&key),
            InFlight::Job { key, commands, sync, .. } => self.job_finished(&key, &commands, outcomes, sync, now),
            InFlight::Orphan { item, commands } => {
                let error = commands.iter().zip(outcomes).find_map(|(asked, outcome)| failure(asked, outcome)).cloned();
                self.orphan_over(&item, error.as_ref(), now);
            }
        }
    }

    /// The work on pods that may have lost their Job is over; a failure is tried again (J-136).
    pub(crate) fn orphan_over(&mut self, item: &Item, error: Option<&ApiError>, now: Timestamp) {
        self.orphans.done(item);
        match error {
            None => self.orphans.forget(item),
            Some(error) => {
                let (retry, _) = self.orphans.back_off(item, &self.config.limits, now);
                let decision = Report::RequestFailed { what: Intent::FreeLeftover.purpose(), error: error.message.clone(), retry };
                self.report(item.told(), vec![Decision::Report(decision)], Vec::new());
            }
        }
    }

    fn job_finished(&mut self, key: &JobKey, commands: &[Asked], outcomes: &[Outcome], sync: Sync, now: Timestamp) {
        let mut aftermath = Aftermath { now, ..Aftermath::default() };
        let job = self.store.job(key).cloned();
        for (at, asked) in commands.iter().enumerate() {
            let outcome = outcomes.get(at).unwrap_or(&Outcome::Skipped);
            self.take_in(key, job.as_ref(), asked, outcome, &mut aftermath);
        }
        let Aftermath { unseen, failure, reports, notices, confirmed, cut_short, .. } = aftermath;
        if cut_short {
            self.enqueue(key.clone(), "pods could not be created, and the rest of the work goes on", now);
        }
        let mut decisions: Vec<Decision> = reports.into_iter().map(Decision::Report).collect();
        match failure {
            None => {
                if let Some(memory) = self.memories.get_mut(key) {
                    memory.confirmed = confirmed;
                }
                self.holds.hold(key, unseen, &self.freshness);
                self.job_over(key, sync, now);
            }
            Some((intent, error)) => {
                let retry = self.fail(key, &intent, sync.settling, now);
                self.holds.hold(key, unseen, &self.freshness);
                self.sync_failed(key, sync.action, now);
                decisions.push(Decision::Report(Report::RequestFailed { what: intent.purpose(), error: error.message, retry }));
            }
        }
        if !decisions.is_empty() || !notices.is_empty() {
            self.report(key.told(), decisions, notices);
        }
    }

    /// Takes in one outcome: expectations, memory, events and metrics.
    fn take_in(&mut self, key: &JobKey, job: Option<&Job>, asked: &Asked, outcome: &Outcome, aftermath: &mut Aftermath) {
        let failed = failure(asked, outcome);
        if let Outcome::Done(written) = outcome {
            let kind = if matches!(asked.intent, Intent::WriteStatus(_) | Intent::Confirm) { Kind::Job } else { Kind::Pod };
            if asked.intent != Intent::Confirm {
                aftermath.unseen.wrote(kind, &written.resource_version);
            }
        }
        if let Some(error) = failed {
            aftermath.failure.get_or_insert_with(|| (asked.intent.clone(), error.clone()));
        }
        match &asked.intent {
            Intent::Confirm => {
                if let Outcome::Done(written) = outcome {
                    aftermath.confirmed = Some(Confirmed { uid: written.uid.as_str().into(), deleting: written.deleting });
                }
            }
            Intent::Adopt => {
                if let Outcome::Done(written) = outcome {
                    // It holds the finalizer again.
                    self.expectations(key, |expectations| expectations.removal_observed(&written.uid));
                }
            }
            Intent::Release | Intent::Free | Intent::FreeLeftover => {}
            Intent::Create { index, reason } => self.created(key, job, *index, reason, outcome, aftermath),
            Intent::DeleteFreed { pod } => {
                if !matches!(outcome, Outcome::Done(_)) {
                    self.expectations(key, |expectations| expectations.deletion_observed());
                }
                deleted(job, pod, outcome, failed, aftermath);
            }
            Intent::DeleteEnding { pod } => deleted(job, pod, outcome, failed, aftermath),
            Intent::WriteStatus(write) => {
                if let (Outcome::Done(_), Some(job)) = (outcome, job) {
                    self.metrics.status_written(job, write);
                    self.keep_backoff(key, write.backoff);
                    aftermath.end(job, write.end.as_ref());
                }
            }
            Intent::RemoveFinalizer { uid } => {
                if failed.is_some() || *outcome == Outcome::Skipped {
                    self.expectations(key, |expectations| expectations.removal_observed(uid));
                }
            }
        }
    }

    fn created(
        &mut self,
        key: &JobKey,
        job: Option<&Job>,
        index: Option<u32>,
        reason: &'static str,
        outcome: &Outcome,
        aftermath: &mut Aftermath,
    ) {
        match outcome {
            Outcome::Done(written) => {
                self.metrics.pod_created(reason, true);
                let pod = Text::from(written.name.as_str());
                aftermath.tell(job, false, "SuccessfulCreate", &format!("Created pod: {pod}"));
                aftermath.reports.push(Report::PodCreated { pod, index });
            }
            Outcome::Failed(error) if namespace_terminating(error) => {
                aftermath.reports.push(Report::NamespaceTerminating);
                aftermath.cut_short = true;
            }
            Outcome::Failed(error) => {
                self.metrics.pod_created(reason, false);
                let patience = time::after(aftermath.now, self.config.limits.unanswered_creation_timeout);
                self.expectations(key, |expectations| match error.outcome_unknown() {
                    true => expectations.creation_unanswered(patience),
                    false => expectations.creation_observed(),
                });
                aftermath.tell(job, true, "FailedCreate", &format!("Error creating: {}", error.message));
            }
            Outcome::Skipped => self.expectations(key, |expectations| expectations.creation_observed()),
        }
    }

    fn expectations(&mut self, key: &JobKey, change: impl FnOnce(&mut crate::expectations::Expectations)) {
        if let Some(memory) = self.memories.get_mut(key) {
            change(&mut memory.expectations);
        }
    }

    fn keep_backoff(&mut self, key: &JobKey, backoff: Option<crate::job::backoff::Backoff>) {
        if let (Some(memory), Some(backoff)) = (self.memories.get_mut(key), backoff) {
            memory.backoff = backoff;
        }
    }

    /// All requests of a plan succeeded, or there were none: what is left follows once the watch has shown them.
    pub(crate) fn job_over(&mut self, key: &JobKey, Sync { settling, action, falls_short }: Sync, now: Timestamp) {
        if falls_short {
            self.jobs.back_off(&Item::Job(key.clone()), &self.config.limits, now);
            self.keep_settling(key, settling.map(|settling| Settling { ending: None, ..settling }));
            return self.sync_failed(key, action, now);
        }
        let confirmed = self.memories.get(key).is_some_and(|memory| memory.confirmed.is_some());
        let more = settling.is_some() || confirmed;
        self.keep_settling(key, settling);
        match action {
            Some(action) if !more => self.sync_over(key, true, action, now),
            Some(_) => self.release_unless_held(key),
            None if more => self.release_unless_held(key),
            None => {
                if let Some(memory) = self.memories.get_mut(key) {
                    memory.began_at = None;
                }
                self.jobs.forget(&Item::Job(key.clone()));
                self.release_unless_held(key);
            }
        }
    }

    /// A request failed: the Job is tried again after a back-off, and at once for what the failure does not block.
    fn fail(&mut self, key: &JobKey, intent: &Intent, settling: Option<Settling>, now: Timestamp) -> Duration {
        let (retry, failures) = self.jobs.back_off(&Item::Job(key.clone()), &self.config.limits, now);
        let blocked = |what| Some(Blocked { what, failures, until: time::after(now, retry) });
        let Some(memory) = self.memories.get_mut(key) else { return retry };
        memory.blocked = match intent {
            Intent::Create { .. } => blocked(Blockable::Creations),
            Intent::Free | Intent::DeleteFreed { .. } | Intent::DeleteEnding { .. } => blocked(Blockable::Deletions),
            Intent::Confirm | Intent::Adopt | Intent::Release | Intent::WriteStatus(_) => memory.blocked,
            Intent::RemoveFinalizer { .. } | Intent::FreeLeftover => {
                memory.settling = settling.map(|settling| Settling { ending: None, ..settling });
                memory.blocked
            }
        };
        if matches!(intent, Intent::Create { .. } | Intent::Free | Intent::DeleteFreed { .. } | Intent::DeleteEnding { .. }) {
            self.enqueue(key.clone(), "a request failed, and the rest of the work goes on", now);
        }
        retry
    }

    fn keep_settling(&mut self, key: &JobKey, settling: Option<Settling>) {
        if let Some(memory) = self.memories.get_mut(key) {
            memory.settling = settling;
        }
    }

    fn sync_failed(&mut self, key: &JobKey, action: Option<Action>, now: Timestamp) {
        self.record_sync(key, false, action.unwrap_or_default(), now);
        self.release_unless_held(key);
    }

    /// The work on a Job is over for this time (J-03).
    pub(crate) fn sync_over(&mut self, key: &JobKey, succeeded: bool, action: Action, now: Timestamp) {
        self.record_sync(key, succeeded, action, now);
        let blocked = self.memories.get(key).is_some_and(|memory| memory.blocked.is_some());
        if !blocked {
            self.jobs.forget(&Item::Job(key.clone()));
        }
        self.release_unless_held(key);
    }

    fn record_sync(&mut self, key: &JobKey, succeeded: bool, action: Action, now: Timestamp) {
        let began_at = self.memories.get_mut(key).and_then(|memory| memory.began_at.take());
        if let (Some(job), Some(began_at)) = (self.store.job(key), began_at) {
            self.metrics.synced(job, succeeded, action, now.duration_since(began_at));
        }
    }

    fn release_unless_held(&mut self, key: &JobKey) {
        if !self.holds.holds(key) {
            self.release(key);
        }
    }

    /// Lets a Job be planned again: what is left of its sync comes first.
    pub(crate) fn release(&mut self, key: &JobKey) {
        let more = self.memories.get(key).is_some_and(|memory| memory.settling.is_some() || memory.confirmed.is_some());
        if more { self.continuing.push_back(key.clone()) } else { self.done(key) }
    }

    /// Queues a plan that only tells.
    fn report(&mut self, key: contract::Key, decisions: Vec<Decision>, notices: Vec<Notice>) {
        let (report, _) = self.tell(key, Plan { decisions, notices, ..Plan::default() });
        self.reports.push_back(report);
    }
}

impl Aftermath {
    fn tell(&mut self, job: Option<&Job>, warning: bool, reason: &str, message: &str) {
        self.notices.extend(job.map(|job| notice(job, warning, reason, message)));
    }

    /// Tells that a Job ended (J-146…J-148).
    fn end(&mut self, job: &Job, end: Option<&End>) {
        let Some(End { complete, reason, message, too_many }) = end else { return };
        if *complete {
            self.tell(Some(job), false, "Completed", "Job completed");
            if *too_many {
                self.tell(Some(job), true, "TooManySucceededPods", "Too many succeeded pods running after completion count reached");
            }
            self.reports.push(Report::JobFinished { condition: api::job::conditions::COMPLETE });
        } else {
            self.tell(Some(job), true, reason, message);
            self.reports.push(Report::JobFinished { condition: api::job::conditions::FAILED });
        }
    }
}

/// The error of an outcome that is not as good as success.
fn failure<'a>(asked: &Asked, outcome: &'a Outcome) -> Option<&'a ApiError> {
    match outcome {
        Outcome::Failed(error) if matches!(asked.intent, Intent::Create { .. }) && namespace_terminating(error) => None,
        Outcome::Failed(error) => (!asked.tolerates.contains(&error.code)).then_some(error),
        Outcome::Done(_) | Outcome::Skipped => None,
    }
}

fn deleted(job: Option<&Job>, pod: &Text, outcome: &Outcome, failed: Option<&ApiError>, aftermath: &mut Aftermath) {
    if let Outcome::Done(_) = outcome {
        aftermath.tell(job, false, "SuccessfulDelete", &format!("Deleted pod: {pod}"));
        aftermath.reports.push(Report::PodDeleted { pod: pod.clone() });
    }
    if let Some(error) = failed {
        aftermath.tell(job, true, "FailedDelete", &format!("Error deleting: {}", error.message));
    }
}

/// Whether a creation was refused because the namespace is being deleted (J-88).
fn namespace_terminating(error: &ApiError) -> bool {
    error.causes.iter().any(|cause| cause.reason == "NamespaceTerminating")
}
