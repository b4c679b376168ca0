//! The failed pods of a Job with rules on them: until when they hold the next pods back.
//!
//! Docs: README, "Beyond Kubernetes". Which line matches a pod is in `failure_rules.rs`; what the pods after them carry, in `attempts.rs`. All of it
//! follows from pods that are stored, so a restart changes nothing.

use api::annotation::FailureAction;
use api::{Attempt, Duration, Pod, Timestamp};

use super::backoff::{BackoffDelay, usual_delay};
use super::decision::FailureMatch;
use super::failure_rules::{MatchedLine, attempt_number, may_match};
use super::tally::Claimed;
use super::view::JobView;
use super::{attempts, ownership};
use crate::runtime::order;

/// The pods of a Job whose pods carry their attempt, by index, attempt and time.
#[derive(Debug)]
pub(crate) struct Failures<'a> {
    pub(crate) view: &'a JobView<'a>,
    pub(crate) pods: Vec<PodAttempt<'a>>,
}

/// A pod of a Job, and what its failure matches.
#[derive(Debug)]
pub(crate) struct PodAttempt<'a> {
    pub(crate) pod: &'a Pod,
    /// Its completion index, if it is one of its Job's.
    pub(crate) index: Option<u32>,
    /// Whether it has failed.
    pub(crate) failed: bool,
    /// The line of the annotation that it matches.
    pub(crate) line: Option<MatchedLine<'a>>,
}

impl<'a> Failures<'a> {
    /// Those of a Job; nothing unless its pods carry their attempt.
    pub(crate) fn of(view: &'a JobView<'a>) -> Self {
        let rank = |pod: &'a Pod| (ownership::index(view.job, pod), attempt_number(pod), view.failed_at(pod), &pod.metadata.name);
        let ranks: Vec<_> = view.attempts.iter().map(|pod| rank(pod)).collect();
        let places = order::places(ranks.len(), &|one, other| ranks[one].cmp(&ranks[other]));
        let attempt = |place: usize| {
            let (pod, index) = (view.attempts[place], ranks[place].0);
            let failed = failed(view, pod);
            let line = if failed { view.judge(pod).line() } else { None };
            PodAttempt { pod, index, failed, line }
        };
        let own = |attempt: &PodAttempt<'_>| attempt.index.is_some() || !view.job.indexed();
        Self { view, pods: places.into_iter().map(attempt).filter(own).collect() }
    }

    /// The last failed pod that keeps the Job from creating others, and when it ended.
    pub(crate) fn holding(&self, now: Timestamp) -> Option<(FailureMatch, Timestamp)> {
        let holding = self.pods.iter().filter_map(|attempt| attempt.line.filter(|line| holds(self.view, line, now)));
        let last = holding.max_by_key(|line| self.view.failed_at(line.pod))?;
        Some((last.in_words(), self.view.failed_at(last.pod)))
    }

    /// The delays that rules ask for and that are not over, before the next pods of indexes, or of a Job without indexes: the longest of each.
    pub(crate) fn delays(&self, now: Timestamp) -> RuleDelays {
        let mut delays = RuleDelays::default();
        for PodAttempt { pod, index, line, .. } in &self.pods {
            let Some(line) = line else { continue };
            let Some((delay, jitter, left)) = delay_left(self.view, line, now) else { continue };
            if delays.get(*index).is_none_or(|known| known.left < left) {
                delays.0.pop_if(|(known, _)| known == index);
                let by = Some(Box::new(line.in_words()));
                let since = self.view.failed_at(pod);
                delays.0.push((*index, BackoffDelay { failures: attempt_number(pod), delay, jitter, since, left, by }));
            }
        }
        delays
    }

    /// Whether the next pods follow from a pod that would be gone without its finalizer: it holds them back, or no other pod carries what its failure
    /// adds.
    pub(crate) fn needs(&self, pod: &Pod, now: Timestamp) -> bool {
        let index = ownership::index(self.view.job, pod);
        let [first, last] =
            [self.pods.partition_point(|other| other.index < index), self.pods.partition_point(|other| other.index <= index)];
        let of_index = &self.pods[first..last];
        let Some(own) = of_index.iter().find(|attempt| attempt.pod.metadata.uid == pod.metadata.uid) else { return false };
        if own.line.is_some_and(|line| holds(self.view, &line, now) || delay_left(self.view, &line, now).is_some()) {
            return true;
        }
        let mut next = Attempt::default();
        own.add_to(&mut next);
        // The latest attempts are last.
        !of_index.iter().rev().filter_map(|other| other.pod.attempt.as_deref()).any(|carried| attempts::covers(carried, &next))
    }
}

/// Whether a failed pod keeps the Job from creating others.
fn holds(view: &JobView<'_>, line: &MatchedLine<'_>, now: Timestamp) -> bool {
    let resumed = view.extensions.resumed_at.filter(|resumed_at| *resumed_at <= now);
    line.rule.action == FailureAction::Hold && resumed.is_none_or(|resumed_at| view.failed_at(line.pod) > resumed_at)
}

/// The delay that a rule asks for, how much longer it is to be, and what is left of both; `None` if it is over.
fn delay_left(view: &JobView<'_>, line: &MatchedLine<'_>, now: Timestamp) -> Option<(Duration, Option<Duration>, Duration)> {
    let delay = line.delay(|failures| usual_delay(view, failures))?;
    let jitter = view.retry_jitter().map(|jitter| jitter.of(delay, &line.pod.metadata.uid));
    let left = delay + jitter.unwrap_or_default() - now.duration_since(view.failed_at(line.pod));
    left.is_positive().then_some((delay, jitter, left))
}

