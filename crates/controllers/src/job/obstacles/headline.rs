//! Headline: the answer in one sentence.
//!
//! Docs: Jobs, "Terminal Job conditions"; `jobsmith explain`. The obstacles that it begins with are in `mod.rs`.

use api::job::conditions;
use api::pod::Phase;
use api::{Job, Pod};
use contract::Obstacle;
use contract::decision::{Role, Sentence};

use super::{Situation, reference};
use crate::runtime::decision::{Decide, decision};
use crate::runtime::obstacle::Prose;

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
            on_its_way(subject, job, at).text(leads).sentence(&first.sentence)
        }
        None => {
            let acting = at.plan.decisions.iter().map(Decide::topic).find(|topic| topic.role() == Role::Action);
            match acting {
                Some(topic) => subject.text(" is under way: ").clause(&decision(topic, &job.metadata.namespace).sentence),
                None => subject.text(" is under way"),
            }
        }
    };
    prose.into()
}

/// `, which is failing (DeadlineExceeded),`, if that is decided.
fn on_its_way(subject: Prose, job: &Job, at: &Situation<'_>) -> Prose {
    let interim = |kind: &str| job.status.conditions.iter().find(|condition| &*condition.kind == kind && &*condition.status == "True");
    let ending = |ends: &str, reason: &str| format!(", which is {ends} ({reason}),");
    let failing = interim(conditions::FAILURE_TARGET).map(|condition| ending("failing", &condition.reason));
    let succeeding = || interim(conditions::SUCCESS_CRITERIA_MET).map(|condition| ending("completing", &condition.reason));
    let ending = failing.or_else(succeeding).filter(|_| !job.metadata.deleting() && at.config.other_manager(job).is_none());
    ending.map_or(subject.clone(), |ending| subject.text(&ending))
}

/// `Job pi has been Failed since … (BackoffLimitExceeded): 3 pods failed (exit code 1 twice, OOMKilled)`.
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
    let ends = ends(pods);
    if ends.is_empty() { prose } else { prose.text(&format!(" ({ends})")) }
}

/// How the failed pods that are still there ended: `exit code 1 twice, OOMKilled`.
fn ends(pods: &[&Pod]) -> String {
    let mut alike: Vec<(String, usize)> = Vec::new();
    for pod in pods.iter().filter(|pod| pod.phase == Phase::Failed) {
        let end = end(pod);
        match alike.iter_mut().find(|(known, _)| *known == end) {
            Some((_, count)) => *count += 1,
            None => alike.push((end, 1)),
        }
    }
    let times = |(end, count): &(String, usize)| match count {
        1 => end.clone(),
        2 => format!("{end} twice"),
        _ => format!("{end} {count} times"),
    };
    alike.iter().map(times).collect::<Vec<_>>().join(", ")
}

/// How a failed pod ended, in a few words.
fn end(pod: &Pod) -> String {
    if let Some(reason) = pod.trouble.as_ref().map(|trouble| &trouble.detail.reason).filter(|reason| !reason.is_empty()) {
        return reason.to_string();
    }
    let mut ends = pod.containers.iter().chain(&pod.init_containers).filter_map(|container| container.terminated());
    match ends.find(|end| end.exit_code != 0) {
        Some(end) => match end.detail.as_ref().map(|detail| &*detail.reason) {
            Some(reason) if !reason.is_empty() && reason != "Error" => reason.to_owned(),
            Some(_) | None => format!("exit code {}", end.exit_code),
        },
        None => "no exit code".to_owned(),
    }
}
