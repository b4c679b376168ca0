//! The past reconstructed once, under some assumptions: a cluster in memory in which a Job is created again, its pods live as they did, and the controllers decide along.
//!
//! Docs: Jobs. What the record has is in `record.rs`, when it has what the controllers do in `pacing.rs`, what they are answered in `answers.rs`. Where the
//! record has something that the controllers do not do, it happens, and the difference is an entry of the trace.

use api::request::{Method, Outcome};
use api::{Duration, Kind, Text, Timestamp, time};
use cluster::Dependence;
use cluster::apiserver::{ApiServer, WatchId, Write};
use cluster::naming::Names;
use contract::execution::Executed;
use contract::{Decision, Execution, Manager, ObjectRef, Plan};
use play::World;
use play::step::{Step, Trigger};
use play::trace::{Trace, What};
use play::world::turn::Effect;

use crate::difference::{self, Discrepancy};
use crate::gaps::Assumptions;
use crate::pacing::{InRecord, PATIENCE};
use crate::record::RecordedJob;
use crate::recorded::{Answered, Outstanding, RecordedCluster};

/// How much later than recorded the controllers may do what they would do anyway: times are whole seconds, and clocks differ.
const LENIENCE: Duration = Duration::from_secs(2);
/// How long after the last recorded time the controllers may still do what leaves no time in objects.
const AFTERWARDS: Duration = Duration::from_secs(3);
/// The rule by which controllers try again what failed.
const FAILED_REQUESTS: &str = "J-03";
/// What the codes of decisions about the creation of pods begin with.
const CREATIONS: &str = "Creates";
/// How many things may happen at one time before it counts as an endless loop.
const MOST_TURNS: usize = 100_000;

/// What happened to a Job, from one moment to the next, up to the time at which it was recorded.
#[derive(Debug)]
pub(crate) struct Reconstruction<M> {
    recorded: RecordedCluster,
    pub(crate) world: World<M>,
    watch: WatchId,
    trace: Trace,
    /// A plan that is being carried out.
    flight: Option<HeldPlan>,
    /// Until when the controllers do nothing, unless something changes: forever, without a time.
    hold: Option<Option<Timestamp>>,
    /// Since when they would have done something, and the generation of the Job then.
    held: Option<(Timestamp, i64)>,
    /// The decisions of the last plan, if not all of it was done: they decide the same again.
    undone: Vec<Decision>,
    /// Whether the controllers have planned nothing since something last happened: then they do so at their next wake-up.
    asked: bool,
    /// Whether a condition had to be written that they did not write.
    imposed: bool,
    pub(crate) now: Timestamp,
    begun: bool,
    ended: bool,
    differences: usize,
}

#[derive(Debug)]
struct HeldPlan {
    execution: Execution,
    /// When the next of its commands is answered.
    until: Timestamp,
    /// Whether its decisions were shown.
    shown: bool,
    /// How many of its commands were shown with their outcomes.
    answered: usize,
    /// Why it was made.
    because: Option<Text>,
}

impl<M: Manager> Reconstruction<M> {
    /// How much differs from the record: what the controllers would not do, and what they would do later.
    pub(crate) fn misfits(&self) -> (usize, usize) {
        (self.differences, self.recorded.late)
    }

    /// Whether there is anything to assume.
    pub(crate) fn assumes(&self) -> bool {
        self.recorded.gaps.count() > 0
    }

