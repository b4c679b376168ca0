//! Where two plans differ: the first place, and both sides there.
//!
//! Docs: `jobsmith replay --help`. What is compared is read in `line.rs`.

use std::fmt;

use serde_json::Value;

use super::Planned;

/// The first place at which two results differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The path of the place: `batches[0][1].request.path`; empty if all of it differs.
    pub path: String,
    /// What was recorded there: JSON, or `nothing`.
    pub recorded: String,
    /// What is answered there instead.
    pub answered: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.path.is_empty() { "the answer" } else { &self.path };
        write!(formatter, "{place}\n  recorded: {}\n  replayed: {}", self.recorded, self.answered)
    }
}

impl Difference {
    /// The first difference between two results; `None` if they are the same, byte for byte.
    #[must_use]
    pub fn between(recorded: &Planned, answered: &Planned) -> Option<Self> {
        let text = |planned: &Planned| planned.plan.as_ref().map(|plan| plan.get().to_owned());
        let (recorded, answered) = (text(recorded), text(answered));
        if recorded == answered {
            return None;
        }
        let value = |text: &Option<String>| text.as_ref().and_then(|text| serde_json::from_str(text).ok());
        let found = first("", value(&recorded), value(&answered));
        // Texts that mean the same are written differently.
        found.or_else(|| Some(Self { path: String::new(), recorded: recorded.unwrap_or_default(), answered: answered.unwrap_or_default() }))
    }
}

/// The first difference below a place, fields in the order of their names.
fn first(path: &str, recorded: Option<Value>, answered: Option<Value>) -> Option<Difference> {
    if recorded == answered {
        return None;
    }
    match (recorded, answered) {
        (Some(Value::Object(recorded)), Some(Value::Object(mut answered))) => {
            let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            let known = recorded.into_iter().find_map(|(name, value)| first(&below(&name), Some(value), answered.remove(&name)));
            known.or_else(|| answered.into_iter().find_map(|(name, value)| first(&below(&name), None, Some(value))))
        }
        (Some(Value::Array(recorded)), Some(Value::Array(answered))) => {
            let length = recorded.len().max(answered.len());
            let (mut recorded, mut answered) = (recorded.into_iter(), answered.into_iter());
            (0..length).find_map(|at| first(&format!("{path}[{at}]"), recorded.next(), answered.next()))
        }
        // Bodies of requests are JSON in text.
        (Some(Value::String(recorded)), Some(Value::String(answered))) => {
            let inner = |text: &str| serde_json::from_str::<Value>(text).ok().filter(|value| value.is_object());
            let below = inner(&recorded).zip(inner(&answered)).and_then(|(recorded, answered)| first(path, Some(recorded), Some(answered)));
            below.or_else(|| Some(difference(path, Some(&Value::String(recorded)), Some(&Value::String(answered)))))
        }
        (recorded, answered) => Some(difference(path, recorded.as_ref(), answered.as_ref())),
    }
}

fn difference(path: &str, recorded: Option<&Value>, answered: Option<&Value>) -> Difference {
    let text = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    Difference { path: path.to_owned(), recorded: text(recorded), answered: text(answered) }
}

#[cfg(test)]
mod tests {
    use api::Timestamp;
    use serde_json::value::RawValue;

    use super::*;

    fn check(recorded: Option<&str>, answered: Option<&str>, expected: Option<[&str; 3]>) {
        let planned = |text: Option<&str>| Planned {
            at: Timestamp::UNIX_EPOCH,
            plan: text.map(|text| RawValue::from_string(text.to_owned()).unwrap()),
        };
        let expected = expected.map(|[path, recorded, answered]| Difference {
            path: path.into(),
            recorded: recorded.into(),
            answered: answered.into(),
        });
        assert_eq!(Difference::between(&planned(recorded), &planned(answered)), expected);
    }

    #[test]
    fn the_first_place_is_shown_with_both_sides() {
        let plan = |body: &str| format!(r#"{{"id":1,"batches":[[{{"request":{{"body":"{body}"}}}}]]}}"#);
        let body = |number: u32| plan(&format!(r#"{{\"status\":{{\"active\":{number}}}}}"#));
        check(None, None, None);
        check(Some(&body(1)), Some(&body(1)), None);
        check(Some(&body(1)), Some(&body(2)), Some(["batches[0][0].request.body.status.active", "1", "2"]));
        check(Some(&plan("")), Some(&plan("x")), Some(["batches[0][0].request.body", "\"\"", "\"x\""]));
        check(Some("[1,2]"), Some("[1]"), Some(["[1]", "2", "nothing"]));
        check(Some(r#"{"a":1}"#), Some(r#"{"a":1,"b":null}"#), Some(["b", "nothing", "null"]));
        check(Some(r#"{"a":1}"#), None, Some(["", r#"{"a":1}"#, "nothing"]));
        check(Some(r#"{"a":1}"#), Some(r#"{"a": 1}"#), Some(["", r#"{"a":1}"#, r#"{"a": 1}"#]));
    }
}
