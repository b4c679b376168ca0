//! Predictions in words: a few lines for each object, which all views show as they are.
//!
//! Docs: Jobs; CronJob. What is predicted is in the files beside this one; lengths of time are worded in `api`, clock changes in `schedule`.

use api::{Duration, Timestamp, time};
use schedule::Zone;

use crate::{
    ChangedDay, CronJobPrediction, Draining, Endless, FailedJob, Failing, FailureReason, Idle, JobPrediction, JobRun, NoRuns, Overlap,
    OverlapPolicy, Removal, Runs, ScheduledRuns, Succeeding, SuccessReason,
};

/// More clock changes than these are not listed one by one.
const FEW: usize = 4;

impl JobPrediction {
    /// Lines without their ends; the first one begins in lower case, as it follows the Job's name.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.lines_of(Removal::words)
    }

    fn lines_of(&self, removal: impl Fn(&Removal) -> Option<String>) -> Vec<String> {
        let run = match self {
            Self::Runs(run) => run,
            Self::Idle(idle) => return vec![idle.words()],
            Self::Refused { reason } => return vec![format!("what it does cannot be predicted: {reason}")],
        };
        let attempts = run.failing.words(run.deadline);
        let first = match run.succeeding.words() {
            Some(pods) => vec![pods, format!("if pods fail: {attempts}")],
            None => vec![attempts],
        };
        let suspended = run.suspended.then(|| "suspended: nothing runs until it is resumed".to_owned());
        let rest =
            [run.kept(removal).map(|kept| format!("if it fails: {kept}")), Some(format!("if a node is drained: {}", run.draining.words()))];
        suspended.into_iter().chain(first).chain(rest.into_iter().flatten()).collect()
    }
}

impl CronJobPrediction {
    /// Lines without their ends; the first one begins in lower case, as it follows the CronJob's name. Dates are in the schedule's zone, and the next run
    /// also as `reader`'s clock shows it.
    #[must_use]
    pub fn lines(&self, reader: &Zone, now: Timestamp) -> Vec<String> {
        let mut lines: Vec<String> =
            self.suspended.then(|| "suspended: no run starts until it is resumed".to_owned()).into_iter().collect();
        match &self.runs {
            Runs::Scheduled(scheduled) => lines.push(scheduled.words(reader, now)),
            Runs::Never(never) => {
                lines.push(never.words());
                return lines;
            }
        }
        let mut run = self.run.lines_of(Removal::words_in_history);
        if let Some(first) = run.first_mut() {
            *first = format!("one run: {first}");
        }
        let before_last = run.len().saturating_sub(1);
        run.splice(before_last..before_last, self.overlap.map(|overlap| format!("while it fails: {}", overlap.words())));
        lines.extend(run);
        lines
    }
}

impl ScheduledRuns {
    fn words(&self, reader: &Zone, now: Timestamp) -> String {
        let Self { in_a_year, next, zone, clock_changes } = self;
        let often = match in_a_year {
            0 => "does not run in the next year".to_owned(),
            1 => "runs once in the next year".to_owned(),
            times => format!("runs {times} times in the next year"),
        };
        let here = if reader.offset(*next) == zone.offset(*next) {
            String::new()
        } else {
            format!(" ({} {})", shown(*next, reader, now), reader.name())
        };
        let mut words = format!("{often}, next {} {}{here}", shown(*next, zone, now), zone.name());
        let listed: Vec<String> = clock_changes.iter().take(FEW).map(|day| day.words(zone)).collect();
        if !listed.is_empty() {
            words += &format!("; {}", listed.join(", "));
        }
        match clock_changes.len().saturating_sub(FEW) {
            0 => words,
            more => format!("{words}, and {more} more clock changes"),
        }
    }
}

impl ChangedDay {
    fn words(&self, zone: &Zone) -> String {
        let Self { change, all } = self;
        let day = zone.clock(change.at).strftime("%-d %b %Y");
        match (change.forward(), all) {
            (true, true) => format!("not on {day} ({})", change.fact()),
            (false, true) if change.times.len() == 1 => format!("twice on {day}"),
            _ => format!("on {day} {}", change.fact()),
        }
    }
}

