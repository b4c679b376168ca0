//! A plan in the making: requests with what they are for, and reasons.
//!
//! Docs: `contract::Plan` is what leaves of it; what a request is for stays in `sync_state.rs` until its outcome comes.

use api::request::Request;
use api::{Kind, Text, Timestamp};
use contract::{Forecast, Notice, Requeue};

use super::controller::decided;
use super::decision::Decide;
use super::detail::Detail;
use super::sync_state::InFlightRequest;

/// What to do, why, and what to remember of it.
#[derive(Debug)]
pub(crate) struct Draft<Intent, Sync, Decision> {
    /// Batches run one after the other; a command is skipped if what it depends on failed.
    pub(crate) batches: Vec<Vec<DraftCommand<Intent>>>,
    /// Why.
    pub(crate) decisions: Vec<Decision>,
    /// Events that do not depend on an outcome.
    pub(crate) notices: Vec<Notice>,
    /// When to look again, and why.
    pub(crate) requeue_at: Option<(Timestamp, &'static str)>,
    /// What is known of the plan while it is carried out.
    pub(crate) sync: Sync,
}

/// One request and what it is for.
#[derive(Debug)]
pub(crate) struct DraftCommand<Intent> {
    pub(crate) request: Request,
    /// Status codes that are as good as success.
    pub(crate) tolerates: &'static [u16],
    /// The number of the one command of an earlier batch that it depends on; without it, it depends on all of them.
    pub(crate) after: Option<u32>,
    pub(crate) intent: Intent,
    /// The kind of the object that it writes, which the watch is to show; none if it only reads.
    pub(crate) writes: Option<Kind>,
}

impl<Intent> DraftCommand<Intent> {
    /// The command, if it depends on the one with this number alone.
    pub(crate) fn after(self, number: u32) -> Self {
        Self { after: Some(number), ..self }
    }

    /// The command as a host sees it, and what stays here until its outcome comes.
    pub(crate) fn split(self) -> (contract::Command, InFlightRequest<Intent>) {
        let Self { request, tolerates, after, intent, writes } = self;
        (contract::Command { request, tolerates: tolerates.to_vec(), after }, InFlightRequest { intent, tolerates, writes })
    }
}

/// The status code of an object that is not there.
pub(crate) const NOT_FOUND: u16 = 404;
/// The status code of an object that would be invalid.
pub(crate) const INVALID: u16 = 422;

impl<Intent, Sync, D: Decide> Draft<Intent, Sync, D> {
    /// What would be decided and requested, as an explanation has it; `namespace` is that of the object that it is about.
    pub(crate) fn forecast(self, namespace: &Text) -> Forecast {
        let batches = self.batches.into_iter().map(|batch| batch.into_iter().map(|command| command.split().0).collect()).collect();
        Forecast { decisions: decided(&self.decisions, namespace, Detail::All), batches }
    }
}

impl<Intent, Sync, Decision> Draft<Intent, Sync, Decision> {
    /// A plan that does nothing yet.
    pub(crate) fn new(sync: Sync) -> Self {
        Self { batches: Vec::new(), decisions: Vec::new(), notices: Vec::new(), requeue_at: None, sync }
    }

    /// Adds a reason.
    pub(crate) fn decide(&mut self, decision: impl Into<Decision>) {
        self.decisions.push(decision.into());
    }

    /// Adds a batch, unless it is empty.
    pub(crate) fn then(&mut self, batch: Vec<DraftCommand<Intent>>) {
        if !batch.is_empty() {
            self.batches.push(batch);
        }
    }

    /// The number of the first command that is added next.
    pub(crate) fn next_number(&self) -> u32 {
        self.batches.iter().map(Vec::len).sum::<usize>().try_into().unwrap_or(u32::MAX)
    }

    /// Looks again at a time; the earliest counts.
    pub(crate) fn requeue(&mut self, at: Timestamp, reason: &'static str) {
        if self.requeue_at.is_none_or(|(earlier, _)| at < earlier) {
            self.requeue_at = Some((at, reason));
        }
    }

    /// When to look again, as the host sees it.
    pub(crate) fn requeue_for_host(&self) -> Option<Requeue> {
        self.requeue_at.map(|(at, reason)| Requeue { at, reason: reason.to_owned() })
    }
}
