//! A play: Jobs on a cluster whose pods follow a script, on virtual time.
//!
//! Docs: `jobsmith simulate`; scenario files (`scenario.rs`). What pods do and what happens is in `script/`, what is seen of it in `trace/`,
//! what came of each thing that happened in `step.rs`.

use std::collections::BTreeMap;

use api::json::{self, Read};
use api::request::{ApiError, Request};
use api::{Duration, Job, Kind, ObjectMeta, Text, Timestamp, time};
use cluster::Dependence;
use cluster::apiserver::{ApiServer, Write, last_moment};
use cluster::naming::Names;
use contract::Manager;

use crate::script::{Action, Script, Scripted, act, merge_patch};
use crate::step::{self, Cause, Step};
use crate::trace::Trace;
use crate::world::turn::{Cluster, Deafness, Effect};

/// The namespace of objects that name none.
pub const DEFAULT_NAMESPACE: &str = "default";

/// How much virtual time a play may take if nobody says otherwise.
pub const LONGEST: Duration = Duration::from_hours(366 * 24);

/// The beginning of virtual time.
#[must_use]
pub fn start() -> Timestamp {
    time::parse("2026-01-01T00:00:00Z").expect("the beginning is a time")
}

/// When a play of these objects begins: when the last thing happened to those that another cluster had, or at the beginning of virtual time.
#[must_use]
pub fn beginning(objects: &[Text]) -> Timestamp {
    let found = objects.iter().filter(|object| Identity::of(object).found);
    found.filter_map(|object| last_moment(object)).max().unwrap_or_else(start)
}

/// Jobs, their pods and what happens to them, from one moment at which something is due to the next.
#[derive(Debug)]
pub struct Play<M> {
    cluster: Cluster<M, Scripted>,
    trace: Trace,
    /// What happens from outside, the last thing first.
    actions: Vec<(Timestamp, Action)>,
    /// The manifests of Jobs that are created later, by their names.
    later: BTreeMap<Text, Text>,
    /// The namespace and name of the first Job: what actions on a Job mean if they name none.
    first_job: (Text, Text),
    now: Timestamp,
    begun: bool,
    /// What is there from the beginning, until that was told.
    found: Vec<Write>,
}

impl<M: Manager> Play<M> {
    /// A cluster to which the Jobs were applied at `start`, each given as the JSON of its manifest. An object that has a UID is there from the
    /// beginning as it is: another cluster had it.
    ///
    /// # Errors
    /// The place of the first object that the API server refuses, and its words.
    pub fn new(manager: M, script: &Script, objects: &[Text], start: Timestamp) -> Result<Self, (usize, ApiError)> {
        let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
        let identities: Vec<Identity> = objects.iter().map(|object| Identity::of(object)).collect();
        let told = server.watch(None);
        for (at, (object, Identity { kind, namespace, found, .. })) in objects.iter().zip(&identities).enumerate() {
            if *found {
                server.restore(*kind, namespace, object).map_err(|error| (at, error))?;
            }
        }
        let found = std::iter::from_fn(|| server.next_write(told)).collect();
        server.close(told);
        let mut cluster = Cluster::new(server, manager, Scripted::new(script.clone()), start);
        let (mut first_job, mut later) = (None, BTreeMap::new());
        for (at, (object, Identity { kind, namespace, mut name, found })) in objects.iter().zip(identities).enumerate() {
            if script.actions.iter().any(|(_, action)| *action == Action::CreateJob(name.clone())) {
                later.insert(name, object.clone());
                continue;
            }
            if !found {
                let request = Request::create(Kind::Job, &namespace, object.to_string());
                let answer = cluster.request(&request, start).map_err(|error| (at, error))?;
                name = answer.written().name.into();
            }
            if kind == Kind::Job {
                first_job.get_or_insert((namespace, name));
            }
        }
        let mut actions: Vec<_> = script.actions.iter().map(|(after, action)| (time::after(start, *after), action.clone())).collect();
        actions.sort_by_key(|(at, _)| *at);
        actions.reverse();
        Ok(Self {
            cluster,
            trace: Trace::default(),
            actions,
            later,
            first_job: first_job.unwrap_or_default(),
            now: start,
            begun: false,
            found,
        })
    }

