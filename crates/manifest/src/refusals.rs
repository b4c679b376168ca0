//! Refusals: what the API server refuses of a manifest, each cause at its place.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Where a field stands and what to do about it is decided in `locate.rs`.

use api::request::ApiError;

use crate::{Diagnostic, Document, locate};

/// Why the API server refuses an object, each cause at its place in the document.
#[must_use]
pub fn refusals(document: &Document, error: &ApiError) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for cause in &error.causes {
        let diagnostic = locate(document, &cause.field, &cause.message);
        // Where two causes have one remedy, the later one is more precise.
        found.retain(|other| (&other.path, &other.remedy) != (&diagnostic.path, &diagnostic.remedy));
        found.push(diagnostic);
    }
    if found.is_empty() {
        found.push(locate(document, "metadata.name", &error.message));
    }
    found
}
