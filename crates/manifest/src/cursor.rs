//! What can be written where the cursor is: fields and annotations of jobsmith that are not there yet, or the values of a field.
//!
//! Docs: Kubernetes API reference, "CronJob" and "Job". While a person writes, a text is seldom valid YAML: the place follows from the indentation of the lines
//! above, as people read it. Texts in braces are not looked into.

use api::Kind;
use api::annotation::KnownAnnotation;
use schema::{FieldType, SchemaField, SchemaType};

/// What can be written at a place.
#[derive(Debug, Default)]
pub struct Completions {
    /// The column, from 1, at which the word begins that is being written.
    pub column: usize,
    /// What it can become.
    pub options: Vec<Completion>,
}

/// Something that can be written.
#[derive(Debug)]
pub enum Completion {
    /// A field of a type.
    Field {
        /// The type that has it.
        owner: &'static str,
        /// The field.
        field: &'static SchemaField,
    },
    /// An annotation of jobsmith.
    Annotation(&'static KnownAnnotation),
    /// A value.
    Value(&'static str),
}

/// What can be written at a line and a column of a text, both from 1.
#[must_use]
pub fn completions(text: &str, line: usize, column: usize) -> Completions {
    let lines: Vec<&str> = text.lines().collect();
    let at = line.saturating_sub(1).min(lines.len());
    let before: String = lines.get(at).map(|line| line.chars().take(column.saturating_sub(1)).collect()).unwrap_or_default();
    let separates = |line: &&str| line.starts_with("---");
    let start = lines[..at].iter().rposition(separates).map_or(0, |place| place + 1);
    let end = lines[at..].iter().position(separates).map_or(lines.len(), |place| at + place);
    let kind = lines[start..end].iter().find_map(|line| kind(line));
    let root = kind.map(|kind| schema::of(kind.name()));

    let mut outline = Outline::default();
    lines[start..at].iter().for_each(|line| outline.read(line));
    let words = before.trim_start_matches([' ', '-']);
    let Some(parent) = outline.enter(&before[..before.len() - words.len()]) else { return Completions::default() };
    let path = outline.path();
    let (word, options) = match words.split_once(':') {
        Some((key, value)) if value.starts_with(' ') => (value.trim_start(), values(root, &path, key)),
        Some(_) => return Completions::default(),
        None => {
            for line in &lines[(at + 1).min(end)..end] {
                outline.read(line);
                if outline.levels.len() <= parent {
                    break;
                }
            }
            let there = outline.seen(parent);
            let annotations = kind.into_iter().flat_map(|kind| annotations(kind, &path, there));
            (words, annotations.chain(fields(root, &path, there)).collect())
        }
    };
    Completions { column: column - word.chars().count(), options }
}

/// The kind that a line names.
fn kind(line: &str) -> Option<Kind> {
    let named = line.strip_prefix("kind:")?.trim().trim_matches(['"', '\'']);
    [Kind::Job, Kind::CronJob].into_iter().find(|kind| kind.name() == named)
}

/// The fields and items that a line is in, by the indentation of the lines above.
#[derive(Debug, Default)]
struct Outline<'l> {
    levels: Vec<Level<'l>>,
    /// The fields of the object itself.
    outermost: Vec<&'l str>,
}

/// A field, or an item of a list.
#[derive(Debug)]
struct Level<'l> {
    indent: usize,
    /// The field's name; `None` for an item.
    key: Option<&'l str>,
    /// Whether its value is text of several lines.
    block: bool,
    /// The fields in it so far.
    fields: Vec<&'l str>,
}

impl<'l> Outline<'l> {
    /// Goes on by one line.
    fn read(&mut self, line: &'l str) {
        let words = line.trim_start_matches([' ', '-']);
        if words.is_empty() || words.starts_with('#') || self.enter(&line[..line.len() - words.len()]).is_none() {
            return;
        }
        let Some((key, value)) = words.split_once(':').filter(|(_, value)| value.is_empty() || value.starts_with(' ')) else { return };
        let key = key.trim_matches(['"', '\'']);
        self.levels.last_mut().map_or(&mut self.outermost, |level| &mut level.fields).push(key);
        let block = value.trim_start().starts_with(['|', '>']);
        self.levels.push(Level { indent: line.len() - words.len(), key: Some(key), block, fields: Vec::new() });
    }

