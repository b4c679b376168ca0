//! Defaults: what the API server fills in where a Job or CronJob leaves something out, on each request and each read from storage (A-13).
//!
//! Docs: Jobs, "Writing a Job spec"; CronJob, "Writing a CronJob spec" (A-20…A-34). Labels and selector are made in `generated.rs`. Defaults that depend
//! on no other field are in the table of the crate `schema`.

use serde_json::{Map, Value, json};

use api::cron_job::concurrency_policy;
use api::job::{JobSpec, NON_INDEXED, Template};
use api::meta::Labels;
use api::quantity::Quantity;
use api::{CronJob, Job};
use schema::{Default, FieldType, SchemaField, SchemaType};

use crate::{equality, job_template};

/// The fields of a JSON object.
pub(crate) type JsonFields = Map<String, Value>;

/// Fills in what a Job leaves out. A second time changes nothing; a template that cannot be understood stays as it is.
pub fn apply(job: &mut Job) {
    apply_to_spec(&mut job.spec);
    let Ok(mut template) = fields(&job.spec.template) else { return };
    apply_to_template(&mut template);
    if job.metadata.labels.is_empty() {
        job.metadata.labels = labels(&template).into();
    }
    job.spec.template = Template::from(template);
}

/// Gives a Job that has no labels those of its template, which has its defaults already (A-28).
pub fn apply_to_labels(job: &mut Job) {
    if job.metadata.labels.is_empty()
        && let Ok(template) = fields(&job.spec.template)
    {
        job.metadata.labels = labels(&template).into();
    }
}

/// Fills in what a CronJob leaves out (A-31…A-33). Of the Jobs in its template, it fills in only what conditions and pod templates have: the
/// rest is due when a Job is created (A-34). A second time changes nothing; a template that cannot be understood stays as it is.
pub fn apply_to_cron_job(cron_job: &mut CronJob) {
    let spec = &mut cron_job.spec;
    if spec.concurrency_policy.is_empty() {
        spec.concurrency_policy = concurrency_policy::ALLOW.into();
    }
    spec.suspend.get_or_insert(false);
    spec.successful_jobs_history_limit.get_or_insert(3);
    spec.failed_jobs_history_limit.get_or_insert(1);
    let Ok(mut job) = job_template::read(&spec.job_template) else { return };
    apply_to_conditions(&mut job);
    if let Ok(mut template) = fields(&job.template) {
        apply_to_template(&mut template);
        job.template = Template::from(template);
    }
    spec.job_template.spec = job_template::written(&job);
}

/// Fills in what a Job that replaces the stored one leaves out; a template that stays the same has its defaults already.
pub(crate) fn apply_beside(job: &mut Job, stored: &Job) {
    if job.spec.template == stored.spec.template && !job.metadata.labels.is_empty() {
        apply_to_spec(&mut job.spec);
    } else {
        apply(job);
    }
}

/// The fields of a template.
pub(crate) fn fields(template: &Template) -> Result<JsonFields, serde_json::Error> {
    serde_json::from_str(template.json())
}

/// The labels in a template (A-28).
pub(crate) fn labels(template: &JsonFields) -> Labels {
    let labels = template.get("metadata").and_then(|metadata| metadata.get("labels")).and_then(Value::as_object);
    let text = |(key, value): (&String, &Value)| Some((key.as_str().into(), value.as_str()?.into()));
    labels.into_iter().flatten().filter_map(text).collect()
}

/// Fills in what the spec of a Job leaves out, but for its template.
pub(crate) fn apply_to_spec(spec: &mut JobSpec) {
    if spec.completions.is_none() && spec.parallelism.is_none() {
        spec.completions = Some(1);
    }
    spec.parallelism.get_or_insert(1);
    spec.backoff_limit.get_or_insert(if spec.backoff_limit_per_index.is_some() { i32::MAX } else { 6 });
    spec.completion_mode.get_or_insert_with(|| NON_INDEXED.into());
    spec.suspend.get_or_insert(false);
    let replacement = if spec.pod_failure_policy.is_some() { "Failed" } else { "TerminatingOrFailed" };
    spec.pod_replacement_policy.get_or_insert_with(|| replacement.into());
    spec.manual_selector.get_or_insert(false);
    apply_to_conditions(spec);
}

