//! Values of annotations, and what is read of each or wrong with it.

use std::fmt::Debug;

use expect_test::{Expect, expect};

use super::*;

/// What is read of each value, or what is wrong with it.
fn check<T: Debug>(read: impl Fn(&str) -> Result<T, AnnotationProblem>, values: &[&str], expected: Expect) {
    let shown = |value: &&str| match read(value) {
        Ok(read) => format!("{value:?}\n    {read:?}\n"),
        Err(problem) => format!("{value:?}\n    {problem}\n"),
    };
    expected.assert_eq(&values.iter().map(shown).collect::<String>());
}

#[test]
fn x_6_rules_that_are_read() {
    check(
        |value| FailureRules::read(value).map(|FailureRules(rules)| Shown(rules)),
        &[
            "any: retry",
            "exit 137: fail the Job",
            "exit 1|3|64-78: fail the index",
            "exit 0-255:hold",
            "  exit 75  :  retry   uncounted  after  5m  ",
            "reason OOMKilled: retry, memory x2 up to 16Gi",
            "reason OOMKilled|Evicted, container main at most 3 times: retry, memory +512Mi",
            "condition DisruptionTarget: retry uncounted",
            "condition example.com/Broken: fail the job",
            "message *invalid token*: fail the Job",
            "message \"*a, b: c*\" at most 1 time: fail the Job",
            "message \"at most 3 times\": retry",
            "message *retry-after*: retry after the message says",
            "index 0|3-7, attempt 2: retry, cpu x1.5 up to 8",
            "attempt 3 or later: retry, on pool=on-demand, another node",
            "any: retry, on topology.kubernetes.io/zone=",
            "# comments and empty lines count\n\nany: retry, another node",
            "exit 1: retry\r\nexit 2: hold\n",
        ],
        expect![[r##"
            "any: retry"
                [1: [Any] None Retry { counted: true, after: Default } []]
            "exit 137: fail the Job"
                [1: [Exit([137..=137])] None FailJob []]
            "exit 1|3|64-78: fail the index"
                [1: [Exit([1..=1, 3..=3, 64..=78])] None FailIndex []]
            "exit 0-255:hold"
                [1: [Exit([0..=255])] None Hold []]
            "  exit 75  :  retry   uncounted  after  5m  "
                [1: [Exit([75..=75])] None Retry { counted: false, after: Delay(5m) } []]
            "reason OOMKilled: retry, memory x2 up to 16Gi"
                [1: [Reason(["OOMKilled"])] None Retry { counted: true, after: Default } [Grow { resource: Memory, by: Times(Factor(2000)), up_to: Some(Quantity { text: "16Gi", nanos: 17179869184000000000 }) }]]
            "reason OOMKilled|Evicted, container main at most 3 times: retry, memory +512Mi"
                [1: [Reason(["OOMKilled", "Evicted"]), Container("main")] Some(3) Retry { counted: true, after: Default } [Grow { resource: Memory, by: Plus(Quantity { text: "512Mi", nanos: 536870912000000000 }), up_to: None }]]
            "condition DisruptionTarget: retry uncounted"
                [1: [Condition("DisruptionTarget")] None Retry { counted: false, after: Default } []]
            "condition example.com/Broken: fail the job"
                [1: [Condition("example.com/Broken")] None FailJob []]
            "message *invalid token*: fail the Job"
                [1: [Message(Glob { text: "*invalid token*" })] None FailJob []]
            "message \"*a, b: c*\" at most 1 time: fail the Job"
                [1: [Message(Glob { text: "*a, b: c*" })] Some(1) FailJob []]
            "message \"at most 3 times\": retry"
                [1: [Message(Glob { text: "at most 3 times" })] None Retry { counted: true, after: Default } []]
            "message *retry-after*: retry after the message says"
                [1: [Message(Glob { text: "*retry-after*" })] None Retry { counted: true, after: Message } []]
            "index 0|3-7, attempt 2: retry, cpu x1.5 up to 8"
                [1: [Index([0..=0, 3..=7]), Attempt { number: 2, or_later: false }] None Retry { counted: true, after: Default } [Grow { resource: Cpu, by: Times(Factor(1500)), up_to: Some(Quantity { text: "8", nanos: 8000000000 }) }]]
            "attempt 3 or later: retry, on pool=on-demand, another node"
                [1: [Attempt { number: 3, or_later: true }] None Retry { counted: true, after: Default } [OnLabel { key: "pool", value: "on-demand" }, AnotherNode]]
            "any: retry, on topology.kubernetes.io/zone="
                [1: [Any] None Retry { counted: true, after: Default } [OnLabel { key: "topology.kubernetes.io/zone", value: "" }]]
            "# comments and empty lines count\n\nany: retry, another node"
                [3: [Any] None Retry { counted: true, after: Default } [AnotherNode]]
            "exit 1: retry\r\nexit 2: hold\n"
                [1: [Exit([1..=1])] None Retry { counted: true, after: Default } []][2: [Exit([2..=2])] None Hold []]
        "##]],
    );
}

/// Rules, shortly.
struct Shown(Vec<FailureRule>);

impl Debug for Shown {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for FailureRule { line, matchers, at_most, action, changes } in &self.0 {
            write!(formatter, "[{line}: {matchers:?} {at_most:?} {action:?} {changes:?}]")?;
        }
        Ok(())
    }
}

#[test]
fn x_6_matchers_that_are_wrong() {
    check(
        FailureRules::read,
        &[
            "",
            "# nothing",
            "exit 137",
            ":",
            ": retry",
            "exit: retry",
            "exit x: retry",
            "exit -1: retry",
            "exit 256: retry",
            "exit 9-1: retry",
            "exit 1,3: retry",
            "exit 1 3: retry",
            "exit 1|: retry",
            "exit 1-: retry",
            "exit +1: retry",
            "137: retry",
            "1|3: retry",
            "exitCode 137: retry",
            "exitcodes 137: retry",
            "code 137: retry",
            "OOMKilled: retry",
            "oom: retry",
            "Evicted: retry",
            "DisruptionTarget: retry",
            "else: retry",
            "*: retry",
            "reason: retry",
            "reason OOM Killed: retry",
            "reason OOMKilled|: retry",
            "reason *Killed: retry",
            "condition: retry",
            "condition a b: retry",
            "condition /a: retry",
            "condition a/: retry",
            "message: retry",
            "message \"\": retry",
            "message \"a: retry",
            "message a\"b\": retry",
            "container: retry",
            "container Main: retry",
            "container a b: retry",
            "index: retry",
            "index 3-1: retry",
            "index a: retry",
            "index 4294967296: retry",
            "attempt: retry",
            "attempt 0: retry",
            "attempt three: retry",
            "attempt 3 or: retry",
            "attempt 3 or more: retry",
            "attempt 3+: retry",
            "any any: retry",
            "any,: retry",
            ",any: retry",
            "any at most: retry",
            "any at most 3: retry",
            "any at most 0 times: retry",
            "any at most 2000 times: retry",
            "any at most three times: retry",
            "any at most 3 tries: retry",
            "any at most 3 times more: retry",
            "at most 3 times: retry",
            "any at most 3 times, exit 1: retry",
            "exit 1: retry\nexit 2: retry\n  exite 3: retry",
        ],
        expect![[r##"
            ""
                line 1, column 1: there is no rule; write one a line, or remove the annotation
            "# nothing"
                line 1, column 1: there is no rule; write one a line, or remove the annotation
            "exit 137"
                line 1, column 9: the rule has no action; write one behind a colon, as in `exit 137: retry, memory x2 up to 16Gi`
            ":"
                line 1, column 1: a matcher is missing; write exit, reason, condition, message, container, index, attempt or any
            ": retry"
                line 1, column 1: a matcher is missing; write exit, reason, condition, message, container, index, attempt or any
            "exit: retry"
                line 1, column 5: `exit` has no exit code; write `exit 137`
            "exit x: retry"
                line 1, column 6: `x` is not an exit code; write a whole number from 0 to 255
            "exit -1: retry"
                line 1, column 6: an exit code is missing; write a whole number from 0 to 255
            "exit 256: retry"
                line 1, column 6: `256` is not an exit code; write a whole number from 0 to 255
            "exit 9-1: retry"
                line 1, column 6: the range ends before it begins; write the lower number first
            "exit 1,3: retry"
                line 1, column 8: `3` is not a matcher; write `exit 1|137` for exit codes, with a bar between two
            "exit 1 3: retry"
                line 1, column 8: `3` stands behind the exit code; put a comma between two matchers
            "exit 1|: retry"
                line 1, column 8: an exit code is missing; write a whole number from 0 to 255
            "exit 1-: retry"
                line 1, column 8: an exit code is missing; write a whole number from 0 to 255
            "exit +1: retry"
                line 1, column 6: `+1` is not an exit code; write a whole number from 0 to 255
            "137: retry"
                line 1, column 1: `137` is not a matcher; write `exit 1|137` for exit codes, with a bar between two
            "1|3: retry"
                line 1, column 1: `1|3` is not a matcher; write `exit 1|137` for exit codes, with a bar between two
            "exitCode 137: retry"
                line 1, column 1: `exitCode` is not a matcher; write `exit 137`
            "exitcodes 137: retry"
                line 1, column 1: `exitcodes` is not a matcher; write `exit 137`
            "code 137: retry"
                line 1, column 1: `code` is not a matcher; write `exit 137`
            "OOMKilled: retry"
                line 1, column 1: `OOMKilled` is not a matcher; write `reason OOMKilled`
            "oom: retry"
                line 1, column 1: `oom` is not a matcher; write `reason OOMKilled`
            "Evicted: retry"
                line 1, column 1: `Evicted` is not a matcher; write `reason OOMKilled`
            "DisruptionTarget: retry"
                line 1, column 1: `DisruptionTarget` is not a matcher; write `condition DisruptionTarget`
            "else: retry"
                line 1, column 1: `else` is not a matcher; write `any`
            "*: retry"
                line 1, column 1: `*` is not a matcher; write `any`
            "reason: retry"
                line 1, column 7: `reason` has no reason; write `reason OOMKilled`
            "reason OOM Killed: retry"
                line 1, column 12: `Killed` stands behind the reason; put a comma between two matchers
            "reason OOMKilled|: retry"
                line 1, column 18: `` is not a reason; write reasons as `OOMKilled|Evicted`
            "reason *Killed: retry"
                line 1, column 8: `*Killed` is not a reason; write reasons as `OOMKilled|Evicted`
            "condition: retry"
                line 1, column 10: `condition` has no condition; write `condition DisruptionTarget`
            "condition a b: retry"
                line 1, column 13: `b` stands behind the condition; put a comma between two matchers
            "condition /a: retry"
                line 1, column 11: `/a` is not a type of conditions; write one such as DisruptionTarget
            "condition a/: retry"
                line 1, column 11: `a/` is not a type of conditions; write one such as DisruptionTarget
            "message: retry"
                line 1, column 8: `message` has no text; write a part of the message between asterisks: `message *invalid token*`
            "message \"\": retry"
                line 1, column 9: `message` has no text; write a part of the message between asterisks: `message *invalid token*`
            "message \"a: retry"
                line 1, column 9: the quote is not closed; end the text with a "
            "message a\"b\": retry"
                line 1, column 9: there is a quote within the text; put an asterisk in its place: it stands for any characters
            "container: retry"
                line 1, column 10: `container` has no container; write `container main`
            "container Main: retry"
                line 1, column 11: `Main` is not a name of a container; write its name in the template
            "container a b: retry"
                line 1, column 13: `b` stands behind the container; put a comma between two matchers
            "index: retry"
                line 1, column 6: `index` has no index; write `index 0|3-7`
            "index 3-1: retry"
                line 1, column 7: the range ends before it begins; write the lower number first
            "index a: retry"
                line 1, column 7: `a` is not an index; write a whole number from 0 to 2147483647
            "index 4294967296: retry"
                line 1, column 7: `4294967296` is not an index; write a whole number from 0 to 2147483647
            "attempt: retry"
                line 1, column 8: `attempt` has no number; write `attempt 3` or `attempt 3 or later`
            "attempt 0: retry"
                line 1, column 9: `0` is not a number of an attempt; write a whole number from 1 to 2147483647
            "attempt three: retry"
                line 1, column 9: `three` is not a number of an attempt; write a whole number from 1 to 2147483647
            "attempt 3 or: retry"
                line 1, column 11: `or` stands behind the number; write `attempt 3` or `attempt 3 or later`
            "attempt 3 or more: retry"
                line 1, column 11: `or` stands behind the number; write `attempt 3` or `attempt 3 or later`
            "attempt 3+: retry"
                line 1, column 9: `3+` is not a number of an attempt; write a whole number from 1 to 2147483647
            "any any: retry"
                line 1, column 5: `any` stands behind `any`; put a comma between two matchers
            "any,: retry"
                line 1, column 5: a matcher is missing; write exit, reason, condition, message, container, index, attempt or any
            ",any: retry"
                line 1, column 1: a matcher is missing; write exit, reason, condition, message, container, index, attempt or any
            "any at most: retry"
                line 1, column 5: `at most` is not complete; write `at most 3 times`
            "any at most 3: retry"
                line 1, column 5: `at most` is not complete; write `at most 3 times`
            "any at most 0 times: retry"
                line 1, column 13: `0` is not a number of times; write a whole number from 1 to 1000
            "any at most 2000 times: retry"
                line 1, column 13: `2000` is not a number of times; write a whole number from 1 to 1000
            "any at most three times: retry"
                line 1, column 13: `three` is not a number of times; write a whole number from 1 to 1000
            "any at most 3 tries: retry"
                line 1, column 15: `tries` stands where `times` is expected; write `at most 3 times`
            "any at most 3 times more: retry"
                line 1, column 5: `at most` is not complete; write `at most 3 times`
            "at most 3 times: retry"
                line 1, column 1: there is no matcher before `at most`; write exit, reason, condition, message, container, index, attempt or any
            "any at most 3 times, exit 1: retry"
                line 1, column 1: `at most` stands before another matcher; write it at the end, right before the colon
            "exit 1: retry\nexit 2: retry\n  exite 3: retry"
                line 3, column 3: `exite` is not a matcher; write exit, reason, condition, message, container, index, attempt or any
        "##]],
    );
}

#[test]
fn x_6_actions_and_changes_that_are_wrong() {
    check(
        FailureRules::read,
        &[
            "any:",
            "any: try again",
            "any: Retry",
            "any: ignore",
            "any: fail",
            "any: fail Job",
            "any: fail the pod",
            "any: FailJob",
            "any: hold it",
            "any: retry later",
            "any: retry in 5m",
            "any: retry after",
            "any: retry after 5",
            "any: retry after 5 minutes",
            "any: retry after 5x",
            "any: retry after soon",
            "any: retry after 500ms",
            "any: retry after 25h",
            "any: retry after -5m",
            "any: retry after the message",
            "any: retry counted",
            "any: retry uncounted twice",
            "any: retry memory x2",
            "any: retry another node",
            "any: retry,",
            "any: retry, memory",
            "any: retry, memory 2",
            "any: retry, memory x",
            "any: retry, memory x0.5",
            "any: retry, memory x11",
            "any: retry, memory x1.2345",
            "any: retry, memory x2x",
            "any: retry, memory x-2",
            "any: retry, memory + 1Gi",
            "any: retry, memory +",
            "any: retry, memory +0",
            "any: retry, memory +1GB",
            "any: retry, memory x2 16Gi",
            "any: retry, memory x2 up to",
            "any: retry, memory x2 up to 16G i",
            "any: retry, memory x2 up to much",
            "any: retry, memory x2 up to 0",
            "any: retry, ram x2",
            "any: retry, cpu *2",
            "any: retry, another",
            "any: retry, other node",
            "any: retry, on",
            "any: retry, on pool",
            "any: retry, on =a",
            "any: retry, on po ol=a",
            "any: retry, on pool=a b",
            "any: retry, on Example.com/pool=a",
            "any: retry, exit 1",
            "any: retry, at most 3 times",
            "any: retry at most 3 times",
            "any: fail the Job, memory x2",
            "any: hold, another node",
            "any: retry: hold",
        ],
        expect![[r#"
            "any:"
                line 1, column 5: the action is missing; write retry, fail the index, fail the Job or hold
            "any: try again"
                line 1, column 6: `try` is not an action; write retry, fail the index, fail the Job or hold
            "any: Retry"
                line 1, column 6: `Retry` has capitals; write `retry`
            "any: ignore"
                line 1, column 6: `ignore` is not an action; write `retry uncounted`
            "any: fail"
                line 1, column 6: `fail` does not say what fails; write `fail the index` or `fail the Job`
            "any: fail Job"
                line 1, column 6: `fail Job` does not say what fails; write `fail the index` or `fail the Job`
            "any: fail the pod"
                line 1, column 6: `fail the pod` does not say what fails; write `fail the index` or `fail the Job`
            "any: FailJob"
                line 1, column 6: `FailJob` does not say what fails; write `fail the index` or `fail the Job`
            "any: hold it"
                line 1, column 11: `it` stands behind `hold`; write `hold` alone
            "any: retry later"
                line 1, column 12: `later` stands behind `retry`; write `retry`, `retry uncounted`, `retry after 5m` or `retry after the message says`
            "any: retry in 5m"
                line 1, column 12: `in` is not known; write `retry after 5m`
            "any: retry after"
                line 1, column 17: the delay is missing; write `retry after 5m` or `retry after the message says`
            "any: retry after 5"
                line 1, column 18: `5` has no unit; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "any: retry after 5 minutes"
                line 1, column 12: `after` stands behind `retry`; write `retry`, `retry uncounted`, `retry after 5m` or `retry after the message says`
            "any: retry after 5x"
                line 1, column 18: `x` is not a unit of time; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "any: retry after soon"
                line 1, column 18: `soon` is not a length of time; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "any: retry after 500ms"
                line 1, column 18: `500ms` is too short; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "any: retry after 25h"
                line 1, column 18: `25h` is too long; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "any: retry after -5m"
                line 1, column 18: `-5m` is too short; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "any: retry after the message"
                line 1, column 12: `after` stands behind `retry`; write `retry`, `retry uncounted`, `retry after 5m` or `retry after the message says`
            "any: retry counted"
                line 1, column 12: `counted` stands behind `retry`; write `retry`, `retry uncounted`, `retry after 5m` or `retry after the message says`
            "any: retry uncounted twice"
                line 1, column 22: `twice` stands behind `retry`; write `retry`, `retry uncounted`, `retry after 5m` or `retry after the message says`
            "any: retry memory x2"
                line 1, column 12: `memory` stands behind `retry`; put a comma between the action and a change
            "any: retry another node"
                line 1, column 12: `another` stands behind `retry`; put a comma between the action and a change
            "any: retry,"
                line 1, column 12: a change is missing; write `memory x2`, `cpu +500m`, `another node` or `on LABEL=VALUE`
            "any: retry, memory"
                line 1, column 19: `memory` does not say how much; write `memory x2` or `memory x2 up to 16Gi`
            "any: retry, memory 2"
                line 1, column 20: `2` does not say how much more; write `memory x2` or `memory x2 up to 16Gi`
            "any: retry, memory x"
                line 1, column 20: `x` is not a factor from 1 to 10; write one such as `x2` or `x1.5`
            "any: retry, memory x0.5"
                line 1, column 20: `x0.5` is not a factor from 1 to 10; write one such as `x2` or `x1.5`
            "any: retry, memory x11"
                line 1, column 20: `x11` is not a factor from 1 to 10; write one such as `x2` or `x1.5`
            "any: retry, memory x1.2345"
                line 1, column 20: `x1.2345` is not a factor from 1 to 10; write one such as `x2` or `x1.5`
            "any: retry, memory x2x"
                line 1, column 20: `x2x` is not a factor from 1 to 10; write one such as `x2` or `x1.5`
            "any: retry, memory x-2"
                line 1, column 20: `x-2` is not a factor from 1 to 10; write one such as `x2` or `x1.5`
            "any: retry, memory + 1Gi"
                line 1, column 21: a quantity is missing; write one such as `16Gi` or `500m`, without a space before it
            "any: retry, memory +"
                line 1, column 21: a quantity is missing; write one such as `16Gi` or `500m`, without a space before it
            "any: retry, memory +0"
                line 1, column 21: `0` is not a quantity above 0; write one such as `16Gi` or `500m`
            "any: retry, memory +1GB"
                line 1, column 21: `1GB` is not a quantity above 0; write one such as `16Gi` or `500m`
            "any: retry, memory x2 16Gi"
                line 1, column 23: `16Gi` stands behind the growth; write `memory x2` or `memory x2 up to 16Gi`
            "any: retry, memory x2 up to"
                line 1, column 23: `up` stands behind the growth; write `memory x2` or `memory x2 up to 16Gi`
            "any: retry, memory x2 up to 16G i"
                line 1, column 23: `up` stands behind the growth; write `memory x2` or `memory x2 up to 16Gi`
            "any: retry, memory x2 up to much"
                line 1, column 29: `much` is not a quantity above 0; write one such as `16Gi` or `500m`
            "any: retry, memory x2 up to 0"
                line 1, column 29: `0` is not a quantity above 0; write one such as `16Gi` or `500m`
            "any: retry, ram x2"
                line 1, column 13: `ram x2` is not a change; write `memory x2`, `cpu +500m`, `another node` or `on LABEL=VALUE`
            "any: retry, cpu *2"
                line 1, column 17: `*2` does not say how much more; write `cpu x2` or `cpu x2 up to 8`
            "any: retry, another"
                line 1, column 13: `another` is not a change; write `memory x2`, `cpu +500m`, `another node` or `on LABEL=VALUE`
            "any: retry, other node"
                line 1, column 13: `other node` is not a change; write `memory x2`, `cpu +500m`, `another node` or `on LABEL=VALUE`
            "any: retry, on"
                line 1, column 13: `on` names no label with its value; write a node's label: `on pool=on-demand`
            "any: retry, on pool"
                line 1, column 13: `on` names no label with its value; write a node's label: `on pool=on-demand`
            "any: retry, on =a"
                line 1, column 16: `` is not a key of a label; write a node's label: `on pool=on-demand`
            "any: retry, on po ol=a"
                line 1, column 16: `po ol` is not a key of a label; write a node's label: `on pool=on-demand`
            "any: retry, on pool=a b"
                line 1, column 21: `a b` is not a value of a label; write a node's label: `on pool=on-demand`
            "any: retry, on Example.com/pool=a"
                line 1, column 16: `Example.com/pool` is not a key of a label; write a node's label: `on pool=on-demand`
            "any: retry, exit 1"
                line 1, column 13: `exit` is a matcher; write matchers before the colon
            "any: retry, at most 3 times"
                line 1, column 13: `at most` stands behind the action; write it right before the colon
            "any: retry at most 3 times"
                line 1, column 12: `at most` stands behind the action; write it right before the colon
            "any: fail the Job, memory x2"
                line 1, column 20: a change has no next pod; write `retry` as the action, or remove the change
            "any: hold, another node"
                line 1, column 12: a change has no next pod; write `retry` as the action, or remove the change
            "any: retry: hold"
                line 1, column 6: `retry:` is not an action; write retry, fail the index, fail the Job or hold
        "#]],
    );
}

#[test]
fn x_6_rules_have_bounds() {
    let many = "any: retry\n".repeat(33);
    let long = format!("message {}: retry", "a".repeat(8192));
    let error = |value: &str| FailureRules::read(value).unwrap_err().to_string();
    expect!["line 33, column 1: there are more than 32 rules; leave out some"].assert_eq(&error(&many));
    expect!["line 1, column 1: the rules have more than 8192 bytes; leave out some"].assert_eq(&error(&long));
}

#[test]
fn x_7_rules() {
    check(
        |value| PendingRules::read(value).map(|PendingRules(rules)| rules),
        &[
            "image 10m: fail the Job",
            "config 1m: fail\nunschedulable 2h: fail the index\nstarting 5m: replace\nany 24h: fail the job",
            "image message *not found* 1m: fail the Job",
            "image message \"a: b 5m\" 1m: fail",
            "",
            "image 10m",
            "image: fail",
            "image 10m:",
            ": fail",
            "10m: fail",
            "ErrImagePull 10m: fail",
            "ContainerCreating 10m: fail",
            "Unschedulable 10m: fail",
            "CreateContainerConfigError 10m: fail",
            "all 10m: fail",
            "pull 10m: fail",
            "quota 10m: fail",
            "image 10: fail",
            "image ten: fail",
            "image 5s: fail",
            "image 169h: fail",
            "image after 10m: fail",
            "image message: fail",
            "image message 10m: fail",
            "image message \"a 10m: fail",
            "image 10m 20m: fail",
            "image 10m: retry",
            "image 10m: hold",
            "image 10m: restart",
            "image 10m: fail the pod",
            "image 10m: replace it",
            "image 10m: fail, memory x2",
        ],
        expect![[r#"
            "image 10m: fail the Job"
                [PendingRule { line: 1, class: Some(Image), message: None, deadline: 10m, action: FailJob }]
            "config 1m: fail\nunschedulable 2h: fail the index\nstarting 5m: replace\nany 24h: fail the job"
                [PendingRule { line: 1, class: Some(Config), message: None, deadline: 1m, action: Fail }, PendingRule { line: 2, class: Some(Unschedulable), message: None, deadline: 2h, action: FailIndex }, PendingRule { line: 3, class: Some(Starting), message: None, deadline: 5m, action: Replace }, PendingRule { line: 4, class: None, message: None, deadline: 24h, action: FailJob }]
            "image message *not found* 1m: fail the Job"
                [PendingRule { line: 1, class: Some(Image), message: Some(Glob { text: "*not found*" }), deadline: 1m, action: FailJob }]
            "image message \"a: b 5m\" 1m: fail"
                [PendingRule { line: 1, class: Some(Image), message: Some(Glob { text: "a: b 5m" }), deadline: 1m, action: Fail }]
            ""
                line 1, column 1: there is no rule; write one a line, or remove the annotation
            "image 10m"
                line 1, column 10: the rule has no action; write one behind a colon, as in `image 10m: fail the Job`
            "image: fail"
                line 1, column 6: the deadline is missing; write `image 10m`
            "image 10m:"
                line 1, column 11: the action is missing; write fail, replace, fail the index or fail the Job
            ": fail"
                line 1, column 1: what the pod waits for is missing; write image, config, unschedulable, starting or any
            "10m: fail"
                line 1, column 1: `10m` is not something that a pod waits for; write image, config, unschedulable, starting or any
            "ErrImagePull 10m: fail"
                line 1, column 1: `ErrImagePull` is not something that a pod waits for; write `image`
            "ContainerCreating 10m: fail"
                line 1, column 1: `ContainerCreating` is not something that a pod waits for; write `starting`
            "Unschedulable 10m: fail"
                line 1, column 1: `Unschedulable` is not something that a pod waits for; write `unschedulable`
            "CreateContainerConfigError 10m: fail"
                line 1, column 1: `CreateContainerConfigError` is not something that a pod waits for; write `config`
            "all 10m: fail"
                line 1, column 1: `all` is not something that a pod waits for; write `any`
            "pull 10m: fail"
                line 1, column 1: `pull` is not something that a pod waits for; write `image`
            "quota 10m: fail"
                line 1, column 1: `quota` is not something that a pod waits for; write image, config, unschedulable, starting or any
            "image 10: fail"
                line 1, column 7: `10` has no unit; write a deadline from 10s to 168h, as in `90s`, `5m` or `1h30m`
            "image ten: fail"
                line 1, column 7: `ten` is not a length of time; write a deadline from 10s to 168h, as in `90s`, `5m` or `1h30m`
            "image 5s: fail"
                line 1, column 7: `5s` is too short; write a deadline from 10s to 168h, as in `90s`, `5m` or `1h30m`
            "image 169h: fail"
                line 1, column 7: `169h` is too long; write a deadline from 10s to 168h, as in `90s`, `5m` or `1h30m`
            "image after 10m: fail"
                line 1, column 7: `after` stands before the deadline; write `image 10m`
            "image message: fail"
                line 1, column 14: the message and the deadline are missing; write `image message *denied* 10m`
            "image message 10m: fail"
                line 1, column 14: `message` has no text; write a part of the message between asterisks: `message *invalid token*`
            "image message \"a 10m: fail"
                line 1, column 15: the quote is not closed; end the text with a "
            "image 10m 20m: fail"
                line 1, column 7: `10m` stands before the deadline; write `image 10m`
            "image 10m: retry"
                line 1, column 12: `retry` is an action of on-failure; write `replace`, which counts nothing, or `fail`
            "image 10m: hold"
                line 1, column 12: `hold` is an action of on-failure; write fail, replace, fail the index or fail the Job
            "image 10m: restart"
                line 1, column 12: `restart` is not an action; write fail, replace, fail the index or fail the Job
            "image 10m: fail the pod"
                line 1, column 17: `the` stands behind the action; write fail, replace, fail the index or fail the Job
            "image 10m: replace it"
                line 1, column 20: `it` stands behind the action; write fail, replace, fail the index or fail the Job
            "image 10m: fail, memory x2"
                line 1, column 12: `fail,` is not an action; write fail, replace, fail the index or fail the Job
        "#]],
    );
}

#[test]
fn x_8_delays() {
    check(
        RetryDelay::read,
        &[
            "30s",
            "30s x1.5 up to 5m",
            "30s x2",
            "1m, 5m, 30m",
            " 1h30m ",
            "",
            "30",
            "half a minute",
            "0s",
            "25h",
            "-5s",
            "30s 60s",
            "30s x",
            "30s x0",
            "30s x20",
            "30s x2 5m",
            "30s x2 up to",
            "30s x2 up to 10s",
            "30s x2 up to 48h",
            "1m,",
            ",1m",
            "1m,,5m",
            "1m, 5m x2",
            "1m; 5m",
            "1s,2s,3s,4s,5s,6s,7s,8s,9s,10s,11s,12s,13s,14s,15s,16s,17s,18s,19s,20s,21s",
        ],
        expect![[r#"
            "30s"
                Listed([30s])
            "30s x1.5 up to 5m"
                Grows { base: 30s, factor: Factor(1500), up_to: 5m }
            "30s x2"
                Grows { base: 30s, factor: Factor(2000), up_to: 24h }
            "1m, 5m, 30m"
                Listed([1m, 5m, 30m])
            " 1h30m "
                Listed([1h 30m])
            ""
                line 1, column 1: a delay is missing; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "30"
                line 1, column 1: `30` has no unit; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "half a minute"
                line 1, column 1: `half` is not a length of time; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "0s"
                line 1, column 1: `0s` is too short; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "25h"
                line 1, column 1: `25h` is too long; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "-5s"
                line 1, column 1: `-5s` is too short; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "30s 60s"
                line 1, column 5: `60s` stands behind the delay; write `30s x2` for delays that grow, or a comma between two
            "30s x"
                line 1, column 5: `x` is not a factor from 1 to 10; write one such as `x2` or `x1.5`
            "30s x0"
                line 1, column 5: `x0` is not a factor from 1 to 10; write one such as `x2` or `x1.5`
            "30s x20"
                line 1, column 5: `x20` is not a factor from 1 to 10; write one such as `x2` or `x1.5`
            "30s x2 5m"
                line 1, column 8: `5m` stands behind the factor; write `30s x1.5 up to 5m`
            "30s x2 up to"
                line 1, column 8: `up` stands behind the factor; write `30s x1.5 up to 5m`
            "30s x2 up to 10s"
                line 1, column 14: the longest delay is shorter than the first; write `30s x1.5 up to 5m`
            "30s x2 up to 48h"
                line 1, column 14: `48h` is too long; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "1m,"
                line 1, column 4: a delay is missing; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            ",1m"
                line 1, column 1: a delay is missing; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "1m,,5m"
                line 1, column 4: a delay is missing; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "1m, 5m x2"
                line 1, column 8: `x2` stands behind the delay; put a comma between two delays
            "1m; 5m"
                line 1, column 1: `m;` is not a unit of time; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
            "1s,2s,3s,4s,5s,6s,7s,8s,9s,10s,11s,12s,13s,14s,15s,16s,17s,18s,19s,20s,21s"
                line 1, column 72: there are more than 20 delays; leave out the last: the one before them repeats
        "#]],
    );
}

#[test]
fn x_8_delays_grow_to_their_longest() {
    let delays = |value: &str, numbers: &[u32]| {
        let delay = RetryDelay::read(value).unwrap();
        numbers.iter().map(|failures| delay.after(*failures).as_secs()).collect::<Vec<_>>()
    };
    assert_eq!(delays("30s x1.5 up to 5m", &[1, 2, 3, 6, 7, u32::MAX]), [30, 45, 67, 227, 300, 300]);
    assert_eq!(delays("1m, 5m, 30m", &[1, 2, 3, 4, u32::MAX]), [60, 300, 1800, 1800, 1800]);
    assert_eq!(delays("30s x1", &[1, 2, u32::MAX]), [30, 30, 30]);
    assert_eq!(delays("1s x10", &[5, 6, u32::MAX]), [10_000, 86_400, 86_400]);
}

#[test]
fn x_12_rates() {
    check(
        StartRate::read,
        &["10/1m", "1 / 1h", "", "10", "10 per minute", "0/1m", "501/1m", "ten/1m", "10/", "/1m", "10/1", "10/500ms", "10/2h", "10/1m/2"],
        expect![[r#"
            "10/1m"
                StartRate { pods: 10, within: 1m }
            "1 / 1h"
                StartRate { pods: 1, within: 1h }
            ""
                line 1, column 1: `` is not a rate; write so many pods in a time: `10/1m`
            "10"
                line 1, column 1: `10` is not a rate; write so many pods in a time: `10/1m`
            "10 per minute"
                line 1, column 1: `10 per minute` is not a rate; write so many pods in a time: `10/1m`
            "0/1m"
                line 1, column 1: `0` is not a number of pods; write a whole number from 1 to 500
            "501/1m"
                line 1, column 1: `501` is not a number of pods; write a whole number from 1 to 500
            "ten/1m"
                line 1, column 1: `ten` is not a number of pods; write a whole number from 1 to 500
            "10/"
                line 1, column 4: a time is missing; write a time from 1s to 1h, as in `90s`, `5m` or `1h30m`
            "/1m"
                line 1, column 1: a number of pods is missing; write a whole number from 1 to 500
            "10/1"
                line 1, column 4: `1` has no unit; write a time from 1s to 1h, as in `90s`, `5m` or `1h30m`
            "10/500ms"
                line 1, column 4: `500ms` is too short; write a time from 1s to 1h, as in `90s`, `5m` or `1h30m`
            "10/2h"
                line 1, column 4: `2h` is too long; write a time from 1s to 1h, as in `90s`, `5m` or `1h30m`
            "10/1m/2"
                line 1, column 4: `m/` is not a unit of time; write a time from 1s to 1h, as in `90s`, `5m` or `1h30m`
        "#]],
    );
}

#[test]
fn x_17_windows_that_are_wrong() {
    check(
        |value| Windows::read(value).map(|_| "windows"),
        &[
            "2026-12-24..2027-01-01, 2026-05-01, Sat, Sun, 22:00-06:00, Mon-Fri 08:00-18:00",
            "Sat,\nSun,\n# nights\n22:00-06:00",
            "",
            ",",
            "Sat,,Sun",
            "2026-12-24 - 2027-01-01",
            "2026-12-24-2027-01-01",
            "2026-12-24..",
            "2027-01-01..2026-12-24",
            "2026-01-01..2027-01-02",
            "2026-02-30",
            "24.12.2026",
            "2026-1-1",
            "12/24",
            "Saturday",
            "Mon-Friday",
            "weekend",
            "Mon Tue",
            "Mon..Fri",
            "22:00",
            "22-6",
            "22:00-6:00",
            "22:00-25:00",
            "22:00-24:01",
            "22:60-23:00",
            "22:00-22:00",
            "24:00-06:00",
            "22:00 - 06:00",
            "22:00-06:00 Sat",
            "Sat 22:00-06:00 Europe/Berlin",
            "10pm-6am",
            "00:00-24:00",
            "Mon-Sun",
            "00:00-12:00, 12:00-24:00",
        ],
        expect![[r#"
            "2026-12-24..2027-01-01, 2026-05-01, Sat, Sun, 22:00-06:00, Mon-Fri 08:00-18:00"
                "windows"
            "Sat,\nSun,\n# nights\n22:00-06:00"
                "windows"
            ""
                line 1, column 1: there is no window; write 2026-12-24, 2026-12-24..2027-01-01, Sat, Mon-Fri or 22:00-06:00, or a day with such a time behind it, or remove the annotation
            ","
                line 1, column 1: a window is missing; write 2026-12-24, 2026-12-24..2027-01-01, Sat, Mon-Fri or 22:00-06:00, or a day with such a time behind it
            "Sat,,Sun"
                line 1, column 5: a window is missing; write 2026-12-24, 2026-12-24..2027-01-01, Sat, Mon-Fri or 22:00-06:00, or a day with such a time behind it
            "2026-12-24 - 2027-01-01"
                line 1, column 12: there are spaces within a window; write `2026-12-24..2027-01-01`
            "2026-12-24-2027-01-01"
                line 1, column 1: `2026-12-24-2027-01-01` is not a date; write the year, month and day: 2026-12-24, or 2026-12-24..2027-01-01
            "2026-12-24.."
                line 1, column 1: `` is not a date; write the year, month and day: 2026-12-24, or 2026-12-24..2027-01-01
            "2027-01-01..2026-12-24"
                line 1, column 1: the range ends before it begins; write the earlier date first
            "2026-01-01..2027-01-02"
                line 1, column 1: the range has more than 366 days; suspend the CronJob instead
            "2026-02-30"
                line 1, column 1: `2026-02-30` is not a date; write the year, month and day: 2026-12-24, or 2026-12-24..2027-01-01
            "24.12.2026"
                line 1, column 1: `24.12.2026` is not a date; write the year, month and day: 2026-12-24, or 2026-12-24..2027-01-01
            "2026-1-1"
                line 1, column 1: `2026-1-1` is not a date; write the year, month and day: 2026-12-24, or 2026-12-24..2027-01-01
            "12/24"
                line 1, column 1: `12/24` is not a date; write the year, month and day: 2026-12-24, or 2026-12-24..2027-01-01
            "Saturday"
                line 1, column 1: `Saturday` is not a day of the week; write Sat
            "Mon-Friday"
                line 1, column 1: `Friday` is not a day of the week; write Fri
            "weekend"
                line 1, column 1: `weekend` is neither a day nor a time of day; write 2026-12-24, 2026-12-24..2027-01-01, Sat, Mon-Fri or 22:00-06:00, or a day with such a time behind it
            "Mon Tue"
                line 1, column 5: `Tue` has no end; write from when to when: 22:00-06:00
            "Mon..Fri"
                line 1, column 1: `Mon` is not a date; write the year, month and day: 2026-12-24, or 2026-12-24..2027-01-01
            "22:00"
                line 1, column 1: `22:00` has no end; write from when to when: 22:00-06:00
            "22-6"
                line 1, column 1: `22-6` is not a date; write the year, month and day: 2026-12-24, or 2026-12-24..2027-01-01
            "22:00-6:00"
                line 1, column 1: `6:00` is not a time of day; write hours and minutes, from 00:00 to 24:00
            "22:00-25:00"
                line 1, column 1: `25:00` is not a time of day; write hours and minutes, from 00:00 to 24:00
            "22:00-24:01"
                line 1, column 1: `24:01` is not a time of day; write hours and minutes, from 00:00 to 24:00
            "22:60-23:00"
                line 1, column 1: `22:60` is not a time of day; write hours and minutes, from 00:00 to 24:00
            "22:00-22:00"
                line 1, column 1: the time ends as it begins; leave it out for the whole day
            "24:00-06:00"
                line 1, column 1: no time begins at 24:00; write 00:00
            "22:00 - 06:00"
                line 1, column 7: there are spaces within a window; write `22:00-06:00`
            "22:00-06:00 Sat"
                line 1, column 1: `22:00-06:00` is not a date; write the year, month and day: 2026-12-24, or 2026-12-24..2027-01-01
            "Sat 22:00-06:00 Europe/Berlin"
                line 1, column 17: `Europe/Berlin` stands behind a window; put a comma between two windows
            "10pm-6am"
                line 1, column 1: `10pm-6am` is not a date; write the year, month and day: 2026-12-24, or 2026-12-24..2027-01-01
            "00:00-24:00"
                line 1, column 1: the windows leave no time free in a week; leave out some
            "Mon-Sun"
                line 1, column 1: the windows leave no time free in a week; leave out some
            "00:00-12:00, 12:00-24:00"
                line 1, column 1: the windows leave no time free in a week; leave out some
        "#]],
    );
}
