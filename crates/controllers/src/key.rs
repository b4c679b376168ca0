//! What the queues hold: Jobs, and pods whose finalizer may be left over.
//!
//! Docs: spec/job.md §1, §13. At the border a key is a `contract::Key`.

use api::selector::LabelSelector;
use api::{ObjectMeta, Text};

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
        contract::Key { queue: "job".into(), namespace: self.namespace.clone(), name: self.name.clone() }
    }
}

/// Pods to be looked at for a finalizer that nobody else takes away (J-135).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OrphanKey {
    /// One pod.
    Pod { namespace: Text, name: Text },
    /// All pods that a Job's selector selected.
    Selected { namespace: Text, job: Text, selector: LabelSelector },
}

impl OrphanKey {
    pub(crate) fn told(&self) -> contract::Key {
        let (namespace, name) = match self {
            Self::Pod { namespace, name } | Self::Selected { namespace, job: name, .. } => (namespace, name),
        };
        contract::Key { queue: "job_orphan_pod".into(), namespace: namespace.clone(), name: name.clone() }
    }
}
