//! What `jobsmith explain` says of Jobs and CronJobs that make no progress, on a real API server, beside what `kubectl describe` says.
//!
//! Docs: `jobsmith explain --help`; kubectl describe. The states and sentences are in `tests/stuck/`; what the core says of the same states is tested in
//! `tests/core/events/obstacles.rs`.

use std::collections::BTreeMap;
use std::thread;

use api::request::{ContentType, Method, Request};
use api::{Kind, Timestamp};
use core_tests::stuck::{self, AGE, StuckObject, StuckState};
use serde_json::{Value, json};

use crate::cluster::{Cluster, PlainClient};
use crate::program::Folder;

/// A cluster on which nothing acts, and a folder with its kubeconfig.
struct Standstill {
    cluster: Cluster,
    eyes: PlainClient,
    folder: Folder,
}

impl Standstill {
    fn new() -> Self {
        let cluster = Cluster::start(&["-nodes", "0"]);
        let folder = Folder::new();
        cluster.give_kubeconfig(&folder);
        Self { eyes: PlainClient::new(&cluster), cluster, folder }
    }

    fn send(&self, method: Method, path: String, body: &Value) -> Value {
        self.eyes.ask(&Request { method, path, content_type: ContentType::Json, body: body.to_string() })
    }

    /// Brings a state about.
    fn create(&self, state: &StuckState) {
        let cron_job = state.cron_job().map(|cron_job| self.create_object(cron_job));
        let Some(job) = state.job(cron_job.as_ref().map(|[_, uid]| uid.as_str())) else { return };
        let deleted = StuckObject { object: job.object.clone(), deleted: job.deleted.clone(), status: Value::Null, kind: Kind::Job };
        let [name, uid] = self.create_object(StuckObject { deleted: Value::Null, ..job });
        if let Some([cron_job, _]) = &cron_job {
            let path = api::request::path(Kind::CronJob, "default", cron_job, "status");
            let body = json!({"status": {"active": stuck::active(&name, &uid)}}).to_string();
            self.eyes.ask(&Request { method: Method::Patch, path, content_type: ContentType::MergePatch, body });
        }
        let pods = state.pods(&name, &uid).into_iter().map(|pod| self.create_object(pod)).collect::<Vec<_>>();
        let pod = pods.first().map(|[name, uid]| [name.as_str(), uid.as_str()]);
        for event in state.warnings([&name, &uid], pod) {
            self.send(Method::Post, "/api/v1/namespaces/default/events".to_owned(), &event);
        }
        // A Job is deleted after its pods are there.
        self.delete(&deleted);
    }

    /// Creates an object with its status; returns its name and UID.
    fn create_object(&self, object: StuckObject) -> [String; 2] {
        let mut stored = self.eyes.ask(&Request::create(object.kind, "default", object.object.to_string()));
        let [name, uid] = ["name", "uid"].map(|field| stored["metadata"][field].as_str().expect("it has both").to_owned());
        if !object.status.is_null() {
            stored["status"] = object.status.clone();
            self.send(Method::Put, api::request::path(object.kind, "default", &name, "status"), &stored);
        }
        self.delete(&object);
        [name, uid]
    }

    fn delete(&self, StuckObject { kind, object, deleted, .. }: &StuckObject) {
        let options = match deleted {
            Value::String(policy) => json!({"propagationPolicy": policy}),
            Value::Number(seconds) => json!({"gracePeriodSeconds": seconds}),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return,
        };
        let name = object["metadata"]["name"].as_str().expect("it has a name");
        self.send(Method::Delete, api::request::path(*kind, "default", name, ""), &options);
    }

    fn explain(&self, arguments: &[&str]) -> Vec<Value> {
        self.folder.run(&[&["explain", "--kubeconfig", "config", "-o", "json"], arguments].concat()).with_status(0).objects()
    }

    /// What `kubectl describe` says that helps: how many pods there are, and Events.
    fn described(&self, state: &StuckState) -> String {
        let kind = state.kind().name().to_lowercase();
        let text = self.cluster.kubectl_output(&["describe", &kind, &state.name]);
        let value = |field: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(field)).map(str::trim);
            line.map(|value| format!("{field} {value}")).unwrap_or_default()
        };
        let events = text.split_once("\nEvents:").map_or("", |(_, events)| events).lines().filter(|line| line.contains("  Warning  "));
        let events = events.map(|line| line.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>());
        let events = events.map(|parts| format!("{}: {}", parts[1], parts[parts.len() - 1]));
        let parts = [value("Pods Statuses:"), value("Active Jobs:")].into_iter().chain(events).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("; ")
    }
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn what_a_job_is_stuck_on_comes_first() {
    let real = Standstill::new();
    let states: Vec<StuckState> = stuck::states(Timestamp::now()).into_iter().filter(|state| !state.refused).collect();
    states.iter().for_each(|state| real.create(state));
    // Some obstacles come with time alone.
    thread::sleep(AGE.unsigned_abs());
    let headline = |state: &StuckState| {
        let explained = real.explain(&[&state.kind().name().to_lowercase(), &state.name]);
        (state.state.clone(), stuck::words(&explained[0]["explanation"]["headline"]))
    };
    let headlines: Vec<(String, String)> = states.iter().map(headline).collect();
    stuck::check(0, &headlines);
    stuck::check(1, &states.iter().map(|state| (state.state.clone(), real.described(state))).collect::<Vec<_>>());

    let all = real.explain(&[]);
    let listed: BTreeMap<&str, String> = all
        .iter()
        .map(|object| (object["job"].as_str().or(object["cronjob"].as_str()).expect("it has a name"), stuck::words(&object["headline"])))
        .collect();
    for (state, (_, headline)) in states.iter().zip(&headlines) {
        assert_eq!(listed.get(&*state.name), Some(headline), "a line each says the same");
    }
    let ranks: Vec<u8> =
        all.iter().map(|object| if object["stuck"] == true { 0 } else { u8::from(object["finished"] == true) + 1 }).collect();
    assert!(ranks.is_sorted(), "what is stuck comes first, what has finished last: {ranks:?}");
}
