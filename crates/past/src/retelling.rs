//! The past told once, under some assumptions: a cluster in memory in which a Job is created again, its pods live as they did, and the controllers decide along.
//!
//! Docs: Jobs. What the record has is in `record.rs`, when it has what the controllers do in `pacing.rs`, what they are answered in `answers.rs`. Where the
//! record has something that the controllers do not do, it happens, and the difference is an entry of the trace.

use std::collections::BTreeMap;

use api::request::{ApiError, Method, Outcome, Request};
use api::{Duration, Kind, Text, Timestamp, time};
use cluster::Dependence;
use cluster::apiserver::{ApiServer, Target, WatchId, Write};
use cluster::naming::Names;
use cluster::stored::Stored;
use contract::execution::Executed;
use contract::{Command, Execution, Manager, ObjectRef, Plan};
use play::World;
use play::step::{Step, Trigger};
use play::trace::Trace;
use play::world::send;
use play::world::turn::Effect;
use serde_json::{Value, json};

use crate::agenda::{Agenda, Happening, created_suspended};
use crate::answers;
use crate::difference::{self, Difference};
use crate::gaps::{Assumptions, Gaps, GoneEnd, verdict_at};
use crate::pacing::{Pacing, Shown};
use crate::record::{JobRecord, PodRecord, deletion_finalizers};

/// How much later than recorded the controllers may do what they would do anyway: times are whole seconds, and clocks differ.
const LENIENCE: Duration = Duration::from_secs(2);
/// How long after the last recorded time the controllers may still do what leaves no time in objects.
const AFTERWARDS: Duration = Duration::from_secs(3);
/// How many things may happen at one time before it counts as an endless loop.
const MOST_TURNS: usize = 100_000;

/// What happened to a Job, from one moment to the next, up to the time at which it was recorded.
#[derive(Debug)]
pub(crate) struct Retelling<M> {
    record: JobRecord,
    pub(crate) world: World<M>,
    watch: WatchId,
    trace: Trace,
    agenda: Agenda,
    /// The recorded pods that were not created yet, in order.
    waiting: Vec<PodRecord>,
    /// The pods that were created, by UID.
    living: BTreeMap<Text, PodRecord>,
    pub(crate) gaps: Gaps,
    /// A plan that is being carried out.
    flight: Option<Flight>,
    /// Until when the controllers do nothing, unless something changes: forever, without a time.
    hold: Option<Option<Timestamp>>,
    /// Whether the controllers have planned nothing since something last happened: then they do so at their next wake-up.
    asked: bool,
    /// Whether a condition had to be written that they did not write.
    imposed: bool,
    pub(crate) now: Timestamp,
    begun: bool,
    ended: bool,
    pub(crate) differences: usize,
}

#[derive(Debug)]
struct Flight {
    execution: Execution,
    /// When the next of its commands is answered.
    until: Timestamp,
    /// Whether its decisions were shown.
    shown: bool,
    /// How many of its commands were shown with their outcomes.
    answered: usize,
}

impl<M: Manager> Retelling<M> {
    /// Begins when the Job was created, with controllers that have just started.
    ///
    /// # Errors
    /// If the API server cannot read the Job.
    pub(crate) fn new(manager: M, record: JobRecord, assumed: Assumptions) -> Result<Self, ApiError> {
        let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
        let watch = server.watch(None);
        server.restore(Kind::Job, &record.job.metadata.namespace, &beginning(&record).to_string())?;
        let now = record.created_at();
        let (agenda, gaps, waiting) = (Agenda::of(&record), Gaps::of(&record, assumed), record.pods.clone());
        let world = World::new(server, manager);
        let (trace, living) = Default::default();
        Ok(Self {
            record,
            world,
            watch,
            trace,
            agenda,
            waiting,
            living,
            gaps,
            flight: None,
            hold: None,
            asked: false,
            imposed: false,
            now,
            begun: false,
            ended: false,
            differences: 0,
        })
    }

