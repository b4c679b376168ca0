//! What is answered about Jobs from their objects: when the objects were read, how Jobs and pods ended, and what older versions of Kubernetes left out.
//!
//! Docs: the crate `past`. Records with gaps are in `gaps.rs`.

use api::Text;
use core_tests::native::Native;
use expect_test::expect;
use past::{JobStanding, ReadAt, RecordedJob};
use play::Play;
use play::trace::Transcript;
use script::Script;
use serde_json::{Value, json};

use super::gaps::{at, check, condition, event, failed, job, pod, running, shown};

/// The answer about the Job among these objects, read at their last time, and what it is stuck on if that is still so later.
fn answer(objects: &[Value]) -> String {
    let texts: Vec<Text> = objects.iter().map(|object| object.to_string().into()).collect();
    let record = RecordedJob::all(&texts).pop().expect("it is a Job");
    let read = ReadAt { at: play::beginning(&texts), or_later: true };
    let standing = JobStanding::of(&mut Native::default(), std::slice::from_ref(&record), read).pop().expect("it stands somehow");
    let later = standing.later.as_ref().map(|later| format!("\nlater: {}", later.headline)).unwrap_or_default();
    format!("{}{later}", standing.sentence())
}

/// A pod that failed, with these fields of its status over those that most have.
fn failed_pod(name: &str, created: i64, end: i64, status: Value) -> Value {
    let mut pod = pod(name, created, end, 1);
    let Value::Object(fields) = status else { return pod };
    fields.into_iter().for_each(|(field, value)| pod["status"][field] = value);
    pod
}

#[test]
fn an_answer_is_as_of_the_last_event_or_deletion() {
    let going = job(json!({}), json!({"active": 1, "ready": 1}));
    let mut deleted = running("pi-a", 0);
    deleted["metadata"]["deletionTimestamp"] = at(630);
    deleted["metadata"]["deletionGracePeriodSeconds"] = 30.into();
    let dumped: Vec<Text> = [&going, &deleted].iter().map(|object| object.to_string().into()).collect();
    assert_eq!(json!(api::time::text(play::beginning(&dumped))), at(600));
    let mut backing_off = event("BackOff", "Back-off pulling image", 10, 7);
    backing_off["lastTimestamp"] = at(700);
    let dumped: Vec<Text> = [&going, &backing_off].iter().map(|object| object.to_string().into()).collect();
    assert_eq!(json!(api::time::text(play::beginning(&dumped))), at(700));
}

#[test]
fn a_job_is_not_stuck_because_some_of_its_pods_are_missing_from_the_objects() {
    let objects = [job(json!({"parallelism": 2, "completions": 2}), json!({"active": 2, "ready": 2})), running("pi-a", 0)];
    expect!["job pi: Running: 2 pods active"].assert_eq(&answer(&objects));
}

