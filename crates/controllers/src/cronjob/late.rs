//! Why a run starts after its time: Jobs still ran, an annotation delayed or paused it, the schedule was changed, or the CronJob was resumed.
//!
//! Docs: CronJob, "Concurrency policy", "Schedule suspension" (C-03, C-18, C-24, X-18…X-20). What is decided about the run is in `start.rs`.

use std::collections::BTreeMap;

use api::cron_job::concurrency_policy;
use api::{CronJob, Duration, Job, Text, Timestamp, time};

use super::active::limit_reached;
use super::config::Config;
use super::decision::LateReason;
use super::managed_by::suspended;
use super::pause::pause;
use super::timetable::Timetable;
use super::view::View;

/// A run this late is late.
const LATE: Duration = Duration::from_secs(1);

/// The changes of CronJobs that may make their runs late: of each, by its UID, the last that was seen. They may be lost at any moment: then a run is just late.
#[derive(Debug, Default)]
pub(super) struct LateReasons(BTreeMap<Text, LateReason>);

impl LateReasons {
    /// A CronJob is there, changed or went.
    pub(super) fn record(&mut self, before: Option<&CronJob>, after: Option<&CronJob>, config: &Config, now: Timestamp) {
        let Some(before) = before else { return };
        let uid = &before.metadata.uid;
        let Some(after) = after.filter(|after| after.metadata.uid == *uid) else {
            self.0.remove(uid);
            return;
        };
        let timing = |cron_job: &CronJob| (cron_job.spec.schedule.clone(), cron_job.spec.time_zone.clone());
        let starts_none = |cron_job: &CronJob| !matches!(suspended(config, cron_job), Ok(None));
        if timing(before) != timing(after) {
            self.0.insert(uid.clone(), LateReason::Rescheduled(now));
        } else if starts_none(before) && !starts_none(after) {
            self.0.insert(uid.clone(), LateReason::Resumed(now));
        }
    }
}

/// By how much a run is late that starts at a time, if it is.
pub(super) fn late(timetable: &Timetable, scheduled_at: Timestamp, started_at: Timestamp) -> Option<Duration> {
    let late = timetable.until(started_at).duration_since(scheduled_at);
    (late >= LATE).then(|| Duration::from_secs(late.as_secs()))
}

/// Why a run is late that starts at a time, or is too late to start then, if that is known.
pub(super) fn reason(view: &View<'_>, timetable: &Timetable, scheduled_at: Timestamp, started_at: Timestamp) -> Option<LateReason> {
    let until = |at: Option<Timestamp>| at.map(|at| timetable.until(at));
    let ended_at = |job: &Job| until(job.finished_by().and_then(|end| end.last_transition_time));
    let active_then = |job: &&&Job| {
        until(job.metadata.creation_timestamp).is_some_and(|at| at <= scheduled_at) && ended_at(job).is_none_or(|at| scheduled_at < at)
    };
    let held_up = |job: &&&Job| active_then(job) && ended_at(job).is_none_or(|at| at <= timetable.until(started_at));
    if &*view.cron_job.spec.concurrency_policy == concurrency_policy::FORBID
        && let Some(job) = view.jobs.iter().filter(held_up).max_by_key(|job| ended_at(job))
    {
        return Some(LateReason::HeldUp(job.metadata.name.clone()));
    }
    if let Some(limit) = timetable.extensions.max_active.filter(|limit| limit_reached(view.jobs.iter().filter(active_then).count(), *limit))
    {
        return Some(LateReason::Limited(limit));
    }
    if let Some(end) = timetable.delayed_until(scheduled_at) {
        return Some(LateReason::Delayed(end));
    }
    let last_success = view.cron_job.status.last_successful_time.filter(|at| *at <= scheduled_at);
    if pause(view, &timetable.extensions, last_success, time::after(scheduled_at, timetable.extensions.spread)).is_some() {
        return Some(LateReason::Paused);
    }
    let change = view.late_reasons.0.get(&view.cron_job.metadata.uid);
    let after_it = |change: &&LateReason| match change {
        LateReason::HeldUp(_) | LateReason::Limited(_) | LateReason::Delayed(_) | LateReason::Paused => false,
        LateReason::Rescheduled(at) | LateReason::Resumed(at) => {
            (scheduled_at..=timetable.until(started_at)).contains(&timetable.until(*at))
        }
    };
    change.filter(after_it).cloned()
}
