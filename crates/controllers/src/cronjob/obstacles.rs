//! Obstacles: what keeps a CronJob from starting its next run, the nearest cause first, and the answer in one sentence.
//!
//! Docs: CronJob, "Schedule suspension", "Concurrency policy", "Time zones". What keeps a Job that it waits for is in `job/obstacles/`.

use api::cron_job::concurrency_policy;
use api::{Duration, Job, Kind, Timestamp, WarningEvent, time};
use contract::decision::{Role, Sentence};
use contract::{ObjectRef, Obstacle};

use super::active::{limit_reached, listed};
use super::decision::{CronJobDecision, Guard, Scheduling};
use super::due::earliest;
use super::timetable::Timetable;
use super::view::View;
use crate::runtime::decision::{Decide, Topic, decision};
use crate::runtime::deletion::deletion;
use crate::runtime::obstacle::{ObstacleParts, Prose, Stuck};
use crate::runtime::refusals::CreationRefusals;

/// How long a run may be due before that is an obstacle.
const UNATTENDED: Duration = Duration::from_secs(60);

/// What keeps a CronJob from starting its next run; Events about it say whether its Jobs are refused.
pub(super) fn obstacles<'d>(
    view: &View<'_>,
    decisions: impl Iterator<Item = &'d CronJobDecision>,
    warnings: &[WarningEvent],
    now: Timestamp,
) -> Vec<Obstacle> {
    let metadata = &view.cron_job.metadata;
    if metadata.deleting() {
        let left: Vec<&Job> = view.jobs.iter().copied().filter(|job| !job.finished()).collect();
        let of_jobs: Vec<Obstacle> = (!left.is_empty()).then(|| unfinished(&left, None)).into_iter().collect();
        return [vec![deletion(Kind::CronJob, metadata, "Jobs", &of_jobs)], of_jobs].concat();
    }
    let listed = listed(&view.cron_job.status);
    // What the status does not list was started by hand, and nothing waits for it (C-12, C-33).
    let unfinished_jobs = || view.jobs.iter().copied().filter(|job| !job.finished());
    let active = |job: &&Job| listed.contains(&job.metadata.uid);
    let wait = waits(view, unfinished_jobs().filter(active).count());
    let (waited, others): (Vec<&Job>, Vec<&Job>) = unfinished_jobs().partition(|job| wait.is_some() && active(job));
    let mut obstacles: Vec<Obstacle> = decisions.flat_map(|taken| of_decision(view, taken, warnings, now)).collect();
    let place = usize::from(obstacles.first().is_some_and(|first| !first.passes));
    for (jobs, wait) in [(others, None), (waited, wait)] {
        if !jobs.is_empty() {
            obstacles.insert(place, unfinished(&jobs, wait));
        }
    }
    obstacles
}

/// Why the next run waits for so many active Jobs, if it does: the obstacle's code, and the beginning of its sentence.
fn waits(view: &View<'_>, active: usize) -> Option<(&'static str, Prose)> {
    if &*view.cron_job.spec.concurrency_policy == concurrency_policy::FORBID {
        return Some(("ForbidWaits", Prose::default().field("spec.concurrencyPolicy").text(" is Forbid, and ")));
    }
    let limit = view.cron_job.extensions().ok()?.max_active.filter(|limit| limit_reached(active, *limit))?;
    let jobs = if limit == 1 { "Job" } else { "Jobs" };
    Some(("MaxActiveReached", Prose::new(&format!("the annotation jobsmith.dev/max-active allows {limit} active {jobs}, and "))))
}

/// The obstacle that a decision is about, if it is about one; before that of a run that is late, why it is.
fn of_decision(view: &View<'_>, taken: &CronJobDecision, warnings: &[WarningEvent], now: Timestamp) -> Vec<Obstacle> {
    if let CronJobDecision::Scheduling(Scheduling::StartsJob { scheduled_at, .. }) = taken {
        return refused(view, *scheduled_at, warnings).or_else(|| unattended(view, now)).into_iter().collect();
    }
    let refused = if let CronJobDecision::Scheduling(Scheduling::MissedDeadline { scheduled_at, .. }) = taken {
        refused(view, *scheduled_at, warnings)
    } else {
        None
    };
    refused.into_iter().chain(plain(view, taken)).collect()
}

