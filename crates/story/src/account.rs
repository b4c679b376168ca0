//! The account of a play: what became of each CronJob and Job so far, and what is waited for.
//!
//! Docs: CronJob; Jobs. It is given each step as it is played. What an outcome says is in `outcome/`, what is waited for in `awaited.rs`; the runs of
//! CronJobs one by one are in `runs/`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use api::{Kind, ObjectMeta, Text, Timestamp};
use cluster::stored::{Stored, StoredObject};
use contract::{Decision, ObjectRef, Obstacle};
use play::step::{Step, Touched, Trigger};
use play::trace::What;

use crate::outcome::{CronJobAccount, JobAccount, Outcome, RunCount};
use crate::runs::owner_of;

/// Namespace and name of an object.
pub(crate) type Name = (Text, Text);

/// A step, and when it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// Its number, from 0.
    pub step: usize,
    /// When.
    pub at: Timestamp,
}

/// What is known of a play that has come to its end.
pub struct Ending<'a> {
    /// Whether nothing is due any more: what would pass by itself lasts too.
    pub still: bool,
    /// What keeps an object from getting on, the nearest cause first; nothing where no controllers can be asked.
    pub obstacles: &'a mut dyn FnMut(Kind, &ObjectMeta) -> Vec<Obstacle>,
}

/// All that is known of a play's objects up to its last step.
#[derive(Debug, Default)]
pub struct Account {
    pub(crate) cron_jobs: BTreeMap<Name, CronJobAccount>,
    /// The Jobs; those of CronJobs as long as they are there.
    pub(crate) jobs: BTreeMap<Name, JobAccount>,
    pub(crate) pods: Pods,
    /// The Jobs of each CronJob in numbers, whether the CronJob was seen or not.
    runs: BTreeMap<Name, RunCount>,
    /// In which there are objects.
    pub(crate) namespaces: BTreeSet<Text>,
    /// The last step.
    pub(crate) last: Option<Moment>,
    /// How many CronJobs and Jobs were seen.
    seen: usize,
}

/// The pods of a play.
#[derive(Debug, Default)]
pub(crate) struct Pods {
    /// Those that have not ended: the UID of the Job that controls each, and whether it runs.
    alive: BTreeMap<Name, (Text, bool)>,
    /// How many pods each Job has had, by its UID.
    counts: BTreeMap<Text, usize>,
}

impl Account {
    /// Records a step, which comes after the last one.
    pub fn observe(&mut self, number: usize, step: &Step) {
        let moment = Moment { step: number, at: step.at };
        self.last = Some(moment);
        // What is decided when a CronJob appears is about one that is known, and what ends a Job is decided before it ends.
        self.written(step, Kind::CronJob, moment);
        if let Trigger::Plan { object, .. } = &step.trigger {
            let decisions = step.entries.iter().filter_map(|entry| match &entry.what {
                What::Decision { decision, minor, .. } => Some((decision, *minor)),
                _ => None,
            });
            self.planned(object, &decisions.collect::<Vec<_>>(), moment);
        }
        self.written(step, Kind::Job, moment);
        self.written(step, Kind::Pod, moment);
    }

    fn written(&mut self, step: &Step, kind: Kind, moment: Moment) {
        for touched in step.touched.iter().filter(|touched| touched.after.kind() == kind) {
            let metadata = touched.after.metadata();
            self.namespaces.insert(metadata.namespace.clone());
            let name = (metadata.namespace.clone(), metadata.name.clone());
            match touched.after.object() {
                StoredObject::CronJob(_) => self.cron_job(name, touched, moment),
                StoredObject::Job(_) => self.job(name, touched, moment),
                StoredObject::Pod(_) => self.pods.written(name, touched),
            }
        }
    }

    fn planned(&mut self, object: &ObjectRef, decisions: &[(&Decision, bool)], moment: Moment) {
        let name = (object.namespace.clone(), object.name.clone());
        if *object.kind == *Kind::CronJob.name()
            && let Some(cron_job) = self.cron_jobs.get_mut(&name)
        {
            cron_job.planned(decisions, moment);
        } else if *object.kind == *Kind::Job.name()
            && let Some(job) = self.jobs.get_mut(&name)
        {
            job.planned(decisions, moment);
        }
    }