    /// What happens at the next moment at which something does, not after `end`, in order; `None` if nothing does.
    pub fn next_moment(&mut self, end: Timestamp) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        if self.begun {
            let next = self.next_due().filter(|at| *at <= end)?;
            self.now = next.max(self.now);
        } else {
            self.begun = true;
            let found: Vec<Effect> = self.found.drain(..).map(Effect::Written).collect();
            if !found.is_empty() {
                steps.push(self.step(Cause::Found, &found));
            }
            steps.extend(self.cluster.writes().into_iter().map(|write| self.applied(write)));
        }
        while let Some((_, action)) = self.actions.pop_if(|(at, _)| *at <= self.now) {
            let complaint = self.act(&action).map(Effect::Complaint);
            let happened: Vec<Effect> = complaint.into_iter().chain(self.cluster.writes().into_iter().map(Effect::Written)).collect();
            steps.push(self.step(Cause::Action(action.to_string().into()), &happened));
        }
        for happened in self.cluster.turn(self.now).chunk_by(|one, next| matches!((one, next), (Effect::Written(_), Effect::Written(_)))) {
            steps.push(self.step(Cause::of(&happened[0]), happened));
        }
        Some(steps)
    }

    /// The step by which somebody applied a manifest at the beginning.
    fn applied(&mut self, write: Write) -> Step {
        let action = Action::CreateJob(write.after.metadata().name.clone());
        self.step(Cause::Action(action.to_string().into()), &[Effect::Written(write)])
    }

    fn step(&mut self, cause: Cause, happened: &[Effect]) -> Step {
        Step { at: self.now, cause, entries: self.trace.entries(happened, self.now), touched: step::touched(happened, &self.trace) }
    }

    /// The time of the last moment.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// When something is due; `None` if nothing will ever happen again.
    pub fn next_due(&mut self) -> Option<Timestamp> {
        let action = self.actions.last().map(|(at, _)| *at);
        self.cluster.next_due().into_iter().chain(action).min()
    }

    /// What the controllers wait for.
    pub fn next_wakeup(&mut self) -> Option<contract::Wakeup> {
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

    /// Does what happens from outside; answers what went wrong with it.
    fn act(&mut self, action: &Action) -> Option<Text> {
        let now = self.now;
        match action {
            Action::Job { .. } | Action::SetPod { .. } => {
                let request = action.request(&self.first_job.0, &self.first_job.1)?;
                return refused(action, self.cluster.request(&request, now).err());
            }
            Action::CreateJob(name) => {
                let Some(job) = self.later.get(name) else { return Some(format!("{action}: there is no such manifest").into()) };
                let request = Request::create(Kind::Job, &Identity::of(job).namespace, job.to_string());
                return refused(action, self.cluster.request(&request, now).err());
            }
            Action::Overwrite { path, value } => {
                let (namespace, name) = &self.first_job;
                let merge = merge_patch(path, value).to_string();
                return refused(action, self.cluster.world.server.overwrite_job(namespace, name, &merge, now).err());
            }
            Action::DelayWatch(length) => self.cluster.deafness = Some(Deafness { until: time::after(now, *length), cut: false }),
            Action::CutWatch(length) => self.cluster.deafness = Some(Deafness { until: time::after(now, *length), cut: true }),
            Action::PauseController(length) => self.cluster.paused_until = Some(time::after(now, *length)),
            Action::RestartController => self.cluster.restart_controllers(now),
            Action::RefuseNextWrite(refusal) => self.cluster.refusals.push_back(*refusal),
            Action::Advance(length) => self.now = time::after(now, *length),
            Action::LoseNode | Action::RemoveNode => _ = act(&mut self.cluster.kubelet, action, &mut self.cluster.world.server, now),
            Action::DeletePods(_) | Action::Evict(_) | Action::Exit { .. } | Action::MakeReady(_) => {
                let met = act(&mut self.cluster.kubelet, action, &mut self.cluster.world.server, now);
                let which = if let Action::MakeReady(_) = action { " that runs and is not ready" } else { "" };
                return met.is_empty().then(|| format!("{action}: there is no such pod{which}").into());
            }
        }
        None
    }

    /// How long the play has lasted.
    #[must_use]
    pub fn lasted(&self, start: Timestamp) -> Duration {
        self.now.duration_since(start)
    }
}

/// What is said of an action that the API server refused.
fn refused(action: &Action, error: Option<ApiError>) -> Option<Text> {
    error.map(|error| format!("refused: {action}: {error}").into())
}

