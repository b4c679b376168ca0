//! A single field that is set by its path: whether it exists, and whether the value is of its type.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Whole objects are decoded in `strict.rs`; what the value must be is validation, in `admission`.

use api::Kind;
use schema::FieldType;
use serde_json::{Value, json};

use crate::{misplaced, path, read, strict};

/// What is wrong with a field that is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldProblem {
    /// What is wrong, in a sentence without its end.
    pub message: String,
    /// What to do.
    pub remedy: Option<String>,
}

/// Checks that objects of a kind have a field at this path, names with dots between them.
///
/// # Errors
/// The first name in the path that is not a field.
pub fn check_path(kind: Kind, path: &str) -> Result<(), FieldProblem> {
    resolve(kind, path).map(|_| ())
}

/// Checks the path, and that the value is of the field's type; `null` takes a field away.
///
/// # Errors
/// The first thing that is wrong.
pub fn check_field(kind: Kind, path: &str, value: &Value) -> Result<(), FieldProblem> {
    let field = resolve(kind, path)?;
    let text = json!({"value": value}).to_string();
    let documents = read(&text).expect("JSON is read back as it was written");
    let node = &documents[0].root().entry("value").expect("it was written with this key").node;
    match strict::problems(kind, node, &field, path).into_iter().next() {
        None => Ok(()),
        Some(problem) => Err(FieldProblem { message: format!("{}: {}", problem.path, problem.message), remedy: problem.remedy }),
    }
}

/// The type of the field at this path.
fn resolve(kind: Kind, path: &str) -> Result<FieldType, FieldProblem> {
    let (mut walked, mut current) = (String::new(), FieldType::Fields(schema::of(kind.name())));
    for name in path.split('.') {
        let outer = walked;
        walked = path::join(&outer, name);
        let problem = |message: String, remedy: Option<String>| Err(FieldProblem { message, remedy });
        current = match current {
            FieldType::Fields(owner) => match owner.field(name) {
                Some(field) => field.kind,
                None => return problem(format!("unknown field {walked:?}"), remedy(kind, owner.name, &walked, name)),
            },
            FieldType::Map(inner) => *inner,
            FieldType::Any => FieldType::Any,
            FieldType::List(_) => return problem(format!("{outer} is a list"), Some(format!("set all of it, as in {outer}=[…]"))),
            FieldType::Text
            | FieldType::Boolean
            | FieldType::Int32
            | FieldType::Int64
            | FieldType::Time
            | FieldType::Quantity
            | FieldType::IntOrString => {
                return problem(format!("{outer} has no fields"), Some(format!("use {outer}=VALUE")));
            }
        };
    }
    Ok(current)
}

