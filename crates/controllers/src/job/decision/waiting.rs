//! What is waited for, and until when.
//!
//! Docs: Jobs, "Pod backoff failure policy", "Backoff limit per index", "Job termination and cleanup" (J-84…J-86, J-94, J-112).

use api::annotation::{HOLD, RESUMED_AT, RETRY_DELAY, START_RATE};
use api::{Duration, Timestamp, time};
use strum::{EnumIter, IntoStaticStr};

use super::failure_match::failed;
use super::{FailureMatch, PendingMatch};
use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// Delays and deadlines that lie ahead.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum Waiting {
    /// Failed pods are not replaced yet.
    BacksOff {
        /// How many pods failed since one succeeded.
        failures: u32,
        /// The delay that follows.
        delay: Duration,
        /// How much longer the Job wants it to be.
        jitter: Option<Duration>,
        /// When the last of them failed.
        since: Timestamp,
        /// When the delay ends.
        until: Timestamp,
    },
    /// A failed pod of an index is not replaced yet, and no other index can start.
    BacksOffIndex {
        /// The index that is ready first.
        index: u32,
        /// How often it failed.
        failures: u32,
        /// The delay that follows.
        delay: Duration,
        /// How much longer the Job wants it to be.
        jitter: Option<Duration>,
        /// When its last pod failed.
        since: Timestamp,
        /// When the delay ends.
        until: Timestamp,
    },
    /// A failed pod is not replaced yet, as the Job asks for.
    DelaysRetry {
        /// The index that is ready first, if each has its own limit.
        index: Option<u32>,
        /// How many pods failed since one succeeded, or how often the index failed.
        failures: u32,
        /// The delay that follows.
        delay: Duration,
        /// How much longer the Job wants it to be.
        jitter: Option<Duration>,
        /// When the last of them failed.
        since: Timestamp,
        /// When the delay ends.
        until: Timestamp,
    },
    /// A failed pod is not replaced yet, as a line of an annotation asks for.
    DelaysRetryByRule {
        /// The pod, and the line.
        matched: FailureMatch,
        /// The number of the attempt that failed.
        failures: u32,
        /// The delay that follows.
        delay: Duration,
        /// How much longer the Job wants it to be.
        jitter: Option<Duration>,
        /// When it failed.
        since: Timestamp,
        /// When the delay ends.
        until: Timestamp,
    },
    /// As many pods were created as may be in a time.
    LimitsStartRate {
        /// How many.
        pods: u32,
        /// In which time.
        within: Duration,
        /// When the next one may be created.
        until: Timestamp,
    },
    /// A pod has not started, and its deadline lies ahead.
    PendingDeadlineAhead {
        /// The pod, and the line that it meets.
        matched: PendingMatch,
        /// Since when it waits.
        since: Timestamp,
        /// When the deadline passes.
        until: Timestamp,
        /// How long it may wait.
        deadline: Duration,
    },
    /// The Job's annotation keeps it from creating pods.
    HeldByAnnotation {
        /// The failed pod whose line keeps it from that, and when it ended; none: the annotation is for all.
        by: Option<(FailureMatch, Timestamp)>,
    },
    /// The Job is held by a failure, and is resumed at a time.
    ResumptionAhead {
        /// The failed pod, and the line that it matches.
        matched: FailureMatch,
        /// When it is resumed.
        until: Timestamp,
    },
    /// The Job has a deadline.
    DeadlineAhead {
        /// The deadline.
        deadline: Duration,
        /// When it is reached.
        until: Timestamp,
    },
    /// A request failed, and what it was for is not tried again yet.
    RetryAhead {
        /// What is left alone until then.
        what: &'static str,
        /// How often in a row it failed.
        failures: u32,
        /// When it is tried again.
        until: Timestamp,
    },
}

