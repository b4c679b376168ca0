//! A session that begins in the past: what happened to a Job of a cluster, and then how it goes on.
//!
//! Docs: the crate `past`. A session that begins with what there is, is in `playing.rs`.

use api::{Kind, Text, Timestamp};
use contract::{Manager, Wakeup};
use past::{Past, RecordedJob};
use play::Play;
use play::step::{Step, Trigger};

use crate::playing::StepSource;

/// The past of a Job, and a play that goes on from there.
pub(crate) struct Told<M> {
    past: Past,
    then: Play<M>,
    over: bool,
}

/// The Jobs of a real cluster whose past a session of these objects, Events included, begins with: the one that it is about, and the others.
pub(crate) fn opened(objects: &[Text]) -> Option<(RecordedJob, Vec<RecordedJob>)> {
    RecordedJob::open(RecordedJob::all(objects)).filter(|(record, _)| play::uuid(&record.job.metadata.uid))
}

impl<M: Manager> Told<M> {
    pub(crate) fn new(past: Past, then: Play<M>) -> Self {
        Self { past, then, over: false }
    }

    /// Leaves out of a step what was told: that the objects are there as they are.
    fn shown(&self, mut step: Step) -> Step {
        if step.trigger == Trigger::Found {
            let job = &self.past.record().job.metadata;
            let told = |kind: &str, namespace: &str, name: &str| (kind, namespace, name) == (Kind::Job.name(), &*job.namespace, &*job.name);
            step.entries.retain(|entry| entry.subject().is_none_or(|subject| !told(subject.kind, subject.namespace, subject.name)));
        }
        step
    }
}

impl<M: Manager> StepSource for Told<M> {
    fn next_moment(&mut self, end: Timestamp) -> Option<Vec<Step>> {
        if let Some(steps) = self.past.next_moment() {
            return Some(steps);
        }
        self.over = true;
        let steps = self.then.next_moment(end)?;
        Some(steps.into_iter().map(|step| self.shown(step)).collect())
    }

    fn next_run(&mut self) -> Option<Timestamp> {
        if self.over { StepSource::next_run(&mut self.then) } else { None }
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        if self.over { self.then.next_wakeup() } else { None }
    }

    fn unmatched_rules(&self) -> Vec<(usize, String)> {
        self.then.unmatched_rules()
    }
}
