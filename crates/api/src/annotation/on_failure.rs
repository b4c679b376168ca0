//! `jobsmith.dev/on-failure`: what follows from a failed pod, rule by rule.
//!
//! Docs: README, "Beyond Kubernetes". What `podFailurePolicy` says comes first: `pod_failure.rs`. What follows from a match is decided in `controllers`.

use std::ops::RangeInclusive;

use crate::syntax::{is_path, is_subdomain, is_word};
use crate::{Duration, Text};

use super::glob::Glob;
use super::part::{AnnotationPart, AnnotationProblem};
use super::pod_change::{PodChange, change};
use super::slips::suggesting_meant;
use super::unquoted::suggesting_quotes;
use super::values::{hash, length, number};
use super::{LONGEST_DELAY, SHORTEST_DELAY, rules};

/// The rules, in their order: the first that matches decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FailureRules(pub Vec<FailureRule>);

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureRule {
    /// Its line in the annotation, from 1.
    pub line: usize,
    /// Its identity, by which pods carry how often it has matched: it follows from the matchers, so that a line may be moved, and its budget and action
    /// changed, while the Job runs. Of several rules with the same matchers, the later ones have others.
    pub identity: u32,
    /// What a failed pod must be; all of it.
    pub matchers: Vec<FailureMatcher>,
    /// How many failures it is for, of those that it matches; `None`: all.
    pub at_most: Option<u32>,
    /// What follows.
    pub action: FailureAction,
    /// What is different in the next pod.
    pub changes: Vec<PodChange>,
}

/// What a failed pod must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailureMatcher {
    /// A failed container ended with one of these codes.
    Exit(Vec<RangeInclusive<i32>>),
    /// The reason of a failed container, or of the pod, is one of these.
    Reason(Vec<Text>),
    /// It has this condition, and the condition is true.
    Condition(Text),
    /// The message of a failed container, or of the pod, is like this.
    Message(Glob),
    /// This container failed.
    Container(Text),
    /// It has one of these indexes.
    Index(Vec<RangeInclusive<u32>>),
    /// It is this attempt of its index, or of its Job.
    Attempt {
        /// Which, from 1.
        number: u32,
        /// Whether later ones match, too.
        or_later: bool,
    },
    /// It failed.
    Any,
}

/// What follows from a failed pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailureAction {
    /// Another pod.
    Retry {
        /// Whether the failure counts towards the limits.
        counted: bool,
        /// When.
        after: RetryAfter,
    },
    /// Its index fails.
    FailIndex,
    /// The Job fails.
    FailJob,
    /// No more pods until the Job is resumed.
    Hold,
}

/// When a pod is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    /// After the delay that it would have without the rule.
    Default,
    /// After this time.
    Delay(Duration),
    /// After the time that the termination message names.
    Message,
}

/// What matchers begin with.
const MATCHER_WORDS: [&str; 8] = ["exit", "reason", "condition", "message", "container", "index", "attempt", "any"];
/// The matchers, as an error lists them.
const MATCHERS: &str = "write exit, reason, condition, message, container, index, attempt or any";
/// The actions, as an error lists them.
const ACTIONS: &str = "write retry, fail the index, fail the Job or hold";
/// How a budget is written, as an error shows it.
const BUDGET: &str = "write `at most 3 times`";

impl FailureRules {
    /// Reads the rules, one a line.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn read(value: &str) -> Result<Self, AnnotationProblem> {
        let mut rules = rules(value, |line| suggesting_meant(line, |line| suggesting_quotes(line, rule)))?;
        for at in 1..rules.len() {
            let (before, rest) = rules.split_at_mut(at);
            while before.iter().any(|earlier| earlier.identity == rest[0].identity) {
                rest[0].identity = rest[0].identity.wrapping_add(1);
            }
        }
        Ok(Self(rules))
    }
}

fn rule(line: AnnotationPart<'_>) -> Result<FailureRule, AnnotationProblem> {
    let Some((head, tail)) = line.split_once(':') else {
        return Err(line.end().problem("the rule has no action", "write one after a colon, as in `exit 137: retry, memory x2 up to 16Gi`"));
    };
    let (mut matchers, mut at_most, mut words) = (Vec::new(), None, Vec::new());
    let parts = head.split(',');
    for (at, part) in parts.iter().enumerate() {
        let (part, budget) = without_budget(*part)?;
        if budget.is_some() && at + 1 < parts.len() {
            return Err(part.problem("`at most` is not expected before another matcher", "write it at the end, right before the colon"));
        }
        at_most = budget;
        words.extend(part.words().iter().map(|word| word.text));
        matchers.push(matcher(part)?);
    }
    let mut parts = tail.split(',').into_iter();
    let action = action(parts.next().expect("splitting gives a part at least"))?;
    let changes = parts.map(|part| change(part, &action)).collect::<Result<Vec<_>, _>>()?;
    Ok(FailureRule { line: line.line, identity: hash(&words.join(" ")), matchers, at_most, action, changes })
}