    /// Leaves what a line with this indentation, which includes the dashes of items, is not in, and enters its items; returns how many levels it is in,
    /// or `None` within text of several lines.
    fn enter(&mut self, indentation: &str) -> Option<usize> {
        let first = indentation.find('-').unwrap_or(indentation.len());
        if self.levels.last().is_some_and(|level| level.block && first > level.indent) {
            return None;
        }
        for (indent, _) in indentation.match_indices('-') {
            // The items of a list may stand as far to the left as the field that holds it.
            self.leave(|level| level.indent > indent || level.indent == indent && level.key.is_none());
            self.levels.push(Level { indent, key: None, block: false, fields: Vec::new() });
        }
        self.leave(|level| level.indent >= indentation.len());
        Some(self.levels.len())
    }

    fn leave(&mut self, left: impl Fn(&Level<'_>) -> bool) {
        while self.levels.pop_if(|level| left(level)).is_some() {}
    }

    /// The names of the fields that it is in, from the outermost one.
    fn path(&self) -> Vec<&'l str> {
        self.levels.iter().filter_map(|level| level.key).collect()
    }

    /// The fields in this many levels.
    fn seen(&self, levels: usize) -> &[&'l str] {
        levels.checked_sub(1).and_then(|last| self.levels.get(last)).map_or(&self.outermost, |level| &level.fields)
    }
}

