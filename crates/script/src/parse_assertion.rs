//! Reading assertions: what each is about, and what is expected of it.
//!
//! Docs: none; the language is described in `lib.rs`. Scripts are read in `parse.rs`.

use super::assertion::{Asserted, AssertedCount, AssertedEnding, Assertion, Bound, Countable, Each};
use super::cursor::Cursor;
use super::error::ScriptError;
use super::parse::{colon, meant, selector};
use super::selector::Selector;
use super::statement::Statement;

const EXPECTED: &str = "write one of: Complete within 10m, Failed with BackoffLimitExceeded, not finished, at most 8 pods, at least 1 failed pod, exactly 3 Jobs, \
                        at most 2 pods at once, no restarts, no Job runs twice at once; before it, if it is not about everything: job NAME, cronjob NAME, run N, \
                        index N, each job or each index, and a colon";
const COUNTED: &str = "write pods, failed pods, succeeded pods, Jobs, Failed Jobs, Complete Jobs or restarts";
const ABOUT: &str = "an assertion is about job NAME, cronjob NAME, run N, index N, each job or each index";
const AT_ONCE: &str = "\"at once\" counts pods and Jobs that have not finished";
const COLON: &str = "write a colon after what it is about, as in \"job pi: Complete within 10m\"";

/// The words that begin an assertion, and those that begin what it is about.
const WORDS: [&str; 14] =
    ["Complete", "Failed", "not", "at", "exactly", "no", "each", "job", "cronjob", "run", "runs", "index", "indexes", "within"];
/// The words that begin which Jobs or indexes an assertion is about.
const SELECTORS: [&str; 6] = ["job", "cronjob", "run", "runs", "index", "indexes"];
/// What selectors of scripts have besides: containers do not matter here.
const OF_SCRIPTS: [&str; 7] = ["pods", "pod", "attempt", "attempts", "container", "start", "starts"];

/// The reasons for which a Job is Complete, and for which it is Failed.
const COMPLETE: [&str; 2] = ["CompletionsReached", "SuccessPolicy"];
const FAILED: [&str; 8] = [
    "BackoffLimitExceeded",
    "DeadlineExceeded",
    "FailedByRule",
    "FailedIndexes",
    "MaxFailedIndexesExceeded",
    "PodFailurePolicy",
    "PodPendingDeadline",
    "RetryTimeExceeded",
];

/// Reads assertions, one a line.
pub(super) fn assertions(text: &str) -> Result<Vec<Statement<Assertion>>, ScriptError> {
    let mut assertions = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let mut cursor = Cursor::new(line, text);
        if cursor.at_end() {
            continue;
        }
        let column = cursor.column();
        let (which, each) = about(&mut cursor)?;
        let of_index = each == Some(Each::Index) || which.index.is_some();
        let what = expected(&mut cursor, of_index)?;
        if !cursor.at_end() {
            return Err(cursor.error(format!("unexpected {}", cursor.here()), "write each assertion on a line of its own"));
        }
        assertions.push(Statement { line, column, what: Assertion { which, each, what } });
    }
    Ok(assertions)
}

/// Reads what an assertion is about, with the colon behind it; without a word about that, it is about everything.
fn about(cursor: &mut Cursor<'_>) -> Result<(Selector, Option<Each>), ScriptError> {
    let before = cursor.clone();
    let word = cursor.peek();
    if OF_SCRIPTS.contains(&word) {
        return Err(cursor.error(format!("{word:?} begins no assertion"), ABOUT));
    }
    let which = if SELECTORS.contains(&word) { selector(cursor)? } else { Selector::default() };
    if which.pod.is_some() || which.attempt.is_some() || which.names_containers() {
        return Err(before.error("this names single pods or containers", ABOUT));
    }
    let each = if cursor.accept(&["each"]) { Some(each(cursor)?) } else { None };
    if cursor.column() > before.column() {
        colon(cursor, COLON)?;
    }
    Ok((which, each))
}

/// Reads of what each is meant.
fn each(cursor: &mut Cursor<'_>) -> Result<Each, ScriptError> {
    if cursor.accept(&["job", "Job"]) {
        Ok(Each::Job)
    } else if cursor.accept(&["index"]) {
        Ok(Each::Index)
    } else {
        Err(cursor.expected("\"job\" or \"index\"", ABOUT))
    }
}

