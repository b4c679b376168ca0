//! A cluster with its controllers: what changed is told, plans are carried out, outcomes are told back; time is whatever the caller says.
//!
//! Docs: Controllers, "Controller pattern". A single plan on its way is in `execution.rs`; who moves the clock, in `session/` or outside.

mod execution;
pub mod turn;

use api::request::Outcome;
use api::{Kind, Timestamp};
use cluster::apiserver::{ApiServer, WatchId};
use contract::{Change, Event, Manager, Reconciled, Wakeup};

pub use self::execution::Execution;

/// A cluster and a manager of controllers that watches it.
///
/// [`deliver`](World::deliver) and [`step`](World::step) until there is no step; then nothing happens before
/// [`next_due`](World::next_due) unless somebody changes the cluster. A step can be taken in pieces: [`begin`](World::begin),
/// [`carry_out`](World::carry_out) command by command, [`finish`](World::finish).
///
/// A manager that loses its memory is told everything again at once. If it loses it over that, it has no plans until something changes.
#[derive(Debug, Clone)]
pub struct World<M> {
    /// The cluster.
    pub server: ApiServer,
    /// The controllers.
    pub manager: M,
    /// Why the manager's memory was lost, each time that it was; for the caller to take.
    pub losses: Vec<String>,
    watch: WatchId,
    /// Whether the manager knows all objects, up to what the watch has shown.
    listed: bool,
    /// How often the manager began anew: it knows no plan of an earlier life.
    life: u64,
}

/// What a look at the watch showed the manager.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delivery {
    /// The changes, in the order in which they were told.
    pub changes: Vec<Change>,
    /// Why the manager refused some of them: objects that cannot be understood.
    pub refusals: Vec<String>,
}

/// A plan that was carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The plan, and what it is about.
    pub reconciled: Reconciled,
    /// One outcome for each command, in order of batches and in their order.
    pub outcomes: Vec<Outcome>,
}

impl<M: Manager> World<M> {
    /// A cluster and a manager that does not know of it yet: [`list`](World::list) or [`restart`](World::restart) comes first.
    pub fn new(mut server: ApiServer, manager: M) -> Self {
        let watch = server.watch(None);
        Self { server, manager, losses: Vec::new(), watch, listed: false, life: 0 }
    }

    /// Tells the manager of all objects there are, Jobs first; answers why it refused some lists.
    pub fn list(&mut self, now: Timestamp) -> Vec<String> {
        self.server.close(self.watch);
        self.watch = self.server.watch(None);
        self.listed = true;
        let mut refusals = Vec::new();
        for kind in Kind::ALL {
            refusals.extend(self.manager.handle(self.server.listing(kind), now).err());
            if self.lost() {
                self.listed = false;
                break;
            }
        }
        refusals
    }

    /// The manager loses all that it holds in memory, and lists again; answers why it refused some lists.
    pub fn restart(&mut self, now: Timestamp) -> Vec<String> {
        self.manager.restart();
        self.life += 1;
        self.list(now)
    }

    /// Tells the manager what changed since the last look, one state for each object, sorted by the text `Kind/namespace/name`.
    pub fn deliver(&mut self, now: Timestamp) -> Delivery {
        let changes = self.server.changes(self.watch);
        let mut refusals = Vec::new();
        for change in &changes {
            if self.listed {
                refusals.extend(self.manager.handle(Event::Changed(change.clone()), now).err());
            }
            if !self.listed || self.lost() {
                refusals.extend(self.list(now));
                break;
            }
        }
        Delivery { changes, refusals }
    }

    /// Takes the next plan that is due, if there is one.
    pub fn begin(&mut self, now: Timestamp) -> Option<Execution> {
        if !self.listed {
            return None;
        }
        let reconciled = self.manager.next_plan(now);
        if self.lost() {
            self.list(now);
            return None;
        }
        reconciled.map(|reconciled| Execution::new(reconciled, self.life))
    }

    /// Carries out a plan's next command; answers whether there was one.
    pub fn carry_out(&mut self, execution: &mut Execution, now: Timestamp) -> bool {
        let Some(command) = execution.next_command() else { return false };
        let outcome = match self.server.execute(&command.request, now) {
            Ok(answer) => Outcome::Done(answer.written()),
            Err(error) => Outcome::Failed(error),
        };
        execution.record(outcome);
        true
    }

    /// Tells the manager the outcomes of a plan, unless it has begun anew since; commands that were not carried out are skipped.
    ///
    /// # Panics
    /// If the manager refuses to be told: outcomes hold nothing that could not be understood.
    pub fn finish(&mut self, execution: Execution, now: Timestamp) -> Step {
        let known = execution.life() == self.life;
        let step = execution.end();
        // A plan without commands was over when it was told.
        if known && !step.outcomes.is_empty() {
            let event = Event::Finished { plan: step.reconciled.id, outcomes: step.outcomes.clone() };
            self.manager.handle(event, now).expect("outcomes hold nothing that could not be understood");
            if self.lost() {
                self.list(now);
            }
        }
        step
    }

