//! Work that runs twice at once: in pods of different Jobs of a CronJob, of one index, or in more pods of a Job than its parallelism.
//!
//! Docs: CronJob, "Concurrency policy"; Jobs, "Handling Pod and container failures", "Delayed creation of replacement pods". What was observed is in
//! `observed.rs`.

use std::collections::BTreeMap;

use api::Text;

use crate::observed::{ObservedJob, ObservedPod, StepTime};
use crate::unmet::Observation;

/// The pods that run at one time.
#[derive(Default)]
struct RunningPods<'o> {
    /// How many of each Job, by its place.
    of_jobs: BTreeMap<usize, u32>,
    /// How many of each index of a Job.
    of_indexes: BTreeMap<(usize, u32), u32>,
    /// How many of each Job of a CronJob, by the CronJob's namespace and name.
    of_cron_jobs: BTreeMap<(&'o Text, &'o Text), BTreeMap<usize, u32>>,
}

/// Which work first ran twice at once, and when, in a sentence without its end.
pub(crate) fn twice_at_once(observation: &Observation<'_>, pods: &[&ObservedPod]) -> Option<String> {
    // An end comes before a beginning in the same step.
    let ran = pods.iter().filter_map(|pod| Some((pod.running?, *pod)));
    let mut changes: Vec<(StepTime, bool, &ObservedPod)> =
        ran.flat_map(|(begin, pod)| [(begin, true, pod)].into_iter().chain(pod.ended.map(|end| (end, false, pod)))).collect();
    changes.sort_by_key(|(moment, begins, _)| (*moment, *begins));
    let mut running = RunningPods::default();
    for (moment, begins, pod) in changes {
        let Some(place) = pod.job else { continue };
        let job = &observation.observed.jobs[place];
        if begins {
            running.add(place, job, pod);
            if let Some(twice) = running.twice(observation, place, pod) {
                return Some(format!("{twice} at {}", observation.clock.time(moment.at)));
            }
        } else {
            running.remove(place, job, pod);
        }
    }
    None
}

impl<'o> RunningPods<'o> {
    fn add(&mut self, place: usize, job: &'o ObservedJob, pod: &ObservedPod) {
        *self.of_jobs.entry(place).or_default() += 1;
        if let Some(index) = pod.index {
            *self.of_indexes.entry((place, index)).or_default() += 1;
        }
        if let Some((cron_job, _)) = &job.run_of {
            *self.of_cron_jobs.entry((&job.namespace, cron_job)).or_default().entry(place).or_default() += 1;
        }
    }

    fn remove(&mut self, place: usize, job: &'o ObservedJob, pod: &ObservedPod) {
        self.of_jobs.entry(place).and_modify(|count| *count -= 1);
        if let Some(index) = pod.index {
            self.of_indexes.entry((place, index)).and_modify(|count| *count -= 1);
        }
        if let Some((cron_job, _)) = &job.run_of {
            let jobs = self.of_cron_jobs.entry((&job.namespace, cron_job)).or_default();
            jobs.entry(place).and_modify(|count| *count -= 1);
            jobs.retain(|_, count| *count > 0);
        }
    }

    /// What runs twice since a pod of a Job runs.
    fn twice(&self, observation: &Observation<'_>, place: usize, pod: &ObservedPod) -> Option<String> {
        let job = &observation.observed.jobs[place];
        let name = observation.name(job);
        let others = job.run_of.as_ref().and_then(|(cron_job, _)| self.of_cron_jobs.get(&(&job.namespace, cron_job)));
        if let Some(other) = others.and_then(|jobs| jobs.keys().find(|other| **other != place)) {
            let other = observation.name(&observation.observed.jobs[*other]);
            return Some(format!("pods of {other} and of {name} run at once"));
        }
        let index = pod.index.filter(|index| self.of_indexes.get(&(place, *index)).is_some_and(|count| *count > 1));
        if let Some(index) = index {
            return Some(format!("2 pods of index {index} of {name} run at once"));
        }
        let count = self.of_jobs.get(&place).copied().unwrap_or_default();
        (count > job.parallelism).then(|| format!("{count} pods of {name} run at once, more than its parallelism of {},", job.parallelism))
    }
}
