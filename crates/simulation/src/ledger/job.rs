//! What really became of one Job.
//!
//! Docs: Jobs, "Job tracking with finalizers". Who reads it: `invariants/`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use api::job::conditions::SUSPENDED;
use api::meta::names;
use api::{Job, JobStatus, Kind, Text, Timestamp};

use cluster::stored::Stored;

use crate::page;

/// One Job, from its creation on.
#[derive(Debug)]
pub(crate) struct JobRecord {
    /// Its last state.
    pub(crate) stored: Arc<Stored>,
    /// Whether it went.
    pub(crate) gone: bool,
    /// The pods that were ever on one of the lists of its status.
    pub(crate) listed: BTreeSet<Text>,
    /// How often each index came into `completedIndexes`.
    pub(crate) completed: BTreeMap<u32, usize>,
    /// Whether people had their hands in its pods, or some of them are not its own work.
    pub(crate) disturbed: bool,
    /// Whether `completions` was changed.
    pub(crate) elastic: bool,
    /// Whether `podReplacementPolicy` was changed, or what has its effect.
    pub(crate) other_replacement: bool,
    /// Whether somebody else wrote its status.
    pub(crate) meddled: bool,
    /// Whether it was ever suspended.
    pub(crate) once_suspended: bool,
    /// The pods that somebody else removed from the lists of its status: they may be listed again.
    pub(crate) struck: BTreeSet<Text>,
    /// When it was created, or resumed last after its status showed that it was suspended: its clock does not start before (J-46, J-121).
    pub(crate) runs_since: Option<Timestamp>,
    /// Whether people took a pod from it that was being deleted, or was soon after: the Job does not learn when that has ended (J-13, J-14).
    pub(crate) bereft: bool,
    /// Failures that the manager was shown up to this step may have been forgotten.
    pub(crate) forgotten: u64,
    /// The UID of the CronJob that had it when it was created.
    pub(crate) cron_job: Option<Text>,
    /// The scheduled time for which the controllers started it.
    pub(crate) run: Option<Timestamp>,
}

impl JobRecord {
    /// A Job that was just created.
    pub(super) fn new(stored: Arc<Stored>, by_controllers: bool) -> Self {
        let owner = stored.metadata().controller().filter(|owner| &*owner.kind == Kind::CronJob.name());
        let scheduled = stored.metadata().annotations.get(names::SCHEDULED_TIMESTAMP).filter(|_| by_controllers);
        Self {
            gone: false,
            listed: BTreeSet::new(),
            completed: BTreeMap::new(),
            disturbed: false,
            elastic: false,
            other_replacement: false,
            meddled: false,
            once_suspended: stored.job().is_some_and(Job::suspended),
            struck: BTreeSet::new(),
            runs_since: stored.metadata().creation_timestamp,
            bereft: false,
            forgotten: 0,
            cron_job: owner.map(|owner| owner.uid.clone()),
            run: scheduled.and_then(|scheduled| scheduled.parse().ok()),
            stored,
        }
    }

    /// The Job.
    pub(crate) fn job(&self) -> &Job {
        self.stored.job().expect("a record of a Job holds a Job")
    }

    /// Records another state of it, written by the controllers or by somebody else.
    pub(super) fn change(&mut self, after: Arc<Stored>, gone: bool, by_controllers: bool, now: Timestamp) {
        let before = Arc::clone(&self.stored);
        let [before, job] = [&before, &after].map(|stored| stored.job().expect("a record of a Job holds a Job"));
        self.once_suspended |= job.suspended();
        self.elastic |= before.spec.completions != job.spec.completions;
        self.other_replacement |= page::only_replaces_failed(before) != page::only_replaces_failed(job);
        let (known, indexes) = (indexes(&before.status.completed_indexes), indexes(&job.status.completed_indexes));
        if !by_controllers && before.status != job.status {
            self.meddled = true;
            let left: BTreeSet<&Text> = listed(&job.status).map(|(uid, _)| uid).collect();
            self.struck.extend(listed(&before.status).map(|(uid, _)| uid).filter(|uid| !left.contains(uid)).cloned());
        }
        if before.suspended() && !job.suspended() && before.condition(SUSPENDED).is_some() {
            self.runs_since = Some(now);
        }
        self.listed.extend(listed(&job.status).map(|(uid, _)| uid.clone()));
        for index in indexes.difference(&known) {
            *self.completed.entry(*index).or_default() += 1;
        }
        self.stored = after;
        self.gone = gone;
    }
}

/// Pods on the lists of a status, and whether they are listed as succeeded.
pub(crate) fn listed(status: &JobStatus) -> impl Iterator<Item = (&Text, bool)> {
    let lists = status.uncounted_terminated_pods.iter();
    lists.flat_map(|lists| lists.succeeded.iter().map(|uid| (uid, true)).chain(lists.failed.iter().map(|uid| (uid, false))))
}

/// The indexes that a text such as `1,3-5,7` names; what is not an index is skipped.
pub(crate) fn indexes(text: &str) -> BTreeSet<u32> {
    let mut set = BTreeSet::new();
    for item in text.split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
            set.extend(first..=last);
        }
    }
    set
}
