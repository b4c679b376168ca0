//! What a Job's annotations ask for beyond its spec, and how many pods they let it create.
//!
//! Docs: README, "Beyond Kubernetes". How annotations are read is in `api::annotation`; delays between pods are in `backoff.rs`.

use api::annotation::{InvalidAnnotation, JobExtensions, START_RATE, StartRate};
use api::{Job, Kind, Timestamp, time};

use super::config::Config;
use super::decision::{JobDecision, Waiting};
use super::failures::Failures;
use super::plan::JobPlan;
use super::pod_template::restart_policy;
use super::view::JobView;
use crate::runtime::annotation;

/// What a Job asks for, and the first annotation that means nothing. Rules on failed pods do not act where containers are restarted in place, as those of
/// `podFailurePolicy` may not.
pub(crate) fn read(job: &Job, config: &Config) -> (JobExtensions, Option<InvalidAnnotation>) {
    let (extensions, invalid) = job.valid_extensions(&config.defaults);
    let acts = extensions.on_failure.is_none() || restart_policy(&job.spec.template).as_deref() != Some("OnFailure");
    (if acts { extensions } else { JobExtensions { on_failure: None, ..extensions } }, invalid)
}

/// How many pods a Job asks to have created in a time.
pub(crate) fn start_rate(job: &Job, config: &Config) -> Option<StartRate> {
    let asked = job.metadata.annotations.contains_key(START_RATE) || config.defaults.contains_key(START_RATE);
    if asked { read(job, config).0.start_rate } else { None }
}

/// Reports an annotation that means nothing, whether or not it keeps pods from being created right now.
pub(crate) fn report_invalid(view: &JobView<'_>, plan: &mut JobPlan) {
    if let Some(invalid) = &view.invalid {
        plan.notices.push(annotation::notice(invalid, Kind::Job, &view.job.metadata, view.config.reporting_controller()));
        plan.decide(JobDecision::Shared(annotation::decision(invalid, "Not creating pods, and leaving failed ones for later")));
    }
}

/// How many pods may be created; `None` if none may, for a reason that is decided, or that was reported.
pub(crate) fn allowed(view: &JobView<'_>, failures: &Failures<'_>, plan: &mut JobPlan, now: Timestamp) -> Option<usize> {
    if view.invalid.is_some() {
        return None;
    }
    let extensions = &view.extensions;
    if extensions.hold {
        plan.decide(JobDecision::Waiting(Waiting::HeldByAnnotation { by: None }));
        return None;
    }
    if let Some((matched, ended_at)) = failures.holding(now) {
        let resumed_at = extensions.resumed_at.filter(|resumed_at| *resumed_at > now);
        if let Some(until) = resumed_at {
            plan.requeue(until, "the Job is resumed");
        }
        plan.decide(JobDecision::Waiting(match resumed_at {
            Some(until) => Waiting::ResumptionAhead { matched, until },
            None => Waiting::HeldByAnnotation { by: Some((matched, ended_at)) },
        }));
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
    let recent = creations.iter().filter(|created_at| rate.counts(**created_at, now)).count();
    match most.checked_sub(recent) {
        Some(allowed @ 1..) => Ok(allowed),
        Some(0) | None => Err(time::after(creations[creations.len() - most], rate.within)),
    }
}
