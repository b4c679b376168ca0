//! Annotations that ask for more than Kubernetes has, and how they are read.
//!
//! Docs: README, "Beyond Kubernetes" (X-1…X-5). What follows from them is decided in `controllers`.

mod attempt_env;
mod defaults;
mod glob;
mod job;
mod on_failure;
mod on_pending;
mod part;
mod retry_delay;
mod retry_jitter;
mod start_rate;
mod values;
#[cfg(test)]
mod vectors;
mod windows;

pub use defaults::check_defaults;
pub use glob::Glob;
pub use job::JobExtensions;
pub use on_failure::{FailureAction, FailureMatcher, FailureRule, FailureRules, GrowingResource, GrowthStep, PodChange, RetryAfter};
pub use on_pending::{PendingAction, PendingClass, PendingRule, PendingRules};
pub use part::AnnotationProblem;
pub use retry_delay::RetryDelay;
pub use retry_jitter::RetryJitter;
pub use start_rate::StartRate;
pub use values::Factor;
pub use windows::Windows;

use part::Part;

use crate::job::conditions;
use crate::{CronJob, Duration, Job, ObjectMeta, Text};

/// The controller that acts for a CronJob in place of the built-in one (X-1).
pub const MANAGED_BY: &str = "jobsmith.dev/managed-by";
/// Whether a CronJob of another controller is suspended (X-2).
pub const SUSPEND: &str = "jobsmith.dev/suspend";
/// The most seconds by which the starts of a CronJob's runs are spread (X-3).
pub const SPREAD_SECONDS: &str = "jobsmith.dev/spread-seconds";
/// How often a time counts that the clock shows twice (X-4).
pub const DST: &str = "jobsmith.dev/dst";
/// The TTL of a Job that is Complete (X-5).
pub const TTL_AFTER_COMPLETE: &str = "jobsmith.dev/ttl-seconds-after-complete";
/// The TTL of a Job that is Failed (X-5).
pub const TTL_AFTER_FAILED: &str = "jobsmith.dev/ttl-seconds-after-failed";

/// What follows from failed pods (X-6).
pub const ON_FAILURE: &str = "jobsmith.dev/on-failure";
/// What follows from pods that do not start (X-7).
pub const ON_PENDING: &str = "jobsmith.dev/on-pending";
/// How long a failed pod is waited for before the next one (X-8).
pub const RETRY_DELAY: &str = "jobsmith.dev/retry-delay";
/// How much longer that is, drawn for each failed pod (X-9).
pub const RETRY_JITTER: &str = "jobsmith.dev/retry-jitter";
/// For how long since its start time a Job replaces failed pods (X-10).
pub const RETRY_WITHIN: &str = "jobsmith.dev/retry-within";
/// Whether a Job creates no pods (X-13).
pub const HOLD: &str = "jobsmith.dev/hold";
/// The environment variable with the attempt that a pod is (X-11).
pub const ATTEMPT_ENV: &str = "jobsmith.dev/attempt-env";
/// The attempt that a pod is, from 1 (X-11).
pub const ATTEMPT: &str = "jobsmith.dev/attempt";
/// How many pods a Job starts in a time (X-12).
pub const START_RATE: &str = "jobsmith.dev/start-rate";

/// The shortest delay before a retry.
const SHORTEST_DELAY: Duration = Duration::from_secs(1);
/// The longest delay before a retry.
const LONGEST_DELAY: Duration = Duration::from_hours(24);
/// The most rules of an annotation.
const MOST_RULES: usize = 32;
/// The most bytes of an annotation with rules.
const MOST_BYTES: usize = 8192;

/// The longest spread: a day.
const LONGEST_SPREAD: i64 = 86_400;

/// An annotation whose value means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidAnnotation {
    /// Its key.
    pub key: &'static str,
    /// What is wrong with its value.
    pub wrong: WrongValue,
}

/// What is wrong with the value of an annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrongValue {
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
            WrongValue::NotExpected { value, expected } => write!(formatter, "annotation {} must be {expected}, not {value:?}", self.key),
            WrongValue::Problem(problem) => write!(formatter, "annotation {}, {problem}", self.key),
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
        let wrong = || WrongValue::NotExpected { value: value.clone(), expected };
        value_of(value).map(Some).ok_or_else(|| InvalidAnnotation { key, wrong: wrong() })
    }

    /// What an annotation asks for that has a grammar of its own; `None` if it is not there.
    fn parsed_annotation<T>(
        &self,
        key: &'static str,
        read: impl Fn(&str) -> Result<T, AnnotationProblem>,
    ) -> Result<Option<T>, InvalidAnnotation> {
        let read = self.annotations.get(key).map(|value| read(value));
        read.transpose().map_err(|problem| InvalidAnnotation { key, wrong: WrongValue::Problem(problem) })
    }
}

