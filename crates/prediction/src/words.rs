//! Predictions in words: a few lines for each object, which all views show as they are.
//!
//! Docs: Jobs; CronJob. What is predicted is in the files beside this one; lengths of time are worded in `api`, clock changes in `schedule`.

use api::{Duration, Timestamp, time};
use schedule::Zone;

use crate::left_out;
use crate::line::{LineTopic, PredictionLine};
use crate::{
    ChangedDay, CronJobPrediction, Draining, Endless, FailedJob, Failing, FailureReason, FutureRuns, Idle, JobPrediction, JobRun, NoRuns,
    Overlap, OverlapPolicy, Removal, ScheduledRuns, ShortDeadline, Succeeding, SuccessReason,
};

/// More clock changes than these are not listed one by one.
const FEW: usize = 4;

impl JobPrediction {
    /// Lines of which the first begins in lower case, as it follows the Job's name.
    #[must_use]
    pub fn lines(&self) -> Vec<PredictionLine> {
        self.lines_of(Removal::words)
    }

    fn lines_of(&self, removal: impl Fn(&Removal) -> Option<String>) -> Vec<PredictionLine> {
        let run = match self {
            Self::Runs(run) => run,
            Self::Idle(idle) => return vec![PredictionLine::new(LineTopic::Pods, "", idle.words())],
            Self::Refused { reason } => return vec![PredictionLine::unpredictable(reason)],
        };
        let suspended =
            run.suspended.then(|| PredictionLine::new(LineTopic::Suspension, "", "suspended: nothing runs until it is resumed"));
        let pods = run.succeeding.words().map(|pods| PredictionLine::new(LineTopic::Pods, "", pods));
        let label = if pods.is_some() { "if pods fail" } else { "" };
        let attempts = PredictionLine::new(LineTopic::Attempts, label, run.failing.words(run.deadline));
        let remains = run.kept(removal).map(|kept| PredictionLine::new(LineTopic::Remains, "if it fails", kept));
        let drain = PredictionLine::new(LineTopic::Drain, "if a node is drained", run.draining.words());
        let left_out = PredictionLine::left_out(&run.left_out);
        suspended.into_iter().chain(pods).chain([attempts]).chain(remains).chain([drain]).chain(left_out).collect()
    }
}

impl CronJobPrediction {
    /// Lines of which the first begins in lower case, as it follows the CronJob's name. Dates are in the schedule's zone, and the next run also as `reader`'s
    /// clock shows it, where that differs.
    #[must_use]
    pub fn lines(&self, reader: Option<&Zone>, now: Timestamp) -> Vec<PredictionLine> {
        let suspended =
            self.suspended.then(|| PredictionLine::new(LineTopic::Suspension, "", "suspended: no run starts until it is resumed"));
        let mut lines: Vec<PredictionLine> = suspended.into_iter().collect();
        match &self.runs {
            FutureRuns::Scheduled(scheduled) => lines.push(PredictionLine::new(LineTopic::Runs, "", scheduled.words(reader, now))),
            FutureRuns::Never(never) => {
                lines.push(PredictionLine::new(LineTopic::Runs, "", never.words()));
                return lines;
            }
        }
        let mut run = self.run.lines_of(Removal::words_in_history);
        if let Some(first) = run.first_mut() {
            first.label = "one run";
            if first.topic == LineTopic::Suspension {
                first.topic = LineTopic::SuspendedRuns;
            }
        }
        run.retain(|line| line.topic != LineTopic::LeftOut);
        let before_last = run.len().saturating_sub(1);
        let overlap = self.overlap.map(|overlap| PredictionLine::new(LineTopic::Overlap, overlap.label(), overlap.words()));
        run.splice(before_last..before_last, overlap);
        lines.extend(run);
        let of_runs = if let JobPrediction::Runs(run) = &self.run { &*run.left_out } else { &[] };
        lines.extend(PredictionLine::left_out(&[&*self.left_out, of_runs].concat()));
        lines
    }
}

impl PredictionLine {
    /// What is left out, if something is.
    fn left_out(keys: &[&str]) -> Option<Self> {
        (!keys.is_empty()).then(|| Self::new(LineTopic::LeftOut, "", left_out::words(keys)))
    }

