//! The outcomes of pods, attempt by attempt.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Container states". The other entries are in `mod.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Duration, Text, Timestamp, time};
use cluster::kubelet::{SentSignal, StopSignal};
use cluster::pod::StoredPod;
use serde::Serialize;

use super::containers::{self, ContainerChange, ContainerEntry, RunningContainers, milliseconds, no_reason};
use super::report::{ContainerReport, PodReport, sidecars};
use super::starts::StartCount;
use script::{completion_index, job_of};

/// How exact the times of objects are.
pub(super) const SECOND: Duration = Duration::from_secs(1);

/// Something that became of a pod.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodEntry {
    /// The pod's namespace.
    pub namespace: Text,
    /// The pod's name.
    pub pod: Text,
    /// The Job that controls it; empty if none does.
    pub job: Text,
    /// Its completion index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Which pod it is of its index, or of its Job, from 1.
    pub attempt: u32,
    /// What it is from here on.
    pub state: PodState,
    /// How often its containers were started again in place.
    #[serde(skip_serializing_if = "is_zero")]
    pub restarts: i32,
    /// The containers that were started again just now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<StartAgain>,
    /// The containers that ended just now and wait before they are started again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ends: Vec<ContainerBackOff>,
    /// The exit code of the first container that ended otherwise than with 0, or 0 if all ended so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The container whose exit code that is, if it failed and the pod has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<Text>,
    /// Whether it was so before anybody looked: how long that took is not known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub found: bool,
    /// When the pod was created.
    #[serde(serialize_with = "time::serialize")]
    pub created_at: Timestamp,
    /// Why, as the node reports it: `Evicted`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Why it is ended from outside, if it is: the reason of its condition DisruptionTarget, as in `EvictionByEvictionAPI`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disruption: Option<Text>,
}

/// A container that was started again in its pod.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StartAgain {
    /// Its name.
    pub container: Text,
    /// Which start it is, from 2.
    pub number: i32,
    /// With which exit code the start before ended just now, if that is reported; absent after a back-off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Why it ended, if its node has a word for it that says more than the exit code: `OOMKilled`.
    #[serde(skip_serializing_if = "no_reason")]
    pub reason: Text,
    /// How long the start before ran, in a pod with several containers.
    #[serde(rename = "ranMilliseconds", serialize_with = "milliseconds", skip_serializing_if = "Option::is_none")]
    pub ran: Option<Duration>,
}

/// A container that ended and waits before it is started again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContainerBackOff {
    /// Its name.
    pub container: Text,
    /// With which exit code it ended, if that is reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Why it ended, if its node has a word for it that says more than the exit code: `OOMKilled`.
    #[serde(skip_serializing_if = "no_reason")]
    pub reason: Text,
    /// How long it ran, in a pod with several containers.
    #[serde(rename = "ranMilliseconds", serialize_with = "milliseconds", skip_serializing_if = "Option::is_none")]
    pub ran: Option<Duration>,
    /// Which start comes next, from 2.
    pub number: i32,
    /// When that is, if its node reports how long it waits.
    #[serde(serialize_with = "time::optional", skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// What a pod is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum PodState {
    /// It waits for a node or for its containers to start.
    Pending,
    /// It runs.
    Running,
    /// It runs and is ready.
    Ready,
    /// A container was started again.
    Restarted,
    /// A container ended and waits before it is started again.
    CrashLoopBackOff,
    /// It is being deleted.
    Terminating,
    /// It ended well.
    Succeeded,
    /// It ended otherwise.
    Failed,
    /// It is gone.
    Gone,
}

/// Numbers the attempts of each index.
#[derive(Debug, Default)]
pub(super) struct Pods {
    /// By the UID of the controller, or of the pod if it has none, and by index.
    attempts: BTreeMap<(Text, Option<u32>), u32>,
    /// By their UIDs.
    known: BTreeMap<Text, Known>,
    /// By the UID of the controller.
    starts: BTreeMap<Text, StartCount>,
}

/// What is known of a pod.
#[derive(Debug, Clone)]
pub struct Known {
    /// Which pod it is of its index, or of its Job, from 1.
    pub attempt: u32,
    /// When it was first seen, or before that: the API has whole seconds only.
    created_at: Timestamp,
    /// What was last reported of it.
    pub report: Arc<PodReport>,
    /// The same as its node wrote it.
    status: Text,
    running: RunningContainers,
    /// The init containers that run beside the regular ones.
    sidecars: Vec<Text>,
}

