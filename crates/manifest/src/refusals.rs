//! Refusals: what the API server refuses of a manifest, each cause at its place.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Where a field stands and what to do about it is decided in `locate.rs`.

use api::request::{ApiError, Cause};
use serde_json::Value;

use crate::locate::{NAME, as_written, shorter_name};
use crate::{Diagnostic, Document, locate};

/// What a Job without labels has them from.
const INHERITED: &str = "metadata.labels";

/// Why the API server refuses an object, each cause at its place in the document.
#[must_use]
pub fn refusals(document: &Document, error: &ApiError) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let name = error.causes.iter().any(|cause| cause.field == NAME);
    let no_name = error.causes.iter().any(|cause| cause.field == NAME && cause.message.contains("RFC 1123 subdomain must"));
    for cause in &error.causes {
        // A name that is invalid for every object is reported once: that it makes no hostname either adds nothing.
        if no_name && cause.field == NAME && cause.message.contains("invalid DNS label") {
            continue;
        }
        let Some(own) = own_field(document, cause).filter(|own| !name || cause.field == NAME || own != NAME) else { continue };
        let mut diagnostic = locate(document, &cause.field, &cause.message);
        if own != cause.field {
            diagnostic = Diagnostic { position: document.position(&own), path: own, ..diagnostic };
            if diagnostic.path == NAME {
                diagnostic = diagnostic.fix(shorter_name(document));
            }
        }
        // Where two causes have one remedy, the later one is more precise.
        found.retain(|other| (&other.path, &other.remedy) != (&diagnostic.path, &diagnostic.remedy));
        found.push(diagnostic);
    }
    if found.is_empty() {
        found.push(locate(document, NAME, &error.message));
    }
    found
}

/// The field as a person wrote it, where a cause is about what the API server has made of that: of labels the one, or the name that is one. `None` if
/// that is a cause of its own.
fn own_field(document: &Document, Cause { field, message, .. }: &Cause) -> Option<String> {
    let written = as_written(field);
    let labels = written.ends_with("labels") || written.ends_with("matchLabels");
    let Some(refused) = message.strip_prefix("Invalid value: \"").and_then(|rest| rest.split('"').next()).filter(|_| labels) else {
        return Some(field.clone());
    };
    let known = document.get(&written).and_then(Value::as_object);
    if let Some((key, _)) = known.and_then(|labels| labels.iter().find(|(key, value)| *key == refused || value.as_str() == Some(refused))) {
        return Some(format!("{written}[{key}]"));
    }
    let name = document.get(NAME).and_then(Value::as_str).unwrap_or_default();
    if !name.is_empty() && refused.contains(name) {
        return Some(NAME.to_owned());
    }
    (written != INHERITED).then(|| field.clone())
}
