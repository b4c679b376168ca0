//! Everything worth reporting about a manifest before it is applied: what strict decoding and the API server refuse, what the server warns about, and advice.
//! One diagnostic a cause, in the order of the places.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Decoding is in `manifest`, validation in `admission`, advice in `advice`; one file is
//! checked in `file_set.rs`, and corrected in `corrections.rs`; which warnings it silences is in `silence.rs`.

mod admission;
mod against;
mod corrections;
mod file_set;
mod silence;
mod silenced_rules;
mod versions;

pub use admission::creation;
pub use against::identity;
pub use corrections::{Corrected, corrected};
pub use file_set::{FileSet, ManifestFile};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use advice::AdviceRule;
use api::Timestamp;
use cluster::stored::Stored;
use manifest::{Diagnostic, Document, FileReading, Fix, ManifestObject, Position, RuleName, Severity};

/// What a file holds, and what was found in it.
#[derive(Debug, Default)]
pub struct Findings {
    /// In the order of the places.
    pub diagnostics: Vec<Diagnostic>,
    /// Its CronJobs and Jobs, without what cannot be decoded of them, and pods as a cluster has them.
    pub objects: Arc<[ManifestObject]>,
    /// Its CronJobs and Jobs as the API server would store them, in the order of the places, without those in which anything is refused, and those that a
    /// cluster has.
    pub stored: Vec<Arc<Stored>>,
    /// The other objects in it, as in `ConfigMap settings`. They are not checked.
    pub others: Vec<String>,
    /// How many warnings are silenced in the file.
    pub silenced: usize,
}

impl Findings {
    /// Adds what an API server of v1.36 would refuse besides: fields that it does not know.
    pub fn hold_against_1_36(&mut self) {
        let unknown = versions::unknown_to_1_36(&self.objects);
        // What it refuses, it does not drop.
        self.diagnostics.retain(|found| !unknown.iter().any(|unknown| unknown.path == found.path && unknown.position == found.position));
        self.diagnostics.extend(unknown);
        self.diagnostics.sort_by_key(|found| (found.position, found.severity));
    }

    /// Adds what the API server would refuse if the objects were applied over old ones of the same names.
    pub fn compare(&mut self, old: &[ManifestObject], now: Timestamp) {
        self.diagnostics.extend(against::refused_changes(old, &self.objects, now));
        self.diagnostics.sort_by_key(|found| (found.position, found.severity));
    }

    /// How many diagnostics are this bad.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }
}

/// How much is reported beside what is refused and what the API server warns of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckDepth<'r> {
    /// What is a mistake whatever is meant: the warnings before a manifest is run or simulated.
    Mistakes,
    /// All advice that is worth hearing unasked.
    Advice,
    /// That, and what these pedantic rules find.
    Pedantic(&'r [RuleName]),
}

impl CheckDepth<'_> {
    /// Whether what a rule finds is reported.
    fn reports(self, rule: &AdviceRule) -> bool {
        match self {
            Self::Mistakes => rule.is_mistake(),
            Self::Advice => !rule.is_pedantic(),
            Self::Pedantic(named) => !rule.is_pedantic() || named.contains(&rule.name),
        }
    }
}

/// Checks a file by itself; schedules are checked from `now` on.
#[must_use]
pub fn check(text: &str, depth: CheckDepth<'_>, now: Timestamp) -> Findings {
    check_reading(&FileReading::of(text), depth, now)
}

/// The same for a file that has been read.
#[must_use]
pub fn check_reading(reading: &FileReading<'_>, depth: CheckDepth<'_>, now: Timestamp) -> Findings {
    FileSet::new([&ManifestFile::of(reading)], now).findings(0, depth)
}

/// Whether a diagnostic is advice, which is not reported before a manifest is run or simulated.
#[must_use]
pub fn is_advice(found: &Diagnostic) -> bool {
    advice::rule(found.rule.as_str()).is_some_and(AdviceRule::is_advice)
}