/// The type of what is at a path.
fn type_at(root: &'static SchemaType, path: &[&str]) -> Option<&'static SchemaType> {
    path.iter().try_fold(root, |of, name| of.field(name)?.kind.object())
}

/// The fields at a path that are not there yet. Nobody writes the status.
fn fields(root: Option<&'static SchemaType>, path: &[&str], there: &[&str]) -> Vec<Completion> {
    // Jobs and CronJobs have the same fields as long as nobody knows which it is.
    let of = root.or_else(|| path.is_empty().then(|| schema::of("Job"))).and_then(|root| type_at(root, path));
    let free = |field: &&'static SchemaField| !there.contains(&field.name) && (!path.is_empty() || field.name != "status");
    of.map_or_else(Vec::new, |of| of.fields.iter().filter(free).map(|field| Completion::Field { owner: of.name, field }).collect())
}

/// The annotations of jobsmith at a path that are not there yet.
fn annotations(kind: Kind, path: &[&str], there: &[&str]) -> Vec<Completion> {
    KnownAnnotation::at(kind, &path.join(".")).filter(|known| !there.contains(&known.key)).map(Completion::Annotation).collect()
}

fn values(root: Option<&'static SchemaType>, path: &[&str], key: &str) -> Vec<Completion> {
    let field = || root.and_then(|root| type_at(root, path)).and_then(|of| of.field(key));
    let values: &'static [&'static str] = match (path, key) {
        ([], "kind") => &["Job", "CronJob"],
        ([], "apiVersion") => &["batch/v1"],
        _ => field().map_or(&[], |field| if field.kind == FieldType::Boolean { &["true", "false"] } else { field.values }),
    };
    values.iter().copied().filter(|value| !value.is_empty()).map(Completion::Value).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// What can be written at the mark `‸` of a text.
    fn check(text: &str, expected: Expect) {
        let (before, after) = text.split_once('‸').unwrap();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
        let Completions { column, options } = completions(&format!("{before}{after}"), line, column);
        let shown = |option: &Completion| match option {
            Completion::Field { owner, field } => format!("{owner}.{}", field.name),
            Completion::Annotation(known) => known.key.to_owned(),
            Completion::Value(value) => (*value).to_owned(),
        };
        let names: Vec<String> = options.iter().map(shown).collect();
        let all = if names.len() > 6 {
            format!("{} … {} of {}", names[..3].join(" "), names[names.len() - 1], names.len())
        } else {
            names.join(" ")
        };
        expected.assert_eq(&format!("{column}: {all}"));
    }

    #[test]
    fn fields_of_an_object() {
        check("‸", expect!["1: Job.apiVersion Job.kind Job.metadata Job.spec"]);
        check("kind: Job\n‸", expect!["1: Job.apiVersion Job.metadata Job.spec"]);
        check(
            "kind: Job\nmetadata: {name: a}\nspec:\n  comp‸\n  parallelism: 3\n",
            expect![
                "3: JobSpec.activeDeadlineSeconds JobSpec.backoffLimit JobSpec.backoffLimitPerIndex … JobSpec.ttlSecondsAfterFinished of 16"
            ],
        );
        check(
            "kind: CronJob\nspec:\n  jobTemplate:\n    spec:\n      template:\n        ‸",
            expect!["9: PodTemplateSpec.metadata PodTemplateSpec.spec"],
        );
        check(
            "kind: Job\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n  ba‸\n",
            expect![
                "3: JobSpec.activeDeadlineSeconds JobSpec.backoffLimit JobSpec.backoffLimitPerIndex … JobSpec.ttlSecondsAfterFinished of 16"
            ],
        );
        check("a: b\n---\nkind: Job\nspec:\n  successPolicy:\n    ‸\n---\nkind: CronJob\n", expect!["5: SuccessPolicy.rules"]);
    }

    #[test]
    fn fields_of_items() {
        let job = "kind: Job\nspec:\n  podFailurePolicy:\n    rules:\n";
        check(
            &format!("{job}    - ‸"),
            expect!["7: PodFailurePolicyRule.action PodFailurePolicyRule.onExitCodes PodFailurePolicyRule.onPodConditions"],
        );
        check(
            &format!("{job}    - action: Ignore\n      ‸\n    - action: FailJob\n"),
            expect!["7: PodFailurePolicyRule.onExitCodes PodFailurePolicyRule.onPodConditions"],
        );
        check(
            &format!("{job}      - action: Ignore\n        onExitCodes:\n          operator: In\n          ‸"),
            expect!["11: PodFailurePolicyOnExitCodesRequirement.containerName PodFailurePolicyOnExitCodesRequirement.values"],
        );
        check(
            &format!("{job}    - onPodConditions:\n      - ‸"),
            expect!["9: PodFailurePolicyOnPodConditionsPattern.status PodFailurePolicyOnPodConditionsPattern.type"],
        );
        check(
            &format!("{job}    - action: Ignore\n  ‸back"),
            expect![
                "3: JobSpec.activeDeadlineSeconds JobSpec.backoffLimit JobSpec.backoffLimitPerIndex … JobSpec.ttlSecondsAfterFinished of 16"
            ],
        );
    }

    #[test]
    fn annotations_of_jobsmith() {
        let job = "kind: Job\nmetadata:\n  annotations:\n    jobsmith.dev/hold: 'true'\n";
        check(
            &format!("{job}    jobsmith.dev/re‸"),
            expect![
                "5: jobsmith.dev/ttl-seconds-after-complete jobsmith.dev/ttl-seconds-after-failed jobsmith.dev/on-failure … jobsmith.dev/ignore of 11"
            ],
        );
        check(
            &format!("{job}    ‸\n    jobsmith.dev/retry-delay: 30s\n"),
            expect![
                "5: jobsmith.dev/ttl-seconds-after-complete jobsmith.dev/ttl-seconds-after-failed jobsmith.dev/on-failure … jobsmith.dev/ignore of 10"
            ],
        );
        check(
            "kind: CronJob\nmetadata:\n  annotations:\n    ‸",
            expect!["5: jobsmith.dev/managed-by jobsmith.dev/suspend jobsmith.dev/spread-seconds … jobsmith.dev/ignore of 10"],
        );
        check(
            "kind: CronJob\nspec:\n  jobTemplate:\n    metadata:\n      annotations:\n        ‸",
            expect![
                "9: jobsmith.dev/ttl-seconds-after-complete jobsmith.dev/ttl-seconds-after-failed jobsmith.dev/on-failure … jobsmith.dev/ignore of 12"
            ],
        );
        check("kind: Job\nspec:\n  template:\n    metadata:\n      annotations:\n        ‸", expect!["9: jobsmith.dev/ignore"]);
        check("kind: Pod\nmetadata:\n  annotations:\n    ‸", expect!["5: "]);
    }

    #[test]
    fn values_of_a_field() {
        check("kind: ‸", expect!["7: Job CronJob"]);
        check("kind: Job\nspec:\n  completionMode: In‸", expect!["19: NonIndexed Indexed"]);
        check("kind: Job\nspec:\n  suspend: ‸", expect!["12: true false"]);
        check(
            "kind: Job\nspec:\n  template:\n    spec:\n      containers:\n      - imagePullPolicy: ‸",
            expect!["26: Always IfNotPresent Never"],
        );
        check("kind: Job\nspec:\n  backoffLimit: ‸", expect!["17: "]);
        check("kind: Job\nspec:\n  backoffLimit:‸", expect!["0: "]);
    }

    #[test]
    fn nothing_within_text_and_other_kinds() {
        check(
            "kind: Job\nspec:\n  template:\n    spec:\n      containers:\n      - args:\n        - |\n          set: x\n          ‸",
            expect!["11: "],
        );
        check("kind: Job\nmetadata:\n  annotations:\n    a: |\n      b: c\n      ‸", expect!["0: "]);
        check("kind: ConfigMap\ndata:\n  ‸", expect!["3: "]);
        check("kind: Job\nspec: {‸", expect!["7: "]);
    }
}
