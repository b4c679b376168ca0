//! A play: Jobs on a cluster whose pods follow a script, on virtual time.
//!
//! Docs: `jobsmith simulate`; scenario files (`scenario.rs`). What pods do and what happens is in `script`, what is seen of it in `trace/`,
//! what came of each thing that happened in `step.rs`, and when a play runs away in `bounds.rs`.

use std::collections::BTreeMap;

use api::request::{ApiError, Request};
use api::{DEFAULT_NAMESPACE, Duration, Job, Kind, ObjectMeta, Text, Timestamp, time};
use cluster::Dependence;
use cluster::apiserver::{ApiServer, Write};
use cluster::naming::Names;
use contract::{Manager, Obstacle};

use crate::bounds::{Bounds, Distance};
use crate::fault::Fault;
use crate::found::Identity;
use crate::held::{FoundWarnings, missing_pods};
use crate::refusal::refusal;
use crate::repetition::repeats;
use crate::step::{Step, Trigger};
use crate::suspension::{self, each, no_job, requests};
use crate::trace::{Entry, Trace, What};
use crate::world::turn::{Cluster, Deafness, Effect};
use crate::{job_name, namespaces, stuck};
use script::{Action, Ambiguous, ObjectName, Objects, Script, Scripted, Statement, TimedAction, Unmatched, act, merge_patch, none_met};

/// How much virtual time a play may take unless a caller wants otherwise.
pub const LONGEST: Duration = Duration::from_hours(366 * 24);

/// Jobs, their pods and what happens to them, from one moment at which something is due to the next.
#[derive(Debug)]
pub struct Play<M> {
    /// How far it may go.
    pub bounds: Bounds,
    distance: Distance,
    /// Why it went no further, if it went too far.
    stopped: Option<Text>,
    cluster: Cluster<M, Scripted>,
    trace: Trace,
    /// What happens from outside, the last thing first.
    actions: Vec<Scheduled>,
    /// The manifests of Jobs that are created later, or again, by their names.
    later: BTreeMap<ObjectName, Text>,
    now: Timestamp,
    begun: bool,
    /// Whether the script has ended it.
    ended: bool,
    /// What is there from the beginning, until the first step shows it.
    found: Vec<Write>,
    warnings: FoundWarnings,
    unmatched: Unmatched,
    /// Why actions of the script were not carried out.
    undone: Vec<Text>,
}

/// Something that happens from outside.
#[derive(Debug)]
struct Scheduled {
    at: Timestamp,
    /// What, as the script writes it.
    text: Text,
    /// The same, with the namespace of each object that it names.
    action: Action,
}

/// Why a session cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum Unplayable {
    /// The API server refuses an object.
    #[error("object {}: {error}", place + 1)]
    Object {
        /// Its place among the objects, from 0.
        place: usize,
        /// The server's words.
        error: ApiError,
    },
    /// The script may be about several objects.
    #[error("{0}")]
    Script(#[from] Ambiguous),
}

