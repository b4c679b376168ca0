//! YAML: reads one document into nodes: anchors, aliases, merge keys, keys that are not text.
//!
//! Docs: kubectl apply, which reads YAML 1.1. What a word means is decided in `scalar.rs`, where a document ends in `split.rs`.

use std::collections::BTreeMap;
use std::ops::Range;

use libyaml_safer::{EventData, ScalarStyle};

use crate::events::Events;
use crate::lines::SourceLines;
use crate::node::{Content, DEEPEST, MapEntry, OpenMap, SourceNode};
use crate::scalar::{self, Scalar};
use crate::{Diagnostic, Position, path};

/// How much aliases may stand for, all together, as [`SourceNode::size`] counts.
const MOST_COPIES: usize = 100_000;

/// The value of a document, if it has one; the keys that it sets twice are added to the others.
///
/// # Errors
/// If the text is not YAML, or JSON cannot express it; the first such place.
pub(crate) fn document(
    text: &str,
    offset: usize,
    lines: &SourceLines<'_>,
    duplicates: &mut Vec<Diagnostic>,
) -> Result<Option<SourceNode>, Diagnostic> {
    let events = Events::of(text, offset, lines)?;
    Reader { events, lines, anchors: BTreeMap::new(), copies: 0, duplicates }.document()
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
    /// The keys that maps set twice.
    duplicates: &'t mut Vec<Diagnostic>,
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
        let whole_line = self.lines.position(bytes.start..usize::MAX);
        match event {
            EventData::Alias { anchor } => self.alias(&anchor, position, depth),
            EventData::Scalar { anchor, tag, value: written, plain_implicit, style, .. } => {
                let plain = style == ScalarStyle::Plain && plain_implicit;
                let meaning = scalar::tagged(tag.as_deref(), plain, &written).and_then(Scalar::value);
                let value = meaning.map_err(|problem| Diagnostic::error(position, problem))?;
                let block = style == ScalarStyle::Literal;
                let first_line = if block { self.lines.first_of_block(bytes, &written) } else { self.lines.first_of_word(bytes, &written) };
                let node = SourceNode { position, content: Content::Scalar { value, written, first_line } };
                if let Some(anchor) = anchor {
                    self.anchors.insert(anchor, Anchor { position, node: Some(node.clone()) });
                }
                Ok(node)
            }
            EventData::SequenceStart { anchor, .. } => self.collection(anchor, whole_line, depth, Self::list),
            EventData::MappingStart { anchor, .. } => self.collection(anchor, whole_line, depth, Self::map),
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
            let item = self.within(&path::entry("", items.len()), event, depth)?;
            items.push(item);
        }
    }

    fn map(&mut self, depth: usize) -> Result<Content, Diagnostic> {
        let mut map = OpenMap::default();
        loop {
            let event = self.events.next()?;
            if matches!(event.0, EventData::MappingEnd) {
                return Ok(map.close());
            }
            let position = self.lines.position(event.1.clone());
            let Some(key) = self.key(event, depth)? else {
                let event = self.events.next()?;
                let alias = matches!(event.0, EventData::Alias { .. });
                merged(self.node(event, depth)?, alias, position)?.into_iter().for_each(|entry| map.merge(entry));
                continue;
            };
            let event = self.events.next()?;
            let node = self.within(&path::step(&key), event, depth)?;
            self.duplicates.extend(map.insert(MapEntry { key, position, node }).err());
        }
    }

    /// The node that starts with this event; what is wrong with it has its path from this step on.
    fn within(&mut self, step: &str, event: YamlEvent, depth: usize) -> Result<SourceNode, Diagnostic> {
        let known = self.duplicates.len();
        let node = self.node(event, depth);
        self.duplicates[known..].iter_mut().for_each(|duplicate| duplicate.path = path::join(step, &duplicate.path));
        node.map_err(|problem| problem.within(step))
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

/// The entries that a merge key brings: those of a map, or of each map of a list that no alias stands for, the first map last, as it counts most.
fn merged(node: SourceNode, alias: bool, merge_key: Position) -> Result<Vec<MapEntry>, Diagnostic> {
    let refused = || Diagnostic::error(merge_key, "the merge key << takes a map or a list of maps");
    match node.content {
        Content::Map(entries) => Ok(entries),
        Content::List(items) if !alias => {
            let mut all = Vec::new();
            for item in items.into_iter().rev() {
                let Content::Map(entries) = item.content else { return Err(refused()) };
                all.extend(entries);
            }
            Ok(all)
        }
        Content::List(_) | Content::Scalar { .. } => Err(refused()),
    }
}
