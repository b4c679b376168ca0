//! Tracking: how ended pods are added to the counters, each exactly once. First half: what is listed and which finalizers are removed.
//!
//! Docs: Jobs, "Job tracking with finalizers" (J-124…J-126). The second half, when the finalizers have gone, is in `settle.rs`.

use std::borrow::Cow;

use api::annotation::ON_FAILURE;
use api::indexes::IndexSet;
use api::job::UncountedTerminatedPods;
use api::job::conditions::{FAILURE_TARGET, SUCCESS_CRITERIA_MET};
use api::pod::ContainerStatus;
use api::request::Request;
use api::{Job, JobStatus, Kind, Pod, Text, Timestamp};

use super::backoff::Backoff;
use super::conditions::{Ending, EndingKind, holding};
use super::decision::{IndexFailure, JobDecision, Tracking};
use super::indexes::indexed_completions;
use super::plan::{Intent, JobCommand, JobPlan, StatusWrite, SyncAction};
use super::pod_failure_policy::{Judgement, Matched, MatchedRule};
use super::tally::{Claimed, Tally, number, sorted};
use super::view::JobView;
use super::{backoff_per_index, conditions, deletion, failure_rules};
use crate::runtime::order;

/// What is left to do once the requests of the first half have succeeded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settling {
    /// How the Job ends; none if it does not, or not all of its pods are counted yet.
    pub(crate) ending: Option<Ending>,
    /// When that was decided.
    pub(crate) decided_at: Timestamp,
    /// The UID of the Job that this was decided about.
    pub(crate) uid: Text,
    /// Its generation at that time.
    pub(crate) generation: i64,
    /// What the metrics record of the sync.
    pub(crate) action: SyncAction,
    /// When the sync is tried again, if a request of it failed.
    pub(crate) retry_at: Option<Timestamp>,
}

impl Settling {
    /// Whether the Job is the one that this was decided about, with the same spec, and has not finished since: a write can succeed although its answer
    /// is lost.
    pub(crate) fn still_holds(&self, job: &Job) -> bool {
        (&self.uid, self.generation) == (&job.metadata.uid, job.metadata.generation) && !job.finished()
    }

    /// What is left to do after a failure that is retried at a time: pods are counted, but the Job does not end.
    pub(crate) fn after_failure(self, retry_at: Timestamp) -> Self {
        Self { ending: None, retry_at: Some(retry_at), ..self }
    }
}

/// A status in the making.
#[derive(Debug)]
pub(crate) struct StatusDraft {
    pub(crate) status: JobStatus,
    /// Whether it is to be written.
    pub(crate) changed: bool,
}

impl StatusDraft {
    /// The list of pods on their way into the counters.
    pub(crate) fn uncounted(&mut self) -> &mut UncountedTerminatedPods {
        self.status.uncounted_terminated_pods.get_or_insert_default()
    }

    /// Moves pods that are not among those waiting, which are sorted, from the lists into the counters. Returns how many succeeded and failed.
    pub(crate) fn clean(&mut self, waiting: &[&str]) -> (usize, usize) {
        let uncounted = self.uncounted();
        let before = (uncounted.succeeded.len(), uncounted.failed.len());
        uncounted.succeeded.retain(|uid| waiting.binary_search(&&**uid).is_ok());
        uncounted.failed.retain(|uid| waiting.binary_search(&&**uid).is_ok());
        let (succeeded, failed) = (before.0 - uncounted.succeeded.len(), before.1 - uncounted.failed.len());
        self.status.succeeded = self.status.succeeded.saturating_add(number(succeeded));
        self.status.failed = self.status.failed.saturating_add(number(failed));
        self.changed |= succeeded + failed > 0;
        (succeeded, failed)
    }

    /// The request that writes the status, if it is to be written.
    pub(crate) fn write(self, view: &JobView<'_>, write: StatusWrite) -> Option<JobCommand> {
        if !self.changed {
            return None;
        }
        let job = view.job;
        let request = Request::write_status(Kind::Job, &job.metadata, &self.status);
        let write =
            StatusWrite { succeeded: succeeded_growth(view, &self.status), failed: growth(job.status.failed, self.status.failed), ..write };
        Some(Intent::WriteStatus(Box::new(write)).command(request, &[]))
    }
}

