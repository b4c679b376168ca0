//! Splitting a file into documents, as kubectl does it: at lines that start with `---`.
//!
//! Docs: kubectl apply. What is in a document is read in `yaml.rs` and `json.rs`.

use std::ops::Range;

/// What some editors put before a text; it means nothing.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The documents of a file, as ranges of bytes without byte order marks; empty ones are among them.
///
/// # Errors
/// The bytes after a `---` on its line that are not a comment.
pub(crate) fn documents(text: &str) -> Result<Vec<Range<usize>>, Range<usize>> {
    let mut documents = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if start == at && line.starts_with(BYTE_ORDER_MARK) {
            start += BYTE_ORDER_MARK.len_utf8();
        }
        if let Some(rest) = line.strip_prefix("---") {
            if !rest.trim().is_empty() && !rest.trim_start().starts_with('#') {
                let behind = end - rest.trim_start().len();
                return Err(behind..behind + rest.trim().len());
            }
            documents.push(start..at);
            start = end;
        }
        at = end;
    }
    documents.push(start..at);
    Ok(documents)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&[&str], &str>) {
        let found = documents(text);
        let found = found.as_ref().map(|ranges| ranges.iter().map(|range| &text[range.clone()]).collect::<Vec<_>>());
        assert_eq!(found.as_deref().map_err(|range| &text[(*range).clone()]), expected);
    }

    #[test]
    fn lines_of_dashes_part_documents() {
        check("a: 1\n---\nb: 2\n", Ok(&["a: 1\n", "b: 2\n"]));
        check("---\r\na: 1\r\n--- # next\r\n", Ok(&["", "a: 1\r\n", ""]));
        check("a: |\n  x\n---#\nb", Ok(&["a: |\n  x\n", "b"]));
        check("\u{feff}a: 1\n ---\n", Ok(&["a: 1\n ---\n"]));
        check("a: 1\n---\n\u{feff}b: 2", Ok(&["a: 1\n", "b: 2"]));
        check("", Ok(&[""]));
    }

    #[test]
    fn nothing_stands_behind_the_dashes() {
        check("a: 1\n--- {b: 2} \n", Err("{b: 2}"));
        check("----", Err("-"));
    }
}
