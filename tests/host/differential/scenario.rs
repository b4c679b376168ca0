//! Scenarios as histories: what happens in them happens to our controllers and to upstream's.
//!
//! Docs: `tests/scenarios/README.md`; the session protocol, in the head comment of the oracle's `session.go`. How two sides are compared is in
//! `mod.rs`.

use std::collections::BTreeSet;

use api::{Duration, Text, Timestamp, time};
use core_tests::dialogue::Dialogue;
use core_tests::native::Native;
use core_tests::oracle::Oracle;
use core_tests::scenarios;
use core_tests::summary::{grouped, print};
use play::scenario::Scenario;
use play::start;
use play::trace::{Entry, PodEntry, PodState, What};
use protocol::Session;
use script::{Action, JobChange, ObjectName, Script};
use serde_json::{Value, json};

use super::{Agreement, Sides, Verdict};

/// How long is waited in the end: longer than any delay.
const CALM: Duration = Duration::from_hours(2);

/// Claims in which our controllers differ on purpose ("Known differences from Kubernetes" in the CHANGELOG, "Beyond Kubernetes" in the README), one whose
/// refusal prints the template (upstream with all of Go's fields), and one whose name is too long for the oracle: its UIDs hold the name, and do not fit
/// into a label.
const DIFFERENT: [&str; 47] = [
    "A run is skipped when its Job's name is already taken",
    "Starts can be spread, so that not everything starts on the hour",
    "A time that the clock shows twice can have one run",
    "Runs in a window are skipped, also past midnight",
    "A window ends when the clock shows its end, also after the clock was set back",
    "A run that is due in a window can start at the end of it",
    "A window that delays runs ends when the clock is set forward past its end",
    "A deadline holds while a run is delayed",
    "Only so many Jobs are active at a time",
    "After failures in a row, no more runs are started until the CronJob is resumed",
    "A Job that is started by hand and succeeds resumes a paused CronJob",
    "Failures are counted only if the history keeps them",
    "An annotation that cannot be followed keeps all runs from starting",
    "With an invalid annotation, no Jobs are started",
    "A Job that failed can be kept for longer than one that succeeded",
    "With a TTL annotation that is not a number of seconds, nothing is deleted",
    "While a pod is active, the change is refused",
    "A Job is named after its CronJob and the minute of its run",
    "Delays can grow by any factor, for each index by itself",
    "With an annotation that means nothing, no pods are created",
    "After a time, failed pods are replaced no longer",
    "Of an index that has its own limit, the index fails",
    "Pods are created no faster than the Job asks",
    "A Job that is held creates no pods, and those that run go on",
    "Delays of each index are longer by themselves",
    "An exit code can mean: later, and it does not count",
    "A failure that does not count is waited for all the same",
    "Other indexes go on while one waits",
    "A delay survives a restart of the controller",
    "A rule can be used up",
    "A rule can fail the index",
    "A rule can hold the Job until somebody has looked",
    "A pod failure policy comes first",
    "While an init container is at work, nothing waits",
    "An index that waits holds up no other that may be created",
    "Of indexes that all wait, the one that is ready first goes on",
    "An annotation that becomes invalid is reported while pods run",
    "A run that is spread into a window starts after it",
    "With a rule that means nothing, failures wait until it is corrected",
    "A pod that somebody deletes matches no rule",
    "A pod that has to go has its delay, and uses up the rule",
    "What has grown outlives a pod that is evicted",
    "An eviction can hold the Job, and the pod stays until it is resumed",
    "A Job is resumed when the time comes",
    "Lines may be added and moved while the Job runs",
    "Each pod that has to go has its delay",
    "A pod that takes its time to end is judged once it has ended",
];

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn scenarios_go_as_upstream_goes() {
    let oracle = Oracle::start();
    let mut sides = Sides { ours: Dialogue::with_jobsmith(), theirs: oracle };
    let (mut sum, mut alike, mut different, mut left_out, mut failures) = (Agreement::default(), 0, 0, 0, Vec::new());
    for file in scenarios::files() {
        for scenario in &file.scenarios {
            let Some(operations) = history(scenario, &file.play(scenario, Native::default()).entries) else {
                left_out += 1;
                continue;
            };
            match sides.compare(&operations) {
                Verdict::Same(agreement) => {
                    sum.add(&agreement);
                    alike += 1;
                }
                Verdict::Chance => failures.push(format!("{}: upstream's own answers differ from run to run", scenario.claim)),
                Verdict::Different(_) if DIFFERENT.contains(&&*scenario.claim) => different += 1,
                Verdict::Different(_) => failures.push(format!("{}\n{}", scenario.claim, sides.shortest(operations))),
            }
        }
    }
    let [points, ours, theirs] = [sum.quiet_points, sum.our_writes, sum.their_writes].map(grouped);
    print(&format!(
        "scenarios = upstream: {alike} of them, {points} quiet points, API writes {ours} of upstream's {theirs}; {left_out} have faults"
    ));
    assert_eq!(different, DIFFERENT.len(), "what is listed as different differs");
    assert!(failures.is_empty(), "{} scenarios differ\n{}", failures.len(), failures.join("\n"));
}

