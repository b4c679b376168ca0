//! Reading scripts: lines, rules, which and what.
//!
//! Docs: none; the language is described in `mod.rs`. Actions are read in `parse_action.rs`.

use api::Text;

use super::course::{Course, Ending, OnTerm};
use super::cursor::Cursor;
use super::error::ScriptError;
use super::parse_action::action;
use super::selector::Selector;
use super::{Rule, Script};
use crate::kubelet::Delay;

const WHICH: &str = "write \"pods\", or one or more of: job NAME, pod NAME, index N, attempt N, container NAME, start N";
const WHAT: &str = "write one of: succeed after 5s, exit 1 after 5s, killed by signal 9 after 5s, runs forever, scheduled after 1s, never scheduled, \
                    starts after 1s, never starts, ready after 1s, never ready, ends 2s after TERM with 0, ignores TERM, evicted after 10s";
const EXIT_CODE: &str = "write an exit code from 0 to 255";

/// Reads a script.
pub(super) fn script(text: &str) -> Result<Script, ScriptError> {
    let mut script = Script::default();
    for (number, line) in (1..).zip(text.lines()) {
        let mut cursor = Cursor::new(number, line);
        if cursor.at_end() {
            continue;
        }
        if cursor.accept(&["at"]) {
            let at = cursor.length()?;
            colon(&mut cursor)?;
            script.actions.push((at, action(&mut cursor)?));
        } else {
            script.rules.push(rule(&mut cursor)?);
        }
        if !cursor.at_end() {
            return Err(cursor
                .error(format!("{} is too much", cursor.here()), "write one rule or action a line, with commas between what a rule says"));
        }
    }
    Ok(script)
}

fn rule(cursor: &mut Cursor<'_>) -> Result<Rule, ScriptError> {
    let which = selector(cursor)?;
    colon(cursor)?;
    let mut course = Course::default();
    loop {
        let before = cursor.clone();
        clause(cursor, &mut course)?;
        if course.concerns_pods() && which.names_containers() {
            return Err(before.error("this is about a pod as a whole", "write it in a rule without \"container\" and \"start\""));
        }
        if !cursor.accept_sign(',') {
            return Ok(Rule { which, course });
        }
    }
}

fn colon(cursor: &mut Cursor<'_>) -> Result<(), ScriptError> {
    if cursor.accept_sign(':') {
        return Ok(());
    }
    Err(cursor.instead_of("\":\"", "write a colon between which and what, or between when and what"))
}

/// Reads which pods or containers something is about.
pub(super) fn selector(cursor: &mut Cursor<'_>) -> Result<Selector, ScriptError> {
    let mut selector = Selector::default();
    if cursor.accept(&["pods"]) {
        return Ok(selector);
    }
    let number = "write a number, as in \"index 1\"";
    loop {
        let word = cursor.peek();
        let before = cursor.clone();
        cursor.pass(word.len());
        let twice = match word {
            "job" => selector.job.replace(name(cursor, word)?).is_some(),
            "pod" => selector.pod.replace(name(cursor, word)?).is_some(),
            "container" => selector.container.replace(name(cursor, word)?).is_some(),
            "index" => selector.index.replace(cursor.number(0, u32::MAX, number)?).is_some(),
            "attempt" => selector.attempt.replace(cursor.number(1, u32::MAX, "write a number from 1")?).is_some(),
            "start" => selector.start.replace(cursor.number(1, u32::MAX, "write a number from 1")?).is_some(),
            _ => {
                *cursor = before;
                if selector != Selector::default() {
                    return Ok(selector);
                }
                return Err(cursor.instead_of("which pods or containers it is about", WHICH));
            }
        };
        if twice {
            return Err(before.error(format!("{word:?} is there twice"), "write it once, and another rule on another line"));
        }
    }
}

fn name(cursor: &mut Cursor<'_>, of: &str) -> Result<Text, ScriptError> {
    cursor.name(of).map(Text::from)
}

/// Reads one thing that pods or containers do.
fn clause(cursor: &mut Cursor<'_>, course: &mut Course) -> Result<(), ScriptError> {
    let before = cursor.clone();
    let word = cursor.peek();
    cursor.pass(word.len());
    let twice = match word {
        "succeed" | "succeeds" => course.ending.replace(Ending::Exits { code: 0, after: cursor.delay()? }).is_some(),
        "exit" | "exits" => {
            let code = cursor.number(0, u8::MAX, EXIT_CODE)?;
            course.ending.replace(Ending::Exits { code, after: cursor.delay()? }).is_some()
        }
        "killed" => {
            cursor.expect("by", WHAT)?;
            cursor.expect("signal", WHAT)?;
            let signal = cursor.number(1, 64, "write the number of a signal, from 1 to 64")?;
            course.ending.replace(Ending::Killed { signal, after: cursor.delay()? }).is_some()
        }
        "run" | "runs" => {
            cursor.expect("forever", "write \"runs forever\", or how it ends")?;
            course.ending.replace(Ending::Never).is_some()
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
        "evicted" => course.evicted.replace(cursor.delay()?).is_some(),
        "never" if cursor.accept(&["scheduled"]) => course.scheduled.replace(Delay::Never).is_some(),
        "never" if cursor.accept(&["start", "starts"]) => {
            cursor.accept_all(&["image", "cannot", "be", "pulled"]);
            course.starts.replace(Delay::Never).is_some()
        }
        "never" if cursor.accept(&["ready"]) => course.ready.replace(Delay::Never).is_some(),
        _ => return Err(before.instead_of("what pods do", WHAT)),
    };
    if twice {
        return Err(before.error("the rule says this twice", "keep one of the two"));
    }
    Ok(())
}
