//! Rules on failed pods: which line of a Job's annotation matches a failed pod.
//!
//! Docs: README, "Beyond Kubernetes". How the rules are written is in `api::annotation`; `podFailurePolicy`, which comes first, is in
//! `pod_failure_policy.rs`, and what the next pod carries of the matches, in `attempts.rs`.

use api::annotation::{self, FailureAction, FailureMatcher, FailureRule, FailureRules, RetryAfter};
use api::pod::{ConditionStatus, ContainerStatus, Phase, StatusDetail};
use api::{Duration, Job, Pod};

use super::backoff::containers_finished_at;
use super::decision::{FailureMatch, action};

/// The shortest delay before a pod follows one that a rule matches (P7).
const SHORTEST_DELAY: Duration = Duration::from_secs(1);

/// A failed pod and the rule that matches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MatchedLine<'a> {
    /// The pod.
    pub(crate) pod: &'a Pod,
    /// The rule.
    pub(crate) rule: &'a FailureRule,
    /// The container that failed; `None` if no single one did.
    pub(crate) container: Option<&'a ContainerStatus>,
}

/// The first rule that matches a failed pod.
pub(crate) fn matched<'a>(rules: &'a FailureRules, job: &Job, pod: &'a Pod) -> Option<MatchedLine<'a>> {
    if !may_match(pod) {
        return None;
    }
    let failed: Vec<&ContainerStatus> = failed_containers(pod).collect();
    let acts = |rule: &&FailureRule| {
        let index_can_fail = job.spec.backoff_limit_per_index.is_some() || rule.action != FailureAction::FailIndex;
        let carried = pod.attempt.as_ref().map_or(0, |attempt| attempt.matches.of_line(rule.line));
        index_can_fail && rule.at_most.is_none_or(|most| carried < most)
    };
    rules.0.iter().filter(acts).find_map(|rule| {
        let fits = |container: Option<&'a ContainerStatus>| rule.matchers.iter().all(|matcher| fits(matcher, pod, container));
        let container = match &failed[..] {
            [] => fits(None).then_some(None),
            failed => failed.iter().copied().map(Some).find(|container| fits(*container)),
        };
        Some(MatchedLine { pod, rule, container: container? })
    })
}

/// Whether rules are about the pod at all: it failed by itself, or was ended from outside for a reason that its conditions say. One that somebody
/// deleted was to end (volcano #4814).
pub(crate) fn may_match(pod: &Pod) -> bool {
    match pod.metadata.deletion_requested_at() {
        None => pod.phase == Phase::Failed,
        Some(_) if disrupted(pod) => pod.phase != Phase::Succeeded,
        Some(deleted_at) => pod.phase == Phase::Failed && containers_finished_at(pod).is_some_and(|ended_at| ended_at < deleted_at),
    }
}

/// Whether the pod was ended from outside.
fn disrupted(pod: &Pod) -> bool {
    pod.condition("DisruptionTarget").is_some_and(|target| target.status == ConditionStatus::True)
}

/// The containers that failed, in the order in which `podFailurePolicy` looks at them. Sidecars do not fail their pod; one that ran out of memory has
/// failed whatever its exit code is (k/k #131530).
fn failed_containers(pod: &Pod) -> impl Iterator<Item = &ContainerStatus> {
    let containers = pod.containers.iter().chain(&pod.init_containers).filter(|container| !container.sidecar);
    containers.filter(|container| container.terminated().is_some_and(|end| end.exit_code != 0 || reason(container) == "OOMKilled"))
}

