//! What a play showed of one Job: its pods, their starts, the waits between them, and how it ended.
//!
//! Docs: Jobs. It is read from what was written, not from the trace: a prediction is held against the objects themselves.

use std::collections::BTreeMap;

use api::job::conditions;
use api::pod::{ContainerProgress, ContainerStatus};
use api::{Duration, Job, Pod, Text, Timestamp};
use core_tests::native::Native;
use play::step::Touched;
use play::{Bounds, Play};
use script::Script;

/// A play of more than this counts as one that goes on.
const BOUNDS: Bounds = Bounds { pods: 5_000, steps: 50_000 };

/// A pod as it was seen.
#[derive(Debug, Clone)]
pub(super) struct ShownPod {
    pub(super) index: Option<u32>,
    pub(super) created_at: Timestamp,
    /// How often its first container was started.
    pub(super) starts: u64,
    /// How long that waited for its next start, each time.
    pub(super) waits: Vec<Duration>,
    /// When that was started the last time.
    pub(super) started_at: Option<Timestamp>,
    /// When it ended the last time.
    pub(super) ended_at: Option<Timestamp>,
    /// Whether it has neither ended nor is being deleted.
    active: bool,
    pub(super) gone: bool,
}

/// What was seen of a Job up to its end, or up to where the play ended.
pub(super) struct ShownJob {
    pub(super) job: Job,
    /// When it was deleted.
    pub(super) gone_at: Option<Timestamp>,
    pub(super) pods: Vec<ShownPod>,
    /// The most pods that were active at once.
    pub(super) at_once: usize,
}

impl ShownJob {
    /// Plays a Job for this long at most.
    pub(super) fn of(sent: &Text, script: &str, most: Duration) -> Self {
        let script = Script::parse(script).expect("the script is one");
        let mut play = Play::new(Native::default(), &script, std::slice::from_ref(sent), play::start()).expect("the Job is valid");
        play.bounds = BOUNDS;
        let end = play::start() + most;
        let (mut job, mut gone_at, mut pods, mut at_once) = (Job::default(), None, BTreeMap::<Text, ShownPod>::new(), 0);
        while let Some(moment) = play.next_moment(end) {
            for Touched { after, gone, .. } in moment.iter().flat_map(|step| &step.touched) {
                if let Some(written) = after.job() {
                    job = written.clone();
                    gone_at = gone.then_some(moment[0].at);
                } else if after.pod().is_some() {
                    let pod: Pod = serde_json::from_str(&after.json()).expect("it is a pod");
                    see(&mut pods, &pod, *gone, moment[0].at);
                }
            }
            let active = pods.values().filter(|pod| pod.active).count();
            at_once = at_once.max(active);
        }
        Self { job, gone_at, pods: pods.into_values().collect(), at_once }
    }

    /// When the Job was decided to fail, from its beginning on, and why.
    pub(super) fn failed(&self) -> Option<(Duration, &str)> {
        let condition = self.job.condition(conditions::FAILURE_TARGET)?;
        Some((condition.last_transition_time?.duration_since(play::start()), &condition.reason))
    }
}

fn see(pods: &mut BTreeMap<Text, ShownPod>, pod: &Pod, gone: bool, now: Timestamp) {
    let first = || ShownPod {
        index: pod.completion_index,
        created_at: now,
        starts: 0,
        waits: Vec::new(),
        started_at: None,
        ended_at: None,
        active: true,
        gone,
    };
    let shown = pods.entry(pod.metadata.uid.clone()).or_insert_with(first);
    shown.gone = gone;
    shown.active = !pod.phase.ended() && !pod.metadata.deleting() && !gone;
    if let Some(container) = pod.containers.iter().find(|container| &*container.name == "main") {
        let starts = u64::try_from(container.restart_count).unwrap_or(0) + 1;
        if starts > shown.starts {
            shown.starts = starts;
            let before = if let ContainerProgress::Waiting(_) = container.state { None } else { container.last.as_ref() };
            let ended_at = before.map_or(shown.ended_at, |end| end.finished_at);
            let wait = ended_at.zip(started_at(container)).map(|(ended_at, started_at)| started_at.duration_since(ended_at));
            shown.waits.extend(wait);
            shown.started_at = started_at(container);
        }
        shown.ended_at = container.terminated().or(container.last.as_deref()).and_then(|end| end.finished_at);
    }
}

/// When a container was started the last time.
fn started_at(container: &ContainerStatus) -> Option<Timestamp> {
    match &container.state {
        ContainerProgress::Running { started_at } => *started_at,
        ContainerProgress::Terminated(end) => end.started_at,
        ContainerProgress::Waiting(_) => container.last.as_ref()?.started_at,
    }
}
