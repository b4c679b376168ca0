//! What a Job's annotations ask for beyond its spec, and how many pods they let it create.
//!
//! Docs: README, "Beyond Kubernetes". How annotations are read is in `api::annotation`; delays between pods are in `backoff.rs`.

use api::annotation::{InvalidAnnotation, JobExtensions, StartRate};
use api::{Job, Kind, Timestamp, time};

use super::config::Config;
use super::decision::{JobDecision, Waiting};
use super::failures::Failures;
use super::plan::JobPlan;
use super::pod_template::restart_policy;
use super::view::JobView;
use crate::runtime::annotation;

/// What a Job asks for. Rules on failed pods do not act where containers are restarted in place, as those of `podFailurePolicy` may not.
///
/// # Errors
/// The first annotation that means nothing.
pub(crate) fn read(job: &Job, config: &Config) -> Result<JobExtensions, InvalidAnnotation> {
    let extensions = job.extensions_over(&config.defaults)?;
    let acts = extensions.on_failure.is_none() || restart_policy(&job.spec.template).as_deref() != Some("OnFailure");
    Ok(if acts { extensions } else { JobExtensions { on_failure: None, ..extensions } })
}

/// Reports an annotation that means nothing, whether or not it keeps pods from being created right now.
pub(crate) fn report_invalid(view: &JobView<'_>, plan: &mut JobPlan) {
    if let Err(invalid) = &view.extensions {
        plan.notices.push(annotation::notice(invalid, Kind::Job, &view.job.metadata, view.config.reporting_controller()));
        plan.decide(JobDecision::Shared(annotation::decision(invalid, "Not creating pods")));
    }
}

/// How many pods may be created; `None` if none may, for a reason that is decided, or that was reported.
pub(crate) fn allowed(view: &JobView<'_>, failures: &Failures<'_>, plan: &mut JobPlan, now: Timestamp) -> Option<usize> {
    let extensions = view.extensions.as_ref().ok()?;
    let holding = failures.holding();
    if extensions.hold || holding.is_some() {
        plan.decide(JobDecision::Waiting(Waiting::HeldByAnnotation { by: holding.filter(|_| !extensions.hold) }));
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
