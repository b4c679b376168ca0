//! Annotations that ask for more than Kubernetes has, on a real API server: pods as the kubelet reports them, Events as they are stored, and controllers that
//! are killed.
//!
//! Docs: README, "Beyond Kubernetes". What follows from each annotation step by step is in `tests/scenarios/`; here is what takes a cluster: what the API
//! server stores and refuses, and what outlives a controller.

mod cron_jobs;
mod jobs;

use api::request::{ContentType, Method, Request};
use api::{Duration, Kind, Timestamp, time};
use serde_json::{Value, json};

use crate::cluster::{Cluster, PlainClient};
use crate::program::{Ended, Folder, Program, wait_until};

/// In place of the built-in controllers.
const IN_PLACE: [&str; 5] =
    ["controller", "--name=kubernetes.io/job-controller", "--controllers=job,cronjob", "--log-level=debug", "--kubeconfig=config"];
/// For a controller that need not share a cluster.
const ALONE: [&str; 2] = ["--leader-elect=false", "--record=tape.jsonl"];

const MINUTE: i64 = 60;

/// A cluster without nodes, whose kubelet and whose user this test is.
struct Stage {
    cluster: Cluster,
    eyes: PlainClient,
    /// For commands; each controller has a folder of its own.
    folder: Folder,
}

impl Stage {
    fn new() -> Self {
        let cluster = Cluster::start(&["-nodes", "0"]);
        let stage = Self { eyes: PlainClient::new(&cluster), cluster, folder: Folder::new() };
        stage.cluster.give_kubeconfig(&stage.folder);
        stage
    }

    /// Starts a controller in a folder of its own.
    fn start_controller(&self, flags: &[&str]) -> (Folder, Program) {
        let folder = Folder::new();
        self.cluster.give_kubeconfig(&folder);
        let program = folder.start(&[&IN_PLACE[..], flags].concat());
        (folder, program)
    }

    fn run(&self, command: &str, status: i32) -> Ended {
        let words: Vec<&str> = command.split(' ').chain(["--kubeconfig", "config"]).collect();
        self.folder.run(&words).with_status(status)
    }

    fn create(&self, kind: Kind, name: &str, annotations: &Value, spec: &Value) -> Value {
        let metadata = json!({"name": name, "annotations": annotations});
        let object = json!({"apiVersion": "batch/v1", "kind": kind.name(), "metadata": metadata, "spec": spec});
        self.eyes.ask(&Request::create(kind, "default", object.to_string()))
    }

    fn read(&self, kind: Kind, name: &str) -> Value {
        self.eyes.ask(&Request::read(kind, "default", name))
    }

    fn list(&self, kind: Kind) -> Vec<Value> {
        let mut list = self.eyes.ask(&Request::get(api::request::path(kind, "default", "", "")));
        list["items"].as_array_mut().map(std::mem::take).expect("it is a list")
    }

    fn patch(&self, kind: Kind, name: &str, subresource: &str, patch: &Value) {
        let path = api::request::path(kind, "default", name, subresource);
        self.eyes.ask(&Request { method: Method::Patch, path, content_type: ContentType::MergePatch, body: patch.to_string() });
    }

    fn annotate(&self, kind: Kind, name: &str, annotations: &Value) {
        self.patch(kind, name, "", &json!({"metadata": {"annotations": annotations}}));
    }

    /// The Events about an object that have this reason: how often each was recorded, and its message.
    fn events(&self, name: &str, reason: &str) -> Vec<(u64, String)> {
        let list = self.eyes.ask(&Request::get("/apis/events.k8s.io/v1/namespaces/default/events".to_owned()));
        let events = list["items"].as_array().expect("it is a list").iter();
        let events = events.filter(|event| event["regarding"]["name"] == name && event["reason"] == reason);
        let count = |event: &Value| event["series"]["count"].as_u64().or(event["deprecatedCount"].as_u64()).unwrap_or(1);
        events.map(|event| (count(event), event["note"].as_str().unwrap_or_default().to_owned())).collect()
    }

