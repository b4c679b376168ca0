//! What the queues hold: Jobs, and pods whose finalizer may be left over.
//!
//! Docs: spec/job.md §1, §13. At the border an item is a `contract::Key`.

use api::selector::LabelSelector;
use api::{ObjectMeta, Text};

/// The queue of Jobs, as metrics name it.
pub(crate) const JOBS: &str = "job";
/// The queue of pods that may hold a finalizer, as metrics name it.
pub(crate) const ORPHANS: &str = "job_orphan_pod";

/// A Job's namespace and name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct JobKey {
    pub(crate) namespace: Text,
    pub(crate) name: Text,
}

impl JobKey {
    /// The key of the Job with this metadata.
    pub(crate) fn of(metadata: &ObjectMeta) -> Self {
        Self { namespace: metadata.namespace.clone(), name: metadata.name.clone() }
    }

    pub(crate) fn told(&self) -> contract::Key {
        told(JOBS, &self.namespace, &self.name)
    }
}

/// Something to be looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Item {
    /// A Job.
    Job(JobKey),
    /// A pod that may hold a finalizer that nobody else takes away (J-135).
    Pod { namespace: Text, name: Text },
    /// All pods that a Job's selector selected, for the same reason.
    Selected { job: JobKey, selector: LabelSelector },
}

impl Item {
    pub(crate) fn told(&self) -> contract::Key {
        match self {
            Self::Job(job) => job.told(),
            Self::Pod { namespace, name } => told(ORPHANS, namespace, name),
            Self::Selected { job, .. } => told(ORPHANS, &job.namespace, &job.name),
        }
    }
}

fn told(queue: &str, namespace: &Text, name: &Text) -> contract::Key {
    contract::Key { queue: queue.into(), namespace: namespace.clone(), name: name.clone() }
}
