//! Lines that are almost YAML: with numbers in front, with typographic quotation marks, or without the space after a colon.
//!
//! Docs: none of Kubernetes'. What stands around a manifest is taken off in `pasted.rs`; what libyaml reports is put into words in `yaml_error.rs`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::block_scalars::lines_outside;
use crate::lines::SourceLines;
use crate::pasted::lines;
use crate::{Diagnostic, Edit, Fix};

/// What pages and programs put between the number of a line and the line.
const BEHIND_NUMBER: [char; 7] = [' ', '\t', '|', ':', '.', ')', '│'];
/// Quotation marks as word processors write them, for those of YAML.
const MARKS: [(&[char], &str); 2] = [(&['“', '”', '„'], "\""), (&['‘', '’', '‚'], "'")];

/// What to do about typographic quotation marks.
pub const REPLACE_MARKS: &str = "replace them with \" or '";

/// Names what is wrong with how lines are written; `None` if nothing is known of it. `found` is what is wrong with the text otherwise.
pub(crate) fn named(text: &str, found: &[Diagnostic]) -> Option<Diagnostic> {
    numbered(text).or_else(|| quoted(text, found)).or_else(|| dash_without_space(text, found)).or_else(|| without_space(text, found))
}

/// How a value with typographic quotation marks around it is meant to be written, if it has any.
#[must_use]
pub fn requoted(value: &str) -> Option<String> {
    let inner = MARKS.iter().find_map(|(marks, _)| value.strip_prefix(*marks)?.strip_suffix(*marks))?;
    Some(Value::from(inner).to_string())
}

/// Lines that are numbered one after the other.
fn numbered(text: &str) -> Option<Diagnostic> {
    let (mut next, mut gap, mut first, mut edits) = (None, None, None, Vec::new());
    for line in lines(text) {
        let words = &text[line.clone()];
        let number = words.trim_start_matches([' ', '\t']);
        let behind = number.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let (start, end) = (line.start + words.len() - number.len(), line.start + words.len() - behind.len());
        if start == end {
            if words.trim().is_empty() { continue } else { return None }
        }
        let this: usize = text[start..end].parse().ok()?;
        if next.is_some_and(|next| next != this) {
            return None;
        }
        next = Some(this.checked_add(1)?);
        first = first.or(Some(start..end));
        // What is indented deeper than the first line is so in the manifest, too.
        let content = behind.trim_start_matches(BEHIND_NUMBER);
        if gap.is_none() && !content.trim().is_empty() {
            gap = Some(behind.len() - content.len());
        }
        let most = gap.unwrap_or(usize::MAX).min(behind.len() - content.trim_start_matches(['\n', '\r']).len());
        edits.push(Edit { range: line.start..end + most, text: String::new() });
    }
    let error = Diagnostic::error(SourceLines::of(text).position(first?), "the lines of this manifest have their numbers in front");
    let fix = Fix::Clean { label: "Remove the line numbers".to_owned(), edits };
    next.filter(|_| gap.is_some()).map(|_| error.remedy("remove the line numbers").fix(Some(fix)))
}

/// Values in typographic quotation marks, if there is an error on the line of one.
fn quoted(text: &str, found: &[Diagnostic]) -> Option<Diagnostic> {
    let (mut first, mut edits) = (None, Vec::new());
    for (number, line) in lines_outside(text) {
        let words = &text[line.clone()];
        let Some((at, (marks, plain))) = MARKS.iter().filter_map(|kind| Some((opening(words, kind.0)?, kind))).min_by_key(|(at, _)| *at)
        else {
            continue;
        };
        if found.iter().any(|problem| problem.position.line == number + 1) {
            first = first.or(Some(line.start + at..line.end));
        }
        let written = words
            .match_indices(*marks)
            .map(|(at, mark)| Edit { range: line.start + at..line.start + at + mark.len(), text: (*plain).to_owned() });
        edits.extend(written);
    }
    let error = Diagnostic::error(SourceLines::of(text).position(first?), "YAML does not take “ and ” for quotation marks");
    let label = "Replace the quotation marks".to_owned();
    Some(error.remedy(REPLACE_MARKS).fix(Some(Fix::Clean { label, edits })))
}

