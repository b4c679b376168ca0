//! What unit tests share, here and in the crates that build on this one: a server that takes a request as one line of text and answers in one.
//!
//! Docs: API Concepts, "API verbs". The server itself is in `apiserver/`.

use api::request::{ContentType, Method, Request};
use api::{Kind, Timestamp, time};

use crate::apiserver::Answer;
use crate::naming::Names;
use crate::stored::Stored;
use crate::{ApiServer, Dependence};

/// The time at which all tests start.
pub fn noon() -> Timestamp {
    "2026-01-02T12:00:00.25Z".parse().expect("it is a time")
}

/// An empty server with predictable names.
pub fn server(dependence: Dependence) -> ApiServer {
    ApiServer::new(Names::predictable(), dependence)
}

/// Creates a Job of this name, with these further fields of its metadata.
pub fn job(name: &str, metadata: &str) -> String {
    let template = r#"{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"i"}]}}"#;
    format!(r#"POST jobs {{"metadata":{{"name":"{name}"{metadata}}},"spec":{{"template":{template}}}}}"#)
}

/// Creates a CronJob of this name, with these further fields of its metadata.
pub fn cron_job(name: &str, metadata: &str) -> String {
    let template = r#"{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"i"}]}}"#;
    let spec = format!(r#"{{"schedule":"@daily","jobTemplate":{{"spec":{{"template":{template}}}}}}}"#);
    format!(r#"POST cronjobs {{"metadata":{{"name":"{name}"{metadata}}},"spec":{spec}}}"#)
}

/// Creates a pod of this name, with these further fields of its metadata and on this node.
pub fn pod(name: &str, metadata: &str, node: &str) -> String {
    format!(r#"POST pods {{"metadata":{{"name":"{name}"{metadata}}},"spec":{{"nodeName":"{node}","containers":[{{"name":"main"}}]}}}}"#)
}

/// A reference to the first Job of this name, to go into a pod's metadata.
pub fn owned_by(job: &str, blocks: bool) -> String {
    owned_by_kind(Kind::Job, job, blocks)
}

/// A reference to the first object of this kind and name, to go into another one's metadata.
pub fn owned_by_kind(kind: Kind, name: &str, blocks: bool) -> String {
    let (version, kind, uid) = (kind.api_version(), kind.name(), format!("{}-{name}-1", kind.name().to_ascii_lowercase()));
    format!(
        r#","ownerReferences":[{{"apiVersion":"{version}","kind":"{kind}","name":"{name}","uid":"{uid}","controller":true,"blockOwnerDeletion":{blocks}}}]"#
    )
}

/// Sends `METHOD resource[/name[/status]] [merge|strategic] [body]` in the namespace `default`, `after` seconds from the start.
pub fn send_line(server: &mut ApiServer, line: &str, after: i64) -> String {
    let now = time::after(noon(), api::Duration::from_secs(after));
    let mut answer = match server.execute(&request(line), now) {
        Ok(Answer::Object(object)) => describe(&object),
        Ok(Answer::List { items, .. }) => format!("[{}]", items.iter().map(|object| describe(object)).collect::<Vec<_>>().join("; ")),
        Ok(Answer::Deleted) => "deleted".to_owned(),
        Err(error) => format!("{} {}: {}", error.code, error.reason, error.message),
    };
    for warning in server.take_warnings() {
        answer.push_str(&format!(" (Warning: {})", warning.text));
    }
    answer
}

/// A request from the text that [`send_line`] takes.
pub fn request(line: &str) -> Request {
    let (method, rest) = line.split_once(' ').expect("a method comes first");
    let (target, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let (content_type, body) = match rest.split_once(' ') {
        Some(("merge", body)) => (ContentType::MergePatch, body),
        Some(("strategic", body)) => (ContentType::StrategicMergePatch, body),
        _ => (ContentType::Json, rest),
    };
    let method = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete].into_iter().find(|known| known.name() == method);
    let group = if ["cronjobs", "jobs"].iter().any(|batch| target.starts_with(batch)) { "/apis/batch/v1" } else { "/api/v1" };
    let path = format!("{group}/namespaces/default/{target}");
    Request { method: method.expect("the method exists"), path, content_type, body: body.to_owned() }
}

/// An object in a line: name, version, generation, and what is out of the ordinary.
pub fn describe(object: &Stored) -> String {
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