/// Delays by index; that of a Job without indexes has none.
#[derive(Debug, Default)]
pub(crate) struct RuleDelays(Vec<(Option<u32>, BackoffDelay)>);

impl RuleDelays {
    /// The delay of an index, or of a Job without indexes.
    pub(crate) fn get(&self, index: Option<u32>) -> Option<&BackoffDelay> {
        let place = self.0.binary_search_by_key(&index, |(index, _)| *index).ok()?;
        Some(&self.0[place].1)
    }

    /// Whether nothing is delayed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether a pod has failed, or counts as failed. One that lost its finalizer and was then deleted before it ended is one that the Job did not want.
fn failed(view: &JobView<'_>, pod: &Pod) -> bool {
    let metadata = &pod.metadata;
    let held = || metadata.has_finalizer(&view.config.tracking_finalizer) && !view.memory.expectations.expects_removal(&metadata.uid);
    Claimed::new(pod, true, None).failed(view.only_replace_failed()) && (!metadata.deleting() || may_match(pod) || held())
}

#[cfg(test)]
mod tests {
    use api::{Job, Kind, Object};
    use serde_json::{Value, json};

    use super::super::config::Config;
    use super::super::memory::Memory;
    use super::*;
    use crate::runtime::Store;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    /// A pod that ended with an exit code at a second; it has been counted.
    fn pod(name: &str, attempt: u32, index: &str, code: i32, second: i64) -> Value {
        let owner = json!({"apiVersion": "batch/v1", "kind": "Job", "name": "pi", "uid": "u", "controller": true});
        let annotations = json!({"jobsmith.dev/attempt": attempt.to_string(), "batch.kubernetes.io/job-completion-index": index});
        let metadata = json!({"name": name, "namespace": "default", "uid": name, "labels": {"job": "pi"}, "annotations": annotations, "ownerReferences": [owner]});
        let end = json!({"exitCode": code, "finishedAt": at(second)});
        json!({"metadata": metadata, "status": {"phase": "Failed", "containerStatuses": [{"name": "main", "state": {"terminated": end}}]}})
    }

    /// The delays of a Job at a second, after a restart, and what holds it.
    fn waits(rules: &str, spec: &Value, resumed_at: Option<i64>, pods: &[Value], now: i64) -> String {
        let mut whole = json!({"selector": {"matchLabels": {"job": "pi"}}, "template": {}});
        whole.as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
        let mut metadata = json!({"name": "pi", "namespace": "default", "uid": "u", "annotations": {"jobsmith.dev/on-failure": rules}});
        if let Some(second) = resumed_at {
            metadata["annotations"]["jobsmith.dev/resumed-at"] = json!(at(second));
        }
        let job: Job = serde_json::from_value(json!({"metadata": metadata, "spec": whole})).unwrap();
        let (mut store, memory, config) = (Store::default(), Memory::default(), Config::default());
        pods.iter().for_each(|pod| _ = store.put(Object::decode(Kind::Pod, &pod.to_string()).unwrap()));
        let view = JobView::of(&job, &store, &memory, None, &config);
        let failures = Failures::of(&view);
        let delays = failures.delays(at(now)).0.into_iter().map(|(index, delay)| {
            let by = delay.by.unwrap();
            let index = index.map(|index| format!("index {index} ")).unwrap_or_default();
            format!("{index}{} s after {} by line {}", delay.left.as_secs(), by.pod, by.line)
        });
        let held = failures.holding(at(now)).map(|(by, ended_at)| format!("held by {} of {}", by.pod, ended_at.as_second()));
        delays.chain(held).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_delay_follows_from_pods_that_are_stored() {
        let rules = "exit 75: retry after 5m\nexit 76: retry uncounted\nexit 77: retry";
        let pods = [pod("a", 1, "", 75, 100), pod("b", 3, "", 76, 380), pod("c", 4, "", 77, 390)];
        let delays = |now| waits(rules, &json!({}), None, &pods, now);
        assert_eq!(
            [delays(390), delays(400), delays(419), delays(420)],
            ["30 s after b by line 2", "20 s after b by line 2", "1 s after b by line 2", ""]
        );
        assert_eq!(waits(rules, &json!({}), None, &pods[..1], 399), "1 s after a by line 1");
    }

    #[test]
    fn indexes_wait_for_themselves() {
        let spec = json!({"completionMode": "Indexed", "completions": 3});
        let pods = [pod("a", 1, "0", 75, 100), pod("b", 1, "2", 75, 110), pod("c", 1, "3", 75, 120), pod("d", 1, "", 75, 130)];
        assert_eq!(
            waits("exit 75: retry after 1m", &spec, None, &pods, 140),
            "index 0 20 s after a by line 1, index 2 30 s after b by line 1"
        );
    }

    #[test]
    fn failures_hold_until_the_job_is_resumed_after_them() {
        let pods = [pod("a", 1, "", 42, 100), pod("b", 1, "", 42, 110), pod("c", 1, "", 1, 120)];
        let held = |resumed_at| waits("exit 42: hold", &json!({}), resumed_at, &pods, 1000);
        assert_eq!([held(None), held(Some(109)), held(Some(110))], ["held by b of 110", "held by b of 110", ""]);
    }
}
