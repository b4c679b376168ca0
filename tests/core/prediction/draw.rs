//! Random Jobs that the API server accepts.
//!
//! Docs: Jobs, "Writing a Job spec" (A-80…A-110).

use api::request::Request;
use api::{Duration, Job, Kind, Text};
use cluster::naming::Names;
use cluster::rng::Rng;
use cluster::{ApiServer, Dependence};
use serde_json::{Value, json};

/// A random Job as it is sent, and as it is stored.
pub(super) struct DrawnJob {
    pub(super) sent: Text,
    pub(super) stored: Job,
}

/// What random objects are drawn from.
pub(super) struct Draw {
    pub(super) rng: Rng,
}

impl Draw {
    /// A Job that the API server accepts.
    pub(super) fn job(&mut self) -> DrawnJob {
        loop {
            let sent: Text = self.sent().to_string().into();
            let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
            if server.execute(&Request::create(Kind::Job, "default", sent.to_string()), play::start()).is_ok() {
                let stored = server.object(Kind::Job, "default", "pi").and_then(|stored| stored.job()).expect("it was created").clone();
                return DrawnJob { sent, stored };
            }
        }
    }

    /// How long a container runs: whole seconds.
    pub(super) fn runs_for(&mut self) -> Duration {
        Duration::from_secs(*self.rng.pick(&[0, 0, 0, 1, 2, 3, 7, 30, 700]))
    }

    fn sent(&mut self) -> Value {
        json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "pi"}, "spec": self.spec()})
    }

    /// The spec of a Job.
    pub(super) fn spec(&mut self) -> Value {
        let mut spec = json!({"template": {"spec": self.pod_spec()}});
        let mut set = |name: &str, value: Value| spec[name] = value;
        let indexed = self.rng.one_in(2);
        let completions = 1 + self.rng.below(9);
        if indexed {
            set("completionMode", "Indexed".into());
        }
        if indexed || self.rng.one_in(2) {
            set("completions", completions.into());
        }
        self.some(2, |draw| set("parallelism", (1 + draw.rng.below(6)).into()));
        self.some(2, |draw| set("backoffLimit", draw.limit(14)));
        if indexed && self.rng.one_in(2) {
            set("backoffLimitPerIndex", self.limit(4));
            self.some(2, |draw| set("maxFailedIndexes", draw.rng.below(completions + 1).into()));
        }
        if indexed {
            self.some(4, |draw| set("successPolicy", draw.success_policy(completions)));
        }
        self.some(3, |draw| set("podFailurePolicy", draw.pod_failure_policy()));
        self.some(4, |draw| set("podReplacementPolicy", (*draw.rng.pick(&["Failed", "TerminatingOrFailed"])).into()));
        self.some(3, |draw| set("activeDeadlineSeconds", (1 + draw.rng.below(700)).into()));
        spec
    }

    fn some(&mut self, one_in: u64, mut set: impl FnMut(&mut Self)) {
        if self.rng.one_in(one_in) {
            set(self);
        }
    }

    /// A number below, or now and then the highest one.
    fn limit(&mut self, below: u64) -> Value {
        if self.rng.one_in(12) { i32::MAX.into() } else { self.rng.below(below).into() }
    }

    fn pod_spec(&mut self) -> Value {
        let mut containers = vec![json!({"name": "main", "image": "i"})];
        self.some(4, |_| containers.push(json!({"name": "log", "image": "i"})));
        let policy = *self.rng.pick(&["Never", "Never", "OnFailure"]);
        self.some(6, |draw| containers[0]["restartPolicy"] = (*draw.rng.pick(&["Never", "OnFailure"])).into());
        let mut spec = json!({"restartPolicy": policy, "containers": containers});
        self.some(6, |_| spec["initContainers"] = json!([{"name": "side", "image": "i", "restartPolicy": "Always"}]));
        self.some(6, |draw| spec["activeDeadlineSeconds"] = (1 + draw.rng.below(200)).into());
        spec
    }

    fn success_policy(&mut self, completions: u64) -> Value {
        let last = self.rng.below(completions);
        let mut rule = json!({});
        let indexes = self.rng.one_in(2);
        if indexes {
            rule["succeededIndexes"] = if last > 1 { format!("1-{last}") } else { last.to_string() }.into();
        }
        if !indexes || self.rng.one_in(2) {
            rule["succeededCount"] = (1 + self.rng.below(last.max(1))).into();
        }
        json!({"rules": [rule]})
    }

    fn pod_failure_policy(&mut self) -> Value {
        let rule = |draw: &mut Self| {
            let action = *draw.rng.pick(&["FailJob", "FailIndex", "Ignore", "Count"]);
            if draw.rng.one_in(3) {
                return json!({"action": action, "onPodConditions": [{"type": "DisruptionTarget"}]});
            }
            let values = *draw.rng.pick(&[&[1][..], &[143], &[3, 42], &[1, 143]]);
            let mut codes = json!({"operator": *draw.rng.pick(&["In", "NotIn"]), "values": values});
            draw.some(3, |draw| codes["containerName"] = (*draw.rng.pick(&["main", "main", "log", "side"])).into());
            json!({"action": action, "onExitCodes": codes})
        };
        let rules: Vec<Value> = (0..1 + self.rng.below(2)).map(|_| rule(self)).collect();
        json!({"rules": rules})
    }
}
