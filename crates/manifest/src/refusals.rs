//! Refusals: what the API server refuses of a manifest, each cause at its place.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Where a field stands and what to do about it is decided in `locate.rs`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use api::request::{ApiError, Cause};
use serde_json::Value;

use crate::locate::{NAME, as_written, shorter_name};
use crate::{Diagnostic, Document, locate, path};

/// What a Job without labels has them from.
const INHERITED: &str = "metadata.labels";

/// Why the API server refuses an object, each cause at its place in the document.
#[must_use]
pub fn refusals(document: &Document, error: &ApiError) -> Vec<Diagnostic> {
    let (mut found, mut items) = (Vec::<Diagnostic>::new(), ItemPlaces::default());
    let name = error.causes.iter().any(|cause| cause.field == NAME);
    let no_name = error.causes.iter().any(|cause| cause.field == NAME && cause.message.contains("RFC 1123 subdomain must"));
    for cause in &error.causes {
        // A name that is invalid for every object is reported once: that it makes no hostname either adds nothing.
        if no_name && cause.field == NAME && cause.message.contains("invalid DNS label") {
            continue;
        }
        let Some(own) = own_field(document, cause, &mut items).filter(|own| !name || cause.field == NAME || own != NAME) else { continue };
        let mut diagnostic = locate(document, &cause.field, &cause.message);
        if own != cause.field {
            let key = refused(&cause.message).filter(|refused| path::steps(&own).last() == Some(refused));
            let position = if key.is_some() { document.key_position(&own) } else { document.position(&own) };
            diagnostic = Diagnostic { position, path: own, ..diagnostic };
            if diagnostic.path == NAME {
                diagnostic = diagnostic.fix(shorter_name(document));
            }
        }
        found.push(diagnostic);
    }
    // Where two causes have one remedy, the later one is more precise.
    let mut seen = BTreeSet::new();
    let mut kept: Vec<Diagnostic> =
        found.into_iter().rev().filter(|found| seen.insert((found.path.clone(), found.remedy.clone()))).collect();
    kept.reverse();
    if kept.is_empty() { vec![locate(document, NAME, &error.message)] } else { kept }
}

/// Where the items of lists stand, by the field and the value that is refused of them: of several that are alike, each is named once.
#[derive(Default)]
struct ItemPlaces<'d> {
    places: BTreeMap<String, BTreeMap<&'d str, VecDeque<usize>>>,
}

impl<'d> ItemPlaces<'d> {
    /// The place of the next item of a list that has this value in a field.
    fn next(&mut self, document: &'d Document, list: &str, field: &str, value: &str) -> Option<usize> {
        let places = match self.places.get_mut(&format!("{list}.{field}")) {
            Some(places) => places,
            None => {
                let mut places: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
                for (place, item) in document.get(list)?.as_array()?.iter().enumerate() {
                    places.entry(item[field].as_str().unwrap_or_default()).or_default().push_back(place);
                }
                self.places.entry(format!("{list}.{field}")).or_insert(places)
            }
        };
        let alike = places.get_mut(value)?;
        if alike.len() > 1 { alike.pop_front() } else { alike.front().copied() }
    }
}

