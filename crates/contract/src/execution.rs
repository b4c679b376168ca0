//! A plan on its way: which commands are next, and which are skipped because one that they depend on failed.
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
    /// Of each command that has an outcome, whether it succeeded.
    succeeded: Vec<bool>,
    /// The batch that is under way.
    batch: usize,
    /// How many commands there are in the batches before it.
    before: usize,
    /// Whether all of those succeeded.
    unbroken: bool,
}

impl Execution {
    /// A plan that was not begun.
    #[must_use]
    pub fn new(plan: Plan) -> Self {
        let commands = plan.commands().count();
        let (outcomes, succeeded) = (Vec::with_capacity(commands), Vec::with_capacity(commands));
        let mut execution = Self { plan, outcomes, succeeded, batch: 0, before: 0, unbroken: true };
        execution.skip();
        execution
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The first of the commands that may run next; `None` once all are done or skipped.
    #[must_use]
    pub fn next_command(&self) -> Option<&Command> {
        self.rest_of_batch().first()
    }

    /// All commands that may run in parallel next.
    pub fn next_commands(&self) -> impl Iterator<Item = &Command> {
        self.rest_of_batch().iter().filter(|command| self.may_run(command))
    }

    /// Records the outcome of the first of the next commands, and skips the commands that must not run because of it.
    pub fn record(&mut self, outcome: Outcome) {
        let Some(command) = self.next_command() else { return };
        self.succeeded.push(match &outcome {
            Outcome::Done(_) => true,
            Outcome::Failed(error) => command.tolerates.contains(&error.code),
            Outcome::Skipped => false,
        });
        self.outcomes.push(outcome);
        self.skip();
    }

    fn rest_of_batch(&self) -> &[Command] {
        self.plan.batches.get(self.batch).map_or(&[], |batch| &batch[self.outcomes.len() - self.before..])
    }

    /// Whether what a command of this batch depends on has succeeded.
    fn may_run(&self, command: &Command) -> bool {
        match command.after {
            None => self.unbroken,
            Some(number) => usize::try_from(number).is_ok_and(|number| number < self.before && self.succeeded[number]),
        }
    }

    /// Passes commands that must not run, and batches that have ended.
    fn skip(&mut self) {
        while self.batch < self.plan.batches.len() {
            match self.rest_of_batch().first() {
                Some(command) if self.may_run(command) => return,
                Some(_) => {
                    self.outcomes.push(Outcome::Skipped);
                    self.succeeded.push(false);
                }
                None => {
                    self.unbroken &= self.succeeded[self.before..].iter().all(|succeeded| *succeeded);
                    self.before = self.outcomes.len();
                    self.batch += 1;
                }
            }
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

    /// Carries out batches of commands named `a`, `b`, …, `c<b` for one that depends on `b` alone; those in `failing` fail with 404, which those in
    /// `tolerant` tolerate.
    fn check(batches: &[&[&str]], failing: &[&str], tolerant: &[&str], expected: &str) {
        let names: Vec<&str> = batches.iter().flat_map(|batch| batch.iter()).map(|name| name.split('<').next().unwrap()).collect();
        let command = |name: &&str| {
            let (name, after) = name.split_once('<').map_or((*name, None), |(name, after)| (name, Some(after)));
            Command {
                request: Request::read(Kind::Pod, "default", name),
                tolerates: if tolerant.contains(&name) { vec![404] } else { Vec::new() },
                after: after.map(|after| names.iter().position(|name| *name == after).unwrap().try_into().unwrap()),
            }
        };
        let batches = batches.iter().map(|batch| batch.iter().map(command).collect()).collect();
        let mut execution = Execution::new(Plan { batches, ..Plan::default() });
        while let Some(command) = execution.next_command() {
            let failed = failing.contains(&command.request.path.rsplit('/').next().unwrap());
            let error = ApiError { code: 404, reason: String::new(), message: String::new(), causes: Vec::new() };
            execution.record(if failed { Outcome::Failed(error) } else { Outcome::Done(Written::default()) });
        }
        let word = |(name, outcome): (&str, &Outcome)| match outcome {
            Outcome::Done(_) => name.to_owned(),
            Outcome::Failed(_) => format!("{name}!"),
            Outcome::Skipped => format!("({name})"),
        };
        let executed = execution.end();
        assert_eq!(executed.outcomes.len(), names.len());
        assert_eq!(names.into_iter().zip(&executed.outcomes).map(word).collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn a_command_runs_when_all_batches_before_its_own_succeeded() {
        check(&[&["a", "b"], &["c"]], &[], &[], "a b c");
        check(&[&["a", "b"], &["c"]], &["a"], &[], "a! b (c)");
        check(&[&["a", "b"], &["c"]], &["a"], &["a"], "a! b c");
        check(&[&[], &["a"], &[], &["b"]], &["a"], &[], "a! (b)");
        check(&[&[], &[]], &[], &[], "");
    }

    #[test]
    fn a_command_after_another_one_runs_whatever_becomes_of_the_rest() {
        let pods: &[&[&str]] = &[&["a", "b", "c"], &["x<a", "y<b", "z<c"], &["s"], &["t<y"]];
        check(pods, &[], &[], "a b c x y z s t");
        check(pods, &["a"], &[], "a! b c (x) y z (s) t");
        check(pods, &["b"], &[], "a b! c x (y) z (s) (t)");
        check(pods, &["c"], &["c"], "a b c! x y z s t");
        check(pods, &["a", "b", "c"], &[], "a! b! c! (x) (y) (z) (s) (t)");
        check(&[&["a"], &["b"], &["c<b", "d<a"]], &["a"], &[], "a! (b) (c) (d)");
    }

    #[test]
    fn a_command_after_one_of_its_own_batch_or_a_later_one_is_skipped() {
        check(&[&["a", "b<a"], &["c<d"], &["d<a"]], &[], &[], "a (b) (c) d");
    }
}
