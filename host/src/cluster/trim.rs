//! Leaves out of an object which client manages which of its fields: no controller reads that, and it is up to half of the object.
//!
//! Docs: Server-Side Apply, "Field management". kube-controller-manager drops the same from what its informers store.

use std::borrow::Cow;

use serde::de::IgnoredAny;

/// How the list begins, as the API server writes it: it is never the first field of the metadata.
const BEGIN: &str = r#","managedFields":["#;
/// What follows the metadata; templates in it have metadata of their own, which are kept as they are.
const SPEC: &str = r#","spec":"#;

/// An object without `metadata.managedFields`. One that is written otherwise than the API server does is kept as it is.
pub(super) fn trimmed(object: &str) -> Cow<'_, str> {
    let Some(begin) = object.find(BEGIN).filter(|begin| !object[..*begin].contains(SPEC)) else { return Cow::Borrowed(object) };
    let list = begin + BEGIN.len() - 1;
    let mut values = serde_json::Deserializer::from_str(&object[list..]).into_iter::<IgnoredAny>();
    let Some(Ok(IgnoredAny)) = values.next() else { return Cow::Borrowed(object) };
    Cow::Owned([&object[..begin], &object[list + values.byte_offset()..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = r#""managedFields":[{"manager":"a]\"","fieldsV1":{"f:spec":{"f:a":{}}}},{}]"#;

    fn check(object: &str, expected: &str) {
        assert_eq!(trimmed(object), expected);
    }

    #[test]
    fn managed_fields_are_left_out() {
        check(&format!(r#"{{"metadata":{{"name":"a",{FIELDS}}},"spec":{{"b":[1]}}}}"#), r#"{"metadata":{"name":"a"},"spec":{"b":[1]}}"#);
        check(&format!(r#"{{"metadata":{{"name":"a",{FIELDS},"uid":"u"}}}}"#), r#"{"metadata":{"name":"a","uid":"u"}}"#);
    }

    #[test]
    fn everything_else_stays_as_it_is() {
        for object in [
            r#"{"metadata":{"name":"a"},"spec":{}}"#,
            r#"{"metadata":{"annotations":{"last":"{\"a\":1,\"managedFields\":[]}"}},"spec":{}}"#,
            r#"{"metadata":{"name":"a","managedFields":[{]},"spec":{}}"#,
            r#"{"metadata":{"name":"a","managedFields":[{}"#,
            "",
        ] {
            check(object, object);
        }
        let template = format!(r#"{{"metadata":{{"name":"a"}},"spec":{{"template":{{"metadata":{{"name":"b",{FIELDS}}}}}}}}}"#);
        check(&template, &template);
    }
}
