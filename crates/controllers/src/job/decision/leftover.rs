//! What happens to a finalizer that is left over.
//!
//! Docs: Jobs, "Job tracking with finalizers" (J-135…J-137).

use api::Text;
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// What happens to a pod that may have lost its Job.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum Leftover {
    /// The finalizer is taken away.
    FreesPod {
        /// The pod.
        pod: Text,
        /// Why nobody else removes it, as part of a sentence.
        because: &'static str,
    },
    /// The pod is left alone.
    LeavesPod {
        /// The pod.
        pod: Text,
        /// Why, as part of a sentence.
        because: &'static str,
    },
}

impl Topic for Leftover {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::FreesPod { pod, because } => {
                words("Removing the tracking finalizer from pod {pod}: {because}").pod(pod).with("because", *because)
            }
            Self::LeavesPod { pod, because } => words("Leaving pod {pod} alone: {because}").pod(pod).with("because", *because),
        }
    }

    fn source(&self) -> Source {
        const TRACKING: &str = "Job tracking with finalizers";
        match self {
            Self::FreesPod { .. } => Source::action(TRACKING, "J-136", &[]),
            Self::LeavesPod { .. } => Source::wait(TRACKING, "J-136", &[]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
