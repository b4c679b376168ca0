//! What the API server says of an object that it is sent: why it refuses it, or what it warns of.
//!
//! Docs: Kubernetes API Concepts, "Field validation". The server is `cluster`'s; where a refusal stands in a file is found by `manifest`.

use api::request::Request;
use api::{DEFAULT_NAMESPACE, Kind, Timestamp};
use cluster::naming::Names;
use cluster::{ApiServer, Dependence};
use manifest::{Diagnostic, ManifestObject, RuleName};

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
        let Some(request) = creation(object) else { return Vec::new() };
        match self.server.execute(&request, self.now) {
            Ok(_) => self.server.take_warnings().into_iter().map(|warning| warned(object, &warning.text)).collect(),
            Err(error) => manifest::refusals(object.document(), &error),
        }
    }
}

/// The request that creates an object, without what cannot be decoded of it; `None` for a pod, and for an object that a cluster has.
#[must_use]
pub fn creation(object: &ManifestObject) -> Option<Request> {
    let (kind, metadata, body) = match object {
        ManifestObject::CronJob(manifest) => (Kind::CronJob, &manifest.cron_job.metadata, serde_json::to_string(&manifest.cron_job)),
        ManifestObject::Job(manifest) => (Kind::Job, &manifest.job.metadata, serde_json::to_string(&manifest.job)),
        ManifestObject::Pod(_) => return None,
    };
    let namespace = if metadata.namespace.is_empty() { DEFAULT_NAMESPACE } else { &*metadata.namespace };
    let body = body.expect("the keys of an object are text");
    metadata.uid.is_empty().then(|| Request::create(kind, namespace, body))
}

/// A warning of the API server, at the field that it begins with.
fn warned(object: &ManifestObject, text: &str) -> Diagnostic {
    let (field, message) = text.split_once(": ").filter(|(field, _)| !field.contains(' ')).unwrap_or(("", text));
    Diagnostic { remedy: None, ..Diagnostic::warning(RuleName::API_WARNING, object.document(), field, message, "") }
}
