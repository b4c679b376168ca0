//! What a Job does if all of its pods fail: how many there are, how long it waits between them, and when it is Failed.
//!
//! Docs: Jobs, "Pod backoff failure policy", "Backoff limit per index", "Pod failure policy", "Job termination and cleanup" (J-46, J-82, J-86, J-91…J-100,
//! J-110…J-115). How one pod fails is in `pod_failure.rs`, when its attempts begin in `attempts.rs`. Nothing is played: `tests/core/prediction/` holds
//! these closed forms against the play.

use api::back_off::{POD_FAILURES, PODS_PER_SYNC, SYNC_BATCH_PERIOD};
use api::job::PodFailurePolicyAction;
use api::{Duration, Job};
use serde::Serialize;

use crate::attempts::{Attempts, Milliseconds, duration, milliseconds};
use crate::data::seconds;
use crate::pod_failure::{PodFailure, PodOutline, judged};

/// What a Job does if its pods fail one and all: their first container exits with 1 after the same time, while the others succeed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Failing {
    /// The Job fails.
    Ends(FailedJob),
    /// The Job never fails: there is always another attempt.
    GoesOn {
        /// Why no limit ends it.
        why: Endless,
        /// How many attempts there are at a time.
        at_once: u64,
        /// The longest wait between two attempts.
        #[serde(rename = "longestWaitSeconds", serialize_with = "seconds")]
        longest_wait: Duration,
    },
}

/// A Job that fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailedJob {
    /// How many pods there are.
    pub pods: u64,
    /// How often their first containers are started: more often than there are pods where they are started again in place.
    pub attempts: u64,
    /// How many of them are stopped as they start: with restarts in place, the start that reaches `backoffLimit` ends the Job (J-82).
    pub stopped_at_start: u64,
    /// How many attempts its limits allow without the deadline; `None`: no limit ends it.
    pub attempts_without_deadline: Option<u64>,
    /// How long nothing runs between an attempt and the next one, in all.
    #[serde(rename = "waitingSeconds", serialize_with = "seconds")]
    pub waiting: Duration,
    /// How long at most.
    #[serde(rename = "longestWaitSeconds", serialize_with = "seconds")]
    pub longest_wait: Duration,
    /// When it is decided that the Job fails, from its start on.
    #[serde(rename = "afterSeconds", serialize_with = "seconds")]
    pub after: Duration,
    /// Why.
    pub reason: FailureReason,
    /// How many of its pods are still there after that, with their logs.
    pub kept: u64,
    /// Whether this is what happens to the second. With more than 500 pods at a time, which are created one part after another, it is only for pods that
    /// fail at once.
    pub exact: bool,
}

/// Why a Job fails, as its condition names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum FailureReason {
    /// More pods failed, or were restarted, than `backoffLimit` allows.
    BackoffLimitExceeded,
    /// The rule with this number matched, counted from 0.
    PodFailurePolicy(usize),
    /// It was active for `activeDeadlineSeconds`.
    DeadlineExceeded,
    /// More indexes failed than `maxFailedIndexes` allows.
    MaxFailedIndexesExceeded,
    /// All indexes failed.
    FailedIndexes,
}

/// Why a Job whose pods fail never does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Endless {
    /// Its limits are as high as they can be.
    Unlimited,
    /// The rule with this number ignores the failures, counted from 0.
    Ignored(usize),
    /// Its containers are started again in place, by a restart policy of their own that no limit counts.
    RestartsUncounted,
}

impl FailureReason {
    /// The reason of the condition `Failed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BackoffLimitExceeded => "BackoffLimitExceeded",
            Self::PodFailurePolicy(_) => "PodFailurePolicy",
            Self::DeadlineExceeded => "DeadlineExceeded",
            Self::MaxFailedIndexesExceeded => "MaxFailedIndexesExceeded",
            Self::FailedIndexes => "FailedIndexes",
        }
    }
}

impl Failing {
    /// What a Job does whose containers fail after this time. The Job is as the API server stores it, and runs one pod at a time at least.
    ///
    /// # Errors
    /// Why a node refuses its pods.
    pub fn of(job: &Job, runs_for: Duration) -> Result<Self, String> {
        let outline = PodOutline::of(job)?;
        if job.spec.active_deadline_seconds == Some(0) {
            return Ok(Self::Ends(FailedJob::at_once()));
        }
        let failure = outline.failure(runs_for);
        let at_once = at_once(job).clamp(1, PODS_PER_SYNC as u64);
        let restarted = AttemptGroups::in_place(job, &failure, at_once);
        let limit = restarted.end.map(|(attempt, _)| restarted.attempts.begins(attempt.number));
        let groups = match failure.fails_after {
            Some(fails_after) if limit.is_none_or(|limit| fails_after <= limit + batch()) => {
                let matched = judged(job, &outline.failed_pod(&failure));
                AttemptGroups::replaced(job, &failure, fails_after, at_once, matched)
            }
            Some(_) | None => restarted,
        };
        Ok(groups.outcome(job))
    }
}

