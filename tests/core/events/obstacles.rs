//! Obstacles: what the core says of Jobs and CronJobs that make no progress.
//!
//! Docs: `crates/component/wit/controllers.wit`, `obstacle`. The states are in `tests/stuck/`.

use api::request::{ApiError, Outcome};
use api::{Kind, Text, Timestamp, time};
use contract::decision::{Sentence, TextPart};
use contract::{Explanation, ObjectRef, Obstacle};
use core_tests::stuck::{self, StuckState};
use expect_test::expect_file;
use serde_json::{Value, json};

use super::{Core, START, job, pod, with};

/// A sentence with times as the table has them.
fn words(sentence: &Sentence) -> String {
    sentence.0.iter().map(|part| if matches!(part, TextPart::Time(_)) { "TIME".to_owned() } else { part.render(time::text) }).collect()
}

fn explained(state: &StuckState, now: Timestamp) -> Explanation {
    let mut core = Core::new();
    core.now = now;
    let (objects, events) = state.stored(now);
    let warnings: Vec<Text> = events.iter().map(|event| event.to_string().into()).collect();
    for object in &objects {
        core.show(object);
    }
    let object = ObjectRef {
        kind: state.kind().name().into(),
        namespace: "default".into(),
        name: state.name.as_str().into(),
        ..ObjectRef::default()
    };
    core.manager.explain(&object, &warnings, now).unwrap_or_else(|error| panic!("{}: {error}", state.state))
}

#[test]
fn the_headline_says_what_a_job_is_stuck_on() {
    let now: Timestamp = "2026-01-02T12:00:30Z".parse().expect("a time");
    let states = stuck::states(now);
    let found: Vec<(String, String)> = states.iter().map(|state| (state.state.clone(), words(&explained(state, now).headline))).collect();
    stuck::check(0, &found);
}

#[test]
fn the_nearest_cause_comes_first_and_what_helps_fits_it() {
    let now: Timestamp = "2026-01-02T12:00:30Z".parse().expect("a time");
    let lines = |state: StuckState| {
        let line = |Obstacle { code, passes, remedy, .. }: Obstacle| match passes {
            true => format!("    {code} (passes)\n"),
            false => format!("    {code}: {}\n", words(&remedy)),
        };
        let obstacles = explained(&state, now).obstacles.into_iter().map(line).collect::<String>();
        format!("{}\n{obstacles}", state.name)
    };
    let all = stuck::states(now).into_iter().map(lines).collect::<String>();
    expect_file!["../../stuck/obstacles.txt"].assert_eq(&all);
}

#[test]
fn each_obstacle_that_does_not_pass_has_a_remedy() {
    let now: Timestamp = "2026-01-02T12:00:30Z".parse().expect("a time");
    let without = stuck::states(now).into_iter().flat_map(|state| {
        let lasting = explained(&state, now).obstacles.into_iter().filter(|obstacle| !obstacle.passes && obstacle.remedy.0.is_empty());
        lasting.map(|obstacle| format!("{}: {}", state.name, obstacle.code)).collect::<Vec<_>>()
    });
    assert_eq!(without.collect::<Vec<_>>(), [""; 0]);
}

/// What is said of an object with these Events.
fn explanation(core: &Core, kind: Kind, name: &str, warnings: &[Text]) -> Explanation {
    let object = ObjectRef { kind: kind.name().into(), namespace: "default".into(), name: name.into(), ..ObjectRef::default() };
    core.manager.explain(&object, warnings, core.now).expect("the object is there")
}

/// The obstacles of an object as lines: code, whether it passes, sentence.
fn obstacles(core: &Core, kind: Kind, name: &str) -> Vec<String> {
    let line = |obstacle: Obstacle| {
        let passes = if obstacle.passes { " (passes)" } else { "" };
        format!("{}{passes}: {}", obstacle.code, words(&obstacle.sentence))
    };
    explanation(core, kind, name, &[]).obstacles.into_iter().map(line).collect()
}

fn failed(code: u16) -> Outcome {
    Outcome::Failed(ApiError { code, reason: String::new(), message: String::new(), causes: Vec::new() })
}

#[test]
fn a_pod_that_may_have_been_created_is_waited_for() {
    let mut core = Core::new();
    core.show(&job(1));
    let plan = core.plan().expect("the Job has no pods");
    core.answer(&plan, &[failed(504)]);
    assert_eq!(
        obstacles(&core, Kind::Job, "pi")[0],
        "WaitsForExpectations (passes): neither creating nor deleting pods: the watch has yet to show 1 creation and 0 deletions, \
         until TIME at the latest"
    );
}

#[test]
fn a_sync_that_is_tried_again_says_when() {
    let mut core = Core::new();
    core.show(&with(job(1), "/spec/completions", json!(0)));
    let plan = core.plan().expect("the Job is Complete");
    core.answer(&plan, &[failed(409)]);
    assert_eq!(obstacles(&core, Kind::Job, "pi"), ["SyncAhead (passes): its next sync is at TIME: a failed request is retried"]);
}

