//! A recording as steps, as a play has them: what the watches showed, what was decided, and its outcome.
//!
//! Docs: `jobsmith replay --help`. A play is in `../play.rs`.

use std::collections::BTreeSet;
use std::io::BufRead;

use api::{Text, Timestamp};
use contract::{Event, Listing, Manager, Wakeup};

use super::objects::Cache;
use super::replay::{Replay, Replayed};
use super::{Handled, Header, Line, Lines};
use crate::step::{Step, Trigger};
use crate::world::turn::Effect;

/// A recording that is gone through.
#[derive(Debug)]
pub struct Steps<R, M> {
    lines: Lines<R>,
    replay: Replay<M>,
    objects: Cache,
    /// The kinds whose first list was shown completely.
    listed: BTreeSet<Text>,
    /// The time of the last line.
    now: Timestamp,
    ended: bool,
}

impl<R: BufRead, M: Manager> Steps<R, M> {
    /// Begins a recording with the manager that is made from what was recorded.
    ///
    /// # Errors
    /// Why this is not a recording, or why there is no manager for it.
    pub fn new(from: R, manager: impl FnOnce(&Header) -> Result<M, String>) -> Result<(Self, Header), String> {
        let (lines, header) = Lines::begin(from)?;
        let replay = Replay::new(manager(&header)?);
        Ok((Self { lines, replay, objects: Cache::default(), listed: BTreeSet::new(), now: header.start, ended: false }, header))
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
                let effect = if self.lists_for_the_first_time(event) { Effect::Found } else { Effect::Written };
                let happened: Vec<Effect> = self.objects.apply(event).into_iter().map(effect).collect();
                if let Some(first) = happened.first() {
                    steps.push(self.step(Trigger::of(first), &happened));
                }
                steps.extend(malformed.as_ref().map(|malformed| self.complaint(malformed.to_string())));
            }
            Line::Planned(planned) => self.now = planned.at,
            Line::Restarted => steps.push(self.complaint("the controllers were restarted".to_owned())),
            Line::Lost { reason } => {
                steps.push(self.complaint(format!("the controllers crashed and lost their in-memory state: {reason}")))
            }
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
                let difference = format!("starting at line {number} of the recording, these controllers decide differently: {difference}");
                steps.push(self.complaint(difference));
            }
        }
        steps
    }

    /// Whether an event shows objects that were there before anybody looked. A later list shows what changed since the one before.
    fn lists_for_the_first_time(&mut self, event: &Event) -> bool {
        let Event::Listed(Listing { kind, part, .. }) = event else { return false };
        let first = !self.listed.contains(kind);
        if part.ends() {
            self.listed.insert(kind.clone());
        }
        first
    }

    fn complaint(&mut self, complaint: String) -> Step {
        self.step(Trigger::Complaint, &[Effect::Complaint(Text::from(complaint))])
    }

    fn step(&mut self, trigger: Trigger, happened: &[Effect]) -> Step {
        Step::new(self.now, trigger, happened, &mut self.replay.trace)
    }
}

#[cfg(test)]
mod tests {
    use cluster::testing::noon;
    use contract::{Change, ObjectJson, Part};

    use super::*;
    use crate::testing::Puppet;

    #[test]
    fn objects_of_the_first_list_are_found_and_those_of_later_ones_changed() {
        let pod = |name: &str| Text::from(format!(r#"{{"metadata":{{"name":"{name}","uid":"{name}","resourceVersion":"1"}}}}"#));
        let list = |part, objects: &[&str]| {
            Event::Listed(Listing {
                kind: "Pod".into(),
                part,
                resource_version: "1".into(),
                objects: objects.iter().map(|name| pod(name)).collect(),
            })
        };
        let events = [
            list(Part::First, &["a"]),
            list(Part::Last, &["b"]),
            Event::Changed(Change::Applied(ObjectJson { kind: "Pod".into(), json: pod("c") })),
            list(Part::Whole, &["a", "b", "c", "d"]),
        ];
        let configuration = serde_json::value::to_raw_value("").unwrap();
        let [jobsmith, component, kubernetes] = [(); 3].map(|()| String::new());
        let header = Line::Recording(Header { jobsmith, component, kubernetes, configuration, start: noon() });
        let handled = events.map(|event| Line::Handled(Handled { at: noon(), event, malformed: None }));
        let lines: Vec<String> = [header].iter().chain(&handled).map(|line| serde_json::to_string(line).unwrap() + "\n").collect();
        let text = lines.concat();
        let (mut steps, _) = Steps::new(text.as_bytes(), |_| Ok(Puppet::default())).unwrap();
        let triggers: Vec<Trigger> = std::iter::from_fn(|| steps.next_moment()).flatten().map(|step| step.trigger).collect();
        assert_eq!(triggers, [Trigger::Found, Trigger::Found, Trigger::Change, Trigger::Change]);
    }
}
