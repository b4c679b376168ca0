//! What unit tests share: a server that is asked in one line of text and answers in one, and a manager that does as it is told.
//!
//! Docs: `apiserver/mod.rs` is what is asked, `contract::Manager` what the manager stands for.

use std::collections::VecDeque;

use api::request::{ContentType, Method, Outcome, Request};
use api::{Timestamp, time};
use contract::{Change, Command, Event, Key, Manager, Plan, Reconciled, Wakeup};

use crate::apiserver::Answer;
use crate::naming::Names;
use crate::stored::Stored;
use crate::{ApiServer, Dependence};

/// The time at which all tests start.
pub(crate) fn noon() -> Timestamp {
    "2026-01-02T12:00:00.25Z".parse().expect("it is a time")
}

/// An empty server with predictable names.
pub(crate) fn server(dependence: Dependence) -> ApiServer {
    ApiServer::new(Names::predictable(), dependence)
}

/// Creates a Job of this name, with these further fields of its metadata.
pub(crate) fn job(name: &str, metadata: &str) -> String {
    let template = r#"{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"i"}]}}"#;
    format!(r#"POST jobs {{"metadata":{{"name":"{name}"{metadata}}},"spec":{{"template":{template}}}}}"#)
}

/// Creates a pod of this name, with these further fields of its metadata and on this node.
pub(crate) fn pod(name: &str, metadata: &str, node: &str) -> String {
    format!(r#"POST pods {{"metadata":{{"name":"{name}"{metadata}}},"spec":{{"nodeName":"{node}","containers":[{{"name":"main"}}]}}}}"#)
}

/// A reference to the first Job of this name, to go into a pod's metadata.
pub(crate) fn owned_by(job: &str, blocks: bool) -> String {
    format!(
        r#","ownerReferences":[{{"apiVersion":"batch/v1","kind":"Job","name":"{job}","uid":"job-{job}-1","controller":true,"blockOwnerDeletion":{blocks}}}]"#
    )
}

/// Asks `METHOD resource[/name[/status]] [merge|strategic] [body]` in the namespace `default`, `after` seconds from the start.
pub(crate) fn ask(server: &mut ApiServer, line: &str, after: i64) -> String {
    let now = time::after(noon(), api::Duration::from_secs(after));
    match server.execute(&request(line), now) {
        Ok(Answer::Object(object)) => describe(&object),
        Ok(Answer::List { items, .. }) => format!("[{}]", items.iter().map(|object| describe(object)).collect::<Vec<_>>().join("; ")),
        Ok(Answer::Deleted) => "deleted".to_owned(),
        Err(error) => format!("{} {}: {}", error.code, error.reason, error.message),
    }
}

fn request(line: &str) -> Request {
    let (method, rest) = line.split_once(' ').expect("a method comes first");
    let (target, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let (content_type, body) = match rest.split_once(' ') {
        Some(("merge", body)) => (ContentType::MergePatch, body),
        Some(("strategic", body)) => (ContentType::StrategicMergePatch, body),
        _ => (ContentType::Json, rest),
    };
    let method = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete].into_iter().find(|known| known.name() == method);
    let group = if target.starts_with("jobs") { "/apis/batch/v1" } else { "/api/v1" };
    let path = format!("{group}/namespaces/default/{target}");
    Request { method: method.expect("the method exists"), path, content_type, body: body.to_owned() }
}

/// An object in a line: name, version, generation, and what is out of the ordinary.
pub(crate) fn describe(object: &Stored) -> String {
    let metadata = object.metadata();
    let mut line = format!("{} v{} g{}", metadata.name, metadata.resource_version, metadata.generation);
    if let Some(pod) = object.pod() {
        line.push_str(&format!(" {}", pod.status.phase()));
    }
    if !metadata.owner_references.is_empty() {
        let owners: Vec<&str> = metadata.owner_references.iter().map(|owner| &*owner.name).collect();
        line.push_str(&format!(" of {}", owners.join(",")));
    }
    if !metadata.finalizers.is_empty() {
        line.push_str(&format!(" held by {}", metadata.finalizers.join(",")));
    }
    if let Some(end) = metadata.deletion_timestamp {
        let grace = metadata.deletion_grace_period_seconds.unwrap_or(-1);
        line.push_str(&format!(" goes at {} after {grace} s", end.strftime("%H:%M:%S")));
    }
    line
}

/// A manager that does what it was given to do, and keeps what it was told.
#[derive(Debug, Default)]
pub(crate) struct Puppet {
    /// What is to be done, and when.
    pub(crate) plans: VecDeque<(Timestamp, Plan)>,
    /// What was told, one event a line.
    pub(crate) told: Vec<String>,
    /// Whether it loses its memory over the next event.
    pub(crate) fragile: bool,
    lost: bool,
    asked: u64,
}

impl Puppet {
    /// Gives it a plan: requests as [`ask`] takes them, in batches; `?` before one means that it tolerates 404.
    pub(crate) fn plan(&mut self, after: i64, batches: &[&[&str]]) {
        let command = |line: &&str| Command {
            request: request(line.strip_prefix('?').unwrap_or(line)),
            tolerates: if line.starts_with('?') { vec![404] } else { Vec::new() },
        };
        let batches = batches.iter().map(|batch| batch.iter().map(command).collect()).collect();
        self.plans.push_back((time::after(noon(), api::Duration::from_secs(after)), Plan { batches, ..Plan::default() }));
    }
}

impl Manager for Puppet {
    fn handle(&mut self, event: Event, _now: Timestamp) -> Result<(), String> {
        let name = |text: &str| {
            let object: serde_json::Value = serde_json::from_str(text).expect("objects are JSON");
            object["metadata"]["name"].as_str().expect("objects have names").to_owned()
        };
        self.told.push(match &event {
            Event::Changed(Change::Applied(json)) => format!("applied {}", name(&json.text)),
            Event::Changed(Change::Deleted(json)) => format!("deleted {}", name(&json.text)),
            Event::Listed { kind, objects, part: _, resource_version: _ } => {
                format!("listed {kind:?}: {}", objects.iter().map(|text| name(text)).collect::<Vec<_>>().join(", "))
            }
            Event::Finished { plan, outcomes } => {
                let word = |outcome: &Outcome| match outcome {
                    Outcome::Done(written) => written.name.clone(),
                    Outcome::Failed(error) => error.code.to_string(),
                    Outcome::Skipped => "skipped".to_owned(),
                };
                format!("finished {plan}: {}", outcomes.iter().map(word).collect::<Vec<_>>().join(", "))
            }
        });
        self.lost = std::mem::take(&mut self.fragile);
        if self.told.last().is_some_and(|told| told.ends_with(" odd")) { Err("odd is odd".to_owned()) } else { Ok(()) }
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Reconciled> {
        let (_, plan) = self.plans.pop_front_if(|(at, _)| *at <= now)?;
        self.asked += 1;
        Some(Reconciled { id: self.asked, key: Key::default(), plan })
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        self.plans.front().map(|(at, _)| Wakeup { at: *at, key: Key::default(), because: String::new() })
    }

    fn restart(&mut self) {
        self.told.push("restarted".to_owned());
    }

    fn lost(&mut self) -> Option<String> {
        std::mem::take(&mut self.lost).then(|| "a trap".to_owned())
    }
}
