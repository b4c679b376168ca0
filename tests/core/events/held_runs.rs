//! Runs that annotations of their CronJob hold back: what is explained about them, and which Event is reported once.
//!
//! Docs: README, "Beyond Kubernetes" (X-17…X-20). How they are played is in `tests/scenarios/cronjob/beyond-kubernetes.md`.

use api::{Kind, Timestamp, time};
use contract::{Explanation, ObjectRef, Plan};
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{Core, with};

/// A time of the day.
fn at(clock: &str) -> String {
    format!("2026-01-02T{clock}:00Z")
}

/// A CronJob that runs each hour, with this annotation, whose last run was scheduled then and whose Jobs with these names are active.
fn hourly(annotation: [&str; 2], last: &str, active: &[&str]) -> Value {
    let reference = |name: &&str| json!({"kind": "Job", "apiVersion": "batch/v1", "namespace": "default", "name": name, "uid": name});
    let [key, value] = annotation;
    json!({
        "kind": "CronJob",
        "metadata": {"name": "hourly", "namespace": "default", "uid": "cron", "resourceVersion": "1", "creationTimestamp": at("09:30"),
            "annotations": {format!("jobsmith.dev/{key}"): value}},
        "spec": {"schedule": "0 * * * *", "concurrencyPolicy": "Allow", "failedJobsHistoryLimit": 2, "jobTemplate": {"spec": {}}},
        "status": {"lastScheduleTime": at(last), "active": active.iter().map(reference).collect::<Vec<_>>()},
    })
}

/// A Job of its run at a time, with the condition and the time at which it ended.
fn run(name: &str, scheduled: &str, end: Option<[&str; 2]>) -> Value {
    let owner = json!([{"apiVersion": "batch/v1", "kind": "CronJob", "name": "hourly", "uid": "cron", "controller": true}]);
    let conditions: Vec<Value> =
        end.iter().map(|[kind, ended]| json!({"type": kind, "status": "True", "lastTransitionTime": at(ended)})).collect();
    json!({
        "kind": "Job",
        "metadata": {"name": name, "namespace": "default", "uid": name, "resourceVersion": "1", "creationTimestamp": at(scheduled),
            "annotations": {"batch.kubernetes.io/cronjob-scheduled-timestamp": at(scheduled)}, "ownerReferences": owner},
        "spec": {"parallelism": 0}, "status": {"startTime": at(scheduled), "conditions": conditions},
    })
}

/// A core that knows these objects, at a time.
fn core(objects: &[Value], now: &str) -> Core {
    let mut core = Core::new();
    core.now = at(now).parse().expect("a time");
    objects.iter().for_each(|object| core.show(object));
    core
}

/// The headline, the obstacles and the last runs of the CronJob.
#[track_caller]
fn check(objects: &[Value], now: &str, expected: Expect) {
    let core = core(objects, now);
    let object =
        ObjectRef { kind: Kind::CronJob.name().into(), namespace: "default".into(), name: "hourly".into(), ..ObjectRef::default() };
    let Explanation { headline, obstacles, related, .. } = core.manager.explain(&object, &[], core.now).expect("it is there");
    let clock = |at: Timestamp| time::text(at)[11..16].to_owned();
    let mut text = format!("{}\n", headline.render(clock));
    for obstacle in obstacles {
        let passes = if obstacle.passes { " (passes)" } else { "" };
        text.push_str(&format!("  {}{passes}: {}\n", obstacle.code, obstacle.sentence.render(clock)));
        let remedy = obstacle.remedy.render(clock);
        text.push_str(&if remedy.is_empty() { remedy } else { format!("    {remedy}\n") });
    }
    related.iter().for_each(|run| text.push_str(&format!("{}\n", run.decision.sentence.render(clock))));
    expected.assert_eq(&text);
}