/// Fills in what the conditions of a pod failure policy leave out (A-29).
fn apply_to_conditions(spec: &mut JobSpec) {
    let rules = spec.pod_failure_policy.iter_mut().flat_map(|policy| &mut policy.rules);
    for condition in rules.flat_map(|rule| &mut rule.on_pod_conditions).filter(|condition| condition.status.is_empty()) {
        condition.status = "True".into();
    }
}

/// Fills in what a pod template leaves out (A-30).
pub(crate) fn apply_to_template(template: &mut JsonFields) {
    fill(schema::of("PodTemplateSpec"), template);
    let Some(spec) = object(template, "spec") else { return };
    // Both names of the field are kept alike; the one that is not deprecated wins.
    if let Some(account) = ["serviceAccountName", "serviceAccount"].into_iter().find_map(|field| given(spec, field).cloned()) {
        spec.insert("serviceAccountName".to_owned(), account.clone());
        spec.insert("serviceAccount".to_owned(), account);
    }
    for list in ["containers", "initContainers", "ephemeralContainers"] {
        for container in objects(spec, list) {
            apply_pull_policy(container, "image", "imagePullPolicy");
        }
    }
    for volume in objects(spec, "volumes") {
        if !volume.iter().any(|(field, value)| field != "name" && !value.is_null()) {
            volume.insert("emptyDir".to_owned(), json!({}));
        }
        if let Some(image) = object(volume, "image") {
            apply_pull_policy(image, "reference", "pullPolicy");
        }
    }
}

fn apply_pull_policy(fields: &mut JsonFields, image: &str, policy: &str) {
    if given(fields, policy).is_none() {
        let newest = latest(fields.get(image).and_then(Value::as_str).unwrap_or_default());
        fields.insert(policy.to_owned(), if newest { "Always" } else { "IfNotPresent" }.into());
    }
}

/// Fills in the defaults that depend on no other field, in an object of a type and in all that is in it.
fn fill(of: &SchemaType, fields: &mut JsonFields) {
    for field in of.fields {
        match fields.get_mut(field.name).filter(|value| !equality::absent(field, value)) {
            Some(value) => fill_within(&field.kind, value),
            None => {
                if let Some(value) = missing(field) {
                    fields.insert(field.name.to_owned(), value);
                }
            }
        }
    }
}

fn fill_within(kind: &FieldType, value: &mut Value) {
    match (kind, value) {
        (FieldType::Quantity, value) => store_quantity(value, Quantity::clone),
        (FieldType::Map(kind), Value::Object(amounts)) if **kind == FieldType::Quantity => {
            amounts.values_mut().for_each(|amount| store_quantity(amount, Quantity::in_thousandths));
        }
        (FieldType::Fields(of), Value::Object(fields)) => fill(of, fields),
        (FieldType::List(kind), Value::Array(items)) => items.iter_mut().for_each(|item| fill_item(kind, item)),
        (FieldType::Map(kind), Value::Object(entries)) => entries.values_mut().for_each(|item| fill_item(kind, item)),
        _ => {}
    }
}

fn fill_item(kind: &FieldType, item: &mut Value) {
    if matches!(kind, FieldType::Fields(_)) && item.is_null() {
        *item = json!({});
    }
    fill_within(kind, item);
}

/// Writes a quantity as it is stored; what is none stays as it is.
fn store_quantity(value: &mut Value, rounded: fn(&Quantity) -> Quantity) {
    if let Some(quantity) = Quantity::of(value) {
        *value = rounded(&quantity).stored().into();
    }
}