/// A time as a zone's clock shows it, with its year if that is another than the present one: `Thu 26 Nov 02:30`.
fn shown(at: Timestamp, zone: &Zone, now: Timestamp) -> String {
    let [at, now] = [at, now].map(|at| zone.clock(time::whole_seconds(at)));
    let year = |at: Timestamp| at.strftime("%Y").to_string();
    let date = if year(at) == year(now) { "%a %-d %b" } else { "%a %-d %b %Y" };
    let clock = if at.as_second() % 60 == 0 { "%H:%M" } else { "%H:%M:%S" };
    at.strftime(&format!("{date} {clock}")).to_string()
}

impl NoRuns {
    /// Why no run starts.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::NoTime => "never runs: its schedule has no run within five years".to_owned(),
            Self::DeadlineZero => "never runs: startingDeadlineSeconds is 0, so each run is too late as soon as it is due".to_owned(),
            Self::DeadlineBelowInterval { deadline, interval } => {
                format!(
                    "never runs: startingDeadlineSeconds is {}, which is less than the interval of {}",
                    deadline.as_secs(),
                    time::length(interval)
                )
            }
        }
    }
}

impl Overlap {
    fn words(self) -> String {
        let times = match self.times {
            None => None,
            Some(1) => Some("the next scheduled time passes".to_owned()),
            Some(times) => Some(format!("the next {times} scheduled times pass")),
        };
        match (self.policy, times) {
            (OverlapPolicy::Allow, None) => "each further run adds a Job that never ends".to_owned(),
            (OverlapPolicy::Allow, Some(_)) => format!("up to {} Jobs are active at a time", self.times.unwrap_or(0).saturating_add(1)),
            (OverlapPolicy::Forbid, None) => "no other run starts".to_owned(),
            (OverlapPolicy::Forbid, Some(times)) => format!("{times} before it is Failed; then the last of them starts, late"),
            (OverlapPolicy::Replace, _) => "the next run replaces it before it is Failed".to_owned(),
        }
    }
}

impl Idle {
    fn words(&self) -> String {
        match self {
            Self::ManagedBy(manager) => format!("{manager} decides what it does: managedBy names it"),
            Self::NoCompletions => "runs no pods, and is Complete at once: completions is 0".to_owned(),
            Self::NoParallelism { deadline: None } => "runs no pods until parallelism is raised from 0".to_owned(),
            Self::NoParallelism { deadline: Some(deadline) } => {
                format!("runs no pods, as parallelism is 0, and is Failed after {}", time::length(*deadline))
            }
        }
    }
}

impl Succeeding {
    /// How many pods there are, and when; `None` where there is one.
    fn words(&self) -> Option<String> {
        let Self { pods, at_once, rounds, end } = self;
        let policy = if let SuccessReason::SuccessPolicy(rule) = end {
            format!(", until rule {rule} of successPolicy is met")
        } else {
            String::new()
        };
        let all = match (pods, rounds) {
            (1, _) if policy.is_empty() => return None,
            (1, _) => "1 pod".to_owned(),
            (_, 1) => format!("{pods} pods at a time"),
            _ => format!("{pods} pods, {at_once} at a time, in {rounds} rounds"),
        };
        let first = if *end == SuccessReason::FirstSuccess { "; after the first success none is started" } else { "" };
        Some(format!("{all}{policy}{first}"))
    }
}

impl Failing {
    fn words(&self, deadline: Option<Duration>) -> String {
        match self {
            Self::Ends(failed) => failed.words(deadline),
            Self::GoesOn { why, longest_wait, .. } => {
                let why = match why {
                    Endless::Unlimited => "no limit ends it".to_owned(),
                    Endless::Ignored(rule) => format!("rule {rule} of podFailurePolicy ignores each failure"),
                    Endless::RestartsUncounted => "no limit counts restarts by a restartPolicy of containers".to_owned(),
                };
                format!("never Failed: {why}, and there is no deadline; attempts go on, {} apart in the end", time::length(*longest_wait))
            }
        }
    }
}

