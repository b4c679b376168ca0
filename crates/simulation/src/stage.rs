//! The stage: API server, watches, nodes and the manager, on which moves are played one by one.
//!
//! Docs: Kubernetes Components. Unlike `play::World`, it shows the manager every change by itself and carries out every command by itself. What is played is drawn in
//! `scheduler.rs`; whether it may have come to this is judged in `invariants/`.

use std::sync::Arc;

use api::request::{Method, Outcome};
use api::{Duration, Kind, Timestamp, time};
use cluster::Dependence;
use cluster::apiserver::{ApiServer, Target, WatchId};
use cluster::kubelet::Kubelet;
use cluster::naming::Names;
use contract::{Change, Event, Execution, Manager, ObjectJson};
use script::{Script, Scripted};

use crate::faults::RequestFault;
use crate::flight::{Flight, Moment};
use crate::interventions::Intervention;
use crate::invariants::{self, Checked, hold};
use crate::ledger::{Author, Ledger, SentRequest};
use crate::moves::Move;
use crate::obstacles::KnownObstacles;
use crate::scheduler::{Open, Watched};
use crate::settings::Settings;
use crate::statistics::{Statistics, count};
use crate::story::Story;
use crate::streams::{ListInParts, Sight, WatchStream};

/// A cluster and a manager on which moves are played.
#[derive(Debug)]
pub(crate) struct SimulatedCluster<M> {
    pub(crate) server: ApiServer,
    pub(crate) now: Timestamp,
    pub(crate) ledger: Ledger,
    pub(crate) statistics: Statistics,
    /// Its story, if it is kept.
    pub(crate) story: Option<Story>,
    pub(crate) manager: M,
    /// What was explained when nothing was to be done.
    pub(crate) obstacles: KnownObstacles,
    settings: Settings,
    kubelet: Kubelet<Scripted>,
    /// A watch that sees each write.
    watch: WatchId,
    streams: [WatchStream; Kind::ALL.len()],
    /// The kinds that the manager watches.
    kinds: Vec<Kind>,
    flights: Vec<Flight>,
    /// Whether the manager handled something, or time moved on, since it had no plan.
    stirred: bool,
    /// Whether pods were written that nodes have not seen.
    unseen_by_nodes: bool,
    node_lost: bool,
    quota_used_up: bool,
}

impl<M: Manager> SimulatedCluster<M> {
    /// An empty cluster, whose pods will follow the script, and a manager that has just started.
    pub(crate) fn new(script: Script, mut manager: M, settings: Settings) -> Self {
        let now = start();
        let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
        let watch = server.watch(None);
        let kubelet = Kubelet::new(&mut server, Scripted::new(script), now);
        manager.restart();
        let kinds = manager.resources().iter().filter_map(|resource| Kind::of(&resource.kind)).collect();
        Self {
            server,
            now,
            ledger: Ledger::default(),
            statistics: Statistics::default(),
            story: None,
            manager,
            obstacles: KnownObstacles::default(),
            settings,
            kubelet,
            watch,
            streams: Default::default(),
            kinds,
            flights: Vec::new(),
            stirred: false,
            unseen_by_nodes: false,
            node_lost: false,
            quota_used_up: false,
        }
    }

    /// What can happen at this moment.
    pub(crate) fn open(&mut self) -> Open {
        let due = self.manager.next_wakeup().map(|wakeup| wakeup.at);
        let nodes_due = self.kubelet.next_due();
        Open {
            streams: self.kinds.iter().map(|kind| self.watched(*kind)).collect(),
            plan: self.stirred || due.is_some_and(|due| due <= self.now),
            flights: self.flights.iter().map(|flight| flight.execution.next_command().map(|command| command.request.method)).collect(),
            nodes: self.unseen_by_nodes || nodes_due.is_some_and(|due| due <= self.now),
            due: due.into_iter().chain(nodes_due).any(|due| due > self.now),
        }
    }

