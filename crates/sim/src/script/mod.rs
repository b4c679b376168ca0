//! What pods do and what happens to a cluster, in a small language: one rule or action a line, `#` starts a comment.
//!
//! Docs: Pod Lifecycle; the words are those of its page. Reading is in `parse.rs` and `parse_action.rs`, playing in `scripted.rs` and `acting.rs`.
//!
//! ```text
//! pods: succeed after 5s                            # without any rule, all do
//! index 1: exit 42 after 2s                         # every pod of index 1
//! index 1 attempt 2: succeed after 3s               # the second pod of that index, or of the Job if it has no indexes
//! pod pi-00003: never scheduled
//! container log: runs forever, ends 2s after TERM with 0
//! start 3: succeed after 1s                         # the third start of a container in its pod
//! job pi: scheduled after 1s, starts after 500ms, ready after 2s, exit 1 after 20s
//! at 12s: scale to 3
//! ```
//!
//! A rule says **which**: `pods` for all, or one or more of `job NAME`, `pod NAME`, `index N`, `attempt N`, `container NAME`, `start N`, all of which must fit; and
//! **what**, separated by commas:
//!
//! | about | what | if no rule says |
//! |---|---|---|
//! | the pod | `scheduled after 1s`, `never scheduled` | at once |
//! | | `evicted after 10s`: after it was scheduled | never |
//! | a container | `starts after 500ms`, `never starts (image cannot be pulled)` | at once |
//! | | `ready after 2s`, `never ready` | at once |
//! | | `succeed after 5s`, `exit 1 after 5s`, `killed by signal 9 after 4s`, `runs forever` | `succeed after 5s` |
//! | | `ends 2s after TERM with 0`, `ignores TERM` | `ends 0s after TERM with 143` |
//!
//! For each of these, the first rule that fits and says something about it wins, so special rules come before general ones. What a rule says about containers is
//! about the regular ones, unless it names a container: init containers succeed at once and sidecars run forever if no rule names them.
//! `at once` is another word for `after 0s`.
//!
//! An action happens at a time after the beginning:
//!
//! | about | what |
//! |---|---|
//! | a Job, the only one if it is not named | `suspend`, `resume`, `scale to 3`, `set spec.parallelism=2`, or with `job NAME` after the first word |
//! | | `delete job NAME`, with `background`, `foreground` or `orphan` |
//! | pods | `delete`, `evict` or `exit 3 in`, followed by which |
//! | nodes | `lose node`, `remove node` |
//! | the controllers | `restart controller` |
//! | the API server | `refuse next write with conflict`, `forbidden`, `server error`, `timeout before` or `timeout after` it took effect |
//! | the clock | `advance 1h` |

mod acting;
mod action;
mod course;
mod cursor;
mod error;
mod length;
mod parse;
mod parse_action;
#[cfg(test)]
pub(crate) mod random;
mod scripted;
mod selector;

use std::fmt;

use api::Duration;

pub use self::action::{Action, JobChange, Refusal};
pub use self::course::{Course, Ending, OnTerm};
pub use self::error::ScriptError;
pub use self::scripted::Scripted;
pub use self::selector::Selector;

/// What pods do, and what happens. Written out, it reads as the same script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// The rules, in order.
    pub rules: Vec<Rule>,
    /// The actions in the order in which they are written, with their times after the beginning.
    pub actions: Vec<(Duration, Action)>,
}

/// What some pods or containers do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Which.
    pub which: Selector,
    /// What; at least one thing.
    pub course: Course,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// The first thing that cannot be understood: where, what, and what to write instead.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        parse::script(text)
    }
}

