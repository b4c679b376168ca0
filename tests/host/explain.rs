//! `jobsmith explain`, `wait`, `trigger` and `rerun` where there is nothing to do: what is printed, and the exit status.
//!
//! Docs: `jobsmith explain --help`, `jobsmith wait --help`. What is explained is tested beside `host/cluster/src/explain.rs`, what is done on a cluster in
//! `controller/by_hand.rs`.

use serde_json::{Value, json};

use crate::cluster::kubeconfig;
use crate::controller::server::{Answers, Server};
use crate::program::{Ended, Folder};

/// A kubeconfig of a cluster where nothing listens.
const NOBODY: &str = r#"{"apiVersion":"v1","kind":"Config","current-context":"here","users":[{"name":"me","user":{}}],
    "clusters":[{"name":"none","cluster":{"server":"http://127.0.0.1:1"}}],
    "contexts":[{"name":"here","context":{"cluster":"none","user":"me","namespace":"team-a"}}]}"#;

fn check(arguments: &str, expected: &str) {
    let folder = Folder::new();
    folder.write("config", NOBODY);
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let ended = folder.run(&arguments).with_status(2);
    assert!(ended.stderr.starts_with(expected) && ended.stdout.is_empty(), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn another_kind_is_refused() {
    check(
        "explain pod/pi",
        "error: invalid value 'pod/pi' for '[job/NAME|cronjob/NAME]...': expected a Job or CronJob, not pod; write job/NAME or cronjob/NAME\n",
    );
    check("explain pod pi", "error: expected a Job or CronJob, not pod; write job/NAME or cronjob/NAME\n");
    check("explain job job/pi", "error: write either job NAME or job/NAME\n");
    check("explain job/pi job/pa", "error: name one Job or CronJob, or none for all\n");
    check("explain job/pi -A", "error: -l and -A are for all Jobs and CronJobs: name none\n");
    check("explain --watch", "error: --watch is for one Job or CronJob: name it\n");
    check("rerun pod pi", "error: expected a Job, not pod; write job/NAME\n");
    check("trigger job pi", "error: expected a CronJob, not job; write cronjob/NAME\n");
    check("wait pod/pi", "error: invalid value 'pod/pi' for '[job/NAME]...': expected a Job, not pod; write job/NAME\n");
    check("wait job/", "error: invalid value 'job/' for '[job/NAME]...': write job/NAME\n");
    check("rerun cronjob/pi", "error: invalid value 'cronjob/pi' for '<job/NAME>...': expected a Job, not cronjob; write job/NAME\n");
    check("trigger job/pi", "error: invalid value 'job/pi' for '<cronjob/NAME>...': expected a CronJob, not job; write cronjob/NAME\n");
}

#[test]
fn a_cron_job_is_not_waited_for() {
    let refused = |word: &str| {
        format!("error: invalid value '{word}' for '[job/NAME]...': a CronJob never finishes; wait for one of its Jobs: job/NAME\n")
    };
    check("wait cj/pi", &refused("cj/pi"));
    check("wait cronjob pi", &refused("cronjob"));
}

#[test]
fn a_cluster_that_cannot_be_reached_is_named() {
    let unreachable = "cannot reach http://127.0.0.1:1: ";
    check("explain --kubeconfig config", &format!("error: cannot list jobs: {unreachable}"));
    check("wait -l a=b --kubeconfig config", &format!("error: cannot list jobs: {unreachable}"));
    for command in
        ["explain job/pi", "explain job pi", "wait job/pi", "wait job pi", "rerun job/pi", "explain cronjob/pi", "trigger cronjob/pi"]
    {
        let nowhere = "error: nowhere: No such file or directory (os error 2); pass --kubeconfig a file that ";
        check(&format!("{command} --kubeconfig nowhere"), nowhere);
        let kind = if command.contains("cronjob") { "cronjob" } else { "job" };
        check(&format!("{command} --kubeconfig config"), &format!("error: cannot read {kind} team-a/pi: {unreachable}"));
    }
}

/// What a server with the objects of a dump answers.
fn serve(dump: &str, method: &str, path: &str) -> (u16, String) {
    let file = format!("{}/../stuck/{dump}.yaml", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(file).expect("the dump is there");
    let documents = manifest::read(&source).expect("it is YAML");
    let items = documents[0].value()["items"].as_array().expect("it is a List").clone();
    let place = |object: &Value| {
        let group = if object["kind"] == "Pod" { "/api/v1" } else { "/apis/batch/v1" };
        format!("{group}/namespaces/default/{}s", object["kind"].as_str().unwrap_or_default().to_lowercase())
    };
    assert_eq!(method, "GET", "explain only reads");
    if path.ends_with("/events") {
        let message = "events is forbidden: User \"reader\" cannot list resource \"events\"";
        return (403, json!({"kind": "Status", "code": 403, "reason": "Forbidden", "message": message}).to_string());
    }
    let named = |object: &&Value| format!("{}/{}", place(object), object["metadata"]["name"].as_str().unwrap_or_default()) == path;
    if let Some(object) = items.iter().find(named) {
        return (200, object.to_string());
    }
    let event = |kind: &str, object: &Value| json!({"type": kind, "object": object}).to_string() + "\n";
    let shown: String = items.iter().filter(|object| place(object) == path).map(|object| event("ADDED", object)).collect();
    let end = json!({"metadata": {"resourceVersion": "100", "annotations": {"k8s.io/initial-events-end": "true"}}});
    (200, shown + &event("BOOKMARK", &end))
}

/// Runs a command with a server that answers so.
fn run(answers: Answers, command: &str) -> Ended {
    let (folder, server) = (Folder::new(), Server::start(answers));
    folder.write("config", kubeconfig(&server.address));
    folder.run(&command.split(' ').chain(["--kubeconfig", "config"]).collect::<Vec<_>>())
}

fn explained(answers: Answers, target: &str) -> String {
    run(answers, &format!("explain {target}")).with_status(0).stdout
}

fn node_lost(method: &str, path: &str, _: usize) -> (u16, String) {
    serve("node-lost", method, path)
}

#[test]
fn a_run_on_a_lost_node_is_named_with_its_pod_and_its_node() {
    let text = explained(node_lost, "job/revoke-grants-29453770");
    let (first, rest) = text.split_once('\n').expect("there are lines");
    let begin = "Job revoke-grants-29453770, which is failing (DeadlineExceeded), is stuck: pod revoke-grants-29453770-00001 should have been gone by ";
    assert!(first.starts_with(begin) && first.contains(", but its node, node-1, has not responded since "), "{first}");
    let remedy = "  help: if the node does not come back: kubectl delete pod revoke-grants-29453770-00001 -n default --force\n";
    let events = "Events are not shown: permission denied: events is forbidden: User \"reader\" cannot list resource \"events\"\n";
    assert!(rest.starts_with(&format!("{remedy}{events}\nNAME ")), "{rest}");
    assert_eq!(text.matches("before the Job is Failed").count(), 1, "{text}");
    assert!(!text.contains("It waits only") && !text.contains("Nothing follows"), "{text}");
}

#[test]
fn a_cron_job_that_waits_for_it_leads_there() {
    let text = explained(node_lost, "cronjob/revoke-grants");
    let begin =
        "CronJob revoke-grants is waiting for its last run: concurrencyPolicy is Forbid, and Job revoke-grants-29453770, scheduled for ";
    assert!(text.starts_with(begin) && text.contains(" is stuck: pod revoke-grants-29453770-00001 should have been gone by "), "{text}");
}

#[test]
fn without_the_right_to_read_pods_a_cron_job_is_explained_all_the_same() {
    let text = explained(
        |method, path, _| match path.ends_with("/pods") {
            true => (403, json!({"kind": "Status", "code": 403, "message": "pods is forbidden"}).to_string()),
            false => serve("node-lost", method, path),
        },
        "cronjob/revoke-grants",
    );
    assert!(
        text.contains(
            "\nWhat its Jobs are stuck on is not known, because their pods cannot be read: permission denied: pods is forbidden\n"
        ),
        "{text}"
    );
    assert!(text.starts_with("CronJob revoke-grants is waiting for its last run: ") && !text.contains("wanted"), "{text}");
}

#[test]
fn a_pod_whose_image_cannot_be_pulled_is_named_with_the_reason() {
    let text = explained(image, "job/warm-cache");
    assert!(text.starts_with("Job warm-cache is stuck: pod warm-cache-00001 cannot pull the image of container "), "{text}");
    assert!(text.contains("(ImagePullBackOff since ") && !text.contains("It waits only"), "{text}");
}

fn image(method: &str, path: &str, _: usize) -> (u16, String) {
    serve("image", method, path)
}

#[test]
fn the_history_of_a_job_is_told_from_its_objects() {
    let text = explained(image, "job/warm-cache --history --time-zone UTC");
    assert!(text.starts_with("At ") && text.contains(" Job warm-cache is stuck: pod warm-cache-00001 cannot pull the image of "), "{text}");
    for told in ["job warm-cache: created\n", "● Creating 1 pod: 0 active, 1 wanted (J-83)\n", "pod warm-cache-00001 Pending\n"] {
        assert!(text.contains(told), "{told}\n{text}");
    }
    assert!(text.trim_end().ends_with(", everything is as recorded."), "{text}");
    let refused = run(node_lost, "explain cronjob/revoke-grants --history").with_status(2);
    assert_eq!(refused.stderr, "error: --history is for a Job on which a controller has acted: name one, as in job/NAME\n");
}

#[test]
fn what_keeps_a_job_is_printed_once_while_it_is_waited_for() {
    let waited = run(image, "wait job warm-cache --timeout 3s").with_status(3);
    let stuck = "Job warm-cache is stuck: pod warm-cache-00001 cannot pull the image of container ";
    assert!(waited.stderr.starts_with(stuck) && waited.stderr.matches(stuck).count() == 1, "{}", waited.stderr);
    let over = "\njob warm-cache has not finished: pod warm-cache-00001 cannot pull the image of container ";
    assert!(waited.stderr.contains(over) && waited.stderr.contains("\n  help: ") && waited.stdout.is_empty(), "{}", waited.stderr);
}

#[test]
fn a_job_that_has_been_stuck_for_long_is_given_up() {
    let waited = run(image, "wait warm-cache --fail-if-stuck 10m").with_status(4);
    assert!(waited.stderr.contains("\njob warm-cache has been stuck for "), "{}", waited.stderr);
}

#[test]
fn without_the_right_to_read_pods_a_job_is_waited_for_all_the_same() {
    let podless: Answers = |method, path, _| match path.ends_with("/pods") {
        true => (403, json!({"kind": "Status", "code": 403, "message": "pods is forbidden"}).to_string()),
        false => serve("image", method, path),
    };
    let waited = run(podless, "wait job/warm-cache --timeout 2s --fail-if-stuck 1s").with_status(3);
    assert_eq!(waited.stderr, "job warm-cache has not finished\n");
}

#[test]
fn a_cron_job_of_the_name_of_a_missing_job_is_named() {
    let lazy: Answers = |_, path, _| match path.ends_with("/cronjobs/lazy") {
        true => (200, json!({"metadata": {"name": "lazy"}}).to_string()),
        false => (404, json!({"kind": "Status", "code": 404, "reason": "NotFound", "message": "not found"}).to_string()),
    };
    let refused = run(lazy, "explain lazy").with_status(2).stderr;
    assert_eq!(refused, "error: job lazy not found in namespace default, but there is cronjob/lazy\n");
}

/// A namespace with a Job that is stuck, one that is suspended, and 25 that have finished; CronJobs and Events may not be read.
fn crowd(_: &str, path: &str, _: usize) -> (u16, String) {
    let job = |name: &str, spec: Value, status: Value| json!({"metadata": {"name": name, "namespace": "default", "uid": name, "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": spec, "status": status});
    let over = |number: usize| {
        let kind = if number < 3 { "Failed" } else { "Complete" };
        job(&format!("over-{number}"), json!({}), json!({"conditions": [{"type": kind, "status": "True"}]}))
    };
    let labels = json!({"app": "a"});
    let spec =
        json!({"parallelism": 1, "completions": 1, "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}}});
    let jobs = [
        job("halted", json!({"suspend": true, "template": {}}), json!({})),
        job(
            "stuck",
            spec,
            json!({"startTime": "2026-01-01T00:00:00Z", "active": 1, "ready": 0, "terminating": 0, "uncountedTerminatedPods": {}}),
        ),
    ];
    let owner = json!({"apiVersion": "batch/v1", "kind": "Job", "name": "stuck", "uid": "stuck", "controller": true});
    let metadata = json!({"name": "stuck-a", "namespace": "default", "uid": "a", "labels": labels, "ownerReferences": [owner]});
    let waiting = json!({"name": "main", "state": {"waiting": {"reason": "InvalidImageName"}}});
    let pod = json!({"metadata": metadata, "spec": {"nodeName": "n"}, "status": {"containerStatuses": [waiting]}});
    let items = match path.rsplit('/').next() {
        Some("jobs") => jobs.into_iter().chain((0..25).map(over)).collect(),
        Some("pods") => vec![pod],
        _ => return (403, json!({"kind": "Status", "code": 403, "message": "not for you"}).to_string()),
    };
    (200, json!({"metadata": {"resourceVersion": "1"}, "items": items}).to_string())
}

#[test]
fn a_namespace_is_a_line_for_each_job_and_many_finished_ones_are_counted() {
    let ended = run(crowd, "explain").with_status(0);
    let expected = "Job stuck is stuck: pod stuck-a cannot pull the image of container main (InvalidImageName)\n\
                    Job halted is waiting: it is suspended\n25 Jobs have finished: 22 Complete, 3 Failed\n";
    assert_eq!(ended.stdout, expected);
    assert_eq!(
        ended.stderr,
        "Events are not shown: permission denied: not for you\nCronJobs are not shown: permission denied: not for you\n"
    );
    let programs = run(crowd, "explain jobs -A -o json").with_status(0).objects();
    assert_eq!((programs.len(), &programs[0]["stuck"], &programs[26]["finished"]), (27, &json!(true), &json!(true)));
    let none = run(crowd, "explain cronjobs").with_status(0);
    assert!(none.stdout.is_empty() && none.stderr.starts_with("there are no CronJobs in namespace default\n"), "{}", none.stderr);
}
