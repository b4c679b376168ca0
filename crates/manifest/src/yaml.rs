//! YAML: reads one document into nodes: anchors, aliases, merge keys, keys that are not text.
//!
//! Docs: kubectl apply, which reads YAML 1.1. What a word means is decided in `scalar.rs`, where a document ends in `split.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use libyaml_safer::{EventData, ScalarStyle};

use crate::events::Events;
use crate::lines::SourceLines;
use crate::node::{Content, DEEPEST, MapEntry, SourceNode, insert};
use crate::scalar::{self, Scalar};
use crate::{Diagnostic, Position, RuleName, path};

/// How much aliases may stand for, all together, as [`SourceNode::size`] counts.
const MOST_COPIES: usize = 100_000;

/// The value of a document, if it has one.
///
/// # Errors
/// If the text is not YAML, or JSON cannot express it; the first such place.
pub(crate) fn document(text: &str, offset: usize, lines: &SourceLines<'_>) -> Result<Option<SourceNode>, Diagnostic> {
    let events = Events::of(text, offset, lines)?;
    Reader { events, lines, anchors: BTreeMap::new(), copies: 0 }.document()
}

/// An event, and its bytes in the file.
type YamlEvent = (EventData, Range<usize>);

/// Reads events into nodes.
struct Reader<'t> {
    events: Events<'t>,
    lines: &'t SourceLines<'t>,
    anchors: BTreeMap<String, Anchor>,
    /// How much aliases stand for so far.
    copies: usize,
}

/// What an anchor names.
struct Anchor {
    /// Where it is set: a later one of the same name replaces it at once.
    position: Position,
    /// Its value, once it is complete.
    node: Option<SourceNode>,
}

