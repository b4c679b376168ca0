//! `jobsmith.dev/start-rate`: how many pods a Job starts in a time.
//!
//! Docs: README, "Beyond Kubernetes". What follows is decided in `controllers`.

use crate::{Duration, Timestamp, time};

use super::part::{AnnotationPart, AnnotationProblem};
use super::values::{length, number};

/// How many pods are created in a time at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartRate {
    /// How many.
    pub pods: u32,
    /// In which time.
    pub within: Duration,
}

/// The most pods.
const MOST_PODS: u32 = 500;
/// The shortest time.
const SHORTEST: Duration = Duration::from_secs(1);
/// The longest time.
const LONGEST: Duration = Duration::from_hours(1);

impl StartRate {
    /// Reads a rate: `10/1m`.
    ///
    /// # Errors
    /// What is wrong.
    pub fn read(value: &str) -> Result<Self, AnnotationProblem> {
        let value = AnnotationPart::whole(value);
        let Some((pods, within)) = value.split_once('/') else {
            return Err(value.problem(format!("`{}` is not a rate", value.text), "write a number of pods and a time, as in `10/1m`"));
        };
        Ok(Self { pods: number(pods, "a number of pods", 1, MOST_PODS)?, within: length(within, "a time", SHORTEST, LONGEST)? })
    }

    /// Whether a pod that was created at a time is one of those that it counts now.
    #[must_use]
    pub fn counts(&self, created_at: Timestamp, now: Timestamp) -> bool {
        time::after(created_at, self.within) > now
    }
}
