//! What the page shows of the field at the cursor, and what it offers to write there.
//!
//! Docs: `web/src/views.ts` is generated from these types. Fields are those of the crate `schema`, annotations those of
//! `api::annotation`; what can be written is found in `manifest`.

use api::annotation::KnownAnnotation;
use manifest::Completion;
use schema::{FieldPath, FieldType};
use serde::Serialize;

/// What is known of a field. What it means is in a file of its own, by its type and its name.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FieldFacts"))]
pub(crate) struct FieldView {
    /// Its type and its name, as in `JobSpec.backoffLimit`; of an annotation its key.
    name: String,
    /// What it holds, in words.
    kind: String,
    /// Sentences on its default, its values, and when it may change; of an annotation, what it means.
    facts: Vec<String>,
}

/// What can be written at a place.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Completions"))]
pub(crate) struct CompletionsView {
    /// The column, from 1, at which the word begins that is being written.
    column: usize,
    options: Vec<CompletionView>,
}

/// Something that can be written.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Completion"))]
pub(crate) struct CompletionView {
    label: String,
    /// What a field holds, in words, or an annotation, by an example; empty for a value.
    detail: String,
    /// The field's type and name, by which its meaning is found; empty for others.
    name: String,
    /// What an annotation means; empty for others.
    meaning: &'static str,
    /// What comes behind the word: a value on its line, fields below, or items below; nothing behind a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    shape: Option<ValueShape>,
}

/// What the value of a field looks like.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum ValueShape {
    Scalar,
    Map,
    List,
}

/// What is known of the field at a path of an object of this kind.
pub(crate) fn field(kind: &str, path: &str) -> Option<FieldView> {
    if let Some((_, key)) = path.split_once("metadata.annotations[") {
        return key.strip_suffix(']').and_then(KnownAnnotation::of).map(annotation);
    }
    let known = schema::resolve(schema::named(kind)?, path)?;
    let FieldPath { owner, field, .. } = &known;
    Some(FieldView { name: format!("{}.{}", owner.name, field.name), kind: field.kind.to_string(), facts: known.facts() })
}

fn annotation(known: &KnownAnnotation) -> FieldView {
    let kinds: Vec<String> = known.kinds.iter().map(|kind| format!("{}s", kind.name())).collect();
    let of = if kinds.is_empty() { "annotation".to_owned() } else { format!("annotation of {}", kinds.join(" and ")) };
    FieldView { name: known.key.to_owned(), kind: of, facts: vec![format!("{}.", known.meaning), format!("As in {}.", known.example)] }
}

/// What can be written at a line and a column of a text, both from 1.
pub(crate) fn completions(text: &str, line: usize, column: usize) -> CompletionsView {
    let found = manifest::completions(text, line, column);
    CompletionsView { column: found.column, options: found.options.into_iter().map(completion).collect() }
}

fn completion(option: Completion) -> CompletionView {
    match option {
        Completion::Field { owner, field } => {
            let shape = match field.kind {
                FieldType::List(_) => ValueShape::List,
                FieldType::Map(_) | FieldType::Fields(_) => ValueShape::Map,
                FieldType::Text | FieldType::Boolean | FieldType::Int32 | FieldType::Int64 => ValueShape::Scalar,
                FieldType::Time | FieldType::Quantity | FieldType::IntOrString | FieldType::Any => ValueShape::Scalar,
            };
            let name = format!("{owner}.{}", field.name);
            CompletionView { label: field.name.to_owned(), detail: field.kind.to_string(), name, meaning: "", shape: Some(shape) }
        }
        Completion::Annotation(KnownAnnotation { key, example, meaning, .. }) => CompletionView {
            label: (*key).to_owned(),
            detail: (*example).to_owned(),
            name: String::new(),
            meaning,
            shape: Some(ValueShape::Scalar),
        },
        Completion::Value(value) => {
            CompletionView { label: value.to_owned(), detail: String::new(), name: String::new(), meaning: "", shape: None }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_of_jobsmith_are_explained_and_offered() {
        let known = field("CronJob", "spec.jobTemplate.metadata.annotations[jobsmith.dev/retry-delay]").unwrap();
        assert_eq!(known.kind, "annotation of Jobs");
        assert_eq!(known.facts[1], "As in 30s x1.5 up to 5m.");
        assert_eq!(field("Job", "metadata.annotations").unwrap().name, "ObjectMeta.annotations");
        assert!(field("Job", "metadata.annotations[example.com/a]").is_none());
        let CompletionsView { column, options } = completions("kind: Job\nmetadata:\n  annotations:\n    jobsmith.dev/ho", 4, 20);
        let hold = options.iter().find(|option| option.label == "jobsmith.dev/hold").unwrap();
        assert_eq!((column, &*hold.detail, hold.meaning.is_empty()), (5, "\"true\"", false));
    }
}
