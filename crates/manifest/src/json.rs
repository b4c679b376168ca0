//! JSON: reads the objects of a JSON stream, with the position of each part.
//!
//! Docs: kubectl apply, which takes JSON besides YAML. All else is YAML, which most JSON is too: `yaml.rs`.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Deserializer as Text, Value};

use crate::lines::SourceLines;
use crate::node::{Content, DEEPEST, MapEntry, OpenMap, SourceNode};
use crate::scalar::real_value;
use crate::{Diagnostic, Position, path};

/// The objects of a JSON stream with which a file begins, and the byte at which it ends: kubectl reads the rest as YAML.
pub(crate) fn objects(text: &str) -> (Vec<&RawValue>, usize) {
    // Space is passed over up to the next line.
    let behind_space = |at: usize| {
        let rest = text[at..].trim_start_matches([' ', '\t', '\r']);
        text.len() - rest.strip_prefix('\n').unwrap_or(rest).len()
    };
    if !text.trim_start().starts_with('{') {
        return (Vec::new(), 0);
    }
    let (mut objects, mut end) = (Vec::new(), behind_space(0));
    let mut stream = Text::from_str(text).into_iter();
    while let Some(Ok(object)) = stream.next() {
        objects.push(object);
        end = behind_space(stream.byte_offset());
    }
    (objects, end)
}

/// The value of an object of this text; the keys that it sets twice are added to the others.
///
/// # Errors
/// If the values lie too deep in one another, or a number is too large; the first such place.
pub(crate) fn node(
    object: &RawValue,
    text: &str,
    lines: &SourceLines<'_>,
    duplicates: &mut Vec<Diagnostic>,
) -> Result<SourceNode, Diagnostic> {
    Reader { text, lines, duplicates }.node(object, 0)
}

/// What reads one object, and what positions are computed from.
struct Reader<'t> {
    text: &'t str,
    lines: &'t SourceLines<'t>,
    /// The keys that maps set twice.
    duplicates: &'t mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn node(&mut self, raw: &RawValue, depth: usize) -> Result<SourceNode, Diagnostic> {
        let text = raw.get();
        let position = self.position(text);
        if depth > DEEPEST {
            return Err(Diagnostic::error(position, format!("lists and maps are nested more than {DEEPEST} levels deep")));
        }
        let content = match text.as_bytes()[0] {
            b'{' => {
                let Members(members) = serde_json::from_str(text).map_err(|error| Diagnostic::error(position, error.to_string()))?;
                self.map(&members, depth)?
            }
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| Diagnostic::error(position, error.to_string()))?;
                let item = |(index, item): (usize, &&RawValue)| self.within(&path::entry("", index), item, depth + 1);
                Content::List(items.iter().enumerate().map(item).collect::<Result<_, _>>()?)
            }
            _ => {
                let value: Value = serde_json::from_str(text).map_err(|error| Diagnostic::error(position, error.to_string()))?;
                let value = value.as_f64().filter(|_| value.is_f64()).and_then(real_value).unwrap_or(value);
                let written = value.as_str().map_or_else(|| text.to_owned(), str::to_owned);
                let first_line = self.lines.first_of_word(self.bytes(text), &written);
                Content::Scalar { value, written, first_line }
            }
        };
        Ok(SourceNode { position, content })
    }

    /// The node of this value; what is wrong with it has its path from this step on.
    fn within(&mut self, step: &str, raw: &RawValue, depth: usize) -> Result<SourceNode, Diagnostic> {
        let known = self.duplicates.len();
        let node = self.node(raw, depth);
        self.duplicates[known..].iter_mut().for_each(|duplicate| duplicate.path = path::join(step, &duplicate.path));
        node.map_err(|problem| problem.within(step))
    }

    fn map(&mut self, members: &[(&RawValue, &RawValue)], depth: usize) -> Result<Content, Diagnostic> {
        let mut map = OpenMap::default();
        for (name, value) in members {
            let position = self.position(name.get());
            let key: String = serde_json::from_str(name.get()).map_err(|error| Diagnostic::error(position, error.to_string()))?;
            let node = self.within(&path::step(&key), value, depth + 1)?;
            self.duplicates.extend(map.insert(MapEntry { key, position, node }).err());
        }
        Ok(map.close())
    }

    /// Where a part of the text stands.
    fn position(&self, part: &str) -> Position {
        self.lines.position(self.bytes(part))
    }

    /// The bytes of a part of the text.
    fn bytes(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }
}

/// The members of an object in their order, with those that come twice.
struct Members<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let (lines, mut duplicates) = (SourceLines::of(text), Vec::new());
        let mut shown = |object| match node(object, text, &lines, &mut duplicates) {
            Ok(node) => format!("{}\n", node.value()),
            Err(problem) => format!("{problem}\n"),
        };
        let (objects, end) = objects(text);
        let values: String = objects.into_iter().map(&mut shown).collect();
        let duplicates: String = duplicates.iter().map(|duplicate| format!("{duplicate}\n")).collect();
        let rest = if text[end..].trim().is_empty() { String::new() } else { format!("rest: {}\n", text[end..].trim()) };
        expected.assert_eq(&(values + &duplicates + &rest));
    }

    #[test]
    fn streams_of_objects() {
        check(
            "{\"a\":1}{\"b\":[1.0,1e3,1.5]}\n",
            expect![[r#"
            {"a":1}
            {"b":[1,1000,1.5]}
        "#]],
        );
        check(
            r#"{"a":"\ud83d\ude00"}"#,
            expect![[r#"
            {"a":"😀"}
        "#]],
        );
        check(
            "{a: 1}",
            expect![[r#"
                rest: {a: 1}
            "#]],
        );
        check(
            "[1]",
            expect![[r#"
                rest: [1]
            "#]],
        );
        check(
            "{\"a\":1e400}",
            expect![[r#"
            1:6: a: number out of range at line 1 column 5
        "#]],
        );
    }

    #[test]
    fn duplicates_are_errors() {
        check(
            "{\"a\": {\"b\": 1,\n \"b\": 2}}",
            expect![[r#"
                {"a":{"b":1}}
                2:2: a.b: duplicate field "b": line 1 already sets it; keep one of the two
            "#]],
        );
        check(
            r#"{"a": [{"b": 1, "\u0062": 2}]}"#,
            expect![[r#"
                {"a":[{"b":1}]}
                1:17: a[0].b: duplicate field "b": line 1 already sets it; keep one of the two
            "#]],
        );
    }

    #[test]
    fn depth_has_an_end() {
        check(
            &format!("{{\"a\": {}{}}}", "[".repeat(200), "]".repeat(200)),
            expect![[r#"
                1:107: a[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: lists and maps are nested more than 100 levels deep
            "#]],
        );
    }
}
