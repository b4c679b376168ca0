//! Random Jobs and CronJobs that the API server accepts.
//!
//! Docs: Jobs, "Writing a Job spec"; CronJob, "Writing a CronJob spec" (A-80… …A-161).

use std::sync::Arc;

use api::request::Request;
use api::{CronJob, Duration, Job, Kind, Text, Timestamp};
use cluster::naming::Names;
use cluster::rng::Rng;
use cluster::stored::Stored;
use cluster::{ApiServer, Dependence};
use serde_json::{Value, json};

/// A random Job as it is sent, and as it is stored.
pub(super) struct DrawnJob {
    pub(super) sent: Text,
    pub(super) stored: Job,
}

/// A random CronJob as it is sent, and as it is stored.
pub(super) struct DrawnCronJob {
    pub(super) sent: Text,
    pub(super) stored: CronJob,
}

/// What random objects are drawn from.
pub(super) struct Draw {
    pub(super) rng: Rng,
    /// Whether Jobs and pods may have deadlines.
    pub(super) deadlines: bool,
    /// Whether Jobs may have a TTL.
    pub(super) ttl: bool,
}

impl Draw {
    /// A Job that the API server accepts.
    pub(super) fn job(&mut self) -> DrawnJob {
        loop {
            let spec = self.spec();
            let sent = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "pi"}, "spec": spec});
            let sent = sent.to_string();
            if let Some(stored) = admitted(Kind::Job, &sent, play::start()) {
                return DrawnJob { sent: sent.into(), stored: stored.job().expect("it is a Job").clone() };
            }
        }
    }

    /// A CronJob that the API server accepts at this time.
    pub(super) fn cron_job(&mut self, now: Timestamp) -> DrawnCronJob {
        loop {
            let mut spec = json!({"schedule": self.schedule(), "jobTemplate": {"spec": self.spec()}});
            let mut set = |name: &str, value: Value| spec[name] = value;
            set("concurrencyPolicy", (*self.rng.pick(&["Allow", "Forbid", "Replace"])).into());
            self.some(2, |draw| set("timeZone", (*draw.rng.pick(&["Europe/Paris", "America/New_York", "Asia/Tokyo"])).into()));
            self.some(3, |draw| set("failedJobsHistoryLimit", draw.rng.below(4).into()));
            self.some(6, |draw| set("startingDeadlineSeconds", (*draw.rng.pick(&[0, 20, 100, 5000])).into()));
            let sent = json!({"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "nightly"}, "spec": spec});
            let sent = sent.to_string();
            if let Some(stored) = admitted(Kind::CronJob, &sent, now) {
                return DrawnCronJob { sent: sent.into(), stored: stored.cron_job().expect("it is a CronJob").clone() };
            }
        }
    }

    /// A schedule that runs each day at least.
    fn schedule(&mut self) -> String {
        let [minute, hour] = [self.rng.below(60), self.rng.below(24)];
        match self.rng.below(6) {
            0 => format!("*/{} * * * *", 1 + self.rng.below(20)),
            1 => format!("@every {}s", 60 + self.rng.below(2_000)),
            2 => format!("{minute} * * * *"),
            3 => format!("{minute},{} {hour} * * *", (minute + 7) % 60),
            4 => format!("*/15 {hour},2 * * *"),
            _ => format!("{minute} {hour} * * *"),
        }
    }

    /// How long a container runs: whole seconds.
    pub(super) fn runs_for(&mut self) -> Duration {
        Duration::from_secs(*self.rng.pick(&[0, 0, 0, 1, 2, 3, 7, 30, 700]))
    }

    /// The spec of a Job.
    fn spec(&mut self) -> Value {
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
        if self.ttl {
            self.some(2, |draw| set("ttlSecondsAfterFinished", draw.rng.below(100).into()));
        }
        if self.deadlines {
            self.some(3, |draw| set("activeDeadlineSeconds", draw.rng.below(700).into()));
        }
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
        if self.deadlines {
            self.some(6, |draw| spec["activeDeadlineSeconds"] = (1 + draw.rng.below(200)).into());
        }
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

/// An object as the API server stores it; `None` if it refuses it.
pub(super) fn admitted(kind: Kind, sent: &str, now: Timestamp) -> Option<Arc<Stored>> {
    let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
    let answer = server.execute(&Request::create(kind, "default", sent.to_owned()), now).ok()?;
    server.object(kind, "default", &answer.written().name).cloned()
}
