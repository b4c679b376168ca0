//! A whole cluster: API server, controllers and node, turned over together.
//!
//! Docs: Kubernetes Components. The controllers' side is in `mod.rs`, the node's in `cluster::kubelet`; what is seen of it all, in `../trace/`.

use std::collections::{BTreeMap, BTreeSet};

use api::json::{self, Read};
use api::request::{ApiError, Outcome, Request};
use api::{ObjectMeta, Text, Timestamp, time};
use cluster::Refusal;
use cluster::apiserver::{Answer, ApiServer, ApiWarning, WatchId, Write};
use cluster::kubelet::{Kubelet, Runtime, SentSignal};
use contract::execution::Executed;
use contract::{Manager, ObjectRef, Wakeup};

use crate::world::refusals::{ScriptedRefusals, creates_pod};
use crate::world::{World, send};
use script::ObjectName;

/// How often a cluster is turned over at one time before it counts as restless.
const MOST_TURNS: usize = 1_000_000;

/// An API server with controllers and a node. The same cluster runs on virtual time, where time jumps to [`next_due`](Cluster::next_due), and in real time.
#[derive(Debug)]
pub struct Cluster<M, R> {
    /// The API server and the controllers.
    pub world: World<M>,
    /// The node.
    pub kubelet: Kubelet<R>,
    /// How writes of the controllers are refused.
    pub refusals: ScriptedRefusals,
    /// How the API server refuses the pods of some Jobs, by their UIDs.
    pub refused_pods: BTreeMap<Text, ApiError>,
    /// The UIDs of Jobs with a pod that the API server found invalid: every pod from the same template will be.
    invalid_pods: BTreeSet<Text>,
    /// Why the controllers are not shown what changes, if they are not.
    pub deafness: Option<Deafness>,
    /// Until when the controllers do nothing at all.
    pub paused_until: Option<Timestamp>,
    watch: WatchId,
}

/// A time in which the controllers are not shown what changes.
#[derive(Debug, Clone, Copy)]
pub struct Deafness {
    /// When it ends.
    pub until: Timestamp,
    /// Whether their watch has ended: they list what there is then, and never see what came and went.
    pub cut: bool,
}

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Effect {
    /// An object was written, or went, and no plan did it.
    Written(Write),
    /// An object was there before anybody looked.
    Found(Write),
    /// The controllers planned something, and it was carried out.
    Planned {
        /// The plan, and the outcomes of its commands.
        executed: Box<Executed>,
        /// What was written by that, in order.
        writes: Vec<Write>,
        /// Why the controllers looked at the object just then, if that is known: "the Job's spec changed".
        because: Option<Text>,
    },
    /// What is known of a cluster differs from what these controllers decide.
    Differed {
        /// The Job.
        about: ObjectRef,
        /// What differs: a sentence without its end.
        message: Text,
        /// What may explain it: a sentence without its end, or nothing.
        because: Text,
    },
    /// A container of several in its pod was sent a signal.
    Signalled(SentSignal),
    /// The API server warned of something, or the controllers refused an object or crashed.
    Complaint(Text),
}

impl Effect {
    /// Whether two things, one after the other, are parts of one step.
    pub(crate) fn in_one_step(one: &Self, next: &Self) -> bool {
        let of_nodes = |effect: &Self| matches!(effect, Self::Written(_) | Self::Signalled(_));
        of_nodes(one) && of_nodes(next) || matches!((one, next), (Self::Found(_), Self::Found(_)))
    }

    /// What was written by it, in order.
    #[must_use]
    pub fn writes(&self) -> &[Write] {
        match self {
            Self::Written(write) | Self::Found(write) => std::slice::from_ref(write),
            Self::Planned { writes, .. } => writes,
            Self::Signalled(_) | Self::Differed { .. } | Self::Complaint(_) => &[],
        }
    }
}

