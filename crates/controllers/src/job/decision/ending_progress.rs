//! How far a Job that ends is on its way.
//!
//! Docs: Jobs, "Terminal Job conditions", "Termination of Job pods" (J-46a, J-47, J-127). Why it ends is in `ending.rs`.

use api::Text;
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// What is done, and waited for, before a Job has its last condition.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum EndingProgress {
    /// An earlier sync found that the Job ends; that is final.
    StaysOnItsWay {
        /// The interim condition.
        condition: Text,
        /// Its reason.
        reason: Text,
    },
    /// Active pods of a Job that ends are deleted.
    EndsPods {
        /// How many.
        pods: usize,
    },
    /// The Job ends once its pods have ended.
    WaitsForPodsToEnd {
        /// The condition that it is to get.
        condition: &'static str,
        /// How many pods are being deleted.
        terminating: i32,
        /// How many pods are on their way into the counters.
        uncounted: usize,
    },
    /// The Job has succeeded while it was suspended and cannot end before it is resumed.
    WaitsForResumption,
    /// The Job gets its last condition.
    Finishes {
        /// The condition.
        condition: &'static str,
        /// Its reason.
        reason: Text,
    },
}

impl Topic for EndingProgress {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::StaysOnItsWay { condition, reason } => words("The Job is ending: it already has the condition {condition} ({reason})")
                .with("condition", &**condition)
                .with("reason", &**reason),
            Self::EndsPods { pods } => words("Deleting {pods:active pod}: the Job is ending").with("pods", *pods),
            Self::WaitsForPodsToEnd { condition, terminating, uncounted } => {
                let template = match (*terminating > 0, *uncounted > 0) {
                    (true, true) => {
                        "Waiting for {terminating:pod} to finish and {uncounted:pod} to be counted before the Job is {condition}"
                    }
                    (true, false) => "Waiting for {terminating:pod} to finish before the Job is {condition}",
                    (false, _) => "Waiting for {uncounted:pod} to be counted before the Job is {condition}",
                };
                words(template).with("condition", *condition).with("terminating", *terminating).with("uncounted", *uncounted)
            }
            Self::WaitsForResumption => {
                words("Waiting for the Job to be resumed: a suspended Job without startTime cannot become Complete")
            }
            Self::Finishes { condition, reason } => {
                words("The Job is {condition} ({reason})").with("condition", *condition).with("reason", &**reason)
            }
        }
    }

    fn source(&self) -> Source {
        const TERMINATION: &str = "Termination of Job pods";
        match self {
            Self::StaysOnItsWay { .. } => Source::wait(TERMINATION, "J-46a", &[]),
            Self::EndsPods { .. } => Source::action(TERMINATION, "J-47", &[]),
            Self::WaitsForPodsToEnd { .. } => Source::wait("Terminal Job conditions", "J-127", &[]),
            Self::WaitsForResumption => Source::wait("Suspending a Job", "J-122", &["spec.suspend"]),
            Self::Finishes { .. } => Source::action("Terminal Job conditions", "J-127", &[]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