/// What a field is where nothing is given; `None`: nothing.
fn missing(field: &SchemaField) -> Option<Value> {
    match (field.default, &field.kind) {
        (Some(Default::Text(text)), _) => Some(text.into()),
        (Some(Default::Number(number)), _) => Some(number.into()),
        (Some(Default::Boolean(value)), _) => Some(value.into()),
        (Some(Default::Empty), _) => Some(json!({})),
        (Some(Default::Depends), _) => None,
        // They are written even where they are zero, as in `resources: {}`.
        (None, FieldType::Quantity) if !field.pointer => Some("0".into()),
        (None, FieldType::Fields(of)) if !field.pointer => {
            let mut fields = JsonFields::new();
            fill(of, &mut fields);
            Some(fields.into())
        }
        (None, _) => None,
    }
}

/// Whether an image without a digest means whatever is newest: its tag is `latest`, or it has none.
fn latest(image: &str) -> bool {
    let (tagged, digest) = image.split_once('@').map_or((image, false), |(tagged, _)| (tagged, true));
    let last = tagged.rsplit('/').next().unwrap_or(tagged);
    match last.split_once(':') {
        Some((_, tag)) => tag == "latest",
        None => !digest && !image.is_empty(),
    }
}

fn given<'a>(fields: &'a JsonFields, field: &str) -> Option<&'a Value> {
    fields.get(field).filter(|value| !value.is_null() && *value != "")
}

fn object<'a>(fields: &'a mut JsonFields, field: &str) -> Option<&'a mut JsonFields> {
    fields.get_mut(field)?.as_object_mut()
}

