//! Reading: manifests are read as upstream reads them, compared input by input with the oracle.
//!
//! Docs: kubectl apply. The inputs are YAML 1.1 at its oddest. What is decoded from values has its tests in `tests/host/decoding.rs`.

use cluster::rng::Rng;
use core_tests::native::Native;
use core_tests::oracle::Oracle;
use protocol::Session;
use serde_json::{Value, json};

/// Inputs of one document that readers of YAML disagree about.
#[rustfmt::skip]
const TRICKY: &[&str] = &[
    // Words.
    "a: yes", "a: Yes", "a: YES", "a: yEs", "a: y", "a: N", "a: on", "a: Off", "a: true", "a: tRUE", "a: null", "a: ~", "a: nUll", "a:",
    "a: NaN", "a: .nan", "a: .inf", "a: -.INF", "a: inf", "a: =", "a: <<", "a: 'yes'", "a: \"no\"", "a: |\n  yes\n", "a: >-\n  1\n",
    // Numbers.
    "a: 0644", "a: 0o644", "a: 0O17", "a: 08", "a: 09.5", "a: 0x1F", "a: 0X_1f", "a: 0b101", "a: 0b", "a: 0x", "a: -0b11", "a: -0b",
    "a: 1_000", "a: _1", "a: 1_", "a: 1__0", "a: 1e3", "a: 1E+3", "a: 1e-3", "a: 1.", "a: .5", "a: -.5", "a: -._5", "a: ._5", "a: 5._5",
    "a: .", "a: +1", "a: +-1", "a: -", "a: --1", "a: 1.5e3", "a: 1e", "a: 1e400", "a: -1e400", "a: 1e-400", "a: 1.2.3", "a: 1,000",
    "a: 12:30", "a: 190:20:30", "a: 9223372036854775807", "a: 9223372036854775808", "a: 18446744073709551615", "a: 18446744073709551616",
    "a: -9223372036854775808", "a: -9223372036854775809", "a: 0xffffffffffffffff", "a: 0x10000000000000000", "a: 1e20", "a: 1e21",
    "a: 0.1", "a: 1.10", "a: 1.0", "a: -0", "a: -0.0", "a: 0.0000001", "a: 4.9e-324", "a: 1.7976931348623159e308",
    "a: 01777777777777777777777", "a: 0_7", "a: 1f",
    // Dates.
    "a: 2001-01-01", "a: 2001-1-1", "a: 2001-12-14t21:59:43.10-05:00", "a: 2001-12-14 21:59:43", "2001-01-01: a",
    // Keys.
    "1: a", "1.5: a", "yes: a", "y: a\nn: b", "on:\n  push: 1", "null: a", "~: a", ": a", "? a", "? a\n: b", "?\n: a", "? [a]\n: b",
    "? {a: 1}\n: b", "1e3: a", "1e30: a", ".inf: a", "-0.0: a", "0x10: a", "18446744073709551615: a", "\"1\": a", "'': a",
    "? |\n  a\n: b", "a b: c", "a:b: c", "a:: b", "- - a", "a#b: c", "a #b: c", "[a]: b", "{a: 1}: b", "\"a\": 1", "'a' : 1", "a : 1",
    "? a : b", "!!str 1: a", "!!int '1': a", "&k a: *k", "x: &k foo\n*k : 1", "x: &k 1\n? *k\n: 2",
    // Duplicates.
    "a: 1\na: 2", "{a: 1, a: 2}", "0x1: a\n1: b", "yes: 1\ntrue: 2", "a: {b: 1, b: 2}", "a: 1\n\"a\": 2", "- {a: 1}\n- {a: 1}",
    // Merge keys.
    "d:\n  <<: {a: 1}\n  b: 1", "x: &x {a: 1}\nd:\n  <<: *x", "x: &x {a: 1}\ny: &y {b: 1}\nd:\n  <<: [*x, *y]",
    "x: &x {a: 1}\nd:\n  a: 2\n  <<: *x", "d:\n  <<: 1", "d:\n  <<:", "d: {<<: [1]}",
    "d: {<<: [{a: 1}, {b: 2}]}", "d: {\"<<\": {a: 1}}", "d: {!!merge <<: {a: 1}}", "d: {!!str <<: {a: 1}}", "<<: {a: {<<: {b: 1}}}",
    "d: {<<: {a: 1}, <<: {b: 1}}",
    // Anchors and aliases.
    "a: &x 1\nb: *x", "a: &x [1]\nb: *x\nc: *x", "a: *x", "a: &x [*x]", "a: &x {b: *x}", "a: &x 1\nb: &x 2\nc: *x",
    "a: &x {b: &x 1, c: *x}\nd: *x", "a: &x\nb: *x", "- &x a\n- *x", "a: &x !!str 1\nb: *x", "a: *x\nb: &x 1", "&a [1]", "a: &x &y 1",
    "a: &x-1.b 1\nb: *x-1.b", "a: & 1", "a: * 1",
    // Tags.
    "a: !!str 1", "a: !!int '1'", "a: !!int x", "a: !!int 1.5", "a: !!float 1", "a: !!float x", "a: !!bool 'yes'", "a: !!bool 1",
    "a: !!null ''", "a: !!null x", "a: !!str", "a: !!int", "a: !foo 1", "a: !foo {b: 1}", "a: ! 1", "a: !!map {b: 1}", "a: !!seq {b: 1}",
    "a: !!set {b, c}", "{a: '!b', c: d}", "{a: 'x !b', c: d}", "['it''s !x', c]", "a: !!timestamp x", "a: !<tag:yaml.org,2002:int> '1'", "a: !e!x 1", "a: !!foo 1", "a: !!float .inf",
    // Directives and the ends of documents.
    "%YAML 1.2\n---\na: 1", "%YAML 2.0\n---\na: 1", "%FOO\n---\na: 1", "---\na: 1", "a: 1\n...\n", "...", "---", "", "\n", "# only",
    "--- # c\na: 1", "a: 1\n# end",
    // Indentation.
    "a:\n- 1\n- 2", "a:\n - 1\n- 2", "a:\n  b: 1\n c: 2", "a: 1\n b: 2", " a: 1\n b: 2", "- a\nb: 1", "- a: 1\n  b: 2\n-  c: 3",
    "-\n  a: 1", "a:\n\n\n  b: 1", "a:\n  - b:\n    - c", "a: - b", "a: b: c", "- - - a\n    - b", "a:\n    b: 1\n  c: 2", "a\nb",
    "a\nb: c", "a: b\n  c", "a: b\n\n  c", "a:\n  b\n  c", "- a\n- b\n - c", "a: 'b\n  c'", "a: \"b\n\n  c\"", "a: 1\n]",
    "a: [\n1,\n2\n]", "a: [\n  1\n", "a: {\n  b: 1\n}", "a: [1]\nb: 2",
    // Tabs, line ends, byte order marks, odd characters.
    "\ta: 1", "a:\t1", "a: 1\t", "a:\n\tb: 1", "a:\n  b: 1\n\tc: 2", "- \ta", "-\ta", "a: [\t1,\t2]", "a: {\n\tb: 1}", "a: |\n  x\n\ty\n",
    "a: \"\t\"", "a: 'b\tc'", "a: b\tc", "a: 1 \t# c", "a:\t\n  b: 1", "a: |\t\n  b", "a: 1\r\nb: 2\r\n", "a: |\r\n  x\r\n  y\r\n",
    "a: 1\rb: 2", "\u{feff}a: 1", "\u{feff}", "a: b\u{85}c: d", "a: b\u{2028}c", "a: \u{a0}b", "\u{a0}a: 1", "a: \u{7f}", "a: \u{1}",
    "a: \0", "a: \u{1f600}", "ä: ö", "a: \"\u{2029}\"",
    // Quotes and escapes.
    "a: \"\\n\\t\\x41\\u00e9\\U0001F600\"", "a: \"\\/\"", "a: \"\\q\"", "a: \"\\ud83d\\ude00\"", "a: \"\\e\\0\\a\\N\\_\\L\\P\"",
    "a: \"b\\\n  c\"", "a: \"b\\  \n  c\"", "a: 'it''s'", "a: 'b", "a: \"b", "a: \"b\" c", "a: 'b' c", "a: b 'c'", "a: b\"c", "a: \"b\"c",
    "a: \"b\"#c", "a: \"b\" #c", "a: ''", "a: \"\"", "a: \"b\n---\nc\"", "a: \"\\x4\"",
    // Block scalars.
    "a: |\n  b\n  c\n", "a: |-\n  b\n", "a: |+\n  b\n\n", "a: >\n  b\n  c\n\n  d\n", "a: >-\n  b\n   c\n  d\n", "a: |2\n   b\n",
    "a: |1-\n  b\n", "a: |-1\n  b\n", "a: |0\n  b", "a: |12\n  b", "a: |\n", "a: |", "a: |\n\n\n  b", "a: |\n    b\n  c\n",
    "a: |\n   \n  b\n", "a: | # c\n  b", "a: |#c\n  b", "a: |x\n  b", "a: >\n\n  b\n\n\n  c\n", "- |\n b\n- >\n c\n", "a: |\nb: 1",
    "a: >+\n  b\n\n\nc: 1", "a: |\n  b\n # c\n", "a: |\n  b # c\n", "a: |\n b\n  c\n", "a: |9\n  b",
    // Flow.
    "[a, b]", "[a, b, ]", "[a,, b]", "[,]", "{a, b: 1}", "{a: 1, }", "{,}", "{a: , b: }", "[a: 1, b]", "[a: 1, b: 2]", "[? a : b]",
    "{? a : b}", "{? a}", "[a b, c]", "{a:1}", "{a:1, b: 2}", "{\"a\":1}", "{\"a\":1, 'b':2}", "[\"a\":1]", "[a:1]", "{a: [b, {c: d}]}",
    "[[[]]]", "{}", "[]", "[{}]", "{a: b: c}", "[- a]", "[-]", "[-1]", "{a: -}", "[a#b]", "[a #b\n]", "{a: 'b', \"c\": d}", "[a", "{a: 1",
    "]", "}", "{[a]: b}", "{{a: 1}: b}", "[*a]", "{a: *b}", "[&a b, *a ]", "[&a b, *a]", "{&a b: *a}", "[a\n,b]", "{a\n: b}",
    "{a: b\n  c}", "[http://x/y, b]", "{a: http://x}", "{http://x: 1}", "[a:b]", "[::]", "{::: 1}", "{a::b}", "{x: ?a}", "[?]", "{?: 1}",
    // Plain words with signs.
    "a: b:c", "a: b: c", "a: http://x:80/y", "a: #b", "a: b#c", "a: b #c", "a: @b", "a: `b`", "a: %b", "a: !b", "a: &b", "a: ?b",
    "a: ? b", "a: :b", "a: -b", "a: - b", "a: [b", "a: b]", "a: b}", "a: ,b", "a: b, c", "a: {{ b }}", "a: ${b}", "a: $(b)", "a: *",
    "a: 50%", "%a: b", "@a: b", "a: <b", "a: >b", "a: |b", "a: ~b", "a: a'b", "a: \\n", "a: *.b", "- *.b", "a: $HOME:/x", "a: x:", "x",
    "1", "'x'", "~", "- a", "-a", "- ", "-", "a:", "a: b\nc", "'a\nb'",
    // JSON.
    "{\"a\": {\"b\": [1, 2.0, \"x\", true, null]}}", "{\"a\": 1e3}", "{\"a\": \"\\u0041\"}", "{\n\t\"a\": 1\n}", "{\"a\": 1,}",
    "{\"a\" : 1}", "{\"a\": \"\\t\"}", "[{\"a\": 1}]", "{\"a\":-1,\"b\":[]}",
];

