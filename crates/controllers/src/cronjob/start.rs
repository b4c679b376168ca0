//! Whether a run is due, and whether its Job is started.
//!
//! Docs: CronJob, "Deadline for delayed Job start", "Concurrency policy", "Schedule suspension" (C-16…C-28, X-17…X-20).

use api::annotation::{AnnotationProblem, InvalidAnnotation, SKIP_DURING, WrongAnnotationValue};
use api::cron_job::concurrency_policy;
use api::run::job_name;
use api::{Duration, Kind, Timestamp, time};
use schedule::{Schedule, StartDelay};

use super::active::limit_reached;
use super::decision::{Concurrency, CronJobDecision, Guard, Missed, Scheduling};
use super::due::{self, Due};
use super::events::CronJobEvent;
use super::job_template::create;
use super::late;
use super::managed_by::suspended;
use super::pause::pause;
use super::plan::{CronJobPlan, Intent, delete};
use super::timetable::{Timetable, time_zone};
use super::view::View;
use crate::runtime::ObjectKey;
use crate::runtime::annotation;

/// Starts the run that is due, if there is one and nothing prevents it.
pub(super) fn start(view: &View<'_>, plan: &mut CronJobPlan) {
    let cron_job = view.cron_job;
    let Some(timetable) = open(view, plan) else { return };
    let Timetable { schedule, extensions } = &timetable;
    if !extensions.spread.is_zero() {
        plan.decide(CronJobDecision::Guard(Guard::SpreadsStarts { offset: extensions.spread }));
    }
    if let Some(pause) = pause(view, extensions, plan.sync.status.last_successful_time, plan.sync.began_at) {
        return pause.decide(view, plan);
    }
    let now = timetable.until(plan.sync.began_at);
    let (earliest, in_time) = (due::earliest(cron_job), due::earliest_in_time(cron_job, now));
    let late = due::due(&timetable, earliest, now);
    let next = due::next_run(schedule, cron_job, late, now);
    let Ok(found) = (if in_time == earliest { late } else { due::due(&timetable, in_time, now) }) else {
        if schedule.left_out(in_time).is_some() {
            refuse(view, &all_left_out(), plan);
            return;
        }
        plan.notices.push(view.event(&CronJobEvent::InvalidSchedule));
        return plan.decide(CronJobDecision::Guard(Guard::ScheduleHasNoRuns));
    };
    if let Some(next) = next {
        plan.requeue(timetable.wake_up_for(next).max(plan.sync.began_at), "the next run is due");
    }
    let skipped = schedule.left_out(late.ok().and_then(|late| late.at).unwrap_or(earliest));
    if let Some(skipped) = skipped.filter(|skipped| *skipped > now) {
        plan.requeue(timetable.wake_up_for(skipped), "the next run is to be skipped");
    }
    if let Some(scheduled_at) = found.at
        && let Some(delay) = timetable.delay(scheduled_at, plan.sync.began_at)
    {
        return delay_run(view, &timetable, scheduled_at, delay, plan);
    }
    if found.too_many_missed() {
        plan.notices.push(view.event(&CronJobEvent::TooManyMissedTimes));
        plan.decide(CronJobDecision::Scheduling(Scheduling::TooManyMissed { missed: found.missed.unwrap_or_default() }));
    }
    match found.at {
        None => nothing_due(view, &timetable, found, late.ok().and_then(|due| due.at), [skipped, next], plan),
        Some(at) => {
            let missed = late.ok().and_then(|late| due::missed(schedule, earliest, Due { at: found.at, ..late }));
            start_run(view, &timetable, DueRun { scheduled_at: at, missed, next }, plan);
        }
    }
}

