//! What a session shows above a past: how the Jobs stood when they were recorded, and up to when it is the past.
//!
//! Docs: the crate `past`. The steps of a past are those of `told.rs`; what `jobsmith simulate` shows above it is in `host/jobsmith/src/history.rs`.

use api::{Text, Timestamp, time};
use contract::{Explanation, Sentence};
use past::{JobState, RecordedJob, Standing};
use serde::Serialize;

use crate::entry_view::{ObjectView, PartView};

/// How many other Jobs have a line.
const SUMMED_UP: usize = 10;

/// What is shown above a past.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Past"))]
#[serde(rename_all = "camelCase")]
pub struct PastView {
    /// Up to when it is the past, in milliseconds since the beginning: the actions of the script are counted from there.
    until: i64,
    /// Whether it is told step by step: not of a Job without its pods.
    told: bool,
    /// The time zone of its CronJob, if that names one.
    zone: Option<Text>,
    /// The Job that it is about.
    job: StandingView,
    /// Where its pods are missing: the command that gets them.
    pods: Option<String>,
    /// The other Jobs, the last ones first: of more than ten, the first ten.
    others: Vec<StandingView>,
    /// How many more there are.
    more: usize,
}

/// How a Job stands.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Standing"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct StandingView {
    #[cfg_attr(test, ts(type = "'failed' | 'complete' | 'stuck' | 'running'"))]
    state: &'static str,
    job: ObjectView,
    /// The sentence.
    parts: Vec<PartView>,
    /// What helps with that; may be empty.
    help: Vec<PartView>,
    /// What else keeps it from getting on.
    also: Vec<Vec<PartView>>,
}

impl PastView {
    /// Above the past of a Job that goes on at `now`; `others` are in the order in which people ask about them.
    pub(crate) fn of(opened: (&RecordedJob, &Standing), others: &[Standing], now: Timestamp) -> Self {
        let (record, standing) = opened;
        let told = !record.without_pods();
        let start = if told { record.created_at() } else { now };
        Self {
            until: time::since(start, now),
            told,
            zone: record.time_zone.clone(),
            job: StandingView::of(standing, start),
            pods: (!told).then(|| record.pods_command()),
            others: others.iter().take(SUMMED_UP).map(|standing| StandingView::of(standing, start)).collect(),
            more: others.len().saturating_sub(SUMMED_UP),
        }
    }
}

impl StandingView {
    fn of(standing: &Standing, start: Timestamp) -> Self {
        let parts = |sentence: &Sentence| sentence.0.iter().map(|part| PartView::of(part.clone(), start, None)).collect();
        let state = match standing.ending.state {
            JobState::Complete => "complete",
            JobState::Failed => "failed",
            JobState::Running | JobState::Suspended | JobState::Failing | JobState::Completing => {
                if standing.explanation.as_ref().is_some_and(Explanation::stuck) { "stuck" } else { "running" }
            }
        };
        Self {
            state,
            job: standing.ending.job.clone().into(),
            parts: parts(&standing.sentence()),
            help: standing.remedy().map(parts).unwrap_or_default(),
            also: standing.beside().map(|obstacle| parts(&obstacle.sentence)).collect(),
        }
    }
}
