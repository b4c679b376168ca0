//! What is wrong with a manifest or a script, and what a script says line by line.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Manifests are read by `manifest`, refused by the API server in `sim`; scripts are
//! described in `sim::script`.

use api::request::Request;
use api::{Kind, Text};
use manifest::{Diagnostic, Manifest};
use serde::Serialize;
use sim::naming::Names;
use sim::play::{DEFAULT_NAMESPACE, start};
use sim::script::Script;
use sim::{ApiServer, Dependence};

/// All that `jobsmith run` would say of a manifest before it begins, in the order of the places; empty if it is fine.
#[must_use]
pub fn manifest(text: &str) -> Vec<Diagnostic> {
    let manifests = match manifest::jobs(text) {
        Ok(manifests) => manifests,
        Err(found) => return found,
    };
    let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
    let mut found: Vec<Diagnostic> = Vec::new();
    for diagnostic in manifests.iter().flat_map(|manifest| refused(&mut server, manifest)) {
        let place = found.partition_point(|known| known.position <= diagnostic.position);
        found.insert(place, diagnostic);
    }
    found
}

fn refused(server: &mut ApiServer, manifest: &Manifest) -> Vec<Diagnostic> {
    let namespace = &*manifest.job.metadata.namespace;
    let namespace = if namespace.is_empty() { DEFAULT_NAMESPACE } else { namespace };
    let request = Request::create(Kind::Job, namespace, manifest.document.value().to_string());
    server.execute(&request, start()).err().map(|error| manifest::refusals(manifest, &error)).unwrap_or_default()
}

/// A script.
///
/// # Errors
/// What cannot be understood in it.
pub fn script(text: &str) -> Result<Script, Vec<Diagnostic>> {
    Script::parse(text).map_err(|error| vec![Diagnostic::at_letter(error.line, error.column, error.message, error.remedy)])
}

/// What a script says, line by line.
#[derive(Debug, Serialize)]
pub struct Lines {
    rules: Vec<RuleLine>,
    actions: Vec<ActionLine>,
}

#[derive(Debug, Serialize)]
struct RuleLine {
    which: String,
    what: String,
}

#[derive(Debug, Serialize)]
struct ActionLine {
    /// Milliseconds after the beginning.
    at: i128,
    text: Text,
}

/// The rules and actions of a script in their own words.
#[must_use]
pub fn lines(script: &Script) -> Lines {
    let rules = script.rules.iter().map(|rule| RuleLine { which: rule.which.to_string(), what: rule.course.to_string() });
    let actions = script.actions.iter().map(|(at, action)| ActionLine { at: at.as_millis(), text: action.to_string().into() });
    Lines { rules: rules.collect(), actions: actions.collect() }
}
