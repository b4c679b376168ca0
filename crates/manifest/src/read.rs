//! Reading: all documents of a file, in YAML or JSON, as kubectl finds them.
//!
//! Docs: kubectl apply. What the documents are is decided in `jobs.rs`.

use crate::lines::SourceLines;
use crate::node::{Content, SourceNode};
use crate::split::{self, SplitDocument};
use crate::{Diagnostic, Document, Position, json, yaml};

/// Reads all documents of a file; those that are empty or `null` are passed over.
///
/// # Errors
/// If the text is neither YAML 1.1 nor JSON, sets a key twice, or has what JSON cannot express: the first such place.
pub fn read(text: &str) -> Result<Vec<Document>, Diagnostic> {
    FileReading::of(text).all()
}

/// Reads all documents of a part of a file. kubectl ends the last line of a file; this does not, which makes a difference in a block scalar.
///
/// # Errors
/// As [`read`] has them.
pub fn read_part(text: &str) -> Result<Vec<Document>, Diagnostic> {
    FileReading::of_part(text).all()
}

/// What can be read of a file, and what is wrong with the rest of it: for who asks several things of one file.
#[derive(Debug)]
pub struct FileReading<'t> {
    /// The text of the file.
    pub text: &'t str,
    /// The documents that can be read, each with the keys that it sets twice: the first value of each is in it.
    pub(crate) documents: Vec<(Document, Vec<Diagnostic>)>,
    /// What is wrong with the other documents.
    pub(crate) unreadable: Vec<Diagnostic>,
}

impl<'t> FileReading<'t> {
    /// Reads all documents of a file; after one that cannot be read, it goes on with the next.
    #[must_use]
    pub fn of(file: &'t str) -> Self {
        // kubectl ends the last line, which counts in a block scalar.
        if file.ends_with('\n') {
            Self::of_part(file)
        } else {
            let FileReading { documents, unreadable, .. } = FileReading::of_part(&format!("{file}\n"));
            Self { text: file, documents, unreadable }
        }
    }

    fn of_part(text: &'t str) -> Self {
        let (lines, mut reading) = (SourceLines::of(text), Self { text, documents: Vec::new(), unreadable: Vec::new() });
        let (objects, end) = json::objects(text);
        let count = objects.len();
        for object in objects {
            reading.add(|duplicates| json::node(object, text, &lines, duplicates).map(Some));
        }
        let rest = text[end..].trim();
        if count > 1 && !rest.is_empty() {
            let start = text.trim_end().len() - rest.len();
            reading.unreadable.push(not_json(lines.position(start..usize::MAX)));
            return reading;
        }
        for SplitDocument { bytes, behind } in split::documents(text, end) {
            if let Some(behind) = behind {
                let message = "a line that starts with --- separates documents and must contain nothing else";
                reading.unreadable.push(Diagnostic::error(lines.position(behind), message).remedy("start the document on the next line"));
                // What stands on the next lines may be the rest of what begins on this one.
                continue;
            }
            let (start, document) = (bytes.start, &text[bytes]);
            let behind_json = count > 0 && start == end && !document.starts_with("---");
            reading.add(|duplicates| {
                let node = yaml::document(document, start, &lines, duplicates)?;
                if behind_json { node.map(refuse_words).transpose() } else { Ok(node) }
            });
        }
        reading
    }

    /// Whether all of it can be read.
    pub(crate) fn is_whole(&self) -> bool {
        self.unreadable.is_empty() && self.documents.iter().all(|(_, duplicates)| duplicates.is_empty())
    }

    /// All documents, unless something is wrong.
    fn all(self) -> Result<Vec<Document>, Diagnostic> {
        let (documents, duplicates): (Vec<_>, Vec<_>) = self.documents.into_iter().unzip();
        let problems = self.unreadable.into_iter().chain(duplicates.into_iter().flatten());
        problems.min_by_key(|problem| problem.position).map_or(Ok(documents), Err)
    }

    /// Adds what can be read of a document.
    fn add(&mut self, read: impl FnOnce(&mut Vec<Diagnostic>) -> Result<Option<SourceNode>, Diagnostic>) {
        let mut duplicates = Vec::new();
        match read(&mut duplicates) {
            Ok(Some(node)) if !node.null() => self.documents.push((Document::of(node), duplicates)),
            Ok(_) => {}
            Err(problem) => self.unreadable.extend(duplicates.into_iter().chain([problem])),
        }
    }
}

