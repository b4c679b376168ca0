//! What a session shows above a past: how the Jobs stood when they were recorded, and up to when it is the past.
//!
//! Docs: the crate `past`. The steps themselves come from `past_session.rs`; `host/jobsmith/src/history.rs` prints this heading for `jobsmith simulate`.

use api::{Timestamp, time};
use contract::{Explanation, Sentence};
use past::{JobStanding, JobState, RecordedJob, SUMMED_UP};
use schedule::Zone;
use serde::Serialize;
use story::runs::PastRun;
use story::session_clock::ZoneClocks;

use crate::clock_view::ZoneView;
use crate::entry_view::{ObjectView, PartView};

/// What is shown above a past.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Past"))]
#[serde(rename_all = "camelCase")]
pub struct PastView {
    /// Up to when it is the past, in milliseconds since the beginning: the actions of the script are counted from there.
    until: i64,
    /// Whether it is shown step by step; for a Job without its pods, there are no steps.
    stepwise: bool,
    /// The time zone of its CronJob; if that names none, the reader's.
    zone: ZoneView,
    /// Whether its CronJob names it.
    #[serde(skip)]
    named: bool,
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
    /// If it is a run of a CronJob.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    run: Option<RecordedRunView>,
    /// What helps with that; may be empty.
    help: Vec<PartView>,
    /// What else keeps it from making progress.
    also: Vec<Vec<PartView>>,
    /// What it is stuck on if all of that is still so later than the last time in the objects; empty if nothing.
    later: Vec<PartView>,
}

/// A recorded run of a CronJob.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RecordedRun"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordedRunView {
    /// In milliseconds since the beginning.
    scheduled_at: i64,
    /// Whether it started on time, in words.
    started: String,
    /// How long it took, in words.
    took: String,
    /// How it ended, in words; empty while it has not.
    result: String,
}

impl RecordedRunView {
    fn of(record: &RecordedJob, start: Timestamp) -> Option<Self> {
        let run = PastRun::recorded(record, &Zone::utc());
        Some(Self {
            scheduled_at: time::since(start, record.scheduled_at()?),
            started: run.started_words(),
            took: run.took_words(),
            result: if run.over() { run.result.words() } else { String::new() },
        })
    }
}

impl PastView {
    /// Above the past of a Job that goes on at `now`; `others` are in the order in which people ask about them.
    pub(crate) fn of((record, standing): (&RecordedJob, &JobStanding), others: &[(RecordedJob, JobStanding)], now: Timestamp) -> Self {
        let stepwise = !record.without_pods();
        let start = if stepwise { record.created_at() } else { now };
        let named = record.time_zone().and_then(|name| Zone::named(name));
        Self {
            until: time::since(start, now),
            stepwise,
            named: named.is_some(),
            zone: ZoneClocks::around(&named.unwrap_or_else(Zone::utc), start).into(),
            job: StandingView::of(record, standing, start),
            pods: (!stepwise).then(|| record.pods_command()),
            others: others.iter().take(SUMMED_UP).map(|(record, standing)| StandingView::of(record, standing, start)).collect(),
            more: others.len().saturating_sub(SUMMED_UP),
        }
    }

    /// Shows it in the zone of the reader, unless its CronJob names one; `start` is the beginning.
    pub(crate) fn read_in(&mut self, reader: &Zone, start: Timestamp) {
        if !self.named {
            self.zone = ZoneClocks::around(reader, start).into();
        }
    }
}

impl StandingView {
    fn of(record: &RecordedJob, standing: &JobStanding, start: Timestamp) -> Self {
        let parts = |sentence: &Sentence| PartView::all(sentence, start);
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
            run: RecordedRunView::of(record, start),
            help: standing.remedy().map(parts).unwrap_or_default(),
            also: standing.beside().map(|obstacle| parts(&obstacle.sentence)).collect(),
            later: standing.later.as_ref().map(|later| parts(&later.headline)).unwrap_or_default(),
        }
    }
}
