//! Fields that a remedy would move to where one stands already, or that several remedies would move to the same place.
//!
//! Docs: Kubernetes API Concepts, "Field validation". Where a field belongs is decided in `misplaced.rs`.

use std::collections::BTreeMap;

use crate::node::{Content, SourceNode};
use crate::{Diagnostic, Fix, path};

/// Mends the remedies for what was found in an object, so that no two of them set a field.
pub(crate) fn settle(object: &SourceNode, found: &mut [Diagnostic]) {
    let target = |problem: &Diagnostic| if let Some(Fix::Move { to }) = problem.fix.as_deref() { Some(to.clone()) } else { None };
    let mut candidates: BTreeMap<String, usize> = BTreeMap::new();
    for to in found.iter().filter_map(target) {
        *candidates.entry(to).or_default() += 1;
    }
    for problem in found {
        let Some(to) = target(problem) else { continue };
        match at(object, &to).filter(|there| !there.null()) {
            Some(there) => {
                let here = at(object, &problem.path);
                let same = here.is_some_and(|here| here.value() == there.value());
                problem.remedy = Some(match (here.map(|here| &here.content), &there.content) {
                    (_, Content::Scalar { written, .. }) if !written.is_empty() => format!("remove it: {to} is {written} already"),
                    _ if same => format!("remove it: {to} says the same already"),
                    (Some(Content::Map(_)), Content::Map(_)) | (Some(Content::List(_)), Content::List(_)) => {
                        format!("move what it holds into {to}, which is there already")
                    }
                    _ => format!("keep one of the two: {to} is set already"),
                });
                problem.fix = same.then(|| Box::new(Fix::TakeOut));
            }
            // Which of them is meant is not known.
            None if candidates[&to] > 1 => problem.fix = None,
            None => {}
        }
    }
}

/// The node at this path; without a number, a step into a list is one to its only item.
fn at<'n>(object: &'n SourceNode, path: &str) -> Option<&'n SourceNode> {
    path::steps(path).into_iter().try_fold(object, |node, step| match &node.content {
        Content::List(items) if step.is_empty() => items.first().filter(|_| items.len() == 1),
        Content::List(items) => items.get(step.parse::<usize>().ok()?),
        Content::Map(_) | Content::Scalar { .. } => node.entry(step).map(|entry| &entry.node),
    })
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
                "  template: {spec: {volumes: [{name: a, secret: {secretName: s, name: t}}]}}\n",
            ],
            expect![[r#"
                4:3: spec.restartPolicy: unknown field "restartPolicy"; remove it: spec.template.spec.restartPolicy is Never already
                Remove restartPolicy
                apiVersion: batch/v1
                kind: Job
                spec:
                  template: {spec: {restartPolicy: Never}}
                4:3: spec.restartPolicy: unknown field "restartPolicy"; remove it: spec.template.spec.restartPolicy is Never already
                4:3: spec.backofLimit: unknown field "backofLimit"; remove it: spec.backoffLimit is 4 already
                4:3: spec.labels: unknown field "labels"; labels belongs to the metadata: move it to metadata.labels
                Move labels to metadata
                apiVersion: batch/v1
                kind: Job
                metadata:
                  labels: {a: b}
                spec:
                4:65: spec.template.spec.volumes[0].secret.name: unknown field "name"; remove it: spec.template.spec.volumes[0].secret.secretName is s already
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
}
