//! Reading scripts: lines, rules, which and what.
//!
//! Docs: none; the language is described in `lib.rs`. Actions are read in `parse_action.rs`.

use api::{Duration, duration};
use cluster::kubelet::{Delay, PodDisruption};

use super::course::{ContainerEnd, Course, OnTerm};
use super::cursor::Cursor;
use super::error::ScriptError;
use super::parse_action::action;
use super::selector::{Selector, WhichRuns};
use super::statement::{Statement, TimedAction};
use super::{Rule, Script};

const WHICH: &str =
    "write \"pods\", or one or more of: cronjob NAME, run N, job NAME, pod NAME, index N, indexes N-M, attempt N, container NAME, start N";
const WHAT: &str = "write one of: succeed after 5s, exit 1 after 5s, killed by signal 9 after 5s, runs forever, scheduled after 1s, never scheduled, \
                    starts after 1s, never starts, ready after 1s, never ready, ends 2s after TERM with 0, ignores TERM, OOMKilled after 5s, message \"retry-after 30\", evicted after 10s, preempted after 10s, \
                    evicted by the kubelet after 10s, condition ConfigIssue after 2s";
/// After how long a container ends if that is not written.
const UNWRITTEN: Duration = Duration::from_secs(5);
/// What to do where a line has several statements.
pub(super) const ONE_A_LINE: &str = "write each rule and each action on a line of its own";
const COLON: &str = "write a colon after the pods or the time, as in \"pods: succeed after 5s\" or \"at 5s: suspend\"";
const MESSAGE: &str = "write the termination message, as in \"exit 75 after 5s, message \\\"retry-after 30\\\"\"";
const EXIT_CODE: &str = "write an exit code from 0 to 255";

/// Reads a script.
pub(super) fn script(text: &str) -> Result<Script, ScriptError> {
    let mut script = Script::default();
    for (line, text) in (1..).zip(text.lines()) {
        let mut cursor = Cursor::new(line, text);
        if cursor.at_end() {
            continue;
        }
        if cursor.accept(&["at"]) {
            let after = cursor.length()?;
            colon(&mut cursor, COLON)?;
            let column = cursor.column();
            script.actions.push(Statement { line, column, what: TimedAction { after, action: action(&mut cursor)? } });
        } else {
            let column = cursor.column();
            script.rules.push(Statement { line, column, what: rule(&mut cursor)? });
        }
        if !cursor.at_end() {
            let remedy = match cursor.peek() {
                "" => ONE_A_LINE,
                _ => {
                    "write one rule or action per line, with commas between the parts of a rule; \"once\", \"twice\" or \"3 times\" comes last"
                }
            };
            return Err(cursor.error(format!("unexpected {}", cursor.here()), remedy));
        }
    }
    Ok(script)
}

fn rule(cursor: &mut Cursor<'_>) -> Result<Rule, ScriptError> {
    let which = selector(cursor)?;
    colon(cursor, COLON)?;
    let mut course = Course::default();
    loop {
        let before = cursor.clone();
        clause(cursor, &mut course)?;
        if course.concerns_pods() && which.names_containers() {
            return Err(before.error("this applies to the whole pod", "write it in a rule without \"container\" and \"start\""));
        }
        if !cursor.accept_sign(',') {
            let times = times(cursor)?;
            return Ok(Rule { which, course, times });
        }
        if begins_statement(cursor) {
            return Err(cursor.error(format!("{:?} begins another rule or action", cursor.peek()), ONE_A_LINE));
        }
    }
}

/// Whether a rule or an action comes next: no part of a rule has a colon.
fn begins_statement(cursor: &Cursor<'_>) -> bool {
    let (rest, _) = cursor.rest().split_once('#').unwrap_or((cursor.rest(), ""));
    SELECTORS.contains(&cursor.peek()) && rest.contains(':')
}

