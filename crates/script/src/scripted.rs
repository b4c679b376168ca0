//! Containers that follow a script: they run in nothing but time.
//!
//! Docs: Pod Lifecycle, "Container states"; the language is described in `lib.rs`. The kubelet that starts and stops them is in `cluster::kubelet`.

use std::collections::{BTreeMap, BTreeSet};

use api::{Duration, ObjectMeta, Text, Timestamp, time};
use cluster::kubelet::{ContainerId, ContainerRole, Delay, Ended, FormerRun, PodCourse, PodId, Runtime, Start, StartCourse, continued};

use super::course::{ContainerEnd, Course, OnTerm};
use super::selector::{Lineage, completion_index};
use super::{Rule, Script};

/// What a regular container does without a rule.
const BY_DEFAULT: ContainerEnd = ContainerEnd::Exits { code: 0, after: Duration::from_secs(5) };
/// What a container does on TERM without a rule.
const ON_TERM: OnTerm = OnTerm::Exits { code: 128 + 15, after: Duration::ZERO };
/// The exit code of a container that was killed.
const KILLED: i32 = 128 + 9;

/// The containers of a script.
#[derive(Debug, Clone, Default)]
pub struct Scripted {
    /// The script; a replacement applies from then on.
    pub script: Script,
    /// How many pods each Job has had, of each index if it has indexes, by UID and index.
    attempts: BTreeMap<(Text, Option<u32>), u32>,
    /// Which run of its CronJob each Job is, by UID.
    runs: BTreeMap<Text, u32>,
    /// How many Jobs with pods each CronJob has had, by namespace and name.
    run_counts: BTreeMap<(Text, Text), u32>,
    /// The pods that have not ended.
    pub(super) pods: BTreeMap<PodId, PlayingPod>,
    /// When runs end.
    ends: BTreeSet<(Timestamp, ContainerId)>,
}

/// A pod that has not ended.
#[derive(Debug, Clone)]
pub(super) struct PlayingPod {
    lineage: Lineage,
    runs: Vec<ContainerRun>,
}

/// A container that runs.
#[derive(Debug, Clone)]
struct ContainerRun {
    container: ContainerId,
    name: Text,
    role: ContainerRole,
    end: Option<RunEnd>,
    on_term: OnTerm,
}

/// The end of a run that lies ahead.
#[derive(Debug, Clone)]
struct RunEnd {
    at: Timestamp,
    exit_code: i32,
    /// Why, in one word.
    reason: &'static str,
    /// The termination message.
    message: Text,
}

impl Scripted {
    /// Plays a script.
    #[must_use]
    pub fn new(script: Script) -> Self {
        Self { script, ..Self::default() }
    }

    /// What is known of a pod that has not ended.
    pub(super) fn lineage(&self, pod: PodId) -> Option<&Lineage> {
        self.pods.get(&pod).map(|pod| &pod.lineage)
    }

    /// Which run of its CronJob a Job is, from 1.
    fn run_number(&mut self, job: &Text, namespace: &Text, cron_job: &Text) -> u32 {
        *self.runs.entry(job.clone()).or_insert_with(|| {
            let count = self.run_counts.entry((namespace.clone(), cron_job.clone())).or_default();
            *count += 1;
            *count
        })
    }

    /// Makes a pod's running containers exit: those of this name, or all but sidecars. Returns whether there were any.
    pub fn exit(&mut self, pod: PodId, container: Option<&str>, code: u8, now: Timestamp) -> bool {
        let chosen = |run: &ContainerRun| container.map_or(run.role != ContainerRole::Sidecar, |name| *run.name == *name);
        let Some(pod) = self.pods.get(&pod) else { return false };
        let chosen: Vec<ContainerId> = pod.runs.iter().filter(|run| chosen(run)).map(|run| run.container).collect();
        for id in &chosen {
            self.exits(*id, now, code.into());
        }
        !chosen.is_empty()
    }

