//! Tests of rules: manifests in few words, and what a rule finds in them.
//!
//! Docs: none of Kubernetes'. The pages of rules are tested in `pages.rs` and, where they are played, in `tests/core`.

use expect_test::Expect;
use manifest::Contents;

use crate::rule::AdviceRule;
use crate::{ObjectSet, Origin};

/// A Job with these lines in its spec, in its pod's, and in its container; Never is its restart policy unless it says otherwise.
pub(crate) fn job(spec: &[&str], pod: &[&str], container: &[&str]) -> String {
    format!("apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec:\n{}", job_spec(2, spec, pod, container))
}

/// A Job with these lines in its annotations.
pub(crate) fn annotated(lines: &[&str]) -> String {
    let annotations = lines.iter().map(|line| format!("\n    {line}")).collect::<String>();
    job(&[], &[], &[]).replace("{name: a}", &format!("\n  name: a\n  annotations:{annotations}"))
}

/// A CronJob with these lines in its spec, and in the spec of its Jobs.
pub(crate) fn cron_job(spec: &[&str], job: &[&str]) -> String {
    let job = job_spec(6, job, &[], &[]);
    format!("apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: a}}\nspec:\n{}  jobTemplate:\n    spec:\n{job}", lines(2, spec))
}

fn job_spec(indent: usize, spec: &[&str], pod: &[&str], container: &[&str]) -> String {
    let policy: &[&str] = if pod.iter().any(|line| line.starts_with("restartPolicy")) { &[] } else { &["restartPolicy: Never"] };
    let fields = [lines(indent, spec), lines(indent, &["template:", "  spec:"]), lines(indent + 4, policy), lines(indent + 4, pod)];
    let main = [lines(indent + 4, &["containers:", "- name: main", "  image: i"]), lines(indent + 6, container)];
    fields.concat() + &main.concat()
}

fn lines(indent: usize, lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{}{line}\n", " ".repeat(indent))).collect()
}

/// What a rule finds in manifests that are applied together, a line each, with the number of its object.
pub(crate) fn check(rule: &AdviceRule, manifests: &[&str], expected: Expect) {
    check_from(Origin::File, rule, manifests, expected);
}

/// The same of manifests that come from somewhere.
pub(crate) fn check_from(origin: Origin, rule: &AdviceRule, manifests: &[&str], expected: Expect) {
    let text = manifests.join("---\n");
    let Contents { objects, others, unreadable } = manifest::contents(&manifest::FileReading::of(&text));
    let refused: Vec<_> = objects.iter().flat_map(|(_, refused)| refused).chain(&unreadable).collect();
    assert!(refused.is_empty(), "{refused:?}\n{text}");
    let objects: Vec<_> = objects.iter().map(|(object, _)| object).collect();
    let others: Vec<_> = others.into_iter().map(|other| other.document).collect();
    let now = "2026-11-26T12:00:00Z".parse().expect("it is a time");
    let set = ObjectSet::new(objects.iter().map(|object| (*object, origin)), &others, now);
    let found = set.findings(&(0..objects.len()), |other| other.name == rule.name).into_iter();
    let shown = |(at, found): (usize, manifest::Diagnostic)| {
        let line = found.position.line - objects[at].document().position("").line + 1;
        let place = format!("{at}: {line}:{}", found.position.column);
        let fix = found.fix.as_ref().map(|fix| format!(" ({fix:?})")).unwrap_or_default();
        format!("{place} {:?} {}: {}; {}{fix}\n", found.severity, found.path, found.message, found.remedy.unwrap_or_default())
    };
    expected.assert_eq(&found.map(shown).collect::<String>());
}
