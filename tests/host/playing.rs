//! A session of the playground step by step: what a step is, what it shows, and that all of it together is what was simulated.
//!
//! Docs: `web/src/views.ts`. The same behind JavaScript is compared with the program in `browser/`.

use std::fmt::Write as _;
use std::fs::File;

use browser::playing::Playing;
use core_tests::native::Native;
use core_tests::scenarios;
use expect_test::{Expect, expect, expect_file};
use host_embed::record::{Recorded, Tape};
use play::trace::Transcript;
use schedule::{Zone, precise_clock_text};
use serde_json::Value;

use crate::loaded::COMPONENT;
use crate::program::Folder;

const JOB: &str = "
apiVersion: batch/v1
kind: Job
metadata: {name: pi}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: perl}]
";

pub(crate) fn playing(manifest: &str, script: &str) -> Playing {
    Playing::new(Native::default(), manifest, script).unwrap_or_else(|found| panic!("{found:?}"))
}

/// What the page makes of an object.
fn yaml(json: &str) -> String {
    manifest::write(&serde_json::from_str(json).expect("an object is JSON"))
}

fn steps(playing: &mut Playing) -> Vec<Value> {
    let progress = serde_json::to_value(playing.run(usize::MAX)).expect("progress is JSON");
    assert_eq!(progress["ended"], true);
    progress["steps"].as_array().expect("steps are a list").clone()
}

/// The steps in lines: what each is, what is seen of it, what happened to pods and Jobs.
fn check(script: &str, expected: Expect) {
    let mut shown = String::new();
    for (number, step) in steps(&mut playing(JOB, script)).iter().enumerate() {
        let about = step["action"].as_str().or(step["controller"].as_str()).unwrap_or_default();
        let entries = step["entries"].as_array().expect("entries are a list").len();
        write!(shown, "{number}: {} ms {} {about}: {entries} entries", step["at"], step["kind"].as_str().unwrap_or_default())
            .expect("text");
        for pod in step["pods"].as_array().into_iter().flatten() {
            let [phase, job] = ["phase", "job"].map(|field| pod[field].as_str().unwrap_or_default());
            let marks = ["ready", "deleting", "held", "gone"].into_iter().filter(|mark| pod[*mark] == true).collect::<Vec<_>>().join(" ");
            write!(shown, "; pod of {job} {phase} {} {marks}", pod["exitCode"]).expect("text");
        }
        for change in step["jobs"].as_array().into_iter().flatten().flat_map(|job| job["changes"].as_array().into_iter().flatten()) {
            write!(shown, "; {}: {} to {}", change["path"].as_str().unwrap_or_default(), change["before"], change["after"]).expect("text");
        }
        if let Some(waits) = step.get("waits") {
            write!(shown, "; waits {}", waits["reason"]).expect("text");
        }
        shown.push('\n');
    }
    expected.assert_eq(&shown);
}

