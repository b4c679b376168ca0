//! A plan on its way: which command is next, and which are skipped because an earlier batch failed.
//!
//! Docs: `contract::Plan`, "batches". Who carries commands out is `world/mod.rs`, or whoever puts faults between two of them.

use api::request::Outcome;
use contract::{Command, Reconciled};

use super::Step;

/// A plan that is being carried out, one command at a time.
#[derive(Debug, Clone)]
pub struct Execution {
    reconciled: Reconciled,
    outcomes: Vec<Outcome>,
    batch: usize,
    /// The next command's place in its batch.
    place: usize,
    /// Whether a command of this batch failed.
    failed: bool,
    /// Which life of the manager the plan comes from.
    life: u64,
}

impl Execution {
    /// A plan of which nothing is done yet, from this life of the manager.
    #[must_use]
    pub fn new(reconciled: Reconciled, life: u64) -> Self {
        let commands = reconciled.plan.batches.iter().map(Vec::len).sum();
        let mut execution = Self { reconciled, outcomes: Vec::with_capacity(commands), batch: 0, place: 0, failed: false, life };
        execution.pass_batches();
        execution
    }

    /// The plan, and what it is about.
    #[must_use]
    pub fn reconciled(&self) -> &Reconciled {
        &self.reconciled
    }

    /// The command to be carried out next; `None` once all are done or skipped.
    #[must_use]
    pub fn next_command(&self) -> Option<&Command> {
        self.reconciled.plan.batches.get(self.batch)?.get(self.place)
    }

    /// Takes in what became of the next command. A failure that the command does not tolerate ends the plan after this batch.
    pub fn record(&mut self, outcome: Outcome) {
        let Some(command) = self.next_command() else { return };
        self.failed |= match &outcome {
            Outcome::Done(_) => false,
            Outcome::Failed(error) => !command.tolerates.contains(&error.code),
            Outcome::Skipped => true,
        };
        self.outcomes.push(outcome);
        self.place += 1;
        self.pass_batches();
    }

    /// Moves on from batches that have no further command.
    fn pass_batches(&mut self) {
        while self.reconciled.plan.batches.get(self.batch).is_some_and(|batch| self.place == batch.len()) {
            self.place = 0;
            self.batch = if self.failed { self.reconciled.plan.batches.len() } else { self.batch + 1 };
        }
    }

    pub(crate) fn life(&self) -> u64 {
        self.life
    }

    /// The end of the plan: what is not done is skipped.
    #[must_use]
    pub fn end(mut self) -> Step {
        let commands = self.reconciled.plan.batches.iter().map(Vec::len).sum();
        self.outcomes.resize(commands, Outcome::Skipped);
        Step { reconciled: self.reconciled, outcomes: self.outcomes }
    }
}

#[cfg(test)]
mod tests {
    use api::Kind;
    use api::request::{ApiError, Request, Written};
    use contract::{Key, Plan};
    use expect_test::{Expect, expect};

    use super::*;

    /// Carries out batches of commands named `a`, `b`, …; those in `failing` fail with 404, which those in `tolerant` tolerate.
    fn check(batches: &[&[&str]], failing: &[&str], tolerant: &[&str], expected: Expect) {
        let command = |name: &&str| Command {
            request: Request::read(Kind::Pod, "default", name),
            tolerates: if tolerant.contains(name) { vec![404] } else { Vec::new() },
        };
        let batches = batches.iter().map(|batch| batch.iter().map(command).collect()).collect();
        let reconciled = Reconciled { id: 1, key: Key::default(), plan: Plan { batches, ..Plan::default() } };
        let mut execution = Execution::new(reconciled, 0);
        let mut told = Vec::new();
        while let Some(command) = execution.next_command() {
            let name = command.request.path.rsplit('/').next().unwrap().to_owned();
            let failed = failing.contains(&&*name);
            let error = ApiError { code: 404, reason: String::new(), message: String::new(), causes: Vec::new() };
            execution.record(if failed { Outcome::Failed(error) } else { Outcome::Done(Written::default()) });
            told.push(if failed { format!("{name}!") } else { name });
        }
        let skipped = execution.end().outcomes.iter().filter(|outcome| **outcome == Outcome::Skipped).count();
        expected.assert_eq(&format!("{} ({skipped} skipped)", told.join(" ")));
    }

    #[test]
    fn a_batch_starts_when_all_before_it_succeeded() {
        check(&[&["a", "b"], &["c"]], &[], &[], expect!["a b c (0 skipped)"]);
        check(&[&["a", "b"], &["c"]], &["a"], &[], expect!["a! b (1 skipped)"]);
        check(&[&["a", "b"], &["c"]], &["a"], &["a"], expect!["a! b c (0 skipped)"]);
        check(&[&[], &["a"], &[], &["b"]], &["a"], &[], expect!["a! (1 skipped)"]);
        check(&[&[], &[]], &[], &[], expect![" (0 skipped)"]);
    }
}
