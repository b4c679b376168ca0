//! Leaves: whether a word has the type that a field wants, and how to write it if it has not.
//!
//! Docs: API conventions, "Primitive types". Fields are walked in `strict.rs`; what words of YAML mean is decided in `scalar.rs`, which texts are
//! quantities in `quantity.rs`.

use api::{duration, listed};
use schema::{FieldType, SchemaField};
use serde_json::Value;

use crate::node::{Content, SourceNode};
use crate::quantity::{MeantQuantity, is_quantity};
use crate::{Diagnostic, Fix, Position, RuleName, misplaced, pasted, slips};

/// A value that a type does not take.
pub(crate) struct WrongValue {
    message: String,
    remedy: String,
    /// The value as the type takes it.
    instead: Option<String>,
}

impl WrongValue {
    fn new(kind: &FieldType, found: &str, remedy: impl Into<String>) -> Self {
        Self { message: format!("expected {}, found {found}", wanted(kind)), remedy: remedy.into(), instead: None }
    }

    /// The diagnostic for a field.
    pub(crate) fn diagnostic(self, position: Position, path: &str) -> Diagnostic {
        Diagnostic::error(position, self.message)
            .rule(RuleName::WRONG_TYPE)
            .at(path)
            .remedy(self.remedy)
            .fix(self.instead.map(|value| Fix::Write { value }))
    }
}

/// What a type wants, in words.
fn wanted(kind: &FieldType) -> &'static str {
    match kind {
        FieldType::Text => "text",
        FieldType::Boolean => "true or false",
        FieldType::Int32 => "a whole number (int32)",
        FieldType::Int64 => "a whole number (int64)",
        FieldType::Time => "a time",
        FieldType::Quantity => "a quantity",
        FieldType::IntOrString => "a whole number (int32) or text",
        FieldType::Any => "anything",
        FieldType::List(_) => "a list",
        FieldType::Map(_) | FieldType::Fields(_) => "a map",
    }
}

/// What a word is, in words.
fn described(value: &Value, written: &str) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) if written == truth.to_string() => format!("the boolean {truth}"),
        Value::Bool(truth) => format!("{written}, which is the boolean {truth} in YAML 1.1"),
        Value::Number(number) if written == number.to_string() => format!("the number {number}"),
        Value::Number(number) => format!("{written}, which is the number {number} in YAML 1.1"),
        Value::String(_) => "text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a map".to_owned(),
    }
}

/// Checks a word, which is not `null`, against the type of the field with this path.
///
/// # Errors
/// If the type does not take it.
pub(crate) fn check(kind: &FieldType, value: &Value, written: &str, path: &str) -> Result<(), WrongValue> {
    let taken = match (kind, value) {
        (FieldType::Text | FieldType::IntOrString, Value::String(_)) | (FieldType::Boolean, Value::Bool(_)) | (FieldType::Any, _) => true,
        (FieldType::Int32 | FieldType::IntOrString, Value::Number(number)) => {
            number.as_i64().is_some_and(|number| i32::try_from(number).is_ok())
        }
        (FieldType::Int64, Value::Number(number)) => number.is_i64(),
        (FieldType::Time, Value::String(text)) => time(text),
        (FieldType::Quantity, Value::Number(_)) => true,
        (FieldType::Quantity, Value::String(text)) => is_quantity(text.trim()),
        _ => false,
    };
    if taken {
        return Ok(());
    }
    if let (FieldType::Int32 | FieldType::Int64 | FieldType::IntOrString, Value::Number(number)) = (kind, value) {
        return Err(out_of_range(kind, number.as_f64().unwrap_or(f64::INFINITY), written));
    }
    let found = match (kind, value) {
        (FieldType::Quantity | FieldType::Time, Value::String(text)) => format!("{text:?}"),
        _ => described(value, written),
    };
    if let (FieldType::Quantity, Some(meant)) = (kind, value.as_str().and_then(MeantQuantity::of)) {
        return Err(WrongValue { instead: meant.only, ..WrongValue::new(kind, &found, meant.remedy) });
    }
    let word = matches!(kind, FieldType::Int32 | FieldType::Int64 | FieldType::Boolean | FieldType::Quantity | FieldType::Time);
    if let Some((plain, remedy)) = pasted::without_odd_spaces(written).filter(|_| word) {
        let fits = fits(kind, &plain);
        return Err(WrongValue { instead: fits.then_some(plain), ..WrongValue::new(kind, &found, remedy) });
    }
    if let Some(remedy) = pasted::stand_in_remedy(written) {
        return Err(WrongValue::new(kind, &found, remedy));
    }
    let instead = instead(kind, value, written, path);
    let remedy = instead.as_ref().map_or_else(|| way_to_write(kind).to_owned(), |(words, value)| format!("{words}: {value}"));
    Err(WrongValue { instead: instead.map(|(_, value)| value), ..WrongValue::new(kind, &found, remedy) })
}

