//! The invariants: what holds after every step, each in a function of its own that checks one write, request or plan.
//!
//! Docs: Jobs; CronJob. W1 and W2 are in `counting.rs`, W3 in `running.rs`, W4 and W5 in `ending.rs`, W6 and W9 in `indexes.rs`, W10, W12…W14, W16 and W17 in `requests.rs`, W11 in
//! `back_off.rs`, W7 and W8 in `runs.rs`, W15 in `../stage.rs`, W18 in `../obstacles.rs`, W19 in `asked.rs`, why a Job may end in `reasons.rs`. What is promised once all is calm is in `promise.rs`.

mod asked;
mod back_off;
mod counting;
mod ending;
mod indexes;
mod reasons;
mod requests;
mod running;
mod runs;
mod starting;

use api::request::Method;
use api::{Job, Kind};
use cluster::apiserver::Write;
use cluster::stored::Stored;

pub(super) use self::requests::{fails_alone, plan, refused};
pub(super) use self::runs::ttl_ends_at;
use crate::flight::Moment;
use crate::ledger::{Author, JobRecord, Ledger, SentRequest};
use crate::settings::Settings;

/// Something that must not happen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{invariant}: {message}")]
pub struct Violation {
    /// Which invariant does not hold: `W1`…`W19`, or `L1` for what is promised once all is calm.
    pub invariant: &'static str,
    /// What is wrong, with names and numbers.
    pub message: String,
}

/// Whether an invariant holds.
pub(super) type Checked = Result<(), Violation>;

/// The error names what is wrong, if it does not hold.
pub(super) fn hold(holds: bool, invariant: &'static str, message: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(Violation { invariant, message: message() }) }
}

/// A write of a Job's status.
struct CheckedWrite<'a> {
    ledger: &'a Ledger,
    record: &'a JobRecord,
    before: &'a Job,
    after: &'a Job,
    settings: &'a Settings,
    /// When the plan was made that it belongs to.
    planned: Moment,
}

impl CheckedWrite<'_> {
    /// The Job's name.
    fn name(&self) -> &str {
        &self.after.metadata.name
    }
}

/// Whether a write may be made; the ledger does not hold it yet. `follows`: it is not the request itself, but follows from it.
pub(super) fn write(ledger: &Ledger, write: &Write, by: Author<'_>, follows: bool, settings: &Settings) -> Checked {
    let Some(before) = write.before.as_deref() else { return Ok(()) };
    if let Author::Controllers(sent) = by {
        if !follows {
            requests::leaves_the_rest(ledger, before, &write.after, sent)?;
            may_be_written(ledger, before, &write.after, sent)?;
        }
        if write.after.kind() == Kind::Pod {
            counting::recorded_before_freed(ledger, before, write, sent)?;
            requests::leaves_strangers(ledger, before, sent)?;
        }
    }
    let (Some(before), Some(after)) = (before.job(), write.after.job()) else { return Ok(()) };
    // What others may write into a status is up to the API server.
    let Author::Controllers(SentRequest { flight, .. }) = by else { return Ok(()) };
    if write.gone || before.status == after.status {
        return Ok(());
    }
    let record = ledger.job(&after.metadata.uid).expect("a Job was written before its status");
    let planned = flight.planned;
    let status = CheckedWrite { ledger, record, before, after, settings, planned };
    indexes::nothing_falls(&status)?;
    counting::counted_once(&status)?;
    counting::indexes_are_earned(&status)?;
    ending::in_order(&status)?;
    ending::all_has_ended(&status)?;
    ending::nothing_is_left_out(&status)?;
    indexes::well_formed(&status)?;
    indexes::failures_are_earned(&status)?;
    starting::clock(&status)?;
    requests::leaves_conditions(&status)?;
    reasons::holds(&status)
}

/// Whether a CronJob may be written, or a Job deleted.
fn may_be_written(ledger: &Ledger, before: &Stored, after: &Stored, sent: SentRequest<'_>) -> Checked {
    if let (Some(before), Some(after)) = (before.cron_job(), after.cron_job()) {
        return runs::recorded(ledger, before, after);
    }
    match (before.job().filter(|_| sent.request.method == Method::Delete), sent.controller()) {
        (Some(job), requests::TTL) => runs::outlives_its_ttl(job, sent),
        (Some(job), _) => runs::deletes_its_own(ledger, job, sent),
        (None, _) => Ok(()),
    }
}

/// Whether a Job or a pod may be created; the ledger holds it already.
pub(super) fn created(ledger: &Ledger, pod: &Stored, sent: SentRequest<'_>, settings: &Settings) -> Checked {
    if pod.kind() == Kind::Job {
        return runs::started(ledger, pod, sent);
    }
    let Some(record) = pod.metadata().controller().and_then(|owner| ledger.job(&owner.uid)) else { return Ok(()) };
    let pod = &ledger.pods[&pod.metadata().uid];
    running::is_wanted(record, pod, sent)?;
    running::not_too_many(ledger, record, pod, sent, settings)?;
    back_off::honoured(ledger, record, pod, sent, settings)?;
    asked::follows(ledger, record, pod, sent)
}