impl Reader<'_> {
    fn document(mut self) -> Result<Option<SourceNode>, Diagnostic> {
        self.events.next()?;
        if matches!(self.events.next()?.0, EventData::StreamEnd) {
            return Ok(None);
        }
        let first = self.events.next()?;
        let node = self.node(first, 0)?;
        self.events.next()?;
        let (after, bytes) = self.events.next()?;
        if matches!(after, EventData::StreamEnd) {
            return Ok(Some(node));
        }
        let message = "there is more text after the end of the document";
        Err(Diagnostic::error(self.lines.position(bytes), message).remedy("put a line with `---` between two documents"))
    }

    /// The node that starts with this event.
    fn node(&mut self, (event, bytes): YamlEvent, depth: usize) -> Result<SourceNode, Diagnostic> {
        let position = self.lines.position(bytes.clone());
        let first_line = self.lines.position(bytes.start..usize::MAX);
        match event {
            EventData::Alias { anchor } => self.alias(&anchor, position, depth),
            EventData::Scalar { anchor, tag, value: written, plain_implicit, style, .. } => {
                let plain = style == ScalarStyle::Plain && plain_implicit;
                let meaning = scalar::tagged(tag.as_deref(), plain, &written).and_then(Scalar::value);
                let value = meaning.map_err(|problem| Diagnostic::error(position, problem))?;
                let node = SourceNode { position, content: Content::Scalar { value, written } };
                if let Some(anchor) = anchor {
                    self.anchors.insert(anchor, Anchor { position, node: Some(node.clone()) });
                }
                Ok(node)
            }
            EventData::SequenceStart { anchor, .. } => self.collection(anchor, first_line, depth, Self::list),
            EventData::MappingStart { anchor, .. } => self.collection(anchor, first_line, depth, Self::map),
            EventData::StreamStart { .. }
            | EventData::StreamEnd
            | EventData::DocumentStart { .. }
            | EventData::DocumentEnd { .. }
            | EventData::SequenceEnd
            | EventData::MappingEnd => unreachable!("the parser starts each node with an alias, a scalar, a sequence or a mapping"),
        }
    }

    /// A list or map that starts here, with its anchor.
    fn collection(
        &mut self,
        anchor: Option<String>,
        position: Position,
        depth: usize,
        content: fn(&mut Self, usize) -> Result<Content, Diagnostic>,
    ) -> Result<SourceNode, Diagnostic> {
        refuse_depth(position, depth + 1)?;
        if let Some(anchor) = &anchor {
            self.anchors.insert(anchor.clone(), Anchor { position, node: None });
        }
        let node = SourceNode { position, content: content(self, depth + 1)? };
        if let Some(held) = anchor.and_then(|anchor| self.anchors.get_mut(&anchor)).filter(|held| held.position == position) {
            held.node = Some(node.clone());
        }
        Ok(node)
    }

    fn list(&mut self, depth: usize) -> Result<Content, Diagnostic> {
        let mut items = Vec::new();
        loop {
            let event = self.events.next()?;
            if matches!(event.0, EventData::SequenceEnd) {
                return Ok(Content::List(items));
            }
            let item = self.node(event, depth).map_err(|problem| problem.within(&path::entry("", items.len())))?;
            items.push(item);
        }
    }

    /// A map. A field below a merge key replaces what the key brings; where the field stands above, readers disagree about which of the two counts.
    fn map(&mut self, depth: usize) -> Result<Content, Diagnostic> {
        let (mut entries, mut keys, mut brought) = (Vec::new(), BTreeSet::new(), BTreeMap::new());
        loop {
            let event = self.events.next()?;
            if matches!(event.0, EventData::MappingEnd) {
                return Ok(Content::Map(entries));
            }
            let position = self.lines.position(event.1.clone());
            let Some(key) = self.key(event, depth)? else {
                let event = self.events.next()?;
                let alias = matches!(event.0, EventData::Alias { .. });
                for entry in merged(self.node(event, depth)?, alias, position)? {
                    let again = brought.insert(entry.key.clone(), entries.len()).is_some();
                    if keys.contains(&entry.key) {
                        return Err(set_above(position, &entries, &entry.key, again));
                    }
                    insert(&mut entries, &mut keys, entry)?;
                }
                continue;
            };
            let event = self.events.next()?;
            let node = self.node(event, depth).map_err(|problem| problem.within(&path::step(&key)))?;
            let entry = MapEntry { key, position, node };
            match brought.remove(&entry.key) {
                Some(place) => entries[place] = entry,
                None => insert(&mut entries, &mut keys, entry)?,
            }
        }
    }

    /// The key that starts with this event; `None` for the merge key.
    fn key(&mut self, event: YamlEvent, depth: usize) -> Result<Option<String>, Diagnostic> {
        let position = self.lines.position(event.1.clone());
        if let EventData::Scalar { anchor, tag, value, plain_implicit, style, .. } = &event.0 {
            let plain = *style == ScalarStyle::Plain && *plain_implicit;
            let merge = value == "<<" && (plain && tag.is_none() || tag.as_deref() == Some("tag:yaml.org,2002:merge"));
            let key = if merge { Ok(None) } else { scalar::tagged(tag.as_deref(), plain, value).and_then(Scalar::key).map(Some) };
            if anchor.is_some() {
                self.node(event, depth)?;
            }
            return key.map_err(|problem| Diagnostic::error(position, problem).remedy("write the key in quotes"));
        }
        let Content::Scalar { value, .. } = self.node(event, depth)?.content else {
            return Err(Diagnostic::error(position, "a list or a map cannot be a key"));
        };
        let scalar = match value.as_str() {
            Some(text) => Scalar::Text(text.to_owned()),
            None => scalar::untagged(&value.to_string()),
        };
        scalar.key().map(Some).map_err(|problem| Diagnostic::error(position, problem))
    }

    /// A copy of what the anchor names.
    fn alias(&mut self, name: &str, position: Position, depth: usize) -> Result<SourceNode, Diagnostic> {
        let Some(anchor) = self.anchors.get(name) else {
            return Err(Diagnostic::error(position, format!("no anchor &{name} comes before this alias")));
        };
        let Some(node) = &anchor.node else {
            return Err(Diagnostic::error(position, format!("the value of the anchor &{name} contains itself")));
        };
        let (much, below) = node.size();
        self.copies += much;
        refuse_depth(position, depth + below)?;
        if self.copies > MOST_COPIES {
            return Err(Diagnostic::error(position, format!("aliases expand to more than {MOST_COPIES} values")));
        }
        Ok(node.clone())
    }
}

fn refuse_depth(position: Position, depth: usize) -> Result<(), Diagnostic> {
    if depth <= DEEPEST {
        return Ok(());
    }
    Err(Diagnostic::error(position, format!("lists and maps are nested more than {DEEPEST} levels deep")))
}

/// The refusal of a merge key that brings a field which stands above it, or which another merge key brought.
fn set_above(merge_key: Position, entries: &[MapEntry], key: &str, brought: bool) -> Diagnostic {
    let line = entries.iter().find(|entry| entry.key == key).map_or(0, |above| above.position.line);
    let remedy =
        if brought { "merge a list of maps: the first one counts" } else { "put << first: the fields below it replace what it brings" };
    Diagnostic::error(merge_key, format!("<< brings {key:?}, which line {line} already sets"))
        .rule(RuleName::DUPLICATE_FIELD)
        .remedy(remedy)
}

/// The entries that a merge key brings: those of a map, or of each map of a list that no alias stands for, where the first one counts.
fn merged(node: SourceNode, alias: bool, merge_key: Position) -> Result<Vec<MapEntry>, Diagnostic> {
    let refused = || Diagnostic::error(merge_key, "the merge key << takes a map or a list of maps");
    match node.content {
        Content::Map(entries) => Ok(entries),
        Content::List(items) if !alias => {
            let (mut all, mut keys) = (Vec::new(), BTreeSet::new());
            for item in items {
                let Content::Map(entries) = item.content else { return Err(refused()) };
                all.extend(entries.into_iter().filter(|entry| keys.insert(entry.key.clone())));
            }
            Ok(all)
        }
        Content::List(_) | Content::Scalar { .. } => Err(refused()),
    }
}
