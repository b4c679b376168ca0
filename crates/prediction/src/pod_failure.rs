//! How a pod of a Job fails: at once, after restarts in place, or not at all.
//!
//! Docs: Pod Lifecycle, "Container restarts", "Individual container restart policy and rules"; Jobs, "Pod failure policy". What a kubelet does is decided
//! in `cluster`, which rule of a policy matches in `api`; what follows for the Job is in `failing.rs`.

use api::job::{PodFailurePolicyAction, Template};
use api::json::{self, Read};
use api::pod::{ConditionStatus, ContainerProgress, ContainerStatus, Phase, PodCondition, Terminated};
use api::{Duration, Job, Pod, Text};
use cluster::kubelet::{ContainerRole, KubeletSpec, RestartBackOff};

use crate::attempts::{Attempts, Milliseconds, milliseconds};

/// The exit code of a container that fails by itself.
const ERROR: i32 = 1;
/// The exit code of a container that is asked to end and does (128 + SIGTERM).
const TERMINATED: i32 = 143;

/// What the pods of a Job look like to a node.
#[derive(Debug)]
pub(crate) struct PodOutline {
    spec: KubeletSpec,
    /// Whether the Job counts restarts in place (J-82).
    counts_restarts: bool,
}

/// How a pod fails whose first container exits with 1 each time, while its other containers succeed.
#[derive(Debug, Clone)]
pub(crate) struct PodFailure {
    /// The starts of its first container.
    pub(crate) starts: Attempts,
    /// How long its first container had ended before it failed.
    pub(crate) idle: Milliseconds,
    /// How much of the Job's back-off has passed by then, which counts from the end of all containers (J-95).
    pub(crate) backed_off: Milliseconds,
    /// When the pod has failed; `None` as long as its container is started again in place.
    pub(crate) fails_after: Option<Milliseconds>,
    /// Whether it can be started again in place.
    pub(crate) in_place: bool,
    /// Whether the Job counts that.
    pub(crate) counts_restarts: bool,
    /// The exit code that it ends with, and that of the other regular containers.
    exit_codes: [i32; 2],
}

impl PodOutline {
    /// That of the Job's pods.
    ///
    /// # Errors
    /// Why a node refuses them.
    pub(crate) fn of(job: &Job) -> Result<Self, String> {
        #[derive(Default, Read)]
        struct PodTemplate {
            #[read(with = Template::read)]
            spec: Template,
        }
        #[derive(Default, Read)]
        struct PodSpec {
            restart_policy: Text,
        }
        let template: PodTemplate = json::from_str(job.spec.template.json()).map_err(|error| error.to_string())?;
        let spec: PodSpec = json::from_str(template.spec.json()).map_err(|error| error.to_string())?;
        let counts_restarts = &*spec.restart_policy == "OnFailure";
        Ok(Self { spec: KubeletSpec::read(template.spec.json())?, counts_restarts })
    }

    /// How a pod fails whose first container runs this long each time.
    pub(crate) fn failure(&self, runs_for: Duration) -> PodFailure {
        let in_place = self.spec.first_restarts(ERROR);
        let mut back_off = RestartBackOff::NONE;
        let back_offs = std::iter::repeat_with(|| back_off.next(runs_for)).take(if in_place { usize::MAX } else { 0 });
        let starts = Attempts::new(milliseconds(runs_for), back_offs, |back_off| back_off);
        let deadline = self.spec.active_deadline().map(milliseconds);
        let by_itself = (!in_place).then(|| starts.runs_for());
        let fails_after = [by_itself, deadline].into_iter().flatten().min();
        let last_end = |deadline| starts.ends(if in_place { starts.begun_before(deadline) } else { 1 });
        // What still runs at the pod's deadline is asked to end; a container that waits for its next start is not.
        let code = |end: Option<Milliseconds>, otherwise: i32| {
            if deadline.zip(end).is_some_and(|(deadline, end)| deadline < end) { TERMINATED } else { otherwise }
        };
        let exit_codes = [code(deadline.map(last_end), ERROR), code(Some(starts.ends(1)), 0)];
        let idle = fails_after.map_or(0, |fails_after| fails_after.saturating_sub(last_end(fails_after)));
        // A sidecar ends with its pod.
        let sidecars = self.spec.names(ContainerRole::Sidecar).next().is_some();
        let backed_off = if sidecars { 0 } else { idle };
        PodFailure { starts, idle, backed_off, fails_after, in_place, counts_restarts: in_place && self.counts_restarts, exit_codes }
    }

    /// What a pod looks like that has failed by itself.
    pub(crate) fn failed_pod(&self, failure: &PodFailure) -> Pod {
        self.pod(failure.exit_codes, Vec::new())
    }

    /// What a pod looks like that was evicted while its containers ran, and that they ended because of that.
    pub(crate) fn evicted_pod(&self) -> Pod {
        let disrupted = PodCondition { kind: "DisruptionTarget".into(), status: ConditionStatus::True, ..PodCondition::default() };
        self.pod([TERMINATED; 2], vec![disrupted])
    }

    /// A failed pod whose first container, and whose other regular containers, ended with these codes. Sidecars end last, asked to.
    fn pod(&self, [first, others]: [i32; 2], conditions: Vec<PodCondition>) -> Pod {
        let codes = std::iter::once(first).chain(std::iter::repeat(others));
        let regular = self.spec.names(ContainerRole::Regular).zip(codes).map(|(name, code)| ended(name, code));
        let sidecars = self.spec.names(ContainerRole::Sidecar).map(|name| ended(name, TERMINATED));
        Pod { phase: Phase::Failed, conditions, containers: regular.collect(), init_containers: sidecars.collect(), ..Pod::default() }
    }
}

fn ended(name: &Text, exit_code: i32) -> ContainerStatus {
    let state = ContainerProgress::Terminated(Box::new(Terminated { exit_code, ..Terminated::default() }));
    ContainerStatus { name: name.clone(), state, ..ContainerStatus::default() }
}

/// What a Job's policy does with a failed pod, and by which rule, counted from 0; a failure that no rule matches counts (J-96).
pub(crate) fn judged(job: &Job, pod: &Pod) -> Option<(PodFailurePolicyAction, usize)> {
    let matched = job.spec.pod_failure_policy.as_ref()?.matched(pod)?;
    Some((matched.action, matched.number))
}