impl FailedJob {
    /// One whose deadline has passed before it has any pods.
    fn at_once() -> Self {
        Self {
            pods: 0,
            attempts: 0,
            stopped_at_start: 0,
            attempts_without_deadline: None,
            waiting: Duration::ZERO,
            longest_wait: Duration::ZERO,
            after: Duration::ZERO,
            reason: FailureReason::DeadlineExceeded,
            kept: 0,
            exact: true,
        }
    }
}

/// How many pods a Job has at a time at most.
pub(crate) fn at_once(job: &Job) -> u64 {
    let count = |number: i32| u64::try_from(number).unwrap_or(0);
    let parallelism = count(job.spec.parallelism.unwrap_or(1));
    job.spec.completions.map_or(parallelism, |completions| parallelism.min(count(completions)))
}

/// A limit, unless it is the highest one: that is how people write that there is none.
fn limited(limit: i32) -> Option<u64> {
    u64::try_from(limit).ok().filter(|_| limit < i32::MAX)
}

/// How long changes are collected.
fn batch() -> Milliseconds {
    milliseconds(SYNC_BATCH_PERIOD)
}

/// One attempt of all in a group, which begin and end together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct AttemptPlace {
    /// The number of the group, from 0.
    group: u64,
    /// The number of the attempt in its group, from 1.
    number: u64,
}

/// All attempts of a Job. Indexes with a back-off of their own come in groups, one group after another (J-86); other Jobs have one.
struct AttemptGroups {
    /// The attempts of a group.
    attempts: Attempts,
    /// The starts in one attempt, where it is a pod whose containers are started again in place before it fails.
    starts: Option<Attempts>,
    /// How long containers had ended before their pod failed.
    idle: Milliseconds,
    /// How many attempts a group has; `None`: no number.
    per_group: Option<u64>,
    /// How many there are side by side.
    at_once: u64,
    /// The same in the last group.
    at_once_last: u64,
    groups: u64,
    /// The attempt that ends the Job, and why.
    end: Option<(AttemptPlace, FailureReason)>,
    endless: Endless,
    /// Whether all attempts take place in the first pods.
    in_place: bool,
}

impl AttemptGroups {
    /// Containers are started again in their pods.
    fn in_place(job: &Job, failure: &PodFailure, at_once: u64) -> Self {
        let limit = limited(job.spec.backoff_limit.unwrap_or(i32::MAX)).filter(|_| failure.counts_restarts);
        let restarts = limit.map(|limit| limit.max(1).div_ceil(at_once));
        let end = restarts.map(|restarts| (AttemptPlace { group: 0, number: restarts + 1 }, FailureReason::BackoffLimitExceeded));
        Self {
            attempts: failure.starts.clone(),
            starts: None,
            idle: 0,
            per_group: end.map(|(place, _)| place.number),
            at_once,
            at_once_last: at_once,
            groups: 1,
            end,
            endless: if failure.counts_restarts { Endless::Unlimited } else { Endless::RestartsUncounted },
            in_place: true,
        }
    }

    /// Pods are replaced after they have failed.
    fn replaced(
        job: &Job,
        failure: &PodFailure,
        fails_after: Milliseconds,
        at_once: u64,
        matched: Option<(PodFailurePolicyAction, usize)>,
    ) -> Self {
        let spec = &job.spec;
        let of_index = spec.backoff_limit_per_index;
        let pods = if of_index.is_some() { 1 } else { at_once };
        let back_off = |attempt: u64| POD_FAILURES.after(u32::try_from(attempt.saturating_mul(pods)).unwrap_or(u32::MAX));
        // The back-off counts from the end of the containers. When it is over by the time their pod fails, changes are collected first.
        let wait = |back_off: Milliseconds| match failure.backed_off {
            0 => back_off,
            passed => back_off.saturating_sub(passed).max(batch()),
        };
        let all = spec.completions.and_then(|completions| u64::try_from(completions).ok()).filter(|_| of_index.is_some());
        let groups = all.map_or(1, |all| all.div_ceil(at_once).max(1));
        let mut course = Self {
            attempts: Attempts::new(fails_after, (1..).map(back_off), wait),
            starts: failure.in_place.then(|| failure.starts.clone()),
            idle: failure.idle,
            per_group: None,
            at_once,
            at_once_last: all.map_or(at_once, |all| all - (groups - 1) * at_once),
            groups,
            end: None,
            endless: if let Some((PodFailurePolicyAction::Ignore, rule)) = matched { Endless::Ignored(rule) } else { Endless::Unlimited },
            in_place: false,
        };
        let limit = spec.backoff_limit.and_then(limited);
        match (matched, of_index) {
            (Some((PodFailurePolicyAction::Ignore, _)), _) => return course,
            (Some((PodFailurePolicyAction::FailJob, rule)), _) => {
                course.per_group = Some(1);
                course.end = Some((AttemptPlace { group: 0, number: 1 }, FailureReason::PodFailurePolicy(rule)));
                return course;
            }
            (Some((PodFailurePolicyAction::FailIndex, _)), _) => course.per_group = Some(1),
            (_, Some(of_index)) => course.per_group = limited(of_index).map(|limit| limit + 1),
            (_, None) => course.per_group = limit.map(|limit| limit / at_once + 1),
        }
        let ends = course.exceeding(limit).into_iter().chain(course.indexes_ended(spec.max_failed_indexes, all));
        course.end = ends.min_by_key(|(place, _)| *place);
        course
    }

