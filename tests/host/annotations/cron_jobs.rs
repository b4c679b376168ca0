//! Runs that are skipped, and CronJobs that are paused: what a controller knows of them is in the API server, so that the next one decides alike.
//!
//! Docs: README, "Beyond Kubernetes"; Leases.

use api::request::{ContentType, Method, Request};
use api::{Kind, Timestamp, time};
use serde_json::{Value, json};

use super::{ALONE, MINUTE, Stage, before, minutes_ago, stop, template};
use crate::program::wait_until;

const DAY: i64 = 86_400;
/// Flags of two replicas: when the leader is killed, the other takes over soon.
const REPLICA: [&str; 3] = ["--leader-elect-lease-duration=3s", "--leader-elect-renew-deadline=2s", "--leader-elect-retry-period=500ms"];

/// The schedule of a run a day at the time of the day that this is.
fn daily(at: Timestamp) -> String {
    let minute = at.as_second() % DAY / MINUTE;
    format!("{} {} * * *", minute % 60, minute / 60)
}

impl Stage {
    /// Creates a CronJob that started its last run at a time; returns its UID.
    fn create_cron_job(&self, name: &str, annotations: &Value, last_at: Timestamp, schedule: &str) -> String {
        let job = json!({"spec": {"backoffLimit": 0, "template": template(&json!({}))}});
        let spec = json!({"schedule": schedule, "failedJobsHistoryLimit": 3, "jobTemplate": job});
        let created = self.create(Kind::CronJob, name, annotations, &spec);
        self.patch(Kind::CronJob, name, "status", &json!({"status": {"lastScheduleTime": time::text(last_at)}}));
        created["metadata"]["uid"].as_str().expect("it has a UID").to_owned()
    }

    /// The scheduled times of a CronJob's Jobs, in order.
    fn runs(&self) -> Vec<String> {
        let key = "batch.kubernetes.io/cronjob-scheduled-timestamp";
        let at = |job: &Value| job["metadata"]["annotations"][key].as_str().expect("it has one").to_owned();
        let mut runs: Vec<String> = self.list(Kind::Job).iter().map(at).collect();
        runs.sort();
        runs
    }

