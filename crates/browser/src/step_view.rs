//! A step as the page shows it.
//!
//! Docs: `web/src/views.ts` is generated from these types. Its entries and objects are in `entry_view.rs`, `pod_view.rs`,
//! `job_view.rs` and `cron_job_view.rs`.

use api::{Text, Timestamp, time};
use contract::Wakeup;
use play::fault::{Fault, FaultKind};
use play::step::{Step, Touched, Trigger};
use play::trace::{Entry, EntryWords, What};
use serde::Serialize;
use story::restarts::PodRestarts;

use crate::clock_view::ClockView;
use crate::cron_job_view::CronJobView;
use crate::entry_view::{EntryView, ObjectView, PartView};
use crate::job_view::JobStepView;
use crate::outcome_view::OutcomeView;
use crate::past_view::PastView;
use crate::pod_view::PodView;
use crate::run_view::RunView;

/// What was played.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Progress"))]
pub struct ProgressView {
    /// When the session begins.
    #[serde(serialize_with = "time::serialize")]
    #[cfg_attr(test, ts(type = "string"))]
    pub start: Timestamp,
    /// The steps, in order.
    pub steps: Vec<StepView>,
    /// The outcomes of the CronJobs, and of the Jobs that no CronJob started, up to the last step: what people look for comes first.
    pub(crate) outcomes: Vec<OutcomeView>,
    /// Whether nothing happens any more.
    pub ended: bool,
    /// Whether the next thing is a run of a CronJob that is further ahead than wanted.
    pub paused: bool,
    /// With the first steps: what is shown above, if the session begins with a past.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub past: Option<PastView>,
}

/// One step.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Step"))]
#[serde(rename_all = "camelCase")]
pub struct StepView {
    /// Milliseconds since the beginning.
    pub at: i64,
    kind: StepKind,
    /// What is seen of it.
    pub(crate) entries: Vec<EntryView>,
    /// Of a plan and its outcomes: the controller that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    controller: Option<Text>,
    /// What a plan, or a clock change, is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    object: Option<ObjectView>,
    /// What was done from outside, in the script language.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    action: Option<Text>,
    /// What was done brings a fault that lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    fault: Option<FaultView>,
    /// On the last step of a moment: what the controllers wait for after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) waits: Option<Option<DueView>>,
    /// Where they wait for no time: the sentence of what has to happen before, unless it comes from outside.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) awaits: Option<Vec<PartView>>,
    /// On the last step of a moment: the runs of CronJobs that came to be what they are in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<RunView>>"))]
    pub(crate) runs: Vec<RunView>,
    /// What it brings for the times that are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) clock: Option<ClockView>,
    pods: Vec<PodView>,
    jobs: Vec<JobStepView>,
    cron_jobs: Vec<CronJobView>,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) enum StepKind {
    /// What the controllers did.
    Plan,
    /// What nodes and the API server did.
    Change,
    /// What was done from outside.
    Action,
    /// What another cluster had.
    Found,
    /// What the manifest has.
    Applied,
    /// What the API server answered, where that comes later.
    Answers,
    /// The clock of a CronJob's time zone was set forward or back, past times that its schedule chooses.
    ClockChange,
    /// What a record cannot show, or has otherwise.
    Difference,
    /// What went wrong.
    Complaint,
}

/// A time that is waited for, and why.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Due"))]
pub struct DueView {
    /// Milliseconds since the beginning.
    at: i64,
    reason: String,
}

/// A fault that lasts.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Fault"))]
pub struct FaultView {
    #[cfg_attr(test, ts(type = "'watchDelayed' | 'watchCut' | 'controllerPaused' | 'clockAdvanced' | 'creationsRefused'"))]
    kind: &'static str,
    /// Milliseconds since the beginning.
    from: i64,
    /// When it is over, unless another one comes in its place.
    until: i64,
}

impl FaultView {
    fn of(Fault { kind, from, until }: Fault, start: Timestamp) -> Self {
        let kind = match kind {
            FaultKind::WatchDelayed => "watchDelayed",
            FaultKind::WatchCut => "watchCut",
            FaultKind::ControllerPaused => "controllerPaused",
            FaultKind::ClockAdvanced => "clockAdvanced",
            FaultKind::CreationsRefused => "creationsRefused",
        };
        Self { kind, from: time::since(start, from), until: time::since(start, until) }
    }
}

impl DueView {
    /// What the controllers wait for in a session that began then.
    pub(crate) fn of(Wakeup { at, reason, .. }: Wakeup, start: Timestamp) -> Self {
        Self { at: time::since(start, at), reason }
    }
}

impl StepView {
    /// A step of a session that began then; `words` are those of its entries, `restarts` those in the objects that it touched.
    pub(crate) fn of(step: Step, words: Vec<EntryWords>, restarts: Vec<PodRestarts>, start: Timestamp) -> Self {
        let Step { at, trigger, entries, touched } = step;
        let estimated = |touched: &Touched| {
            let name = touched.after.metadata();
            let about = |entry: &Entry| matches!(&entry.what, What::Pod(pod) if pod.pod == name.name && pod.namespace == name.namespace);
            entries.iter().any(|entry| entry.estimated && about(entry))
        };
        let pods = touched
            .iter()
            .zip(restarts)
            .filter_map(|(touched, restarts)| PodView::of(touched, restarts, estimated(touched), start))
            .collect();
        let view = Self {
            at: time::since(start, at),
            kind: StepKind::Change,
            jobs: touched.iter().filter_map(|touched| JobStepView::of(touched, &entries, start)).collect(),
            entries: entries.into_iter().zip(words).filter_map(|(entry, words)| EntryView::of(entry, words, start)).collect(),
            controller: None,
            object: None,
            action: None,
            fault: None,
            waits: None,
            awaits: None,
            runs: Vec::new(),
            clock: None,
            pods,
            cron_jobs: touched.iter().filter_map(|touched| CronJobView::of(touched, at, start)).collect(),
        };
        match trigger {
            Trigger::Plan { controller, object, .. } => {
                Self { kind: StepKind::Plan, controller: Some(controller), object: Some(object.into()), ..view }
            }
            Trigger::Answers { controller, object } => {
                Self { kind: StepKind::Answers, controller: Some(controller), object: Some(object.into()), ..view }
            }
            Trigger::Action { text, fault } => {
                let fault = fault.map(|fault| FaultView::of(fault, start));
                Self { kind: StepKind::Action, action: Some(text), fault, ..view }
            }
            Trigger::Change => view,
            Trigger::Found => Self { kind: StepKind::Found, ..view },
            Trigger::Applied => Self { kind: StepKind::Applied, ..view },
            Trigger::ClockChange { object, .. } => Self { kind: StepKind::ClockChange, object: Some(object.into()), ..view },
            Trigger::Difference => Self { kind: StepKind::Difference, ..view },
            Trigger::Complaint => Self { kind: StepKind::Complaint, ..view },
        }
    }
}