impl<M: Manager> Play<M> {
    /// A cluster to which the Jobs were applied at `start`, each given as the JSON of its manifest. An object that has a UID is there from the
    /// beginning as it is: another cluster had it, and the controllers take over from those of that cluster.
    ///
    /// # Errors
    /// The first object that the API server refuses, or what is ambiguous in the script.
    pub fn new(mut manager: M, script: &Script, objects: &[Text], start: Timestamp) -> Result<Self, Unplayable> {
        let mut identities: Vec<Identity> = objects.iter().map(|object| Identity::of(object)).collect();
        let created = |Identity { kind, namespace, name, .. }: &Identity| (*kind, namespace.clone(), name.clone());
        let named = identities.iter().map(created).collect::<Objects>().script(script)?;
        let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
        let watch = server.watch(None);
        for (place, (object, identity)) in objects.iter().zip(&identities).enumerate() {
            if identity.found() {
                server.restore(identity.kind, &identity.namespace, object).map_err(|error| Unplayable::Object { place, error })?;
            }
        }
        let found = std::iter::from_fn(|| server.next_write(watch)).collect();
        server.close(watch);
        if identities.iter().any(Identity::found) {
            manager.take_over();
        }
        let mut cluster = Cluster::new(server, manager, Scripted::new(named.clone()), start);
        let mut later = BTreeMap::new();
        for (place, (object, identity)) in objects.iter().zip(&mut identities).enumerate() {
            let name = ObjectName::of(&identity.namespace, &identity.name);
            if named.actions.iter().any(|statement| statement.what.action == Action::CreateJob(name.clone())) {
                later.insert(name.clone(), object.clone());
            }
            if !identity.found() && !named.creates_later(&name) {
                let request = Request::create(identity.kind, &identity.namespace, object.to_string());
                let answer = cluster.request(&request, start).map_err(|error| Unplayable::Object { place, error })?;
                identity.name = answer.written().name.into();
            }
        }
        // The names that the server made up are known by now.
        let resolved = identities.iter().map(created).collect::<Objects>().script(script)?;
        let (actions, unmatched) = (scheduled(script, &resolved, start), Unmatched::new(script, &resolved));
        cluster.kubelet.runtime.script = resolved;
        let (bounds, distance, trace, warnings) = Default::default();
        Ok(Self {
            bounds,
            distance,
            stopped: None,
            cluster,
            trace,
            actions,
            later,
            now: start,
            begun: false,
            ended: false,
            found,
            warnings,
            unmatched,
            undone: Vec::new(),
        })
    }

    /// Reads the Events, JSON texts, of the cluster that had the objects: they say why some are stuck, and stay so. This is to be known before the first
    /// moment.
    pub fn read_events(&mut self, events: impl IntoIterator<Item = Text>) {
        self.warnings = FoundWarnings::of(events.into_iter(), self.server());
    }

    /// What happens at the next moment at which something does, not after `end`, in order; `None` if nothing does, or if the play has stopped.
    pub fn next_moment(&mut self, end: Timestamp) -> Option<Vec<Step>> {
        let (mut steps, begins, found_any) = (Vec::new(), !self.begun, !self.found.is_empty());
        let mut notes = if begins && found_any { missing_pods(self.server()) } else { Vec::new() };
        if self.begun {
            let next = self.next_due().filter(|at| *at <= end)?;
            self.now = next.max(self.now);
        } else {
            self.begun = true;
            let found: Vec<Effect> = self.found.drain(..).map(Effect::Found).collect();
            if !found.is_empty() {
                self.warnings.hold(&mut self.cluster, self.now);
                steps.push(self.step(Trigger::Found, &found));
            }
            steps.extend(self.cluster.writes().into_iter().map(|write| self.applied(write)));
        }
        while let Some(scheduled) = self.actions.pop_if(|scheduled| scheduled.at <= self.now) {
            let fault = Fault::of(&scheduled.action, self.now);
            let notes = self.notes(&scheduled);
            let undone = self.act(&scheduled);
            self.undone.extend(undone.clone());
            let complaints = undone.into_iter().chain(notes).map(Effect::Complaint);
            let happened: Vec<Effect> = complaints.chain(self.cluster.writes().into_iter().map(Effect::Written)).collect();
            let Scheduled { text, action, .. } = scheduled;
            let mut step = self.step(Trigger::Action { text: text.clone(), fault }, &happened);
            if action != Action::End {
                let what = What::Action { text, seen: !step.entries.is_empty() };
                step.entries.insert(0, Entry { at: self.now, estimated: false, what });
            }
            steps.push(step);
        }
        if self.ended {
            return Some(steps);
        }
        for happened in self.turn().chunk_by(Effect::in_one_step) {
            steps.push(self.step(Trigger::of(&happened[0]), happened));
        }
        if begins && found_any {
            notes.extend(self.found_stuck());
        }
        let notes: Vec<Effect> = notes.into_iter().map(Effect::Complaint).collect();
        if !notes.is_empty() {
            steps.push(self.step(Trigger::Complaint, &notes));
        }
        Some(steps)
    }

