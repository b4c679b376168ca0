//! What is wrong with a manifest or a script, what each line of a script means, and the claims of a scenario file.
//!
//! Docs: Kubernetes API Concepts, "Field validation". What is wrong with a manifest is decided in `check`; scripts are described in `script`.

use api::time;
use check::CheckDepth;
use manifest::{Diagnostic, FileReading, ManifestObject, PodOfOthers};
use play::claim::script_problem;
use play::scenario::{self, FencedBlock, Scenario};
use play::start;
use script::{Rule, Script, Statement, TimedAction};
use serde::Serialize;

/// All that `jobsmith simulate` would report about a manifest before it begins, in the order of the places; empty if it is fine.
#[must_use]
pub fn manifest(text: &str) -> Vec<Diagnostic> {
    let reading = FileReading::of(text);
    let objects = match manifest::objects_of(&reading) {
        Ok(objects) => objects,
        Err(found) => return check::with_refusals(&reading, found),
    };
    let (objects, others) = own(objects);
    let others: Vec<&PodOfOthers> = others.iter().collect();
    if objects.is_empty() {
        return manifest::only_pods_of_others(&others).into_iter().collect();
    }
    let mut found = check::check_reading(&reading, CheckDepth::Mistakes, start()).diagnostics;
    found.extend(manifest::passed_over(&reading, &others));
    found.sort_by_key(|found| found.position);
    found
}

/// The objects that are played, and the pods among them that are not, because they are of no Job.
pub(crate) fn own(objects: Vec<ManifestObject>) -> (Vec<ManifestObject>, Vec<PodOfOthers>) {
    let others = manifest::pods_of_others(&objects.iter().collect::<Vec<_>>());
    let own = objects.into_iter().zip(&others).filter(|(_, of_others)| of_others.is_none()).map(|(object, _)| object).collect();
    (own, others.into_iter().flatten().collect())
}

/// A script.
///
/// # Errors
/// What cannot be understood in it.
pub fn script(text: &str) -> Result<Script, Vec<Diagnostic>> {
    Script::parse(text).map_err(|error| vec![script_problem(error)])
}

/// What each line of a script means.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScriptParts {
    rules: Vec<RuleLine>,
    actions: Vec<ActionLine>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RuleLine {
    /// The line, from 1.
    line: usize,
    which: String,
    what: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ActionLine {
    /// The line, from 1.
    line: usize,
    /// Milliseconds after the beginning.
    at: i64,
    text: String,
}

/// The rules and actions of a script in their own words; none if it cannot be understood.
#[must_use]
pub fn parts(text: &str) -> ScriptParts {
    let Script { rules, actions } = Script::parse(text).unwrap_or_default();
    let rule = |Statement { line, what, .. }: Statement<Rule>| RuleLine { line, which: what.which.to_string(), what: what.what() };
    let action = |Statement { line, what: TimedAction { after, action }, .. }: Statement<TimedAction>| ActionLine {
        line,
        at: time::milliseconds(after),
        text: action.to_string(),
    };
    ScriptParts { rules: rules.into_iter().map(rule).collect(), actions: actions.into_iter().map(action).collect() }
}

/// A claim of a scenario file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Example {
    /// The heading of the Kubernetes page that it belongs to.
    topic: String,
    /// The claim, in one sentence.
    title: String,
    /// The text of the file about the claim.
    prose: String,
    manifest: String,
    /// Empty if there is none.
    script: String,
}

/// The claims of a scenario file.
///
/// # Errors
/// If it is not a scenario file: where, and why.
pub fn scenarios(text: &str) -> Result<Vec<Example>, String> {
    scenario::read(text).map_err(|misshapen| misshapen.to_string())?.into_iter().map(example).collect()
}

