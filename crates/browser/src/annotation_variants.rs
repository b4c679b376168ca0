//! What people change of jobsmith's annotations to see what difference they make: those that there are go, and some that suit come.
//!
//! Docs: README, "Beyond Kubernetes". Changes of fields are in `variants.rs`.

use api::Kind;
use api::annotation::{
    ATTEMPT_ENV, FailureMatcher, FailureRules, IGNORE, KnownAnnotation, ON_FAILURE, ON_PENDING, PAUSE_AFTER_FAILURES, RETRY_DELAY,
    RETRY_JITTER, RETRY_WITHIN, SKIP_DURING, TTL_AFTER_FAILED,
};
use serde_json::Value;

use crate::variants::{FAILS, FieldChange};

/// A failure for which more memory helps.
const HUNGRY: &str = "attempts 1-2: OOMKilled after 5s\n";
/// A pod that waits for its image.
const NO_IMAGE: &str = "pods: never starts (image cannot be pulled)\n";

/// Changes of the annotations of a Job or CronJob, and of a CronJob's Jobs.
pub(crate) fn of_annotations(object: &Value) -> Vec<FieldChange> {
    if object["kind"] == "CronJob" {
        let template = &object["spec"]["jobTemplate"];
        let mut found = gone(object, "metadata", Kind::CronJob);
        found.extend(gone(template, "spec.jobTemplate.metadata", Kind::Job));
        found.extend(added(&object["metadata"], "metadata", SKIP_DURING, "22:00-06:00", ""));
        return found.into_iter().chain(of_retries(template, "spec.jobTemplate.metadata")).collect();
    }
    gone(object, "metadata", Kind::Job).into_iter().chain(of_retries(object, "metadata")).collect()
}

/// Those that an object of this kind has and that have an effect on it, taken out one at a time.
fn gone(object: &Value, path: &str, kind: Kind) -> Vec<FieldChange> {
    let there = object["metadata"]["annotations"].as_object().into_iter().flatten();
    let known = there.filter_map(|(key, value)| KnownAnnotation::of(key).zip(value.as_str()));
    let acts = |known: &KnownAnnotation| match known.key {
        IGNORE => false,
        ON_FAILURE | RETRY_DELAY | RETRY_JITTER => known.is_for(kind) && !restarted_in_place(object),
        _ => known.is_for(kind),
    };
    let change = |(known, value): (&KnownAnnotation, &str)| FieldChange {
        path: format!("{path}.annotations[{}]", known.key),
        before: format!("With {}", known.key),
        after: format!("Without {}", known.key),
        value: None,
        script: script(known.key, value),
    };
    known.filter(|(known, _)| acts(known)).map(change).collect()
}

/// Whether the containers of a Job are restarted in their pods, where rules on failed pods do not act, nor delays before the next pod (X-6, X-8, X-9).
fn restarted_in_place(job: &Value) -> bool {
    job["spec"]["template"]["spec"]["restartPolicy"] == "OnFailure"
}

/// What is asked for most of how a Job retries.
fn of_retries(job: &Value, path: &str) -> Vec<FieldChange> {
    if restarted_in_place(job) {
        return Vec::new();
    }
    let sized = job["spec"]["template"]["spec"]["containers"].as_array().into_iter().flatten();
    let grows = sized.map(|container| &container["resources"]).any(|sizes| {
        let has = |part: &str| !sizes[part]["memory"].is_null();
        has("limits") || has("requests")
    });
    let more = grows.then(|| added(&job["metadata"], path, ON_FAILURE, "reason OOMKilled: retry, memory x2", HUNGRY)).flatten();
    more.into_iter().chain(added(&job["metadata"], path, RETRY_DELAY, "30s x1.5 up to 5m", FAILS)).collect()
}

/// One that comes with this value, unless it is there.
fn added(metadata: &Value, path: &str, key: &str, value: &str, script: &str) -> Option<FieldChange> {
    metadata["annotations"][key].is_null().then(|| FieldChange {
        path: format!("{path}.annotations[{key}]"),
        before: format!("Without {key}"),
        after: format!("{key}: {value}"),
        value: Some(format!("{value:?}")),
        script: script.to_owned(),
    })
}

/// Rules for pods with which an annotation shows; none if it shows anyway.
fn script(key: &str, value: &str) -> String {
    match key {
        ON_FAILURE => failure(value).unwrap_or_else(|| FAILS.to_owned()),
        ON_PENDING => NO_IMAGE.to_owned(),
        RETRY_DELAY | RETRY_JITTER | RETRY_WITHIN | ATTEMPT_ENV | PAUSE_AFTER_FAILURES | TTL_AFTER_FAILED => FAILS.to_owned(),
        _ => String::new(),
    }
}

