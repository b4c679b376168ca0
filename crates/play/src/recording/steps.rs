//! A recording as steps, as a play has them: what the watches showed, what was decided, and what became of it.
//!
//! Docs: `jobsmith replay --help`. A play is in `../play.rs`.

use std::io::BufRead;

use api::{Text, Timestamp};
use contract::{Event, Manager, Wakeup};

use super::objects::Objects;
use super::replay::{Replay, Replayed};
use super::{Handled, Header, Line, Lines};
use crate::step::{self, Cause, Step};
use crate::world::turn::Effect;

/// A recording that is gone through.
#[derive(Debug)]
pub struct Steps<R, M> {
    lines: Lines<R>,
    replay: Replay<M>,
    objects: Objects,
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
        Ok((Self { lines, replay, objects: Objects::default(), now: header.start, ended: false }, header))
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
                    steps.push(self.step(if found { Cause::Found } else { Cause::Change }, &happened));
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
                let cause = if decided { Cause::Plan { controller, object, requeue_at } } else { Cause::Answers { controller, object } };
                Step { at, cause, entries, touched: Vec::new() }
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
        self.step(Cause::Complaint, &[Effect::Complaint(Text::from(complaint))])
    }

    fn step(&mut self, cause: Cause, happened: &[Effect]) -> Step {
        let trace = &mut self.replay.trace;
        Step { at: self.now, cause, entries: trace.entries(happened, self.now), touched: step::touched(happened, trace) }
    }
}
