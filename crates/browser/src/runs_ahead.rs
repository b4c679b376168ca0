//! What the runs of a session's CronJobs come to, for a calendar: simulated by itself, further than the session is, and nothing but the runs is kept.
//!
//! Docs: CronJob. A session with all that happens in it is in `playing.rs`; which scheduled times there are, whatever comes of them, follows from the
//! schedule alone.

use api::{Text, Timestamp, time};
use play::step::Step;
use serde::Serialize;
use story::runs::{CronJobName, Runs};

use crate::clock_view::MetChangeView;
use crate::memory;
use crate::playing::{Playing, StepSource};
use crate::run_view::{RunOutcome, outcome};

/// The simulation of a session for its runs alone.
pub(crate) struct RunsAhead {
    source: Box<dyn StepSource>,
    start: Timestamp,
    end: Timestamp,
    runs: Runs,
}

/// What runs came to in a piece of it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RunsAhead"))]
pub(crate) struct RunsAheadView {
    /// Until when all runs are known, in milliseconds since the beginning; `null` if nothing happens any more.
    until: Option<i64>,
    /// The runs that came to be what they are, in order: the last of a run counts.
    runs: Vec<RunAheadView>,
}

/// What a run came to.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RunAhead"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunAheadView {
    namespace: Text,
    name: Text,
    /// In milliseconds since the beginning.
    scheduled_at: i64,
    outcome: RunOutcome,
    /// Whether it started late.
    late: bool,
}

/// What a schedule says of some time, whatever comes of it.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ScheduledTimes {
    /// In milliseconds since the beginning, in order.
    times: Vec<i64>,
    changes: Vec<MetChangeView>,
}

impl RunsAhead {
    /// Begins at the start of a session in which nothing has happened yet.
    pub(crate) fn of(playing: Playing) -> Self {
        let (source, start, end, runs) = playing.into_runs();
        Self { source, start, end, runs }
    }

    /// Simulates until so many runs have come, or until the last one that is scheduled before a time, in milliseconds since the beginning.
    pub(crate) fn run(&mut self, mut runs: usize, until: i64) -> RunsAheadView {
        let mut found = Vec::new();
        let known = loop {
            if let Some(at) = self.source.next_run() {
                let since = time::since(self.start, at);
                if since >= until || runs == 0 {
                    break Some(since);
                }
                runs -= 1;
                self.end = self.end.max(time::after(at, play::LONGEST));
            }
            memory::reserve();
            let Some(moment) = self.source.next_moment(self.end) else { break None };
            self.observe(&moment);
            let changes = self.runs.changes().filter(|(_, change)| change.run.skipped_clock.is_none());
            found.extend(changes.map(|((namespace, name), change)| RunAheadView {
                namespace: namespace.clone(),
                name: name.clone(),
                scheduled_at: time::since(self.start, change.run.scheduled_at),
                outcome: outcome(&change.run.result),
                late: change.run.late().is_some(),
            }));
        };
        RunsAheadView { until: known, runs: found }
    }

    fn observe(&mut self, moment: &[Step]) {
        let Some(now) = moment.last().map(|step| step.at) else { return };
        let touched = moment.iter().flat_map(|step| &step.touched).map(|touched| (&touched.after, touched.gone));
        self.runs.observe(moment.iter().flat_map(|step| &step.entries), touched, now);
    }

    /// What the schedule of a CronJob says of the time from one moment until another, in milliseconds since the beginning.
    pub(crate) fn scheduled(&self, cron_job: &CronJobName, from: i64, until: i64) -> ScheduledTimes {
        let known = self.runs.all().find(|(name, runs)| *name == cron_job && runs.next().is_some());
        let Some(timetable) = known.and_then(|(_, runs)| runs.timetable()) else { return ScheduledTimes::default() };
        let [from, until] = [from - 1, until - 1].map(|at| time::after(self.start, api::Duration::from_millis(at)));
        let times = std::iter::successors(timetable.next(from), |last| timetable.next(*last)).take_while(|at| *at <= until);
        ScheduledTimes {
            times: times.map(|at| time::since(self.start, at)).collect(),
            changes: timetable.clock_changes(from, until).iter().map(|change| MetChangeView::of(change, self.start)).collect(),
        }
    }
}
