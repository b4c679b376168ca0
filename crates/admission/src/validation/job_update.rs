//! A Job that is updated: what of its spec may change, and when.
//!
//! Docs: Jobs, "Elastic Indexed Jobs", "Mutable Scheduling Directives" (A-19, A-110…A-117). Its status is changed by another request: `job_status.rs`.

use api::job::conditions;
use api::{Job, JobSpec};
use serde_json::{Map, Value};

use super::job::{self, unreadable};
use super::{FieldError, Path, immutable, metadata, selector};
use crate::equality::{essence, same_template};
use crate::pod_template::PodTemplateSpec;

/// Finds all that is wrong with a Job that is to replace the stored one (A-19). Unlike v1.36, the API server of v1.37 does not ask for generated labels
/// here (A-41): the selector must match the template's labels, and that is all.
#[must_use]
pub fn update(new: &Job, stored: &Job) -> Vec<FieldError> {
    let template = match PodTemplateSpec::read(&new.spec.template) {
        Ok(template) => template,
        Err(error) => return vec![unreadable(new, &error)],
    };
    let impossible_values = stored.spec.selector.as_ref().is_some_and(selector::has_impossible_values);
    let path = Path::of("spec");
    let mut errors = Vec::new();
    metadata::check_update(&new.metadata, &stored.metadata, &mut errors);
    errors.extend(job::spec(&path, &new.spec, &template, impossible_values));
    check_spec(&path, new, stored, &mut errors);
    job::check_pod_names(new, &mut errors);
    errors
}

fn check_spec(path: &Path, new: &Job, stored: &Job, errors: &mut Vec<FieldError>) {
    check_completions(&path.field("completions"), new, &stored.spec, errors);
    let (spec, before) = (&new.spec, &stored.spec);
    immutable(&path.field("selector"), &spec.selector, &before.selector, errors);
    check_template(&path.field("template"), new, stored, errors);
    immutable(&path.field("completionMode"), &spec.completion_mode, &before.completion_mode, errors);
    immutable(&path.field("podFailurePolicy"), &spec.pod_failure_policy, &before.pod_failure_policy, errors);
    immutable(&path.field("backoffLimitPerIndex"), &spec.backoff_limit_per_index, &before.backoff_limit_per_index, errors);
    immutable(&path.field("managedBy"), &spec.managed_by, &before.managed_by, errors);
    immutable(&path.field("successPolicy"), &spec.success_policy, &before.success_policy, errors);
}

/// An Indexed Job may be scaled: its completions change together with its parallelism (A-112).
fn check_completions(path: &Path, new: &Job, stored: &JobSpec, errors: &mut Vec<FieldError>) {
    if !new.indexed() {
        immutable(path, &new.spec.completions, &stored.completions, errors);
        return;
    }
    let Some(completions) = new.spec.completions else { return };
    if stored.completions != Some(completions) && new.spec.parallelism != Some(completions) {
        errors.push(FieldError::invalid(path, &completions, "can only be modified in tandem with spec.parallelism"));
    }
}

/// The template stays as it is (A-114), but for what decides where pods run while the Job has none (A-115).
fn check_template(path: &Path, new: &Job, stored: &Job, errors: &mut Vec<FieldError>) {
    if same_template(&new.spec.template, &stored.spec.template) {
        return;
    }
    if !template_open(stored) {
        errors.push(FieldError::invalid(path, &new.spec.template, "field is immutable"));
        return;
    }
    let spec = pod_spec(essence(&new.spec.template));
    immutable(&path.field("spec"), &fixed(spec), &fixed(pod_spec(essence(&stored.spec.template))), errors);
}

/// Whether parts of the template may change: the stored Job is suspended and has no pods (A-115).
fn template_open(stored: &Job) -> bool {
    let quiet = stored.status.start_time.is_none() || stored.condition(conditions::SUSPENDED).is_some();
    stored.suspended() && quiet && stored.status.active == 0
}

fn pod_spec(mut template: Map<String, Value>) -> Map<String, Value> {
    match template.remove("spec") {
        Some(Value::Object(spec)) => spec,
        _ => Map::new(),
    }
}

/// A pod spec without what may change while the template is open.
fn fixed(mut spec: Map<String, Value>) -> Map<String, Value> {
    for field in ["nodeSelector", "tolerations", "schedulingGates"] {
        spec.remove(field);
    }
    if let Some(affinity) = spec.get_mut("affinity").and_then(Value::as_object_mut) {
        affinity.remove("nodeAffinity");
        if affinity.is_empty() {
            spec.remove("affinity");
        }
    }
    for list in ["containers", "initContainers"] {
        let containers = spec.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
        for container in containers.filter_map(Value::as_object_mut) {
            container.remove("resources");
        }
    }
    spec
}

#[cfg(test)]
mod tests {
    use api::meta::names;

    use super::*;
    use crate::preparation;

    const TEMPLATE: &str = r#"{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"x"}]}}"#;

