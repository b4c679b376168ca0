//! Random Jobs whose pods all fail, all succeed, or of which one is evicted.
//!
//! Docs: Jobs, "Pod backoff failure policy", "Parallel execution for Jobs"; API-initiated Eviction.

use api::back_off::SYNC_BATCH_PERIOD;
use api::job::conditions;
use api::{Duration, Job, Kind, Timestamp, time};
use cluster::rng::Rng;
use core_tests::summary::{grouped, print};
use prediction::{Draining, FailedJob, Failing, JobPrediction, Succeeding, SuccessReason};

use super::draw::{Draw, DrawnJob, admitted};
use super::none;
use super::shown::{ShownJob, ShownPod};

/// How many Jobs are played whose pods all fail.
const FAILING: usize = 1_000;
/// How many are played whose pods all succeed, and of which one is evicted.
const OTHERS: usize = 400;
/// How long a Job is played that never ends.
const LONG: Duration = Duration::from_hours(6);

#[test]
fn jobs_whose_pods_fail_do_what_was_predicted() {
    let mut draw = Draw { rng: Rng::new(1), deadlines: true, ttl: false };
    let (mut differences, mut compared, mut endless) = (Vec::new(), 0, 0);
    while compared < FAILING {
        let (DrawnJob { sent, stored }, runs_for) = (draw.job(), draw.runs_for());
        if tied(&stored, runs_for) {
            continue;
        }
        compared += 1;
        let predicted = Failing::of(&stored, runs_for).expect("a node runs the pods");
        let script = format!("container main: exit 1 after {0}s\npods: succeed after {0}s", runs_for.as_secs());
        let shown = ShownJob::of(&sent, &script, LONG);
        let found = match &predicted {
            Failing::Ends(predicted) => failed_otherwise(predicted, &shown),
            Failing::GoesOn { longest_wait, .. } => {
                endless += 1;
                let waited = waits(&shown.pods).1;
                (shown.failed().is_some() || waited > *longest_wait).then(|| format!("{:?}, waited {waited:#}", shown.failed()))
            }
        };
        differences.extend(found.map(|found| format!("{sent}\n  {script}\n  predicted {predicted:?}\n  played {found}")));
    }
    none(&differences);
    print(&format!("prediction: {} Jobs failed as predicted, {endless} of them never", grouped(FAILING as u64)));
}

#[test]
fn jobs_whose_pods_succeed_do_what_was_predicted() {
    let mut draw = Draw { rng: Rng::new(2), deadlines: false, ttl: true };
    let mut differences = Vec::new();
    for _ in 0..OTHERS {
        let DrawnJob { sent, stored } = draw.job();
        let predicted = Succeeding::of(&stored);
        let shown = ShownJob::of(&sent, "pods: succeed after 2s", LONG);
        let mut rounds: Vec<Timestamp> = shown.pods.iter().map(|pod| pod.created_at).collect();
        rounds.sort_unstable();
        rounds.dedup();
        let (pods, at_once, rounds) = (shown.pods.len() as u64, shown.at_once as u64, rounds.len() as u64);
        let played = Succeeding { pods, at_once, rounds, ..predicted.clone() };
        let reason = if let SuccessReason::SuccessPolicy(_) = predicted.end { "SuccessPolicy" } else { "CompletionsReached" };
        let complete = shown.job.condition(conditions::COMPLETE).map(|complete| &*complete.reason);
        let JobPrediction::Runs(run) = JobPrediction::of(&stored) else { panic!("{sent} runs pods") };
        let removed_at = shown.job.status.completion_time.zip(run.removal_when_complete.ttl).map(|(at, ttl)| time::after(at, ttl));
        if played != predicted || complete != Some(reason) || shown.gone_at != removed_at {
            let gone_at = shown.gone_at;
            differences.push(format!("{sent}\n  predicted {predicted:?}, {removed_at:?}\n  played {played:?} {complete:?}, {gone_at:?}"));
        }
    }
    none(&differences);
}

#[test]
fn jobs_of_which_a_pod_is_evicted_do_what_was_predicted() {
    let mut draw = Draw { rng: Rng::new(3), deadlines: false, ttl: false };
    let mut differences = Vec::new();
    for _ in 0..OTHERS {
        let DrawnJob { sent, stored } = draw.job();
        let predicted = Draining::of(&stored).expect("a node runs the pods");
        let which = if stored.indexed() { "index 0 attempt 1" } else { "attempt 1" };
        let shown = ShownJob::of(&sent, &format!("{which}: evicted after 1s\npods: succeed after 3s"), LONG);
        let status = &shown.job.status;
        let failed = shown.failed().map(|(_, reason)| reason);
        let index_failed = status.failed_indexes.as_deref() == Some("0");
        let played = match predicted {
            Draining::Ignored(_) => failed.is_none() && !index_failed && status.failed == 0,
            Draining::Counts => failed.is_none() && !index_failed && status.failed == 1,
            Draining::FailsIndex => index_failed && failed.is_none_or(|reason| reason == "FailedIndexes"),
            Draining::FailsJob(reason) => failed == Some(reason.name()),
        };
        if !played {
            differences.push(format!("{sent}\n  predicted {predicted:?}\n  played {status:?}"));
        }
    }
    none(&differences);
}

