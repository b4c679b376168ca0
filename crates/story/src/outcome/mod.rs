//! The outcome of a CronJob or a Job: how it stands, since when and why, and the step that decided it.
//!
//! Docs: CronJob; Jobs, "Job termination and cleanup". What it rests on is kept in `job.rs` and `cron_job.rs`, step by step.

mod cron_job;
mod job;

use api::{Kind, Text, Timestamp};
use contract::decision::{Sentence, TextPart};
use contract::{Decision, Role};

pub(crate) use self::cron_job::CronJobAccount;
pub(crate) use self::job::JobAccount;
use crate::account::StepMoment;
use crate::runs::grouped;

/// The outcome of a CronJob or a Job.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectOutcome {
    /// CronJob or Job.
    pub kind: Kind,
    /// Its namespace.
    pub namespace: Text,
    /// Its name.
    pub name: Text,
    /// How it stands.
    pub state: OutcomeState,
    /// Its outcome, when and by which decision it came about, and how many pods or runs it took: parts of a sentence.
    pub facts: Vec<Sentence>,
    /// The step that decided it; `None` if the play has no such step.
    pub decided: Option<Decided>,
}

/// How a CronJob or a Job stands: in the order in which outcomes are listed, what people look for comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeState {
    /// It failed, or a run of it.
    Failed,
    /// It has not finished, and gets no further.
    Stuck,
    /// It is suspended.
    Suspended,
    /// It goes on.
    Running,
    /// It was deleted before it finished.
    Deleted,
    /// It is complete.
    Complete,
}

impl OutcomeState {
    /// All of them, in their order.
    pub const ALL: [Self; 6] = [Self::Failed, Self::Stuck, Self::Suspended, Self::Running, Self::Deleted, Self::Complete];
}

/// The step that decided an outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// The question that it answers: `Why it failed`.
    pub question: Sentence,
    /// Its number.
    pub step: usize,
}

/// Of what was planned for one object, that on which its outcome rests.
#[derive(Debug, Default)]
pub(crate) struct Plans {
    /// The last plan.
    last: Option<StepMoment>,
    /// The last in which something was decided that is not routine.
    notable: Option<StepMoment>,
    /// The last in which something was waited for or invalid, and that decision.
    waits: Option<(StepMoment, Sentence)>,
    /// The last in which the object's work ended, and what it came to, in a few words.
    verdict: Option<(StepMoment, Text)>,
}

/// Since when an object is suspended.
#[derive(Debug)]
pub(crate) struct Suspension {
    since: StepMoment,
    /// The first plan from then on.
    planned: Option<usize>,
}

impl Plans {
    fn add(&mut self, decisions: &[(&Decision, bool)], moment: StepMoment) {
        self.last = Some(moment);
        if decisions.iter().any(|(_, minor)| !minor) {
            self.notable = Some(moment);
        }
        for (decision, _) in decisions.iter().filter(|(decision, _)| matches!(decision.role, Role::Wait(_) | Role::Invalid)) {
            self.waits = Some((moment, decision.sentence.clone()));
        }
        if let Some(verdict) = decisions.iter().find_map(|(decision, _)| decision.verdict()) {
            self.verdict = Some((moment, verdict.clone()));
        }
    }
}

impl Suspension {
    /// The suspension of an object after it was written.
    fn after(known: Option<Self>, suspended: bool, plans: &Plans, moment: StepMoment) -> Option<Self> {
        let planned = plans.last.filter(|last| last.step == moment.step).map(|last| last.step);
        suspended.then(|| known.unwrap_or(Self { since: moment, planned }))
    }

    fn planned(&mut self, moment: StepMoment) {
        self.planned.get_or_insert(moment.step);
    }

    /// Since when, and what was decided then.
    fn fact(&self) -> (Sentence, Decided) {
        let question = plain("Why it is suspended");
        (timed("Suspended since ", self.since.at), Decided { question, step: self.planned.unwrap_or(self.since.step) })
    }
}

/// When an object was deleted, and in which step.
fn deletion(since: StepMoment, gone: bool) -> (Sentence, Decided) {
    let words = if gone { "Deleted at " } else { "Deletion started at " };
    (timed(words, since.at), Decided { question: plain("Why it was deleted"), step: since.step })
}

/// Words alone.
pub(crate) fn plain(words: impl Into<Text>) -> Sentence {
    Sentence(vec![TextPart::Text(words.into())])
}

/// Words and then a time.
fn timed(words: &str, at: Timestamp) -> Sentence {
    Sentence(vec![TextPart::Text(words.into()), TextPart::Time(at)])
}

/// A number of things: `1 pod`, `2 pods`, `1,440 runs`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Those that say something.
fn present(facts: impl IntoIterator<Item = Option<Sentence>>) -> Vec<Sentence> {
    facts.into_iter().flatten().collect()
}
