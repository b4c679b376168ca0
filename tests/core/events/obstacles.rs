//! Obstacles: what the core says of Jobs and CronJobs that make no progress.
//!
//! Docs: `crates/component/wit/controllers.wit`, `obstacle`. The states are in `tests/stuck/`.

use api::request::{ApiError, Outcome};
use api::{Kind, Text, Timestamp, time};
use contract::decision::{Sentence, TextPart};
use contract::{Explanation, ObjectRef, Obstacle};
use core_tests::stuck::{self, StuckState};
use expect_test::expect;
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
        start-error: CrashLoop
        crash-running: PodRunning (passes)
        always-restarts: CrashLoop
        restarts-forever: CrashLoop, LimitOutOfReach
        limit-out-of-reach: CrashLoop, LimitOutOfReach
        proxy-runs-on: ContainerKeepsPod
        injected-proxy: ContainerKeepsPod
        sidecar-runs-on: SidecarKeepsPod
        sidecar-stops: SidecarKeepsPod (passes)
        sidecar-waits: SidecarNotStarted
        sidecar-restarts: SidecarNotStarted
        init-waits: PodInitializing (passes)
        init-crash: CrashLoop
        unschedulable: Unschedulable
        gated: SchedulingGated
        node-lost: NodeLost
        node-lost-for-good: NodeLost
        node-lost-at-the-end: NodeLost
        deletion-overdue: DeletionOverdue, PodsMissing
        deletion-overdue-aside: PodRunning (passes), DeletionOverdue
        terminating-aside: PodRunning (passes), PodTerminating (passes)
        replacement-waits: PodTerminating (passes)
        pod-finalizer: PodFinalizer
        still-tracked: 
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
        running-in-turn: PodRunning (passes)
        complete: 
        failed-oom: 
        failed-message: 
        failed-disrupted: 
        failed-indexes: 
        forbid: ForbidWaits, ImageNotPulled, NotDue (passes)
        allow: JobUnfinished, ImageNotPulled, NotDue (passes)
        last-run-failed: NotDue (passes)
        cron-suspended: Suspended
        time-zone: UnknownTimeZone
        cron-unattended: Unattended
        cron-refused: CreationsRefused
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

