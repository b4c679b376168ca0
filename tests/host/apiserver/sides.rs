//! The two servers, each request one line of text: the real one, and the one in memory.
//!
//! Docs: API Concepts, "API verbs". A line is `METHOD resource[/name[/status]] [merge|strategic|put] [body]`. In a body,
//! `$uid(jobs/pi)` and `$version(jobs/pi)` stand for those that the server last reported for this object, `$first(jobs/pi)` for the first version
//! reported; `put` sends the whole object as last reported, with a merge patch. `$jobTemplate`, `$template` and `$spec` are those of a small CronJob,
//! a small Job and a small pod.

use std::collections::BTreeMap;

use api::Timestamp;
use api::request::{ContentType, Method, Request};
use cluster::apiserver::Answer as Simulation;
use cluster::naming::Names;
use cluster::patch::merge;
use cluster::{ApiServer, Dependence};
use serde_json::{Value, json};

use super::answer::{Answer, Symbols};
use super::collector;
use crate::cluster::PlainClient;

/// A pod's spec that every server takes.
const SPEC: &str = r#"{"restartPolicy":"Never","containers":[{"name":"main","image":"busybox:1"}]}"#;

/// A server, for one sequence of requests.
pub(super) trait Side {
    /// What the server has reported so far.
    fn known(&mut self) -> &mut Known;

    /// Sends a request; returns the status code, the warnings and the body.
    fn send(&mut self, request: &Request) -> (u16, Vec<String>, Value);

    /// What follows by itself from a request that succeeded.
    fn settle(&mut self);

    /// Sends one line.
    fn answer(&mut self, line: &str) -> Answer {
        let request = self.known().request(line);
        let (code, warnings, body) = self.send(&request);
        self.known().remember(&body);
        if code < 300 && request.method != Method::Get {
            self.settle();
        }
        Answer::new(code, warnings, body, &mut self.known().symbols)
    }
}

/// What a server has reported about its objects, by resource and name.
#[derive(Default)]
pub(super) struct Known {
    namespace: String,
    objects: BTreeMap<String, Value>,
    first_versions: BTreeMap<String, String>,
    symbols: Symbols,
}

impl Known {
    fn new(namespace: &str) -> Self {
        Self { namespace: namespace.to_owned(), ..Self::default() }
    }

    fn request(&self, line: &str) -> Request {
        let (method, rest) = line.split_once(' ').expect("a method comes first");
        let (target, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let (word, body) = rest.split_once(' ').unwrap_or((rest, ""));
        let (content_type, body) = match word {
            "merge" => (ContentType::MergePatch, self.filled(body)),
            "strategic" => (ContentType::StrategicMergePatch, self.filled(body)),
            "put" => (ContentType::Json, self.edited(target, &self.filled(body))),
            _ => (ContentType::Json, self.filled(rest)),
        };
        let methods = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];
        let method = methods.into_iter().find(|known| known.name() == method).unwrap_or_else(|| panic!("{line}: no such method"));
        let group = if ["cronjobs", "jobs"].iter().any(|batch| target.starts_with(batch)) { "/apis/batch/v1" } else { "/api/v1" };
        Request { method, path: format!("{group}/namespaces/{}/{target}", self.namespace), content_type, body }
    }

