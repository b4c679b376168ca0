//! Attempts: what the next pods carry of those before them, and what they have that their template does not say.
//!
//! Docs: README, "Beyond Kubernetes" (X-6, X-11). It is carried as Kubernetes carries the failures of an index (J-110), so that it outlives the pods. It
//! only grows, and each pod adds one to what it carries itself: what is read twice, or fails at once, counts once. How a spec is changed is in
//! `pod_changes.rs`.

use api::Attempt;
use api::annotation::{FailureRules, GrowingResource, PodChange};
use api::attempt::RuleMatches;

use super::decision::{JobDecision, NextPod};
use super::failure_rules::MatchedLine;
use super::failures::{Failures, PodAttempt};
use super::plan::JobPlan;
use super::pod_changes::{Grown, Growth, PodChanges};
use super::view::JobView;

/// How many nodes the next pod rather does not run on.
const MOST_NODES: usize = 10;

/// The next attempts of a Job's indexes, or of a Job without indexes.
#[derive(Debug)]
pub(crate) struct NextAttempts<'a> {
    view: &'a JobView<'a>,
    /// By index, what the next pod carries, and how often rules had matched before the pods that there are.
    attempts: Vec<(Option<u32>, Attempt, RuleMatches)>,
}

/// The next attempt of an index, or of a Job without indexes.
#[derive(Debug)]
pub(crate) struct NextAttempt {
    /// What its pod carries.
    pub(crate) attempt: Attempt,
    /// What its pod has that the template does not say.
    pub(crate) changes: PodChanges,
    /// How often rules had matched before the pods that there are.
    carried: RuleMatches,
}

impl<'a> NextAttempts<'a> {
    /// Those that follow from a Job's pods.
    pub(crate) fn of(failures: &Failures<'a>) -> Self {
        let mut attempts = Vec::<(Option<u32>, Attempt, RuleMatches)>::new();
        for before in &failures.pods {
            if attempts.last().is_none_or(|(index, ..)| *index != before.index) {
                attempts.push((before.index, Attempt::default(), RuleMatches::default()));
            }
            if let Some((_, attempt, carried)) = attempts.last_mut() {
                carried.join(before.carried().matches);
                before.add_to(attempt);
            }
        }
        Self { view: failures.view, attempts }
    }

    /// That of an index, or of a Job without indexes; `None` if its pods do not carry their attempt.
    pub(crate) fn of_index(&self, index: Option<u32>) -> Option<NextAttempt> {
        let extensions = &self.view.extensions;
        if !extensions.numbers_attempts() {
            return None;
        }
        let known = self.attempts.binary_search_by_key(&index, |(index, ..)| *index).ok().map(|place| self.attempts[place].clone());
        let (_, attempt, carried) = known.unwrap_or_default();
        let changes = extensions.on_failure.as_ref().map(|rules| changes(rules, &attempt)).unwrap_or_default();
        let changes = PodChanges { attempt_env: extensions.attempt_env.clone(), ..changes };
        Some(NextAttempt { attempt, changes, carried })
    }
}

impl NextAttempt {
    /// Adds what its pod has that the template does not say to the decisions of a plan, with what has grown; returns the memory that grows with it.
    pub(crate) fn announce(&self, index: Option<u32>, grown: Vec<Grown>, plan: &mut JobPlan) -> Vec<Grown> {
        for Grown { container, resource, from, to } in &grown {
            plan.decide(JobDecision::NextPod(NextPod::GrowsContainer {
                index,
                container: container.clone(),
                attempt: self.attempt.number,
                amounts: [resource.amount(from), resource.amount(to)],
                resource: resource.name(),
                from: from.to_string().into(),
                to: to.to_string().into(),
            }));
        }
        let grows = |grown: &Grown| {
            let mut containers = self.attempt.matches.beyond(&self.carried);
            grown.resource == GrowingResource::Memory && containers.any(|container| container.is_none_or(|named| *named == grown.container))
        };
        let memory = grown.into_iter().filter(grows).collect();
        let PodChanges { avoided_nodes, node_labels, .. } = &self.changes;
        if !avoided_nodes.is_empty() {
            plan.decide(JobDecision::NextPod(NextPod::AvoidsNodes { index, nodes: avoided_nodes.join(", ") }));
        }
        if !node_labels.is_empty() {
            let labels: Vec<String> = node_labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
            plan.decide(JobDecision::NextPod(NextPod::SelectsNodes { index, labels: labels.join(", ") }));
        }
        memory
    }
}

