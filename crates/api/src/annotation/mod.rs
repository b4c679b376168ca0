//! Annotations that ask for more than Kubernetes has, and how they are read.
//!
//! Docs: README, "Beyond Kubernetes" (X-0…X-20). What follows from them is decided in `controllers`.

mod attempt_env;
mod cron_job;
mod defaults;
mod glob;
mod job;
mod known;
mod on_failure;
mod on_pending;
mod part;
mod pod_change;
mod resumed_at;
mod retry_after;
mod retry_delay;
mod retry_jitter;
mod slips;
mod start_rate;
mod unquoted;
mod values;
#[cfg(test)]
mod vectors;
mod windows;

pub use cron_job::CronJobExtensions;
pub use defaults::check_defaults;
pub use glob::Glob;
pub use job::JobExtensions;
pub use known::{DOMAIN, IGNORE, KNOWN, KnownAnnotation};
pub use on_failure::{FailureAction, FailureMatcher, FailureRule, FailureRules, RetryAfter};
pub use on_pending::{PendingAction, PendingClass, PendingRule, PendingRules};
pub use part::AnnotationProblem;
pub use pod_change::{GrowingResource, GrowthStep, PodChange};
pub use retry_after::retry_after;
pub use retry_delay::RetryDelay;
pub use retry_jitter::RetryJitter;
pub use start_rate::StartRate;
pub use values::Factor;
pub use windows::Windows;

use part::AnnotationPart;

use crate::job::conditions;
use crate::{Duration, Job, ObjectMeta, Text};

/// The controller that acts for a CronJob in place of the built-in one.
pub const MANAGED_BY: &str = "jobsmith.dev/managed-by";
/// Whether a CronJob of another controller is suspended.
pub const SUSPEND: &str = "jobsmith.dev/suspend";
/// The most seconds by which the starts of a CronJob's runs are spread.
pub const SPREAD_SECONDS: &str = "jobsmith.dev/spread-seconds";
/// How often a time counts that the clock shows twice.
pub const DST: &str = "jobsmith.dev/dst";
/// The TTL of a Job that is Complete.
pub const TTL_AFTER_COMPLETE: &str = "jobsmith.dev/ttl-seconds-after-complete";
/// The TTL of a Job that is Failed.
pub const TTL_AFTER_FAILED: &str = "jobsmith.dev/ttl-seconds-after-failed";

/// What follows from failed pods.
pub const ON_FAILURE: &str = "jobsmith.dev/on-failure";
/// What follows from pods that do not start.
pub const ON_PENDING: &str = "jobsmith.dev/on-pending";
/// How long to wait after a failed pod before creating the next one.
pub const RETRY_DELAY: &str = "jobsmith.dev/retry-delay";
/// How much longer that is, drawn for each failed pod.
pub const RETRY_JITTER: &str = "jobsmith.dev/retry-jitter";
/// For how long since its start time a Job replaces failed pods.
pub const RETRY_WITHIN: &str = "jobsmith.dev/retry-within";
/// Whether a Job creates no pods.
pub const HOLD: &str = "jobsmith.dev/hold";
/// The environment variable with the attempt that a pod is.
pub const ATTEMPT_ENV: &str = "jobsmith.dev/attempt-env";
/// How many pods a Job starts in a time.
pub const START_RATE: &str = "jobsmith.dev/start-rate";
/// When runs of a CronJob are skipped.
pub const SKIP_DURING: &str = "jobsmith.dev/skip-during";
/// When runs of a CronJob are delayed.
pub const DELAY_DURING: &str = "jobsmith.dev/delay-during";
/// How many Jobs of a CronJob are active at most.
pub const MAX_ACTIVE: &str = "jobsmith.dev/max-active";
/// After how many failed runs in a row a CronJob starts no more.
pub const PAUSE_AFTER_FAILURES: &str = "jobsmith.dev/pause-after-failures";
/// Up to when failures no longer pause a CronJob, or hold a Job.
pub const RESUMED_AT: &str = "jobsmith.dev/resumed-at";