#[test]
fn a_step_is_one_thing_that_happened_with_what_came_of_it() {
    check(
        "pods: exit 3 after 2s\nat 4s: set spec.backoffLimit=0",
        expect![[r#"
            0: 0 ms applied : 1 entries
            1: 0 ms plan job: 6 entries; pod of pi Pending null held; status.active: null to "1"; status.ready: null to "0"; status.startTime: null to "2026-01-01T00:00:00Z"; status.terminating: null to "0"
            2: 0 ms change : 1 entries; pod of pi Running null ready held
            3: 0 ms plan job: 2 entries; waits "the Job's status or metadata changed"
            4: 1000 ms plan job: 3 entries; status.ready: "0" to "1"; waits "the Job's status or metadata changed"
            5: 2000 ms change : 1 entries; pod of pi Failed 3 held
            6: 2000 ms plan job: 2 entries; waits "a pod changed"
            7: 3000 ms plan job: 5 entries; pod of pi Failed 3 ; status.active: "1" to null; status.ready: "1" to "0"; status.uncountedTerminatedPods.failed: null to "pod-pi-00001-1"
            8: 3000 ms plan job: 2 entries; status.failed: null to "1"; status.uncountedTerminatedPods.failed: "pod-pi-00001-1" to null; waits "the Job's status or metadata changed"
            9: 4000 ms action set spec.backoffLimit=0: 1 entries; spec.backoffLimit: "6" to "0"
            10: 4000 ms plan job: 4 entries; status.conditions[FailureTarget].lastProbeTime: null to "2026-01-01T00:00:04Z"; status.conditions[FailureTarget].lastTransitionTime: null to "2026-01-01T00:00:04Z"; status.conditions[FailureTarget].message: null to "Job has reached the specified backoff limit"; status.conditions[FailureTarget].reason: null to "BackoffLimitExceeded"; status.conditions[FailureTarget].status: null to "True"; status.conditions[FailureTarget].type: null to "FailureTarget"
            11: 4000 ms plan job: 3 entries; status.conditions[Failed].lastProbeTime: null to "2026-01-01T00:00:04Z"; status.conditions[Failed].lastTransitionTime: null to "2026-01-01T00:00:04Z"; status.conditions[Failed].message: null to "Job has reached the specified backoff limit"; status.conditions[Failed].reason: null to "BackoffLimitExceeded"; status.conditions[Failed].status: null to "True"; status.conditions[Failed].type: null to "Failed"
            12: 4000 ms plan job: 2 entries; waits "the Job's status or metadata changed"
            13: 5000 ms plan job: 1 entries; waits null
        "#]],
    );
}

const CRON_JOB: &str = "
apiVersion: batch/v1
kind: CronJob
metadata: {name: hello}
spec:
  schedule: '* * * * *'
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}}
";

/// The minutes of the runs that are played further, and whether the play pauses or ends then.
fn runs(playing: &mut Playing) -> (Vec<i64>, bool, bool) {
    let progress = serde_json::to_value(playing.run(usize::MAX)).expect("progress is JSON");
    let entries = progress["steps"].as_array().into_iter().flatten().flat_map(|step| step["entries"].as_array().into_iter().flatten());
    let minutes = entries.filter(|entry| entry["role"] == "action").filter_map(|entry| entry["run"].as_i64()).map(|run| run / 60_000);
    (minutes.collect(), progress["paused"] == true, progress["ended"] == true)
}

#[test]
fn cron_jobs_are_played_as_far_as_they_are_wanted() {
    let mut played = playing(CRON_JOB, "");
    played.play_ahead(2, 0.0);
    assert_eq!(runs(&mut played), (vec![1, 2], true, false));
    assert_eq!(runs(&mut played), (vec![], true, false));
    played.play_ahead(1, 270_000.0);
    assert_eq!(runs(&mut played), (vec![3, 4, 5], true, false));
    let mut scripted = playing(CRON_JOB, "at 3m30s: suspend cronjob hello");
    scripted.play_ahead(1, 0.0);
    assert_eq!(runs(&mut scripted), (vec![1, 2, 3], false, true), "a script is played to its end");
    let mut rare = playing(&CRON_JOB.replace("* * * * *", "0 0 29 2 *"), "");
    rare.play_ahead(2, 0.0);
    let days = |minutes: i64| minutes / (24 * 60);
    assert_eq!(runs(&mut rare).0.into_iter().map(days).collect::<Vec<_>>(), [789, 2250], "the next leap days are years ahead");
    let mut job = playing(JOB, "");
    job.play_ahead(0, 0.0);
    assert_eq!(runs(&mut job), (vec![], false, true), "a Job comes to its end");
}