/// Whether a pod carries all that is to be carried; of the nodes, that is as many as there may be.
pub(super) fn covers(carried: &Attempt, next: &Attempt) -> bool {
    let nodes = || carried.failed_nodes.len() >= MOST_NODES || next.failed_nodes.iter().all(|node| carried.failed_nodes.contains(node));
    carried.number >= next.number && next.matches.beyond(&carried.matches).next().is_none() && nodes()
}

impl PodAttempt<'_> {
    /// What it carries.
    fn carried(&self) -> Attempt {
        self.pod.attempt.as_deref().cloned().unwrap_or_default()
    }

    /// Adds what it carries, and what its failure adds to that.
    pub(super) fn add_to(&self, next: &mut Attempt) {
        let own = self.carried();
        next.number = next.number.max(own.number.saturating_add(u32::from(self.failed)));
        next.matches.join(match &self.line {
            Some(MatchedLine { rule, container, .. }) => own.matches.with(rule.identity, container.map(|container| &container.name)),
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
    for rule in &rules.0 {
        for change in rule.changes.iter().filter(|_| attempt.matches.of_rule(rule.identity) > 0) {
            match change {
                PodChange::Grow { resource, by, up_to } => {
                    changes.growth.extend(attempt.matches.containers(rule.identity).map(|(container, times)| Growth {
                        container: container.cloned(),
                        resource: *resource,
                        by: by.clone(),
                        up_to: up_to.clone(),
                        times,
                    }));
                }
                PodChange::AnotherNode => changes.avoided_nodes.clone_from(&attempt.failed_nodes),
                PodChange::OnLabel { key, value } => {
                    changes.node_labels.retain(|(known, _)| known != key);
                    changes.node_labels.push((key.clone(), value.clone()));
                }
            }
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use api::{Job, Kind, Object, Timestamp};
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use super::super::config::Config;
    use super::super::memory::Memory;
    use super::super::plan::Intent;
    use super::super::reconcile::reconcile;
    use super::*;
    use crate::runtime::Store;

    /// A Job whose controller remembers nothing from one sync to the next.
    struct Bench {
        job: Job,
        store: Store,
        /// The messages of Events about memory that grew.
        grown: Vec<String>,
        minute: i64,
        pods: usize,
    }

    impl Bench {
        fn new(rules: &str, spec: &Value) -> Self {
            let resources = json!({"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}});
            let container = |name: &str| json!({"name": name, "resources": resources});
            let template = json!({
                "metadata": {"labels": {"job": "pi"}, "annotations": {"jobsmith.dev/rule-matches": "of the template"}},
                "spec": {"restartPolicy": "Never", "containers": [container("main"), container("log")]},
            });
            let mut whole = json!({"backoffLimit": 100, "selector": {"matchLabels": {"job": "pi"}}, "template": template});
            whole.as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
            let metadata = json!({"name": "pi", "namespace": "default", "uid": "u", "annotations": {"jobsmith.dev/on-failure": rules}});
            let job = serde_json::from_value(json!({"metadata": metadata, "spec": whole})).unwrap();
            Self { job, store: Store::default(), grown: Vec::new(), minute: 0, pods: 0 }
        }

        /// The pods that are created an hour later.
        fn created(&mut self) -> Vec<Value> {
            self.minute += 60;
            let (memory, config) = (Memory::default(), Config::default());
            let view = JobView::of(&self.job, &self.store, &memory, None, &config);
            let plan = reconcile(&view, Timestamp::from_second(self.minute * 60).unwrap());
            let mut created = Vec::new();
            for command in plan.batches.into_iter().flatten() {
                if let Intent::Create { memory, .. } = &command.intent {
                    self.grown.extend(memory.iter().map(|grown| grown.message("pi")));
                    created.push(serde_json::from_str(&command.request.body).unwrap());
                }
            }
            created
        }

        /// The watch shows a pod that was created and has this status, in its minute; it has been counted if it has ended.
        fn show(&mut self, pod: &Value, status: Value) {
            self.pods += 1;
            let mut pod = pod.clone();
            let ended = status["phase"] != "Running";
            pod["metadata"]["name"] = json!(format!("pi-{}", self.pods));
            pod["metadata"]["uid"] = json!(format!("u-{}", self.pods));
            pod["metadata"]["namespace"] = json!("default");
            pod["spec"]["nodeName"] = json!(format!("node-{}", self.pods));
            pod["status"] = status;
            if ended {
                pod["metadata"].as_object_mut().unwrap().remove("finalizers");
            }
            self.store.put(Object::decode(Kind::Pod, &pod.to_string()).unwrap());
        }

        fn fail(&mut self, pod: &Value, container: &str, reason: &str) {
            let at = Timestamp::from_second(self.minute * 60 + 1).unwrap();
            let end = json!({"exitCode": 137, "reason": reason, "finishedAt": at});
            self.show(pod, json!({"phase": "Failed", "containerStatuses": [{"name": container, "state": {"terminated": end}}]}));
        }

        /// Creates pods, and lets all of them fail alike.
        fn generation(&mut self, container: &str, reason: &str) -> Vec<Value> {
            let created = self.created();
            created.iter().for_each(|pod| self.fail(pod, container, reason));
            created
        }
    }

    /// What a pod carries, and what its containers may use.
    fn carried(pod: &Value) -> String {
        let annotation = |name: &str| pod["metadata"]["annotations"][name].as_str().unwrap_or("-").to_owned();
        let memory = |container: usize| {
            let resources = &pod["spec"]["containers"][container]["resources"];
            assert_eq!(resources["requests"]["memory"], resources["limits"]["memory"]);
            resources["limits"]["memory"].as_str().unwrap().to_owned()
        };
        let [attempt, matches] = [annotation("jobsmith.dev/attempt"), annotation("jobsmith.dev/rule-matches")];
        format!("attempt {attempt}, matches {matches}, main {}, log {}", memory(0), memory(1))
    }

    fn check(pods: &[Value], expected: Expect) {
        expected.assert_eq(&pods.iter().map(|pod| carried(pod) + "\n").collect::<String>());
    }

    #[test]
    fn each_match_makes_the_container_larger_and_other_failures_keep_it() {
        let mut bench = Bench::new("reason OOMKilled: retry, memory x2 up to 6Gi", &json!({}));
        let ends = [("main", "OOMKilled"), ("main", "Error"), ("log", "OOMKilled"), ("main", "OOMKilled"), ("main", "OOMKilled")];
        let mut pods: Vec<Value> = ends.iter().flat_map(|(container, reason)| bench.generation(container, reason)).collect();
        pods.extend(bench.created());
        check(
            &pods,
            expect![[r#"
                attempt 1, matches -, main 1Gi, log 1Gi
                attempt 2, matches cac971cd/main=1, main 2Gi, log 1Gi
                attempt 3, matches cac971cd/main=1, main 2Gi, log 1Gi
                attempt 4, matches cac971cd/log=1,cac971cd/main=1, main 2Gi, log 2Gi
                attempt 5, matches cac971cd/log=1,cac971cd/main=2, main 4Gi, log 2Gi
                attempt 6, matches cac971cd/log=1,cac971cd/main=3, main 6Gi, log 2Gi
            "#]],
        );
        expect![[r#"
            Container main of pod pi has 2Gi of memory instead of 1Gi
            Container log of pod pi has 2Gi of memory instead of 1Gi
            Container main of pod pi has 4Gi of memory instead of 1Gi
            Container main of pod pi has 6Gi of memory instead of 1Gi"#]]
        .assert_eq(&bench.grown.join("\n"));
    }

    #[test]
    fn pods_that_fail_at_once_count_once() {
        let mut bench = Bench::new("reason OOMKilled: retry, memory x2", &json!({"completions": 3, "parallelism": 3}));
        bench.generation("main", "OOMKilled");
        let second = bench.created();
        check(
            &second,
            expect![[r#"
                attempt 2, matches cac971cd/main=1, main 2Gi, log 1Gi
                attempt 2, matches cac971cd/main=1, main 2Gi, log 1Gi
                attempt 2, matches cac971cd/main=1, main 2Gi, log 1Gi
            "#]],
        );
        // Once more, as after a restart before the watch has shown them.
        assert_eq!(bench.created(), second);
        bench.fail(&second[0], "main", "OOMKilled");
        second[1..].iter().for_each(|pod| bench.show(pod, json!({"phase": "Running"})));
        check(
            &bench.created(),
            expect![[r#"
                attempt 3, matches cac971cd/main=2, main 4Gi, log 1Gi
            "#]],
        );
    }

    #[test]
    fn a_pod_that_fails_later_than_others_adds_nothing_to_what_they_did() {
        let mut bench = Bench::new("reason OOMKilled: retry, memory x2", &json!({"completions": 2, "parallelism": 2}));
        let first = bench.created();
        bench.fail(&first[0], "main", "OOMKilled");
        bench.show(&first[1], json!({"phase": "Running"}));
        let second = bench.created();
        bench.show(&second[0], json!({"phase": "Running"}));
        bench.pods = 1;
        bench.fail(&first[1], "main", "OOMKilled");
        assert_eq!(bench.created(), second);
        check(
            &second,
            expect![[r#"
                attempt 2, matches cac971cd/main=1, main 2Gi, log 1Gi
            "#]],
        );
    }

    #[test]
    fn what_has_grown_outlives_the_pods_that_failed() {
        let mut bench = Bench::new("reason OOMKilled: retry, memory x2, another node", &json!({"completions": 2, "parallelism": 2}));
        bench.generation("main", "OOMKilled");
        let second = bench.created();
        let mut late = Bench { store: Store::default(), ..bench };
        late.show(&second[0], json!({"phase": "Running"}));
        let third = late.created();
        check(
            &third,
            expect![[r#"
                attempt 2, matches cac971cd/main=1, main 2Gi, log 1Gi
            "#]],
        );
        assert_eq!(third[0]["metadata"]["annotations"]["jobsmith.dev/failed-nodes"], "node-1,node-2");
        let affinity = third[0]["spec"]["affinity"].to_string();
        assert!([r#"["node-1"]"#, r#"["node-2"]"#].iter().all(|node| affinity.contains(node)), "{affinity}");
    }

    #[test]
    fn indexes_have_histories_of_their_own() {
        let spec = json!({"completions": 2, "parallelism": 2, "completionMode": "Indexed"});
        let mut bench = Bench::new("reason OOMKilled: retry, memory x2, on pool=large\nany at most 1 times: retry, on pool=other", &spec);
        let first = bench.created();
        bench.fail(&first[0], "main", "OOMKilled");
        bench.fail(&first[1], "log", "Error");
        let second = bench.created();
        check(
            &second,
            expect![[r#"
                attempt 2, matches cac971cd/main=1, main 2Gi, log 1Gi
                attempt 2, matches 2c29f04d/log=1, main 1Gi, log 1Gi
            "#]],
        );
        let pool = |pod: &Value| pod["spec"]["nodeSelector"]["pool"].clone();
        assert_eq!([pool(&second[0]), pool(&second[1])], ["large", "other"]);
        bench.fail(&second[0], "log", "Error");
        bench.fail(&second[1], "log", "Error");
        let third = bench.created();
        check(
            &third,
            expect![[r#"
                attempt 3, matches 2c29f04d/log=1,cac971cd/main=1, main 2Gi, log 1Gi
                attempt 3, matches 2c29f04d/log=1, main 1Gi, log 1Gi
            "#]],
        );
        assert_eq!(pool(&third[0]), "other", "the later line wins");
    }

    #[test]
    fn the_last_failed_nodes_are_avoided() {
        let mut bench = Bench::new("any: retry, another node", &json!({}));
        (0..12).for_each(|_| _ = bench.generation("main", "Error"));
        let next = bench.created();
        let nodes: Vec<String> = (3..=12).map(|node| format!("node-{node}")).collect();
        assert_eq!(next[0]["metadata"]["annotations"]["jobsmith.dev/failed-nodes"], nodes.join(","));
    }

    #[test]
    fn pods_of_a_job_without_annotations_carry_nothing() {
        let mut bench = Bench::new("any: retry", &json!({}));
        bench.job.metadata.annotations.clear();
        let first = bench.generation("main", "OOMKilled");
        check(
            &first,
            expect![[r#"
            attempt -, matches of the template, main 1Gi, log 1Gi
        "#]],
        );
        assert_eq!(bench.created(), first);
    }
}
