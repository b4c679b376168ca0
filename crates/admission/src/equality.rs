//! When two specs mean the same, however they are written.
//!
//! Docs: API conventions, "Optional vs. Required" (A-14, A-113…A-115). A pod template is JSON text: quantities are compared by worth, and which fields
//! distinguish zero from nothing is in the table of the crate `schema`.

use api::cron_job::JobTemplate;
use api::job::Template;
use api::quantity::Quantity;
use api::{CronJobSpec, JobSpec};
use schema::{FieldType, SchemaField, SchemaType};
use serde_json::{Map, Value};

use crate::job_template;

/// Whether two specs mean the same.
pub(crate) fn same_spec(left: &JobSpec, right: &JobSpec) -> bool {
    if left == right {
        return true;
    }
    let with_template = |spec: &JobSpec| JobSpec { template: Template::default(), ..spec.clone() };
    with_template(left) == with_template(right) && same_template(&left.template, &right.template)
}

/// Whether two specs of CronJobs mean the same.
pub(crate) fn same_cron_job_spec(left: &CronJobSpec, right: &CronJobSpec) -> bool {
    if left == right {
        return true;
    }
    let with_template = |spec: &CronJobSpec| {
        let job_template = JobTemplate { spec: Template::default(), ..spec.job_template.clone() };
        CronJobSpec { job_template, ..spec.clone() }
    };
    let jobs = [left, right].map(|spec| job_template::read(&spec.job_template));
    with_template(left) == with_template(right) && matches!(jobs, [Ok(left), Ok(right)] if same_spec(&left, &right))
}

/// Whether two pod templates mean the same.
pub(crate) fn same_template(left: &Template, right: &Template) -> bool {
    left == right || essence(left) == essence(right)
}

/// What a pod template means, written in one way.
pub(crate) fn essence(template: &Template) -> Map<String, Value> {
    serde_json::from_str(template.json()).map(|fields| essential_fields(schema::of("PodTemplateSpec"), fields)).unwrap_or_default()
}

/// Whether a value means that nothing is given in its field.
pub(crate) fn absent(field: &SchemaField, value: &Value) -> bool {
    value.is_null() || !field.pointer && zero(value)
}

/// What an object of a type means, written in one way: without what is the same as nothing.
#[must_use]
pub fn essential_fields(of: &SchemaType, fields: Map<String, Value>) -> Map<String, Value> {
    let essence = |(name, value): (String, Value)| {
        let Some(field) = of.field(&name) else { return (!value.is_null()).then_some((name, value)) };
        let value = essential(&field.kind, value);
        (!absent(field, &value)).then_some((name, value))
    };
    fields.into_iter().filter_map(essence).collect()
}

/// What a value means, written in one way.
fn essential(kind: &FieldType, value: Value) -> Value {
    match (kind, value) {
        (FieldType::Fields(of), Value::Object(fields)) => essential_fields(of, fields).into(),
        (FieldType::List(kind), Value::Array(items)) => items.into_iter().map(|item| essential(kind, item)).collect(),
        (FieldType::Map(kind), Value::Object(entries)) => entries.into_iter().map(|(key, value)| (key, essential(kind, value))).collect(),
        (FieldType::Quantity, value) => worth(value),
        (_, value) => value,
    }
}

/// Whether a value is what its type has where nothing is given.
fn zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// The value of a quantity, or the text itself if it is not a quantity.
fn worth(value: Value) -> Value {
    Quantity::of(&value).map_or(value, |quantity| Value::String(quantity.worth()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(left: &str, right: &str) -> bool {
        let template = |text: &str| serde_json::from_str(text).unwrap();
        same_template(&template(left), &template(right))
    }

    #[test]
    fn empty_fields_are_ignored() {
        assert!(same(
            r#"{"spec":{"a":1}}"#,
            r#"{ "metadata": {"labels": {}}, "spec": {"tolerations": [], "hostNetwork": false, "b": null, "a": 1} }"#
        ));
        assert!(same(r#"{"spec":{"containers":[{"env":[]}]}}"#, r#"{"spec":{"containers":[{"image":"","resources":{"limits":{}}}]}}"#));
    }

    #[test]
    fn other_fields_count() {
        assert!(!same(r#"{"spec":{"affinity":{}}}"#, r#"{"spec":{}}"#));
        assert!(!same(r#"{"metadata":{"labels":{"a":""}}}"#, "{}"));
        assert!(!same(r#"{"spec":{"hostUsers":false}}"#, r#"{"spec":{}}"#));
        assert!(!same(r#"{"spec":{"containers":[{"command":["a",""]}]}}"#, r#"{"spec":{"containers":[{"command":["a"]}]}}"#));
    }

    #[test]
    fn quantities_are_compared_by_worth() {
        let limit = |cpu: &str| format!(r#"{{"spec":{{"containers":[{{"resources":{{"limits":{{"cpu":{cpu}}}}}}}]}}}}"#);
        assert!(same(&limit("1"), &limit(r#""1000m""#)));
        assert!(!same(&limit("1"), &limit("2")));
    }
}