/// Reads what is expected.
fn expected(cursor: &mut Cursor<'_>, of_index: bool) -> Result<Asserted, ScriptError> {
    let before = cursor.clone();
    let expected = if cursor.accept(&["Complete", "complete"]) {
        Asserted::Ending(ending(cursor, true)?)
    } else if cursor.accept(&["Failed", "failed"]) {
        Asserted::Ending(ending(cursor, false)?)
    } else if cursor.accept_all(&["not", "finished"]) {
        Asserted::NotFinished
    } else if cursor.accept_all(&["no", "Job", "runs", "twice"]) {
        cursor.expect("at", EXPECTED)?;
        cursor.expect("once", EXPECTED)?;
        Asserted::NeverTwiceAtOnce
    } else {
        Asserted::Count(count(cursor)?)
    };
    let of_jobs = match &expected {
        Asserted::Ending(_) | Asserted::NotFinished => true,
        Asserted::Count(count) => matches!(count.of, Countable::Jobs | Countable::FailedJobs | Countable::CompleteJobs),
        Asserted::NeverTwiceAtOnce => false,
    };
    if of_index && of_jobs {
        let remedy = "an index has pods: write for example \"at least 1 succeeded pod\"";
        return Err(before.error("this applies to whole Jobs, not to an index", remedy));
    }
    Ok(expected)
}

/// Reads why and when a Job ends.
fn ending(cursor: &mut Cursor<'_>, complete: bool) -> Result<AssertedEnding, ScriptError> {
    let mut ending = AssertedEnding { complete, reason: None, within: None };
    if cursor.accept(&["with"]) {
        let known: &[&str] = if complete { &COMPLETE } else { &FAILED };
        let all = format!("write one of {}", known.join(", "));
        let reason = cursor.peek();
        if reason.is_empty() {
            return Err(cursor.expected("a reason", &all));
        }
        if !known.contains(&reason) {
            let condition = if complete { "Complete" } else { "Failed" };
            return Err(cursor.error(format!("no Job is {condition} with the reason {reason:?}"), meant(reason, known, &all)));
        }
        cursor.accept(&[reason]);
        ending.reason = Some(reason.into());
    }
    if cursor.accept(&["within"]) {
        ending.within = Some(cursor.length()?);
    } else if !cursor.at_end() {
        return Err(cursor.expected(
            "\"with\", \"within\" or the end of the line",
            "write it as \"Complete within 10m\" or \"Failed with DeadlineExceeded within 2h\"",
        ));
    }
    Ok(ending)
}

/// Reads how many there are of something.
fn count(cursor: &mut Cursor<'_>) -> Result<AssertedCount, ScriptError> {
    let bound = if cursor.accept_all(&["at", "most"]) {
        Some(Bound::AtMost)
    } else if cursor.accept_all(&["at", "least"]) {
        Some(Bound::AtLeast)
    } else if cursor.accept(&["exactly"]) {
        Some(Bound::Exactly)
    } else if cursor.accept(&["no"]) {
        None
    } else {
        let word = cursor.peek();
        let remedy = meant(word, &WORDS, EXPECTED);
        return Err(cursor.expected("an assertion", &remedy));
    };
    let number = match bound {
        Some(_) => cursor.number(0, u32::MAX, "write how many, as in \"at most 8 pods\"")?,
        None => 0,
    };
    let of = counted(cursor)?;
    let before = cursor.clone();
    let at_once = cursor.accept_all(&["at", "once"]);
    if at_once && !matches!(of, Countable::Pods | Countable::Jobs) {
        return Err(before.error(AT_ONCE, "leave out \"at once\", or write only pods or Jobs"));
    }
    Ok(AssertedCount { bound: bound.unwrap_or(Bound::Exactly), number, of, at_once })
}

