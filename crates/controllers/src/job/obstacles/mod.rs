//! Obstacles: what keeps a Job from making progress, the nearest cause first.
//!
//! Docs: Jobs, "Suspending a Job", "Controlling parallelism", "Handling Pod and container failures", "Delegation of managing a Job object to external
//! controller"; Garbage Collection, "Foreground cascading deletion". What keeps its pods is in `pods.rs`, the answer in one sentence in `headline.rs`.

mod cause;
mod containers;
mod headline;
mod pods;
mod remedies;
mod scheduling;
mod sentences;

use api::meta::names::{BUILT_IN_CONTROLLER, QUEUE_NAME};
use api::{Duration, Job, Kind, Pod, Timestamp, WarningEvent, time};
use contract::decision::Role;
use contract::{ObjectRef, Obstacle};

use self::pods::PodObstacles;
use self::remedies::changed;
use super::backoff::{self, finished_at};
use super::config::Config;
use super::decision::{Guard, JobDecision, PodControl, Waiting};
use super::plan::{Intent, JobPlan};
use super::pod_template::restart_policy;
use crate::runtime::decision::{Decide, decision};
use crate::runtime::deletion::deletion;
use crate::runtime::obstacle::{ObstacleParts, Prose, Stuck};
use crate::runtime::refusals::CreationRefusals;

pub(super) use headline::headline;

/// How long after its creation a Job may be without a start time, and how long pods may be wanted.
const UNATTENDED: Duration = Duration::from_secs(10);
/// How many more restarts are out of reach: at the longest back-off, a day's.
const OUT_OF_REACH: i32 = 288;

/// All that is known of a Job at one moment.
#[derive(Clone, Copy)]
pub(super) struct Situation<'a> {
    pub(super) job: &'a Job,
    /// All of its pods, by name.
    pub(super) pods: &'a [&'a Pod],
    /// What is decided.
    pub(super) plan: &'a JobPlan,
    /// Events about the Job and its pods.
    pub(super) warnings: &'a [WarningEvent],
    pub(super) config: &'a Config,
    /// Whether a pod is replaced only once it has failed (J-72, X-6).
    pub(super) only_replace_failed: bool,
    /// Whether failed pods are not judged, because an annotation means nothing.
    pub(super) unjudged: bool,
    pub(super) now: Timestamp,
}

/// What keeps a Job from making progress.
pub(super) fn obstacles(at: &Situation<'_>) -> Vec<Obstacle> {
    let job = at.job;
    let PodObstacles { holding, aside } = pods::obstacles(at);
    if job.metadata.deleting() {
        return [vec![deletion(Kind::Job, &job.metadata, "pods", &holding)], holding].concat();
    }
    if job.finished() {
        return Vec::new();
    }
    if let Some(manager) = at.config.other_manager(job) {
        return vec![managed_by_other(at, manager)];
    }
    let mut obstacles = invalid(at);
    obstacles.extend(unattended(at));
    obstacles.extend(suspended(job));
    obstacles.extend(no_pods_wanted(at));
    let (passing, lasting): (Vec<_>, Vec<_>) = holding.into_iter().partition(|obstacle| obstacle.passes);
    let crashes = lasting.iter().any(|obstacle| &*obstacle.code == "CrashLoop");
    obstacles.extend(lasting);
    obstacles.extend(out_of_reach(at).filter(|_| crashes));
    obstacles.extend(creations(at));
    obstacles.extend(passing);
    obstacles.extend(unseen(at));
    obstacles.extend(aside);
    obstacles
}

/// The Job itself.
fn own(job: &Job) -> Stuck {
    Stuck::of(Kind::Job, [&job.metadata].into_iter())
}

fn managed_by_other(at: &Situation<'_>, manager: &str) -> Obstacle {
    let untouched = untouched(at).filter(|_| !at.job.suspended());
    let sentence = Prose::new(&format!("{manager} manages it (")).field("spec.managedBy").text(")");
    let sentence = sentence.since(" and has not acted on it since it was created at ", untouched);
    let remedy = match untouched {
        Some(_) => Prose::new(&format!("is {manager} running?")),
        None => Prose::new(&format!("see the log of {manager}")),
    };
    own(at.job).obstacle("ManagedByOther", sentence.text("; its decisions are not known here")).since(untouched).remedy(remedy)
}

