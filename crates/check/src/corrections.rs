//! Corrections: a text after all changes that correct what is wrong with it.
//!
//! Docs: `jobsmith check --help`. What corrects a problem, and whether that is safe, is decided in `manifest`.

use api::Timestamp;
use manifest::{Diagnostic, Edit, Repair, Repairs};

use crate::{CheckDepth, check};

/// How often a text is read again: a correction may be what another one waited for.
const ROUNDS: usize = 20;

/// A text with its corrections.
#[derive(Debug)]
pub struct Corrected {
    /// The text.
    pub text: String,
    /// How many corrections there are.
    pub count: usize,
    /// Whether there could be more.
    pub unfinished: bool,
}

/// The text after all corrections; `unsafe_ones`: also after those that may not be what is meant. In a text that names no Job and no CronJob as a kind,
/// nothing is corrected.
#[must_use]
pub fn corrected(text: &str, unsafe_ones: bool, depth: CheckDepth<'_>, now: Timestamp) -> Corrected {
    let mut corrected = Corrected { text: text.to_owned(), count: 0, unfinished: false };
    if !names_a_job(text) {
        return corrected;
    }
    for round in 0..=ROUNDS {
        let (edits, count) = edits(&corrected.text, &check(&corrected.text, depth, now).diagnostics, unsafe_ones);
        if count == 0 {
            break;
        }
        let Some(text) = (Repair { label: String::new(), edits }).apply(&corrected.text) else { break };
        if round == ROUNDS {
            corrected.unfinished = true;
            break;
        }
        corrected.text = text;
        corrected.count += count;
    }
    corrected
}

/// Whether a line has the kind of a Job or a CronJob, however it is spelled.
fn names_a_job(text: &str) -> bool {
    let names = |line: &str| line.contains("kind") && line.contains("job");
    text.lines().any(|line| names(&line.to_ascii_lowercase()))
}

/// The changes that correct as many problems as can be corrected side by side, and how many those are.
fn edits(text: &str, found: &[Diagnostic], unsafe_ones: bool) -> (Vec<Edit>, usize) {
    let repairs = Repairs::of(text);
    let (mut edits, mut count, mut last) = (Vec::<Edit>::new(), 0, None);
    for problem in found {
        // An anchor's problem is found at each of its aliases.
        let again = last.replace(problem.position) == Some(problem.position);
        if again || !(unsafe_ones || problem.safe()) {
            continue;
        }
        let Some(repair) = repairs.repair(problem) else { continue };
        let apart = |one: &Edit, other: &Edit| one.range.end < other.range.start || other.range.end < one.range.start;
        if repair.edits.iter().all(|edit| edits.iter().all(|other| apart(edit, other))) {
            edits.extend(repair.edits);
            count += 1;
        }
    }
    (edits, count)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// Each text after its safe corrections, with how many there are.
    fn check(texts: &[&str], expected: Expect) {
        let shown = |text: &&str| {
            let Corrected { text, count, .. } = corrected(text, false, CheckDepth::Mistakes, Timestamp::UNIX_EPOCH);
            format!("{count}\n{text}")
        };
        expected.assert_eq(&texts.iter().map(shown).collect::<String>());
    }

    #[test]
    fn a_text_whose_only_object_cannot_be_read_is_corrected() {
        check(
            &[
                "apiVersion: batch/v1\nKind: Job\nmetadata: {name: a}\n",
                "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name:\u{a0}a\n",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n# b\napiVersion: batch/v1\nkind: Job\nmetadata: {name: b}\n",
                "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name:\u{a0}job\n",
            ],
            expect![[r#"
                1
                apiVersion: batch/v1
                kind: Job
                metadata: {name: a}
                1
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                1
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: c}
                ---
                # b
                apiVersion: batch/v1
                kind: Job
                metadata: {name: b}
                0
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: job
            "#]],
        );
    }

    #[test]
    fn what_holds_a_field_is_moved_before_the_field() {
        check(
            &[
                "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  schedule: 0 1 * * *\n  restartPolicy: Never\n  template:\n    spec:\n      containers:\n      - name: main\n        image: x:1\n",
            ],
            expect![[r#"
                2
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: a}
                spec:
                  schedule: 0 1 * * *
                  jobTemplate:
                    spec:
                      template:
                        spec:
                          restartPolicy: Never
                          containers:
                          - name: main
                            image: x:1
            "#]],
        );
    }

    #[test]
    fn the_name_of_a_container_is_not_taken_out() {
        check(
            &[
                "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n      -name: a\n      -image: x:1\n",
            ],
            expect![[r#"
                1
                apiVersion: batch/v1
                kind: Job
                metadata: {name: a}
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers:
                      - name: a
                      - image: x:1
            "#]],
        );
    }
}
