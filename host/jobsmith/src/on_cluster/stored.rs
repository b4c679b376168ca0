//! The objects of a cluster that have the names of those in files.
//!
//! Docs: `jobsmith check --against cluster`. How the cluster is reached is in `access.rs`.

use api::{Kind, ObjectMeta, request};
use host_cluster::cluster::Failure;

use super::access;
use crate::output;

/// The objects of these kinds and names as a cluster has them, as JSON; those that are not there are left out. Prints why if they
/// cannot be read.
pub(crate) fn stored(access: &access::Arguments, wanted: &[(Kind, &ObjectMeta)]) -> Option<Vec<String>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.inspect_err(|error| output::error(&error.to_string())).ok()?.block_on(read(access, wanted))
}

async fn read(access: &access::Arguments, wanted: &[(Kind, &ObjectMeta)]) -> Option<Vec<String>> {
    let cluster = access.connect(None).await?;
    let mut found = Vec::new();
    for (kind, metadata) in wanted.iter().filter(|(_, metadata)| !metadata.name.is_empty()) {
        let namespace = if metadata.namespace.is_empty() { cluster.default_namespace() } else { &*metadata.namespace };
        match cluster.read(&request::path(*kind, namespace, &metadata.name, "")).await {
            Ok(bytes) => found.push(String::from_utf8_lossy(&bytes).into_owned()),
            Err(Failure::Refused(error)) if error.not_found() => {}
            Err(failure) => {
                output::error(&format!("cannot read {} {namespace}/{}: {failure}", kind.name(), metadata.name));
                return None;
            }
        }
    }
    Some(found)
}
