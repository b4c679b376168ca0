//! What is known of one Job, and its outcome.
//!
//! Docs: Jobs, "Job termination and cleanup", "Suspending a Job". Why one gets no further, the controllers find (`play::obstacles`).

use std::sync::Arc;

use api::{Job, Kind, Text, Timestamp};
use cluster::stored::Stored;
use contract::Decision;
use contract::decision::Sentence;
use play::obstacles;

use super::{Decided, Outcome, Plans, State, Suspension, counted, deletion, plain, present, timed};
use crate::account::{Ending, Moment, Pods};

/// More letters of indexes than these would leave too little room for the rest of the outcome.
const MOST: usize = 24;

/// A Job from its creation on.
#[derive(Debug)]
pub(crate) struct JobAccount {
    /// As it was written last.
    pub(crate) object: Arc<Stored>,
    /// Its place among all objects, in the order in which they were seen first.
    pub(crate) place: usize,
    /// When it was seen first.
    pub(crate) created: Moment,
    pub(crate) finished: Option<Finished>,
    /// Since when it is being deleted.
    deleted: Option<Moment>,
    pub(crate) gone: bool,
    suspension: Option<Suspension>,
    plans: Plans,
}

/// How a Job finished.
#[derive(Debug)]
pub(crate) struct Finished {
    moment: Moment,
    pub(crate) succeeded: bool,
    /// The reason of its condition.
    reason: Text,
    /// The step that decided it, and what it came to, in a few words.
    verdict: Option<(usize, Text)>,
}

impl Finished {
    /// The step that decided it; if none is known, the one in which it finished.
    pub(crate) fn step(&self) -> usize {
        self.verdict.as_ref().map_or(self.moment.step, |(step, _)| *step)
    }
}

impl JobAccount {
    pub(crate) fn new(object: Arc<Stored>, place: usize, created: Moment) -> Self {
        let plans = Plans::default();
        Self { object, place, created, finished: None, deleted: None, gone: false, suspension: None, plans }
    }

    /// Records what was decided about it.
    pub(crate) fn planned(&mut self, decisions: &[(&Decision, bool)], moment: Moment) {
        self.plans.add(decisions, moment);
        if let Some(suspension) = &mut self.suspension {
            suspension.planned(moment);
        }
    }

    /// Records it as it was written.
    pub(crate) fn written(&mut self, job: &Job, object: &Arc<Stored>, gone: bool, moment: Moment) {
        self.object = Arc::clone(object);
        self.gone = gone;
        if job.metadata.deleting() || gone {
            self.deleted.get_or_insert(moment);
        }
        self.suspension = Suspension::after(self.suspension.take(), job.suspended(), &self.plans, moment);
        if let Some(condition) = job.finished_by() {
            let verdict = self.plans.verdict.as_ref().map(|(moment, verdict)| (moment.step, verdict.clone()));
            let (succeeded, reason) = (&*condition.kind == "Complete", condition.reason.clone());
            self.finished.get_or_insert(Finished { moment, succeeded, reason, verdict });
        }
    }

    /// Whether it is there and has not finished.
    pub(crate) fn open(&self) -> bool {
        self.finished.is_none() && !self.gone
    }

    pub(crate) fn outcome(&self, pods: &Pods, now: Timestamp, ending: Option<&mut Ending<'_>>) -> Outcome {
        let (state, facts, decided) = self.verdict(pods, now, ending);
        let indexes = self.object.job().and_then(failed_indexes);
        let count = counted(pods.count(self.object.metadata()), "pod");
        let removed = self.deleted.filter(|_| self.finished.is_some());
        let removed = removed.map(|since| timed(if self.gone { "deleted " } else { "deletion started at " }, since.at));
        let facts = facts.into_iter().map(Some).chain([indexes.map(plain), Some(plain(count)), removed]);
        let metadata = self.object.metadata();
        let (namespace, name) = (metadata.namespace.clone(), metadata.name.clone());
        Outcome { kind: Kind::Job, namespace, name, state, facts: present(facts), decided }
    }

    /// How it stands, since when and why, and the step that decided it.
    fn verdict(&self, pods: &Pods, now: Timestamp, ending: Option<&mut Ending<'_>>) -> (State, Vec<Sentence>, Option<Decided>) {
        if let Some(finished) = &self.finished {
            return self.finish(finished);
        }
        if let Some(since) = self.deleted {
            let (fact, decided) = deletion(since, self.gone);
            return (State::Deleted, vec![fact], Some(decided));
        }
        if let Some(suspension) = &self.suspension {
            let (fact, decided) = suspension.fact();
            return (State::Suspended, vec![fact], Some(decided));
        }
        match ending {
            Some(ending) => self.unfinished(pods, ending),
            None => (State::Running, vec![timed("Running at ", now)], None),
        }
    }

    fn finish(&self, finished: &Finished) -> (State, Vec<Sentence>, Option<Decided>) {
        let (state, name, question) = if finished.succeeded {
            (State::Complete, "Complete", "Why it is complete")
        } else {
            (State::Failed, "Failed", "Why it failed")
        };
        let reason = finished.verdict.as_ref().map_or(&finished.reason, |(_, verdict)| verdict);
        let reason = (!reason.is_empty()).then(|| plain(reason.clone()));
        if finished.moment.step == self.created.step {
            return (state, present([Some(plain(format!("Already {name} at the start"))), reason]), None);
        }
        let fact = timed(&format!("{name} at "), finished.moment.at);
        (state, present([Some(fact), reason]), Some(Decided { question: plain(question), step: finished.step() }))
    }

    /// The outcome of a Job for which nothing happens any more although it has not finished.
    fn unfinished(&self, pods: &Pods, ending: &mut Ending<'_>) -> (State, Vec<Sentence>, Option<Decided>) {
        let metadata = self.object.metadata();
        let found = (ending.obstacles)(Kind::Job, metadata);
        let (reason, passes) = (obstacles::sentence(&found, ending.still), found.first().is_none_or(|first| first.passes));
        let (alive, runs) = pods.alive(metadata);
        if runs && passes {
            let waits = || plain(format!("waiting for {} to finish", counted(alive, "pod")));
            return (State::Running, vec![plain("Still running"), reason.unwrap_or_else(waits)], None);
        }
        let (waits, on) = self.plans.waits.as_ref().map_or((None, None), |(moment, on)| (Some(*moment), Some(on)));
        let since = if alive > 0 { self.plans.notable } else { waits }.or(self.plans.last);
        let Some(since) = since else { return (State::Stuck, present([Some(plain("Stuck from the start")), reason]), None) };
        let on = if alive > 0 { Some(plain(format!("{} still Pending", counted(alive, "pod")))) } else { on.cloned() };
        let facts = present([Some(timed("Stuck since ", since.at)), reason.or(on)]);
        (State::Stuck, facts, Some(Decided { question: plain("Why it is stuck"), step: since.step }))
    }
}

/// The indexes that have failed, as the status names them, `1,3-5`; as many as there is room for.
fn failed_indexes(job: &Job) -> Option<String> {
    let all = job.status.failed_indexes.as_deref().filter(|all| !all.is_empty())?;
    let cut = all.get(..=MOST).filter(|_| all.len() > MOST);
    let short = cut.map_or_else(|| all.to_owned(), |cut| format!("{}…", &cut[..cut.rfind(',').map_or(0, |comma| comma + 1)]));
    Some(format!("failed {} {short}", if all.contains([',', '-']) { "indexes" } else { "index" }))
}