    /// Has a thing happen, and judges what comes of it.
    pub(crate) fn play(&mut self, next: &Move) -> Checked {
        self.ledger.step += 1;
        match next {
            Move::Show(kind) => self.show(*kind),
            Move::Repeat(kind, number) => self.repeat(*kind, *number),
            Move::List(kind) => self.list(*kind),
            Move::ListInParts(kind, parts) => {
                self.statistics.reconnections += 1;
                self.statistics.parted_lists.0 += 1;
                self.streams[place(*kind)].begin_list(ListInParts::new(&self.server, *kind, *parts));
                self.part(*kind)
            }
            Move::Part(kind) => self.part(*kind),
            Move::Plan => self.plan().map(|_| ()),
            Move::Send { place, fault } => self.send(*place, *fault),
            Move::Report { place } => self.report(*place),
            Move::Nodes => self.nodes(),
            Move::Wait => {
                let due = self.next_due().filter(|due| *due > self.now);
                self.pass(due.unwrap_or(self.now));
                Ok(())
            }
            Move::Linger(length) => {
                self.pass(time::after(self.now, *length));
                Ok(())
            }
            Move::Restart => self.restart(),
            Move::Act(intervention) => self.act(intervention),
        }
    }

    /// When something is due if nothing else happens.
    pub(crate) fn next_due(&mut self) -> Option<Timestamp> {
        self.manager.next_wakeup().map(|wakeup| wakeup.at).into_iter().chain(self.kubelet.next_due()).min()
    }

    /// How the manager is set up.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The kinds that the manager watches.
    pub(crate) fn kinds(&self) -> Vec<Kind> {
        self.kinds.clone()
    }

    fn watched(&self, kind: Kind) -> Watched {
        let stream = &self.streams[place(kind)];
        Watched { kind, listed: stream.listed, listing: stream.listing(), ahead: stream.ahead(), remembered: stream.remembered() }
    }

    /// How many plans are in flight.
    pub(crate) fn flights(&self) -> usize {
        self.flights.len()
    }

    /// How many changes of a kind the manager was not shown.
    pub(crate) fn ahead(&self, kind: Kind) -> usize {
        self.streams[place(kind)].ahead()
    }

    /// Whether the manager has listed a kind completely.
    pub(crate) fn listed(&self, kind: Kind) -> bool {
        self.streams[place(kind)].listed
    }

    /// Whether nodes were lost and not removed.
    pub(crate) fn node_lost(&self) -> bool {
        self.node_lost
    }

    /// Whether no further pods may be created.
    pub(crate) fn quota_used_up(&self) -> bool {
        self.quota_used_up
    }

    fn show(&mut self, kind: Kind) -> Checked {
        let Some(Sight { object, gone }) = self.streams[place(kind)].next() else { return Ok(()) };
        self.ledger.show(&object, gone, self.now);
        self.narrate(|story, now| story.shows(&object, gone, now));
        let json = ObjectJson { kind: kind.name().into(), json: object.json() };
        self.handle(Event::Changed(if gone { Change::Deleted(json) } else { Change::Applied(json) }))
    }

    fn repeat(&mut self, kind: Kind, number: usize) -> Checked {
        let repeated = self.streams[place(kind)].repeat(number);
        self.statistics.reconnections += u64::from(repeated > 0);
        self.narrate(|story, now| {
            story.push(now, &format!("the {} watch breaks and will show its last {repeated} changes again", kind.name()))
        });
        Ok(())
    }

    fn list(&mut self, kind: Kind) -> Checked {
        self.statistics.reconnections += 1;
        self.streams[place(kind)].list();
        self.ledger.list(kind, self.server.objects(kind), self.server.version(), self.now);
        let listing = self.server.listing(kind);
        self.narrate(|story, now| story.push(now, &format!("the manager lists all of kind {}", kind.name())));
        self.handle(listing)
    }

