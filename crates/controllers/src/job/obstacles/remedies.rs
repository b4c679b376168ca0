//! What helps a pod that makes no progress, on a cluster.
//!
//! Docs: Debug Pods. Why a pod makes no progress is in `cause.rs`.

use api::Pod;

use super::cause::{PodCause, of_image};
use super::pods::StuckPod;
use super::{Situation, controller};
use crate::runtime::obstacle::Prose;

/// What helps pods that have this cause.
pub(super) fn remedy(cause: &PodCause, pods: &[(&Pod, StuckPod)], at: &Situation<'_>) -> Prose {
    let pod = pods.first().map(|(pod, _)| &pod.metadata);
    let (name, namespace) = pod.map_or(("", ""), |pod| (&*pod.name, &*pod.namespace));
    let describe = |advice: &str| Prose::new(&format!("{advice}: kubectl describe pod {name} -n {namespace}"));
    match cause {
        PodCause::Finalizer { finalizer } => Prose::new(&format!("the controller that set {finalizer} has to remove it: is it running?")),
        PodCause::StillTracked { .. } => {
            Prose::new(&format!("see the log of {}: a webhook or a policy may refuse changes to pods", controller(at.config)))
        }
        PodCause::NodeLost { .. } | PodCause::DeletionOverdue => {
            Prose::new(&format!("if the node does not come back: kubectl delete pod {name} -n {namespace} --force"))
        }
        PodCause::CannotStart { reason, .. } if of_image(reason) => {
            Prose::new("correct the image in the Pod template and create the Job again, or make the image available")
        }
        PodCause::CannotStart { .. } => Prose::new("create what is missing, or correct the Pod template and create the Job again"),
        PodCause::CrashLoop { exit_code: 0, container, .. } => Prose::new(&format!(
            "a container with restartPolicy Always is restarted whenever it ends; if {container} serves the others, make it a sidecar (an init container)"
        )),
        PodCause::CrashLoop { container, .. } => {
            Prose::new(&format!("read what it printed: kubectl logs {name} -c {container} -n {namespace} --previous"))
        }
        PodCause::SidecarNotStarted { container, .. } => Prose::new(&format!(
            "its startup probe has to succeed first; read what it printed: kubectl logs {name} -c {container} -n {namespace}"
        )),
        PodCause::Gated { .. } => Prose::new("the controller that set the gate has to remove it: is it running?"),
        PodCause::Unschedulable { .. } => describe("free resources on the nodes, or lower the pod's requests; for details"),
        PodCause::NotScheduled => Prose::new("is the scheduler that ").field("spec.template.spec.schedulerName").text(" names running?"),
        PodCause::NotStarted { .. } => describe("its volumes or its network may not be ready; for details"),
        PodCause::ContainerKeepsPod { container, .. } => Prose::new(&format!(
            "make {container} a sidecar, an init container with restartPolicy Always: it is stopped once the others have ended"
        )),
        PodCause::SidecarKeepsPod { container, .. } => Prose::new(&format!(
            "the kubelet stops sidecars once the other containers have ended; see why it does not stop: kubectl logs {name} -c {container} -n {namespace}"
        )),
        PodCause::Terminating | PodCause::Initializing { .. } | PodCause::Starting | PodCause::Running => Prose::default(),
    }
}