/// Reads how often a rule holds, at its end.
fn times(cursor: &mut Cursor<'_>) -> Result<Option<u32>, ScriptError> {
    if cursor.accept(&["once"]) {
        return Ok(Some(1));
    }
    if cursor.accept(&["twice"]) {
        return Ok(Some(2));
    }
    if !cursor.peek().starts_with(|letter: char| letter.is_ascii_digit()) {
        return Ok(None);
    }
    let times = cursor.number(1, u32::MAX, "write \"once\", \"twice\" or \"3 times\"")?;
    cursor.expect("times", "write \"once\", \"twice\" or \"3 times\"")?;
    Ok(Some(times))
}

/// After how long a container ends; it need not be written.
fn ending_delay(cursor: &mut Cursor<'_>) -> Result<Duration, ScriptError> {
    let written = matches!(cursor.peek(), "after" | "at");
    if written { cursor.delay() } else { Ok(UNWRITTEN) }
}

/// Passes over the colon behind what a line is about; `remedy` says where one belongs.
pub(super) fn colon(cursor: &mut Cursor<'_>, remedy: &str) -> Result<(), ScriptError> {
    if cursor.accept_sign(':') {
        return Ok(());
    }
    if cursor.rest().starts_with(',') {
        return Err(cursor.expected("\":\"", "write one rule for each of them; only numbers can be listed, as in \"indexes 1,3\""));
    }
    Err(cursor.expected("\":\"", remedy))
}

/// Reads which pods or containers something is about.
pub(super) fn selector(cursor: &mut Cursor<'_>) -> Result<Selector, ScriptError> {
    let mut selector = Selector::default();
    if cursor.accept(&["pods"]) {
        return Ok(selector);
    }
    loop {
        let word = cursor.peek();
        let before = cursor.clone();
        cursor.pass(word.len());
        let twice = match word {
            "cronjob" => selector.cron_job.replace(cursor.object(word)?).is_some(),
            "run" | "runs" => selector.run.replace(runs(cursor)?).is_some(),
            "job" => selector.job.replace(cursor.object(word)?).is_some(),
            "pod" => selector.pod.replace(cursor.object(word)?).is_some(),
            "container" => selector.container.replace(cursor.name(word)?.into()).is_some(),
            "index" | "indexes" => selector.index.replace(cursor.numbers("indexes", 0)?).is_some(),
            "attempt" | "attempts" => selector.attempt.replace(cursor.numbers("attempts", 1)?).is_some(),
            "start" | "starts" => selector.start.replace(cursor.numbers("starts", 1)?).is_some(),
            _ => {
                *cursor = before;
                if selector != Selector::default() {
                    return Ok(selector);
                }
                return Err(cursor.expected("pods or containers", &instead_of(cursor, word)));
            }
        };
        if twice {
            return Err(before.error(format!("{word:?} occurs twice"), "write it once, and the other one in a rule of its own"));
        }
    }
}

/// Reads which runs of a CronJob.
fn runs(cursor: &mut Cursor<'_>) -> Result<WhichRuns, ScriptError> {
    if let Some(at) = cursor.time() {
        return Ok(WhichRuns::ScheduledAt(at));
    }
    if cursor.peek().starts_with(|letter: char| letter.is_ascii_digit()) && cursor.peek().contains('T') {
        return Err(cursor.error("this is not a time in UTC", "write when the run is scheduled, as in \"run 2026-01-03T02:00:00Z\""));
    }
    cursor.numbers("runs", 1).map(WhichRuns::Numbered)
}

/// What to write instead of a word that begins no selector.
fn instead_of(cursor: &Cursor<'_>, word: &str) -> String {
    if let Some(object) = with_slash(word) {
        return format!("write \"{object}\"");
    }
    match word {
        "kubectl" => {
            "write what kubectl does as an action: \"at 5s: suspend\", \"at 5s: delete pod NAME\", \"at 5s: set spec.FIELD=VALUE\""
                .to_owned()
        }
        _ if duration::parse(word).is_some() => format!("for an action, write \"at {}\"", cursor.rest().trim_end()),
        _ => meant(word, &SELECTORS, WHICH),
    }
}

/// The first words of selectors, of what pods do, and of what happens.
const SELECTORS: [&str; 14] =
    ["pods", "cronjob", "run", "runs", "job", "pod", "container", "index", "indexes", "attempt", "attempts", "start", "starts", "at"];
