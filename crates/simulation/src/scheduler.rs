//! Scheduler: what happens next, drawn from a seed.
//!
//! Docs: none; what may happen is in `moves.rs`, what people do in `people.rs`, what comes of it in `stage.rs`.

use api::request::{Method, Request};
use api::{Duration, Kind};
use cluster::apiserver::Target;
use cluster::rng::Rng;
use contract::Manager;
use script::Script;

use crate::cron_jobs::CRON_JOBS;
use crate::faults::RequestFault;
use crate::interventions::Intervention;
use crate::moves::Move;
use crate::settings::Settings;
use crate::stage::SimulatedCluster;
use crate::streams::REMEMBERED;
use crate::{annotations, cron_jobs, jobs, people, scripts, standstills};

/// The names of Jobs.
const JOBS: [&str; 3] = ["a", "b", "c"];
/// How many moves there are at least, and how many more at most.
const MOVES: (u64, u64) = (60, 340);
/// How many plans may be in flight at once.
const MOST_FLIGHTS: usize = 4;
/// In how many parts a list comes at most.
const MOST_PARTS: usize = 4;

/// Draws what happens next, until calm begins.
#[derive(Debug)]
pub(crate) struct Scheduler {
    dice: Rng,
    climate: Climate,
    /// Jobs that people are going to create in the beginning.
    opening: Vec<Intervention>,
    left: u64,
    lists_in_parts: bool,
    cron_jobs: bool,
    standstills: bool,
    rules: bool,
}

/// How much of what there is. Weights are compared with each other.
#[derive(Debug)]
struct Climate {
    /// Watches show something.
    shows: u64,
    /// Plans are made, carried out and reported.
    works: u64,
    /// Nodes do something.
    nodes: u64,
    /// Time moves on although there is something to do.
    waits: u64,
    /// People do something.
    people: u64,
    /// Watches break.
    breaks: u64,
    /// The manager is lost.
    restarts: u64,
    /// One in this many requests fails; none if it is 0.
    faults: u64,
}

/// What can happen at this moment.
#[derive(Debug)]
pub(crate) struct Open {
    /// How the watch of each kind stands.
    pub(crate) streams: Vec<Watched>,
    /// Whether the manager may have a plan.
    pub(crate) plan: bool,
    /// The method of the next command of each plan in flight; none where only its end is to be reported.
    pub(crate) flights: Vec<Option<Method>>,
    /// Whether nodes have something to do.
    pub(crate) nodes: bool,
    /// Whether something is due later.
    pub(crate) due: bool,
}

/// How the watch of a kind stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watched {
    /// The kind.
    pub(crate) kind: Kind,
    /// Whether it was listed.
    pub(crate) listed: bool,
    /// Whether a list of it is coming in parts.
    pub(crate) listing: bool,
    /// How many changes the watch has not shown.
    pub(crate) ahead: usize,
    /// How many changes it can show again.
    pub(crate) remembered: usize,
}

impl Scheduler {
    /// The scheduler of a seed, and what pods do under it.
    pub(crate) fn new(seed: u64, settings: &Settings) -> (Self, Script) {
        let mut dice = Rng::new(seed);
        let climate = Climate {
            shows: *dice.pick(&[4, 20, 20, 60]),
            works: *dice.pick(&[10, 20, 40]),
            nodes: *dice.pick(&[5, 20, 40]),
            waits: *dice.pick(&[1, 2, 6]),
            people: *dice.pick(&[0, 1, 3, 8]),
            breaks: *dice.pick(&[0, 1, 3]),
            restarts: *dice.pick(&[0, 0, 1, 2]),
            faults: *dice.pick(&[0, 20, 8, 4]),
        };
        let mut script = scripts::script(&mut dice, &JOBS);
        let mut opening: Vec<Intervention> = if settings.cron_jobs {
            script.append(Script::of(scripts::runs(&mut dice, &CRON_JOBS), Vec::new()));
            opening_with_cron_jobs(&mut dice)
        } else {
            let jobs = *dice.pick(&[1, 1, 2, 3]);
            JOBS[..jobs].iter().rev().map(|name| Intervention::Request(jobs::creation(&mut dice, name))).collect()
        };
        if settings.standstills {
            let mut held = standstills::script(&mut dice, &JOBS);
            held.append(script);
            script = held;
            opening = opening.into_iter().map(|intervention| hold_back(&mut dice, intervention)).collect();
        }
        if settings.rules {
            opening.iter_mut().for_each(|intervention| ask(&mut dice, intervention, !settings.standstills));
        }
        let left = MOVES.0 + dice.below(MOVES.1);
        let Settings { lists_in_parts, cron_jobs, standstills, rules, .. } = *settings;
        (Self { dice, climate, opening, left, lists_in_parts, cron_jobs, standstills, rules }, script)
    }

    /// What happens next; none once calm begins.
    pub(crate) fn next<M: Manager>(&mut self, stage: &mut SimulatedCluster<M>) -> Option<Move> {
        self.left = self.left.checked_sub(1)?;
        if !self.opening.is_empty() && self.dice.one_in(4) {
            return self.opening.pop().map(Move::Act);
        }
        let open = stage.open();
        let moves = self.weigh(&open);
        let mut drawn = self.dice.below(moves.iter().map(|(weight, _)| weight).sum());
        let chosen = moves.into_iter().find_map(|(weight, choice)| match drawn.checked_sub(weight) {
            Some(rest) => {
                drawn = rest;
                None
            }
            None => Some(choice),
        });
        chosen.map(|choice| self.decide(choice, stage))
    }