    /// The attempt with which more pods have failed than the limit allows.
    fn exceeding(&self, limit: Option<u64>) -> Option<(AttemptPlace, FailureReason)> {
        let limit = limit?;
        let of_group = self.per_group.map_or(u64::MAX, |attempts| attempts.saturating_mul(self.at_once)).max(1);
        let group = (limit / of_group).min(self.groups - 1);
        let number = (limit - group * of_group) / self.size(group).max(1) + 1;
        let there = self.per_group.is_none_or(|attempts| number <= attempts);
        there.then_some((AttemptPlace { group, number }, FailureReason::BackoffLimitExceeded))
    }

    /// The attempt with which more indexes have failed than are allowed, or all of them.
    fn indexes_ended(&self, most: Option<i32>, all: Option<u64>) -> Option<(AttemptPlace, FailureReason)> {
        let (all, number) = (all?, self.per_group?);
        let exceeding = most.and_then(|most| u64::try_from(most).ok()).filter(|most| *most < all);
        Some(match exceeding {
            Some(most) => (AttemptPlace { group: most / self.at_once, number }, FailureReason::MaxFailedIndexesExceeded),
            None => (AttemptPlace { group: self.groups - 1, number }, FailureReason::FailedIndexes),
        })
    }

    /// How many attempts a group has side by side.
    fn size(&self, group: u64) -> u64 {
        if group + 1 == self.groups { self.at_once_last } else { self.at_once }
    }

    /// How long it takes from the beginning of a group to that of the next one: when its indexes have failed, the controller collects changes first.
    fn group_length(&self) -> Milliseconds {
        self.per_group.map_or(Milliseconds::MAX, |attempts| self.attempts.ends(attempts) + batch())
    }

    fn group_begins(&self, group: u64) -> Milliseconds {
        if group == 0 { 0 } else { Milliseconds::from(group) * self.group_length() }
    }

    /// What comes of it, with the Job's deadline.
    fn outcome(&self, job: &Job) -> Failing {
        let deadline = job.spec.active_deadline_seconds.map(|seconds| milliseconds(Duration::from_secs(seconds)));
        let decided = self.end.map(|(AttemptPlace { group, number }, reason)| {
            let at = if self.in_place { self.attempts.begins(number) } else { self.attempts.ends(number) };
            (AttemptPlace { group, number }, self.group_begins(group) + at, reason)
        });
        let attempts_without_deadline = self.end.map(|(last, _)| self.attempts(last, Milliseconds::MAX));
        let exact = at_once(job) <= PODS_PER_SYNC as u64;
        let (last, after, reason, cut) = match (decided, deadline) {
            (Some((last, at, reason)), deadline) if deadline.is_none_or(|deadline| at <= deadline) => {
                // The deadline, too, is an occasion to look at the pods.
                let noticed = at + batch();
                (last, deadline.map_or(noticed, |deadline| noticed.min(deadline)), reason, Milliseconds::MAX)
            }
            (_, Some(deadline)) => (self.last_before(deadline), deadline, FailureReason::DeadlineExceeded, deadline),
            (_, None) => {
                let longest_wait = duration(self.waits(AttemptPlace { group: 0, number: u64::MAX }, Milliseconds::MAX).1);
                return Failing::GoesOn { why: self.endless, at_once: self.at_once, longest_wait };
            }
        };
        let pods = if self.in_place { self.at_once } else { self.pods(last) };
        let runs_on = self.group_begins(last.group) + self.attempts.ends(last.number) > cut;
        let deleted = if self.in_place { pods } else { self.size(last.group) * u64::from(runs_on) };
        let (waiting, longest_wait) = self.waits(last, cut);
        Failing::Ends(FailedJob {
            pods,
            attempts: self.attempts(last, cut),
            stopped_at_start: if self.in_place && reason == FailureReason::BackoffLimitExceeded { self.at_once } else { 0 },
            attempts_without_deadline,
            waiting: duration(waiting),
            longest_wait: duration(longest_wait),
            after: duration(after),
            reason,
            kept: pods - deleted,
            exact,
        })
    }

