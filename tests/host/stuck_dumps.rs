//! Jobs that make no progress, as dumps: what `jobsmith simulate` and the page answer about them, in the words that `jobsmith explain` has on a cluster.
//!
//! Docs: `jobsmith simulate --help`. The states and sentences are in `tests/stuck/`; those of a real API server are compared in `stuck.rs`.

use api::{Kind, Timestamp, time};
use core_tests::stuck::{self, StuckState};
use serde_json::{Value, json};

use crate::playing::playing;
use crate::program::Folder;
use crate::simulate::last_night;

/// The objects of a state with the Events about them, and a pod of a Deployment, which shows when they were read.
fn dump(state: &StuckState, now: Timestamp) -> String {
    let (objects, events) = state.stored(now);
    let at = time::text(now);
    let owner = json!([{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "5e6f7081-92a3-4b4c-8d5e-0a1b2c3d4e5f", "controller": true}]);
    let other = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-1", "namespace": "default", "uid": "5e6f7081-92a3-4b4c-8d5e-0a1b2c3d4e60",
            "resourceVersion": "1", "creationTimestamp": at, "ownerReferences": owner},
        "spec": {"containers": [{"name": "web", "image": "nginx"}]}, "status": {"phase": "Running", "startTime": at}});
    last_night::list(&[objects, events, vec![other]].concat())
}

/// The states of Jobs that have not finished: of the others, what happened comes first.
fn states(now: Timestamp) -> impl Iterator<Item = StuckState> {
    let finished = |state: &StuckState| {
        state.job(None).is_some_and(|job| {
            job.status.to_string().contains(r#""type":"Failed""#) || job.status.to_string().contains(r#""type":"Complete""#)
        })
    };
    stuck::states(now).into_iter().filter(move |state| state.kind() == Kind::Job && !finished(state))
}

fn now() -> Timestamp {
    "2026-11-26T12:00:30Z".parse().expect("a time")
}

/// What `jobsmith simulate` begins with.
fn program_headline(folder: &Folder, state: &StuckState) -> String {
    folder.write("dump.yaml", dump(state, now()));
    let ended = folder.run(&["simulate", "dump.yaml", "-o", "json", "--for", "1s"]);
    let first = ended.stdout.lines().next().and_then(|line| serde_json::from_str::<Value>(line).ok()).unwrap_or_default();
    stuck::words(&first["headline"])
}

#[test]
fn a_dump_is_answered_in_the_words_of_explain() {
    let folder = Folder::new();
    let headline = |state: StuckState| {
        let headline = program_headline(&folder, &state);
        (state.state, headline)
    };
    stuck::check(0, &states(now()).map(headline).collect::<Vec<_>>());
}

#[test]
fn the_page_answers_in_the_words_of_explain() {
    let part = |part: &Value| {
        if part["time"].is_string() { "TIME".to_owned() } else { part.as_str().or(part["text"].as_str()).unwrap_or_default().to_owned() }
    };
    let headline = |state: StuckState| {
        let progress = serde_json::to_value(playing(&dump(&state, now()), "").run(1)).expect("progress is JSON");
        let words: String = progress["past"]["job"]["parts"].as_array().into_iter().flatten().map(part).collect();
        (state.state, words)
    };
    // A session of a Job that no controller has acted on has no past.
    let acted_on = |state: &StuckState| state.job(None).is_some_and(|job| !job.status.is_null());
    stuck::check(0, &states(now()).filter(acted_on).map(headline).collect::<Vec<_>>());
}