/// Whether a pod of which this container failed is what a rule asks for.
fn fits(matcher: &FailureMatcher, pod: &Pod, container: Option<&ContainerStatus>) -> bool {
    let details = || container.and_then(detail).into_iter().chain(pod_detail(pod));
    match matcher {
        FailureMatcher::Exit(codes) => {
            let code = container.and_then(ContainerStatus::terminated).map(|end| end.exit_code);
            code.is_some_and(|code| codes.iter().any(|range| range.contains(&code)))
        }
        FailureMatcher::Reason(reasons) => {
            let of_pod = pod_detail(pod).map_or("", |detail| &detail.reason);
            reasons.iter().any(|wanted| **wanted == *of_pod || container.is_some_and(|container| **wanted == *reason(container)))
        }
        FailureMatcher::Condition(kind) => pod.condition(kind).is_some_and(|found| found.status == ConditionStatus::True),
        FailureMatcher::Message(glob) => details().any(|detail| !detail.message.is_empty() && glob.matches(&detail.message)),
        FailureMatcher::Container(name) => container.is_some_and(|container| container.name == *name),
        FailureMatcher::Index(indexes) => pod.completion_index.is_some_and(|index| indexes.iter().any(|range| range.contains(&index))),
        FailureMatcher::Attempt { number, or_later } => {
            let own = attempt_number(pod);
            own == *number || *or_later && own > *number
        }
        FailureMatcher::Any => true,
    }
}

/// Which attempt a pod is.
pub(crate) fn attempt_number(pod: &Pod) -> u32 {
    pod.attempt.as_ref().map_or(1, |attempt| attempt.number)
}

/// Why a container ended. `Error` is what the kubelet says of one without a reason of its own, and is not kept.
fn reason(container: &ContainerStatus) -> &str {
    detail(container).map(|detail| &*detail.reason).filter(|reason| !reason.is_empty()).unwrap_or("Error")
}

fn detail(container: &ContainerStatus) -> Option<&StatusDetail> {
    container.terminated()?.detail.as_deref()
}

fn pod_detail(pod: &Pod) -> Option<&StatusDetail> {
    pod.trouble.as_ref().map(|trouble| &trouble.detail)
}

impl MatchedLine<'_> {
    /// Whether the failure counts towards limits.
    pub(crate) fn counts(&self) -> bool {
        !matches!(self.rule.action, FailureAction::Retry { counted: false, .. })
    }

    /// Whether the Job and the index of the pod go on.
    pub(crate) fn goes_on(&self) -> bool {
        matches!(self.rule.action, FailureAction::Retry { .. } | FailureAction::Hold)
    }

    /// How long the next pod waits, if the rule says so; `usual` is the delay after so many failures without a rule.
    pub(crate) fn delay(&self, usual: impl FnOnce(u32) -> Duration) -> Option<Duration> {
        let FailureAction::Retry { counted, after } = self.rule.action else { return None };
        let asked = match after {
            RetryAfter::Default => None,
            RetryAfter::Delay(delay) => Some(delay),
            RetryAfter::Message => self.message().and_then(annotation::retry_after),
        };
        let uncounted = || (!counted).then(|| usual(attempt_number(self.pod)).max(SHORTEST_DELAY));
        asked.or_else(uncounted)
    }

    /// The message of the container that failed, or else of the pod.
    fn message(&self) -> Option<&str> {
        let details = self.container.and_then(detail).into_iter().chain(pod_detail(self.pod));
        details.map(|detail| &*detail.message).find(|message| !message.is_empty())
    }

    /// In words.
    pub(crate) fn in_words(&self) -> FailureMatch {
        let (pod, end) = (self.pod, self.container.and_then(ContainerStatus::terminated));
        let several = pod.containers.len() + pod.init_containers.len() > 1;
        let of_pod = pod_detail(pod).map(|detail| detail.reason.clone()).filter(|reason| !reason.is_empty());
        let of_container = self.container.and_then(detail).map(|detail| detail.reason.clone());
        let plain = |reason: &api::Text| matches!(&**reason, "" | "Error" | "Completed");
        FailureMatch {
            pod: pod.metadata.name.clone(),
            index: pod.completion_index,
            container: self.container.filter(|_| several).map(|container| container.name.clone()),
            exit_code: end.map(|end| end.exit_code),
            reason: of_pod.or_else(|| of_container.filter(|reason| !plain(reason))).or_else(|| pod.disruption()),
            message: self.message().unwrap_or_default().into(),
            line: self.rule.line,
            action: action(&self.rule.action),
        }
    }
}
