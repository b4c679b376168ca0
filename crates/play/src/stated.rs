//! What a scenario states of a trace or a status and what was seen of it: everything, or what it states.
//!
//! Docs: `tests/scenarios/README.md`. Blocks are read in `scenario.rs`, claims are played in `claim.rs`.

use std::collections::BTreeSet;

use api::Kind;
use manifest::{check_path, read};
use serde_json::{Map, Value};

/// How many pairs of lines are compared at most; where there are more, lines are aligned with the next one that is alike.
const MOST_PAIRS: usize = 10_000_000;

/// What is stated and what was seen. Where they are the same, everything that is stated was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stated {
    /// What was to be seen: of a trace, what was seen with the stated lines in the places of others.
    pub(crate) expected: String,
    pub(crate) seen: String,
    /// What the block is to state, so that it is seen.
    pub(crate) rewritten: String,
    /// What is wrong with what is stated, if it can never be seen.
    pub(crate) note: Option<String>,
}

impl Stated {
    /// Fields, of which only those are compared that are stated.
    fn fields(stated: Map<String, Value>, seen: Map<String, Value>, note: Option<String>) -> Self {
        let text = |fields: Map<String, Value>| if fields.is_empty() { String::new() } else { manifest::write(&Value::Object(fields)) };
        let seen = text(seen);
        Self { expected: text(stated), rewritten: seen.clone(), seen, note }
    }

    /// A text that is stated whole.
    pub(crate) fn whole(stated: &str, seen: &str) -> Self {
        Self { expected: stated.to_owned(), seen: seen.to_owned(), rewritten: seen.to_owned(), note: None }
    }
}

/// Where a stated line was seen.
#[derive(Clone, Copy)]
enum LinePlace {
    /// It is this line.
    Seen,
    /// This line is most like it where it was to be seen.
    Instead(usize),
    /// Nothing is like it; it was to be seen before this line.
    Before(usize),
}

/// The lines of a trace that are stated, in order among all that were seen. A line without a time may be seen at any.
pub(crate) fn lines(stated: &str, seen: &str) -> Stated {
    let stated: Vec<&str> = stated.lines().map(str::trim).filter(|line| !matches!(*line, "" | "…" | "...")).collect();
    let trace: Vec<SeenLine<'_>> = seen.lines().map(SeenLine::new).collect();
    let (mut expected, mut rewritten, mut next) = (String::new(), String::new(), 0);
    for (line, place) in stated.iter().zip(instead(&stated, &trace, &places(&stated, &trace))) {
        let (upto, from) = match place {
            LinePlace::Seen => {
                rewritten += &format!("{line}\n");
                continue;
            }
            LinePlace::Instead(at) => {
                let SeenLine { whole, words, .. } = trace[at];
                rewritten += &format!("{}\n", if without_time(line).is_some() { whole } else { words });
                (at, at + 1)
            }
            LinePlace::Before(at) => (at, at),
        };
        expected.extend(trace[next..upto].iter().map(|line| format!("{}\n", line.raw)));
        expected += &aligned(line);
        next = from;
    }
    expected.extend(trace[next..].iter().map(|line| format!("{}\n", line.raw)));
    Stated { expected, seen: seen.to_owned(), rewritten, note: None }
}

/// A stated line as a trace has it.
fn aligned(line: &str) -> String {
    match line.split_once(' ').filter(|_| without_time(line).is_some()) {
        Some((time, words)) => format!("{time:>7} {}\n", words.trim_start()),
        None => format!("{:>7} {line}\n", ""),
    }
}

/// A line of a trace.
#[derive(Clone, Copy)]
struct SeenLine<'s> {
    raw: &'s str,
    /// The line without the blanks around it.
    whole: &'s str,
    /// The line without its time.
    words: &'s str,
}

impl<'s> SeenLine<'s> {
    fn new(line: &'s str) -> Self {
        let whole = line.trim();
        Self { raw: line, whole, words: without_time(whole).unwrap_or(whole) }
    }

    /// Whether it is a stated line, or begins as that does before `…`.
    fn is(self, stated: &str) -> bool {
        match beginning(stated) {
            Some(beginning) => self.begins(beginning),
            None => stated == self.whole || stated == self.words,
        }
    }

    fn begins(self, beginning: &str) -> bool {
        self.whole.starts_with(beginning) || self.words.starts_with(beginning)
    }
}