/// The history of a scenario that was played; `None` if it has faults, which a session does not know.
fn history(scenario: &Scenario, entries: &[Entry]) -> Option<Vec<Value>> {
    let manifests = manifest::workloads(scenario.own_manifest()).ok()?;
    let objects: Vec<&Value> = manifests.iter().map(|manifest| manifest.document().value()).collect();
    let script =
        scenario.script.as_ref().map_or_else(Script::default, |script| Script::parse(&script.text).expect("the scenario was played"));
    let actions: Vec<(Timestamp, &Action)> =
        script.actions.iter().map(|statement| (time::after(start(), statement.what.after), &statement.what.action)).collect();
    if script.rules.iter().any(|rule| rule.what.course.condition.is_some()) {
        return None;
    }
    let mut author = Author::new();
    let later = |object: &&&Value| object["metadata"]["name"].as_str().is_some_and(|name| script.creates_later(&Text::from(name).into()));
    objects.iter().filter(|object| !later(object)).for_each(|object| author.apply(object));
    let moments: BTreeSet<Timestamp> = actions.iter().map(|(at, _)| *at).chain(entries.iter().map(|entry| entry.at)).collect();
    for now in moments {
        author.advance(now);
        let due = || actions.iter().filter(|(at, _)| *at == now).map(|(_, action)| *action);
        due().try_for_each(|action| author.act(action, &objects))?;
        let pods = entries
            .iter()
            .filter(|entry| entry.at == now)
            .filter_map(|entry| if let What::Pod(pod) = &entry.what { Some(pod) } else { None });
        let requested =
            due().any(|action| matches!(action, Action::DeletePods(_) | Action::Evict(_) | Action::Preempt(_) | Action::RemoveNode));
        pods.for_each(|pod| author.report(pod, requested));
    }
    // CronJobs would go on forever.
    if !actions.iter().any(|(_, action)| matches!(action, Action::End)) {
        author.advance(time::after(author.now, CALM));
    }
    Some(author.operations)
}

/// Writes a history, and goes through it at the same time, to see which pods there are.
struct Author {
    session: Session<Native>,
    operations: Vec<Value>,
    now: Timestamp,
    pods: Vec<Value>,
}

impl Author {
    fn new() -> Self {
        let mut author = Self { session: Session::new(Native::default()), operations: Vec::new(), now: start(), pods: Vec::new() };
        author.carry_out(json!({"op": "session", "now": start()}));
        author
    }

    fn carry_out(&mut self, operation: Value) -> Value {
        let answer = self.session.serve(&operation.to_string());
        self.operations.push(operation);
        serde_json::from_str(&answer).expect("a session answers in JSON")
    }

    fn apply(&mut self, object: &Value) {
        self.carry_out(json!({"op": "apply", "object": object}));
    }

    fn advance(&mut self, to: Timestamp) {
        let seconds = to.duration_since(self.now).as_secs_f64();
        self.now = to;
        let answer = self.carry_out(json!({"op": "advance", "seconds": seconds}));
        self.pods = answer["state"]["pods"].as_array().cloned().unwrap_or_default();
    }

