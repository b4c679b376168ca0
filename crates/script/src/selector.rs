//! Which pods or containers a rule or an action is about.
//!
//! Docs: Jobs, "Completion mode"; the language is described in `lib.rs`. What pods there are is known to `scripted.rs` and `acting.rs`.

use std::fmt;

use api::meta::names;
use api::{Kind, ObjectMeta, Text};

use super::numbers::NumberRange;
use super::object_name::ObjectName;

/// Which pods or containers; what is absent may be anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    /// The CronJob that controls the Job that controls the pod.
    pub cron_job: Option<ObjectName>,
    /// The Job that controls the pod.
    pub job: Option<ObjectName>,
    /// The pod.
    pub pod: Option<ObjectName>,
    /// The pod's completion index.
    pub index: Option<u32>,
    /// Which pods of their index, or of their Job if that has no indexes, from 1.
    pub attempt: Option<NumberRange>,
    /// The container's name.
    pub container: Option<Text>,
    /// Which starts of the container in its pod, from 1.
    pub start: Option<NumberRange>,
}

/// What selectors ask of a pod that its metadata do not have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lineage {
    /// Which pod it is of its index, or of its Job, from 1, if that is known.
    pub attempt: Option<u32>,
    /// The CronJob that controls its Job, if one does.
    pub cron_job: Option<Text>,
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
        let numbers = |own: Option<NumberRange>, other: Option<NumberRange>| {
            own.is_none_or(|own| other.is_some_and(|other| own.contain(other.first) && own.contain(other.last)))
        };
        any(&self.cron_job, &other.cron_job)
            && any(&self.job, &other.job)
            && any(&self.pod, &other.pod)
            && any(&self.index, &other.index)
            && numbers(self.attempt, other.attempt)
            && self.container == other.container
            && numbers(self.start, other.start)
    }

    /// Whether this pod is one of those.
    #[must_use]
    pub fn matches(&self, pod: &ObjectMeta, Lineage { attempt, cron_job }: &Lineage) -> bool {
        let runs_for = |wanted: &ObjectName| cron_job.as_ref().is_some_and(|name| wanted.is(&pod.namespace, name));
        self.cron_job.as_ref().is_none_or(runs_for)
            && self.job.as_ref().is_none_or(|wanted| job_of(pod).is_some_and(|job| wanted.is(&pod.namespace, job)))
            && self.pod.as_ref().is_none_or(|wanted| wanted.names(pod))
            && self.index.is_none_or(|wanted| completion_index(pod) == Some(wanted))
            && self.attempt.is_none_or(|wanted| attempt.is_some_and(|attempt| wanted.contain(attempt)))
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
        let Self { cron_job, job, pod, index, attempt, container, start } = self;
        let named = |word: &str, name: &Option<ObjectName>| name.as_ref().map(|name| format!("{word} {name}"));
        let numbered = |word: &str, numbers: Option<NumberRange>| numbers.map(|numbers| numbers.of(word));
        let parts = [
            named("cronjob", cron_job),
            named("job", job),
            named("pod", pod),
            index.map(|index| format!("index {index}")),
            numbered("attempt", *attempt),
            container.as_ref().map(|name| format!("container {name}")),
            numbered("start", *start),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { formatter.write_str("pods") } else { formatter.write_str(&parts.join(" ")) }
    }
}
