//! Slips in environment variables and references: text or other fields where a map with a name is wanted, and fields that are not indented.
//!
//! Docs: Define Environment Variables for a Container; Configure a Pod to Use a ConfigMap. Fields at another level of the object are in `misplaced.rs`,
//! words of another type in `leaf.rs`.

use schema::FieldType;
use serde_json::Value;

use crate::Document;
use crate::misplaced::{self, nearest};
use crate::node::{Content, MapEntry};

/// Types that people write as text, and the field that the text is: the name of an object.
const NAMED: [(&str, &str); 7] = [
    ("ConfigMapEnvSource", "name"),
    ("SecretEnvSource", "name"),
    ("LocalObjectReference", "name"),
    ("ConfigMapVolumeSource", "name"),
    ("SecretVolumeSource", "secretName"),
    ("PersistentVolumeClaimVolumeSource", "claimName"),
    (HOST_PATH, "path"),
];
/// The type of a directory of the node.
const HOST_PATH: &str = "HostPathVolumeSource";
/// The type of an environment variable.
const VARIABLE: &str = "EnvVar";

/// A text as a map of this type: `cfg` as a reference, `FOO=bar` as a variable.
pub(crate) fn map_of(owner: &str, text: &str) -> Option<String> {
    if owner == VARIABLE {
        let (name, value) = text.split_once('=').filter(|(name, _)| !schema::of(VARIABLE).has(name))?;
        return name_like(name).then(|| variable(name, value));
    }
    let (_, field) = NAMED.into_iter().find(|(known, _)| *known == owner)?;
    let taken = name_like(text) || owner == HOST_PATH && text.starts_with('/');
    taken.then(|| format!("{{{field}: {}}}", quoted(text)))
}

/// What to do about a map instead of a list of variables.
pub(crate) fn variables(kind: &FieldType, entries: &[MapEntry]) -> Option<String> {
    let first = entries.first().filter(|_| matches!(kind, FieldType::Fields(item) if item.name == VARIABLE))?;
    let fields = entries.iter().any(|entry| schema::of(VARIABLE).has(&entry.key));
    if fields { None } else { as_item(first) }
}

/// What to do about a field that is the name of a variable, among those of an item.
pub(crate) fn unknown_variable(owner: &str, entries: &[MapEntry], entry: &MapEntry) -> Option<String> {
    let known = schema::of(owner);
    let slip = owner == VARIABLE && nearest(&entry.key, known.names()).is_none();
    if slip && !entries.iter().any(|entry| known.has(&entry.key)) { as_item(entry) } else { None }
}

/// The field next to an unknown one that was meant to hold it.
pub(crate) fn not_indented(owner: &str, entries: &[MapEntry], name: &str) -> Option<String> {
    let holders = misplaced::holders(owner, name);
    if holders.is_empty() {
        return None;
    }
    let free = |entry: &&MapEntry| {
        let empty = entry.node.null() || matches!(entry.node.content, Content::Map(_)) && entry.node.entry(name).is_none();
        holders.contains(&entry.key.as_str()) && empty
    };
    let mut free = entries.iter().filter(free);
    free.next().filter(|_| free.next().is_none()).map(|entry| entry.key.clone())
}

/// What to do about a variable without a name, if its value is an item of its own.
pub(crate) fn split_variable(document: &Document, field: &str) -> Option<String> {
    let (list, place) = field.strip_suffix("].name")?.rsplit_once('[').filter(|(list, _)| list.ends_with(".env"))?;
    let above = place.parse::<usize>().ok()?.checked_sub(1)?;
    let only = |place: usize, name: &str| {
        let variable = document.get(&format!("{list}[{place}]")).and_then(Value::as_object);
        variable.is_some_and(|fields| fields.len() == 1 && fields.contains_key(name))
    };
    let value = ["value", "valueFrom"].into_iter().find(|name| only(above + 1, name)).filter(|_| only(above, "name"))?;
    Some(format!("{value} belongs to the item above: remove the `- ` before it and indent it like name"))
}

fn as_item(MapEntry { key, node, .. }: &MapEntry) -> Option<String> {
    let Content::Scalar { value, written, .. } = &node.content else { return None };
    let value = value.as_str().unwrap_or(if node.null() { "" } else { written });
    Some(format!("write each variable as an item of its own, as in `- {}`", variable(key, value)))
}

fn variable(name: &str, value: &str) -> String {
    format!("{{name: {}, value: {}}}", quoted(name), quoted(value))
}

/// A text in YAML, in quotation marks unless it is clearly a word.
pub(crate) fn quoted(text: &str) -> String {
    let letters = text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'));
    let word = letters && text.starts_with(|first: char| first.is_ascii_alphabetic());
    let plain = word && crate::read(text).is_ok_and(|documents| documents.iter().all(|document| document.value() == text));
    if plain { text.to_owned() } else { Value::from(text).to_string() }
}

fn name_like(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'))
}
