//! Fields that a remedy would move to where one stands already, or that several remedies would move to the same place.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Where a field belongs is decided in `misplaced.rs`.

use std::collections::BTreeMap;

use crate::meant_names::is_meant;
use crate::node::{Content, SourceNode};
use crate::{Diagnostic, Fix, path};

/// Longer values are not repeated.
const LONGEST: usize = 40;

/// Chooses the remedies for what was found in an object, so that no two of them set a field.
pub(crate) fn choose(object: &SourceNode, found: &mut [Diagnostic]) {
    let (mut known, mut pending) = (Searched::default(), BTreeMap::<String, usize>::new());
    for problem in found.iter_mut() {
        let Some(to) = target(problem).map(str::to_owned) else { continue };
        match known.at(object, &to).filter(|there| !there.null()) {
            Some(there) => set_already(problem, &to, known.at(object, &problem.path), there),
            None => *pending.entry(to).or_default() += 1,
        }
    }
    for problem in found {
        let Some(to) = target(problem) else { continue };
        // Which of several is meant is not known, and what is to hold the field may be on its way there.
        let awaits = to.match_indices(['.', '[']).any(|(end, _)| pending.contains_key(&to[..end]));
        if awaits || pending[to] > 1 {
            problem.fix = None;
        }
    }
}

/// Where the fix of a problem moves a field.
fn target(problem: &Diagnostic) -> Option<&str> {
    if let Some(Fix::Move { to }) = problem.fix.as_deref() { Some(to) } else { None }
}

/// Says what to do about a field that belongs to a place where another one stands. Only what cannot be another field is taken out.
fn set_already(problem: &mut Diagnostic, to: &str, here: Option<&SourceNode>, there: &SourceNode) {
    let same = here.is_some_and(|here| here.value() == there.value());
    problem.remedy = Some(match (here.map(|here| &here.content), &there.content) {
        _ if same => format!("remove it: {to} already has this value"),
        (_, Content::Scalar { written, .. }) if !written.is_empty() && short(written) => {
            format!("keep one of the two: {to} is already {written}")
        }
        (Some(Content::Map(_)), Content::Map(_)) | (Some(Content::List(_)), Content::List(_)) => {
            format!("move what it holds into {to}, which is there already")
        }
        _ => format!("keep one of the two: {to} is already set"),
    });
    let last = |path| path::steps(path).pop().unwrap_or_default();
    let (given, meant) = (last(&problem.path), last(to));
    problem.fix = (same && (given == meant || is_meant(given, meant))).then(|| Box::new(Fix::TakeOut));
}

fn short(written: &str) -> bool {
    !written.contains('\n') && written.chars().count() <= LONGEST
}

/// The maps of an object in which something was searched, by their fields, since there may be very many of these.
#[derive(Default)]
struct Searched<'n>(BTreeMap<*const SourceNode, BTreeMap<&'n str, &'n SourceNode>>);

