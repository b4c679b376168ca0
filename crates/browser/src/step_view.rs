//! A step as the page shows it.
//!
//! Docs: `web/src/protocol.ts` has the same shapes. Pods and Jobs in it are in `pod_view.rs` and `job_view.rs`.

use api::{Text, Timestamp, time};
use contract::{ObjectRef, Requeue, Wakeup};
use play::step::{Step, Trigger};
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
    pub next: Option<Due>,
}

/// One step.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepView {
    /// Milliseconds since the beginning.
    pub at: i64,
    kind: StepKind,
    /// What is seen of it, as `jobsmith simulate` shows it.
    pub entries: Vec<Entry>,
    /// Of a plan and its answers: the controller that made it, and what it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    controller: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<ObjectRef>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requeue_at: Option<Due>,
    /// On the last step of a moment: what the controllers wait for after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) waits: Option<Option<Due>>,
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

/// A time that is waited for, and why.
#[derive(Debug, Clone, Serialize)]
pub struct Due {
    /// Milliseconds since the beginning.
    at: i64,
    reason: String,
}

impl Due {
    /// What the controllers wait for in a session that began then.
    pub(crate) fn of(Wakeup { at, reason, .. }: Wakeup, start: Timestamp) -> Self {
        Self { at: since(start, at), reason }
    }
}

impl StepView {
    /// A step of a session that began then.
    pub(crate) fn of(Step { at, trigger, entries, touched }: Step, start: Timestamp) -> Self {
        let view = Self {
            at: since(start, at),
            kind: StepKind::Change,
            entries,
            controller: None,
            object: None,
            action: None,
            requeue_at: None,
            waits: None,
            pods: touched.iter().filter_map(PodView::of).collect(),
            jobs: touched.iter().filter_map(JobView::of).collect(),
        };
        let due = |Requeue { at, reason }| Due { at: since(start, at), reason };
        match trigger {
            Trigger::Plan { controller, object, requeue_at } => {
                Self { kind: StepKind::Plan, controller: Some(controller), object: Some(object), requeue_at: requeue_at.map(due), ..view }
            }
            Trigger::Answers { controller, object } => {
                Self { kind: StepKind::Answers, controller: Some(controller), object: Some(object), ..view }
            }
            Trigger::Action(action) => Self { kind: StepKind::Action, action: Some(action), ..view },
            Trigger::Change => view,
            Trigger::Found => Self { kind: StepKind::Found, ..view },
            Trigger::Complaint => Self { kind: StepKind::Complaint, ..view },
        }
    }
}

fn since(start: Timestamp, at: Timestamp) -> i64 {
    time::milliseconds(at.duration_since(start))
}
