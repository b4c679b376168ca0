//! A manifest with one change: the changes that suit it, each as the text with that change alone.
//!
//! Docs: Jobs, "Handling Pod and container failures"; CronJob, "Writing a CronJob spec". How a text is changed is decided in `manifest::Repairs`; two
//! sessions are compared in `web/src/compare/Variants.tsx`.

use api::manual;
use manifest::{Document, Fix, ManifestObject, Repairs, Severity};
use serde::Serialize;
use serde_json::Value;

use crate::annotation_variants::of_annotations;
use crate::check;

/// A manifest with one change, beside the one without it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Variant"))]
pub(crate) struct VariantView {
    /// The field as it is, and as it becomes: `backoffLimit: 6` and `backoffLimit: 0`.
    pub(crate) titles: [String; 2],
    /// Of a Job that a cluster has: the manifest of one that has yet to start, which is compared in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    base: Option<String>,
    pub(crate) manifest: String,
    /// Rules and actions with which the change shows, for a session that has no rules.
    pub(crate) script: String,
}

/// A change of one field.
pub(crate) struct FieldChange {
    /// Its path.
    pub(crate) path: String,
    /// What it is, and what it becomes: in YAML, or in other words where that says more.
    pub(crate) before: String,
    pub(crate) after: String,
    /// What is written; `None` if the field goes.
    pub(crate) value: Option<String>,
    pub(crate) script: String,
}

/// The changes that suit the first Job or CronJob of a manifest; none if it is invalid.
pub(crate) fn variants(text: &str) -> Vec<VariantView> {
    if check::manifest(text).iter().any(|found| found.severity == Severity::Error) {
        return Vec::new();
    }
    let objects = manifest::objects(text).unwrap_or_default();
    let Some(object) = objects.iter().find(|object| !matches!(object, ManifestObject::Pod(_))) else { return Vec::new() };
    let known = object.document().value();
    if known["metadata"]["uid"].is_null() {
        return of_document(text, object.document()).collect();
    }
    let Some(name) = known["metadata"]["name"].as_str().filter(|_| matches!(object, ManifestObject::Job(_))) else { return Vec::new() };
    let base = manifest::write(&manual::without_owner(manual::again(known, Some(name))));
    let read = manifest::read(&base).unwrap_or_default();
    let found = read.iter().flat_map(|document| of_document(&base, document));
    found.map(|variant| VariantView { base: Some(base.clone()), ..variant }).collect()
}

/// The changes that suit an object of a text.
fn of_document<'t>(text: &'t str, document: &'t Document) -> impl Iterator<Item = VariantView> + 't {
    let repairs = Repairs::of(text);
    changes(document.value()).into_iter().filter_map(move |change| {
        let FieldChange { path, before, after, value, script } = change;
        let fix = match value {
            None => Fix::TakeOut,
            Some(value) if document.get(&path).is_some() => Fix::Write { value },
            Some(value) => Fix::Add { path: path.clone(), value },
        };
        let manifest = repairs.change(document, &path, fix)?.apply(text)?;
        let valid = check::manifest(&manifest).iter().all(|found| found.severity != Severity::Error);
        valid.then_some(VariantView { titles: [before, after], base: None, manifest, script })
    })
}

/// What people change to see what difference it makes.
fn changes(object: &Value) -> Vec<FieldChange> {
    let cron_job = object["kind"] == "CronJob";
    let (spec, prefix) =
        if cron_job { (&object["spec"]["jobTemplate"]["spec"], "spec.jobTemplate.spec") } else { (&object["spec"], "spec") };
    let mut found = of_failures(spec, prefix);
    found.extend(of_policies(spec, prefix));
    if cron_job {
        found.extend(of_schedules(&object["spec"]));
    }
    found.extend(of_annotations(object));
    found
}

/// A field that becomes another word or number.
fn set(prefix: &str, path: &str, before: &str, after: &str, script: &str) -> FieldChange {
    let name = path.rsplit('.').next().unwrap_or(path);
    let titles = |value: &str| format!("{name}: {value}");
    let (path, script) = (format!("{prefix}.{path}"), script.to_owned());
    FieldChange { path, before: titles(before), after: titles(after), value: Some(after.to_owned()), script }
}

/// A field that goes, or comes with this value.
fn toggled(prefix: &str, path: &str, known: &Value, value: &str, script: &str) -> FieldChange {
    let there = !known.is_null();
    let with = match known.as_i64().map_or_else(|| value.to_owned(), |known| known.to_string()) {
        number if number.parse::<i64>().is_ok() => format!("{path}: {number}"),
        _ => format!("With {path}"),
    };
    let without = format!("Without {path}");
    let (before, after) = if there { (with, without) } else { (without, with) };
    FieldChange { path: format!("{prefix}.{path}"), before, after, value: (!there).then(|| value.to_owned()), script: script.to_owned() }
}

