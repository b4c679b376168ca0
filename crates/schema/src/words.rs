//! What is known of a field in words, apart from what it means.
//!
//! Docs: `jobsmith schema`; the page shows the same where the pointer is.

use std::fmt;

use crate::{Default, FieldPath, FieldType, Mutable, SchemaField};

/// A type as people call it: `list of Container`.
impl fmt::Display for FieldType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => formatter.write_str("string"),
            Self::Boolean => formatter.write_str("true or false"),
            Self::Int32 => formatter.write_str("number (int32)"),
            Self::Int64 => formatter.write_str("number (int64)"),
            Self::Time => formatter.write_str("time"),
            Self::Quantity => formatter.write_str("quantity"),
            Self::IntOrString => formatter.write_str("number or string"),
            Self::Any => formatter.write_str("anything"),
            Self::List(item) => write!(formatter, "list of {item}"),
            Self::Map(value) => write!(formatter, "map of {value}"),
            Self::Fields(of) => formatter.write_str(of.name),
        }
    }
}

impl FieldPath {
    /// Its default, the values that it may have, since when there is such a field, and when it may change: a sentence each.
    #[must_use]
    pub fn facts(&self) -> Vec<String> {
        let Self { field, mutable, .. } = self;
        let since = field.since.map(|since| format!("New in Kubernetes v{since}."));
        let gated = field.gated.then(|| "API servers silently drop it unless its feature gate is enabled.".to_owned());
        [default(field), values(field), range(field), since, gated, Some(change(*mutable).to_owned())].into_iter().flatten().collect()
    }
}

fn default(field: &SchemaField) -> Option<String> {
    match field.default? {
        Default::Text("") | Default::Empty | Default::Depends => None,
        Default::Text(text) => Some(format!("Default: {text}.")),
        Default::Number(number) => Some(format!("Default: {number}.")),
        Default::Boolean(value) => Some(format!("Default: {value}.")),
    }
}

fn values(field: &SchemaField) -> Option<String> {
    let named: Vec<&str> = field.values.iter().copied().filter(|value| !value.is_empty()).collect();
    (!named.is_empty()).then(|| format!("Values: {}.", named.join(", ")))
}

fn range(field: &SchemaField) -> Option<String> {
    Some(match *field.range? {
        (least, i64::MAX) => format!("At least {least}."),
        (least, most) => format!("From {least} to {most}."),
    })
}

fn change(mutable: Option<Mutable>) -> &'static str {
    let Some(mutable) = mutable else { return "An update may change some of its fields." };
    match mutable {
        Mutable::Always => "An update may change it.",
        Mutable::Never => "No update may change it: delete the object and create it again.",
        Mutable::Suspended => "An update may change it while the Job is suspended and has no active pods.",
        Mutable::WithParallelism => "An update may change it if the Job is Indexed, together with parallelism, to the same value.",
    }
}

#[cfg(test)]
mod tests {
    use crate::{of, resolve};

    #[test]
    fn facts_are_sentences() {
        let facts = |path: &str| resolve(of("Job"), path).unwrap().facts();
        assert_eq!(
            facts("spec.completionMode"),
            ["Default: NonIndexed.", "Values: NonIndexed, Indexed.", "No update may change it: delete the object and create it again."]
        );
        assert_eq!(facts("spec"), ["An update may change some of its fields."]);
        assert_eq!(facts("spec.scheduling")[0], "New in Kubernetes v1.37.");
        assert_eq!(of("PodSpec").field("containers").unwrap().kind.to_string(), "list of Container");
    }
}
