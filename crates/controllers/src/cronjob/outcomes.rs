//! Outcomes: how the requests of a plan for a CronJob ended, and what follows.
//!
//! Docs: CronJob (C-07, C-15, C-25…C-27, C-72). What is planned next is in `reconcile.rs`.

use api::request::{ApiError, Outcome, Written};
use api::{CronJob, ObjectMeta, Text, Timestamp};
use contract::Notice;

use super::config::Config;
use super::controller::CronJobController;
use super::decision::{ActiveJobs, CronJobDecision, OutcomeReport};
use super::events::CronJobEvent;
use super::plan::{Intent, Stage, Sync};
use crate::runtime::decision::RuntimeDecision;
use crate::runtime::workqueue::WorkQueue;
use crate::runtime::{Context, Finished, ObjectKey, Sent};

/// Handles the outcomes of a plan. A plan without requests has none.
pub(super) fn finished(
    controller: &mut CronJobController,
    key: &ObjectKey,
    sync: Sync,
    sent: &[Sent<'_, Intent>],
    queue: &mut WorkQueue,
    context: &Context<'_>,
) -> Finished<CronJobController> {
    let Some(cron_job) = context.store.cron_job(key) else {
        queue.forget(key);
        return Finished::default();
    };
    for Sent { intent, outcome, failed } in sent {
        if let Intent::CleanUp { job, uid, .. } | Intent::Replace { job, uid } = intent
            && !failed
            && !matches!(outcome, Outcome::Skipped)
        {
            controller.await_deletion(key, job, uid.clone(), context.store);
        }
    }
    let config = &controller.config;
    let mut outcomes = Outcomes { cron_job, config, sync, decisions: Vec::new(), notices: Vec::new(), failure: None };
    for Sent { intent, outcome, .. } in sent {
        match outcome {
            Outcome::Done(written) => outcomes.done(intent, written),
            Outcome::Failed(error) => outcomes.failed(intent, error),
            Outcome::Skipped => {}
        }
    }
    let Outcomes { mut sync, mut decisions, notices, failure, .. } = outcomes;
    if let Some((what, error)) = failure {
        let at = queue.back_off(key, controller.config.api_back_off(), context.now);
        decisions.push(CronJobDecision::Shared(RuntimeDecision::RequestFailed { what, error, at }));
        sync.failed = true;
    }
    if sync.failed && sync.stage == Stage::Start {
        sync.stage = Stage::Status;
    }
    let over = sync.stage == Stage::End || sync.stage == Stage::Status && sync.status == sync.found;
    if over && !sync.failed {
        queue.forget(key);
    }
    Finished { rest: (!over).then_some(sync), decisions, notices }
}

/// What follows from the outcomes of one plan.
struct Outcomes<'a> {
    cron_job: &'a CronJob,
    config: &'a Config,
    sync: Sync,
    decisions: Vec<CronJobDecision>,
    notices: Vec<Notice>,
    /// What the first request was for that is tried again, and why it failed.
    failure: Option<(&'static str, String)>,
}

impl Outcomes<'_> {
    /// A request succeeded.
    fn done(&mut self, intent: &Intent, written: &Written) {
        match intent {
            Intent::CleanUp { job, uid, .. } | Intent::Replace { job, uid } => {
                self.notices.push(CronJobEvent::SuccessfulDelete { job }.about(self.cron_job, self.config));
                self.sync.remove_active(uid);
            }
            Intent::Create { job, scheduled_at } => {
                self.notices.push(CronJobEvent::SuccessfulCreate { job }.about(self.cron_job, self.config));
                self.created(job, *scheduled_at, written);
            }
            Intent::Confirm | Intent::Find { .. } | Intent::WriteStatus => {}
        }
    }

    fn created(&mut self, job: &Text, scheduled_at: Timestamp, written: &Written) {
        let metadata = ObjectMeta {
            namespace: self.cron_job.metadata.namespace.clone(),
            name: job.clone(),
            uid: (*written.uid).into(),
            resource_version: (*written.resource_version).into(),
            ..ObjectMeta::default()
        };
        self.sync.record(&metadata, scheduled_at);
        self.sync.created = Some((job.clone(), scheduled_at));
        self.decisions.push(CronJobDecision::Report(OutcomeReport::JobCreated { job: job.clone(), scheduled_at }));
    }

    /// A request failed.
    fn failed(&mut self, intent: &Intent, error: &ApiError) {
        match intent {
            Intent::CleanUp { job, uid, condition } => {
                self.notices.push(CronJobEvent::FailedDelete { error: &error.message }.about(self.cron_job, self.config));
                self.decisions
                    .push(CronJobDecision::Report(OutcomeReport::CleanUpFailed { job: job.clone(), error: error.message.clone() }));
                if self.sync.remove_active(uid) {
                    self.notices.push(CronJobEvent::SawCompletedJob { job, condition }.about(self.cron_job, self.config));
                }
                return;
            }
            Intent::Find { job, uid } | Intent::Replace { job, uid } if error.not_found() => {
                self.notices.push(CronJobEvent::MissingJob { job }.about(self.cron_job, self.config));
                self.sync.remove_active(uid);
                self.decisions.push(CronJobDecision::ActiveJobs(ActiveJobs::MissingJob { job: job.clone() }));
                return;
            }
            Intent::Replace { .. } => {
                self.notices.push(CronJobEvent::FailedDelete { error: &error.message }.about(self.cron_job, self.config))
            }
            Intent::Create { job, scheduled_at } => {
                if !silent(error) {
                    self.notices.push(CronJobEvent::FailedCreate { error: &error.message }.about(self.cron_job, self.config));
                }
                let (job, error) = (job.clone(), error.message.clone());
                self.decisions.push(CronJobDecision::Report(OutcomeReport::JobNotCreated { job, scheduled_at: *scheduled_at, error }));
            }
            Intent::Confirm => self.sync.stage = Stage::End,
            Intent::Find { .. } | Intent::WriteStatus => {}
        }
        self.failure.get_or_insert_with(|| (intent.purpose(), error.message.clone()));
    }
}

/// Whether a failed creation of a Job is not reported as an Event: its name is taken, or its namespace is being deleted (C-26).
fn silent(error: &ApiError) -> bool {
    error.reason == "AlreadyExists" || error.causes.iter().any(|cause| cause.reason == "NamespaceTerminating")
}
