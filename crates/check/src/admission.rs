//! What the API server says of an object that it is sent: why it refuses it, or what it warns of.
//!
//! Docs: Kubernetes API Concepts, "Field validation". The server is `cluster`'s; where a refusal stands in a file is found by `manifest`.

use std::sync::Arc;

use api::request::Request;
use api::{DEFAULT_NAMESPACE, Kind, ObjectMeta, Timestamp};
use cluster::naming::Names;
use cluster::stored::Stored;
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

    /// What is refused or warned of, and the object as it is stored unless it is refused; objects of a cluster were admitted long ago.
    pub(super) fn review(&mut self, object: &ManifestObject) -> (Vec<Diagnostic>, Option<Arc<Stored>>) {
        let Some(request) = creation(object) else { return (Vec::new(), None) };
        match self.server.execute(&request, self.now) {
            Ok(answer) => {
                let stored =
                    sent(object).and_then(|(kind, metadata)| self.server.object(kind, namespace(metadata), &answer.written().name));
                let stored = stored.cloned();
                (self.server.take_warnings().into_iter().map(|warning| warned(object, &warning.text)).collect(), stored)
            }
            Err(error) => (manifest::refusals(object.document(), &error), None),
        }
    }
}

/// The request that creates an object, without what cannot be decoded of it; `None` for a pod, and for an object that a cluster has.
#[must_use]
pub fn creation(object: &ManifestObject) -> Option<Request> {
    let (kind, metadata) = sent(object).filter(|(_, metadata)| metadata.uid.is_empty())?;
    let body = match object {
        ManifestObject::CronJob(manifest) => serde_json::to_string(&manifest.cron_job),
        ManifestObject::Job(manifest) => serde_json::to_string(&manifest.job),
        ManifestObject::Pod(_) => return None,
    };
    Some(Request::create(kind, namespace(metadata), body.expect("the keys of an object are text")))
}

/// The kind and the metadata of a CronJob or a Job.
fn sent(object: &ManifestObject) -> Option<(Kind, &ObjectMeta)> {
    match object {
        ManifestObject::CronJob(manifest) => Some((Kind::CronJob, &manifest.cron_job.metadata)),
        ManifestObject::Job(manifest) => Some((Kind::Job, &manifest.job.metadata)),
        ManifestObject::Pod(_) => None,
    }
}

fn namespace(metadata: &ObjectMeta) -> &str {
    if metadata.namespace.is_empty() { DEFAULT_NAMESPACE } else { &metadata.namespace }
}

/// A warning of the API server, at the field that it begins with.
fn warned(object: &ManifestObject, text: &str) -> Diagnostic {
    let (field, message) = text.split_once(": ").filter(|(field, _)| !field.contains(' ')).unwrap_or(("", text));
    Diagnostic {
        remedy: manifest::byte_remedy(object.document(), field, message),
        ..Diagnostic::warning(RuleName::API_WARNING, object.document(), field, message, "")
    }
}
