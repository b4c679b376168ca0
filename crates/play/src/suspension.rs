//! Suspending and resuming: which objects an action is about that names none, and what people are to know who resume one.
//!
//! Docs: Jobs, "Suspending a Job"; CronJob, "Schedule suspension"; Kueue, "Run Jobs". The language is described in `script`.

use api::annotation::{FailureAction, PAUSE_AFTER_FAILURES, RESUMED_AT};
use api::meta::names::QUEUE_NAME;
use api::request::Request;
use api::{Job, Kind, ObjectMeta, Text};
use cluster::apiserver::ApiServer;
use script::{Action, JobChange, ObjectName};

/// Why an action without an object is refused where no Job exists.
#[must_use]
pub fn no_job(action: &Action, server: &ApiServer) -> String {
    let Action::Job { change, .. } = action else { return "there are no Jobs".to_owned() };
    let possible = match change {
        JobChange::Suspend | JobChange::Resume | JobChange::Set { .. } | JobChange::Annotate { .. } | JobChange::Delete(_) => true,
        JobChange::Scale(_) => false,
    };
    match server.objects(Kind::CronJob).next().filter(|_| possible) {
        Some(stored) => {
            let named = Action::CronJob { cron_job: name(stored.metadata(), server), change: change.clone() };
            format!("there are no Jobs; to act on a CronJob, name it, as in '{named}'")
        }
        None => "there are no Jobs".to_owned(),
    }
}

/// What to write where an action names a Job that does not exist, and a CronJob has that name.
#[must_use]
pub fn cron_job_meant(action: &Action, server: &ApiServer) -> Option<String> {
    let Action::Job { job: Some(job), change } = action else { return None };
    let named = |kind| server.objects(kind).map(|stored| stored.metadata()).find(|metadata| job.names(metadata));
    let cron_job = named(Kind::CronJob).filter(|_| named(Kind::Job).is_none())?;
    let meant = Action::CronJob { cron_job: name(cron_job, server), change: change.clone() };
    Some(format!("{} is a CronJob: write '{meant}'", cron_job.name))
}

/// The requests of an action that changes objects: of the one that it names, or of each that it is about.
///
/// # Errors
/// Why it is about none, without the action.
pub fn requests(action: &Action, server: &ApiServer) -> Result<Vec<Request>, String> {
    if let Some(meant) = cron_job_meant(action, server) {
        return Err(meant);
    }
    if !matches!(action, Action::ResumeAll | Action::SuspendAll) {
        return action.request().map(|request| vec![request]).ok_or_else(|| no_job(action, server));
    }
    let requests: Vec<Request> = each(action, server).iter().filter_map(Action::request).collect();
    let state = if *action == Action::ResumeAll { "is suspended" } else { "is left to suspend" };
    if requests.is_empty() { Err(format!("no Job or CronJob {state}")) } else { Ok(requests) }
}

/// The same change of each object that it is about.
pub(crate) fn each(action: &Action, server: &ApiServer) -> Vec<Action> {
    let resumed = *action == Action::ResumeAll;
    if !resumed && *action != Action::SuspendAll {
        return Vec::new();
    }
    let change = if resumed { JobChange::Resume } else { JobChange::Suspend };
    let of = |metadata: &ObjectMeta| ObjectName::of(&metadata.namespace, &metadata.name);
    let cron_jobs = server.objects(Kind::CronJob).filter_map(|stored| stored.cron_job());
    let jobs = server.objects(Kind::Job).filter_map(|stored| stored.job());
    let cron_jobs = cron_jobs
        .filter(|cron_job| cron_job.suspended() == resumed)
        .map(|cron_job| Action::CronJob { cron_job: of(&cron_job.metadata), change: change.clone() });
    let jobs = jobs
        .filter(|job| !job.finished() && job.suspended() == resumed)
        .map(|job| Action::Job { job: Some(of(&job.metadata)), change: change.clone() });
    cron_jobs.chain(jobs).collect()
}

