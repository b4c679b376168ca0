//! What the API server accepts and what hardly anybody means: limits without effect, misspelled conditions, quotation marks that are none, commands in one
//! string, and Jobs that select the pods of others.
//!
//! Docs: Jobs, "Backoff limit per index", "Specifying your own Pod selector". What the API server itself warns of is in `admission::warnings`.

use api::meta::Labels;
use api::{DEFAULT_NAMESPACE, Job};
use serde_json::Value;

use crate::misplaced::nearest;
use crate::miswritten::{REPLACE_MARKS, requoted};
use crate::{Diagnostic, Document, Fix, Manifest, ManifestObject, RuleName, leaf, path};

/// The warnings about objects that are applied together, each with the place of the object among them.
#[must_use]
pub fn pitfalls(objects: &[&ManifestObject]) -> Vec<(usize, Diagnostic)> {
    let jobs = || {
        objects.iter().enumerate().filter_map(|(at, object)| if let ManifestObject::Job(job) = object { Some((at, &**job)) } else { None })
    };
    let limits = objects.iter().enumerate().filter_map(|(at, object)| Some((at, limit_without_effect(object.document(), spec(object)?)?)));
    let conditions = objects.iter().enumerate().flat_map(|(at, object)| {
        let misspelled = spec(object).map(|spec| misspelled_conditions(object.document(), spec)).unwrap_or_default();
        misspelled.into_iter().map(move |warning| (at, warning))
    });
    let overlaps = jobs().filter_map(|(at, job)| {
        let other = jobs().find(|(place, other)| *place != at && selects_pods_of(&job.job, other))?;
        Some((at, overlap(job, &other.1.job)))
    });
    let quoted = objects.iter().enumerate().flat_map(|(at, object)| {
        let mut found = Vec::new();
        quoted_values(object.document(), object.document().value(), "", &mut found);
        found.into_iter().map(move |warning| (at, warning))
    });
    let commands = objects.iter().enumerate().flat_map(|(at, object)| {
        let found = spec(object).map(|spec| commands_in_one_string(object.document(), spec)).unwrap_or_default();
        found.into_iter().map(move |warning| (at, warning))
    });
    limits.chain(conditions).chain(quoted).chain(commands).chain(overlaps).collect()
}

/// The path of the spec of a Job, or of the Jobs of a CronJob.
fn spec(object: &ManifestObject) -> Option<&'static str> {
    match object {
        ManifestObject::CronJob(_) => Some("spec.jobTemplate.spec"),
        ManifestObject::Job(_) => Some("spec"),
        ManifestObject::Pod(_) => None,
    }
}

/// The conditions that Kubernetes itself gives pods.
const CONDITIONS: [&str; 6] = ["DisruptionTarget", "PodScheduled", "PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready"];

/// Conditions in a pod failure policy whose type is almost one that pods get.
fn misspelled_conditions(document: &Document, spec: &str) -> Vec<Diagnostic> {
    let rules = format!("{spec}.podFailurePolicy.rules");
    let found = |field: &str| document.get(field).and_then(Value::as_array).map_or(0, Vec::len);
    let patterns = (0..found(&rules)).flat_map(|rule| {
        let list = format!("{rules}[{rule}].onPodConditions");
        (0..found(&list)).map(move |at| format!("{list}[{at}].type"))
    });
    let misspelled = patterns.filter_map(|field| {
        let written = document.get(&field)?.as_str()?;
        let meant = nearest(written, CONDITIONS.into_iter()).filter(|meant| *meant != written)?;
        let message = format!("pods have no condition {written} unless something outside of Kubernetes gives it to them");
        let fix = Fix::Write { value: meant.to_owned() };
        Some(Diagnostic::warning(RuleName::RuleNeverMatches, document, &field, &message, format!("did you mean {meant}?")).fix(Some(fix)))
    });
    misspelled.collect()
}