/// The obstacle that the decision alone makes, if it makes one.
fn plain(view: &View<'_>, taken: &CronJobDecision) -> Option<Obstacle> {
    let metadata = &view.cron_job.metadata;
    let own = || Stuck::of(Kind::CronJob, [metadata].into_iter());
    let (name, namespace) = (&metadata.name, &metadata.namespace);
    Some(match taken {
        CronJobDecision::Guard(Guard::CronJobSuspended) => own()
            .obstacle("Suspended", Prose::new("it is suspended"))
            .remedy(Prose::new(&format!("resume it: kubectl patch cronjob {name} -n {namespace} -p '{{\"spec\":{{\"suspend\":false}}}}'"))),
        CronJobDecision::Guard(Guard::SuspendedByAnnotation) => own()
            .obstacle("Suspended", Prose::new("the annotation jobsmith.dev/suspend suspends it"))
            .remedy(Prose::new(&format!("resume it: kubectl annotate cronjob {name} -n {namespace} jobsmith.dev/suspend-"))),
        CronJobDecision::Guard(Guard::PausedAfterFailures { failures, job, until }) => {
            let runs = if *failures == 1 { "run" } else { "runs" };
            let job = ObjectRef { kind: Kind::Job.name().into(), namespace: namespace.clone(), name: job.clone(), ..ObjectRef::default() };
            let failed = Prose::new(&format!("{failures} {runs} failed in a row, the latest with Job ")).object(job);
            let sentence = failed.text(", and the annotation jobsmith.dev/pause-after-failures pauses it").since(" until ", *until);
            let obstacle = own().obstacle(taken.topic().code(), sentence);
            let obstacle = if until.is_some() { obstacle.passes(*until) } else { obstacle };
            obstacle.remedy(Prose::new(&format!(
                "fix the cause, then resume it: kubectl annotate cronjob {name} -n {namespace} --overwrite \
                 jobsmith.dev/resumed-at=$(date -u +%Y-%m-%dT%H:%M:%SZ)"
            )))
        }
        CronJobDecision::Guard(Guard::CronJobManagedByOther { manager }) => own()
            .obstacle("ManagedByOther", Prose::new(&format!("{manager} manages it; its decisions are not known here")))
            .remedy(Prose::new(&format!("see the log of {manager}"))),
        CronJobDecision::Guard(Guard::ScheduleHasNoRuns) => no_runs(view),
        CronJobDecision::Guard(Guard::UnknownTimeZone { time_zone }) => {
            let sentence = Prose::default().field("spec.timeZone").text(&format!(" {time_zone} is not in the time zone database"));
            own().obstacle("UnknownTimeZone", sentence).remedy(Prose::new("correct ").field("spec.timeZone"))
        }
        CronJobDecision::Guard(Guard::UnparseableSchedule { error }) => {
            let sentence = Prose::default().field("spec.schedule").text(&format!(" is invalid: {error}"));
            own().obstacle("UnparseableSchedule", sentence).remedy(Prose::new("correct ").field("spec.schedule"))
        }
        CronJobDecision::Scheduling(scheduling) => return of_scheduling(view, scheduling),
        CronJobDecision::Guard(_) | CronJobDecision::Shared(_) if taken.topic().role() == Role::Invalid => {
            let decision = decision(taken.topic(), namespace);
            own().obstacle(decision.code(), Prose::default().clause(&decision.sentence)).remedy(Prose::new("correct the CronJob"))
        }
        CronJobDecision::Guard(_)
        | CronJobDecision::Concurrency(_)
        | CronJobDecision::ActiveJobs(_)
        | CronJobDecision::History(_)
        | CronJobDecision::StatusUpdate(_)
        | CronJobDecision::Report(_)
        | CronJobDecision::Shared(_) => return None,
    })
}

/// The obstacle that a decision about the run that is due, or about the next one, makes.
fn of_scheduling(view: &View<'_>, scheduling: &Scheduling) -> Option<Obstacle> {
    let metadata = &view.cron_job.metadata;
    let obstacle = |code: &str, sentence: Prose| Stuck::of(Kind::CronJob, [metadata].into_iter()).obstacle(code, sentence);
    let next_run = |next: Timestamp| Prose::new("the next run is").since(" at ", Some(next));
    let sentence = || decision(scheduling, &metadata.namespace).sentence;
    Some(match scheduling {
        Scheduling::NotDue { next: None }
        | Scheduling::SkipsRun { next: None, .. }
        | Scheduling::MissedDeadline { next: None, .. }
        | Scheduling::PassedOver { next: None, .. }
        | Scheduling::AlreadyStarted { next: None, .. }
        | Scheduling::NameTaken { next: None, .. } => no_runs(view),
        Scheduling::NotDue { next: Some(next) } => obstacle("NotDue", next_run(*next)).passes(Some(*next)),
        Scheduling::SkipsRun { scheduled_at, next: Some(next) } => {
            let skipped = "; the annotation jobsmith.dev/skip-during has skipped every run since ";
            obstacle("NotDue", next_run(*next).since(skipped, Some(*scheduled_at))).passes(Some(*next))
        }
        Scheduling::DelaysRun { scheduled_at, until, .. } => {
            obstacle(scheduling.code(), Prose::default().clause(&sentence())).since(Some(*scheduled_at)).passes(Some(*until))
        }
        Scheduling::MissedDeadline { next: Some(next), .. }
        | Scheduling::PassedOver { next: Some(next), .. }
        | Scheduling::AlreadyStarted { next: Some(next), .. }
        | Scheduling::NameTaken { next: Some(next), .. } => {
            obstacle("NotDue", next_run(*next).text("; ").clause(&sentence())).passes(Some(*next))
        }
        Scheduling::TooManyMissed { .. } | Scheduling::StartsJob { .. } | Scheduling::RecordsExistingJob { .. } => return None,
    })
}

