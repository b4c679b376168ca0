//! Scalar: what a word of YAML means, by the rules of YAML 1.1 as go-yaml knows them.
//!
//! Docs: YAML 1.1 types; kubectl reads all of them through JSON. Lists, maps and aliases are read in `yaml.rs`.

use serde_json::{Number, Value};

/// What a word means.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Whole(i64),
    /// A whole number that is too large for the other kind.
    Large(u64),
    /// Any other number.
    Real(f64),
    /// Text.
    Text(String),
}

/// The meaning of a word under a tag of YAML (`!!int`), or under none.
///
/// # Errors
/// If the word is nothing that the tag allows; what it is instead, in words.
pub(crate) fn tagged(tag: Option<&str>, plain: bool, word: &str) -> Result<Scalar, String> {
    let text = || Scalar::Text(word.to_owned());
    let Some(tag) = tag else { return Ok(if plain { untagged(word) } else { text() }) };
    let Some(name) = tag.strip_prefix("tag:yaml.org,2002:") else { return Ok(text()) };
    match (name, untagged(word)) {
        ("binary" | "timestamp", _) => Err(format!("!!{name} values are not supported")),
        ("null", Scalar::Null) => Ok(Scalar::Null),
        ("bool", truth @ Scalar::Boolean(_)) => Ok(truth),
        ("int", number @ (Scalar::Whole(_) | Scalar::Large(_))) => Ok(number),
        ("float", Scalar::Whole(number)) => Ok(Scalar::Real(number as f64)),
        ("float", Scalar::Large(number)) => Ok(Scalar::Real(number as f64)),
        ("float", number @ Scalar::Real(_)) => Ok(number),
        ("null" | "bool" | "int" | "float", _) => Err(format!("{word:?} is not a valid !!{name}")),
        _ => Ok(text()),
    }
}