    /// Hands over the next part of a list.
    fn part(&mut self, kind: Kind) -> Checked {
        let Some((part, listing)) = self.streams[place(kind)].next_part() else { return Ok(()) };
        let last = if listing.is_some() { "the last" } else { "a" };
        self.narrate(|story, now| story.push(now, &format!("the manager gets {last} part of a list of kind {}", kind.name())));
        if let Some(ListInParts { objects, version, .. }) = &listing {
            self.statistics.parted_lists.1 += 1;
            self.ledger.list(kind, objects.iter(), *version, self.now);
        }
        self.handle(part)
    }

    fn handle(&mut self, event: Event) -> Checked {
        self.stirred = true;
        let understood = self.manager.handle(event, self.now);
        self.sound()?;
        hold(understood.is_ok(), "W13", || {
            format!(
                "the manager refuses what the server stores: {}",
                understood.err().map(|malformed| malformed.to_string()).unwrap_or_default()
            )
        })
    }

    /// Whether the manager has its memory still.
    fn sound(&mut self) -> Checked {
        let lost = self.manager.lost();
        hold(lost.is_none(), "W13", || format!("the manager broke down: {}", lost.unwrap_or_default()))
    }

    /// Makes a plan; returns whether there was one.
    pub(crate) fn plan(&mut self) -> Result<bool, invariants::Violation> {
        self.ledger.step += 1;
        let next = self.manager.next_plan(self.now);
        self.sound()?;
        let Some(plan) = next else {
            self.stirred = false;
            return Ok(false);
        };
        self.stirred = true;
        self.statistics.plans += 1;
        for decision in &plan.decisions {
            count(&mut self.statistics.decisions, &decision.kind.code);
        }
        self.narrate(|story, now| story.plans(&plan, now));
        let all_listed = self.kinds.iter().all(|kind| self.listed(*kind));
        hold(all_listed, "W15", || format!("plan {} is made before all lists are complete", plan.id))?;
        invariants::plan(&self.ledger, &self.flights, &plan, &self.settings, self.now)?;
        self.ledger.planned(&plan, self.now);
        self.obstacles.planned(&plan.object.name);
        if plan.commands().next().is_some() {
            let object = self.ledger.view.object(&plan).map(Arc::clone);
            let execution = Execution::new(plan);
            self.flights.push(Flight { execution, planned: Moment { at: self.now, step: self.ledger.step }, object });
        }
        Ok(true)
    }

    fn send(&mut self, place: usize, fault: Option<RequestFault>) -> Checked {
        if self.flights.is_empty() {
            return Ok(());
        }
        let place = place % self.flights.len();
        let mut flight = self.flights.remove(place);
        let verdict = self.carry_out(&mut flight, fault);
        self.flights.insert(place, flight);
        verdict
    }

    fn carry_out(&mut self, flight: &mut Flight, fault: Option<RequestFault>) -> Checked {
        let Some(command) = flight.execution.next_command().cloned() else { return Ok(()) };
        let (plan, request) = (flight.execution.plan().id, &command.request);
        self.statistics.requests += 1;
        let creates_pod = request.method == Method::Post && Target::read(&request.path).is_some_and(|target| target.kind == Kind::Pod);
        let fault = fault.or_else(|| (self.quota_used_up && creates_pod).then_some(RequestFault::Quota));
        if let Some(fault) = fault {
            count(&mut self.statistics.faults, fault.name());
        }
        let done = match fault {
            Some(fault) if !fault.takes_effect() => Err(fault.error()),
            Some(_) | None => self.server.execute(request, self.now),
        };
        let outcome = match (&done, fault) {
            (_, Some(fault)) => Outcome::Failed(fault.error()),
            (Ok(answer), None) => Outcome::Done(answer.written()),
            (Err(error), None) => Outcome::Failed(error.clone()),
        };
        self.narrate(|story, now| story.sends(plan, &command, fault, &outcome, now));
        let answered = fault.is_none_or(|fault| !fault.error().outcome_unknown());
        if let Some(target) = Target::read(&request.path).filter(|target| target.status && !answered) {
            self.ledger.forget(target.name);
        }
        if let (Err(error), None) = (&done, fault) {
            invariants::refused(request, error)?;
        }
        self.look(Author::Controllers(SentRequest { flight, request, answered }))?;
        flight.execution.record(outcome);
        Ok(())
    }