    /// What was found stuck, and stays so.
    fn found_stuck(&self) -> Vec<Text> {
        let refused = self.jobs().filter_map(|job| {
            let error = self.cluster.refused_pods.get(&job.metadata.uid)?;
            Some((job_name(&job.metadata, namespaces(self.server())), error))
        });
        let refused = stuck::refused(refused);
        refused.into_iter().chain(stuck::sentences(self.cluster.kubelet.stuck())).collect()
    }

    /// Does all that is due, unless the play runs away; returns what happened, in order.
    fn turn(&mut self) -> Vec<Effect> {
        let mut happened = Vec::new();
        loop {
            let next = self.cluster.turn_once(self.now);
            self.stopped = self.distance.add(&next, self.bounds);
            let quiet = next.is_empty();
            happened.extend(next);
            if let Some(reason) = &self.stopped {
                happened.push(Effect::Complaint(format!("the simulation stops: {reason}").into()));
            }
            if quiet || self.stopped.is_some() {
                return happened;
            }
        }
    }

    /// Why the play went no further, if it went too far: a sentence without its end.
    #[must_use]
    pub fn stopped(&self) -> Option<&Text> {
        self.stopped.as_ref()
    }

    /// Whether an action of the script ended the play.
    #[must_use]
    pub fn ended_by_script(&self) -> bool {
        self.ended
    }

    /// The step in which a manifest was applied at the beginning.
    fn applied(&mut self, write: Write) -> Step {
        self.step(Trigger::Applied, &[Effect::Written(write)])
    }

    /// The rules of the script that matched no pod or container so far: their lines, each with a warning.
    #[must_use]
    pub fn unmatched_rules(&self) -> Vec<(usize, String)> {
        self.unmatched.warnings()
    }

    /// Why actions of the script were not carried out so far: the API server refused them, or no pod matched.
    #[must_use]
    pub fn undone(&self) -> &[Text] {
        &self.undone
    }

    /// For each Job that has not finished and whose containers were started again in place, how often they were started so far.
    pub fn starts_so_far(&self) -> impl Iterator<Item = What> {
        self.jobs().filter(|job| !job.finished()).filter_map(|job| self.trace.starts(job))
    }

    fn step(&mut self, trigger: Trigger, happened: &[Effect]) -> Step {
        let created = happened.iter().flat_map(Effect::writes).filter(|write| write.before.is_none());
        for pod in created.filter_map(|write| write.after.pod()) {
            let cron_job = self.cluster.world.server.cron_job_of(&pod.metadata).cloned();
            self.unmatched.see(pod, cron_job);
        }
        for gone in happened.iter().flat_map(Effect::writes).filter(|write| write.gone) {
            self.cluster.kubelet.runtime.forget_job(&gone.after.metadata().uid);
        }
        Step::new(self.now, trigger, happened, &mut self.trace)
    }

    /// The time of the last moment.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// When something is due; `None` if nothing will ever happen again, or if the play has stopped.
    pub fn next_due(&mut self) -> Option<Timestamp> {
        if self.ended || self.stopped.is_some() {
            return None;
        }
        let action = self.actions.last().map(|action| action.at);
        if action.is_none() && repeats(&mut self.cluster, &self.warnings, self.now) {
            return None;
        }
        self.cluster.next_due().into_iter().chain(action).min()
    }

    /// What the controllers wait for, unless the play has stopped.
    pub fn next_wakeup(&mut self) -> Option<contract::Wakeup> {
        self.next_due()?;
        self.cluster.next_wakeup()
    }

