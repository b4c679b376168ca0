//! What became of the requests of a plan.
//!
//! Docs: Jobs, "Handling Pod and container failures" (J-03, J-140…J-148).

use api::time::length;
use api::{Duration, Text};
use serde::Serialize;
use strum::{EnumIter, IntoStaticStr};

use super::{Source, Topic, milliseconds};

/// Outcomes that people want to know of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, IntoStaticStr, EnumIter)]
#[serde(rename_all_fields = "camelCase")]
pub enum Report {
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
    /// Pods cannot be created, because the namespace is being deleted.
    NamespaceTerminating,
    /// A request failed: what it was for is tried again.
    RequestFailed {
        /// What the request was for.
        what: &'static str,
        /// The API server's words.
        error: String,
        /// After how long it is tried again.
        #[serde(serialize_with = "milliseconds")]
        retry: Duration,
    },
}

impl Topic for Report {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn sentence(&self) -> String {
        match self {
            Self::PodCreated { pod, .. } => format!("Pod {pod} is created"),
            Self::PodDeleted { pod } => format!("Pod {pod} is being deleted"),
            Self::JobFinished { condition } => format!("The Job is stored as {condition}"),
            Self::NamespaceTerminating => "No pods can be created: the namespace is being deleted".to_owned(),
            Self::RequestFailed { what, error, retry } => format!("Tries again in {}: {what} failed: {error}", length(*retry)),
        }
    }

    fn source(&self) -> Source {
        const FAILURES: &str = "Handling Pod and container failures";
        match self {
            Self::PodCreated { .. } => Source::new(true, "Running an example Job", "J-140", &[]),
            Self::PodDeleted { .. } => Source::new(true, "Termination of Job pods", "J-142", &[]),
            Self::JobFinished { .. } => Source::new(true, "Terminal Job conditions", "J-146", &[]),
            Self::NamespaceTerminating => Source::new(false, FAILURES, "J-88", &[]),
            Self::RequestFailed { .. } => Source::new(false, FAILURES, "J-03", &[]),
        }
    }
}
