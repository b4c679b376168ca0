//! The words for runs: how late they started, what came of them, and how many there were.
//!
//! Docs: CronJob. Runs are found in `cron_job.rs`; tables of them are laid out by the views.

use api::{Duration, Text, time};
use schedule::Zone;

use super::history::{Holdup, Manner, PastRun, RunResult, Totals};
use crate::timetable::{clock_text, local_time};

impl RunResult {
    /// Its name for programs.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Due => "Due",
            Self::Running => "Running",
            Self::Complete => "Complete",
            Self::Failed(_) => "Failed",
            Self::Replaced => "Replaced",
            Self::Deleted => "Deleted",
            Self::Undecided | Self::Skipped(_) => "Skipped",
        }
    }

    /// Why, where there are several reasons.
    #[must_use]
    pub fn reason(&self) -> Option<&Text> {
        match self {
            Self::Failed(reason) | Self::Skipped(reason) => Some(reason),
            Self::Due | Self::Running | Self::Complete | Self::Replaced | Self::Deleted | Self::Undecided => None,
        }
    }

    /// The outcome of one run.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Due => "due".to_owned(),
            Self::Running => "still running".to_owned(),
            Self::Complete => "Complete".to_owned(),
            Self::Failed(reason) if reason.is_empty() => "Failed".to_owned(),
            Self::Failed(reason) => format!("Failed: {reason}"),
            Self::Replaced => "replaced by the next run".to_owned(),
            Self::Deleted => "deleted".to_owned(),
            Self::Undecided => "skipped".to_owned(),
            Self::Skipped(reason) => format!("skipped: {reason}"),
        }
    }
}

impl PastRun {
    /// The scheduled time on the clock of its zone; one that the clock never shows has no offset.
    #[must_use]
    pub fn scheduled_words(&self, zone: &Zone) -> String {
        self.skipped_clock.map_or_else(|| local_time(self.scheduled_at, zone), clock_text)
    }

    /// When its Job was started after it was due: `on time`, `5 s late`, `delayed 6h` as annotations ask, or `by hand` at any time; `-` if there is none.
    #[must_use]
    pub fn started_words(&self) -> String {
        if self.job.is_none() {
            return "-".to_owned();
        }
        if self.by_hand {
            return "by hand".to_owned();
        }
        let delayed = self.delay().map(|delay| format!("delayed {}", span(delay)));
        let late = self.late().map(|late| format!("{} late", span(late)));
        let parts: Vec<String> = delayed.into_iter().chain(late).collect();
        if parts.is_empty() { "on time".to_owned() } else { parts.join(", ") }
    }

    /// Why it ended so, or has not ended, if that is known.
    #[must_use]
    pub fn reason(&self) -> Option<&Text> {
        self.result.reason().or(self.holdup.as_ref().map(|holdup| &holdup.reason))
    }

    /// Its outcome, with what keeps its Job from finishing.
    #[must_use]
    pub fn result_words(&self) -> String {
        match &self.holdup {
            Some(Holdup { failing: Some(why), reason }) => format!("failing ({why}): {reason}"),
            Some(Holdup { failing: None, reason }) => format!("{}: {reason}", self.result.words()),
            None => self.result.words(),
        }
    }

    /// How long it took: `5 s`; `-` while it goes on, and if it did not start.
    #[must_use]
    pub fn took_words(&self) -> String {
        self.took().map_or_else(|| "-".to_owned(), span)
    }
}

impl Manner {
    /// What is said of several runs before their outcome.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::OnTime | Self::ByHand => "",
            Self::Delayed => "delayed, ",
            Self::Late => "late, ",
        }
    }
}

impl Totals {
    /// How many runs there were, what came of them, and how long they took.
    #[must_use]
    pub fn words(&self) -> String {
        let Self { scheduled, started, by_hand, succeeded, failed, skipped, unfinished, longest, .. } = *self;
        let hand = if by_hand > 0 { format!(" ({} by hand)", grouped(by_hand)) } else { String::new() };
        let [scheduled, started, succeeded, failed, skipped] = [scheduled - by_hand, started, succeeded, failed, skipped].map(grouped);
        let others = if unfinished > 0 { format!(", {} did not finish", grouped(unfinished)) } else { String::new() };
        let took = self.average().map(|average| format!("; a run took {} on average, {} at most", span(average), span(longest)));
        format!(
            "Total: {scheduled} scheduled, {started} started{hand}: {succeeded} succeeded, {failed} failed{others}; {skipped} skipped{}",
            took.unwrap_or_default()
        )
    }
}

/// A length of time in whole seconds.
#[must_use]
pub fn span(length: Duration) -> String {
    time::length(Duration::from_secs(length.as_secs()))
}

/// A number with its thousands set apart: `8,640`.
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let comma = |(place, digit): (usize, char)| {
        let comma = place > 0 && (digits.len() - place).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(comma).collect()
}