#[test]
fn x_17_a_skipped_run_is_explained_as_such() {
    let complete = run("a", "10:00", Some(["Complete", "10:01"]));
    let hourly = hourly(["skip-during", "11:00-14:00"], "10:00", &[]);
    check(
        &[hourly.clone(), complete.clone()],
        "12:30",
        expect![[r#"
        CronJob hourly is on schedule: the next run is at 14:00; the annotation jobsmith.dev/skip-during has skipped every run since 11:00
          NotDue (passes): the next run is at 14:00; the annotation jobsmith.dev/skip-during has skipped every run since 11:00
        The run scheduled for 10:00 was started on time: Job a is Complete
        The run scheduled for 11:00 was skipped: it is in a window of the annotation jobsmith.dev/skip-during
        The run scheduled for 12:00 was skipped: it is in a window of the annotation jobsmith.dev/skip-during
    "#]],
    );
    check(
        &[hourly, complete],
        "14:30",
        expect![[r#"
        CronJob hourly is not starting runs: no controller has started the run scheduled for 14:00
          Unattended: no controller has started the run scheduled for 14:00
            is the kube-controller-manager running? Its log may say what is wrong
        The run scheduled for 10:00 was started on time: Job a is Complete
        The run scheduled for 11:00 was skipped: it is in a window of the annotation jobsmith.dev/skip-during
        The run scheduled for 12:00 was skipped: it is in a window of the annotation jobsmith.dev/skip-during
        The run scheduled for 13:00 was skipped: it is in a window of the annotation jobsmith.dev/skip-during
        The run scheduled for 14:00 is due, and has no Job yet
    "#]],
    );
}

#[test]
fn x_18_a_delayed_run_is_explained_with_the_window() {
    let complete = run("a", "10:00", Some(["Complete", "10:01"]));
    let hourly = hourly(["delay-during", "11:00-14:00"], "10:00", &[]);
    check(
        &[hourly.clone(), complete.clone()],
        "12:30",
        expect![[r#"
            CronJob hourly is waiting: not starting the run scheduled for 12:00 before 14:00, when a window of the annotation jobsmith.dev/delay-during ends
              DelaysRun (passes): not starting the run scheduled for 12:00 before 14:00, when a window of the annotation jobsmith.dev/delay-during ends
            The run scheduled for 10:00 was started on time: Job a is Complete
            The run scheduled for 11:00 was missed because the annotation jobsmith.dev/delay-during has a window until 14:00: no Job was created before the next run was due
            The run scheduled for 12:00 is due, and has no Job yet because the annotation jobsmith.dev/delay-during has a window until 14:00
        "#]],
    );
    let late = with(run("b", "12:00", None), "/metadata/creationTimestamp", json!(at("14:00")));
    let started = with(hourly, "/status/lastScheduleTime", json!(at("12:00")));
    check(
        &[started, complete, late],
        "14:00",
        expect![[r#"
            CronJob hourly is on schedule, but Job b, scheduled for 12:00, has not finished; Job b is waiting: parallelism is 0, so it may have no pods
              JobUnfinished: Job b, scheduled for 12:00, has not finished
                scale it: kubectl patch job b -n default -p '{"spec":{"parallelism":1}}'
              NoPodsWanted: parallelism is 0, so it may have no pods
                scale it: kubectl patch job b -n default -p '{"spec":{"parallelism":1}}'
            The run scheduled for 10:00 was started on time: Job a is Complete
            The run scheduled for 11:00 has no Job: either its Job was deleted, for example by the history limits, or the run was not started
            The run scheduled for 12:00 was started 2h late because the annotation jobsmith.dev/delay-during has a window until 14:00: Job b is running
            The run scheduled for 13:00 was missed because the annotation jobsmith.dev/delay-during has a window until 14:00: no Job was created before the next run was due
            The run scheduled for 14:00 is due, and has no Job yet
        "#]],
    );
}

#[test]
fn x_19_runs_that_wait_for_others_are_explained_with_them() {
    let jobs = [run("a", "10:00", None), run("b", "11:00", None)];
    let limited = hourly(["max-active", "2"], "11:00", &["a", "b"]);
    check(
        &[vec![limited], jobs.to_vec()].concat(),
        "13:30",
        expect![[r#"
            CronJob hourly is waiting for its last runs: the annotation jobsmith.dev/max-active allows 2 active Jobs, and Jobs a and b, the first scheduled for 10:00, have not finished; Job a is waiting: parallelism is 0, so it may have no pods
              MaxActiveReached: the annotation jobsmith.dev/max-active allows 2 active Jobs, and Jobs a and b, the first scheduled for 10:00, have not finished
                scale it: kubectl patch job a -n default -p '{"spec":{"parallelism":1}}'
              NoPodsWanted: parallelism is 0, so it may have no pods
                scale it: kubectl patch job a -n default -p '{"spec":{"parallelism":1}}'
            The run scheduled for 10:00 was started on time: Job a is running
            The run scheduled for 11:00 was started on time: Job b is running
            The run scheduled for 12:00 was not started: 2 Jobs had not finished, the most that the annotation jobsmith.dev/max-active allows
            The run scheduled for 13:00 was not started: 2 Jobs had not finished, the most that the annotation jobsmith.dev/max-active allows
        "#]],
    );
    let unlimited = hourly(["max-active", "3"], "11:00", &["a", "b"]);
    check(
        &[vec![unlimited], jobs.to_vec()].concat(),
        "11:30",
        expect![[r#"
            CronJob hourly is on schedule, but Jobs a and b, the first scheduled for 10:00, have not finished; Job a is waiting: parallelism is 0, so it may have no pods
              JobUnfinished: Jobs a and b, the first scheduled for 10:00, have not finished
                scale it: kubectl patch job a -n default -p '{"spec":{"parallelism":1}}'
              NoPodsWanted: parallelism is 0, so it may have no pods
                scale it: kubectl patch job a -n default -p '{"spec":{"parallelism":1}}'
              NotDue (passes): the next run is at 12:00
            The run scheduled for 10:00 was started on time: Job a is running
            The run scheduled for 11:00 was started on time: Job b is running
        "#]],
    );
}

#[test]
fn x_20_a_pause_is_explained_with_the_last_failure() {
    let failed = [run("a", "10:00", Some(["Failed", "10:01"])), run("b", "11:00", Some(["Failed", "11:01"]))];
    let paused = hourly(["pause-after-failures", "2"], "11:00", &[]);
    check(
        &[vec![paused], failed.to_vec()].concat(),
        "12:30",
        expect![[r#"
        CronJob hourly is not starting runs: 2 runs failed in a row, the latest with Job b, and the annotation jobsmith.dev/pause-after-failures pauses it
          PausedAfterFailures: 2 runs failed in a row, the latest with Job b, and the annotation jobsmith.dev/pause-after-failures pauses it
            fix the cause, then resume it: kubectl annotate cronjob hourly -n default --overwrite jobsmith.dev/resumed-at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
        The run scheduled for 10:00 was started on time: Job a is Failed
        The run scheduled for 11:00 was started on time: Job b is Failed
        The run scheduled for 12:00 was not started: runs failed, and the annotation jobsmith.dev/pause-after-failures pauses the CronJob
    "#]],
    );
}

/// The codes of what is decided about the CronJob, and the reasons of the Events.
fn decided(core: &mut Core) -> [String; 2] {
    let plans: Vec<Plan> = core.plans().into_iter().filter(|plan| &*plan.object.kind == Kind::CronJob.name()).collect();
    let codes: Vec<&str> = plans.iter().flat_map(|plan| &plan.decisions).map(|decision| decision.code()).collect();
    let reasons: Vec<&str> = plans.iter().flat_map(|plan| &plan.notices).map(|notice| &*notice.reason).collect();
    [codes.join(" "), reasons.join(" ")]
}

#[test]
fn x_20_the_pause_is_reported_when_it_begins_and_not_again() {
    let failed = [run("a", "10:00", Some(["Failed", "10:01"])), run("b", "11:00", Some(["Failed", "11:01"]))];
    let begins = hourly(["pause-after-failures", "2"], "11:00", &["b"]);
    let mut seeing = core(&[vec![begins], failed.to_vec()].concat(), "11:02");
    assert_eq!(decided(&mut seeing)[1], "SawCompletedJob PausedAfterFailures");
    let paused = hourly(["pause-after-failures", "2"], "11:00", &[]);
    let mut another = core(&[vec![paused], failed.to_vec()].concat(), "12:30");
    assert_eq!(decided(&mut another), ["PausedAfterFailures", ""], "another instance decides alike, and reports nothing");
}

#[test]
fn x_20_only_failures_in_a_row_pause() {
    let check = |jobs: &[Value], status: Value, annotations: Value, expected: &str| {
        let mut hourly = hourly(["pause-after-failures", "2"], "12:00", &[]);
        for (key, value) in annotations.as_object().into_iter().flatten() {
            hourly["metadata"]["annotations"][format!("jobsmith.dev/{key}")] = value.clone();
        }
        for (field, value) in status.as_object().into_iter().flatten() {
            hourly["status"][field] = value.clone();
        }
        let [codes, _] = decided(&mut core(&[vec![hourly], jobs.to_vec()].concat(), "12:30"));
        assert!(codes.split(' ').any(|code| code == expected), "{expected} is not among {codes}");
    };
    let failed = |name: &str, scheduled: &str, ended: &str| run(name, scheduled, Some(["Failed", ended]));
    let two = [failed("a", "10:00", "10:01"), failed("c", "12:00", "12:01")];
    let (paused, not_due) = ("PausedAfterFailures", "NotDue");
    check(&two, json!({}), json!({}), paused);
    check(&two[..1], json!({}), json!({}), not_due);
    // A success between them, whose Job is there, or was deleted; one before them; one after them.
    let success = run("b", "11:00", Some(["Complete", "11:01"]));
    check(&[two.to_vec(), vec![success]].concat(), json!({}), json!({}), not_due);
    check(&two, json!({"lastSuccessfulTime": at("11:01")}), json!({}), not_due);
    check(&two, json!({"lastSuccessfulTime": at("09:45")}), json!({}), paused);
    check(&two, json!({"lastSuccessfulTime": at("12:02")}), json!({}), not_due);
    // The order is that of the runs: one that failed last may have been started before one that succeeded.
    let long = [failed("a", "10:00", "12:20"), run("b", "11:00", Some(["Complete", "11:01"])), failed("c", "12:00", "12:01")];
    check(&long, json!({}), json!({}), not_due);
    // What was started by hand and failed does not end the row, though it may push a run out of the history.
    let mut by_hand = failed("by-hand", "12:10", "12:11");
    by_hand["metadata"]["annotations"] = json!({"cronjob.kubernetes.io/instantiate": "manual"});
    check(&[two[1].clone(), by_hand], json!({}), json!({}), paused);
    // It was resumed after they failed, in between, or not yet.
    check(&two, json!({}), json!({"resumed-at": at("12:02")}), not_due);
    check(&two, json!({}), json!({"resumed-at": at("11:00")}), not_due);
    check(&two, json!({}), json!({"resumed-at": at("10:00")}), paused);
    check(&two, json!({}), json!({"resumed-at": at("12:31")}), paused);
}
