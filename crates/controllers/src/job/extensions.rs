//! How many pods a Job's annotations let it create.
//!
//! Docs: README, "Beyond Kubernetes". How annotations are read is in `api::annotation`; delays between pods are in `backoff.rs`.

use api::annotation::StartRate;
use api::{Kind, Timestamp, time};

use super::decision::{JobDecision, Waiting};
use super::plan::JobPlan;
use super::view::JobView;
use crate::runtime::annotation;

/// How many pods may be created; `None`, and a decision, if none may.
pub(crate) fn allowed(view: &JobView<'_>, plan: &mut JobPlan, now: Timestamp) -> Option<usize> {
    let extensions = match &view.extensions {
        Ok(extensions) => extensions,
        Err(invalid) => {
            plan.notices.push(annotation::notice(invalid, Kind::Job, &view.job.metadata, view.config.reporting_controller()));
            plan.decide(JobDecision::Shared(annotation::decision(invalid, "Not creating pods")));
            return None;
        }
    };
    if extensions.hold {
        plan.decide(JobDecision::Waiting(Waiting::HeldByAnnotation));
        return None;
    }
    let Some(rate) = extensions.start_rate else { return Some(usize::MAX) };
    match next_creation(&view.creations, rate, now) {
        Ok(pods) => Some(pods),
        Err(until) => {
            plan.decide(JobDecision::Waiting(Waiting::LimitsStartRate { pods: rate.pods, within: rate.within, until }));
            plan.requeue(until, "the start rate allows another pod");
            None
        }
    }
}

/// How many pods a rate allows now, and if none, when it allows one again; creations are ascending.
fn next_creation(creations: &[Timestamp], rate: StartRate, now: Timestamp) -> Result<usize, Timestamp> {
    let most = usize::try_from(rate.pods).unwrap_or(usize::MAX);
    let recent = creations.iter().filter(|created| time::after(**created, rate.within) > now).count();
    match most.checked_sub(recent) {
        Some(allowed @ 1..) => Ok(allowed),
        Some(0) | None => Err(time::after(creations[creations.len() - most], rate.within)),
    }
}
