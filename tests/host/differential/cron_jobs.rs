//! Histories of CronJobs: our three controllers and upstream's go through the same random ones together.
//!
//! Docs: CronJob; the session protocol, in the head comment of the oracle's `session.go`. Histories of Jobs alone are in `tests/core/src/history.rs`.

use cluster::rng::Rng;
use serde_json::{Map, Value, json};

use super::compare;

/// How many histories are gone through, unless `JOBSMITH_HISTORIES` is set.
const HISTORIES: u64 = 3000;

const SCHEDULES: [&str; 12] = [
    "* * * * *",
    "* * * * *",
    "*/2 * * * *",
    "*/5 * * * *",
    "1,2,5 * * * *",
    "@hourly",
    "@every 30s",
    "@every 90s",
    "0 5 * * *",
    "30 10,11,12 * * 1-5",
    "5 3 * * *",
    "0 0 30 2 *",
];

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn our_controllers_run_cron_jobs_as_upstreams_do() {
    compare("histories of CronJobs", HISTORIES, history);
}

/// The history of a seed: one operation a line.
fn history(seed: u64) -> Vec<Value> {
    let mut author = Author { rng: Rng::new(seed), operations: Vec::new() };
    author.operations.push(json!({"op": "session", "now": "2026-01-02T03:04:05Z"}));
    for name in ["a", "b"].iter().take(if author.rng.one_in(4) { 2 } else { 1 }) {
        author.apply(name);
    }
    for _ in 0..author.rng.below(25) + 8 {
        author.act();
    }
    author.operations.push(json!({"op": "advance", "seconds": 0}));
    author.operations.push(json!({"op": "advance", "seconds": 700}));
    author.operations
}

/// Writes a history.
struct Author {
    rng: Rng,
    operations: Vec<Value>,
}

impl Author {
    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        self.rng.pick(of).clone()
    }

    fn name(&mut self) -> &'static str {
        if self.rng.one_in(5) { "b" } else { "a" }
    }

    fn act(&mut self) {
        let name = self.name();
        match self.rng.below(100) {
            0..=39 => self.node_acts(),
            40..=79 => {
                let seconds = self.pick(&[0.0, 0.5, 1.0, 5.0, 10.0, 20.0, 30.0, 60.0, 60.0, 60.0, 90.0, 120.0, 300.0, 3600.0]);
                self.operations.push(json!({"op": "advance", "seconds": seconds}));
            }
            80..=91 => {
                let merge = self.edit();
                self.operations.push(json!({"op": "edit", "kind": "CronJob", "name": name, "merge": merge}));
            }
            92 | 93 => self.operations.push(json!({"op": "restart"})),
            94 => {
                let propagation = self.pick(&["Background", "Background", "Foreground", "Orphan"]);
                self.operations.push(json!({"op": "remove", "kind": "CronJob", "name": name, "propagation": propagation}));
            }
            95 => self.apply(name),
            _ => {
                // The Job of a run of the first minutes.
                let job = format!("{name}-{}", 29_455_384 + self.rng.below(8));
                let propagation = self.pick(&["Background", "Foreground", "Orphan"]);
                self.operations.push(json!({"op": "remove", "kind": "Job", "name": job, "propagation": propagation}));
            }
        }
    }

    fn node_acts(&mut self) {
        let action = self.pick(&["start", "start", "succeed", "succeed", "succeed", "fail", "fail", "delete", "gone"]);
        let mut select = Map::new();
        if action == "gone" {
            select.insert("deleting".to_owned(), true.into());
        }
        if self.rng.one_in(3) {
            select.insert("nth".to_owned(), self.rng.below(3).into());
        }
        if action == "start" {
            select.insert("phase".to_owned(), "Pending".into());
        } else if action == "succeed" || action == "fail" {
            select.insert("phase".to_owned(), "Running".into());
        }
        let mut operation = json!({"op": "pod", "select": select, "do": action});
        if action == "fail" {
            operation["exitCode"] = json!(1);
        }
        self.operations.push(operation);
    }

    fn edit(&mut self) -> Value {
        match self.rng.below(8) {
            0 | 1 => json!({"spec": {"suspend": self.rng.one_in(2)}}),
            2 => json!({"spec": {"suspend": false}}),
            3 => json!({"spec": {"schedule": self.pick(&SCHEDULES)}}),
            4 => json!({"spec": {"concurrencyPolicy": self.pick(&["Allow", "Forbid", "Replace"])}}),
            5 => json!({"spec": {"successfulJobsHistoryLimit": self.pick(&[json!(0), json!(1), json!(3), json!(null)])}}),
            6 => json!({"spec": {"startingDeadlineSeconds": self.pick(&[json!(0), json!(20), json!(200), json!(null)])}}),
            _ => json!({"metadata": {"labels": {"touched": self.rng.below(9).to_string()}}}),
        }
    }

    fn apply(&mut self, name: &str) {
        let mut job = json!({"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "none"}]}}});
        let mut set = |job: &mut Value, field: &str, one_in: u64, value: Value| {
            if self.rng.one_in(one_in) {
                job[field] = value;
            }
        };
        set(&mut job, "backoffLimit", 2, json!(0));
        set(&mut job, "ttlSecondsAfterFinished", 4, json!(30));
        set(&mut job, "parallelism", 6, json!(2));
        set(&mut job, "activeDeadlineSeconds", 6, json!(100));
        set(&mut job, "suspend", 10, json!(true));
        let mut spec = json!({"schedule": "", "jobTemplate": {"metadata": {"labels": {"app": name}}, "spec": job}});
        set(&mut spec, "successfulJobsHistoryLimit", 3, json!(1));
        set(&mut spec, "failedJobsHistoryLimit", 4, json!(0));
        set(&mut spec, "startingDeadlineSeconds", 4, json!(30));
        set(&mut spec, "suspend", 10, json!(true));
        spec["schedule"] = self.pick(&SCHEDULES).into();
        spec["concurrencyPolicy"] = self.pick(&["Allow", "Forbid", "Replace"]).into();
        if self.rng.one_in(4) {
            spec["timeZone"] = self.pick(&["America/New_York", "Asia/Kathmandu", "UTC", "Europe/London"]).into();
        }
        let object = json!({"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": name}, "spec": spec});
        self.operations.push(json!({"op": "apply", "object": object}));
    }
}
