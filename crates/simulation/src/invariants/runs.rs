//! W7: one Job for each CronJob and scheduled time, and none beside another one that it must not run beside.
//!
//! Docs: CronJob, "Job creation", "Concurrency policy", "Jobs history limits" (C-12, C-14, C-23…C-31, C-71). What is promised of CronJobs once all is calm is in `upkeep.rs`.

use api::cron_job::concurrency_policy::{ALLOW, REPLACE};
use api::job::conditions::COMPLETE;
use api::meta::names;
use api::{CronJob, Job, Timestamp, time};
use cluster::stored::Stored;

use super::{Checked, hold};
use crate::ledger::{JobRecord, Ledger, SentRequest};
use crate::timetable::{RunPattern, annotation, drifts, last_run};

/// W7: a Job is started for a run that its CronJob has, once, and its CronJob wants it.
pub(super) fn started(ledger: &Ledger, job: &Stored, sent: SentRequest<'_>) -> Checked {
    let metadata = job.metadata();
    let record = ledger.job(&metadata.uid).expect("a Job is recorded when it is created");
    let known = sent.cron_job().filter(|known| *known.metadata.uid == *metadata.controller_uid());
    let Some((known, at)) = known.zip(record.run) else {
        return hold(false, "W7", || format!("job {} is started for no run of a CronJob that the manager knows", metadata.name));
    };
    let about = || format!("job {} is started for the run of CronJob {} at {at}", metadata.name, known.metadata.name);
    hold(!known.suspended() && !known.metadata.deleting(), "W7", || format!("{}, which is suspended or being deleted", about()))?;
    let scheduled = RunPattern::of(known).zip(last_run(known)).is_some_and(|(timetable, last)| timetable.has(at, last));
    hold((scheduled || drifts(known)) && at <= sent.flight.planned.at, "W7", || {
        format!("{}, which it does not have by {} after {:?}", about(), known.spec.schedule, last_run(known))
    })?;
    let noted = metadata.annotations.get(names::SCHEDULED_TIMESTAMP).map(|noted| &**noted);
    hold(noted == Some(&*annotation(at, known)), "W7", || format!("{}, but notes the time as {noted:?}", about()))?;
    // One that went before the status could tell of it may be started once more.
    let recorded = ledger.cron_jobs[&known.metadata.uid].cron_job().status.last_schedule_time >= Some(at);
    let twin = others(ledger, known, record).find(|other| other.run == record.run && (!other.gone || recorded));
    hold(twin.is_none(), "W7", || {
        format!("{}, which had job {} already", about(), twin.map(|twin| &*twin.job().metadata.name).unwrap_or_default())
    })?;
    runs_alone(ledger, known, record)
}

/// W7: where Jobs must not run side by side, none is started beside one that the CronJob lists as active and that is not being deleted.
fn runs_alone(ledger: &Ledger, known: &CronJob, record: &JobRecord) -> Checked {
    let policy = &*known.spec.concurrency_policy;
    if policy == ALLOW {
        return Ok(());
    }
    let active = &ledger.cron_jobs[&known.metadata.uid].cron_job().status.active;
    let runs = |other: &&JobRecord| {
        let (job, listed) = (other.job(), active.iter().any(|active| active.uid == other.job().metadata.uid));
        listed && !other.gone && !job.finished() && !job.metadata.deleting()
    };
    let beside = others(ledger, known, record).find(runs);
    hold(beside.is_none(), "W7", || {
        let beside = beside.map(|other| &*other.job().metadata.name).unwrap_or_default();
        format!("job {} is started while job {beside} runs, and the policy is {policy}", record.job().metadata.name)
    })
}

/// The other Jobs that were ever started for a CronJob.
fn others<'a>(ledger: &'a Ledger, cron_job: &CronJob, record: &'a JobRecord) -> impl Iterator<Item = &'a JobRecord> {
    let own = ledger.jobs_of(&cron_job.metadata.uid);
    own.filter(move |other| other.run.is_some() && other.job().metadata.uid != record.job().metadata.uid)
}

/// W7 and W9: the last run never goes back, it is one that was started, and with the next write it is recorded.
pub(super) fn recorded(ledger: &Ledger, before: &CronJob, after: &CronJob) -> Checked {
    let (name, uid) = (&after.metadata.name, &after.metadata.uid);
    let (was, is) = (before.status.last_schedule_time, after.status.last_schedule_time);
    hold(was <= is, "W9", || format!("the last run of CronJob {name} goes from {was:?} back to {is:?}"))?;
    let reported = ledger.cron_jobs.get(uid).and_then(|record| record.reported);
    hold(is >= reported, "W7", || format!("CronJob {name} has the last run {is:?}, although the run at {reported:?} was started"))?;
    let started = was == is || ledger.jobs_of(uid).any(|job| job.run == is || shares_its_job(after, job.run, is));
    hold(started, "W7", || format!("CronJob {name} has the last run {is:?}, for which no job was started"))?;
    active_are_its_runs(ledger, after)?;
    last_success_is_one(ledger, before, after)
}

