//! A session that begins in the past: what happened to a Job of a cluster, and then how it goes on.
//!
//! Docs: the crate `past`. A session that begins with what there is, is in `playing.rs`.

use std::collections::BTreeSet;

use api::{Kind, ObjectMeta, Text, Timestamp};
use contract::{Manager, Obstacle, Wakeup};
use past::{JobStanding, Past, ReadAt, RecordedJob};
use play::Play;
use play::step::{Step, Touched, Trigger};
use play::trace::{Entry, Subject};

use crate::past_view::PastView;
use crate::playing::StepSource;

/// The Job of a real cluster with whose past a session begins.
pub(crate) struct OpenedPast {
    /// What happened; absent if its pods are missing.
    pub(crate) past: Option<Past>,
    /// What is shown above it.
    pub(crate) shown: PastView,
    /// The other Jobs.
    pub(crate) others: Vec<RecordedJob>,
    /// When the play goes on: not before the past is over.
    pub(crate) until: Timestamp,
}

impl OpenedPast {
    /// The past that a session of these Jobs begins with, which goes on at `start` or later.
    pub(crate) fn of<M: Manager>(mut manager: M, records: Vec<RecordedJob>, start: Timestamp) -> (Option<Self>, M) {
        let read = ReadAt { at: start, or_later: true };
        let ranked = JobStanding::ranked(&mut manager, records, read, |_| false);
        let Some(((record, standing), others)) = ranked.split_first().filter(|((record, _), _)| play::uuid(&record.job.metadata.uid))
        else {
            return (None, manager);
        };
        let (past, manager) = if record.without_pods() {
            (None, manager)
        } else {
            let (past, manager) = Past::new(manager, record.clone());
            (Some(past), manager)
        };
        let until = past.as_ref().map_or(start, |past| past.end().max(start));
        let shown = PastView::of((record, standing), others, until);
        let others = others.iter().map(|(record, _)| record.clone()).collect();
        (Some(Self { past, shown, others, until }), manager)
    }
}

/// The past of a Job, and a play that goes on from there.
pub(crate) struct PastSession<M> {
    past: Past,
    /// The CronJob of the Job, which was there before it.
    before: Option<Step>,
    /// The first moment of the play.
    found: Option<Vec<Step>>,
    /// The other Jobs that had finished and are no runs of a CronJob that is there, by UID: they have a line above.
    settled: BTreeSet<Text>,
    then: Play<M>,
    over: bool,
}

impl<M: Manager> PastSession<M> {
    /// The past of one Job, followed by a play that begins at this time; `others` are the Jobs whose past is not shown.
    pub(crate) fn new(past: Past, others: &[RecordedJob], mut then: Play<M>, start: Timestamp) -> Self {
        let mut found = then.next_moment(start);
        let job = &past.record().job.metadata;
        let owner = job.controller().filter(|owner| *owner.kind == *Kind::CronJob.name()).map(|owner| (&owner.name, &owner.uid));
        let before = owner.and_then(|(name, uid)| {
            let step = found.as_mut()?.iter_mut().find(|step| step.trigger == Trigger::Found)?;
            let is_owner = |touched: &mut Touched| touched.after.metadata().uid == *uid;
            let touched: Vec<Touched> = step.touched.extract_if(.., is_owner).collect();
            let about = |entry: &mut Entry| {
                entry
                    .subject()
                    .is_some_and(|subject| (subject.kind, subject.namespace, subject.name) == (Kind::CronJob.name(), &job.namespace, name))
            };
            let entries = step.entries.extract_if(.., about).collect();
            (!touched.is_empty()).then_some(Step { at: past.start(), trigger: Trigger::Found, entries, touched })
        });
        let cron_jobs: BTreeSet<Text> = then.server().objects(Kind::CronJob).map(|stored| stored.metadata().uid.clone()).collect();
        let run = |job: &ObjectMeta| job.controller().is_some_and(|owner| cron_jobs.contains(&owner.uid));
        let settled = others.iter().map(|other| &other.job).filter(|job| job.finished() && !job.metadata.deleting() && !run(&job.metadata));
        let settled = settled.map(|job| job.metadata.uid.clone()).collect();
        Self { past, before, found, settled, then, over: false }
    }

    /// Leaves out of a step what the past has shown: that the objects are there as they are.
    fn shown(&self, mut step: Step) -> Step {
        if step.trigger == Trigger::Found {
            let job = &self.past.record().job.metadata;
            let settled = step.touched.iter().map(|touched| touched.after.metadata()).filter(|object| self.settled.contains(&object.uid));
            let known: BTreeSet<[&Text; 2]> = settled.chain([job]).map(|job| [&job.namespace, &job.name]).collect();
            let covers = |subject: Subject<'_>| subject.kind == Kind::Job.name() && known.contains(&[subject.namespace, subject.name]);
            step.entries.retain(|entry| entry.subject().is_none_or(|subject| !covers(subject)));
        }
        step
    }
}

impl<M: Manager> StepSource for PastSession<M> {
    fn next_moment(&mut self, end: Timestamp) -> Option<Vec<Step>> {
        if let Some(before) = self.before.take() {
            return Some(vec![before]);
        }
        if let Some(steps) = self.past.next_moment() {
            return Some(steps);
        }
        self.over = true;
        let steps = self.found.take().or_else(|| self.then.next_moment(end))?;
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

    fn leaves_out(&self, object: &ObjectMeta) -> bool {
        self.settled.contains(&object.uid) || object.controller().is_some_and(|owner| self.settled.contains(&owner.uid))
    }

    fn unmatched_rules(&self) -> Vec<(usize, String)> {
        self.then.unmatched_rules()
    }
}
