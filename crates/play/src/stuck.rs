//! Pods that were found stuck, in words: they stay so, and people are to know it, and what would change it.
//!
//! Docs: Debug Pods. Which pods that are is decided in `cluster::kubelet`; why a Job makes no progress because of them is in `obstacles.rs`.

use api::request::ApiError;
use api::{DEFAULT_NAMESPACE, Text, listed};
use cluster::kubelet::{PodFoundStuck, StuckCause, StuckReason};
use script::ObjectName;

/// How many pods are named; of more, the number.
const NAMED: usize = 3;

/// A sentence for each cause, without its end. Where messages differ, as with the names of volumes, the first is shown.
pub(crate) fn sentences(pods: impl Iterator<Item = PodFoundStuck>) -> Vec<Text> {
    let named = pods.map(|PodFoundStuck { namespace, name, cause }| {
        (ObjectName { namespace: (*namespace != *DEFAULT_NAMESPACE).then_some(namespace), name }, cause)
    });
    grouped(named, like).iter().map(|(cause, names)| sentence(cause, names).into()).collect()
}

/// That pods of Jobs are refused: a sentence for all that are refused alike.
pub(crate) fn refused<'e>(jobs: impl Iterator<Item = (ObjectName, &'e ApiError)>) -> Vec<Text> {
    let sentence = |(error, names): &(&ApiError, Vec<ObjectName>)| {
        let (stay, their) = if let [_] = &names[..] { ("stays as it was found", "its") } else { ("stay as they were found", "their") };
        let why = format!("the API server refuses to create {their} pods ({})", error.message);
        format!("{} {stay}: {why}; to change that, add the action 'at 5s: accept pods'", named("job", names)).into()
    };
    grouped(jobs, |one, other| one == other).iter().map(sentence).collect()
}

/// The causes with the objects that have each: of causes that are alike, the first.
fn grouped<C>(objects: impl Iterator<Item = (ObjectName, C)>, like: impl Fn(&C, &C) -> bool) -> Vec<(C, Vec<ObjectName>)> {
    let mut alike: Vec<(C, Vec<ObjectName>)> = Vec::new();
    for (name, cause) in objects {
        match alike.iter_mut().find(|(known, _)| like(known, &cause)) {
            Some((_, names)) => names.push(name),
            None => alike.push((cause, vec![name])),
        }
    }
    alike
}

/// Whether one sentence holds for both.
fn like(one: &StuckCause, other: &StuckCause) -> bool {
    match (one, other) {
        (StuckCause::Unscheduled(one), StuckCause::Unscheduled(other)) | (StuckCause::Gated(one), StuckCause::Gated(other)) => {
            one.reason == other.reason
        }
        (
            StuckCause::Container { name, init, reason },
            StuckCause::Container { name: other_name, init: other_init, reason: other_reason },
        ) => (name, init, &reason.reason) == (other_name, other_init, &other_reason.reason),
        _ => one == other,
    }
}

fn sentence(cause: &StuckCause, names: &[ObjectName]) -> String {
    let (stay, their, them) =
        if let [_] = names { ("stays as it was found", "its", "it") } else { ("stay as they were found", "their", "them") };
    let which = if let [name] = names { format!("pod {name}") } else { "pods".to_owned() };
    let (why, remedy) = match cause {
        StuckCause::Unscheduled(reason) => {
            (format!("no node can run {them}{}", because(reason)), format!("; to change that, add the rule '{which}: scheduled after 1s'"))
        }
        StuckCause::Gated(reason) => (format!("a scheduling gate holds {them} back{}", because(reason)), String::new()),
        StuckCause::Container { name, init, reason } => {
            let named = if *init { container(names, name) } else { which };
            (
                format!("container {name} cannot start{}", because(reason)),
                format!("; to change that, add the rule '{named}: starts after 1s'"),
            )
        }
        StuckCause::KeptRunning { container: name } => {
            let rule = format!("{}: succeed after 5s", container(names, name));
            (format!("container {name} keeps {them} running"), format!("; to change that, add the rule '{rule}'"))
        }
        StuckCause::NodeLost => {
            (format!("{their} node does not respond"), "; to change that, add the action 'at 5s: remove node'".to_owned())
        }
    };
    format!("{} {stay}: {why}{remedy}", named("pod", names))
}

/// A container of these pods in the script language.
fn container(pods: &[ObjectName], name: &Text) -> String {
    if let [pod] = pods { format!("pod {pod} container {name}") } else { format!("container {name}") }
}

/// The reason and the message in brackets, where there are any.
fn because(StuckReason { reason, message }: &StuckReason) -> String {
    match (&**reason, &**message) {
        ("", "") => String::new(),
        (one, "") | ("", one) => format!(" ({one})"),
        (reason, message) => format!(" ({reason}: {message})"),
    }
}

/// `pod a`, `pods a and b`, `pods a, b, c and 4 more`.
fn named(noun: &str, names: &[ObjectName]) -> String {
    let mut parts: Vec<String> = names.iter().take(NAMED).map(ToString::to_string).collect();
    parts.extend(names.len().checked_sub(NAMED).filter(|more| *more > 0).map(|more| format!("{more} more")));
    let plural = if names.len() == 1 { "" } else { "s" };
    format!("{noun}{plural} {}", listed(&parts, "and"))
}
