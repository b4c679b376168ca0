//! Text in quotation marks, as Go puts it into errors.
//!
//! Docs: Go's packages `strconv` (`Quote`) and `time` (C-58). The errors are made in `fields.rs` and `every.rs`.

use std::fmt::Write as _;

/// Text as `strconv.Quote` writes it: what cannot be printed is escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        let code = u32::from(letter);
        let escape = match letter {
            '"' | '\\' => format!("\\{letter}"),
            '\x07' => "\\a".to_owned(),
            '\x08' => "\\b".to_owned(),
            '\x0c' => "\\f".to_owned(),
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            '\x0b' => "\\v".to_owned(),
            _ if printable(letter) => letter.to_string(),
            _ if letter.is_ascii() => format!("\\x{code:02x}"),
            _ if code < 0x1_0000 => format!("\\u{code:04x}"),
            _ => format!("\\U{code:08x}"),
        };
        quoted.push_str(&escape);
    }
    quoted + "\""
}

fn printable(letter: char) -> bool {
    // A letter stands before it, since Rust escapes a mark that has nothing to be on.
    let mut text = String::from('x');
    text.push(letter);
    letter == '\'' || text.escape_debug().count() == 2
}

/// Text as the package `time` writes it: what is not ASCII is escaped byte by byte.
pub(crate) fn quoted_bytes(text: &str) -> String {
    let mut quoted = String::from('"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b' '..=b'\x7f' => quoted.push(char::from(byte)),
            _ => write!(quoted, "\\x{byte:02x}").expect("memory takes all"),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_as_go_escapes_it() {
        let check =
            |text: &str, expected: &str, bytes: &str| assert_eq!((quoted(text).as_str(), quoted_bytes(text).as_str()), (expected, bytes));
        check("a'b", r#""a'b""#, r#""a'b""#);
        check("\"\\", r#""\"\\""#, r#""\"\\""#);
        check("\n\x01\x7f", r#""\n\x01\x7f""#, "\"\\x0a\\x01\x7f\"");
        check("é\u{301}", "\"é\u{301}\"", r#""\xc3\xa9\xcc\x81""#);
        check("\u{200b}\u{ffff}", r#""\u200b\uffff""#, r#""\xe2\x80\x8b\xef\xbf\xbf""#);
        check("😀\u{e0001}", r#""😀\U000e0001""#, r#""\xf0\x9f\x98\x80\xf3\xa0\x80\x81""#);
    }
}