    fn cron_job(&mut self, name: Name, Touched { after, gone, .. }: &Touched, moment: Moment) {
        let Some(cron_job) = after.cron_job() else { return };
        let known = self.cron_jobs.get(&name);
        let place = known.map_or(self.seen, |known| known.place);
        self.seen += usize::from(known.is_none());
        // One that is created again after its deletion is another CronJob.
        let again = known.is_some_and(|known| !is(&known.object, after));
        if again {
            self.runs.remove(&name);
        }
        if known.is_none() || again {
            self.cron_jobs.insert(name.clone(), CronJobAccount::new(Arc::clone(after), place));
        }
        if let Some(known) = self.cron_jobs.get_mut(&name) {
            known.written(cron_job, after, *gone, moment);
        }
    }

    fn job(&mut self, name: Name, Touched { after, gone, .. }: &Touched, moment: Moment) {
        let Some(job) = after.job() else { return };
        let owner = owner_of(&job.metadata);
        let known = self.jobs.get(&name);
        let place = known.map_or(self.seen, |known| known.place);
        self.seen += usize::from(known.is_none());
        if known.is_none_or(|known| !is(&known.object, after)) {
            self.jobs.insert(name.clone(), JobAccount::new(Arc::clone(after), place, moment));
            if let Some(owner) = &owner {
                self.runs.entry(owner.clone()).or_default().started(job);
            }
        }
        let Some(known) = self.jobs.get_mut(&name) else { return };
        let ended_before = known.finished.is_some();
        known.written(job, after, *gone, moment);
        let Some(owner) = owner else { return };
        if !ended_before && let Some(run) = self.runs.get_mut(&owner) {
            run.ended(known);
        }
        // A CronJob has many.
        if *gone && self.cron_jobs.contains_key(&owner) {
            self.pods.counts.remove(&job.metadata.uid);
            self.jobs.remove(&name);
        }
    }

    /// The outcome of each CronJob, and of each Job that no CronJob started, up to the last step: what people look for comes first. `ending` is what is
    /// known once the play has come to its end.
    pub fn outcomes(&self, mut ending: Option<Ending<'_>>) -> Vec<Outcome> {
        let Some(last) = self.last else { return Vec::new() };
        let (none, mut outcomes) = (RunCount::default(), Vec::new());
        for (name, cron_job) in &self.cron_jobs {
            let runs = self.runs.get(name).unwrap_or(&none);
            outcomes.push((cron_job.place, cron_job.outcome(runs, last.at)));
        }
        let own = self.jobs.values().filter(|job| owner_of(job.object.metadata()).is_none_or(|owner| !self.cron_jobs.contains_key(&owner)));
        for job in own {
            outcomes.push((job.place, job.outcome(&self.pods, last.at, ending.as_mut())));
        }
        outcomes.sort_by_key(|(place, outcome)| (outcome.state, outcome.kind == Kind::Job, *place));
        outcomes.into_iter().map(|(_, outcome)| outcome).collect()
    }
}

impl Pods {
    fn written(&mut self, name: Name, Touched { before, after, gone, .. }: &Touched) {
        let (metadata, Some(pod)) = (after.metadata(), after.pod()) else { return };
        if before.as_ref().is_none_or(|before| !is(before, after)) {
            *self.counts.entry(metadata.controller_uid().into()).or_default() += 1;
        }
        if *gone || pod.ended() {
            self.alive.remove(&name);
        } else {
            self.alive.insert(name, (metadata.controller_uid().into(), &**pod.status.phase() == "Running"));
        }
    }

    /// How many pods a Job has had.
    pub(crate) fn count(&self, job: &ObjectMeta) -> usize {
        self.counts.get(&job.uid).copied().unwrap_or_default()
    }

    /// How many of them have not ended, and whether one of these runs.
    pub(crate) fn alive(&self, job: &ObjectMeta) -> (usize, bool) {
        let own = || self.alive.values().filter(|(uid, _)| *uid == job.uid);
        (own().count(), own().any(|(_, runs)| *runs))
    }

    /// How many pods have not ended, whether a Job counts them or not: those of a deleted Job may outlive it.
    pub(crate) fn all_alive(&self) -> usize {
        self.alive.len()
    }
}

/// Whether two versions are of one object.
fn is(one: &Stored, other: &Stored) -> bool {
    one.metadata().uid == other.metadata().uid
}