/// Leaves a run for the end of the windows that delay it; a deadline holds in them, too.
fn delay_run(view: &View<'_>, timetable: &Timetable, scheduled_at: Timestamp, delay: StartDelay, plan: &mut CronJobPlan) {
    let StartDelay { window_end, until } = delay;
    let deadline = view.cron_job.spec.starting_deadline_seconds.map(Duration::from_secs);
    let deadline = deadline.filter(|deadline| time::after(scheduled_at, *deadline) <= timetable.until(until));
    let after = Some(until.duration_since(window_end)).filter(|after| !after.is_zero());
    plan.requeue(Timetable::wake_up_at(until), "the window that delays the run ends");
    plan.decide(CronJobDecision::Scheduling(Scheduling::DelaysRun { scheduled_at, until, after, deadline }));
}

/// The timetable, if Jobs are started at all (C-16…C-20).
fn open(view: &View<'_>, plan: &mut CronJobPlan) -> Option<Timetable> {
    let cron_job = view.cron_job;
    if cron_job.metadata.deleting() {
        plan.decide(CronJobDecision::Guard(Guard::CronJobBeingDeleted));
        return None;
    }
    let Ok(named) = time_zone(cron_job) else {
        let time_zone = cron_job.spec.time_zone.clone().unwrap_or_default();
        plan.notices.push(view.event(&CronJobEvent::UnknownTimeZone { time_zone: &time_zone }));
        plan.decide(CronJobDecision::Guard(Guard::UnknownTimeZone { time_zone }));
        return None;
    };
    match suspended(view.config, cron_job) {
        Ok(None) => {}
        Ok(Some(suspended)) => {
            plan.decide(CronJobDecision::Guard(suspended));
            return None;
        }
        Err(invalid) => return refuse(view, &invalid, plan),
    }
    if cron_job.spec.zone_in_schedule() {
        plan.notices.push(view.event(&CronJobEvent::UnsupportedSchedule));
        plan.decide(CronJobDecision::Guard(Guard::TimeZoneInSchedule));
    }
    let unparseable = |error: &String| {
        plan.notices.push(view.event(&CronJobEvent::UnparseableSchedule { error }));
        plan.decide(CronJobDecision::Guard(Guard::UnparseableSchedule { error: error.clone() }));
    };
    let schedule = Schedule::parse(&cron_job.spec.schedule, named.as_ref().unwrap_or(view.zone)).inspect_err(unparseable).ok()?;
    Timetable::new(schedule, cron_job).map_or_else(|invalid| refuse(view, &invalid, plan), Some)
}

/// Starts nothing while an annotation has an invalid value.
fn refuse(view: &View<'_>, invalid: &InvalidAnnotation, plan: &mut CronJobPlan) -> Option<Timetable> {
    plan.notices.push(annotation::notice(invalid, Kind::CronJob, &view.cron_job.metadata, view.config.reporting_controller()));
    plan.decide(CronJobDecision::Shared(annotation::decision(invalid, "Not starting Jobs")));
    None
}

/// That windows leave out every run.
fn all_left_out() -> InvalidAnnotation {
    let (message, remedy) = ("every run within five years is in a window", "leave out some windows, or suspend the CronJob");
    let problem = AnnotationProblem { line: 1, column: 1, message: message.to_owned(), remedy: remedy.to_owned() };
    InvalidAnnotation { key: SKIP_DURING, wrong: WrongAnnotationValue::Problem(problem) }
}

/// Why no run is due; `late` is the one that would be without a deadline, and `skipped` the first after it that windows leave out.
fn nothing_due(
    view: &View<'_>,
    timetable: &Timetable,
    found: Due,
    late: Option<Timestamp>,
    [skipped, next]: [Option<Timestamp>; 2],
    plan: &mut CronJobPlan,
) {
    let skipped = skipped.filter(|skipped| *skipped <= timetable.until(plan.sync.began_at));
    plan.decide(CronJobDecision::Scheduling(match (late, view.cron_job.spec.starting_deadline_seconds, found.missed) {
        (Some(scheduled_at), Some(deadline), None) => {
            let because = late::reason(view, timetable, scheduled_at, plan.sync.began_at);
            Scheduling::MissedDeadline { scheduled_at, deadline: Duration::from_secs(deadline), because, next }
        }
        (_, _, Some(missed)) => Scheduling::PassedOver { missed, next },
        (_, _, None) => match skipped {
            Some(scheduled_at) => Scheduling::SkipsRun { scheduled_at, next },
            None => Scheduling::NotDue { next },
        },
    }));
}