    /// The Jobs as they are stored, by namespace and name.
    pub fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.cluster.world.server.objects(Kind::Job).filter_map(|stored| stored.job())
    }

    /// The API server.
    #[must_use]
    pub fn server(&self) -> &ApiServer {
        &self.cluster.world.server
    }

    /// What keeps an object from making progress at this time, the nearest cause first.
    pub fn obstacles(&mut self, kind: Kind, metadata: &ObjectMeta, now: Timestamp) -> Vec<Obstacle> {
        self.warnings.obstacles(&mut self.cluster.world.manager, kind, metadata, now)
    }

    /// What people are to know about an action before it is carried out.
    fn notes(&self, Scheduled { text, action, .. }: &Scheduled) -> Vec<Text> {
        let (server, named) = (self.server(), &**text != "resume");
        let each = each(action, server);
        each.iter().chain([action]).flat_map(|action| suspension::notes(action, named, server)).collect()
    }

    /// Carries out an action from outside; returns what went wrong with it.
    fn act(&mut self, Scheduled { text, action, .. }: &Scheduled) -> Vec<Text> {
        let now = self.now;
        let wrong = |reason: &str| -> Vec<Text> { vec![format!("{text}: {reason}").into()] };
        let refused = |error: Option<ApiError>| -> Vec<Text> {
            error.map(|error| format!("refused: {text}: {}", refusal(&error)).into()).into_iter().collect()
        };
        match action {
            Action::Job { .. } | Action::CronJob { .. } | Action::SetPod { .. } | Action::ResumeAll | Action::SuspendAll => {
                return match requests(action, self.server()) {
                    Ok(requests) => requests.iter().flat_map(|request| refused(self.cluster.request(request, now).err())).collect(),
                    Err(reason) => wrong(&reason),
                };
            }
            Action::AcceptPods => {
                let refusals = &mut self.cluster.refusals;
                let (lasting, numbered) = (refusals.creations.take(), std::mem::take(&mut refusals.numbered));
                let refused = lasting.is_some_and(|(_, until)| now < until) || !numbered.is_empty();
                if self.cluster.refused_pods.is_empty() && !refused {
                    return wrong("the API server refuses none");
                }
                self.cluster.refused_pods.clear();
                self.warnings.forget_refusals();
            }
            Action::CreateJob(name) => {
                let Some(job) = self.later.get(name) else { return wrong("no manifest has this name") };
                let request = Request::create(Kind::Job, &Identity::of(job).namespace, job.to_string());
                return refused(self.cluster.request(&request, now).err());
            }
            Action::Overwrite { job, path, value } => {
                let Some(ObjectName { namespace, name }) = job else {
                    return wrong(&no_job(action, self.server()));
                };
                let (namespace, merge) = (namespace.as_deref().unwrap_or(DEFAULT_NAMESPACE), merge_patch(path, value).to_string());
                return refused(self.cluster.world.server.overwrite_job(namespace, name, &merge, now).err());
            }
            Action::DelayWatch(length) => self.cluster.deafness = Some(Deafness { until: time::after(now, *length), cut: false }),
            Action::CutWatch(length) => self.cluster.deafness = Some(Deafness { until: time::after(now, *length), cut: true }),
            Action::PauseController(length) => self.cluster.paused_until = Some(time::after(now, *length)),
            Action::RestartController => self.cluster.restart_controllers(now),
            Action::RefuseNextWrite(refusal) => self.cluster.refusals.next.push_back(*refusal),
            Action::RefuseCreations { length, refusal } => self.cluster.refusals.creations = Some((*refusal, time::after(now, *length))),
            Action::RefuseCreation { number, refusal } => self.cluster.refusals.numbered.push((*number, *refusal)),
            Action::Advance(length) => self.now = time::after(now, *length),
            Action::End => self.ended = true,
            Action::LoseNode | Action::RemoveNode => _ = act(&mut self.cluster.kubelet, action, &mut self.cluster.world.server, now),
            Action::DeletePods(_)
            | Action::Evict(_)
            | Action::EvictByKubelet(_)
            | Action::Preempt(_)
            | Action::Exit { .. }
            | Action::MakeReady(_) => {
                let met = act(&mut self.cluster.kubelet, action, &mut self.cluster.world.server, now);
                return if met.is_empty() { wrong(none_met(action, self.server())) } else { Vec::new() };
            }
        }
        Vec::new()
    }

    /// How long the play has lasted.
    #[must_use]
    pub fn lasted(&self, start: Timestamp) -> Duration {
        self.now.duration_since(start)
    }
}

