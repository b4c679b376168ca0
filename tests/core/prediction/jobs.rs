//! Random Jobs whose pods all fail, all succeed, or of which one is evicted.
//!
//! Docs: Jobs, "Pod backoff failure policy", "Parallel execution for Jobs"; API-initiated Eviction.

use api::Duration;
use cluster::rng::Rng;
use prediction::{FailedJob, Failing};

use super::draw::{Draw, DrawnJob};
use super::shown::{ShownJob, ShownPod};

/// How many Jobs are played whose pods all fail.
const FAILING: u64 = 4_000;
/// How long a Job is played that never ends.
const LONG: Duration = Duration::from_hours(6);

#[test]
fn jobs_whose_pods_fail_do_what_was_predicted() {
    let mut draw = Draw { rng: Rng::new(1) };
    let mut differences = Vec::new();
    for _ in 0..FAILING {
        let (DrawnJob { sent, stored }, runs_for) = (draw.job(), draw.runs_for());
        let predicted = Failing::of(&stored, runs_for).expect("a node runs the pods");
        let script = format!("container main: exit 1 after {}s\npods: succeed after {}s", runs_for.as_secs(), runs_for.as_secs());
        let shown = ShownJob::of(&sent, &script, LONG);
        let found = match &predicted {
            Failing::Ends(predicted) => differs(predicted, &shown),
            Failing::GoesOn { .. } => shown.failed().map(|(after, reason)| format!("{reason} after {after:#}")),
        };
        if let Some(found) = found {
            differences.push(format!("{sent}\n  {script}\n  predicted {predicted:?}\n  played {found}"));
        }
    }
    let count = differences.len();
    differences.truncate(5);
    assert!(differences.is_empty(), "{count} differ:\n{}", differences.join("\n"));
}

/// What was played, if it is not what was predicted.
fn differs(predicted: &FailedJob, shown: &ShownJob) -> Option<String> {
    let (waiting, longest_wait) = waits(&shown.pods);
    let Some((after, reason)) = shown.failed() else {
        return (predicted.after < LONG).then(|| "never Failed".to_owned());
    };
    let played = FailedJob {
        pods: shown.pods.len() as u64,
        attempts: shown.pods.iter().map(|pod| pod.starts).sum(),
        waiting,
        longest_wait,
        after,
        kept: shown.pods.iter().filter(|pod| !pod.gone).count() as u64,
        ..predicted.clone()
    };
    (played != *predicted || reason != predicted.reason.name()).then(|| format!("{played:?} {reason}"))
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