/// Whether the rule by which a diagnostic was found has a page, which `jobsmith lint NAME` prints.
#[must_use]
pub fn has_page(found: &Diagnostic) -> bool {
    advice::rule(found.rule.as_str()).is_some()
}

/// Whether advice is about what cannot stay as it is: a field that is refused, or the Jobs of a CronJob that is refused itself.
fn concerns_refused(advice: &Diagnostic, refused: &[Diagnostic]) -> bool {
    refused.iter().any(|refused| {
        advice.severity == Severity::Error
            || !refused.path.is_empty() && (holds(&refused.path, &advice.path) || asks_for(advice, &refused.path))
            || ABOUT_RULES.contains(&advice.rule.as_str()) && holds(&advice.path, &refused.path)
    })
}

/// Rules whose advice is about all that their field holds.
const ABOUT_RULES: [&str; 2] = ["policy-without-effect", "success-unreachable"];

/// Whether advice asks for a field, by its path.
fn asks_for(advice: &Diagnostic, field: &str) -> bool {
    let words = advice.remedy.as_deref().unwrap_or_default().split([' ', ',', ':', ';']);
    words.into_iter().any(|word| word == field || field.rsplit('.').next() == Some(word) && word.contains(char::is_uppercase))
}

/// What a reader refuses of a file, and what the API server would refuse besides, in the order of the places.
#[must_use]
pub fn with_refusals(reading: &FileReading, mut refused: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // What is refused is refused at any time.
    let found = check_reading(reading, CheckDepth::Mistakes, Timestamp::UNIX_EPOCH).diagnostics;
    let besides = found.into_iter().filter(|found| found.severity == Severity::Error);
    let known: BTreeSet<Position> = refused.iter().map(|found| found.position).collect();
    refused.extend(besides.filter(|found| !known.contains(&found.position)));
    refused.sort_by_key(|found| found.position);
    refused
}

/// Whether what cannot be decoded is the reason why validation misses something: a field of the wrong type, misspelled, or in the wrong place, or a
/// directive that makes a patch of what holds it. Of a field that is set twice, the first value is validated.
fn explains(refused: &Diagnostic, missed: &Diagnostic, document: &Document) -> bool {
    if refused.rule == RuleName::DUPLICATE_FIELD {
        return false;
    }
    let meant = refused.fix.as_deref().and_then(|fix| if let Fix::Move { to } = fix { Some(to.as_str()) } else { None });
    let patched = refused.path.rsplit_once(".$").map(|(holder, _)| holder);
    let there = |path: &str| document.get(path).is_some_and(|value| !value.is_null());
    // What is missing may be made by what moves, or may be in a level that is written twice.
    let made = || !there(&missed.path) && meant.is_some_and(|to| holds(&missed.path, to));
    let within = || {
        let (holder, _) = refused.path.rsplit_once('.').filter(|_| refused.rule == RuleName::UNKNOWN_FIELD)?;
        let rest = missed.path.strip_prefix(holder)?.strip_prefix('.').filter(|_| !there(&missed.path))?;
        Some(there(&format!("{}.{rest}", refused.path)))
    };
    [Some(refused.path.as_str()), meant, patched].into_iter().flatten().any(|path| !path.is_empty() && holds(path, &missed.path))
        || !missed.path.is_empty() && (made() || within() == Some(true))
}

