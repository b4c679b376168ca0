//! Reading how an annotation of a Job or a CronJob is changed: `KEY=VALUE`, or `KEY-`, as kubectl has it.
//!
//! Docs: Annotations, "Syntax and character set"; the language is described in `lib.rs`.

use std::fmt;

use api::Text;
use api::annotation::{DOMAIN, KNOWN, KnownAnnotation};

use super::action::JobChange;
use super::cursor::Cursor;
use super::error::ScriptError;
use super::parse::meant;

const FORM: &str = "write KEY=VALUE, or KEY- to remove it, as in annotate cronjob NAME jobsmith.dev/resumed-at=2026-01-01T00:05:00Z";

/// Reads the annotation that is set or removed.
pub(super) fn annotation(cursor: &mut Cursor<'_>) -> Result<JobChange, ScriptError> {
    let before = cursor.clone();
    let (key, removed) = match cursor.peek() {
        "" => return Err(cursor.expected("an annotation", FORM)),
        word => word.strip_suffix('-').map_or((word, false), |key| (key, true)),
    };
    cursor.pass(cursor.peek().len());
    if key.starts_with(DOMAIN) && KnownAnnotation::of(key).is_none() {
        let keys = KNOWN.each_ref().map(|known| known.key);
        return Err(before.error(format!("unknown annotation {key:?}"), meant(key, &keys, "see the list in README.md")));
    }
    if removed && !cursor.rest().starts_with('=') {
        return Ok(JobChange::Annotate { key: key.into(), value: None });
    }
    if removed || !cursor.accept_sign('=') {
        return Err(cursor.expected("\"=\"", FORM));
    }
    let value = if cursor.rest().starts_with('"') { cursor.quoted(FORM)? } else { bare(cursor, key)?.to_owned() };
    Ok(JobChange::Annotate { key: key.into(), value: Some(value.into()) })
}

/// Reads a value without quotation marks, which is all that is left of the line.
fn bare<'a>(cursor: &mut Cursor<'a>, key: &str) -> Result<&'a str, ScriptError> {
    let text = cursor.rest().split(" #").next().unwrap_or_default().trim();
    if text.is_empty() || !text.chars().all(stands_alone) {
        let meant = text.trim_matches(['\'', '“', '”', '‘', '’']).replace('"', "\\\"");
        return Err(cursor.error("the value needs double quotes", format!("write {key}=\"{meant}\"")));
    }
    cursor.pass(text.len());
    Ok(text)
}

/// Whether a letter needs no quotation marks.
fn stands_alone(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-_./:+%".contains(letter)
}

/// Writes the change as it is read.
pub(super) fn write(key: &Text, value: Option<&Text>, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        None => write!(formatter, "{key}-"),
        Some(value) if !value.is_empty() && value.chars().all(stands_alone) => write!(formatter, "{key}={value}"),
        Some(value) => write!(formatter, "{key}={}", serde_json::Value::from(&**value)),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::parse::tests::check;

    #[test]
    fn annotations_are_set_and_removed() {
        check(
            &[
                "at 1s: annotate jobsmith.dev/hold=true",
                "at 1s: annotate job pi jobsmith.dev/hold-",
                "at 1s: annotate cronjob c jobsmith.dev/resumed-at = 2026-01-01T00:05:00Z # again",
                "at 1s: annotate cronjob c jobsmith.dev/skip-during=\"Sat, Sun\" # \"",
                "at 1s: annotate cronjob b/c example.com/a=\"\"",
                "at 1s: annotate example.com/a=\"b\"",
            ],
            expect![[r#"
                at 1s: annotate jobsmith.dev/hold=true
                at 1s: annotate job pi jobsmith.dev/hold-
                at 1s: annotate cronjob c jobsmith.dev/resumed-at=2026-01-01T00:05:00Z
                at 1s: annotate cronjob c jobsmith.dev/skip-during="Sat, Sun"
                at 1s: annotate cronjob b/c example.com/a=""
                at 1s: annotate example.com/a=b
            "#]],
        );
    }

    #[test]
    fn what_is_wrong_with_an_annotation_has_its_place_and_a_remedy() {
        check(
            &[
                "at 1s: annotate",
                "at 1s: annotate cronjob c",
                "at 1s: annotate cronjob c jobsmith.dev/hold",
                "at 1s: annotate cronjob c jobsmith.dev/resume-at=2026-01-01T00:05:00Z",
                "at 1s: annotate cronjob c jobsmith.dev/skip-during=Sat, Sun",
                "at 1s: annotate job j jobsmith.dev/on-failure='exit 1: retry'",
                "at 1s: annotate job j example.com/a=",
                "at 1s: annotate job j example.com/a=b --overwrite",
            ],
            expect![[r#"
                at 1s: annotate
                               ^ expected an annotation, found the end of the line; write KEY=VALUE, or KEY- to remove it, as in annotate cronjo
                at 1s: annotate cronjob c
                                         ^ expected an annotation, found the end of the line; write KEY=VALUE, or KEY- to remove it, as in annotate cronjo
                at 1s: annotate cronjob c jobsmith.dev/hold
                                                           ^ expected "=", found the end of the line; write KEY=VALUE, or KEY- to remove it, as in annotate cronjo
                at 1s: annotate cronjob c jobsmith.dev/resume-at=2026-01-01T00:05:00Z
                                          ^ unknown annotation "jobsmith.dev/resume-at"; did you mean "jobsmith.dev/resumed-at"?
                at 1s: annotate cronjob c jobsmith.dev/skip-during=Sat, Sun
                                                                   ^ the value needs double quotes; write jobsmith.dev/skip-during="Sat, Sun"
                at 1s: annotate job j jobsmith.dev/on-failure='exit 1: retry'
                                                              ^ the value needs double quotes; write jobsmith.dev/on-failure="exit 1: retry"
                at 1s: annotate job j example.com/a=
                                                    ^ the value needs double quotes; write example.com/a=""
                at 1s: annotate job j example.com/a=b --overwrite
                                                    ^ the value needs double quotes; write example.com/a="b --overwrite"
            "#]],
        );
    }
}
