//! The annotations of Jobs, read naively: what their rules say about pods.
//!
//! Docs: README, "Beyond Kubernetes"; `crates/api/src/annotation/README.md`. The rules are read as the controllers read them, and applied to pods by
//! code that shares nothing with theirs.

use api::annotation::{FailureAction, FailureMatcher, FailureRule, JobExtensions, ON_FAILURE, PendingAction, RetryAfter};
use api::{Duration, Job, Timestamp, time};
use serde_json::Value;

use crate::ledger::PodRecord;
use crate::page;

/// What the annotations of all rules begin with.
const DOMAIN: &str = "jobsmith.dev/";

/// Whether a Job asks for something.
pub(crate) fn asks(job: &Job) -> bool {
    job.metadata.annotations.keys().any(|key| key.starts_with(DOMAIN))
}

/// What a Job asks for, if all of it can be read.
pub(crate) fn asked(job: &Job) -> Option<JobExtensions> {
    job.extensions().ok()
}

/// Whether a Job has rules on failed pods that act.
pub(crate) fn has_rules(job: &Job) -> bool {
    asked(job).is_some_and(|asked| asked.on_failure.is_some()) && !job.spec.template.json().contains("OnFailure")
}

/// The rule that decides about a pod, and the container that it is about.
#[derive(Debug)]
pub(crate) struct DecidingRule {
    pub(crate) rule: FailureRule,
    pub(crate) container: Option<String>,
    message: String,
}

impl DecidingRule {
    /// How long the next pod waits at least after the pod's end.
    pub(crate) fn delay(&self) -> Duration {
        match self.rule.action {
            FailureAction::Retry { after: RetryAfter::Delay(delay), .. } => delay,
            FailureAction::Retry { after: RetryAfter::Message, .. } if self.message.contains("retry-after") => Duration::from_secs(1),
            FailureAction::Retry { counted: false, .. } => Duration::from_secs(1),
            FailureAction::Retry { .. } | FailureAction::FailIndex | FailureAction::FailJob | FailureAction::Hold => Duration::ZERO,
        }
    }
}

/// The first rule on failures that a pod matches.
pub(crate) fn decided(job: &Job, record: &PodRecord) -> Option<DecidingRule> {
    let annotation = job.metadata.annotations.contains_key(ON_FAILURE);
    if !annotation || job.spec.template.json().contains("OnFailure") {
        return None;
    }
    let pod = record.json();
    if !may_decide(pod) || record.ended() && page::action(job, record.facts()).is_some() {
        return None;
    }
    let rules = asked(job)?.on_failure?.0;
    let failed = failed_containers(pod);
    let of_pod = |name: &str| pod["status"][name].as_str().unwrap_or_default().to_owned();
    let nobody = [FailedContainer { name: None, code: None, reason: String::new(), message: String::new() }];
    let failed = if failed.is_empty() { &nobody[..] } else { &failed };
    for rule in rules {
        let used_up = rule.at_most.is_some_and(|most| matches(record, rule.identity, None) >= most);
        let impossible = rule.action == FailureAction::FailIndex && job.spec.backoff_limit_per_index.is_none();
        if used_up || impossible {
            continue;
        }
        for container in failed {
            if rule.matchers.iter().all(|matcher| fits(matcher, pod, record, container)) {
                let own = Some(container.message.clone()).filter(|message| !message.is_empty());
                let message = own.unwrap_or_else(|| of_pod("message"));
                return Some(DecidingRule { rule, container: container.name.clone(), message });
            }
        }
    }
    None
}

/// What decides about a pod as it is, or as the manager may have seen it.
pub(crate) fn may_have_decided<'a>(job: &'a Job, record: &'a PodRecord) -> impl Iterator<Item = DecidingRule> + 'a {
    record.states().filter_map(|state| decided(job, state))
}

/// Whether a pod failed, and nobody deleted it before; one that was ended from outside counts in any case.
pub(crate) fn may_decide(pod: &Value) -> bool {
    let phase = pod["status"]["phase"].as_str().unwrap_or_default();
    let Some(deleted) = pod["metadata"]["deletionTimestamp"].as_str().and_then(|at| at.parse::<Timestamp>().ok()) else {
        return phase == "Failed";
    };
    if disrupted(pod) {
        return phase != "Succeeded";
    }
    let grace = pod["metadata"]["deletionGracePeriodSeconds"].as_i64().unwrap_or(0);
    let requested = time::after(deleted, Duration::from_secs(-grace));
    phase == "Failed" && ended_at(pod).is_some_and(|ended| ended < requested)
}

/// Whether a pod was ended from outside, or is going to be.
pub(crate) fn disrupted(pod: &Value) -> bool {
    let mut conditions = pod["status"]["conditions"].as_array().into_iter().flatten();
    conditions.any(|condition| condition["type"] == "DisruptionTarget" && condition["status"] == "True")
}

/// When the last container ended, sidecars among them (J-95).
pub(crate) fn ended_at(pod: &Value) -> Option<Timestamp> {
    let statuses = |list: &str| pod["status"][list].as_array().into_iter().flatten();
    let end = |status: &Value| status["state"]["terminated"]["finishedAt"].as_str()?.parse::<Timestamp>().ok();
    let sidecars: Vec<&Value> = statuses("initContainerStatuses").filter(|status| is_sidecar(pod, &status["name"])).collect();
    let regular: Option<Vec<Timestamp>> = statuses("containerStatuses").map(end).collect();
    let of_sidecars: Vec<Timestamp> = sidecars.iter().copied().map(end).collect::<Option<_>>()?;
    let regular = if sidecars.is_empty() { regular? } else { regular.unwrap_or_default() };
    regular.into_iter().chain(of_sidecars).max()
}