    fn report(&mut self, place: usize) -> Checked {
        if self.flights.is_empty() {
            return Ok(());
        }
        let place = place % self.flights.len();
        if self.flights[place].execution.next_command().is_some() {
            return Ok(());
        }
        let Flight { execution, object, .. } = self.flights.remove(place);
        let executed = execution.end();
        invariants::fails_alone(&executed)?;
        self.ledger.report(object.as_deref(), &executed, &self.settings, self.now);
        self.narrate(|story, now| story.push(now, &format!("the manager gets the outcomes of plan {}", executed.plan.id)));
        let Some(event) = executed.event() else { return Ok(()) };
        self.handle(event)
    }

    fn nodes(&mut self) -> Checked {
        self.unseen_by_nodes = false;
        self.kubelet.observe(&mut self.server, self.now);
        self.kubelet.tick(&mut self.server, self.now);
        self.look(Author::Nodes)
    }

    fn pass(&mut self, to: Timestamp) {
        let passed = to.duration_since(self.now);
        self.statistics.seconds += u64::try_from(passed.as_secs()).unwrap_or(0);
        self.now = to;
        // Whether the manager waits for this time is known when its wake-up is read.
        self.stirred |= passed > Duration::ZERO && self.manager.next_wakeup().is_some_and(|wakeup| wakeup.at <= to);
    }

    fn restart(&mut self) -> Checked {
        self.statistics.restarts += 1;
        self.flights.clear();
        self.streams = Default::default();
        self.stirred = false;
        self.ledger.lose();
        self.obstacles.lose();
        self.narrate(|story, now| story.push(now, "the manager is lost with all plans in flight, and another one starts"));
        self.manager.restart();
        self.sound()
    }

    fn act(&mut self, intervention: &Intervention) -> Checked {
        count(&mut self.statistics.interventions, &intervention.kind());
        self.node_lost = *intervention == Intervention::LoseNode || self.node_lost && *intervention != Intervention::RemoveNodes;
        self.quota_used_up = *intervention == Intervention::UseUpQuota || self.quota_used_up && *intervention != Intervention::RaiseQuota;
        self.unseen_by_nodes = true;
        let refused = intervention.perform(&mut self.server, &mut self.kubelet, self.now);
        self.narrate(|story, now| story.acts(intervention, refused.as_deref(), now));
        self.look(Author::People)
    }

    /// Sees what was written, judges it, and passes it on to the watches.
    fn look(&mut self, by: Author<'_>) -> Checked {
        let mut follows = false;
        while let Some(write) = self.server.next_write(self.watch) {
            self.narrate(|story, now| story.writes(&write, now));
            invariants::write(&self.ledger, &write, by, follows, &self.settings)?;
            self.ledger.record(&write, by, self.now);
            if let (Author::Controllers(sent), None) = (by, &write.before)
                && sent.request.method == Method::Post
            {
                invariants::created(&self.ledger, &write.after, sent, &self.settings)?;
            }
            follows = true;
            let kind = write.after.kind();
            self.unseen_by_nodes |= kind == Kind::Pod && !matches!(by, Author::Nodes);
            self.streams[place(kind)].push(Sight { object: write.after, gone: write.gone });
        }
        Ok(())
    }

    /// Adds to the story, if it is kept.
    fn narrate(&mut self, line: impl FnOnce(&mut Story, Timestamp)) {
        if let Some(story) = &mut self.story {
            line(story, self.now);
        }
    }
}

/// When all begins.
pub(crate) fn start() -> Timestamp {
    "2026-01-02T12:00:00.25Z".parse().expect("it is a time")
}

/// The place of a kind's watch.
fn place(kind: Kind) -> usize {
    match kind {
        Kind::CronJob => 0,
        Kind::Job => 1,
        Kind::Pod => 2,
    }
}
