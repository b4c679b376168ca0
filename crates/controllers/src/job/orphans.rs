//! Orphans: finalizers that no Job takes away any more.
//!
//! Docs: Jobs, "Job tracking with finalizers" (J-135…J-137). Pods that still have their Job are in `tracking.rs`.

use api::{Kind, Pod};

use super::deletion::free_request;
use crate::config::Config;
use crate::decision::{Decision, Leftover};
use crate::key::{Item, JobKey};
use crate::plan::{Command, Intent, NOT_FOUND, Plan};
use crate::store::Store;

/// Takes the finalizer from each pod of the item that nobody else frees.
pub(crate) fn reconcile(store: &Store, config: &Config, item: &Item) -> Plan {
    let mut plan = Plan::default();
    let mut commands = Vec::new();
    let pods: Vec<&Pod> = match item {
        Item::Job(_) => Vec::new(),
        Item::Pod { namespace, name } => store.pod(namespace, name).into_iter().collect(),
        Item::Selected { job, selector } => store.pods_in(&job.namespace).filter(|pod| selector.matches(&pod.metadata.labels)).collect(),
    };
    for pod in pods.into_iter().filter(|pod| pod.metadata.has_finalizer(&config.tracking_finalizer)) {
        let name = pod.metadata.name.clone();
        match judge(store, config, pod) {
            Ok(because) => {
                plan.decisions.push(Decision::Leftover(Leftover::FreesPod { pod: name, because }));
                let request = free_request(&config.tracking_finalizer, pod);
                commands.push(Command { request, tolerates: &[NOT_FOUND], intent: Intent::FreeLeftover });
            }
            Err(because) => plan.decisions.push(Decision::Leftover(Leftover::LeavesPod { pod: name, because })),
        }
    }
    if plan.decisions.is_empty() {
        plan.decisions.push(Decision::Leftover(Leftover::NothingLeftOver));
    }
    plan.then(commands);
    plan
}

/// Why the pod is freed, or why it is left alone (J-136).
fn judge(store: &Store, config: &Config, pod: &Pod) -> Result<&'static str, &'static str> {
    let Some(controller) = pod.metadata.controller() else { return Ok("it has no controller") };
    if &*controller.kind != Kind::Job.name() || &*controller.api_version != Kind::Job.api_version() {
        return Err("its controller is no Job");
    }
    let key = JobKey { namespace: pod.metadata.namespace.clone(), name: controller.name.clone() };
    match store.job(&key).filter(|job| job.metadata.uid == controller.uid) {
        None => Ok("its Job is gone"),
        Some(job) if config.other_manager(job).is_some() => Err("its Job is managed by another controller"),
        Some(job) if job.finished() => Ok("its Job has finished"),
        Some(_) => Err("its Job still takes care of it"),
    }
}
