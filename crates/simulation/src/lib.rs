//! The simulation: controllers, API server and nodes under faults drawn from a seed, with invariants after every step, then calm, then promises.
//!
//! Docs: Jobs; CronJob; Automatic Cleanup for Finished Jobs; Kubernetes Components. What may happen is in `moves.rs`, when in `scheduler.rs`; what must hold is in `invariants/`, what is promised in the end in
//! `promise.rs` and, of CronJobs and TTLs, in `upkeep.rs`, by the numbers of `ledger/`; the shortest history that fails is looked for in `shrink.rs`.
//!
//! ```text
//! Scheduler ──move──▶ Stage: server, watches, nodes, manager ──writes, plans──▶ invariants (with the ledger) ──▶ violation
//! ```

mod annotations;
mod cron_jobs;
mod faults;
mod flight;
mod interventions;
mod invariants;
mod jobs;
mod ledger;
mod meddling;
mod moves;
mod obstacles;
mod page;
mod patience;
mod people;
mod plays;
mod promise;
mod rules;
mod scheduler;
mod scripts;
mod sessions;
mod settings;
mod shrink;
mod stage;
mod standstills;
mod statistics;
mod story;
mod streams;
mod timetable;
mod upkeep;

use api::{Duration, Job, Kind, Text, Timestamp, time};
use contract::Manager;
use script::Script;

pub use self::faults::RequestFault;
pub use self::interventions::Intervention;
pub use self::invariants::Violation;
pub use self::moves::Move;
pub use self::plays::{RandomPlay, random_play};
pub use self::sessions::session;
pub use self::settings::Settings;
pub use self::shrink::{FailingSeed, shortest};
pub use self::statistics::Statistics;

use self::invariants::{Checked, hold};
use self::scheduler::Scheduler;
use self::stage::SimulatedCluster;
use self::statistics::count;
use self::story::Story;

/// How often a quiet world is turned over at most until it falls quiet.
const MOST_TURNS: usize = 20_000;
/// How long it may take at most.
const LONGEST_CALM: Duration = Duration::from_hours(30 * 24);
/// How long quotas that are used up and nodes that are lost stay so in it, where they are drawn to make Jobs stand still.
const STANDSTILL: Duration = Duration::from_mins(15);
/// How long CronJobs go on in it before they are suspended, as nothing comes to rest under them.
const LAST_RUNS: Duration = Duration::from_secs(130);

/// A world drawn from a seed, and a manager in it.
#[derive(Debug)]
pub struct Simulation<M> {
    stage: SimulatedCluster<M>,
    scheduler: Scheduler,
    /// What happened so far.
    history: Vec<Move>,
}

impl<M: Manager> Simulation<M> {
    /// The world of a seed, before anything has happened in it. The manager loses what it knows.
    pub fn new(seed: u64, manager: M, settings: Settings) -> Self {
        let (scheduler, script) = Scheduler::new(seed, &settings);
        Self { stage: SimulatedCluster::new(script, manager, settings), scheduler, history: Vec::new() }
    }

    /// Makes the seed's next move; returns false once calm begins.
    ///
    /// # Errors
    /// The invariant that does not hold.
    pub fn step(&mut self) -> Result<bool, Violation> {
        let Some(next) = self.scheduler.next(&mut self.stage) else { return Ok(false) };
        self.stage.statistics.steps += 1;
        self.history.push(next.clone());
        self.stage.play(&next)?;
        Ok(true)
    }

    /// Lets all come to rest, without faults and people, and sees whether it is as the page promises.
    ///
    /// # Errors
    /// The invariant or promise that does not hold.
    pub fn calm(&mut self) -> Checked {
        calm(&mut self.stage)
    }

    /// Goes through all of it.
    ///
    /// # Errors
    /// The invariant or promise that does not hold.
    pub fn run(&mut self) -> Checked {
        while self.step()? {}
        self.calm()
    }

    /// What happened so far, in numbers.
    pub fn statistics(&self) -> &Statistics {
        &self.stage.statistics
    }
}

/// A history: what pods do, and what happens.
#[derive(Debug, Clone)]
struct MoveHistory {
    script: Script,
    moves: Vec<Move>,
}

impl MoveHistory {
    /// Plays it, and returns what does not hold and how many moves it took; keeps its story if `story` is set.
    fn play<M: Manager>(&self, manager: M, settings: Settings, story: bool) -> (Option<(Violation, usize)>, Vec<String>) {
        let mut stage = SimulatedCluster::new(self.script.clone(), manager, settings);
        stage.story = story.then(|| Story::new(stage.now));
        let violation = self.violation(&mut stage);
        let lines = stage.story.map(|story| story.lines().to_vec()).unwrap_or_default();
        (violation, lines)
    }

