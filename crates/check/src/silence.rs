//! Silences: warnings that a file asks not to hear, by the names of their rules, and silences that silence nothing.
//!
//! Docs: `jobsmith check --help`. A comment is about its own line, or about the next one if it has a line of its own; the annotation
//! `jobsmith.dev/ignore`, which templates keep, is about its whole object, also on the metadata of a template in it. Errors cannot be silenced. Names and
//! reasons are told apart in `silenced_rules.rs`.

use std::collections::BTreeSet;

use advice::rule;
use api::annotation::{DOMAIN, IGNORE};
use manifest::{Diagnostic, ManifestObject, Position, RuleName, Severity};

use crate::CheckDepth;
use crate::silenced_rules::{meant, named};

/// What a comment begins with, behind its `#`.
const COMMENT: &str = "jobsmith:";
/// How a comment silences a rule.
const SILENCE: &str = "# jobsmith: ignore[RULE] REASON";
/// Where objects have metadata: their own, and that of their templates.
const METADATA: [&str; 4] = ["metadata", "spec.template.metadata", "spec.jobTemplate.metadata", "spec.jobTemplate.spec.template.metadata"];

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

impl Silence {
    fn of(rule: &str, position: Position, scope: SilenceScope) -> Self {
        Self { rule: rule.to_owned(), position, scope, used: false, about_error: false }
    }
}

/// Where a rule is silenced.
#[derive(Clone, Copy)]
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
    if !text.contains(COMMENT) && !text.contains(DOMAIN) {
        return (found, 0);
    }
    let (mut silences, mut wrong) = comments(text);
    let (of_objects, wrong_in_objects) = annotations(objects);
    silences.extend(of_objects);
    wrong.extend(wrong_in_objects);
    silences.sort_by(|one, other| one.rule.cmp(&other.rule));
    let unread = Unread::of(text, objects, &found);
    let before = found.len();
    let mut silenced = |diagnostic: &Diagnostic| {
        let rule = diagnostic.rule.as_str();
        let first = silences.partition_point(|silence| *silence.rule < *rule);
        let of_rule = silences[first..].iter_mut().take_while(|silence| silence.rule == rule);
        let field = field_position(diagnostic, objects);
        let concerned = |silence: &&mut Silence| silence.scope.has(diagnostic.position) || silence.scope.has(field);
        let mut matching: Vec<&mut Silence> = of_rule.filter(concerned).collect();
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
    let idle = silences.iter().filter(|silence| !silence.used && !unread.has(silence.position));
    wrong.extend(idle.filter(reported).map(|silence| {
        let (message, remedy) = without_effect(silence);
        unused(silence.position, message, remedy)
    }));
    kept.extend(wrong);
    kept.sort_by_key(|diagnostic| diagnostic.position);
    (kept, taken)
}

/// The documents of a text in which something cannot be read: what would be found there is not known. Where that leaves no object, it is all of them.
struct Unread {
    /// The lines that begin a document.
    starts: Vec<usize>,
    documents: BTreeSet<usize>,
}

impl Unread {
    fn of(text: &str, objects: &[ManifestObject], found: &[Diagnostic]) -> Self {
        let starts = text.lines().enumerate().filter(|(_, line)| line.starts_with("---")).map(|(number, _)| number + 1);
        let starts = starts.filter(|_| !objects.is_empty()).collect();
        let mut unread = Self { starts, documents: BTreeSet::new() };
        let unreadable = found.iter().filter(|found| [RuleName::UNREADABLE, RuleName::NOT_RENDERED].contains(&found.rule));
        unread.documents = unreadable.map(|found| unread.document(found.position)).collect();
        unread
    }

    fn document(&self, position: Position) -> usize {
        self.starts.partition_point(|start| *start <= position.line)
    }

    fn has(&self, position: Position) -> bool {
        self.documents.contains(&self.document(position))
    }
}

/// The position of the field of a finding: a text of several lines has no room for a comment.
fn field_position(found: &Diagnostic, objects: &[ManifestObject]) -> Position {
    let after = objects.partition_point(|object| place(object.document().position("")) <= place(found.position));
    let object = after.checked_sub(1).filter(|_| !found.path.is_empty()).map(|at| objects[at].document());
    object.map_or(found.position, |object| object.position(&found.path))
}

