//! The account of a play: the outcome of each CronJob and Job so far, and what is waited for.
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

use crate::outcome::{CronJobAccount, JobAccount, ObjectOutcome, OutcomeState};
use crate::runs::{CronJobName, PastRun, RunResult};

/// A step, and when it was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepMoment {
    /// Its number, from 0.
    pub step: usize,
    /// When.
    pub at: Timestamp,
}

/// What is known of a play that has come to its end.
pub struct EndOfPlay<'a> {
    /// Whether nothing is due any more: what would pass by itself lasts too.
    pub still: bool,
    /// What keeps an object from making progress, the nearest cause first; nothing where no controllers can be asked.
    pub obstacles: &'a mut dyn FnMut(Kind, &ObjectMeta) -> Vec<Obstacle>,
}

/// All that is known of a play's objects up to its last step.
#[derive(Debug, Default)]
pub struct Account {
    /// In the order in which they were seen first.
    pub(crate) cron_jobs: Vec<CronJobAccount>,
    /// In the order in which they were seen first.
    pub(crate) jobs: Vec<JobAccount>,
    pub(crate) pods: PodAccount,
    /// Where each CronJob and Job is in its list, by `Kind/namespace/name`.
    places: BTreeMap<Text, usize>,
    /// In which there are objects.
    pub(crate) namespaces: BTreeSet<Text>,
    /// The last step.
    last: StepMoment,
}

/// The pods of a play, by `Pod/namespace/name`.
#[derive(Debug, Default)]
pub(crate) struct PodAccount {
    /// Those that have not ended: the UID of the Job that controls each.
    alive: BTreeMap<Text, Text>,
    /// Of these, the ones that run.
    running: BTreeSet<Text>,
    /// The UIDs of all that were seen.
    seen: BTreeSet<Text>,
    /// How many pods each Job has had, by its UID.
    counts: BTreeMap<Text, usize>,
}

impl Account {
    /// Records a step, which comes after the last one.
    pub fn observe(&mut self, number: usize, step: &Step) {
        let moment = StepMoment { step: number, at: step.at };
        self.last = moment;
        // What is decided when a CronJob appears is about one that is known, and what ends a Job is decided before it ends.
        self.written(step, Kind::CronJob, moment);
        if let Trigger::Plan { object, .. } = &step.trigger {
            let decisions = step
                .entries
                .iter()
                .filter_map(|entry| if let What::Decision { decision, minor, .. } = &entry.what { Some((decision, *minor)) } else { None });
            self.planned(object, &decisions.collect::<Vec<_>>(), moment);
        }
        if let Trigger::ClockChange { object, forward, times } = &step.trigger
            && let Some(place) = self.places.get(&*format!("{}/{}/{}", object.kind, object.namespace, object.name))
        {
            self.cron_jobs[*place].runs.change_clock(*forward, *times, moment);
        }
        self.written(step, Kind::Job, moment);
        self.written(step, Kind::Pod, moment);
    }