/// Where a value begins with one of these marks: behind a colon, a dash, a bracket or a comma.
fn opening(line: &str, marks: &[char]) -> Option<usize> {
    let begins = |at: &usize| line[..*at].trim_end().is_empty() || line[..*at].trim_end().ends_with([':', '-', '[', '{', ',']);
    line.match_indices(marks).map(|(at, _)| at).find(begins)
}

/// Fields without a space after the colon, in a text that is not valid YAML or has an error on such a line.
fn without_space(text: &str, found: &[Diagnostic]) -> Option<Diagnostic> {
    let (mut at, mut edits) = (None, Vec::new());
    let unreadable = found.iter().any(|problem| problem.message.starts_with("invalid YAML"));
    for (number, line) in lines_outside(text) {
        let words = &text[line.clone()];
        let content = words.trim_start_matches([' ', '-']);
        let Some((name, value)) = content.split_once(':') else { continue };
        if !schema::is_field(name) || value.starts_with([' ', '\t', '\n', '\r', '/']) || value.is_empty() {
            continue;
        }
        let start = line.start + words.len() - content.len();
        let colon = start + name.len();
        if unreadable || found.iter().any(|problem| problem.position.line == number + 1) {
            at = at.or(Some((start..line.start + words.trim_end().len(), format!("{name}: {}", value.trim_end()))));
        }
        edits.push(Edit { range: colon + 1..colon + 1, text: " ".to_owned() });
    }
    let (range, written) = at?;
    let error = Diagnostic::error(SourceLines::of(text).position(range), "a space is missing after the colon");
    let label = "Add the missing space".to_owned();
    Some(error.remedy(format!("write `{written}`")).fix(Some(Fix::Clean { label, edits })))
}

