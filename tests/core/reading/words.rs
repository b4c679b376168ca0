//! Words: keys and values of YAML 1.1 that readers disagree about.
//!
//! Docs: YAML 1.1 types. Files are made of them in `tricky.rs`.

/// Keys of which no two mean the same.
#[rustfmt::skip]
pub(super) const KEYS: &[&str] = &[
    "a", "b", "c", "'d e'", "\"f\\tg\"", "1", "0x1F", "yes", "NO", "1.5", "12:30", "2001-01-01", "🎉", "ключ ü", "a.b/c", "http://x", "h#i", "-j", "k l",
    "!!str m", "\"\\u00e9\\x41\\U0001F600\"", "'it''s'", "''", "=", "0o7", "1e3", "\"<<\"", ".n", "_1", "!o p",
];

/// Words, in brackets or not.
#[rustfmt::skip]
pub(super) const WORDS: &[&str] = &[
    "yes", "Yes", "NO", "no", "on", "Off", "y", "n", "true", "False", "~", "null", "Null", "nUll", "''", "\"\"", "0o7", "0O17", "07", "08", "09.5", "0b11",
    "0x1F", "-0x10", "1_000", "_1", "1__0", "1e3", "1E+3", "1.", ".5", "-.5", "+1", "-0", "-0.0", "1.10", "1e21", "1e400", "1e-400", "12:30:45", "190:20:30",
    "2001-01-01", "2001-12-14t21:59:43.10-05:00", "18446744073709551615", "18446744073709551616", "-9223372036854775809", "0.1", "1.2.3", "1f", "--1", "a",
    "a b  c", "a:b", "a#b", "http://x:80/y", "it's", "a \"b\"", "<", "=", "-a", "$(X)", "50%", "\\n", "é 🎉", "'it''s'", "'a # b'", "'{{ a }}'", "\"# a\"",
    "\"\\n\\t\\x41\\u00e9\\U0001F600\"", "\"\\e\\0\\a\\N\\_\\L\\P\"", "\"a\\\\b\\\"c\"", "\"a: b\"", "!!str 1", "!!int '0x1F'", "!!float 1", "!!bool 'yes'",
    "!!null ''", "!own 1", "! 1", "!<tag:yaml.org,2002:int> '1'", "a\tb",
];

/// Words outside of brackets only.
pub(super) const LOOSE_WORDS: &[&str] =
    &["1,000", "b]", "c}", "d, e", "${X}", "{a}", "http://x:80/y?z#w", ":a", "?a", "!!str", "!!null", "a,"];

/// Words that nobody reads.
pub(super) const BAD_WORDS: &[&str] = &[
    ".inf", "-.INF", ".nan", "@a", "`a`", "*nobody", "a: b", "\"\\q\"", "!!int x", "!!bool 1", "- a", "%a", "'a", "\"a", "\u{7}", "&",
    "[a", "{a: ",
];

/// What text in a block scalar looks like.
pub(super) const TEXTS: &[&str] =
    &["text", "a: b", "# no comment", "- item", "  deeper", "\ttab", "'quote", "é 🎉", "trailing ", "*x &y", "--- a", "", "", " ", "    "];

/// What is put anywhere into a file to spoil it.
#[rustfmt::skip]
pub(super) const SPOILS: &[&str] = &[
    "\t", "@", "]", "'", "\"", " ", "\u{7}", ": ", "- ", "zz: y: x\n", "`", "{", "!", "|\n", "\n\tzz: 1\n", "&", "*", "#", "\n", ",", "%",
];