/// What happened to a pod and its containers.
#[derive(Debug, Default)]
pub(super) struct PodEntries {
    pub(super) containers: Vec<ContainerEntry>,
    pub(super) pod: Vec<PodEntry>,
    /// The containers that its node cannot start: after the pod, which may have just been created.
    pub(super) not_starting: Vec<ContainerEntry>,
}

impl Pods {
    /// What happened to a pod between two writes.
    pub(super) fn changes(&mut self, before: Option<&StoredPod>, after: &StoredPod, gone: bool, at: Timestamp) -> PodEntries {
        let known = self.known(after, at);
        let old_report = Arc::clone(&known.report);
        if known.status != *after.status.json() {
            known.report = Arc::new(PodReport::of(after));
            known.status = after.status.json().clone();
        }
        let old = before.map(|before| (before, &*old_report));
        let states = states(old, after, &known.report, gone);
        let old = old.map(|(_, old)| old);
        let mut containers = old.map(|old| containers::changes(&known.running, old, &known.report, after, at)).unwrap_or_default();
        let killed = if gone { containers::killed(&known.running, &known.report, after, at) } else { Vec::new() };
        let nothing = PodReport::default();
        let count = StartCount::between(old.unwrap_or(&nothing), &known.report, &containers, &killed, &known.sidecars, gone);
        containers.extend(killed);
        let not_starting = if gone { Vec::new() } else { containers::not_starting(old, &known.report, after) };
        containers.retain(|entry| entry.shown(known.report.several()));
        let ran = |container: &ContainerReport| known.running.ran(container, at).filter(|_| known.report.several());
        let starts = |state| if state == PodState::Restarted { starts(old, &known.report, ran) } else { Vec::new() };
        let back_offs = || ends(old, &known.report).map(|container| ContainerBackOff::of(container, ran(container), at)).collect();
        let ends = |state| if state == PodState::CrashLoopBackOff { back_offs() } else { Vec::new() };
        let found = before.is_none() && after.ended();
        let entries =
            states.into_iter().map(|state| PodEntry { starts: starts(state), ends: ends(state), found, ..entry(after, state, known) });
        let pod = entries.collect();
        let report = Arc::clone(&known.report);
        known.running.update(old, &report, at);
        if let Some(controller) = after.metadata.controller() {
            // The pods of a controller that is gone are no news of it.
            let known = if before.is_none() {
                Some(self.starts.entry(controller.uid.clone()).or_default())
            } else {
                self.starts.get_mut(&controller.uid)
            };
            if let Some(known) = known {
                known.add(count);
            }
        }
        PodEntries { containers, pod, not_starting }
    }

    /// What it means for a container that it was sent a signal.
    pub(super) fn signalled(&mut self, SentSignal { pod, container, signal, kill_at, .. }: &SentSignal) -> Option<ContainerEntry> {
        let pod = pod.pod()?;
        let known = self.known.get_mut(&pod.metadata.uid)?;
        known.running.signal(container, *signal);
        let start = known.report.container(container)?.restart_count + 1;
        let change = ContainerChange::SentTerm { kill_at: *kill_at };
        (*signal == StopSignal::Term).then(|| ContainerEntry::of(pod, container.clone(), start, change))
    }

    /// What is known of the pod of this UID.
    pub(super) fn find(&self, uid: &str) -> Option<&Known> {
        self.known.get(uid)
    }

    /// The starts of the containers of a Job with this UID, if one of them was started again.
    pub(super) fn starts(&self, uid: &str) -> Option<&StartCount> {
        self.starts.get(uid).filter(|count| count.again > 0)
    }

    /// Forgets a pod of this UID, or the pods of a controller of this UID, which is gone.
    pub(super) fn forget(&mut self, uid: &Text) {
        self.known.remove(uid);
        self.starts.remove(uid);
        let attempts = self.attempts.range((uid.clone(), None)..).map(|(key, _)| key.clone());
        for key in attempts.take_while(|(owner, _)| owner == uid).collect::<Vec<_>>() {
            self.attempts.remove(&key);
        }
    }

    fn known(&mut self, pod: &StoredPod, at: Timestamp) -> &mut Known {
        let attempts = &mut self.attempts;
        self.known.entry(pod.metadata.uid.clone()).or_insert_with(|| {
            let owner = pod.metadata.controller().map_or(&pod.metadata.uid, |controller| &controller.uid);
            let attempt = attempts.entry((owner.clone(), completion_index(&pod.metadata))).or_default();
            *attempt += 1;
            let created_at = pod.metadata.creation_timestamp.filter(|created_at| time::after(*created_at, SECOND) <= at).unwrap_or(at);
            let (report, status, running) = Default::default();
            Known { attempt: *attempt, created_at, report, status, running, sidecars: sidecars(pod) }
        })
    }
}