/// The actions of a script and what they mean, the last one first; of one time, in the order in which they are written.
fn scheduled(script: &Script, resolved: &Script, start: Timestamp) -> Vec<Scheduled> {
    let scheduled = |(written, resolved): (&Statement<TimedAction>, &Statement<TimedAction>)| Scheduled {
        at: time::after(start, written.what.after),
        text: written.what.action.to_string().into(),
        action: resolved.what.action.clone(),
    };
    let mut actions: Vec<Scheduled> = script.actions.iter().zip(&resolved.actions).map(scheduled).collect();
    actions.sort_by_key(|action| action.at);
    actions.reverse();
    actions
}

#[cfg(test)]
mod tests {
    use cluster::testing::{job, noon, owned_by, pod};
    use expect_test::{Expect, expect};

    use super::*;
    use crate::testing::Puppet;
    use crate::trace::Transcript;

    /// Plays Jobs with a manager that creates the pod `a` and does nothing else.
    fn check(script: &str, jobs: &[&str], expected: Expect) {
        let mut manager = Puppet::default();
        manager.plan(0, &[&[&pod("a", "", "")]]);
        let jobs: Vec<Text> = jobs.iter().map(|name| job(name, "").trim_start_matches("POST jobs ").into()).collect();
        let mut play = Play::new(manager, &Script::parse(script).unwrap(), &jobs, noon()).unwrap();
        let (mut transcript, mut lines) = (Transcript::new(noon()), Vec::new());
        while let Some(moment) = play.next_moment(time::after(noon(), Duration::from_mins(1))) {
            lines.extend(moment.iter().flat_map(|step| &step.entries).filter_map(|entry| transcript.line(entry, false)));
        }
        lines.push(format!("at {} s: {} Jobs", play.lasted(noon()).as_secs(), play.jobs().count()));
        expected.assert_eq(&lines.join("\n"));
        let complaints = lines.iter().filter_map(|line| line.split_once(" ! "));
        assert_eq!(play.undone().iter().map(|undone| &**undone).collect::<Vec<_>>(), complaints.map(|(_, text)| text).collect::<Vec<_>>());
    }

