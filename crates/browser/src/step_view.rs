//! A step as the page is told of it.
//!
//! Docs: `web/src/protocol.ts` has the same shapes. Pods and Jobs in it are in `pod_view.rs` and `job_view.rs`.

use api::{Text, Timestamp};
use contract::{Key, LookAgain, Manager, Wakeup};
use serde::Serialize;
use sim::apiserver::Write;
use sim::play::{Cause, Play, Step, start};
use sim::trace::Entry;

use crate::job_view::JobView;
use crate::pod_view::PodView;

/// What was played, and what comes next.
#[derive(Debug, Serialize)]
pub struct Progress {
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
    pub at: i128,
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
    Complaint,
}

/// A time that is waited for.
#[derive(Debug, Clone, Serialize)]
pub struct Wait {
    /// Milliseconds since the beginning.
    at: i128,
    because: String,
}

impl From<Wakeup> for Wait {
    fn from(Wakeup { at, because, .. }: Wakeup) -> Self {
        Self { at: since_start(at), because }
    }
}

impl From<LookAgain> for Wait {
    fn from(LookAgain { at, because }: LookAgain) -> Self {
        Self { at: since_start(at), because }
    }
}

impl StepView {
    /// The view of a step that was just played.
    pub(crate) fn of<M: Manager>(step: Step, play: &Play<M>) -> Self {
        let Step { at, cause, entries, writes } = step;
        let (kind, key, action, look_again) = match cause {
            Cause::Plan { key, look_again } => (StepKind::Plan, Some(key), None, look_again),
            Cause::Change => (StepKind::Change, None, None, None),
            Cause::Action(action) => (StepKind::Action, None, Some(action), None),
            Cause::Complaint => (StepKind::Complaint, None, None, None),
        };
        let objects = objects(&writes);
        Self {
            at: since_start(at),
            kind,
            entries,
            key,
            action,
            look_again: look_again.map(Into::into),
            waits: None,
            pods: objects.iter().filter_map(|(_, last)| PodView::of(last, |uid| play.attempt(uid))).collect(),
            jobs: objects.iter().filter_map(|(first, last)| JobView::of(first, last)).collect(),
        }
    }
}

/// The first and the last write of each object, in the order of the first ones.
fn objects(writes: &[Write]) -> Vec<(&Write, &Write)> {
    let mut objects: Vec<(&Write, &Write)> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    for write in writes {
        let place = *places.entry(&write.key).or_insert(objects.len());
        match objects.get_mut(place) {
            Some((_, last)) => *last = write,
            None => objects.push((write, write)),
        }
    }
    objects
}

fn since_start(at: Timestamp) -> i128 {
    at.duration_since(start()).as_millis()
}