impl FailedJob {
    fn words(&self, deadline: Option<Duration>) -> String {
        let waiting = format!("{} of waiting between them", time::length(self.waiting));
        let attempts = |count: u64| if count == 1 { "1 attempt".to_owned() } else { format!("{count} attempts") };
        let made = match (self.attempts, self.waiting.is_zero()) {
            (1, _) => "1 attempt".to_owned(),
            (count, true) => format!("up to {}", attempts(count)),
            (count, false) => format!("up to {}, {waiting}", attempts(count)),
        };
        match (self.reason, deadline) {
            (FailureReason::DeadlineExceeded, Some(deadline)) => match self.attempts_without_deadline {
                Some(allowed) if allowed > self.attempts => {
                    let of = if self.attempts == 1 {
                        format!("1 of {allowed} attempts")
                    } else {
                        format!("up to {} of {allowed} attempts, {waiting}", self.attempts)
                    };
                    format!("{of}: its deadline of {} ends it before", time::length(deadline))
                }
                Some(_) | None => format!("{made}, until its deadline of {}", time::length(deadline)),
            },
            (FailureReason::PodFailurePolicy(rule), _) => format!("{made}: rule {rule} of podFailurePolicy fails the Job"),
            (_, Some(deadline)) => format!("{made}; Failed after {} at the latest", time::length(deadline)),
            (_, None) => format!("{made}; no deadline"),
        }
    }
}

impl JobRun {
    /// Which of its pods stay once it is Failed, and for how long; `None` if it never is.
    fn kept(&self, removal: impl Fn(&Removal) -> Option<String>) -> Option<String> {
        let Failing::Ends(FailedJob { pods, attempts, kept, .. }) = self.failing else { return None };
        let pods = match (kept, pods) {
            (0, 1) => return Some("its pod is deleted, and its logs with it".to_owned()),
            (0, pods) => return Some(format!("its {pods} pods are deleted, and their logs with them")),
            (1, 1) => "its pod stays".to_owned(),
            (kept, pods) if kept < pods => format!("{kept} of {pods} pods stay"),
            (pods, _) if pods == attempts => format!("the pods of all {pods} attempts stay"),
            (pods, _) => format!("all {pods} pods stay"),
        };
        Some(
            removal(&self.removal_when_failed)
                .map_or_else(|| "it is deleted at once, with its pods and their logs".to_owned(), |until| format!("{pods} {until}")),
        )
    }
}

impl Removal {
    /// Until when a Job stays that belongs to no CronJob; `None`: it goes at once.
    fn words(&self) -> Option<String> {
        match self.ttl {
            None => Some("until the Job is deleted".to_owned()),
            Some(ttl) => (!ttl.is_zero()).then(|| format!("for {}", time::length(ttl))),
        }
    }

    /// Until when a failed Job of a CronJob stays.
    fn words_in_history(&self) -> Option<String> {
        let further = match self.history_limit {
            None => return self.words(),
            Some(0) => return None,
            Some(1) => "until the next failed run".to_owned(),
            Some(limit) => format!("until {limit} more runs have failed"),
        };
        match self.ttl {
            None => Some(further),
            Some(ttl) => (!ttl.is_zero()).then(|| format!("for {}, or {further}", time::length(ttl))),
        }
    }
}

impl Draining {
    fn words(self) -> String {
        match self {
            Self::Ignored(rule) => format!("the pod is replaced and does not count, by rule {rule} of podFailurePolicy"),
            Self::Counts => "counts as a failed attempt".to_owned(),
            Self::FailsIndex => "the index of the pod fails".to_owned(),
            Self::FailsJob(FailureReason::PodFailurePolicy(rule)) => format!("the Job fails, by rule {rule} of podFailurePolicy"),
            Self::FailsJob(reason) => format!("the Job fails ({})", reason.name()),
        }
    }
}