#[test]
fn what_passes_may_be_stuck_if_the_objects_were_read_later() {
    let mut starting = running("pi-a", 0);
    starting["status"] = json!({"phase": "Pending", "startTime": at(0), "conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": at(0)}],
        "containerStatuses": [{"name": "main", "image": "pi", "restartCount": 0, "ready": false, "state": {"waiting": {"reason": "ContainerCreating"}}}]});
    let going = job(json!({}), json!({"active": 1, "ready": 0}));
    expect![[r#"
        Job pi is under way: pod pi-a is starting
        later: Job pi is stuck: pod pi-a has been waiting for its containers to be created since 2026-03-01T00:00:00Z"#]]
    .assert_eq(&answer(&[going.clone(), starting]));
    expect!["Job pi is under way: pod pi-a has been running since 2026-03-01T00:00:01Z"].assert_eq(&answer(&[going, running("pi-a", 0)]));
}

#[test]
fn a_container_that_started_in_1970_never_started() {
    let end = json!({"exitCode": 128, "reason": "StartError", "startedAt": "1970-01-01T00:00:00Z", "finishedAt": at(3),
        "message": "failed to create containerd task: OCI runtime create failed: runc create failed: unable to start container process: exec: \"worrk\": executable file not found in $PATH: unknown"});
    let pod = failed_pod(
        "pi-a",
        0,
        4,
        json!({"containerStatuses": [{"name": "main", "image": "pi", "restartCount": 0, "ready": false, "state": {"terminated": end}}]}),
    );
    let objects = [job(json!({"backoffLimit": 0}), failed(5, "BackoffLimitExceeded", 1)), pod];
    expect![[r#"job pi: Failed at 2026-03-01T00:00:05Z: 1 pod failed (StartError: …iled: runc create failed: unable to start container process: exec: "worrk": executable file not found in $PATH: unknown); backoffLimit 0"#]].assert_eq(&answer(&objects));
    check(
        &objects,
        expect![[r#"
        0:00 job pi: created
        0:00 ● Starting the Job: startTime is set (J-46)
        0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
        0:00 pod pi-a Pending
        0:04 pod pi-a Failed with exit code 128 after 4 s: failed to create containerd task: OCI runtime create failed: runc create failed: unable to start container process: exec: "worrk": executable file not found in $PATH: unknown
        0:05 ● The Job fails: 1 pod failed; backoffLimit allows 0 (J-46d)
        0:05 ● Counting pod pi-a as failed with exit code 128: every failed pod counts (J-124)
        0:05 job pi: FailureTarget: BackoffLimitExceeded
        0:05 ● The Job is Failed (BackoffLimitExceeded) (J-127)
        0:05 job pi: Failed: BackoffLimitExceeded
    "#]],
    );
}

#[test]
fn the_back_off_of_a_container_that_never_started_goes_on() {
    let end = json!({"exitCode": 128, "reason": "StartError", "startedAt": "1970-01-01T00:00:00Z", "finishedAt": at(40)});
    let waiting = json!({"reason": "CrashLoopBackOff", "message": "back-off 40s restarting failed container"});
    let mut crashing = running("pi-a", 0);
    crashing["spec"]["restartPolicy"] = "OnFailure".into();
    crashing["status"]["containerStatuses"] = json!([{"name": "main", "image": "pi", "restartCount": 3, "ready": false, "state": {"waiting": waiting}, "lastState": {"terminated": end}}]);
    let mut going = job(json!({}), json!({"active": 1, "ready": 0}));
    going["spec"]["template"]["spec"]["restartPolicy"] = "OnFailure".into();
    let texts = [going, crashing].map(|object| Text::from(object.to_string()));
    let start = play::beginning(&texts);
    let mut play = Play::new(Native::default(), &Script::default(), &texts, start).expect("it can be played");
    let mut transcript = Transcript::new(start);
    let end = api::time::after(start, api::Duration::from_secs(41));
    let entries = std::iter::from_fn(|| play.next_moment(end)).flatten().flat_map(|step| step.entries);
    let lines: Vec<String> = entries.filter_map(|entry| Some(transcript.line(&entry, false)?.trim_start().to_owned())).collect();
    expect![[r#"
        0:00 job pi: found
        0:00 pod pi-a Ready
        0:40 pod pi-a Restarted: start 5 of container main"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn the_conditions_that_older_versions_did_not_write_are_no_difference() {
    let status = json!({"succeeded": 1, "completionTime": at(10), "conditions": [condition("Complete", "", 10)]});
    check(
        &[job(json!({}), status), pod("pi-a", 0, 9, 0)],
        expect![[r#"
        0:00 job pi: created
        0:00 ● Starting the Job: startTime is set (J-46)
        0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
        0:00 pod pi-a Pending
        0:01 pod pi-a Ready
        0:09 pod pi-a Succeeded after 9 s
        0:10 ● The Job succeeds: 1 of 1 completion reached, and no pod is active (J-49)
        0:10 ● Counting pod pi-a as succeeded (J-124)
        0:10 job pi: SuccessCriteriaMet: CompletionsReached
        0:10 ● The Job is Complete (CompletionsReached) (J-127)
        0:10 job pi: Complete: CompletionsReached
    "#]],
    );
    let status = json!({"failed": 1, "conditions": [condition("Failed", "BackoffLimitExceeded", 10)]});
    check(
        &[job(json!({"backoffLimit": 0}), status), pod("pi-a", 0, 9, 1)],
        expect![[r#"
        0:00 job pi: created
        0:00 ● Starting the Job: startTime is set (J-46)
        0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
        0:00 pod pi-a Pending
        0:01 pod pi-a Ready
        0:09 pod pi-a Failed with exit code 1 after 9 s
        0:10 ● The Job fails: 1 pod failed; backoffLimit allows 0 (J-46d)
        0:10 ● Counting pod pi-a as failed with exit code 1: every failed pod counts (J-124)
        0:10 job pi: FailureTarget: BackoffLimitExceeded
        0:10 ● The Job is Failed (BackoffLimitExceeded) (J-127)
        0:10 job pi: Failed: BackoffLimitExceeded
    "#]],
    );
}

#[test]
fn ends_of_pods_are_grouped_and_explained() {
    let terminated = |name: &str, code: i32, message: &str| {
        json!({"name": name, "image": "pi", "restartCount": 0, "ready": false,
        "state": {"terminated": {"exitCode": code, "reason": "Error", "message": message, "startedAt": at(1), "finishedAt": at(9)}}})
    };
    let objects = |pods: &[Value]| {
        let count = i32::try_from(pods.len()).expect("they are few");
        [&[job(json!({"backoffLimit": count - 1}), failed(40, "BackoffLimitExceeded", count))], pods].concat()
    };
    let alike = |name: &str, created: i64| {
        failed_pod(name, created, created + 9, json!({"containerStatuses": [terminated("main", 1, "connecting\nno database\n")]}))
    };
    expect!["job pi: Failed at 2026-03-01T00:00:40Z: 2 pods failed (2 × exit 1: no database); backoffLimit 1"]
        .assert_eq(&answer(&objects(&[alike("pi-a", 0), alike("pi-b", 20)])));
    let several = json!({"containerStatuses": [terminated("main", 0, ""), terminated("log", 3, "")]});
    expect!["job pi: Failed at 2026-03-01T00:00:40Z: 1 pod failed (exit 3 in container log); backoffLimit 0"]
        .assert_eq(&answer(&objects(&[failed_pod("pi-a", 0, 9, several)])));
    let evicted = json!({"reason": "Evicted", "message": "The node was low on resource: memory.\nContainer main was using 2Gi."});
    expect!["job pi: Failed at 2026-03-01T00:00:40Z: 1 pod failed (Evicted on node node: The node was low on resource: memory. Container main was using 2Gi.); backoffLimit 0"].assert_eq(&answer(&objects(&[failed_pod("pi-a", 0, 9, evicted)])));
    let preempted = json!({"conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": at(0)},
        {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler", "message": "preempting", "lastTransitionTime": at(8)}]});
    expect!["job pi: Failed at 2026-03-01T00:00:40Z: 1 pod failed (PreemptionByScheduler on node node: preempting); backoffLimit 0"]
        .assert_eq(&answer(&objects(&[failed_pod("pi-a", 0, 9, preempted.clone())])));
    // One that is ignored is none of those that failed the Job.
    let ignore = json!({"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}]});
    let failed = job(json!({"backoffLimit": 0, "podFailurePolicy": ignore}), failed(40, "BackoffLimitExceeded", 1));
    expect!["job pi: Failed at 2026-03-01T00:00:40Z: 1 pod failed (exit 2), 1 ignored by podFailurePolicy (PreemptionByScheduler on node node: preempting); backoffLimit 0"].assert_eq(&answer(&[
        failed,
        failed_pod("pi-a", 0, 9, preempted),
        pod("pi-b", 20, 30, 2),
    ]));
}

#[test]
fn failed_indexes_and_restarts_are_named_with_the_limit() {
    let spec = json!({"completionMode": "Indexed", "completions": 3, "parallelism": 3, "backoffLimitPerIndex": 0});
    let mut status = failed(40, "FailedIndexes", 2);
    status["failedIndexes"] = "0,2".into();
    expect!["job pi: Failed at 2026-03-01T00:00:40Z: 2 pods failed; failed indexes 0,2; backoffLimitPerIndex 0"]
        .assert_eq(&answer(&[job(spec, status)]));
    let mut restarted = job(json!({"backoffLimit": 4}), failed(40, "BackoffLimitExceeded", 1));
    restarted["spec"]["template"]["spec"]["restartPolicy"] = "OnFailure".into();
    expect!["job pi: Failed at 2026-03-01T00:00:40Z: 1 pod failed; backoffLimit 4, which counts restarts"].assert_eq(&answer(&[restarted]));
}

#[test]
fn what_holds_a_finished_job_that_is_being_deleted_is_in_the_first_line() {
    let status = json!({"succeeded": 1, "completionTime": at(10), "conditions": [condition("Complete", "CompletionsReached", 10)]});
    let mut held = job(json!({}), status);
    held["metadata"]["finalizers"] = json!(["argocd.argoproj.io/hook-finalizer"]);
    held["metadata"]["deletionTimestamp"] = at(60);
    expect!["job pi: Complete at 2026-03-01T00:00:10Z: 1 pod succeeded; its deletion was requested at 2026-03-01T00:01:00Z, but the finalizer argocd.argoproj.io/hook-finalizer holds it"].assert_eq(&answer(&[held]));
}

#[test]
fn pods_that_hold_their_finalizer_are_not_gone() {
    let held = |name: &str| {
        let mut held = pod(name, 0, 9, 0);
        held["metadata"]["finalizers"] = json!(["batch.kubernetes.io/job-tracking"]);
        held
    };
    let complete = [condition("SuccessCriteriaMet", "CompletionsReached", 10), condition("Complete", "CompletionsReached", 10)];
    let status = json!({"succeeded": 1, "completionTime": at(10), "conditions": complete});
    let records = RecordedJob::all(&[job(json!({}), status), held("pi-a")].map(|object| object.to_string().into()));
    let (mut past, _) = past::Past::new(Native::default(), records[0].clone());
    let entries = std::iter::from_fn(|| past.next_moment()).flatten().flat_map(|step| step.entries);
    let gone: Vec<_> = entries.filter(|entry| format!("{:?}", entry.what).contains("longer exist")).collect();
    assert!(gone.is_empty(), "{gone:?}");
}

#[test]
fn a_job_that_was_resumed_by_its_third_generation_was_suspended_in_between() {
    let mut resumed = job(json!({}), json!({"active": 1, "ready": 1, "startTime": at(60)}));
    resumed["metadata"]["generation"] = 3.into();
    resumed["status"]["conditions"] =
        json!([{"type": "Suspended", "status": "False", "reason": "JobResumed", "lastTransitionTime": at(60)}]);
    check(
        &[resumed, running("pi-a", 61)],
        expect![[r#"
        0:00 job pi: created
        0:00 ≠ the Job has been edited: its generation is 3: only its latest spec is known
        0:59 job pi: spec.suspend is true ~
        0:59 ○ Not creating pods: the Job is suspended (J-80)
        0:59 ● Marking the Job as suspended: it has no startTime until it is resumed (J-121)
        0:59 job pi: Suspended: JobSuspended
        1:00 job pi: spec.suspend is false
        1:00 ● Starting the Job: startTime is set (J-46)
        1:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
        1:00 ● Marking the Job as resumed: its startTime is reset to the current time (J-121)
        1:01 pod pi-a Pending
        1:01 job pi: Suspended is False: JobResumed
        1:02 pod pi-a Ready
    "#]],
    );
}

#[test]
fn numbers_and_lists_that_no_server_writes_are_survived() {
    let going = || job(json!({}), json!({"active": 1, "ready": 1}));
    let answered = |job: Value, place: &str, value: Value| {
        let mut pod = running("pi-a", 0);
        pod["metadata"]["deletionTimestamp"] = at(600);
        let (parent, field) = place.rsplit_once('/').expect("it is a place");
        pod.pointer_mut(parent).expect("it is there")[field] = value;
        assert!(answer(&[job.clone(), pod.clone()]).starts_with("Job pi is "), "{place}");
        shown(&[job.clone(), pod.clone()]);
        let texts = [job, pod].map(|object| Text::from(object.to_string()));
        let start = play::beginning(&texts);
        let mut play = Play::new(Native::default(), &Script::default(), &texts, start).expect("it can be played");
        while play.next_moment(api::time::after(start, api::Duration::from_mins(10))).is_some() {}
    };
    for grace in [i64::MIN, i64::MAX] {
        answered(going(), "/metadata/deletionGracePeriodSeconds", grace.into());
    }
    answered(going(), "/status/containerStatuses", json!(["x"]));
    answered(going(), "/status/containerStatuses/0/restartCount", u64::MAX.into());
    let generation = |generation: i64| {
        let mut job = going();
        job["metadata"]["generation"] = generation.into();
        job
    };
    [i64::MAX, i64::MIN].into_iter().for_each(|number| answered(generation(number), "/status/message", json!("")));
    let most = json!({"active": i32::MAX, "ready": 1, "succeeded": i32::MAX, "failed": i32::MAX});
    assert!(RecordedJob::all(&[job(json!({}), most).to_string().into()])[0].without_pods());
}
