//! W10, W12…W14, W16 and W17: what the controllers request, and what they leave alone.
//!
//! Docs: Jobs, "Delegation of managing a Job object to external controller" (J-01, J-35, J-42, J-53, J-86, J-87, J-125, J-136). What of it is counted is in `counting.rs`.

use api::job::conditions::{COMPLETE, FAILED, FAILURE_TARGET, SUCCESS_CRITERIA_MET, SUSPENDED};
use api::meta::names;
use api::request::{ApiError, Method, Outcome, Request};
use api::{Job, JobCondition, Kind, Text, Timestamp};
use cluster::apiserver::Target;
use cluster::stored::{Stored, StoredObject};
use contract::execution::Executed;
use contract::{Command, Decision, Plan};

use super::{Checked, CheckedWrite, hold};
use crate::flight::Flight;
use crate::ledger::{Ledger, SentRequest, key};
use crate::rules;
use crate::settings::Settings;

/// The controller of Jobs.
const JOBS: &str = "job";
/// The controller of CronJobs.
const CRON_JOBS: &str = "cronjob";
/// The controller that deletes finished Jobs.
pub(super) const TTL: &str = "ttl";

/// W13 and W14: a plan has its reasons, leaves alone what is not the manager's, is the only one for its Job, and waits for what was written before.
pub(crate) fn plan(ledger: &Ledger, flights: &[Flight], plan: &Plan, settings: &Settings, now: Timestamp) -> Checked {
    let about = || format!("plan {} for {} {}", plan.id, plan.controller, plan.object.name);
    let explained = |decision: &Decision| !decision.sentence.0.is_empty() && !decision.code().is_empty();
    // A plan that only reports the outcome of another one may have Events alone.
    let reports = plan.commands().next().is_none() && !plan.notices.is_empty();
    let reasons = (reports || !plan.decisions.is_empty()) && plan.decisions.iter().all(explained);
    hold(reasons, "W13", || format!("{} has no reasons", about()))?;
    if plan.commands().next().is_none() {
        return Ok(());
    }
    let creations = plan.commands().filter(|command| command.request.method == Method::Post).count();
    hold(creations <= settings.pods_per_plan, "W13", || format!("{} creates {creations} pods at a time", about()))?;
    let other = plan.commands().find_map(|command| managed_by_other(ledger, plan, command));
    hold(other.is_none(), "W13", || format!("{} has commands, but the Job is managed by {other:?}", about()))?;
    if ![JOBS, CRON_JOBS, TTL].contains(&&*plan.controller) {
        return Ok(());
    }
    let twin = flights.iter().find(|flight| key(flight.execution.plan()) == key(plan));
    hold(twin.is_none(), "W13", || format!("{} is made while another one for it is carried out", about()))?;
    if creations > 0 && &*plan.controller == JOBS {
        waits_after_refusals(ledger, plan, now)?;
    }
    reads_its_writes(ledger, plan)
}

/// W16: after creations were refused, no further pod is created for the Job before the delay is over, which doubles each time (J-87), unless something
/// was shown meanwhile that makes the Job due (J-02).
fn waits_after_refusals(ledger: &Ledger, plan: &Plan, now: Timestamp) -> Checked {
    // A deadline of a pod that does not start makes the Job due, too.
    let job = ledger.view.object(plan).and_then(|job| job.job());
    if job.and_then(rules::asked).is_some_and(|asked| asked.on_pending.is_some()) {
        return Ok(());
    }
    let job = ledger.view.object(plan).map(|job| &job.metadata().uid);
    let Some(refused) = ledger.refusals.of(&key(plan)).filter(|refused| Some(&refused.job) == job) else { return Ok(()) };
    hold(now >= refused.until || ledger.view.has_news(&plan.object.name, refused.made), "W16", || {
        format!(
            "plan {} for job {} creates pods at {now}; creations failed {} times, the next are due at {}",
            plan.id, plan.object.name, refused.times, refused.until
        )
    })
}

/// W17: a deletion is skipped only because of its own pod, of a request for something else, or of an adoption or release, which holds up the whole sync (J-64):
/// the failure of another deletion concerns that pod alone (J-03).
pub(crate) fn fails_alone(Executed { plan, outcomes }: &Executed) -> Checked {
    let deletes = |command: &&Command| command.request.method == Method::Delete;
    let deleted: Vec<&str> = plan.commands().filter(deletes).map(|command| &*command.request.path).collect();
    let failed = |(command, outcome): (&Command, &Outcome)| match outcome {
        Outcome::Failed(error) => !command.tolerates.contains(&error.code),
        Outcome::Done(_) | Outcome::Skipped => false,
    };
    let causes = || plan.commands().zip(outcomes).filter(|sent| failed(*sent)).map(|(command, _)| &command.request);
    let skipped = plan.commands().zip(outcomes).filter(|(command, outcome)| deletes(command) && **outcome == Outcome::Skipped);
    for (Command { request, .. }, _) in skipped {
        let claims = |cause: &Request| cause.body.contains("ownerReferences");
        let has_cause = causes().any(|cause| cause.path == request.path || !deleted.contains(&&*cause.path) || claims(cause));
        hold(has_cause, "W17", || {
            format!("plan {} for {} skips DELETE {}, as another pod's request failed", plan.id, plan.object.name, request.path)
        })?;
    }
    Ok(())
}