/// Reads what is counted.
fn counted(cursor: &mut Cursor<'_>) -> Result<Countable, ScriptError> {
    let before = cursor.clone();
    let (failed, succeeded) = (cursor.accept(&["failed", "Failed"]), cursor.accept(&["succeeded", "Complete", "complete"]));
    let pods = cursor.accept(&["pod", "pods"]);
    let jobs = !pods && cursor.accept(&["Job", "Jobs", "job", "jobs"]);
    match (pods, jobs, failed, succeeded) {
        (true, _, false, false) => Ok(Countable::Pods),
        (true, _, true, false) => Ok(Countable::FailedPods),
        (true, _, false, true) => Ok(Countable::SucceededPods),
        (_, true, false, false) => Ok(Countable::Jobs),
        (_, true, true, false) => Ok(Countable::FailedJobs),
        (_, true, false, true) => Ok(Countable::CompleteJobs),
        (false, false, false, false) if cursor.accept(&["restart", "restarts"]) => Ok(Countable::Restarts),
        _ => Err(before.expected("what is counted", COUNTED)),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[test]
    fn assertions_are_written_as_they_are_read() {
        let written = "\
Complete
Complete with SuccessPolicy within 1h30m
Failed within 10m
not finished
at most 8 pods
at least 1 failed pod
exactly 2 succeeded pods
no restarts
at most 1 Job at once
exactly 3 Jobs
no Failed Jobs
at least 1 Complete Job
no Job runs twice at once
job pi: Failed with BackoffLimitExceeded within 1m
job b/pi index 1: at most 3 pods
cronjob nightly: at most 1 Job at once
cronjob nightly run 2: Complete
run 2026-01-03T02:00:00Z: Complete
runs 1-3: Complete
each job: at most 2 pods
cronjob nightly each job: at most 2 pods
each index: at least 1 succeeded pod
";
        let lines =
            |text: &str| -> String { Assertion::parse(text).unwrap().iter().map(|statement| format!("{}\n", statement.what)).collect() };
        assert_eq!(lines(written), written);
        assert_eq!(
            lines("# what matters\n\n  complete # soon\nno failed pods\nat most 1 jobs\n"),
            "Complete\nno failed pods\nat most 1 Job\n"
        );
        let places: Vec<_> = Assertion::parse("\n  no pods\nComplete").unwrap().iter().map(|one| (one.line, one.column)).collect();
        assert_eq!(places, [(2, 3), (3, 1)]);
    }

    #[test]
    fn what_is_no_assertion_has_its_place_and_a_remedy() {
        let check = |text: &str, expected: Expect| expected.assert_eq(&Assertion::parse(text).unwrap_err().to_string());
        check("Complete\nCompleted", expect![[r#"line 2, column 1: expected an assertion, found "Completed"; did you mean "Complete"?"#]]);
        check(
            "Failed with BackofLimitExceeded",
            expect![[r#"line 1, column 13: no Job is Failed with the reason "BackofLimitExceeded"; did you mean "BackoffLimitExceeded"?"#]],
        );
        check(
            "Complete with Evicted",
            expect![[r#"line 1, column 15: no Job is Complete with the reason "Evicted"; write one of CompletionsReached, SuccessPolicy"#]],
        );
        check("Complete within 10 min", expect![[r#"line 1, column 17: invalid duration "10 min"; write it as "10m""#]]);
        check(
            "Complete in 10m",
            expect![[
                r#"line 1, column 10: expected "with", "within" or the end of the line, found "in"; write it as "Complete within 10m" or "Failed with DeadlineExceeded within 2h""#
            ]],
        );
        check("at most two pods", expect![[r#"line 1, column 9: invalid number "two"; write how many, as in "at most 8 pods""#]]);
        check(
            "at most 2 containers",
            expect![[
                r#"line 1, column 11: expected what is counted, found "containers"; write pods, failed pods, succeeded pods, Jobs, Failed Jobs, Complete Jobs or restarts"#
            ]],
        );
        check(
            "at most 2 failed pods at once",
            expect![[
                r#"line 1, column 23: "at once" counts pods and Jobs that have not finished; leave out "at once", or write only pods or Jobs"#
            ]],
        );
        check(
            "job pi Complete",
            expect![[
                r#"line 1, column 8: expected ":", found "Complete"; write a colon after what it is about, as in "job pi: Complete within 10m""#
            ]],
        );
        check(
            "index 1: Complete",
            expect![[
                r#"line 1, column 10: this applies to whole Jobs, not to an index; an index has pods: write for example "at least 1 succeeded pod""#
            ]],
        );
        check(
            "pods: at most 3",
            expect![[
                r#"line 1, column 1: "pods" begins no assertion; an assertion is about job NAME, cronjob NAME, run N, index N, each job or each index"#
            ]],
        );
    }
}
