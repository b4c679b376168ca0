//! Locating: the place in a manifest that a validation error of the API server is about, with a remedy where one is known.
//!
//! Docs: Jobs, "Writing a Job spec", "Job patterns"; CronJob, "Writing a CronJob spec" (A-50…A-162). The errors themselves come from `admission::validation`.

use api::Kind;
use schedule::{schedule_remedy, zone_remedy};
use serde_json::Value;

use crate::file_mode::meant_mode;
use crate::misplaced::nearest;
use crate::miswritten::{REPLACE_MARKS, requoted};
use crate::pod_remedies::{POD_REMEDIES, as_called};
use crate::quantity::byte_remedy;
use crate::{Diagnostic, Document, Fix, RuleName, pasted, path, restart_policy, slips, write};

const LABEL: &str = "use at most 63 characters: letters, digits, -, _ and ., starting and ending with a letter or digit";
const KEY: &str = "use at most 63 characters: letters, digits, -, _ and ., starting and ending with a letter or digit; a domain and one slash may come \
                   first, as in example.com/app";

/// Where an object has its name.
pub(crate) const NAME: &str = "metadata.name";
/// How long a label may be.
const LABEL_LENGTH: usize = 63;

/// Remedies: the end of the field's path, a part of the message, and what to do. Those for pods are in `pod_remedies.rs`.
const REMEDIES: &[(&str, &str, &str)] = &[
    ("metadata.name", "name or generateName is required", "give the Job a name, as in `name: pi`"),
    (
        "metadata.name",
        "invalid DNS label",
        "shorten the name: with a hyphen and the highest index added, it becomes a pod's hostname, which may have at most 63 characters",
    ),
    ("metadata.name", "must be no more than 52", "shorten the name: the names of its Jobs add a hyphen and up to 10 digits"),
    ("metadata.name", "already exists", "give each Job a name of its own"),
    ("metadata.name", "Invalid value", "use only lowercase letters, digits, - and ., starting and ending with a letter or digit"),
    (
        "spec.template.labels",
        "must be no more than 63",
        "shorten the Job's name: its pods carry it as a label value, which may have at most 63 characters",
    ),
    ("spec.completions", "when completion mode is Indexed", "add the number of indexes, as in `completions: 5`"),
    ("spec.completions", "field is immutable", "create another Job: the completions of a Job that is not Indexed cannot change"),
    ("spec.completions", "in tandem with", "set completions and parallelism to the same number"),
    ("spec.schedule", "Required value", "set the times at which Jobs start, as in `schedule: \"0 3 * * *\"`"),
    ("spec.schedule", "use timeZone field", "move the time zone from the schedule to spec.timeZone"),
    ("spec.schedule", "cannot use both", "keep one of the two: remove the time zone from the schedule"),
    ("spec.concurrencyPolicy", "Unsupported value", "use Allow, Forbid or Replace"),
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
        "remove `manualSelector: true`, or add a selector that matches the labels of spec.template.metadata",
    ),
    ("", "must be '", "remove the label, as the API server generates it; or keep it and add `manualSelector: true`"),
    ("spec.template.metadata.labels", "does not match", "add the labels that spec.selector requires to the pod template"),
    ("spec.template.spec.containers", "Required value", "add a container with a name and an image"),
    ("image", "Required value", "add the image that the container runs, as in `image: busybox`"),
    (
        "spec.template.spec.restartPolicy",
        "only \"Never\"",
        "set `restartPolicy: Never`: spec.podFailurePolicy applies to failed pods, and OnFailure restarts their containers instead",
    ),
    (
        "spec.template.spec.restartPolicy",
        "",
        "use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod",
    ),
    ("spec.template.spec.ephemeralContainers", "Forbidden", "remove them: they are for running pods"),
    ("spec.completionMode", "Unsupported value", "use Indexed or NonIndexed"),
    (
        "spec.podReplacementPolicy",
        "\"Failed\", \"TerminatingOrFailed\"",
        "use Failed to replace a pod once it has failed, or TerminatingOrFailed to replace it as soon as it is being deleted",
    ),
    (
        "spec.podReplacementPolicy",
        "supported values: \"Failed\"",
        "use Failed: with spec.podFailurePolicy, a pod is replaced only once it has failed",
    ),
    ("", "requires indexed completion mode", "add `completionMode: Indexed` to the spec, and completions"),
    ("", "requires the backoffLimitPerIndex", "add backoffLimitPerIndex to the spec, or use another action"),
    ("spec.backoffLimitPerIndex", "when maxFailedIndexes is specified", "add backoffLimitPerIndex, or remove maxFailedIndexes"),
    ("spec.maxFailedIndexes", "when completions is above", "add maxFailedIndexes, of at most 10000"),
    ("onExitCodes.values", "must be ordered", "list the exit codes in ascending order"),
    ("", "must not be 0 for the In operator", "remove the 0: a container that exits with 0 has not failed"),
    ("", "must be one of the container", "name one of the containers in spec.template.spec"),
    ("", "specifying both OnExitCodes and OnPodConditions", "split it into two rules"),
    ("", "specifying one of OnExitCodes and OnPodConditions", "specify what the rule matches: onExitCodes or onPodConditions"),
    ("", "at least one of succeededCount or succeededIndexes", "specify when the rule is met: succeededCount or succeededIndexes"),
    ("", "supported values: \"Count\"", "use Count, FailIndex, FailJob or Ignore"),
    ("onExitCodes.values", "at least one value", "add the exit codes that the rule matches, as in `values: [42]`"),
    (
        "spec.startingDeadlineSeconds",
        "must be greater than or equal to 0",
        "set how many seconds late a Job may start (10 or more), or remove the field",
    ),
    ("", "must be greater than or equal to 0", "use 0 or more"),
    ("", "must be between 1 and 65535", "use a port from 1 to 65535"),
    ("", "must match `containerPort`", "remove hostPort, or set it to containerPort"),
    ("spec.managedBy", "must be a domain-prefixed path", "use a domain, a slash and a name, as in example.com/controller"),
    ("", "error parsing succeededIndexes", "list indexes and ranges in ascending order, as in 0,2-4, all of them below spec.completions"),
    ("requests", "must be less than or equal to", "lower the request, or raise the limit"),
    ("", "must be less than or equal to", "use a smaller number"),
    ("", "must be unique", "give each of them a different value"),
    ("operator", "not a valid", "use In, NotIn, Exists or DoesNotExist"),
    ("", "RFC 1123 label must", "use only lowercase letters, digits and -, starting and ending with a letter or digit"),
    ("", "RFC 1123 subdomain must", "use only lowercase letters, digits, - and ., starting and ending with a letter or digit"),
    ("", "must not contain dots", "use - instead of the dots"),
    ("", "name part must", KEY),
    ("", "a valid label key must", KEY),
    ("", "a valid label", LABEL),
    ("", "must be no more than", "shorten it"),
    ("", "environment variable name must", "use only printable ASCII characters other than ="),
    ("finalizers", "nor is it fully qualified", "use a domain, a slash and a name, as in example.com/hold"),
    ("annotations", "Too long", "shorten them: together they must not exceed 256 KiB"),
    ("", "field is immutable", "create another Job: this field cannot change"),
    ("", "Required value", "add this field"),
    ("", "Unsupported value", "use one of the supported values"),
    ("", "Duplicate value", "keep one of the two"),
    ("", "Not found", "use a name that exists"),
    ("", "Too many", "remove some of them"),
    ("", "Too long", "shorten it"),
    ("", "Forbidden", "remove it"),
];