/// Lists ended pods in the status and takes their finalizers (§12 steps 1–8).
pub(crate) fn record(
    view: &JobView<'_>,
    tally: &Tally<'_>,
    ending: Option<Ending>,
    mut draft: StatusDraft,
    backoff: Backoff,
    plan: &mut JobPlan,
    now: Timestamp,
) {
    let tracked: Vec<&Claimed<'_>> = tracked(tally);
    let waiting = waiting(tally.pods);
    let (succeeded, failed) = draft.clean(&waiting);
    if succeeded + failed > 0 {
        plan.decide(JobDecision::Tracking(Tracking::Records { succeeded, failed }));
    }
    let mut listing =
        PodTracking { view, tally, ending: ending.as_ref().map(|ending| ending.kind), newly: Vec::new(), freed: Vec::new(), cut: false };
    listing.list(&tracked, &mut draft, plan);
    let PodTracking { newly, freed, cut, .. } = listing;
    let failed_indexes = write_indexes(view, tally, newly, &mut draft, plan, now);
    if let Some(ending) = &ending {
        mark_interim(ending, &mut draft, now);
    }
    let left = ending.is_some() && !cut || !draft.uncounted().is_empty();
    plan.sync.settling = left.then(|| Settling {
        ending: ending.filter(|_| !cut),
        decided_at: now,
        uid: view.job.metadata.uid.clone(),
        generation: view.job.metadata.generation,
        action: plan.sync.action.unwrap_or_default(),
        retry_at: view.memory.blocked.map(|blocked| blocked.until),
    });
    if !draft.changed && !freed.is_empty() && view.extensions.numbers_attempts() {
        // The failures of pods that do not count are remembered without a write, too.
        plan.sync.backoff = Some(backoff);
    }
    let write = StatusWrite { backoff: Some(backoff), failed_indexes, ..StatusWrite::default() };
    plan.then(draft.write(view, write).into_iter().collect());
    let free = |pod: &&Claimed<'_>| deletion::free(view, pod.pod, Intent::RemoveFinalizer { uid: pod.uid().clone() });
    plan.then(freed.iter().map(free).collect());
}

/// The UIDs of the pods that hold the finalizer, sorted.
pub(crate) fn waiting<'a>(pods: &[Claimed<'a>]) -> Vec<&'a str> {
    sorted(pods.iter().filter(|pod| pod.tracked).map(|pod| &pod.pod.metadata.uid))
}

/// The pods that hold the finalizer; of an Indexed Job by index, those without one first.
fn tracked<'a>(tally: &Tally<'a>) -> Vec<&'a Claimed<'a>> {
    let tracked: Vec<&Claimed<'_>> = tally.pods.iter().filter(|pod| pod.tracked).collect();
    if tally.indexes.is_none() {
        return tracked;
    }
    order::sorted(&tracked, |one, other| one.index.cmp(&other.index))
}

/// Goes through pods and notes what they count as (§12 step 4).
struct PodTracking<'a> {
    view: &'a JobView<'a>,
    tally: &'a Tally<'a>,
    ending: Option<EndingKind>,
    /// Indexes that succeeded and were not recorded; ascending, as pods come by index.
    newly: Vec<u32>,
    /// Pods that lose the finalizer.
    freed: Vec<&'a Claimed<'a>>,
    /// Whether pods are left for the next time (J-125).
    cut: bool,
}

impl<'a> PodTracking<'a> {
    fn list(&mut self, tracked: &[&'a Claimed<'a>], draft: &mut StatusDraft, plan: &mut JobPlan) {
        let listed = draft.uncounted().clone();
        let (succeeded, failed) = (sorted(listed.succeeded.iter()), sorted(listed.failed.iter()));
        let completions = self.tally.indexes.as_ref().map_or(0, |indexes| indexes.completions);
        let recorded = IndexSet::parse_leniently(&self.view.job.status.completed_indexes, completions);
        let limit = self.view.config.limits.max_uncounted_pods;
        let mut released = 0;
        for pod in tracked {
            if !self.freeable(pod, plan) {
                continue;
            }
            self.freed.push(pod);
            let listed = |uids: &[&str]| uids.binary_search(&&**pod.uid()).is_ok();
            // The API server refuses a pod that is on both lists: what was listed first stands.
            let stands = |counted| JobDecision::Tracking(Tracking::CountedOtherwise { pod: pod.pod.metadata.name.clone(), counted });
            if pod.succeeded() {
                // An index succeeds nevertheless.
                if listed(&failed) && self.tally.indexes.is_none() {
                    plan.decide(stands("failed"));
                } else {
                    self.list_succeeded(pod, &recorded, &succeeded, draft, plan);
                }
            } else if pod.failed(self.tally.only_replace_failed) || self.ends_in_failure() {
                if listed(&succeeded) {
                    plan.decide(stands("succeeded"));
                } else if !listed(&failed) {
                    self.list_failed(pod, draft, plan);
                }
            } else {
                released += 1;
            }
            if self.newly.len() + draft.uncounted().len() >= limit {
                self.cut = true;
                plan.decide(JobDecision::Tracking(Tracking::LimitsCounting { limit }));
                break;
            }
        }
        if released > 0 && self.view.job.metadata.deleting() {
            plan.decide(JobDecision::Tracking(Tracking::ReleasesUncounted { pods: released }));
        }
    }

