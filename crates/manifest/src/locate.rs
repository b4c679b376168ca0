//! Locating: the place in a manifest that a validation error of the API server is about, with a remedy where one is known.
//!
//! Docs: Jobs, "Writing a Job spec", "Job patterns"; CronJob, "Writing a CronJob spec" (A-50…A-162). The errors themselves come from `admission::validation`.

use api::Kind;

use crate::misplaced::nearest;
use crate::{Diagnostic, Document, Fix, path};

const LABEL: &str = "write letters, digits, -, _ and . only, at most 63 of them, with a letter or digit at both ends";

/// Remedies: the end of the field's path, a part of the message, and what to do.
const REMEDIES: &[(&str, &str, &str)] = &[
    ("metadata.name", "name or generateName is required", "give the Job a name, as in `name: pi`"),
    (
        "metadata.name",
        "invalid DNS label",
        "shorten the name: with the highest index it is a Pod's host name, of at most 63 letters, digits and -",
    ),
    ("metadata.name", "must be no more than 52", "shorten the name: its Jobs get it with a hyphen and a number of up to 10 digits"),
    ("metadata.name", "already exists", "give each Job a name of its own"),
    ("metadata.name", "Invalid value", "write lower-case letters, digits, - and . only, with a letter or digit at both ends"),
    ("spec.template.labels", "must be no more than 63", "shorten the Job's name: its Pods get it as a label, of at most 63 characters"),
    ("spec.completions", "when completion mode is Indexed", "add the number of indexes, as in `completions: 5`"),
    ("spec.completions", "field is immutable", "create another Job: the completions of a Job that is not Indexed cannot change"),
    ("spec.completions", "in tandem with", "set completions and parallelism to the same number"),
    ("spec.schedule", "Required value", "write when Jobs are started, as in `schedule: \"0 3 * * *\"`"),
    ("spec.schedule", "use timeZone field", "remove the time zone from the schedule, and write it as spec.timeZone"),
    ("spec.schedule", "cannot use both", "keep one of the two: remove the time zone from the schedule"),
    (
        "spec.schedule",
        "5 fields, found 6",
        "remove the seconds: the fields are minute, hour, day of month, month and day of week, as in `*/5 * * * *`",
    ),
    ("spec.schedule", "unrecognized descriptor", "write @hourly, @daily, @weekly, @monthly, @yearly, or an interval, as in `@every 90m`"),
    (
        "spec.schedule",
        "Invalid value",
        "write minute, hour, day of month, month and day of week, as in `*/5 * * * *`, or a word for all of them, as in @daily",
    ),
    ("spec.timeZone", "", "write a name of the time zone database, as in Etc/UTC or Europe/Paris"),
    ("spec.concurrencyPolicy", "Unsupported value", "write Allow, Forbid or Replace"),
    ("spec.selector", "will be auto-generated", "remove the selector: each Job gets its own"),
    ("spec.manualSelector", "Unsupported value", "remove manualSelector: each Job of a CronJob gets a selector of its own"),
    (
        "spec.selector",
        "not auto-generated",
        "remove the selector, as the API server generates one; or keep it and add `manualSelector: true`",
    ),
    (
        "spec.selector",
        "Required value",
        "remove `manualSelector: true`, or write a selector that matches the labels of spec.template.metadata",
    ),
    ("spec.template.metadata.labels", "does not match", "give the Pod template the labels that spec.selector requires"),
    ("spec.template.spec.containers", "Required value", "add a container with a name and an image"),
    ("image", "Required value", "add the image that the container runs, as in `image: busybox`"),
    (
        "spec.template.spec.restartPolicy",
        "only \"Never\"",
        "write `restartPolicy: Never`: spec.podFailurePolicy applies to failed Pods, and OnFailure restarts their containers instead",
    ),
    (
        "spec.template.spec.restartPolicy",
        "",
        "write Never or OnFailure: Never creates a Pod for each attempt, OnFailure restarts the container in its Pod",
    ),
    ("spec.template.spec.ephemeralContainers", "Forbidden", "remove them: they are for running Pods"),
    ("spec.completionMode", "Unsupported value", "write Indexed or NonIndexed"),
    (
        "spec.podReplacementPolicy",
        "supported values: \"Failed\"",
        "write Failed: with spec.podFailurePolicy, a Pod is replaced only once it has failed",
    ),
    ("", "requires indexed completion mode", "add `completionMode: Indexed` to the spec, and completions"),
    ("", "requires the backoffLimitPerIndex", "add backoffLimitPerIndex to the spec, or use another action"),
    ("spec.backoffLimitPerIndex", "when maxFailedIndexes is specified", "add backoffLimitPerIndex, or remove maxFailedIndexes"),
    ("spec.maxFailedIndexes", "when completions is above", "add maxFailedIndexes, of at most 10000"),
    ("onExitCodes.values", "must be ordered", "write the exit codes in ascending order"),
    ("", "must not be 0 for the In operator", "remove the 0: a container that exits with 0 has not failed"),
    ("", "must be one of the container", "name a container of spec.template.spec"),
    ("", "specifying both OnExitCodes and OnPodConditions", "split it into two rules"),
    ("", "specifying one of OnExitCodes and OnPodConditions", "add what the rule matches: onExitCodes or onPodConditions"),
    ("", "at least one of succeededCount or succeededIndexes", "add when the rule is met: succeededCount or succeededIndexes"),
    ("", "supported values: \"Count\"", "write Count, FailIndex, FailJob or Ignore"),
    ("onExitCodes.values", "at least one value", "write the exit codes that the rule is about, as in `values: [42]`"),
    (
        "spec.startingDeadlineSeconds",
        "must be greater than or equal to 0",
        "write how many seconds late a Job may start (10 or more), or remove the field",
    ),
    ("", "must be greater than or equal to 0", "write 0 or more"),
    ("", "must be between 1 and 65535", "write a port from 1 to 65535"),
    ("", "must match `containerPort`", "remove hostPort, or set it to containerPort"),
    ("spec.managedBy", "must be a domain-prefixed path", "write a domain, a slash and a name, as in example.com/controller"),
    ("", "error parsing succeededIndexes", "write indexes and ranges in ascending order, as in 0,2-4, all of them below spec.completions"),
    ("requests", "must be less than or equal to", "lower the request, or raise the limit"),
    ("", "must be less than or equal to", "write a smaller number"),
    ("", "must be unique", "give each of them a different value"),
    ("operator", "not a valid", "write In, NotIn, Exists or DoesNotExist"),
    ("", "RFC 1123 label must", "write lower-case letters, digits and - only, with a letter or digit at both ends"),
    ("", "RFC 1123 subdomain must", "write lower-case letters, digits, - and . only, with a letter or digit at both ends"),
    ("", "must not contain dots", "write - instead of the dots"),
    ("", "name part must", LABEL),
    ("", "a valid label", LABEL),
    ("", "must be no more than", "shorten it"),
    ("", "environment variable name must", "write printable ASCII characters other than ="),
    ("finalizers", "nor is it fully qualified", "write a domain, a slash and a name, as in example.com/hold"),
    ("annotations", "Too long", "shorten them: all of them together may have 256 KiB"),
    ("", "field is immutable", "create another Job: this field cannot change"),
    ("", "Required value", "write this field"),
    ("", "Unsupported value", "write one of the supported values"),
    ("", "Duplicate value", "keep one of the two"),
    ("", "Not found", "write a name that exists"),
    ("", "Too many", "remove some of them"),
    ("", "Too long", "shorten it"),
    ("", "Forbidden", "remove it"),
];