impl<M: Manager, R: Runtime> Cluster<M, R> {
    /// A cluster whose controllers have just started.
    pub fn new(mut server: ApiServer, manager: M, runtime: R, now: Timestamp) -> Self {
        let watch = server.watch(None);
        let kubelet = Kubelet::new(&mut server, runtime, now);
        let mut world = World::new(server, manager);
        world.list(now);
        Self {
            world,
            kubelet,
            refusals: ScriptedRefusals::default(),
            refused_pods: BTreeMap::new(),
            invalid_pods: BTreeSet::new(),
            deafness: None,
            paused_until: None,
            watch,
        }
    }

    /// Whether the API server refuses all pods of some Job.
    pub fn refuses_pods(&self) -> bool {
        !self.refused_pods.is_empty() || !self.invalid_pods.is_empty()
    }

    /// Whether the API server refuses all pods of the Job with this UID.
    pub fn refuses_pods_of(&self, job: &Text) -> bool {
        self.refused_pods.contains_key(job) || self.invalid_pods.contains(job)
    }

    /// Carries out a request from outside.
    ///
    /// # Errors
    /// What the API server refuses.
    pub fn request(&mut self, request: &Request, now: Timestamp) -> Result<Answer, ApiError> {
        self.world.server.execute(request, now)
    }

    /// Does all that is due; returns what happened, in order.
    ///
    /// # Panics
    /// If it does not end.
    pub fn turn(&mut self, now: Timestamp) -> Vec<Effect> {
        let mut happened = Vec::new();
        for _ in 0..MOST_TURNS {
            let next = self.turn_once(now);
            if next.is_empty() {
                return happened;
            }
            happened.extend(next);
        }
        panic!("the cluster never falls quiet at {}", time::text(now));
    }

    /// Does what is due first, up to a plan of the controllers; returns what happened, in order: nothing if nothing is due.
    pub fn turn_once(&mut self, now: Timestamp) -> Vec<Effect> {
        self.paused_until = self.paused_until.filter(|until| now < *until);
        let warnings = self.warnings();
        let complaints = warnings.into_iter().chain(self.show(now)).chain(self.world.losses.drain(..));
        let mut happened: Vec<Effect> = complaints.map(|complaint| Effect::Complaint(complaint.into())).collect();
        self.kubelet.observe(&mut self.world.server, now);
        self.kubelet.tick(&mut self.world.server, now);
        happened.extend(self.changes());
        if let Some((executed, because)) = self.step(now) {
            happened.push(Effect::Planned { executed: Box::new(executed), writes: self.writes(), because });
        }
        happened
    }

    /// The API server's warnings since the last call, as kubectl prints them; each names its CronJob or Job.
    pub fn warnings(&mut self) -> Vec<String> {
        let warnings = self.world.server.take_warnings();
        let text = |ApiWarning { kind, namespace, name, text }: ApiWarning| {
            let others = self.world.server.objects(kind).map(|object| &object.metadata().namespace);
            format!("Warning: {} {}: {text}", kind.name().to_lowercase(), ObjectName::among(&namespace, &name, others))
        };
        warnings.into_iter().map(text).collect()
    }

    /// Shows the controllers what changed, if their watch works; returns which objects they refused.
    fn show(&mut self, now: Timestamp) -> Vec<String> {
        if self.paused_until.is_some() || self.deafness.is_some_and(|deafness| now < deafness.until) {
            return Vec::new();
        }
        let malformed = match self.deafness.take() {
            Some(Deafness { cut: true, .. }) => self.world.list(now),
            Some(Deafness { cut: false, .. }) | None => self.world.deliver(now),
        };
        malformed.iter().map(ToString::to_string).collect()
    }

    /// When something is due if nothing happens before.
    pub fn next_due(&mut self) -> Option<Timestamp> {
        let controllers = self.next_wakeup().map(|wakeup| wakeup.at);
        let shown = self.deafness.map(|deafness| deafness.until).max(self.paused_until);
        controllers.into_iter().chain(self.kubelet.next_due()).chain(shown).min()
    }

    /// What the controllers wait for.
    pub fn next_wakeup(&mut self) -> Option<Wakeup> {
        let wakeup = self.world.next_due()?;
        let Some(until) = self.paused_until.filter(|until| wakeup.at < *until) else { return Some(wakeup) };
        Some(Wakeup { at: until, reason: format!("the controllers are paused until then; after that: {}", wakeup.reason), ..wakeup })
    }