const CLAUSES: [&str; 15] = [
    "succeed",
    "exit",
    "killed",
    "runs",
    "ends",
    "ignores",
    "scheduled",
    "starts",
    "ready",
    "OOMKilled",
    "message",
    "evicted",
    "preempted",
    "condition",
    "never",
];

/// What to write instead of a word: the known one that is meant, or else one of `all`.
pub(super) fn meant(word: &str, known: &[&str], all: &str) -> String {
    let near = manifest::nearest(word, known.iter().copied()).filter(|near| *near != word);
    near.map_or_else(|| all.to_owned(), |near| format!("did you mean {near:?}?"))
}

/// What to write instead of a word that begins nothing that pods do.
fn instead_of_clause(word: &str) -> String {
    match word {
        "fail" | "fails" | "failed" | "crash" | "crashes" => "write with which exit code, as in \"exit 1 after 5s\"".to_owned(),
        "complete" | "completes" | "succeeded" => "write \"succeed after 5s\"".to_owned(),
        _ => meant(word, &CLAUSES, WHAT),
    }
}

/// The words for an object that is written as kubectl has it: `job pi` for `job/pi`.
fn with_slash(word: &str) -> Option<String> {
    let (kind, name) = word.split_once('/')?;
    ["cronjob", "job", "pod"].contains(&kind).then(|| format!("{kind} {name}"))
}