/// What people are to know about an action before it is carried out: that it changes nothing, who suspends the Job again, and what it leaves suspended; `named`: whether it names the Job.
pub(crate) fn notes(action: &Action, named: bool, server: &ApiServer) -> Vec<Text> {
    if let Some(idle) = idle(action, server) {
        return vec![idle];
    }
    let Action::Job { job: Some(job), change: JobChange::Resume } = action else { return Vec::new() };
    let jobs = server.objects(Kind::Job).filter_map(|stored| stored.job());
    let mut notes: Vec<Text> = Vec::new();
    for job in jobs.filter(|known| known.suspended() && job.names(&known.metadata)) {
        if let Some(queue) = job.metadata.labels.get(QUEUE_NAME) {
            let name = name(&job.metadata, server);
            notes.push(format!("job {name} is in the queue {queue}: on a cluster, Kueue suspends it again until it admits it").into());
        }
    }
    let suspended = server.objects(Kind::CronJob).filter_map(|stored| stored.cron_job()).find(|cron_job| cron_job.suspended());
    if let Some(cron_job) = suspended.filter(|_| !named) {
        let name = name(&cron_job.metadata, server);
        notes.push(
            format!("cronjob {name} stays suspended; to resume it as well, write \"resume all\" or \"resume cronjob {name}\"").into(),
        );
    }
    notes
}

/// That an action changes nothing, if it does not.
fn idle(action: &Action, server: &ApiServer) -> Option<Text> {
    if let Action::Job { job: Some(job), change } = action {
        let mut jobs = server.objects(Kind::Job).filter_map(|stored| stored.job());
        let found = jobs.find(|known| job.names(&known.metadata))?;
        let what = format!("job {}", name(&found.metadata, server));
        if let JobChange::Scale(to) = change
            && found.spec.parallelism.is_some_and(|parallelism| i64::from(parallelism) == i64::from(*to))
        {
            return Some(format!("spec.parallelism of {what} is {to} already").into());
        }
        let holds = matches!(change, JobChange::Resume) && holds(found);
        return already(&what, change, found.suspended()).map(|idle| {
            let hint = format!("{idle}; if a failure holds it, write 'annotate {what} {RESUMED_AT}=TIME'");
            if holds { hint.into() } else { idle }
        });
    }
    if let Action::CronJob { cron_job, change } = action {
        let mut cron_jobs = server.objects(Kind::CronJob).filter_map(|stored| stored.cron_job());
        let found = cron_jobs.find(|known| cron_job.names(&known.metadata))?;
        let what = format!("cronjob {}", name(&found.metadata, server));
        let pauses = matches!(change, JobChange::Resume) && found.metadata.annotations.contains_key(PAUSE_AFTER_FAILURES);
        return already(&what, change, found.suspended()).map(|idle| {
            let hint = format!("{idle}; if failures paused it, write 'annotate {what} {RESUMED_AT}=TIME'");
            if pauses { hint.into() } else { idle }
        });
    }
    None
}

/// Whether a rule of an annotation holds the Job after some failures.
fn holds(job: &Job) -> bool {
    let rules = job.extensions().ok().and_then(|extensions| extensions.on_failure);
    rules.is_some_and(|rules| rules.0.iter().any(|rule| rule.action == FailureAction::Hold))
}

/// That an object is suspended, or is not, before it is made so.
fn already(what: &str, change: &JobChange, suspended: bool) -> Option<Text> {
    if matches!(change, JobChange::Suspend) && suspended {
        return Some(format!("{what} is suspended already").into());
    }
    (matches!(change, JobChange::Resume) && !suspended).then(|| format!("{what} is not suspended").into())
}

/// The name of an object, with its namespace where there are others.
fn name(metadata: &ObjectMeta, server: &ApiServer) -> ObjectName {
    ObjectName::among(&metadata.namespace, &metadata.name, crate::namespaces(server))
}
