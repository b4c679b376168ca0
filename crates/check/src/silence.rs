//! Silences: warnings that a file asks not to hear, by the names of their rules, and silences that silence nothing.
//!
//! Docs: `jobsmith check --help`. A comment is about its own line, or about the next one if it has a line of its own; the annotation
//! `jobsmith.dev/ignore`, which templates keep, is about its whole object. Errors cannot be silenced.

use advice::{RULES, rule};
use manifest::{Diagnostic, ManifestObject, Position, RuleName, Severity};

use crate::CheckDepth;

/// What a comment begins with.
const COMMENT: &str = "# jobsmith:";
/// How a comment silences a rule.
const SILENCE: &str = "# jobsmith: ignore[RULE] REASON";
/// The annotation.
const ANNOTATION: &str = "jobsmith.dev/ignore";

/// One rule that is silenced somewhere.
struct Silence {
    rule: String,
    /// Where the silence stands.
    position: Position,
    scope: SilenceScope,
    used: bool,
    /// Whether it is about an error.
    about_error: bool,
}

/// Where a rule is silenced.
enum SilenceScope {
    /// On this line.
    Line(usize),
    /// In the object that begins at the first place, which ends before the second; `None`: with the file. Places are lines and columns.
    Object((usize, usize), Option<(usize, usize)>),
}

impl SilenceScope {
    fn has(&self, position: Position) -> bool {
        let at = place(position);
        match *self {
            Self::Line(only) => position.line == only,
            Self::Object(start, end) => start <= at && end.is_none_or(|end| at < end),
        }
    }
}

fn place(position: Position) -> (usize, usize) {
    (position.line, position.column)
}

/// Takes out the warnings that are silenced, and adds one for each silence that silences nothing; and how many were taken out. What silences a rule whose
/// findings are not reported at this depth is left alone.
pub(super) fn apply(text: &str, objects: &[ManifestObject], found: Vec<Diagnostic>, depth: CheckDepth<'_>) -> (Vec<Diagnostic>, usize) {
    if !text.contains(COMMENT) && !text.contains(ANNOTATION) {
        return (found, 0);
    }
    let (mut silences, mut wrong) = comments(text);
    silences.extend(annotations(objects));
    silences.sort_by(|one, other| one.rule.cmp(&other.rule));
    let before = found.len();
    let mut silenced = |diagnostic: &Diagnostic| {
        let rule = diagnostic.rule.as_str();
        let first = silences.partition_point(|silence| *silence.rule < *rule);
        let of_rule = silences[first..].iter_mut().take_while(|silence| silence.rule == rule);
        let mut matching: Vec<&mut Silence> = of_rule.filter(|silence| silence.scope.has(diagnostic.position)).collect();
        let error = diagnostic.severity == Severity::Error;
        for silence in &mut matching {
            silence.used |= !error;
            silence.about_error |= error;
        }
        !error && !matching.is_empty()
    };
    let mut kept: Vec<Diagnostic> = found.into_iter().filter(|diagnostic| !silenced(diagnostic)).collect();
    let taken = before - kept.len();
    let reported = |silence: &&Silence| rule(&silence.rule).is_none_or(|rule| depth.reports(rule));
    wrong.extend(silences.iter().filter(|silence| !silence.used).filter(reported).map(|silence| {
        let (message, remedy) = without_effect(silence);
        Diagnostic::warning_at(RuleName::UNUSED_SILENCE, silence.position, message, remedy)
    }));
    kept.extend(wrong);
    kept.sort_by_key(|diagnostic| diagnostic.position);
    (kept, taken)
}

/// Why a silence silences nothing, and what to do.
fn without_effect(Silence { rule, about_error, .. }: &Silence) -> (String, String) {
    let rules = RULES.iter().filter(|rule| rule.severity != Severity::Error);
    let known = || rules.clone().map(|rule| rule.name.as_str());
    if *about_error {
        ("errors cannot be silenced".to_owned(), "correct the manifest, and remove this".to_owned())
    } else if RULES.iter().any(|known| known.severity == Severity::Error && known.name.as_str() == rule) {
        ("errors cannot be silenced".to_owned(), "remove this".to_owned())
    } else if known().any(|known| known == rule) {
        (format!("{rule} reports nothing here"), "remove this".to_owned())
    } else {
        let meant = manifest::nearest(rule, known());
        let remedy = meant.map_or_else(|| "`jobsmith lint` lists all rules".to_owned(), |meant| format!("did you mean {meant}?"));
        (format!("no warning is called {rule:?}"), remedy)
    }
}

/// The silences in comments, and those that name no rule.
fn comments(text: &str) -> (Vec<Silence>, Vec<Diagnostic>) {
    let (mut silences, mut wrong) = (Vec::new(), Vec::new());
    let lines: Vec<&str> = text.lines().collect();
    let below = first_below(&lines);
    for (number, comment) in manifest::comments(text) {
        let Some((_, rest)) = comment.split_once(COMMENT) else { continue };
        let line = lines[number];
        let before = &line[..line.len() - rest.len() - COMMENT.len()];
        let alone = before.trim().is_empty();
        let scope = || SilenceScope::Line(1 + if alone { below[number] } else { number });
        let length = line.trim_end().chars().count() - before.chars().count();
        let position = Position { line: number + 1, column: before.chars().count() + 1, length };
        let rules = rest.trim_start().strip_prefix("ignore[").and_then(|rest| rest.split_once(']')).map(|(rules, _)| rules);
        match rules.filter(|rules| !rules.trim().is_empty()) {
            Some(rules) => {
                let named = rules.split(',').map(str::trim).filter(|rule| !rule.is_empty());
                silences.extend(named.map(|rule| Silence {
                    rule: rule.to_owned(),
                    position,
                    scope: scope(),
                    used: false,
                    about_error: false,
                }));
            }
            None => wrong.push(Diagnostic::warning_at(
                RuleName::UNUSED_SILENCE,
                position,
                "this comment silences no rule",
                format!("name the rule and give a reason: {SILENCE}"),
            )),
        }
    }
    (silences, wrong)
}

/// For each line the first one from there on that is neither empty nor a comment, from 0: of several comments one below the other, each is about it.
fn first_below(lines: &[&str]) -> Vec<usize> {
    let mut below = vec![lines.len(); lines.len()];
    let mut next = lines.len();
    for (number, line) in lines.iter().enumerate().rev() {
        if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            next = number;
        }
        below[number] = next;
    }
    below
}

/// The silences in annotations of objects.
fn annotations(objects: &[ManifestObject]) -> Vec<Silence> {
    let starts: Vec<(usize, usize)> = objects.iter().map(|object| place(object.document().position(""))).collect();
    let of_object = |(at, object): (usize, &ManifestObject)| {
        let path = format!("metadata.annotations[{ANNOTATION}]");
        let Some(rules) = object.document().get(&path).and_then(serde_json::Value::as_str) else { return Vec::new() };
        // What is behind a colon is the reason.
        let rules = rules.split(',').map(|rule| rule.split(':').next().unwrap_or_default());
        let silence = |rule: &str| Silence {
            rule: rule.to_owned(),
            position: object.document().position(&path),
            scope: SilenceScope::Object(starts[at], starts.get(at + 1).copied()),
            used: false,
            about_error: false,
        };
        rules.map(str::trim).filter(|rule| !rule.is_empty()).map(silence).collect()
    };
    objects.iter().enumerate().flat_map(of_object).collect()
}