    /// A body with what stands in for other things replaced by them.
    fn filled(&self, body: &str) -> String {
        let templates = [("$jobTemplate", r#"{"spec":{"template":$template}}"#), ("$template", r#"{"spec":$spec}"#), ("$spec", SPEC)];
        let filled = templates.iter().fold(body.to_owned(), |filled, (word, template)| filled.replace(word, template));
        let mut filled = filled.replace("$namespace", &self.namespace);
        for (key, object) in &self.objects {
            for (word, field) in [("uid", "uid"), ("version", "resourceVersion")] {
                filled = filled.replace(&format!("${word}({key})"), object["metadata"][field].as_str().unwrap_or("none"));
            }
            filled = filled.replace(&format!("$first({key})"), &self.first_versions[key]);
        }
        filled
    }

    /// The object as it was last reported, with a merge patch.
    fn edited(&self, target: &str, patch: &str) -> String {
        let Some(object) = self.objects.get(target.trim_end_matches("/status")) else { return patch.to_owned() };
        let mut object = object.clone();
        merge(&mut object, serde_json::from_str(patch).unwrap_or_else(|error| panic!("{patch}: {error}")));
        object.to_string()
    }

    fn remember(&mut self, body: &Value) {
        let resource = match body["kind"].as_str() {
            Some("CronJob") => "cronjobs",
            Some("Job") => "jobs",
            Some("Pod") => "pods",
            _ => return,
        };
        let metadata = &body["metadata"];
        let key = format!("{resource}/{}", metadata["name"].as_str().expect("an object has a name"));
        self.first_versions.entry(key.clone()).or_insert_with(|| metadata["resourceVersion"].as_str().unwrap_or_default().to_owned());
        self.objects.insert(key, body.clone());
    }
}

/// The real server.
pub(super) struct Real<'a> {
    client: &'a PlainClient,
    known: Known,
}

impl<'a> Real<'a> {
    /// A namespace of its own on the real server.
    pub(super) fn new(client: &'a PlainClient, namespace: &str) -> Self {
        let body = json!({"metadata": {"name": namespace}}).to_string();
        let request = Request { method: Method::Post, path: "/api/v1/namespaces".to_owned(), content_type: ContentType::Json, body };
        let (code, answer) = client.send(&request);
        assert_eq!(code, 201, "{answer}");
        Self { client, known: Known::new(namespace) }
    }
}

impl Side for Real<'_> {
    fn known(&mut self) -> &mut Known {
        &mut self.known
    }

    fn send(&mut self, request: &Request) -> (u16, Vec<String>, Value) {
        self.client.send_for_warnings(request)
    }

    fn settle(&mut self) {
        collector::collect(self.client, &self.known.namespace);
    }
}

/// The server in memory.
pub(super) struct Simulated {
    server: ApiServer,
    known: Known,
}

impl Simulated {
    /// An empty server.
    pub(super) fn new(namespace: &str) -> Self {
        Self { server: ApiServer::new(Names::random(1), Dependence::OnOwners), known: Known::new(namespace) }
    }
}

impl Side for Simulated {
    fn known(&mut self) -> &mut Known {
        &mut self.known
    }

    fn send(&mut self, request: &Request) -> (u16, Vec<String>, Value) {
        let now: Timestamp = "2026-01-02T12:00:00Z".parse().expect("it is a time");
        let read = |text: &str| serde_json::from_str::<Value>(text).expect("objects are written as JSON");
        let (code, body) = match self.server.execute(request, now) {
            Ok(Simulation::Object(object)) => (200, read(&object.json())),
            Ok(Simulation::List { resource_version, items }) => {
                let items: Vec<Value> = items.iter().map(|object| read(&object.json())).collect();
                (200, json!({"kind": "List", "metadata": {"resourceVersion": &*resource_version}, "items": items}))
            }
            Ok(Simulation::Deleted) => (200, json!({"kind": "Status", "status": "Success"})),
            Err(refused) => {
                let causes: Vec<Value> = refused
                    .causes
                    .iter()
                    .map(|cause| json!({"reason": cause.reason, "field": cause.field, "message": cause.message}))
                    .collect();
                let status = json!({"kind": "Status", "status": "Failure", "reason": refused.reason, "message": refused.message,
                    "details": {"causes": causes}});
                (refused.code, status)
            }
        };
        (code, self.server.take_warnings().into_iter().map(|warning| warning.text).collect(), body)
    }

    fn settle(&mut self) {
        // The collector of the cluster in memory works at once.
    }
}