    fn violation<M: Manager>(&self, stage: &mut SimulatedCluster<M>) -> Option<(Violation, usize)> {
        for (played, next) in self.moves.iter().enumerate() {
            if let Err(violation) = stage.play(next) {
                return Some((violation, played + 1));
            }
        }
        calm(stage).err().map(|violation| (violation, self.moves.len()))
    }
}

/// Lets all come to rest, and judges the rest.
fn calm<M: Manager>(stage: &mut SimulatedCluster<M>) -> Checked {
    if let Some(story) = &mut stage.story {
        story.push(stage.now, "all is calm from here on");
    }
    if stage.settings().standstills {
        rest(stage, Some(time::after(stage.now, STANDSTILL)))?;
    }
    if stage.quota_used_up() {
        stage.play(&Move::Act(Intervention::RaiseQuota))?;
    }
    if stage.node_lost() {
        stage.play(&Move::Act(Intervention::RemoveNodes))?;
    }
    if stage.settings().cron_jobs {
        rest(stage, Some(time::after(stage.now, LAST_RUNS)))?;
        suspend(stage)?;
    }
    rest(stage, None)?;
    let left_over = promise::kept(&stage.ledger, &stage.server, stage.now)?;
    for record in stage.ledger.jobs.values() {
        count(&mut stage.statistics.endings, &ending(record.job(), record.gone));
    }
    if left_over {
        return Ok(());
    }
    let version = stage.server.version();
    stage.play(&Move::Restart)?;
    rest(stage, None)?;
    hold(stage.server.version() == version, "L1", || "all was quiet, and a restarted manager finds something to write".to_owned())
}

/// Suspends all CronJobs.
fn suspend<M: Manager>(stage: &mut SimulatedCluster<M>) -> Checked {
    let names: Vec<Text> = stage.server.objects(Kind::CronJob).map(|cron_job| cron_job.metadata().name.clone()).collect();
    names.iter().try_for_each(|name| stage.play(&Move::Act(cron_jobs::suspension(name))))
}

/// Does what is to be done, and waits for what is due, until nothing is, or not before a time.
fn rest<M: Manager>(stage: &mut SimulatedCluster<M>, until: Option<Timestamp>) -> Checked {
    let latest = time::after(stage.now, LONGEST_CALM);
    for _ in 0..MOST_TURNS {
        for kind in stage.kinds() {
            if !stage.listed(kind) {
                stage.play(&Move::List(kind))?;
            }
            while stage.ahead(kind) > 0 {
                stage.play(&Move::Show(kind))?;
            }
        }
        let version = stage.server.version();
        let mut idle = !stage.plan()?;
        while stage.flights() > 0 {
            stage.play(&Move::Send { place: 0, fault: None })?;
            stage.play(&Move::Report { place: 0 })?;
            idle = false;
        }
        stage.play(&Move::Nodes)?;
        if !idle || stage.server.version() != version {
            continue;
        }
        upkeep::kept(&stage.ledger, &stage.server, stage.now)?;
        let due = stage.next_due();
        obstacles::kept(stage, due)?;
        if until.is_some_and(|until| stage.next_due().is_none_or(|due| due > until)) {
            return Ok(());
        }
        if stage.next_due().is_none_or(|due| due > latest) {
            let due = stage.next_due();
            return hold(due.is_none(), "L1", || format!("after {} hours something is due still", LONGEST_CALM.as_hours()));
        }
        if let Some(due) = stage.next_due() {
            patience::kept(&stage.ledger, &stage.server, stage.settings(), due, stage.now)?;
        }
        stage.play(&Move::Wait)?;
    }
    hold(false, "L1", || format!("the cluster never becomes quiet, not within {MOST_TURNS} turns, at {}", stage.now))
}

/// How a Job ended, or how it stands.
fn ending(job: &Job, gone: bool) -> String {
    let end = job.status.conditions.iter().find(|condition| matches!(&*condition.kind, "Complete" | "Failed"));
    match end {
        Some(end) => format!("{}: {}", end.kind, end.reason),
        None if gone => "deleted".to_owned(),
        None if job.metadata.deleting() => "being deleted".to_owned(),
        None if job.suspended() => "suspended".to_owned(),
        None if job.status.active > 0 => "running".to_owned(),
        None => "waiting".to_owned(),
    }
}