#[test]
fn what_is_tried_again_comes_after_what_the_pods_do() {
    let mut core = Core::new();
    let status = json!({"active": 0, "ready": 0, "terminating": 0, "startTime": START, "uncountedTerminatedPods": {}});
    core.show(&with(job(1), "/status", status));
    let running = json!({"phase": "Running", "containerStatuses": [{"name": "main", "state": {"running": {"startedAt": START}}}]});
    core.show(&with(with(pod(2), "/spec/nodeName", json!("node-1")), "/status", running));
    let plan = core.plan().expect("the numbers are to be written");
    core.answer(&plan, &[failed(409)]);
    assert_eq!(
        obstacles(&core, Kind::Job, "pi"),
        [
            "PodRunning (passes): pod pi-1 has been running since TIME",
            "SyncAhead (passes): its next sync is at TIME: a failed request is retried"
        ]
    );
}

/// A CronJob, and a Job of it that has finished and is to be deleted, but stays.
fn cron_job_with_surplus(spec: &Value) -> Core {
    let mut core = Core::new();
    let mut cron_job = json!({"kind": "CronJob", "metadata": {"name": "hourly", "namespace": "default", "uid": "cron", "resourceVersion": "1", "creationTimestamp": START},
        "spec": {"schedule": "0 * * * *", "concurrencyPolicy": "Allow", "successfulJobsHistoryLimit": 0, "jobTemplate": job(1)}});
    for (field, value) in spec.as_object().into_iter().flatten() {
        cron_job["spec"][field] = value.clone();
    }
    let owner = json!([{"apiVersion": "batch/v1", "kind": "CronJob", "name": "hourly", "uid": "cron", "controller": true}]);
    let complete = json!({"conditions": [{"type": "Complete", "status": "True", "lastTransitionTime": START}]});
    let held = with(with(job(2), "/metadata/ownerReferences", owner), "/status", complete);
    core.show(&cron_job);
    core.show(&with(with(held, "/metadata/deletionTimestamp", json!(START)), "/metadata/finalizers", json!(["example.com/keep"])));
    core
}

#[test]
fn a_job_that_is_to_be_deleted_hides_no_obstacle_of_its_cron_job() {
    let suspended = cron_job_with_surplus(&json!({"suspend": true}));
    assert_eq!(obstacles(&suspended, Kind::CronJob, "hourly"), ["Suspended: it is suspended"]);
    let on_schedule = cron_job_with_surplus(&json!({}));
    assert_eq!(obstacles(&on_schedule, Kind::CronJob, "hourly"), ["NotDue (passes): the next run is at TIME"]);
}

#[test]
fn forbid_does_not_wait_for_a_job_that_was_started_by_hand() {
    let mut core = cron_job_with_surplus(&json!({"concurrencyPolicy": "Forbid"}));
    let owner = json!([{"apiVersion": "batch/v1", "kind": "CronJob", "name": "hourly", "uid": "cron", "controller": true}]);
    core.show(&with(
        with(with(job(3), "/metadata/name", json!("by-hand")), "/metadata/uid", json!("by-hand")),
        "/metadata/ownerReferences",
        owner,
    ));
    assert_eq!(
        obstacles(&core, Kind::CronJob, "hourly"),
        ["JobUnfinished (passes): Job by-hand has not finished", "NotDue (passes): the next run is at TIME"]
    );
}

#[test]
fn the_name_of_a_run_is_taken_until_the_next_run() {
    let mut core = cron_job_with_surplus(&json!({}));
    core.wait(api::Duration::from_hours(1));
    let minute = time::after(START.parse().expect("a time"), api::Duration::from_hours(1)).as_second().div_euclid(3600) * 60;
    core.show(&with(with(job(3), "/metadata/name", json!(format!("hourly-{minute}"))), "/metadata/uid", json!("another")));
    assert_eq!(
        obstacles(&core, Kind::CronJob, "hourly"),
        [format!(
            "NotDue (passes): the next run is at TIME; not starting a Job for the run scheduled for TIME: Job hourly-{minute} already exists, \
             and does not belong to this CronJob"
        )]
    );
}

#[test]
fn a_finalizer_keeps_a_pod_only_once_it_has_ended() {
    let mut core = Core::new();
    core.show(&job(1));
    let lost = json!({"phase": "Running", "conditions": [{"type": "Ready", "status": "False", "reason": "NodeNotReady", "lastTransitionTime": START}]});
    let held = with(with(pod(2), "/metadata/finalizers", json!(["example.com/keep"])), "/metadata/deletionTimestamp", json!(START));
    let on_node = with(with(held, "/spec/nodeName", json!("node-1")), "/status", lost);
    core.show(&on_node);
    let codes = |core: &Core| obstacles(core, Kind::Job, "pi")[0].split(':').next().map(str::to_owned);
    for seconds in [1, 20] {
        core.wait(api::Duration::from_secs(seconds));
        assert_eq!(codes(&core).as_deref(), Some("NodeLost"));
    }
    core.show(&with(with(on_node, "/status/phase", json!("Failed")), "/metadata/resourceVersion", json!("3")));
    assert_eq!(codes(&core).as_deref(), Some("PodFinalizer"));
}

