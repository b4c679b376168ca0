//! Edits: entries of maps in a text, taken out and put in, with their comments and without a change to what stands around them.
//!
//! Docs: none of Kubernetes'. What is edited, and whether that does what is meant, is decided in `fix.rs`.

use std::ops::Range;

use serde_json::Value;

use crate::Position;
use crate::node::{Content, MapEntry, SourceNode};

/// How much deeper the fields of a map stand than its key.
const STEP: usize = 2;

/// A change of a text: these bytes become that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced; none where something is put in.
    pub range: Range<usize>,
    /// What stands there instead.
    pub text: String,
}

/// An entry of a map as it is written.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    /// The lines of comment above it, each with its end.
    pub(crate) comments: String,
    pub(crate) key: String,
    /// All after the key, with its colon; further lines as if the key stood at the start of its line.
    pub(crate) rest: String,
}

/// The bytes of a piece with all that goes when it goes, and the piece.
struct Extent {
    bytes: Range<usize>,
    piece: Piece,
}

/// Takes an entry out of a map, in braces or not; the key stands at these bytes.
pub(crate) fn take(text: &str, key: Range<usize>, braces: bool) -> Option<(Edit, Piece)> {
    let Extent { bytes, piece } = if braces { inline(text, key)? } else { on_lines(text, key)? };
    Some((Edit { range: bytes, text: String::new() }, piece))
}

/// Puts an entry into the map at these steps below a node, with the maps that are missing; `start` is the first byte of a node or key.
pub(crate) fn put(text: &str, root: &SourceNode, steps: &[&str], piece: &Piece, start: impl Fn(Position) -> usize) -> Option<Edit> {
    let mut map = root;
    for (number, step) in steps.iter().enumerate() {
        let missing = &steps[number..];
        match below(map, step) {
            Below::Node(node) => map = node,
            Below::Empty(entry) => {
                let key = start(entry.position);
                let at = line_end(text, key);
                return Some(lines_at(text, at, &nested(&steps[number + 1..], piece), column(text, key) + STEP));
            }
            Below::Missing => return into(text, map, &start, missing, piece),
            Below::Unclear => return None,
        }
    }
    into(text, map, &start, &[], piece)
}

/// What stands one step below a node.
enum Below<'n> {
    Node(&'n SourceNode),
    /// A key without a value.
    Empty(&'n MapEntry),
    Missing,
    /// Nothing, or one of several.
    Unclear,
}

fn below<'n>(node: &'n SourceNode, step: &str) -> Below<'n> {
    match &node.content {
        Content::Map(entries) => match entries.iter().find(|entry| entry.key == step) {
            Some(entry) if entry.node.null() => Below::Empty(entry),
            Some(entry) => Below::Node(&entry.node),
            None => Below::Missing,
        },
        Content::List(items) => item(items, step).map_or(Below::Unclear, Below::Node),
        Content::Scalar { .. } => Below::Unclear,
    }
}

/// The item of this number; without a number, the only one.
fn item<'n>(items: &'n [SourceNode], step: &str) -> Option<&'n SourceNode> {
    if step.is_empty() && items.len() == 1 { items.first() } else { items.get(step.parse::<usize>().ok()?) }
}

/// Puts an entry, within maps of these names, into a map.
fn into(text: &str, map: &SourceNode, start: &impl Fn(Position) -> usize, missing: &[&str], piece: &Piece) -> Option<Edit> {
    let Content::Map(entries) = &map.content else { return None };
    let opening = start(map.position);
    if text[opening..].starts_with('{') {
        return bracketed(text, opening, entries.first().map(|entry| start(entry.position)), missing, piece);
    }
    let (first, last) = (entries.first()?, entries.last()?);
    let lines = nested(missing, piece);
    let column = column(text, start(first.position));
    // After the words and before the parts, as people write it.
    let parts = entries.iter().filter(|entry| !matches!(entry.node.content, Content::Scalar { .. })).map(|entry| start(entry.position));
    let at = match parts.into_iter().find(|key| alone(text, *key)) {
        Some(key) => first_comment(text, key),
        None => lines_end(text, start(last.position), column),
    };
    Some(lines_at(text, at, &lines, column))
}

/// Puts an entry into a map in braces, before the first one.
fn bracketed(text: &str, opening: usize, first: Option<usize>, missing: &[&str], piece: &Piece) -> Option<Edit> {
    let json = first.is_some_and(|key| text[key..].starts_with('"'));
    let quoted = |key: &str| if json && !key.starts_with('"') { format!("{key:?}") } else { key.to_owned() };
    let value = piece.rest.trim_start_matches(':').trim();
    if value.contains(" #") || value.contains('\n') && !value.starts_with(['{', '[', '"', '\'']) {
        return None;
    }
    let word = json && serde_json::from_str::<Value>(value).is_err();
    let mut entry = format!("{}: {}", quoted(&piece.key), if word { format!("{value:?}") } else { value.to_owned() });
    for name in missing.iter().rev() {
        entry = format!("{}: {{{entry}}}", quoted(name));
    }
    let Some(first) = first else { return Some(Edit { range: opening + 1..opening + 1, text: entry }) };
    let space = Some(&text[opening + 1..first]).filter(|space| !space.is_empty()).unwrap_or(" ");
    Some(Edit { range: first..first, text: format!("{entry},{space}") })
}

