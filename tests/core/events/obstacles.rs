//! Obstacles: what the core says of Jobs and CronJobs that do not get on.
//!
//! Docs: `crates/component/wit/controllers.wit`, `obstacle`. The states are in `tests/stuck/`.

use api::{Kind, Text, Timestamp, time};
use contract::decision::{Sentence, TextPart};
use contract::{Explanation, ObjectRef, Obstacle};
use core_tests::stuck::{self, AGE, StuckObject, StuckState};
use expect_test::expect;
use serde_json::{Value, json};

use super::Core;

/// A sentence with times as the table has them.
fn words(sentence: &Sentence) -> String {
    sentence.0.iter().map(|part| if matches!(part, TextPart::Time(_)) { "TIME".to_owned() } else { part.render(time::text) }).collect()
}

/// The objects of a state as an API server would store them.
fn stored(state: &StuckState, now: Timestamp) -> (Vec<Value>, Vec<Text>) {
    let cron_job = state.cron_job();
    let job = state.job(cron_job.as_ref().map(|_| "cron"));
    let name = job.as_ref().map(|job| job.object["metadata"]["name"].as_str().unwrap_or_default().to_owned()).unwrap_or_default();
    let pods = if job.is_some() { state.pods(&name, "job") } else { Vec::new() };
    let first = pods.first().map(|pod| pod.object["metadata"]["name"].as_str().unwrap_or_default().to_owned());
    let warnings = state.warnings([&name, "job"], first.as_deref().map(|name| [name, name]));
    let objects = cron_job.into_iter().chain(job).chain(pods).map(|object| as_stored(object, now)).collect();
    (objects, warnings.into_iter().map(|event| event.to_string().into()).collect())
}

fn as_stored(StuckObject { kind, mut object, status, deleted }: StuckObject, now: Timestamp) -> Value {
    let created_at = time::text(time::after(now, -AGE));
    object["status"] = status;
    let metadata = &mut object["metadata"];
    let uid = match kind {
        Kind::CronJob => json!("cron"),
        Kind::Job => json!("job"),
        Kind::Pod => metadata["name"].clone(),
    };
    (metadata["uid"], metadata["creationTimestamp"], metadata["resourceVersion"]) = (uid, created_at.clone().into(), "1".into());
    if let Some(grace) = deleted.as_i64() {
        metadata["deletionTimestamp"] = time::text(time::after(now, -AGE + api::Duration::from_secs(grace))).into();
        metadata["deletionGracePeriodSeconds"] = grace.into();
    } else if let Some(policy) = deleted.as_str() {
        metadata["deletionTimestamp"] = created_at.into();
        if policy == "Foreground" {
            metadata["finalizers"] = json!(["foregroundDeletion"]);
        }
    }
    if kind == Kind::Job {
        object["spec"]["selector"] = json!({"matchLabels": {"batch.kubernetes.io/controller-uid": "job"}});
        object["spec"]["template"]["metadata"] = json!({"labels": {"batch.kubernetes.io/controller-uid": "job"}});
    }
    object
}

fn explained(state: &StuckState, now: Timestamp) -> Explanation {
    let mut core = Core::new();
    core.now = now;
    let (objects, warnings) = stored(state, now);
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
fn obstacles_have_codes_and_the_nearest_cause_comes_first() {
    let now: Timestamp = "2026-01-02T12:00:30Z".parse().expect("a time");
    let line = |state: StuckState| {
        let code = |obstacle: Obstacle| format!("{}{}", obstacle.code, if obstacle.passes { " (passes)" } else { "" });
        let codes: Vec<String> = explained(&state, now).obstacles.into_iter().map(code).collect();
        format!("{}: {}\n", state.name, codes.join(", "))
    };
    expect![[r#"
        image-not-found: ImageNotPulled
        image-back-off: ImageNotPulled
        image-invalid: ImageNotPulled
        image-never: ImageNotPulled
        secret-missing: ContainerCannotStart
        names-taken: ContainerCannotStart
        command-missing: ContainerCannotStart
        volume-missing: ContainersNotCreated
        sandbox-missing: ContainersNotCreated
        crash-on-failure: CrashLoop
        crash-running: PodRunning (passes)
        always-restarts: CrashLoop
        restarts-forever: CrashLoop, LimitOutOfReach
        limit-out-of-reach: CrashLoop, LimitOutOfReach
        proxy-runs-on: ContainerKeepsPod
        init-waits: PodInitializing (passes)
        init-crash: CrashLoop
        unschedulable: Unschedulable
        gated: SchedulingGated
        node-lost: NodeLost
        node-lost-at-the-end: NodeLost
        deletion-overdue: DeletionOverdue, PodsMissing
        replacement-waits: PodTerminating (passes)
        pod-finalizer: PodFinalizer
        job-finalizer: BeingDeleted
        foreground: BeingDeleted, PodFinalizer
        foreground-running: BeingDeleted (passes), PodTerminating (passes)
        suspended: Suspended
        queued: Suspended
        no-parallelism: NoPodsWanted
        multikueue: ManagedByOther
        nobody: ManagedByOther
        unattended: Unattended
        quota: CreationsRefused
        webhook: CreationsRefused
        service-account: CreationsRefused
        pods-missing: PodsMissing
        back-off: BacksOff (passes)
        back-off-of-an-index: BacksOffIndex (passes)
        running: PodRunning (passes)
        complete: 
        failed-oom: 
        forbid: ForbidWaits, ImageNotPulled, NotDue (passes)
        allow: JobUnfinished, ImageNotPulled, NotDue (passes)
        cron-suspended: Suspended
        time-zone: UnknownTimeZone
        cron-unattended: Unattended
        on-schedule: NotDue (passes)
    "#]]
    .assert_eq(&stuck::states(now).into_iter().map(line).collect::<String>());
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
