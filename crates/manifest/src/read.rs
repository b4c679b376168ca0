//! Reading: all documents of a file, in YAML or JSON, as kubectl finds them.
//!
//! Docs: kubectl apply. What the documents are is decided in `jobs.rs`.

use crate::lines::SourceLines;
use crate::{Diagnostic, Document, json, split, yaml};

/// Reads all documents of a file; those that are empty or `null` are passed over.
///
/// # Errors
/// If the text is neither YAML 1.1 nor JSON, sets a key twice, or has what JSON cannot express: the first such place.
pub fn read(text: &str) -> Result<Vec<Document>, Diagnostic> {
    let lines = SourceLines::of(text);
    let ranges = split::documents(text).map_err(|behind| {
        Diagnostic::error(lines.position(behind), "a line that starts with --- separates documents and must contain nothing else")
            .remedy("start the document on the next line")
    })?;
    let mut documents = Vec::new();
    for range in ranges {
        let part = &text[range.clone()];
        let nodes = match json::objects(part, range.start, &lines)? {
            Some(objects) => objects,
            None => yaml::document(part, range.start, &lines)?.into_iter().collect(),
        };
        documents.extend(nodes.into_iter().filter(|node| !node.null()).map(Document::of));
    }
    Ok(documents)
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
            "a: 1\n---\n\n---\nnull\n--- # last\n{\"b\": 2}\n{\"c\": 3}\n",
            expect![[r#"
            {"a":1}
            {"b":2}
            {"c":3}
        "#]],
        );
        check(
            "{\"a\": 1}\n---\nb: {c: yes}\n",
            expect![[r#"
            {"a":1}
            {"b":{"c":true}}
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
    fn a_field_replaces_what_a_merge_brings() {
        check(
            "a: &x {b: 1, c: 1}\nd: &y {b: 2, e: 2}\nf:\n  <<: *x\n  b: 3\ng: {<<: [*x, *y], e: 3}\n",
            expect![[r#"
            {"a":{"b":1,"c":1},"d":{"b":2,"e":2},"f":{"b":3,"c":1},"g":{"b":1,"c":1,"e":3}}
        "#]],
        );
        let anchor = "a: &x {b: 1}\nc:\n";
        check(
            &format!("{anchor}  b: 3\n  <<: *x\n"),
            expect![[r#"
            4:3: c: << brings "b", which line 3 already sets; put << first: the fields below it replace what it brings
        "#]],
        );
        check(
            &format!("{anchor}  <<: *x\n  <<: {{b: 3}}\n"),
            expect![[r#"
            4:3: c: << brings "b", which line 1 already sets; merge a list of maps: the first one counts
        "#]],
        );
        check(
            &format!("{anchor}  <<: *x\n  b: 3\n  b: 4\n"),
            expect![[r#"
            5:3: c.b: duplicate field "b": line 4 already sets it; keep one of the two
        "#]],
        );
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
            "{a: 1}\nb: 2\n",
            expect![[r#"
                2:1: invalid YAML: did not find expected <document start>; put a line with `---` between two documents
            "#]],
        );
    }

    #[test]
    fn block_scalars_end_as_their_text_ends() {
        check(
            "a: |\n  b",
            expect![[r#"
            {"a":"b"}
        "#]],
        );
        check(
            "a: |\n  b\n",
            expect![[r#"
            {"a":"b\n"}
        "#]],
        );
        check(
            "a: |+\n  b\n  ",
            expect![[r#"
            {"a":"b\n"}
        "#]],
        );
        check(
            "a: >-\n  b",
            expect![[r#"
            {"a":"b"}
        "#]],
        );
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