/// Inputs that upstream reads and that are refused here on purpose, with a part of the message: nothing of a file is passed over in silence,
/// and what is not read as one of two ways is not read.
const STRICTER: &[(&str, &str)] = &[
    (" a: 1\nb: 2", "did not find expected <document start>"),
    ("{a: 1}}", "did not find expected <document start>"),
    ("a: !!timestamp 2001-01-01", "!!timestamp values are not supported"),
    ("%YAML 1.1\n---\na: 1", "did not find expected <document start>"),
    ("%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1", "did not find expected <document start>"),
    ("--- a", "must contain nothing else"),
    ("--- |\n  a\n", "must contain nothing else"),
    ("a: \u{feff}b", "does not allow the character U+FEFF"),
    ("a: 1\n...\nb: 2", "did not find expected <document start>"),
    ("a: !!binary aGk=", "!!binary values are not supported"),
    ("1: a\n\"1\": b", "duplicate field"),
    ("{a:}", "found unexpected ':'"),
    ("a: \"\\'\"", "found unknown escape character"),
    ("&a ![1]", "did not find expected whitespace or line break"),
    ("a: !!]int 1", "did not find expected tag URI"),
];

/// Inputs that the oracle's strict reader refuses and kubectl reads, as its `label --local` of v1.37 shows: a field below a merge key replaces what the key
/// brings, and of several maps that it brings the first one counts. With what they are read as.
const MERGED: &[(&str, &str)] = &[
    ("x: &x {a: 1}\nd:\n  <<: *x\n  a: 2", r#"{"x": {"a": 1}, "d": {"a": 2}}"#),
    ("x: &x {a: 1}\nz: &z {a: 2, b: 2}\nd: {<<: [*x, *z], b: 3}", r#"{"x": {"a": 1}, "z": {"a": 2, "b": 2}, "d": {"a": 1, "b": 3}}"#),
];

/// What a reading comes to.
#[derive(Debug, PartialEq)]
enum Reading {
    Value(Value),
    Refused(String),
}

impl Reading {
    fn of(answer: &Value) -> Self {
        match answer.get("error") {
            Some(error) => Self::Refused(error.to_string()),
            None => Self::Value(answer.get("object").cloned().unwrap_or_default()),
        }
    }
}

fn upstream(oracle: &mut Oracle, yaml: &str) -> Reading {
    Reading::of(&oracle.request(&json!({"op": "yaml", "yaml": yaml})))
}

fn ours(yaml: &str) -> Reading {
    let answer = Session::new(Native::default()).serve(&json!({"op": "yaml", "yaml": yaml}).to_string());
    Reading::of(&serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{answer}: {error}")))
}

fn agree(upstream: &Reading, ours: &Reading) -> bool {
    match (upstream, ours) {
        (Reading::Refused(_), Reading::Refused(_)) => true,
        (Reading::Value(upstream), Reading::Value(ours)) => same(upstream, ours),
        _ => false,
    }
}

/// Whether two values are the same, but for what reading the oracle's answer does to the last digit of a number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && same(a.1, b.1)),
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| (a - b).abs() <= a.abs() * 1e-15)
        }
        _ => a == b,
    }
}