    #[test]
    fn a_play_goes_from_moment_to_moment_until_nothing_happens() {
        check(
            "pods: ready after 2s, exit 3 after 4s",
            &["pi"],
            expect![[r#"
                   0:00 job pi: created
                   0:00 pod a Pending
                   0:00 pod a Running
                   0:02 pod a Ready
                   0:04 pod a Restarted: container main exited with code 3; restarting immediately (start 2)
                   0:06 pod a Ready
                   0:08 pod a CrashLoopBackOff: container main exited with code 3; start 3 at 0:18, back-off of 10 s
                   0:18 pod a Restarted: start 3 of container main
                   0:20 pod a Ready
                   0:22 pod a CrashLoopBackOff: container main exited with code 3; start 4 at 0:42, back-off of 20 s
                   0:42 pod a Restarted: start 4 of container main
                   0:44 pod a Ready
                   0:46 pod a CrashLoopBackOff: container main exited with code 3; start 5 at 1:26, back-off of 40 s
                at 46 s: 1 Jobs"#]],
        );
    }

    #[test]
    fn actions_happen_in_the_order_of_their_times() {
        check(
            "pods: runs forever\nat 3s: scale job rho to 3\nat 2s: suspend job pi\nat 4s: delete job rho\nat 70s: resume job pi",
            &["pi", "rho"],
            expect![[r#"
                   0:00 job pi: created
                   0:00 job rho: created
                   0:00 pod a Pending
                   0:00 pod a Ready
                   0:02 job pi: spec.suspend is true
                   0:03 job rho: spec.parallelism is 3
                   0:04 job rho: gone
                at 4 s: 1 Jobs"#]],
        );
        check(
            "at 2s: advance 10s\nat 3s: evict pods",
            &["pi"],
            expect![[r#"
                   0:00 job pi: created
                   0:00 pod a Pending
                   0:00 pod a Ready
                   0:12 ◆ advance 10s
                   0:12 pod a Terminating: evicted (DisruptionTarget: EvictionByEvictionAPI)
                   0:12 pod a Succeeded after 12 s
                   0:12 pod a gone
                at 12 s: 1 Jobs"#]],
        );
        check(
            "pods: runs forever\nat 1s: set pod a metadata.labels={\"b\":\"c\"}\nat 2s: overwrite spec.completionMode=\"Weekly\"",
            &["pi"],
            expect![[r#"
                   0:00 job pi: created
                   0:00 pod a Pending
                   0:00 pod a Ready
                   0:01 ◆ set pod a metadata.labels={"b":"c"}
                   0:02 job pi: spec.completionMode is "Weekly"
                at 2 s: 1 Jobs"#]],
        );
    }

    #[test]
    fn pods_can_be_made_ready_by_hand() {
        check(
            "pods: never ready, runs forever\nat 2s: make pods ready\nat 3s: make pods ready",
            &["pi"],
            expect![[r#"
                   0:00 job pi: created
                   0:00 pod a Pending
                   0:00 pod a Running
                   0:02 ◆ make pods ready
                   0:02 pod a Ready
                   0:03 ! make pods ready: no matching pod is running and not ready
                at 3 s: 1 Jobs"#]],
        );
    }

    #[test]
    fn a_job_can_be_created_later() {
        check(
            "pods: succeed after 1s\nat 5s: create job rho\nat 6s: create job rho\nat 7s: create job tau",
            &["pi", "rho"],
            expect![[r#"
                   0:00 job pi: created
                   0:00 pod a Pending
                   0:00 pod a Ready
                   0:01 pod a Restarted: container main exited with code 0; restarting immediately (start 2)
                   0:02 pod a CrashLoopBackOff: container main exited with code 0; start 3 at 0:12, back-off of 10 s
                   0:05 job rho: created
                   0:06 ! refused: create job rho: jobs.batch "rho" already exists
                   0:07 ! create job tau: no manifest has this name
                   0:12 pod a Restarted: start 3 of container main
                   0:12 pod a Ready
                   0:13 pod a CrashLoopBackOff: container main exited with code 0; start 4 at 0:33, back-off of 20 s
                   0:33 pod a Restarted: start 4 of container main
                   0:33 pod a Ready
                   0:34 pod a CrashLoopBackOff: container main exited with code 0; start 5 at 1:14, back-off of 40 s
                at 34 s: 2 Jobs"#]],
        );
    }

    #[test]
    fn a_job_can_be_deleted_and_created_again() {
        check(
            "pods: runs forever\nat 4s: delete job rho\nat 4s: create job rho\nat 5s: delete job rho\nat 6s: create job rho",
            &["pi", "rho"],
            expect![[r#"
                   0:00 job pi: created
                   0:00 job rho: created
                   0:00 pod a Pending
                   0:00 pod a Ready
                   0:04 job rho: gone
                   0:04 job rho: created
                   0:05 job rho: gone
                   0:06 job rho: created
                at 6 s: 2 Jobs"#]],
        );
        check(
            "pods: runs forever\nat 4s: create job pi\nat 5s: delete job pi\nat 6s: create job pi",
            &["pi"],
            expect![[r#"
               0:00 pod a Pending
               0:00 pod a Ready
               0:04 job pi: created
               0:05 job pi: gone
               0:06 job pi: created
            at 6 s: 1 Jobs"#]],
        );
    }

    #[test]
    fn faults_are_shown() {
        check(
            "pods: runs forever\nat 1s: restart controller\nat 2s: pause controller for 10s\nat 3s: delay watch by 5s\nat 4s: cut watch\nat 5s: refuse next write with conflict\nat 6s: refuse pod creations for 30s with forbidden\nat 7s: refuse the 3rd pod creation\nat 8s: accept pods\nat 9s: accept pods\nat 10s: refuse the 2nd pod creation\nat 11s: accept pods",
            &["pi"],
            expect![[r#"
                   0:00 job pi: created
                   0:00 pod a Pending
                   0:00 pod a Ready
                   0:01 ◆ restart controller
                   0:02 ◆ pause controller for 10s
                   0:03 ◆ delay watch by 5s
                   0:04 ◆ cut watch
                   0:05 ◆ refuse next write with conflict
                   0:06 ◆ refuse pod creations for 30s with forbidden
                   0:07 ◆ refuse the 3rd pod creation with forbidden
                   0:08 ◆ accept pods
                   0:09 ! accept pods: the API server refuses none
                   0:10 ◆ refuse the 2nd pod creation with forbidden
                   0:11 ◆ accept pods
                at 12 s: 1 Jobs"#]],
        );
    }

    #[test]
    fn what_cannot_be_done_is_a_complaint() {
        check(
            "pods: runs forever\nat 1s: set spec.parallelism=-1\nat 2s: delete job rho\nat 3s: evict pod b\nat 4s: exit 1 in pod b",
            &["pi"],
            expect![[r#"
                   0:00 job pi: created
                   0:00 pod a Pending
                   0:00 pod a Ready
                   0:01 ! refused: set spec.parallelism=-1: Job.batch "pi" is invalid: spec.parallelism: Invalid value: -1: must be greater than or equal to 0
                   0:02 ! refused: delete job rho background: jobs.batch "rho" not found
                   0:03 ! evict pod b: no pod matches
                   0:04 ! exit 1 in pod b: no pod matches
                at 4 s: 1 Jobs"#]],
        );
    }

    #[test]
    fn a_job_that_another_cluster_had_is_found_even_if_it_has_not_started() {
        let suspended = job("pi", r#","uid":"u""#).replace(r#""spec":{"template""#, r#""spec":{"suspend":true,"template""#);
        let objects = [suspended, job("rho", "")].map(|job| job.trim_start_matches("POST jobs ").into());
        let mut play = Play::new(Puppet::default(), &Script::default(), &objects, noon()).unwrap();
        let mut transcript = Transcript::new(noon());
        let shown = |step: &Step| step.entries.iter().filter_map(|entry| transcript.line(entry, false)).collect::<Vec<_>>();
        let lines: Vec<String> = play.next_moment(noon()).unwrap().iter().flat_map(shown).collect();
        assert_eq!(lines, ["   0:00 job pi: found", "   0:00 job rho: created"]);
    }

    #[test]
    fn a_rule_that_nothing_matches_is_named_in_the_end() {
        let check = |script: &str, expected: Expect| {
            let mut manager = Puppet::default();
            let pods = ["a", "b"].map(|name| pod(name, &owned_by("pi", true), ""));
            manager.plan(0, &[&pods.each_ref().map(String::as_str)]);
            let objects = [job("pi", "").trim_start_matches("POST jobs ").into()];
            let mut play = Play::new(manager, &Script::parse(script).unwrap(), &objects, noon()).unwrap();
            assert_eq!(play.unmatched_rules(), Vec::new(), "no pod was created yet");
            while play.next_moment(time::after(noon(), Duration::from_mins(1))).is_some() {}
            expected.assert_eq(&play.unmatched_rules().into_iter().map(|(_, warning)| warning).collect::<Vec<_>>().join("\n"));
        };
        check(
            "pods: exit 1 after 1s\npod a: runs forever\njob pi attempt 7: runs forever\ncontainer main start 3: ignores TERM",
            expect![[r#"
                "pod a: runs forever" never applies, because "pods: exit 1 after 1s" comes first; move it above that rule
                "job pi attempt 7: runs forever" never applies, because "pods: exit 1 after 1s" comes first; move it above that rule"#]],
        );
        check(
            "pod a: runs forever\njob pi attempt 7: runs forever\npods: exit 1 after 1s\ncontainer main start 3: ignores TERM",
            expect![""],
        );
        check(
            "pod 3: exit 1 after 2s\nindex 9: runs forever\njob nope: runs forever\ncontainer nope: runs forever\npod b container main: runs forever",
            expect![[r#"
                no pod matched "pod 3: exit 1 after 2s"; pods are named a, b
                no pod matched "index 9: runs forever"; no pod has an index, because the completionMode of its Job is not Indexed
                no pod matched "job nope: runs forever"; pods are named a, b
                no container matched "container nope: runs forever"; the only container is main"#]],
        );
    }

    #[test]
    fn a_job_that_is_refused_is_named_by_its_place() {
        let jobs = ["pi", "p!"].map(|name| job(name, "").trim_start_matches("POST jobs ").into());
        let refused = Play::new(Puppet::default(), &Script::default(), &jobs, noon()).unwrap_err();
        assert!(matches!(refused, Unplayable::Object { place: 1, error: ApiError { code: 422, .. } }), "{refused:?}");
    }

    #[test]
    fn jobs_of_one_name_in_two_namespaces_are_two() {
        let jobs = ["a", "b"].map(|namespace| job("pi", &format!(r#","namespace":"{namespace}""#)).trim_start_matches("POST jobs ").into());
        let play = |script: &str| Play::new(Puppet::default(), &Script::parse(script).unwrap(), &jobs, noon());
        let mut play_on = play(
            "at 1s: suspend job b/pi\nat 2s: scale job a/pi to 3\nat 3s: delete job b/pi\nat 4s: overwrite job a/pi spec.completions=7",
        )
        .unwrap();
        let (mut transcript, mut lines) = (Transcript::new(noon()), Vec::new());
        while let Some(moment) = play_on.next_moment(time::after(noon(), Duration::from_mins(1))) {
            lines.extend(moment.iter().flat_map(|step| &step.entries).filter_map(|entry| transcript.line(entry, false)));
        }
        expect![[r#"
               0:00 job pi: created
               0:00 job b/pi: created
               0:01 job b/pi: spec.suspend is true
               0:02 job a/pi: spec.parallelism is 3
               0:03 job b/pi: gone
               0:04 job a/pi: spec.completions is 7"#]]
        .assert_eq(&lines.iter().map(|line: &String| line.trim_start()).collect::<Vec<_>>().join("\n"));
        let left: Vec<&str> = play_on.jobs().map(|job| &*job.metadata.namespace).collect();
        assert_eq!(left, ["a"]);
        let errors = ["at 1s: suspend job pi", "at 1s: suspend", "job pi: runs forever", "pod pi-00001: runs forever"]
            .map(|script| play(script).unwrap_err().to_string());
        expect![[r#"
            suspend job pi: job pi could be in the namespaces a and b; write "job a/pi" or "job b/pi"
            suspend: there are several Jobs; write "suspend job a/pi" or "suspend job b/pi"; for every Job and CronJob, "suspend all"
            job pi: runs forever: job pi could be in the namespaces a and b; write "job a/pi" or "job b/pi"
            pod pi-00001: runs forever: pod pi-00001 could be in the namespaces a and b; write "pod a/pi-00001" or "pod b/pi-00001""#]]
        .assert_eq(&errors.join("\n"));
    }
}