/// The shortest delay before a retry.
const SHORTEST_DELAY: Duration = Duration::from_secs(1);
/// The longest delay before a retry.
const LONGEST_DELAY: Duration = Duration::from_hours(24);
/// The most rules of an annotation.
const MOST_RULES: usize = 32;
/// The most bytes of an annotation with rules.
const MOST_BYTES: usize = 8192;

/// An annotation whose value means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidAnnotation {
    /// Its key.
    pub key: &'static str,
    /// What is wrong with its value.
    pub wrong: WrongAnnotationValue,
}

/// What is wrong with the value of an annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrongAnnotationValue {
    /// It is something else than it must be.
    NotExpected {
        /// The value.
        value: Text,
        /// What it must be.
        expected: &'static str,
    },
    /// Something is wrong at a place of it.
    Problem(AnnotationProblem),
}

impl std::fmt::Display for InvalidAnnotation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.wrong {
            WrongAnnotationValue::NotExpected { value, expected } => {
                write!(formatter, "annotation {} must be {expected}, not {value:?}", self.key)
            }
            WrongAnnotationValue::Problem(problem) => write!(formatter, "annotation {}, {problem}", self.key),
        }
    }
}

impl ObjectMeta {
    /// What an annotation asks for; `None` if it is not there.
    fn annotation<T>(
        &self,
        key: &'static str,
        expected: &'static str,
        value_of: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, InvalidAnnotation> {
        let Some(value) = self.annotations.get(key) else { return Ok(None) };
        let wrong = || WrongAnnotationValue::NotExpected { value: value.clone(), expected };
        value_of(value).map(Some).ok_or_else(|| InvalidAnnotation { key, wrong: wrong() })
    }

    /// What an annotation asks for that has a grammar of its own; `None` if it is not there.
    fn parsed_annotation<T>(
        &self,
        key: &'static str,
        read: impl Fn(&str) -> Result<T, AnnotationProblem>,
    ) -> Result<Option<T>, InvalidAnnotation> {
        let read = self.annotations.get(key).map(|value| read(value));
        read.transpose().map_err(|problem| InvalidAnnotation { key, wrong: WrongAnnotationValue::Problem(problem) })
    }
}

impl Job {
    /// How long it is kept after it has finished with a condition of this type, and by which annotation unless by its spec, which comes first.
    ///
    /// # Errors
    /// If the annotation is not a number of seconds.
    pub fn time_to_live(&self, condition: &str) -> Result<Option<(Option<&'static str>, Duration)>, InvalidAnnotation> {
        if let Some(seconds) = self.spec.ttl_seconds_after_finished {
            return Ok(Some((None, Duration::from_secs(seconds.into()))));
        }
        let key = if condition == conditions::COMPLETE { TTL_AFTER_COMPLETE } else { TTL_AFTER_FAILED };
        let seconds = |value: &str| value.parse::<u32>().ok().map(|seconds| (Some(key), Duration::from_secs(seconds.into())));
        self.metadata.annotation(key, "a number of seconds", seconds)
    }
}

/// Reads the rules of an annotation, one a line.
fn rules<T>(value: &str, rule: impl Fn(AnnotationPart<'_>) -> Result<T, AnnotationProblem>) -> Result<Vec<T>, AnnotationProblem> {
    if value.len() > MOST_BYTES {
        return Err(AnnotationPart::whole(value).problem(format!("the rules are longer than {MOST_BYTES} bytes"), "remove some"));
    }
    let lines: Vec<AnnotationPart<'_>> = AnnotationPart::lines(value).collect();
    match lines.get(MOST_RULES) {
        Some(line) => Err(line.problem(format!("there are more than {MOST_RULES} rules"), "remove some")),
        None if lines.is_empty() => {
            Err(AnnotationPart::whole(value).problem("a rule is missing", "write one per line, or remove the annotation"))
        }
        None => lines.into_iter().map(|line| line.closed().and_then(&rule)).collect(),
    }
}