pub(crate) const FAILS: &str = "pods: exit 1 after 5s\n";

/// Changes of what a failure brings.
fn of_failures(spec: &Value, prefix: &str) -> Vec<FieldChange> {
    let policy = spec["template"]["spec"]["restartPolicy"].as_str().unwrap_or_default();
    let other = if policy == "Never" { "OnFailure" } else { "Never" };
    let mut found = vec![set(prefix, "template.spec.restartPolicy", policy, other, FAILS)];
    let per_index = &spec["backoffLimitPerIndex"];
    let limit = spec["backoffLimit"].as_i64().unwrap_or(6);
    if per_index.is_null() {
        let others = [0, 1, 6].into_iter().filter(|other| *other != limit);
        found.extend(others.map(|other| set(prefix, "backoffLimit", &limit.to_string(), &other.to_string(), FAILS)));
    }
    if spec["completionMode"] == "Indexed" {
        found.push(toggled(prefix, "backoffLimitPerIndex", per_index, "1", "index 0: exit 1 after 5s\npods: succeed after 60s\n"));
    }
    let deadline = &spec["activeDeadlineSeconds"];
    found.push(toggled(
        prefix,
        "activeDeadlineSeconds",
        deadline,
        "60",
        &format!("pods: succeed after {}s\n", deadline.as_i64().unwrap_or(60).saturating_add(30)),
    ));
    found
}

/// A rule that keeps disruptions from counting.
const IGNORES: &str = r#"{"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}"#;

/// Changes of policies.
fn of_policies(spec: &Value, prefix: &str) -> Vec<FieldChange> {
    let rules = &spec["podFailurePolicy"]["rules"];
    let code = rules.as_array().into_iter().flatten().find_map(|rule| rule["onExitCodes"]["values"][0].as_i64());
    let first = match code {
        Some(code) => format!("attempt 1: exit {code} after 5s\n"),
        None => "attempt 1: runs forever, evicted after 5s\n".to_owned(),
    };
    let mut found = vec![toggled(prefix, "podFailurePolicy", rules, IGNORES, &first)];
    let replaced = spec["podReplacementPolicy"].as_str().unwrap_or("TerminatingOrFailed");
    let other = if replaced == "Failed" { "TerminatingOrFailed" } else { "Failed" };
    let deleted = "pods: succeed after 30s, ends 10s after TERM with 143\nat 8s: delete attempt 1\n";
    // With a pod failure policy, there is only one.
    if rules.is_null() {
        found.push(set(prefix, "podReplacementPolicy", replaced, other, deleted));
    }
    let early = &spec["successPolicy"];
    if !early.is_null() {
        found.push(toggled(prefix, "successPolicy", early, "", "index 0: succeed after 5s\npods: succeed after 60s\n"));
    }
    found
}