/// The meaning of a plain word.
pub(crate) fn untagged(word: &str) -> Scalar {
    match word {
        "" | "~" | "null" | "Null" | "NULL" => return Scalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => return Scalar::Boolean(true),
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => return Scalar::Boolean(false),
        ".nan" | ".NaN" | ".NAN" => return Scalar::Real(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Scalar::Real(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Scalar::Real(f64::NEG_INFINITY),
        _ => {}
    }
    let number = match word.as_bytes()[0] {
        b'.' if lone_underscores(word) => real(&word.replace('_', "")),
        b'0'..=b'9' | b'+' | b'-' => {
            let digits = word.replace('_', "");
            whole(&digits).or_else(|| real(&digits))
        }
        _ => None,
    };
    number.unwrap_or_else(|| Scalar::Text(word.to_owned()))
}

/// A whole number: decimal, or `0b`, `0o`, `0x`, or octal after a bare `0`.
fn whole(digits: &str) -> Option<Scalar> {
    let (negative, unsigned) = match digits.as_bytes()[0] {
        b'-' => (true, &digits[1..]),
        b'+' => (false, &digits[1..]),
        _ => (false, digits),
    };
    let (radix, digits) = match unsigned.get(..2) {
        Some("0b" | "0B") => (2, &unsigned[2..]),
        Some("0o" | "0O") => (8, &unsigned[2..]),
        Some("0x" | "0X") => (16, &unsigned[2..]),
        Some(two) if two.starts_with('0') => (8, &unsigned[1..]),
        _ => (10, unsigned),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let number = i128::from_str_radix(digits, radix).ok()?;
    let number = if negative { -number } else { number };
    i64::try_from(number).map(Scalar::Whole).or_else(|_| u64::try_from(number).map(Scalar::Large)).ok()
}

/// A number with a point or an exponent that is not too large.
fn real(digits: &str) -> Option<Scalar> {
    if !digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-' | b'e' | b'E')) {
        return None;
    }
    digits.parse::<f64>().ok().filter(|number| number.is_finite()).map(Scalar::Real)
}

/// Whether each underscore stands between two digits.
fn lone_underscores(word: &str) -> bool {
    let lone = |three: &[u8]| three[1] != b'_' || three[0].is_ascii_digit() && three[2].is_ascii_digit();
    word.as_bytes().windows(3).all(lone) && !word.ends_with('_')
}

impl Scalar {
    /// The JSON value.
    ///
    /// # Errors
    /// If JSON has no such number.
    pub(crate) fn value(self) -> Result<Value, String> {
        match self {
            Self::Null => Ok(Value::Null),
            Self::Boolean(truth) => Ok(Value::Bool(truth)),
            Self::Whole(number) => Ok(number.into()),
            Self::Large(number) => Ok(number.into()),
            Self::Real(number) => real_value(number).ok_or_else(|| "JSON has no number for infinity or NaN".to_owned()),
            Self::Text(text) => Ok(Value::String(text)),
        }
    }

    /// The text that this is as a key.
    ///
    /// # Errors
    /// If it cannot be one.
    pub(crate) fn key(self) -> Result<String, String> {
        match self {
            Self::Null => Err("null cannot be a key".to_owned()),
            Self::Boolean(truth) => Ok(truth.to_string()),
            Self::Whole(number) => Ok(number.to_string()),
            Self::Large(number) => Err(format!("{number} is too large for a key")),
            Self::Real(number) => Ok(real_key(number as f32)),
            Self::Text(text) => Ok(text),
        }
    }
}

/// The JSON value of a number, as Go writes it: up to 10²¹ without an exponent, so that without a fraction it is a whole one.
pub(crate) fn real_value(number: f64) -> Option<Value> {
    // The shortest digits, not the exact ones: what Go writes is read again as a whole number.
    let digits = number.to_string();
    let whole = || digits.parse::<i64>().map(Number::from).or_else(|_| digits.parse::<u64>().map(Number::from)).ok();
    let written = if number.abs() < 1e21 && digits != "-0" { whole() } else { None };
    written.or_else(|| Number::from_f64(number)).map(Value::Number)
}

/// A number as a key: in 32 bits, with an exponent from a million on.
fn real_key(number: f32) -> String {
    if number.is_nan() {
        return ".nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').expect("this format writes an exponent");
    let exponent: i32 = exponent.parse().expect("this format writes the exponent as a number");
    if (-4..6).contains(&exponent) {
        return number.to_string();
    }
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(words: &str, expected: Expect) {
        let value = |word: &str| untagged(word).value().map_or_else(|problem| problem, |value| value.to_string());
        let lines: Vec<String> = words.split(' ').map(|word| format!("{word:<12} {}\n", value(word))).collect();
        expected.assert_eq(&lines.concat());
    }

    #[test]
    fn whole_numbers() {
        check(
            "1 -0 +7 0644 0o17 0b101 0x1F -0x10 1_000 08 0x 18446744073709551615 18446744073709551616 1.2345678901234567e18 -9223372036854775809",
            expect![[r#"
                1            1
                -0           0
                +7           7
                0644         420
                0o17         15
                0b101        5
                0x1F         31
                -0x10        -16
                1_000        1000
                08           8
                0x           "0x"
                18446744073709551615 18446744073709551615
                18446744073709551616 1.8446744073709552e+19
                1.2345678901234567e18 1234567890123456800
                -9223372036854775809 -9.223372036854776e+18
            "#]],
        );
    }

    #[test]
    fn other_numbers() {
        check(
            "1.5 1. .5 1e3 1.50 -0.0 1_0.5 ._1 .5_0 1e21 1e400 1e 1.2.3 -- - . .inf .nan",
            expect![[r#"
            1.5          1.5
            1.           1
            .5           0.5
            1e3          1000
            1.50         1.5
            -0.0         -0.0
            1_0.5        10.5
            ._1          "._1"
            .5_0         0.5
            1e21         1e+21
            1e400        "1e400"
            1e           "1e"
            1.2.3        "1.2.3"
            --           "--"
            -            "-"
            .            "."
            .inf         JSON has no number for infinity or NaN
            .nan         JSON has no number for infinity or NaN
        "#]],
        );
    }

    #[test]
    fn words() {
        check(
            "~ null nUll yes y N off Off oFF true 2001-01-01 12:30:45 << a",
            expect![[r#"
            ~            null
            null         null
            nUll         "nUll"
            yes          true
            y            true
            N            false
            off          false
            Off          false
            oFF          "oFF"
            true         true
            2001-01-01   "2001-01-01"
            12:30:45     "12:30:45"
            <<           "<<"
            a            "a"
        "#]],
        );
    }

    #[test]
    fn keys() {
        let key = |word: &str| untagged(word).key().unwrap_or_else(|problem| problem);
        let words = ["1", "1.50", "1e3", "123456789.125", "1e30", "1e-5", "0.1", "-0.0", ".inf", "yes", "~", "18446744073709551615"];
        expect![[r#"
            1            1
            1.50         1.5
            1e3          1000
            123456789.125 1.2345679e+08
            1e30         1e+30
            1e-5         1e-05
            0.1          0.1
            -0.0         -0
            .inf         .inf
            yes          true
            ~            null cannot be a key
            18446744073709551615 18446744073709551615 is too large for a key
        "#]]
        .assert_eq(&words.map(|word| format!("{word:<12} {}\n", key(word))).concat());
    }

    #[test]
    fn tags() {
        let meaning = |tag: &str, word: &str| tagged(Some(&format!("tag:yaml.org,2002:{tag}")), false, word);
        assert_eq!(meaning("int", "0644"), Ok(Scalar::Whole(420)));
        assert_eq!(meaning("float", "1"), Ok(Scalar::Real(1.0)));
        assert_eq!(meaning("str", "1"), Ok(Scalar::Text("1".to_owned())));
        assert_eq!(meaning("int", "x"), Err("\"x\" is not a valid !!int".to_owned()));
        assert_eq!(meaning("timestamp", "2001-1-1"), Err("!!timestamp values are not supported".to_owned()));
        assert_eq!(tagged(Some("!own"), true, "1"), Ok(Scalar::Text("1".to_owned())));
        assert_eq!(tagged(None, false, "1"), Ok(Scalar::Text("1".to_owned())));
    }
}