fn difference(yaml: &str, upstream: &Reading, ours: &Reading) -> String {
    format!("{yaml:?}\n  upstream {upstream:?}\n  ours     {ours:?}\n")
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn tricky_yaml_is_read_as_upstream_reads_it() {
    let mut oracle = Oracle::start();
    let mut differ = Vec::new();
    for yaml in TRICKY {
        let (upstream, ours) = (upstream(&mut oracle, yaml), ours(yaml));
        if !agree(&upstream, &ours) {
            differ.push(difference(yaml, &upstream, &ours));
        }
    }
    assert!(differ.is_empty(), "{} of {} agree\n{}", TRICKY.len() - differ.len(), TRICKY.len(), differ.concat());
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn what_is_refused_on_purpose_is_refused_with_a_reason() {
    let mut oracle = Oracle::start();
    for (yaml, reason) in STRICTER {
        let (upstream, ours) = (upstream(&mut oracle, yaml), ours(yaml));
        let refused = matches!(&ours, Reading::Refused(message) if message.contains(reason));
        assert!(refused && matches!(upstream, Reading::Value(_)), "{}", difference(yaml, &upstream, &ours));
    }
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn merges_are_read_as_kubectl_reads_them() {
    let mut oracle = Oracle::start();
    for (yaml, value) in MERGED {
        let (upstream, ours) = (upstream(&mut oracle, yaml), ours(yaml));
        let read = ours == Reading::Value(serde_json::from_str(value).expect("it is JSON"));
        assert!(read && replaces(yaml, &upstream, &ours), "{}", difference(yaml, &upstream, &ours));
    }
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn generated_yaml_is_read_as_upstream_reads_it() {
    let mut oracle = Oracle::start();
    let mut random = Rng::new(1);
    let (mut values, mut refused, mut differ) = (0, 0, Vec::new());
    while values + refused < 5000 {
        let yaml = mutated(&mut random);
        let documents = yaml.split(['\n', '\r']).any(|line| line.starts_with("---") || line.starts_with('%'));
        if documents || serde_json::from_str::<Value>(&yaml).is_ok() {
            continue;
        }
        let (upstream, ours) = (upstream(&mut oracle, &yaml), ours(&yaml));
        match &ours {
            Reading::Value(_) => values += 1,
            Reading::Refused(_) => refused += 1,
        }
        if !agree(&upstream, &ours) && !on_purpose(&yaml, &upstream, &ours) && !replaces(&yaml, &upstream, &ours) {
            differ.push(difference(&yaml, &upstream, &ours));
        }
    }
    assert!(values > 1000, "{values} values, {refused} refused");
    assert!(differ.is_empty(), "{}", differ.concat());
}

/// Whether this refuses what upstream reads for one of the reasons in [`STRICTER`], or because upstream reads a part of the text only.
fn on_purpose(yaml: &str, upstream: &Reading, ours: &Reading) -> bool {
    let (Reading::Value(_), Reading::Refused(message)) = (upstream, ours) else { return false };
    let only_a_part = || yaml.char_indices().any(|(end, _)| self::ours(&yaml[..end]) == *upstream);
    STRICTER.iter().any(|(_, reason)| !reason.contains("<document start>") && message.contains(reason)) || only_a_part()
}

/// Whether this reads what upstream refuses because a field replaces one that a merge key brings, or one of its maps another's.
fn replaces(yaml: &str, upstream: &Reading, ours: &Reading) -> bool {
    let (Reading::Refused(message), Reading::Value(_)) = (upstream, ours) else { return false };
    yaml.contains("<<") && message.contains("already set in map")
}

/// What is put into texts: all that the rules of YAML turn on.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "\n", "\n  ", "\n- ", " ", "\t", ":", ": ", "-", "- ", "#", " #", "[", "]", "{", "}", ",", "&x ", "*x", "!", "!!str ", "!a", "|", "|\n  ", ">",
    "|-\n ", "|+\n ", "'", "\"", "%", "@", "`", "?", "? ", "\\", "\\\n", "a", "y", "0", "1", "_", ".", "~", "<", "<<: ", "e", "x", "\r\n", "\r",
    "\u{85}", "\u{2028}", "é", "\u{a0}", "\u{1f600}", "=", "/", "(", "$", "...",
];

/// One of the tricky inputs, or two, with a few changes.
fn mutated(random: &mut Rng) -> String {
    let mut text: Vec<char> = random.pick(TRICKY).chars().collect();
    if random.one_in(3) {
        text.push('\n');
        text.extend(random.pick(TRICKY).chars());
    }
    for _ in 0..=random.place(4) {
        let at = random.place(text.len() + 1);
        match random.place(3) {
            0 => drop(text.drain(at..(at + 1).min(text.len()))),
            1 => drop(text.splice(at..at, random.pick(PIECES).chars())),
            _ => {
                let copy = text[at..(at + random.place(8)).min(text.len())].to_vec();
                let into = random.place(text.len() + 1);
                text.splice(into..into, copy);
            }
        }
    }
    text.into_iter().collect()
}