fn entry(pod: &StoredPod, state: PodState, known: &Known) -> PodEntry {
    let ended = matches!(state, PodState::Succeeded | PodState::Failed);
    PodEntry {
        namespace: pod.metadata.namespace.clone(),
        pod: pod.metadata.name.clone(),
        job: job_of(&pod.metadata).cloned().unwrap_or_default(),
        index: completion_index(&pod.metadata),
        attempt: known.attempt,
        state,
        restarts: known.report.restarts(),
        starts: Vec::new(),
        ends: Vec::new(),
        exit_code: if ended { known.report.exit_code(pod) } else { None },
        container: if ended { known.report.failed_container(pod).cloned() } else { None },
        found: false,
        created_at: known.created_at,
        reason: if ended { known.report.end_reason().to_string() } else { String::new() },
        disruption: if ended || state == PodState::Terminating { known.report.disruption().cloned() } else { None },
    }
}

/// The states that a pod came into.
fn states(before: Option<(&StoredPod, &PodReport)>, after: &StoredPod, report: &PodReport, gone: bool) -> Vec<PodState> {
    if gone {
        return vec![PodState::Gone];
    }
    let now = state(after, report);
    let Some((before, old)) = before else { return vec![now] };
    let mut states = Vec::new();
    if !before.metadata.deleting() && after.metadata.deleting() {
        states.push(PodState::Terminating);
    }
    if again(Some(old), report).next().is_some() {
        states.push(PodState::Restarted);
    }
    if ends(Some(old), report).next().is_some() {
        states.push(PodState::CrashLoopBackOff);
    }
    let then = state(before, old);
    if now != then && !(now == PodState::Running && then == PodState::Ready) {
        states.push(now);
    }
    states
}

/// The containers that were started again between two reports.
fn again<'a>(before: Option<&'a PodReport>, after: &'a PodReport) -> impl Iterator<Item = &'a ContainerReport> {
    after.containers().filter(move |container| known(before, container).is_some_and(|known| known.restart_count < container.restart_count))
}

/// These starts; `ran`: how long the one before ran.
fn starts(before: Option<&PodReport>, after: &PodReport, ran: impl Fn(&ContainerReport) -> Option<Duration>) -> Vec<StartAgain> {
    let start = |container: &ContainerReport| {
        let ended = !known(before, container).is_some_and(ContainerReport::backs_off);
        StartAgain {
            container: container.name.clone(),
            number: container.restart_count + 1,
            exit_code: container.last_exit_code().filter(|_| ended),
            reason: if ended { container.last_reason() } else { Text::default() },
            ran: if ended { ran(container) } else { None },
        }
    };
    again(before, after).map(start).collect()
}

/// The containers that ended between two reports and wait before they are started again.
fn ends<'a>(before: Option<&'a PodReport>, after: &'a PodReport) -> impl Iterator<Item = &'a ContainerReport> {
    // Of a container that cannot be started, no run is reported in between.
    let other = |known: &ContainerReport, container: &ContainerReport| !known.backs_off() || known.restart_count < container.restart_count;
    after
        .containers()
        .filter(move |container| container.backs_off() && known(before, container).is_some_and(|known| other(known, container)))
}

impl ContainerBackOff {
    /// That of a container that ended at this time.
    fn of(container: &ContainerReport, ran: Option<Duration>, at: Timestamp) -> Self {
        Self {
            container: container.name.clone(),
            exit_code: container.last_exit_code(),
            reason: container.last_reason(),
            ran,
            number: container.restart_count + 2,
            until: container.back_off().map(|wait| time::after(at, wait)),
        }
    }
}

/// A container as an earlier report had it.
fn known<'a>(report: Option<&'a PodReport>, container: &ContainerReport) -> Option<&'a ContainerReport> {
    report?.container(&container.name)
}