    /// The controllers lose all that they hold in memory.
    pub fn restart_controllers(&mut self, now: Timestamp) {
        self.world.restart(now);
    }

    /// All writes since the last call, in order; [`turn`](Cluster::turn) takes those that it finds and those that it makes.
    pub fn writes(&mut self) -> Vec<Write> {
        std::iter::from_fn(|| self.world.server.next_write(self.watch)).collect()
    }

    /// What was written since the last call and which signals were sent in the last tick, in order.
    fn changes(&mut self) -> Vec<Effect> {
        let writes = self.writes();
        let mut signals = self.kubelet.sent_signals().iter().cloned().peekable();
        let mut changes = Vec::with_capacity(writes.len());
        for write in writes {
            let version = write.after.metadata().resource_version.parse().unwrap_or(u64::MAX);
            changes.extend(std::iter::from_fn(|| signals.next_if(|signal| signal.version < version)).map(Effect::Signalled));
            changes.push(Effect::Written(write));
        }
        changes.extend(signals.map(Effect::Signalled));
        changes
    }

    /// Carries out the next plan that is due; returns it with why it was due.
    fn step(&mut self, now: Timestamp) -> Option<(Executed, Option<Text>)> {
        if self.paused_until.is_some() {
            return None;
        }
        let due = self.world.due(now);
        let (refusals, refused_pods, invalid_pods) = (&mut self.refusals, &self.refused_pods, &mut self.invalid_pods);
        let executed = self.world.step_with(now, |server, command| {
            let Some(refusal) = refusals.take(&command.request, now) else {
                let refused = refused_pod(refused_pods, &command.request).map(|error| Outcome::Failed(error.clone()));
                let outcome = refused.unwrap_or_else(|| send(server, command, now));
                invalid_pods.extend(job_of_invalid_pod(&command.request, &outcome));
                return outcome;
            };
            if refusal == Refusal::TimeoutAfter {
                // The answer is lost, whatever it was.
                let _ = server.execute(&command.request, now);
            }
            Outcome::Failed(refusal.error())
        })?;
        let because = self.world.because(due, &executed.plan);
        Some((executed, because))
    }
}

/// How a request is refused, if it creates a pod of a Job whose pods are refused.
fn refused_pod<'e>(refused: &'e BTreeMap<Text, ApiError>, request: &Request) -> Option<&'e ApiError> {
    if refused.is_empty() { None } else { refused.get(&job_of_pod(request)?) }
}

/// The UID of the Job, if a request was to create a pod of it that is invalid.
fn job_of_invalid_pod(request: &Request, outcome: &Outcome) -> Option<Text> {
    let Outcome::Failed(error) = outcome else { return None };
    if &*error.reason == "Invalid" { job_of_pod(request) } else { None }
}

/// The UID of the Job, if a request creates a pod of it.
fn job_of_pod(request: &Request) -> Option<Text> {
    if !creates_pod(request) {
        return None;
    }
    let CreatedPod { metadata } = json::from_str(&request.body).ok()?;
    Some(metadata.controller()?.uid.clone())
}

#[derive(Default, Read)]
struct CreatedPod {
    metadata: ObjectMeta,
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use api::time;
    use cluster::Dependence;
    use cluster::testing::{job, noon, pod, send_line, server};
    use expect_test::{Expect, expect};

    use super::*;
    use crate::testing::Puppet;
    use script::{Script, Scripted};

    fn cluster() -> Cluster<Puppet, Scripted> {
        let mut server = server(Dependence::OnOwners);
        send_line(&mut server, &job("pi", ""), 0);
        Cluster::new(server, Puppet::default(), Scripted::new(Script::default()), noon())
    }

    fn after(seconds: i64) -> Timestamp {
        time::after(noon(), api::Duration::from_secs(seconds))
    }

    fn check(lines: &[impl Debug + AsRef<str>], expected: Expect) {
        expected.assert_eq(&lines.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("\n"));
    }

    fn written(write: &Write) -> String {
        let Write { before, after, gone, .. } = write;
        let phase = after.pod().map_or("", |pod| pod.status.phase());
        let (new, gone) = (if before.is_none() { " new" } else { "" }, if *gone { " gone" } else { "" });
        format!("{} {phase}{new}{gone}", after.metadata().name)
    }

