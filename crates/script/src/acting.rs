//! Carrying out a script's actions on pods and nodes.
//!
//! Docs: API-initiated Eviction; Nodes, "Node status"; the language is described in `lib.rs`. Actions on Jobs are requests, made in
//! `action.rs`; what concerns controllers, faults and the clock is up to the owner of the cluster.

use std::sync::Arc;

use api::request::Request;
use api::{Job, Kind, ObjectMeta, Text, Timestamp};
use cluster::apiserver::ApiServer;
use cluster::kubelet::{Kubelet, PodDisruption, disrupt};
use cluster::stored::Stored;

use super::action::Action;
use super::scripted::Scripted;
use super::selector::{Lineage, Selector};

/// Carries out actions on pods and nodes, and no others; returns the names of the pods that were selected and existed.
pub fn act(kubelet: &mut Kubelet<Scripted>, action: &Action, server: &mut ApiServer, now: Timestamp) -> Vec<Text> {
    match action {
        Action::DeletePods(which) => {
            let pods = matching(kubelet, which, server);
            for pod in &pods {
                let metadata = pod.metadata();
                let request = Request::delete(Kind::Pod, &metadata.namespace, &metadata.name, String::new());
                // It was there just now, and the request names no other version of it.
                let _ = server.execute(&request, now);
            }
            names(&pods)
        }
        Action::Evict(which) => disrupted(kubelet, which, PodDisruption::Eviction, server, now),
        Action::EvictByKubelet(which) => {
            let mut pods = matching(kubelet, which, server);
            pods.retain(|pod| !pod.metadata().deleting() && kubelet.pod_id(&pod.metadata().uid).is_some_and(|id| kubelet.evict(id, now)));
            names(&pods)
        }
        Action::Preempt(which) => disrupted(kubelet, which, PodDisruption::Preemption, server, now),
        Action::Exit { code, which } => {
            let mut pods = matching(kubelet, which, server);
            pods.retain(|pod| {
                kubelet.pod_id(&pod.metadata().uid).is_some_and(|id| kubelet.runtime.exit(id, which.container.as_deref(), *code, now))
            });
            names(&pods)
        }
        Action::MakeReady(which) => {
            let mut pods = matching(kubelet, which, server);
            pods.retain(|pod| kubelet.pod_id(&pod.metadata().uid).is_some_and(|id| kubelet.make_ready(id, now)));
            names(&pods)
        }
        Action::LoseNode => {
            kubelet.lose_node(now);
            Vec::new()
        }
        Action::RemoveNode => {
            kubelet.remove_node(server, now);
            Vec::new()
        }
        Action::Job { .. }
        | Action::ResumeAll
        | Action::SuspendAll
        | Action::CreateJob(_)
        | Action::Overwrite { .. }
        | Action::SetPod { .. }
        | Action::RestartController
        | Action::RefuseNextWrite(_)
        | Action::RefuseCreations { .. }
        | Action::RefuseCreation { .. }
        | Action::AcceptPods
        | Action::DelayWatch(_)
        | Action::CutWatch(_)
        | Action::PauseController(_)
        | Action::Advance(_)
        | Action::CronJob { .. }
        | Action::End => Vec::new(),
    }
}

/// Why an action on pods met none of them.
#[must_use]
pub fn none_met(action: &Action, server: &ApiServer) -> &'static str {
    if let Action::EvictByKubelet(_) = action {
        return "no matching pod is on a node";
    }
    let (Action::DeletePods(which) | Action::Evict(which) | Action::Preempt(which) | Action::Exit { which, .. }) = action else {
        return "no matching pod is running and not ready";
    };
    let indexed = server.objects(Kind::Job).filter_map(|stored| stored.job()).any(Job::indexed);
    let none = "no pod has an index, because no Job has the completionMode Indexed";
    if which.index.is_some() && !indexed { none } else { "no pod matches" }
}

/// Disrupts pods; returns the names of those that could be.
fn disrupted(
    kubelet: &Kubelet<Scripted>,
    which: &Selector,
    disruption: PodDisruption,
    server: &mut ApiServer,
    now: Timestamp,
) -> Vec<Text> {
    let mut pods = matching(kubelet, which, server);
    pods.retain(|pod| disrupt(server, &pod.metadata().namespace, &pod.metadata().name, disruption, now));
    names(&pods)
}

fn matching(kubelet: &Kubelet<Scripted>, which: &Selector, server: &ApiServer) -> Vec<Arc<Stored>> {
    let lineage = |pod: &ObjectMeta| {
        let known = kubelet.pod_id(&pod.uid).and_then(|id| kubelet.runtime.lineage(id)).cloned().unwrap_or_default();
        Lineage { cron_job: server.cron_job_of(pod).cloned(), ..known }
    };
    server.objects(Kind::Pod).filter(|pod| which.matches(pod.metadata(), &lineage(pod.metadata()))).map(Arc::clone).collect()
}

fn names(pods: &[Arc<Stored>]) -> Vec<Text> {
    pods.iter().map(|pod| pod.metadata().name.clone()).collect()
}
