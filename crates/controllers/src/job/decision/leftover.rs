//! What happens to a finalizer that is left over.
//!
//! Docs: Jobs, "Job tracking with finalizers" (J-135…J-137).

use api::Text;
use serde::Serialize;
use strum::{EnumIter, IntoStaticStr};

use super::{Source, Topic};

/// What becomes of a pod that may have lost its Job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, IntoStaticStr, EnumIter)]
#[serde(rename_all_fields = "camelCase")]
pub enum Leftover {
    /// The finalizer is taken away.
    FreesPod {
        /// The pod.
        pod: Text,
        /// Why nobody else takes it away, as part of a sentence.
        because: &'static str,
    },
    /// The pod is left alone.
    LeavesPod {
        /// The pod.
        pod: Text,
        /// Why, as part of a sentence.
        because: &'static str,
    },
    /// No pod has a finalizer that is left over.
    NothingLeftOver,
}

impl Topic for Leftover {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn sentence(&self) -> String {
        match self {
            Self::FreesPod { pod, because } => format!("Takes the tracking finalizer from pod {pod}: {because}"),
            Self::LeavesPod { pod, because } => format!("Leaves pod {pod} alone: {because}"),
            Self::NothingLeftOver => "No pod holds a tracking finalizer that is left over".to_owned(),
        }
    }

    fn source(&self) -> Source {
        let acts = matches!(self, Self::FreesPod { .. });
        Source::new(acts, "Job tracking with finalizers", "J-136", &[])
    }
}
