//! What a Job asks for beyond its spec, all of it.
//!
//! Docs: README, "Beyond Kubernetes" (X-6…X-13). What follows is decided in `controllers`.

use crate::meta::Labels;
use crate::{Duration, Job, Text, Timestamp, time};

use super::attempt_env::attempt_env;
use super::defaults::over_defaults;
use super::part::AnnotationPart;
use super::resumed_at::resumed_at;
use super::values::length;
use super::{ATTEMPT_ENV, RETRY_JITTER};
use super::{AnnotationProblem, FailureRules, InvalidAnnotation, PendingRules, RetryDelay, RetryJitter, StartRate};
use super::{HOLD, ON_FAILURE, ON_PENDING, RESUMED_AT, RETRY_DELAY, RETRY_WITHIN, START_RATE};

/// What a Job asks for beyond its spec.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobExtensions {
    /// What follows from failed pods.
    pub on_failure: Option<FailureRules>,
    /// What follows from pods that do not start.
    pub on_pending: Option<PendingRules>,
    /// How long failed pods are waited for.
    pub retry_delay: Option<RetryDelay>,
    /// How much longer that is.
    pub retry_jitter: Option<RetryJitter>,
    /// For how long since the start time a failed pod is replaced.
    pub retry_within: Option<Duration>,
    /// The environment variable with the attempt that a pod is.
    pub attempt_env: Option<Text>,
    /// How many pods are created in a time.
    pub start_rate: Option<StartRate>,
    /// Whether no pods are created.
    pub hold: bool,
    /// Up to when failures hold it no longer.
    pub resumed_at: Option<Timestamp>,
}

/// The shortest time for which failed pods are replaced.
const SHORTEST: Duration = Duration::from_secs(1);
/// The longest time for which failed pods are replaced: a year.
const LONGEST: Duration = Duration::from_hours(8760);

impl Job {
    /// What it asks for beyond its spec.
    ///
    /// # Errors
    /// The first annotation that means nothing.
    pub fn extensions(&self) -> Result<JobExtensions, InvalidAnnotation> {
        self.extensions_over(&Labels::new())
    }

    /// What it asks for beyond its spec, where all Jobs have these annotations that do not have them themselves.
    ///
    /// # Errors
    /// The first annotation that means nothing.
    pub fn extensions_over(&self, defaults: &Labels) -> Result<JobExtensions, InvalidAnnotation> {
        let (extensions, invalid) = self.valid_extensions(defaults);
        invalid.map_or(Ok(extensions), Err)
    }

    /// What it asks for in those annotations that mean something, and the first that means nothing; defaults as in [`extensions_over`](Self::extensions_over).
    #[must_use]
    pub fn valid_extensions(&self, defaults: &Labels) -> (JobExtensions, Option<InvalidAnnotation>) {
        let metadata = &*over_defaults(&self.metadata, defaults);
        let mut invalid = None;
        let extensions = JobExtensions {
            on_failure: valid(metadata.parsed_annotation(ON_FAILURE, FailureRules::read), &mut invalid),
            on_pending: valid(metadata.parsed_annotation(ON_PENDING, PendingRules::read), &mut invalid),
            retry_delay: valid(metadata.parsed_annotation(RETRY_DELAY, RetryDelay::read), &mut invalid),
            retry_jitter: valid(metadata.parsed_annotation(RETRY_JITTER, RetryJitter::read), &mut invalid),
            retry_within: valid(metadata.parsed_annotation(RETRY_WITHIN, retry_within), &mut invalid),
            attempt_env: valid(metadata.parsed_annotation(ATTEMPT_ENV, attempt_env), &mut invalid),
            start_rate: valid(metadata.parsed_annotation(START_RATE, StartRate::read), &mut invalid),
            hold: valid(metadata.annotation(HOLD, "true or false", |value| value.parse().ok()), &mut invalid).unwrap_or(false),
            resumed_at: valid(metadata.parsed_annotation(RESUMED_AT, resumed_at), &mut invalid),
        };
        (extensions, invalid)
    }
}

impl JobExtensions {
    /// Whether its pods carry which attempt they are, for what it asks about failures (X-6…X-11).
    #[must_use]
    pub fn numbers_attempts(&self) -> bool {
        let delays = self.retry_delay.is_some() || self.retry_jitter.is_some() || self.retry_within.is_some();
        self.on_failure.is_some() || self.on_pending.is_some() || delays || self.attempt_env.is_some()
    }

    /// When failed pods are replaced no longer, of a Job with this start time.
    #[must_use]
    pub fn retries_end(&self, start_time: Option<Timestamp>) -> Option<Timestamp> {
        Some(time::after(start_time?, self.retry_within?))
    }
}

/// What an annotation asks for; one that means nothing is noted, unless another one was before it.
fn valid<T>(read: Result<Option<T>, InvalidAnnotation>, invalid: &mut Option<InvalidAnnotation>) -> Option<T> {
    read.unwrap_or_else(|wrong| {
        invalid.get_or_insert(wrong);
        None
    })
}

/// Reads for how long failed pods are replaced: `2h`.
pub(super) fn retry_within(value: &str) -> Result<Duration, AnnotationProblem> {
    length(AnnotationPart::whole(value), "a time", SHORTEST, LONGEST)
}