    /// Records what runs of CronJobs came to in the last step: nothing may have been decided about one that was skipped.
    pub fn observe_runs<'r>(&mut self, runs: impl Iterator<Item = (&'r CronJobName, &'r PastRun)>) {
        for ((namespace, name), run) in runs.filter(|(_, run)| run.skipped_clock.is_none()) {
            let skipped = matches!(run.result, RunResult::Skipped(_) | RunResult::Undecided);
            let key = format!("{}/{namespace}/{name}", Kind::CronJob.name());
            if let Some(place) = self.places.get(&*key).filter(|_| skipped) {
                self.cron_jobs[*place].runs.skip(run.scheduled_at, self.last);
            }
        }
    }

    fn written(&mut self, step: &Step, kind: Kind, moment: StepMoment) {
        for touched in step.touched.iter().filter(|touched| touched.after.kind() == kind) {
            self.namespaces.insert(touched.after.metadata().namespace.clone());
            match touched.after.object() {
                StoredObject::CronJob(_) => self.cron_job(touched, moment),
                StoredObject::Job(_) => self.job(touched, moment),
                StoredObject::Pod(_) => self.pods.written(touched),
            }
        }
    }

    fn planned(&mut self, ObjectRef { kind, namespace, name, .. }: &ObjectRef, decisions: &[(&Decision, bool)], moment: StepMoment) {
        let Some(place) = self.places.get(&*format!("{kind}/{namespace}/{name}")).copied() else { return };
        if **kind == *Kind::CronJob.name() {
            self.cron_jobs[place].planned(decisions, moment);
        } else {
            self.jobs[place].planned(decisions, moment);
        }
    }

    fn cron_job(&mut self, Touched { key, after, gone, .. }: &Touched, moment: StepMoment) {
        let Some(cron_job) = after.cron_job() else { return };
        let place = *self.places.entry(key.clone()).or_insert(self.cron_jobs.len());
        // One that is created again after its deletion is another CronJob.
        if self.cron_jobs.get(place).is_none_or(|known| !is(&known.object, after)) {
            let mut account = CronJobAccount::new(Arc::clone(after));
            for job in self.jobs.iter().filter(|job| job.is_run_of(after)) {
                account.runs.start(job);
                account.runs.end(job);
            }
            put(&mut self.cron_jobs, place, account);
        }
        self.cron_jobs[place].written(cron_job, after, *gone, moment);
    }

    fn job(&mut self, Touched { key, after, gone, .. }: &Touched, moment: StepMoment) {
        let Some(job) = after.job() else { return };
        let place = *self.places.entry(key.clone()).or_insert(self.jobs.len());
        let appears = self.jobs.get(place).is_none_or(|known| !is(&known.object, after));
        if appears {
            put(&mut self.jobs, place, JobAccount::new(Arc::clone(after), moment));
        }
        let known = &mut self.jobs[place];
        let ended = known.finished.is_some();
        known.written(job, after, *gone, moment);
        let owner = known.owner.as_ref().and_then(|owner| self.cron_jobs.get_mut(*self.places.get(owner)?));
        let Some(cron_job) = owner.filter(|cron_job| known.is_run_of(&cron_job.object)) else { return };
        if appears {
            cron_job.runs.start(known);
        }
        if !ended {
            cron_job.runs.end(known);
        }
    }

    /// The Jobs that no CronJob of the play has started.
    pub(crate) fn own_jobs(&self) -> impl Iterator<Item = &JobAccount> {
        self.jobs.iter().filter(|job| job.owner.as_ref().is_none_or(|owner| !self.places.contains_key(owner)))
    }

    /// The outcome of each CronJob, and of each Job that no CronJob started, up to the last step: what people look for comes first. `ending` is what is
    /// known once the play has come to its end.
    pub fn outcomes(&self, mut ending: Option<EndOfPlay<'_>>) -> Vec<ObjectOutcome> {
        let cron_jobs = self.cron_jobs.iter().map(|cron_job| cron_job.outcome(self.last.at));
        let mut outcomes: Vec<ObjectOutcome> = cron_jobs.collect();
        outcomes.extend(self.own_jobs().map(|job| job.outcome(&self.pods, self.last.at, ending.as_mut())));
        let mut listed = Vec::with_capacity(outcomes.len());
        for state in OutcomeState::ALL {
            listed.extend(outcomes.extract_if(.., |outcome| outcome.state == state));
        }
        listed
    }
}

impl PodAccount {
    fn written(&mut self, Touched { key, after, gone, .. }: &Touched) {
        let (metadata, Some(pod)) = (after.metadata(), after.pod()) else { return };
        let job = Text::from(metadata.controller_uid());
        if self.seen.insert(metadata.uid.clone()) {
            *self.counts.entry(job.clone()).or_default() += 1;
        }
        self.alive.remove(key);
        self.running.remove(key);
        if *gone || pod.ended() {
            return;
        }
        self.alive.insert(key.clone(), job);
        if &**pod.status.phase() == "Running" {
            self.running.insert(key.clone());
        }
    }

    /// How many pods a Job has had.
    pub(crate) fn count(&self, job: &ObjectMeta) -> usize {
        self.counts.get(&job.uid).copied().unwrap_or_default()
    }

    /// How many of them have not ended, and whether one of these runs.
    pub(crate) fn alive(&self, job: &ObjectMeta) -> (usize, bool) {
        let own = || self.alive.iter().filter(|(_, uid)| **uid == job.uid);
        (own().count(), own().any(|(pod, _)| self.running.contains(pod)))
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

/// Puts something at a place of a list, or at its end.
fn put<T>(list: &mut Vec<T>, place: usize, item: T) {
    match list.get_mut(place) {
        Some(known) => *known = item,
        None => list.push(item),
    }
}

#[cfg(test)]
mod tests {
    use contract::{Role, Value};

    use crate::testing::{decision, job, outcomes, plan, step};

    #[test]
    fn what_failed_comes_first() {
        let verdict = ("verdict", Value::Text("backoffLimit (0) exceeded".into()));
        let ends = plan(6000, api::Kind::Job, "b", [decision("It fails", Role::Action, [verdict])]);
        let complete = step(5000, [job("a").finished("Complete", "")]);
        let failed = step(6000, [job("b").finished("Failed", "BackoffLimitExceeded")]);
        let lines = outcomes(&[step(0, [job("a"), job("b"), job("c")]), complete, ends, failed], None);
        let names: Vec<[&str; 2]> = lines.iter().map(|(name, _, decided)| [&**name, &**decided]).collect();
        assert_eq!(names, [["b", "Why it failed: 2"], ["c", ""], ["a", "Why it is complete: 1"]]);
    }
}
