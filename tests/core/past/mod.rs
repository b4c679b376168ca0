//! The past from the objects: plays drawn from seeds are recorded at some time, and what the past has is compared with what happened.
//!
//! Docs: the crate `past`. `JOBSMITH_PASTS` sets how many seeds, `JOBSMITH_SEED` where they start.

mod dumps;
mod future;
mod gaps;
mod gone;
mod judged;
mod late;

use std::collections::BTreeSet;

use api::{Duration, Kind, Text, Timestamp, time};
use cluster::ApiServer;
use cluster::rng::Rng;
use core_tests::native::Native;
use core_tests::summary::{number, print};
use past::{Past, RecordedJob};
use play::step::Step;
use play::trace::{Entry, PodState, Transcript, What};
use play::{Bounds, Play};
use simulation::{RandomPlay, random_play};

/// How many plays are recorded, unless `JOBSMITH_PASTS` is set.
const PLAYS: u64 = 60;
/// How far a play may go.
const BOUNDS: Bounds = Bounds { pods: 200, steps: 20_000 };

#[test]
fn pasts_are_as_the_plays_were() {
    let (first, plays) = (number("JOBSMITH_SEED", 0), number("JOBSMITH_PASTS", PLAYS));
    let (mut as_they_were, mut with_differences, mut failures) = (0, 0, Vec::new());
    for seed in first..first + plays {
        match Recorded::of(seed).map(|recorded| recorded.check()) {
            None => {}
            Some(Ok(true)) => as_they_were += 1,
            Some(Ok(false)) => with_differences += 1,
            Some(Err(failure)) => failures.push(format!("seed {seed}: {failure}")),
        }
    }
    print(&format!(
        "pasts: {plays} plays, {as_they_were} as they were, {with_differences} with a difference that is named, {} wrong",
        failures.len()
    ));
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    // What edits were and which pods there were cannot always be known.
    assert!(with_differences * 10 <= plays, "{with_differences} of {plays} pasts have differences");
}

/// A play, and what was left of it when it was recorded.
struct Recorded {
    play: RandomPlay,
    /// When it was recorded.
    end: Timestamp,
    steps: Vec<Step>,
    record: RecordedJob,
}

impl Recorded {
    /// The play of a seed; `None` if nothing of a past was left.
    fn of(seed: u64) -> Option<Self> {
        let random = random_play(seed);
        let mut play =
            Play::new(Native::default(), &random.script, std::slice::from_ref(&random.job), play::start()).expect("it can be played");
        play.bounds = BOUNDS;
        let longest = if seed.is_multiple_of(3) { 20_000_000 } else { 120_000 };
        let length = i64::try_from(Rng::new(!seed).below(longest)).expect("it is not long");
        let end = time::after(play::start(), Duration::from_millis(length));
        let steps = std::iter::from_fn(|| play.next_moment(end)).flatten().collect();
        let record = RecordedJob::all(&objects(play.server())).pop()?;
        Some(Self { play: random, end, steps, record })
    }

    /// Whether the past is as the play was; if it need not be, it has a difference that is named.
    fn check(&self) -> Result<bool, String> {
        let (mut past, _) = Past::new(Native::default(), self.record.clone());
        let steps: Vec<Step> = std::iter::from_fn(|| past.next_moment()).flatten().collect();
        let known = !self.play.edited && !self.steps.iter().flat_map(|step| &step.touched).any(|touched| touched.gone);
        let (was, reconstructed) = (self.seen(&self.steps), self.seen(&steps));
        if past.differences() > 0 && !known {
            return Ok(false);
        }
        if was == reconstructed {
            // A deletion by hand is as it was, and not what the controllers do.
            return Ok(past.differences() == 0);
        }
        let [before, after] = [&self.steps, &steps].map(|steps| lines(steps));
        let RandomPlay { job, script, .. } = &self.play;
        let missing = |one: &BTreeSet<String>, other: &BTreeSet<String>| one.difference(other).cloned().collect::<Vec<_>>().join("; ");
        Err(format!(
            "{job}\n{script}recorded at {}\n{before}\n--- is reconstructed as\n{after}\nmissing: {}\nonly reconstructed: {}",
            time::text(self.end),
            missing(&was, &reconstructed),
            missing(&reconstructed, &was),
        ))
    }

    /// What happened to the Job and the pods that are left, and in which second.
    fn seen(&self, steps: &[Step]) -> BTreeSet<String> {
        let left = |name: &Text| self.record.pods.iter().any(|pod| pod.metadata.name == *name);
        let conditions = &self.record.job.status.conditions;
        let is_left = |change: &str, at: Timestamp| {
            let mut all = conditions.iter();
            let shown = |condition: &api::JobCondition| match &*condition.status {
                "True" => format!("{}: ", condition.kind),
                status => format!("{} is {status}: ", condition.kind),
            };
            // Of a condition that came and went, the last time is left.
            let suspension = |condition: &api::JobCondition| &*condition.kind == api::job::conditions::SUSPENDED;
            let last = |condition: &api::JobCondition| condition.last_transition_time == Some(time::whole_seconds(at));
            all.any(|condition| change.starts_with(&shown(condition)) && (!suspension(condition) || last(condition)))
        };
        let one = |Entry { at, what, .. }: &Entry| {
            let what = match what {
                What::Job { change, .. } if is_left(change, *at) => change.clone(),
                What::Pod(pod) if left(&pod.pod) => match pod.state {
                    PodState::Pending | PodState::Succeeded | PodState::Failed | PodState::Terminating => {
                        format!("{} {:?} {:?} {}", pod.pod, pod.state, pod.exit_code, pod.reason)
                    }
                    PodState::Running | PodState::Ready | PodState::Restarted | PodState::CrashLoopBackOff | PodState::Gone => return None,
                },
                What::CronJob { .. } | What::Job { .. } | What::Pod(_) | What::Decision { .. } | What::Request { .. } => return None,
                What::Container(_)
                | What::Starts(_)
                | What::Action { .. }
                | What::Sync { .. }
                | What::Event(_)
                | What::Difference { .. }
                | What::Complaint { .. } => return None,
            };
            Some(format!("{} {what}", time::text(time::whole_seconds(*at))))
        };
        steps.iter().flat_map(|step| &step.entries).filter_map(one).collect()
    }
}

fn lines(steps: &[Step]) -> String {
    let mut transcript = Transcript::new(play::start());
    let line = |entry: &Entry| Some(format!("{}{}\n", transcript.line(entry, false)?, if entry.estimated { " ~" } else { "" }));
    steps.iter().flat_map(|step| &step.entries).filter_map(line).collect()
}

/// The Job and the pods of a server, as JSON.
fn objects(server: &ApiServer) -> Vec<Text> {
    [Kind::Job, Kind::Pod].into_iter().flat_map(|kind| server.objects(kind)).map(|stored| stored.json()).collect()
}
