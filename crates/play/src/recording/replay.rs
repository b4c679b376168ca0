//! Goes through a recording with a manager that is told the same, and compares what it answers.
//!
//! Docs: `jobsmith replay --help`. Where two answers differ is found in `difference.rs`.

use std::collections::BTreeMap;

use api::Timestamp;
use contract::{Event, Key, LookAgain, Manager, PlanId, Reconciled};

use super::{Asked, Difference, Line, Told};
use crate::trace::{Entry, Trace, What};
use crate::world::Step;
use crate::world::turn::Happening;

/// A manager that is told what another one was told.
#[derive(Debug)]
pub struct Replay<M> {
    /// The manager.
    pub manager: M,
    /// Makes entries of what is seen.
    pub trace: Trace,
    /// How many events were told.
    pub events: u64,
    /// How many plans were answered, all as recorded.
    pub plans: u64,
    /// Plans whose outcomes were not told yet.
    in_flight: BTreeMap<PlanId, Reconciled>,
    /// Why the manager lost its memory over the last call, if it did.
    lost: Option<String>,
}

/// What a line shows of a plan.
#[derive(Debug)]
pub struct Seen {
    /// When.
    pub at: Timestamp,
    /// What the plan is about.
    pub key: Key,
    /// Whether it was decided then; else its requests were answered.
    pub decided: bool,
    /// When it is looked at again if nothing happens before.
    pub look_again: Option<LookAgain>,
    /// What is seen.
    pub entries: Vec<Entry>,
}

impl<M: Manager> Replay<M> {
    /// Begins with a manager that was configured as the recorded one.
    pub fn new(manager: M) -> Self {
        Self { manager, trace: Trace::default(), events: 0, plans: 0, in_flight: BTreeMap::new(), lost: None }
    }

    /// Repeats what a line tells; answers what it shows of a plan.
    ///
    /// # Errors
    /// Where the manager does otherwise.
    pub fn go_on(&mut self, line: Line) -> Result<Option<Seen>, Difference> {
        let lost = self.lost.take();
        let recorded = if let Line::Lost { because } = &line { Some(because.clone()) } else { None };
        if recorded != lost {
            let told =
                |because: Option<String>| because.map_or_else(|| "no trouble".to_owned(), |because| format!("lost its memory: {because}"));
            return Err(Difference { path: "the component".to_owned(), recorded: told(recorded), answered: told(lost) });
        }
        let seen = match line {
            Line::Told(told) => self.tell(told)?,
            Line::Asked(asked) => self.ask(&asked)?,
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
        Ok(seen)
    }

    /// Tells the manager what the other was told.
    fn tell(&mut self, Told { at, event, refused }: Told) -> Result<Option<Seen>, Difference> {
        self.events += 1;
        let mut seen = None;
        if let Event::Finished { plan, outcomes } = &event
            && let Some(Reconciled { key, plan, .. }) = self.in_flight.remove(plan)
        {
            let entries = What::requests(&plan, outcomes).map(|what| Entry { at, what }).collect();
            seen = Some(Seen { at, key, decided: false, look_again: None, entries });
        }
        let answered = self.manager.handle(event, at).err();
        let told = |refused: &Option<String>| refused.clone().unwrap_or_else(|| "understood".to_owned());
        if answered != refused {
            return Err(Difference { path: "the event".to_owned(), recorded: told(&refused), answered: told(&answered) });
        }
        Ok(seen)
    }

    /// Asks the manager for a plan, as the other was asked.
    fn ask(&mut self, recorded: &Asked) -> Result<Option<Seen>, Difference> {
        let next = self.manager.next_plan(recorded.at);
        let answered = Asked::new(recorded.at, next.as_ref()).expect("a plan has text keys only");
        if let Some(difference) = Difference::between(recorded, &answered) {
            return Err(difference);
        }
        let Some(reconciled) = next else { return Ok(None) };
        self.plans += 1;
        let step = Step { reconciled: reconciled.clone(), outcomes: Vec::new() };
        let entries = self.trace.entries(&[Happening::Planned { step: Box::new(step), writes: Vec::new() }], recorded.at);
        let (key, look_again) = (reconciled.key.clone(), reconciled.plan.look_again.clone());
        if !reconciled.plan.batches.is_empty() {
            self.in_flight.insert(reconciled.id, reconciled);
        }
        Ok(Some(Seen { at: recorded.at, key, decided: true, look_again, entries }))
    }
}
