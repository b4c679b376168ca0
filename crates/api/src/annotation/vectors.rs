//! Values of annotations, and what is read of each or wrong with it: a value a line, as JSON writes texts, and the outcome below it.
//!
//! Docs: README, "Beyond Kubernetes". The files are in the folder `vectors` beside this one.

use std::fmt::Debug;

use expect_test::{Expect, ExpectFile, expect, expect_file};

use super::cron_job::{max_active, pause_after_failures};
use super::resumed_at::resumed_at;
use super::*;
use crate::{CronJobSpec, json};

/// Reads all values of a file, and holds what comes of them against it.
fn check<T: Debug>(file: ExpectFile, read: impl Fn(&str) -> Result<T, AnnotationProblem>) {
    let values = file.data();
    let values = values.lines().filter(|line| line.starts_with('"'));
    let outcome = |written: &str| {
        let value: String = serde_json::from_str(written).expect("values are written as JSON writes texts");
        let outcome = read(&value).map_or_else(|problem| problem.to_string(), |read| format!("{read:?}"));
        format!("{written}\n    {outcome}\n")
    };
    file.assert_eq(&values.map(outcome).collect::<String>());
}

#[test]
fn x_6_rules_on_failures() {
    check(expect_file!["vectors/on-failure.txt"], |value| FailureRules::read(value).map(|FailureRules(rules)| Shown(rules)));
}

/// Rules, shortly.
struct Shown(Vec<FailureRule>);

impl Debug for Shown {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for FailureRule { line, identity: _, matchers, at_most, action, changes } in &self.0 {
            write!(formatter, "[{line}: {matchers:?} {at_most:?} {action:?} {changes:?}]")?;
        }
        Ok(())
    }
}

#[test]
fn x_6_rules_have_bounds() {
    let many = "any: retry\n".repeat(33);
    let long = format!("message {}: retry", "a".repeat(8192));
    let error = |value: &str| FailureRules::read(value).unwrap_err().to_string();
    expect!["line 33, column 1: there are more than 32 rules; remove some"].assert_eq(&error(&many));
    expect!["line 1, column 1: the rules are longer than 8192 bytes; remove some"].assert_eq(&error(&long));
}

#[test]
fn x_7_rules_on_pending_pods() {
    check(expect_file!["vectors/on-pending.txt"], |value| PendingRules::read(value).map(|PendingRules(rules)| rules));
}

#[test]
fn x_8_delays() {
    check(expect_file!["vectors/retry-delay.txt"], RetryDelay::read);
}

#[test]
fn x_8_delays_grow_to_their_longest() {
    let delays = |value: &str, numbers: &[u32]| {
        let delay = RetryDelay::read(value).unwrap();
        numbers.iter().map(|failures| delay.after(*failures).as_secs()).collect::<Vec<_>>()
    };
    assert_eq!(delays("30s x1.5 up to 5m", &[1, 2, 3, 6, 7, u32::MAX]), [30, 45, 67, 227, 300, 300]);
    assert_eq!(delays("1m, 5m, 30m", &[1, 2, 3, 4, u32::MAX]), [60, 300, 1800, 1800, 1800]);
    assert_eq!(delays("30s x1", &[1, 2, u32::MAX]), [30, 30, 30]);
    assert_eq!(delays("1s x10", &[5, 6, u32::MAX]), [10_000, 86_400, 86_400]);
}

#[test]
fn x_9_jitter() {
    check(expect_file!["vectors/retry-jitter.txt"], RetryJitter::read);
}

#[test]
fn x_9_jitter_is_spread_evenly_and_always_alike() {
    let jitter = |percent: u32, uid: &str| RetryJitter(percent).of(Duration::from_secs(10), uid).as_millis();
    assert_eq!((jitter(0, "a"), jitter(20, "a")), (0, jitter(20, "a")));
    let all: Vec<i128> = (0..3000).map(|number| jitter(20, &format!("6f1c9d1e-uid-{number}"))).collect();
    assert!(all.iter().all(|jitter| (0..=2000).contains(jitter)));
    let small = all.iter().filter(|jitter| **jitter <= 1000).count();
    assert!((1300..=1700).contains(&small), "{small} of 3000 are in the first half");
}

