//! A session: Jobs on virtual time, step by step, with all that was.
//!
//! Docs: Jobs. What happens is `sim::play`; how a step is told is in `step_view.rs`, what objects were in `history.rs`.

use api::{Kind, Text, Timestamp};
use contract::Manager;
use manifest::Diagnostic;
use sim::play::{LONGEST, Play, start};
use sim::trace::Clock;

use crate::check;
use crate::history::{History, ObjectLine};
use crate::step_view::{Progress, StepView};

/// A session, played as far as somebody asked for.
#[derive(Debug)]
pub struct Playing<M> {
    play: Play<M>,
    end: Timestamp,
    /// How many steps were played.
    steps: usize,
    history: History,
    /// What was seen in words, a line each, and whether it is told without being asked for.
    lines: Vec<(String, bool)>,
}

impl<M: Manager> Playing<M> {
    /// A cluster to which the Jobs of a manifest were applied, and whose pods follow a script.
    ///
    /// # Errors
    /// What is wrong with either.
    pub fn new(manager: M, manifest: &str, script: &str) -> Result<Self, Vec<Diagnostic>> {
        let manifests = manifest::jobs(manifest)?;
        let script = check::script(script)?;
        let documents: Vec<Text> = manifests.iter().map(|manifest| manifest.document.value().to_string().into()).collect();
        let play =
            Play::new(manager, &script, &documents, start()).map_err(|(refused, error)| manifest::refusals(&manifests[refused], &error))?;
        Ok(Self { play, end: api::time::after(start(), LONGEST), steps: 0, history: History::default(), lines: Vec::new() })
    }

    /// Plays at most so many further moments.
    pub fn run(&mut self, moments: usize) -> Progress {
        let (mut steps, mut ended) = (Vec::new(), false);
        for _ in 0..moments {
            let Some(moment) = self.play.next_moment(self.end) else {
                ended = true;
                break;
            };
            for step in moment {
                self.history.record(self.steps, &step.touched);
                self.steps += 1;
                let clock = Clock { start: start() };
                self.lines.extend(step.entries.iter().map(|entry| (clock.text(entry), !entry.routine())));
                steps.push(StepView::from(step));
            }
            if let Some(last) = steps.last_mut() {
                last.waits = Some(self.play.next_wakeup().map(Into::into));
            }
        }
        Progress { steps, ended, next: self.play.next_wakeup().map(Into::into) }
    }

    /// The objects that exist after a step, by kind, namespace and name.
    #[must_use]
    pub fn objects(&self, step: usize) -> Vec<ObjectLine> {
        self.history.objects(step)
    }

    /// An object after a step as YAML, if it is there.
    #[must_use]
    pub fn yaml(&self, step: usize, kind: Kind, namespace: &str, name: &str) -> Option<String> {
        let stored = self.history.object(step, kind, namespace, name)?;
        Some(manifest::write(&serde_json::from_str(&stored.json()).expect("an object was written as JSON")))
    }

    /// What happened so far in words, with `all` also what was told before or is routine.
    #[must_use]
    pub fn trace(&self, all: bool) -> String {
        self.lines.iter().filter(|(_, told)| all || *told).flat_map(|(line, _)| [line, "\n"]).collect()
    }
}