/// What the pod is; an unknown phase counts as Pending.
fn state(pod: &StoredPod, report: &PodReport) -> PodState {
    match &**pod.status.phase() {
        "Running" if report.ready() => PodState::Ready,
        "Running" => PodState::Running,
        "Succeeded" => PodState::Succeeded,
        "Failed" => PodState::Failed,
        _ => PodState::Pending,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &i32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use api::request::Request;
    use cluster::Dependence;
    use cluster::apiserver::ApiServer;
    use cluster::stored::Stored;
    use cluster::testing::{noon, owned_by, pod, send_line, server};
    use expect_test::{Expect, expect};
    use serde_json::Value;

    use super::*;

    fn create(server: &mut ApiServer, name: &str, index: &str) -> Arc<Stored> {
        let annotations = format!(r#","annotations":{{"batch.kubernetes.io/job-completion-index":"{index}"}}{}"#, owned_by("pi", true));
        send_line(server, &pod(name, &annotations, "node"), 0);
        server.object(api::Kind::Pod, "default", name).unwrap().clone()
    }

    fn report(server: &mut ApiServer, name: &str, status: &str) -> Arc<Stored> {
        let Value::Object(status) = serde_json::from_str(status).unwrap() else { unreachable!() };
        server.update_pod("default", name, noon(), |parts| parts.status = status).unwrap()
    }

    #[test]
    fn attempts_are_numbered_by_index() {
        let (mut server, mut pods) = (server(Dependence::OnOwners), Pods::default());
        let mut attempt = |name, index| {
            let entries = pods.changes(None, create(&mut server, name, index).pod().unwrap(), false, noon()).pod;
            (entries[0].index, entries[0].attempt)
        };
        assert_eq!(
            [("a", "0"), ("b", "1"), ("c", "0"), ("d", "x"), ("e", "x")].map(|(name, index)| attempt(name, index)),
            [(Some(0), 1), (Some(1), 1), (Some(0), 2), (None, 1), (None, 2)]
        );
    }

    #[test]
    fn attempts_are_those_of_one_job_whatever_its_name_and_namespace() {
        let (mut server, mut pods) = (server(Dependence::OnController), Pods::default());
        let mut attempt = |namespace: &str, name: &str, job: &str| {
            let owner = if job.is_empty() { String::new() } else { owned_by("pi", true).replace("job-pi-1", job) };
            let body = pod(name, &owner, "").trim_start_matches("POST pods ").to_owned();
            server.execute(&Request::create(api::Kind::Pod, namespace, body), noon()).unwrap();
            let stored = server.object(api::Kind::Pod, namespace, name).unwrap().clone();
            let entries = pods.changes(None, stored.pod().unwrap(), false, noon()).pod;
            (entries[0].namespace.to_string(), entries[0].attempt)
        };
        let of = |namespace: &str, attempt| (namespace.to_owned(), attempt);
        assert_eq!([attempt("default", "a", "job-pi-1"), attempt("b", "a", "job-pi-2")], [of("default", 1), of("b", 1)]);
        assert_eq!([attempt("b", "c", "job-pi-2"), attempt("b", "d", "job-pi-3")], [of("b", 2), of("b", 1)], "a successor begins at 1");
        assert_eq!([attempt("b", "e", ""), attempt("b", "f", "")], [of("b", 1), of("b", 1)], "pods of no Job have nothing in common");
    }

    fn check(statuses: &[&str], expected: Expect) {
        let (mut server, mut pods) = (server(Dependence::OnOwners), Pods::default());
        let mut before = create(&mut server, "a", "0");
        let mut shown = Vec::new();
        for status in statuses {
            let after = report(&mut server, "a", status);
            for entry in pods.changes(before.pod(), after.pod().unwrap(), false, noon()).pod {
                shown.push(format!("{:?} {:?} {} {:?} {:?}", entry.state, entry.starts, entry.restarts, entry.exit_code, entry.reason));
            }
            before = after;
        }
        shown.extend(pods.changes(before.pod(), before.pod().unwrap(), true, noon()).pod.iter().map(|entry| format!("{:?}", entry.state)));
        expected.assert_eq(&shown.join("\n"));
    }

    #[test]
    fn states_are_shown_when_they_change() {
        let running =
            r#"{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],"containerStatuses":[{"name":"main","restartCount":0}]}"#;
        let unready = running.replace("True", "False");
        let restarted = running.replace(":0", ":2");
        let failed = r#"{"phase":"Failed","reason":"Evicted","containerStatuses":[
            {"name":"other","restartCount":0,"state":{"terminated":{"exitCode":0}}},
            {"name":"main","restartCount":2,"state":{"terminated":{"exitCode":7}}}]}"#;
        check(
            &[running, &unready, running, &restarted, failed],
            expect![[r#"
                Ready [] 0 None ""
                Ready [] 0 None ""
                Restarted [StartAgain { container: "main", number: 3, exit_code: None, reason: "", ran: None }] 2 None ""
                Failed [] 2 Some(7) "Evicted"
                Gone"#]],
        );
    }
}
