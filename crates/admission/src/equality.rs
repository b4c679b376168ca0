//! When two specs mean the same, however they are written.
//!
//! Docs: API conventions, "Optional vs. Required" (A-14, A-113…A-115). A pod template is JSON text: absent, `null`, empty lists and empty text
//! are alike in it, and quantities are compared by worth. Empty text is taken for none even in the few fields that distinguish the two.

use api::cron_job::JobTemplate;
use api::job::Template;
use api::quantity::Quantity;
use api::{CronJobSpec, JobSpec};
use serde_json::{Map, Value};

use crate::job_template;

/// Maps from text to text, in which empty text is a value like another.
const MAPS_OF_TEXT: [&str; 4] = ["labels", "annotations", "nodeSelector", "matchLabels"];
/// Maps from resources to quantities.
const MAPS_OF_QUANTITIES: [&str; 2] = ["limits", "requests"];
/// Other objects that are the same as nothing when they are empty.
const NOTHING_IF_EMPTY: [&str; 2] = ["metadata", "resources"];
/// Fields whose zero is the same as nothing.
const NOTHING_IF_ZERO: [&str; 9] =
    ["hostNetwork", "hostPID", "hostIPC", "hostPort", "initialDelaySeconds", "readOnly", "stdin", "stdinOnce", "tty"];

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
    serde_json::from_str(template.json()).map(essential_fields).unwrap_or_default()
}

fn essential_fields(fields: Map<String, Value>) -> Map<String, Value> {
    fields.into_iter().filter_map(|(field, value)| essential(&field, value).map(|value| (field, value))).collect()
}

/// What the value of a field means; `None`: nothing.
fn essential(field: &str, value: Value) -> Option<Value> {
    match value {
        Value::Object(fields) if MAPS_OF_TEXT.contains(&field) => (!fields.is_empty()).then_some(Value::Object(fields)),
        Value::Object(fields) if MAPS_OF_QUANTITIES.contains(&field) => {
            let worth = |(resource, quantity)| (resource, worth(quantity));
            (!fields.is_empty()).then(|| fields.into_iter().map(worth).collect())
        }
        Value::Object(fields) => {
            let fields = essential_fields(fields);
            (!fields.is_empty() || !NOTHING_IF_EMPTY.contains(&field)).then_some(Value::Object(fields))
        }
        Value::Array(items) => {
            let item = |item| if let Value::Object(fields) = item { Value::Object(essential_fields(fields)) } else { item };
            (!items.is_empty()).then(|| items.into_iter().map(item).collect())
        }
        Value::Null => None,
        Value::String(text) => (!text.is_empty()).then_some(Value::String(text)),
        Value::Bool(false) if NOTHING_IF_ZERO.contains(&field) => None,
        Value::Number(number) if NOTHING_IF_ZERO.contains(&field) && number.as_i64() == Some(0) => None,
        Value::Bool(_) | Value::Number(_) => Some(value),
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