    fn stored(more: &str) -> Job {
        let metadata = r#"{"name":"pi","namespace":"default","uid":"u","resourceVersion":"5"}"#;
        let mut job = serde_json::from_str(&format!(r#"{{"metadata":{metadata},"spec":{{"template":{TEMPLATE}{more}}}}}"#)).unwrap();
        preparation::prepare_create(&mut job);
        job
    }

    #[track_caller]
    fn check(stored: &Job, change: impl FnOnce(&mut JobSpec), expected: &[&str]) {
        let mut new = stored.clone();
        change(&mut new.spec);
        preparation::prepare_update(&mut new, stored);
        let errors = update(&new, stored);
        let listed: Vec<_> = errors.iter().map(|error| format!("{}: {}", error.field, error.detail)).collect();
        assert_eq!(listed, expected);
    }

    fn edit(spec: &mut JobSpec, pointer: &str, field: &str, value: Value) {
        let mut template: Value = serde_json::from_str(spec.template.json()).unwrap();
        template.pointer_mut(pointer).unwrap().as_object_mut().unwrap().insert(field.into(), value);
        spec.template = serde_json::from_value(template).unwrap();
    }

    fn remove(spec: &mut JobSpec, pointer: &str, field: &str) {
        let mut template: Value = serde_json::from_str(spec.template.json()).unwrap();
        template.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(field).unwrap();
        spec.template = serde_json::from_value(template).unwrap();
    }

    #[test]
    fn a_111_some_fields_are_free() {
        check(
            &stored(""),
            |spec| {
                spec.parallelism = Some(7);
                spec.suspend = Some(true);
                spec.backoff_limit = Some(0);
                spec.manual_selector = Some(true);
            },
            &[],
        );
    }

    #[test]
    fn a_112_completions_scale_with_parallelism() {
        check(&stored(""), |spec| spec.completions = Some(2), &["spec.completions: field is immutable"]);
        let indexed = stored(r#","completionMode":"Indexed","completions":3,"parallelism":2"#);
        check(&indexed, |spec| spec.completions = Some(2), &[]);
        check(&indexed, |spec| spec.completions = Some(4), &["spec.completions: can only be modified in tandem with spec.parallelism"]);
    }

    #[test]
    fn a_19_a_113_what_is_immutable() {
        check(&stored(""), |spec| spec.managed_by = Some("a/b".into()), &["spec.managedBy: field is immutable"]);
        check(
            &stored(""),
            |spec| spec.backoff_limit_per_index = Some(1),
            &["spec.backoffLimitPerIndex: requires indexed completion mode", "spec.backoffLimitPerIndex: field is immutable"],
        );
    }

    #[test]
    fn a_114_to_a_116_the_template_opens_while_the_job_is_suspended() {
        let pin = |spec: &mut JobSpec| edit(spec, "/spec", "nodeSelector", serde_json::json!({"disk": "ssd"}));
        let rename = |spec: &mut JobSpec| edit(spec, "/spec/containers/0", "image", "y".into());
        check(&stored(""), pin, &["spec.template: field is immutable"]);
        let mut suspended = stored(r#","suspend":true"#);
        check(&suspended, pin, &[]);
        check(&suspended, rename, &["spec.template.spec: field is immutable"]);
        let resources = serde_json::json!({"limits": {"cpu": "1"}});
        check(&suspended, |spec| edit(spec, "/spec/containers/0", "resources", resources), &[]);
        suspended.status.active = 1;
        check(&suspended, pin, &["spec.template: field is immutable"]);
    }

    /// v1.36 demands all generated labels of an update, v1.37 only that the selector matches.
    #[test]
    fn a_41_generated_labels_of_a_suspended_job_may_change_but_the_selected_one() {
        let suspended = stored(r#","suspend":true"#);
        let labels = "/metadata/labels";
        let selected = "spec.template.metadata.labels: `selector` does not match template `labels`";
        let keys = [
            (names::JOB_NAME, None),
            (names::LEGACY_JOB_NAME, None),
            (names::LEGACY_CONTROLLER_UID, None),
            (names::CONTROLLER_UID, Some(selected)),
        ];
        for (key, refused) in keys {
            let expected: Vec<&str> = refused.into_iter().collect();
            check(&suspended, |spec| edit(spec, labels, key, "e".into()), &expected);
            check(&suspended, |spec| remove(spec, labels, key), &expected);
            check(&stored(""), |spec| remove(spec, labels, key), &[&expected[..], &["spec.template: field is immutable"]].concat());
        }
        check(&suspended, |spec| edit(spec, "/metadata", "labels", serde_json::json!({})), &[selected]);
        let other = |spec: &mut JobSpec| spec.selector.as_mut().unwrap().match_labels.insert("app".into(), "e".into());
        check(
            &suspended,
            |spec| {
                other(spec);
                edit(spec, labels, "app", "e".into());
            },
            &["spec.selector: field is immutable"],
        );
    }

    #[test]
    fn a_41_a_selector_of_the_users_own_may_become_a_generated_one_and_the_other_way_round() {
        let mut own = stored(r#","suspend":true"#);
        own.spec.manual_selector = Some(true);
        remove(&mut own.spec, "/metadata/labels", names::JOB_NAME);
        check(&own, |spec| spec.manual_selector = Some(false), &[]);
        check(&own, |spec| remove(spec, "/metadata/labels", names::LEGACY_JOB_NAME), &[]);
    }

    #[test]
    fn a_117_a_stored_selector_may_keep_impossible_values() {
        let mut old = stored("");
        old.spec.selector = Some(serde_json::from_str(r#"{"matchExpressions":[{"key":"k","operator":"In","values":["a b"]}]}"#).unwrap());
        check(&old, |_| (), &[]);
    }
}