    /// Forgets how many pods a Job has had, which is gone.
    pub fn forget_job(&mut self, uid: &Text) {
        self.runs.remove(uid);
        let attempts = self.attempts.range((uid.clone(), None)..).map(|(key, _)| key.clone());
        for key in attempts.take_while(|(owner, _)| owner == uid).collect::<Vec<_>>() {
            self.attempts.remove(&key);
        }
    }

    /// The value of the first rule that fits a pod as a whole and has one.
    fn of_pod<T>(&self, metadata: &ObjectMeta, lineage: &Lineage, value: impl Fn(&Course) -> Option<T>) -> Option<T> {
        let fits =
            |rule: &&Rule| !rule.which.names_containers() && rule.which.matches(metadata, lineage) && rule.covers_attempt(lineage.attempt);
        self.script.rules.iter().map(|rule| &rule.what).filter(fits).find_map(|rule| value(&rule.course))
    }

    /// The value of the first rule that fits a container and has one.
    fn of_start<T>(&self, start: &Start<'_>, value: impl Fn(&Course) -> Option<T>) -> Option<T> {
        let lineage = self.pods.get(&start.container.pod).map(|pod| pod.lineage.clone()).unwrap_or_default();
        let fits = |rule: &&Rule| {
            let which = &rule.which;
            which.container.as_deref().map_or(start.role == ContainerRole::Regular, |name| **start.name == *name)
                && which.start.as_ref().is_none_or(|numbers| numbers.contain(start.number))
                && which.matches(start.pod.metadata(), &lineage)
                && rule.covers_attempt(lineage.attempt)
                && rule.covers_start(start.number)
        };
        self.script.rules.iter().map(|rule| &rule.what).filter(fits).find_map(|rule| value(&rule.course))
    }

    /// Begins a run of a container, which ends `by_default` if no rule says how; something that takes so long ends at `end`.
    fn begin(&mut self, start: &Start<'_>, by_default: ContainerEnd, end: impl FnOnce(Duration) -> Timestamp) {
        let ending = self.of_start(start, |course| course.ending).unwrap_or(by_default);
        let on_term = self.of_start(start, |course| course.on_term).unwrap_or(ON_TERM);
        let message = self.of_start(start, |course| course.message.clone()).unwrap_or_default();
        let Some(pod) = self.pods.get_mut(&start.container.pod) else { return };
        pod.runs.push(ContainerRun { container: start.container, name: start.name.clone(), role: start.role, end: None, on_term });
        let (after, exit_code, reason) = match ending {
            ContainerEnd::Exits { code, after } => (after, code.into(), exit_reason(code.into())),
            ContainerEnd::Killed { signal, after } => (after, 128 + i32::from(signal), "Error"),
            ContainerEnd::OutOfMemory { after } => (after, KILLED, "OOMKilled"),
            ContainerEnd::Never => return,
        };
        self.set_end(start.container, RunEnd { at: end(after), exit_code, reason, message });
    }

    fn run(&mut self, container: ContainerId) -> Option<&mut ContainerRun> {
        self.pods.get_mut(&container.pod)?.runs.iter_mut().find(|run| run.container == container)
    }

    /// Has a run end then with this code, unless it ends before.
    fn exits(&mut self, id: ContainerId, at: Timestamp, exit_code: i32) {
        self.set_end(id, RunEnd { at, exit_code, reason: exit_reason(exit_code), message: Text::default() });
    }

    /// Has a run end then, unless it ends before.
    fn set_end(&mut self, id: ContainerId, end: RunEnd) {
        let Some(run) = self.run(id) else { return };
        let at = end.at;
        if run.end.as_ref().is_some_and(|before| before.at <= at) {
            return;
        }
        if let Some(later) = run.end.replace(end) {
            self.ends.remove(&(later.at, id));
        }
        self.ends.insert((at, id));
    }
}

/// Why a container ended that exited with this code, in one word.
fn exit_reason(exit_code: i32) -> &'static str {
    if exit_code == 0 { "Completed" } else { "Error" }
}

