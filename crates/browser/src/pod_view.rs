//! A pod as the timeline shows it.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Container states". Its outcome in words is in `play::trace`.

use api::meta::names;
use api::{Text, time};
use play::step::Touched;
use play::trace::{ContainerReport, ContainerState, Known, PodReport};
use script::{completion_index, job_of};
use serde::Serialize;

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
    #[cfg_attr(test, ts(type = "'waiting' | 'running' | 'terminated'"))]
    state: &'static str,
    restarts: i32,
    /// Once it was restarted, or waits for that: with which code its last start ended.
    last_exit_code: Option<i32>,
    /// While it waits to be restarted: how long, in milliseconds.
    back_off: Option<i64>,
}

impl PodView {
    /// The object that was written, if it is a pod, and whether that is `estimated`.
    pub(crate) fn of(touched: &Touched, estimated: bool) -> Option<Self> {
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
        let ContainerState { running, terminated, .. } = &container.state;
        let state = match (terminated, running) {
            (Some(_), _) => "terminated",
            (None, Some(_)) => "running",
            (None, None) => "waiting",
        };
        Self {
            name: container.name.clone(),
            state,
            restarts: container.restart_count,
            last_exit_code: container.last_exit_code(),
            back_off: container.back_off().map(time::milliseconds),
        }
    }
}

/// Why the pod ended, or why it has no node.
fn reason(report: &PodReport) -> Text {
    let waits = report.conditions.iter().find(|condition| &*condition.kind == "PodScheduled" && &*condition.status == "False");
    waits.filter(|_| report.reason.is_empty()).map_or_else(|| report.end_reason().clone(), |condition| condition.reason.clone())
}