/// What is invalid in the Job, so that nothing is done about it.
fn invalid(at: &Situation<'_>) -> Vec<Obstacle> {
    let unusable = |taken: &JobDecision| {
        matches!(taken, JobDecision::PodControl(PodControl::HasNoLabels) | JobDecision::Guard(Guard::UnknownCompletionMode { .. }))
    };
    let reports = |taken: &&JobDecision| taken.topic().role() == Role::Invalid || unusable(taken);
    let decisions = at.plan.decisions.iter().filter(reports).map(|taken| decision(taken.topic(), &at.job.metadata.namespace));
    let correct = || Prose::new("correct the Job, or delete it and create it again");
    decisions.map(|taken| own(at.job).obstacle(taken.code(), Prose::default().clause(&taken.sentence)).remedy(correct())).collect()
}

/// When a Job was created that no controller has done anything about in the time that it takes.
fn untouched(at: &Situation<'_>) -> Option<Timestamp> {
    let (status, created_at) = (&at.job.status, at.job.metadata.creation_timestamp?);
    let untouched = status.start_time.is_none() && status.conditions.is_empty() && at.pods.is_empty();
    (untouched && time::after(created_at, UNATTENDED) <= at.now).then_some(created_at)
}

/// That no controller has done anything about the Job.
fn unattended(at: &Situation<'_>) -> Option<Obstacle> {
    let created_at = untouched(at).filter(|_| !at.job.suspended())?;
    let sentence = Prose::new("no controller has acted on it since it was created").since(" at ", Some(created_at));
    let remedy = Prose::new(&format!("is {} running? Its log may say what is wrong", controller(at.config)));
    Some(own(at.job).obstacle("Unattended", sentence).since(Some(created_at)).remedy(remedy))
}

/// The program that decides about the Job.
fn controller(config: &Config) -> String {
    match &*config.name {
        BUILT_IN_CONTROLLER => "the kube-controller-manager".to_owned(),
        name => format!("the controller {name}"),
    }
}

/// That the Job is suspended, and by whom, where its labels say.
fn suspended(job: &Job) -> Option<Obstacle> {
    let since = || {
        job.status.conditions.iter().find(|condition| &*condition.kind == "Suspended" && &*condition.status == "True")?.last_transition_time
    };
    job.suspended().then(|| {
        let sentence = match since() {
            Some(at) => Prose::new("it has been suspended").since(" since ", Some(at)),
            None => Prose::new("it is suspended"),
        };
        let (name, namespace) = (&job.metadata.name, &job.metadata.namespace);
        match job.metadata.labels.get(QUEUE_NAME) {
            Some(queue) => own(job)
                .obstacle("Suspended", sentence.text(&format!(", and is waiting for Kueue to admit it through the queue {queue}")))
                .remedy(Prose::new(&format!("see what Kueue says: kubectl get workloads -n {namespace}"))),
            None => own(job)
                .obstacle("Suspended", sentence)
                .remedy(Prose::new(&format!("resume it: kubectl patch job {name} -n {namespace} -p '{{\"spec\":{{\"suspend\":false}}}}'"))),
        }
        .since(since())
    })
}

/// That the Job may have no pods.
fn no_pods_wanted(at: &Situation<'_>) -> Option<Obstacle> {
    (at.job.spec.parallelism == Some(0)).then(|| {
        let sentence = Prose::default().field("spec.parallelism").text(" is 0, so it may have no pods");
        let (name, namespace) = (&at.job.metadata.name, &at.job.metadata.namespace);
        let remedy = Prose::new(&format!("scale it: kubectl patch job {name} -n {namespace} -p '{{\"spec\":{{\"parallelism\":1}}}}'"));
        own(at.job).obstacle("NoPodsWanted", sentence).remedy(remedy)
    })
}

/// That failing containers will not end the Job in a time that anybody waits for.
fn out_of_reach(at: &Situation<'_>) -> Option<Obstacle> {
    let job = at.job;
    if restart_policy(&job.spec.template).as_deref() != Some("OnFailure") {
        return None;
    }
    let (limit, restarts) = (backoff::limit(job), backoff::restarts(at.pods.iter().copied()));
    if limit.saturating_sub(restarts) < OUT_OF_REACH {
        return None;
    }
    if job.spec.backoff_limit_per_index.is_some() {
        let sentence = Prose::default().field("spec.backoffLimitPerIndex").text(" does not count restarts in place, so they never end");
        let remedy = Prose::new("create the Job again with ").field("spec.template.spec.restartPolicy").text(" Never");
        return Some(own(job).obstacle("LimitOutOfReach", sentence).remedy(remedy));
    }
    let been = if restarts == 1 { "there has been 1 restart".to_owned() } else { format!("there have been {restarts} restarts") };
    let made = format!(" is {limit}, and {been}: at one every 5 minutes, the limit is out of reach");
    let sentence = Prose::default().field("spec.backoffLimit").text(&made);
    Some(own(job).obstacle("LimitOutOfReach", sentence).remedy(Prose::new("lower ").field("spec.backoffLimit").text(", or delete the Job")))
}

