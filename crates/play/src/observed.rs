//! What was observed of the Jobs and pods of a play: when each was created, ran and ended.
//!
//! Docs: Jobs, "Job termination and cleanup"; Pod Lifecycle, "Pod phase". What is expected of it is decided in `unmet.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use api::{Job, Kind, Text, Timestamp};
use cluster::pod::StoredPod;
use cluster::stored::Stored;
use script::completion_index;

use crate::step::{Step, Touched};

/// The Jobs and pods of a play so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observed {
    /// All Jobs, in the order in which they were created.
    pub(crate) jobs: Vec<ObservedJob>,
    /// The same for pods.
    pub(crate) pods: Vec<ObservedPod>,
    /// The namespaces of the Jobs.
    pub(crate) namespaces: BTreeSet<Text>,
    /// The places of Jobs and of pods by their UIDs.
    places: BTreeMap<Text, usize>,
    /// How many Jobs each CronJob has created, by its UID.
    runs: BTreeMap<Text, u32>,
    step: usize,
}

/// When something happened. Of two things at the same time, that in the later step came later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StepTime {
    pub(crate) step: usize,
    pub(crate) at: Timestamp,
}

/// What was observed of a Job.
#[derive(Debug, Clone)]
pub(crate) struct ObservedJob {
    pub(crate) namespace: Text,
    pub(crate) name: Text,
    /// The CronJob that controls it, and which of its Jobs it is, from 1.
    pub(crate) run_of: Option<(Text, u32)>,
    /// How many indexes it has; `None` if it is not Indexed.
    pub(crate) indexes: Option<u32>,
    /// The highest parallelism that it had.
    pub(crate) parallelism: u32,
    pub(crate) created: StepTime,
    /// When it finished, or was deleted before.
    pub(crate) ended: Option<StepTime>,
    /// Whether it is Complete, and the reason, once it has finished.
    pub(crate) finish: Option<(bool, Text)>,
    /// The Job as it was last.
    pub(crate) last: Arc<Stored>,
}

/// What was observed of a pod.
#[derive(Debug, Clone)]
pub(crate) struct ObservedPod {
    /// The place of its Job; `None` if no Job controls it.
    pub(crate) job: Option<usize>,
    pub(crate) index: Option<u32>,
    pub(crate) created: StepTime,
    /// When its node reported first that it runs.
    pub(crate) running: Option<StepTime>,
    /// When it succeeded, failed, or was gone before.
    pub(crate) ended: Option<StepTime>,
    /// Whether it succeeded, once it has ended by itself.
    pub(crate) succeeded: Option<bool>,
    /// How often its containers were started again.
    pub(crate) restarts: u32,
}

impl Observed {
    /// Adds what a step did.
    pub(crate) fn observe(&mut self, step: &Step) {
        self.step += 1;
        let now = StepTime { step: self.step, at: step.at };
        for touched in &step.touched {
            if let Some(job) = touched.after.job() {
                self.observe_job(job, touched, now);
            } else if let Some(pod) = touched.after.pod() {
                self.observe_pod(pod, touched, now);
            }
        }
    }

    fn observe_job(&mut self, job: &Job, touched: &Touched, now: StepTime) {
        let place = match self.places.get(&job.metadata.uid) {
            Some(place) => *place,
            None => self.add_job(job, touched, now),
        };
        let observed = &mut self.jobs[place];
        observed.parallelism = observed.parallelism.max(parallelism(job));
        observed.indexes = indexes(job);
        observed.last = Arc::clone(&touched.after);
        if observed.finish.is_none() {
            observed.finish = job.finished_by().map(|condition| (&*condition.kind == "Complete", condition.reason.clone()));
        }
        if observed.ended.is_none() && (touched.gone || observed.finish.is_some()) {
            observed.ended = Some(now);
        }
    }

    fn add_job(&mut self, job: &Job, touched: &Touched, now: StepTime) -> usize {
        let run_of = job.metadata.controller().filter(|owner| &*owner.kind == Kind::CronJob.name()).map(|owner| {
            let run = self.runs.entry(owner.uid.clone()).or_default();
            *run += 1;
            (owner.name.clone(), *run)
        });
        let (namespace, name) = (job.metadata.namespace.clone(), job.metadata.name.clone());
        let (indexes, parallelism) = (indexes(job), parallelism(job));
        self.namespaces.insert(namespace.clone());
        self.places.insert(job.metadata.uid.clone(), self.jobs.len());
        let last = Arc::clone(&touched.after);
        self.jobs.push(ObservedJob { namespace, name, run_of, indexes, parallelism, created: now, ended: None, finish: None, last });
        self.jobs.len() - 1
    }

    fn observe_pod(&mut self, pod: &StoredPod, touched: &Touched, now: StepTime) {
        let (job, index) = (self.places.get(pod.metadata.controller_uid()).copied(), completion_index(&pod.metadata));
        let (pods, uid) = (&mut self.pods, &pod.metadata.uid);
        let place = *self.places.entry(uid.clone()).or_insert(pods.len());
        if place == pods.len() {
            let (running, ended, succeeded, restarts) = Default::default();
            pods.push(ObservedPod { job, index, created: now, running, ended, succeeded, restarts });
        }
        let observed = &mut pods[place];
        let phase = &**pod.status.phase();
        if phase == "Running" && observed.running.is_none() {
            observed.running = Some(now);
        }
        if observed.succeeded.is_none() && pod.ended() {
            observed.succeeded = Some(phase == "Succeeded");
        }
        if observed.ended.is_none() && (touched.gone || pod.ended()) {
            observed.ended = Some(now);
        }
        let restarts = touched.pod.iter().flat_map(|known| known.report.containers()).map(|container| container.restart_count);
        observed.restarts = observed.restarts.max(restarts.sum::<i32>().unsigned_abs());
    }
}

fn parallelism(job: &Job) -> u32 {
    job.spec.parallelism.unwrap_or(1).unsigned_abs()
}

fn indexes(job: &Job) -> Option<u32> {
    job.indexed().then(|| job.spec.completions.unwrap_or_default().unsigned_abs())
}