    /// Creates a Job of a CronJob that failed a minute after it was scheduled.
    fn create_failed_run(&self, [cron_job, uid]: [&str; 2], scheduled_at: Timestamp) {
        let name = format!("{cron_job}-{}", scheduled_at.as_second() / MINUTE);
        let owner = json!({"apiVersion": "batch/v1", "kind": "CronJob", "name": cron_job, "uid": uid, "controller": true});
        let annotations = json!({"batch.kubernetes.io/cronjob-scheduled-timestamp": time::text(scheduled_at)});
        let metadata = json!({"name": name, "ownerReferences": [owner], "annotations": annotations});
        let spec = json!({"backoffLimit": 0, "template": template(&json!({}))});
        let job = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec});
        let mut job = self.eyes.ask(&Request::create(Kind::Job, "default", job.to_string()));
        let condition = |kind: &str| {
            let ended_at = time::text(before(scheduled_at, -MINUTE));
            json!({"type": kind, "status": "True", "reason": "BackoffLimitExceeded", "lastTransitionTime": ended_at})
        };
        let conditions = ["FailureTarget", "Failed"].map(condition);
        job["status"] = json!({"startTime": time::text(scheduled_at), "failed": 1, "conditions": conditions});
        let path = api::request::path(Kind::Job, "default", &name, "status");
        self.eyes.ask(&Request { method: Method::Put, path, content_type: ContentType::Json, body: job.to_string() });
    }
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_run_on_a_holiday_is_skipped_also_by_the_next_leader() {
    let stage = Stage::new();
    let today = minutes_ago(1);
    let day = |days: i64| time::text(before(today, -days * DAY))[..10].to_owned();
    let holiday = json!({"jobsmith.dev/skip-during": format!("{}..{}", day(-2), day(1))});
    stage.create_cron_job("nightly", &holiday, before(today, 3 * DAY), &daily(today));
    let skips =
        format!("Not starting a Job: the run scheduled for {} is in a window of the annotation", time::text(before(today, 2 * DAY)));
    let (_first, leader) = stage.start_controller(&REPLICA);
    leader.wait_for_error(&skips);
    let (_second, successor) = stage.start_controller(&REPLICA);
    successor.wait_for_error(" is the leader; waiting for the Lease");
    leader.signal("KILL");
    leader.end();
    successor.wait_for_error(&skips);
    let explained = stage.run("explain cronjob/nightly", 0).stdout;
    let on_schedule = format!("CronJob nightly is on schedule: the next run is at {}", day(2));
    let skipped = format!("; the annotation jobsmith.dev/skip-during has skipped every run since {}", day(-2));
    assert!(explained.starts_with(&on_schedule) && explained.contains(&skipped), "{explained}");
    assert_eq!(stage.runs(), Vec::<String>::new());

    // The holiday ended yesterday after all, so that today's run is due, and no other one.
    stage.annotate(Kind::CronJob, "nightly", &json!({"jobsmith.dev/skip-during": format!("{}..{}", day(-2), day(-1))}));
    stage.active_pod(&format!("nightly-{}", today.as_second() / MINUTE));
    assert_eq!(stage.runs(), [time::text(today)]);
    let log = stop(successor);
    assert!(log.contains(&format!(" for the run scheduled for {}, ", time::text(today))) && !log.contains("missed"), "{log}");
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_cron_job_pauses_after_three_failures_until_it_is_resumed() {
    let stage = Stage::new();
    let third = minutes_ago(10);
    let [first, second] = [2, 1].map(|days| before(third, days * DAY));
    let pauses = json!({"jobsmith.dev/pause-after-failures": "3"});
    let uid = stage.create_cron_job("flaky", &pauses, second, &daily(third));
    [first, second].iter().for_each(|at| stage.create_failed_run(["flaky", &uid], *at));
    let (_folder, controller) = stage.start_controller(&ALONE);
    let job = format!("flaky-{}", third.as_second() / MINUTE);
    stage.end(&stage.active_pod(&job), 1, "Error");
    let reason = format!("because 3 runs failed in a row, the latest with job {job}");
    let remedy = "fix the cause, then set jobsmith.dev/resumed-at to the current time, or start a job by hand that succeeds";
    assert_eq!(stage.event("flaky", "PausedAfterFailures"), format!("Not starting jobs {reason}: {remedy}"));
    stop(controller);

    // From here on, a run is due each minute.
    stage.patch(Kind::CronJob, "flaky", "", &json!({"spec": {"schedule": "* * * * *"}}));
    let (_folder, controller) = stage.start_controller(&ALONE);
    let paused = format!("3 runs failed in a row, the latest with Job {job}, and the annotation jobsmith.dev/pause-after-failures pauses");
    controller.wait_for_error(&format!("Not starting Jobs: {paused} the CronJob"));
    let explained = stage.run("explain cronjob/flaky", 0).stdout;
    assert!(explained.starts_with(&format!("CronJob flaky is not starting runs: {paused} it\n")), "{explained}");
    assert_eq!(stage.runs(), [first, second, third].map(time::text));

    stage.annotate(Kind::CronJob, "flaky", &json!({"jobsmith.dev/resumed-at": time::text(Timestamp::now())}));
    wait_until(|| stage.runs().len() > 3, || "the next run starts".to_owned());
    let next = stage.runs().remove(3);
    assert!(*next >= *time::text(minutes_ago(1)), "the ones before are not made up for: {next}");
    // The next controller does not repeat it.
    stage.event("flaky", "PausedAfterFailures");
    let log = stop(controller);
    assert!(log.contains(&format!(" for the run scheduled for {next}, ")), "{log}");
}
