//! Where the Pods of a template may run: spread constraints, priority, node selectors, tolerations.
//!
//! Docs: Assigning Pods to Nodes; Taints and Tolerations; Pod Topology Spread Constraints.

use std::fmt::Write as _;

use serde_json::Value;

use crate::labels::{selector, write_labels, write_rows};
use crate::value::{items, number, or_none, text};

/// Writes the part of a pod's spec that chooses nodes.
pub(crate) fn write(out: &mut String, spec: &Value) {
    let constraints = sorted(&spec["topologySpreadConstraints"], "topologyKey");
    if !constraints.is_empty() {
        write_rows(out, "  Topology Spread Constraints", "", constraints.into_iter().map(constraint));
    }
    if !text(&spec["priorityClassName"]).is_empty() {
        let _ = writeln!(out, "  Priority Class Name:\t{}", text(&spec["priorityClassName"]));
    }
    write_labels(out, "  Node-Selectors", &spec["nodeSelector"], "");
    write_rows(out, "  Tolerations", "", sorted(&spec["tolerations"], "key").into_iter().map(toleration));
}

fn constraint(constraint: &Value) -> String {
    let (key, skew) = (text(&constraint["topologyKey"]), number(&constraint["maxSkew"]));
    let pods = selector(&constraint["labelSelector"]).map(|pods| format!(" for selector {}", or_none(&pods))).unwrap_or_default();
    format!("{key}:{} when max skew {skew} is exceeded{pods}", text(&constraint["whenUnsatisfiable"]))
}

fn toleration(toleration: &Value) -> String {
    let [key, value, effect, operator] = ["key", "value", "effect", "operator"].map(|field| text(&toleration[field]));
    let mut line = key.to_owned();
    if !value.is_empty() {
        let _ = write!(line, "={value}");
    }
    if !effect.is_empty() {
        let _ = write!(line, ":{effect}");
    }
    if operator == "Exists" && value.is_empty() {
        line.push_str(if line.is_empty() { "op=Exists" } else { " op=Exists" });
    }
    if let Some(seconds) = toleration["tolerationSeconds"].as_i64() {
        let _ = write!(line, " for {seconds}s");
    }
    line
}

/// The items of a list, sorted by the text of a field.
fn sorted<'a>(list: &'a Value, field: &str) -> Vec<&'a Value> {
    let mut sorted: Vec<&Value> = items(list).iter().collect();
    sorted.sort_by_key(|item| text(&item[field]));
    sorted
}
