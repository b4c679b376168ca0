//! Differential: our controllers and upstream's go through the same random histories, and must agree at every quiet point.
//!
//! Docs: the session protocol, in the head comment of the oracle's `session.go`. Jobs' status, pods, finalizers and events by reason are
//! compared, and the number of API writes, which may not be larger than upstream's.

pub(crate) mod history;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use api::Duration;
use controllers::{Config, Limits};
use serde_json::Value;
use sim::Session;

use crate::native::Native;
use crate::oracle::Oracle;

/// How many histories are gone through, unless `JOBSMITH_HISTORIES` says otherwise.
const HISTORIES: u64 = 2000;
/// How often upstream is asked again where it answers otherwise: it goes through pods in no order, so some of its answers are chance.
const REPEATS: usize = 20;

#[test]
fn our_controllers_do_what_upstreams_do() {
    let Some(mut oracle) = Oracle::start() else { return };
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let (first, histories) = (number("JOBSMITH_SEED", 0), number("JOBSMITH_HISTORIES", HISTORIES));
    let (mut quiet_points, mut chance, mut failures) = (0, 0, Vec::new());
    for seed in first..first + histories {
        let operations = history::history(seed);
        let ours = answers(&operations, &mut ask_ours());
        match compare(&operations, &ours, &mut oracle) {
            Verdict::Same(points) => quiet_points += points,
            Verdict::Chance => chance += 1,
            Verdict::Different(_) => failures.push((seed, shortest(operations, &mut oracle))),
        }
    }
    println!("{histories} histories, {quiet_points} quiet points, {chance} histories where upstream's own answers differ from run to run");
    assert!(failures.is_empty(), "{} of {histories} histories differ\n{}", failures.len(), report(&failures));
    assert!(chance * 50 < histories, "too many histories are chance to tell much");
}

enum Verdict {
    /// They agree, at so many quiet points.
    Same(usize),
    /// Upstream itself does not answer the same each time.
    Chance,
    /// How they differ.
    Different(String),
}

fn compare(operations: &[Value], ours: &[Value], oracle: &mut Oracle) -> Verdict {
    let theirs = answers(operations, &mut |question| oracle.ask(question));
    let Err(difference) = agree(operations, ours, &theirs) else {
        return Verdict::Same(ours.iter().filter(|answer| answer["state"].is_object()).count());
    };
    let mut differs_from_itself = false;
    for _ in 0..REPEATS {
        let again = answers(operations, &mut |question| oracle.ask(question));
        if agree(operations, ours, &again).is_ok() {
            return Verdict::Same(ours.iter().filter(|answer| answer["state"].is_object()).count());
        }
        differs_from_itself |= agree(operations, &theirs, &again).is_err();
    }
    if differs_from_itself { Verdict::Chance } else { Verdict::Different(difference) }
}

/// A history that still differs and of which no operation can be left out.
fn shortest(mut operations: Vec<Value>, oracle: &mut Oracle) -> String {
    let mut differs = |operations: &[Value]| match compare(operations, &answers(operations, &mut ask_ours()), oracle) {
        Verdict::Different(difference) => Some(difference),
        Verdict::Same(_) | Verdict::Chance => None,
    };
    let mut difference = differs(&operations).unwrap_or_else(|| "differed once, and not again".to_owned());
    for at in (1..operations.len()).rev() {
        let mut fewer = operations.clone();
        fewer.remove(at);
        if let Some(still) = differs(&fewer) {
            (operations, difference) = (fewer, still);
        }
    }
    difference
}

fn ask_ours() -> impl FnMut(&Value) -> Value {
    let limits = Limits { expectation_timeout: Duration::MAX, ..Limits::default() };
    let mut session = Session::new(Native::new(Config { limits, ..Config::default() }));
    move |question| serde_json::from_str(&session.serve(&question.to_string())).expect("a session answers in JSON")
}

fn answers(operations: &[Value], ask: &mut dyn FnMut(&Value) -> Value) -> Vec<Value> {
    operations.iter().map(ask).collect()
}

/// Whether two runs of a history agree; if not, where and how.
fn agree(operations: &[Value], ours: &[Value], theirs: &[Value]) -> Result<(), String> {
    let (mut our_writes, mut their_writes) = (0, 0);
    for (at, (our, their)) in ours.iter().zip(theirs).enumerate() {
        let told = |what: &str, ours: &dyn std::fmt::Display, theirs: &dyn std::fmt::Display| {
            let mut text = String::new();
            for operation in &operations[..=at] {
                writeln!(text, "    {operation}").expect("a string takes all");
            }
            Err(format!("{text}  {what}\n    ours   {ours}\n    theirs {theirs}\n"))
        };
        if let (Some(our), Some(their)) = (our.get("state"), their.get("state")) {
            for part in ["now", "jobs", "pods", "stuck"] {
                if our.get(part) != their.get(part) {
                    return told(part, &our[part], &their[part]);
                }
            }
            let (our_events, their_events) = (reasons(&our["events"]), reasons(&their["events"]));
            if our_events != their_events {
                return told("events", &format!("{our_events:?}"), &format!("{their_events:?}"));
            }
            our_writes += our["writes"].as_array().map_or(0, Vec::len);
            their_writes += their["writes"].as_array().map_or(0, Vec::len);
            if our_writes > their_writes {
                return told("more writes", &our["writes"], &their["writes"]);
            }
        } else if our != their {
            return told("answer", our, their);
        }
    }
    Ok(())
}

/// How often each type and reason occurs among events.
fn reasons(events: &Value) -> BTreeMap<String, usize> {
    let mut reasons = BTreeMap::new();
    for event in events.as_array().into_iter().flatten().filter_map(Value::as_str) {
        *reasons.entry(event.split(' ').take(2).collect::<Vec<_>>().join(" ")).or_default() += 1;
    }
    reasons
}

fn report(failures: &[(u64, String)]) -> String {
    failures.iter().take(3).map(|(seed, difference)| format!("seed {seed}\n{difference}")).collect()
}