/// Why a silence silences nothing, and what to do.
fn without_effect(Silence { rule, about_error, .. }: &Silence) -> (String, String) {
    let known = advice::rule(rule);
    if *about_error {
        ("errors cannot be silenced".to_owned(), "correct the manifest, and remove this".to_owned())
    } else if known.is_some_and(|rule| rule.severity == Severity::Error) {
        ("errors cannot be silenced".to_owned(), "remove this".to_owned())
    } else if known.is_some() {
        (format!("{rule} reports nothing here"), "remove this".to_owned())
    } else {
        let remedy = meant(rule).map_or_else(|| "`jobsmith lint` lists all rules".to_owned(), |meant| format!("did you mean {meant}?"));
        (format!("no warning is called {rule:?}"), remedy)
    }
}

/// The silences in comments, and those that name no rule.
fn comments(text: &str) -> (Vec<Silence>, Vec<Diagnostic>) {
    let (mut silences, mut wrong) = (Vec::new(), Vec::new());
    let lines: Vec<&str> = text.lines().collect();
    let below = first_below(&lines);
    for (number, comment) in manifest::comments(text) {
        let marked = |at: &usize| comment[..*at].trim_end().ends_with('#');
        let Some(at) = comment.match_indices(COMMENT).map(|(at, _)| at).find(marked) else { continue };
        let line = lines[number];
        let before = line[..line.len() - comment.len() + at].trim_end().trim_end_matches('#');
        let alone = before.trim().is_empty();
        let scope = SilenceScope::Line(1 + if alone { below[number] } else { number });
        let length = line.trim_end().chars().count() - before.chars().count();
        let position = Position { line: number + 1, column: before.chars().count() + 1, length };
        let rest = comment[at + COMMENT.len()..].trim_start();
        let rules = rest.strip_prefix("ignore[").and_then(|rest| rest.split_once(']')).map(|(rules, _)| named(rules));
        match rules.filter(|rules| !rules.is_empty()) {
            Some(rules) => silences.extend(rules.iter().map(|rule| Silence::of(rule, position, scope))),
            None => {
                wrong.push(unused(position, "this comment silences no rule", format!("name the rule and give a reason: {SILENCE}")));
            }
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

/// The silences in annotations of objects, and what silences nothing there: an annotation without names, one that is misspelt, and a label.
fn annotations(objects: &[ManifestObject]) -> (Vec<Silence>, Vec<Diagnostic>) {
    let (mut silences, mut wrong) = (Vec::new(), Vec::new());
    let starts: Vec<(usize, usize)> = objects.iter().map(|object| place(object.document().position(""))).collect();
    let fields = |list: &'static str| METADATA.iter().map(move |metadata| format!("{metadata}.{list}"));
    for (at, document) in objects.iter().map(ManifestObject::document).enumerate() {
        let scope = SilenceScope::Object(starts[at], starts.get(at + 1).copied());
        let entries = |list: &'static str| {
            fields(list).filter_map(|path| Some((document.get(&path)?.as_object()?, path))).flat_map(|(entries, path)| {
                entries.iter().map(move |(key, value)| (key, value, document.position(&format!("{path}[{key}]"))))
            })
        };
        for (key, value, position) in entries("annotations").filter(|(key, ..)| key.starts_with(DOMAIN)) {
            let rules = named(value.as_str().unwrap_or_default());
            if key == IGNORE && rules.is_empty() && (value.is_string() || value.is_null()) {
                let remedy = format!("name the rule and give a reason, {IGNORE}: 'RULE: REASON', or remove this");
                wrong.push(unused(position, "this annotation silences no rule", remedy));
            } else if key == IGNORE {
                silences.extend(rules.iter().map(|rule| Silence::of(rule, position, scope)));
            } else if manifest::nearest(key, [IGNORE].into_iter()).is_some() {
                wrong.push(unused(position, format!("{key} silences nothing"), format!("did you mean {IGNORE}?")));
            }
        }
        for (_, _, position) in entries("labels").filter(|(key, ..)| *key == IGNORE) {
            wrong.push(unused(position, "a label silences nothing", "make it an annotation: move it to metadata.annotations"));
        }
    }
    (silences, wrong)
}

fn unused(position: Position, message: impl Into<String>, remedy: impl Into<String>) -> Diagnostic {
    Diagnostic::warning_at(RuleName::UNUSED_SILENCE, position, message, remedy)
}