#[test]
fn what_helps_fits_the_cause() {
    let now: Timestamp = "2026-01-02T12:00:30Z".parse().expect("a time");
    let lines = stuck::states(now).into_iter().flat_map(|state| {
        let lasting = explained(&state, now).obstacles.into_iter().filter(|obstacle| !obstacle.passes);
        lasting.map(|obstacle| format!("{}, {}: {}\n", state.name, obstacle.code, words(&obstacle.remedy))).collect::<Vec<_>>()
    });
    expect![[r#"
        image-not-found, ImageNotPulled: correct the image in the Pod template, and create the Job again; or make the image available
        image-back-off, ImageNotPulled: the registry refuses access: check imagePullSecrets and the name of the image
        image-invalid, ImageNotPulled: correct the image in the Pod template, and create the Job again; or make the image available
        image-never, ImageNotPulled: correct the image in the Pod template, and create the Job again; or make the image available
        secret-missing, ContainerCannotStart: create what is missing, or correct the container in the Pod template, and create the Job again
        names-taken, ContainerCannotStart: the container runtime of the node has not finished an earlier attempt: check that node
        command-missing, ContainerCannotStart: correct the command or the image in the Pod template, and create the Job again
        volume-missing, ContainersNotCreated: its volumes or its network may not be ready; for details: kubectl describe pod volume-missing-a -n default
        sandbox-missing, ContainersNotCreated: its volumes or its network may not be ready; for details: kubectl describe pod sandbox-missing-a -n default
        crash-on-failure, CrashLoop: raise the memory limit of container main in the Pod template, and create the Job again
        start-error, CrashLoop: correct the command or the image in the Pod template, and create the Job again
        always-restarts, CrashLoop: a container with restartPolicy Always is restarted whenever it ends; if main serves the others, make it a sidecar (an init container)
        restarts-forever, CrashLoop: read what it printed: kubectl logs restarts-forever-a -c main -n default --previous
        restarts-forever, LimitOutOfReach: create the Job again with restartPolicy Never
        limit-out-of-reach, CrashLoop: read what it printed: kubectl logs limit-out-of-reach-a -c main -n default --previous
        limit-out-of-reach, LimitOutOfReach: lower backoffLimit, or delete the Job
        proxy-runs-on, ContainerKeepsPod: make proxy a sidecar, an init container with restartPolicy Always: it is stopped once the others have ended
        injected-proxy, ContainerKeepsPod: istio-proxy is not in the Pod template but was injected: have Istio inject native sidecars (ENABLE_NATIVE_SIDECARS), or label the pods with sidecar.istio.io/inject=false
        sidecar-runs-on, SidecarKeepsPod: the kubelet stops sidecars once the other containers have ended; see why it does not stop: kubectl logs sidecar-runs-on-a -c proxy -n default
        sidecar-waits, SidecarNotStarted: its startup probe has to succeed first; read what it printed: kubectl logs sidecar-waits-a -c proxy -n default
        sidecar-restarts, SidecarNotStarted: its startup probe has to succeed first; read what it printed: kubectl logs sidecar-restarts-a -c proxy -n default
        init-crash, CrashLoop: read what it printed: kubectl logs init-crash-a -c migrate -n default --previous
        unschedulable, Unschedulable: free resources on the nodes, or lower the pod's requests
        gated, SchedulingGated: the controller that set the gate has to remove it: is it running?
        node-lost, NodeLost: if the node does not come back: kubectl delete pod node-lost-a -n default --force
        node-lost-for-good, NodeLost: if node node-1 does not come back: kubectl delete node node-1; a forced deletion of the pod does not make the Job replace it
        node-lost-at-the-end, NodeLost: if the node does not come back: kubectl delete pod node-lost-at-the-end-a -n default --force
        deletion-overdue, DeletionOverdue: if the node does not come back: kubectl delete pod deletion-overdue-a -n default --force
        deletion-overdue, PodsMissing: see whether their creation is refused: kubectl describe job deletion-overdue -n default
        deletion-overdue-aside, DeletionOverdue: if the node does not come back: kubectl delete pod deletion-overdue-aside-a -n default --force
        pod-finalizer, PodFinalizer: the controller that set example.com/keep has to remove it: is it running?
        job-finalizer, BeingDeleted: the controller that set example.com/keep has to remove it: is it running?
        foreground, BeingDeleted: the controller that set example.com/keep has to remove it: is it running?
        foreground, PodFinalizer: the controller that set example.com/keep has to remove it: is it running?
        suspended, Suspended: resume it: kubectl patch job suspended -n default -p '{"spec":{"suspend":false}}'
        queued, Suspended: see what Kueue says: kubectl get workloads -n default
        no-parallelism, NoPodsWanted: scale it: kubectl patch job no-parallelism -n default -p '{"spec":{"parallelism":1}}'
        multikueue, ManagedByOther: see the log of kueue.x-k8s.io/multikueue
        nobody, ManagedByOther: is acme.example/nobody running?
        unattended, Unattended: is the kube-controller-manager running? Its log may say what is wrong
        quota, CreationsRefused: creation is retried within 60 s of each refusal, and succeeds once the cause is fixed
        webhook, CreationsRefused: creation is retried within 60 s of each refusal, and succeeds once the cause is fixed
        service-account, CreationsRefused: creation is retried within 60 s of each refusal, and succeeds once the cause is fixed
        pods-missing, PodsMissing: see whether their creation is refused: kubectl describe job pods-missing -n default
        forbid, ForbidWaits: correct the image in the jobTemplate of CronJob forbid, and delete the Job; or make the image available
        forbid, ImageNotPulled: correct the image in the jobTemplate of CronJob forbid, and delete the Job; or make the image available
        allow, JobUnfinished: correct the image in the jobTemplate of CronJob allow, and delete the Job; or make the image available
        allow, ImageNotPulled: correct the image in the jobTemplate of CronJob allow, and delete the Job; or make the image available
        cron-suspended, Suspended: resume it: kubectl patch cronjob cron-suspended -n default -p '{"spec":{"suspend":false}}'
        time-zone, UnknownTimeZone: correct timeZone
        cron-unattended, Unattended: is the kube-controller-manager running? Its log may say what is wrong
        cron-refused, CreationsRefused: creation is retried within 16m40s of each refusal, and succeeds once the cause is fixed
    "#]].assert_eq(&lines.collect::<String>());
}

/// The obstacles of an object as lines: code, whether it passes, sentence.
fn obstacles(core: &Core, kind: Kind, name: &str) -> Vec<String> {
    let object = ObjectRef { kind: kind.name().into(), namespace: "default".into(), name: name.into(), ..ObjectRef::default() };
    let explanation = core.manager.explain(&object, &[], core.now).expect("the object is there");
    let line = |obstacle: Obstacle| {
        let passes = if obstacle.passes { " (passes)" } else { "" };
        format!("{}{passes}: {}", obstacle.code, words(&obstacle.sentence))
    };
    explanation.obstacles.into_iter().map(line).collect()
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