/// A matcher without the budget behind it, and the budget.
fn without_budget(part: AnnotationPart<'_>) -> Result<(AnnotationPart<'_>, Option<u32>), AnnotationProblem> {
    let words = part.words();
    let Some(at) = words.windows(2).position(|pair| pair[0].text == "at" && pair[1].text == "most") else { return Ok((part, None)) };
    if part.text.ends_with('"') {
        return Ok((part, None));
    }
    let (matcher, budget) = part.cut_before(words[at]);
    let [_, _, count, times] = budget.words()[..] else { return Err(budget.problem("`at most` is not complete", BUDGET)) };
    if !matches!(times.text, "times" | "time") {
        return Err(times.problem(format!("`{}` is written where `times` is expected", times.text), BUDGET));
    }
    let most = number(count, "a number of times", 1, MOST_TIMES)?;
    if matcher.text.is_empty() { Err(budget.problem("a matcher is missing before `at most`", MATCHERS)) } else { Ok((matcher, Some(most))) }
}

/// Where a budget stands, as an error says it.
pub(super) const BEFORE_COLON: &str = "write it right before the colon";
/// The largest budget of a rule.
const MOST_TIMES: u32 = 1000;

fn matcher(part: AnnotationPart<'_>) -> Result<FailureMatcher, AnnotationProblem> {
    let (word, rest) = part.first_word();
    let single = |what: &str, example: &str| match rest.words()[..] {
        [value] => Ok(value),
        [] => Err(part.end().problem(format!("`{}` has no {what}", word.text), format!("write `{example}`"))),
        [_, extra, ..] => {
            let remedy = match extra.text {
                text if MATCHER_WORDS.contains(&text) => "put a comma between two matchers".to_owned(),
                "and" => "put a comma between two matchers, without `and`".to_owned(),
                _ if example.contains('|') => format!("put bars between several, as in `{example}`"),
                _ => format!("write a rule for each {what}, one per line"),
            };
            Err(extra.problem(format!("`{}` is not expected after the {what}", extra.text), remedy))
        }
    };
    Ok(match word.text {
        "exit" => FailureMatcher::Exit(ranges(single("exit code", "exit 1|137")?, "an exit code", 0, 255)?),
        "reason" => {
            let words = single("reason", "reason OOMKilled|Error")?.split('|');
            let empty = words.iter().find(|word| !is_word(word.text));
            match empty {
                Some(word) => return Err(word.problem(format!("`{}` is not a reason", word.text), "write reasons as `OOMKilled|Evicted`")),
                None => FailureMatcher::Reason(words.iter().map(|word| word.text.into()).collect()),
            }
        }
        "condition" => {
            let kind = single("condition", "condition DisruptionTarget")?;
            match kind.text.split_once('/').map_or(is_word(kind.text), |(domain, name)| is_subdomain(domain) && is_path(name)) {
                true => FailureMatcher::Condition(kind.text.into()),
                false => {
                    return Err(kind.problem(format!("`{}` is not a condition type", kind.text), "write one such as DisruptionTarget"));
                }
            }
        }
        "message" => FailureMatcher::Message(Glob::read(rest)?),
        "container" => {
            let name = single("container", "container main")?;
            match crate::syntax::is_label(name.text) {
                true => FailureMatcher::Container(name.text.into()),
                false => {
                    return Err(name.problem(format!("`{}` is not a container name", name.text), "write its name in the template"));
                }
            }
        }
        "index" => {
            let set = ranges(single("index", "index 0|3-7")?, "an index", 0, i32::MAX)?;
            let index = |index: i32| index.unsigned_abs();
            FailureMatcher::Index(set.into_iter().map(|range| index(*range.start())..=index(*range.end())).collect())
        }
        "attempt" => attempt(part, rest)?,
        "any" if rest.text.is_empty() => FailureMatcher::Any,
        "any" => return Err(rest.problem(format!("`{}` is not expected after `any`", rest.text), "write `any` alone")),
        "" => return Err(part.problem("a matcher is missing", MATCHERS)),
        other => return Err(word.problem(format!("`{other}` is not a matcher"), meant_matcher(other))),
    })
}

