//! What a simulation ends with continues alike in another one: whatever the pods were doing, each thing comes at its time.
//!
//! Docs: `jobsmith simulate --help`, "the simulation continues from that state". What is stuck on a cluster is tested in `tests/host/simulate/continuing.rs`.

use api::{Duration, Kind, Text, Timestamp, time};
use core_tests::native::Native;
use play::step::{Step, Trigger};
use play::trace::{Transcript, What};
use play::{Play, start};
use script::Script;

/// A Job with these fields of its spec, a pod with these of its own.
fn job(spec: &str, pod: &str) -> Text {
    let containers = r#""containers":[{"name":"main","image":"busybox"}]"#;
    let template = format!(r#"{{"spec":{{{containers}{pod}}}}}"#);
    format!(r#"{{"apiVersion":"batch/v1","kind":"Job","metadata":{{"name":"pi"}},"spec":{{"template":{template}{spec}}}}}"#).into()
}

/// What happens after a time, and what the controllers do, in lines.
fn lines(steps: &[Step], after: Timestamp) -> Vec<String> {
    let mut transcript = Transcript::new(start());
    let seen = steps.iter().filter(|step| step.at > after && step.trigger != Trigger::Found);
    let shown = |what: &What| !matches!(what, What::Decision { decision, .. } if decision.role != contract::decision::Role::Action);
    let lines = seen.flat_map(|step| &step.entries).filter(|entry| shown(&entry.what)).filter_map(|entry| transcript.line(entry, false));
    // That a container was told to stop is in no object.
    lines
        .map(|line| {
            line.split(" exited with code ").next().and_then(|line| line.split(" terminated after ").next()).unwrap_or(&line).to_owned()
        })
        .collect()
}

pub(crate) fn played(play: &mut Play<Native>, until: Timestamp) -> Vec<Step> {
    std::iter::from_fn(|| play.next_moment(until)).flatten().collect()
}

/// What is left of a script after some time.
pub(crate) fn rest(script: &Script, after: Duration) -> Script {
    let mut rest = script.clone();
    rest.actions.retain(|action| action.what.after > after);
    rest.actions.iter_mut().for_each(|action| action.what.after -= after);
    rest
}

/// Plays a Job, and continues from what there is at each of these seconds: while all of its pods are there, because nothing is known of one that is gone.
#[track_caller]
fn check(job: &Text, script: &str, seconds: std::ops::Range<i64>) {
    let script = Script::parse(script).expect("the script is valid");
    let mut original = Play::new(Native::default(), &script, std::slice::from_ref(job), start()).expect("the Job is valid");
    let end = time::after(start(), Duration::from_hours(2));
    let mut dumps: Vec<(Timestamp, Vec<Text>)> = Vec::new();
    let mut steps = Vec::new();
    for second in seconds {
        let now = time::after(start(), Duration::from_secs(second));
        steps.extend(played(&mut original, now));
        let objects = Kind::ALL.into_iter().flat_map(|kind| original.server().objects(kind)).map(|stored| stored.json());
        dumps.push((now, objects.collect()));
    }
    steps.extend(played(&mut original, end));
    for (now, objects) in dumps {
        let rest = rest(&script, now.duration_since(start()));
        let mut continued = Play::new(Native::default(), &rest, &objects, now).expect("the objects were stored before");
        let continued = played(&mut continued, end);
        let second = now.duration_since(start()).as_secs();
        assert_eq!(lines(&continued, now), lines(&steps, now), "from {second} s:\n{script}");
    }
}

#[test]
fn pods_that_fail_are_followed_by_others_after_the_same_back_off() {
    let never = r#","restartPolicy":"Never""#;
    check(&job(r#","backoffLimit":4"#, never), "pods: exit 1 after 2s", 0..120);
    check(&job(r#","backoffLimit":4,"completions":4,"parallelism":2"#, never), "attempt 2: exit 1 after 3s\npods: succeed after 2s", 0..40);
    let indexed = r#","completionMode":"Indexed","completions":3,"parallelism":3,"backoffLimitPerIndex":2"#;
    check(&job(indexed, never), "index 1: exit 42 after 2s twice\nindex 2: exit 1 after 5s\npods: succeed after 4s", 0..60);
}

#[test]
fn pods_go_on_with_their_work() {
    let never = r#","restartPolicy":"Never""#;
    check(&job("", never), "pods: scheduled after 3s, starts after 4s, ready after 2s, succeed after 9s", 0..20);
    check(&job("", never), "pods: killed by signal 9 after 4s once", 0..30);
    check(&job("", never), "pods: never scheduled", 0..5);
    check(&job("", never), "pods: never starts", 0..5);
    check(&job("", never), "pods: runs forever\nat 9s: exit 0 in pods", 0..12);
    check(&job("", never), "attempt 1: runs forever, evicted after 6s, ends 3s after TERM with 143", 0..9);
}

#[test]
fn containers_are_restarted_after_the_same_back_off() {
    let on_failure = r#","restartPolicy":"OnFailure""#;
    check(&job(r#","backoffLimit":6"#, on_failure), "starts 1-4: exit 1 after 3s\npods: starts after 2s, succeed after 4s", 0..110);
}

#[test]
fn init_containers_and_sidecars_keep_their_order() {
    let pod = r#","restartPolicy":"Never","initContainers":[
        {"name":"fetch","image":"b"},{"name":"log","image":"b","restartPolicy":"Always"},{"name":"tail","image":"b","restartPolicy":"Always"},
        {"name":"unpack","image":"b"}]"#;
    let script = "container fetch: starts after 1s, succeed after 3s\ncontainer unpack: starts after 2s, succeed after 2s\n\
                  container log: ends 4s after TERM with 0\ncontainer tail: ends 2s after TERM with 0\npods: succeed after 5s";
    check(&job("", pod), script, 0..25);
    check(&job("", pod), &format!("{script}\nat 12s: delete pod pi-00001"), 0..18);
}

#[test]
fn pods_that_are_stopped_end_at_the_same_time() {
    let never = r#","restartPolicy":"Never""#;
    let slow = "pods: runs forever, ends 6s after TERM with 143";
    check(&job("", never), &format!("{slow}\nat 4s: suspend\nat 20s: resume\nat 30s: exit 0 in pods"), 0..10);
    let ignores = r#","restartPolicy":"Never","terminationGracePeriodSeconds":7"#;
    check(&job(r#","activeDeadlineSeconds":5"#, ignores), "pods: ignores TERM, runs forever", 0..12);
    let deadline = r#","restartPolicy":"Never","activeDeadlineSeconds":5,"terminationGracePeriodSeconds":7"#;
    check(&job(r#","backoffLimit":1"#, deadline), "pods: ignores TERM, runs forever", 0..40);
    check(
        &job(r#","podReplacementPolicy":"Failed""#, never),
        "attempt 1: evicted after 3s, runs forever, ends 8s after TERM with 1",
        0..12,
    );
}

#[test]
fn a_lost_node_stays_lost() {
    let never = r#","restartPolicy":"Never""#;
    check(&job("", never), "pods: succeed after 20s\nat 5s: lose node\nat 10m: remove node", 55..60);
    check(&job("", never), "pods: succeed after 20s\nat 5s: lose node\nat 10m: remove node", 354..360);
}

#[test]
fn a_finished_job_is_deleted_at_the_same_time() {
    check(&job(r#","ttlSecondsAfterFinished":10"#, r#","restartPolicy":"Never""#), "", 0..20);
}
