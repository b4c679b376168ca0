//! What is wrong with a manifest or a script, and what a script says line by line.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Manifests are read by `manifest`, refused by the API server in `cluster`; scripts are
//! described in `play::script`.

use api::request::Request;
use api::{Kind, Text};
use cluster::naming::Names;
use cluster::{ApiServer, Dependence};
use manifest::{Diagnostic, Object};
use play::script::{Ambiguous, Script};
use play::{DEFAULT_NAMESPACE, start};
use serde::Serialize;

/// All that `jobsmith simulate` would say of a manifest before it begins, in the order of the places; empty if it is fine.
#[must_use]
pub fn manifest(text: &str) -> Vec<Diagnostic> {
    let objects = match manifest::objects(text) {
        Ok(objects) => objects,
        Err(found) => return found,
    };
    let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
    let mut found: Vec<Diagnostic> = Vec::new();
    let refused = objects.iter().flat_map(|object| refused(&mut server, object));
    for diagnostic in refused.chain(manifest::missing_pods(&objects.iter().collect::<Vec<_>>())) {
        let place = found.partition_point(|known| known.position <= diagnostic.position);
        found.insert(place, diagnostic);
    }
    found
}

/// What the API server refuses of an object; it has taken in those of another cluster long ago.
fn refused(server: &mut ApiServer, object: &Object) -> Vec<Diagnostic> {
    let Object::Job(manifest) = object else { return Vec::new() };
    if !manifest.job.metadata.uid.is_empty() {
        return Vec::new();
    }
    let namespace = &*manifest.job.metadata.namespace;
    let namespace = if namespace.is_empty() { DEFAULT_NAMESPACE } else { namespace };
    let request = Request::create(Kind::Job, namespace, manifest.document.value().to_string());
    server.execute(&request, start()).err().map(|error| manifest::refusals(&manifest.document, &error)).unwrap_or_default()
}

/// A script.
///
/// # Errors
/// What cannot be understood in it.
pub fn script(text: &str) -> Result<Script, Vec<Diagnostic>> {
    Script::parse(text).map_err(|error| vec![Diagnostic::at_letter(error.line, error.column, error.message, error.remedy)])
}

/// What is ambiguous in a script, at the line that says it.
pub(crate) fn ambiguous(text: &str, Ambiguous { statement, message, remedy }: Ambiguous) -> Diagnostic {
    let says = |line: &str| {
        let lines = Script::parse(line).map(|script| lines(&script)).unwrap_or_default();
        lines.actions.iter().any(|action| *action.text == *statement)
            || lines.rules.iter().any(|rule| format!("{}: {}", rule.which, rule.what) == statement)
    };
    let place = text.lines().position(says).unwrap_or_default();
    Diagnostic::at_letter(place + 1, 1, message, remedy)
}

/// What a script says, line by line.
#[derive(Debug, Default, Serialize)]
pub struct ScriptParts {
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
    at: i64,
    text: Text,
}

/// The rules and actions of a script in their own words.
#[must_use]
pub fn lines(script: &Script) -> ScriptParts {
    let rules = script.rules.iter().map(|rule| RuleLine { which: rule.which.to_string(), what: rule.course.to_string() });
    let actions =
        script.actions.iter().map(|(at, action)| ActionLine { at: api::time::milliseconds(*at), text: action.to_string().into() });
    ScriptParts { rules: rules.collect(), actions: actions.collect() }
}
