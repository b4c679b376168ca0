//! How a failed pod ended, in a few words: what a person asks about it first.
//!
//! Docs: Pod Lifecycle, "Container states"; Disruptions, "Pod disruption conditions". How its Job stands is in `ending.rs`.

use api::{Text, Timestamp};
use serde::Serialize;
use serde_json::Value;

use crate::fields::{condition, items, moment};
use crate::judged::{JudgedBy, JudgedPod};
use crate::pod_decisions::PodDecisions;
use crate::record::RecordedPod;

/// How many letters of a message are shown.
const MESSAGE: usize = 120;
/// How many different ends are shown with their messages; of more, without.
const EXPLAINED: usize = 2;
/// How many different ends are named; of more, the number.
const NAMED: usize = 8;

/// The exit codes of containers that TERM and KILL end.
const SIGTERM: i32 = 143;
const SIGKILL: i32 = 137;

/// How a pod ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodEnding {
    /// The pod's name.
    pub pod: Text,
    /// When, if that is known.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "api::time::optional")]
    pub at: Option<Timestamp>,
    /// In a word or two: `exit 1`, `OOMKilled`, `Evicted on node worker-2`.
    pub how: String,
    /// What the container or the node reported about it, in one short line; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Whether it ended because it was deleted, or after that: its Job may not count it.
    #[serde(skip)]
    pub(crate) deleted: bool,
    /// The field or the annotation whose rule ignores it, if one does.
    #[serde(skip)]
    pub(crate) ignored_by: Option<String>,
}

impl PodEnding {
    /// How a pod ended, where only the condition of the Job shows that.
    pub(crate) fn of_judged(JudgedPod { pod, by, .. }: &JudgedPod) -> Self {
        let how = match by {
            JudgedBy::ExitCode { code, .. } => format!("exit {code}"),
            JudgedBy::Condition(condition) => condition.to_string(),
        };
        Self { pod: pod.clone(), at: None, how, message: String::new(), deleted: false, ignored_by: None }
    }

    /// The same with what was decided about the pod.
    pub(crate) fn with(self, PodDecisions { ignored_by, waited }: PodDecisions) -> Self {
        let message = waited.filter(|_| self.message.is_empty()).map_or(self.message, |waited| first_letters(&waited));
        Self { message, ignored_by, ..self }
    }

    /// How a pod ended that failed.
    pub(crate) fn of(pod: &RecordedPod) -> Option<Self> {
        let (spec, status) = (&pod.value["spec"], &pod.value["status"]);
        let deleted_at = pod.metadata.deletion_requested_at();
        let of_container = || of_container(spec, status, deleted_at);
        let (how, message) = (status["phase"] == "Failed").then(|| stopped(spec, status).unwrap_or_else(of_container))?;
        let at = pod.ended_at();
        let deleted = deleted_at.is_some_and(|deleted_at| at.is_none_or(|at| deleted_at <= at));
        Some(Self { pod: pod.metadata.name.clone(), at, how, message, deleted, ignored_by: None })
    }

    /// Several ends in words, equal ones together: `2 × exit 1, OOMKilled`.
    pub(crate) fn in_words(ends: &[Self]) -> Vec<String> {
        let messages = alike(ends.iter().map(|end| (&*end.how, &*end.message)));
        let all = if messages.len() > EXPLAINED { alike(ends.iter().map(|end| (&*end.how, ""))) } else { messages };
        let one = |((how, message), count): &((&str, &str), usize)| {
            let times = if *count == 1 { String::new() } else { format!("{count} × ") };
            let message = if message.is_empty() { String::new() } else { format!(": {message}") };
            format!("{times}{how}{message}")
        };
        let more: usize = all.iter().skip(NAMED).map(|(_, count)| count).sum();
        let more = (more > 0).then(|| format!("and {more} more"));
        all.iter().take(NAMED).map(one).chain(more).collect()
    }
}

/// Each different one with how often it is there, in the order in which they come.
fn alike<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<(T, usize)> {
    let mut alike: Vec<(T, usize)> = Vec::new();
    for one in all {
        match alike.iter_mut().find(|(known, _)| *known == one) {
            Some((_, count)) => *count += 1,
            None => alike.push((one, 1)),
        }
    }
    alike
}

/// Why and where something stopped the pod that was no container of it: the pod's own status says so, or its condition DisruptionTarget.
fn stopped(spec: &Value, status: &Value) -> Option<(String, String)> {
    let of = |value: &Value| {
        let reason = value["reason"].as_str().filter(|reason| !reason.is_empty())?.to_owned();
        Some((reason, first_letters(value["message"].as_str().unwrap_or_default())))
    };
    let disruption = || of(condition(status, "DisruptionTarget").filter(|condition| condition["status"] == "True")?);
    let (reason, message) = of(status).or_else(disruption)?;
    if reason == "DeadlineExceeded" {
        return Some((reason, String::new()));
    }
    let node = spec["nodeName"].as_str().filter(|node| !node.is_empty());
    Some((node.map_or(reason.clone(), |node| format!("{reason} on node {node}")), message))
}