/// The refusal of a number that is not an integer or is too large.
fn out_of_range(kind: &FieldType, number: f64, written: &str) -> WrongValue {
    if number.fract() != 0.0 {
        return WrongValue::new(kind, &format!("{written}, which has a fraction"), "use a whole number");
    }
    let (bits, least, most) = if *kind == FieldType::Int64 { (64, i64::MIN, i64::MAX) } else { (32, i32::MIN.into(), i32::MAX.into()) };
    WrongValue {
        message: format!("{written} is out of range for a whole number of {bits} bits"),
        remedy: if number < 0.0 { format!("the minimum is {least}") } else { format!("the maximum is {most}") },
        instead: None,
    }
}

/// How to write this word so that a type takes it, and the word written like that.
fn instead(kind: &FieldType, value: &Value, written: &str, path: &str) -> Option<(&'static str, String)> {
    let number = written.parse::<i64>().is_ok();
    if let (FieldType::Int32 | FieldType::Int64, Some(seconds)) = (kind, seconds(written)) {
        return Some(("use a number of seconds", seconds.to_string()));
    }
    let before_comment = || [" //", " /*"].iter().find_map(|mark| Some(written.split_once(mark)?.0.trim_end()));
    if let Some(word) = before_comment().filter(|word| fits(kind, word)) {
        return Some(("leave out the comment, which is a part of the value", word.to_owned()));
    }
    match (kind, value) {
        (FieldType::Text, Value::Bool(_) | Value::Number(_)) => Some(("write it in quotes", format!("{written:?}"))),
        (FieldType::Int32 | FieldType::Int64, Value::String(_)) if number => Some(("write it without quotes", written.to_owned())),
        (FieldType::Boolean, Value::String(_)) if matches!(written, "true" | "false") => {
            Some(("write it without quotes", written.to_owned()))
        }
        (FieldType::List(inner), _) if **inner == FieldType::Text => Some(("use a list", list_of(written, path)?)),
        (FieldType::Fields(owner), Value::String(text)) => Some(("use a map", slips::map_of(owner.name, text)?)),
        _ => None,
    }
}

/// Whether a type takes a word that is written without quotes.
fn fits(kind: &FieldType, word: &str) -> bool {
    let whole = matches!(kind, FieldType::Int32 | FieldType::Int64);
    let truth = *kind == FieldType::Boolean;
    whole && word.parse::<i64>().is_ok() || truth && matches!(word, "true" | "false")
}

/// A command line as a list: of its words, or, where it needs a shell, with one. Only a command can name a shell: the path says whether it is one.
#[must_use]
pub fn list_of(written: &str, path: &str) -> Option<String> {
    let words: Vec<&str> = written.split_whitespace().collect();
    let list = if written.contains(['|', '&', ';', '<', '>', '(', ')', '$', '`', '\\', '"', '\'', '*', '?', '#', '~']) && words.len() > 1 {
        if !path.ends_with(".command") {
            return None;
        }
        vec!["sh", "-c", written]
    } else {
        words
    };
    let quoted: Vec<String> = list.iter().map(|word| format!("{word:?}")).collect();
    Some(format!("[{}]", quoted.join(", ")))
}

