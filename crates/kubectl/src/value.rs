//! Reading fields of stored objects: a field that is missing or of another type is empty.
//!
//! Docs: Kubernetes API Concepts. Times and what is counted from them are in `age.rs`.

use serde_json::Value;

/// Text; empty where there is none.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A whole number; 0 where there is none.
pub(crate) fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_default()
}

/// The items of a list.
pub(crate) fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The entries of a map, sorted by key.
pub(crate) fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// The texts of a list, joined.
pub(crate) fn joined(value: &Value, separator: &str) -> String {
    items(value).iter().map(text).collect::<Vec<_>>().join(separator)
}

/// The texts that the items of a list have in a field, joined.
pub(crate) fn joined_fields(list: &Value, field: &str, separator: &str) -> String {
    items(list).iter().map(|item| text(&item[field])).collect::<Vec<_>>().join(separator)
}

/// The text, or `<none>` where there is none.
pub(crate) fn or_none(text: &str) -> &str {
    if text.is_empty() { "<none>" } else { text }
}
