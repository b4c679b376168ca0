//! The runs of one CronJob that are over: few of them one by one, more of them folded, so that a year takes no more room than a day.
//!
//! Docs: CronJob. What they are called is in `words.rs`; the result of a run is found out in `cron_job.rs`.

use std::collections::{BTreeMap, VecDeque};

use api::{Duration, Text, Timestamp};
use schedule::SkippedTime;

/// How many runs are kept one by one.
const FEW: usize = 50;
/// How many groups are kept from the beginning, and as many from the end.
const GROUPS: usize = 20;
/// A run that starts within this time after its scheduled time is on time.
const ON_TIME: Duration = Duration::from_secs(1);

/// A run of a CronJob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastRun {
    /// When it was scheduled; if the clock is set forward past that time, when that happens.
    pub scheduled_at: Timestamp,
    /// What the clock would show at its scheduled time, as a time in UTC, if it is set forward past that.
    pub skipped_clock: Option<Timestamp>,
    /// When it was to start: then, or later if annotations spread starts, or delay them in windows.
    pub due_at: Timestamp,
    /// Whether somebody started it by hand: it was due when its Job was created.
    pub by_hand: bool,
    /// The Job, once it was started.
    pub job: Option<StartedJob>,
    /// When the Job ended.
    pub ended_at: Option<Timestamp>,
    /// Its outcome.
    pub result: RunResult,
    /// What keeps its Job from finishing, if that is known.
    pub holdup: Option<Holdup>,
}

/// The Job of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartedJob {
    /// Its name.
    pub name: Text,
    /// Its UID.
    pub uid: Text,
    /// When it was created.
    pub at: Timestamp,
}

/// When the Job of a run was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// At its scheduled time, or not at all.
    OnTime,
    /// Later, as annotations ask.
    Delayed,
    /// Later than it was to start.
    Late,
    /// When somebody wanted it.
    ByHand,
}

/// What keeps a Job from finishing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdup {
    /// Why the Job fails, if it does and is only not Failed yet.
    pub failing: Option<Text>,
    /// What keeps it: a sentence without its end.
    pub reason: Text,
}

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunResult {
    /// Nothing so far: it is due, and no Job was started.
    Due,
    /// Its Job has not finished.
    Running,
    /// Its Job is Complete.
    Complete,
    /// Its Job is Failed, for this reason.
    Failed(Text),
    /// Its Job was deleted for the next run.
    Replaced,
    /// Its Job was deleted before it finished.
    Deleted,
    /// No Job was started by the time the next run was due, and nothing has been decided about it so far.
    Undecided,
    /// No Job was started, for this reason.
    Skipped(Text),
}

impl PastRun {
    /// A run that is due.
    pub fn due(scheduled_at: Timestamp, due_at: Timestamp) -> Self {
        Self { scheduled_at, due_at, skipped_clock: None, by_hand: false, job: None, ended_at: None, result: RunResult::Due, holdup: None }
    }

    /// A run that has no time, because the clock is set forward past it.
    pub fn skipped(time: SkippedTime) -> Self {
        let result = RunResult::Skipped(time.words().into());
        Self { skipped_clock: Some(time.clock), result, ..Self::due(time.at, time.at) }
    }

    /// How long it took.
    pub fn took(&self) -> Option<Duration> {
        Some(self.ended_at?.duration_since(self.job.as_ref()?.at))
    }

    /// By how much it started late, if it did.
    pub fn late(&self) -> Option<Duration> {
        let late = self.job.as_ref()?.at.duration_since(self.due_at);
        (late >= ON_TIME).then_some(late)
    }

    /// How long after its scheduled time it was to start, if annotations delay it.
    pub fn delay(&self) -> Option<Duration> {
        let delay = self.due_at.duration_since(self.scheduled_at);
        (delay >= ON_TIME).then_some(delay)
    }

    /// When its Job was started.
    pub fn manner(&self) -> Manner {
        match (&self.job, self.late(), self.delay()) {
            (Some(_), _, _) if self.by_hand => Manner::ByHand,
            (Some(_), Some(_), _) => Manner::Late,
            (Some(_), None, Some(_)) => Manner::Delayed,
            (Some(_), None, None) | (None, _, _) => Manner::OnTime,
        }
    }

    /// Whether its result is final.
    pub fn over(&self) -> bool {
        !matches!(self.result, RunResult::Due | RunResult::Running | RunResult::Undecided)
    }
}

/// Runs that follow one another and went alike.
#[derive(Debug, Clone)]
pub struct Group {
    /// The first of them.
    pub first: PastRun,
    /// The last of them.
    pub last: PastRun,
    /// How many there are.
    pub runs: usize,
    /// How long those after the first took, the shortest and the longest.
    pub took: Option<(Duration, Duration)>,
}

/// How many runs there were, and how long they took.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    /// Times that came.
    pub scheduled: usize,
    /// Of them, those for which a Job was started.
    pub started: usize,
    /// Of these, those that somebody started by hand.
    pub by_hand: usize,
    /// Those whose Job is Complete.
    pub succeeded: usize,
    /// Those whose Job is Failed.
    pub failed: usize,
    /// Those for which no Job was started.
    pub skipped: usize,
    /// Started, and neither succeeded nor failed.
    pub unfinished: usize,
    /// Those that succeeded or failed.
    took: Duration,
    /// How long the longest of these took.
    pub longest: Duration,
}

