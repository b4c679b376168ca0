//! Replays the calls of a recording to a manager, and compares the results.
//!
//! Docs: `jobsmith replay --help`. Where two results differ is found in `difference.rs`.

use std::collections::BTreeMap;

use api::{Text, Timestamp};
use contract::execution::Executed;
use contract::{Event, Manager, ObjectRef, Plan, PlanId, Report, Requeue};

use super::{Difference, Handled, Line, Planned};
use crate::trace::{Entry, Trace, What};
use crate::world::turn::Effect;

/// A manager that is given the calls of another one.
#[derive(Debug)]
pub struct Replay<M> {
    /// The manager.
    pub manager: M,
    /// Makes entries of what is seen.
    pub trace: Trace,
    /// How many events were handled.
    pub events: u64,
    /// How many plans were answered, all as recorded.
    pub plans: u64,
    /// Plans whose outcomes were not reported yet.
    in_flight: BTreeMap<PlanId, Plan>,
    /// Why the manager lost its memory over the last call, if it did.
    lost: Option<String>,
}

/// What a line shows of a plan.
#[derive(Debug)]
pub struct Replayed {
    /// When.
    pub at: Timestamp,
    /// The controller that made the plan.
    pub controller: Text,
    /// What the plan is about.
    pub object: ObjectRef,
    /// Whether it was decided then; else its requests were answered.
    pub decided: bool,
    /// When it is synced again if nothing happens before.
    pub requeue_at: Option<Requeue>,
    /// What is seen.
    pub entries: Vec<Entry>,
}

impl<M: Manager> Replay<M> {
    /// Begins with a manager that was configured as the recorded one.
    pub fn new(manager: M) -> Self {
        Self { manager, trace: Trace::default(), events: 0, plans: 0, in_flight: BTreeMap::new(), lost: None }
    }

    /// Repeats the call of a line; returns what it shows of a plan.
    ///
    /// # Errors
    /// Where the manager does otherwise.
    pub fn go_on(&mut self, line: Line) -> Result<Option<Replayed>, Difference> {
        let lost = self.lost.take();
        let recorded = if let Line::Lost { reason } = &line { Some(reason.clone()) } else { None };
        if recorded != lost {
            let text = |lost: Option<String>| lost.map_or_else(|| "running".to_owned(), |reason| format!("crashed: {reason}"));
            return Err(Difference { path: "the component".to_owned(), recorded: text(recorded), answered: text(lost) });
        }
        let replayed = match line {
            Line::Handled(handled) => self.handle(handled)?,
            Line::Planned(planned) => self.plan(&planned)?,
            Line::Restarted => {
                self.in_flight.clear();
                self.manager.restart();
                None
            }
            Line::Lost { .. } => {
                self.in_flight.clear();
                None
            }
            // A recording has one header, which was read.
            Line::Recording(_) => None,
        };
        self.lost = self.manager.lost();
        Ok(replayed)
    }

    /// Has the manager handle an event.
    fn handle(&mut self, Handled { at, event, malformed }: Handled) -> Result<Option<Replayed>, Difference> {
        self.events += 1;
        let mut replayed = None;
        if let Event::Finished(Report { plan, outcomes }) = &event
            && let Some(plan) = self.in_flight.remove(plan)
        {
            let entries = What::requests(&plan, outcomes).map(|what| Entry { at, estimated: false, what }).collect();
            replayed = Some(Replayed { at, controller: plan.controller, object: plan.object, decided: false, requeue_at: None, entries });
        }
        let answered = self.manager.handle(event, at).err();
        if answered != malformed {
            let text =
                |malformed: Option<api::Malformed>| malformed.map_or_else(|| "accepted".to_owned(), |malformed| malformed.to_string());
            return Err(Difference { path: "the event".to_owned(), recorded: text(malformed), answered: text(answered) });
        }
        Ok(replayed)
    }

    /// Takes the manager's next plan.
    fn plan(&mut self, recorded: &Planned) -> Result<Option<Replayed>, Difference> {
        let next = self.manager.next_plan(recorded.at);
        let answered = Planned::new(recorded.at, next.as_ref()).expect("a plan has text keys only");
        if let Some(difference) = Difference::between(recorded, &answered) {
            return Err(difference);
        }
        let Some(plan) = next else { return Ok(None) };
        self.plans += 1;
        let executed = Box::new(Executed { plan: plan.clone(), outcomes: Vec::new() });
        let entries = self.trace.entries(&[Effect::Planned { executed, writes: Vec::new(), because: None }], recorded.at);
        let (controller, object, requeue_at) = (plan.controller.clone(), plan.object.clone(), plan.requeue_at.clone());
        if plan.commands().next().is_some() {
            self.in_flight.insert(plan.id, plan);
        }
        Ok(Some(Replayed { at: recorded.at, controller, object, decided: true, requeue_at, entries }))
    }
}
