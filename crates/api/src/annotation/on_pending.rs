//! `jobsmith.dev/on-pending`: what follows from a pod that does not start, rule by rule.
//!
//! Docs: README, "Beyond Kubernetes". What follows from a match is decided in `controllers`.

use crate::Duration;

use super::glob::Glob;
use super::part::{AnnotationPart, AnnotationProblem};
use super::rules;
use super::slips::suggesting_meant;
use super::values::length;

/// The rules, in their order: the first that matches decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PendingRules(pub Vec<PendingRule>);

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingRule {
    /// Its line in the annotation, from 1.
    pub line: usize,
    /// What the pod waits for; `None`: anything.
    pub class: Option<PendingClass>,
    /// What the message about it is like.
    pub message: Option<Glob>,
    /// How long it may wait.
    pub deadline: Duration,
    /// What follows then.
    pub action: PendingAction,
}

/// What a pod waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PendingClass {
    /// An image.
    Image,
    /// A container that cannot be created or started as it is configured.
    Config,
    /// A node.
    Unschedulable,
    /// It has a node, and nothing of the other classes.
    Starting,
}

/// What follows from a pod that has waited too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PendingAction {
    /// It fails, which counts.
    Fail,
    /// Another pod takes its place, and nothing counts.
    Replace,
    /// Its index fails.
    FailIndex,
    /// The Job fails.
    FailJob,
}

/// The classes, as an error lists them.
const CLASSES: &str = "write image, config, unschedulable, starting or any";
/// The actions, as an error lists them.
const ACTIONS: &str = "write fail, replace, fail the index or fail the Job";
/// The shortest deadline.
const SHORTEST: Duration = Duration::from_secs(10);
/// The longest deadline: a week.
const LONGEST: Duration = Duration::from_hours(168);

impl PendingClass {
    /// The class as a rule has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Config => "config",
            Self::Unschedulable => "unschedulable",
            Self::Starting => "starting",
        }
    }
}

impl PendingRules {
    /// Reads the rules, one a line.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn read(value: &str) -> Result<Self, AnnotationProblem> {
        rules(value, |line| suggesting_meant(line, rule)).map(Self)
    }
}

fn rule(line: AnnotationPart<'_>) -> Result<PendingRule, AnnotationProblem> {
    let Some((head, tail)) = line.split_once(':') else {
        return Err(line.end().problem("the rule has no action", "write one after a colon, as in `image 10m: fail the Job`"));
    };
    let (class, message, deadline) = condition(head, tail)?;
    Ok(PendingRule { line: line.line, class, message, deadline, action: action(tail)? })
}

fn condition(
    head: AnnotationPart<'_>,
    tail: AnnotationPart<'_>,
) -> Result<(Option<PendingClass>, Option<Glob>, Duration), AnnotationProblem> {
    let (word, rest) = head.first_word();
    let class = match word.text {
        "image" => Some(PendingClass::Image),
        "config" => Some(PendingClass::Config),
        "unschedulable" => Some(PendingClass::Unschedulable),
        "starting" => Some(PendingClass::Starting),
        "any" => None,
        "" => return Err(head.problem("what the pod waits for is missing", CLASSES)),
        other => return Err(word.problem(format!("`{other}` is not something that a pod waits for"), meant_class(other))),
    };
    let words = rest.words();
    let Some((deadline, between)) = words.split_last() else {
        return Err(head.end().problem("the deadline is missing", format!("write `{} 10m`", word.text)));
    };
    let message = match between {
        [] if deadline.text == "message" => {
            return Err(head.end().problem("the message and the deadline are missing", "write `image message *denied* 10m`"));
        }
        [] => None,
        [first, ..] if first.text == "message" => {
            let (message, _) = rest.cut_before(*deadline);
            Some(Glob::read(message.first_word().1)?)
        }
        [first, between @ ..] => {
            let remedy = match between.first().filter(|second| second.text == "message") {
                Some(second) => format!("write `{} {} {}: {}`", word.text, rest.cut_before(*second).1.text, first.text, tail.text),
                None => format!("write `{} 10m`", word.text),
            };
            return Err(first.problem(format!("`{}` is not expected before the deadline", first.text), remedy));
        }
    };
    Ok((class, message, length(*deadline, "a deadline", SHORTEST, LONGEST)?))
}

/// What somebody means who writes a reason, or a word of other systems.
fn meant_class(word: &str) -> &'static str {
    match word {
        "ErrImagePull" | "ImagePullBackOff" | "InvalidImageName" | "ErrImageNeverPull" | "RegistryUnavailable" | "pull" | "images" => {
            "write `image`"
        }
        "CreateContainerConfigError" | "CreateContainerError" | "RunContainerError" => "write `config`",
        "Unschedulable" | "scheduling" | "pending" | "Pending" => "write `unschedulable`",
        "ContainerCreating" | "PodInitializing" | "creating" | "stuck" => "write `starting`",
        "all" | "always" | "*" | "pod" => "write `any`",
        _ => CLASSES,
    }
}

fn action(part: AnnotationPart<'_>) -> Result<PendingAction, AnnotationProblem> {
    let words = part.words();
    let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
    match texts[..] {
        ["fail"] => Ok(PendingAction::Fail),
        ["replace"] => Ok(PendingAction::Replace),
        ["fail", "the", "index"] => Ok(PendingAction::FailIndex),
        ["fail", "the", "Job" | "job"] => Ok(PendingAction::FailJob),
        [] => Err(part.problem("the action is missing", ACTIONS)),
        ["retry", ..] => {
            Err(words[0].problem("`retry` is an action of on-failure", "write `replace`, which does not count as a failure, or `fail`"))
        }
        ["hold", ..] => Err(words[0].problem("`hold` is an action of on-failure", ACTIONS)),
        ["fail" | "replace", ..] => Err(words[1].problem(format!("`{}` is not expected after the action", words[1].text), ACTIONS)),
        [..] => Err(words[0].problem(format!("`{}` is not an action", words[0].text), ACTIONS)),
    }
}