/// That the schedule never has a run.
fn no_runs(view: &View<'_>) -> Obstacle {
    let sentence = Prose::default().field("spec.schedule").text(" has no run within five years");
    let own = Stuck::of(Kind::CronJob, [&view.cron_job.metadata].into_iter());
    own.obstacle("NoRuns", sentence).remedy(Prose::new("correct ").field("spec.schedule"))
}

/// That the API server refuses to create the Job of a run, as Events say since the first run without a Job was due.
fn refused(view: &View<'_>, scheduled_at: Timestamp, warnings: &[WarningEvent]) -> Option<Obstacle> {
    let metadata = &view.cron_job.metadata;
    let first_due_at = Timetable::of(view.cron_job, view.zone)?.schedule.next(earliest(view.cron_job))?;
    let refusals = CreationRefusals::of(warnings, &metadata.uid, Some(first_due_at))?;
    let since = refusals.since;
    let sentence = match since {
        Some(_) => Prose::new("the API server has refused to create its Jobs")
            .since(" since ", since)
            .since(", most recently that of the run scheduled for ", Some(scheduled_at)),
        None => Prose::new("the API server refuses to create the Job").since(" of the run scheduled for ", Some(scheduled_at)),
    };
    let template = |change: &str| format!("{change} in the jobTemplate");
    let remedy = refusals.remedy(&metadata.namespace, view.config.api_back_off_max, &template);
    let own = Stuck::of(Kind::CronJob, [metadata].into_iter());
    Some(own.obstacle("CreationsRefused", sentence.text(": ").text(&refusals.message)).since(since).remedy(remedy))
}

/// That no controller starts the runs that are due.
fn unattended(view: &View<'_>, now: Timestamp) -> Option<Obstacle> {
    let timetable = Timetable::of(view.cron_job, view.zone)?;
    let first = timetable.schedule.next(earliest(view.cron_job))?;
    (time::after(timetable.starts_at(first), UNATTENDED) <= now).then(|| {
        let sentence = Prose::new("no controller has started the run scheduled").since(" for ", Some(first));
        Stuck::of(Kind::CronJob, [&view.cron_job.metadata].into_iter())
            .obstacle("Unattended", sentence)
            .since(Some(first))
            .remedy(Prose::new("is the kube-controller-manager running? Its log may say what is wrong"))
    })
}

/// That runs have not finished, for which the next one may have to wait.
fn unfinished(runs: &[&Job], wait: Option<(&'static str, Prose)>) -> Obstacle {
    let stuck = Stuck::of(Kind::Job, runs.iter().map(|job| &job.metadata));
    let since = runs.iter().filter_map(|job| job.scheduled_at()).min();
    let scheduled = stuck.form(", scheduled for ", ", the first scheduled for ");
    let jobs = Prose::default().objects("Job", &stuck.objects, stuck.count).since(scheduled, since);
    let comma = if since.is_some() { "," } else { "" };
    let unfinished = jobs.text(comma).text(stuck.form(" has not finished", " have not finished"));
    let (code, sentence) = match wait {
        Some((code, because)) => (code, because.sentence(&unfinished.into())),
        None => ("JobUnfinished", unfinished),
    };
    stuck.obstacle(code, sentence).since(since).passes(None)
}

/// What a CronJob is stuck on, or when it runs next.
pub(super) fn headline(view: &View<'_>, obstacles: &[Obstacle]) -> Sentence {
    let metadata = &view.cron_job.metadata;
    let subject = Prose::new("CronJob ").object(ObjectRef::of(Kind::CronJob.name(), metadata));
    let prose = match obstacles.first() {
        Some(first) => {
            let leads = match &*first.code {
                "BeingDeleted" if first.passes => " is being deleted: ",
                "BeingDeleted" => " is stuck: ",
                "Suspended" => " is waiting: ",
                "ManagedByOther" => " is left to another controller: ",
                "ForbidWaits" => " is waiting for its last run: ",
                "MaxActiveReached" => " is waiting for its last runs: ",
                "DelaysRun" => " is waiting: ",
                "PausedAfterFailures" => " is not starting runs: ",
                "JobUnfinished" => " is on schedule, but ",
                _ if first.passes => " is on schedule: ",
                _ => " is not starting runs: ",
            };
            let prose = subject.text(leads).sentence(&first.sentence);
            match last_failure(view).filter(|_| &*first.code == "NotDue") {
                Some(job) => prose.text("; its last run, Job ").object(ObjectRef::of(Kind::Job.name(), &job.metadata)).text(", failed"),
                None => prose,
            }
        }
        None => subject.text(" is starting a run"),
    };
    prose.into()
}

/// The Job of the last run, if it failed.
fn last_failure<'a>(view: &View<'a>) -> Option<&'a Job> {
    let last = view.jobs.iter().copied().max_by_key(|job| (job.scheduled_at(), job.metadata.creation_timestamp))?;
    last.finished_by().is_some_and(|condition| !condition.complete()).then_some(last)
}