/// The field as a person wrote it, where a cause is about what the API server has made of that: of labels the one, or the name that is one. `None` if
/// that is a cause of its own.
fn own_field<'d>(document: &'d Document, Cause { field, message, .. }: &Cause, items: &mut ItemPlaces<'d>) -> Option<String> {
    let written = as_written(field);
    if let Some(own) = resource_or_item(document, field, message, items) {
        return Some(own);
    }
    let keyed = KEYED.iter().any(|end| written.ends_with(end));
    let Some(refused) = refused(message).filter(|_| keyed) else {
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

/// Fields whose keys and values the API server refuses without naming them in the path.
const KEYED: [&str; 4] = ["labels", "matchLabels", "annotations", "nodeSelector"];

/// The text that the API server does not take.
fn refused(message: &str) -> Option<&str> {
    message.strip_prefix("Invalid value: \"").and_then(|rest| rest.split('"').next())
}

/// The field of a resource that is requested beyond its limit, or of the item of a list that the API server leaves out of the path.
fn resource_or_item<'d>(document: &'d Document, field: &str, message: &str, items: &mut ItemPlaces<'d>) -> Option<String> {
    if let Some((_, limit)) = message.split_once("must be less than or equal to ").or_else(|| message.split_once("must be equal to "))
        && let Some((resource, _)) = limit.split_once(" limit")
    {
        let own = path::entry(field, resource);
        return document.get(&own).is_some().then_some(own);
    }
    let (list, name) = field.rsplit_once('.')?;
    let place = items.next(document, list, name, refused(message)?)?;
    Some(format!("{}.{name}", path::entry(list, place)))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// What is refused in a Job whose spec is this, by these fields and messages.
    fn check(spec: &str, causes: &[(&str, &str)], expected: Expect) {
        let text = format!("kind: Job\nmetadata: {{name: pi, labels: {{\"b c\": d, x/y/z: q}}}}\n{spec}");
        let documents = crate::read(&text).unwrap();
        let cause =
            |(field, message): &(&str, &str)| Cause { field: (*field).to_owned(), message: (*message).to_owned(), reason: String::new() };
        let error = ApiError { code: 422, reason: String::new(), message: String::new(), causes: causes.iter().map(cause).collect() };
        expected.assert_eq(&refusals(&documents[0], &error).iter().map(|found| format!("{found}\n")).collect::<String>());
    }

    #[test]
    fn keys_are_shown_where_they_stand() {
        check(
            "",
            &[
                ("metadata.labels", "Invalid value: \"b c\": name part must consist of …"),
                ("metadata.labels", "Invalid value: \"x/y/z\": a valid label key must consist of …"),
            ],
            expect![[r#"
                2:31: metadata.labels[b c]: Invalid value: "b c": name part must consist of …; use at most 63 characters: letters, digits, -, _ and ., starting and ending with a letter or digit; a domain and one slash may come first, as in example.com/app
                2:41: metadata.labels[x/y/z]: Invalid value: "x/y/z": a valid label key must consist of …; use at most 63 characters: letters, digits, -, _ and ., starting and ending with a letter or digit; a domain and one slash may come first, as in example.com/app
            "#]],
        );
        let limits = "spec.template.spec.containers[0].resources.limits";
        check(
            "spec: {template: {spec: {containers: [{resources: {limits: {5: 1}}, volumeMounts: [{subPath: a}, {subPath: ../x}, {subPath: ../x}]}]}}}",
            &[
                (&format!("{limits}[5]"), "Invalid value: \"5\": must be a standard resource for containers"),
                ("spec.template.spec.containers[0].volumeMounts.subPath", "Invalid value: \"../x\": must not contain '..'"),
                ("spec.template.spec.containers[0].volumeMounts.subPath", "Invalid value: \"../x\": must not contain '..'"),
            ],
            expect![[r#"
                3:61: spec.template.spec.containers[0].resources.limits[5]: Invalid value: "5": must be a standard resource for containers; use cpu, memory or ephemeral-storage, or a resource with a domain, as in example.com/gpu
                3:108: spec.template.spec.containers[0].volumeMounts[1].subPath: Invalid value: "../x": must not contain '..'; use a path without ..
                3:125: spec.template.spec.containers[0].volumeMounts[2].subPath: Invalid value: "../x": must not contain '..'; use a path without ..
            "#]],
        );
    }

    #[test]
    fn each_resource_beyond_its_limit_is_refused() {
        let requests = "spec.template.spec.containers[0].resources.requests";
        check(
            "spec: {template: {spec: {containers: [{resources: {requests: {memory: 1.1Gi, cpu: 2}, limits: {memory: 5000m}}}]}}}",
            &[
                (requests, "Invalid value: \"2\": must be less than or equal to cpu limit of 1"),
                (requests, "Invalid value: \"1181116006400m\": must be less than or equal to memory limit of 5"),
                (&format!("{requests}[memory]"), "fractional byte value \"1181116006400m\" is invalid, must be an integer"),
                (&requests.replace("requests", "limits[memory]"), "fractional byte value \"5\" is invalid, must be an integer"),
            ],
            expect![[r#"
                3:83: spec.template.spec.containers[0].resources.requests[cpu]: Invalid value: "2": must be less than or equal to cpu limit of 1; lower the request, or raise the limit
                3:71: spec.template.spec.containers[0].resources.requests[memory]: Invalid value: "1181116006400m": must be less than or equal to memory limit of 5; m is a thousandth of a byte: the limit may be meant to be 5000Mi
                3:71: spec.template.spec.containers[0].resources.requests[memory]: fractional byte value "1181116006400m" is invalid, must be an integer; use whole bytes, as in 1126Mi
                3:104: spec.template.spec.containers[0].resources.limits[memory]: fractional byte value "5" is invalid, must be an integer; m is a thousandth of a byte: did you mean 5000Mi?
            "#]],
        );
    }

    #[test]
    fn a_volume_of_almost_this_name_is_meant() {
        check(
            "spec: {template: {spec: {volumes: [{name: matomo-secrets}], containers: [{volumeMounts: [{name: matomo-secret}]}]}}}",
            &[("spec.template.spec.containers[0].volumeMounts[0].name", "Not found: \"matomo-secret\"")],
            expect![[r#"
                3:97: spec.template.spec.containers[0].volumeMounts[0].name: Not found: "matomo-secret"; did you mean matomo-secrets?
            "#]],
        );
    }
}