#[test]
fn a_cron_job_is_shown_with_its_status_and_a_job_with_its_run() {
    let mut played = playing(CRON_JOB, "");
    played.play_ahead(1, 0.0);
    let progress = serde_json::to_value(played.run(usize::MAX)).expect("progress is JSON");
    let shown = |kind: &str| {
        let last = progress["steps"].as_array().into_iter().flatten().filter_map(|step| step[kind].as_array()?.last()).next_back();
        let mut object = last.cloned().expect("there is one");
        object["changes"].take();
        object.to_string()
    };
    expect![[r#"{"active":[],"changes":null,"clockChanges":[],"concurrencyPolicy":"Allow","deleting":false,"gone":false,"lastScheduleTime":60000,"lastSuccessfulTime":66000,"name":"hello","namespace":"default","schedule":"* * * * *","suspend":false,"timeZone":null,"zone":"UTC"}"#]].assert_eq(&shown("cronJobs"));
    expect![[r#"{"active":0,"changes":null,"completionMode":"NonIndexed","completions":1,"conditions":[{"reason":"CompletionsReached","status":"True","type":"SuccessCriteriaMet"},{"reason":"CompletionsReached","status":"True","type":"Complete"}],"counting":{"failed":0,"succeeded":0},"cronJob":"hello","deleting":false,"expires":false,"failed":0,"finished":{"reason":"CompletionsReached","succeeded":true,"words":"Complete"},"gone":false,"name":"hello-29453761","namespace":"default","scheduledAt":60000,"succeeded":1,"suspend":false,"terminating":0}"#]].assert_eq(&shown("jobs"));
}

#[test]
fn all_steps_together_are_what_was_simulated() {
    for file in scenarios::files() {
        for scenario in &file.scenarios {
            let played = file.play(scenario, Native::default());
            let mut playing = playing(scenario.own_manifest(), scenario.script.as_ref().map_or("", |block| &block.text));
            let progress = playing.run(usize::MAX);
            assert!(progress.ended, "{}", scenario.claim);
            let lines = |all: bool| -> String {
                let mut transcript = transcript(scenario.own_manifest());
                played.entries.iter().filter_map(|entry| transcript.line(entry, all)).map(|line| format!("{line}\n")).collect()
            };
            for all in [true, false] {
                assert_eq!(playing.trace(all), lines(all), "{}", scenario.claim);
            }
        }
    }
}

/// What writes the times of a session with these objects: with dates in the time zone of its CronJob, if it has one.
fn transcript(manifest: &str) -> Transcript {
    let documents = manifest::read(manifest).expect("scenarios have manifests");
    let cron_job = documents.iter().map(|document| document.value()).find(|object| object["kind"] == "CronJob");
    let Some(cron_job) = cron_job else { return Transcript::new(play::start()) };
    let zone = cron_job["spec"]["timeZone"].as_str().and_then(Zone::named).unwrap_or_else(Zone::utc);
    Transcript::with(move |at| precise_clock_text(&zone, at))
}

#[test]
fn objects_are_those_of_their_step() {
    let mut playing = playing(JOB, "pods: succeed after 1s\nat 1m: delete job pi");
    let last = steps(&mut playing).len() - 1;
    let shown: Vec<String> = (0..=last)
        .map(|step| {
            let objects = serde_json::to_value(playing.objects(step)).expect("objects are JSON");
            let object = |object: &Value| format!("{} {}", object["name"].as_str().unwrap_or_default(), object["resourceVersion"]);
            objects.as_array().into_iter().flatten().map(object).collect::<Vec<_>>().join(", ")
        })
        .collect();
    expect![[r#"
        pi "1"
        pi "3", pi-00001 "2"
        pi "3", pi-00001 "5"
        pi "3", pi-00001 "5"
        pi "3", pi-00001 "6"
        pi "7", pi-00001 "6"
        pi "8", pi-00001 "9"
        pi "10", pi-00001 "9"
        pi "10", pi-00001 "9"
        pi "10", pi-00001 "9"

    "#]]
    .assert_eq(&shown.join("\n"));
    let status = |step| {
        playing.object(step, api::Kind::Job, "default", "pi").map(|json| json.split("\"status\":").nth(1).unwrap_or_default().to_owned())
    };
    assert_eq!((status(0).as_deref(), status(last)), (Some("{}}"), None));
}

#[test]
fn errors_are_reported_with_their_place() {
    let wrong = |manifest: &str, script: &str| {
        let found = Playing::new(Native::default(), manifest, script).err().expect("something is wrong");
        serde_json::to_string(&found).expect("diagnostics are JSON")
    };
    expect![[r#"[{"severity":"error","message":"Required value: valid values: \"OnFailure\", \"Never\"","path":"spec.template.spec.restartPolicy","line":8,"column":22,"length":6,"remedy":"use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod"}]"#]].assert_eq(&wrong(&JOB.replace("Never", "Always"), ""));
    expect![[r#"[{"severity":"error","message":"expected what pods do, found \"fly\"","path":"","line":1,"column":7,"length":1,"remedy":"write one of: succeed after 5s, exit 1 after 5s, killed by signal 9 after 5s, runs forever, scheduled after 1s, never scheduled, starts after 1s, never starts, ready after 1s, never ready, ends 2s after TERM with 0, ignores TERM, OOMKilled after 5s, message \"retry-after 30\", evicted after 10s, preempted after 10s, evicted by the kubelet after 10s, condition ConfigIssue after 2s"}]"#]].assert_eq(&wrong(JOB, "pods: fly"));
    expect![[r#"[{"severity":"error","message":"jobsmith runs Jobs and CronJobs: it cannot run a Pod","path":"kind","line":1,"column":7,"length":3,"remedy":"use a Job with the pod's metadata and spec as its spec.template, and a restartPolicy of Never or OnFailure"}]"#]].assert_eq(&wrong("kind: Pod", ""));
    assert_eq!(browser::check::manifest(JOB), []);
}

/// A session, recorded, and its trace.
pub(crate) fn recorded(manifest: &str, script: &str) -> (String, String) {
    let folder = Folder::new();
    let header = host_embed::record::header(&COMPONENT, "{}", play::start()).expect("the configuration is JSON");
    let file = File::create(folder.path().join("recording.jsonl")).expect("a file can be made");
    let manager = Recorded::new(Native::default(), Some(Tape::begin(file, &header).expect("it can be written to")));
    let mut played = Playing::new(manager, manifest, script).unwrap_or_else(|found| panic!("{found:?}"));
    assert!(played.run(usize::MAX).ended);
    let shown = played.trace(true);
    drop(played);
    (std::fs::read_to_string(folder.path().join("recording.jsonl")).expect("it was written"), shown)
}

/// The page is tried with it in `web/e2e/recording.test.ts`; `UPDATE_EXPECT=1` writes it.
#[test]
fn the_recording_with_which_the_page_is_tried_is_current() {
    let (text, _) = recorded(INDEXED, "index 1 attempt 1: exit 3 after 4s\npods: succeed after 5s");
    // Each build has another component.
    expect_file!["../../web/e2e/recording.jsonl"].assert_eq(&text.replace(COMPONENT.sha256(), &"0".repeat(64)));
}

#[test]
fn a_recording_is_gone_through_step_by_step() {
    let (text, expected) = recorded(JOB, "pods: exit 3 after 2s\nat 4s: set spec.backoffLimit=0");
    let mut opened = Playing::open(text.clone(), |configuration| {
        assert_eq!(configuration, "{}");
        Ok(Native::default())
    })
    .expect("it is a recording");
    let seen = steps(&mut opened);
    assert_eq!((&seen[0]["kind"], &seen[1]["kind"]), (&"change".into(), &"plan".into()));
    // What was done from outside was not recorded, only its effects, nor is why the controllers acted.
    let recorded = |line: &&str| !line.contains("◆") && !line.contains(" Reconciling: ");
    let lines = |trace: &str| {
        let mut lines: Vec<String> = trace.lines().filter(recorded).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&opened.trace(true)), lines(&expected));
    let job = opened.object(seen.len() - 1, api::Kind::Job, "default", "pi").expect("the Job is there");
    assert!(job.contains(r#""reason":"BackoffLimitExceeded""#), "{job}");

    let foreign = text.replace(r#"\"active\":1"#, r#"\"active\":2"#);
    assert_ne!(foreign, text);
    let mut foreign = Playing::open(foreign, |_| Ok(Native::default())).expect("it is a recording");
    let last = steps(&mut foreign).pop().expect("there are steps");
    let shown = last["entries"][0]["text"].as_str().unwrap_or_default();
    assert_eq!(last["entries"][0]["type"], "complaint");
    assert!(shown.starts_with("starting at line "), "{shown}");
    assert!(shown.contains(" of the recording, these controllers decide differently: "), "{shown}");
    for (text, expected) in [("", "it is empty"), ("kind: Job\n", "it is not a recording; `jobsmith controller --record FILE` makes one")] {
        assert_eq!(Playing::open(text.to_owned(), |_| Ok(Native::default())).err().as_deref(), Some(expected));
    }
}

/// The trace, its lines as far to the left as they go.
pub(crate) fn outline(playing: &Playing) -> String {
    playing.trace(false).lines().map(|line| format!("{}\n", line.trim_start())).collect()
}

const INDEXED: &str = "
apiVersion: batch/v1
kind: Job
metadata: {name: pi}
spec:
  completions: 4
  parallelism: 2
  completionMode: Indexed
  backoffLimit: 3
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: perl}]
";

#[test]
fn a_session_goes_on_from_any_of_its_moments_to_the_same_end() {
    const SCRIPT: &str = "index 1 attempt 1: exit 3 after 4s\nindex 2: never ready, succeed after 9s\npods: succeed after 5s";
    let end = |playing: &Playing, step: usize| {
        let yaml = yaml(&playing.object(step, api::Kind::Job, "default", "pi").expect("the Job is there"));
        let shown = ["succeeded: ", "failed: ", "completedIndexes: ", "  - type: ", "    type: "];
        yaml.lines()
            .filter(|line| shown.iter().any(|shown| line.trim_start().starts_with(shown.trim_start())))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let mut whole = playing(INDEXED, SCRIPT);
    let last = steps(&mut whole).len() - 1;
    let expected = end(&whole, last);
    assert!(expected.contains("succeeded: 4") && expected.contains("failed: 1") && expected.contains("Complete"), "{expected}");
    for step in 0..=last {
        let mut further = playing(&yaml(&whole.list(step)), SCRIPT);
        let last = steps(&mut further).len() - 1;
        assert_eq!(end(&further, last), expected, "from step {step} on");
    }
}

#[test]
fn what_a_cluster_had_is_found_as_it_was() {
    let mut whole = playing(&JOB.replace("Never", "OnFailure"), "pods: exit 3 after 2s\nat 45s: exit 0 in pods");
    let steps_before = steps(&mut whole);
    let crashing = steps_before.iter().position(|step| step["at"] == 14000).expect("something happens then");
    let list = yaml(&whole.list(crashing));
    let mut further = playing(&list, "pods: succeed after 30s");
    steps(&mut further);
    expect![[r#"
        0:00 job pi: found
        0:00 pod pi-00001 Ready
        0:30 pod pi-00001 Succeeded after 44 s
        0:31 ● The Job succeeds: 1 of 1 completion reached, and no pod is active (J-49)
        0:31 ● Counting pod pi-00001 as succeeded (J-124)
        0:31 job pi: SuccessCriteriaMet: CompletionsReached
        0:31 ● The Job is Complete (CompletionsReached) (J-127)
        0:31 job pi: Complete: CompletionsReached
        0:31 job pi: 1 pod, 3 starts: all ran to their end
    "#]]
    .assert_eq(&outline(&further));
    assert_eq!(browser::check::manifest(&list), []);
}

#[test]
fn an_ended_job_of_a_cluster_stays_as_it_is() {
    let mut whole = playing(JOB, "");
    let last = steps(&mut whole).len() - 1;
    let mut further = playing(&yaml(&whole.list(last)), "");
    assert_eq!(steps(&mut further)[0]["kind"], "found");
    expect![[r#"
           0:00 job pi: found
           0:00 job pi: SuccessCriteriaMet: CompletionsReached
           0:00 job pi: Complete: CompletionsReached
           0:00 pod pi-00001 Succeeded
    "#]]
    .assert_eq(&outline(&further));
}