/// A part that holds other fields: the path, what is wrong if it is missing, and what to do.
type ParentField = (&'static str, &'static str, &'static str);

/// The parts of a Job.
const PARTS_OF_A_JOB: [ParentField; 3] = [
    ("spec", "the Job has no spec", "give the Job a spec, with a template for its pods"),
    (
        "spec.template",
        "the Job has no template for its pods",
        "give the Job a spec.template: a template for its pods, with containers and a restartPolicy; if this is a Kustomize patch, use what `kubectl kustomize` prints",
    ),
    ("spec.template.spec", "the pod template has no spec", "give it a spec, with containers and a restartPolicy"),
];

/// The parts of a CronJob.
const PARTS_OF_A_CRON_JOB: [ParentField; 5] = [
    ("spec", "the CronJob has no spec", "give the CronJob a spec, with a schedule and a jobTemplate"),
    (
        "spec.jobTemplate",
        "the CronJob has no template for its Jobs",
        "give the CronJob a spec.jobTemplate: a template for its Jobs, with a spec like that of a Job; if this is a Kustomize patch, use what `kubectl kustomize` prints",
    ),
    ("spec.jobTemplate.spec", "the Job template has no spec", "give it a spec, with a template for the Job's pods"),
    (
        "spec.jobTemplate.spec.template",
        "the Job template has no template for the Job's pods",
        "give it a spec.template: a template for the Job's pods, with containers and a restartPolicy",
    ),
    ("spec.jobTemplate.spec.template.spec", "the pod template has no spec", "give it a spec, with containers and a restartPolicy"),
];

/// The paths of pod templates, by which their labels and annotations are named.
const POD_TEMPLATES: [&str; 2] = ["spec.template.", "spec.jobTemplate.spec.template."];

/// The diagnostic for an error of the API server about a field of this document: the field's path and the rest of the text, as in
/// `Required value: when completion mode is Indexed`. Where all that would hold the field is missing, it is about that.
#[must_use]
pub fn locate(document: &Document, field: &str, message: &str) -> Diagnostic {
    if let Some(volume) = named_volume(document, message).filter(|_| field.is_empty()) {
        return locate(document, &volume, message);
    }
    if let Some((part, missing, remedy)) = parts(document).iter().find(|(part, ..)| holds(part, field) && missing(document, part)) {
        return Diagnostic::error(document.position(part), *missing).rule(RuleName::INVALID).at(*part).remedy(*remedy);
    }
    // A key that is refused is shown itself, and not its value.
    let key = field.ends_with(']') && path::steps(field).last().is_some_and(|key| message.starts_with(&format!("Invalid value: {key:?}")));
    let written_as = as_written(field);
    let position = if key { document.key_position(&written_as) } else { document.position(&written_as) };
    let diagnostic = Diagnostic::error(position, message).rule(RuleName::INVALID).at(field);
    if let Some(value) = written(document, field).and_then(requoted) {
        return diagnostic.remedy(REPLACE_MARKS).fix(Some(Fix::Write { value }));
    }
    if let Some(remedy) = written(document, field).and_then(pasted::placeholder_remedy) {
        return diagnostic.rule(RuleName::NOT_RENDERED).remedy(remedy);
    }
    if let Some(remedy) = written(document, field).and_then(pasted::stand_in_remedy) {
        return diagnostic.remedy(remedy);
    }
    if let Some(misplaced) = restart_policy::of_container(document, field).filter(|_| message.starts_with("Required value")) {
        return misplaced;
    }
    if let Some((value, remedy)) = meant_mode(message) {
        return diagnostic.remedy(remedy).fix(Some(Fix::Write { value }));
    }
    if let Some(remedy) = of_value(document, field, message) {
        return diagnostic.remedy(remedy);
    }
    match remedy(field, message) {
        Some(remedy) => diagnostic.remedy(remedy).fix(fix(document, field, message)),
        None => diagnostic,
    }
}

/// The path of the volume that a warning names, as in `volume "data" (Secret "s"): …`.
fn named_volume(document: &Document, message: &str) -> Option<String> {
    let name = message.strip_prefix("volume \"")?.split('"').next()?;
    let of_template = |template: &&str| {
        let path = format!("{template}spec.volumes");
        let place = document.get(&path)?.as_array()?.iter().position(|volume| volume["name"] == name)?;
        Some(format!("{path}[{place}]"))
    };
    POD_TEMPLATES.iter().find_map(of_template)
}

/// What to write instead of a schedule or a time zone of a CronJob that does not exist (C-50, A-155), or of a name that cannot be a hostname for its dots.
fn of_value(document: &Document, field: &str, message: &str) -> Option<String> {
    let written = || written(document, field);
    if let Some(remedy) = byte_remedy(document, field, message) {
        return Some(remedy);
    }
    match field {
        "metadata.name" if message.contains("invalid DNS label") && !longer_than_a_label(message) => {
            Some("use no dots: with a hyphen and an index added, the name becomes a pod's hostname, which has none".to_owned())
        }
        "spec.schedule" if message.starts_with("Invalid value") && !message.contains("timeZone") => written().map(schedule_remedy),
        "spec.timeZone" if message.starts_with("Invalid value") => written().map(zone_remedy),
        _ if message.starts_with("Required value") => slips::split_variable(document, field),
        _ if message.starts_with("Not found") => similar_volume(document, field),
        _ => None,
    }
}

/// The volume whose name is almost the one that a mount has.
fn similar_volume(document: &Document, field: &str) -> Option<String> {
    let ends = ["volumeMounts", "volumeDevices"].iter().any(|list| field.contains(&format!(".{list}[")));
    let template = POD_TEMPLATES.into_iter().filter(|_| ends).find(|template| field.starts_with(template))?;
    let volumes = document.get(&format!("{template}spec.volumes"))?.as_array()?;
    let names = volumes.iter().filter_map(|volume| volume["name"].as_str());
    nearest(written(document, field)?, names).map(|meant| format!("did you mean {meant}?"))
}

/// Whether the name of a pod, at the end of a message, is too long for a hostname.
fn longer_than_a_label(message: &str) -> bool {
    message.rsplit(": ").next().is_some_and(|name| name.len() > 63)
}

/// The text that stands in a field.
fn written<'d>(document: &'d Document, field: &str) -> Option<&'d str> {
    document.get(field)?.as_str()
}