/// What to do about a field that a type does not have. Where it belongs is known of CronJobs and Jobs alone.
fn remedy(kind: Kind, owner: &str, path: &str, name: &str) -> Option<String> {
    match kind {
        Kind::CronJob | Kind::Job => misplaced::remedy(kind, owner, path, name).map(|remedy| remedy.words),
        Kind::Pod if owner == kind.name() => Some("the fields here are metadata, spec, status".to_owned()),
        Kind::Pod => misplaced::nearest(name, schema::of(owner).names()).map(|meant| format!("did you mean {meant}?")),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(fields: &[(Kind, &str, Value)], expected: Expect) {
        let line = |(kind, path, value): &(Kind, &str, Value)| match check_field(*kind, path, value) {
            Ok(()) => format!("{path}={value}: taken\n"),
            Err(FieldProblem { message, remedy }) => format!("{path}={value}: {message}; {}\n", remedy.unwrap_or_default()),
        };
        expected.assert_eq(&fields.iter().map(line).collect::<String>());
    }

    #[test]
    fn fields_that_exist() {
        check(
            &[
                (Kind::Job, "spec.parallelism", json!(2)),
                (Kind::Job, "spec.activeDeadlineSeconds", Value::Null),
                (Kind::Job, "metadata.labels.app", json!("pi")),
                (Kind::Job, "metadata", json!({"finalizers": ["example.com/hold"]})),
                (Kind::Job, "spec.template.metadata", json!({"labels": null})),
                (Kind::CronJob, "spec.suspend", json!(true)),
                (Kind::CronJob, "spec.jobTemplate.spec.backoffLimit", json!(3)),
                (Kind::Pod, "metadata.annotations.a", json!("b")),
                (Kind::Pod, "spec.nodeName", json!("node-1")),
                (Kind::Pod, "status.phase", json!("Failed")),
            ],
            expect![[r#"
                spec.parallelism=2: taken
                spec.activeDeadlineSeconds=null: taken
                metadata.labels.app="pi": taken
                metadata={"finalizers":["example.com/hold"]}: taken
                spec.template.metadata={"labels":null}: taken
                spec.suspend=true: taken
                spec.jobTemplate.spec.backoffLimit=3: taken
                metadata.annotations.a="b": taken
                spec.nodeName="node-1": taken
                status.phase="Failed": taken
            "#]],
        );
    }

    #[test]
    fn fields_that_do_not_exist_and_values_of_other_types() {
        check(
            &[
                (Kind::Job, "spec.foo", json!(3)),
                (Kind::Job, "spec.backofLimit", json!(3)),
                (Kind::Job, "parallelism", json!(3)),
                (Kind::Job, "spec.template.spec.backoffLimit", json!(3)),
                (Kind::Job, "spec.parallelism.x", json!(3)),
                (Kind::Job, "spec.template.spec.containers.image", json!("perl")),
                (Kind::Job, "spec.parallelism", json!("3")),
                (Kind::Job, "spec.podFailurePolicy", json!({"rulez": []})),
                (Kind::Job, "spec.suspend", json!(1)),
                (Kind::CronJob, "spec.backoffLimit", json!(3)),
                (Kind::CronJob, "spec.startingDeadlineSeconds", json!("1m")),
                (Kind::Pod, "spec.foo", json!(1)),
                (Kind::Pod, "foo", json!(1)),
            ],
            expect![[r#"
                spec.foo=3: unknown field "spec.foo"; the fields here are activeDeadlineSeconds, backoffLimit, backoffLimitPerIndex, completionMode, completions, managedBy, manualSelector, maxFailedIndexes, parallelism, podFailurePolicy, podReplacementPolicy, scheduling, selector, successPolicy, suspend, template, ttlSecondsAfterFinished
                spec.backofLimit=3: unknown field "spec.backofLimit"; did you mean backoffLimit?
                parallelism=3: unknown field "parallelism"; parallelism belongs to the Job: move it to spec.parallelism
                spec.template.spec.backoffLimit=3: unknown field "spec.template.spec.backoffLimit"; backoffLimit belongs to the Job: move it to spec.backoffLimit
                spec.parallelism.x=3: spec.parallelism has no fields; use spec.parallelism=VALUE
                spec.template.spec.containers.image="perl": spec.template.spec.containers is a list; set all of it, as in spec.template.spec.containers=[…]
                spec.parallelism="3": spec.parallelism: expected a whole number (int32), found text; write it without quotes: 3
                spec.podFailurePolicy={"rulez":[]}: spec.podFailurePolicy.rulez: unknown field "rulez"; did you mean rules?
                spec.suspend=1: spec.suspend: expected true or false, found the number 1; use true or false, without quotes
                spec.backoffLimit=3: unknown field "spec.backoffLimit"; backoffLimit belongs to the Job: move it to spec.jobTemplate.spec.backoffLimit
                spec.startingDeadlineSeconds="1m": spec.startingDeadlineSeconds: expected a whole number (int64), found text; use a number of seconds: 60
                spec.foo=1: unknown field "spec.foo"; 
                foo=1: unknown field "foo"; the fields here are metadata, spec, status
            "#]],
        );
    }
}
