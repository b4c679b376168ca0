//! A CronJob as the page shows it.
//!
//! Docs: CronJob API, "CronJobSpec" and "CronJobStatus". What a step changed of it is in `change_view.rs`; when its next run is, in the decisions;
//! when the clock of its zone changes, in `clock_view.rs`.

use api::{Duration, Text, Timestamp, time};
use cluster::stored::Stored;
use play::step::Touched;
use schedule::Zone;
use serde::Serialize;
use story::timetable::{self, CronJobTimetable};

use crate::change_view::{ChangeView, changes};
use crate::clock_view::MetChangeView;

/// So far ahead is known what clock changes mean.
const YEAR: Duration = Duration::from_hours(366 * 24);

/// A CronJob after a step.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct CronJobView {
    name: Text,
    namespace: Text,
    schedule: Text,
    time_zone: Option<Text>,
    /// The time zone that its times are in, even if it names none.
    zone: String,
    concurrency_policy: Text,
    suspend: bool,
    /// The names of the Jobs that it counts as active.
    active: Vec<Text>,
    /// Milliseconds since the beginning, as the next one.
    last_schedule_time: Option<i64>,
    last_successful_time: Option<i64>,
    /// The clock changes of the coming year that its schedule meets.
    clock_changes: Vec<MetChangeView>,
    deleting: bool,
    gone: bool,
    /// What the step changed of its spec and status, leaf by leaf.
    changes: Vec<ChangeView>,
}

impl CronJobView {
    /// The object that was written at a time, if it is a CronJob, in a session that began then.
    pub(crate) fn of(touched: &Touched, now: Timestamp, start: Timestamp) -> Option<Self> {
        let cron_job = touched.after.cron_job()?;
        let (spec, status) = (&cron_job.spec, &cron_job.status);
        let before = touched.before.as_deref().and_then(Stored::cron_job);
        let timetable = CronJobTimetable::read(cron_job, &Zone::utc()).ok();
        Some(Self {
            name: cron_job.metadata.name.clone(),
            namespace: cron_job.metadata.namespace.clone(),
            schedule: spec.schedule.clone(),
            time_zone: spec.time_zone.clone(),
            zone: timetable::zone_of(cron_job).name().to_owned(),
            concurrency_policy: spec.concurrency_policy.clone(),
            suspend: cron_job.suspended(),
            active: status.active.iter().map(|job| job.name.clone()).collect(),
            last_schedule_time: status.last_schedule_time.map(|at| time::since(start, at)),
            last_successful_time: status.last_successful_time.map(|at| time::since(start, at)),
            clock_changes: timetable
                .iter()
                .flat_map(|timetable| timetable.clock_changes(now, time::after(now, YEAR)))
                .map(|change| MetChangeView::of(&change, start))
                .collect(),
            deleting: cron_job.metadata.deleting(),
            gone: touched.gone,
            changes: before.map(|before| changes([&before.spec, spec], [&before.status, status])).unwrap_or_default(),
        })
    }
}
