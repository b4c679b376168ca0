//! What the API server says of an object that it is sent: why it refuses it, or what it warns of.
//!
//! Docs: Kubernetes API Concepts, "Field validation". The server is `cluster`'s; where a refusal stands in a file is found by `manifest`.

use api::request::Request;
use api::{DEFAULT_NAMESPACE, Kind, ObjectMeta, Timestamp};
use cluster::naming::Names;
use cluster::{ApiServer, Dependence};
use manifest::{Diagnostic, ManifestObject, RuleName};
use serde_json::Value;

/// An API server that has what the objects before have become.
pub(super) struct Admission {
    server: ApiServer,
    now: Timestamp,
}

impl Admission {
    pub(super) fn new(now: Timestamp) -> Self {
        // Generated names are as long as on a cluster.
        Self { server: ApiServer::new(Names::random(0), Dependence::OnOwners), now }
    }

    /// What is refused or warned of; objects of a cluster were admitted long ago.
    pub(super) fn review(&mut self, object: &ManifestObject) -> Vec<Diagnostic> {
        let (kind, metadata, value) = match object {
            ManifestObject::CronJob(manifest) => (Kind::CronJob, &manifest.cron_job.metadata, serde_json::to_value(&manifest.cron_job)),
            ManifestObject::Job(manifest) => (Kind::Job, &manifest.job.metadata, serde_json::to_value(&manifest.job)),
            ManifestObject::Pod(_) => return Vec::new(),
        };
        if !metadata.uid.is_empty() {
            return Vec::new();
        }
        let value = value.expect("the keys of an object are text");
        let document = object.document();
        match self.server.execute(&request(kind, metadata, &value), self.now) {
            Ok(_) => self.server.take_warnings().into_iter().map(|warning| warned(object, &warning.text)).collect(),
            Err(error) => manifest::refusals(document, &error),
        }
    }
}

fn request(kind: Kind, metadata: &ObjectMeta, value: &Value) -> Request {
    let namespace = if metadata.namespace.is_empty() { DEFAULT_NAMESPACE } else { &*metadata.namespace };
    Request::create(kind, namespace, value.to_string())
}

/// A warning of the API server, at the field that it begins with.
fn warned(object: &ManifestObject, text: &str) -> Diagnostic {
    let (field, message) = text.split_once(": ").filter(|(field, _)| !field.contains(' ')).unwrap_or(("", text));
    Diagnostic { remedy: None, ..Diagnostic::warning(RuleName::ApiWarning, object.document(), field, message, "") }
}