/// What makes the API server take a field: of the values that it supports, the one that is meant; a restart policy that fits a Job.
fn fix(document: &Document, field: &str, message: &str) -> Option<Fix> {
    if path::steps(field).ends_with(&["template", "spec", "restartPolicy"]) {
        let value = "Never".to_owned();
        return Some(if document.get(field).is_some() { Fix::Write { value } } else { Fix::Add { path: field.to_owned(), value } });
    }
    if let Some(fix) = name_fix(document, field, message).or_else(|| shorter_name(document).filter(|_| field == NAME)) {
        return Some(fix);
    }
    let (_, supported) = message.split_once("supported values: ")?;
    let written = message.strip_prefix("Unsupported value: \"")?.split('"').next()?;
    nearest(written, supported.split('"').skip(1).step_by(2)).map(|value| Fix::Write { value: value.to_owned() })
}

/// What a container or an image may be called until somebody calls it otherwise.
const STANDARD: [(&str, &str); 2] = [("name", "main"), ("image", "busybox")];

/// What makes the API server take a name or an image: one where none is, another one where two are the same, or the nearest that is valid.
fn name_fix(document: &Document, field: &str, message: &str) -> Option<Fix> {
    let steps = path::steps(field);
    let last = *steps.last()?;
    let of_container = steps.len() > 2 && steps[steps.len() - 3].to_ascii_lowercase().ends_with("containers");
    if message.starts_with("Required value") && of_container {
        let (_, standard) = STANDARD.into_iter().find(|(name, _)| *name == last)?;
        let value = if last == "name" { unused(document, standard) } else { standard.to_owned() };
        return Some(Fix::Add { path: field.to_owned(), value });
    }
    let known = written(document, field).filter(|_| last == "name")?;
    if message.starts_with("Duplicate value") && of_container {
        return Some(rename(&unused(document, known)));
    }
    let dots = message.contains("RFC 1123 subdomain must");
    if !dots && !message.contains("RFC 1123 label must") {
        return None;
    }
    let valid = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || dots && letter == '.';
    let lower = known.trim().to_lowercase();
    let name: String = lower.chars().map(|letter| if valid(letter) { letter } else { '-' }).collect();
    cut(&name, if field == NAME { longest_name(document) } else { LABEL_LENGTH })
}