    /// The last attempt that has begun before the deadline; in place, also one that begins right then, as nodes act by themselves.
    fn last_before(&self, at: Milliseconds) -> AttemptPlace {
        let before = u64::try_from(at.saturating_sub(1) / self.group_length()).unwrap_or(u64::MAX);
        let group = before.min(self.groups - 1);
        let number = self.attempts.begun_before(at - self.group_begins(group) + u128::from(self.in_place));
        AttemptPlace { group, number: self.per_group.map_or(number, |attempts| number.min(attempts)) }
    }

    /// How many pods there are up to an attempt that each have one.
    fn pods(&self, last: AttemptPlace) -> u64 {
        let before = last.group.saturating_mul(self.per_group.unwrap_or(0)).saturating_mul(self.at_once);
        before.saturating_add(last.number.saturating_mul(self.size(last.group)))
    }

    /// How often first containers are started up to this attempt, and before a time.
    fn attempts(&self, last: AttemptPlace, before: Milliseconds) -> u64 {
        let pods = self.pods(last);
        let Some((_, whole, of_last)) = self.starts(last, before) else { return pods };
        let last = self.size(last.group);
        (pods - last).saturating_mul(whole).saturating_add(last.saturating_mul(of_last))
    }

    /// How often the first container of a pod is started that fails, and that of the last one before a time.
    fn starts(&self, last: AttemptPlace, before: Milliseconds) -> Option<(&Attempts, u64, u64)> {
        let (starts, length) = (self.starts.as_ref()?, self.attempts.runs_for());
        let begins = self.group_begins(last.group) + self.attempts.begins(last.number);
        Some((starts, starts.begun_before(length), starts.begun_before(length.min(before - begins))))
    }

    /// How long nothing runs between attempts up to this one and before a time, in all and at most. Where one group follows another, no attempt follows
    /// another.
    fn waits(&self, last: AttemptPlace, before: Milliseconds) -> (Milliseconds, Milliseconds) {
        let (groups, whole) = (Milliseconds::from(last.group), self.per_group.unwrap_or(0));
        let between = |number: u64| self.attempts.waited(number) + Milliseconds::from(number.saturating_sub(1)) * self.idle;
        let most = if last.group > 0 { whole } else { last.number };
        let longest = self.attempts.wait_before(most) + if most > 1 { self.idle } else { 0 };
        let waiting = groups * between(whole) + between(last.number);
        let Some((starts, of_each, of_last)) = self.starts(last, before) else { return (waiting, longest) };
        let others = groups * Milliseconds::from(whole) + Milliseconds::from(last.number) - 1;
        let most = if others > 0 { of_each } else { of_last };
        (waiting + others * starts.waited(of_each) + starts.waited(of_last), longest.max(starts.wait_before(most)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_numbers_are_no_trouble() {
        let limits = [None, Some(0), Some(1), Some(i32::MAX - 1), Some(i32::MAX)];
        let numbers = [Some(1), Some(499), Some(i32::MAX)];
        let policies = ["Never", "OnFailure"];
        for (number, policy) in (0..5 * 5 * 3 * 3).flat_map(|number| policies.map(|policy| (number, policy))) {
            let mut job = Job::default();
            let pod =
                format!(r#"{{"spec":{{"restartPolicy":"{policy}","activeDeadlineSeconds":2147483647,"containers":[{{"name":"a"}}]}}}}"#);
            job.spec.template = serde_json::from_str(&pod).unwrap();
            (job.spec.backoff_limit, job.spec.backoff_limit_per_index) = (limits[number % 5], limits[number / 5 % 5]);
            (job.spec.parallelism, job.spec.completions) = (numbers[number / 25 % 3], numbers[number / 75 % 3]);
            for deadline in [None, Some(1), Some(i64::MAX)] {
                job.spec.active_deadline_seconds = deadline;
                let Ok(failing) = Failing::of(&job, Duration::ZERO) else { panic!("{pod} is a pod") };
                assert!(deadline.is_none() || matches!(failing, Failing::Ends(_)), "{failing:?}");
            }
        }
    }
}
