//! A session that begins in the past: what happened to a Job of a cluster, and then how it goes on.
//!
//! Docs: the crate `past`. A session that begins with what there is, is in `playing.rs`.

use api::{Kind, ObjectMeta, Text, Timestamp};
use contract::{Manager, Obstacle, Wakeup};
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

/// The Job whose past a session of these objects begins with, if there is one: a Job of a real cluster that has finished. While one goes on, actions are
/// counted from what there is.
pub(crate) fn opened(objects: &[Text]) -> Option<RecordedJob> {
    let (record, _) = RecordedJob::open(RecordedJob::all(objects))?;
    (record.job.finished() && play::uuid(&record.job.metadata.uid) && !record.without_pods()).then_some(record)
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

    fn simulated(&self) -> bool {
        true
    }

    fn stands_still(&mut self) -> bool {
        self.over && StepSource::stands_still(&mut self.then)
    }

    fn obstacles(&mut self, kind: Kind, metadata: &ObjectMeta) -> Vec<Obstacle> {
        if self.over { StepSource::obstacles(&mut self.then, kind, metadata) } else { Vec::new() }
    }

    fn unmatched_rules(&self) -> Vec<(usize, String)> {
        self.then.unmatched_rules()
    }
}
