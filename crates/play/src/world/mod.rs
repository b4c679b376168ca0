//! A cluster with its controllers: shows them what changed, carries out their plans, and reports the outcomes; the caller sets the time.
//!
//! Docs: Controllers, "Controller pattern". A plan on its way is `contract::Execution`; the node beside it is in `turn.rs`; who moves the clock, in
//! `crates/protocol/` or outside.

pub mod refusals;
pub mod turn;

use api::request::Outcome;
use api::{Kind, Malformed, Text, Timestamp};
use cluster::apiserver::{ApiServer, WatchId};
use contract::execution::Executed;
use contract::{Change, Command, Event, Execution, Listing, Manager, Part, Plan, Wakeup};

/// A cluster and a manager of controllers that watches it.
///
/// [`deliver`](World::deliver) and [`step`](World::step) until there is no step; then nothing happens before
/// [`next_due`](World::next_due) unless the cluster is changed from outside.
///
/// A manager that loses its memory is shown everything again at once. If it loses it over that, it has no plans until something changes.
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
    /// The kinds that the manager watches.
    kinds: Vec<Text>,
}

impl<M: Manager> World<M> {
    /// A cluster and a manager that does not know of it yet: [`list`](World::list) or [`restart`](World::restart) comes first.
    pub fn new(mut server: ApiServer, manager: M) -> Self {
        let watch = server.watch(None);
        Self { server, manager, losses: Vec::new(), watch, listed: false, kinds: Vec::new() }
    }

    /// Shows the manager lists of all that it watches; returns which objects it refused.
    pub fn list(&mut self, now: Timestamp) -> Vec<Malformed> {
        self.server.close(self.watch);
        self.watch = self.server.watch(None);
        self.listed = true;
        self.kinds = self.manager.resources().into_iter().map(|resource| resource.kind).collect();
        let mut malformed = Vec::new();
        for kind in &self.kinds {
            let list = match Kind::of(kind) {
                Some(kind) => self.server.listing(kind),
                // The server stores no objects of an unknown kind.
                None => Event::Listed(Listing { kind: kind.clone(), part: Part::Whole, resource_version: "0".into(), objects: Vec::new() }),
            };
            malformed.extend(self.manager.handle(list, now).err());
            if let Some(reason) = self.manager.lost() {
                self.losses.push(reason);
                self.listed = false;
                break;
            }
        }
        malformed
    }

    /// The manager loses all that it holds in memory, and lists again; returns which objects it refused.
    pub fn restart(&mut self, now: Timestamp) -> Vec<Malformed> {
        self.manager.restart();
        self.list(now)
    }

    /// Shows the manager what changed since the last call, one state for each object, sorted by the text `Kind/namespace/name`; returns which
    /// objects it refused.
    pub fn deliver(&mut self, now: Timestamp) -> Vec<Malformed> {
        let changes = self.server.changes(self.watch);
        let mut malformed = Vec::new();
        for change in changes {
            let (Change::Applied(object) | Change::Deleted(object)) = &change;
            if self.listed && self.kinds.contains(&object.kind) {
                malformed.extend(self.manager.handle(Event::Changed(change), now).err());
            }
            if !self.listed || self.lost() {
                malformed.extend(self.list(now));
                break;
            }
        }
        malformed
    }

    /// Carries out the next plan that is due, if there is one, and reports the outcomes to the manager.
    pub fn step(&mut self, now: Timestamp) -> Option<Executed> {
        self.step_with(now, |server, command| send(server, command, now))
    }

    /// Does the same with whatever carries out a command.
    ///
    /// # Panics
    /// If the manager refuses outcomes: they hold no object that could be malformed.
    pub fn step_with(&mut self, now: Timestamp, mut send: impl FnMut(&mut ApiServer, &Command) -> Outcome) -> Option<Executed> {
        if !self.listed {
            return None;
        }
        let plan = self.manager.next_plan(now);
        if self.lost() {
            self.list(now);
            return None;
        }
        let mut execution = Execution::new(plan?);
        while let Some(command) = execution.next_command() {
            let outcome = send(&mut self.server, command);
            execution.record(outcome);
        }
        let executed = execution.end();
        if let Some(event) = executed.event() {
            self.manager.handle(event, now).expect("outcomes hold no object that could be malformed");
            if self.lost() {
                self.list(now);
            }
        }
        Some(executed)
    }