/// Changes of when a CronJob starts a Job.
fn of_schedules(spec: &Value) -> Vec<FieldChange> {
    let policy = spec["concurrencyPolicy"].as_str().unwrap_or("Allow");
    let policies = ["Allow", "Forbid", "Replace"].into_iter().filter(|other| *other != policy);
    let mut found: Vec<FieldChange> = policies.map(|other| set("spec", "concurrencyPolicy", policy, other, "")).collect();
    let schedule = spec["schedule"].as_str().unwrap_or_default();
    let schedules = ["*/5 * * * *", "0 * * * *"].into_iter().filter(|other| *other != schedule);
    found.extend(schedules.map(|other| set("spec", "schedule", &format!("{schedule:?}"), &format!("{other:?}"), "")));
    found
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// The titles of each variant, and the lines that it has more or less than the manifest.
    fn check(text: &str, expected: Expect) {
        let row = |VariantView { titles: [before, after], base, manifest, .. }: VariantView| {
            let base = base.unwrap_or_else(|| text.to_owned());
            let lines = |one: &str, other: &str, mark: &str| -> String {
                one.lines()
                    .filter(|line| !other.lines().any(|known| known == *line))
                    .map(|line| format!("    {mark} {}\n", line.trim()))
                    .collect()
            };
            format!("{before} | {after}\n{}{}", lines(&base, &manifest, "-"), lines(&manifest, &base, "+"))
        };
        expected.assert_eq(&variants(text).into_iter().map(row).collect::<String>());
    }

    const JOB: &str = "apiVersion: batch/v1
kind: Job
metadata:
  name: work
spec:
  backoffLimit: 1 # few
  template:
    spec:
      restartPolicy: OnFailure
      containers:
      - {name: main, image: busybox}
";

    #[test]
    fn the_changes_that_suit_a_job() {
        check(
            JOB,
            expect![[r#"
                restartPolicy: OnFailure | restartPolicy: Never
                    - restartPolicy: OnFailure
                    + restartPolicy: Never
                backoffLimit: 1 | backoffLimit: 0
                    - backoffLimit: 1 # few
                    + backoffLimit: 0 # few
                backoffLimit: 1 | backoffLimit: 6
                    - backoffLimit: 1 # few
                    + backoffLimit: 6 # few
                Without activeDeadlineSeconds | activeDeadlineSeconds: 60
                    + activeDeadlineSeconds: 60
                podReplacementPolicy: TerminatingOrFailed | podReplacementPolicy: Failed
                    + podReplacementPolicy: Failed
            "#]],
        );
        let indexed = JOB.replace("  backoffLimit: 1 # few\n", "  completionMode: Indexed\n  completions: 2\n  podFailurePolicy:\n    rules:\n    - action: FailJob\n      onExitCodes: {operator: In, values: [42]}\n").replace("OnFailure", "Never");
        check(
            &indexed,
            expect![[r#"
                backoffLimit: 6 | backoffLimit: 0
                    + backoffLimit: 0
                backoffLimit: 6 | backoffLimit: 1
                    + backoffLimit: 1
                Without backoffLimitPerIndex | backoffLimitPerIndex: 1
                    + backoffLimitPerIndex: 1
                Without activeDeadlineSeconds | activeDeadlineSeconds: 60
                    + activeDeadlineSeconds: 60
                With podFailurePolicy | Without podFailurePolicy
                    - podFailurePolicy:
                    - rules:
                    - - action: FailJob
                    - onExitCodes: {operator: In, values: [42]}
                Without jobsmith.dev/retry-delay | jobsmith.dev/retry-delay: 30s x1.5 up to 5m
                    + annotations:
                    + jobsmith.dev/retry-delay: "30s x1.5 up to 5m"
            "#]],
        );
    }

    #[test]
    fn the_changes_that_suit_a_cron_job() {
        let spec: String = JOB[JOB.find("spec:").unwrap()..].lines().map(|line| format!("    {line}\n")).collect();
        check(
            &format!(
                "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: work}}\nspec:\n  schedule: '*/5 * * * *'\n  jobTemplate:\n{spec}"
            ),
            expect![[r#"
                restartPolicy: OnFailure | restartPolicy: Never
                    - restartPolicy: OnFailure
                    + restartPolicy: Never
                backoffLimit: 1 | backoffLimit: 0
                    - backoffLimit: 1 # few
                    + backoffLimit: 0 # few
                backoffLimit: 1 | backoffLimit: 6
                    - backoffLimit: 1 # few
                    + backoffLimit: 6 # few
                Without activeDeadlineSeconds | activeDeadlineSeconds: 60
                    + activeDeadlineSeconds: 60
                podReplacementPolicy: TerminatingOrFailed | podReplacementPolicy: Failed
                    + podReplacementPolicy: Failed
                concurrencyPolicy: Allow | concurrencyPolicy: Forbid
                    + concurrencyPolicy: Forbid
                concurrencyPolicy: Allow | concurrencyPolicy: Replace
                    + concurrencyPolicy: Replace
                schedule: "*/5 * * * *" | schedule: "0 * * * *"
                    - schedule: '*/5 * * * *'
                    + schedule: "0 * * * *"
                Without jobsmith.dev/skip-during | jobsmith.dev/skip-during: 22:00-06:00
                    - metadata: {name: work}
                    + metadata: {annotations: {jobsmith.dev/skip-during: "22:00-06:00"}, name: work}
            "#]],
        );
    }

    #[test]
    fn a_job_of_a_cluster_begins_anew() {
        let stored = JOB.replace("  name: work\n", "  name: work\n  uid: u\n") + "status: {failed: 1}\n";
        let [first, ..] = &variants(&stored)[..] else { panic!("there are some") };
        assert_eq!(first.titles, ["restartPolicy: OnFailure", "restartPolicy: Never"]);
        assert!(first.base.as_ref().is_some_and(|base| !base.contains("uid") && !base.contains("status")));
        assert!(variants("kind: Job").is_empty());
    }

    #[test]
    fn the_longest_deadline_has_variants_too() {
        let endless = JOB.replace("  backoffLimit: 1 # few\n", &format!("  activeDeadlineSeconds: {}\n", i64::MAX));
        assert!(!variants(&endless).is_empty());
    }
}