/// How the first container ended that failed, init containers first; sidecars are stopped once the others have ended. Of a container that ended because its
/// pod was deleted then, it is how it ended before, if it was started again.
fn of_container(spec: &Value, status: &Value, deleted_at: Option<Timestamp>) -> (String, String) {
    let sidecar = |name: &Value| items(&spec["initContainers"]).any(|of| of["name"] == *name && of["restartPolicy"] == "Always");
    let containers = || ["initContainerStatuses", "containerStatuses"].into_iter().flat_map(|list| items(&status[list]));
    let failed = |container: &&Value| container["state"].get("terminated").is_some_and(|end| end["exitCode"] != 0);
    let others = containers().filter(failed).filter(|container| !sidecar(&container["name"]));
    let Some(container) = others.chain(containers().filter(failed)).next() else {
        let never_scheduled = spec["nodeName"].as_str().is_none_or(str::is_empty) && containers().next().is_none();
        return (if never_scheduled { "never scheduled" } else { "Failed" }.to_owned(), String::new());
    };
    let mut end = &container["state"]["terminated"];
    if stopped_by_deletion(end, deleted_at) {
        // The kubelet knows no times of a container that it lost, which may have run.
        let ran = !end["startedAt"].is_null() || end["message"].as_str().is_some_and(|message| message.contains("used to be Running"));
        end = &container["lastState"]["terminated"];
        if end.is_null() {
            return (format!("deleted {}", if ran { "while running" } else { "before it started" }), String::new());
        }
    }
    let what = match end["reason"].as_str().unwrap_or_default() {
        "" | "Error" => format!("exit {}", end["exitCode"]),
        reason => reason.to_owned(),
    };
    let name = container["name"].as_str().filter(|_| containers().count() > 1);
    let how = name.map_or(what.clone(), |name| format!("{what} in container {name}"));
    (how, last_letters(end["message"].as_str().unwrap_or_default()))
}

/// Whether a container ended by the signals that a pod gets that is deleted.
fn stopped_by_deletion(end: &Value, deleted_at: Option<Timestamp>) -> bool {
    let signalled = [SIGTERM, SIGKILL].iter().any(|code| end["exitCode"] == *code) && end["reason"] != "OOMKilled";
    signalled && deleted_at.is_some_and(|deleted_at| moment(&end["finishedAt"]).is_none_or(|at| deleted_at <= at))
}

/// The words of a text, without line breaks and other control characters.
fn words(text: &str) -> Vec<&str> {
    text.split(|letter: char| letter.is_whitespace() || letter.is_control()).filter(|word| !word.is_empty()).collect()
}

/// The beginning of a message, which says what it is about.
fn first_letters(message: &str) -> String {
    let line = words(message).join(" ");
    if line.chars().count() <= MESSAGE { line } else { line.chars().take(MESSAGE - 1).chain(['…']).collect() }
}

/// The end of a message: where a container writes none, its last lines of output are taken for it, and the cause is at the end.
fn last_letters(message: &str) -> String {
    let line = message.lines().map(|line| words(line).join(" ")).rfind(|line| !line.is_empty()).unwrap_or_default();
    let length = line.chars().count();
    if length <= MESSAGE { line } else { ['…'].into_iter().chain(line.chars().skip(length + 1 - MESSAGE)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ends_are_counted_and_many_different_ones_have_no_message() {
        let check = |ends: &[(&str, &str)], expected: &str| {
            let one = |(how, message): &(&str, &str)| {
                let (how, message) = ((*how).to_owned(), (*message).to_owned());
                PodEnding { pod: "a".into(), at: None, how, message, deleted: false, ignored_by: None }
            };
            let ends: Vec<PodEnding> = ends.iter().map(one).collect();
            assert_eq!(PodEnding::in_words(&ends).join(", "), expected);
        };
        check(&[("exit 1", ""), ("OOMKilled", ""), ("exit 1", "")], "2 × exit 1, OOMKilled");
        check(&[("exit 1", "no database"), ("exit 1", "no database"), ("exit 1", "no database")], "3 × exit 1: no database");
        check(&[("exit 1", "a"), ("exit 1", "b"), ("exit 1", "c"), ("exit 2", "")], "3 × exit 1, exit 2");
    }

    #[test]
    fn of_a_long_message_the_end_is_shown_where_the_cause_is() {
        let message = format!("first line\n{} executable file not found in $PATH\n\n", "x".repeat(200));
        let shown = last_letters(&message);
        assert!(shown.starts_with("…xx") && shown.ends_with("not found in $PATH") && shown.chars().count() == MESSAGE, "{shown}");
        assert_eq!(first_letters("The node\nwas low on\u{1b}[31m memory"), "The node was low on [31m memory");
    }
}