impl<'n> Searched<'n> {
    /// The node at this path; none where the path names any item of a list.
    fn at(&mut self, object: &'n SourceNode, path: &str) -> Option<&'n SourceNode> {
        path::steps(path).into_iter().try_fold(object, |node, step| match &node.content {
            Content::List(items) => items.get(step.parse::<usize>().ok()?),
            Content::Map(entries) => {
                let fields = || entries.iter().map(|entry| (entry.key.as_str(), &entry.node)).collect();
                self.0.entry(std::ptr::from_ref(node)).or_insert_with(fields).get(step).copied()
            }
            Content::Scalar { .. } => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::{Repairs, workloads};

    /// What is wrong with each text, and the text with all safe fixes.
    fn check(texts: &[&str], expected: Expect) {
        let shown = |text: &&str| {
            let text = format!("apiVersion: batch/v1\nkind: Job\nspec:\n{text}");
            let found = workloads(&text).unwrap_err();
            let lines = found.iter().map(|found| {
                let repair = Repairs::of(&text).repair(found).filter(|_| found.safe());
                let repaired = repair.map(|repair| format!("{}\n{}", repair.label, repair.apply(&text).unwrap()));
                format!("{found}\n{}", repaired.unwrap_or_default())
            });
            lines.collect::<String>()
        };
        expected.assert_eq(&texts.iter().map(shown).collect::<String>());
    }

    #[test]
    fn what_is_set_already_is_not_moved() {
        check(
            &[
                "  restartPolicy: Never\n  template: {spec: {restartPolicy: Never}}\n",
                "  restartPolicy: OnFailure\n  template: {spec: {restartPolicy: Never}}\n",
                "  backofLimit: 3\n  backoffLimit: 4\n",
                "  labels: {a: b}\n",
                "  template: {spec: {volumes: [{name: a, secret: {secretName: s, name: t}}, {name: b, secret: {secretName: s, name: s}}]}}\n",
                "  backofLimit: 3\n  backoffLimit: 3\n",
                "  name: a\n  template: {spec: {name: main, containers: [{name: main}]}}\n",
                "  template: {spec: {containers: [{env: [{name: A, vaule: x, value: \"set -e\\npassword=hunter2\"}]}]}}\n",
            ],
            expect![[r#"
                4:3: spec.restartPolicy: unknown field "restartPolicy"; remove it: spec.template.spec.restartPolicy already has this value
                Remove restartPolicy
                apiVersion: batch/v1
                kind: Job
                spec:
                  template: {spec: {restartPolicy: Never}}
                4:3: spec.restartPolicy: unknown field "restartPolicy"; keep one of the two: spec.template.spec.restartPolicy is already Never
                4:3: spec.backofLimit: unknown field "backofLimit"; keep one of the two: spec.backoffLimit is already 4
                4:3: spec.labels: unknown field "labels"; labels belongs to the metadata: move it to metadata.labels
                Move labels to metadata
                apiVersion: batch/v1
                kind: Job
                metadata:
                  labels: {a: b}
                spec:
                4:65: spec.template.spec.volumes[0].secret.name: unknown field "name"; keep one of the two: spec.template.spec.volumes[0].secret.secretName is already s
                4:110: spec.template.spec.volumes[1].secret.name: unknown field "name"; remove it: spec.template.spec.volumes[1].secret.secretName already has this value
                Remove name
                apiVersion: batch/v1
                kind: Job
                spec:
                  template: {spec: {volumes: [{name: a, secret: {secretName: s, name: t}}, {name: b, secret: {secretName: s}}]}}
                4:3: spec.backofLimit: unknown field "backofLimit"; remove it: spec.backoffLimit already has this value
                4:3: spec.name: unknown field "name"; name belongs to the metadata: move it to metadata.name
                Move name to metadata
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                spec:
                  template: {spec: {name: main, containers: [{name: main}]}}
                5:21: spec.template.spec.name: unknown field "name"; name belongs to a container: move it to spec.template.spec.containers[].name
                4:51: spec.template.spec.containers[0].env[0].vaule: unknown field "vaule"; keep one of the two: spec.template.spec.containers[0].env[0].value is already set
            "#]],
        );
    }

    #[test]
    fn of_several_misspellings_of_a_field_none_is_mended() {
        check(
            &["  backofLimit: 3\n  backoflimit: 4\n  bakofLimit: 5\n"],
            expect![[r#"
                4:3: spec.backofLimit: unknown field "backofLimit"; did you mean backoffLimit?
                5:3: spec.backoflimit: unknown field "backoflimit"; did you mean backoffLimit?
                6:3: spec.bakofLimit: unknown field "bakofLimit"; did you mean backoffLimit?
            "#]],
        );
    }

    #[test]
    fn what_moves_first_is_what_holds_the_other() {
        let text = "apiVersion: batch/v1\nkind: CronJob\nspec:\n  restartPolicy: Never\n  template:\n    spec: {containers: []}\n";
        let found = workloads(text).unwrap_err();
        let safe: Vec<&str> = found.iter().filter(|found| found.safe()).map(|found| found.path.as_str()).collect();
        assert_eq!(safe, ["spec.template"]);
    }

    #[test]
    fn many_fields_that_are_set_already_take_no_time() {
        let letter = |number: u32| char::from_u32(0x4e00 + number % 64).unwrap();
        let key = |number: u32| format!("backoffLimit{}{}{}", letter(number), letter(number / 64), letter(number / 4_096));
        let fields: String = (0..100_000).map(|number| format!("  {}: 1\n", key(number))).collect();
        let found = workloads(&format!("apiVersion: batch/v1\nkind: Job\nspec:\n{fields}  backoffLimit: 2\n")).unwrap_err();
        assert_eq!(found.len(), 100_000);
    }
}
