//! Ownership: which pods are the Job's, which are let go and which adopted.
//!
//! Docs: Jobs, "Pod selector", "Specifying your own Pod selector" (J-60…J-66). Pods that lost their Job are in `orphans.rs`.

use api::request::Request;
use api::{Job, Kind, OwnerReference, Pod};
use serde::Serialize;

use super::decision::{JobDecision, Ownership};
use super::indexes::indexed_completions;
use super::plan::{Intent, JobCommand, JobPlan, Sync, because};
use super::tally::Claimed;
use super::view::JobView;
use crate::runtime::draft::{INVALID, NOT_FOUND};

/// The Job's pods, or why they are not known yet.
#[derive(Debug)]
pub(crate) enum Claims<'a> {
    /// The pods, by name; the plan begins with what makes them the Job's.
    Settled(Vec<Claimed<'a>>, JobPlan),
    /// Something else comes first.
    Unsettled(JobPlan),
}

/// Sorts out the pods that are, or could be, the Job's.
pub(crate) fn claim<'a>(view: &JobView<'a>) -> Claims<'a> {
    let job = view.job;
    let (mut pods, mut changes, mut plan) = (Vec::new(), Vec::new(), JobPlan::new(Sync::default()));
    for &pod in &view.owned {
        if selects(job, pod) {
            pods.push(claimed(view, pod, false));
        } else if !job.metadata.deleting() {
            plan.decide(JobDecision::Ownership(Ownership::Releases { pod: pod.metadata.name.clone() }));
            changes.push(release(view, pod));
        }
    }
    let adopted: Vec<&Pod> = view.loose.iter().copied().filter(|pod| adoptable(job, pod)).collect();
    if let Some(unsettled) = unconfirmed(view, adopted.len()) {
        return Claims::Unsettled(unsettled);
    }
    for pod in adopted {
        plan.decide(JobDecision::Ownership(Ownership::Adopts { pod: pod.metadata.name.clone() }));
        changes.push(adopt(view, pod));
        pods.push(claimed(view, pod, true));
    }
    plan.then(changes);
    Claims::Settled(pods, plan)
}

/// Whether the Job's selector selects the pod.
pub(crate) fn selects(job: &Job, pod: &Pod) -> bool {
    job.spec.selector.as_ref().is_some_and(|selector| selector.matches(&pod.metadata.labels))
}

/// Whether the Job may adopt a pod without a controller.
pub(crate) fn adoptable(job: &Job, pod: &Pod) -> bool {
    !job.metadata.deleting() && !pod.metadata.deleting() && selects(job, pod)
}

/// What to do before pods are adopted: read the Job, or refuse if it is not what it was (J-63).
fn unconfirmed(view: &JobView<'_>, adopted: usize) -> Option<JobPlan> {
    if adopted == 0 {
        return None;
    }
    let metadata = &view.job.metadata;
    let Some(confirmed) = view.confirmed else {
        let mut plan = because(JobDecision::Ownership(Ownership::ConfirmsJob { pods: adopted }));
        let request = Request::read(Kind::Job, &metadata.namespace, &metadata.name);
        plan.then(vec![Intent::Confirm.command(request, &[])]);
        return Some(plan);
    };
    let reason = match () {
        () if confirmed.uid != metadata.uid => "was replaced by another one of its name",
        () if confirmed.deleting => "is being deleted",
        () => return None,
    };
    let mut plan = because(JobDecision::Ownership(Ownership::AdoptionRefused { because: reason }));
    plan.sync.falls_short = true;
    Some(plan)
}

fn claimed<'a>(view: &JobView<'_>, pod: &'a Pod, adopted: bool) -> Claimed<'a> {
    let held = pod.metadata.has_finalizer(&view.config.tracking_finalizer);
    let removed = view.memory.expectations.expects_removal(&pod.metadata.uid);
    Claimed::new(pod, adopted || held && !removed, index(view.job, pod))
}

/// The pod's completion index, if it is one of this Job's.
pub(crate) fn index(job: &Job, pod: &Pod) -> Option<u32> {
    let completions = indexed_completions(job)?;
    pod.completion_index.filter(|index| *index < completions)
}

/// The one owner reference of a Job's pods.
pub(crate) fn owner_reference(job: &Job) -> OwnerReference {
    OwnerReference {
        api_version: Kind::Job.api_version().into(),
        kind: Kind::Job.name().into(),
        name: job.metadata.name.clone(),
        uid: job.metadata.uid.clone(),
        controller: Some(true),
        block_owner_deletion: Some(true),
    }
}

/// The changes of a pod's metadata that make it another's, as a strategic merge patch.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MetadataPatch<'a, O> {
    uid: &'a str,
    owner_references: [O; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    finalizers: Option<[&'a str; 1]>,
    #[serde(rename = "$deleteFromPrimitiveList/finalizers", skip_serializing_if = "Option::is_none")]
    taken_finalizers: Option<[&'a str; 1]>,
}

/// An owner to be taken out.
#[derive(Serialize)]
struct FormerOwner<'a> {
    #[serde(rename = "$patch")]
    patch: &'static str,
    uid: &'a str,
}

fn release(view: &JobView<'_>, pod: &Pod) -> JobCommand {
    let owner = FormerOwner { patch: "delete", uid: &view.job.metadata.uid };
    let finalizer = Some([&*view.config.tracking_finalizer]);
    let change = MetadataPatch { uid: &pod.metadata.uid, owner_references: [owner], finalizers: None, taken_finalizers: finalizer };
    Intent::Release.command(patch(pod, &change), &[NOT_FOUND, INVALID])
}

fn adopt(view: &JobView<'_>, pod: &Pod) -> JobCommand {
    let (owner, finalizer) = (owner_reference(view.job), Some([&*view.config.tracking_finalizer]));
    let change = MetadataPatch { uid: &pod.metadata.uid, owner_references: [owner], finalizers: finalizer, taken_finalizers: None };
    Intent::Adopt.command(patch(pod, &change), &[])
}

fn patch<O: Serialize>(pod: &Pod, change: &MetadataPatch<'_, O>) -> Request {
    let change = serde_json::to_string(change).expect("a change has text keys only");
    Request::patch(Kind::Pod, &pod.metadata.namespace, &pod.metadata.name, format!(r#"{{"metadata":{change}}}"#))
}
