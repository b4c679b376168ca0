//! What a plan for a CronJob holds besides requests: what each is for, and how far the sync has come.
//!
//! Docs: CronJob (C-10…C-33). Plans of any controller are in `runtime/draft.rs`; the outcomes of the requests are handled in `outcomes.rs`.

use api::request::{DeleteOptions, Preconditions, Request};
use api::{CronJob, CronJobStatus, Kind, ObjectMeta, ObjectReference, Text, Timestamp};

use super::decision::CronJobDecision;
use crate::runtime::draft::NOT_FOUND;
use crate::runtime::{self, Draft};

/// A plan for a CronJob.
pub(super) type CronJobPlan = Draft<Intent, Sync, CronJobDecision>;

/// A request of a plan for a CronJob.
pub(super) type CronJobCommand = runtime::DraftCommand<Intent>;

/// How far a sync has come. Its stages follow one another, each once the watch has shown the writes of the one before.
#[derive(Debug, Clone)]
pub(crate) struct Sync {
    /// When the sync began.
    pub(super) began_at: Timestamp,
    /// What comes next.
    pub(super) stage: Stage,
    /// The status that was found.
    pub(super) found: CronJobStatus,
    /// The status that is written at the end, if it is another one.
    pub(super) status: CronJobStatus,
    /// The Job that was created, and the scheduled time of its run.
    pub(super) created: Option<(Text, Timestamp)>,
    /// Whether the watch has shown the CronJob as the cluster stores it since the sync began, or need not.
    pub(super) confirmed: bool,
    /// Whether a request failed, so that the sync is tried again.
    pub(super) failed: bool,
}

/// A stage of a sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Jobs beyond the history limits are deleted, and the active ones are brought up to date.
    Jobs,
    /// A run that is due is started.
    Start,
    /// The status is written.
    Status,
    /// Nothing is left.
    End,
}

impl Sync {
    /// A sync that begins.
    pub(super) fn new(cron_job: &CronJob, now: Timestamp) -> Self {
        let status = cron_job.status.clone();
        Self { began_at: now, stage: Stage::Jobs, found: status.clone(), status, created: None, confirmed: false, failed: false }
    }

    /// Whether what was decided so far holds for the CronJob as it is.
    pub(super) fn still_holds(&self, cron_job: &CronJob) -> bool {
        self.found == cron_job.status
    }

    /// The Job of a run is there: it is active, and its run is the last.
    pub(super) fn record(&mut self, job: &ObjectMeta, scheduled_at: Timestamp) {
        self.status.active.push(ObjectReference {
            kind: Kind::Job.name().into(),
            namespace: job.namespace.clone(),
            name: job.name.clone(),
            uid: job.uid.clone(),
            api_version: Kind::Job.api_version().into(),
            resource_version: job.resource_version.clone(),
            field_path: Text::default(),
        });
        self.status.last_schedule_time = Some(scheduled_at);
    }

    /// Takes a Job out of the active ones.
    pub(super) fn remove_active(&mut self, uid: &str) -> bool {
        let before = self.status.active.len();
        self.status.active.retain(|active| &*active.uid != uid);
        self.status.active.len() < before
    }
}

/// What a request is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Intent {
    /// Deletes a Job that has finished (C-71); with the condition by which it did.
    CleanUp { job: Text, uid: Text, condition: Text },
    /// Reads the CronJob, so that the sync waits until the watch shows what is stored (C-12).
    Confirm,
    /// Looks for an active Job that the watch does not show (C-15).
    Find { job: Text, uid: Text },
    /// Deletes a Job that the next one replaces (C-25).
    Replace { job: Text, uid: Text },
    /// Creates the Job of a run (C-26).
    Create { job: Text, scheduled_at: Timestamp },
    /// Writes the status.
    WriteStatus,
}

impl Intent {
    /// The command that sends a request for it.
    pub(super) fn command(self, request: Request) -> CronJobCommand {
        let writes = match &self {
            Self::Find { .. } => None,
            Self::Confirm | Self::WriteStatus => Some(Kind::CronJob),
            Self::CleanUp { .. } | Self::Replace { .. } | Self::Create { .. } => Some(Kind::Job),
        };
        // A Job that is gone is as good as deleted; if the request looks for a Job, 404 is the answer.
        let tolerates: &[u16] = if matches!(self, Self::Find { .. } | Self::Replace { .. }) { &[NOT_FOUND] } else { &[] };
        CronJobCommand { request, tolerates, after: None, intent: self, writes }
    }

    /// What the request is for, as part of a sentence.
    pub(super) fn purpose(&self) -> &'static str {
        match self {
            Self::CleanUp { .. } => "deleting a finished Job",
            Self::Confirm => "reading the CronJob",
            Self::Find { .. } => "looking for an active Job",
            Self::Replace { .. } => "deleting the Job to be replaced",
            Self::Create { .. } => "creating the Job",
            Self::WriteStatus => "writing the status",
        }
    }
}

/// The request that deletes a Job and, after it, its pods; no other Job of its name is deleted.
pub(super) fn delete(namespace: &str, job: &str, uid: &str) -> Request {
    let preconditions = Preconditions { uid, resource_version: None };
    Request::delete(Kind::Job, namespace, job, DeleteOptions { propagation_policy: "Background", preconditions }.json())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_job_of_a_uid_is_deleted() {
        let request = delete("a", "hello-1", "u");
        assert_eq!(request.path, "/apis/batch/v1/namespaces/a/jobs/hello-1");
        assert_eq!(request.body, r#"{"propagationPolicy":"Background","preconditions":{"uid":"u"}}"#);
    }
}
