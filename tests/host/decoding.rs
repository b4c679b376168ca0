//! Decoding: manifests are decoded strictly as upstream decodes them: the same fields are unknown, the same types are refused.
//!
//! Docs: Kubernetes API Concepts, "Field validation". The table of fields has its test in `fields.rs`, YAML in `tests/core/reading/`.

use std::collections::BTreeSet;

use cluster::rng::Rng;
use core_tests::native::Native;
use core_tests::oracle::Oracle;
use protocol::Session;
use schema::{FieldType, SchemaType};
use serde_json::{Map, Value, json};

/// The kinds that are decoded.
const KINDS: [&str; 2] = ["Job", "CronJob"];

/// Makes Jobs and CronJobs with fields of all types.
struct Objects {
    random: Rng,
    /// Of how many fields one is given.
    sparse: usize,
    /// Of how many objects one has a field that its type has not; `None`: none has.
    wrong: Option<usize>,
}

impl Objects {
    fn object(&mut self, kind: &str) -> Value {
        let mut object = self.fields(schema::of(kind));
        object["apiVersion"] = "batch/v1".into();
        object["kind"] = kind.into();
        object
    }

    fn value(&mut self, kind: &FieldType) -> Value {
        match kind {
            FieldType::Text | FieldType::IntOrString => "x".into(),
            FieldType::Boolean => true.into(),
            FieldType::Int32 | FieldType::Int64 => 7.into(),
            FieldType::Time => "2026-01-02T03:04:05Z".into(),
            FieldType::Quantity => "500m".into(),
            FieldType::Any => json!({"f:x": {}}),
            FieldType::List(item) => vec![self.value(item), self.value(item)].into(),
            FieldType::Map(value) => json!({"a.b/c": self.value(value)}),
            FieldType::Fields(of) => self.fields(of),
        }
    }

    fn fields(&mut self, of: &SchemaType) -> Value {
        let mut value = Map::new();
        for field in of.fields {
            if self.random.place(self.sparse) == 0 {
                value.insert(field.name.to_owned(), self.value(&field.kind));
            }
        }
        if self.wrong.is_some_and(|rare| self.random.place(rare) == 0) {
            let all: Vec<&str> = schema::TYPES.iter().flat_map(|known| known.names()).collect();
            let name = match self.random.place(3) {
                0 => "foo".to_owned(),
                1 => format!("{}s", self.random.pick(&all)),
                _ => (*self.random.pick(&all)).to_owned(),
            };
            if !of.has(&name) {
                value.insert(name, json!({"a": 1}));
            }
        }
        Value::Object(value)
    }
}

fn objects(sparse: usize, wrong: Option<usize>) -> Objects {
    Objects { random: Rng::new(1), sparse, wrong }
}

/// A value as YAML with one key or item a line.
fn yaml(value: &Value, indent: usize, text: &mut String) {
    let margin = format!("\n{:indent$}", "");
    match value {
        Value::Object(entries) if !entries.is_empty() => entries.iter().for_each(|(key, value)| {
            *text += &format!("{margin}{key}: ");
            yaml(value, indent + 2, text);
        }),
        Value::Array(items) if !items.is_empty() => items.iter().for_each(|item| {
            *text += &format!("{margin}-");
            yaml(item, indent + 2, text);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            *text += &format!(" {value}");
        }
    }
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn unknown_fields_are_those_that_upstream_finds() {
    let Some(mut oracle) = Oracle::start_with_schema() else { return };
    let (mut objects, mut unknown) = (objects(4, Some(3)), 0);
    for number in 0..2000 {
        let object = objects.object(KINDS[number % 2]);
        let answer = oracle.request(&json!({"op": "decode", "object": object}));
        let upstream: BTreeSet<String> =
            answer["errors"].as_array().into_iter().flatten().map(|error| error.as_str().expect("errors are text").to_owned()).collect();
        let mut text = String::new();
        yaml(&object, 0, &mut text);
        let found = manifest::workloads(&text).err().unwrap_or_default();
        for problem in &found {
            assert!(problem.message.starts_with("unknown field"), "{}", manifest::render(&found, "job.yaml", &text, false));
        }
        assert_eq!(ours(&json!({"op": "decode", "object": object})), answer, "{text}");
        let ours: BTreeSet<String> = found.iter().map(|problem| format!("unknown field {:?}", problem.path)).collect();
        unknown += ours.len();
        assert_eq!(ours, upstream, "{text}");
    }
    assert!(unknown > 500, "{unknown} unknown fields");
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn fields_of_the_schema_are_known_upstream() {
    let Some(mut oracle) = Oracle::start_with_schema() else { return };
    for kind in KINDS {
        let object = objects(1, None).object(kind);
        assert_eq!(oracle.request(&json!({"op": "decode", "object": object})), json!({}));
        let mut text = String::new();
        yaml(&object, 0, &mut text);
        let found = manifest::workloads(&text).err().unwrap_or_default();
        assert!(found.is_empty(), "{}", manifest::render(&found, "job.yaml", &text, false));
    }
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn types_are_those_that_upstream_takes() {
    let Some(mut oracle) = Oracle::start_with_schema() else { return };
    let mut objects = objects(3, None);
    let (mut taken, mut refused) = (0, 0);
    let values = [
        json!(null),
        json!("x"),
        json!("1"),
        json!(""),
        json!("1Gi"),
        json!("2026-01-02T03:04:05Z"),
        json!(1),
        json!(-1),
        json!(1.5),
        json!(true),
        json!(3_000_000_000_i64),
        json!(-3_000_000_000_i64),
        json!(u64::MAX),
        json!([]),
        json!([1]),
        json!(["x"]),
        json!([null]),
        json!({}),
        json!({"a": null}),
    ];
    for number in 0..4000 {
        let mut object = objects.object(KINDS[number % 2]);
        let mut leaves = Vec::new();
        pointers(&object, String::new(), &mut leaves);
        let (pointer, value) = (objects.random.pick(&leaves).clone(), objects.random.pick(&values).clone());
        *object.pointer_mut(&pointer).expect("the pointer was taken from the object") = value.clone();
        if pointer == "/kind" || pointer == "/apiVersion" {
            continue;
        }
        let question = json!({"op": "decode", "object": object});
        let (upstream, ours) = (oracle.request(&question), ours(&question));
        let refused_by = |answer: &Value| answer.get("error").is_some();
        assert!(refused_by(&upstream) == refused_by(&ours), "{pointer} = {value}: {upstream} {ours}");
        assert!(refused_by(&ours) || upstream["errors"] == ours["errors"], "{pointer} = {value}: {upstream} {ours}");
        if ours == json!({}) { taken += 1 } else { refused += 1 }
    }
    assert!(taken > 100 && refused > 500, "{taken} taken, {refused} refused");
}

/// What `jobsmith step` answers.
fn ours(question: &Value) -> Value {
    let answer = Session::new(Native::default()).serve(&question.to_string());
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{answer}: {error}"))
}

/// JSON pointers to all parts of a value.
fn pointers(value: &Value, at: String, into: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| pointers(item, format!("{at}/{index}"), into)),
        Value::Object(entries) => {
            let step = |key: &str| format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
            entries.iter().for_each(|(key, value)| pointers(value, step(key), into));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    if !at.is_empty() {
        into.push(at);
    }
}
