//! The page "Jobs", read naively: what its policies do with pods and indexes.
//!
//! Docs: Jobs, "Pod failure policy", "Success policy", "Delayed creation of replacement pods" (J-72, J-96…J-98, J-116). It shares nothing with the controllers.

use std::collections::BTreeSet;

use api::Job;
use api::job::conditions::{FAILURE_TARGET, SUCCESS_CRITERIA_MET};
use api::job::{PodFailurePolicyRule, SuccessPolicyRule};
use api::meta::names;
use api::pod::{ContainerProgress, Phase};

use crate::ledger::{JobRecord, Ledger, PodRecord, indexes, read};
use crate::rules;

/// Whether a pod is replaced only once it has failed; rules on failed pods see to that, too.
pub(crate) fn only_replaces_failed(job: &Job) -> bool {
    let policy = job.spec.pod_failure_policy.is_some() || job.spec.pod_replacement_policy.as_deref() == Some("Failed");
    policy || rules::has_rules(job)
}

/// What the Job's pod failure policy does with a failed pod: the action of the first rule that matches.
pub(crate) fn action<'a>(job: &'a Job, pod: &'a api::Pod) -> Option<&'a str> {
    matching(job, pod).map(|(_, rule, _)| &*rule.action)
}

/// What the condition of a Job says that fails by a rule of its policy for this pod (J-97, J-98).
pub(crate) fn failure_message(job: &Job, pod: &api::Pod) -> Option<String> {
    let (at, rule, what) = matching(job, pod)?;
    let name = format!("{}/{}", pod.metadata.namespace, pod.metadata.name);
    let sentence = match what {
        Match::ExitCode(container, code) => format!("Container {container} for pod {name} failed with exit code {code}"),
        Match::Condition(kind) => format!("Pod {name} has condition {kind}"),
    };
    (&*rule.action == "FailJob").then(|| format!("{sentence} matching FailJob rule at index {at}"))
}

/// What of a pod a rule matches.
enum Match<'a> {
    ExitCode(&'a str, i32),
    Condition(&'a str),
}

/// The first rule that matches, its number, and what it matches: of containers the first one, init containers and sidecars after the others.
fn matching<'a>(job: &'a Job, pod: &'a api::Pod) -> Option<(usize, &'a PodFailurePolicyRule, Match<'a>)> {
    let rules = job.spec.pod_failure_policy.as_ref()?.rules.iter().enumerate();
    rules.filter_map(|(at, rule)| Some((at, rule, matches(rule, pod)?))).next()
}

fn matches<'a>(rule: &PodFailurePolicyRule, pod: &'a api::Pod) -> Option<Match<'a>> {
    let Some(codes) = &rule.on_exit_codes else {
        let same = |found: &&api::pod::PodCondition| {
            rule.on_pod_conditions.iter().any(|wanted| wanted.kind == found.kind && *wanted.status == *found.status.name())
        };
        return pod.conditions.iter().find(same).map(|found| Match::Condition(&found.kind));
    };
    let mut all = pod.containers.iter().chain(&pod.init_containers);
    all.find_map(|container| {
        let code = container.terminated()?.exit_code;
        let named = codes.container_name.as_ref().is_none_or(|name| *name == container.name);
        let listed = codes.values.contains(&code);
        let matched = named && code != 0 && if &*codes.operator == "In" { listed } else { !listed };
        matched.then_some(Match::ExitCode(&container.name, code))
    })
}

/// Whether a pod has failed, and such failures are ignored.
pub(crate) fn ignored(job: &Job, pod: &PodRecord) -> bool {
    pod.phase() == "Failed" && (action(job, pod.facts()) == Some("Ignore") || rules::uncounted(job, pod))
}

/// Whether a pod that is taken to run counts as failed because its Job fails, and such failures are ignored (J-124).
pub(crate) fn ignored_while_it_runs(job: &Job, pod: &PodRecord) -> bool {
    let mut running = read(&pod.stored);
    running.containers.iter_mut().chain(&mut running.init_containers).for_each(|container| container.state = ContainerProgress::default());
    job.condition(FAILURE_TARGET).is_some()
        && (action(job, &running) == Some("Ignore") || pod.states().any(|state| rules::uncounted(job, state)))
}