/// Whether a run is recorded with the Job of another one: those of `@every` that are in one minute share their Job's name (C-30).
fn shares_its_job(cron_job: &CronJob, run: Option<Timestamp>, other: Option<Timestamp>) -> bool {
    let seconds = |run: Option<Timestamp>| run.map(Timestamp::as_second);
    let minute = |run| seconds(run).map(|second| second.div_euclid(60));
    let between = seconds(run).is_some_and(|second| second.rem_euclid(60) > 0);
    minute(run) == minute(other) && (between || cron_job.spec.schedule.starts_with("@every"))
}

/// W7: the active Jobs are those of the CronJob's runs, each once and under its name; those that people start are not among them (C-12).
fn active_are_its_runs(ledger: &Ledger, cron_job: &CronJob) -> Checked {
    let (metadata, active) = (&cron_job.metadata, &cron_job.status.active);
    let is_run = |uid: &str, name: &str| {
        let own = |job: &&JobRecord| job.cron_job.as_ref() == Some(&metadata.uid) && job.run.is_some();
        ledger.job(uid).filter(own).is_some_and(|job| *job.job().metadata.name == *name)
    };
    let once = |uid: &str| active.iter().filter(|active| *active.uid == *uid).count() == 1;
    let wrong = active.iter().find(|active| !is_run(&active.uid, &active.name) || !once(&active.uid));
    hold(wrong.is_none(), "W7", || {
        let wrong = wrong.map(|active| &*active.name).unwrap_or_default();
        format!("CronJob {} lists job {wrong} as active, which is not one of its runs, or twice", metadata.name)
    })
}

/// W7 and W9: the last success is the end of a Job of the CronJob that is Complete, and never goes back (C-14).
fn last_success_is_one(ledger: &Ledger, before: &CronJob, after: &CronJob) -> Checked {
    let name = &after.metadata.name;
    let (was, is) = (before.status.last_successful_time, after.status.last_successful_time);
    hold(was <= is, "W9", || format!("the last success of CronJob {name} goes from {was:?} back to {is:?}"))?;
    let completed = |record: &JobRecord| record.job().condition(COMPLETE).is_some() && record.job().status.completion_time == is;
    hold(was == is || ledger.jobs_of(&after.metadata.uid).any(completed), "W7", || {
        format!("CronJob {name} has the last success {is:?}, at which none of its jobs completed")
    })
}

/// W7: a CronJob's controller deletes only Jobs of that CronJob: those that have finished, or that are to be replaced.
pub(super) fn deletes_its_own(ledger: &Ledger, job: &Job, sent: SentRequest<'_>) -> Checked {
    let Some(known) = sent.cron_job() else { return Ok(()) };
    // Its CronJob may have gone without it since the plan was made.
    let own = ledger.job(&job.metadata.uid).is_some_and(|job| job.cron_job.as_ref() == Some(&known.metadata.uid));
    hold(own && (job.finished() || &*known.spec.concurrency_policy == REPLACE), "W7", || {
        format!("job {} is deleted for CronJob {}, although it runs or is not its own", job.metadata.name, known.metadata.name)
    })
}

/// W8: a Job is deleted only after its TTL, and only the one that the manager was shown.
pub(super) fn outlives_its_ttl(job: &Job, sent: SentRequest<'_>) -> Checked {
    let name = &job.metadata.name;
    let seen = sent.job().map(|seen| &seen.metadata.uid);
    hold(seen == Some(&job.metadata.uid), "W8", || {
        format!("job {name} of UID {} is deleted after its TTL, but the manager looked at {seen:?}", job.metadata.uid)
    })?;
    let end = ttl_ends_at(job);
    hold(end.is_some_and(|end| end <= sent.flight.planned.at), "W8", || {
        format!("job {name} is deleted by a plan of {}, but its TTL ends at {end:?}", sent.flight.planned.at)
    })
}

/// When the TTL of a Job ends; none if it has not finished or has no TTL.
pub(crate) fn ttl_ends_at(job: &Job) -> Option<Timestamp> {
    let ends = |kind: &str| matches!(kind, "Complete" | "Failed");
    let end = job.status.conditions.iter().find(|condition| ends(&condition.kind) && &*condition.status == "True")?;
    let ttl = api::Duration::from_secs(job.spec.ttl_seconds_after_finished?.into());
    Some(time::after(end.last_transition_time?, ttl))
}