/// A part that holds other fields: the path, what is wrong if it is missing, and what to do.
type Part = (&'static str, &'static str, &'static str);

/// The parts of a Job.
const PARTS_OF_A_JOB: [Part; 3] = [
    ("spec", "the Job has no spec", "give the Job a spec, with a template for its Pods"),
    (
        "spec.template",
        "the Job has no template for its Pods",
        "give the Job a spec.template: the Pods that it runs, with their containers and a restartPolicy",
    ),
    ("spec.template.spec", "the Pod template has no spec", "give it a spec, with containers and a restartPolicy"),
];

/// The parts of a CronJob.
const PARTS_OF_A_CRON_JOB: [Part; 5] = [
    ("spec", "the CronJob has no spec", "give the CronJob a spec, with a schedule and a jobTemplate"),
    (
        "spec.jobTemplate",
        "the CronJob has no template for its Jobs",
        "give the CronJob a spec.jobTemplate: the Jobs that it creates, with a spec as a Job has it",
    ),
    ("spec.jobTemplate.spec", "the Job template has no spec", "give it a spec, with a template for the Job's Pods"),
    (
        "spec.jobTemplate.spec.template",
        "the Job template has no template for the Job's Pods",
        "give it a spec.template: the Pods that a Job runs, with their containers and a restartPolicy",
    ),
    ("spec.jobTemplate.spec.template.spec", "the Pod template has no spec", "give it a spec, with containers and a restartPolicy"),
];

/// The paths of pod templates, by which their labels and annotations are named.
const POD_TEMPLATES: [&str; 2] = ["spec.template.", "spec.jobTemplate.spec.template."];

/// The diagnostic for an error of the API server about a field of this document: the field's path and the rest of the text, as in
/// `Required value: when completion mode is Indexed`. Where all that would hold the field is missing, it is about that.
#[must_use]
pub fn locate(document: &Document, field: &str, message: &str) -> Diagnostic {
    if let Some((part, missing, remedy)) = parts(document).iter().find(|(part, ..)| holds(part, field) && missing(document, part)) {
        return Diagnostic::error(document.position(part), *missing).at(*part).remedy(*remedy);
    }
    let diagnostic = Diagnostic::error(document.position(&as_written(field)), message).at(field);
    match remedy(field, message) {
        Some(remedy) => diagnostic.remedy(remedy).fix(fix(document, field, message)),
        None => diagnostic,
    }
}

/// What makes the API server take a field: of the values that it supports, the one that is meant; a restart policy that fits a Job.
fn fix(document: &Document, field: &str, message: &str) -> Option<Fix> {
    if path::steps(field).ends_with(&["template", "spec", "restartPolicy"]) {
        let value = "Never".to_owned();
        let written = path::steps(field).into_iter().try_fold(document.value(), |value, step| value.get(step));
        return Some(if written.is_some() { Fix::Write { value } } else { Fix::Add { path: field.to_owned(), value } });
    }
    let (_, supported) = message.split_once("supported values: ")?;
    let written = message.strip_prefix("Unsupported value: \"")?.split('"').next()?;
    nearest(written, supported.split('"').skip(1).step_by(2)).map(|value| Fix::Write { value: value.to_owned() })
}

/// The parts of an object of the document's kind.
fn parts(document: &Document) -> &'static [Part] {
    if document.value()["kind"] == Kind::CronJob.name() { &PARTS_OF_A_CRON_JOB } else { &PARTS_OF_A_JOB }
}

