//! Labels, annotations and selectors, each entry on a line of its own or all on one.
//!
//! Docs: Labels and Selectors; Annotations.

use std::fmt::Write as _;

use serde_json::Value;

use crate::value::{entries, items, text};

/// The annotation with the manifest that was applied; it is not shown.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// The most bytes of an annotation on one line: its key, `": "` and its value.
const LINE: usize = 140;
/// How many bytes of a longer line are shown.
const SHOWN: usize = 138;

/// Writes `name:` and a map, an entry a line, with `inset` before each.
pub(crate) fn write_labels(out: &mut String, name: &str, labels: &Value, inset: &str) {
    write_rows(out, name, inset, entries(labels).map(|(key, value)| format!("{key}={}", text(value))));
}

/// Writes `name:` and annotations: short ones on a line, others below their keys. `inset` is written before each of them.
pub(crate) fn write_annotations(out: &mut String, name: &str, annotations: &Value, inset: &str) {
    let shown = entries(annotations).filter(|(key, _)| *key != LAST_APPLIED);
    write_rows(out, name, inset, shown.map(|(key, value)| annotation(key, text(value))));
}

/// Writes `name:` and rows, those after the first below it, with `inset` before each; `<none>` if there are none.
pub(crate) fn write_rows(out: &mut String, name: &str, inset: &str, rows: impl Iterator<Item = String>) {
    let rows: Vec<String> = rows.collect();
    let rows = if rows.is_empty() { "<none>".to_owned() } else { rows.join(&format!("\n\t{inset}")) };
    let _ = writeln!(out, "{name}:\t{inset}{rows}");
}

fn annotation(key: &str, value: &str) -> String {
    let value = value.strip_suffix('\n').unwrap_or(value);
    if !value.contains('\n') && key.len() + ": ".len() + value.len() <= LINE {
        return format!("{key}: {value}");
    }
    let lines = value.split('\n').map(|line| format!("\n\t  {}", cut(line)));
    format!("{key}:{}", lines.collect::<String>())
}

/// A line, or its beginning.
fn cut(line: &str) -> String {
    if line.len() <= SHOWN { line.to_owned() } else { format!("{}...", &line[..line.floor_char_boundary(SHOWN)]) }
}

/// A label selector on one line, its requirements sorted by label; `None` where there is none at all.
pub(crate) fn selector(selector: &Value) -> Option<String> {
    selector.as_object()?;
    let labels = entries(&selector["matchLabels"]).map(|(key, value)| (key.as_str(), format!("{key}={}", text(value))));
    let expressions = items(&selector["matchExpressions"]).iter().map(|expression| {
        let key = text(&expression["key"]);
        (key, requirement(key, expression))
    });
    let mut requirements: Vec<(&str, String)> = labels.chain(expressions).collect();
    requirements.sort_by_key(|(key, _)| *key);
    Some(requirements.into_iter().map(|(_, requirement)| requirement).collect::<Vec<_>>().join(","))
}

fn requirement(key: &str, expression: &Value) -> String {
    let values = || {
        let mut values: Vec<&str> = items(&expression["values"]).iter().map(text).collect();
        values.sort_unstable();
        values.join(",")
    };
    match text(&expression["operator"]) {
        "In" => format!("{key} in ({})", values()),
        "NotIn" => format!("{key} notin ({})", values()),
        "DoesNotExist" => format!("!{key}"),
        _ => key.to_owned(),
    }
}
