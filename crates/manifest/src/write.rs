//! Write: a value as YAML, in the form that people know from `kubectl get -o yaml`.
//!
//! Docs: YAML 1.1, as kubectl reads it. What is written is read back as the same value by `read.rs`.

use libyaml_safer::{Emitter, Encoding, Event, MappingStyle, ScalarStyle, SequenceStyle};
use serde_json::Value;

use crate::scalar::{Scalar, untagged};

/// The value as YAML, ending with a line break.
#[must_use]
pub fn write(value: &Value) -> String {
    let mut written = Vec::new();
    let mut emitter = Emitter::new();
    emitter.set_output_string(&mut written);
    emitter.set_unicode(true);
    emitter.set_width(-1);
    let mut events = vec![Event::stream_start(Encoding::Utf8), Event::document_start(None, &[], true)];
    collect(value, &mut events);
    events.extend([Event::document_end(true), Event::stream_end()]);
    for event in events {
        emitter.emit(event).expect("events of a value are in order");
    }
    drop(emitter);
    String::from_utf8(written).expect("the emitter writes UTF-8")
}

fn collect(value: &Value, events: &mut Vec<Event>) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => events.push(scalar(&value.to_string(), ScalarStyle::Plain)),
        Value::String(text) => events.push(word(text)),
        Value::Array(items) => {
            let style = if items.is_empty() { SequenceStyle::Flow } else { SequenceStyle::Block };
            events.push(Event::sequence_start(None, None, true, style));
            items.iter().for_each(|item| collect(item, events));
            events.push(Event::sequence_end());
        }
        Value::Object(fields) => {
            let style = if fields.is_empty() { MappingStyle::Flow } else { MappingStyle::Block };
            events.push(Event::mapping_start(None, None, true, style));
            for (name, value) in fields {
                events.push(word(name));
                collect(value, events);
            }
            events.push(Event::mapping_end());
        }
    }
}

/// Text, in quotes where it would be read as something else.
fn word(text: &str) -> Event {
    let plain = matches!(untagged(text), Scalar::Text(_)) && text != "<<" && !is_date(text);
    scalar(text, if plain { ScalarStyle::Plain } else { ScalarStyle::DoubleQuoted })
}

/// Whether other readers of YAML take the text for a date.
fn is_date(text: &str) -> bool {
    text.len() >= 8 && text.as_bytes()[..4].iter().all(u8::is_ascii_digit) && text.as_bytes()[4] == b'-'
}

fn scalar(text: &str, style: ScalarStyle) -> Event {
    Event::scalar(None, None, text, true, true, style)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn check(value: &Value, expected: Expect) {
        let written = write(value);
        expected.assert_eq(&written);
        let read = crate::read(&written).unwrap();
        assert_eq!(read[0].value(), value);
    }

    #[test]
    fn a_status_reads_as_people_know_it() {
        check(
            &json!({"active": 2, "conditions": [{"type": "Suspended", "status": "True", "at": "2026-01-01T00:00:00Z", "message": "Job: ok # now"}], "uncountedTerminatedPods": {}, "list": [], "indexes": "1,3-5", "only": "7"}),
            expect![[r#"
                active: 2
                conditions:
                - at: "2026-01-01T00:00:00Z"
                  message: 'Job: ok # now'
                  status: "True"
                  type: Suspended
                indexes: 1,3-5
                list: []
                only: "7"
                uncountedTerminatedPods: {}
            "#]],
        );
    }

    #[test]
    fn odd_texts_are_read_back() {
        for text in ["", "~", "no", "0644", "1_000", "1e3", "a: b", "- a", "#", " a ", "a\nb\n", "é\u{7f}\0", "{", "<<", "\u{feff}", "'\""]
        {
            let value = json!({"a": text, text: [text]});
            assert_eq!(crate::read(&write(&value)).unwrap()[0].value(), &value, "{text:?}");
        }
    }
}
