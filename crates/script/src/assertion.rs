//! What is expected of a play: how Jobs end, and how many pods and Jobs there are.
//!
//! Docs: Jobs, "Job termination and cleanup"; the language is described in `lib.rs`. Assertions are read in `parse_assertion.rs`; whether a play meets
//! them is decided in the crate `play`.

use std::fmt;

use api::{Duration, Text, duration};

use super::error::ScriptError;
use super::parse_assertion;
use super::selector::Selector;
use super::statement::Statement;

/// One thing that is expected of a play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    /// The CronJob, the runs, the Job and the indexes that it is about; what is absent may be any.
    pub which: Selector,
    /// Of what each is to meet it by itself; otherwise, all together do.
    pub each: Option<Each>,
    /// What is expected.
    pub what: Asserted,
}

/// What an assertion is about one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Each {
    /// Each Job.
    Job,
    /// Each index of each Indexed Job.
    Index,
}

/// What is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asserted {
    /// Each Job ends so.
    Ending(AssertedEnding),
    /// No Job has finished when the play ends.
    NotFinished,
    /// There are so many.
    Count(AssertedCount),
    /// The same work never runs in two pods at once.
    NeverTwiceAtOnce,
}

/// How a Job ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssertedEnding {
    /// Whether it is Complete; otherwise, it is Failed.
    pub complete: bool,
    /// The reason of that condition, if it matters.
    pub reason: Option<Text>,
    /// How long after its creation at most, if it matters.
    pub within: Option<Duration>,
}

/// How many of something there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssertedCount {
    /// Whether there may be fewer or more.
    pub bound: Bound,
    /// The number.
    pub number: u32,
    /// What is counted.
    pub of: Countable,
    /// Whether they are counted that exist and have not finished at one time, at most; otherwise, all that ever were.
    pub at_once: bool,
}

/// How a number bounds another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// There may be fewer.
    AtMost,
    /// There may be more.
    AtLeast,
    /// Neither.
    Exactly,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Countable {
    /// Pods that were created.
    Pods,
    /// Pods that failed.
    FailedPods,
    /// Pods that succeeded.
    SucceededPods,
    /// Jobs that were created.
    Jobs,
    /// Jobs that are Failed, or were when they were deleted.
    FailedJobs,
    /// Jobs that are Complete, or were when they were deleted.
    CompleteJobs,
    /// Containers that were started again in their pods.
    Restarts,
}

impl Assertion {
    /// Reads assertions, one a line; `#` starts a comment.
    ///
    /// # Errors
    /// The first thing that cannot be understood: where, what, and what to write instead.
    pub fn parse(text: &str) -> Result<Vec<Statement<Self>>, ScriptError> {
        parse_assertion::assertions(text)
    }
}

impl Bound {
    /// Whether a number is within the bound that `limit` is.
    #[must_use]
    pub fn allows(self, number: u32, limit: u32) -> bool {
        match self {
            Self::AtMost => number <= limit,
            Self::AtLeast => number >= limit,
            Self::Exactly => number == limit,
        }
    }
}

impl Countable {
    /// The words for so many: `1 failed pod`, `2 failed pods`.
    #[must_use]
    pub fn words(self, number: u32) -> String {
        let noun = match self {
            Self::Pods => "pod",
            Self::FailedPods => "failed pod",
            Self::SucceededPods => "succeeded pod",
            Self::Jobs => "Job",
            Self::FailedJobs => "Failed Job",
            Self::CompleteJobs => "Complete Job",
            Self::Restarts => "restart",
        };
        format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
    }
}

impl fmt::Display for Assertion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let which = (self.which != Selector::default()).then(|| self.which.to_string());
        let each = self.each.map(|each| match each {
            Each::Job => "each job".to_owned(),
            Each::Index => "each index".to_owned(),
        });
        let about: Vec<String> = which.into_iter().chain(each).collect();
        if !about.is_empty() {
            write!(formatter, "{}: ", about.join(" "))?;
        }
        self.what.fmt(formatter)
    }
}

impl fmt::Display for Asserted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ending(ending) => ending.fmt(formatter),
            Self::NotFinished => formatter.write_str("not finished"),
            Self::Count(count) => count.fmt(formatter),
            Self::NeverTwiceAtOnce => formatter.write_str("no Job runs twice at once"),
        }
    }
}

impl fmt::Display for AssertedEnding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.complete { "Complete" } else { "Failed" })?;
        self.reason.iter().try_for_each(|reason| write!(formatter, " with {reason}"))?;
        self.within.iter().try_for_each(|within| write!(formatter, " within {}", duration::text(*within)))
    }
}

impl fmt::Display for AssertedCount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.bound {
            Bound::Exactly if self.number == 0 => return formatter.write_str(&self.of.words(0).replacen('0', "no", 1)),
            Bound::AtMost => "at most",
            Bound::AtLeast => "at least",
            Bound::Exactly => "exactly",
        };
        write!(formatter, "{bound} {}{}", self.of.words(self.number), if self.at_once { " at once" } else { "" })
    }
}
