//! Document: one object of a file, and where each of its fields stands.
//!
//! Docs: none of Kubernetes'. Documents come from `read.rs`; what a field means is decided in `strict.rs`.

use serde_json::Value;

use crate::node::{Content, SourceNode};
use crate::{Position, path};

/// One document of a file, or one item of a `List` in it.
#[derive(Debug, Clone)]
pub struct Document {
    value: Value,
    root: SourceNode,
}

impl Document {
    /// The document of this node.
    pub(crate) fn of(root: SourceNode) -> Self {
        Self { value: root.value(), root }
    }

    /// The content of the document, as JSON.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The value of a field, if it stands there.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Value> {
        path::steps(path).into_iter().try_fold(&self.value, |value, step| match value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => value.get(step),
        })
    }

    /// All texts in the document, each with its path.
    #[must_use]
    pub fn texts(&self) -> Vec<(String, &str)> {
        let mut found = Vec::new();
        texts(&self.value, String::new(), &mut found);
        found
    }

    /// The node of the document.
    pub(crate) fn root(&self) -> &SourceNode {
        &self.root
    }

    /// The position of a field, or of the nearest part of its path that stands in the text: of a word the word itself, of a list or map
    /// its key.
    #[must_use]
    pub fn position(&self, path: &str) -> Position {
        let mut node = &self.root;
        let mut position = node.position;
        for step in path::steps(path) {
            let Some((below, key)) = follow(node, step) else { break };
            let word = matches!(below.content, Content::Scalar { .. }) && below.position.length > 0;
            position = if word { below.position } else { key };
            node = below;
        }
        position
    }

    /// The position of a line of a text, from 0: its own where the text is written line by line, behind `|`, and otherwise that of the field.
    #[must_use]
    pub fn line_position(&self, path: &str, number: usize) -> Position {
        let Some((_, written, first)) = self.text_at(path).filter(|(node, _, first)| first.line > node.position.line) else {
            return self.position(path);
        };
        let text = written.lines().nth(number).unwrap_or_default().trim_end();
        let indentation = text.chars().take_while(|letter| letter.is_whitespace()).count();
        Position { line: first.line + number, column: first.column + indentation, length: text.chars().count() - indentation }
    }

    /// The position of a part of a text, with its line and its column in the text from 1: its own where the file has the text as it is, and otherwise that of
    /// the field.
    #[must_use]
    pub fn part_position(&self, path: &str, part: Position) -> Position {
        let Some((_, _, first)) = self.text_at(path) else { return self.position(path) };
        Position { line: first.line + part.line - 1, column: first.column + part.column - 1, ..part }
    }

    /// The node of a text that the file has as it is, what is written there, and where its first line begins.
    fn text_at(&self, path: &str) -> Option<(&SourceNode, &str, Position)> {
        let node = path::steps(path).into_iter().try_fold(&self.root, |node, step| follow(node, step).map(|(below, _)| below))?;
        match &node.content {
            Content::Scalar { written, first_line: Some(first), .. } => Some((node, written, *first)),
            Content::Scalar { .. } | Content::List(_) | Content::Map(_) => None,
        }
    }

    /// The position of the key that a path ends with, or of the field itself.
    #[must_use]
    pub fn key_position(&self, path: &str) -> Position {
        let mut steps = path::steps(path);
        let last = steps.pop().unwrap_or_default();
        let holder = steps.into_iter().try_fold(&self.root, |node, step| follow(node, step).map(|(below, _)| below));
        let key = holder.and_then(|holder| holder.entry(last)).map(|entry| entry.position);
        key.unwrap_or_else(|| self.position(path))
    }
}

/// The node one step further, and the position of its key; of an item of a list, its own.
fn follow<'n>(node: &'n SourceNode, step: &str) -> Option<(&'n SourceNode, Position)> {
    if let Content::List(items) = &node.content {
        return items.get(step.parse::<usize>().ok()?).map(|item| (item, item.position));
    }
    node.entry(step).map(|entry| (&entry.node, entry.position))
}

fn texts<'v>(value: &'v Value, path: String, found: &mut Vec<(String, &'v str)>) {
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| texts(item, path::entry(&path, at), found)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| texts(value, path::join(&path, &path::step(name)), found)),
        Value::String(text) => found.push((path, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