fn objects<'a>(fields: &'a mut JsonFields, field: &str) -> impl Iterator<Item = &'a mut JsonFields> {
    fields.get_mut(field).and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_defaults(job: &str) -> Value {
        let mut job: Job = serde_json::from_str(job).unwrap();
        apply(&mut job);
        let once = serde_json::to_value(&job).unwrap();
        apply(&mut job);
        assert_eq!(serde_json::to_value(&job).unwrap(), once, "a second time changes nothing");
        once
    }

    #[track_caller]
    fn check_spec(spec: &str, expected: &[(&str, Value)]) {
        let job = with_defaults(&format!(r#"{{"spec":{spec}}}"#));
        for (pointer, value) in expected {
            assert_eq!(job["spec"].pointer(pointer).unwrap_or(&Value::Null), value, "{pointer} of {spec}");
        }
    }

    #[test]
    fn a_20_to_a_22_how_many_pods() {
        check_spec("{}", &[("/completions", json!(1)), ("/parallelism", json!(1))]);
        check_spec(r#"{"completions":3}"#, &[("/completions", json!(3)), ("/parallelism", json!(1))]);
        check_spec(r#"{"parallelism":3}"#, &[("/completions", Value::Null), ("/parallelism", json!(3))]);
    }

    #[test]
    fn a_23_to_a_29_other_fields() {
        check_spec(
            "{}",
            &[
                ("/backoffLimit", json!(6)),
                ("/completionMode", json!("NonIndexed")),
                ("/suspend", json!(false)),
                ("/podReplacementPolicy", json!("TerminatingOrFailed")),
                ("/manualSelector", json!(false)),
            ],
        );
        check_spec(
            r#"{"backoffLimitPerIndex":0,"podFailurePolicy":{"rules":[{"action":"Count","onPodConditions":[{"type":"A"}]}]}}"#,
            &[
                ("/backoffLimit", json!(2147483647)),
                ("/podReplacementPolicy", json!("Failed")),
                ("/podFailurePolicy/rules/0/onPodConditions/0/status", json!("True")),
            ],
        );
    }

    #[test]
    fn a_28_labels_come_from_the_template() {
        let template = r#""spec":{"template":{"metadata":{"labels":{"app":"pi"}}}}"#;
        assert_eq!(with_defaults(&format!("{{{template}}}"))["metadata"]["labels"], json!({"app": "pi"}));
        let labelled = format!(r#"{{"metadata":{{"labels":{{"a":"b"}}}},{template}}}"#);
        assert_eq!(with_defaults(&labelled)["metadata"]["labels"], json!({"a": "b"}));
    }

    #[test]
    fn a_30_the_template() {
        check_spec(
            r#"{"template":{"spec":{"containers":[{"image":"x:1","ports":[{"containerPort":80}]}],"volumes":[{"name":"v"}]}}}"#,
            &[
                ("/template/spec/restartPolicy", json!("Always")),
                ("/template/spec/securityContext", json!({})),
                ("/template/spec/containers/0/imagePullPolicy", json!("IfNotPresent")),
                ("/template/spec/containers/0/resources", json!({})),
                ("/template/spec/containers/0/ports/0/protocol", json!("TCP")),
                ("/template/spec/volumes/0/emptyDir", json!({})),
            ],
        );
        check_spec(
            r#"{"template":{"spec":{"terminationGracePeriodSeconds":0}}}"#,
            &[("/template/spec/terminationGracePeriodSeconds", json!(0))],
        );
        check_spec(r#"{"template":{"spec":"none"}}"#, &[("/template/spec", json!("none"))]);
    }

    #[test]
    fn quantities_are_stored_in_canonical_form() {
        check_spec(
            r#"{"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":"1000m","memory":"0.5Gi","a/b":1}}}],
            "volumes":[{"emptyDir":{"sizeLimit":"1024Mi"}}],"overhead":{"cpu":"1500u","memory":"x"}}}}"#,
            &[
                ("/template/spec/containers/0/resources/limits", json!({"cpu": "1", "memory": "512Mi", "a/b": "1"})),
                ("/template/spec/volumes/0/emptyDir/sizeLimit", json!("1Gi")),
                ("/template/spec/overhead", json!({"cpu": "2m", "memory": "x"})),
            ],
        );
    }

    #[test]
    fn a_31_to_a_34_cron_jobs_but_not_their_jobs() {
        let policy = r#"{"rules":[{"action":"Count","onPodConditions":[{"type":"A"}]}]}"#;
        let job = format!(r#"{{"podFailurePolicy":{policy},"unknown":1}}"#);
        let mut cron_job = serde_json::from_str(&format!(r#"{{"spec":{{"schedule":"@daily","jobTemplate":{{"spec":{job}}}}}}}"#)).unwrap();
        apply_to_cron_job(&mut cron_job);
        let once = serde_json::to_value(&cron_job.spec).unwrap();
        let template = json!({
            "podFailurePolicy": {"rules": [{"action": "Count", "onPodConditions": [{"type": "A", "status": "True"}]}]},
            "template": {"metadata": {}, "spec": {"restartPolicy": "Always", "dnsPolicy": "ClusterFirst", "terminationGracePeriodSeconds": 30,
                "schedulerName": "default-scheduler", "securityContext": {}}},
        });
        let expected = json!({"schedule": "@daily", "concurrencyPolicy": "Allow", "suspend": false, "successfulJobsHistoryLimit": 3,
            "failedJobsHistoryLimit": 1, "jobTemplate": {"metadata": {}, "spec": template}});
        assert_eq!(once, expected);
        apply_to_cron_job(&mut cron_job);
        assert_eq!(serde_json::to_value(&cron_job.spec).unwrap(), once, "a second time changes nothing");
        cron_job.spec.job_template.spec = Template(serde_json::from_str("\"none\"").unwrap());
        apply_to_cron_job(&mut cron_job);
        assert_eq!(cron_job.spec.job_template.spec.json(), "\"none\"");
    }

    #[test]
    fn a_30_images_without_a_tag_are_pulled_always() {
        for image in ["x", "x:latest", "example.com:5000/x", "x:latest@sha256:0"] {
            assert!(latest(image), "{image}");
        }
        for image in ["x:1", "x@sha256:0", "example.com:5000/x:1", ""] {
            assert!(!latest(image), "{image}");
        }
    }
}
