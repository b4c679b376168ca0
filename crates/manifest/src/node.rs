//! Node: a value as it was read, with the position of each part.
//!
//! Docs: none of Kubernetes'. Nodes come from `yaml.rs` and `json.rs`; paths into them are followed in `document.rs`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{Diagnostic, Fix, Position, RuleName, path};

/// How many lists and maps may lie in one another: all that walks over nodes and values calls itself for each.
pub(crate) const DEEPEST: usize = 100;

/// A value, and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct SourceNode {
    /// Where it stands; of a map or list, where its first line starts.
    pub(crate) position: Position,
    /// What it is.
    pub(crate) content: Content,
}

/// What a node is.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// No list and no map.
    Scalar {
        /// The value.
        value: Value,
        /// How it is written, without quotes and escapes.
        written: String,
    },
    /// A list.
    List(Vec<SourceNode>),
    /// A map.
    Map(Vec<MapEntry>),
}

/// A key of a map, and its value.
#[derive(Debug, Clone)]
pub(crate) struct MapEntry {
    /// The key.
    pub(crate) key: String,
    /// Where the key stands.
    pub(crate) position: Position,
    /// The value.
    pub(crate) node: SourceNode,
}

impl SourceNode {
    /// The value of this key, if this is a map that has it.
    pub(crate) fn entry(&self, key: &str) -> Option<&MapEntry> {
        let Content::Map(entries) = &self.content else { return None };
        entries.iter().find(|entry| entry.key == key)
    }

    /// The value without positions.
    pub(crate) fn value(&self) -> Value {
        match &self.content {
            Content::Scalar { value, .. } => value.clone(),
            Content::List(items) => items.iter().map(Self::value).collect(),
            Content::Map(entries) => entries.iter().map(|entry| (entry.key.clone(), entry.node.value())).collect(),
        }
    }

    /// Whether the value is `null`.
    pub(crate) fn null(&self) -> bool {
        matches!(&self.content, Content::Scalar { value: Value::Null, .. })
    }

    /// How much there is from here on, a value and each 64 bytes of text counting as one, and how deep lists and maps lie in one another.
    pub(crate) fn size(&self) -> (usize, usize) {
        let add = |(much, depth): (usize, usize), (key, node): (&str, &Self)| {
            let (more, below) = node.size();
            (much + more + key.len() / 64, depth.max(below + 1))
        };
        match &self.content {
            Content::Scalar { written, .. } => (1 + written.len() / 64, 0),
            Content::List(items) => items.iter().map(|item| ("", item)).fold((1, 1), add),
            Content::Map(entries) => entries.iter().map(|entry| (entry.key.as_str(), &entry.node)).fold((1, 1), add),
        }
    }
}

/// Puts an entry into a map.
///
/// # Errors
/// If the map has the key.
pub(crate) fn insert(entries: &mut Vec<MapEntry>, keys: &mut BTreeSet<String>, entry: MapEntry) -> Result<(), Diagnostic> {
    if keys.insert(entry.key.clone()) {
        entries.push(entry);
        return Ok(());
    }
    let first = entries.iter().find(|other| other.key == entry.key).map_or(Position::START, |other| other.position);
    Err(Diagnostic::error(entry.position, format!("duplicate field {:?}: line {} already sets it", entry.key, first.line))
        .rule(RuleName::DUPLICATE_FIELD)
        .at(path::step(&entry.key))
        .remedy("keep one of the two")
        .fix(Some(Fix::Remove)))
}
