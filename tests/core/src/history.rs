//! Random histories of Jobs: what people request, what nodes do, and how time passes.
//!
//! Docs: the session protocol, in the head comment of the oracle's `session.go`.

use cluster::rng::Rng;
use serde_json::{Map, Value, json};

/// The history of a seed: one operation a line.
pub fn history(seed: u64) -> Vec<Value> {
    let mut author = Author { rng: Rng::new(seed), jobs: Vec::new(), operations: Vec::new() };
    author.operations.push(json!({"op": "session", "now": "2026-01-02T03:04:05Z"}));
    for name in ["a", "b"].iter().take(if author.one_in(4) { 2 } else { 1 }) {
        author.apply_job(name);
    }
    if author.one_in(8) {
        author.apply_pod();
    }
    author.advance();
    for _ in 0..author.below(30) + 10 {
        author.act();
    }
    author.operations.push(json!({"op": "advance", "seconds": 0}));
    author.operations.push(json!({"op": "advance", "seconds": 700}));
    author.operations
}

/// Writes a history.
struct Author {
    rng: Rng,
    jobs: Vec<AppliedJob>,
    operations: Vec<Value>,
}

/// What is known of a Job that was applied.
struct AppliedJob {
    name: &'static str,
    indexed: bool,
    uid: u64,
}

impl Author {
    fn below(&mut self, bound: u64) -> u64 {
        self.rng.below(bound)
    }

    fn one_in(&mut self, number: u64) -> bool {
        self.rng.one_in(number)
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        self.rng.pick(of).clone()
    }

    fn act(&mut self) {
        match self.below(100) {
            0..=54 => self.node_acts(),
            55..=84 => self.advance(),
            85..=93 => self.edit_job(),
            94 => self.edit_pod(),
            95 => self.remove(),
            96 => self.apply_pod(),
            97 => self.operations.push(json!({"op": "restart"})),
            98 => {
                let name = self.pick(&["a", "b"]);
                self.apply_job(name);
            }
            _ => self.burst(),
        }
    }

    fn advance(&mut self) {
        let seconds = self.pick(&[0.0, 0.2, 0.5, 1.0, 1.0, 1.0, 2.0, 2.0, 5.0, 10.0, 10.0, 11.0, 20.0, 30.0, 100.0, 640.0]);
        self.operations.push(json!({"op": "advance", "seconds": seconds}));
    }

    /// The same thing happens to many pods.
    fn burst(&mut self) {
        let action = self.pick(&["start", "succeed", "fail"]);
        let select = self.select();
        for nth in 0..self.below(5) + 1 {
            let mut select = select.clone();
            select["nth"] = json!(if action == "start" { nth } else { 0 });
            self.operations.push(json!({"op": "pod", "select": select, "do": action, "exitCode": 1}));
        }
        self.operations.push(json!({"op": "advance", "seconds": 2}));
    }

    fn select(&mut self) -> Value {
        let mut select = Map::new();
        if !self.jobs.is_empty() && !self.one_in(6) {
            let at = self.rng.place(self.jobs.len());
            select.insert("job".to_owned(), self.jobs[at].name.into());
            if self.jobs[at].indexed && self.one_in(2) {
                select.insert("index".to_owned(), self.below(4).into());
            }
        }
        if self.one_in(3) {
            select.insert("phase".to_owned(), self.pick(&["Pending", "Running", "Running", "Failed"]).into());
        }
        if self.one_in(6) {
            select.insert("deleting".to_owned(), self.one_in(2).into());
        }
        if self.one_in(2) {
            select.insert("nth".to_owned(), self.below(3).into());
        }
        Value::Object(select)
    }