    /// What happened at the next moment at which something did, in order; `None` at the end of the past.
    pub(crate) fn next_moment(&mut self) -> Option<Vec<Step>> {
        if self.ended {
            return None;
        }
        let mut steps = Vec::new();
        if !self.begun {
            self.begun = true;
            steps.extend(self.changes(false));
            self.world.list(self.now);
            steps.extend(self.turn());
            return Some(steps);
        }
        match self.next_due().filter(|due| self.goes_on(*due)) {
            Some(due) => {
                self.now = due.max(self.now);
                Some(self.turn())
            }
            None => {
                self.ended = true;
                self.now = self.now.max(self.record.end);
                let difference = difference::first(&self.record, &self.world.server)?;
                Some(vec![self.differed(difference)])
            }
        }
    }

    /// Whether something that is due then is a part of the past.
    fn goes_on(&self, due: Timestamp) -> bool {
        due <= self.record.end
            || due <= time::after(self.record.end, AFTERWARDS) && difference::first(&self.record, &self.world.server).is_some()
    }

    fn next_due(&mut self) -> Option<Timestamp> {
        let controllers = match (&self.flight, self.hold) {
            (Some(flight), _) => Some(flight.until),
            (None, Some(until)) => until,
            (None, None) => self.world.next_due().map(|wakeup| wakeup.at),
        };
        self.agenda.next_due().into_iter().chain(controllers).chain(self.next_enforced()).min()
    }

    /// Does all that is due.
    fn turn(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        for _ in 0..MOST_TURNS {
            if let Some((happening, estimated)) = self.happen() {
                (self.hold, self.asked) = (None, false);
                steps.extend(self.changes(estimated).into_iter().chain(happening));
                self.world.deliver(self.now);
            } else if let Some(acted) = self.act() {
                steps.extend(acted);
            } else if let Some(enforced) = self.enforce() {
                (self.hold, self.asked) = (None, false);
                steps.extend(enforced);
                self.world.deliver(self.now);
            } else {
                return steps;
            }
        }
        self.ended = true;
        steps
    }

    /// Lets happen what is next by the record; returns whether it is estimated, and what is to be said about it.
    fn happen(&mut self) -> Option<(Option<Step>, bool)> {
        let now = self.now;
        Some(match self.agenda.pop(now)? {
            Happening::Frame { uid, place } => (None, self.frame(&uid, place)),
            Happening::Disruption { uid } => {
                self.delete(&uid);
                (None, false)
            }
            Happening::Suspension { suspended, estimated } => {
                let (namespace, name) = self.job_name();
                let body = json!({"spec": {"suspend": suspended}}).to_string();
                // The Job is there: nobody but its record deletes it.
                let _ = self.world.server.overwrite_job(&namespace, &name, &body, now);
                (None, estimated)
            }
            Happening::JobDeletion => {
                let finalizers = &self.record.job.metadata.finalizers;
                let policy = if finalizers.iter().any(|held| **held == *"foregroundDeletion") {
                    "Foreground"
                } else if finalizers.iter().any(|held| **held == *"orphan") {
                    "Orphan"
                } else {
                    "Background"
                };
                let (namespace, name) = self.job_name();
                let request = Request::delete(Kind::Job, &namespace, &name, json!({"propagationPolicy": policy}).to_string());
                let _ = self.world.server.execute(&request, now);
                (None, false)
            }
        })
    }

    /// Brings a pod into its next status; returns whether that is estimated.
    fn frame(&mut self, uid: &str, place: usize) -> bool {
        let Some(pod) = self.living.get(uid) else { return false };
        let (metadata, frame, last) = (pod.metadata.clone(), pod.frames[place].clone(), place + 1 == pod.frames.len());
        let (ended, estimated) = (pod.ended && last, pod.estimated);
        let node = pod.value["spec"]["nodeName"].as_str().map(Text::from);
        let server = &mut self.world.server;
        let written = server.update_pod(&metadata.namespace, &metadata.name, self.now, |parts| {
            parts.status = frame.status;
            if frame.assigned && parts.node_name.is_empty() {
                parts.node_name = node.unwrap_or_else(|| "unknown".into());
            }
        });
        // Nothing is left of it: it goes as soon as its Job has counted it.
        if let Some(stored) = written.filter(|stored| ended && (estimated || stored.metadata().deleting())) {
            server.begin_deletion(&stored, None, Some(0), self.now);
        }
        frame.estimated
    }