/// So many characters of a name at most, without what it can neither begin nor end with.
fn cut(name: &str, most: usize) -> Option<Fix> {
    let cut: String = name.chars().take(most).collect();
    let name = cut.trim_matches(['-', '.']);
    (!name.is_empty()).then(|| rename(name))
}

/// Writes a name so that YAML takes it for text: `"123"`.
fn rename(name: &str) -> Fix {
    Fix::Write { value: write(&Value::from(name)).trim_end().to_owned() }
}

/// The beginning of a name that is too long.
pub(crate) fn shorter_name(document: &Document) -> Option<Fix> {
    let (name, most) = (written(document, NAME)?, longest_name(document));
    cut(name, most).filter(|_| name.chars().count() > most)
}

/// How long the name of an object may be: a Job's is a label, and with a hyphen and the highest index a hostname; a CronJob's leaves room for the end of the
/// names of its Jobs.
fn longest_name(document: &Document) -> usize {
    let value = document.value();
    if value["kind"] == Kind::CronJob.name() {
        return LABEL_LENGTH - 11;
    }
    let indexes =
        value["spec"]["completions"].as_u64().filter(|completions| *completions > 0 && value["spec"]["completionMode"] == "Indexed");
    LABEL_LENGTH - indexes.map_or(0, |completions| format!("-{}", completions - 1).len())
}