#[test]
fn of_more_pods_than_are_created_at_a_time_the_first_ones_count() {
    let template = r#"{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"i"}]}}"#;
    for fields in [
        r#""parallelism":1200,"backoffLimit":10"#,
        r#""parallelism":1200,"completions":1300,"backoffLimit":600"#,
        r#""parallelism":700,"completions":1300,"completionMode":"Indexed","backoffLimitPerIndex":1,"maxFailedIndexes":510"#,
    ] {
        let sent =
            format!(r#"{{"apiVersion":"batch/v1","kind":"Job","metadata":{{"name":"pi"}},"spec":{{{fields},"template":{template}}}}}"#);
        let stored = admitted(Kind::Job, &sent, play::start()).and_then(|stored| stored.job().cloned()).expect("it is a Job");
        let Ok(Failing::Ends(predicted)) = Failing::of(&stored, Duration::ZERO) else { panic!("{fields} ends") };
        let shown = ShownJob::of(&sent.into(), "pods: exit 1 after 0s", LONG);
        assert_eq!(failed_otherwise(&predicted, &shown), None, "{fields}: {predicted:?}");
    }
}

/// Whether something happens in the very second of the Job's deadline: a cluster may do either first.
fn tied(job: &Job, runs_for: Duration) -> bool {
    let Some(deadline) = job.spec.active_deadline_seconds.filter(|deadline| *deadline > 0) else { return false };
    let with = |deadline: i64| {
        let mut job = job.clone();
        job.spec.active_deadline_seconds = Some(deadline);
        match Failing::of(&job, runs_for).expect("a node runs the pods") {
            Failing::Ends(FailedJob { attempts, kept, reason, .. }) => (attempts, kept, reason.name()),
            Failing::GoesOn { .. } => (0, 0, ""),
        }
    };
    with(deadline - 1) != with(deadline + 1)
}

/// What was played, if it is not what was predicted.
fn failed_otherwise(predicted: &FailedJob, shown: &ShownJob) -> Option<String> {
    let (waiting, longest_wait) = waits(&shown.pods);
    let Some((after, reason)) = shown.failed() else {
        return (predicted.after < LONG).then(|| "never Failed".to_owned());
    };
    let played = FailedJob {
        pods: shown.pods.len() as u64,
        attempts: shown.pods.iter().map(|pod| pod.starts).sum(),
        stopped_at_start: shown.pods.iter().filter(|pod| reason == "BackoffLimitExceeded" && stopped_at_start(pod, after)).count() as u64,
        waiting,
        longest_wait,
        after,
        kept: shown.pods.iter().filter(|pod| !pod.gone).count() as u64,
        ..predicted.clone()
    };
    (played != *predicted || reason != predicted.reason.name()).then(|| format!("{played:?} {reason}"))
}

/// Whether a pod was started last as its Job was decided to fail, after this time, and was deleted.
fn stopped_at_start(pod: &ShownPod, after: Duration) -> bool {
    let decided_at = time::after(play::start(), after);
    pod.gone && pod.started_at.is_some_and(|started_at| time::since(started_at, decided_at) <= time::milliseconds(SYNC_BATCH_PERIOD))
}

/// How long nothing ran between an attempt and the next one, in all and at most.
fn waits(pods: &[ShownPod]) -> (Duration, Duration) {
    let mut pods = pods.to_vec();
    pods.sort_by_key(|pod| (pod.created_at, pod.index));
    let rounds: Vec<&[ShownPod]> = pods.chunk_by(|one, other| one.created_at == other.created_at).collect();
    let in_place = rounds.iter().flat_map(|round| &round[0].waits).copied();
    // One group of indexes after another: no attempt follows another.
    let pairs = rounds.windows(2).filter(|pair| pair[0][0].index == pair[1][0].index);
    let between = pairs.filter_map(|pair| Some(pair[1][0].created_at.duration_since(pair[0][0].ended_at?)));
    let waits: Vec<Duration> = in_place.chain(between).collect();
    (waits.iter().sum(), waits.iter().max().copied().unwrap_or_default())
}