    #[test]
    fn effects_come_in_order() {
        let mut cluster = cluster();
        cluster.world.manager.plan(0, &[&[&pod("a", "", "")]]);
        let happened = cluster.turn(noon());
        let lines: Vec<String> = happened
            .iter()
            .map(|happening| match happening {
                Effect::Written(write) | Effect::Found(write) => written(write),
                Effect::Planned { executed, writes, .. } => {
                    format!("planned {}: {}", executed.outcomes.len(), writes.iter().map(written).collect::<Vec<_>>().join(", "))
                }
                Effect::Signalled(signal) => format!("{:?} to {}", signal.signal, signal.container),
                Effect::Differed { message: complaint, .. } | Effect::Complaint(complaint) => format!("! {complaint}"),
            })
            .collect();
        check(
            &lines,
            expect![[r#"
                planned 1: a Pending new
                a Pending
                a Running"#]],
        );
        assert_eq!(cluster.next_due(), Some(after(5)));
    }

    #[test]
    fn a_refused_write_has_an_effect_only_if_its_answer_is_lost() {
        let effect = |refusal| {
            let mut cluster = cluster();
            cluster.refusals.next.push_back(refusal);
            cluster.world.manager.plan(0, &[&["GET jobs/pi", &pod("a", "", "")]]);
            cluster.turn(noon());
            let finished = cluster.world.manager.handled.iter().find(|event| event.starts_with("finished")).unwrap().clone();
            format!("{}: {finished}, {} pods", refusal.words(), cluster.world.server.objects(api::Kind::Pod).count())
        };
        check(
            &Refusal::ALL.map(effect),
            expect![[r#"
            conflict: finished 1: pi, 409, 0 pods
            forbidden: finished 1: pi, 403, 0 pods
            namespace terminating: finished 1: pi, 403, 0 pods
            server error: finished 1: pi, 500, 0 pods
            timeout before: finished 1: pi, 0, 0 pods
            timeout after: finished 1: pi, 0, 1 pods"#]],
        );
    }

    #[test]
    fn deaf_controllers_are_shown_everything_later() {
        let mut cluster = cluster();
        cluster.deafness = Some(Deafness { until: after(3), cut: false });
        send_line(&mut cluster.world.server, &pod("a", "", ""), 0);
        cluster.turn(noon());
        assert_eq!(cluster.next_due(), Some(after(3)));
        cluster.world.manager.handled.push("3 s later".to_owned());
        cluster.turn(after(3));
        check(
            &cluster.world.manager.handled,
            expect![[r#"
                listed CronJob: 
                listed Job: pi
                listed Pod: 
                3 s later
                applied a"#]],
        );
        assert!(cluster.deafness.is_none());
    }

    #[test]
    fn controllers_whose_watch_was_cut_list_again_and_miss_what_came_and_went() {
        let mut cluster = cluster();
        cluster.deafness = Some(Deafness { until: after(3), cut: true });
        send_line(&mut cluster.world.server, &pod("a", "", ""), 0);
        send_line(&mut cluster.world.server, &pod("b", "", ""), 0);
        cluster.turn(noon());
        send_line(&mut cluster.world.server, r#"DELETE pods/a {"gracePeriodSeconds":0}"#, 0);
        cluster.turn(after(1));
        cluster.turn(after(3));
        check(
            &cluster.world.manager.handled,
            expect![[r#"
                listed CronJob: 
                listed Job: pi
                listed Pod: 
                listed CronJob: 
                listed Job: pi
                listed Pod: b"#]],
        );
    }

    #[test]
    fn paused_controllers_do_nothing_until_later() {
        let mut cluster = cluster();
        cluster.paused_until = Some(after(3));
        cluster.world.manager.plan(0, &[&[&pod("a", "", "")]]);
        assert!(cluster.turn(noon()).is_empty());
        assert_eq!(cluster.next_due(), Some(after(3)));
        assert_eq!(cluster.turn(after(3)).len(), 3);
        assert_eq!(cluster.paused_until, None);
    }
}