/// The run that is due.
#[derive(Debug)]
struct DueRun {
    scheduled_at: Timestamp,
    /// How many were missed before it.
    missed: Option<Missed>,
    /// When the next one is.
    next: Option<Timestamp>,
}

/// Starts the run that is due, which is after `lastScheduleTime`: earlier ones are not looked for (C-23…C-26).
fn start_run(view: &View<'_>, timetable: &Timetable, due: DueRun, plan: &mut CronJobPlan) {
    let (cron_job, DueRun { scheduled_at, missed, next }) = (view.cron_job, due);
    let job = job_name(cron_job, scheduled_at);
    let active = &plan.sync.status.active;
    let listed = active.iter().any(|active| active.name == job && active.namespace == cron_job.metadata.namespace);
    if listed {
        return plan.decide(CronJobDecision::Scheduling(Scheduling::AlreadyStarted { job, scheduled_at, next }));
    }
    let policy = &*cron_job.spec.concurrency_policy;
    if let (concurrency_policy::FORBID, Some(first)) = (policy, active.first()) {
        let (job, active) = (first.name.clone(), active.len());
        plan.notices.push(view.event(&CronJobEvent::JobAlreadyActive));
        return plan.decide(CronJobDecision::Concurrency(Concurrency::WaitsForActiveJob { job, active, scheduled_at }));
    }
    if let Some(limit) = timetable.extensions.max_active.filter(|limit| limit_reached(active.len(), *limit)) {
        let active = active.len();
        plan.notices.push(view.event(&CronJobEvent::JobLimitReached { limit }));
        return plan.decide(CronJobDecision::Concurrency(Concurrency::LimitsActiveRuns { active, limit, scheduled_at }));
    }
    if policy == concurrency_policy::REPLACE {
        replace(plan);
    }
    let key = ObjectKey { namespace: cron_job.metadata.namespace.clone(), name: job.clone() };
    match view.store.job(&key) {
        Some(there) if there.metadata.controller_uid() == &*cron_job.metadata.uid => {
            plan.decide(CronJobDecision::Scheduling(Scheduling::RecordsExistingJob { job, scheduled_at }));
            plan.sync.record(&there.metadata, scheduled_at);
        }
        Some(_) => plan.decide(CronJobDecision::Scheduling(Scheduling::NameTaken { job, scheduled_at, next })),
        None => {
            let began_at = plan.sync.began_at;
            let late = late::late(timetable, scheduled_at, began_at);
            let because = late.and_then(|_| late::reason(view, timetable, scheduled_at, began_at));
            plan.decide(CronJobDecision::Scheduling(Scheduling::StartsJob { job: job.clone(), scheduled_at, late, because, missed }));
            plan.then(vec![Intent::Create { job, scheduled_at }.command(create(cron_job, scheduled_at))]);
        }
    }
}

/// Deletes the Jobs that still run (C-25).
fn replace(plan: &mut CronJobPlan) {
    let active = plan.sync.status.active.iter();
    let commands: Vec<_> = active
        .map(|active| {
            let request = delete(&active.namespace, &active.name, &active.uid);
            Intent::Replace { job: active.name.clone(), uid: active.uid.clone() }.command(request)
        })
        .collect();
    if let Some(first) = plan.sync.status.active.first() {
        let (job, jobs) = (first.name.clone(), commands.len());
        plan.decide(CronJobDecision::Concurrency(Concurrency::ReplacesJobs { job, jobs }));
    }
    plan.then(commands);
}