    /// Whether the pod may lose the finalizer (J-124).
    fn freeable(&self, pod: &Claimed<'_>, plan: &mut JobPlan) -> bool {
        if self.view.job.metadata.deleting() || self.ending.is_some() || pod.succeeded() {
            return true;
        }
        let held = |index: &u32| self.tally.indexes.as_ref().and_then(|indexes| indexes.held.get(*index));
        let failed = pod.failed(self.tally.only_replace_failed);
        match pod.index.filter(|index| failed && held(index).is_some_and(|held| held.uid() == pod.uid())) {
            Some(index) => {
                plan.decide(JobDecision::IndexFailure(IndexFailure::HoldsFailure { pod: pod.pod.metadata.name.clone(), index }));
                false
            }
            None if self.tally.is_kept(pod) => {
                plan.decide(JobDecision::Tracking(Tracking::KeepsFailedPod { pod: pod.pod.metadata.name.clone(), index: pod.index }));
                false
            }
            None => failed && self.view.invalid.is_none(),
        }
    }

    fn ends_in_failure(&self) -> bool {
        self.ending.is_some_and(|ending| ending != EndingKind::Success)
    }

    fn list_succeeded(&mut self, pod: &Claimed<'_>, recorded: &IndexSet, listed: &[&str], draft: &mut StatusDraft, plan: &mut JobPlan) {
        let name = pod.pod.metadata.name.clone();
        match (pod.index, self.tally.indexes.is_some()) {
            (Some(index), _) if self.tally.index_failed(index) => return,
            (Some(index), _) if recorded.contains(index) || self.newly.last() == Some(&index) => return,
            (Some(index), _) => self.newly.push(index),
            (None, true) => {
                plan.decide(JobDecision::Tracking(Tracking::DropsUnknownIndex { pod: name }));
                return;
            }
            (None, false) if listed.binary_search(&&**pod.uid()).is_ok() => return,
            (None, false) => draft.uncounted().succeeded.push(pod.uid().clone()),
        }
        draft.changed = true;
        plan.decide(JobDecision::Tracking(Tracking::CountsSuccess { pod: name, index: pod.index }));
    }

    fn list_failed(&self, pod: &Claimed<'_>, draft: &mut StatusDraft, plan: &mut JobPlan) {
        let (name, index) = (pod.pod.metadata.name.clone(), pod.index);
        if self.tally.indexes.is_some() && index.is_none() {
            plan.decide(JobDecision::Tracking(Tracking::DropsUnknownIndex { pod: name }));
            return;
        }
        let judgement = self.view.judge(pod.pod);
        plan.sync.judged.extend(judgement.rule().map(|rule| rule.action.name()));
        if judgement.counts {
            draft.uncounted().failed.push(pod.uid().clone());
            draft.changed = true;
        }
        let retried = judgement.line().filter(|line| line.goes_on() && judgement.counts);
        plan.decisions.extend(retried.map(|line| JobDecision::Tracking(Tracking::RuleMatched { matched: line.in_words(), counts: true })));
        plan.decide(JobDecision::Tracking(failure(self.view, pod, self.tally.only_replace_failed)));
    }
}

/// What a failed pod counts as, and why (J-96…J-100, J-124, X-6).
pub(crate) fn failure(view: &JobView<'_>, pod: &Claimed<'_>, only_replace_failed: bool) -> Tracking {
    let (name, index) = (pod.pod.metadata.name.clone(), pod.index);
    let Judgement { matched, counts } = view.judge(pod.pod);
    match matched {
        Some(Matched::Line(line)) if !counts => Tracking::RuleMatched { matched: line.in_words(), counts },
        Some(Matched::Policy(MatchedRule { number: rule, by, .. })) if !counts => Tracking::IgnoresFailure { pod: name, index, rule, by },
        Some(Matched::Policy(MatchedRule { number: rule, action, by })) if pod.failed(only_replace_failed) => {
            Tracking::CountsFailureByPolicy { pod: name, index, rule, action: action.name(), by }
        }
        Some(_) | None => {
            let failed = failed_container(pod.pod);
            let several = pod.pod.containers.len() + pod.pod.init_containers.len() > 1;
            Tracking::CountsFailure {
                pod: name,
                index,
                exit_code: failed.map(|(_, code)| code),
                container: failed.filter(|_| several).map(|(container, _)| container.clone()),
                disruption: pod.pod.disruption(),
                because: why_failed(view, pod, only_replace_failed),
            }
        }
    }
}

