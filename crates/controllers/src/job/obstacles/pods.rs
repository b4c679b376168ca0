//! What keeps pods from making progress: one obstacle for all pods for which one sentence holds.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Pod scheduling readiness", "Forced Pod termination"; Debug Pods. What the containers of a pod wait for is in
//! `containers.rs`, the sentences are in `sentences.rs`. What keeps the Job itself is in `mod.rs`.

use api::job::conditions;
use api::pod::ConditionStatus;
use api::{Duration, Pod, Text, Timestamp, time};
use contract::Obstacle;

use super::super::backoff;
use super::super::decision::{IndexFailure, JobDecision, Tracking};
use super::super::pod_template::restart_policy;
use super::Situation;
use super::cause::PodCause;
use super::containers::of_containers;
use super::sentences::CountedRestarts;
use crate::runtime::order;

/// How long a pod may be without a node, or without its containers, before that is an obstacle.
pub(super) const STARTING: Duration = Duration::from_secs(30);
/// How long after its end a pod may have the tracking finalizer.
const UNTRACKED: Duration = Duration::from_secs(60);
/// How long after its grace period a pod may still be there.
const LATE: Duration = Duration::from_secs(10);

/// A pod with why it makes no progress.
pub(super) struct StuckPod {
    pub(super) cause: PodCause,
    pub(super) since: Option<Timestamp>,
    pub(super) until: Option<Timestamp>,
    /// Whether that passes by itself.
    pub(super) passes: bool,
}

/// The obstacles of a Job's pods.
pub(super) struct PodObstacles {
    /// Those that hold the Job up, the nearest cause first.
    pub(super) holding: Vec<Obstacle>,
    /// Those of pods that are being deleted while the Job goes on without them.
    pub(super) aside: Vec<Obstacle>,
}

/// The obstacles of a Job's pods.
pub(super) fn obstacles(at: &Situation<'_>) -> PodObstacles {
    let mut alike: Vec<Vec<(&Pod, StuckPod)>> = Vec::new();
    for pod in at.pods {
        let Some(state) = StuckPod::of(pod, at) else { continue };
        match alike.iter_mut().find(|group| group[0].1.like(&state)) {
            Some(group) => group.push((pod, state)),
            None => alike.push(vec![(pod, state)]),
        }
    }
    let counts = restart_policy(&at.job.spec.template).as_deref() == Some("OnFailure") && at.job.spec.backoff_limit_per_index.is_none();
    let restarts = counts.then(|| CountedRestarts { made: backoff::restarts(at.pods.iter().copied()), limit: backoff::limit(at.job) });
    let groups: Vec<&Vec<(&Pod, StuckPod)>> = alike.iter().collect();
    let groups = order::sorted(&groups, |one, other| one[0].1.cause.cmp(&other[0].1.cause));
    let job = at.job;
    let ends = [conditions::FAILURE_TARGET, conditions::SUCCESS_CRITERIA_MET].into_iter().any(|kind| job.condition(kind).is_some());
    let awaited = ends || job.metadata.deleting() || at.only_replace_failed || groups.iter().all(|group| group[0].1.leaves());
    let mut obstacles = PodObstacles { holding: Vec::new(), aside: Vec::new() };
    for group in groups {
        let state = &group[0].1;
        let place = if awaited || !state.leaves() { &mut obstacles.holding } else { &mut obstacles.aside };
        place.push(state.cause.obstacle(group, restarts, at));
    }
    obstacles
}

impl StuckPod {
    /// A pod that goes on only with somebody's help.
    pub(super) fn lasting(cause: PodCause, since: Option<Timestamp>) -> Self {
        Self { cause, since, until: None, passes: false }
    }

    /// A pod that goes on by itself.
    pub(super) fn passing(cause: PodCause, since: Option<Timestamp>) -> Self {
        Self { passes: true, ..Self::lasting(cause, since) }
    }

    /// Whether it is being deleted.
    fn leaves(&self) -> bool {
        match self.cause {
            PodCause::Finalizer { .. } | PodCause::DeletionOverdue | PodCause::Terminating => true,
            PodCause::NodeLost { .. } => self.until.is_some(),
            PodCause::StillTracked { .. }
            | PodCause::CannotStart { .. }
            | PodCause::CrashLoop { .. }
            | PodCause::SidecarNotStarted { .. }
            | PodCause::Gated { .. }
            | PodCause::Unschedulable { .. }
            | PodCause::NotScheduled
            | PodCause::NotStarted { .. }
            | PodCause::ContainerKeepsPod { .. }
            | PodCause::SidecarKeepsPod { .. }
            | PodCause::Initializing { .. }
            | PodCause::Starting
            | PodCause::Running => false,
        }
    }

