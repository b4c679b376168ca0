//! The fields of CronJobs, Jobs and Pods and of all that is in them: their types, defaults, values, and how patches change them.
//!
//! Docs: Kubernetes API reference, "CronJob", "Job" and "Pod". The facts are in `fields.txt`, which `cargo xtask schema` writes from Kubernetes' own
//! types, and in `overlay.txt`; the build script makes statics of them.

mod docs;
mod field_type;
mod path;
mod words;

pub use docs::text;
pub use field_type::FieldType;
pub use path::{FieldPath, find, paths, resolve};

/// A kind of object, or of what is in one.
#[derive(Debug, PartialEq, Eq)]
pub struct SchemaType {
    /// Its name: `PodSpec`.
    pub name: &'static str,
    /// Its fields, sorted by name.
    pub fields: &'static [SchemaField],
}

/// A field of a type.
#[derive(Debug, PartialEq, Eq)]
pub struct SchemaField {
    /// Its name in JSON: `backoffLimit`.
    pub name: &'static str,
    /// What it holds.
    pub kind: FieldType,
    /// Whether it distinguishes zero, empty text and an empty object from nothing.
    pub pointer: bool,
    /// Whether it is written even where it is empty.
    pub required: bool,
    /// The values that the API documents for it, or for each item of it; none if any will do.
    pub values: &'static [&'static str],
    /// The least number and the greatest one that the API server takes, whatever other fields are; `None` if any will do.
    pub range: Option<&'static (i64, i64)>,
    /// What it is where nothing is given.
    pub default: Option<Default>,
    /// How a strategic merge patch changes it if it is a list.
    pub patched: ListPatch,
    /// Whether a strategic merge patch may say which of its fields remain.
    pub retain_keys: bool,
    /// When an update may change it; `None` if that is the same as of what it is in.
    pub mutable: Option<Mutable>,
    /// Whether its feature gate is off unless it is switched on: API servers then drop the field from new objects without a word.
    pub gated: bool,
    /// The version of Kubernetes that it came with; `None` if all supported ones have it.
    pub since: Option<&'static str>,
}

/// What a field is where nothing is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Default {
    /// This text.
    Text(&'static str),
    /// This number.
    Number(i64),
    /// `true` or `false`.
    Boolean(bool),
    /// An object without fields.
    Empty,
    /// One that depends on other fields.
    Depends,
}

/// How a strategic merge patch changes a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListPatch {
    /// The whole list is replaced.
    Replaced,
    /// Its items are objects, and are the same where this field is.
    Merged(&'static str),
    /// Its items are distinct values.
    Set,
}

/// When an update may change a field of a Job or CronJob (A-110…A-116).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutable {
    /// At any time.
    Always,
    /// Once the object is there, no more.
    Never,
    /// While the Job is suspended and has no active pods.
    Suspended,
    /// Together with `parallelism`, to the same value, if the Job is Indexed.
    WithParallelism,
}

/// A field of which nothing more is known.
const PLAIN: SchemaField = SchemaField {
    name: "",
    kind: FieldType::Any,
    pointer: false,
    required: false,
    values: &[],
    range: None,
    default: None,
    patched: ListPatch::Replaced,
    retain_keys: false,
    mutable: None,
    gated: false,
    since: None,
};

include!(concat!(env!("OUT_DIR"), "/types.rs"));

impl SchemaType {
    /// The field of this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static SchemaField> {
        self.fields.binary_search_by_key(&name, |field| field.name).ok().map(|place| &self.fields[place])
    }

    /// Whether it has a field of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.field(name).is_some()
    }

    /// The names of its fields.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.fields.iter().map(|field| field.name)
    }
}

/// The type of this name, which the table has.
///
/// # Panics
/// If it has not.
#[must_use]
pub fn of(name: &str) -> &'static SchemaType {
    named(name).unwrap_or_else(|| panic!("no type is called {name}"))
}

/// The values of a field of a type, in the order in which the API server names them.
///
/// # Panics
/// If the table has no such field, or does not list its values.
#[must_use]
pub fn values(name: &str, field: &str) -> &'static [&'static str] {
    let listed = of(name).field(field).map(|field| field.values).filter(|values| !values.is_empty());
    listed.unwrap_or_else(|| panic!("the values of {name}.{field} are not listed"))
}

/// The values of a field of a type that a Job may have: its pods are not restarted always.
#[must_use]
pub fn values_in_a_job(name: &str, field: &SchemaField) -> &'static [&'static str] {
    if (name, field.name) == ("PodSpec", "restartPolicy") { &["Never", "OnFailure"] } else { field.values }
}

/// The type of this name, if there is one.
#[must_use]
pub fn named(name: &str) -> Option<&'static SchemaType> {
    TYPES.binary_search_by_key(&name, |known| known.name).ok().map(|place| TYPES[place])
}

/// Whether some type has a field of this name.
#[must_use]
pub fn is_field(name: &str) -> bool {
    TYPES.iter().any(|known| known.has(name))
}

/// Whether a field of this name holds other fields, in all types that have one.
#[must_use]
pub fn holds_fields(name: &str) -> bool {
    let mut kinds = TYPES.iter().filter_map(|known| known.field(name)).map(|field| field.kind).peekable();
    kinds.peek().is_some() && kinds.all(|kind| matches!(kind, FieldType::Map(_) | FieldType::Fields(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_hold_others_are_told_by_their_names() {
        assert!(["annotations", "metadata", "limits", "spec"].into_iter().all(holds_fields));
        assert!(!["name", "image", "containers", "nothing"].into_iter().any(holds_fields));
    }

    #[test]
    fn types_and_fields_are_found_by_name() {
        let container = of("Container");
        assert_eq!(container.field("image").map(|field| &field.kind), Some(&FieldType::Text));
        let policy = container.field("imagePullPolicy").unwrap();
        assert_eq!((policy.values, policy.pointer), (["Always", "IfNotPresent", "Never"].as_slice(), false));
        assert_eq!(of("PodSpec").field("containers").map(|field| field.patched), Some(ListPatch::Merged("name")));
        assert_eq!(of("ObjectMeta").field("finalizers").map(|field| field.patched), Some(ListPatch::Set));
        assert_eq!(of("JobSpec").field("scheduling").and_then(|field| field.since), Some("1.37"));
        assert!(container.field("images").is_none() && named("Deployment").is_none());
    }

    #[test]
    fn names_are_sorted() {
        assert!(TYPES.is_sorted_by_key(|known| known.name));
        assert!(TYPES.iter().all(|known| known.names().is_sorted()));
    }
}
