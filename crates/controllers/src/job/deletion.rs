//! Deletion: which active pods go first, and how they go.
//!
//! Docs: Jobs, "Controlling parallelism", "Termination of Job pods" (J-47, J-80, J-81a, J-90, J-107). How many go is decided in `parallelism.rs`.

use std::cmp::Reverse;

use api::indexes::IndexSet;
use api::pod::{ContainerStatus, Phase};
use api::request::Request;
use api::{Kind, Pod, Timestamp, time};

use super::decision::{PodControl, Wanted};
use super::expectations::Expected;
use super::fields::quoted;
use super::plan::{Intent, JobCommand, JobPlan};
use super::tally::{Claimed, Tally, ascending};
use super::view::JobView;
use crate::runtime::draft::NOT_FOUND;
use crate::runtime::order;

/// How many surplus pods a decision names.
const NAMED: usize = 3;

/// Active pods that are to go.
#[derive(Debug)]
pub(crate) struct Surplus<'a> {
    pub(crate) pods: Vec<&'a Claimed<'a>>,
    /// How many of them have no index of their own (J-107).
    without_index: usize,
    /// The pod that would go next.
    next: Option<&'a Claimed<'a>>,
}

impl Surplus<'_> {
    /// Why these pods go, where the Job has so many pods and completions.
    pub(crate) fn decisions(&self, numbers: Wanted) -> Vec<PodControl> {
        let (without, further) = self.pods.split_at(self.without_index);
        let completions = numbers.completions.unwrap_or_default();
        let (twice, without): (Vec<&Claimed<'_>>, Vec<_>) = without.iter().copied().partition(|pod| pod.index.is_some());
        let (beyond, without): (Vec<&Claimed<'_>>, Vec<_>) = without.into_iter().partition(|pod| pod.pod.completion_index.is_some());
        let indexes =
            |pods: &[&Claimed<'_>]| IndexSet::default().with(ascending(pods.iter().filter_map(|pod| pod.pod.completion_index))).to_string();
        let mut decisions = Vec::new();
        if !beyond.is_empty() {
            decisions.push(PodControl::DeletesBeyondCompletions { pods: beyond.len(), indexes: indexes(&beyond), completions });
        }
        if !twice.is_empty() {
            decisions.push(PodControl::DeletesDuplicates { pods: twice.len(), indexes: indexes(&twice) });
        }
        if !without.is_empty() {
            decisions.push(PodControl::DeletesWithoutIndex { pods: without.len() });
        }
        if !further.is_empty() {
            let because = |pod: &Claimed<'_>| self.next.and_then(|next| goes_before(pod.pod, next.pod));
            let first = further.iter().take(NAMED).map(|pod| (pod.pod.metadata.name.clone(), because(pod))).collect();
            decisions.push(PodControl::DeletesSurplus { pods: further.len(), first, numbers });
        }
        decisions
    }
}

/// The active pods that go so that `wanted` stay, at most `limit` of them.
pub(crate) fn surplus<'a>(tally: &Tally<'a>, wanted: usize, limit: usize) -> Surplus<'a> {
    let (mut pods, kept) = match tally.indexes {
        Some(_) => without_own_index(&tally.active),
        None => (Vec::new(), tally.active.clone()),
    };
    let without_index = pods.len();
    let further = tally.active.len().saturating_sub(wanted + without_index);
    let mut next = None;
    if further > 0 {
        let ranks: Vec<_> = kept.iter().map(|pod| rank(pod.pod)).collect();
        let places = order::places(kept.len(), &|one, other| ranks[one].cmp(&ranks[other]));
        next = places.get(further).map(|place| kept[*place]);
        pods.extend(places.into_iter().take(further).map(|place| kept[place]));
    }
    pods.truncate(limit);
    Surplus { without_index: without_index.min(pods.len()), pods, next }
}

