//! The fields that an object gives, with what the table of all fields knows of them.
//!
//! Docs: Kubernetes API reference, "CronJob" and "Job". The table is the crate `schema`; fields that it does not have are refused in `strict.rs`.

use api::Kind;
use schema::{FieldType, SchemaField};
use serde_json::Value;

use crate::{Document, path};

/// The fields of an object of a kind that are wanted, with their paths; what is in one of them is not looked at.
#[must_use]
pub fn given(kind: Kind, document: &Document, wanted: fn(&SchemaField) -> bool) -> Vec<(String, &'static SchemaField)> {
    below(&FieldType::Fields(schema::of(kind.name())), document.value(), "", wanted)
}

fn below(kind: &FieldType, value: &Value, path: &str, wanted: fn(&SchemaField) -> bool) -> Vec<(String, &'static SchemaField)> {
    match (kind, value) {
        (FieldType::Fields(of), Value::Object(fields)) => {
            let known = fields.iter().filter_map(|(name, value)| Some((of.field(name)?, path::join(path, name), value)));
            let found = known.flat_map(
                |(field, path, value)| {
                    if wanted(field) { vec![(path, field)] } else { below(&field.kind, value, &path, wanted) }
                },
            );
            found.collect()
        }
        (FieldType::List(kind), Value::Array(items)) => {
            items.iter().enumerate().flat_map(|(place, item)| below(kind, item, &path::entry(path, place), wanted)).collect()
        }
        _ => Vec::new(),
    }
}