/// Whether a path is this field, or is within it.
fn holds(field: &str, path: &str) -> bool {
    path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Without warnings that repeat an error: at the same place, about the same field, with the same remedy.
fn without_echoes(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let about = |found: &Diagnostic| (found.position, found.path.clone(), found.remedy.clone());
    let mut worst = BTreeMap::new();
    for found in &found {
        let known = worst.entry(about(found)).or_insert(found.severity);
        *known = (*known).min(found.severity);
    }
    found.into_iter().filter(|found| worst[&about(found)] == found.severity).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let now = "2026-11-26T12:00:00Z".parse().unwrap();
        let Findings { diagnostics, others, silenced, .. } = super::check(text, CheckDepth::Mistakes, now);
        let mut shown: String =
            diagnostics.iter().map(|found| format!("{:?}[{}] {found}\n", found.severity, found.rule.as_str())).collect();
        shown += &others.iter().map(|other| format!("skipped {other}\n")).collect::<String>();
        if silenced > 0 {
            shown += &format!("silenced {silenced}\n");
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn all_that_is_wrong_is_found_at_once_and_each_cause_once() {
        check(
            "
apiVersion: batch/v1
kind: Job
metadata: {name: Pi}
spec:
  backofLimit: 3
  completions: -1
  parallelism: two
  restartPolicy: Never
  template:
    spec:
      containers:
      - name: main
        image: 3
        command: [sh, “-c”]
",
            expect![[r#"
                Error[invalid] 4:18: metadata.name: Invalid value: "Pi": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); use only lowercase letters, digits, - and ., starting and ending with a letter or digit
                Error[unknown-field] 6:3: spec.backofLimit: unknown field "backofLimit"; did you mean backoffLimit?
                Error[invalid] 7:16: spec.completions: Invalid value: -1: must be greater than or equal to 0; use 0 or more
                Error[wrong-type] 8:16: spec.parallelism: expected a whole number (int32), found text; use a whole number
                Error[unknown-field] 9:3: spec.restartPolicy: unknown field "restartPolicy"; restartPolicy belongs to the pod: move it to spec.template.spec.restartPolicy
                Error[wrong-type] 14:16: spec.template.spec.containers[0].image: expected text, found the number 3; write it in quotes: "3"
                Warning[quotes-in-value] 15:23: spec.template.spec.containers[0].command[1]: “ and ” are part of this value: YAML does not take them for quotation marks; replace them with " or '
            "#]],
        );
    }

    #[test]
    fn what_is_missing_where_a_field_belongs_is_no_second_error() {
        check(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  schedule: 0 1 * * *\n  template: {spec: {containers: [{name: main, image: i}]}}\n",
            expect![[r#"
                Error[unknown-field] 6:3: spec.template: unknown field "template"; template belongs to the Job: move it to spec.jobTemplate.spec.template
            "#]],
        );
        check(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  template:\n    template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}\n",
            expect![[r#"
                Error[unknown-field] 6:5: spec.template.template: unknown field "template"; template is written twice: move what it holds up to spec.template
            "#]],
        );
    }

    #[test]
    fn advice_asks_for_nothing_that_is_there_and_refused() {
        let job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  activeDeadlineSeconds: 1h\n  ttlSecondsAfterFinished: 1h\n  \
                   podFailurePolicy: {rules: [{action: Count, onExitCodes: {operator: Inn, values: [1]}}]}\n  template: {spec: {restartPolicy: \
                   Never, containers: [{name: main, image: 'i:1'}]}}\n";
        let found = super::check(job, CheckDepth::Advice, Timestamp::UNIX_EPOCH);
        let advice: Vec<&str> = found.diagnostics.iter().filter(|found| is_advice(found)).map(|found| found.rule.as_str()).collect();
        expect![[""]].assert_eq(&advice.join(" "));
    }

    /// The text after all safe fixes, and the errors that are left.
    fn mended(text: &str) -> String {
        let Corrected { text, .. } = corrected(text, false, CheckDepth::Mistakes, Timestamp::UNIX_EPOCH);
        let found = super::check(&text, CheckDepth::Mistakes, Timestamp::UNIX_EPOCH).diagnostics;
        let errors = found.iter().filter(|found| found.severity == Severity::Error);
        text + &errors.map(|found| format!("{found}\n")).collect::<String>()
    }

    /// What the specs of objects are after all safe fixes, and the errors that are left.
    fn check_mended(texts: &[String], expected: Expect) {
        let specs = texts.iter().map(|text| mended(text)).map(|text| text.split_once("spec:\n").unwrap().1.to_owned() + "---\n");
        expected.assert_eq(&specs.collect::<String>());
    }

    const JOB: &str = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n";
    const POD: &str = "{restartPolicy: Never, containers: [{name: main, image: 'i:1'}]}";

    #[test]
    fn no_field_is_wrong_after_safe_fixes() {
        let cron_job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  schedule: 0 1 * * *\n";
        let rule = "{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: true}]}";
        let volumes =
            "[{name: a, secret: {name: s}}, {name: b, persistentVolumeClaim: {name: s}}, {name: c, configMap: {configMapName: s}}]";
        let pod = POD.replace("]}", &format!("], volumes: {volumes}}}"));
        check_mended(
            &[
                format!("{cron_job}  template: {{spec: {{activeDeadlineSeconds: 9, template: {{spec: {POD}}}}}}}\n"),
                format!("{cron_job}  template: {{spec: {POD}}}\n"),
                format!("{JOB}  podFailurePolicy: {{rules: [{rule}]}}\n  template: {{spec: {POD}}}\n"),
                format!("{}  template: {{spec: {POD}}}\n", JOB.replace("apiV", "apiv").replace("kind", "Kind")),
                format!("{JOB}  restartPolicy: Never\n  template: {{spec: {POD}}}\n"),
                format!("{JOB}  template: {{spec: {pod}}}\n"),
            ],
            expect![[r#"
                  schedule: 0 1 * * *
                  jobTemplate: {spec: {activeDeadlineSeconds: 9, template: {spec: {restartPolicy: Never, containers: [{name: main, image: 'i:1'}]}}}}
                ---
                  schedule: 0 1 * * *
                  jobTemplate:
                    spec:
                      template: {spec: {restartPolicy: Never, containers: [{name: main, image: 'i:1'}]}}
                ---
                  podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: "True"}]}]}
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: 'i:1'}]}}
                ---
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: 'i:1'}]}}
                ---
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: 'i:1'}]}}
                ---
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: 'i:1'}], volumes: [{name: a, secret: {secretName: s}}, {name: b, persistentVolumeClaim: {claimName: s}}, {name: c, configMap: {name: s}}]}}
                ---
            "#]],
        );
    }

    #[test]
    fn no_line_is_wrong_after_safe_fixes() {
        check_mended(
            &[
                format!("{JOB}  template: {{spec: {POD}}}\n{}  template: {{spec: {POD}}}\n", JOB.replace(": a", ": b")),
                format!("{JOB}  completions:\u{a0}2\n\u{a0} template: {{spec: {POD}}}\n"),
                format!("{JOB}\u{a0}\u{a0}completions: 2\n\u{a0}\u{a0}template: {{spec: {POD}}}\n"),
            ],
            expect![[r#"
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: 'i:1'}]}}
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {name: b}
                spec:
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: 'i:1'}]}}
                ---
                  completions: 2
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: 'i:1'}]}}
                ---
                  completions: 2
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: 'i:1'}]}}
                ---
            "#]],
        );
    }

    #[test]
    fn an_error_is_named_as_what_cannot_be_silenced() {
        check(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a} # jobsmith: ignore[invalid] x\nspec:\n  template: {spec: {restartPolicy: \
             Never, containers: [{name: main, image: i, resources: {requests: {memory: 512m, cpu: 2}, limits: {memory: 512m, cpu: 1}}}]}}\n",
            expect![[r#"
                Warning[unused-silence] 3:21: errors cannot be silenced; remove this
                Error[invalid] 5:121: spec.template.spec.containers[0].resources.requests[cpu]: Invalid value: "2": must be less than or equal to cpu limit of 1; lower the request, or raise the limit
            "#]],
        );
    }

    #[test]
    fn other_objects_are_counted() {
        check(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: b}\n",
            expect![[r#"
            skipped ConfigMap a
            skipped Pod b
        "#]],
        );
        check("", expect![[""]]);
        check(
            "image: {tag: job}\n---\n- hosts: all\n",
            expect![[r#"
                skipped a document without apiVersion
                skipped a list
            "#]],
        );
        check(
            "metadata: {name: a}\nspec: {template: {}}\n",
            expect![[r#"
            Error[unreadable] 1:1: kind: the object has no kind; add `kind: Job`
        "#]],
        );
        check(
            "NAME  STATUS  COMPLETIONS  DURATION  AGE\njob   Failed  0/1          5m        5m\n",
            expect![[r#"
                Error[unreadable] 1:1: this is a table that kubectl printed; add `-o yaml` to the command
            "#]],
        );
        check(
            "apiVersion: batch/v1\nkind: {{ .Values.kind }}\n",
            expect![[r#"
                Error[not-rendered] 2:7: this is a Helm template; use what `helm template` prints
            "#]],
        );
    }

    #[test]
    fn a_syntax_error_hides_its_document_and_a_duplicate_field_hides_nothing() {
        check(
            "
kind: Job
apiVersion: batch/v1
metadata: {name: a, name: b}
spec:
  completions: -1
  completions: 2
  template: {spec: {restartPolicy: Never, containers: [{name: main, image: i, comand: x}]}}
---
kind: Job
  spec: |
---
kind: Job
apiVersion: batch/v1
metadata: {name: C}
spec:
  template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}
",
            expect![[r#"
                Error[duplicate-field] 4:21: metadata.name: duplicate field "name": line 4 already sets it; keep one of the two
                Error[invalid] 6:16: spec.completions: Invalid value: -1: must be greater than or equal to 0; use 0 or more
                Error[duplicate-field] 7:3: spec.completions: duplicate field "completions": line 6 already sets it; keep one of the two
                Error[unknown-field] 8:79: spec.template.spec.containers[0].comand: unknown field "comand"; did you mean command?
                Error[unreadable] 11:7: invalid YAML: mapping values are not allowed in this context; indent the line like the lines around it, or quote a value that contains `: `
                Error[invalid] 15:18: metadata.name: Invalid value: "C": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'); use only lowercase letters, digits, - and ., starting and ending with a letter or digit
            "#]],
        );
    }

    #[test]
    fn directives_of_patches_are_named() {
        check(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  template: {spec: {restartPolicy: Never, containers: [{name: main, $patch: delete}]}}\n",
            expect![[r#"
                Error[unknown-field] 5:69: spec.template.spec.containers[0].$patch: unknown field "$patch"; $patch is a directive of a strategic merge patch: apply the patch, and use what `kubectl kustomize` prints
            "#]],
        );
    }

    #[test]
    fn lists_of_jobs_are_refused() {
        let job = "apiVersion: batch/v1\n  kind: Job\n  metadata: {name: a}\n";
        check(
            &format!("- {job}- {job}"),
            expect![[r#"
            Error[unreadable] 1:1: this is a list, not an object; put each Job into a document of its own, with a line `---` between them
        "#]],
        );
        check(
            "[{\"apiVersion\": \"batch/v1\", \"kind\": \"CronJob\"}]\n",
            expect![[r#"
            Error[unreadable] 1:1: this is a list, not an object; put each Job into a document of its own, with a line `---` between them
        "#]],
        );
    }

    const CRON_JOB: &str = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a.b}\nspec:\n  schedule: 0 0 31 2 *\n  jobTemplate:\n    spec:\n      \
                            template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}\n";

    #[test]
    fn what_the_api_server_warns_of_is_there() {
        check(
            CRON_JOB,
            expect![[r#"
                Warning[api-warning] 3:18: metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]
                Warning[never-fires] 5:13: spec.schedule: the schedule has no run within five years; change the day of the month or the month: this month does not have this day
            "#]],
        );
    }

    #[test]
    fn warnings_are_silenced_by_name() {
        check(
            &CRON_JOB
                .replace("schedule: 0 0 31 2 *", "schedule: 0 0 31 2 * # jobsmith: ignore[never-fires] run by hand")
                .replace("metadata:", "# jobsmith: ignore[api-warning] an old name\nmetadata:"),
            expect![[r#"
                silenced 2
            "#]],
        );
        let annotated = CRON_JOB.replace("{name: a.b}", "{name: a.b, annotations: {jobsmith.dev/ignore: 'never-fires, api-warning'}}");
        check(
            &annotated,
            expect![[r#"
            silenced 2
        "#]],
        );
    }

    #[test]
    fn what_a_line_of_a_script_does_is_silenced_where_the_script_begins() {
        let script = |mark: &str| {
            format!(
                "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      \
                 containers:\n      - name: main\n        image: i\n        command:\n        - sh\n        - -c\n        - |{mark}\n          \
                 set -x\n          a\n          b\n"
            )
        };
        let found = |mark: &str| super::check(&script(mark), CheckDepth::Advice, Timestamp::UNIX_EPOCH);
        let masked = found("").diagnostics.into_iter().find(|found| found.rule.as_str() == "exit-code-masked");
        assert_eq!(masked.map(|found| found.position), Some(Position { line: 16, column: 11, length: 1 }));
        assert_eq!(found(" # jobsmith: ignore[exit-code-masked] all of it").silenced, 1);
    }

    #[test]
    fn an_annotation_silences_its_object_from_each_metadata_and_in_several_lines() {
        let of_object = |annotation: &str| {
            let annotations = format!("metadata:\n  name: a.b\n  annotations:\n    jobsmith.dev/ignore: {annotation}\n");
            CRON_JOB.replace("metadata: {name: a.b}\n", &annotations)
        };
        let metadata = "metadata: {annotations: {jobsmith.dev/ignore: 'never-fires: by hand, once a year, api-warning'}}";
        let texts = [
            of_object("|\n      never-fires: by hand,\n        once a year\n      api-warning: an old name"),
            of_object(">-\n      never-fires: by hand\n      api-warning: an old name"),
            CRON_JOB.replace("    spec:\n", &format!("    {metadata}\n    spec:\n")),
            CRON_JOB.replace("template: {spec:", &format!("template: {{{metadata}, spec:")),
        ];
        let found = texts.map(|text| super::check(&text, CheckDepth::Mistakes, Timestamp::UNIX_EPOCH));
        assert_eq!(found.each_ref().map(|found| (found.diagnostics.len(), found.silenced)), [(0, 2); 4]);
    }

    #[test]
    fn annotations_that_silence_nothing_are_warnings() {
        let annotated = |of: &str| CRON_JOB.replace("{name: a.b}", &format!("{{name: a, {of}}}")).replace("31 2", "31 1");
        let texts = [
            "annotations: {jobsmith.dev/ignore: ''}",
            "annotations: {jobsmith.dev/ignore: }",
            "annotations: {jobsmith.dev/ignore: ' , '}",
            "annotations: {jobsmith.dev/ignores: never-fires}",
            "labels: {jobsmith.dev/ignore: never-fires}",
        ];
        let found = texts.map(|text| super::check(&annotated(text), CheckDepth::Mistakes, Timestamp::UNIX_EPOCH).diagnostics);
        let shown = found.iter().flatten().map(|found| format!("{:?}[{}] {found}\n", found.severity, found.rule.as_str()));
        expect![[r#"
            Warning[unused-silence] 3:56: this annotation silences no rule; name the rule and give a reason, jobsmith.dev/ignore: 'RULE: REASON', or remove this
            Warning[unused-silence] 3:35: this annotation silences no rule; name the rule and give a reason, jobsmith.dev/ignore: 'RULE: REASON', or remove this
            Warning[unused-silence] 3:56: this annotation silences no rule; name the rule and give a reason, jobsmith.dev/ignore: 'RULE: REASON', or remove this
            Warning[unused-silence] 3:57: jobsmith.dev/ignores silences nothing; did you mean jobsmith.dev/ignore?
            Warning[unused-silence] 3:51: a label silences nothing; make it an annotation: move it to metadata.annotations
        "#]].assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn an_annotation_is_about_its_object_wherever_the_next_one_begins() {
        let job = |name: &str| {
            let template =
                r#"{"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "i", "command": ["sh", "-c", "a;b"]}]}}"#;
            let metadata = format!(r#"{{"name": "{name}", "annotations": {{"jobsmith.dev/ignore": "exit-code-masked"}}}}"#);
            format!(r#"{{"apiVersion": "batch/v1", "kind": "Job", "metadata": {metadata}, "spec": {{"template": {template}}}}}"#)
        };
        let list = format!(r#"{{"apiVersion": "v1", "kind": "List", "items": [{}, {}]}}"#, job("a"), job("b"));
        let found = super::check(&list, CheckDepth::Advice, Timestamp::UNIX_EPOCH);
        let warnings: Vec<&Diagnostic> = found.diagnostics.iter().filter(|found| found.severity == Severity::Warning).collect();
        assert!(warnings.is_empty() && found.silenced == 2, "{warnings:?}");
    }

    #[test]
    fn many_findings_at_one_place_and_comments_one_below_the_other_take_no_time() {
        let port = "{containerPort: 80}";
        let comments = "  # jobsmith: ignore[logs-lost] a\n".repeat(50_000);
        let text = format!(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec:\n{comments}  template: {{spec: {{restartPolicy: Never, containers: \
             [{{name: main, image: i, ports: [{}]}}]}}}}\n",
            [port; 200].join(", ")
        );
        let found = super::check(&text, CheckDepth::Mistakes, Timestamp::UNIX_EPOCH);
        assert!(found.count(Severity::Warning) > 19_000, "{}", found.count(Severity::Warning));
    }

    #[test]
    fn silences_of_what_is_not_reported_are_left_alone() {
        let silenced = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: # jobsmith: ignore[never-removed, token-mounted] kept\n  \
                        template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}\n";
        check(silenced, expect![[""]]);
    }

    #[test]
    fn silences_in_what_cannot_be_read_are_left_alone() {
        let job = |silence: &str, end: &str| {
            let spec = "template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]";
            format!("apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}} # jobsmith: ignore[{silence}] x\nspec:\n  {spec}{end}\n")
        };
        check(
            &format!("{}---\n{}", job("never-fires", "}"), job("never-fires", "}}")),
            expect![[r#"
            Error[unreadable] 5:13: spec.template: invalid YAML: did not find expected ',' or '}'; close the map with `}`
            Warning[unused-silence] 9:21: never-fires reports nothing here; remove this
        "#]],
        );
        check(
            &format!("{}{}", job("never-fires", "}}"), job("never-fires", "}}")),
            expect![[r#"
            Error[unreadable] 6:1: a line `---` is missing before line 6; put one between two objects
        "#]],
        );
    }

    #[test]
    fn silences_in_text_silence_nothing() {
        let silence = "# jobsmith: ignore[never-fires] in a text";
        let annotated = CRON_JOB
            .replace("{name: a.b}", &format!("\n  name: a\n  annotations:\n    a: |\n      {silence}\n    b: 'c {silence}'\n    d: e"));
        check(
            &annotated,
            expect![[r#"
            Warning[never-fires] 11:13: spec.schedule: the schedule has no run within five years; change the day of the month or the month: this month does not have this day
        "#]],
        );
    }

    #[test]
    fn silences_that_do_nothing_are_warnings() {
        check(
            "apiVersion: batch/v1\nkind: Job # jobsmith: ignore[never-fires] no schedule\nmetadata: {name: a} # jobsmith: ignore\nspec: # jobsmith: ignore[never-fire, latest] x\n  # jobsmith: \
             ignore[invalid] x\n  completions: -1\n  template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}\n",
            expect![[r#"
                Warning[unused-silence] 2:11: never-fires reports nothing here; remove this
                Warning[unused-silence] 3:21: this comment silences no rule; name the rule and give a reason: # jobsmith: ignore[RULE] REASON
                Warning[unused-silence] 4:7: no warning is called "latest"; `jobsmith lint` lists all rules
                Warning[unused-silence] 4:7: no warning is called "never-fire"; did you mean never-fires?
                Warning[unused-silence] 5:3: errors cannot be silenced; correct the manifest, and remove this
                Error[invalid] 6:16: spec.completions: Invalid value: -1: must be greater than or equal to 0; use 0 or more
            "#]],
        );
    }

    #[test]
    fn wrong_annotations_say_what_to_write() {
        let job = |annotation: &str| {
            format!(
                "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\n  annotations:\n{annotation}\nspec:\n  template: {{spec: {POD}}}\n"
            )
        };
        let annotations = [
            "    jobsmith.dev/retry-delay: 1m 5m",
            "    jobsmith.dev/retry-delay: \"30s x20\"",
            "    jobsmith.dev/retry-within: 2 hours",
            "    jobsmith.dev/start-rate: 10 per minute",
            "    jobsmith.dev/hold: on hold",
            "    jobsmith.dev/ttl-seconds-after-complete: 1h",
            "    jobsmith.dev/on-failure: |\n      137: retry, memory x2",
            "    jobsmith.dev/on-failure: |\n      # A comment, and an empty line.\n\n      exit 1: retry in 5m # often",
            "    jobsmith.dev/on-failure: 'reason OOMKilled: retry, memory +2GB'",
            "    jobsmith.dev/on-pending: 'ImagePullBackOff 10m: fail the Job'",
            "    jobsmith.dev/on-pending: image 5s:fail",
            "    jobsmith.dev/retries: '3'",
        ];
        let shown: String = annotations
            .iter()
            .map(|annotation| {
                let text = job(annotation);
                let [found] = &super::check(&text, CheckDepth::Mistakes, Timestamp::UNIX_EPOCH).diagnostics[..] else {
                    panic!("{annotation}")
                };
                let Position { line, column, length } = found.position;
                let marked: String = text.lines().nth(line - 1).unwrap().chars().skip(column - 1).take(length).collect();
                format!("{marked:?} {}; {}\n", found.message, found.remedy.as_deref().unwrap())
            })
            .collect();
        expect![[r#"
            "5m" `5m` is not expected after the delay: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write `30s x2` for delays that grow, or a comma between two
            "x20" `x20` is not a factor from 1 to 10: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write one such as `x2` or `x1.5`
            "2" `hours` is not a unit of time: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write a time from 1s to 8760h, as in `90s`, `5m` or `1h30m`
            "10 per minute" `10 per minute` is not a rate: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write a number of pods and a time, as in `10/1m`
            "on hold" jobsmith.dev/hold cannot be "on hold": jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write true or false
            "1h" jobsmith.dev/ttl-seconds-after-complete cannot be "1h": jobsmith's controllers do not delete the Job until it is corrected, and Kubernetes' own ignore it; write a number of seconds
            "137" `137` is not a matcher: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write `exit 1|137` for exit codes, with a bar between two
            "in" `in` is not known: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write `retry after 5m`
            "2GB" `2GB` is not a quantity above 0: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write one such as `16Gi` or `500m`
            "ImagePullBackOff" `ImagePullBackOff` is not something that a pod waits for: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write `image`
            "5s" `5s` is too short: jobsmith's controllers create no pods until it is corrected, and Kubernetes' own ignore it; write a deadline from 10s to 168h, as in `90s`, `5m` or `1h30m`
            "jobsmith.dev/retries" jobsmith has no annotation jobsmith.dev/retries; after jobsmith.dev/, a Job can have ttl-seconds-after-complete, ttl-seconds-after-failed, on-failure, on-pending, retry-delay, retry-jitter, retry-within, attempt-env, start-rate, hold, resumed-at, ignore
        "#]].assert_eq(&shown);
    }
}
