//! The Job controller: what to do about one Job at one moment, and why.
//!
//! Docs: Jobs (all headings; spec/job.md §4). `reconcile.rs` is the table of contents; what the manager does with the plan is in `manager.rs`.

pub(crate) mod backoff;
pub(crate) mod backoff_per_index;
pub(crate) mod conditions;
pub(crate) mod deadline;
pub(crate) mod deletion;
pub(crate) mod indexes;
pub(crate) mod memory;
pub(crate) mod orphans;
pub(crate) mod ownership;
pub(crate) mod parallelism;
pub(crate) mod pod_failure_policy;
pub(crate) mod pod_template;
pub(crate) mod reconcile;
pub(crate) mod replacement;
pub(crate) mod settle;
pub(crate) mod success_policy;
pub(crate) mod suspend;
pub(crate) mod tally;
pub(crate) mod tracking;
pub(crate) mod verdict;

use api::job::INDEXED;
use api::{Job, Pod};
use contract::{Notice, Regarding};

use crate::config::Config;
use memory::Memory;

/// All that a plan for a Job depends on, besides the time.
#[derive(Debug)]
pub(crate) struct JobView<'a> {
    /// The Job.
    pub(crate) job: &'a Job,
    /// The pods whose controller has the Job's UID, by name (J-60).
    pub(crate) owned: Vec<&'a Pod>,
    /// The pods of the namespace without a controller, by name (J-60).
    pub(crate) loose: Vec<&'a Pod>,
    /// What the manager remembers of the Job.
    pub(crate) memory: &'a Memory,
    /// How the manager is set up.
    pub(crate) config: &'a Config,
}

impl JobView<'_> {
    /// The number of completions of an Indexed Job; `None` for others.
    pub(crate) fn indexed_completions(&self) -> Option<u32> {
        let completions = self.job.spec.completions.unwrap_or(0);
        self.job.indexed().then(|| completions.try_into().unwrap_or(0))
    }

    /// How many pods may run at a time.
    pub(crate) fn parallelism(&self) -> usize {
        self.job.spec.parallelism.unwrap_or(1).try_into().unwrap_or(0)
    }

    /// A Kubernetes Event about the Job.
    pub(crate) fn notice(&self, warning: bool, reason: &str, message: &str) -> Notice {
        notice(self.job, warning, reason, message)
    }
}

/// A Kubernetes Event about a Job.
pub(crate) fn notice(job: &Job, warning: bool, reason: &str, message: &str) -> Notice {
    let metadata = &job.metadata;
    let regarding =
        Regarding { kind: api::Kind::Job, namespace: metadata.namespace.clone(), name: metadata.name.clone(), uid: metadata.uid.clone() };
    Notice { regarding, warning, reason: reason.to_owned(), message: message.to_owned() }
}

/// Whether the Job's completion mode is one that exists (J-44).
pub(crate) fn known_completion_mode(job: &Job) -> bool {
    job.spec.completion_mode.as_deref().is_none_or(|mode| mode == INDEXED || mode == api::job::NON_INDEXED)
}