/// Refuses text after JSON that is not a map: it may be a part of what is missing there.
fn refuse_words(node: SourceNode) -> Result<SourceNode, Diagnostic> {
    let map = node.null() || matches!(node.content, Content::Map(_));
    if map { Ok(node) } else { Err(not_json(node.position)) }
}

fn not_json(position: Position) -> Diagnostic {
    let error = Diagnostic::error(position, "what stands behind the JSON is not JSON");
    error.remedy("check the brackets of the JSON, or put a line with `---` between all objects")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let shown = match read(text) {
            Ok(documents) => documents.iter().map(|document| format!("{}\n", document.value())).collect(),
            Err(problem) => format!("{problem}\n"),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn documents_in_yaml_and_json() {
        check(
            "a: 1\n---\n\n---\nnull\n--- # last\n{\"b\": 2}\n",
            expect![[r#"
            {"a":1}
            {"b":2}
        "#]],
        );
        check(
            "{\"a\": 1}\n{\"b\": \"\\/\"}\n---\nb: {c: yes}\n",
            expect![[r#"
                3:1: what stands behind the JSON is not JSON; check the brackets of the JSON, or put a line with `---` between all objects
            "#]],
        );
        check(
            "\u{feff}a: 1\r\n---\r\n\u{feff}b: |\r\n  x\r\n",
            expect![[r#"
            {"a":1}
            {"b":"x\n"}
        "#]],
        );
    }

    #[test]
    fn anchors_and_merges() {
        check(
            "a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\n",
            expect![[r#"
            {"a":{"b":1},"c":{"b":1},"d":{"b":1,"e":2}}
        "#]],
        );
        check(
            "a: &x {b: *x}",
            expect![[r#"
            1:11: a.b: the value of the anchor &x contains itself
        "#]],
        );
        check(
            "a: *x",
            expect![[r#"
            1:4: a: no anchor &x comes before this alias
        "#]],
        );
    }

    #[test]
    fn what_comes_after_a_merge_counts() {
        check(
            "a: &x {b: 1, c: 1}\nd: {<<: *x, b: 2}\ne: {b: 2, <<: *x}\nf: {<<: [{b: 3}, *x]}\ng: {<<: *x, <<: {b: 4}}\n",
            expect![[r#"
                {"a":{"b":1,"c":1},"d":{"b":2,"c":1},"e":{"b":1,"c":1},"f":{"b":3,"c":1},"g":{"b":4,"c":1}}
            "#]],
        );
        check(
            "a: &x {b: 1}\nd:\n  b: 2\n  <<: *x\n  b: 3\n",
            expect![[r#"
                5:3: d.b: duplicate field "b": line 3 already sets it; keep one of the two
            "#]],
        );
    }

    #[test]
    fn after_a_document_that_cannot_be_read_the_next_one_is_read() {
        let reading =
            FileReading::of("a: 1\na: {b: 1, b: 2}\n---\nc: [\n--- # d: |\nd: |\n  ---\n--- e\nf: 1\n---\n{\"g\": 1, \"g\": 2}\n");
        let shown = |(document, duplicates): &(Document, Vec<Diagnostic>)| {
            let duplicates: String = duplicates.iter().map(|problem| format!("  {problem}\n")).collect();
            format!("{}\n{duplicates}", document.value())
        };
        let unreadable: String = reading.unreadable.iter().map(|problem| format!("{problem}\n")).collect();
        expect![[r#"
            {"a":1}
              2:11: a.b: duplicate field "b": line 2 already sets it; keep one of the two
              2:1: a: duplicate field "a": line 1 already sets it; keep one of the two
            {"d":"---\n"}
            {"g":1}
              11:10: g: duplicate field "g": line 11 already sets it; keep one of the two
            4:5: c: invalid YAML: did not find expected node content; check this line and the one above it for missing quotes, unclosed brackets or wrong indentation
            8:5: a line that starts with --- separates documents and must contain nothing else; start the document on the next line
        "#]].assert_eq(&(reading.documents.iter().map(shown).collect::<String>() + &unreadable));
    }

    #[test]
    fn aliases_of_aliases_have_an_end() {
        let laughs: String =
            ('b'..='z').zip('a'..).map(|(name, before)| format!("{name}: &{name} [{}]\n", format!("*{before},").repeat(9))).collect();
        check(
            &format!("a: &a [lol]\n{laughs}"),
            expect![[r#"
                6:26: f[6]: aliases expand to more than 100000 values
            "#]],
        );
        let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(1_000_000), "*a,".repeat(9));
        check(
            &long,
            expect![[r#"
                2:23: b[6]: aliases expand to more than 100000 values
            "#]],
        );
        let deep: String = (1..200).map(|name| format!("a{name}: &a{name} [*a{}]\n", name - 1)).collect();
        check(
            &format!("a0: &a0 x\n{deep}"),
            expect![[r#"
                101:14: a100[0]: lists and maps are nested more than 100 levels deep
            "#]],
        );
        check(
            &"[".repeat(10_000),
            expect![[r#"
                1:101: [0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: lists and maps are nested more than 100 levels deep
            "#]],
        );
    }

    #[test]
    fn what_comes_after_a_document_is_refused() {
        check(
            "a: 1\n...\nb: 2\n",
            expect![[r#"
                3:1: invalid YAML: did not find expected <document start>; replace `...`: it stands for what a page leaves out
            "#]],
        );
        check(
            "{\"a\": 1}}\n",
            expect![[r#"
            1:9: invalid YAML: did not find expected node content; check this line and the one above it for missing quotes, unclosed brackets or wrong indentation
        "#]],
        );
        check(
            "{\"a\": 1}\n{\"a\": 2}\n\n---\nb: 1\n",
            expect![[r#"
            4:1: what stands behind the JSON is not JSON; check the brackets of the JSON, or put a line with `---` between all objects
        "#]],
        );
        check(
            "{\"a\": 1} b\n",
            expect![[r#"
                1:10: what stands behind the JSON is not JSON; check the brackets of the JSON, or put a line with `---` between all objects
            "#]],
        );
        check(
            "{a: 1}\nb: 2\n",
            expect![[r#"
                2:1: invalid YAML: did not find expected <document start>; put a line with `---` between two documents
            "#]],
        );
    }

    #[test]
    fn block_scalars_end_as_their_text_ends() {
        let ends = |text: &str| (read_part(text).unwrap()[0].value()["a"].clone(), read(text).unwrap()[0].value()["a"].clone());
        for (text, part, file) in
            [("a: |\n  b", "b", "b\n"), ("a: |\n  b\n", "b\n", "b\n"), ("a: |+\n  b\n  ", "b\n", "b\n\n"), ("a: >-\n  b", "b", "b")]
        {
            assert_eq!(ends(text), (part.into(), file.into()), "{text:?}");
        }
    }

    #[test]
    fn commas_touch_tags_and_words() {
        check(
            "[!a,b]",
            expect![[r#"
                1:4: invalid YAML: did not find expected whitespace or line break; check this line and the one above it for missing quotes, unclosed brackets or wrong indentation
            "#]],
        );
        check(
            "a: [\"well!, yes\", hi!, 'a!b,c']\nb: x!,y\nc: ä!,*ö",
            expect![[r#"
            {"a":["well!, yes","hi!","a!b,c"],"b":"x!,y","c":"ä!,*ö"}
        "#]],
        );
    }

    /// Bytes that the rules of YAML turn on.
    const LETTERS: &[u8] = b"\n\n  -:,[]{}#&*!|>'\"%@`?<=~.\\/\t\r0179aeoxy_+\xc2\x85\xe2\x80\xa8\xef\xbb\xbf\x00\xff";

    #[test]
    fn no_text_makes_reading_panic() {
        let sources = [
            "a: &x [1, {b: \"c\\n\"}]\nd: *x\n",
            "? |+\n  a\n: >-\n  b\n",
            "%YAML 1.1\n",
            "{\"a\": [1, \"b\"]}",
            "- !t,\n- !<x>,",
            "<<: [{a: 1}]",
        ];
        let mut seed: u64 = 1;
        let mut below = |end: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % end
        };
        for _ in 0..5_000 {
            let mut bytes = sources[below(sources.len())].as_bytes().to_vec();
            for _ in 0..=below(8) {
                let at = below(bytes.len() + 1);
                match below(3) {
                    0 => bytes.truncate(at),
                    1 => bytes.insert(at, LETTERS[below(LETTERS.len())]),
                    _ => drop(bytes.splice(at..at, sources[below(sources.len())].bytes())),
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            if let Err(found) = crate::jobs(&text) {
                assert!(!crate::render(&found, "x", &text, true).is_empty());
            }
        }
    }
}