/// Whether an init container of this name runs beside the others.
fn is_sidecar(pod: &Value, name: &Value) -> bool {
    let mut inits = pod["spec"]["initContainers"].as_array().into_iter().flatten();
    inits.any(|container| container["name"] == *name && container["restartPolicy"] == "Always")
}

/// A container that failed; one without a name and a code stands for the pod.
#[derive(Debug)]
struct FailedContainer {
    name: Option<String>,
    code: Option<i64>,
    reason: String,
    message: String,
}

/// The containers that failed, init containers after the others; a sidecar does not fail its pod.
fn failed_containers(pod: &Value) -> Vec<FailedContainer> {
    let statuses = ["containerStatuses", "initContainerStatuses"].map(|list| pod["status"][list].as_array().into_iter().flatten());
    let failed = statuses.into_iter().flatten().filter(|status| !is_sidecar(pod, &status["name"])).filter_map(|status| {
        let end = status["state"]["terminated"].as_object()?;
        let text = |name: &str| end.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let code = end.get("exitCode").and_then(Value::as_i64)?;
        let name = status["name"].as_str().map(str::to_owned);
        (code != 0).then(|| FailedContainer { name, code: Some(code), reason: text("reason"), message: text("message") })
    });
    failed.collect()
}

fn fits(matcher: &FailureMatcher, pod: &Value, record: &PodRecord, container: &FailedContainer) -> bool {
    match matcher {
        FailureMatcher::Exit(codes) => container
            .code
            .is_some_and(|code| codes.iter().any(|range| i64::from(*range.start()) <= code && code <= i64::from(*range.end()))),
        FailureMatcher::Reason(reasons) => {
            reasons.iter().any(|reason| **reason == *container.reason || pod["status"]["reason"] == **reason)
        }
        FailureMatcher::Condition(kind) => {
            let mut conditions = pod["status"]["conditions"].as_array().into_iter().flatten();
            conditions.any(|condition| condition["type"] == **kind && condition["status"] == "True")
        }
        FailureMatcher::Message(glob) => [&*container.message, pod["status"]["message"].as_str().unwrap_or_default()]
            .iter()
            .any(|message| !message.is_empty() && glob.matches(message)),
        FailureMatcher::Container(name) => container.name.as_deref() == Some(name),
        FailureMatcher::Index(indexes) => record.index().is_some_and(|index| indexes.iter().any(|range| range.contains(&index))),
        FailureMatcher::Attempt { number, or_later } => {
            let own = attempt(record);
            own == *number || *or_later && own > *number
        }
        FailureMatcher::Any => true,
    }
}

/// Which attempt a pod says it is.
pub(crate) fn attempt(pod: &PodRecord) -> u32 {
    annotation(pod, "attempt").parse().unwrap_or(1)
}

/// How often the rule with an identity has matched before a pod: for a container (`*`: none), or for all.
pub(crate) fn matches(pod: &PodRecord, rule: u32, container: Option<&str>) -> u32 {
    let items = annotation(pod, "rule-matches").split(',').filter_map(|item| item.split_once('='));
    let counts = items.filter_map(|(key, times)| Some((key.split_once('/')?, times.parse::<u32>().ok()?)));
    let own = |written: &str| u32::from_str_radix(written, 16) == Ok(rule);
    let wanted = counts.filter(|((written, name), _)| own(written) && container.is_none_or(|container| container == *name));
    wanted.map(|(_, times)| times).sum()
}

/// The rules, by identity, and containers that a pod says have matched before it.
pub(crate) fn matched(pod: &PodRecord) -> Vec<(u32, String)> {
    let keys = annotation(pod, "rule-matches").split(',').filter_map(|item| item.split_once('=')?.0.split_once('/'));
    keys.filter_map(|(rule, container)| Some((u32::from_str_radix(rule, 16).ok()?, container.to_owned()))).collect()
}

fn annotation<'a>(pod: &'a PodRecord, name: &str) -> &'a str {
    pod.metadata().annotations.get(&*format!("{DOMAIN}{name}")).map_or("", |value| &**value)
}

/// Whether a rule says that a failure does not count.
pub(crate) fn uncounted(job: &Job, pod: &PodRecord) -> bool {
    decided(job, pod).is_some_and(|decided| matches!(decided.rule.action, FailureAction::Retry { counted: false, .. }))
}

/// Whether annotations let a pod make its index fail: by a rule, by the time since the Job's start, or because it does not start. `None`: they say nothing.
pub(crate) fn fails_index(job: &Job, pod: &PodRecord) -> Option<bool> {
    if !asks(job) {
        return None;
    }
    let asked = asked(job)?;
    let stuck = asked.on_pending.is_some_and(|rules| rules.0.iter().any(|rule| rule.action == PendingAction::FailIndex));
    // The manager may not have been shown yet that it has started.
    if stuck {
        return Some(true);
    }
    let action = decided(job, pod).map(|decided| decided.rule.action);
    if action == Some(FailureAction::FailIndex) || late(job, pod, asked.retry_within) {
        return Some(true);
    }
    matches!(action, Some(FailureAction::Retry { counted: false, .. })).then_some(false)
}

/// Whether a pod failed after the time in which its Job replaces failed pods, as it is or as the manager may have seen it.
pub(crate) fn late(job: &Job, pod: &PodRecord, within: Option<Duration>) -> bool {
    let Some((start, within)) = job.status.start_time.zip(within) else { return false };
    let failed_late =
        |state: &PodRecord| page::may_have_failed(state) && ended_at(state.json()).is_none_or(|ended| ended > time::after(start, within));
    pod.states().any(failed_late)
}
