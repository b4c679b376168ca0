//! A pod as the timeline shows it.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Container states". Its outcome in words is in `play::trace`.

use api::meta::names;
use api::{Text, Timestamp, time};
use play::step::Touched;
use play::trace::{ContainerReport, Known, PodReport};
use script::{completion_index, job_of};
use serde::Serialize;
use story::restarts::{PodRestarts, Restart};

/// A pod after a step.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct PodView {
    name: Text,
    namespace: Text,
    /// The Job that controls it; empty if none.
    job: Text,
    index: Option<u32>,
    attempt: u32,
    #[cfg_attr(test, ts(type = "'Pending' | 'Running' | 'Succeeded' | 'Failed'"))]
    phase: Text,
    ready: bool,
    deleting: bool,
    /// Whether the finalizer keeps it until its Job has counted it.
    held: bool,
    restarts: i32,
    /// The ends of containers that are started again in it, which the step shows first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<RestartView>>"))]
    restarted: Vec<RestartView>,
    /// Until when it waits to start containers again, in milliseconds since the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    restarts_at: Option<i64>,
    /// Once it has ended: of the first container that ended otherwise than with 0, or 0.
    exit_code: Option<i32>,
    reason: Text,
    gone: bool,
    /// Whether nothing recorded this of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    estimated: bool,
    containers: Vec<ContainerView>,
}

/// A container, of any sort.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContainerView {
    name: Text,
    running: bool,
}

/// The end of a container that is started again in its pod.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Restart"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct RestartView {
    container: Text,
    exit_code: Option<i32>,
    /// When it ended, in milliseconds since the beginning, and the step in which it did.
    at: i64,
    step: usize,
}

impl PodView {
    /// The object that was written, if it is a pod, in a session that began then, and whether that is `estimated`.
    pub(crate) fn of(touched: &Touched, restarts: PodRestarts, estimated: bool, start: Timestamp) -> Option<Self> {
        let (pod, Known { attempt, report, .. }) = (touched.after.pod()?, touched.pod.as_ref()?);
        let metadata = &pod.metadata;
        Some(Self {
            name: metadata.name.clone(),
            namespace: metadata.namespace.clone(),
            job: job_of(metadata).cloned().unwrap_or_default(),
            index: completion_index(metadata),
            attempt: *attempt,
            phase: pod.status.phase().clone(),
            ready: report.ready(),
            deleting: metadata.deleting(),
            held: metadata.has_finalizer(names::JOB_TRACKING),
            restarts: report.restarts(),
            restarted: restarts.begun.into_iter().map(|restart| RestartView::of(restart, start)).collect(),
            restarts_at: restarts.until.map(|until| time::since(start, until)),
            exit_code: if pod.ended() { report.exit_code(pod) } else { None },
            reason: reason(report),
            gone: touched.gone,
            estimated,
            containers: report.containers().map(ContainerView::of).collect(),
        })
    }
}

impl ContainerView {
    fn of(container: &ContainerReport) -> Self {
        Self { name: container.name.clone(), running: container.state.running.is_some() && container.state.terminated.is_none() }
    }
}

impl RestartView {
    fn of(Restart { container, exit_code, at, step }: Restart, start: Timestamp) -> Self {
        Self { container, exit_code, at: time::since(start, at), step }
    }
}

/// Why the pod ended, or why it has no node, or why a container of it cannot be started.
fn reason(report: &PodReport) -> Text {
    let unscheduled = report.conditions.iter().find(|condition| &*condition.kind == "PodScheduled" && &*condition.status == "False");
    let waits = unscheduled.map(|condition| &condition.reason).or_else(|| report.containers().find_map(ContainerReport::hindrance));
    waits.filter(|_| report.reason.is_empty()).unwrap_or_else(|| report.end_reason()).clone()
}