    fn node_acts(&mut self) {
        let action = self.pick(&[
            "start", "start", "start", "ready", "ready", "succeed", "succeed", "fail", "fail", "fail", "restart", "delete", "gone", "gone",
        ]);
        let mut select = self.select();
        if action == "gone" {
            select["deleting"] = json!(true);
        }
        let mut operation = json!({"op": "pod", "select": select, "do": action});
        if action == "fail" {
            operation["exitCode"] = json!(self.pick(&[1, 1, 2, 3, 42, 137]));
            if self.one_in(4) {
                operation["conditions"] = json!([{"type": self.pick(&["DisruptionTarget", "ConfigIssue"]), "status": "True"}]);
            }
        }
        self.operations.push(operation);
    }

    fn edit_job(&mut self) {
        if self.jobs.is_empty() {
            return;
        }
        let at = self.rng.place(self.jobs.len());
        let (name, indexed) = (self.jobs[at].name, self.jobs[at].indexed);
        let merge = match self.below(9) {
            0 | 1 => json!({"spec": {"suspend": self.one_in(2)}}),
            2 => json!({"spec": {"suspend": false}}),
            3 => json!({"spec": {"parallelism": self.below(5)}}),
            4 if indexed => {
                let both = self.below(5);
                json!({"spec": {"parallelism": both, "completions": both}})
            }
            4 => json!({"spec": {"parallelism": 1}}),
            5 => json!({"spec": {"backoffLimit": self.below(4)}}),
            6 => json!({"spec": {"activeDeadlineSeconds": self.pick(&[json!(1), json!(10), json!(100), json!(null)])}}),
            7 => json!({"metadata": {"labels": {"touched": self.below(9).to_string()}}}),
            _ => json!({"metadata": {"finalizers": self.pick(&[json!(["example.com/hold"]), json!(null)])}}),
        };
        self.operations.push(json!({"op": "edit", "kind": "Job", "name": name, "merge": merge}));
    }

    fn edit_pod(&mut self) {
        let Some(job) = self.jobs.first() else { return };
        let name = if job.indexed { format!("{}-0-00001", job.name) } else { format!("{}-00001", job.name) };
        let merge = match self.below(5) {
            0 => json!({"metadata": {"finalizers": null}}),
            1 => json!({"metadata": {"labels": {"controller-uid": "other", "batch.kubernetes.io/controller-uid": "other"}}}),
            2 => json!({"metadata": {"ownerReferences": null}}),
            3 => json!({"metadata": {"annotations": {"batch.kubernetes.io/job-completion-index": self.pick(&["7", "x", "1"])}}}),
            _ => json!({"metadata": {"annotations": {"batch.kubernetes.io/job-index-failure-count": self.pick(&["7", "x", "-1"])}}}),
        };
        self.operations.push(json!({"op": "edit", "kind": "Pod", "name": name, "merge": merge}));
    }

    fn remove(&mut self) {
        let (name, propagation) = (self.pick(&["a", "b"]), self.pick(&["Background", "Foreground", "Orphan"]));
        self.operations.push(json!({"op": "remove", "kind": "Job", "name": name, "propagation": propagation}));
    }

    /// A pod that no Job made, perhaps with labels that a Job selects.
    fn apply_pod(&mut self) {
        let (name, uid) = self.jobs.first().map_or(("a", 1), |job| (job.name, job.uid));
        let owner = json!({"apiVersion": "batch/v1", "kind": self.pick(&["Job", "Job", "Other"]), "name": name, "uid": format!("job-{name}-{uid}"), "controller": true});
        let mut metadata = json!({"generateName": "loose-", "labels": {"app": "own"}});
        if self.one_in(2) {
            metadata["labels"] = json!({"batch.kubernetes.io/controller-uid": format!("job-{name}-{uid}")});
        }
        if self.one_in(2) {
            metadata["finalizers"] = json!(["batch.kubernetes.io/job-tracking"]);
        }
        if self.one_in(3) {
            metadata["ownerReferences"] = json!([owner]);
        }
        if self.one_in(2) {
            metadata["annotations"] = json!({"batch.kubernetes.io/job-completion-index": self.below(4).to_string()});
        }
        let spec = json!({"containers": [{"name": "main", "image": "none"}]});
        self.operations.push(json!({"op": "apply", "object": {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}}));
    }