/// A claim that has its manifests itself: the page cannot read other files.
fn example(scenario: Scenario) -> Result<Example, String> {
    if let Some((line, path)) = scenario.paths().next() {
        return Err(format!("line {line}: this page cannot read {path}: open that file, or write the manifest into a ```yaml block"));
    }
    let Scenario { page, claim, prose, manifest, script, .. } = scenario;
    let text = |block: Option<FencedBlock>| block.map(|block| block.text).unwrap_or_default();
    Ok(Example { topic: page, title: claim, prose, manifest: text(manifest), script: text(script) })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use manifest::{Repairs, Severity};

    use super::*;

    #[test]
    fn what_the_api_server_refuses_of_a_cron_job_is_at_its_field() {
        let cron_job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  schedule: 61 * * * *\n  jobTemplate: \
                        {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}}\n";
        let found = manifest(cron_job);
        assert_eq!(found.iter().map(|one| (one.position.line, &*one.path)).collect::<Vec<_>>(), [(5, "spec.schedule")]);
        assert_eq!(manifest(&cron_job.replace("61", "1")), []);
    }

    /// What is wrong with an object of this name, and its metadata after the fix.
    fn check_name(kind: &str, name: &str, spec: &str, expected: Expect) {
        let template = "template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}";
        let spec = if kind == "CronJob" {
            format!("schedule: '@daily', jobTemplate: {{spec: {{{template}}}}}")
        } else {
            format!("{spec}{template}")
        };
        let text = format!("apiVersion: batch/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n");
        let fixed = |problem: &Diagnostic| {
            let changed = Repairs::of(&text).repair(problem).and_then(|repair| repair.apply(&text)).unwrap_or_default();
            assert_eq!(manifest(&changed), [], "{changed}");
            format!("{problem}\n{}\n", changed.lines().nth(2).unwrap_or_default())
        };
        expected.assert_eq(&manifest(&text).iter().map(fixed).collect::<String>());
    }

    const INDEXED: &str = "completionMode: Indexed, completions: 11, ";

    #[test]
    fn a_name_that_no_object_can_have_is_refused_once_and_has_a_fix() {
        for spec in ["", INDEXED] {
            check_name(
                "Job",
                "Train_Job",
                spec,
                expect![[r#"
            3:18: metadata.name: Invalid value: "Train_Job": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); use only lowercase letters, digits, - and ., starting and ending with a letter or digit
            metadata: {name: train-job}
        "#]],
            );
        }
        check_name(
            "CronJob",
            "Nightly “x”",
            "",
            expect![[r#"
            3:18: metadata.name: Invalid value: "Nightly “x”": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); use only lowercase letters, digits, - and ., starting and ending with a letter or digit
            metadata: {name: nightly--x}
        "#]],
        );
    }

    #[test]
    fn a_name_that_is_too_long_is_cut() {
        let long = format!("train-{}", "model-".repeat(12));
        check_name(
            "Job",
            &long[..70],
            "",
            expect![[r#"
            3:18: metadata.name: Invalid value: "train-model-model-model-model-model-model-model-model-model-model-mode": must be no more than 63 bytes; shorten the Job's name: its pods carry it as a label value, which may have at most 63 characters
            metadata: {name: train-model-model-model-model-model-model-model-model-model-mod}
        "#]],
        );
        check_name(
            "Job",
            &long[..62],
            INDEXED,
            expect![[r#"
            3:18: metadata.name: Invalid value: "train-model-model-model-model-model-model-model-model-model-mo": will not able to create pod with invalid DNS label: train-model-model-model-model-model-model-model-model-model-mo-10; shorten the name: with a hyphen and the highest index added, it becomes a pod's hostname, which may have at most 63 characters
            metadata: {name: train-model-model-model-model-model-model-model-model-model}
        "#]],
        );
        check_name(
            "CronJob",
            &long[..55],
            "",
            expect![[r#"
            3:18: metadata.name: Invalid value: "train-model-model-model-model-model-model-model-model-m": must be no more than 52 characters; shorten the name: the names of its Jobs add a hyphen and up to 10 digits
            metadata: {name: train-model-model-model-model-model-model-model-mode}
        "#]],
        );
    }

    #[test]
    fn typographic_quotation_marks_are_named_once() {
        let cron_job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  schedule: “*/5 * * * *”\n  jobTemplate: \
                        {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox, command: [“date”]}]}}}}\n";
        let found: String = manifest(cron_job).iter().map(|problem| format!("{problem}\n")).collect();
        expect![[r#"
            5:13: spec.schedule: Invalid value: "“*/5 * * * *”": failed to parse int from “*: strconv.Atoi: parsing "“*": invalid syntax; replace them with " or '
            6:116: spec.jobTemplate.spec.template.spec.containers[0].command[0]: “ and ” are part of this value: YAML does not take them for quotation marks; replace them with " or '
        "#]].assert_eq(&found);
    }

    #[test]
    fn pods_of_others_are_named() {
        let pod =
            "apiVersion: v1\nkind: Pod\nmetadata: {name: w, uid: u, ownerReferences: [{kind: ReplicaSet, name: web, controller: true}]}\n";
        let found = |text: &str| manifest(text).iter().map(|one| (one.severity, one.message.clone())).collect::<Vec<_>>();
        assert_eq!(found(pod), [(Severity::Error, "there is no Job here, only 1 pod of ReplicaSet web".to_owned())]);
        let job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, uid: v}\n---\n";
        assert_eq!(found(&format!("{job}{pod}")), [(Severity::Warning, "Skipped: 1 pod of ReplicaSet web".to_owned())]);
    }

    #[test]
    fn a_job_has_a_name_or_gets_one() {
        let job = |metadata: &str| {
            let pod = "{spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}";
            manifest(&format!("apiVersion: batch/v1\nkind: Job\n{metadata}spec: {{template: {pod}}}\n"))
        };
        for nameless in ["", "metadata:\n", "metadata: {}\n", "metadata: {name: }\n", "metadata: {name: ''}\n"] {
            let found: Vec<String> = job(nameless).iter().map(ToString::to_string).collect();
            let [problem] = &found[..] else { panic!("{nameless:?}: {found:?}") };
            assert!(problem.contains("metadata.name: Required value: name or generateName is required; give the Job a name"), "{problem}");
        }
        for named in ["metadata: {name: pi}\n", "metadata: {generateName: pi-}\n"] {
            assert_eq!(job(named), []);
        }
    }

    #[test]
    fn each_part_of_a_script_has_its_line() {
        let parts = parts("# flaky\nindex 1: exit 42 after 2s # often\n\nat 5s: scale to 3\npods: succeed after 5s\n");
        let rules: Vec<_> = parts.rules.iter().map(|rule| (rule.line, &*rule.which, &*rule.what)).collect();
        assert_eq!(rules, [(2, "index 1", "exit 42 after 2s"), (5, "pods", "succeed after 5s")]);
        let actions: Vec<_> = parts.actions.iter().map(|action| (action.line, action.at, &*action.text)).collect();
        assert_eq!(actions, [(4, 5000, "scale to 3")]);
    }

    #[test]
    fn a_script_that_cannot_be_understood_has_no_parts() {
        let parts = parts("pods: succeed after 5s\npods: fly\n");
        assert!(parts.rules.is_empty() && parts.actions.is_empty());
    }

    /// What is wrong with a manifest, and the labels of the repairs.
    fn check(text: &str, expected: Expect) {
        let repairs = Repairs::of(text);
        let label = |found: &Diagnostic| repairs.repair(found).map(|repair| format!("\n    {}", repair.label)).unwrap_or_default();
        let lines: String = manifest(text).iter().map(|found| format!("{found}{}\n", label(found))).collect();
        expected.assert_eq(&lines);
    }

    /// A Job of this name, with this template.
    fn job(name: &str, template: &str) -> String {
        format!("apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {name}\nspec:\n  template:\n{template}")
    }

    #[test]
    fn names_images_and_duplicates_have_fixes() {
        let containers = "    spec:\n      restartPolicy: Never\n      containers:\n      - name: main\n        image: busybox\n      - name: main\n        image: busybox\n      - image: busybox\n      - name: side_car\n";
        check(
            &job("My_Job", containers),
            expect![[r#"
            4:9: metadata.name: Invalid value: "My_Job": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); use only lowercase letters, digits, - and ., starting and ending with a letter or digit
                Change to my-job
            12:15: spec.template.spec.containers[1].name: Duplicate value: "main"; keep one of the two
                Change to main-2
            14:9: spec.template.spec.containers[2].name: Required value; add this field
                Add name: main-2
            15:9: spec.template.spec.containers[3].image: Required value; add the image that the container runs, as in `image: busybox`
                Add image: busybox
            15:15: spec.template.spec.containers[3].name: Invalid value: "side_car": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'); use only lowercase letters, digits and -, starting and ending with a letter or digit
                Change to side-car
        "#]],
        );
    }

    #[test]
    fn long_names_and_labels_of_a_template_stand_at_their_own_place_once() {
        let pod = "    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n";
        check(
            &job(&"a".repeat(64), pod),
            expect![[r#"
                4:9: metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 bytes; shorten the Job's name: its pods carry it as a label value, which may have at most 63 characters
                    Change to aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
            "#]],
        );
        let labels = format!("    metadata:\n      labels:\n        app: pi\n        tier: not valid\n        \"a b\": c\n{pod}");
        check(
            &job("pi", &labels),
            expect![[r#"
                10:15: spec.template.metadata.labels[tier]: Invalid value: "not valid": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'); use at most 63 characters: letters, digits, -, _ and ., starting and ending with a letter or digit
                11:9: spec.template.metadata.labels[a b]: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'); use at most 63 characters: letters, digits, -, _ and ., starting and ending with a letter or digit; a domain and one slash may come first, as in example.com/app
            "#]],
        );
        check(
            &job("pi", &labels).replace("  name: pi\n", "  name: pi\n  labels: {tier: not valid}\n"),
            expect![[r#"
                5:18: metadata.labels[tier]: Invalid value: "not valid": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'); use at most 63 characters: letters, digits, -, _ and ., starting and ending with a letter or digit
                11:15: spec.template.metadata.labels[tier]: Invalid value: "not valid": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'); use at most 63 characters: letters, digits, -, _ and ., starting and ending with a letter or digit
                12:9: spec.template.metadata.labels[a b]: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'); use at most 63 characters: letters, digits, -, _ and ., starting and ending with a letter or digit; a domain and one slash may come first, as in example.com/app
            "#]],
        );
    }

    #[test]
    fn a_template_is_named_where_a_value_is_missing() {
        let pod = "    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n";
        check(
            &job("\"{{ .Release.Name }}\"", pod),
            expect![[r#"
                4:9: metadata.name: Invalid value: "{{ .Release.Name }}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); this is a Helm template: use what `helm template` prints
            "#]],
        );
        check(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  schedule: '{{ schedule }}'\n",
            expect![[r#"
            4:1: spec.jobTemplate: the CronJob has no template for its Jobs; give the CronJob a spec.jobTemplate: a template for its Jobs, with a spec like that of a Job; if this is a Kustomize patch, use what `kubectl kustomize` prints
            5:13: spec.schedule: Invalid value: "{{ schedule }}": expected exactly 5 fields, found 3: [{{ schedule }}]; this is a template: render it first, and use the result
        "#]],
        );
    }

    #[test]
    fn the_mark_is_on_the_part_of_an_annotation_that_is_wrong() {
        let marked = |value: &str| {
            let annotations = format!("jobsmith.dev/on-failure: {value}");
            let text = job(
                &format!("a\n  annotations:\n    {annotations}"),
                "    spec: {restartPolicy: Never, containers: [{name: main, image: i}]}\n",
            );
            let found = manifest(&text);
            let [Diagnostic { position, rule, .. }] = &found[..] else { panic!("{found:?}") };
            assert_eq!(rule.as_str(), "invalid-annotation");
            let line = text.lines().nth(position.line - 1).unwrap_or_default();
            line.chars().skip(position.column - 1).take(position.length).collect::<String>()
        };
        for exact in [
            "exit 1:rety",
            "'exit 1: rety'",
            "\"exit 1: rety\"",
            "|\n      # 𝄞\n      exit 1: hold\n        message 𝄞: rety now",
            "|-\n        any: rety",
        ] {
            assert_eq!(marked(exact), "rety", "{exact}");
        }
        assert_eq!(marked("'reason OOM|,killed: retry'"), "");
        // The text is not in the file as it is.
        assert_eq!(marked("\"any: rety\\n\""), "\"any: rety\\n\"");
        assert_eq!(marked(">\n      any: rety"), ">");
    }
}
