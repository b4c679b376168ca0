//! The shortest history that still fails: what the failure does not need is removed until nothing more can be.
//!
//! Docs: none; a history is replayed on a fresh cluster with a fresh manager each time.

use std::fmt;

use api::request::Method;
use contract::Manager;
use serde_json::Value;

use crate::interventions::Intervention;
use crate::invariants::Violation;
use crate::moves::Move;
use crate::settings::Settings;
use crate::{MoveHistory, Scheduler, Simulation};

/// How many lines of the story of a failure are shown at most: from its beginning, and up to its end.
const MOST_LINES: (usize, usize) = (100, 50);

/// A seed that fails, in its shortest form.
#[derive(Debug, Clone)]
pub struct FailingSeed {
    /// The seed.
    pub seed: u64,
    /// What does not hold.
    pub violation: Violation,
    /// How many things happened before calm, as the seed has it.
    pub moves: usize,
    /// What pods do, rule by rule; only what the failure needs.
    pub script: String,
    /// What happened; only what the failure needs.
    pub story: Vec<String>,
    /// How many of the things that happened were kept.
    pub kept: usize,
}

impl fmt::Display for FailingSeed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, violation, moves, script, story, kept } = self;
        writeln!(formatter, "seed {seed}: {violation}")?;
        writeln!(formatter, "{kept} of {moves} moves are enough:")?;
        script.lines().try_for_each(|rule| writeln!(formatter, "  | {rule}"))?;
        let end = story.len().saturating_sub(MOST_LINES.1).max(MOST_LINES.0.min(story.len()));
        let beginning = end.min(MOST_LINES.0);
        story[..beginning].iter().try_for_each(|line| writeln!(formatter, "  {line}"))?;
        if beginning < end {
            writeln!(formatter, "  … {} lines …", end - beginning)?;
        }
        story[end..].iter().try_for_each(|line| writeln!(formatter, "  {line}"))
    }
}

/// The shortest form of the failure of a seed, if it fails; `manager` makes a fresh manager each time.
pub fn shortest<M: Manager>(seed: u64, settings: Settings, mut manager: impl FnMut() -> M) -> Option<FailingSeed> {
    let mut simulation = Simulation::new(seed, manager(), settings);
    let violation = simulation.run().err()?;
    let history = MoveHistory { script: Scheduler::new(seed, &settings).1, moves: simulation.history };
    let moves = history.moves.len();
    let mut search = Shrinking { history, violation, fails: |history: &MoveHistory| history.play(manager(), settings, false).0 };
    search.run();
    let Shrinking { history, violation, .. } = search;
    let (_, story) = history.play(manager(), settings, true);
    Some(FailingSeed { seed, violation, moves, script: history.script.to_string(), story, kept: history.moves.len() })
}

/// The search for a shorter history.
struct Shrinking<F> {
    history: MoveHistory,
    violation: Violation,
    fails: F,
}

impl<F: FnMut(&MoveHistory) -> Option<(Violation, usize)>> Shrinking<F> {
    fn run(&mut self) {
        self.shortest_prefix();
        loop {
            let size = self.size();
            self.leave_out_moves();
            self.simplify_moves();
            self.leave_out_rules();
            if self.size() == size {
                return;
            }
        }
    }

    fn size(&self) -> (usize, usize, usize) {
        let faults = self.history.moves.iter().filter(|next| matches!(next, Move::Send { fault: Some(_), .. })).count();
        (self.history.moves.len(), faults, self.history.script.rules.len())
    }

    /// Keeps a history if it fails in the same way; what comes after the failure is left out.
    fn keep_if_it_fails(&mut self, mut history: MoveHistory) -> bool {
        let Some((violation, played)) = (self.fails)(&history).filter(|(violation, _)| alike(violation, &self.violation)) else {
            return false;
        };
        history.moves.truncate(played);
        (self.history, self.violation) = (history, violation);
        true
    }

    /// The smallest number of moves before calm.
    fn shortest_prefix(&mut self) {
        for length in 0..self.history.moves.len() {
            let moves = self.history.moves[..length].to_vec();
            if self.keep_if_it_fails(MoveHistory { moves, ..self.history.clone() }) {
                return;
            }
        }
    }

    /// Leaves out runs of moves, long ones first.
    fn leave_out_moves(&mut self) {
        let mut run = self.history.moves.len().next_power_of_two() / 2;
        while run > 0 {
            let mut end = self.history.moves.len();
            while end > 0 {
                let start = end.saturating_sub(run);
                let mut fewer = self.history.clone();
                fewer.moves.drain(start..end);
                self.keep_if_it_fails(fewer);
                end = start.min(self.history.moves.len());
            }
            run /= 2;
        }
    }

    /// Takes faults away, and fields from the Jobs that are created.
    fn simplify_moves(&mut self) {
        for at in 0..self.history.moves.len() {
            while self.simplify(at) {}
        }
    }

    /// Replaces a move by a simpler one with which the history still fails; returns whether there was one.
    fn simplify(&mut self, at: usize) -> bool {
        let simpler = self.history.moves.get(at).map(simpler).unwrap_or_default();
        simpler.into_iter().any(|simpler| {
            let mut history = self.history.clone();
            history.moves[at] = simpler;
            self.keep_if_it_fails(history)
        })
    }

    fn leave_out_rules(&mut self) {
        for at in (0..self.history.script.rules.len()).rev() {
            let mut fewer = self.history.clone();
            fewer.script.rules.remove(at);
            self.keep_if_it_fails(fewer);
        }
    }
}

/// Whether two violations are of one kind: they have all long words in common, names and numbers apart.
fn alike(one: &Violation, other: &Violation) -> bool {
    let long = |word: &&str| word.len() > 5 && word.bytes().all(|letter| letter.is_ascii_lowercase());
    let words = |violation: &Violation| -> Vec<String> {
        violation.message.split(|letter: char| !letter.is_ascii_alphabetic()).filter(long).map(str::to_owned).collect()
    };
    one.invariant == other.invariant && words(one) == words(other)
}

/// Simpler forms of a move.
fn simpler(next: &Move) -> Vec<Move> {
    match next {
        Move::ListInParts(kind, _) => vec![Move::List(*kind)],
        Move::Send { place, fault: Some(_) } => vec![Move::Send { place: *place, fault: None }],
        Move::Act(Intervention::Request(request)) if request.method == Method::Post => {
            let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
            let fields = body["spec"].as_object().into_iter().flat_map(serde_json::Map::keys);
            let without = |field: &String| {
                let (mut body, mut request) = (body.clone(), request.clone());
                body["spec"].as_object_mut()?.remove(field);
                request.body = body.to_string();
                Some(Move::Act(Intervention::Request(request)))
            };
            fields.filter_map(without).collect()
        }
        Move::Send { .. }
        | Move::Act(_)
        | Move::Show(_)
        | Move::Repeat(..)
        | Move::List(_)
        | Move::Part(_)
        | Move::Plan
        | Move::Report { .. }
        | Move::Nodes
        | Move::Wait
        | Move::Linger(_)
        | Move::Restart => Vec::new(),
    }
}
