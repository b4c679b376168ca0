//! The outcome of a CronJob or a Job as the page shows it.
//!
//! Docs: Jobs; CronJob. Outcomes are found and worded in the crate `story`; the parts of sentences are those of `entry_view.rs`.

use api::{Text, Timestamp};
use serde::Serialize;
use story::outcome::{Decided, ObjectOutcome, OutcomeState};

use crate::entry_view::PartView;

/// The outcome of a CronJob or a Job up to the last step.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Outcome"))]
pub(crate) struct OutcomeView {
    #[cfg_attr(test, ts(type = "'CronJob' | 'Job'"))]
    kind: &'static str,
    namespace: Text,
    name: Text,
    state: StateView,
    /// Its outcome, when and by which decision it came about, and how many pods or runs it took: parts of a sentence, each in parts of its own.
    facts: Vec<Vec<PartView>>,
    /// The step that decided it, if there is one.
    decided: Option<DecidedView>,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "State"))]
#[serde(rename_all = "camelCase")]
pub(crate) enum StateView {
    Failed,
    Stuck,
    Suspended,
    Running,
    Deleted,
    Complete,
}

/// The step that decided an outcome, and the question that this step answers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Decided"))]
pub(crate) struct DecidedView {
    question: Vec<PartView>,
    step: usize,
}

impl OutcomeView {
    /// An outcome in a session that began then.
    pub(crate) fn of(ObjectOutcome { kind, namespace, name, state, facts, decided }: ObjectOutcome, start: Timestamp) -> Self {
        let state = match state {
            OutcomeState::Failed => StateView::Failed,
            OutcomeState::Stuck => StateView::Stuck,
            OutcomeState::Suspended => StateView::Suspended,
            OutcomeState::Running => StateView::Running,
            OutcomeState::Deleted => StateView::Deleted,
            OutcomeState::Complete => StateView::Complete,
        };
        let facts = facts.iter().map(|fact| PartView::all(fact, start)).collect();
        let decided = decided.map(|Decided { question, step }| DecidedView { question: PartView::all(&question, start), step });
        Self { kind: kind.name(), namespace, name, state, facts, decided }
    }
}
