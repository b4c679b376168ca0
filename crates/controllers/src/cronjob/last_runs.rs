//! What happened at the last scheduled times of a CronJob, according to its Jobs and its status.
//!
//! Docs: CronJob, "Job creation", "Jobs history limits"; `jobsmith explain`. What is decided about the run that is due is in `start.rs`.

use api::cron_job::concurrency_policy;
use api::job::conditions::FAILURE_TARGET;
use api::meta::names;
use api::{CronJob, Duration, Job, Kind, Text, Timestamp, time};
use contract::{ObjectRef, Related};
use schedule::Schedule;

use super::active::limit_reached;
use super::decision::{LastRun, LateReason, Run};
use super::due;
use super::late;
use super::managed_by::suspended;
use super::pause::pause;
use super::timetable::Timetable;
use super::view::View;
use crate::runtime::decision::decision;
use api::run::job_name;

/// How many scheduled times there are at most.
const RUNS: usize = 10;

/// What happened at each of the last scheduled times, the earliest first.
pub(super) fn last_runs(view: &View<'_>, now: Timestamp) -> Vec<Related> {
    let (cron_job, mut related) = (view.cron_job, Vec::new());
    let Some(timetable) = Timetable::of(cron_job, view.zone) else { return related };
    let now = timetable.until(now);
    let (schedule, created_at) = (&timetable.schedule, cron_job.metadata.creation_timestamp.unwrap_or(now));
    let times = due::last_times(RUNS, due::earliest(cron_job), created_at, now, schedule, Schedule::next_of_all);
    for (place, at) in times.iter().enumerate() {
        let namespace = cron_job.metadata.namespace.clone();
        let next = times[place + 1..].iter().copied().find(|next| !schedule.leaves_out(*next));
        let decision = decision(&run(view, &timetable, *at, next, now), &namespace);
        let object = ObjectRef { kind: Kind::Job.name().into(), namespace, name: job_name(cron_job, *at), ..ObjectRef::default() };
        related.push(Related { object, decision });
    }
    related
}

/// What happened at a scheduled time, where `next` is the one after it that has passed, too. It is judged as if starts were not spread.
fn run(view: &View<'_>, timetable: &Timetable, scheduled_at: Timestamp, next: Option<Timestamp>, now: Timestamp) -> LastRun {
    let CronJob { spec, status, .. } = view.cron_job;
    let mut run = Run { scheduled_at, job: job_name(view.cron_job, scheduled_at), ..Run::default() };
    let (at, deadline) = (scheduled_at.as_second(), spec.starting_deadline_seconds.unwrap_or(i64::MAX));
    let too_late_at = at.saturating_add(deadline);
    let until = next.map_or(i64::MAX, Timestamp::as_second).min(too_late_at);
    let mut in_the_way = Vec::new();
    for job in &view.jobs {
        let Some(scheduled) = job.metadata.annotations.get(names::SCHEDULED_TIMESTAMP) else { continue };
        let late = job.metadata.creation_timestamp.map_or(0, |created| timetable.until(created).as_second() - at);
        let end = job.finished_by();
        if time::parse(scheduled) == Some(scheduled_at) {
            run.job = job.metadata.name.clone();
            run.late = Some(Duration::from_secs(late.max(0)));
            let started_at = job.metadata.creation_timestamp.filter(|_| late > 0);
            run.because = started_at.and_then(|started_at| late::reason(view, timetable, scheduled_at, started_at));
            run.state = Some(state(job));
            return LastRun::HasJob(run);
        }
        let ended_at = end.map_or(i64::MAX, |end| timetable.until(end.last_transition_time.unwrap_or_default()).as_second());
        if late <= 0 && ended_at >= until {
            in_the_way.push(job.metadata.name.clone());
        }
    }
    let last = status.last_schedule_time.map_or(i64::MIN, Timestamp::as_second);
    let (forbids, max_active) = (&*spec.concurrency_policy == concurrency_policy::FORBID, timetable.extensions.max_active);
    let limit = max_active.filter(|limit| limit_reached(in_the_way.len(), *limit));
    let delayed = || timetable.delayed_until(scheduled_at).map(LateReason::Delayed);
    if last == at {
        LastRun::JobIsGone(run)
    } else if timetable.schedule.leaves_out(scheduled_at) {
        LastRun::WasSkipped(run)
    } else if let Some(job) = in_the_way.pop().filter(|_| forbids) {
        LastRun::WasHeldUp(Run { job, ..run })
    } else if let Some(limit) = limit {
        LastRun::WasLimited(run, limit)
    } else if last > at {
        LastRun::LeftNoRecord(run)
    } else if matches!(suspended(view.config, view.cron_job), Ok(Some(_))) {
        LastRun::WasSuspended(run)
    } else if pause(view, &timetable.extensions, status.last_successful_time, now).is_some() {
        LastRun::WasPaused(run)
    } else if too_late_at < now.as_second() {
        LastRun::WasTooLate(Run { late: Some(Duration::from_secs(deadline)), because: delayed(), ..run })
    } else if next.is_some() {
        LastRun::WasMissed(Run { because: delayed(), ..run })
    } else {
        LastRun::IsDue(Run { because: delayed(), ..run })
    }
}

