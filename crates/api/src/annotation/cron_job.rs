//! What a CronJob asks for beyond its spec, all of it.
//!
//! Docs: README, "Beyond Kubernetes" (X-1…X-4, X-17…X-20). What follows is decided in `controllers`.

use crate::cron_job::concurrency_policy;
use crate::json::{self, Read};
use crate::{CronJob, CronJobSpec, Duration, Text, Timestamp};

use super::part::AnnotationPart;
use super::resumed_at::resumed_at;
use super::values::{hash, number};
use super::{AnnotationProblem, InvalidAnnotation, Windows};
use super::{
    DELAY_DURING, DST, MANAGED_BY, MAX_ACTIVE, PAUSE_AFTER_FAILURES, RESUMED_AT, SKIP_DURING, SPREAD_SECONDS, SUSPEND, TTL_AFTER_FAILED,
};

/// What a CronJob asks for beyond its spec of any controller that manages it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CronJobExtensions {
    /// How long after its scheduled time each run starts (X-3).
    pub spread: Duration,
    /// Whether a time counts once that the clock shows twice (X-4).
    pub each_time_once: bool,
    /// When runs are skipped, by their scheduled times (X-17).
    pub skip_during: Option<Windows>,
    /// When runs are delayed to the end (X-18).
    pub delay_during: Option<Windows>,
    /// How many Jobs are active at most (X-19).
    pub max_active: Option<u32>,
    /// How many failed runs in a row pause the CronJob (X-20).
    pub pause_after_failures: Option<u32>,
    /// Failures up to this time do not count (X-20).
    pub resumed_at: Option<Timestamp>,
}

/// The longest spread: a day.
const LONGEST_SPREAD: i64 = 86_400;
/// The most Jobs that can be asked for at a time.
const MOST_ACTIVE: u32 = 1000;
/// The most failed runs that can be asked for.
const MOST_FAILURES: u32 = 20;

/// What the template of a CronJob's Jobs says about their deletion.
#[derive(Debug, Default, Read)]
struct TemplateTtl {
    ttl_seconds_after_finished: Option<i64>,
}

impl CronJob {
    /// What it asks for beyond its spec.
    ///
    /// # Errors
    /// The first annotation that means nothing.
    pub fn extensions(&self) -> Result<CronJobExtensions, InvalidAnnotation> {
        let metadata = &self.metadata;
        Ok(CronJobExtensions {
            each_time_once: metadata.annotation(DST, "once", |value| (value == "once").then_some(()))?.is_some(),
            spread: self.spread()?,
            skip_during: metadata.parsed_annotation(SKIP_DURING, Windows::read)?,
            delay_during: metadata.parsed_annotation(DELAY_DURING, Windows::read)?,
            max_active: metadata.parsed_annotation(MAX_ACTIVE, |value| max_active(value, &self.spec))?,
            pause_after_failures: metadata.parsed_annotation(PAUSE_AFTER_FAILURES, |value| pause_after_failures(value, &self.spec))?,
            resumed_at: metadata.parsed_annotation(RESUMED_AT, resumed_at)?,
        })
    }

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
    fn spread(&self) -> Result<Duration, InvalidAnnotation> {
        let most = self.longest_spread()?.as_secs();
        Ok(Duration::from_secs(i64::from(hash(&self.metadata.uid)) % (most + 1)))
    }
}

/// Reads how many Jobs are active at most: `3`.
pub(super) fn max_active(value: &str, spec: &CronJobSpec) -> Result<u32, AnnotationProblem> {
    let value = AnnotationPart::whole(value);
    let most = number(value, "a number of Jobs", 1, MOST_ACTIVE)?;
    match &*spec.concurrency_policy {
        policy @ (concurrency_policy::FORBID | concurrency_policy::REPLACE) => Err(value.problem(
            format!("`{most}` Jobs cannot be active while spec.concurrencyPolicy is {policy}"),
            "set spec.concurrencyPolicy to Allow, or remove the annotation",
        )),
        _ => Ok(most),
    }
}

/// Reads after how many failed runs no more are started: `3`. The Jobs of that many must be kept, as nothing else remembers them.
pub(super) fn pause_after_failures(value: &str, spec: &CronJobSpec) -> Result<u32, AnnotationProblem> {
    let value = AnnotationPart::whole(value);
    let failures = number(value, "a number of runs", 1, MOST_FAILURES)?;
    let count = if failures == 1 { "`1` failed Job".to_owned() } else { format!("`{failures}` failed Jobs") };
    if let Some(limit) = spec.failed_jobs_history_limit.filter(|limit| i64::from(*limit) < i64::from(failures)) {
        let message = format!("{count} must be kept to count them, and spec.failedJobsHistoryLimit keeps {limit}");
        return Err(value.problem(message, format!("set spec.failedJobsHistoryLimit to {failures} or more")));
    }
    let template = &spec.job_template;
    let ttl = json::from_str::<TemplateTtl>(template.spec.json()).unwrap_or_default().ttl_seconds_after_finished;
    let (deletes, name) = match ttl {
        Some(_) => ("spec.jobTemplate.spec.ttlSecondsAfterFinished", "ttlSecondsAfterFinished"),
        None if template.metadata.annotations.contains_key(TTL_AFTER_FAILED) => {
            ("the annotation jobsmith.dev/ttl-seconds-after-failed of spec.jobTemplate", TTL_AFTER_FAILED)
        }
        None => return Ok(failures),
    };
    let remedy = format!("remove {name}: spec.failedJobsHistoryLimit deletes Jobs as well");
    Err(value.problem(format!("{count} must be kept to count them, and {deletes} deletes them"), remedy))
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
        let once = |annotations| cron_job("a", annotations).extensions().map(|asked| asked.each_time_once);
        assert_eq!(once(&[]), Ok(false));
        assert_eq!(once(&[(DST, "once")]), Ok(true));
        let refused = once(&[(DST, "Once")]).unwrap_err();
        assert_eq!(refused.to_string(), r#"annotation jobsmith.dev/dst must be once, not "Once""#);
    }
}