/// Where a text is wanted that is one of a few, makes the remedy for a word of another type name these.
pub(crate) fn name_values(refused: &mut Diagnostic, owner: &str, field: &SchemaField, node: &SourceNode) {
    let values = if (owner, field.name) == STATUS { &STATUSES[..] } else { schema::values_in_a_job(owner, field) };
    let Content::Scalar { value, written, .. } = &node.content else { return };
    if values.is_empty() || field.kind != FieldType::Text {
        return;
    }
    let word = value.as_bool().map_or_else(|| written.clone(), |truth| truth.to_string());
    let (remedy, instead) = match misplaced::nearest(&word, values.iter().copied()) {
        Some(meant) => {
            let written = slips::quoted(meant);
            (format!("use {written}"), Some(Fix::Write { value: written }))
        }
        None => (format!("use {}", listed(values, "or")), None),
    };
    *refused = refused.clone().remedy(remedy).fix(instead);
}

/// The status of a condition, which has no list of values in the table of all fields.
const STATUS: (&str, &str) = ("PodFailurePolicyOnPodConditionsPattern", "status");
/// What it can be.
const STATUSES: [&str; 3] = ["True", "False", "Unknown"];

/// How to write a word so that a type takes it.
fn way_to_write(kind: &FieldType) -> &'static str {
    match kind {
        FieldType::Int32 | FieldType::Int64 => "use a whole number",
        FieldType::Boolean => "use true or false, without quotes",
        FieldType::IntOrString => "use a whole number, or a string in quotes",
        FieldType::Time => "use a time such as 2026-01-02T03:04:05Z",
        FieldType::Quantity => "use a number with or without a unit, such as 500m, 2, 1.5Gi",
        FieldType::List(_) => "start each item on a line of its own with `- `",
        FieldType::Map(_) | FieldType::Fields(_) => "put its fields on separate lines below, indented, as in `name: value`",
        FieldType::Text => "use a string",
        FieldType::Any => "use any value",
    }
}

/// How many seconds a length of time with units has: `30s`, `5m`, `2h`.
fn seconds(written: &str) -> Option<i64> {
    let length = duration::parse(written).filter(|length| written != "0" && length.subsec_nanos() == 0)?;
    Some(length.as_secs())
}

/// The refusal of a list or a map by a type that wants something else.
pub(crate) fn refuse_shape(kind: &FieldType, content: &Content) -> WrongValue {
    if let (FieldType::List(inner), Content::Map(entries)) = (kind, content)
        && let Some(remedy) = slips::variables(inner, entries)
    {
        return WrongValue::new(kind, "a map", remedy);
    }
    let (found, remedy) = match (kind, content) {
        (FieldType::List(_), Content::Map(_)) => ("a map", "start each item of the list with `- `"),
        (FieldType::Map(_) | FieldType::Fields(_), Content::List(_)) => ("a list", "remove the `- ` before its fields"),
        (_, Content::List(_)) => ("a list", "use a single value, without `- ` and brackets"),
        (_, _) => ("a map", "use a single value, without fields below it"),
    };
    WrongValue::new(kind, found, remedy)
}

