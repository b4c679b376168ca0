//! A plan on its way: which commands are next, and which are skipped because an earlier batch failed.
//!
//! Docs: `crates/component/wit/controllers.wit`, `plan`. Who sends the requests is the host, or the cluster in memory.

use api::request::Outcome;

use crate::event::{Event, Report};
use crate::plan::{Command, Plan};

/// A plan that is being carried out.
#[derive(Debug, Clone)]
pub struct Execution {
    plan: Plan,
    outcomes: Vec<Outcome>,
    batch: usize,
    /// The next command's place in its batch.
    place: usize,
    /// Whether a command of this batch failed.
    failed: bool,
}

impl Execution {
    /// A plan that was not begun.
    #[must_use]
    pub fn new(plan: Plan) -> Self {
        let mut execution = Self { outcomes: Vec::with_capacity(plan.commands().count()), plan, batch: 0, place: 0, failed: false };
        execution.pass_batches();
        execution
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The commands that may run side by side next; empty once all are done or skipped.
    #[must_use]
    pub fn next_commands(&self) -> &[Command] {
        self.plan.batches.get(self.batch).map_or(&[], |batch| &batch[self.place..])
    }

    /// Records the outcome of the first of the next commands. A failure that the command does not tolerate ends the plan after this batch.
    pub fn record(&mut self, outcome: Outcome) {
        let Some(command) = self.next_commands().first() else { return };
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
        while self.plan.batches.get(self.batch).is_some_and(|batch| self.place == batch.len()) {
            self.place = 0;
            self.batch = if self.failed { self.plan.batches.len() } else { self.batch + 1 };
        }
    }

    /// Ends the plan: what is not done is skipped.
    #[must_use]
    pub fn end(mut self) -> Executed {
        self.outcomes.resize(self.plan.commands().count(), Outcome::Skipped);
        Executed { plan: self.plan, outcomes: self.outcomes }
    }
}

/// A plan that was carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Executed {
    /// The plan.
    pub plan: Plan,
    /// One outcome for each command, in order of batches and in their order.
    pub outcomes: Vec<Outcome>,
}

impl Executed {
    /// The event that brings the outcomes to the manager; none for a plan without commands, which is over when it is handed out.
    #[must_use]
    pub fn event(&self) -> Option<Event> {
        let finished = || Event::Finished(Report { plan: self.plan.id, outcomes: self.outcomes.clone() });
        (!self.outcomes.is_empty()).then(finished)
    }
}

#[cfg(test)]
mod tests {
    use api::Kind;
    use api::request::{ApiError, Request, Written};

    use super::*;

    /// Carries out batches of commands named `a`, `b`, …; those in `failing` fail with 404, which those in `tolerant` tolerate.
    fn check(batches: &[&[&str]], failing: &[&str], tolerant: &[&str], expected: &str) {
        let command = |name: &&str| Command {
            request: Request::read(Kind::Pod, "default", name),
            tolerates: if tolerant.contains(name) { vec![404] } else { Vec::new() },
        };
        let batches = batches.iter().map(|batch| batch.iter().map(command).collect()).collect();
        let mut execution = Execution::new(Plan { batches, ..Plan::default() });
        let mut sent = Vec::new();
        while let Some(command) = execution.next_commands().first() {
            let name = command.request.path.rsplit('/').next().unwrap().to_owned();
            let failed = failing.contains(&&*name);
            let error = ApiError { code: 404, reason: String::new(), message: String::new(), causes: Vec::new() };
            execution.record(if failed { Outcome::Failed(error) } else { Outcome::Done(Written::default()) });
            sent.push(if failed { format!("{name}!") } else { name });
        }
        let skipped = execution.end().outcomes.iter().filter(|outcome| **outcome == Outcome::Skipped).count();
        assert_eq!(format!("{} ({skipped} skipped)", sent.join(" ")), expected);
    }

    #[test]
    fn a_batch_starts_when_all_before_it_succeeded() {
        check(&[&["a", "b"], &["c"]], &[], &[], "a b c (0 skipped)");
        check(&[&["a", "b"], &["c"]], &["a"], &[], "a! b (1 skipped)");
        check(&[&["a", "b"], &["c"]], &["a"], &["a"], "a! b c (0 skipped)");
        check(&[&[], &["a"], &[], &["b"]], &["a"], &[], "a! (1 skipped)");
        check(&[&[], &[]], &[], &[], " (0 skipped)");
    }
}
