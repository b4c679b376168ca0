//! Splitting a file into documents, as kubectl does it: at lines that start with `---`.
//!
//! Docs: kubectl apply. What is in a document is read in `yaml.rs` and `json.rs`.

use std::ops::Range;

/// What some editors put before a text; it means nothing.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A document of a file, which may be empty.
pub(crate) struct SplitDocument {
    /// Its bytes, without a byte order mark.
    pub(crate) bytes: Range<usize>,
    /// What follows the `---` above it on the same line, unless it is a comment.
    pub(crate) behind: Option<Range<usize>>,
}

/// The documents of a file from this byte on. A separator that ends nothing, as nothing stands before it, begins its document.
pub(crate) fn documents(text: &str, from: usize) -> Vec<SplitDocument> {
    let (mut documents, mut behind) = (Vec::new(), None);
    let (mut start, mut at) = (from, from);
    for line in text[from..].split_inclusive('\n') {
        let end = at + line.len();
        if start == at && line.starts_with(BYTE_ORDER_MARK) {
            start += BYTE_ORDER_MARK.len_utf8();
        }
        if let Some(rest) = line.strip_prefix("---") {
            let words = end - rest.trim_start().len()..end - rest.trim_start().len() + rest.trim().len();
            let words = Some(words).filter(|words| !words.is_empty() && !text[words.start..].starts_with('#'));
            if start < at || words.is_some() {
                documents.push(SplitDocument { bytes: start..at, behind });
                (start, behind) = (end, words);
            }
        }
        at = end;
    }
    documents.push(SplitDocument { bytes: start..at, behind });
    documents
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = documents(text, 0).into_iter().map(|document| &text[document.bytes]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_of_dashes_part_documents() {
        check("a: 1\n---\nb: 2\n", &["a: 1\n", "b: 2\n"]);
        check("---\r\na: 1\r\n--- # next\r\n", &["---\r\na: 1\r\n", ""]);
        check("a: 1\n---\n---\n---\nb: 2\n", &["a: 1\n", "---\n", "b: 2\n"]);
        check("a: |\n  x\n---#\nb", &["a: |\n  x\n", "b"]);
        check("\u{feff}a: 1\n ---\n", &["a: 1\n ---\n"]);
        check("a: 1\n---\n\u{feff}b: 2", &["a: 1\n", "b: 2"]);
        check("", &[""]);
    }

    #[test]
    fn nothing_stands_behind_the_dashes() {
        let words = |document: &SplitDocument, text: &str| document.behind.clone().map_or_else(String::new, |range| text[range].to_owned());
        let behind = |text: &str| documents(text, 0).iter().map(|document| words(document, text)).collect::<Vec<_>>();
        assert_eq!(behind("a: 1\n--- {b: 2} \nc: 3\n--- # d\n"), ["", "{b: 2}", ""]);
        assert_eq!(behind("--- # c\n----"), ["", "-"]);
    }
}
