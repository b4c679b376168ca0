//! A Job with many pods, and a manager that knows them all; what each pod costs in memory.
//!
//! Docs: Jobs, "Parallel execution for Jobs". What a change of one pod costs is measured in `reconcile.rs`.

use api::{Kind, Text, Timestamp};
use contract::{Change, Command, Event, Listing, Manager, ObjectJson, Outcome, Part, Report, Written};
use serde_json::{Value, json};

use crate::loaded::guest;
use crate::table::Row;

const POD: &str = include_str!("pod.json");
const JOB: &str = include_str!("job.json");

/// How many pods are kept to see what each costs.
const PODS: usize = 100_000;
/// How many bytes a tracked pod may cost.
const MOST_BYTES: f64 = 1000.0;

/// A manager that knows a Job and its pods, which all run and are ready.
pub(crate) struct Crowd<M> {
    pub(crate) manager: M,
    pub(crate) now: Timestamp,
    job: Value,
    version: u64,
}

impl<M: Manager> Crowd<M> {
    /// Hands a manager a Job with this many pods.
    pub(crate) fn new(mut manager: M, pods: usize) -> Self {
        let mut job: Value = serde_json::from_str(JOB).expect("the Job is JSON");
        job["spec"]["parallelism"] = pods.into();
        job["spec"]["completions"] = pods.into();
        job["status"]["active"] = pods.into();
        job["status"]["ready"] = pods.into();
        let now = "2026-01-02T04:00:00Z".parse().expect("a time");
        let lists = [(Kind::Job, vec![job.to_string().into()]), (Kind::Pod, Vec::new())];
        for (kind, objects) in lists {
            manager
                .handle(Event::Listed(Listing { kind: kind.name().into(), part: Part::Whole, resource_version: "1".into(), objects }), now)
                .expect("all can be understood");
        }
        let mut crowd = Self { manager, now, job, version: 1 };
        for place in 0..pods {
            let event = crowd.pod(place, true);
            crowd.manager.handle(event, now).expect("a pod can be understood");
        }
        crowd.settle();
        crowd
    }

    /// A manager that also knows pods which have succeeded and were counted.
    pub(crate) fn with_counted(manager: M, active: usize, counted: usize) -> Self {
        let mut crowd = Self::new(manager, active);
        crowd.job["spec"]["completions"] = (active + counted).into();
        crowd.job["status"]["succeeded"] = counted.into();
        crowd.version += 1;
        crowd.job["metadata"]["resourceVersion"] = json!(crowd.version.to_string());
        let text = crowd.job.to_string().into();
        crowd.show(Change::Applied(ObjectJson { kind: "Job".into(), json: text }));
        for place in active..active + counted {
            let Event::Changed(Change::Applied(json)) = crowd.pod(place, false) else { unreachable!("a pod is shown as applied") };
            let mut pod: Value = serde_json::from_str(&json.json).expect("a pod is JSON");
            pod["metadata"]["finalizers"] = json!([]);
            pod["status"]["phase"] = json!("Succeeded");
            crowd.show(Change::Applied(ObjectJson { kind: json.kind, json: pod.to_string().into() }));
        }
        crowd.settle();
        crowd
    }

    fn show(&mut self, change: Change) {
        self.manager.handle(Event::Changed(change), self.now).expect("all can be understood");
    }

    /// That a pod is shown again, ready or not.
    pub(crate) fn pod(&mut self, place: usize, ready: bool) -> Event {
        self.version += 1;
        let ready = if ready { "True" } else { "False" };
        let values = [
            ("NAME", format!("crowd-{place:06}")),
            ("UID", uid(place)),
            ("VERSION", self.version.to_string()),
            ("READY", ready.to_owned()),
        ];
        let text = values.iter().fold(POD.to_owned(), |text, (name, value)| text.replace(name, value));
        Event::Changed(Change::Applied(ObjectJson { kind: "Pod".into(), json: text.into() }))
    }

    /// Lets all that is due be done.
    pub(crate) fn settle(&mut self) {
        self.now = api::time::after(self.now, api::Duration::from_secs(5));
        while let Some(planned) = self.manager.next_plan(self.now) {
            self.carry_out(planned.id, &planned.batches.concat());
        }
    }

    /// Carries out a plan that writes the Job's status or nothing.
    pub(crate) fn carry_out(&mut self, plan: contract::PlanId, commands: &[Command]) {
        let outcomes: Vec<Outcome> = commands.iter().map(|command| Outcome::Done(self.write(command))).collect();
        if outcomes.is_empty() {
            return;
        }
        self.manager.handle(Event::Finished(Report { plan, outcomes }), self.now).expect("outcomes can be understood");
        let text: Text = self.job.to_string().into();
        self.manager
            .handle(Event::Changed(Change::Applied(ObjectJson { kind: "Job".into(), json: text })), self.now)
            .expect("the Job can be understood");
    }

    fn write(&mut self, command: &Command) -> Written {
        let body: Value = serde_json::from_str(&command.request.body).expect("a body is JSON");
        assert!(command.request.path.ends_with("/jobs/crowd/status"), "only the status is written: {command:?}");
        self.version += 1;
        self.job["status"] = body["status"].clone();
        self.job["metadata"]["resourceVersion"] = json!(self.version.to_string());
        let uid = self.job["metadata"]["uid"].as_str().expect("a UID is text").to_owned();
        Written { name: "crowd".to_owned(), uid, resource_version: self.version.to_string(), deleting: false }
    }
}

/// A UID as the API server makes them.
fn uid(place: usize) -> String {
    format!("{place:08x}-5e6f-4a7b-8c9d-0e1f2a3b4c5d")
}

/// What the memory of this process grows by when the component handles many pods, one by one.
pub(crate) fn memory_rows() -> Vec<Row> {
    let before = Crowd::new(guest(), 10);
    let resident_before = resident();
    let crowd = Crowd::new(guest(), PODS);
    let bytes = (resident() - resident_before) as f64 / PODS as f64;
    drop((before, crowd));
    let what = format!("memory of the component for each of {PODS} tracked pods ({} bytes of JSON)", POD.len());
    vec![Row { what, figure: format!("{bytes:.0} bytes"), goal: format!("≤ {MOST_BYTES}"), met: bytes <= MOST_BYTES }]
}

/// How much memory of this process is in use, in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("the kernel reports it");
    1024 * line.trim_matches(|letter: char| !letter.is_ascii_digit()).parse::<u64>().expect("a number")
}