/// The first container that failed, and its exit code. Sidecars do not fail their pod.
fn failed_container(pod: &Pod) -> Option<(&Text, i32)> {
    let containers = pod.containers.iter().chain(&pod.init_containers).filter(|container| !container.sidecar);
    let code = |container: &ContainerStatus| container.terminated().map(|end| end.exit_code).filter(|code| *code != 0);
    containers.filter_map(|container| Some((&container.name, code(container)?))).next()
}

fn why_failed(view: &JobView<'_>, pod: &Claimed<'_>, only_replace_failed: bool) -> Cow<'static, str> {
    let used_up = || failure_rules::used_up(view.failure_rules().filter(|_| view.judge(pod.pod).line().is_none())?, view.job, pod.pod);
    match () {
        () if !pod.failed(only_replace_failed) => "the Job failed while the pod was still running".into(),
        () if let Some(line) = used_up() => format!("line {line} of the annotation {ON_FAILURE} is used up").into(),
        () if view.job.spec.pod_failure_policy.is_some() => "no rule of podFailurePolicy matches".into(),
        () if !pod.pod.phase.ended() => "it was deleted before it finished".into(),
        () => "every failed pod counts".into(),
    }
}

/// Brings the lists of indexes up to date (§12 step 5). Returns how many more indexes failed.
fn write_indexes(
    view: &JobView<'_>,
    tally: &Tally<'_>,
    newly: Vec<u32>,
    draft: &mut StatusDraft,
    plan: &mut JobPlan,
    now: Timestamp,
) -> u32 {
    let Some(indexes) = &tally.indexes else { return 0 };
    drop_indexes(view, indexes.completions, plan);
    let succeeded = IndexSet::parse_leniently(&view.job.status.completed_indexes, indexes.completions).with(newly);
    let (count, text): (i32, Text) = (succeeded.len().try_into().unwrap_or(i32::MAX), succeeded.to_string().into());
    draft.changed |= draft.status.succeeded != count || draft.status.completed_indexes != text;
    (draft.status.succeeded, draft.status.completed_indexes) = (count, text);
    let Some(failed) = &indexes.failed else { return 0 };
    let text: Text = failed.to_string().into();
    if draft.status.failed_indexes.as_ref() == Some(&text) {
        return 0;
    }
    let recorded = backoff_per_index::recorded(view.job, indexes.completions);
    for pod in tally.pods.iter().filter(|pod| pod.index.is_some_and(|index| failed.contains(index) && !recorded.contains(index))) {
        let failure = backoff_per_index::index_failure(view, pod, tally.only_replace_failed, now);
        plan.decisions.extend(failure.map(JobDecision::IndexFailure));
    }
    draft.changed = true;
    draft.status.failed_indexes = Some(text);
    failed.len().saturating_sub(recorded.len())
}

/// Says which indexes no longer count, as `completions` was lowered (J-106): the lists are written without them.
fn drop_indexes(view: &JobView<'_>, completions: u32, plan: &mut JobPlan) {
    let status = &view.job.status;
    for (text, counted) in [(Some(&status.completed_indexes), "succeeded"), (status.failed_indexes.as_ref(), "failed")] {
        let dropped = text.map(|text| IndexSet::parse_leniently(text, u32::MAX).from(completions)).unwrap_or_default();
        if !dropped.is_empty() {
            let (indexes, count) = (dropped.to_string(), dropped.len());
            plan.decide(JobDecision::Tracking(Tracking::DropsIndexes { indexes, count, counted, completions }));
        }
    }
}

/// Adds the interim condition (J-126).
fn mark_interim(ending: &Ending, draft: &mut StatusDraft, now: Timestamp) {
    let conditions = &mut draft.status.conditions;
    let kind = match ending.kind {
        EndingKind::KnownFailure => return,
        EndingKind::Success if conditions.iter().any(|condition| &*condition.kind == SUCCESS_CRITERIA_MET) => return,
        EndingKind::Success => SUCCESS_CRITERIA_MET,
        EndingKind::Failure => FAILURE_TARGET,
    };
    conditions::set(conditions, holding(kind, &ending.reason, &ending.message, now));
    draft.changed = true;
}

/// How many more pods, or indexes, count as succeeded (J-153).
fn succeeded_growth(view: &JobView<'_>, status: &JobStatus) -> u32 {
    match indexed_completions(view.job) {
        Some(completions) => {
            let before = IndexSet::parse_leniently(&view.job.status.completed_indexes, completions).len();
            IndexSet::parse_leniently(&status.completed_indexes, completions).len().saturating_sub(before)
        }
        None => growth(view.job.status.succeeded, status.succeeded),
    }
}

fn growth(before: i32, after: i32) -> u32 {
    after.saturating_sub(before).try_into().unwrap_or(0)
}