/// What happened to the Job of a run so far.
fn state(job: &Job) -> Text {
    match (job.finished_by(), job.condition(FAILURE_TARGET)) {
        (Some(end), _) => end.kind.clone(),
        (None, Some(failing)) => format!("failing ({})", failing.reason).into(),
        (None, None) => if job.suspended() { "suspended" } else { "running" }.into(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use schedule::Zone;
    use serde_json::json;

    use super::super::config::Config;
    use super::super::late::LateReasons;
    use super::*;
    use crate::runtime::Store;

    const CREATED: &str = "2026-01-02T10:00:00Z";

    /// A Job of the run of a time of day, created then or a minute later, with the time at which it completed.
    fn job(run: &str, created: &str, ended: Option<&str>) -> Job {
        let conditions =
            ended.map(|at| json!([{"type": "Complete", "status": "True", "lastTransitionTime": format!("2026-01-02T{at}:00Z")}]));
        let text = json!({
            "metadata": {"name": format!("k-{run}"), "creationTimestamp": format!("2026-01-02T{created}:00Z"),
                "annotations": {names::SCHEDULED_TIMESTAMP: format!("2026-01-02T{run}:00Z")}},
            "status": {"conditions": conditions},
        });
        serde_json::from_str(&text.to_string()).unwrap()
    }

    /// What is known at a time of day about the runs of a CronJob with this spec, last scheduled at another.
    fn runs(spec: &str, last: Option<&str>, jobs: &[Job], now: &str) -> Vec<Related> {
        let at = |time: &str| format!("2026-01-02T{time}:00Z");
        let text =
            format!(r#"{{"metadata":{{"namespace":"default","name":"k","uid":"u","creationTimestamp":"{CREATED}"}},"spec":{{{spec}}}}}"#);
        let mut cron_job: CronJob = serde_json::from_str(&text).unwrap();
        cron_job.status.last_schedule_time = last.map(|last| at(last).parse().unwrap());
        let (store, zone) = (Store::default(), Zone::utc());
        let config = Config::default();
        let late_reasons = LateReasons::default();
        let view = View {
            cron_job: &cron_job,
            jobs: jobs.iter().collect(),
            store: &store,
            config: &config,
            zone: &zone,
            late_reasons: &late_reasons,
        };
        last_runs(&view, at(now).parse().unwrap())
    }

    fn check(spec: &str, last: Option<&str>, jobs: &[Job], now: &str, expected: Expect) {
        let sentences =
            runs(spec, last, jobs, now).into_iter().map(|run| run.decision.sentence.render(|at| time::text(at)[11..16].to_owned()) + "\n");
        expected.assert_eq(&sentences.collect::<String>());
    }

    const HOURLY: &str = r#""schedule":"0 * * * *""#;

    #[test]
    fn a_run_has_its_job_or_what_the_status_records() {
        let jobs = [job("12:00", "12:00", Some("12:01")), job("14:00", "14:01", None)];
        check(
            HOURLY,
            Some("14:00"),
            &jobs,
            "14:30",
            expect![[r#"
                The run scheduled for 11:00 has no Job: either its Job was deleted, for example by the history limits, or the run was not started
                The run scheduled for 12:00 was started on time: Job k-12:00 is Complete
                The run scheduled for 13:00 has no Job: either its Job was deleted, for example by the history limits, or the run was not started
                The run scheduled for 14:00 was started 60 s late: Job k-14:00 is running
            "#]],
        );
        check(
            HOURLY,
            Some("13:00"),
            &jobs[..1],
            "13:30",
            expect![[r#"
                The run scheduled for 11:00 has no Job: either its Job was deleted, for example by the history limits, or the run was not started
                The run scheduled for 12:00 was started on time: Job k-12:00 is Complete
                The run scheduled for 13:00 was started; its Job k-29455980 has been deleted since
            "#]],
        );
    }

    #[test]
    fn what_was_never_started_has_its_reason() {
        check(
            HOURLY,
            Some("11:00"),
            &[],
            "13:30",
            expect![[r#"
                The run scheduled for 11:00 was started; its Job k-29455860 has been deleted since
                The run scheduled for 12:00 was missed: no Job was created before the next run was due
                The run scheduled for 13:00 is due, and has no Job yet
            "#]],
        );
        check(
            &format!(r#"{HOURLY},"suspend":true"#),
            None,
            &[],
            "11:30",
            expect![[r#"
                The run scheduled for 11:00 was not started; the CronJob is suspended
            "#]],
        );
        check(
            &format!(r#"{HOURLY},"startingDeadlineSeconds":60"#),
            None,
            &[],
            "11:30",
            expect![[r#"
                The run scheduled for 11:00 was not started within the 60 s that startingDeadlineSeconds allows
            "#]],
        );
    }

    #[test]
    fn a_job_that_runs_on_holds_up_runs_only_if_the_policy_forbids_others() {
        let forbid = format!(r#"{HOURLY},"concurrencyPolicy":"Forbid""#);
        let long = [job("11:00", "11:00", Some("13:10")), job("13:00", "13:10", Some("13:20"))];
        check(
            &forbid,
            Some("13:00"),
            &long,
            "13:30",
            expect![[r#"
                The run scheduled for 11:00 was started on time: Job k-11:00 is Complete
                The run scheduled for 12:00 was not started: Job k-11:00 had not finished, and concurrencyPolicy is Forbid
                The run scheduled for 13:00 was started 10m late because Job k-11:00 was still running and concurrencyPolicy is Forbid: Job k-13:00 is Complete
            "#]],
        );
        check(
            &forbid,
            Some("11:00"),
            &[job("11:00", "11:00", None)],
            "12:30",
            expect![[r#"
                The run scheduled for 11:00 was started on time: Job k-11:00 is running
                The run scheduled for 12:00 was not started: Job k-11:00 had not finished, and concurrencyPolicy is Forbid
            "#]],
        );
        check(
            &forbid,
            Some("11:00"),
            &[job("11:00", "11:00", Some("12:10"))],
            "12:30",
            expect![[r#"
                The run scheduled for 11:00 was started on time: Job k-11:00 is Complete
                The run scheduled for 12:00 is due, and has no Job yet
            "#]],
        );
        let brief = format!(r#"{forbid},"startingDeadlineSeconds":300"#);
        check(
            &brief,
            Some("11:00"),
            &[job("11:00", "11:00", Some("12:10"))],
            "12:30",
            expect![[r#"
                The run scheduled for 11:00 was started on time: Job k-11:00 is Complete
                The run scheduled for 12:00 was not started: Job k-11:00 had not finished, and concurrencyPolicy is Forbid
            "#]],
        );
        check(
            HOURLY,
            Some("11:00"),
            &[job("11:00", "11:00", None)],
            "12:30",
            expect![[r#"
                The run scheduled for 11:00 was started on time: Job k-11:00 is running
                The run scheduled for 12:00 is due, and has no Job yet
            "#]],
        );
    }

    #[test]
    fn a_job_that_fails_and_is_not_failed_yet_is_not_running() {
        let mut failing = job("11:00", "11:00", None);
        let target = json!({"type": "FailureTarget", "status": "True", "reason": "DeadlineExceeded"});
        failing.status.conditions = vec![serde_json::from_value(target).unwrap()];
        check(
            HOURLY,
            Some("11:00"),
            &[failing],
            "11:30",
            expect![[r#"
            The run scheduled for 11:00 was started on time: Job k-11:00 is failing (DeadlineExceeded)
        "#]],
        );
    }

    #[test]
    fn the_last_times_are_found_however_close_they_are() {
        let times = |schedule: &str, last, now| {
            let runs = runs(&format!(r#""schedule":"{schedule}""#), last, &[], now);
            let first = runs.first().map(|run| run.decision.sentence.render(|at| time::text(at)[11..19].to_owned()));
            format!("{} from {}", runs.len(), first.as_deref().and_then(|text| text.split(' ').nth(4)).unwrap_or("-"))
        };
        assert_eq!(times("* * * * *", None, "23:00"), "10 from 22:51:00");
        assert_eq!(times("@every 1s", None, "23:00"), "10 from 22:59:51");
        assert_eq!(times("@every 25m", Some("10:25"), "12:00"), "4 from 10:25:00");
        assert_eq!(times("@every 7m", None, "23:00"), "10 from 21:54:00");
        assert_eq!(times("0 9 * * *", None, "23:00"), "0 from -");
        assert_eq!(times("0 0 30 2 *", None, "23:00"), "0 from -");
        assert_eq!(times("every day", None, "23:00"), "0 from -");
    }
}