/// A failure that the first rule which says how pods fail is for.
fn failure(rules: &str) -> Option<String> {
    let FailureRules(rules) = FailureRules::read(rules).ok()?;
    rules.iter().flat_map(|rule| &rule.matchers).find_map(|matcher| match matcher {
        FailureMatcher::Exit(codes) => Some(format!("attempts 1-2: exit {} after 5s\n", codes.first()?.start())),
        FailureMatcher::Reason(words) if words.iter().any(|word| **word == *"OOMKilled") => Some(HUNGRY.to_owned()),
        FailureMatcher::Reason(_) => Some("attempt 1: runs forever, evicted by the kubelet after 5s\n".to_owned()),
        FailureMatcher::Condition(_) => Some("attempt 1: runs forever, evicted after 5s\n".to_owned()),
        FailureMatcher::Message(_)
        | FailureMatcher::Container(_)
        | FailureMatcher::Index(_)
        | FailureMatcher::Attempt { .. }
        | FailureMatcher::Any => None,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::variants::variants;

    /// The titles of the variants of annotations, and the first of their rules.
    fn rows(text: &str) -> String {
        let found = variants(text).into_iter().filter(|variant| variant.titles.iter().any(|title| title.contains("jobsmith.dev/")));
        found
            .map(|variant| format!("{}\n    {}\n", variant.titles.join(" | "), variant.script.lines().next().unwrap_or("no rules")))
            .collect()
    }

    #[test]
    fn annotations_go_and_come() {
        let spec =
            "spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: x, resources: {limits: {memory: 1Gi}}}]}}}";
        let job =
            |annotations: &str| format!("apiVersion: batch/v1\nkind: Job\nmetadata: {{name: work, annotations: {annotations}}}\n{spec}\n");
        expect![[r#"
            Without jobsmith.dev/on-failure | jobsmith.dev/on-failure: reason OOMKilled: retry, memory x2
                attempts 1-2: OOMKilled after 5s
            Without jobsmith.dev/retry-delay | jobsmith.dev/retry-delay: 30s x1.5 up to 5m
                pods: exit 1 after 5s
        "#]]
        .assert_eq(&rows(&job("{}")));
        expect![[r#"
            With jobsmith.dev/on-failure | Without jobsmith.dev/on-failure
                attempts 1-2: exit 3 after 5s
            With jobsmith.dev/on-pending | Without jobsmith.dev/on-pending
                pods: never starts (image cannot be pulled)
            Without jobsmith.dev/retry-delay | jobsmith.dev/retry-delay: 30s x1.5 up to 5m
                pods: exit 1 after 5s
        "#]]
        .assert_eq(&rows(&job("{jobsmith.dev/on-failure: 'exit 3-5: hold', jobsmith.dev/on-pending: 'image 10m: fail the Job', a: b}")));
        let cron_job = format!(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: work, annotations: {{jobsmith.dev/max-active: '3'}}}}\n\
             spec: {{schedule: '@hourly', jobTemplate: {{metadata: {{annotations: {{jobsmith.dev/retry-delay: 5s}}}}, {spec}}}}}\n"
        );
        expect![[r#"
            With jobsmith.dev/max-active | Without jobsmith.dev/max-active
                no rules
            With jobsmith.dev/retry-delay | Without jobsmith.dev/retry-delay
                pods: exit 1 after 5s
            Without jobsmith.dev/skip-during | jobsmith.dev/skip-during: 22:00-06:00
                no rules
            Without jobsmith.dev/on-failure | jobsmith.dev/on-failure: reason OOMKilled: retry, memory x2
                attempts 1-2: OOMKilled after 5s
        "#]]
        .assert_eq(&rows(&cron_job));
    }

    #[test]
    fn annotations_without_effect_neither_go_nor_come() {
        let spec = |policy: &str| {
            format!(
                "{{template: {{spec: {{restartPolicy: {policy}, containers: [{{name: main, image: x, resources: {{limits: {{memory: 1Gi}}}}}}]}}}}}}"
            )
        };
        let job = |annotations: &str, policy: &str| {
            let spec = spec(policy);
            format!(
                "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: work, annotations: {{jobsmith.dev/ignore: 'logs-lost: kept', {annotations}}}}}\nspec: {spec}\n"
            )
        };
        expect![[r#"
            With jobsmith.dev/hold | Without jobsmith.dev/hold
                no rules
            Without jobsmith.dev/on-failure | jobsmith.dev/on-failure: reason OOMKilled: retry, memory x2
                attempts 1-2: OOMKilled after 5s
            Without jobsmith.dev/retry-delay | jobsmith.dev/retry-delay: 30s x1.5 up to 5m
                pods: exit 1 after 5s
        "#]]
        .assert_eq(&rows(&job("jobsmith.dev/max-active: '3', jobsmith.dev/hold: 'true'", "Never")));
        expect![""].assert_eq(&rows(&job("jobsmith.dev/retry-delay: 5s", "OnFailure")));
        expect![""].assert_eq(&rows(&job("jobsmith.dev/on-failure: 'exit 3: hold'", "OnFailure")));
        let spec = spec("Never");
        let cron_job = format!(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: work, annotations: {{jobsmith.dev/hold: 'true', jobsmith.dev/skip-during: Sat}}}}\n\
             spec: {{schedule: '@hourly', jobTemplate: {{metadata: {{annotations: {{jobsmith.dev/max-active: '3', jobsmith.dev/start-rate: 10/1m}}}}, spec: {spec}}}}}\n"
        );
        expect![[r#"
            With jobsmith.dev/skip-during | Without jobsmith.dev/skip-during
                no rules
            With jobsmith.dev/start-rate | Without jobsmith.dev/start-rate
                no rules
            Without jobsmith.dev/on-failure | jobsmith.dev/on-failure: reason OOMKilled: retry, memory x2
                attempts 1-2: OOMKilled after 5s
            Without jobsmith.dev/retry-delay | jobsmith.dev/retry-delay: 30s x1.5 up to 5m
                pods: exit 1 after 5s
        "#]]
        .assert_eq(&rows(&cron_job));
    }
}