/// A name that begins like this and that no container of the document has.
fn unused(document: &Document, name: &str) -> String {
    let known = document.value().to_string();
    let free = |name: &String| !known.contains(&format!("\"name\":\"{name}\""));
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(free).unwrap_or_default()
}

/// The parts of an object of the document's kind.
fn parts(document: &Document) -> &'static [ParentField] {
    if document.value()["kind"] == Kind::CronJob.name() { &PARTS_OF_A_CRON_JOB } else { &PARTS_OF_A_JOB }
}

/// Whether a part of an object holds a field.
fn holds(part: &str, field: &str) -> bool {
    field.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn missing(document: &Document, part: &str) -> bool {
    document.value().pointer(&format!("/{}", part.replace('.', "/"))).is_none_or(Value::is_null)
}

/// The path as a manifest has it: the API server leaves the metadata out where it speaks of a template's labels and annotations (A-70).
pub(crate) fn as_written(field: &str) -> String {
    let named =
        |template: &&str| field.strip_prefix(*template).is_some_and(|rest| rest.starts_with("labels") || rest.starts_with("annotations"));
    match POD_TEMPLATES.into_iter().find(named) {
        Some(template) => format!("{template}metadata.{}", &field[template.len()..]),
        None => as_called(field),
    }
}

fn remedy(field: &str, message: &str) -> Option<&'static str> {
    let ends = |end: &str| end.is_empty() || field == end || path::steps(field).ends_with(&path::steps(end));
    POD_REMEDIES.iter().chain(REMEDIES).find(|(end, part, _)| ends(end) && message.contains(part)).map(|(_, _, remedy)| *remedy)
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
    fn a_value_that_is_an_item_of_its_own_belongs_to_the_name_above() {
        let job = "kind: Job\nspec:\n  template:\n    spec:\n      containers:\n      - env: [{name: A}, {value: b}, {value: c}, {name: D}, {valueFrom: {}}]\n";
        let name = |place: usize| format!("spec.template.spec.containers[0].env[{place}].name");
        let required = "Required value";
        check(
            job,
            &[(&name(1), required), (&name(2), required), (&name(4), required)],
            expect![[r#"
            6:26: spec.template.spec.containers[0].env[1].name: Required value; value belongs to the item above: remove the `- ` before it and indent it like name
            6:38: spec.template.spec.containers[0].env[2].name: Required value; add this field
            6:61: spec.template.spec.containers[0].env[4].name: Required value; valueFrom belongs to the item above: remove the `- ` before it and indent it like name
        "#]],
        );
    }

    #[test]
    fn errors_stand_at_the_value_or_at_the_nearest_key() {
        check(
            JOB,
            &[
                ("spec.template.spec.restartPolicy", "Required value: valid values: \"OnFailure\", \"Never\""),
                ("metadata.name", "Invalid value: \"Pi\": a lowercase RFC 1123 subdomain must consist of …"),
                ("metadata.name", "Invalid value: \"pi.v1\": will not able to create pod with invalid DNS label: pi.v1-1"),
                ("spec.completions", "Required value: when completion mode is Indexed"),
                ("spec.selector", "Invalid value: {}: `selector` not auto-generated"),
                ("spec.template.metadata.labels[controller-uid]", "Invalid value: {\"controller-uid\":\"u\"}: must be 'job-pi-1'"),
                ("spec.template.labels", "Invalid value: \"x\": must be no more than 63 bytes"),
                ("spec.template.metadata.labels[app]", "Invalid value"),
                ("spec.template.spec.containers[0].image", "Required value"),
                ("spec.template.spec.containers[3].image", "Required value"),
                ("spec.parallelism", "Invalid value: -1: must be greater than or equal to 0"),
                ("spec.podReplacementPolicy", "Invalid value"),
            ],
            expect![[r#"
                13:22: spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"; use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod
                5:9: metadata.name: Invalid value: "Pi": a lowercase RFC 1123 subdomain must consist of …; use only lowercase letters, digits, - and ., starting and ending with a letter or digit
                5:9: metadata.name: Invalid value: "pi.v1": will not able to create pod with invalid DNS label: pi.v1-1; use no dots: with a hyphen and an index added, the name becomes a pod's hostname, which has none
                6:1: spec.completions: Required value: when completion mode is Indexed; add the number of indexes, as in `completions: 5`
                8:3: spec.selector: Invalid value: {}: `selector` not auto-generated; remove the selector, as the API server generates one; or keep it and add `manualSelector: true`
                11:7: spec.template.metadata.labels[controller-uid]: Invalid value: {"controller-uid":"u"}: must be 'job-pi-1'; remove the label, as the API server generates it; or keep it and add `manualSelector: true`
                11:7: spec.template.labels: Invalid value: "x": must be no more than 63 bytes; shorten the Job's name: its pods carry it as a label value, which may have at most 63 characters
                11:21: spec.template.metadata.labels[app]: Invalid value
                15:9: spec.template.spec.containers[0].image: Required value; add the image that the container runs, as in `image: busybox`
                14:7: spec.template.spec.containers[3].image: Required value; add the image that the container runs, as in `image: busybox`
                6:1: spec.parallelism: Invalid value: -1: must be greater than or equal to 0; use 0 or more
                6:1: spec.podReplacementPolicy: Invalid value
            "#]],
        );
    }

    #[test]
    fn warnings_about_volumes_stand_at_the_volume() {
        check(
            "kind: Job\nspec:\n  template:\n    spec:\n      volumes:\n      - {name: a}\n      - {name: b}\n",
            &[("", r#"volume "b" (Secret "s"): overlapping paths: "x" with "x""#)],
            expect![[r#"
                7:9: spec.template.spec.volumes[1]: volume "b" (Secret "s"): overlapping paths: "x" with "x"
            "#]],
        );
    }

    #[test]
    fn fields_that_the_server_calls_otherwise_are_found() {
        check(
            "kind: Job\nspec:\n  template:\n    spec:\n      hostPID: true\n      volumes:\n      - {name: b, gcePersistentDisk: {pdName: a,\n          partition: 300}}\n",
            &[
                ("spec.template.spec.HostPID", "Forbidden: when `hostUsers` is false"),
                ("spec.template.spec.volumes[0].persistentDisk.partition", "Invalid value: 300: must be between 1 and 255, inclusive"),
            ],
            expect![[r#"
                5:16: spec.template.spec.HostPID: Forbidden: when `hostUsers` is false; remove it, or remove `hostUsers: false`
                8:22: spec.template.spec.volumes[0].persistentDisk.partition: Invalid value: 300: must be between 1 and 255, inclusive; use a number from 1 to 255
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
                1:1: spec: the Job has no spec; give the Job a spec, with a template for its pods
            "#]],
        );
        check(
            "spec: {}",
            &no_containers,
            expect![[r#"
                1:1: spec.template: the Job has no template for its pods; give the Job a spec.template: a template for its pods, with containers and a restartPolicy; if this is a Kustomize patch, use what `kubectl kustomize` prints
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
                4:13: spec.schedule: Invalid value: "daily": expected exactly 5 fields, found 1: [daily]; did you mean @daily?
                5:13: spec.timeZone: Invalid value: "Paris": unknown time zone Paris; did you mean Europe/Paris?
                6:22: spec.concurrencyPolicy: Unsupported value: "Never": supported values: "Allow", "Forbid", "Replace"; use Allow, Forbid or Replace
                9:7: spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated; remove the selector: each Job gets its own
                11:20: spec.jobTemplate.spec.template.labels: Invalid value: "a b": name part must consist of …; use at most 63 characters: letters, digits, -, _ and ., starting and ending with a letter or digit; a domain and one slash may come first, as in example.com/app
                12:31: spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"; use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod
                12:9: spec.jobTemplate.spec.template.spec.containers: Required value; add a container with a name and an image
            "#]],
        );
        check(
            "kind: CronJob\nspec: {jobTemplate: {}}",
            &[("spec.jobTemplate.spec.template.spec.containers", "Required value")],
            expect![[r#"
            2:8: spec.jobTemplate.spec: the Job template has no spec; give it a spec, with a template for the Job's pods
        "#]],
        );
    }
}
