//! Labels and selector that the API server gives a Job, so that it finds its pods and no other Job does.
//!
//! Docs: Jobs, "Specifying your own Pod selector" (A-40). Whether a Job still has them is checked in `validation/generated_labels.rs`.

use serde_json::{Value, json};

use api::Job;
use api::meta::names;

use crate::defaults::JsonFields;

/// Gives a Job that is created its selector, unless that is the user's own. Its UID is final.
pub(crate) fn apply_to_selector(job: &mut Job) {
    if job.spec.manual_selector != Some(true) {
        let selector = job.spec.selector.get_or_insert_default();
        selector.match_labels.entry(names::CONTROLLER_UID.into()).or_insert_with(|| job.metadata.uid.clone());
    }
}

/// Adds the generated labels to the Job's pod template. The Job must already have its final name.
pub(crate) fn apply_to_template(job: &Job, template: &mut JsonFields) {
    if job.spec.manual_selector == Some(true) {
        return;
    }
    let Some(labels) = labels(template) else { return };
    let (name, uid) = (&job.metadata.name, &job.metadata.uid);
    for (key, value) in
        [(names::CONTROLLER_UID, uid), (names::LEGACY_CONTROLLER_UID, uid), (names::JOB_NAME, name), (names::LEGACY_JOB_NAME, name)]
    {
        labels.entry(key).or_insert_with(|| json!(&**value));
    }
}

/// The template's labels, made where there are none; `None` if there is something else in their place.
fn labels(template: &mut JsonFields) -> Option<&mut JsonFields> {
    let metadata = or_empty(template.entry("metadata").or_insert(Value::Null)).as_object_mut()?;
    or_empty(metadata.entry("labels").or_insert(Value::Null)).as_object_mut()
}

fn or_empty(value: &mut Value) -> &mut Value {
    if value.is_null() {
        *value = json!({});
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(spec: &str, labels: Value, selector: Value) {
        let mut job: Job = serde_json::from_str(&format!(r#"{{"metadata":{{"name":"pi","uid":"u"}},"spec":{spec}}}"#)).unwrap();
        crate::preparation::prepare_create(&mut job);
        let job = serde_json::to_value(&job).unwrap();
        assert_eq!(job["spec"]["template"]["metadata"]["labels"], labels);
        assert_eq!(job["spec"]["selector"], selector);
    }

    #[test]
    fn a_40_name_and_uid_become_labels() {
        let labels = json!({"batch.kubernetes.io/controller-uid": "u", "controller-uid": "u", "batch.kubernetes.io/job-name": "pi", "job-name": "pi"});
        let selector = json!({"matchLabels": {"batch.kubernetes.io/controller-uid": "u"}});
        check("{}", labels.clone(), selector.clone());
        check(r#"{"template":{"metadata":{"labels":null}}}"#, labels, selector);
    }

    #[test]
    fn a_40_what_is_there_stays() {
        check(
            r#"{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"job-name":"e"}}}}"#,
            json!({"batch.kubernetes.io/controller-uid": "u", "controller-uid": "u", "batch.kubernetes.io/job-name": "pi", "job-name": "e"}),
            json!({"matchLabels": {"a": "b", "batch.kubernetes.io/controller-uid": "u"}}),
        );
        check(r#"{"manualSelector":true}"#, Value::Null, Value::Null);
    }
}
