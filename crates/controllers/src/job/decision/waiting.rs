//! What is waited for, and until when.
//!
//! Docs: Jobs, "Pod backoff failure policy", "Backoff limit per index", "Job termination and cleanup" (J-84…J-86, J-94, J-112).

use api::time::{length, text};
use api::{Duration, Timestamp};
use serde::Serialize;
use strum::{EnumIter, IntoStaticStr};

use super::{Source, Topic, count, milliseconds, time};

/// Delays and deadlines that lie ahead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, IntoStaticStr, EnumIter)]
#[serde(rename_all_fields = "camelCase")]
pub enum Waiting {
    /// Failed pods are not replaced yet.
    BacksOff {
        /// How many pods failed since one succeeded.
        failures: u32,
        /// The delay that follows.
        #[serde(serialize_with = "milliseconds")]
        delay: Duration,
        /// When the last of them failed.
        #[serde(serialize_with = "time")]
        since: Timestamp,
        /// When the delay ends.
        #[serde(serialize_with = "time")]
        until: Timestamp,
        /// What is left of it.
        #[serde(serialize_with = "milliseconds")]
        left: Duration,
    },
    /// A failed pod of an index is not replaced yet, and no other index can start.
    BacksOffIndex {
        /// The index that is ready first.
        index: u32,
        /// How often it failed.
        failures: u32,
        /// The delay that follows.
        #[serde(serialize_with = "milliseconds")]
        delay: Duration,
        /// When its last pod failed.
        #[serde(serialize_with = "time")]
        since: Timestamp,
        /// When the delay ends.
        #[serde(serialize_with = "time")]
        until: Timestamp,
        /// What is left of it.
        #[serde(serialize_with = "milliseconds")]
        left: Duration,
    },
    /// The Job has a deadline.
    DeadlineAhead {
        /// The deadline.
        #[serde(serialize_with = "milliseconds")]
        deadline: Duration,
        /// When it is reached.
        #[serde(serialize_with = "time")]
        until: Timestamp,
        /// What is left of it.
        #[serde(serialize_with = "milliseconds")]
        left: Duration,
    },
    /// A request failed, and what it was for is not tried again yet.
    RetryAhead {
        /// What is left alone until then.
        what: &'static str,
        /// How often in a row it failed.
        failures: u32,
        /// When it is tried again.
        #[serde(serialize_with = "time")]
        until: Timestamp,
    },
}

impl Topic for Waiting {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn sentence(&self) -> String {
        match self {
            Self::BacksOff { failures, delay, since, left, .. } => format!(
                "Waits for back-off: {} since a pod last succeeded, so {} from {}; {} left",
                count(*failures, "failure"),
                length(*delay),
                text(*since),
                length(*left)
            ),
            Self::BacksOffIndex { index, failures, delay, since, left, .. } => format!(
                "Waits for back-off: {} of index {index}, so {} from {}; {} left",
                count(*failures, "failure"),
                length(*delay),
                text(*since),
                length(*left)
            ),
            Self::DeadlineAhead { deadline, left, .. } => {
                format!("The Job may be active for {}; {} left", length(*deadline), length(*left))
            }
            Self::RetryAhead { what, failures, until } => {
                format!("Leaves alone what failed ({what}) until {}, after {}", text(*until), count(*failures, "failure"))
            }
        }
    }

    fn source(&self) -> Source {
        match self {
            Self::BacksOff { .. } => Source::new(false, "Pod backoff failure policy", "J-84", &["spec.backoffLimit"]),
            Self::BacksOffIndex { .. } => Source::new(false, "Backoff limit per index", "J-112", &["spec.backoffLimitPerIndex"]),
            Self::DeadlineAhead { .. } => Source::new(false, "Job termination and cleanup", "J-85", &["spec.activeDeadlineSeconds"]),
            Self::RetryAhead { .. } => Source::new(false, "Handling Pod and container failures", "J-03", &[]),
        }
    }
}