/// Why wanted pods are not there: a delay, a refusal, or nobody who creates them.
fn creations(at: &Situation<'_>) -> Vec<Obstacle> {
    let namespace = &at.job.metadata.namespace;
    let wanted = at.plan.batches.iter().flatten().filter(|command| matches!(command.intent, Intent::Create { .. })).count();
    let retried = at.plan.decisions.iter().any(|taken| matches!(taken, JobDecision::Waiting(Waiting::RetryAhead { .. })));
    let refused = refused(at).filter(|_| wanted > 0 || retried);
    let mut obstacles: Vec<Obstacle> = refused.into_iter().collect();
    for taken in &at.plan.decisions {
        let JobDecision::Waiting(waiting) = taken else { continue };
        let until = match waiting {
            Waiting::BacksOff { until, .. }
            | Waiting::BacksOffIndex { until, .. }
            | Waiting::DelaysRetry { until, .. }
            | Waiting::DelaysRetryByRule { until, .. }
            | Waiting::LimitsStartRate { until, .. }
            | Waiting::ResumptionAhead { until, .. }
            | Waiting::RetryAhead { until, .. } => Some(*until),
            Waiting::HeldByAnnotation { .. } => None,
            Waiting::DeadlineAhead { .. } | Waiting::PendingDeadlineAhead { .. } => continue,
        };
        let decision = decision(taken.topic(), namespace);
        let since = if let Role::Wait(period) = &decision.role { period.since } else { None };
        let obstacle = own(at.job).obstacle(decision.code(), Prose::default().clause(&decision.sentence));
        obstacles.push(obstacle.since(since).passes(until));
    }
    if obstacles.is_empty() && wanted > 0 {
        obstacles.extend(missing(at, wanted));
    }
    obstacles
}

/// That the watch has yet to show what was done, before more is done.
fn unseen(at: &Situation<'_>) -> Option<Obstacle> {
    at.plan.decisions.iter().find_map(|taken| {
        let JobDecision::Guard(Guard::WaitsForExpectations { until, .. }) = taken else { return None };
        let decision = decision(taken.topic(), &at.job.metadata.namespace);
        let obstacle = own(at.job).obstacle(decision.code(), Prose::default().clause(&decision.sentence));
        (*until > at.now).then(|| obstacle.passes(Some(*until)))
    })
}

/// That the API server refuses to create pods, as Events since the last pod was created say.
fn refused(at: &Situation<'_>) -> Option<Obstacle> {
    let last_created_at = at.pods.iter().filter_map(|pod| pod.metadata.creation_timestamp).max();
    let refusals = CreationRefusals::of(at.warnings, &at.job.metadata.uid, last_created_at)?;
    let since = refusals.since;
    let sentence = match since {
        Some(_) => Prose::new("the API server has refused to create its pods").since(" since ", since),
        None => Prose::new("the API server refuses to create its pods"),
    };
    let template = |change: &str| changed(change, at.job);
    let remedy = refusals.remedy(&at.job.metadata.namespace, at.config.limits.api_back_off_max, &template);
    Some(own(at.job).obstacle("CreationsRefused", sentence.text(": ").text(&refusals.message)).since(since).remedy(remedy))
}

/// That pods have been wanted for a while, and there is no word of why they are not there.
fn missing(at: &Situation<'_>, wanted: usize) -> Option<Obstacle> {
    let ends = at.pods.iter().filter(|pod| pod.phase.ended()).map(|pod| finished_at(pod));
    let since = ends.chain(at.job.status.start_time).max()?;
    let back_off = at.config.limits.pod_failure_back_off;
    (time::after(time::after(since, back_off), UNATTENDED) <= at.now).then(|| {
        let (pods, are) = if wanted == 1 { ("1 pod", "is") } else { (&*format!("{wanted} pods"), "are") };
        let sentence = Prose::new(&format!("{pods} {are} wanted, but none has been created")).since(" since ", Some(since));
        let (name, namespace) = (&at.job.metadata.name, &at.job.metadata.namespace);
        let remedy = Prose::new(&format!("see whether their creation is refused: kubectl describe job {name} -n {namespace}"));
        own(at.job).obstacle("PodsMissing", sentence).since(Some(since)).remedy(remedy)
    })
}

/// The Job as an object that sentences name.
fn reference(job: &Job) -> ObjectRef {
    ObjectRef::of(Kind::Job.name(), &job.metadata)
}
