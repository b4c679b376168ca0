//! A step as the page is told of it.
//!
//! Docs: `web/src/protocol.ts` has the same shapes. Pods and Jobs in it are in `pod_view.rs` and `job_view.rs`.

use api::{Text, Timestamp, time};
use contract::{ObjectRef, Requeue, Wakeup};
use play::step::{Cause, Step};
use play::trace::Entry;
use serde::Serialize;

use crate::job_view::JobView;
use crate::pod_view::PodView;

/// What was played, and what comes next.
#[derive(Debug, Serialize)]
pub struct Progress {
    /// When the session begins.
    #[serde(serialize_with = "time::serialize")]
    pub start: Timestamp,
    /// The steps, in order.
    pub steps: Vec<StepView>,
    /// Whether nothing happens any more.
    pub ended: bool,
    /// What the controllers wait for.
    pub next: Option<Wait>,
}

/// One step.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepView {
    /// Milliseconds since the beginning.
    pub at: i64,
    kind: StepKind,
    /// What is seen of it, as `jobsmith simulate` tells it.
    pub entries: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<ObjectRef>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requeue_at: Option<Wait>,
    /// On the last step of a moment: what the controllers wait for after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) waits: Option<Option<Wait>>,
    pods: Vec<PodView>,
    jobs: Vec<JobView>,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
enum StepKind {
    Plan,
    Change,
    Action,
    Found,
    Answers,
    Complaint,
}

/// A time that is waited for.
#[derive(Debug, Clone, Serialize)]
pub struct Wait {
    /// Milliseconds since the beginning.
    at: i64,
    reason: String,
}

impl Wait {
    /// What the controllers wait for in a session that began then.
    pub(crate) fn of(Wakeup { at, reason, .. }: Wakeup, start: Timestamp) -> Self {
        Self { at: since(start, at), reason }
    }
}

impl StepView {
    /// A step of a session that began then.
    pub(crate) fn of(Step { at, cause, entries, touched }: Step, start: Timestamp) -> Self {
        let (kind, object, action, requeue_at) = match cause {
            Cause::Plan { object, requeue_at } => (StepKind::Plan, Some(object), None, requeue_at),
            Cause::Change => (StepKind::Change, None, None, None),
            Cause::Action(action) => (StepKind::Action, None, Some(action), None),
            Cause::Answers { object } => (StepKind::Answers, Some(object), None, None),
            Cause::Found => (StepKind::Found, None, None, None),
            Cause::Complaint => (StepKind::Complaint, None, None, None),
        };
        Self {
            at: since(start, at),
            kind,
            entries,
            object,
            action,
            requeue_at: requeue_at.map(|Requeue { at, reason }| Wait { at: since(start, at), reason }),
            waits: None,
            pods: touched.iter().filter_map(PodView::of).collect(),
            jobs: touched.iter().filter_map(JobView::of).collect(),
        }
    }
}

fn since(start: Timestamp, at: Timestamp) -> i64 {
    time::milliseconds(at.duration_since(start))
}
