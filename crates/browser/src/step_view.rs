//! A step as the page is told of it.
//!
//! Docs: `web/src/protocol.ts` has the same shapes. Pods and Jobs in it are in `pod_view.rs` and `job_view.rs`.

use api::{Text, Timestamp, time};
use contract::{Key, LookAgain, Wakeup};
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
    key: Option<Key>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    look_again: Option<Wait>,
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
    because: String,
}

impl Wait {
    /// What the controllers wait for in a session that began then.
    pub(crate) fn of(Wakeup { at, because, .. }: Wakeup, start: Timestamp) -> Self {
        Self { at: since(start, at), because }
    }
}

impl StepView {
    /// A step of a session that began then.
    pub(crate) fn of(Step { at, cause, entries, touched }: Step, start: Timestamp) -> Self {
        let (kind, key, action, look_again) = match cause {
            Cause::Plan { key, look_again } => (StepKind::Plan, Some(key), None, look_again),
            Cause::Change => (StepKind::Change, None, None, None),
            Cause::Action(action) => (StepKind::Action, None, Some(action), None),
            Cause::Answers { key } => (StepKind::Answers, Some(key), None, None),
            Cause::Found => (StepKind::Found, None, None, None),
            Cause::Complaint => (StepKind::Complaint, None, None, None),
        };
        Self {
            at: since(start, at),
            kind,
            entries,
            key,
            action,
            look_again: look_again.map(|LookAgain { at, because }| Wait { at: since(start, at), because }),
            waits: None,
            pods: touched.iter().filter_map(PodView::of).collect(),
            jobs: touched.iter().filter_map(JobView::of).collect(),
        }
    }
}

fn since(start: Timestamp, at: Timestamp) -> i64 {
    time::milliseconds(at.duration_since(start))
}
