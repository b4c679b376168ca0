//! Headline: the answer in one sentence.
//!
//! Docs: Jobs, "Terminal Job conditions"; `jobsmith explain`. The obstacles that it begins with are in `mod.rs`.

use api::job::conditions;
use api::pod::{ConditionStatus, Phase, PodCondition, StatusDetail};
use api::{Job, Pod};
use contract::Obstacle;
use contract::decision::{Role, Sentence};

use super::super::backoff::finished_at;
use super::sentences::in_brackets;
use super::{Situation, reference};
use crate::runtime::decision::{Decide, decision};
use crate::runtime::obstacle::{Prose, in_one_line};
use crate::runtime::order;

/// How many letters of a message, or of a list of indexes, a headline has.
const LONGEST: usize = 100;

/// How a Job ended, what it is stuck on, or what it waits for.
pub(in super::super) fn headline(at: &Situation<'_>, obstacles: &[Obstacle]) -> Sentence {
    let job = at.job;
    let subject = Prose::new("Job ").object(reference(job));
    let prose = match obstacles.first() {
        Some(first) if job.finished() => ended(subject, job, at.pods).text("; ").sentence(&first.sentence),
        None if job.finished() => ended(subject, job, at.pods),
        Some(first) => {
            let leads = match &*first.code {
                "BeingDeleted" if first.passes => " is being deleted: ",
                "Suspended" | "NoPodsWanted" => " is waiting: ",
                "ManagedByOther" => " is left to another controller: ",
                _ if first.passes => " is under way: ",
                _ => " is stuck: ",
            };
            let prose = on_its_way(subject, job, at).text(leads).sentence(&first.sentence);
            if matches!(&*first.code, "BacksOff" | "BacksOffIndex" | "DelaysRetry" | "DelaysRetryByRule") {
                prose.text(&in_brackets(&ends(at.pods)))
            } else {
                prose
            }
        }
        None => {
            let acting = at.plan.decisions.iter().map(Decide::topic).find(|topic| topic.role() == Role::Action);
            match acting {
                Some(topic) => {
                    on_its_way(subject, job, at).text(" is under way: ").clause(&decision(topic, &job.metadata.namespace).sentence)
                }
                None => on_its_way(subject, job, at).text(" is under way"),
            }
        }
    };
    prose.into()
}

/// `, which is failing (DeadlineExceeded),`, if that is decided, or `, which will fail because index 1 failed,`.
fn on_its_way(subject: Prose, job: &Job, at: &Situation<'_>) -> Prose {
    let ending = |ends: &str, reason: &str| format!(", which is {ends} ({reason}),");
    let failing = job.condition(conditions::FAILURE_TARGET).map(|condition| ending("failing", &condition.reason));
    let succeeding = || job.condition(conditions::SUCCESS_CRITERIA_MET).map(|condition| ending("completing", &condition.reason));
    let ending = failing
        .or_else(succeeding)
        .or_else(|| fails_at_last(job))
        .filter(|_| !job.metadata.deleting() && at.config.other_manager(job).is_none());
    ending.map_or(subject.clone(), |ending| subject.text(&ending))
}

/// `, which will fail because indexes 1,3 failed,`: it fails once its other indexes have ended (J-46g). With a success policy, it may succeed.
fn fails_at_last(job: &Job) -> Option<String> {
    let indexes = job.status.failed_indexes.as_deref().filter(|indexes| !indexes.is_empty() && job.spec.success_policy.is_none())?;
    let noun = if indexes.contains([',', '-']) { "indexes" } else { "index" };
    Some(format!(", which will fail because {noun} {} failed,", shortened(indexes)))
}

/// `Job pi has been Failed since … (BackoffLimitExceeded): 3 pods failed (2 × exit code 1, OOMKilled)`.
fn ended(subject: Prose, job: &Job, pods: &[&Pod]) -> Prose {
    let Some(condition) = job.finished_by() else { return subject };
    let prose = match condition.last_transition_time {
        Some(at) => subject.text(&format!(" has been {}", condition.kind)).since(" since ", Some(at)),
        None => subject.text(&format!(" is {}", condition.kind)),
    };
    if condition.complete() {
        let (succeeded, s) = (job.status.succeeded, if job.status.succeeded == 1 { "" } else { "s" });
        return prose.text(&format!(": {succeeded} pod{s} succeeded"));
    }
    let prose = prose.text(&format!(" ({})", condition.reason));
    let failed = job.status.failed;
    let prose = if failed > 0 { prose.text(&format!(": {failed} pod{} failed", if failed == 1 { "" } else { "s" })) } else { prose };
    let prose = prose.text(&in_brackets(&ends(pods)));
    match job.status.failed_indexes.as_deref() {
        None | Some("") => prose,
        Some(indexes) => prose.text(&format!("; failed indexes: {}", shortened(indexes))),
    }
}

/// How the failed pods that are still there ended: `2 × exit code 1, OOMKilled`; with the newest message of each.
fn ends(pods: &[&Pod]) -> String {
    let mut alike: Vec<(String, String, usize)> = Vec::new();
    let failed: Vec<&Pod> = pods.iter().copied().filter(|pod| pod.phase == Phase::Failed).collect();
    for pod in order::sorted(&failed, |one, other| finished_at(one).cmp(&finished_at(other))) {
        let (end, message) = end(pod);
        match alike.iter_mut().find(|(known, ..)| *known == end) {
            Some((_, newest, count)) => {
                *count += 1;
                if !message.is_empty() {
                    *newest = message;
                }
            }
            None => alike.push((end, message, 1)),
        }
    }
    let times = |(end, message, count): &(String, String, usize)| {
        let message = if message.is_empty() { String::new() } else { format!(": {}", shortened(&in_one_line(message))) };
        let times = if *count == 1 { String::new() } else { format!("{count} × ") };
        format!("{times}{end}{message}")
    };
    alike.iter().map(times).collect::<Vec<_>>().join(", ")
}

/// How a failed pod ended, in a few words, and the message about it.
fn end(pod: &Pod) -> (String, String) {
    if let Some(StatusDetail { reason, message }) =
        pod.trouble.as_ref().map(|trouble| &trouble.detail).filter(|detail| !detail.reason.is_empty())
    {
        return (reason.to_string(), message.to_string());
    }
    let disrupted = pod.condition("DisruptionTarget").filter(|condition| condition.status == ConditionStatus::True);
    if let Some(reason) = disrupted.map(PodCondition::reason).filter(|reason| !reason.is_empty()) {
        return (reason.to_owned(), String::new());
    }
    let mut ends = pod.containers.iter().chain(&pod.init_containers).filter_map(|container| container.terminated());
    let Some(end) = ends.find(|end| end.exit_code != 0) else { return ("no exit code".to_owned(), String::new()) };
    let StatusDetail { reason, message } = end.detail.as_deref().cloned().unwrap_or_default();
    let plain = reason.is_empty() || &*reason == "Error";
    (if plain { format!("exit code {}", end.exit_code) } else { reason.to_string() }, message.to_string())
}

/// The beginning of a long text.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