/// What an object is, as its JSON says.
struct Identity {
    kind: Kind,
    namespace: Text,
    name: Text,
    /// Whether another cluster had it.
    found: bool,
}

impl Identity {
    fn of(object: &str) -> Self {
        let Named { kind, metadata: ObjectMeta { namespace, name, uid, .. } } = json::from_str(object).unwrap_or_default();
        Self {
            kind: if kind.as_deref() == Some(Kind::Pod.name()) { Kind::Pod } else { Kind::Job },
            namespace: if namespace.is_empty() { DEFAULT_NAMESPACE.into() } else { namespace },
            name,
            found: !uid.is_empty(),
        }
    }
}

#[derive(Default, Read)]
struct Named {
    kind: Option<Text>,
    metadata: ObjectMeta,
}

#[cfg(test)]
mod tests {
    use cluster::testing::{job, noon, pod};
    use expect_test::{Expect, expect};

    use super::*;
    use crate::puppet::Puppet;
    use crate::trace::Clock;

    /// Plays Jobs with a manager that creates the pod `a` and does nothing else.
    fn check(script: &str, jobs: &[&str], expected: Expect) {
        let mut manager = Puppet::default();
        manager.plan(0, &[&[&pod("a", "", "")]]);
        let jobs: Vec<Text> = jobs.iter().map(|name| job(name, "").trim_start_matches("POST jobs ").into()).collect();
        let mut play = Play::new(manager, &Script::parse(script).unwrap(), &jobs, noon()).unwrap();
        let (clock, mut lines) = (Clock { start: noon() }, Vec::new());
        while let Some(moment) = play.next_moment(time::after(noon(), Duration::from_mins(1))) {
            lines.extend(moment.iter().flat_map(|step| &step.entries).filter_map(|entry| clock.line(entry, false)));
        }
        lines.push(format!("at {} s: {} Jobs", play.lasted(noon()).as_secs(), play.jobs().count()));
        expected.assert_eq(&lines.join("\n"));
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
                   0:04 pod a Restarted: start 2 of container main
                   0:06 pod a Ready
                   0:18 pod a Restarted: start 3 of container main
                   0:20 pod a Ready
                   0:42 pod a Restarted: start 4 of container main
                   0:44 pod a Ready
                at 46 s: 1 Jobs"#]],
        );
    }

    #[test]
    fn actions_happen_in_the_order_of_their_times() {
        check(
            "pods: runs forever\nat 3s: scale job rho to 3\nat 2s: suspend\nat 4s: delete job rho\nat 70s: resume",
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
                   0:12 pod a Terminating
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
               0:02 pod a Ready
               0:03 ! make pods ready: there is no such pod that runs and is not ready
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
                   0:01 pod a Restarted: start 2 of container main
                   0:05 job rho: created
                   0:06 ! refused: create job rho: jobs.batch "rho" already exists
                   0:07 ! create job tau: there is no such manifest
                   0:12 pod a Restarted: start 3 of container main
                   0:12 pod a Ready
                   0:33 pod a Restarted: start 4 of container main
                   0:33 pod a Ready
                at 34 s: 2 Jobs"#]],
        );
    }

    #[test]
    fn what_cannot_be_done_is_told() {
        check(
            "pods: runs forever\nat 1s: set spec.parallelism=-1\nat 2s: delete job rho\nat 3s: evict pod b\nat 4s: exit 1 in pod b",
            &["pi"],
            expect![[r#"
                   0:00 job pi: created
                   0:00 pod a Pending
                   0:00 pod a Ready
                   0:01 ! refused: set spec.parallelism=-1: Job.batch "pi" is invalid: spec.parallelism: Invalid value: -1: must be greater than or equal to 0
                   0:02 ! refused: delete job rho background: jobs.batch "rho" not found
                   0:03 ! evict pod b: there is no such pod
                   0:04 ! exit 1 in pod b: there is no such pod
                at 4 s: 1 Jobs"#]],
        );
    }

    #[test]
    fn a_job_that_is_refused_is_told_with_its_place() {
        let jobs = ["pi", "p!"].map(|name| job(name, "").trim_start_matches("POST jobs ").into());
        let (at, error) = Play::new(Puppet::default(), &Script::default(), &jobs, noon()).unwrap_err();
        assert_eq!((at, error.code), (1, 422));
    }
}
