//! Schema: the fields of CronJobs and Jobs and of all that is in them, with their types.
//!
//! Docs: Kubernetes API reference, "CronJob", "Job" and "PodTemplateSpec". The facts are in `schema.txt`, which a test compares with the API's own
//! types; they are applied in `strict.rs`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The type of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FieldType {
    /// Text.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A whole number of 32 bits.
    Int32,
    /// A whole number of 64 bits.
    Int64,
    /// A time as RFC 3339 writes it.
    Time,
    /// An amount, as in `500m`.
    Quantity,
    /// A whole number of 32 bits, or text.
    IntOrString,
    /// Anything.
    Any,
    /// A list.
    List(Box<Self>),
    /// A map with any keys.
    Map(Box<Self>),
    /// A map with the fields of this type.
    Fields(&'static str),
}

/// The fields of a type.
pub(crate) type TypeFields = BTreeMap<&'static str, FieldType>;

static TYPES: LazyLock<BTreeMap<&'static str, TypeFields>> = LazyLock::new(|| {
    let mut types: BTreeMap<&str, TypeFields> = BTreeMap::new();
    let mut owner = "";
    for line in include_str!("schema.txt").lines() {
        match line.strip_prefix("  ").and_then(|line| line.split_once(' ')) {
            Some((field, kind)) => _ = types.entry(owner).or_default().insert(field, FieldType::of(kind)),
            None => {
                owner = line;
                types.entry(owner).or_default();
            }
        }
    }
    types
});

impl FieldType {
    /// The type of this name: `int32`, `[string]` for a list, `{Quantity}` for a map.
    fn of(name: &'static str) -> Self {
        let inner = |ends: [char; 2]| Some(Box::new(Self::of(name.strip_prefix(ends[0])?.strip_suffix(ends[1])?)));
        match name {
            "string" => Self::Text,
            "bool" => Self::Boolean,
            "int32" => Self::Int32,
            "int64" => Self::Int64,
            "Time" => Self::Time,
            "Quantity" => Self::Quantity,
            "IntOrString" => Self::IntOrString,
            "any" => Self::Any,
            _ => inner(['[', ']']).map(Self::List).or_else(|| inner(['{', '}']).map(Self::Map)).unwrap_or(Self::Fields(name)),
        }
    }
}

/// The fields of a type that the schema names.
pub(crate) fn fields(name: &str) -> &'static TypeFields {
    TYPES.get(name).expect("the schema has the fields of each type that it names")
}

/// Whether some type has a field of this name.
pub(crate) fn known(field: &str) -> bool {
    TYPES.values().any(|fields| fields.contains_key(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types() {
        assert_eq!(FieldType::of("{[string]}"), FieldType::Map(Box::new(FieldType::List(Box::new(FieldType::Text)))));
        assert_eq!(fields("JobSpec")["backoffLimit"], FieldType::Int32);
        assert_eq!(fields("Container")["env"], FieldType::List(Box::new(FieldType::Fields("EnvVar"))));
    }

    #[test]
    fn all_types_have_fields() {
        fn walk(kind: &FieldType) {
            match kind {
                FieldType::List(inner) | FieldType::Map(inner) => walk(inner),
                FieldType::Fields(name) => fields(name).values().for_each(walk),
                FieldType::Text | FieldType::Boolean | FieldType::Int32 | FieldType::Int64 => {}
                FieldType::Time | FieldType::Quantity | FieldType::IntOrString | FieldType::Any => {}
            }
        }
        walk(&FieldType::Fields("Job"));
        walk(&FieldType::Fields("CronJob"));
    }
}