/// Whether this pod makes its index fail (J-113).
pub(crate) fn fails_index(job: &Job, pod: &PodRecord) -> bool {
    let Some(limit) = job.spec.backoff_limit_per_index else { return false };
    let over = i64::from(pod.failures_before().0) >= i64::from(limit);
    if let Some(fails) = rules::fails_index(job, pod) {
        return fails;
    }
    if pod.phase() != "Failed" {
        return over && pod.metadata().deleting() && !only_replaces_failed(job);
    }
    match action(job, pod.facts()) {
        Some("FailIndex") => true,
        Some("Ignore") => false,
        Some(_) | None => over,
    }
}

/// The indexes that have succeeded, counted or not; those that the completions do not reach are left out.
pub(crate) fn succeeded_indexes(ledger: &Ledger, record: &JobRecord) -> BTreeSet<u32> {
    let job = record.job();
    let mut succeeded = indexes(&job.status.completed_indexes);
    let uncounted = ledger.pods_of(&job.metadata.uid).filter(|pod| pod.succeeded() && pod.countable);
    succeeded.extend(uncounted.flat_map(|pod| &pod.indexes));
    let completions = job.spec.completions.unwrap_or(0);
    succeeded.retain(|index| i64::from(*index) < i64::from(completions));
    succeeded
}

/// Whether a rule of the success policy is met by these indexes.
pub(crate) fn met(rule: &SuccessPolicyRule, succeeded: &BTreeSet<u32>) -> bool {
    let enough =
        |count: usize| rule.succeeded_count.is_some_and(|wanted| i64::try_from(count).is_ok_and(|count| count >= i64::from(wanted)));
    match &rule.succeeded_indexes {
        None => enough(succeeded.len()),
        Some(text) => {
            let listed = indexes(text);
            let both = listed.intersection(succeeded).count();
            !listed.is_empty() && (both == listed.len() || enough(both))
        }
    }
}

/// How often the containers of pods that have not ended were started again in place (J-82).
pub(crate) fn restarts(pod: &api::Pod) -> i64 {
    let all = pod.containers.iter().chain(&pod.init_containers);
    if matches!(pod.phase, Phase::Pending | Phase::Running) { all.map(|container| i64::from(container.restart_count)).sum() } else { 0 }
}

/// Whether the Job is another controller's business (J-42).
pub(crate) fn managed_by_other(job: &Job) -> bool {
    job.spec.managed_by.as_deref().is_some_and(|manager| manager != names::BUILT_IN_CONTROLLER)
}

/// Whether the Job is on its way to an end.
pub(crate) fn is_ending(job: &Job) -> bool {
    job.condition(SUCCESS_CRITERIA_MET).or_else(|| job.condition(FAILURE_TARGET)).is_some()
}

/// The pods of the Job of this UID that are there.
pub(crate) fn pods_of<'a>(ledger: &'a Ledger, job: &'a str) -> impl Iterator<Item = &'a PodRecord> {
    let own = move |pod: &&PodRecord| !pod.gone && pod.metadata().controller().is_some_and(|owner| *owner.uid == *job);
    ledger.pods_of(job).filter(own)
}

/// Whether a pod failed, or was to be deleted and may have been taken for failed (J-71).
pub(crate) fn may_have_failed(pod: &PodRecord) -> bool {
    pod.failed() || pod.metadata().deleting()
}

/// How many pods are to be active (J-81), at least and at most: not those of indexes that failed, but they may be of indexes that succeeded since. A Job without
/// completions that has a success gets no further ones.
pub(crate) fn wanted(job: &Job, active: usize) -> (usize, usize) {
    let (spec, status) = (&job.spec, &job.status);
    let number = |count: i32| usize::try_from(count).unwrap_or(0);
    let parallelism = number(spec.parallelism.unwrap_or(1));
    let Some(completions) = spec.completions else {
        let wanted = if status.succeeded > 0 { active } else { parallelism };
        return (wanted, wanted);
    };
    let left = number(completions - status.succeeded);
    let failed = indexes(status.failed_indexes.as_deref().unwrap_or_default()).len();
    (left.saturating_sub(failed).min(parallelism), left.min(parallelism))
}
