//! Attempts: what the next pods carry of those before them, and what they have that their template does not say.
//!
//! Docs: README, "Beyond Kubernetes". It is carried as Kubernetes carries the failures of an index (J-110), so that it outlives the pods. It
//! only grows, and each pod adds one to what it carries itself: what is read twice, or fails at once, counts once. How a spec is changed is in
//! `pod_changes.rs`.

use std::collections::BTreeMap;

use api::annotation::{FailureRules, GrowingResource, PodChange};
use api::attempt::RuleMatches;
use api::{Attempt, Text};

use super::decision::{JobDecision, NextPod};
use super::failure_rules::MatchedLine;
use super::failures::{Failures, JudgedPod};
use super::plan::JobPlan;
use super::pod_changes::{Grown, Growth, PodChanges};
use super::view::JobView;

/// How many nodes the next pod rather does not run on.
const MOST_NODES: usize = 10;

/// The next attempts of a Job's indexes, or of a Job without indexes.
#[derive(Debug)]
pub(crate) struct NextAttempts<'a> {
    view: &'a JobView<'a>,
    /// What the next pod carries, and how often rules had matched before the pods there are.
    attempts: BTreeMap<Option<u32>, (Attempt, RuleMatches)>,
}

/// The next attempt of an index, or of a Job without indexes.
#[derive(Debug)]
pub(crate) struct NextAttempt {
    /// What its pod carries.
    pub(crate) attempt: Attempt,
    /// What its pod has that the template does not say.
    pub(crate) changes: PodChanges,
    /// Whether a rule has matched more often than any pod before carries.
    pub(crate) matched: bool,
}

impl<'a> NextAttempts<'a> {
    /// Those that follow from a Job's pods.
    pub(crate) fn of(failures: &Failures<'a>) -> Self {
        let mut attempts = BTreeMap::<Option<u32>, (Attempt, RuleMatches)>::new();
        for judged in &failures.pods {
            let (attempt, carried) = attempts.entry(judged.index).or_default();
            carried.join(judged.carried().matches);
            judged.add_to(attempt);
        }
        Self { view: failures.view, attempts }
    }

    /// That of an index, or of a Job without indexes; `None` if its pods do not carry their attempt.
    pub(crate) fn of_index(&self, index: Option<u32>) -> Option<NextAttempt> {
        let extensions = self.view.extensions.as_ref().ok().filter(|extensions| extensions.numbers_attempts())?;
        let (attempt, carried) = self.attempts.get(&index).cloned().unwrap_or_default();
        let changes = extensions.on_failure.as_ref().map(|rules| changes(rules, &attempt)).unwrap_or_default();
        let changes = PodChanges { attempt_env: extensions.attempt_env.clone(), ..changes };
        Some(NextAttempt { changes, matched: attempt.matches != carried, attempt })
    }
}

impl NextAttempt {
    /// Adds what its pod has that the template does not say to the decisions of a plan, with what has grown; and an Event if memory has.
    pub(crate) fn announce(self, view: &JobView<'_>, index: Option<u32>, grown: Vec<Grown>, plan: &mut JobPlan) {
        for Grown { container, resource, from, to } in grown {
            if self.matched && resource == GrowingResource::Memory {
                let of_index = index.map(|index| format!(" of index {index}")).unwrap_or_default();
                let message = format!("Container {container} of the next pod{of_index} has {to} of memory instead of {from}");
                plan.notices.push(view.notice(false, "MemoryIncreased", &message));
            }
            plan.decide(JobDecision::NextPod(NextPod::GrowsContainer { index, container, resource: resource.name(), from, to }));
        }
        let PodChanges { avoided_nodes, node_labels, .. } = self.changes;
        if !avoided_nodes.is_empty() {
            plan.decide(JobDecision::NextPod(NextPod::AvoidsNodes { index, nodes: avoided_nodes.join(", ") }));
        }
        if !node_labels.is_empty() {
            let labels: Vec<String> = node_labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
            plan.decide(JobDecision::NextPod(NextPod::SelectsNodes { index, labels: labels.join(", ") }));
        }
    }
}

impl JudgedPod<'_> {
    /// What it carries.
    fn carried(&self) -> Attempt {
        self.pod.attempt.as_deref().cloned().unwrap_or_default()
    }

    /// Adds what it carries, and what its failure adds to that.
    fn add_to(&self, next: &mut Attempt) {
        let own = self.carried();
        next.number = next.number.max(own.number.saturating_add(u32::from(self.failed)));
        next.matches.join(match &self.line {
            Some(MatchedLine { rule, container, .. }) => own.matches.with(rule.line, container.map(|container| &container.name)),
            None => own.matches,
        });
        let avoids = self.line.is_some_and(|line| line.rule.changes.contains(&PodChange::AnotherNode));
        for node in own.failed_nodes.into_iter().chain(Some(own.node).filter(|node| avoids && !node.is_empty())) {
            next.failed_nodes.retain(|known| *known != node);
            next.failed_nodes.push(node);
        }
        next.failed_nodes.drain(..next.failed_nodes.len().saturating_sub(MOST_NODES));
    }
}

/// What a pod has by the rules that matched before it; of two values for a label, that of the later line.
fn changes(rules: &FailureRules, attempt: &Attempt) -> PodChanges {
    let mut changes = PodChanges::default();
    let mut labels = BTreeMap::<&Text, &Text>::new();
    for rule in &rules.0 {
        for change in rule.changes.iter().filter(|_| attempt.matches.of_line(rule.line) > 0) {
            match change {
                PodChange::Grow { resource, by, up_to } => {
                    changes.growth.extend(attempt.matches.containers(rule.line).map(|(container, times)| Growth {
                        container: container.cloned(),
                        resource: *resource,
                        by: by.clone(),
                        up_to: up_to.clone(),
                        times,
                    }));
                }
                PodChange::AnotherNode => changes.avoided_nodes.clone_from(&attempt.failed_nodes),
                PodChange::OnLabel { key, value } => _ = labels.insert(key, value),
            }
        }
    }
    changes.node_labels = labels.into_iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    changes
}