fn attempt(part: AnnotationPart<'_>, rest: AnnotationPart<'_>) -> Result<FailureMatcher, AnnotationProblem> {
    let words = rest.words();
    let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
    let or_later = match texts[..] {
        [] => return Err(part.end().problem("`attempt` has no number", "write `attempt 3` or `attempt 3 or later`")),
        [_] => false,
        [_, "or", "later"] => true,
        [..] => {
            return Err(words[1]
                .problem(format!("`{}` is not expected after the number", words[1].text), "write `attempt 3` or `attempt 3 or later`"));
        }
    };
    Ok(FailureMatcher::Attempt { number: number(words[0], "an attempt number", 1, i32::MAX.unsigned_abs())?, or_later })
}

/// What somebody means who writes a matcher of other systems.
fn meant_matcher(word: &str) -> &'static str {
    let matches = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    if word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-' || byte == b'|') {
        return "write `exit 1|137` for exit codes, with a bar between two";
    }
    if matches(&["exitCode", "exitCodes", "code", "codes", "exit-code", "onExitCodes"]) {
        return "write `exit 137`";
    }
    if matches(&["OOMKilled", "OOM", "DeadlineExceeded", "Error", "onReason"]) {
        return "write `reason OOMKilled|Error`";
    }
    if matches(&["DisruptionTarget", "Evicted", "Preempted", "onPodConditions", "conditions"]) {
        return "write `condition DisruptionTarget`";
    }
    if matches(&["all", "always", "*", "else", "default", "otherwise"]) {
        return "write `any`";
    }
    MATCHERS
}

/// Reads numbers and ranges with bars between them.
fn ranges(part: AnnotationPart<'_>, what: &str, least: u32, most: i32) -> Result<Vec<RangeInclusive<i32>>, AnnotationProblem> {
    let most = most.unsigned_abs();
    let bound = |part: AnnotationPart<'_>| number(part, what, least, most).map(u32::cast_signed);
    let range = |item: AnnotationPart<'_>| match item.split_once('-') {
        None => bound(item).map(|only| only..=only),
        Some((first, last)) => {
            let range = bound(first)?..=bound(last)?;
            if range.is_empty() { Err(item.problem("the range ends before it begins", "write the lower number first")) } else { Ok(range) }
        }
    };
    part.split('|').into_iter().map(range).collect()
}

fn action(part: AnnotationPart<'_>) -> Result<FailureAction, AnnotationProblem> {
    let words = part.words();
    let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
    match texts[..] {
        ["retry", ..] => retry(part, &words[1..]),
        ["fail", "the", "index"] => Ok(FailureAction::FailIndex),
        ["fail", "the", "Job" | "job"] => Ok(FailureAction::FailJob),
        ["hold"] => Ok(FailureAction::Hold),
        [] => Err(part.problem("the action is missing", ACTIONS)),
        ["fail", ..] | ["failjob" | "FailJob", ..] => {
            Err(part.problem(format!("`{}` does not say what fails", part.text), "write `fail the index` or `fail the Job`"))
        }
        ["ignore" | "Ignore", ..] => Err(part.problem("`ignore` is not an action", "write `retry uncounted`")),
        ["Retry" | "RETRY" | "Hold" | "Fail", ..] => {
            Err(words[0].problem(format!("`{}` has capitals", words[0].text), format!("write `{}`", words[0].text.to_lowercase())))
        }
        ["hold", ..] => Err(words[1].problem(format!("`{}` is not expected after `hold`", words[1].text), "write `hold` alone")),
        [..] => Err(words[0].problem(format!("`{}` is not an action", words[0].text), ACTIONS)),
    }
}

fn retry(part: AnnotationPart<'_>, words: &[AnnotationPart<'_>]) -> Result<FailureAction, AnnotationProblem> {
    let (counted, words) = match words {
        [first, rest @ ..] if first.text == "uncounted" => (false, rest),
        words => (true, words),
    };
    let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
    let after = match texts[..] {
        [] => RetryAfter::Default,
        ["after"] => return Err(part.end().problem("the delay is missing", "write `retry after 5m` or `retry after the message says`")),
        ["after", "the", "message", "says"] => RetryAfter::Message,
        ["after", _] => RetryAfter::Delay(length(words[1], "a delay", SHORTEST_DELAY, LONGEST_DELAY)?),
        ["in", ..] => return Err(words[0].problem("`in` is not known", "write `retry after 5m`")),
        ["at", "most", ..] => return Err(words[0].problem("`at most` is not expected after the action", BEFORE_COLON)),
        ["memory" | "cpu" | "another" | "on", ..] => {
            return Err(words[0]
                .problem(format!("`{}` is not expected after `retry`", words[0].text), "put a comma between the action and a change"));
        }
        [..] => {
            let remedy = "write `retry`, `retry uncounted`, `retry after 5m` or `retry after the message says`";
            return Err(words[0].problem(format!("`{}` is not expected after `retry`", words[0].text), remedy));
        }
    };
    Ok(FailureAction::Retry { counted, after })
}