    /// Whether one sentence holds for both.
    fn like(&self, other: &Self) -> bool {
        self.cause.like(&other.cause) && self.until.is_some() == other.until.is_some() && self.passes == other.passes
    }

    /// Why a pod makes no progress; `None` if nothing is to be waited for.
    fn of(pod: &Pod, at: &Situation<'_>) -> Option<Self> {
        let Situation { config, now, .. } = *at;
        let (metadata, ended) = (&pod.metadata, pod.phase.ended());
        let state = |cause, since| Some(Self::lasting(cause, since));
        if ended && !at.job.finished() && metadata.has_finalizer(&config.tracking_finalizer) && tracked_too_long(pod, at) {
            return state(PodCause::StillTracked { finalizer: config.tracking_finalizer.clone() }, Some(backoff::finished_at(pod)));
        }
        if let Some(goes_at) = metadata.deletion_timestamp {
            let overdue = time::after(goes_at, LATE) <= now;
            let foreign = metadata.finalizers.iter().find(|finalizer| **finalizer != config.tracking_finalizer);
            let held = |finalizer: &Text| state(PodCause::Finalizer { finalizer: finalizer.clone() }, Some(goes_at));
            return match (foreign, node_lost(pod)) {
                (Some(finalizer), _) if ended => held(finalizer),
                (None, _) if ended => None,
                (_, Some((node, since))) => Some(Self { until: Some(goes_at), ..Self::lasting(PodCause::NodeLost { node }, since) }),
                (Some(finalizer), None) if overdue => held(finalizer),
                (None, None) if overdue => state(PodCause::DeletionOverdue, Some(goes_at)),
                (_, None) => Some(Self { until: Some(goes_at), ..Self::passing(PodCause::Terminating, None) }),
            };
        }
        if ended {
            return None;
        }
        if let Some((node, since)) = node_lost(pod) {
            return state(PodCause::NodeLost { node }, since);
        }
        let created_at = metadata.creation_timestamp;
        if let Some(trouble) = pod.trouble.as_ref().filter(|trouble| !trouble.gates.is_empty()) {
            return state(PodCause::Gated { gates: trouble.gates.clone() }, created_at);
        }
        if !pod.assigned {
            let refused = pod.condition("PodScheduled").filter(|scheduled| scheduled.status == ConditionStatus::False);
            return match refused {
                Some(refused) => {
                    let message = refused.detail.as_ref().map(|detail| detail.message.clone()).unwrap_or_default();
                    state(PodCause::Unschedulable { message }, refused.last_transition_time.or(created_at))
                }
                None if passed(created_at, STARTING, now) => state(PodCause::NotScheduled, created_at),
                None => Some(Self::passing(PodCause::Starting, created_at)),
            };
        }
        Some(of_containers(pod, at))
    }
}

/// Whether the finalizer of a pod that ended should have been removed: it is not kept on purpose, until its index or its Job has the next pod, or an annotation
/// is corrected.
fn tracked_too_long(pod: &Pod, at: &Situation<'_>) -> bool {
    let keeps = |taken: &JobDecision| {
        matches!(taken,
            JobDecision::IndexFailure(IndexFailure::HoldsFailure { pod: kept, .. }) | JobDecision::Tracking(Tracking::KeepsFailedPod { pod: kept, .. })
                if *kept == pod.metadata.name)
    };
    let disrupted_at = pod.condition("DisruptionTarget").and_then(|disrupted| disrupted.last_transition_time);
    passed(disrupted_at.max(Some(backoff::finished_at(pod))), UNTRACKED, at.now) && !at.unjudged && !at.plan.decisions.iter().any(keeps)
}

/// Whether this much time has passed since then; of an unknown time it has.
pub(super) fn passed(since: Option<Timestamp>, length: Duration, now: Timestamp) -> bool {
    since.is_none_or(|since| time::after(since, length) <= now)
}

/// The pod's node, if it does not respond, and since when.
fn node_lost(pod: &Pod) -> Option<(Text, Option<Timestamp>)> {
    let node = pod.trouble.as_ref()?.lost_node.clone()?;
    let not_ready = pod.condition("Ready").filter(|ready| ready.status != ConditionStatus::True);
    Some((node, not_ready.and_then(|ready| ready.last_transition_time)))
}
