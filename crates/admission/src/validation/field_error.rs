//! One wrong field of an object: which, in what way, and its message.
//!
//! Docs: API conventions, "Error codes" (A-17, A-18). The rules that find such fields are in the other files here.

use std::fmt;

use serde::Serialize;

/// One wrong field. Its text is `<field>: <kind>[: <value>][: <detail>]` (A-18).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// In what way the field is wrong.
    pub kind: ErrorKind,
    /// The field's path, as in `spec.template.spec.containers[0].name`.
    pub field: String,
    /// The value as it is shown, JSON text; absent where none is shown.
    pub value: Option<String>,
    /// What would be right; may be empty.
    pub detail: String,
}

/// In what way a field is wrong (A-18).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The value is missing.
    Required,
    /// The value breaks a rule.
    Invalid,
    /// The value is not one of the supported ones.
    NotSupported,
    /// The value is there already.
    Duplicate,
    /// What the value refers to is not there.
    NotFound,
    /// The list has too many items.
    TooMany,
    /// The text has too many bytes.
    TooLong,
    /// The field must not be set.
    Forbidden,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: [Self; 8] =
        [Self::Required, Self::Invalid, Self::NotSupported, Self::Duplicate, Self::NotFound, Self::TooMany, Self::TooLong, Self::Forbidden];

    /// The kind as a cause's reason: `FieldValueInvalid`.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Required => "FieldValueRequired",
            Self::Invalid => "FieldValueInvalid",
            Self::NotSupported => "FieldValueNotSupported",
            Self::Duplicate => "FieldValueDuplicate",
            Self::NotFound => "FieldValueNotFound",
            Self::TooMany => "FieldValueTooMany",
            Self::TooLong => "FieldValueTooLong",
            Self::Forbidden => "FieldValueForbidden",
        }
    }

    /// The kind as people read it: `Invalid value`.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Required => "Required value",
            Self::Invalid => "Invalid value",
            Self::NotSupported => "Unsupported value",
            Self::Duplicate => "Duplicate value",
            Self::NotFound => "Not found",
            Self::TooMany => "Too many",
            Self::TooLong => "Too long",
            Self::Forbidden => "Forbidden",
        }
    }
}

impl FieldError {
    pub(super) fn required(field: impl fmt::Display, detail: impl Into<String>) -> Self {
        Self::without_value(ErrorKind::Required, field, detail)
    }

    pub(super) fn forbidden(field: impl fmt::Display, detail: impl Into<String>) -> Self {
        Self::without_value(ErrorKind::Forbidden, field, detail)
    }

    pub(super) fn invalid(field: impl fmt::Display, value: &(impl Serialize + ?Sized), detail: impl Into<String>) -> Self {
        Self::with_value(ErrorKind::Invalid, field, value, detail)
    }

    /// An invalid field whose value is not shown.
    pub(super) fn contradiction(field: impl fmt::Display, detail: impl Into<String>) -> Self {
        Self::without_value(ErrorKind::Invalid, field, detail)
    }

    pub(super) fn not_supported(field: impl fmt::Display, value: &(impl Serialize + ?Sized), supported: &[&str]) -> Self {
        let supported: Vec<_> = supported.iter().map(|value| format!("{value:?}")).collect();
        Self::with_value(ErrorKind::NotSupported, field, value, format!("supported values: {}", supported.join(", ")))
    }

    pub(super) fn duplicate(field: impl fmt::Display, value: &(impl Serialize + ?Sized)) -> Self {
        Self::with_value(ErrorKind::Duplicate, field, value, "")
    }

    pub(super) fn not_found(field: impl fmt::Display, value: &str) -> Self {
        Self::with_value(ErrorKind::NotFound, field, value, "")
    }

    pub(super) fn too_many(field: impl fmt::Display, items: usize, most: usize) -> Self {
        Self::with_value(ErrorKind::TooMany, field, &items, format!("must have at most {most} items"))
    }

    pub(super) fn too_long(field: impl fmt::Display, most: usize) -> Self {
        Self::without_value(ErrorKind::TooLong, field, format!("may not be more than {most} bytes"))
    }

    fn with_value(kind: ErrorKind, field: impl fmt::Display, value: &(impl Serialize + ?Sized), detail: impl Into<String>) -> Self {
        let value = serde_json::to_string(value).expect("what is shown has text for keys and no way to fail");
        Self { kind, field: field.to_string(), value: Some(value), detail: detail.into() }
    }

    fn without_value(kind: ErrorKind, field: impl fmt::Display, detail: impl Into<String>) -> Self {
        Self { kind, field: field.to_string(), value: None, detail: detail.into() }
    }

    /// The text without the field.
    #[must_use]
    pub fn message(&self) -> String {
        let mut message = self.kind.text().to_owned();
        for part in self.value.as_deref().into_iter().chain(Some(self.detail.as_str()).filter(|detail| !detail.is_empty())) {
            message.push_str(": ");
            message.push_str(part);
        }
        message
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_a_18() {
        let check = |error: FieldError, expected: &str| assert_eq!(error.to_string(), expected);
        check(FieldError::required("spec.selector", ""), "spec.selector: Required value");
        check(FieldError::required("a", "when b"), "a: Required value: when b");
        check(FieldError::invalid("a", "x\"y", "is wrong"), r#"a: Invalid value: "x\"y": is wrong"#);
        check(FieldError::invalid("a", &-1, "is wrong"), "a: Invalid value: -1: is wrong");
        check(FieldError::contradiction("a", "is wrong"), "a: Invalid value: is wrong");
        check(FieldError::not_supported("a", "c", &["a", "b"]), r#"a: Unsupported value: "c": supported values: "a", "b""#);
        check(FieldError::duplicate("a[1]", &7), "a[1]: Duplicate value: 7");
        check(FieldError::not_found("a", "v"), r#"a: Not found: "v""#);
        check(FieldError::too_many("a", 21, 20), "a: Too many: 21: must have at most 20 items");
        check(FieldError::too_long("a", 63), "a: Too long: may not be more than 63 bytes");
        check(FieldError::forbidden("a", "not here"), "a: Forbidden: not here");
    }
}
