//! What the API server says about a change that it refuses, in a line that can be read.
//!
//! Docs: Jobs, "Mutable Scheduling Directives". What may be changed is decided by the API server, in `admission`.

use api::request::{ApiError, Request};
use api::{DEFAULT_NAMESPACE, Kind};
use cluster::ApiServer;
use manifest::{Diagnostic, ManifestObject};
use serde::de::IgnoredAny;

use crate::start;

/// The message of a refusal without the objects that it quotes, and what to do instead where the template of a Job cannot be changed.
#[must_use]
pub fn refusal(error: &ApiError) -> String {
    let mut text = without_objects(&error.to_string());
    if text.contains("spec.template") && text.contains("field is immutable") {
        text.push_str(
            "; resources and scheduling directives can be changed while the Job is suspended and no pod of it is active; for other changes, create another Job",
        );
    }
    text
}

/// What the API server refuses of an object of a file; objects from another cluster were admitted long ago.
pub fn refused(server: &mut ApiServer, object: &ManifestObject) -> Vec<Diagnostic> {
    let (kind, metadata) = match object {
        ManifestObject::CronJob(manifest) => (Kind::CronJob, &manifest.cron_job.metadata),
        ManifestObject::Job(manifest) => (Kind::Job, &manifest.job.metadata),
        ManifestObject::Pod(_) => return Vec::new(),
    };
    if !metadata.uid.is_empty() {
        return Vec::new();
    }
    let document = object.document();
    let namespace = if metadata.namespace.is_empty() { DEFAULT_NAMESPACE } else { &*metadata.namespace };
    let request = Request::create(kind, namespace, document.value().to_string());
    server.execute(&request, start()).err().map(|error| manifest::refusals(document, &error)).unwrap_or_default()
}

/// The same text without values that are objects: the field before each says what is meant.
fn without_objects(message: &str) -> String {
    const QUOTED: &str = "Invalid value: ";
    let (mut text, mut rest) = (String::new(), message);
    while let Some(at) = rest.find("Invalid value: {") {
        let value = &rest[at + QUOTED.len()..];
        let mut values = serde_json::Deserializer::from_str(value).into_iter::<IgnoredAny>();
        if !matches!(values.next(), Some(Ok(_))) {
            break;
        }
        text.push_str(&rest[..at]);
        rest = value[values.byte_offset()..].trim_start_matches(": ");
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_left_out() {
        let check = |message: &str, shown: &str| assert_eq!(without_objects(message), shown);
        check("spec.template: Invalid value: {\"a\":{\"b\":\"}: {\"}}: field is immutable", "spec.template: field is immutable");
        check("[a: Invalid value: {}: x, b: Invalid value: {\"c\":1}: y]", "[a: x, b: y]");
        check("a: Invalid value: 5: must be less", "a: Invalid value: 5: must be less");
        check("a: Invalid value: {cut", "a: Invalid value: {cut");
    }
}
