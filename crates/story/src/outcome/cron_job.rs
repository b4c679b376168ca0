//! What is known of one CronJob, and its outcome.
//!
//! Docs: CronJob, "Job creation", "Schedule suspension". Its runs one by one are in `runs/`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use api::meta::names::SCHEDULED_TIMESTAMP;
use api::{CronJob, Job, Kind, Timestamp, time};
use cluster::stored::Stored;
use contract::decision::{Sentence, TextPart};
use contract::{Decision, Role, Value};

use super::{Decided, JobAccount, Outcome, Plans, State, Suspension, counted, deletion, plain, present};
use crate::account::Moment;

/// A CronJob from its creation on.
#[derive(Debug)]
pub(crate) struct CronJobAccount {
    /// As it was written last.
    pub(crate) object: Arc<Stored>,
    /// Its place among all objects, in the order in which they were seen first.
    pub(crate) place: usize,
    /// How many Jobs it counts as active.
    pub(crate) active: usize,
    /// Since when it is being deleted.
    deleted: Option<Moment>,
    pub(crate) gone: bool,
    suspension: Option<Suspension>,
    plans: Plans,
    /// The scheduled times about which something was decided, each with the step in which that was first.
    scheduled: BTreeMap<Timestamp, usize>,
    /// When the next run is, as the last plan says.
    next: Option<Timestamp>,
}

/// The Jobs of a CronJob in numbers.
#[derive(Debug, Default)]
pub(crate) struct RunCount {
    jobs: usize,
    failed: usize,
    /// The scheduled times for which there was a Job.
    scheduled: BTreeSet<Timestamp>,
    /// Of the Jobs that failed, the one that was created first: when, the question and the step.
    first_failed: Option<(Moment, Decided)>,
}

impl RunCount {
    /// Records a Job that is seen for the first time.
    pub(crate) fn started(&mut self, job: &Job) {
        self.jobs += 1;
        self.scheduled.extend(scheduled_at(job));
    }

    /// Records a Job of the CronJob once it has finished.
    pub(crate) fn ended(&mut self, account: &JobAccount) {
        let Some(finished) = account.finished.as_ref().filter(|finished| !finished.succeeded) else { return };
        self.failed += 1;
        if self.first_failed.as_ref().is_some_and(|(created, _)| *created <= account.created) {
            return;
        }
        let question = match account.object.job().and_then(scheduled_at) {
            Some(at) => about_run(at, " failed"),
            None => plain(format!("Why Job {} failed", account.object.metadata().name)),
        };
        self.first_failed = Some((account.created, Decided { question, step: finished.step() }));
    }
}

impl CronJobAccount {
    pub(crate) fn new(object: Arc<Stored>, place: usize) -> Self {
        let (plans, scheduled) = Default::default();
        Self { object, place, active: 0, deleted: None, gone: false, suspension: None, plans, scheduled, next: None }
    }

    /// Records what was decided about it.
    pub(crate) fn planned(&mut self, decisions: &[(&Decision, bool)], moment: Moment) {
        self.plans.add(decisions, moment);
        if let Some(suspension) = &mut self.suspension {
            suspension.planned(moment);
        }
        for (decision, _) in decisions.iter().filter(|(decision, _)| decision.role != Role::Routine) {
            if let Some(Value::Time(at)) = decision.value("scheduledAt") {
                self.scheduled.entry(*at).or_insert(moment.step);
            }
        }
        // The wait with a known end is that for the next run.
        self.next = decisions.iter().find_map(|(decision, _)| if let Role::Wait(period) = decision.role { period.until } else { None });
    }

    /// Records it as it was written.
    pub(crate) fn written(&mut self, cron_job: &CronJob, object: &Arc<Stored>, gone: bool, moment: Moment) {
        self.object = Arc::clone(object);
        (self.active, self.gone) = (cron_job.status.active.len(), gone);
        if cron_job.metadata.deleting() || gone {
            self.deleted.get_or_insert(moment);
        }
        self.suspension = Suspension::after(self.suspension.take(), cron_job.suspended(), &self.plans, moment);
    }

    /// Whether it is there.
    pub(crate) fn exists(&self) -> bool {
        !self.gone
    }

    pub(crate) fn outcome(&self, runs: &RunCount, now: Timestamp) -> Outcome {
        let deleted = self.deleted.map(|since| deletion(since, self.gone));
        let suspended = self.suspension.as_ref().filter(|_| deleted.is_none()).map(Suspension::fact);
        let mut skipped: Vec<(&Timestamp, &usize)> = self.scheduled.iter().filter(|(at, _)| !runs.scheduled.contains(at)).collect();
        // A CronJob that waits with a run knows no next one.
        let last_waits = self.scheduled.last_key_value().is_some_and(|(at, _)| !runs.scheduled.contains(at));
        let waiting = deleted.is_none() && suspended.is_none() && last_waits && self.next.is_none();
        if waiting {
            skipped.pop();
        }
        let state = match (&deleted, &suspended) {
            (Some(_), _) => State::Deleted,
            _ if runs.failed > 0 => State::Failed,
            (None, Some(_)) => State::Suspended,
            (None, None) => State::Running,
        };
        let mut started = plain(match runs.failed {
            0 => format!("{} started", counted(runs.jobs, "run")),
            failed => format!("{failed} of {} failed", counted(runs.jobs, "run")),
        });
        let passed_over = skipped.first().map(|(at, step)| Decided { question: about_run(**at, " was skipped"), step: **step });
        let (since, decided) = deleted.or(suspended).unzip();
        if since.is_none() {
            started.0.extend([TextPart::Text(" by ".into()), TextPart::Time(now)]);
        }
        let skipped = (!skipped.is_empty()).then(|| plain(format!("{} skipped", skipped.len())));
        let failed = runs.first_failed.as_ref().map(|(_, decided)| decided.clone());
        let metadata = self.object.metadata();
        Outcome {
            kind: Kind::CronJob,
            namespace: metadata.namespace.clone(),
            name: metadata.name.clone(),
            state,
            facts: present([since, Some(started), skipped, waiting.then(|| plain("1 waiting"))]),
            decided: failed.or(passed_over).or(decided),
        }
    }
}

/// When the run was scheduled that a Job is; `None` if it was created by hand.
fn scheduled_at(job: &Job) -> Option<Timestamp> {
    time::parse(job.metadata.annotations.get(SCHEDULED_TIMESTAMP)?)
}

/// Why something became of a run.
fn about_run(scheduled_at: Timestamp, what: &str) -> Sentence {
    let mut question = super::timed("Why the run scheduled for ", scheduled_at);
    question.0.push(TextPart::Text(what.into()));
    question
}