    /// The one Event about an object that has this reason, once it is stored.
    fn event(&self, name: &str, reason: &str) -> String {
        wait_until(|| !self.events(name, reason).is_empty(), || format!("an Event {reason} is about {name}"));
        let [(1, message)] = &self.events(name, reason)[..] else { panic!("{reason} comes once: {:?}", self.events(name, reason)) };
        message.clone()
    }

    /// The pods of a Job that have not ended and are not being deleted.
    fn active_pods(&self, job: &str) -> Vec<Value> {
        let ended = |pod: &Value| matches!(pod["status"]["phase"].as_str(), Some("Succeeded" | "Failed"));
        let active = |pod: &Value| pod["metadata"]["labels"]["job-name"] == job && !ended(pod) && !is_deleting(pod);
        self.list(Kind::Pod).into_iter().filter(active).collect()
    }

    /// The active pod of a Job, once there is one.
    fn active_pod(&self, job: &str) -> Value {
        wait_until(|| !self.active_pods(job).is_empty(), || format!("Job {job} has a pod: {}", self.read(Kind::Job, job)));
        let pods = self.active_pods(job);
        assert_eq!(pods.len(), 1, "{pods:?}");
        pods.into_iter().next().expect("there is one")
    }

    /// Puts a pod on a node, as the scheduler does.
    fn bind(&self, pod: &Value) {
        let target = json!({"apiVersion": "v1", "kind": "Node", "name": "node-1"});
        let binding = json!({"apiVersion": "v1", "kind": "Binding", "metadata": {"name": name(pod)}, "target": target});
        let path = api::request::path(Kind::Pod, "default", name(pod), "binding");
        self.eyes.ask(&Request { method: Method::Post, path, content_type: ContentType::Json, body: binding.to_string() });
    }

    /// Reports a pod that was scheduled at a time, with the state of its container, as the kubelet does.
    fn report(&self, pod: &Value, phase: &str, scheduled_at: Timestamp, state: &Value) {
        let scheduled = json!({"type": "PodScheduled", "status": "True", "lastTransitionTime": time::text(scheduled_at)});
        let container = json!({"name": "main", "image": "worker", "imageID": "", "ready": false, "restartCount": 0, "state": state});
        let status =
            json!({"phase": phase, "startTime": time::text(scheduled_at), "conditions": [scheduled], "containerStatuses": [container]});
        self.patch(Kind::Pod, name(pod), "status", &json!({"status": status}));
    }

    /// Ends a pod, as the kubelet does. By its clock that was minutes ago, so that no back-off is left.
    fn end(&self, pod: &Value, exit_code: i32, reason: &str) {
        self.bind(pod);
        let (ended_at, phase) = (minutes_ago(5), if exit_code == 0 { "Succeeded" } else { "Failed" });
        let ended = json!({"exitCode": exit_code, "reason": reason, "startedAt": time::text(ended_at), "finishedAt": time::text(ended_at)});
        self.report(pod, phase, ended_at, &json!({"terminated": ended}));
    }

    /// Lets a pod go that is being deleted, as the kubelet does when its containers have ended.
    fn let_go(&self, pod: &Value) {
        wait_until(|| is_deleting(&self.read(Kind::Pod, name(pod))), || format!("pod {} is deleted", name(pod)));
        let options = json!({"gracePeriodSeconds": 0}).to_string();
        self.eyes.ask(&Request::delete(Kind::Pod, "default", name(pod), options));
    }
}

fn name(object: &Value) -> &str {
    object["metadata"]["name"].as_str().expect("it has a name")
}

fn is_deleting(object: &Value) -> bool {
    object["metadata"]["deletionTimestamp"].is_string()
}

fn before(at: Timestamp, seconds: i64) -> Timestamp {
    time::after(at, Duration::from_secs(-seconds))
}

/// The full minute that was so many minutes ago.
fn minutes_ago(minutes: i64) -> Timestamp {
    let now = time::whole_seconds(Timestamp::now());
    before(now, now.as_second() % MINUTE + minutes * MINUTE)
}

/// The template of pods with one container, which has these resources.
fn template(resources: &Value) -> Value {
    json!({"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "worker", "resources": resources}]}})
}

/// Ends a controller; returns its log.
fn stop(controller: Program) -> String {
    controller.signal("TERM");
    controller.end().with_status(0).stderr
}
