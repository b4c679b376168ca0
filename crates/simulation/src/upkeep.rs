//! L1, of CronJobs and of Jobs with a TTL: what the pages promise whenever the manager has nothing to do, written naively.
//!
//! Docs: CronJob, "Job creation", "Jobs history limits", "Schedule suspension"; Automatic Cleanup for Finished Jobs. What must hold of each Job that is started
//! is in `invariants/runs.rs`.

use api::cron_job::concurrency_policy::FORBID;
use api::job::conditions::{COMPLETE, FAILED};
use api::{CronJob, Duration, Job, Kind, Timestamp, time};
use cluster::ApiServer;

use crate::interventions::NAMESPACE;
use crate::invariants::{Checked, hold, ttl_ends_at};
use crate::ledger::{CronJobRecord, JobRecord, Ledger};
use crate::timetable::{RunPattern, drifts, last_run};

/// How long after a scheduled time its Job may be started although nothing else is to be done.
const PADDING: Duration = Duration::from_millis(100);

/// Whether CronJobs and finished Jobs are as promised, while nothing is to be done; what was refused may be tried again later.
pub(crate) fn kept(ledger: &Ledger, server: &ApiServer, now: Timestamp) -> Checked {
    let waits = |name: &str| ledger.refusals.slow_until(name).is_some_and(|until| now <= until);
    for job in server.objects(Kind::Job).filter_map(|stored| stored.job()) {
        let name = &job.metadata.name;
        let over = ttl_ends_at(job).filter(|end| *end <= now && !job.metadata.deleting() && !waits(name));
        hold(over.is_none(), "L1", || format!("job {name} is there at {now}, although its TTL ended at {over:?}"))?;
    }
    for cron_job in server.objects(Kind::CronJob).filter_map(|stored| stored.cron_job()) {
        if cron_job.metadata.deleting() || waits(&cron_job.metadata.name) {
            continue;
        }
        let record = &ledger.cron_jobs[&cron_job.metadata.uid];
        active_is_true(ledger, server, record)?;
        // A deletion that was refused is not tried again before something else happens (C-72).
        if ledger.refusals.slow_until(&cron_job.metadata.name).is_none() {
            history_is_short(ledger, cron_job)?;
        }
        last_success_is_known(ledger, cron_job)?;
        last_run_is_started(ledger, server, record, now)?;
    }
    Ok(())
}

/// The Jobs of a CronJob that are there and not being deleted.
fn jobs_of<'a>(ledger: &'a Ledger, cron_job: &CronJob) -> impl Iterator<Item = (&'a JobRecord, &'a Job)> {
    let uid = cron_job.metadata.uid.clone();
    let own = ledger.jobs_of(&uid).map(|record| (record, record.job())).collect::<Vec<_>>();
    own.into_iter().filter(move |(record, job)| !record.gone && !job.metadata.deleting() && *job.metadata.controller_uid() == *uid)
}

/// The Jobs that are listed as active are those that were started and have not finished.
fn active_is_true(ledger: &Ledger, server: &ApiServer, record: &CronJobRecord) -> Checked {
    let cron_job = record.cron_job();
    let (name, active) = (&cron_job.metadata.name, &cron_job.status.active);
    // One that is gone is looked for by its name, which another one may have (C-15).
    let gone = |name: &str| server.object(Kind::Job, NAMESPACE, name).is_none();
    let ended = active.iter().find(|active| match ledger.job(&active.uid) {
        Some(job) if !job.gone => job.job().finished(),
        Some(_) | None => gone(&active.name),
    });
    hold(ended.is_none(), "L1", || {
        format!("CronJob {name} lists job {} as active, which has ended", ended.map(|active| &*active.name).unwrap_or_default())
    })?;
    // A Job of whose creation the manager did not hear before it was time for the next one stays unlisted (C-12).
    let known = |job: &JobRecord| {
        record.listed.contains(&job.job().metadata.uid) || job.run.is_some() && job.run == cron_job.status.last_schedule_time
    };
    let runs = |(record, job): &(&JobRecord, &Job)| known(record) && !job.finished();
    let unlisted = jobs_of(ledger, cron_job).filter(runs).find(|(_, job)| active.iter().all(|active| active.uid != job.metadata.uid));
    hold(unlisted.is_none(), "L1", || {
        let unlisted = unlisted.map(|(_, job)| &*job.metadata.name).unwrap_or_default();
        format!("job {unlisted} of CronJob {name} runs and is not listed as active")
    })
}

/// No more finished Jobs are kept than the history limits allow.
fn history_is_short(ledger: &Ledger, cron_job: &CronJob) -> Checked {
    let spec = &cron_job.spec;
    for (condition, limit) in [(COMPLETE, spec.successful_jobs_history_limit), (FAILED, spec.failed_jobs_history_limit)] {
        let kept = jobs_of(ledger, cron_job).filter(|(_, job)| job.condition(condition).is_some()).count();
        let holds = limit.is_none_or(|limit| i64::try_from(kept).is_ok_and(|kept| kept <= i64::from(limit)));
        hold(holds, "L1", || format!("{kept} jobs of CronJob {} are {condition}, and the limit is {limit:?}", cron_job.metadata.name))?;
    }
    Ok(())
}

/// The last success is that of the Job that completed last (C-14).
fn last_success_is_known(ledger: &Ledger, cron_job: &CronJob) -> Checked {
    let completed = jobs_of(ledger, cron_job).filter(|(_, job)| job.condition(COMPLETE).is_some());
    let (last, known) = (completed.filter_map(|(_, job)| job.status.completion_time).max(), cron_job.status.last_successful_time);
    hold(last <= known, "L1", || {
        format!("the last success of CronJob {} is {known:?}, although a job completed at {last:?}", cron_job.metadata.name)
    })
}

/// The last run that can be started is started.
fn last_run_is_started(ledger: &Ledger, server: &ApiServer, record: &CronJobRecord, now: Timestamp) -> Checked {
    let cron_job = record.cron_job();
    let (spec, name) = (&cron_job.spec, &cron_job.metadata.name);
    let due =
        RunPattern::of(cron_job).zip(last_run(cron_job)).and_then(|(timetable, last)| timetable.last_run(last, time::after(now, -PADDING)));
    let Some(due) = due.filter(|_| !cron_job.suspended() && !drifts(cron_job)) else { return Ok(()) };
    let too_late = spec.starting_deadline_seconds.is_some_and(|seconds| time::after(due, Duration::from_secs(seconds)) <= now);
    let must_wait = &*spec.concurrency_policy == FORBID && !cron_job.status.active.is_empty();
    // A run that only the present schedule has is not made up for (C-03).
    let retimed = record.retimed_at.is_some_and(|retimed| due <= retimed);
    let job = format!("{name}-{}", due.as_second().div_euclid(60));
    let taken = server.object(Kind::Job, NAMESPACE, &job).is_some_and(|there| {
        let listed = cron_job.status.active.iter().any(|active| *active.name == *job);
        listed || *there.metadata().controller_uid() != *cron_job.metadata.uid
    });
    let was_taken =
        || ledger.jobs.values().any(|other| *other.job().metadata.name == *job && other.cron_job.as_ref() != Some(&cron_job.metadata.uid));
    hold(too_late || must_wait || retimed || taken || was_taken(), "L1", || {
        format!("the run of CronJob {name} at {due} is not started at {now}; its last one was at {:?}", cron_job.status.last_schedule_time)
    })
}