/// Items whose dash is not followed by a space, in a text that is not valid YAML, or where such a key is refused.
fn dash_without_space(text: &str, found: &[Diagnostic]) -> Option<Diagnostic> {
    let unreadable = found.iter().any(|problem| problem.message.starts_with("invalid YAML"));
    let wrong: BTreeSet<usize> = found.iter().map(|problem| problem.position.line).collect();
    let (mut first, mut edits) = (None, Vec::new());
    for (number, line) in lines_outside(text) {
        let words = &text[line.clone()];
        let item = words.trim_start_matches(' ');
        let Some((name, _)) = item.strip_prefix('-').and_then(|item| item.split_once(':')) else { continue };
        if schema::is_field(name) && (unreadable || wrong.contains(&(number + 1))) {
            let dash = line.start + words.len() - item.len();
            first = first.or(Some(dash..line.start + words.trim_end().len()));
            edits.push(Edit { range: dash + 1..dash + 1, text: " ".to_owned() });
        }
    }
    let error = Diagnostic::error(SourceLines::of(text).position(first?), "a space is missing after the dash");
    let label = "Add the missing space".to_owned();
    Some(error.remedy("put a space after the `-`").fix(Some(Fix::Clean { label, edits })))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::{Repairs, objects};

    /// What is wrong with each text, what its fix is called, and the text after it.
    fn check(texts: &[&str], expected: Expect) {
        let shown = |text: &&str| {
            let found = &objects(text).unwrap_err()[0];
            let Some(repair) = Repairs::of(text).repair(found) else { return format!("{found}\n") };
            format!("{found}\n    {}\n{}", repair.label, repair.apply(text).unwrap())
        };
        expected.assert_eq(&texts.iter().map(shown).collect::<String>());
    }

    #[test]
    fn lines_with_their_numbers_lose_them() {
        check(
            &[
                " 9 apiVersion: batch/v1\n10 kind: Job\n11 metadata:\n12   name: pi\n13\n",
                "     1\tapiVersion: batch/v1\n     2\tkind: Job\n     3\t# 4\n",
                "1 | apiVersion: batch/v1\n2 | kind: Job\n",
                "1: apiVersion: batch/v1\n3: kind: Jbo\n",
                "18446744073709551615 apiVersion: batch/v1\n",
            ],
            expect![[r#"
                1:2: the lines of this manifest have their numbers in front; remove the line numbers
                    Remove the line numbers
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: pi
                1:6: the lines of this manifest have their numbers in front; remove the line numbers
                    Remove the line numbers
                apiVersion: batch/v1
                kind: Job
                # 4
                1:1: the lines of this manifest have their numbers in front; remove the line numbers
                    Remove the line numbers
                apiVersion: batch/v1
                kind: Job
                1:14: invalid YAML: mapping values are not allowed in this context; indent the line like the lines around it, or quote a value that contains `: `
                1:1: kind: the object has no kind; add `kind: Job`
                    Add kind: Job
                18446744073709551615 apiVersion: batch/v1
                kind: Job
            "#]],
        );
    }

    #[test]
    fn typographic_quotation_marks_become_those_of_yaml() {
        check(
            &[
                "apiVersion: “batch/v1”\nkind: Job\n",
                "apiVersion: batch/v1\nkind: ‘Job’ # “x”\nmetadata: {name: ‘pi’}\n",
                "apiVersion: batch/v1\nkind: Job\nmetadata: {name: pi, annotations: {a: “b}}\nspek: 1\n",
            ],
            expect![[r#"
                1:13: YAML does not take “ and ” for quotation marks; replace them with " or '
                    Replace the quotation marks
                apiVersion: "batch/v1"
                kind: Job
                2:7: YAML does not take “ and ” for quotation marks; replace them with " or '
                    Replace the quotation marks
                apiVersion: batch/v1
                kind: 'Job' # “x”
                metadata: {name: 'pi'}
                4:1: spek: unknown field "spek"; did you mean spec?
                    Change to spec
                apiVersion: batch/v1
                kind: Job
                metadata: {name: pi, annotations: {a: “b}}
                spec: 1
            "#]],
        );
    }

    #[test]
    fn a_space_that_is_missing_after_a_dash_is_added() {
        check(
            &[
                "apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      containers:\n      -name: a\n        image: b\n",
                "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      containers:\n      -name: a\n      -image: b\n",
                "apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      containers:\n      -name: a\n      -name: b\n",
                "apiVersion: batch/v1\nkind: Job\nmetadata:\n  annotations:\n    -name: a\nspek: 1\n",
            ],
            expect![[r#"
                7:7: a space is missing after the dash; put a space after the `-`
                    Add the missing space
                apiVersion: batch/v1
                kind: Job
                spec:
                  template:
                    spec:
                      containers:
                      - name: a
                        image: b
                8:7: a space is missing after the dash; put a space after the `-`
                    Add the missing space
                apiVersion: batch/v1
                kind: Job
                metadata: {name: a}
                spec:
                  template:
                    spec:
                      containers:
                      - name: a
                      - image: b
                7:7: a space is missing after the dash; put a space after the `-`
                    Add the missing space
                apiVersion: batch/v1
                kind: Job
                spec:
                  template:
                    spec:
                      containers:
                      - name: a
                      - name: b
                6:1: spek: unknown field "spek"; did you mean spec?
                    Change to spec
                apiVersion: batch/v1
                kind: Job
                metadata:
                  annotations:
                    -name: a
                spec: 1
            "#]],
        );
    }

    #[test]
    fn a_space_that_is_missing_after_a_colon_is_added() {
        check(
            &[
                "apiVersion: batch/v1\nkind: Job\nspec:\n  parallelism:2\n  completions: 1\n",
                "apiVersion: batch/v1\nkind: Job\nspec:\n  parallelism:2\n",
                "apiVersion:batch/v1\nkind:Job\n",
                "apiVersion: batch/v1\nkind: Job\nspec: {template: {spec: {containers: [{args: [http://x]}]}}}\nspek: 1\nargs:\n- |\n  image:x\n",
            ],
            expect![[r#"
                4:3: a space is missing after the colon; write `parallelism: 2`
                    Add the missing space
                apiVersion: batch/v1
                kind: Job
                spec:
                  parallelism: 2
                  completions: 1
                4:3: a space is missing after the colon; write `parallelism: 2`
                    Add the missing space
                apiVersion: batch/v1
                kind: Job
                spec:
                  parallelism: 2
                1:1: a space is missing after the colon; write `apiVersion: batch/v1`
                    Add the missing space
                apiVersion: batch/v1
                kind: Job
                4:1: spek: unknown field "spek"; keep one of the two: spec is already set
            "#]],
        );
    }
}