impl Topic for Waiting {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::BacksOff { failures, delay, jitter, since, until } => {
                let wording = words("Retrying pod creation at {until}: back-off of {delay}< plus {jitter} of jitter> after {failures:consecutive failure}")
                    .with("failures", *failures);
                delayed(wording, *delay, *jitter, *since, *until)
            }
            Self::BacksOffIndex { index, failures, delay, jitter, since, until } => {
                let wording = words("Retrying index {index} at {until}: back-off of {delay}< plus {jitter} of jitter> after {failures:failure} of the index")
                    .with("index", *index)
                    .with("failures", *failures);
                delayed(wording, *delay, *jitter, *since, *until)
            }
            Self::DelaysRetry { index, failures, delay, jitter, since, until } => {
                let wording = words(match index {
                    None => "Retrying pod creation at {until}: the annotation {annotation} asks for {delay}< plus {jitter} of jitter> after {failures:consecutive failure}",
                    Some(_) => "Retrying index {index} at {until}: the annotation {annotation} asks for {delay}< plus {jitter} of jitter> after {failures:failure} of the index",
                });
                let wording = wording.with("index", *index).with("annotation", RETRY_DELAY).with("failures", *failures);
                delayed(wording, *delay, *jitter, *since, *until)
            }
            Self::DelaysRetryByRule { matched, failures, delay, jitter, since, until } => {
                let wording = matched.words(match matched.index {
                    None => "Retrying pod creation at {until}, {delay}< plus {jitter} of jitter> after pod {pod} failed: line {line} of the annotation {annotation} ({action})",
                    Some(_) => "Retrying index {index} at {until}, {delay}< plus {jitter} of jitter> after pod {pod} failed: line {line} of the annotation {annotation} ({action})",
                });
                delayed(wording.with("failures", *failures), *delay, *jitter, *since, *until)
            }
            Self::LimitsStartRate { pods, within, until } => {
                words("Creating the next pod at {until}: the annotation {annotation} allows {pods:pod} in {within}")
                    .with("annotation", START_RATE)
                    .with("pods", *pods)
                    .with("within", *within)
                    .with("until", *until)
            }
            Self::PendingDeadlineAhead { matched, until, deadline, .. } => matched
                .add_to(words("Waiting until {until} for pod {pod}, which is waiting for {awaited}< ({reason})>: line {line} of the annotation {annotation} allows {deadline}"), *deadline)
                .with("until", *until),
            Self::HeldByAnnotation { by: None } => words("Not creating pods: the annotation {annotation} is true").with("annotation", HOLD),
            Self::HeldByAnnotation { by: Some((matched, ended_at)) } => matched
                .words(concat!(failed!("Not creating pods: pod {pod}"), "; to resume, set the annotation {resume} to {endedAt} or later"))
                .with("resume", RESUMED_AT)
                .with("endedAt", &*time::text(*ended_at)),
            Self::ResumptionAhead { matched, until } => matched
                .words(concat!(failed!("Not creating pods before {until}: pod {pod}"), "; the annotation {resume} resumes the Job then"))
                .with("resume", RESUMED_AT)
                .with("until", *until),
            Self::DeadlineAhead { deadline, until } => {
                words("The Job may be active until {until}: [activeDeadlineSeconds] allows {deadline}")
                    .with("deadline", *deadline)
                    .with("until", *until)
            }
            Self::RetryAhead { what, failures, until } => {
                words("Waiting until {until} before {what} again, after {failures:failed request}")
                    .with("what", *what)
                    .with("failures", *failures)
                    .with("until", *until)
            }
        }
    }

    fn source(&self) -> Source {
        match self {
            Self::BacksOff { since, until, .. } => {
                Source::wait("Pod backoff failure policy", "J-84", &["spec.backoffLimit"]).during(Some(*since), Some(*until))
            }
            Self::BacksOffIndex { since, until, .. } => {
                Source::wait("Backoff limit per index", "J-112", &["spec.backoffLimitPerIndex"]).during(Some(*since), Some(*until))
            }
            Self::DelaysRetry { since, until, .. } => {
                Source::wait("Pod backoff failure policy", "X-8", &["metadata.annotations"]).during(Some(*since), Some(*until))
            }
            Self::DelaysRetryByRule { since, until, .. } => {
                Source::wait("Pod backoff failure policy", "X-6", &["metadata.annotations"]).during(Some(*since), Some(*until))
            }
            Self::LimitsStartRate { until, .. } => {
                Source::wait("Controlling parallelism", "X-12", &["metadata.annotations"]).during(None, Some(*until))
            }
            Self::PendingDeadlineAhead { since, until, .. } => {
                Source::wait("Handling Pod and container failures", "X-7", &["metadata.annotations"]).during(Some(*since), Some(*until))
            }
            Self::HeldByAnnotation { .. } => Source::wait("Suspending a Job", "X-13", &["metadata.annotations"]),
            Self::ResumptionAhead { until, .. } => {
                Source::wait("Suspending a Job", "X-13", &["metadata.annotations"]).during(None, Some(*until))
            }
            Self::DeadlineAhead { until, .. } => {
                Source::wait("Job termination and cleanup", "J-85", &["spec.activeDeadlineSeconds"]).during(None, Some(*until))
            }
            Self::RetryAhead { until, .. } => Source::wait("Handling Pod and container failures", "J-03", &[]).during(None, Some(*until)),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}

/// Adds the values of a delay.
fn delayed(wording: Wording, delay: Duration, jitter: Option<Duration>, since: Timestamp, until: Timestamp) -> Wording {
    wording.with("delay", delay).with("jitter", jitter).with("since", since).with("until", until)
}