/// All runs that are over.
#[derive(Debug, Default)]
pub struct RunHistory {
    /// All of them in numbers.
    pub totals: Totals,
    /// All of them, as long as they are few.
    few: Vec<PastRun>,
    first: Vec<Group>,
    /// What came after the first groups and before the last ones: how many runs had each result.
    between: BTreeMap<RunResult, usize>,
    last: VecDeque<Group>,
}

impl RunHistory {
    /// Records a run that is over, or whose outcome will remain unknown.
    pub fn add(&mut self, run: PastRun) {
        self.totals.add(&run);
        if self.totals.scheduled <= FEW {
            self.few.push(run.clone());
        } else {
            self.few = Vec::new();
        }
        let full = self.first.len() == GROUPS;
        let latest = if self.last.is_empty() { self.first.last_mut() } else { self.last.back_mut() };
        match latest {
            Some(group) if group.takes(&run) => group.add(run),
            Some(_) if full => self.last.push_back(Group::of(run)),
            Some(_) | None => self.first.push(Group::of(run)),
        }
        if self.last.len() > GROUPS
            && let Some(group) = self.last.pop_front()
        {
            *self.between.entry(group.first.result).or_default() += group.runs;
        }
    }

    /// The runs one by one, if they are few.
    pub fn few(&self) -> Option<&[PastRun]> {
        (self.totals.scheduled <= FEW).then_some(&self.few)
    }

    /// The runs in groups: the first ones, how many there were of each result after them, and the last ones.
    pub fn groups(&self) -> (&[Group], &BTreeMap<RunResult, usize>, &VecDeque<Group>) {
        (&self.first, &self.between, &self.last)
    }
}

impl Group {
    fn of(run: PastRun) -> Self {
        Self { first: run.clone(), last: run, runs: 1, took: None }
    }

    /// Whether a run went as those of the group.
    fn takes(&self, run: &PastRun) -> bool {
        self.first.result == run.result && self.first.manner() == run.manner()
    }

    fn add(&mut self, run: PastRun) {
        if let Some(took) = run.took() {
            let (shortest, longest) = self.took.unwrap_or((took, took));
            self.took = Some((shortest.min(took), longest.max(took)));
        }
        self.runs += 1;
        self.last = run;
    }
}

impl Totals {
    fn add(&mut self, run: &PastRun) {
        self.scheduled += 1;
        self.started += usize::from(run.job.is_some());
        self.by_hand += usize::from(run.by_hand);
        match run.result {
            RunResult::Complete => self.succeeded += 1,
            RunResult::Failed(_) => self.failed += 1,
            RunResult::Skipped(_) | RunResult::Due | RunResult::Undecided => self.skipped += 1,
            RunResult::Running | RunResult::Replaced | RunResult::Deleted => self.unfinished += 1,
        }
        if let (RunResult::Complete | RunResult::Failed(_), Some(took)) = (&run.result, run.took()) {
            self.took = self.took.saturating_add(took);
            self.longest = self.longest.max(took);
        }
    }

    /// How long a run took on average; `None` if none finished.
    pub fn average(&self) -> Option<Duration> {
        let finished = i32::try_from(self.succeeded + self.failed).unwrap_or(i32::MAX);
        (finished > 0).then(|| self.took / finished)
    }
}

#[cfg(test)]
mod tests {
    use api::time;

    use super::*;

    /// A run of this minute, which takes this many seconds.
    fn run(minute: i64, seconds: i64, result: RunResult) -> PastRun {
        let scheduled_at = time::after(Timestamp::UNIX_EPOCH, Duration::from_mins(minute));
        let job = StartedJob { name: "j".into(), uid: "u".into(), at: scheduled_at };
        let ended_at = Some(time::after(scheduled_at, Duration::from_secs(seconds)));
        PastRun { job: Some(job), ended_at, result, ..PastRun::due(scheduled_at, scheduled_at) }
    }

    #[test]
    fn runs_that_went_alike_are_one_group() {
        let mut history = RunHistory::default();
        (0..60).for_each(|minute| history.add(run(minute, 4 + minute % 3, RunResult::Complete)));
        history.add(run(60, 9, RunResult::Failed("R".into())));
        let (groups, between, last) = history.groups();
        let sizes: Vec<usize> = groups.iter().map(|group| group.runs).collect();
        assert_eq!((sizes, between.len(), last.len(), history.few()), (vec![60, 1], 0, 0, None));
        assert_eq!(groups[0].took, Some((Duration::from_secs(4), Duration::from_secs(6))));
        let Totals { scheduled, succeeded, failed, longest, .. } = history.totals;
        assert_eq!((scheduled, succeeded, failed, longest.as_secs()), (61, 60, 1, 9));
        assert_eq!(history.totals.average().map(|average| average.as_secs()), Some(5));
    }

    #[test]
    fn a_history_without_an_end_takes_no_more_room() {
        let mut history = RunHistory::default();
        for minute in 0..10_000 {
            let result = if minute % 2 == 0 { RunResult::Complete } else { RunResult::Failed("R".into()) };
            history.add(run(minute, 1, result));
        }
        let (first, between, last) = history.groups();
        assert_eq!((first.len(), last.len(), between.values().sum::<usize>()), (GROUPS, GROUPS, 10_000 - 2 * GROUPS));
        assert_eq!(history.totals.scheduled, 10_000);
    }

    #[test]
    fn few_runs_are_kept_one_by_one() {
        let mut history = RunHistory::default();
        (0..50).for_each(|minute| history.add(run(minute, 1, RunResult::Complete)));
        assert_eq!(history.few().map(<[PastRun]>::len), Some(FEW));
    }
}
