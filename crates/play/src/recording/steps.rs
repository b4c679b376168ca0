//! A recording as steps, as a play has them: what the watches showed, what was decided, and what became of it.
//!
//! Docs: `jobsmith replay --help`. A play is in `../play.rs`.

use std::io::BufRead;

use api::{Text, Timestamp};
use contract::{Event, Manager, Wakeup};

use super::objects::Cache;
use super::replay::{Replay, Replayed};
use super::{Handled, Header, Line, Lines};
use crate::step::{self, Step, Trigger};
use crate::world::turn::Effect;

/// A recording that is gone through.
#[derive(Debug)]
pub struct Steps<R, M> {
    lines: Lines<R>,
    replay: Replay<M>,
    objects: Cache,
    /// The time of the last line.
    now: Timestamp,
    ended: bool,
}

impl<R: BufRead, M: Manager> Steps<R, M> {
    /// Begins a recording with the manager that is made from what was recorded.
    ///
    /// # Errors
    /// Why this is no recording, or why there is no such manager.
    pub fn new(from: R, manager: impl FnOnce(&Header) -> Result<M, String>) -> Result<(Self, Header), String> {
        let (lines, header) = Lines::begin(from)?;
        let replay = Replay::new(manager(&header)?);
        Ok((Self { lines, replay, objects: Cache::default(), now: header.start, ended: false }, header))
    }

    /// The steps of the next line that has any; `None` at the end.
    pub fn next_moment(&mut self) -> Option<Vec<Step>> {
        while !self.ended {
            let steps = match self.lines.next()? {
                Ok(line) => self.line(line),
                Err(error) => vec![self.complaint(format!("the recording ends: {error}"))],
            };
            if !steps.is_empty() {
                return Some(steps);
            }
        }
        None
    }

    /// What the controllers wait for.
    pub fn next_wakeup(&mut self) -> Option<Wakeup> {
        self.replay.manager.next_wakeup()
    }

    fn line(&mut self, line: Line) -> Vec<Step> {
        let mut steps = Vec::new();
        match &line {
            Line::Handled(Handled { at, event, malformed }) => {
                self.now = *at;
                let found = matches!(event, Event::Listed { .. });
                let happened: Vec<Effect> = self.objects.take_in(event).into_iter().map(Effect::Written).collect();
                if !happened.is_empty() {
                    steps.push(self.step(if found { Trigger::Found } else { Trigger::Change }, &happened));
                }
                steps.extend(malformed.as_ref().map(|malformed| self.complaint(malformed.to_string())));
            }
            Line::Planned(planned) => self.now = planned.at,
            Line::Restarted => steps.push(self.complaint("the controllers were restarted".to_owned())),
            Line::Lost { reason } => steps.push(self.complaint(format!("the controllers lost their memory: {reason}"))),
            Line::Recording(_) => {}
        }
        match self.replay.go_on(line) {
            Ok(replayed) => steps.extend(replayed.map(|Replayed { at, controller, object, decided, requeue_at, entries }| {
                let trigger =
                    if decided { Trigger::Plan { controller, object, requeue_at } } else { Trigger::Answers { controller, object } };
                Step { at, trigger, entries, touched: Vec::new() }
            })),
            Err(difference) => {
                self.ended = true;
                let number = self.lines.number();
                steps
                    .push(self.complaint(format!("the recording is of other controllers; it differs from line {number} on: {difference}")));
            }
        }
        steps
    }

    fn complaint(&mut self, complaint: String) -> Step {
        self.step(Trigger::Complaint, &[Effect::Complaint(Text::from(complaint))])
    }

    fn step(&mut self, trigger: Trigger, happened: &[Effect]) -> Step {
        let trace = &mut self.replay.trace;
        Step { at: self.now, trigger, entries: trace.entries(happened, self.now), touched: step::touched(happened, trace) }
    }
}
