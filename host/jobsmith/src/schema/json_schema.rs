//! A JSON Schema of a kind of object, with which editors complete and check manifests.
//!
//! Docs: JSON Schema, draft 7, which yaml-language-server reads. The API server takes `null` for a field that is not given.

use api::annotation::{KNOWN, KnownAnnotation};
use schema::{Default, FieldType, Mutable, SchemaField, SchemaType, TYPES};
use serde_json::{Map, Value, json};

/// The schema of a kind, with the types that are in it.
pub(super) fn of(kind: &SchemaType) -> Value {
    let mut schema = fields(kind);
    schema["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    schema["title"] = format!("{} of batch/v1, Kubernetes v1.37", kind.name).into();
    schema["properties"]["apiVersion"] = json!({"const": "batch/v1"});
    schema["properties"]["kind"] = json!({"const": kind.name});
    schema["required"] = json!(["apiVersion", "kind", "metadata", "spec"]);
    let mut inner: Vec<&str> = Vec::new();
    collect(kind, &mut inner);
    schema["definitions"] =
        TYPES.iter().filter(|of| inner.contains(&of.name)).map(|of| (of.name.to_owned(), fields(of))).collect::<Map<_, _>>().into();
    schema
}

/// The names of the types that are in a type.
fn collect(of: &SchemaType, into: &mut Vec<&'static str>) {
    for field in of.fields {
        let mut kind = &field.kind;
        while let FieldType::List(inner) | FieldType::Map(inner) = kind {
            kind = inner;
        }
        if let FieldType::Fields(inner) = kind
            && !into.contains(&inner.name)
        {
            into.push(inner.name);
            collect(inner, into);
        }
    }
}

/// The schema of a type.
fn fields(of: &SchemaType) -> Value {
    let properties: Map<String, Value> = of.fields.iter().map(|field| (field.name.to_owned(), property(of, field))).collect();
    let required: Vec<&str> = of.fields.iter().filter(|field| demanded(of, field)).map(|field| field.name).collect();
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

/// Fields without which the API server refuses every Job, though the API does not say that they are required: the restart policy of a pod is `Always`
/// by default.
const DEMANDED: [(&str, &str); 2] = [("Container", "image"), ("PodSpec", "restartPolicy")];
/// Lists that have to have an item.
const FILLED: [(&str, &str); 2] = [("PodSpec", "containers"), ("SuccessPolicy", "rules")];

/// Whether an object without the field is not what the API takes.
fn demanded(of: &SchemaType, field: &SchemaField) -> bool {
    field.required && field.default.is_none() && !field.pointer || DEMANDED.contains(&(of.name, field.name))
}

/// The schema of a field, with what is known of it.
fn property(of: &SchemaType, field: &SchemaField) -> Value {
    let demanded = demanded(of, field);
    let mut schema = value(&field.kind, !demanded);
    if (of.name, field.name) == super::ANNOTATIONS {
        let known = |KnownAnnotation { key, example, meaning, .. }: &KnownAnnotation| {
            ((*key).to_owned(), json!({"type": "string", "description": format!("{meaning}, as in {example}.")}))
        };
        schema["properties"] = KNOWN.iter().map(known).collect::<Map<_, _>>().into();
    }
    if let Some((least, most)) = field.range {
        schema["minimum"] = (*least).into();
        schema["maximum"] = schema["maximum"].as_i64().unwrap_or(i64::MAX).min(*most).into();
    }
    if FILLED.contains(&(of.name, field.name)) {
        schema["minItems"] = 1.into();
    }
    // Beside a reference, draft 7 reads nothing.
    if schema.get("$ref").is_some() {
        schema = json!({"allOf": [schema]});
    }
    if !field.values.is_empty() {
        let values = schema::values_in_a_job(of.name, field);
        let allowed = || values.iter().copied().map(Value::from).chain((!demanded).then_some(Value::Null)).collect::<Value>();
        let of = if let FieldType::List(_) = field.kind { &mut schema["items"] } else { &mut schema };
        of["enum"] = allowed();
    }
    if let Some(text) = schema::text(of.name, field.name) {
        schema["description"] = text.into();
    }
    match field.default.filter(|_| !demanded) {
        Some(Default::Text(text)) => schema["default"] = text.into(),
        Some(Default::Number(number)) => schema["default"] = number.into(),
        Some(Default::Boolean(value)) => schema["default"] = value.into(),
        Some(Default::Empty | Default::Depends) | None => {}
    }
    if let Some(mutable) = field.mutable {
        schema["x-jobsmith-mutable"] = match mutable {
            Mutable::Always => "always",
            Mutable::Never => "never",
            Mutable::Suspended => "suspended",
            Mutable::WithParallelism => "with parallelism",
        }
        .into();
    }
    schema
}

/// The schema of a value; where nothing may be given, it may be `null`.
fn value(kind: &FieldType, optional: bool) -> Value {
    let of = |name: &str| if optional { json!({"type": [name, "null"]}) } else { json!({"type": name}) };
    let whole = |least: i64, most: i64| {
        let mut schema = of("integer");
        schema["minimum"] = least.into();
        schema["maximum"] = most.into();
        schema
    };
    match kind {
        FieldType::Text => of("string"),
        FieldType::Boolean => of("boolean"),
        FieldType::Int32 => whole(i32::MIN.into(), i32::MAX.into()),
        FieldType::Int64 => whole(i64::MIN, i64::MAX),
        FieldType::Time => json!({"type": ["string", "null"], "format": "date-time"}),
        FieldType::Quantity | FieldType::IntOrString => json!({"type": ["string", "number", "null"]}),
        FieldType::Any => json!({}),
        FieldType::List(item) => {
            let mut schema = of("array");
            schema["items"] = value(item, false);
            schema
        }
        FieldType::Map(inner) => {
            let mut schema = of("object");
            schema["additionalProperties"] = value(inner, true);
            schema
        }
        FieldType::Fields(of) if optional => json!({"anyOf": [{"$ref": format!("#/definitions/{}", of.name)}, {"type": "null"}]}),
        FieldType::Fields(of) => json!({"$ref": format!("#/definitions/{}", of.name)}),
    }
}