    fn apply_job(&mut self, name: &'static str) {
        let indexed = self.one_in(2);
        let mut template = json!({"spec": {
            "restartPolicy": if self.one_in(4) { "OnFailure" } else { "Never" },
            "containers": [{"name": "main", "image": "none"}],
        }});
        let mut spec = Map::new();
        if self.one_in(10) {
            spec.insert("manualSelector".to_owned(), true.into());
            spec.insert("selector".to_owned(), json!({"matchLabels": {"app": "own"}}));
            template["metadata"] = json!({"labels": {"app": "own"}});
        }
        self.numbers(&mut spec, indexed);
        self.policies(&mut spec, indexed);
        spec.insert("template".to_owned(), template);
        let mut metadata = json!({"name": name});
        if self.one_in(12) {
            metadata["finalizers"] = json!(["example.com/hold"]);
        }
        self.jobs.retain(|job| job.name != name);
        let earlier =
            self.operations.iter().filter(|operation| operation["op"] == "apply" && operation["object"]["metadata"]["name"] == name);
        let uid = earlier.count() as u64 + 1;
        self.jobs.push(AppliedJob { name, indexed, uid });
        self.operations
            .push(json!({"op": "apply", "object": {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}}));
    }

    fn numbers(&mut self, spec: &mut Map<String, Value>, indexed: bool) {
        let mut set = |name: &str, value: Value| _ = spec.insert(name.to_owned(), value);
        let completions = self.pick(&[0, 1, 1, 2, 3, 3, 4, 5]);
        if indexed {
            set("completionMode", "Indexed".into());
        }
        if indexed || !self.one_in(4) {
            set("completions", completions.into());
        }
        if indexed && self.one_in(2) {
            set("parallelism", completions.into());
        } else if !self.one_in(4) {
            set("parallelism", self.below(5).into());
        }
        if !self.one_in(3) {
            set("backoffLimit", self.below(5).into());
        }
        if self.one_in(6) {
            set("activeDeadlineSeconds", self.pick(&[1, 5, 30, 120]).into());
        }
        if self.one_in(8) {
            set("suspend", true.into());
        }
        if indexed && self.one_in(2) {
            set("backoffLimitPerIndex", self.below(3).into());
            if self.one_in(2) {
                set("maxFailedIndexes", self.below(3).into());
            }
        }
        if self.one_in(25) {
            set("managedBy", self.pick(&["example.com/other", "kubernetes.io/job-controller"]).into());
        }
    }

    fn policies(&mut self, spec: &mut Map<String, Value>, indexed: bool) {
        let mut set = |name: &str, value: Value| _ = spec.insert(name.to_owned(), value);
        if self.one_in(4) {
            set("podReplacementPolicy", "Failed".into());
        } else if self.one_in(3) {
            set("podReplacementPolicy", "TerminatingOrFailed".into());
        }
        if self.one_in(3) {
            let rules: Vec<Value> = (0..self.below(3) + 1).map(|_| self.failure_rule()).collect();
            set("podFailurePolicy", json!({"rules": rules}));
        }
        if indexed && self.one_in(3) {
            let rule = match self.below(3) {
                0 => json!({"succeededCount": self.below(3)}),
                1 => json!({"succeededIndexes": self.pick(&["0", "0-1", "1", ""])}),
                _ => json!({"succeededIndexes": "0-1", "succeededCount": 1}),
            };
            set("successPolicy", json!({"rules": [rule]}));
        }
    }

    fn failure_rule(&mut self) -> Value {
        let action = self.pick(&["FailJob", "FailIndex", "Ignore", "Count"]);
        match self.below(3) {
            0 => json!({"action": action, "onExitCodes": {"operator": "In", "values": self.pick(&[vec![1], vec![2, 3], vec![42]])}}),
            1 => json!({"action": action, "onExitCodes": {"containerName": "main", "operator": "NotIn", "values": [1, 2]}}),
            _ => json!({"action": action, "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}),
        }
    }
}
