//! Pods that ran before this node was watched: their containers go on from their statuses.
//!
//! Docs: Pod Lifecycle, "Container states". What a container does from there on is in `container.rs`; statuses are written in `status.rs`.

use api::{Duration, Timestamp, time};
use serde_json::Value;

use super::container::{ContainerPhase, KubeletContainer, Termination, WaitingReason};
use super::runtime::{ContainerId, Delay, Runtime};
use crate::stored::Stored;

/// The status of a pod that ran before.
pub(super) struct FormerStatus(Value);

impl FormerStatus {
    /// What a pod's status reports.
    pub(super) fn of(pod: &Stored) -> Self {
        Self(pod.pod().and_then(|pod| serde_json::from_str(pod.status.json()).ok()).unwrap_or_default())
    }

    /// When the pod's node acknowledged it, if it did.
    pub(super) fn started_at(&self) -> Option<Timestamp> {
        moment(&self.0["startTime"])
    }

    /// What it reports about a container: an object as in `containerStatuses`.
    pub(super) fn container(&self, name: &str) -> Option<&Value> {
        let lists = ["containerStatuses", "initContainerStatuses"];
        lists.into_iter().filter_map(|list| self.0[list].as_array()).flatten().find(|status| status["name"] == name)
    }
}

impl KubeletContainer {
    /// Continues from its status. A running container starts its work again, because its progress is unknown.
    pub(super) fn resume<R: Runtime>(&mut self, status: &Value, id: ContainerId, pod: &Stored, runtime: &mut R, now: Timestamp) {
        let restarts = status["restartCount"].as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or_default();
        let state = &status["state"];
        self.last = ended(&status["lastState"]);
        if let Some(run) = state.get("running") {
            self.starts = restarts;
            let ready = if status["ready"] == true { Delay::NONE } else { runtime.prepare(&self.next_start(id, pod)).ready };
            self.start(id, pod, ready, runtime, now);
            if let ContainerPhase::Running { started_at, .. } = &mut self.state {
                *started_at = moment(&run["startedAt"]).unwrap_or(now);
            }
        } else if let Some(end) = ended(state) {
            self.starts = restarts.saturating_add(1);
            self.state = ContainerPhase::Terminated(end);
        } else if let Some(last) = &self.last {
            let finished_at = last.period.map_or(now, |(_, finished_at)| finished_at);
            self.starts = restarts.saturating_add(1);
            self.wait(finished_at);
        }
    }

    /// Waits for its next start as one does that was started so often.
    fn wait(&mut self, finished_at: Timestamp) {
        let mut wait = Duration::ZERO;
        // It does not grow any further then.
        for _ in 0..self.starts.min(10) {
            wait = self.back_off.next(Duration::ZERO);
        }
        self.state = ContainerPhase::Waiting(WaitingReason::BackOff { until: time::after(finished_at, wait), wait });
    }
}

/// How a container ended, if its state shows it.
fn ended(state: &Value) -> Option<Box<Termination>> {
    let end = state.get("terminated").filter(|end| end.is_object())?;
    let text = |name: &str| end[name].as_str().unwrap_or_default().into();
    Some(Box::new(Termination {
        exit_code: end["exitCode"].as_i64().and_then(|code| i32::try_from(code).ok()).unwrap_or_default(),
        reason: text("reason"),
        message: text("message"),
        period: moment(&end["startedAt"]).zip(moment(&end["finishedAt"])),
    }))
}

fn moment(value: &Value) -> Option<Timestamp> {
    time::parse(value.as_str()?)
}