#[test]
fn x_11_variables() {
    check(expect_file!["vectors/attempt-env.txt"], attempt_env::attempt_env);
}

#[test]
fn x_12_rates() {
    check(expect_file!["vectors/start-rate.txt"], StartRate::read);
}

#[test]
fn x_17_windows() {
    check(expect_file!["vectors/windows.txt"], |value| Windows::read(value).map(|_| "windows"));
}

#[test]
fn x_19_active_jobs() {
    let allow = CronJobSpec::default();
    check(expect_file!["vectors/max-active.txt"], |value| max_active(value, &allow));
    let error = |policy: &str| {
        let spec = CronJobSpec { concurrency_policy: policy.into(), ..CronJobSpec::default() };
        max_active(" 3", &spec).unwrap_err().to_string()
    };
    expect!["line 1, column 2: `3` Jobs cannot be active while spec.concurrencyPolicy is Forbid; set spec.concurrencyPolicy to Allow, or remove the annotation"]
        .assert_eq(&error("Forbid"));
    expect!["line 1, column 2: `3` Jobs cannot be active while spec.concurrencyPolicy is Replace; set spec.concurrencyPolicy to Allow, or remove the annotation"]
        .assert_eq(&error("Replace"));
}

#[test]
fn x_20_failed_runs() {
    let unlimited = CronJobSpec::default();
    check(expect_file!["vectors/pause-after-failures.txt"], |value| pause_after_failures(value, &unlimited));
    check(expect_file!["vectors/resumed-at.txt"], resumed_at);
}

#[test]
fn x_20_failed_runs_are_counted_only_if_they_are_kept() {
    let check = |spec: &str, value: &str, expected: Expect| {
        let spec: CronJobSpec = json::from_str(spec).unwrap();
        let read = pause_after_failures(value, &spec);
        expected.assert_eq(&read.map_or_else(|problem| problem.to_string(), |failures| failures.to_string()));
    };
    check(r#"{"failedJobsHistoryLimit":3}"#, "3", expect!["3"]);
    check(
        r#"{"failedJobsHistoryLimit":0}"#,
        "1",
        expect![
            "line 1, column 1: `1` failed Job must be kept to count them, and spec.failedJobsHistoryLimit keeps 0; set spec.failedJobsHistoryLimit to 1 or more"
        ],
    );
    check(
        r#"{"failedJobsHistoryLimit":1}"#,
        "3",
        expect![
            "line 1, column 1: `3` failed Jobs must be kept to count them, and spec.failedJobsHistoryLimit keeps 1; set spec.failedJobsHistoryLimit to 3 or more"
        ],
    );
    check(
        r#"{"failedJobsHistoryLimit":3,"jobTemplate":{"spec":{"ttlSecondsAfterFinished":60}}}"#,
        "3",
        expect![
            "line 1, column 1: `3` failed Jobs must be kept to count them, and spec.jobTemplate.spec.ttlSecondsAfterFinished deletes them; remove ttlSecondsAfterFinished: spec.failedJobsHistoryLimit deletes Jobs as well"
        ],
    );
    check(
        r#"{"jobTemplate":{"metadata":{"annotations":{"jobsmith.dev/ttl-seconds-after-failed":"60"}}}}"#,
        "3",
        expect![
            "line 1, column 1: `3` failed Jobs must be kept to count them, and the annotation jobsmith.dev/ttl-seconds-after-failed of spec.jobTemplate deletes them; remove jobsmith.dev/ttl-seconds-after-failed: spec.failedJobsHistoryLimit deletes Jobs as well"
        ],
    );
    check(r#"{"jobTemplate":{"metadata":{"annotations":{"jobsmith.dev/ttl-seconds-after-complete":"60"}}}}"#, "3", expect!["3"]);
}