/// Whether a part of an object holds a field.
fn holds(part: &str, field: &str) -> bool {
    field.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn missing(document: &Document, part: &str) -> bool {
    document.value().pointer(&format!("/{}", part.replace('.', "/"))).is_none_or(serde_json::Value::is_null)
}

/// The path as a manifest has it: the API server leaves the metadata out where it speaks of a template's labels and annotations (A-70).
fn as_written(field: &str) -> String {
    let named =
        |template: &&str| field.strip_prefix(*template).is_some_and(|rest| rest.starts_with("labels") || rest.starts_with("annotations"));
    match POD_TEMPLATES.into_iter().find(named) {
        Some(template) => format!("{template}metadata.{}", &field[template.len()..]),
        None => field.to_owned(),
    }
}

fn remedy(field: &str, message: &str) -> Option<&'static str> {
    let ends = |end: &str| end.is_empty() || field == end || path::steps(field).ends_with(&path::steps(end));
    REMEDIES.iter().find(|(end, part, _)| ends(end) && message.contains(part)).map(|(_, _, remedy)| *remedy)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const JOB: &str = "
apiVersion: batch/v1
kind: Job
metadata:
  name: Pi
spec:
  completionMode: Indexed
  selector: {matchLabels: {app: pi}}
  template:
    metadata:
      labels: {app: pi}
    spec:
      restartPolicy: Always
      containers:
      - name: pi
";

    fn check(text: &str, errors: &[(&str, &str)], expected: Expect) {
        let documents = crate::read(text).unwrap();
        let line = |(field, message): &(&str, &str)| format!("{}\n", locate(&documents[0], field, message));
        expected.assert_eq(&errors.iter().map(line).collect::<String>());
    }

    #[test]
    fn errors_stand_at_the_value_or_at_the_nearest_key() {
        check(
            JOB,
            &[
                ("spec.template.spec.restartPolicy", "Required value: valid values: \"OnFailure\", \"Never\""),
                ("metadata.name", "Invalid value: \"Pi\": a lowercase RFC 1123 subdomain must consist of …"),
                ("spec.completions", "Required value: when completion mode is Indexed"),
                ("spec.selector", "Invalid value: {}: `selector` not auto-generated"),
                ("spec.template.labels", "Invalid value: \"x\": must be no more than 63 bytes"),
                ("spec.template.metadata.labels[app]", "Invalid value"),
                ("spec.template.spec.containers[0].image", "Required value"),
                ("spec.template.spec.containers[3].image", "Required value"),
                ("spec.parallelism", "Invalid value: -1: must be greater than or equal to 0"),
                ("spec.podReplacementPolicy", "Invalid value"),
            ],
            expect![[r#"
                13:22: spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"; write Never or OnFailure: Never creates a Pod for each attempt, OnFailure restarts the container in its Pod
                5:9: metadata.name: Invalid value: "Pi": a lowercase RFC 1123 subdomain must consist of …; write lower-case letters, digits, - and . only, with a letter or digit at both ends
                6:1: spec.completions: Required value: when completion mode is Indexed; add the number of indexes, as in `completions: 5`
                8:3: spec.selector: Invalid value: {}: `selector` not auto-generated; remove the selector, as the API server generates one; or keep it and add `manualSelector: true`
                11:7: spec.template.labels: Invalid value: "x": must be no more than 63 bytes; shorten the Job's name: its Pods get it as a label, of at most 63 characters
                11:21: spec.template.metadata.labels[app]: Invalid value
                15:9: spec.template.spec.containers[0].image: Required value; add the image that the container runs, as in `image: busybox`
                14:7: spec.template.spec.containers[3].image: Required value; add the image that the container runs, as in `image: busybox`
                6:1: spec.parallelism: Invalid value: -1: must be greater than or equal to 0; write 0 or more
                6:1: spec.podReplacementPolicy: Invalid value
            "#]],
        );
    }

    #[test]
    fn what_is_missing_altogether_comes_first() {
        let no_containers = [("spec.template.spec.containers", "Required value")];
        check(
            "kind: Job",
            &no_containers,
            expect![[r#"
                1:1: spec: the Job has no spec; give the Job a spec, with a template for its Pods
            "#]],
        );
        check(
            "spec: {}",
            &no_containers,
            expect![[r#"
                1:1: spec.template: the Job has no template for its Pods; give the Job a spec.template: the Pods that it runs, with their containers and a restartPolicy
            "#]],
        );
        check(
            "spec: {template: {spec: {}}}",
            &no_containers,
            expect![[r#"
                1:19: spec.template.spec.containers: Required value; add a container with a name and an image
            "#]],
        );
    }

    #[test]
    fn errors_of_cron_jobs() {
        let schedule = [("spec.schedule", "Required value")];
        check(
            "kind: CronJob",
            &schedule,
            expect![[r#"
            1:1: spec: the CronJob has no spec; give the CronJob a spec, with a schedule and a jobTemplate
        "#]],
        );
        let cron_job = "
kind: CronJob
spec:
  schedule: daily
  timeZone: Paris
  concurrencyPolicy: Never
  jobTemplate:
    spec:
      selector: {}
      template:
        metadata: {labels: {a b: c}}
        spec: {restartPolicy: Always}
";
        check(
            cron_job,
            &[
                ("spec.schedule", "Invalid value: \"daily\": expected exactly 5 fields, found 1: [daily]"),
                ("spec.timeZone", "Invalid value: \"Paris\": unknown time zone Paris"),
                ("spec.concurrencyPolicy", "Unsupported value: \"Never\": supported values: \"Allow\", \"Forbid\", \"Replace\""),
                ("spec.jobTemplate.spec.selector", "Invalid value: {}: `selector` will be auto-generated"),
                ("spec.jobTemplate.spec.template.labels", "Invalid value: \"a b\": name part must consist of …"),
                ("spec.jobTemplate.spec.template.spec.restartPolicy", "Required value: valid values: \"OnFailure\", \"Never\""),
                ("spec.jobTemplate.spec.template.spec.containers", "Required value"),
            ],
            expect![[r#"
                4:13: spec.schedule: Invalid value: "daily": expected exactly 5 fields, found 1: [daily]; write minute, hour, day of month, month and day of week, as in `*/5 * * * *`, or a word for all of them, as in @daily
                5:13: spec.timeZone: Invalid value: "Paris": unknown time zone Paris; write a name of the time zone database, as in Etc/UTC or Europe/Paris
                6:22: spec.concurrencyPolicy: Unsupported value: "Never": supported values: "Allow", "Forbid", "Replace"; write Allow, Forbid or Replace
                9:7: spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated; remove the selector: each Job gets its own
                11:20: spec.jobTemplate.spec.template.labels: Invalid value: "a b": name part must consist of …; write letters, digits, -, _ and . only, at most 63 of them, with a letter or digit at both ends
                12:31: spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"; write Never or OnFailure: Never creates a Pod for each attempt, OnFailure restarts the container in its Pod
                12:9: spec.jobTemplate.spec.template.spec.containers: Required value; add a container with a name and an image
            "#]],
        );
        check(
            "kind: CronJob\nspec: {jobTemplate: {}}",
            &[("spec.jobTemplate.spec.template.spec.containers", "Required value")],
            expect![[r#"
            2:8: spec.jobTemplate.spec: the Job template has no spec; give it a spec, with a template for the Job's Pods
        "#]],
        );
    }
}
