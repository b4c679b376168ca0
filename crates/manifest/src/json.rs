//! JSON: reads the objects of a JSON stream, with the position of each part.
//!
//! Docs: kubectl apply, which takes JSON besides YAML. All else is YAML, which most JSON is too: `yaml.rs`.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Deserializer as Text, Value};

use crate::lines::SourceLines;
use crate::node::{Content, DEEPEST, MapEntry, SourceNode, insert};
use crate::scalar::real_value;
use crate::{Diagnostic, Position, path};

/// The objects of a JSON stream; `None` if the text is something else.
///
/// # Errors
/// If a key comes twice, or the values lie too deep in one another.
pub(crate) fn objects(text: &str, offset: usize, lines: &SourceLines<'_>) -> Result<Option<Vec<SourceNode>>, Diagnostic> {
    if !text.trim_start().starts_with('{') {
        return Ok(None);
    }
    let Ok(objects) = Text::from_str(text).into_iter::<&RawValue>().collect::<Result<Vec<_>, _>>() else { return Ok(None) };
    let reader = Reader { text, offset, lines };
    objects.into_iter().map(|object| reader.node(object, 0)).collect::<Result<_, _>>().map(Some)
}

/// What positions are computed from.
struct Reader<'t> {
    text: &'t str,
    /// Where the text starts in its file, in bytes.
    offset: usize,
    lines: &'t SourceLines<'t>,
}

impl Reader<'_> {
    fn node(&self, raw: &RawValue, depth: usize) -> Result<SourceNode, Diagnostic> {
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
                let item = |(index, item): (usize, &&RawValue)| {
                    self.node(item, depth + 1).map_err(|problem| problem.within(&path::entry("", index)))
                };
                Content::List(items.iter().enumerate().map(item).collect::<Result<_, _>>()?)
            }
            _ => {
                let value: Value = serde_json::from_str(text).map_err(|error| Diagnostic::error(position, error.to_string()))?;
                let value = value.as_f64().filter(|_| value.is_f64()).and_then(real_value).unwrap_or(value);
                let written = value.as_str().map_or_else(|| text.to_owned(), str::to_owned);
                Content::Scalar { value, written }
            }
        };
        Ok(SourceNode { position, content })
    }

    fn map(&self, members: &[(&RawValue, &RawValue)], depth: usize) -> Result<Content, Diagnostic> {
        let (mut entries, mut keys) = (Vec::new(), BTreeSet::new());
        for (name, value) in members {
            let position = self.position(name.get());
            let key: String = serde_json::from_str(name.get()).map_err(|error| Diagnostic::error(position, error.to_string()))?;
            let node = self.node(value, depth + 1).map_err(|problem| problem.within(&path::step(&key)))?;
            insert(&mut entries, &mut keys, MapEntry { key, position, node })?;
        }
        Ok(Content::Map(entries))
    }

    /// Where a part of the text stands.
    fn position(&self, part: &str) -> Position {
        let start = self.offset + (part.as_ptr() as usize - self.text.as_ptr() as usize);
        self.lines.position(start..start + part.len())
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
        let shown = match objects(text, 0, &SourceLines::of(text)) {
            Ok(Some(nodes)) => nodes.iter().map(|node| format!("{}\n", node.value())).collect(),
            Ok(None) => "no JSON\n".to_owned(),
            Err(problem) => format!("{problem}\n"),
        };
        expected.assert_eq(&shown);
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
            no JSON
        "#]],
        );
        check(
            "[1]",
            expect![[r#"
            no JSON
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
                2:2: a.b: duplicate field "b": line 1 already sets it; keep one of the two
            "#]],
        );
        check(
            r#"{"a": [{"b": 1, "\u0062": 2}]}"#,
            expect![[r#"
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
