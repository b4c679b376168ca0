//! The name by which a Job is told from the others.
//!
//! Docs: Namespaces. How the script language names objects is in `script`.

use api::{Kind, ObjectMeta, Text};
use cluster::apiserver::ApiServer;
use script::ObjectName;

/// The name that distinguishes a Job from others, whose namespaces these are.
#[must_use]
pub fn job_name<'n>(job: &ObjectMeta, namespaces: impl Iterator<Item = &'n Text>) -> ObjectName {
    ObjectName::among(&job.namespace, &job.name, namespaces)
}

/// The namespaces of a server's Jobs.
pub fn namespaces(server: &ApiServer) -> impl Iterator<Item = &Text> {
    server.objects(Kind::Job).map(|job| &job.metadata().namespace)
}