/// Commands whose program has blanks in its name: no shell splits it.
fn commands_in_one_string(document: &Document, spec: &str) -> Vec<Diagnostic> {
    let pod = format!("{spec}.template.spec");
    let containers = ["initContainers", "containers"].into_iter().flat_map(|list| {
        let list = format!("{pod}.{list}");
        let count = document.get(&list).and_then(Value::as_array).map_or(0, Vec::len);
        (0..count).map(move |at| format!("{list}[{at}].command"))
    });
    let in_one_string = containers.filter_map(|command| {
        let words: Vec<&str> = document.get(&command)?.as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
        let (program, arguments) = words.split_first()?;
        let list = leaf::list_of(program.trim(), &command).filter(|_| program.trim().contains(char::is_whitespace))?;
        let list =
            arguments.iter().fold(list.trim_end_matches(']').to_owned(), |list, argument| format!("{list}, {}", Value::from(*argument)));
        let message = format!("no shell splits {program:?} at its spaces: the container runs a program of that name");
        Some(Diagnostic::warning(RuleName::NoShell, document, &format!("{command}[0]"), &message, format!("write command: {list}]")))
    });
    in_one_string.collect()
}

/// Values in typographic quotation marks, which are part of them.
fn quoted_values(document: &Document, value: &Value, path: &str, found: &mut Vec<Diagnostic>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| quoted_values(document, item, &format!("{path}[{at}]"), found))
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| quoted_values(document, value, &path::join(path, &path::step(name)), found))
        }
        Value::String(text) => {
            let message = "“ and ” are part of this value: YAML does not take them for quotation marks";
            let fix = requoted(text).map(|value| Fix::Write { value });
            found
                .extend(fix.map(|fix| Diagnostic::warning(RuleName::QuotesInValue, document, path, message, REPLACE_MARKS).fix(Some(fix))));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A limit per index where containers restart in their pod, which it does not count.
fn limit_without_effect(document: &Document, spec: &str) -> Option<Diagnostic> {
    let fields = document.get(spec)?;
    let set = fields["backoffLimitPerIndex"].is_number() && fields["template"]["spec"]["restartPolicy"] == "OnFailure";
    let message = "backoffLimitPerIndex counts failed pods, and with restartPolicy OnFailure a container that fails restarts in its pod: an index can restart \
                   without end";
    let remedy = "set restartPolicy to Never";
    set.then(|| Diagnostic::warning(RuleName::LimitWithoutEffect, document, &format!("{spec}.backoffLimitPerIndex"), message, remedy))
}

/// Whether a Job with a selector of its own selects the pods of another.
fn selects_pods_of(job: &Job, other: &Manifest) -> bool {
    let own = job.spec.manual_selector == Some(true) && namespace(job) == namespace(&other.job);
    own && job.spec.selector.as_ref().is_some_and(|selector| {
        let labels = &other.document.value()["spec"]["template"]["metadata"]["labels"];
        selector.matches(&serde_json::from_value::<Labels>(labels.clone()).unwrap_or_default())
    })
}

fn overlap(job: &Manifest, other: &Job) -> Diagnostic {
    let message = format!(
        "this selector also matches the pods of job {}: a Job may then count or delete pods that are not its own, or never complete",
        other.metadata.name
    );
    let remedy = "give the pods of each Job a label of their own, and select them by it";
    Diagnostic::warning(RuleName::OverlappingSelectors, &job.document, "spec.selector", &message, remedy)
}

fn namespace(job: &Job) -> &str {
    if job.metadata.namespace.is_empty() { DEFAULT_NAMESPACE } else { &job.metadata.namespace }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::objects;

    fn check(texts: &[&str], expected: Expect) {
        let objects = objects(&texts.join("---\n")).unwrap();
        let found = super::pitfalls(&objects.iter().collect::<Vec<_>>());
        expected.assert_eq(&found.iter().map(|(at, warning)| format!("{at}: {warning}")).collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn a_limit_per_index_does_not_count_restarts() {
        let job = |policy: &str| {
            format!(
                "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: pi}}\nspec:\n  completions: 2\n  completionMode: Indexed\n  backoffLimitPerIndex: 1\n  \
                 template: {{spec: {{restartPolicy: {policy}, containers: [{{name: main, image: i}}]}}}}\n"
            )
        };
        let template = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec:\n  schedule: '@daily'\n  jobTemplate:\n    spec: \
                        {backoffLimitPerIndex: 1, template: {spec: {restartPolicy: OnFailure}}}\n";
        check(&[&job("Never")], expect![""]);
        check(
            &[&job("OnFailure"), template],
            expect![[r#"
            0: 7:25: spec.backoffLimitPerIndex: backoffLimitPerIndex counts failed pods, and with restartPolicy OnFailure a container that fails restarts in its pod: an index can restart without end; set restartPolicy to Never
            1: 16:34: spec.jobTemplate.spec.backoffLimitPerIndex: backoffLimitPerIndex counts failed pods, and with restartPolicy OnFailure a container that fails restarts in its pod: an index can restart without end; set restartPolicy to Never"#]],
        );
    }

    #[test]
    fn a_condition_that_no_pod_gets_is_noticed() {
        let job = |kind: &str| {
            format!(
                "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: pi}}\nspec:\n  podFailurePolicy:\n    rules:\n    - action: Ignore\n      onPodConditions:\n      - \
                 type: {kind}\n  template: {{spec: {{restartPolicy: Never, containers: [{{name: main, image: i}}]}}}}\n"
            )
        };
        check(&[&job("DisruptionTarget"), &job("ConfigIssue")], expect![""]);
        check(
            &[&job("DisruptionTraget")],
            expect![
                "0: 9:15: spec.podFailurePolicy.rules[0].onPodConditions[0].type: pods have no condition DisruptionTraget unless something outside of Kubernetes gives it to them; did you mean DisruptionTarget?"
            ],
        );
    }

    #[test]
    fn quotation_marks_that_are_part_of_a_value_are_noticed() {
        let job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: pi, annotations: {a: “b” and ”c}}\nspec: {template: {spec: {restartPolicy: Never, containers: \
                   [{name: main, image: ‘i’, command: [sh, “-c”]}]}}}\n";
        check(
            &[job],
            expect![[r#"
                0: 4:100: spec.template.spec.containers[0].command[1]: “ and ” are part of this value: YAML does not take them for quotation marks; replace them with " or '
                0: 4:81: spec.template.spec.containers[0].image: “ and ” are part of this value: YAML does not take them for quotation marks; replace them with " or '"#]],
        );
    }

    #[test]
    fn a_command_in_one_string_is_noticed() {
        let job = |command: &str| {
            format!(
                "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: pi}}\nspec: {{template: {{spec: {{restartPolicy: Never, containers: [{{name: main, image: i, command: \
                 {command}}}]}}}}}}\n"
            )
        };
        check(&[&job("[sleep, '5']"), &job("[sh, -c, sleep 5]"), &job("[' sh ', -c]"), &job("[]")], expect![""]);
        check(
            &[&job("[sleep 5]"), &job("[/usr/bin/env bash -c true]"), &job("[echo a && ls]"), &job("[sh -c, sleep 5]")],
            expect![[r#"
                0: 4:94: spec.template.spec.containers[0].command[0]: no shell splits "sleep 5" at its spaces: the container runs a program of that name; write command: ["sleep", "5"]
                1: 9:94: spec.template.spec.containers[0].command[0]: no shell splits "/usr/bin/env bash -c true" at its spaces: the container runs a program of that name; write command: ["/usr/bin/env", "bash", "-c", "true"]
                2: 14:94: spec.template.spec.containers[0].command[0]: no shell splits "echo a && ls" at its spaces: the container runs a program of that name; write command: ["sh", "-c", "echo a && ls"]
                3: 19:94: spec.template.spec.containers[0].command[0]: no shell splits "sh -c" at its spaces: the container runs a program of that name; write command: ["sh", "-c", "sleep 5"]"#]],
        );
    }

    #[test]
    fn selectors_that_overlap_are_found() {
        let job = |name: &str, manual: bool, label: &str| {
            let selector =
                if manual { format!("  manualSelector: true\n  selector: {{matchLabels: {{app: {label}}}}}\n") } else { String::new() };
            format!(
                "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: {name}}}\nspec:\n{selector}  template: {{metadata: {{labels: {{app: {label}, b: c}}}}, spec: \
                 {{restartPolicy: Never, containers: [{{name: main, image: i}}]}}}}\n"
            )
        };
        check(&[&job("a", true, "x"), &job("b", true, "u"), &job("c", false, "z")], expect![""]);
        check(
            &[&job("a", true, "x"), &job("b", false, "x"), &job("c", true, "x")],
            expect![[r#"
            0: 6:3: spec.selector: this selector also matches the pods of job b: a Job may then count or delete pods that are not its own, or never complete; give the pods of each Job a label of their own, and select them by it
            2: 20:3: spec.selector: this selector also matches the pods of job a: a Job may then count or delete pods that are not its own, or never complete; give the pods of each Job a label of their own, and select them by it"#]],
        );
    }
}