    /// Begins when the Job was created, with controllers that have just started.
    pub(crate) fn new(manager: M, record: RecordedJob, assumed: Assumptions) -> Self {
        let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
        let watch = server.watch(None);
        let recorded = RecordedCluster::new(record, assumed);
        let restored = server.restore(Kind::Job, &recorded.record.job.metadata.namespace, &recorded.beginning().to_string());
        restored.expect("a recorded Job can be read, and is the only one");
        let now = recorded.record.created_at();
        let world = World::new(server, manager);
        Self {
            recorded,
            world,
            watch,
            trace: Trace::default(),
            flight: None,
            hold: None,
            held: None,
            undone: Vec::new(),
            asked: false,
            imposed: false,
            now,
            begun: false,
            ended: false,
            differences: 0,
        }
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
                self.now = self.now.max(self.recorded.record.end);
                let difference = self.difference()?;
                Some(vec![self.differed(difference)])
            }
        }
    }

    /// Whether something that is due then is a part of the past.
    fn goes_on(&self, due: Timestamp) -> bool {
        due <= self.recorded.record.end || due <= time::after(self.recorded.record.end, AFTERWARDS) && self.difference().is_some()
    }

    /// The first difference between what there is and what was recorded. What another manager writes is not known here.
    fn difference(&self) -> Option<Discrepancy> {
        if self.recorded.record.foreign() { None } else { difference::first(&self.recorded.record, &self.world.server) }
    }

    fn next_due(&mut self) -> Option<Timestamp> {
        let controllers = match (&self.flight, self.hold) {
            (Some(flight), _) => Some(flight.until),
            (None, Some(until)) => until,
            (None, None) => self.world.next_due().map(|wakeup| wakeup.at),
        };
        self.recorded.next_due().into_iter().chain(controllers).chain(self.next_enforced()).min()
    }

    /// Does all that is due.
    fn turn(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        for _ in 0..MOST_TURNS {
            if let Some(note) = self.recorded.note(self.now) {
                steps.push(self.noted(note));
            } else if let Some(estimated) = self.recorded.happen(&mut self.world.server, self.now) {
                (self.hold, self.asked) = (None, false);
                steps.extend(self.changes(estimated));
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
        let mut late = None;
        if self.asked && self.world.next_due().is_none_or(|wakeup| wakeup.at > now) {
            return None;
        }
        let job = ObjectRef::of(Kind::Job.name(), &self.recorded.record.job.metadata);
        if let Ok(explanation) = self.world.manager.explain(&job, &[], now) {
            let shown = self.recorded.pacing(&self.world.server).earliest(explanation.now.batches.iter().flatten(), now);
            let due = match shown {
                InRecord::Unseen => Some(now),
                InRecord::At(at) | InRecord::By(at) => Some(at),
                InRecord::Never => None,
            };
            let (since, recorded) = (self.held_since(), matches!(shown, InRecord::At(_)));
            if due.is_none_or(|due| due > now) {
                // What they would do then may be another thing.
                let unmet = if recorded { Vec::new() } else { self.recorded.unmet(&self.world.server) };
                let next = unmet.into_iter().map(|(at, _)| at).filter(|at| *at > now).chain(due).min();
                self.hold = Some(next);
                return None;
            }
            self.held = None;
            late = recorded.then(|| now.duration_since(since)).filter(|late| *late > PATIENCE && !self.recorded.refused(since, now));
        }
        self.asked = true;
        let due = self.world.due(now);
        let plan = self.world.manager.next_plan(now)?;
        self.asked = false;
        let because = self.world.because(due, &plan);
        let late = late.filter(|_| plan.commands().next().is_some()).map(|late| self.recorded.acted_late(late));
        let mut steps: Vec<Step> = late.map(|late| self.noted(late)).into_iter().collect();
        steps.extend(self.carry_on(HeldPlan { execution: Execution::new(plan), until: now, shown: false, answered: 0, because }));
        self.world.deliver(now);
        Some(steps)
    }

    /// Since when the controllers do nothing although they would, with the Job as it is.
    fn held_since(&mut self) -> Timestamp {
        let metadata = &self.recorded.record.job.metadata;
        let stored = self.world.server.object(Kind::Job, &metadata.namespace, &metadata.name);
        let generation = stored.map_or(0, |stored| stored.metadata().generation);
        let held = self.held.filter(|(_, of)| *of == generation).unwrap_or((self.now, generation));
        self.held = Some(held);
        held.0
    }

    /// Carries out the commands of a plan that are answered by now.
    fn carry_on(&mut self, mut flight: HeldPlan) -> Vec<Step> {
        while let Some(command) = flight.execution.next_command().cloned() {
            match self.recorded.answer(&command, &mut self.world.server, self.now) {
                Answered::Now(outcome) => flight.execution.record(outcome),
                Answered::At(at) => {
                    flight.until = at;
                    break;
                }
            }
        }
        let over = flight.execution.next_command().is_none();
        let executed = flight.execution.clone().end();
        let mut steps = self.shown(&mut flight, &executed);
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
    fn shown(&mut self, flight: &mut HeldPlan, executed: &Executed) -> Vec<Step> {
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
        let creates = |decision: &Decision| decision.kind.code.starts_with(CREATIONS);
        plan.decisions.retain(|decision| !self.undone.contains(decision));
        if !outcomes.is_empty() {
            self.undone.clear();
        }
        if outcomes.iter().any(|outcome| matches!(outcome, Outcome::Failed(_))) {
            self.undone.extend(executed.plan.decisions.iter().filter(|decision| !creates(decision)).cloned());
            let mut answered =
                executed.plan.commands().zip(&executed.outcomes).filter(|(command, _)| command.request.method == Method::Post);
            if !answered.any(|(_, outcome)| matches!(outcome, Outcome::Done(_))) {
                plan.decisions.retain(|decision| !creates(decision));
            }
        }
        flight.answered = done;
        let because = flight.because.take();
        let effect = Effect::Planned { executed: Box::new(Executed { plan, outcomes }), writes, because };
        if !flight.shown {
            trigger = Trigger::of(&effect);
            flight.shown = true;
        }
        let mut step = Step::new(self.now, trigger, &[effect], &mut self.trace);
        step.entries.retain(|entry| !refusal(&entry.what));
        step.entries.iter_mut().for_each(|entry| entry.estimated = self.recorded.estimated(&entry.what));
        vec![step]
    }

    /// When the record has something next that the controllers have not done.
    fn next_enforced(&mut self) -> Option<Timestamp> {
        let earliest = self.recorded.unmet(&self.world.server).into_iter().map(|(at, _)| at).min()?;
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
        let job = ObjectRef::of(Kind::Job.name(), &self.recorded.record.job.metadata);
        let Ok(explanation) = self.world.manager.explain(&job, &[], at) else { return false };
        matches!(self.recorded.pacing(&self.world.server).earliest(explanation.now.batches.iter().flatten(), at), InRecord::At(shown) if shown <= self.now)
    }

    /// Has the next thing happen that the record has and the controllers have not done.
    fn enforce(&mut self) -> Option<Vec<Step>> {
        let now = self.now;
        if self.next_enforced().is_none_or(|at| at > now) {
            return None;
        }
        let (_, unmet) = self.recorded.unmet(&self.world.server).into_iter().filter(|(at, _)| *at <= now).min_by_key(|(at, _)| *at)?;
        let (foreign, condition) = (self.recorded.record.foreign(), matches!(unmet, Outstanding::Condition(_)));
        let difference = self.recorded.enforce(&unmet, &mut self.world.server, now)?;
        let mut steps = self.changes(false);
        let again = self.imposed;
        self.imposed |= condition;
        if !(foreign || again && condition) {
            steps.insert(0, self.differed(difference));
        }
        Some(steps)
    }

    /// A difference, as a step.
    fn differed(&mut self, difference: Discrepancy) -> Step {
        self.differences += 1;
        self.noted(difference)
    }

    fn noted(&mut self, Discrepancy { message, because }: Discrepancy) -> Step {
        let about = ObjectRef::of(Kind::Job.name(), &self.recorded.record.job.metadata);
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
        step.entries.iter_mut().for_each(|entry| entry.estimated = estimated || self.recorded.estimated(&entry.what));
        vec![step]
    }

    fn writes(&mut self) -> Vec<Write> {
        std::iter::from_fn(|| self.world.server.next_write(self.watch)).collect()
    }
}

/// Whether an entry is about a request that failed: nothing recorded that, and the controllers only wait as if it had.
fn refusal(what: &What) -> bool {
    match what {
        What::Request { outcome, .. } => outcome != "done",
        What::Decision { decision, .. } => *decision.kind.rule == *FAILED_REQUESTS,
        What::Event(notice) => notice.reason.starts_with("Failed"),
        What::CronJob { .. } | What::Job { .. } | What::Pod(_) | What::Container(_) | What::Starts(_) => false,
        What::Action { .. } | What::Sync { .. } | What::Difference { .. } | What::Complaint { .. } => false,
    }
}