/// Whether a text is a time as the API writes it.
fn time(text: &str) -> bool {
    let shaped = text.as_bytes().get(10) == Some(&b'T')
        && (text.ends_with('Z') || text.get(text.len() - 3..).is_some_and(|end| end.starts_with(':')));
    shaped && api::time::parse(text).is_some()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn check(words: &[(FieldType, Value, &str)], expected: Expect) {
        let line = |(kind, value, written): &(FieldType, Value, &str)| match super::check(kind, value, written, "spec.args") {
            Ok(()) => format!("{written}: taken\n"),
            Err(refused) => format!("{written}: {}; {}\n", refused.message, refused.remedy),
        };
        expected.assert_eq(&words.iter().map(line).collect::<String>());
    }

    #[test]
    fn words_of_another_type() {
        check(
            &[
                (FieldType::Int32, json!("3"), "3"),
                (FieldType::Int64, json!("5m"), "5m"),
                (FieldType::Text, json!(true), "yes"),
                (FieldType::Text, json!(420), "0644"),
                (FieldType::Boolean, json!("true"), "true"),
                (FieldType::List(&FieldType::Text), json!("echo hi"), "echo hi"),
                (FieldType::Fields(schema::of("PodSpec")), json!("x"), "x"),
                (FieldType::Quantity, json!("1gb"), "1gb"),
                (FieldType::Time, json!("2026-01-02"), "2026-01-02"),
                (FieldType::IntOrString, json!(true), "true"),
                (FieldType::Int32, json!("3 // three"), "3 // three"),
                (FieldType::Boolean, json!("true /* x */"), "true /* x */"),
            ],
            expect![[r#"
                3: expected a whole number (int32), found text; write it without quotes: 3
                5m: expected a whole number (int64), found text; use a number of seconds: 300
                yes: expected text, found yes, which is the boolean true in YAML 1.1; write it in quotes: "yes"
                0644: expected text, found 0644, which is the number 420 in YAML 1.1; write it in quotes: "0644"
                true: expected true or false, found text; write it without quotes: true
                echo hi: expected a list, found text; use a list: ["echo", "hi"]
                x: expected a map, found text; put its fields on separate lines below, indented, as in `name: value`
                1gb: expected a quantity, found "1gb"; use 1Gi (with powers of 1024) or 1G (with powers of 1000)
                2026-01-02: expected a time, found "2026-01-02"; use a time such as 2026-01-02T03:04:05Z
                true: expected a whole number (int32) or text, found the boolean true; use a whole number, or a string in quotes
                3 // three: expected a whole number (int32), found text; leave out the comment, which is a part of the value: 3
                true /* x */: expected true or false, found text; leave out the comment, which is a part of the value: true
            "#]],
        );
    }

    #[test]
    fn only_a_command_is_given_a_shell() {
        let list = FieldType::List(&FieldType::Text);
        let remedy = |path| super::check(&list, &json!("a | b"), "a | b", path).unwrap_err().remedy;
        assert_eq!(remedy("containers[0].command"), r#"use a list: ["sh", "-c", "a | b"]"#);
        assert_eq!(remedy("containers[0].args"), "start each item on a line of its own with `- `");
    }

    #[test]
    fn ranges() {
        check(
            &[
                (FieldType::Int32, json!(2_147_483_647), "2147483647"),
                (FieldType::Int32, json!(2_147_483_648_i64), "2147483648"),
                (FieldType::Int32, json!(-2_147_483_649_i64), "-2147483649"),
                (FieldType::Int64, json!(u64::MAX), "18446744073709551615"),
                (FieldType::Int32, json!(1.5), "1.5"),
            ],
            expect![[r#"
                2147483647: taken
                2147483648: 2147483648 is out of range for a whole number of 32 bits; the maximum is 2147483647
                -2147483649: -2147483649 is out of range for a whole number of 32 bits; the minimum is -2147483648
                18446744073709551615: 18446744073709551615 is out of range for a whole number of 64 bits; the maximum is 9223372036854775807
                1.5: expected a whole number (int32), found 1.5, which has a fraction; use a whole number
            "#]],
        );
    }

    #[test]
    fn times() {
        for text in ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.5+01:00"] {
            assert!(time(text), "{text}");
        }
        for text in
            ["", "2026-01-02", "2026-01-02 03:04:05Z", "2026-02-30T00:00:00Z", "2026-01-02T03:04:60Z", "2026-01-02T03:04:05", "éééééééé"]
        {
            assert!(!time(text), "{text}");
        }
    }
}
