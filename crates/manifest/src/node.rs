//! Node: a value as it was read, with the position of each part.
//!
//! Docs: none of Kubernetes'. Nodes come from `yaml.rs` and `json.rs`; paths into them are followed in `document.rs`.

use std::collections::BTreeMap;

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
        /// Where its first line begins, if the file has the text as it is: line by line, behind `|`, or on one line without escapes.
        first_line: Option<Position>,
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

/// A map that is being read.
#[derive(Default)]
pub(crate) struct OpenMap {
    entries: Vec<MapEntry>,
    keys: BTreeMap<String, OpenKey>,
}

/// A key of a map that is being read.
struct OpenKey {
    /// The place of its entry.
    place: usize,
    /// Where the map itself sets it; `None`: a merge key brings it.
    own: Option<Position>,
}

impl OpenMap {
    /// Adds an entry of the map itself. If there is one already, the first stays.
    ///
    /// # Errors
    /// If the map itself has the key.
    pub(crate) fn insert(&mut self, entry: MapEntry) -> Result<(), Diagnostic> {
        if let Some(first) = self.keys.get(&entry.key).and_then(|key| key.own) {
            return Err(duplicate(&entry, first));
        }
        let (key, position) = (entry.key.clone(), entry.position);
        let place = self.put(entry);
        self.keys.insert(key, OpenKey { place, own: Some(position) });
        Ok(())
    }

    /// Adds an entry that a merge key brings. What comes last counts, as it does for kubectl: it even replaces an entry of the map itself.
    pub(crate) fn merge(&mut self, entry: MapEntry) {
        let key = entry.key.clone();
        let place = self.put(entry);
        self.keys.entry(key).or_insert(OpenKey { place, own: None });
    }

    /// Puts an entry in the place of the one with its key, or behind all others; returns its place.
    fn put(&mut self, entry: MapEntry) -> usize {
        match self.keys.get(&entry.key) {
            Some(key) => {
                self.entries[key.place] = entry;
                key.place
            }
            None => {
                self.entries.push(entry);
                self.entries.len() - 1
            }
        }
    }

    /// The map, when all of it is read.
    pub(crate) fn close(self) -> Content {
        Content::Map(self.entries)
    }
}

/// The error for a key that a map sets for the second time.
fn duplicate(entry: &MapEntry, first: Position) -> Diagnostic {
    Diagnostic::error(entry.position, format!("duplicate field {:?}: line {} already sets it", entry.key, first.line))
        .rule(RuleName::DUPLICATE_FIELD)
        .at(path::step(&entry.key))
        .remedy("keep one of the two")
        .fix(Some(Fix::Remove))
}
