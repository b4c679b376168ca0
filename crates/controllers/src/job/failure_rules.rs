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
    /// The line that would decide instead, but has matched as often as it may.
    pub(crate) used_up: Option<usize>,
}

/// The first rule that matches a failed pod, and has not matched as often as it may.
pub(crate) fn matched<'a>(rules: &'a FailureRules, job: &Job, pod: &'a Pod) -> Option<MatchedLine<'a>> {
    let mut fitting = fitting(rules, job, pod);
    let first = fitting.next()?;
    if !first.is_used_up() {
        return Some(first);
    }
    let next = fitting.find(|line| !line.is_used_up())?;
    Some(MatchedLine { used_up: Some(first.rule.line), ..next })
}

/// The line that would decide about a failed pod that none matches, but has matched as often as it may.
pub(crate) fn used_up(rules: &FailureRules, job: &Job, pod: &Pod) -> Option<usize> {
    fitting(rules, job, pod).next().filter(MatchedLine::is_used_up).map(|line| line.rule.line)
}

/// The rules that match a failed pod, however often they may.
fn fitting<'a>(rules: &'a FailureRules, job: &Job, pod: &'a Pod) -> impl Iterator<Item = MatchedLine<'a>> {
    let rules = if may_match(pod) { &rules.0[..] } else { &[] };
    let failed: Vec<&ContainerStatus> = failed_containers(pod).collect();
    let index_can_fail = job.spec.backoff_limit_per_index.is_some();
    let acts = move |rule: &&FailureRule| index_can_fail || rule.action != FailureAction::FailIndex;
    rules.iter().filter(acts).filter_map(move |rule| {
        let fits = |container: Option<&'a ContainerStatus>| rule.matchers.iter().all(|matcher| fits(matcher, pod, container));
        let container = match &failed[..] {
            [] => fits(None).then_some(None),
            failed => failed.iter().copied().map(Some).find(|container| fits(*container)),
        };
        Some(MatchedLine { pod, rule, container: container?, used_up: None })
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

/// Whether a matcher fits a pod whose failed container this is; `None`: no single container failed.
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
    /// Whether the rule has matched before the pod as often as it may.
    fn is_used_up(&self) -> bool {
        let carried = self.pod.attempt.as_ref().map_or(0, |attempt| attempt.matches.of_rule(self.rule.identity));
        self.rule.at_most.is_some_and(|most| carried >= most)
    }

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
            used_up: self.used_up,
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use super::*;

    /// A container that has ended.
    fn ended(name: &str, code: i32, more: &Value) -> Value {
        let mut end = json!({"exitCode": code, "finishedAt": "2026-01-01T00:00:05Z"});
        end.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"name": name, "state": {"terminated": end}})
    }

    /// A pod of phase Failed whose containers have ended so.
    fn failed(containers: &[Value]) -> Value {
        json!({"metadata": {"name": "pi-1", "annotations": {}}, "status": {"phase": "Failed", "containerStatuses": containers}})
    }

    fn with(mut pod: Value, path: &str, value: Value) -> Value {
        let (parent, name) = path.rsplit_once('/').unwrap();
        pod.pointer_mut(parent).unwrap()[name.replace('~', "/")] = value;
        pod
    }

    /// Which line matches each pod, and with which container.
    fn lines(rules: &str, pods: &[Value]) -> String {
        let (rules, mut job) = (FailureRules::read(rules).unwrap(), Job::default());
        job.spec.backoff_limit_per_index = Some(1);
        let line = |pod: &Value| {
            let pod: Pod = serde_json::from_str(&pod.to_string()).unwrap();
            let MatchedLine { rule, container, .. } = matched(&rules, &job, &pod)?;
            Some(format!("line {} {}", rule.line, container.map_or("-", |container| &container.name)))
        };
        pods.iter().map(|pod| line(pod).unwrap_or_else(|| "no line".to_owned())).collect::<Vec<_>>().join(", ")
    }

    fn check(rules: &str, pods: &[Value], expected: Expect) {
        expected.assert_eq(&lines(rules, pods));
    }

    #[test]
    fn exit_codes_are_those_of_failed_containers() {
        let code = |code| failed(&[ended("main", code, &json!({}))]);
        check("exit 3|10-12: retry", &[code(3), code(11), code(13)], expect!["line 1 main, line 1 main, no line"]);
        let two = failed(&[ended("log", 1, &json!({})), ended("main", 3, &json!({}))]);
        check("exit 3: retry\nexit 1: retry", std::slice::from_ref(&two), expect!["line 1 main"]);
        check("exit 3, container log: retry\nexit 3, container main: retry", &[two], expect!["line 2 main"]);
        let init = with(failed(&[]), "/status/initContainerStatuses", json!([ended("init", 3, &json!({}))]));
        check("exit 3: retry", &[init], expect!["line 1 init"]);
        check("exit 0: retry", &[failed(&[ended("main", 0, &json!({}))])], expect!["no line"]);
    }

    #[test]
    fn reasons_are_those_of_a_container_or_of_the_pod() {
        let reason = |code, reason: &str| failed(&[ended("log", 1, &json!({})), ended("main", code, &json!({"reason": reason}))]);
        check(
            "reason OOMKilled: retry\nreason Error: retry",
            &[reason(137, "OOMKilled"), reason(0, "OOMKilled"), reason(137, "Error"), reason(0, "Completed")],
            expect!["line 1 main, line 1 main, line 2 log, line 2 log"],
        );
        let evicted = |containers: &[Value]| with(failed(containers), "/status/reason", json!("Evicted"));
        check(
            "reason DeadlineExceeded|Evicted: retry",
            &[evicted(&[]), evicted(&[ended("main", 143, &json!({}))])],
            expect!["line 1 -, line 1 main"],
        );
    }

    #[test]
    fn messages_are_those_of_a_container_or_of_the_pod() {
        let message = |message: &str| failed(&[ended("main", 1, &json!({"message": message}))]);
        let of_pod = with(failed(&[]), "/status/message", json!("The node was low on resource: memory."));
        check(
            "message *invalid token*: retry\nmessage *low on*: retry",
            &[message("fatal: invalid token\n"), message("Invalid Token"), of_pod, failed(&[])],
            expect!["line 1 main, no line, line 2 -, no line"],
        );
        check("message *: retry", &[failed(&[ended("main", 1, &json!({}))])], expect!["no line"]);
    }

    #[test]
    fn conditions_must_be_true() {
        let condition = |status: &str| with(failed(&[]), "/status/conditions", json!([{"type": "DisruptionTarget", "status": status}]));
        check(
            "condition DisruptionTarget: retry",
            &[condition("True"), condition("False"), failed(&[])],
            expect!["line 1 -, no line, no line"],
        );
    }

    #[test]
    fn indexes_attempts_and_budgets_are_the_pods_own() {
        let index = |index: &str| with(failed(&[]), "/metadata/annotations/batch.kubernetes.io~job-completion-index", json!(index));
        check("index 0|2-3: retry", &[index("0"), index("1"), index("3"), failed(&[])], expect!["line 1 -, no line, line 1 -, no line"]);
        let attempt = |attempt: &str| with(failed(&[]), "/metadata/annotations/jobsmith.dev~attempt", json!(attempt));
        let pods = [failed(&[]), attempt("1"), attempt("2"), attempt("3")];
        check("attempt 3 or later: retry\nattempt 1: retry", &pods, expect!["line 2 -, line 2 -, no line, line 1 -"]);
        let rules = "any at most 2 times: retry\nany: hold";
        let identities: Vec<u32> = FailureRules::read(rules).unwrap().0.iter().map(|rule| rule.identity).collect();
        let carries = |line: usize, matches: &[&str]| {
            let matches: Vec<String> = matches.iter().map(|matches| format!("{:08x}/{matches}", identities[line - 1])).collect();
            with(attempt("5"), "/metadata/annotations/jobsmith.dev~rule-matches", json!(matches.join(",")))
        };
        check(
            rules,
            &[carries(1, &["main=1"]), carries(1, &["main=1", "*=1"]), carries(2, &["main=7"])],
            expect!["line 1 -, line 2 -, line 1 -"],
        );
    }

    #[test]
    fn a_line_fails_the_index_only_where_an_index_can_fail() {
        let (rules, pod) = (FailureRules::read("any: fail the index\nany: hold").unwrap(), failed(&[]).to_string());
        let pod: Pod = serde_json::from_str(&pod).unwrap();
        let mut job = Job::default();
        assert_eq!(matched(&rules, &job, &pod).unwrap().rule.line, 2);
        job.spec.backoff_limit_per_index = Some(0);
        assert_eq!(matched(&rules, &job, &pod).unwrap().rule.line, 1);
    }

    #[test]
    fn a_pod_that_somebody_deletes_matches_only_if_it_had_ended_or_was_disrupted() {
        let deleted = |pod: Value, at: &str| with(pod, "/metadata/deletionTimestamp", json!(format!("2026-01-01T00:00:{at}Z")));
        let main = || failed(&[ended("main", 1, &json!({}))]);
        let disrupted = |pod: Value| with(pod, "/status/conditions", json!([{"type": "DisruptionTarget", "status": "True"}]));
        let phase = |phase: &str| with(failed(&[]), "/status/phase", json!(phase));
        check(
            "any: retry",
            &[deleted(main(), "04"), deleted(main(), "05"), deleted(main(), "06"), deleted(failed(&[]), "06")],
            expect!["no line, no line, line 1 main, no line"],
        );
        check(
            "any: retry",
            &[deleted(disrupted(main()), "04"), deleted(disrupted(phase("Running")), "04"), deleted(disrupted(phase("Succeeded")), "04")],
            expect!["line 1 main, line 1 -, no line"],
        );
        check("any: retry", &[phase("Running"), disrupted(phase("Running")), phase("Succeeded")], expect!["no line, no line, no line"]);
    }

    #[test]
    fn a_match_says_how_the_pod_failed() {
        let message = |containers: &[Value], more: (&str, Value)| {
            let rules = FailureRules::read("any: retry").unwrap();
            let pod: Pod = serde_json::from_str(&with(failed(containers), more.0, more.1).to_string()).unwrap();
            matched(&rules, &Job::default(), &pod).unwrap().in_words().message("default")
        };
        let nothing = || ("/metadata/uid", json!("u"));
        let one = [ended("main", 3, &json!({"reason": "Error", "message": "no token"}))];
        expect!["Pod default/pi-1 failed with exit code 3 (no token), matching line 1 of jobsmith.dev/on-failure"]
            .assert_eq(&message(&one, nothing()));
        let two = [ended("log", 0, &json!({"reason": "Completed"})), ended("main", 137, &json!({"reason": "OOMKilled"}))];
        expect!["Pod default/pi-1 failed with exit code 137 of container main (OOMKilled), matching line 1 of jobsmith.dev/on-failure"]
            .assert_eq(&message(&two, nothing()));
        let target = json!([{"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}]);
        expect!["Pod default/pi-1 failed (PreemptionByScheduler), matching line 1 of jobsmith.dev/on-failure"]
            .assert_eq(&message(&[], ("/status/conditions", target)));
        expect!["Pod default/pi-1 failed, matching line 1 of jobsmith.dev/on-failure"].assert_eq(&message(&[], nothing()));
    }

    #[test]
    fn a_delay_is_named_by_the_rule_or_by_the_message() {
        let delay = |action: &str, message: &str| {
            let rules = FailureRules::read(&format!("any: {action}")).unwrap();
            let pod =
                with(failed(&[ended("main", 1, &json!({"message": message}))]), "/metadata/annotations/jobsmith.dev~attempt", json!("3"));
            let pod: Pod = serde_json::from_str(&pod.to_string()).unwrap();
            let usual = |failures: u32| Duration::from_millis(i64::from(failures) * 100);
            matched(&rules, &Job::default(), &pod).unwrap().delay(usual).map(|delay| delay.as_millis())
        };
        assert_eq!([delay("retry", ""), delay("hold", ""), delay("fail the Job", "")], [None; 3]);
        assert_eq!(delay("retry after 5m", ""), Some(300_000));
        assert_eq!(delay("retry uncounted", ""), Some(1000), "never at once");
        let asks = "retry after the message says";
        assert_eq!([delay(asks, "Retry-After: 7"), delay(asks, "later"), delay(asks, "")], [Some(7000), None, None]);
        assert_eq!(delay("retry uncounted after the message says", "later"), Some(1000));
    }
}