    /// Carries out the next plan that is due, if there is one, and tells the manager the outcomes.
    pub fn step(&mut self, now: Timestamp) -> Option<Step> {
        let mut execution = self.begin(now)?;
        while self.carry_out(&mut execution, now) {}
        Some(self.finish(execution, now))
    }

    /// When a plan may be due if nothing changes before, and why.
    pub fn next_due(&mut self) -> Option<Wakeup> {
        if self.listed { self.manager.next_wakeup() } else { None }
    }

    /// Whether the manager lost its memory just now.
    fn lost(&mut self) -> bool {
        let Some(reason) = self.manager.lost() else { return false };
        self.losses.push(reason);
        self.life += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use cluster::Dependence;
    use cluster::testing::{ask, job, noon, pod, server};
    use expect_test::{Expect, expect};

    use super::*;
    use crate::puppet::Puppet;

    fn world() -> World<Puppet> {
        let mut server = server(Dependence::OnOwners);
        ask(&mut server, &pod("a", "", ""), 0);
        ask(&mut server, &job("pi", ""), 0);
        World::new(server, Puppet::default())
    }

    fn check(world: &mut World<Puppet>, expected: Expect) {
        expected.assert_eq(&std::mem::take(&mut world.manager.told).join("\n"));
    }

    #[test]
    fn a_manager_is_told_lists_changes_and_outcomes() {
        let mut world = world();
        assert_eq!((world.begin(noon()).is_none(), world.next_due()), (true, None));
        world.list(noon());
        check(
            &mut world,
            expect![[r#"
            listed Job: pi
            listed Pod: a"#]],
        );
        assert_eq!(world.deliver(noon()), Delivery::default());
        world.manager.plan(0, &[&["DELETE pods/a", "?DELETE pods/b"], &["DELETE pods/c"], &["DELETE jobs/pi"]]);
        let step = world.step(noon()).unwrap();
        assert_eq!((step.outcomes.len(), step.reconciled.id), (4, 1));
        assert_eq!(world.deliver(noon()).changes.len(), 1);
        check(
            &mut world,
            expect![[r#"
            finished 1: a, 404, 404, skipped
            deleted a"#]],
        );
        world.manager.plan(5, &[]);
        assert_eq!(world.step(noon()), None);
        assert!(world.next_due().is_some());
    }

    #[test]
    fn a_plan_can_be_left_in_the_middle() {
        let mut world = world();
        world.list(noon());
        world.manager.plan(0, &[&["DELETE pods/a", "DELETE jobs/pi"]]);
        let mut execution = world.begin(noon()).unwrap();
        assert!(world.carry_out(&mut execution, noon()));
        let step = world.finish(execution, noon());
        assert_eq!(step.outcomes[1], Outcome::Skipped);
        check(
            &mut world,
            expect![[r#"
            listed Job: pi
            listed Pod: a
            finished 1: a, skipped"#]],
        );
    }

    #[test]
    fn an_earlier_life_hears_nothing_of_its_plans() {
        let mut world = world();
        world.list(noon());
        world.manager.plan(0, &[&["DELETE pods/a"]]);
        let mut execution = world.begin(noon()).unwrap();
        world.carry_out(&mut execution, noon());
        world.restart(noon());
        world.finish(execution, noon());
        check(
            &mut world,
            expect![[r#"
            listed Job: pi
            listed Pod: a
            restarted
            listed Job: pi
            listed Pod: "#]],
        );
    }

    #[test]
    fn a_lost_memory_is_filled_again() {
        let mut world = world();
        world.list(noon());
        ask(&mut world.server, &pod("b", "", ""), 0);
        ask(&mut world.server, &pod("c", "", ""), 0);
        world.manager.fragile = true;
        world.deliver(noon());
        check(
            &mut world,
            expect![[r#"
            listed Job: pi
            listed Pod: a
            applied b
            listed Job: pi
            listed Pod: a, b, c"#]],
        );
        assert_eq!(std::mem::take(&mut world.losses), ["a trap"]);
        world.manager.fragile = true;
        world.list(noon());
        assert_eq!(world.next_due(), None);
        ask(&mut world.server, &pod("d", "", ""), 0);
        world.deliver(noon());
        check(
            &mut world,
            expect![[r#"
            listed Job: pi
            listed Job: pi
            listed Pod: a, b, c, d"#]],
        );
    }

    #[test]
    fn refusals_are_told() {
        let mut world = world();
        world.list(noon());
        ask(&mut world.server, &pod("odd", "", ""), 0);
        assert_eq!(world.deliver(noon()).refusals, ["odd is odd"]);
    }
}
