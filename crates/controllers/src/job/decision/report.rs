//! The outcomes of a plan's requests.
//!
//! Docs: Jobs, "Handling Pod and container failures" (J-03, J-140…J-148).

use api::Text;
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// Outcomes that people want to know of.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum OutcomeReport {
    /// A pod was created.
    PodCreated {
        /// The pod.
        pod: Text,
        /// Its completion index.
        index: Option<u32>,
    },
    /// A pod is being deleted.
    PodDeleted {
        /// The pod.
        pod: Text,
    },
    /// The Job was written as finished.
    JobFinished {
        /// The condition.
        condition: &'static str,
    },
    /// The Job was reported as suspended or resumed.
    SuspensionReported {
        /// The reason of the Event.
        reason: String,
    },
    /// Pods cannot be created, because the namespace is being deleted.
    NamespaceTerminating,
}

impl Topic for OutcomeReport {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::PodCreated { pod, index } => words("Created pod {pod}").pod(pod).with("index", *index),
            Self::PodDeleted { pod } => words("Pod {pod} is being deleted").pod(pod),
            Self::JobFinished { condition } => words("The API server stored the Job as {condition}").with("condition", *condition),
            Self::SuspensionReported { reason } => words("Recorded the Event {reason}").with("reason", reason.as_str()),
            Self::NamespaceTerminating => words("Not creating pods: the namespace is being deleted"),
        }
    }

    fn source(&self) -> Source {
        match self {
            Self::PodCreated { .. } => Source::routine("Running an example Job", "J-140", &[]),
            Self::PodDeleted { .. } => Source::routine("Termination of Job pods", "J-142", &[]),
            Self::JobFinished { .. } => Source::routine("Terminal Job conditions", "J-146", &[]),
            Self::SuspensionReported { .. } => Source::routine("Suspending a Job", "J-144", &["spec.suspend"]),
            Self::NamespaceTerminating => Source::wait("Handling Pod and container failures", "J-88", &[]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