    /// Shows the controllers what changed, and carries out what they plan when the record has it.
    fn act(&mut self) -> Option<Vec<Step>> {
        let now = self.now;
        if let Some(flight) = self.flight.take_if(|flight| flight.until <= now) {
            let steps = self.carry_on(flight);
            self.world.deliver(now);
            return Some(steps);
        }
        if self.flight.is_some() || self.hold.is_some_and(|until| until.is_none_or(|until| until > now)) {
            return None;
        }
        self.hold = None;
        if self.asked && self.world.next_due().is_none_or(|wakeup| wakeup.at > now) {
            return None;
        }
        let job = ObjectRef::of(Kind::Job.name(), &self.record.job.metadata);
        if let Ok(explanation) = self.world.manager.explain(&job, &[], now) {
            let due = self.pacing().due(explanation.now.batches.iter().flatten(), now);
            if due.is_none_or(|due| due > now) {
                self.hold = Some(due);
                return None;
            }
        }
        self.asked = true;
        let plan = self.world.manager.next_plan(now)?;
        self.asked = false;
        let steps = self.carry_on(Flight { execution: Execution::new(plan), until: now, shown: false, answered: 0 });
        self.world.deliver(now);
        Some(steps)
    }

    fn pacing(&self) -> Pacing<'_> {
        Pacing { record: &self.record, server: &self.world.server, waiting: &self.waiting, gaps: &self.gaps }
    }

    /// Carries out the commands of a plan that are answered by now.
    fn carry_on(&mut self, mut flight: Flight) -> Vec<Step> {
        let mut estimated = false;
        while let Some(command) = flight.execution.next_command().cloned() {
            match self.answer(&command) {
                Answered::Now { outcome, gone } => {
                    estimated |= gone;
                    flight.execution.record(outcome);
                }
                Answered::At(at) => {
                    flight.until = at;
                    break;
                }
            }
        }
        let over = flight.execution.next_command().is_none();
        let executed = flight.execution.clone().end();
        let mut steps = self.shown(&mut flight, &executed, estimated);
        if over {
            if let Some(event) = executed.event() {
                // Outcomes hold no object that could be malformed.
                let _ = self.world.manager.handle(event, self.now);
            }
        } else {
            self.flight = Some(flight);
        }
        steps.retain(|step| !step.entries.is_empty() || !step.touched.is_empty());
        steps
    }

    /// What was done of a plan just now, as a step.
    fn shown(&mut self, flight: &mut Flight, executed: &Executed, estimated: bool) -> Vec<Step> {
        let writes = self.writes();
        let Plan { controller, object, .. } = &executed.plan;
        let mut plan = executed.plan.clone();
        let mut trigger = Trigger::Answers { controller: controller.clone(), object: object.clone() };
        if flight.shown {
            (plan.decisions, plan.notices) = (Vec::new(), Vec::new());
        }
        let done = executed.outcomes.iter().take_while(|outcome| !matches!(outcome, Outcome::Skipped)).count().max(flight.answered);
        plan.batches = vec![executed.plan.commands().skip(flight.answered).take(done - flight.answered).cloned().collect()];
        let outcomes = executed.outcomes[flight.answered..done].to_vec();
        flight.answered = done;
        let effect = Effect::Planned { executed: Box::new(Executed { plan, outcomes }), writes };
        if !flight.shown {
            trigger = Trigger::of(&effect);
            flight.shown = true;
        }
        let mut step = Step::new(self.now, trigger, &[effect], &mut self.trace);
        if estimated {
            step.entries
                .iter_mut()
                .filter(|entry| matches!(entry.what, play::trace::What::Pod(_)))
                .for_each(|entry| entry.estimated = true);
        }
        vec![step]
    }

    /// Answers a command, if the record has it by now.
    fn answer(&mut self, command: &Command) -> Answered {
        let (request, now) = (&command.request, self.now);
        let target = Target::read(&request.path);
        if let Some(target) = target.filter(|target| request.method == Method::Post && target.kind == Kind::Pod) {
            return self.answer_creation(command, target.namespace);
        }
        if let Some(target) = target.filter(|target| request.method == Method::Delete && target.kind == Kind::Pod) {
            let stored = self.world.server.object(Kind::Pod, target.namespace, target.name).cloned();
            let outcome = send(&mut self.world.server, command, now);
            if let Some(stored) = stored {
                self.leave(&stored);
            }
            return Answered::Now { outcome, gone: false };
        }
        Answered::Now { outcome: send(&mut self.world.server, command, now), gone: false }
    }

    fn answer_creation(&mut self, command: &Command, namespace: &str) -> Answered {
        let body: Value = serde_json::from_str(&command.request.body).unwrap_or_default();
        let index = answers::index(&body);
        let place = self.waiting.iter().position(|pod| pod.index == index);
        let next = place.map(|place| self.waiting[place].created_at);
        if self.gaps.fills(index, 0, next, self.now) {
            return Answered::Now { outcome: self.create_gone(command, index, next), gone: true };
        }
        let (Some(place), Some(created_at)) = (place, next) else {
            return Answered::Now { outcome: Outcome::Failed(not_recorded()), gone: false };
        };
        if created_at > self.now {
            return Answered::At(created_at);
        }
        let pod = self.waiting.remove(place);
        let created = answers::create(&mut self.world.server, &pod, Some(&body));
        self.agenda.add_pod(&pod, self.now);
        let name = pod.metadata.name.clone();
        self.living.insert(pod.metadata.uid.clone(), pod);
        let stored = self.world.server.object(Kind::Pod, namespace, &name).filter(|_| created);
        let outcome = stored.map_or_else(
            || Outcome::Failed(not_recorded()),
            |stored| Outcome::Done(cluster::apiserver::Answer::Object(std::sync::Arc::clone(stored)).written()),
        );
        Answered::Now { outcome, gone: false }
    }

    /// Creates a pod of which nothing is left.
    fn create_gone(&mut self, command: &Command, index: Option<u32>, next: Option<Timestamp>) -> Outcome {
        let outcome = send(&mut self.world.server, command, self.now);
        let Outcome::Done(written) = &outcome else { return outcome };
        let end = self.gaps.take(index);
        let (namespace, name) = self.job_name();
        let stored = |kind, name: &str| self.world.server.object(kind, &namespace, name);
        let failures = stored(Kind::Job, &name).and_then(|job| usize::try_from(job.job()?.status.failed).ok()).unwrap_or_default();
        let until = verdict_at(&self.record).unwrap_or(self.record.end);
        let course = self.gaps.course(&self.record, end, failures, next, self.now);
        let value = stored(Kind::Pod, &written.name).and_then(|stored| serde_json::from_str(&stored.json()).ok()).unwrap_or_default();
        if let Some(pod) = answers::gone(value, course, end == GoneEnd::Succeeded, until, self.now) {
            self.agenda.add_pod(&pod, self.now);
            self.living.insert(pod.metadata.uid.clone(), pod);
        }
        outcome
    }

    /// Lets a pod end that is being deleted, if nothing is left of it: nobody knows how long it took.
    fn leave(&mut self, stored: &Stored) {
        let metadata = stored.metadata();
        let Some(pod) = self.living.get(&metadata.uid).filter(|pod| pod.estimated) else { return };
        self.agenda.forget(&pod.metadata.uid);
        self.world.server.update_pod(&metadata.namespace, &metadata.name, self.now, |parts| {
            if parts.status.get("phase").and_then(Value::as_str) != Some("Succeeded") {
                parts.status.insert("phase".to_owned(), "Failed".into());
            }
        });
        if let Some(stored) = self.world.server.object(Kind::Pod, &metadata.namespace, &metadata.name).cloned() {
            self.world.server.begin_deletion(&stored, None, Some(0), self.now);
        }
    }

    /// Deletes a pod as the record has it; returns whether it was not being deleted yet.
    fn delete(&mut self, uid: &str) -> bool {
        let Some((metadata, deletion)) = self.living.get(uid).and_then(|pod| Some((&pod.metadata, pod.deletion?))) else { return false };
        let stored =
            self.world.server.object(Kind::Pod, &metadata.namespace, &metadata.name).filter(|stored| !stored.metadata().deleting());
        let Some(stored) = stored.cloned() else { return false };
        let grace = (deletion.grace > 0).then_some(deletion.grace);
        self.world.server.begin_deletion(&stored, None, grace, self.now);
        true
    }

    /// When the record has something next that the controllers have not done.
    fn next_enforced(&mut self) -> Option<Timestamp> {
        let earliest = self.unmet().map(|(at, _)| at).min()?;
        let (now, latest) = (self.now, time::after(earliest, LENIENCE));
        if earliest > now || self.imposed {
            return Some(earliest);
        }
        let wakeup = if self.hold.is_some() { None } else { self.world.next_due().map(|wakeup| wakeup.at) };
        // What they are about to do may be just that.
        let soon = self.flight.is_some() || wakeup.is_some_and(|at| at > now && at <= latest && self.would_show(at));
        Some(if soon { latest } else { earliest })
    }

    /// Whether the controllers would then do something that the record has by now.
    fn would_show(&mut self, at: Timestamp) -> bool {
        let job = ObjectRef::of(Kind::Job.name(), &self.record.job.metadata);
        let Ok(explanation) = self.world.manager.explain(&job, &[], at) else { return false };
        matches!(self.pacing().earliest(explanation.now.batches.iter().flatten(), at), Shown::At(shown) if shown <= self.now)
    }

    /// What the record has from some time on, and is not there.
    fn unmet(&self) -> impl Iterator<Item = (Timestamp, Unmet)> {
        let creations = self.waiting.iter().map(|pod| (pod.created_at, Unmet::Creation(pod.metadata.uid.clone())));
        let deletions = self.living.values().filter_map(|pod| {
            let stored = self.world.server.object(Kind::Pod, &pod.metadata.namespace, &pod.metadata.name)?;
            let deletion = pod.deletion.filter(|_| !stored.metadata().deleting())?;
            Some((deletion.at, Unmet::Deletion(pod.metadata.uid.clone())))
        });
        let metadata = &self.record.job.metadata;
        let held = self.world.server.object(Kind::Job, &metadata.namespace, &metadata.name).and_then(|stored| stored.job());
        let conditions = self.record.job.status.conditions.iter().filter_map(move |condition| {
            let mut held = held?.status.conditions.iter();
            let there = held.any(|held| held.kind == condition.kind && held.status == condition.status);
            Some((condition.last_transition_time.filter(|_| !there)?, Unmet::Condition(condition.kind.clone())))
        });
        creations.chain(deletions).chain(conditions).collect::<Vec<_>>().into_iter()
    }

    /// Has the next thing happen that the record has and the controllers have not done.
    fn enforce(&mut self) -> Option<Vec<Step>> {
        let now = self.now;
        if self.next_enforced().is_none_or(|at| at > now) {
            return None;
        }
        let (_, unmet) = self.unmet().filter(|(at, _)| *at <= now).min_by_key(|(at, _)| *at)?;
        let (foreign, condition) = (self.record.foreign(), matches!(unmet, Unmet::Condition(_)));
        let difference = match unmet {
            Unmet::Creation(uid) => self.inject(&uid)?,
            Unmet::Deletion(uid) => {
                self.delete(&uid);
                let name = self.living.get(&uid).map(|pod| pod.metadata.name.clone()).unwrap_or_default();
                Difference::new(
                    format!("pod {name} was deleted here, and not by the Job's controller"),
                    "somebody or something else deleted it",
                )
            }
            Unmet::Condition(kind) => self.impose(&kind)?,
        };
        let mut steps = self.changes(false);
        let again = self.imposed;
        self.imposed |= condition;
        if !foreign && !(again && condition) {
            steps.insert(0, self.differed(difference));
        }
        Some(steps)
    }

    /// Creates a recorded pod that nobody asked for.
    fn inject(&mut self, uid: &str) -> Option<Difference> {
        let place = self.waiting.iter().position(|pod| *pod.metadata.uid == *uid)?;
        let pod = self.waiting.remove(place);
        answers::create(&mut self.world.server, &pod, None);
        self.agenda.add_pod(&pod, self.now);
        let name = pod.metadata.name.clone();
        self.living.insert(pod.metadata.uid.clone(), pod);
        let because = if self.record.job.metadata.generation > 1 {
            "the Job was edited, and what it was before is not known"
        } else {
            "a pod may be gone that it replaces, the controller may have been restarted, or another version of it was at work"
        };
        Some(Difference::new(format!("pod {name} was created here; these controllers would not have created it"), because))
    }

    /// Writes a recorded condition that the controllers have not written.
    fn impose(&mut self, kind: &str) -> Option<Difference> {
        let recorded = self.record.job.status.conditions.iter().find(|condition| *condition.kind == *kind)?.clone();
        let (namespace, name) = self.job_name();
        let stored = self.world.server.object(Kind::Job, &namespace, &name)?;
        let mut conditions: Vec<api::JobCondition> = stored.job()?.status.conditions.clone();
        conditions.retain(|condition| *condition.kind != *kind);
        conditions.push(recorded.clone());
        let mut status = json!({"conditions": conditions});
        if let Some(at) = self.record.job.status.completion_time.filter(|_| kind == api::job::conditions::COMPLETE) {
            status["completionTime"] = time::text(at).into();
        }
        // The Job is there, and its status can be read.
        let _ = self.world.server.overwrite_job(&namespace, &name, &json!({"status": status}).to_string(), self.now);
        let reason = &recorded.reason;
        let message = format!("the Job became {kind}={} ({reason}) here; these controllers would not have decided that", recorded.status);
        Some(Difference::new(message, "pods that are gone, an edit, or another version of the controller"))
    }

    /// A difference, as a step.
    fn differed(&mut self, Difference { message, because }: Difference) -> Step {
        self.differences += 1;
        let about = ObjectRef::of(Kind::Job.name(), &self.record.job.metadata);
        let effect = Effect::Differed { about, message: message.into(), because: because.into() };
        Step::new(self.now, Trigger::Difference, &[effect], &mut self.trace)
    }

    /// What was written by nobody's plan, as a step.
    fn changes(&mut self, estimated: bool) -> Vec<Step> {
        let effects: Vec<Effect> = self.writes().into_iter().map(Effect::Written).collect();
        if effects.is_empty() {
            return Vec::new();
        }
        let mut step = Step::new(self.now, Trigger::Change, &effects, &mut self.trace);
        step.entries.iter_mut().for_each(|entry| entry.estimated = estimated);
        vec![step]
    }

    fn writes(&mut self) -> Vec<Write> {
        std::iter::from_fn(|| self.world.server.next_write(self.watch)).collect()
    }

    fn job_name(&self) -> (Text, Text) {
        let metadata = &self.record.job.metadata;
        (metadata.namespace.clone(), metadata.name.clone())
    }
}