    /// When a plan may be due if nothing changes before, and why.
    pub fn next_due(&mut self) -> Option<Wakeup> {
        if self.listed { self.manager.next_wakeup() } else { None }
    }

    /// What is due by now: why the next plan is made, if it is about that.
    pub fn due(&mut self, now: Timestamp) -> Option<Wakeup> {
        self.next_due().filter(|due| due.at <= now)
    }

    /// Why a plan was made, given what was due before it; `None` if it follows from the outcomes of an earlier plan.
    pub fn because(&mut self, due: Option<Wakeup>, plan: &Plan) -> Option<Text> {
        let due = due.filter(|due| due.controller == plan.controller && due.object == plan.object)?;
        // A plan that follows from outcomes comes first: what was due is due still.
        (self.next_due().as_ref() != Some(&due)).then(|| due.reason.into())
    }

    /// Whether the manager lost its memory just now.
    fn lost(&mut self) -> bool {
        let Some(reason) = self.manager.lost() else { return false };
        self.losses.push(reason);
        true
    }
}

/// Sends a command to the API server.
pub fn send(server: &mut ApiServer, command: &Command, now: Timestamp) -> Outcome {
    match server.execute(&command.request, now) {
        Ok(answer) => Outcome::Done(answer.written()),
        Err(error) => Outcome::Failed(error),
    }
}

#[cfg(test)]
mod tests {
    use cluster::Dependence;
    use cluster::testing::{job, noon, pod, send_line, server};
    use expect_test::{Expect, expect};

    use super::*;
    use crate::testing::Puppet;

    fn world() -> World<Puppet> {
        let mut server = server(Dependence::OnOwners);
        send_line(&mut server, &pod("a", "", ""), 0);
        send_line(&mut server, &job("pi", ""), 0);
        World::new(server, Puppet::default())
    }

    fn check(world: &mut World<Puppet>, expected: Expect) {
        expected.assert_eq(&std::mem::take(&mut world.manager.handled).join("\n"));
    }

    #[test]
    fn a_manager_is_shown_lists_changes_and_outcomes() {
        let mut world = world();
        assert_eq!((world.step(noon()).is_none(), world.next_due()), (true, None));
        world.list(noon());
        check(
            &mut world,
            expect![[r#"
                listed CronJob: 
                listed Job: pi
                listed Pod: a"#]],
        );
        assert_eq!(world.deliver(noon()), []);
        world.manager.plan(0, &[&["DELETE pods/a", "?DELETE pods/b"], &["DELETE pods/c"], &["DELETE jobs/pi"]]);
        let step = world.step(noon()).unwrap();
        assert_eq!((step.outcomes.len(), step.plan.id), (4, 1));
        world.deliver(noon());
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
    fn a_lost_memory_is_filled_again() {
        let mut world = world();
        world.list(noon());
        send_line(&mut world.server, &pod("b", "", ""), 0);
        send_line(&mut world.server, &pod("c", "", ""), 0);
        world.manager.fragile = true;
        world.deliver(noon());
        check(
            &mut world,
            expect![[r#"
                listed CronJob: 
                listed Job: pi
                listed Pod: a
                applied b
                listed CronJob: 
                listed Job: pi
                listed Pod: a, b, c"#]],
        );
        assert_eq!(std::mem::take(&mut world.losses), ["a trap"]);
        world.manager.fragile = true;
        world.list(noon());
        assert_eq!(world.next_due(), None);
        send_line(&mut world.server, &pod("d", "", ""), 0);
        world.deliver(noon());
        check(
            &mut world,
            expect![[r#"
                listed CronJob: 
                listed CronJob: 
                listed Job: pi
                listed Pod: a, b, c, d"#]],
        );
    }

    #[test]
    fn malformed_objects_are_reported() {
        let mut world = world();
        world.list(noon());
        send_line(&mut world.server, &pod("odd", "", ""), 0);
        let malformed: Vec<String> = world.deliver(noon()).iter().map(ToString::to_string).collect();
        assert_eq!(malformed, ["Pod default/odd is malformed: it is odd"]);
    }
}