impl fmt::Display for Script {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Rule { which, course } in &self.rules {
            writeln!(formatter, "{which}: {course}")?;
        }
        for (at, action) in &self.actions {
            writeln!(formatter, "at {}: {action}", length::Length(*at))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::rng::Rng;

    fn check(text: &str, expected: Expect) {
        let written = match Script::parse(text) {
            Ok(script) => script.to_string(),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&written);
    }

    #[test]
    fn rules_are_written_as_they_are_read() {
        let rules = "\
pods: succeed after 5s
index 1: exit 42 after 2s
index 1 attempt 2: succeed after 3s
pod pi-00003: never scheduled
pod pi-00003: never starts (image cannot be pulled)
job pi: runs forever, ignores TERM
container log: runs forever, ends 2s after TERM with 0
container log start 3: killed by signal 9 after 1m30s
start 3: succeed at once
job pi index 0: scheduled after 1s, starts after 500ms, ready after 2s, exit 1 after 20s, evicted after 1h
index 2: never ready
at 0s: suspend
at 1s: suspend job pi
at 2s: resume
at 12s: scale to 3
at 12s: scale job pi to 3
at 12s: set spec.parallelism=2
at 12s: set job pi spec.template.metadata.labels={\"a\":\"#, b\"}
at 12s: delete job pi background
at 12s: delete job pi foreground
at 12s: delete job pi orphan
at 12s: delete pod pi-00001
at 12s: delete job pi index 2
at 12s: delete pods
at 12s: evict index 1 attempt 2
at 12s: exit 3 in index 0
at 12s: exit 3 in index 0 container log
at 12s: lose node
at 12s: remove node
at 12s: restart controller
at 12s: refuse next write with conflict
at 12s: refuse next write with forbidden
at 12s: refuse next write with server error
at 12s: refuse next write with timeout before
at 12s: refuse next write with timeout after
at 12s: advance 1h
";
        assert_eq!(Script::parse(rules).unwrap().to_string(), rules);
    }

    #[test]
    fn there_is_more_than_one_way_to_write_it() {
        check(
            "\n  # nothing\n\nattempt 2 index 1 : exits 0 after 1500ms,never start ,run forever # twice\n",
            expect!["line 4, column 55: the rule says this twice; keep one of the two"],
        );
        check(
            "start 2\tcontainer a:succeeds after 0s\n",
            expect![[r#"
            container a start 2: succeed at once
        "#]],
        );
        check(
            "pods: never starts # why\nat 90s: delete job pi (foreground)\nat 1s: delete job pi\nat 1s: set a = 1 # one",
            expect![[r#"
            pods: never starts (image cannot be pulled)
            at 1m30s: delete job pi foreground
            at 1s: delete job pi background
            at 1s: set a=1
        "#]],
        );
        check("", expect![""]);
    }

    #[test]
    fn what_cannot_be_understood_is_told_with_its_place_and_a_remedy() {
        check(
            "pods succeed after 5s",
            expect![[r#"line 1, column 6: "succeed" instead of ":"; write a colon between which and what, or between when and what"#]],
        );
        check(
            "pods: fly",
            expect![[
                r#"line 1, column 7: "fly" instead of what pods do; write one of: succeed after 5s, exit 1 after 5s, killed by signal 9 after 5s, runs forever, scheduled after 1s, never scheduled, starts after 1s, never starts, ready after 1s, never ready, ends 2s after TERM with 0, ignores TERM, evicted after 10s"#
            ]],
        );
        check(
            "pods:",
            expect![
                "line 1, column 6: the end of the line instead of what pods do; write one of: succeed after 5s, exit 1 after 5s, killed by signal 9 after 5s, runs forever, scheduled after 1s, never scheduled, starts after 1s, never starts, ready after 1s, never ready, ends 2s after TERM with 0, ignores TERM, evicted after 10s"
            ],
        );
        check(
            "all: succeed at once",
            expect![[
                r#"line 1, column 1: "all" instead of which pods or containers it is about; write "pods", or one or more of: job NAME, pod NAME, index N, attempt N, container NAME, start N"#
            ]],
        );
        check(
            ": succeed at once",
            expect![[
                r#"line 1, column 1: ":" instead of which pods or containers it is about; write "pods", or one or more of: job NAME, pod NAME, index N, attempt N, container NAME, start N"#
            ]],
        );
        check(
            "index one: succeed at once",
            expect![[r#"line 1, column 7: "one" instead of a number that fits here; write a number, as in "index 1""#]],
        );
        check(
            "index 1 index 2: succeed at once",
            expect![[r#"line 1, column 9: "index" is there twice; write it once, and another rule on another line"#]],
        );
        check(
            "attempt 0: succeed at once",
            expect![[r#"line 1, column 9: "0" instead of a number that fits here; write a number from 1"#]],
        );
        check(
            "container: succeed at once",
            expect![[r#"line 1, column 10: the name of the container is missing; write it after "container""#]],
        );
        check(
            "pods: succeed",
            expect![[r#"line 1, column 14: the end of the line instead of "after"; say when, as in "after 5s" or "at once""#]],
        );
        check(
            "pods: succeed after five seconds",
            expect![[r#"line 1, column 21: "five" instead of a length of time; write it as 500ms, 5s, 1m30s or 2h"#]],
        );
        check(
            "pods: exit 256 after 1s",
            expect![[r#"line 1, column 12: "256" instead of a number that fits here; write an exit code from 0 to 255"#]],
        );
        check(
            "pods: killed by signal 65 after 1s",
            expect![[r#"line 1, column 24: "65" instead of a number that fits here; write the number of a signal, from 1 to 64"#]],
        );
        check(
            "pods: killed after 1s",
            expect![[
                r#"line 1, column 14: "after" instead of "by"; write one of: succeed after 5s, exit 1 after 5s, killed by signal 9 after 5s, runs forever, scheduled after 1s, never scheduled, starts after 1s, never starts, ready after 1s, never ready, ends 2s after TERM with 0, ignores TERM, evicted after 10s"#
            ]],
        );
        check(
            "pods: runs",
            expect![[r#"line 1, column 11: the end of the line instead of "forever"; write "runs forever", or how it ends"#]],
        );
        check(
            "pods: ends 1s after KILL",
            expect![[r#"line 1, column 21: "KILL" instead of "TERM"; write it as "ends 2s after TERM with 0""#]],
        );
        check(
            "pods: succeed after 1s exit 1 after 2s",
            expect![[r#"line 1, column 24: "exit" is too much; write one rule or action a line, with commas between what a rule says"#]],
        );
        check(
            "pods: succeed after 1s, ",
            expect![
                "line 1, column 25: the end of the line instead of what pods do; write one of: succeed after 5s, exit 1 after 5s, killed by signal 9 after 5s, runs forever, scheduled after 1s, never scheduled, starts after 1s, never starts, ready after 1s, never ready, ends 2s after TERM with 0, ignores TERM, evicted after 10s"
            ],
        );
        check(
            "container log: evicted after 1s",
            expect![[r#"line 1, column 16: this is about a pod as a whole; write it in a rule without "container" and "start""#]],
        );
        check("at noon: suspend", expect![[r#"line 1, column 4: "noon" instead of a length of time; write it as 500ms, 5s, 1m30s or 2h"#]]);
        check(
            "at 1s suspend",
            expect![[r#"line 1, column 7: "suspend" instead of ":"; write a colon between which and what, or between when and what"#]],
        );
        check(
            "at 1s: explode",
            expect![[
                r#"line 1, column 8: "explode" instead of what happens to a cluster; write one of: suspend, resume, scale to 3, set spec.parallelism=2, delete job NAME, delete pod NAME, evict index 1, exit 3 in index 0, lose node, remove node, restart controller, refuse next write with conflict, advance 1h"#
            ]],
        );
        check("at 1s: scale 3", expect![[r#"line 1, column 14: "3" instead of "to"; write it as "scale to 3""#]]);
        check(
            "at 1s: set spec.parallelism",
            expect![[r#"line 1, column 28: the end of the line instead of "="; write it as spec.parallelism=2, with a value in JSON"#]],
        );
        check(
            "at 1s: set spec..x=1",
            expect![[
                r#"line 1, column 12: "spec..x" instead of the path of a field; write it as spec.parallelism=2, with a value in JSON"#
            ]],
        );
        check(
            "at 1s: set spec.x=one",
            expect!["line 1, column 19: the value is not JSON; write it as spec.parallelism=2, with a value in JSON"],
        );
        check(
            "at 1s: set spec.x=1 2",
            expect![[r#"line 1, column 21: "2" is too much; write one rule or action a line, with commas between what a rule says"#]],
        );
        check(
            "at 1s: delete",
            expect![[
                r#"line 1, column 14: the end of the line instead of which pods or containers it is about; write "pods", or one or more of: job NAME, pod NAME, index N, attempt N, container NAME, start N"#
            ]],
        );
        check(
            "at 1s: delete job pi sideways",
            expect![[
                r#"line 1, column 22: "sideways" is too much; write one rule or action a line, with commas between what a rule says"#
            ]],
        );
        check(
            "at 1s: delete index 1 container log",
            expect![[r#"line 1, column 15: this happens to a pod as a whole; write which pods, without "container" and "start""#]],
        );
        check(
            "at 1s: evict start 1",
            expect![[r#"line 1, column 14: this happens to a pod as a whole; write which pods, without "container" and "start""#]],
        );
        check(
            "at 1s: exit 1",
            expect![[
                r#"line 1, column 14: the end of the line instead of "in"; say in which pods or containers, as in "exit 3 in index 0""#
            ]],
        );
        check(
            "at 1s: exit 1 in start 2",
            expect![[r#"line 1, column 18: a start that is past does not exit; write which pods or containers, without "start""#]],
        );
        check(
            "at 1s: lose hope",
            expect![[
                r#"line 1, column 8: "lose" instead of what happens to a cluster; write one of: suspend, resume, scale to 3, set spec.parallelism=2, delete job NAME, delete pod NAME, evict index 1, exit 3 in index 0, lose node, remove node, restart controller, refuse next write with conflict, advance 1h"#
            ]],
        );
        check(
            "at 1s: refuse next write with grace",
            expect![[
                r#"line 1, column 31: "grace" instead of a way to refuse; write one of: conflict, forbidden, server error, timeout before, timeout after"#
            ]],
        );
        check(
            "# märchen\npods: späte",
            expect![[
                r#"line 2, column 7: "späte" instead of what pods do; write one of: succeed after 5s, exit 1 after 5s, killed by signal 9 after 5s, runs forever, scheduled after 1s, never scheduled, starts after 1s, never starts, ready after 1s, never ready, ends 2s after TERM with 0, ignores TERM, evicted after 10s"#
            ]],
        );
    }

    #[test]
    fn any_script_written_out_reads_as_the_same() {
        for seed in 0..2000 {
            let script = random::script(&mut Rng::new(seed));
            assert_eq!(Script::parse(&script.to_string()).as_ref(), Ok(&script), "seed {seed}:\n{script}");
        }
    }
}