/// The lines of an entry within maps of these names.
fn nested(names: &[&str], Piece { comments, key, rest }: &Piece) -> String {
    let maps = names.iter().enumerate().map(|(depth, name)| format!("{}{name}:\n", " ".repeat(depth * STEP)));
    let end = if rest.ends_with('\n') { "" } else { "\n" };
    maps.chain([indented(&format!("{comments}{key}{rest}{end}"), names.len() * STEP)]).collect()
}

fn indented(lines: &str, by: usize) -> String {
    let indent = " ".repeat(by);
    lines.split_inclusive('\n').map(|line| if line.trim().is_empty() { line.to_owned() } else { format!("{indent}{line}") }).collect()
}

/// Puts lines in at the start of a line, or at the end of a text that does not end with one.
fn lines_at(text: &str, at: usize, lines: &str, column: usize) -> Edit {
    let lines = indented(lines, column);
    let open = at > 0 && !text[..at].ends_with('\n');
    Edit { range: at..at, text: if open { format!("\n{}", lines.trim_end_matches('\n')) } else { lines } }
}

/// The extent of an entry of a map in braces.
fn inline(text: &str, key: Range<usize>) -> Option<Extent> {
    let end = inline_end(text, key.end)?;
    let end = end - (text[key.end..end].len() - text[key.end..end].trim_end().len());
    let piece = Piece { comments: String::new(), key: text[key.clone()].to_owned(), rest: text[key.end..end].to_owned() };
    let after = text[end..].trim_start();
    let bytes = match after.strip_prefix(',') {
        Some(next) => key.start..text.len() - next.trim_start().len(),
        None => text[..key.start].trim_end().strip_suffix(',').map_or(key.start, str::len)..end,
    };
    Some(Extent { bytes, piece })
}

/// Where a value in brackets ends: before the comma or bracket that follows.
fn inline_end(text: &str, from: usize) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut letters = text[from..].char_indices();
    while let Some((at, letter)) = letters.next() {
        match (quote, letter) {
            (Some('"'), '\\') => _ = letters.next(),
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => (),
            (None, '"' | '\'') => quote = Some(letter),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']' | ',') if depth == 0 => return Some(from + at),
            (None, '}' | ']') => depth -= 1,
            (None, _) => (),
        }
    }
    None
}

/// The extent of an entry with lines of its own.
fn on_lines(text: &str, key: Range<usize>) -> Option<Extent> {
    let column = column(text, key.start);
    let start = key.start - column;
    if !text[start..key.start].chars().all(|letter| matches!(letter, ' ' | '-')) {
        return None;
    }
    let end = lines_end(text, key.start, column);
    let first = if alone(text, key.start) { first_comment(text, key.start) } else { key.start };
    let outdented = |lines: &str| lines.split_inclusive('\n').map(|line| &line[spaces(line).min(column)..]).collect::<String>();
    let line = line_end(text, key.start);
    let comments = if alone(text, key.start) { outdented(&text[first..start]) } else { String::new() };
    let rest = format!("{}{}", &text[key.end..line], outdented(&text[line..end]));
    let piece = Piece { comments, key: text[key.clone()].to_owned(), rest };
    // The next key takes the place behind the dash.
    let next = spaces(&text[end..]);
    let bytes = match alone(text, key.start) {
        true => first..end,
        false if next == column && !text[end + next..].starts_with(['#', '\n', '\r']) => key.start..end + next,
        false => return None,
    };
    Some(Extent { bytes, piece })
}

/// Where the lines of an entry end, whose key stands in this column.
fn lines_end(text: &str, key: usize, column: usize) -> usize {
    let mut end = line_end(text, key);
    let mut at = end;
    for line in text[end..].split_inclusive('\n') {
        at += line.len();
        let inner = line.trim();
        let indent = spaces(line);
        let item = indent == column && (inner == "-" || inner.starts_with("- "));
        if inner.is_empty() || inner.starts_with('#') && indent <= column {
            continue;
        }
        if indent <= column && !item {
            break;
        }
        end = at;
    }
    end
}

/// The start of the comments right above a key, which stand in its column; that of its line if there are none.
fn first_comment(text: &str, key: usize) -> usize {
    let column = column(text, key);
    let mut start = key - column;
    for line in text[..start].split_inclusive('\n').rev() {
        if spaces(line) != column || !line[column..].starts_with('#') {
            break;
        }
        start -= line.len();
    }
    start
}

/// How many spaces a text begins with.
fn spaces(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// Whether only spaces stand before a key on its line.
fn alone(text: &str, key: usize) -> bool {
    text[key - column(text, key)..key].bytes().all(|byte| byte == b' ')
}

/// How many bytes stand before this one on its line.
fn column(text: &str, at: usize) -> usize {
    at - text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// The end of the line of a byte, behind its line feed.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// Makes all changes of a text, which do not overlap.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let (mut changed, mut at) = (String::new(), 0);
    for Edit { range, text: instead } in sorted {
        changed.push_str(text.get(at..range.start)?);
        changed.push_str(instead);
        at = range.end;
    }
    changed.push_str(text.get(at..)?);
    Some(changed)
}