/// Pods without an index of the Job and all but the last-ranked of each index; then the others. Of equals the later one in the list stays,
/// so an adopted pod rather than one of the Job's own.
fn without_own_index<'a>(active: &[&'a Claimed<'a>]) -> (Vec<&'a Claimed<'a>>, Vec<&'a Claimed<'a>>) {
    let (mut without, mut kept) = (Vec::new(), Vec::<(u32, &Claimed<'_>)>::new());
    for &pod in active {
        let Some(index) = pod.index else {
            without.push(pod);
            continue;
        };
        match kept.binary_search_by_key(&index, |(index, _)| *index) {
            Ok(at) if rank(pod.pod) >= rank(kept[at].1.pod) => without.push(std::mem::replace(&mut kept[at].1, pod)),
            Ok(_) => without.push(pod),
            Err(at) => kept.insert(at, (index, pod)),
        }
    }
    (without, kept.into_iter().map(|(_, pod)| pod).collect())
}

/// The order in which pods go: not assigned, not running, not ready, ready for less long, restarted more often, newer (J-90).
type Rank = (bool, Phase, bool, Reverse<Timestamp>, Reverse<i32>, Reverse<i32>, Reverse<Timestamp>);

fn rank(pod: &Pod) -> Rank {
    let ready_since = if pod.ready { pod.condition("Ready").and_then(|ready| ready.last_transition_time) } else { None };
    let sidecars = pod.init_containers.iter().filter(|container| container.sidecar);
    (
        pod.assigned,
        pod.phase,
        pod.ready,
        Reverse(ready_since.unwrap_or(Timestamp::MAX)),
        Reverse(most_restarts(pod.containers.iter())),
        Reverse(most_restarts(sidecars)),
        Reverse(pod.metadata.creation_timestamp.unwrap_or(Timestamp::MAX)),
    )
}

/// The rule by which a pod goes before another one, if any.
fn goes_before(pod: &Pod, other: &Pod) -> Option<&'static str> {
    let (one, other) = (rank(pod), rank(other));
    let rules = [
        (one.0 != other.0, "not scheduled"),
        (one.1 != other.1, "not running"),
        (one.2 != other.2, "not ready"),
        (time::whole_seconds(one.3.0) != time::whole_seconds(other.3.0), "ready for a shorter time"),
        (one.4 != other.4, "restarted more often"),
        (one.5 != other.5, "sidecar restarted more often"),
        (one.6 != other.6, "newer"),
    ];
    rules.into_iter().find_map(|(differs, rule)| differs.then_some(rule))
}

fn most_restarts<'a>(containers: impl Iterator<Item = &'a ContainerStatus>) -> i32 {
    containers.map(|container| container.restart_count).max().unwrap_or(0)
}

/// Deletes pods without counting them: each first loses the finalizer and is then deleted (J-80), whatever becomes of the others (J-03).
pub(crate) fn delete_uncounted(view: &JobView<'_>, pods: &[&Claimed<'_>], plan: &mut JobPlan) {
    let held = |pod: &&Claimed<'_>| pod.tracked || pod.pod.metadata.has_finalizer(&view.config.tracking_finalizer);
    let (held, loose): (Vec<&Claimed<'_>>, Vec<&Claimed<'_>>) = pods.iter().copied().partition(held);
    let delete = |pod: &Claimed<'_>| delete(pod.pod, Intent::DeleteFreed { pod: pod.pod.metadata.name.clone(), index: pod.index });
    let freed = plan.next_number()..;
    let frees = held.iter().map(|pod| free(view, pod.pod, Intent::Free));
    plan.then(frees.chain(loose.iter().map(|pod| delete(pod))).collect());
    plan.then(held.iter().zip(freed).map(|(pod, number)| delete(pod).after(number)).collect());
    plan.sync.expected = Some(Expected::Deletions(pods.len()));
}

/// Deletes pods that keep the finalizer until they are counted (J-47).
pub(crate) fn delete_counted(pods: &[&Claimed<'_>], plan: &mut JobPlan) {
    let delete = |pod: &&Claimed<'_>| delete(pod.pod, Intent::DeleteEnding { pod: pod.pod.metadata.name.clone(), index: pod.index });
    plan.then(pods.iter().map(delete).collect());
}

/// Takes the tracking finalizer from a pod.
pub(crate) fn free(view: &JobView<'_>, pod: &Pod, intent: Intent) -> JobCommand {
    intent.command(free_request(&view.config.tracking_finalizer, pod), &[NOT_FOUND])
}

/// The request that takes a finalizer from a pod.
pub(crate) fn free_request(finalizer: &str, pod: &Pod) -> Request {
    let body = format!(r#"{{"metadata":{{"$deleteFromPrimitiveList/finalizers":[{}]}}}}"#, quoted(finalizer));
    Request::patch(Kind::Pod, &pod.metadata.namespace, &pod.metadata.name, body)
}

fn delete(pod: &Pod, intent: Intent) -> JobCommand {
    let request = Request::delete(Kind::Pod, &pod.metadata.namespace, &pod.metadata.name, String::new());
    intent.command(request, &[NOT_FOUND])
}