/// What a stated line has before `…`, if that is at its end.
fn beginning(stated: &str) -> Option<&str> {
    stated.strip_suffix('…').or_else(|| stated.strip_suffix("..."))
}

/// The words of a line that begins with a time.
fn without_time(line: &str) -> Option<&str> {
    let (time, words) = line.split_once(' ')?;
    (time.contains(':') && time.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'))).then_some(words.trim_start())
}

/// Where each stated line was seen, in order: as many of them as possible.
fn places(stated: &[&str], seen: &[SeenLine<'_>]) -> Vec<Option<usize>> {
    let known: BTreeSet<&str> = stated.iter().copied().collect();
    let beginnings: Vec<&str> = stated.iter().filter_map(|line| beginning(line)).collect();
    let candidate = |line: &SeenLine<'_>| {
        known.contains(line.whole) || known.contains(line.words) || beginnings.iter().any(|beginning| line.begins(beginning))
    };
    let candidates: Vec<usize> = (0..seen.len()).filter(|at| candidate(&seen[*at])).collect();
    let next = next_places(stated, seen, &candidates);
    if next.iter().all(Option::is_some) || stated.len().saturating_mul(candidates.len()) > MOST_PAIRS {
        return next;
    }
    // The length of the longest common part of what follows, from each pair of lines on.
    let width = candidates.len() + 1;
    let mut longest = vec![0_u32; (stated.len() + 1) * width];
    for (row, line) in stated.iter().enumerate().rev() {
        for (column, at) in candidates.iter().enumerate().rev() {
            longest[row * width + column] = if seen[*at].is(line) {
                longest[(row + 1) * width + column + 1] + 1
            } else {
                longest[(row + 1) * width + column].max(longest[row * width + column + 1])
            };
        }
    }
    let (mut places, mut column) = (vec![None; stated.len()], 0);
    for (row, line) in stated.iter().enumerate() {
        while column < candidates.len() && !seen[candidates[column]].is(line) {
            if longest[row * width + column + 1] < longest[(row + 1) * width + column] {
                break;
            }
            column += 1;
        }
        if column < candidates.len() && seen[candidates[column]].is(line) {
            places[row] = Some(candidates[column]);
            column += 1;
        }
    }
    places
}

/// Where each stated line was seen next after the one before.
fn next_places(stated: &[&str], seen: &[SeenLine<'_>], candidates: &[usize]) -> Vec<Option<usize>> {
    let mut left = candidates;
    let next = |line: &&str| {
        let at = left.iter().position(|at| seen[*at].is(line))?;
        let found = left[at];
        left = &left[at + 1..];
        Some(found)
    };
    stated.iter().map(next).collect()
}

/// Where each stated line was seen: in place of those that were not, the lines that are most like them, if any are.
fn instead(stated: &[&str], seen: &[SeenLine<'_>], places: &[Option<usize>]) -> Vec<LinePlace> {
    let (mut found, mut from) = (Vec::new(), 0);
    for (row, line) in stated.iter().enumerate() {
        if let Some(at) = places[row] {
            found.push(LinePlace::Seen);
            from = at + 1;
            continue;
        }
        let until = places[row..].iter().copied().flatten().next().unwrap_or(seen.len());
        let words = without_time(line).unwrap_or(line);
        let words = beginning(words).unwrap_or(words);
        let like = (from..until).map(|at| (likeness(words, seen[at].words), at)).filter(|(likeness, _)| *likeness > 50);
        found.push(match like.max_by_key(|(likeness, at)| (*likeness, std::cmp::Reverse(*at))) {
            Some((_, at)) => {
                from = at + 1;
                LinePlace::Instead(at)
            }
            None => LinePlace::Before(from),
        });
    }
    found
}

/// How many of a hundred words two lines have in common, or all if the second one begins as the first one.
fn likeness(one: &str, other: &str) -> usize {
    if other.starts_with(one) {
        return 100;
    }
    let (mut others, mut common): (Vec<&str>, usize) = (other.split(' ').collect(), 0);
    let all = others.len().max(one.split(' ').count());
    for word in one.split(' ') {
        if let Some(at) = others.iter().position(|other| *other == word) {
            others.swap_remove(at);
            common += 1;
        }
    }
    100 * common / all
}

/// Everything that is stated of a status, beside everything that was seen; how it is written does not matter.
pub(crate) fn whole_status(stated: &str, seen: &str) -> Stated {
    Stated::whole(if value(stated) == value(seen) { seen } else { stated }, seen)
}

/// The fields of a status that are stated, and what was seen of them; `left` are the statuses of the Jobs that are left, by their names, and `finished` those of
/// all that finished: they count where a Job is gone, as after its TTL.
pub(crate) fn fields(stated: &str, left: &Map<String, Value>, finished: &Map<String, Value>) -> Stated {
    let Value::Object(stated) = value(stated) else { return Stated::whole(stated, "") };
    let named = |name: &String| left.get(name).or_else(|| finished.get(name));
    let alone = if left.is_empty() { finished } else { left };
    let mut note = None;
    let only = alone.values().next().filter(|_| alone.len() == 1 && !stated.keys().any(|name| named(name).is_some()));
    let seen: Map<String, Value> = if let Some(status) = only {
        of_job(&Value::Object(stated.clone()), status, &mut note).as_object().cloned().unwrap_or_default()
    } else {
        let status = |(name, stated): (&String, &Value)| {
            let Some(status) = named(name) else {
                note.get_or_insert_with(|| no_status(name, alone));
                return None;
            };
            Some((name.clone(), of_job(stated, status, &mut note)))
        };
        stated.iter().filter_map(status).collect()
    };
    Stated::fields(stated, seen, note)
}

/// That there is no Job of a name, and which there are.
fn no_status(name: &str, statuses: &Map<String, Value>) -> String {
    match statuses.keys().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => "there is no Job at the end, and so there is no status".to_owned(),
        names => format!("there is no Job {name} at the end; there are {}, and each status is under its Job's name", names.join(", ")),
    }
}

/// What was seen of the status of a Job. A field that is stated as nothing (`0`, `[]`) need not be there, as Kubernetes leaves many of them out.
fn of_job(stated: &Value, status: &Value, note: &mut Option<String>) -> Value {
    let (Value::Object(stated), Value::Object(status)) = (stated, status) else { return status.clone() };
    let field = |(name, stated): (&String, &Value)| {
        if let Err(problem) = check_path(Kind::Job, &format!("status.{name}")) {
            let remedy = problem.remedy.map(|remedy| format!("; {remedy}")).unwrap_or_default();
            note.get_or_insert_with(|| format!("{}{remedy}", problem.message));
            return None;
        }
        let seen = status.get(name).map(|seen| part(stated, seen)).or_else(|| is_nothing(stated).then(|| stated.clone()))?;
        Some((name.clone(), seen))
    };
    Value::Object(stated.iter().filter_map(field).collect())
}

/// What was seen, without the fields that are not stated. Items of lists are found by their `type`; other lists are stated whole.
fn part(stated: &Value, seen: &Value) -> Value {
    match (stated, seen) {
        (Value::Object(stated), Value::Object(seen)) => {
            let field = |(name, stated): (&String, &Value)| Some((name.clone(), part(stated, seen.get(name)?)));
            Value::Object(stated.iter().filter_map(field).collect())
        }
        (Value::Array(stated), Value::Array(seen)) if stated.iter().all(|item| item.get("type").is_some()) && !stated.is_empty() => {
            let item = |stated: &Value| seen.iter().find(|seen| seen.get("type") == stated.get("type")).map(|seen| part(stated, seen));
            Value::Array(stated.iter().filter_map(item).collect())
        }
        _ => seen.clone(),
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// The value of a YAML text; nothing if it has none.
fn value(text: &str) -> Value {
    read(text).ok().and_then(|documents| documents.first().map(|document| document.value().clone())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const TRACE: &str = "   0:00 job pi: created\n   0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)\n   0:05 pod pi-00001 Failed\n   0:15 ● \
                         Creating 1 pod: 0 active, 1 wanted (J-83)\n   0:21 job pi: Complete: CompletionsReached\n";

    fn shown(Stated { expected, seen, rewritten, note }: Stated) -> String {
        let note = note.map(|note| format!("note: {note}\n")).unwrap_or_default();
        if expected == seen {
            return format!("{note}same\n{rewritten}");
        }
        // The first line keeps `expect!` from taking the indentation away.
        let rewritten = if rewritten == seen { String::new() } else { format!("rewritten\n{rewritten}") };
        format!("{note}expected\n{expected}seen\n{seen}{rewritten}")
    }

    #[test]
    fn some_lines_of_a_trace_are_seen_in_order() {
        let check = |stated: &str, expected: Expect| expected.assert_eq(&shown(lines(stated, TRACE)));
        check(
            "0:00 job pi: created\n…\n● Creating 1 pod: 0 active, 1 wanted (J-83)\n   0:21 job pi: Complete: CompletionsReached",
            expect![[r#"
                same
                0:00 job pi: created
                ● Creating 1 pod: 0 active, 1 wanted (J-83)
                0:21 job pi: Complete: CompletionsReached
            "#]],
        );
        check(
            "0:00 job pi…\n● Creating 1 pod: ...\n0:15 ● Creating 2…",
            expect![[r#"
                expected
                   0:00 job pi: created
                   0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
                   0:15 ● Creating 2…
                   0:05 pod pi-00001 Failed
                   0:15 ● Creating 1 pod: 0 active, 1 wanted (J-83)
                   0:21 job pi: Complete: CompletionsReached
                seen
                   0:00 job pi: created
                   0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
                   0:05 pod pi-00001 Failed
                   0:15 ● Creating 1 pod: 0 active, 1 wanted (J-83)
                   0:21 job pi: Complete: CompletionsReached
                rewritten
                0:00 job pi…
                ● Creating 1 pod: ...
            "#]],
        );
        check(
            "job pi: created\n0:06 pod pi-00001 Failed\npod pi-00009 gone\njob pi: Complete: CompletionsReached",
            expect![[r#"
                expected
                   0:00 job pi: created
                   0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
                   0:06 pod pi-00001 Failed
                        pod pi-00009 gone
                   0:15 ● Creating 1 pod: 0 active, 1 wanted (J-83)
                   0:21 job pi: Complete: CompletionsReached
                seen
                   0:00 job pi: created
                   0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
                   0:05 pod pi-00001 Failed
                   0:15 ● Creating 1 pod: 0 active, 1 wanted (J-83)
                   0:21 job pi: Complete: CompletionsReached
                rewritten
                job pi: created
                0:05 pod pi-00001 Failed
                job pi: Complete: CompletionsReached
            "#]],
        );
    }

    #[test]
    fn of_two_ways_to_align_lines_the_longer_one_is_taken() {
        let seen = "c\na\nb\nc\nd\n";
        assert_eq!(lines("a\nb\nx\nc\nd", seen).rewritten, "a\nb\nc\nd\n");
        assert_eq!(lines("c\nx\nb\nd", seen).rewritten, "c\nb\nd\n");
        assert_eq!(lines("d\na\nc", seen).rewritten, "a\nc\n", "the order matters");
    }

    #[test]
    fn some_fields_of_a_status_are_compared() {
        let status = |text: &str| value(text);
        let one: Map<String, Value> = [(
            "pi".to_owned(),
            status("{succeeded: 1, ready: 0, conditions: [{type: A, status: 'True', reason: R}, {type: B, status: 'True'}]}"),
        )]
        .into_iter()
        .collect();
        let check = |stated: &str, expected: Expect| expected.assert_eq(&shown(fields(stated, &one, &Map::new())));
        check(
            "{succeeded: 1, failed: 0, conditions: [{type: B, status: 'True'}]}",
            expect![[r#"
            same
            conditions:
            - status: "True"
              type: B
            failed: 0
            succeeded: 1
        "#]],
        );
        check(
            "pi: {succeeded: 2, failed: 3, conditions: [{type: C}]}",
            expect![[r#"
            expected
            pi:
              conditions:
              - type: C
              failed: 3
              succeeded: 2
            seen
            pi:
              conditions: []
              succeeded: 1
        "#]],
        );
        check(
            "suceeded: 0",
            expect![[r#"
            note: unknown field "status.suceeded"; did you mean succeeded?
            expected
            suceeded: 0
            seen
        "#]],
        );
        let two: Map<String, Value> = ["a", "b"].map(|name| (name.to_owned(), status("succeeded: 1"))).into_iter().collect();
        expect![[r#"
            note: there is no Job succeeded at the end; there are a, b, and each status is under its Job's name
            expected
            succeeded: 1
            seen
        "#]]
        .assert_eq(&shown(fields("succeeded: 1", &two, &Map::new())));
        assert_eq!(shown(fields("b: {succeeded: 1}", &one, &two)), "same\nb:\n  succeeded: 1\n");
        assert_eq!(shown(fields("succeeded: 1", &Map::new(), &one)), "same\nsucceeded: 1\n", "it is gone");
        assert_eq!(whole_status("{ready: 0, succeeded: 1}", "ready: 0\nsucceeded: 1\n").expected, "ready: 0\nsucceeded: 1\n");
    }
}