/// Reads one thing that pods or containers do.
fn clause(cursor: &mut Cursor<'_>, course: &mut Course) -> Result<(), ScriptError> {
    let before = cursor.clone();
    let word = cursor.peek();
    cursor.pass(word.len());
    let twice = match word {
        "succeed" | "succeeds" => course.ending.replace(ContainerEnd::Exits { code: 0, after: ending_delay(cursor)? }).is_some(),
        "exit" | "exits" => {
            let code = cursor.number(0, u8::MAX, EXIT_CODE)?;
            course.ending.replace(ContainerEnd::Exits { code, after: ending_delay(cursor)? }).is_some()
        }
        "killed" => {
            cursor.expect("by", WHAT)?;
            cursor.expect("signal", WHAT)?;
            let signal = cursor.number(1, 64, "write the number of a signal, from 1 to 64")?;
            course.ending.replace(ContainerEnd::Killed { signal, after: ending_delay(cursor)? }).is_some()
        }
        "run" | "runs" => {
            cursor.expect("forever", "write \"runs forever\", or how it ends")?;
            course.ending.replace(ContainerEnd::Never).is_some()
        }
        "end" | "ends" => {
            let after = cursor.length()?;
            for word in ["after", "TERM", "with"] {
                cursor.expect(word, "write it as \"ends 2s after TERM with 0\"")?;
            }
            course.on_term.replace(OnTerm::Exits { code: cursor.number(0, u8::MAX, EXIT_CODE)?, after }).is_some()
        }
        "ignore" | "ignores" => {
            cursor.expect("TERM", "write \"ignores TERM\"")?;
            course.on_term.replace(OnTerm::Ignores).is_some()
        }
        "scheduled" => course.scheduled.replace(Delay::After(cursor.delay()?)).is_some(),
        "start" | "starts" => course.starts.replace(Delay::After(cursor.delay()?)).is_some(),
        "ready" => course.ready.replace(Delay::After(cursor.delay()?)).is_some(),
        "OOMKilled" => course.ending.replace(ContainerEnd::OutOfMemory { after: ending_delay(cursor)? }).is_some(),
        "message" => course.message.replace(cursor.quoted(MESSAGE)?.into()).is_some(),
        "evicted" => {
            let by_kubelet = cursor.accept(&["by"]);
            if by_kubelet {
                cursor.accept(&["the"]);
                cursor.expect("kubelet", "write \"evicted by the kubelet after 10s\", or \"evicted after 10s\" for the eviction API")?;
            }
            let disruption = if by_kubelet { PodDisruption::NodePressure } else { PodDisruption::Eviction };
            course.disrupted.replace((disruption, cursor.delay()?)).is_some()
        }
        "preempted" => course.disrupted.replace((PodDisruption::Preemption, cursor.delay()?)).is_some(),
        "condition" => course.condition.replace((cursor.name(word)?.into(), cursor.delay()?)).is_some(),
        "never" if cursor.accept(&["scheduled"]) => course.scheduled.replace(Delay::Never).is_some(),
        "never" if cursor.accept(&["start", "starts"]) => {
            cursor.accept_all(&["image", "cannot", "be", "pulled"]);
            course.starts.replace(Delay::Never).is_some()
        }
        "never" if cursor.accept(&["ready"]) => course.ready.replace(Delay::Never).is_some(),
        _ => return Err(before.expected("what pods do", &instead_of_clause(word))),
    };
    if twice {
        return Err(before.error("the rule sets this twice", "keep one of the two"));
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// Reads each line by itself; what was read, or where and why it was not.
    pub(in super::super) fn check(lines: &[&str], expected: Expect) {
        let read = |line: &&str| match script(line) {
            Ok(script) => script.to_string(),
            Err(error) => {
                let remedy: String = error.remedy.chars().take(60).collect();
                format!("{line}\n{}^ {}; {remedy}\n", " ".repeat(error.column - 1), error.message)
            }
        };
        expected.assert_eq(&lines.iter().map(read).collect::<String>());
    }

    #[test]
    fn there_is_more_than_one_way_to_write_it() {
        check(
            &[
                "  # nothing",
                "attempt 2 index 1 : exits 0 after 1500ms,never start # why",
                "start 2\tcontainer a:succeeds after 0s",
                "pods: never starts (image cannot be pulled), ignore TERM",
                "pods: run forever, end 2s after TERM with 1, start after 1s",
                "pods: succeed after 1d12h",
                "index 1: exit 42 twice",
                "index 1: exit 42 after 1s 3 times # flaky",
                "attempt 1-2: killed by signal 9",
                "attempts 3: succeed, ends 1s after TERM with 0 once",
                "at 1d: advance 2d",
                "at 1w: advance 1y",
                "pods:message \"#, \\\"a\\\": 1\" , exit 75 after 5s # why",
                "index 0, 2-4 runs 3: exit 1",
                "attempts 1,3 starts 2-3,5 indexes 1: exit 1",
                "run 2026-01-03T02:00Z:exit 1",
                "at 5s: exit 3 in index 0,2",
            ],
            expect![[r##"
                index 1 attempt 2: never starts (image cannot be pulled), succeed after 1.5s
                container a start 2: succeed at once
                pods: never starts (image cannot be pulled), ignores TERM
                pods: starts after 1s, runs forever, ends 2s after TERM with 1
                pods: succeed after 36h
                index 1: exit 42 after 5s twice
                index 1: exit 42 after 1s 3 times
                attempts 1-2: killed by signal 9 after 5s
                attempt 3: succeed after 5s, ends 1s after TERM with 0 once
                at 24h: advance 48h
                at 168h: advance 8760h
                pods: exit 75 after 5s, message "#, \"a\": 1"
                run 3 indexes 0,2-4: exit 1 after 5s
                index 1 attempts 1,3 starts 2-3,5: exit 1 after 5s
                run 2026-01-03T02:00:00Z: exit 1 after 5s
                at 5s: exit 3 in indexes 0,2
            "##]],
        );
    }

    #[test]
    fn of_a_misspelled_word_the_one_that_is_meant_is_proposed() {
        check(
            &[
                "pod: succeed",
                "indx 1: succeed",
                "cronjbo a: succeed",
                "pods: suceed after 5s",
                "pods: exits1",
                "pods: evictd after 1s",
                "pods: fails after 5s",
                "pods: completes",
                "at 5s: suspnd",
                "at 5s: create cronjob nightly",
            ],
            expect![[r#"
                pod: succeed
                   ^ the name of the pod is missing; write it after "pod"
                indx 1: succeed
                ^ expected pods or containers, found "indx"; did you mean "index"?
                cronjbo a: succeed
                ^ expected pods or containers, found "cronjbo"; did you mean "cronjob"?
                pods: suceed after 5s
                      ^ expected what pods do, found "suceed"; did you mean "succeed"?
                pods: exits1
                      ^ expected what pods do, found "exits1"; did you mean "exit"?
                pods: evictd after 1s
                      ^ expected what pods do, found "evictd"; did you mean "evicted"?
                pods: fails after 5s
                      ^ expected what pods do, found "fails"; write with which exit code, as in "exit 1 after 5s"
                pods: completes
                      ^ expected what pods do, found "completes"; write "succeed after 5s"
                at 5s: suspnd
                       ^ expected an action, found "suspnd"; did you mean "suspend"?
                at 5s: create cronjob nightly
                       ^ a script cannot create a CronJob; a CronJob is there from the beginning: to have it start Jobs
            "#]],
        );
    }

    #[test]
    fn wrong_words_for_which_pods_are_refused_with_their_place_and_a_remedy() {
        check(
            &[
                "pods succeed after 5s",
                "all: succeed at once",
                ": succeed at once",
                "index one: succeed at once",
                "index 1 index 2: succeed at once",
                "attempt 0: succeed at once",
                "attempts 2-1: succeed at once",
                "attempts 1-2 attempt 3: succeed at once",
                "index 1, index 2: succeed at once",
                "run 2026-01-03T02:00: exit 1",
                "run last: exit 1",
                "index 1: exit 42 2",
                "index 1: exit 42 0 times",
                "index 1: exit 42 twice, ignores TERM",
                "container: succeed at once",
                "container log: evicted after 1s",
            ],
            expect![[r#"
                pods succeed after 5s
                     ^ expected ":", found "succeed"; write a colon after the pods or the time, as in "pods: succe
                all: succeed at once
                ^ expected pods or containers, found "all"; write "pods", or one or more of: cronjob NAME, run N, job NA
                : succeed at once
                ^ expected pods or containers, found ":"; write "pods", or one or more of: cronjob NAME, run N, job NA
                index one: succeed at once
                      ^ invalid number "one"; write a number, 0 or higher, a range, or several of them, as
                index 1 index 2: succeed at once
                        ^ "index" occurs twice; write it once, and the other one in a rule of its own
                attempt 0: succeed at once
                        ^ invalid number "0"; write a number, 1 or higher, a range, or several of them, as
                attempts 2-1: succeed at once
                         ^ invalid number "2-1"; write a number, 1 or higher, a range, or several of them, as
                attempts 1-2 attempt 3: succeed at once
                             ^ "attempt" occurs twice; write it once, and the other one in a rule of its own
                index 1, index 2: succeed at once
                       ^ expected ":", found ","; write one rule for each of them; only numbers can be listed,
                run 2026-01-03T02:00: exit 1
                    ^ this is not a time in UTC; write when the run is scheduled, as in "run 2026-01-03T02:00
                run last: exit 1
                    ^ invalid number "last"; write a number, 1 or higher, a range, or several of them, as
                index 1: exit 42 2
                                  ^ expected "times", found the end of the line; write "once", "twice" or "3 times"
                index 1: exit 42 0 times
                                 ^ invalid number "0"; write "once", "twice" or "3 times"
                index 1: exit 42 twice, ignores TERM
                                      ^ unexpected ","; write each rule and each action on a line of its own
                container: succeed at once
                         ^ the name of the container is missing; write it after "container"
                container log: evicted after 1s
                               ^ this applies to the whole pod; write it in a rule without "container" and "start"
            "#]],
        );
    }

    #[test]
    fn wrong_words_for_what_pods_do_are_refused_with_their_place_and_a_remedy() {
        check(
            &[
                "pods: fly",
                "pods:",
                "pods: succeed after five seconds",
                "pods: exit 256 after 1s",
                "pods: killed by signal 65 after 1s",
                "pods: killed after 1s",
                "pods: runs",
                "pods: never",
                "pods: ends 1s after KILL",
                "pods: succeed after 1s exit 1 after 2s",
                "pods: succeed after 1s, exit 1 after 2s",
                "pods: succeed after 1s,",
                "pods: evicted by somebody after 1s",
                "pods: evicted after 1s, preempted after 2s",
                "pods: condition",
                "pods: exit 1, message retry-after 30",
                "pods: message \"unended",
                "pods: mesage \"a\"",
            ],
            expect![[r#"
                pods: fly
                      ^ expected what pods do, found "fly"; write one of: succeed after 5s, exit 1 after 5s, killed by s
                pods:
                     ^ expected what pods do, found the end of the line; write one of: succeed after 5s, exit 1 after 5s, killed by s
                pods: succeed after five seconds
                                    ^ invalid duration "five"; write it as "500ms", "90s", "1h30m", "30d" or "1y"
                pods: exit 256 after 1s
                           ^ invalid number "256"; write an exit code from 0 to 255
                pods: killed by signal 65 after 1s
                                       ^ invalid number "65"; write the number of a signal, from 1 to 64
                pods: killed after 1s
                             ^ expected "by", found "after"; write one of: succeed after 5s, exit 1 after 5s, killed by s
                pods: runs
                          ^ expected "forever", found the end of the line; write "runs forever", or how it ends
                pods: never
                      ^ expected what pods do, found "never"; write one of: succeed after 5s, exit 1 after 5s, killed by s
                pods: ends 1s after KILL
                                    ^ expected "TERM", found "KILL"; write it as "ends 2s after TERM with 0"
                pods: succeed after 1s exit 1 after 2s
                                       ^ unexpected "exit"; write one rule or action per line, with commas between the p
                pods: succeed after 1s, exit 1 after 2s
                                        ^ the rule sets this twice; keep one of the two
                pods: succeed after 1s,
                                       ^ expected what pods do, found the end of the line; write one of: succeed after 5s, exit 1 after 5s, killed by s
                pods: evicted by somebody after 1s
                                 ^ expected "kubelet", found "somebody"; write "evicted by the kubelet after 10s", or "evicted after 
                pods: evicted after 1s, preempted after 2s
                                        ^ the rule sets this twice; keep one of the two
                pods: condition
                               ^ the name of the condition is missing; write it after "condition"
                pods: exit 1, message retry-after 30
                                      ^ expected text in double quotes, found "retry-after"; write the termination message, as in "exit 75 after 5s, mess
                pods: message "unended
                              ^ expected text in double quotes, found "\"unended"; write the termination message, as in "exit 75 after 5s, mess
                pods: mesage "a"
                      ^ expected what pods do, found "mesage"; did you mean "message"?
            "#]],
        );
    }

    #[test]
    fn several_statements_on_a_line_are_refused() {
        check(
            &[
                "pods: exit 1; at 5s: suspend",
                "pods: exit 1, at 5s: suspend",
                "pods: exit 1, start 2: succeed",
                "index 0: exit 1, index 1: exit 2",
                "pods: exit 1, starts after 2s # note: slow",
                "at 5s: suspend; at 10s: resume",
                "at 5s: suspend, at 10s: resume",
                "at 5s: set spec.parallelism=1; at 6s: suspend",
            ],
            expect![[r#"
                pods: exit 1; at 5s: suspend
                            ^ unexpected ";"; write each rule and each action on a line of its own
                pods: exit 1, at 5s: suspend
                              ^ "at" begins another rule or action; write each rule and each action on a line of its own
                pods: exit 1, start 2: succeed
                              ^ "start" begins another rule or action; write each rule and each action on a line of its own
                index 0: exit 1, index 1: exit 2
                                 ^ "index" begins another rule or action; write each rule and each action on a line of its own
                pods: starts after 2s, exit 1 after 5s
                at 5s: suspend; at 10s: resume
                              ^ unexpected ";"; write each rule and each action on a line of its own
                at 5s: suspend, at 10s: resume
                              ^ unexpected ","; write each rule and each action on a line of its own
                at 5s: set spec.parallelism=1; at 6s: suspend
                                            ^ the value is not valid JSON; write each rule and each action on a line of its own
            "#]],
        );
    }

    #[test]
    fn columns_are_counted_in_characters() {
        let error = script("# märchen\npods: ready at once, späte").unwrap_err();
        assert_eq!((error.line, error.column), (2, 22));
        assert_eq!(error.to_string(), format!("line 2, column 22: expected what pods do, found \"späte\"; {WHAT}"));
    }
}