    /// What can happen, and its weight.
    fn weigh(&self, open: &Open) -> Vec<(u64, Choice)> {
        let climate = &self.climate;
        let mut moves = vec![(climate.people, Choice::Act), (climate.restarts, Choice::Restart)];
        for stream in &open.streams {
            self.weigh_watch(*stream, &mut moves);
        }
        for (place, method) in open.flights.iter().enumerate() {
            moves.push((climate.works, method.map_or(Choice::Move(Move::Report { place }), |method| Choice::Send(place, method))));
        }
        if open.plan && open.flights.len() < MOST_FLIGHTS {
            moves.push((climate.works, Choice::Move(Move::Plan)));
        }
        if open.nodes {
            moves.push((climate.nodes, Choice::Move(Move::Nodes)));
        }
        let busy =
            open.plan || open.nodes || !open.flights.is_empty() || open.streams.iter().any(|stream| !stream.listed || stream.ahead > 0);
        let waits = if busy { climate.waits } else { 20 };
        moves.push((waits, Choice::Linger));
        if open.due {
            moves.push((waits, Choice::Move(Move::Wait)));
        }
        moves
    }

    /// What the watch of a kind can do, and its weight.
    fn weigh_watch(&self, stream: Watched, moves: &mut Vec<(u64, Choice)>) {
        let (climate, kind) = (&self.climate, stream.kind);
        if stream.listing {
            moves.push((climate.works, Choice::Move(Move::Part(kind))));
        }
        if stream.listed && stream.ahead > 0 {
            moves.push((climate.shows, Choice::Move(Move::Show(kind))));
        }
        if stream.remembered > 0 {
            moves.push((climate.breaks, Choice::Repeat(kind)));
        }
        let again = if stream.listed || stream.listing { climate.breaks } else { climate.works };
        moves.push((again, Choice::Move(Move::List(kind))));
        if self.lists_in_parts {
            moves.push((again, Choice::ListInParts(kind)));
        }
    }

    /// Draws the rest of a choice.
    fn decide<M: Manager>(&mut self, choice: Choice, stage: &SimulatedCluster<M>) -> Move {
        let dice = &mut self.dice;
        match choice {
            Choice::Move(chosen) => chosen,
            Choice::Restart => Move::Restart,
            Choice::Repeat(kind) => Move::Repeat(kind, 1 + dice.place(REMEMBERED)),
            Choice::ListInParts(kind) => Move::ListInParts(kind, 2 + dice.place(MOST_PARTS - 1)),
            Choice::Send(place, method) => {
                let goes_wrong = self.climate.faults > 0 && dice.one_in(self.climate.faults);
                Move::Send { place, fault: goes_wrong.then(|| RequestFault::draw(dice, method)) }
            }
            Choice::Linger => Move::Linger(Duration::from_millis(*dice.pick(&[1, 50, 300, 1000, 1000, 3000, 11_000]))),
            Choice::Act => {
                let mut intervention = if self.rules && dice.one_in(3) {
                    annotations::intervention(dice, &stage.server, stage.now)
                } else if self.standstills && dice.one_in(4) {
                    standstills::intervention(dice, &stage.server, stage.quota_used_up())
                } else if self.cron_jobs && dice.one_in(2) {
                    cron_jobs::intervention(dice, &stage.server, stage.now)
                } else {
                    people::intervention(dice, &stage.server, &JOBS, stage.node_lost())
                };
                if self.rules {
                    intervention.iter_mut().for_each(|intervention| ask(dice, intervention, !self.standstills));
                }
                intervention.map_or(Move::Linger(Duration::from_millis(10)), Move::Act)
            }
        }
    }
}

/// What people create in the beginning of a world with CronJobs.
fn opening_with_cron_jobs(dice: &mut Rng) -> Vec<Intervention> {
    let jobs = *dice.pick(&[0, 1, 1, 2]);
    let cron_jobs = *dice.pick(&[1, 1, 2]);
    let jobs: Vec<Request> = JOBS[..jobs].iter().map(|name| cron_jobs::job_creation(dice, name)).collect();
    let cron_jobs = CRON_JOBS[..cron_jobs].iter().map(|name| cron_jobs::creation(dice, name));
    jobs.into_iter().chain(cron_jobs).map(Intervention::Request).collect()
}

/// A Job that is created asks for more than Kubernetes has, perhaps; `start`: whether its pods start in the end.
fn ask(dice: &mut Rng, creation: &mut Intervention, start: bool) {
    if let Intervention::Request(request) = creation {
        annotations::ask(dice, request, start);
    }
}

/// The creation of a Job, whose pods are perhaps held back, or of a CronJob.
fn hold_back(dice: &mut Rng, mut creation: Intervention) -> Intervention {
    if let Intervention::Request(request) = &mut creation
        && Target::read(&request.path).is_some_and(|target| target.kind == Kind::Job)
    {
        standstills::gate(dice, request);
    }
    creation
}

/// A move that is not completely drawn.
#[derive(Debug)]
enum Choice {
    Move(Move),
    Restart,
    Repeat(Kind),
    ListInParts(Kind),
    Send(usize, Method),
    Linger,
    Act,
}