/// How a container ends without a rule.
fn by_default(role: ContainerRole) -> ContainerEnd {
    match role {
        ContainerRole::Regular => BY_DEFAULT,
        ContainerRole::Init => ContainerEnd::Exits { code: 0, after: Duration::ZERO },
        ContainerRole::Sidecar => ContainerEnd::Never,
    }
}

impl Runtime for Scripted {
    fn meet(&mut self, pod: PodId, metadata: &ObjectMeta, cron_job: Option<&Text>) -> PodCourse {
        let owner = metadata.controller().map(|owner| owner.uid.clone()).unwrap_or_else(|| metadata.uid.clone());
        let run = cron_job.map(|cron_job| self.run_number(&owner, &metadata.namespace, cron_job));
        let attempts = self.attempts.entry((owner, completion_index(metadata))).or_default();
        *attempts += 1;
        let lineage = Lineage { attempt: Some(*attempts), cron_job: cron_job.cloned(), run };
        let course = PodCourse {
            scheduled: self.of_pod(metadata, &lineage, |course| course.scheduled),
            disrupted: self.of_pod(metadata, &lineage, |course| course.disrupted),
            condition: self.of_pod(metadata, &lineage, |course| course.condition.clone()),
        };
        self.pods.insert(pod, PlayingPod { lineage, runs: Vec::new() });
        course
    }

    fn prepare(&mut self, start: &Start<'_>) -> StartCourse {
        StartCourse {
            starts: self.of_start(start, |course| course.starts),
            ready: self.of_start(start, |course| course.ready).unwrap_or(Delay::NONE),
            ends: self.of_start(start, |course| course.ending).is_some(),
        }
    }

    fn start(&mut self, start: &Start<'_>, now: Timestamp) {
        self.begin(start, by_default(start.role), |after| time::after(now, after));
    }

    fn resume(&mut self, start: &Start<'_>, FormerRun { started_at, terminated_at, held }: FormerRun, now: Timestamp) {
        let mut by_default = by_default(start.role);
        // What is being stopped, and has not ended by itself so far, does not any more.
        if let ContainerEnd::Exits { after, .. } = by_default
            && (held || terminated_at.is_some() && time::after(started_at, after) <= now)
        {
            by_default = ContainerEnd::Never;
        }
        self.begin(start, by_default, |after| continued(started_at, after, now));
        if let Some(at) = terminated_at
            && let Some(OnTerm::Exits { code, after }) = self.run(start.container).map(|run| run.on_term)
        {
            self.exits(start.container, time::after(at, after).max(now), code.into());
        }
    }

    fn terminate(&mut self, container: ContainerId, now: Timestamp) {
        let Some(run) = self.run(container) else { return };
        match run.on_term {
            OnTerm::Exits { code, after } => self.exits(container, time::after(now, after), code.into()),
            OnTerm::Ignores => {}
        }
    }

    fn kill(&mut self, container: ContainerId, now: Timestamp) {
        self.exits(container, now, KILLED);
    }

    fn forget(&mut self, pod: PodId) {
        for run in self.pods.remove(&pod).map(|pod| pod.runs).unwrap_or_default() {
            if let Some(end) = run.end {
                self.ends.remove(&(end.at, run.container));
            }
        }
    }

    fn next_ended(&mut self, now: Timestamp) -> Option<Ended> {
        let (at, container) = self.ends.first().copied().filter(|(at, _)| *at <= now)?;
        self.ends.remove(&(at, container));
        let runs = &mut self.pods.get_mut(&container.pod)?.runs;
        let place = runs.iter().position(|run| run.container == container)?;
        let RunEnd { exit_code, reason, message, .. } = runs.remove(place).end?;
        Some(Ended { container, exit_code, reason, message, at })
    }

    fn next_end(&self) -> Option<Timestamp> {
        self.ends.first().map(|(at, _)| *at)
    }
}