    /// What people do; `None` if it is a fault. What they do to pods shows in the pods.
    fn act(&mut self, action: &Action, objects: &[&Value]) -> Option<()> {
        match action {
            Action::Job { job, change } => {
                let first = || {
                    let job = objects.iter().find(|object| object["kind"] == "Job")?;
                    Some(ObjectName { namespace: None, name: job["metadata"]["name"].as_str().expect("Jobs have names").into() })
                };
                let job = job.clone().or_else(first)?;
                self.change("Job", &job.name, &Action::Job { job: Some(job.clone()), change: change.clone() }, change);
            }
            Action::CronJob { cron_job, change } => self.change("CronJob", &cron_job.name, action, change),
            Action::CreateJob(name) => {
                objects.iter().filter(|object| object["metadata"]["name"] == *name.name).for_each(|object| self.apply(object));
            }
            Action::SetPod { pod, .. } => self.edit("Pod", &pod.name, action),
            Action::RestartController => drop(self.carry_out(json!({"op": "restart"}))),
            Action::DeletePods(_)
            | Action::Evict(_)
            | Action::EvictByKubelet(_)
            | Action::Preempt(_)
            | Action::RemoveNode
            | Action::End => {}
            Action::Exit { .. } | Action::LoseNode | Action::RefuseNextWrite(_) => return None,
            Action::ResumeAll
            | Action::SuspendAll
            | Action::RefuseCreations { .. }
            | Action::RefuseCreation { .. }
            | Action::AcceptPods
            | Action::DelayWatch(_)
            | Action::CutWatch(_)
            | Action::PauseController(_)
            | Action::MakeReady(_)
            | Action::Overwrite { .. }
            | Action::Advance(_) => return None,
        }
        Some(())
    }

    fn change(&mut self, kind: &str, name: &Text, action: &Action, change: &JobChange) {
        match change {
            JobChange::Suspend | JobChange::Resume | JobChange::Scale(_) | JobChange::Set { .. } | JobChange::Annotate { .. } => {
                self.edit(kind, name, action)
            }
            JobChange::Delete(propagation) => {
                self.carry_out(json!({"op": "remove", "kind": kind, "name": name, "propagation": format!("{propagation:?}")}));
            }
        }
    }

    fn edit(&mut self, kind: &str, name: &Text, action: &Action) {
        let request = action.request().expect("a change of an object is a request");
        let merge: Value = serde_json::from_str(&request.body).expect("a patch is JSON");
        self.carry_out(json!({"op": "edit", "kind": kind, "name": name, "merge": merge}));
    }

    /// What happened to a pod in the play, if it exists in the session; `requested`: somebody requested deletions.
    fn report(&mut self, pod: &PodEntry, requested: bool) {
        let Some(at) = self.pods.iter().position(|there| there["name"] == *pod.pod) else { return };
        let (pending, deleting) = (self.pods[at]["phase"] == "Pending", self.pods[at]["deleting"] == true);
        let runs = matches!(pod.state, PodState::Running | PodState::Ready | PodState::Succeeded | PodState::Failed);
        if runs && pending {
            self.emit(at, json!({"do": "start"}), "phase", json!("Running"));
        }
        match pod.state {
            PodState::Ready => self.emit(at, json!({"do": "ready"}), "phase", json!("Running")),
            PodState::Restarted => self.emit(at, json!({"do": "restart"}), "phase", json!("Running")),
            PodState::Succeeded => self.emit(at, json!({"do": "succeed"}), "phase", json!("Succeeded")),
            PodState::Failed => {
                let conditions: Vec<Value> = pod.disruption.iter().map(|_| json!({"type": "DisruptionTarget", "status": "True"})).collect();
                let deed = json!({"do": "fail", "exitCode": pod.exit_code.unwrap_or(137), "conditions": conditions});
                self.emit(at, deed, "phase", json!("Failed"));
            }
            PodState::Terminating if (requested || pod.disruption.is_some()) && !deleting => {
                self.emit(at, json!({"do": "delete"}), "deleting", json!(true))
            }
            PodState::Gone if deleting => self.emit(at, json!({"do": "gone"}), "phase", json!("Failed")),
            PodState::Pending | PodState::Running | PodState::CrashLoopBackOff | PodState::Terminating | PodState::Gone => {}
        }
    }

    /// What a node does to a pod, and what of the pod is another then.
    fn emit(&mut self, at: usize, mut deed: Value, field: &str, value: Value) {
        deed["op"] = "pod".into();
        deed["select"] = self.select(at);
        self.carry_out(deed);
        self.pods[at][field] = value;
    }

    /// What narrows the pods to the one at this place.
    fn select(&self, at: usize) -> Value {
        let pod = &self.pods[at];
        let alike = |other: &&Value| ["owner", "index", "phase", "deleting"].iter().all(|field| other[field] == pod[field]);
        let nth = self.pods[..at].iter().filter(alike).count();
        let mut select = json!({"phase": pod["phase"], "deleting": pod["deleting"] == true, "nth": nth});
        if let Some(owner) = pod["owner"].as_str() {
            select["job"] = owner.into();
        }
        if let Some(index) = pod["index"].as_str().and_then(|index| index.parse::<u32>().ok()) {
            select["index"] = index.into();
        }
        select
    }
}