#[test]
fn a_completion_mode_that_does_not_exist_is_an_obstacle() {
    let mut core = Core::new();
    core.show(&with(job(1), "/spec/completionMode", json!("Weekly")));
    assert_eq!(
        obstacles(&core, Kind::Job, "pi"),
        ["UnknownCompletionMode: leaving the Job alone: \"Weekly\" is not a valid completion mode"]
    );
}

#[test]
fn the_run_that_is_refused_is_the_one_that_is_tried() {
    let mut core = cron_job_with_surplus(&json!({}));
    core.wait(api::Duration::from_hours(3));
    let hour = time::whole_seconds(core.now).as_second().div_euclid(3600) * 3600;
    let at = |seconds: i64| time::text(Timestamp::from_second(hour + seconds).expect("a time"));
    let headline = |first: i64| {
        let event = json!({"involvedObject": {"uid": "cron"}, "type": "Warning", "reason": "FailedCreate", "firstTimestamp": at(first),
            "lastTimestamp": at(1), "message": "Error creating job: no owner"});
        explanation(&core, Kind::CronJob, "hourly", &[event.to_string().into()])
            .headline
            .0
            .iter()
            .map(|part| part.render(time::text))
            .collect()
    };
    let [since, unknown]: [String; 2] = [-3599, -9000].map(headline);
    assert_eq!(
        since,
        format!(
            "CronJob hourly is not starting runs: the API server has refused to create its Jobs since {}, most recently that of the run scheduled for {}: \
             no owner",
            at(-3599),
            at(0)
        )
    );
    assert_eq!(
        unknown,
        format!(
            "CronJob hourly is not starting runs: the API server refuses to create the Job of the run scheduled for {}: no owner",
            at(0)
        )
    );
}

#[test]
fn a_cron_job_in_deletion_is_held_by_finalizers_of_others_only() {
    let deleted = |finalizers: Value| {
        let mut core = cron_job_with_surplus(&json!({}));
        let owner = json!([{"apiVersion": "batch/v1", "kind": "CronJob", "name": "hourly", "uid": "cron", "controller": true}]);
        core.show(&with(with(job(3), "/metadata/uid", json!("run")), "/metadata/ownerReferences", owner));
        let mut cron_job = json!({"kind": "CronJob", "metadata": {"name": "hourly", "namespace": "default", "uid": "cron", "resourceVersion": "4",
            "creationTimestamp": START, "deletionTimestamp": START}, "spec": {"schedule": "0 * * * *", "jobTemplate": job(1)}});
        cron_job["metadata"]["finalizers"] = finalizers;
        core.show(&cron_job);
        words(&explanation(&core, Kind::CronJob, "hourly", &[]).headline)
    };
    assert_eq!(
        deleted(json!(["foregroundDeletion"])),
        "CronJob hourly is being deleted: its deletion was requested at TIME; its Jobs are deleted first: Job pi has not finished"
    );
    assert_eq!(
        deleted(json!(["foregroundDeletion", "example.com/keep"])),
        "CronJob hourly is stuck: its deletion was requested at TIME, but the finalizer example.com/keep holds it"
    );
}

#[test]
fn a_time_that_is_ahead_is_not_past() {
    let mut core = Core::new();
    core.show(&job(1));
    let goes_at = time::text(time::after(core.now, api::Duration::from_secs(30)));
    let leaving = with(with(pod(2), "/spec/nodeName", json!("node-1")), "/metadata/deletionTimestamp", json!(goes_at));
    let lost = json!({"phase": "Running", "conditions": [{"type": "Ready", "status": "False", "reason": "NodeNotReady", "lastTransitionTime": START}]});
    core.show(&with(leaving.clone(), "/status", lost));
    let sentence = |core: &Core, code: &str| {
        obstacles(core, Kind::Job, "pi").iter().find_map(|line| Some(line.strip_prefix(code)?.strip_prefix(": ")?.to_owned()))
    };
    assert_eq!(
        sentence(&core, "NodeLost").as_deref(),
        Some("pod pi-1 should be gone by TIME, but its node, node-1, has not responded since TIME")
    );
    core.wait(api::Duration::from_secs(31));
    assert_eq!(
        sentence(&core, "NodeLost").as_deref(),
        Some("pod pi-1 should have been gone by TIME, but its node, node-1, has not responded since TIME")
    );
    core.show(&with(leaving, "/metadata/resourceVersion", json!("3")));
    assert_eq!(sentence(&core, "PodTerminating (passes)").as_deref(), Some("pod pi-1 is terminating, and should have been gone by TIME"));
}