impl CronJob {
    /// The controller that acts for it in place of the built-in one, if it names one (X-1).
    #[must_use]
    pub fn managed_by(&self) -> Option<&Text> {
        self.metadata.annotations.get(MANAGED_BY)
    }

    /// Whether that controller starts no Jobs for now (X-2).
    ///
    /// # Errors
    /// If the annotation is neither true nor false.
    pub fn suspended_by_annotation(&self) -> Result<bool, InvalidAnnotation> {
        Ok(self.metadata.annotation(SUSPEND, "true or false", |value| value.parse().ok())?.unwrap_or(false))
    }

    /// How long after its scheduled time a run starts at most (X-3).
    ///
    /// # Errors
    /// If the annotation is not a number of seconds from 0 to 86400.
    pub fn longest_spread(&self) -> Result<Duration, InvalidAnnotation> {
        let seconds = |value: &str| value.parse().ok().filter(|seconds| (0..=LONGEST_SPREAD).contains(seconds));
        let most = self.metadata.annotation(SPREAD_SECONDS, "a number of seconds, from 0 to 86400", seconds)?;
        Ok(Duration::from_secs(most.unwrap_or(0)))
    }

    /// How long after its scheduled time each run starts: a whole number of seconds that follows from the UID (X-3).
    ///
    /// # Errors
    /// If the annotation is not a number of seconds from 0 to 86400.
    pub fn spread(&self) -> Result<Duration, InvalidAnnotation> {
        let most = self.longest_spread()?.as_secs();
        Ok(Duration::from_secs(i64::from(hash(&self.metadata.uid)) % (most + 1)))
    }

    /// Whether a time counts once that the clock shows twice (X-4).
    ///
    /// # Errors
    /// If the annotation is anything but `once`.
    pub fn each_time_once(&self) -> Result<bool, InvalidAnnotation> {
        Ok(self.metadata.annotation(DST, "once", |value| (value == "once").then_some(()))?.is_some())
    }
}

impl Job {
    /// How long it is kept after it has finished with a condition of this type, and by which annotation unless by its spec, which comes first (X-5).
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
fn rules<T>(value: &str, rule: impl Fn(Part<'_>) -> Result<T, AnnotationProblem>) -> Result<Vec<T>, AnnotationProblem> {
    if value.len() > MOST_BYTES {
        return Err(Part::whole(value).problem(format!("the rules have more than {MOST_BYTES} bytes"), "leave out some"));
    }
    let lines: Vec<Part<'_>> = Part::lines(value).collect();
    match lines.get(MOST_RULES) {
        Some(line) => Err(line.problem(format!("there are more than {MOST_RULES} rules"), "leave out some")),
        None if lines.is_empty() => Err(Part::whole(value).problem("there is no rule", "write one a line, or remove the annotation")),
        None => lines.into_iter().map(|line| line.closed().and_then(&rule)).collect(),
    }
}

/// A number that a text always has (FNV-1a).
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cron_job(uid: &str, annotations: &[(&str, &str)]) -> CronJob {
        let mut cron_job = CronJob::default();
        cron_job.metadata.uid = uid.into();
        cron_job.metadata.annotations = annotations.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        cron_job
    }

    #[test]
    fn starts_are_spread_evenly_and_always_alike() {
        let spread = |uid: &str, most: &str| cron_job(uid, &[(SPREAD_SECONDS, most)]).spread().map(|spread| spread.as_secs());
        assert_eq!(cron_job("a", &[]).spread(), Ok(Duration::ZERO));
        assert_eq!(spread("a", "0"), Ok(0));
        assert_eq!(spread("a", "300"), spread("a", "300"));
        let offsets: Vec<i64> = (0..3010).map(|number| spread(&format!("uid-{number}"), "300").unwrap()).collect();
        assert!(offsets.iter().all(|offset| (0..=300).contains(offset)));
        let early = offsets.iter().filter(|offset| **offset <= 150).count();
        assert!((1300..=1700).contains(&early), "{early} of 3010 are in the first half");
        for wrong in ["", "-1", "1.5", "5m", "86401", " 3"] {
            let refused = spread("a", wrong).unwrap_err().to_string();
            assert_eq!(
                refused,
                format!("annotation jobsmith.dev/spread-seconds must be a number of seconds, from 0 to 86400, not {wrong:?}")
            );
        }
    }

    #[test]
    fn a_time_counts_once_only_if_the_annotation_says_so() {
        assert_eq!(cron_job("a", &[]).each_time_once(), Ok(false));
        assert_eq!(cron_job("a", &[(DST, "once")]).each_time_once(), Ok(true));
        let refused = cron_job("a", &[(DST, "Once")]).each_time_once().unwrap_err();
        assert_eq!(refused.to_string(), r#"annotation jobsmith.dev/dst must be once, not "Once""#);
    }
}
