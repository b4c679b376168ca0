//! Pods that were found stuck, in words: they stay so, and people are to know it, and what would change it.
//!
//! Docs: Debug Pods. Which pods that are is decided in `cluster::kubelet`; why a Job makes no progress because of them is in `obstacles.rs`.

use api::{DEFAULT_NAMESPACE, Text};
use cluster::kubelet::{PodFoundStuck, StuckCause, StuckReason};
use script::ObjectName;

/// How many pods are named; of more, the number.
const NAMED: usize = 3;

/// A sentence for each cause, without its end.
pub(crate) fn sentences(pods: impl Iterator<Item = PodFoundStuck>) -> Vec<Text> {
    let mut alike: Vec<(StuckCause, Vec<ObjectName>)> = Vec::new();
    for PodFoundStuck { namespace, name, cause } in pods {
        let name = ObjectName { namespace: (*namespace != *DEFAULT_NAMESPACE).then_some(namespace), name };
        match alike.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, names)) => names.push(name),
            None => alike.push((cause, vec![name])),
        }
    }
    alike.iter().map(|(cause, names)| sentence(cause, names).into()).collect()
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
            let named = match (*init, names) {
                (false, _) => which,
                (true, [_]) => format!("{which} container {name}"),
                (true, _) => format!("container {name}"),
            };
            (
                format!("container {name} cannot start{}", because(reason)),
                format!("; to change that, add the rule '{named}: starts after 1s'"),
            )
        }
        StuckCause::NodeLost => {
            (format!("{their} node does not respond"), "; to change that, add the action 'at 5s: remove node'".to_owned())
        }
    };
    format!("{} {stay}: {why}{remedy}", listed(names))
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
fn listed(names: &[ObjectName]) -> String {
    let text = |names: &[ObjectName]| names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match names {
        [] => String::new(),
        [name] => format!("pod {name}"),
        _ if names.len() > NAMED => format!("pods {} and {} more", text(&names[..NAMED]), names.len() - NAMED),
        [first @ .., last] => format!("pods {} and {last}", text(first)),
    }
}