    /// Why there is no prediction.
    pub(crate) fn unpredictable(reason: &str) -> Self {
        Self::new(LineTopic::Pods, "", format!("what it does cannot be predicted: {reason}"))
    }
}

impl ScheduledRuns {
    fn words(&self, reader: Option<&Zone>, now: Timestamp) -> String {
        let Self { in_a_year, next, zone, clock_changes } = self;
        let often = match in_a_year {
            0 => "does not run in the next year".to_owned(),
            1 => "runs once in the next year".to_owned(),
            times => format!("runs {times} times in the next year"),
        };
        let here = reader.filter(|reader| reader.offset(*next) != zone.offset(*next)).map(|reader| {
            let [there, here] = [zone, reader].map(|zone| shown(*next, zone, now));
            let day = here.rfind(' ').unwrap_or(0);
            // The date is said once.
            let here = if there.starts_with(&here[..day]) { &here[day + 1..] } else { &here };
            format!(" ({here} {})", reader.name())
        });
        let here = here.unwrap_or_default();
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
    fn words(self) -> String {
        match self {
            Self::NoTime => "never runs: its schedule has no run within five years".to_owned(),
            Self::ShortDeadline(ShortDeadline::Zero) => {
                "never runs: startingDeadlineSeconds is 0, so each run is too late as soon as it is due".to_owned()
            }
            Self::ShortDeadline(ShortDeadline::BelowInterval { deadline, interval }) => {
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
    /// In which case something happens to other runs.
    fn label(self) -> &'static str {
        if self.times == Some(0) { "if a run is still going" } else { "while it fails" }
    }

    fn words(self) -> String {
        match (self.policy, self.times) {
            (OverlapPolicy::Allow, None) => "each further run adds a Job that never ends".to_owned(),
            (OverlapPolicy::Allow, Some(times)) => format!("up to {} Jobs are active at a time", times.saturating_add(1)),
            (OverlapPolicy::Forbid { .. }, None) => "no other run starts".to_owned(),
            (OverlapPolicy::Forbid { starts_late: true }, Some(1)) => "the next run starts late".to_owned(),
            (OverlapPolicy::Forbid { starts_late: true }, Some(times)) => {
                format!("of the next {times} runs, only the last one starts, late")
            }
            (OverlapPolicy::Forbid { starts_late: false }, Some(1)) => "the next run is skipped".to_owned(),
            (OverlapPolicy::Forbid { starts_late: false }, Some(times)) => format!("the next {times} runs are skipped"),
            (OverlapPolicy::Replace, Some(0)) => "the next run replaces it, and deletes its pods and their logs".to_owned(),
            (OverlapPolicy::Replace, _) => "the next run replaces it before it is Failed".to_owned(),
        }
    }
}

impl Idle {
    fn words(&self) -> String {
        match self {
            Self::ManagedBy(manager) => format!("{manager} decides what it does: managedBy names it"),
            Self::NoCompletions => "runs no pods, and is Complete at once: completions is 0".to_owned(),
            Self::NoTime => "runs no pods, and is Failed at once: activeDeadlineSeconds is 0".to_owned(),
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
        let first = if *end == SuccessReason::FirstSuccess { "; after the first success, no more pods are started" } else { "" };
        Some(format!("{all}{policy}{first}"))
    }
}

impl Failing {
    /// It in words, without their end: how many attempts there are within the Job's deadline, and how long they wait.
    #[must_use]
    pub fn words(&self, deadline: Option<Duration>) -> String {
        match self {
            Self::Ends(failed) => failed.words(deadline),
            Self::GoesOn { why, longest_wait, .. } => {
                let why = match why {
                    Endless::Unlimited => "no limit ends it".to_owned(),
                    Endless::Ignored(rule) => format!("rule {rule} of podFailurePolicy ignores each failure"),
                    Endless::RestartsUncounted => "restarts by a container's own restartPolicy count against no limit".to_owned(),
                };
                format!("attempts without end, up to {} apart: {why}, and there is no deadline", time::length(*longest_wait))
            }
        }
    }
}

impl FailedJob {
    fn words(&self, deadline: Option<Duration>) -> String {
        let Self { pods, attempts, stopped_at_start, attempts_without_deadline, waiting, reason, .. } = self;
        let of = attempts_without_deadline.filter(|allowed| allowed > attempts).map_or(String::new(), |allowed| format!(" of {allowed}"));
        let mut made = match (attempts, &*of) {
            (1, "") => "1 attempt".to_owned(),
            (1, of) => format!("1{of} attempts"),
            (attempts, of) => format!("up to {attempts}{of} attempts"),
        };
        match pods {
            pods if pods == attempts => {}
            1 => made += " in 1 pod",
            pods => made += &format!(" in {pods} pods"),
        }
        made += &match stopped_at_start {
            0 => String::new(),
            1 => ", the last one stopped as it starts".to_owned(),
            last => format!(", the last {last} stopped as they start"),
        };
        if let (FailureReason::DeadlineExceeded, Some(deadline)) = (reason, deadline) {
            made += &format!(" within its deadline of {}", time::length(deadline));
        }
        if !waiting.is_zero() {
            made += &format!(", {} of waiting between them", time::length(*waiting));
        }
        match (reason, deadline) {
            (FailureReason::DeadlineExceeded, _) => made,
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
            (2, _) if attempts == 2 => "the pods of both attempts stay".to_owned(),
            (2, _) => "both pods stay".to_owned(),
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
            Self::Counts => "the pod counts as a failed attempt".to_owned(),
            Self::FailsIndex => "the index of the pod fails".to_owned(),
            Self::FailsJob(FailureReason::PodFailurePolicy(rule)) => format!("the Job fails, by rule {rule} of podFailurePolicy"),
            Self::FailsJob(reason) => format!("the Job fails ({})", reason.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use api::Kind;
    use api::request::Request;
    use cluster::naming::Names;
    use cluster::{ApiServer, Dependence};
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use super::*;
    use crate::Prediction;

    /// What is predicted of an object, as a person in Tokyo reads it.
    fn check(kind: Kind, spec: Value, expected: Expect) {
        let now: Timestamp = "2026-11-28T12:00:00Z".parse().unwrap();
        let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
        let sent = json!({"apiVersion": "batch/v1", "kind": kind.name(), "metadata": {"name": "a"}, "spec": spec});
        server.execute(&Request::create(kind, "default", sent.to_string()), now).unwrap();
        let prediction = Prediction::of(server.object(kind, "default", "a").unwrap(), &Zone::utc(), now).unwrap();
        let lines = prediction.lines(Zone::named("Asia/Tokyo").as_ref(), now);
        expected.assert_eq(&lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    }

    fn with(mut spec: Value, pod: Value) -> Value {
        spec["template"] = json!({"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "i"}]}});
        let fields = pod.as_object().unwrap().clone();
        spec["template"]["spec"].as_object_mut().unwrap().extend(fields);
        spec
    }

    fn job(spec: Value, expected: Expect) {
        check(Kind::Job, with(spec, json!({})), expected);
    }

    fn cron_job(mut spec: Value, job: Value, expected: Expect) {
        spec["jobTemplate"] = json!({"spec": with(job, json!({}))});
        check(Kind::CronJob, spec, expected);
    }

    #[test]
    fn retries_end_by_a_limit_or_a_deadline() {
        job(
            json!({}),
            expect![[r#"
                up to 7 attempts, 10m30s of waiting between them; no deadline
                if it fails: the pods of all 7 attempts stay until the Job is deleted
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        job(
            json!({"backoffLimit": 0, "ttlSecondsAfterFinished": 0}),
            expect![[r#"
            1 attempt; no deadline
            if it fails: it is deleted at once, with its pods and their logs
            if a node is drained: the Job fails (BackoffLimitExceeded)
        "#]],
        );
        job(
            json!({"activeDeadlineSeconds": 120}),
            expect![[r#"
                up to 4 of 7 attempts within its deadline of 2m, 70 s of waiting between them
                if it fails: the pods of all 4 attempts stay until the Job is deleted
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        job(
            json!({"activeDeadlineSeconds": 5, "backoffLimit": 2}),
            expect![[r#"
                1 of 3 attempts within its deadline of 5 s
                if it fails: its pod stays until the Job is deleted
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
    }

    #[test]
    fn a_policy_decides_or_nothing_does() {
        let policy = |action: &str| json!({"rules": [{"action": action, "onExitCodes": {"operator": "In", "values": [1, 143]}}]});
        job(
            json!({"activeDeadlineSeconds": 7200, "ttlSecondsAfterFinished": 3600}),
            expect![[r#"
                up to 7 attempts, 10m30s of waiting between them; Failed after 2h at the latest
                if it fails: the pods of all 7 attempts stay for 1h
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        job(
            json!({"podFailurePolicy": policy("FailJob")}),
            expect![[r#"
            1 attempt: rule 0 of podFailurePolicy fails the Job
            if it fails: its pod stays until the Job is deleted
            if a node is drained: the Job fails, by rule 0 of podFailurePolicy
        "#]],
        );
        job(
            json!({"podFailurePolicy": policy("Ignore")}),
            expect![[r#"
            attempts without end, up to 10m apart: rule 0 of podFailurePolicy ignores each failure, and there is no deadline
            if a node is drained: the pod is replaced and does not count, by rule 0 of podFailurePolicy
        "#]],
        );
        job(
            json!({"podFailurePolicy": policy("Ignore"), "activeDeadlineSeconds": 3600}),
            expect![[r#"
            up to 11 attempts within its deadline of 1h, 50m30s of waiting between them
            if it fails: the pods of all 11 attempts stay until the Job is deleted
            if a node is drained: the pod is replaced and does not count, by rule 0 of podFailurePolicy
        "#]],
        );
        job(
            json!({"backoffLimit": i32::MAX}),
            expect![[r#"
                attempts without end, up to 10m apart: no limit ends it, and there is no deadline
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
    }

    #[test]
    fn containers_start_again_in_their_pods() {
        let on_failure = json!({"restartPolicy": "OnFailure"});
        check(
            Kind::Job,
            with(json!({"parallelism": 3, "backoffLimit": 4}), on_failure.clone()),
            expect![[r#"
                3 pods at a time; after the first success, no more pods are started
                if pods fail: up to 9 attempts in 3 pods, the last 3 stopped as they start, 10 s of waiting between them; no deadline
                if it fails: its 3 pods are deleted, and their logs with them
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        check(
            Kind::Job,
            with(json!({"backoffLimit": 0}), on_failure),
            expect![[r#"
                up to 2 attempts in 1 pod, the last one stopped as it starts; no deadline
                if it fails: its pod is deleted, and its logs with it
                if a node is drained: the Job fails (BackoffLimitExceeded)
            "#]],
        );
        let deadline = json!({"restartPolicy": "OnFailure", "activeDeadlineSeconds": 60});
        check(
            Kind::Job,
            with(json!({"backoffLimit": 5, "activeDeadlineSeconds": 80}), deadline),
            expect![[r#"
                up to 7 of 24 attempts in 2 pods within its deadline of 80 s, 71 s of waiting between them
                if it fails: 1 of 2 pods stay until the Job is deleted
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        let own = json!({"containers": [{"name": "main", "image": "i", "restartPolicy": "OnFailure"}]});
        check(
            Kind::Job,
            with(json!({}), own),
            expect![[r#"
                attempts without end, up to 5m apart: restarts by a container's own restartPolicy count against no limit, and there is no deadline
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
    }

    #[test]
    fn several_pods_come_in_rounds() {
        job(
            json!({"completions": 5, "parallelism": 2}),
            expect![[r#"
                5 pods, 2 at a time, in 3 rounds
                if pods fail: up to 8 attempts, 7m of waiting between them; no deadline
                if it fails: the pods of all 8 attempts stay until the Job is deleted
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        job(
            json!({"parallelism": 3}),
            expect![[r#"
                3 pods at a time; after the first success, no more pods are started
                if pods fail: up to 9 attempts, 6m of waiting between them; no deadline
                if it fails: the pods of all 9 attempts stay until the Job is deleted
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        let indexed = json!({"completionMode": "Indexed", "completions": 4, "parallelism": 2, "backoffLimitPerIndex": 0});
        job(
            indexed,
            expect![[r#"
            4 pods, 2 at a time, in 2 rounds
            if pods fail: up to 4 attempts; no deadline
            if it fails: the pods of all 4 attempts stay until the Job is deleted
            if a node is drained: the index of the pod fails
        "#]],
        );
        let rule = json!({"rules": [{"succeededIndexes": "0"}]});
        job(
            json!({"completionMode": "Indexed", "completions": 4, "parallelism": 2, "successPolicy": rule}),
            expect![[r#"
                2 pods at a time, until rule 0 of successPolicy is met
                if pods fail: up to 8 attempts, 7m of waiting between them; no deadline
                if it fails: the pods of all 8 attempts stay until the Job is deleted
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        let ignored = json!({"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]});
        job(
            json!({"suspend": true, "podFailurePolicy": ignored}),
            expect![[r#"
            suspended: nothing runs until it is resumed
            up to 7 attempts, 10m30s of waiting between them; no deadline
            if it fails: the pods of all 7 attempts stay until the Job is deleted
            if a node is drained: the pod is replaced and does not count, by rule 0 of podFailurePolicy
        "#]],
        );
    }

    #[test]
    fn some_jobs_run_nothing() {
        job(
            json!({"parallelism": 0}),
            expect![[r#"
            runs no pods until parallelism is raised from 0
        "#]],
        );
        job(
            json!({"parallelism": 0, "activeDeadlineSeconds": 60}),
            expect![[r#"
            runs no pods, as parallelism is 0, and is Failed after 60 s
        "#]],
        );
        job(
            json!({"completions": 0}),
            expect![[r#"
            runs no pods, and is Complete at once: completions is 0
        "#]],
        );
        job(
            json!({"activeDeadlineSeconds": 0}),
            expect![[r#"
            runs no pods, and is Failed at once: activeDeadlineSeconds is 0
        "#]],
        );
        job(
            json!({"managedBy": "kueue.x-k8s.io/multikueue"}),
            expect![[r#"
            kueue.x-k8s.io/multikueue decides what it does: managedBy names it
        "#]],
        );
    }

    #[test]
    fn cron_jobs_meet_clock_changes() {
        cron_job(
            json!({"schedule": "30 2 * * *", "timeZone": "Europe/Berlin", "concurrencyPolicy": "Forbid"}),
            json!({}),
            expect![[r#"
                runs 365 times in the next year, next Sun 29 Nov 02:30 Europe/Berlin (10:30 Asia/Tokyo); not on 28 Mar 2027 (02:30 does not exist), twice on 31 Oct 2027
                one run: up to 7 attempts, 10m30s of waiting between them; no deadline
                if it fails: the pods of all 7 attempts stay until the next failed run
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        cron_job(
            json!({"schedule": "*/30 2,3 * * 0", "timeZone": "Europe/Berlin", "suspend": true}),
            json!({}),
            expect![[r#"
                suspended: no run starts until it is resumed
                runs 212 times in the next year, next Sun 29 Nov 02:00 Europe/Berlin (10:00 Asia/Tokyo); on 28 Mar 2027 02:00, 02:30 do not exist, on 31 Oct 2027 02:00, 02:30 occur twice
                one run: up to 7 attempts, 10m30s of waiting between them; no deadline
                if it fails: the pods of all 7 attempts stay until the next failed run
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        cron_job(
            json!({"schedule": "0 0 29 2 *"}),
            json!({}),
            expect![[r#"
                does not run in the next year, next Tue 29 Feb 2028 00:00 UTC (09:00 Asia/Tokyo)
                one run: up to 7 attempts, 10m30s of waiting between them; no deadline
                if it fails: the pods of all 7 attempts stay until the next failed run
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        cron_job(
            json!({"schedule": "0 0 1 1 *", "timeZone": "Asia/Tokyo"}),
            json!({}),
            expect![[r#"
                runs once in the next year, next Fri 1 Jan 2027 00:00 Asia/Tokyo
                one run: up to 7 attempts, 10m30s of waiting between them; no deadline
                if it fails: the pods of all 7 attempts stay until the next failed run
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        cron_job(
            json!({"schedule": "0 0 31 2 *"}),
            json!({}),
            expect![[r#"
            never runs: its schedule has no run within five years
        "#]],
        );
        cron_job(
            json!({"schedule": "@every 90s", "startingDeadlineSeconds": 60}),
            json!({}),
            expect![[r#"
            never runs: startingDeadlineSeconds is 60, which is less than the interval of 90 s
        "#]],
        );
        cron_job(
            json!({"schedule": "0 0 * * *", "startingDeadlineSeconds": 0}),
            json!({}),
            expect![[r#"
            never runs: startingDeadlineSeconds is 0, so each run is too late as soon as it is due
        "#]],
        );
    }

    #[test]
    fn under_replace_a_run_that_takes_long_is_deleted() {
        cron_job(
            json!({"schedule": "@daily", "concurrencyPolicy": "Replace"}),
            json!({"backoffLimit": 1}),
            expect![[r#"
                runs 365 times in the next year, next Sun 29 Nov 00:00 UTC (09:00 Asia/Tokyo)
                one run: up to 2 attempts, 10 s of waiting between them; no deadline
                if it fails: the pods of both attempts stay until the next failed run
                if a run is still going: the next run replaces it, and deletes its pods and their logs
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
    }

    #[test]
    fn runs_overlap_by_their_policy_and_stay_by_their_limits() {
        let often =
            |policy: &str, limit: u64| json!({"schedule": "*/5 * * * *", "concurrencyPolicy": policy, "failedJobsHistoryLimit": limit});
        cron_job(
            often("Allow", 0),
            json!({}),
            expect![[r#"
                runs 105120 times in the next year, next Sat 28 Nov 12:05 UTC (21:05 Asia/Tokyo)
                one run: up to 7 attempts, 10m30s of waiting between them; no deadline
                if it fails: it is deleted at once, with its pods and their logs
                while it fails: up to 3 Jobs are active at a time
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        cron_job(
            often("Forbid", 2),
            json!({}),
            expect![[r#"
                runs 105120 times in the next year, next Sat 28 Nov 12:05 UTC (21:05 Asia/Tokyo)
                one run: up to 7 attempts, 10m30s of waiting between them; no deadline
                if it fails: the pods of all 7 attempts stay until 2 more runs have failed
                while it fails: of the next 2 runs, only the last one starts, late
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        cron_job(
            often("Replace", 1),
            json!({"ttlSecondsAfterFinished": 60}),
            expect![[r#"
                runs 105120 times in the next year, next Sat 28 Nov 12:05 UTC (21:05 Asia/Tokyo)
                one run: up to 7 attempts, 10m30s of waiting between them; no deadline
                if it fails: the pods of all 7 attempts stay for 60 s, or until the next failed run
                while it fails: the next run replaces it before it is Failed
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        let late = json!({"schedule": "*/5 * * * *", "concurrencyPolicy": "Forbid", "startingDeadlineSeconds": 20});
        cron_job(
            late,
            json!({}),
            expect![[r#"
                runs 105120 times in the next year, next Sat 28 Nov 12:05 UTC (21:05 Asia/Tokyo)
                one run: up to 7 attempts, 10m30s of waiting between them; no deadline
                if it fails: the pods of all 7 attempts stay until the next failed run
                while it fails: the next 2 runs are skipped
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        cron_job(
            often("Allow", 1),
            json!({"backoffLimit": i32::MAX}),
            expect![[r#"
                runs 105120 times in the next year, next Sat 28 Nov 12:05 UTC (21:05 Asia/Tokyo)
                one run: attempts without end, up to 10m apart: no limit ends it, and there is no deadline
                while it fails: each further run adds a Job that never ends
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
        cron_job(
            often("Forbid", 1),
            json!({"backoffLimit": i32::MAX}),
            expect![[r#"
                runs 105120 times in the next year, next Sat 28 Nov 12:05 UTC (21:05 Asia/Tokyo)
                one run: attempts without end, up to 10m apart: no limit ends it, and there is no deadline
                while it fails: no other run starts
                if a node is drained: the pod counts as a failed attempt
            "#]],
        );
    }
}
