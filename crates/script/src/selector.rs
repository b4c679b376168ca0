//! Which pods or containers a rule or an action is about.
//!
//! Docs: Jobs, "Completion mode"; the language is described in `lib.rs`. What pods there are is known to `scripted.rs` and `acting.rs`.

use std::fmt;

use api::meta::names;
use api::{Kind, ObjectMeta, Text, Timestamp, time};

use super::numbers::NumberList;
use super::object_name::ObjectName;

/// Which pods or containers; what is absent may be anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    /// The CronJob that controls the Job that controls the pod.
    pub cron_job: Option<ObjectName>,
    /// Which runs of the CronJob.
    pub run: Option<WhichRuns>,
    /// The Job that controls the pod.
    pub job: Option<ObjectName>,
    /// The pod.
    pub pod: Option<ObjectName>,
    /// The pod's completion index, from 0.
    pub index: Option<NumberList>,
    /// Which pods of their index, or of their Job if that has no indexes, from 1.
    pub attempt: Option<NumberList>,
    /// The container's name.
    pub container: Option<Text>,
    /// Which starts of the container in its pod, from 1.
    pub start: Option<NumberList>,
}

/// Which runs of a CronJob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhichRuns {
    /// Those that started these Jobs, counted from 1 in the order in which their first pods were created.
    Numbered(NumberList),
    /// The one that was scheduled for this time.
    ScheduledAt(Timestamp),
}

impl WhichRuns {
    /// Whether a pod is of one of these runs, given which one that is.
    fn match_pod(&self, pod: &ObjectMeta, Lineage { cron_job, run, .. }: &Lineage) -> bool {
        match self {
            Self::Numbered(numbers) => run.is_some_and(|run| numbers.contain(run)),
            // A run's Job is named after the minute for which it is scheduled (C-30).
            Self::ScheduledAt(at) => {
                let named = |cron_job: &Text| format!("{cron_job}-{}", at.as_second().div_euclid(60));
                cron_job.as_ref().zip(job_of(pod)).is_some_and(|(cron_job, job)| **job == named(cron_job))
            }
        }
    }

    /// Whether they are all that the others are.
    fn cover(&self, others: &Self) -> bool {
        match (self, others) {
            (Self::Numbered(own), Self::Numbered(others)) => own.cover(others),
            (own, others) => own == others,
        }
    }
}

impl fmt::Display for WhichRuns {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbered(numbers) => formatter.write_str(&numbers.of("run", "runs")),
            Self::ScheduledAt(at) => write!(formatter, "run {}", time::text(*at)),
        }
    }
}

/// What selectors ask of a pod that its metadata do not have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lineage {
    /// Which pod it is of its index, or of its Job, from 1, if that is known.
    pub attempt: Option<u32>,
    /// The CronJob that controls its Job, if one does.
    pub cron_job: Option<Text>,
    /// Which Job of that CronJob it is, from 1, if that is known.
    pub run: Option<u32>,
}

impl Selector {
    /// Whether it names containers, and not only pods.
    #[must_use]
    pub fn names_containers(&self) -> bool {
        self.container.is_some() || self.start.is_some()
    }

    /// Whether it is about all that the other one is about; of a named container, only if it names the same one, because that may be a sidecar.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        fn any<T: PartialEq>(own: &Option<T>, other: &Option<T>) -> bool {
            own.is_none() || own == other
        }
        let numbers = |own: &Option<NumberList>, other: &Option<NumberList>| {
            own.as_ref().is_none_or(|own| other.as_ref().is_some_and(|other| own.cover(other)))
        };
        any(&self.cron_job, &other.cron_job)
            && self.run.as_ref().is_none_or(|own| other.run.as_ref().is_some_and(|other| own.cover(other)))
            && any(&self.job, &other.job)
            && any(&self.pod, &other.pod)
            && numbers(&self.index, &other.index)
            && numbers(&self.attempt, &other.attempt)
            && self.container == other.container
            && numbers(&self.start, &other.start)
    }

    /// Whether this pod is one of those.
    #[must_use]
    pub fn matches(&self, pod: &ObjectMeta, lineage: &Lineage) -> bool {
        let Lineage { attempt, cron_job, .. } = lineage;
        let runs_for = |wanted: &ObjectName| cron_job.as_ref().is_some_and(|name| wanted.is(&pod.namespace, name));
        self.cron_job.as_ref().is_none_or(runs_for)
            && self.run.as_ref().is_none_or(|wanted| wanted.match_pod(pod, lineage))
            && self.job.as_ref().is_none_or(|wanted| job_of(pod).is_some_and(|job| wanted.is(&pod.namespace, job)))
            && self.pod.as_ref().is_none_or(|wanted| wanted.names(pod))
            && self.index.as_ref().is_none_or(|wanted| completion_index(pod).is_some_and(|index| wanted.contain(index)))
            && self.attempt.as_ref().is_none_or(|wanted| attempt.is_some_and(|attempt| wanted.contain(attempt)))
    }
}

/// The name of the Job that controls a pod.
#[must_use]
pub fn job_of(pod: &ObjectMeta) -> Option<&Text> {
    pod.controller().filter(|owner| &*owner.kind == Kind::Job.name()).map(|owner| &owner.name)
}

/// The completion index of a pod.
#[must_use]
pub fn completion_index(pod: &ObjectMeta) -> Option<u32> {
    pod.annotations.get(names::COMPLETION_INDEX)?.parse().ok()
}

impl fmt::Display for Selector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cron_job, run, job, pod, index, attempt, container, start } = self;
        let named = |word: &str, name: &Option<ObjectName>| name.as_ref().map(|name| format!("{word} {name}"));
        let numbered = |one: &str, several: &str, numbers: &Option<NumberList>| numbers.as_ref().map(|numbers| numbers.of(one, several));
        let parts = [
            named("cronjob", cron_job),
            run.as_ref().map(WhichRuns::to_string),
            named("job", job),
            named("pod", pod),
            numbered("index", "indexes", index),
            numbered("attempt", "attempts", attempt),
            container.as_ref().map(|name| format!("container {name}")),
            numbered("start", "starts", start),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { formatter.write_str("pods") } else { formatter.write_str(&parts.join(" ")) }
    }
}