/// Who else manages the Job that a command is about, if it is not for this manager.
fn managed_by_other(ledger: &Ledger, plan: &Plan, command: &Command) -> Option<Text> {
    let manager = |job: &Job| job.spec.managed_by.clone().filter(|manager| **manager != *names::BUILT_IN_CONTROLLER);
    let job = ledger.view.object(plan).filter(|_| &*plan.controller == JOBS).and_then(|job| manager(job.job()?));
    let pod = || {
        let target = Target::read(&command.request.path).filter(|target| target.kind == Kind::Pod && !target.name.is_empty())?;
        let pod = ledger.pods.values().find(|pod| !pod.gone && !pod.touched && *pod.name() == *target.name)?;
        manager(ledger.job(&pod.job)?.job())
    };
    job.or_else(pod)
}

/// W14: an object is planned for only once the watches have shown what was written for it (J-35).
fn reads_its_writes(ledger: &Ledger, plan: &Plan) -> Checked {
    let Some(written) = ledger.written.get(&key(plan)) else { return Ok(()) };
    let same = ledger.view.object(plan).is_some_and(|object| object.metadata().uid == written.object);
    if !same {
        return Ok(());
    }
    let unseen = written.versions.iter().find(|(kind, version)| *version > 0 && !ledger.view.has_shown(*kind, *version));
    hold(unseen.is_none(), "W14", || {
        format!("plan {} for {} {} does not wait until its own writes are seen: {unseen:?}", plan.id, plan.controller, plan.object.name)
    })
}

/// W10: no request is refused because it is not understood, or because what it writes is not valid.
///
/// A patch that names the UID of a pod that was replaced by another one of its name is refused so, and tolerates it (J-62).
pub(crate) fn refused(request: &Request, error: &ApiError) -> Checked {
    let wrong = matches!(error.code, 400 | 405 | 415) || error.code == 422 && request.method != Method::Patch;
    hold(!wrong, "W10", || format!("{} {} is refused: {} {}", request.method.name(), request.path, error.code, error.message))
}

/// W12: of a CronJob or a Job the controllers write the status alone, and of a pod finalizers and owners; Jobs and pods they may delete.
pub(super) fn leaves_the_rest(ledger: &Ledger, before: &Stored, after: &Stored, sent: SentRequest<'_>) -> Checked {
    let method = sent.request.method;
    let holds = match (before.object(), after.object()) {
        (StoredObject::CronJob(old), StoredObject::CronJob(new)) => {
            old.spec == new.spec && without_version(before) == without_version(after)
        }
        (StoredObject::Job(old), StoredObject::Job(new)) if method == Method::Delete => {
            [CRON_JOBS, TTL].contains(&sent.controller()) && old.spec == new.spec && old.status == new.status
        }
        (StoredObject::Job(old), StoredObject::Job(new)) => old.spec == new.spec && without_version(before) == without_version(after),
        (StoredObject::Pod(old), StoredObject::Pod(new)) if method == Method::Patch => {
            let kept = |pod: &Stored| {
                let mut metadata = without_version(pod);
                metadata.finalizers.retain(|finalizer| **finalizer != *names::JOB_TRACKING);
                metadata.owner_references.clear();
                metadata
            };
            old.spec == new.spec && old.status == new.status && kept(before) == kept(after)
        }
        (StoredObject::Pod(old), StoredObject::Pod(new)) => method == Method::Delete && old.spec == new.spec && old.status == new.status,
        (StoredObject::CronJob(_) | StoredObject::Job(_) | StoredObject::Pod(_), _) => false,
    };
    let metadata = after.metadata();
    hold(holds, "W12", || format!("{} changes more of {} than is the controllers' business", method.name(), metadata.name))?;
    let mine = sent.flight.execution.plan();
    let owner = before.metadata().controller().map(|owner| &owner.name);
    // People may have given the pod another owner since the plan was made.
    let touched = ledger.pods.get(&before.metadata().uid).is_some_and(|pod| pod.touched);
    let own = &*mine.controller != JOBS || before.kind() != Kind::Pod || touched || owner.is_none_or(|owner| *owner == mine.object.name);
    hold(own, "W12", || format!("plan {} for job {} changes pod {}, which is of job {owner:?}", mine.id, mine.object.name, metadata.name))
}

/// W12: the controllers write to no pod that another controller made and has.
pub(super) fn leaves_strangers(ledger: &Ledger, before: &Stored, sent: SentRequest<'_>) -> Checked {
    let foreign = ledger.pods.get(&before.metadata().uid).is_some_and(|pod| pod.foreign);
    hold(!foreign, "W12", || {
        let owner = before.metadata().controller().map(|owner| format!("{} {}", owner.kind, owner.name)).unwrap_or_default();
        format!("{} is about pod {}, which is of {owner}", sent.request.method.name(), before.metadata().name)
    })
}

/// The conditions of a Job that are the controllers' business.
const OWN_CONDITIONS: [&str; 5] = [SUSPENDED, SUCCESS_CRITERIA_MET, FAILURE_TARGET, COMPLETE, FAILED];

/// W12: the conditions of others stay as they are, in their order.
pub(super) fn leaves_conditions(write: &CheckedWrite<'_>) -> Checked {
    let others = |job: &Job| -> Vec<JobCondition> {
        job.status.conditions.iter().filter(|condition| !OWN_CONDITIONS.contains(&&*condition.kind)).cloned().collect()
    };
    let (before, after) = (others(write.before), others(write.after));
    hold(before == after, "W12", || format!("job {} had the conditions {before:?} of others, and has {after:?}", write.name()))
}

/// The metadata of an object without its version, which each write changes.
fn without_version(object: &Stored) -> api::ObjectMeta {
    api::ObjectMeta { resource_version: Text::default(), ..object.metadata().clone() }
}