/// How a command is answered.
enum Answered {
    /// With this, and whether it created a pod of which nothing is left.
    Now { outcome: Outcome, gone: bool },
    /// Later.
    At(Timestamp),
}

/// Something that the record has and that is not there.
enum Unmet {
    Creation(Text),
    Deletion(Text),
    Condition(Text),
}

/// The Job as it was created, as far as that is known.
fn beginning(record: &JobRecord) -> Value {
    let mut job = record.value.clone();
    job["status"] = json!({});
    if let Some(metadata) = job["metadata"].as_object_mut() {
        for field in ["deletionTimestamp", "deletionGracePeriodSeconds", "managedFields", "resourceVersion"] {
            metadata.remove(field);
        }
        if let Some(finalizers) = metadata.get_mut("finalizers").and_then(Value::as_array_mut) {
            finalizers.retain(|finalizer| finalizer.as_str().is_none_or(|name| !deletion_finalizers().contains(name)));
        }
        if record.job.metadata.namespace.is_empty() {
            metadata.insert("namespace".to_owned(), api::DEFAULT_NAMESPACE.into());
        }
    }
    job["spec"]["suspend"] = created_suspended(record).into();
    job
}

/// The answer to a creation that the record does not have.
fn not_recorded() -> ApiError {
    let message = "the objects that are left show no such pod".to_owned();
    ApiError { code: 403, reason: "Forbidden".to_owned(), message, causes: Vec::new() }
}
