//! What helps a pod that makes no progress, on a cluster.
//!
//! Docs: Debug Pods; Non-graceful node shutdown handling. Why a pod makes no progress is in `cause.rs`; what makes room for a pod without a node is in
//! `scheduling.rs`.

use api::{Job, Kind, Pod};

use super::super::pod_template::declares;
use super::cause::{PodCause, of_image};
use super::pods::StuckPod;
use super::scheduling::advice;
use super::sentences::never_ran;
use super::{Situation, controller};
use crate::runtime::obstacle::Prose;

/// What helps pods that have this cause.
pub(super) fn remedy(cause: &PodCause, pods: &[(&Pod, StuckPod)], at: &Situation<'_>) -> Prose {
    let pod = pods.first().map(|(pod, _)| &pod.metadata);
    let (name, namespace) = pod.map_or(("", ""), |pod| (&*pod.name, &*pod.namespace));
    let describe = |advice: &str| format!("{advice}: kubectl describe pod {name} -n {namespace}");
    let logs = |container: &str| format!("kubectl logs {name} -c {container} -n {namespace}");
    Prose::new(&match cause {
        PodCause::Finalizer { finalizer } => format!("the controller that set {finalizer} has to remove it: is it running?"),
        PodCause::StillTracked { .. } => {
            format!("see the log of {}: a webhook or a policy may refuse changes to pods", controller(at.config))
        }
        PodCause::NodeLost { node } if at.only_replace_failed && !node.is_empty() => format!(
            "if node {node} does not come back: kubectl delete node {node}; a forced deletion of the pod does not make the Job replace it"
        ),
        PodCause::DeletionOverdue if at.only_replace_failed => format!(
            "if its node does not come back, delete that node: kubectl get pod {name} -n {namespace} -o wide; a forced deletion of the pod does not make \
             the Job replace it"
        ),
        PodCause::NodeLost { .. } | PodCause::DeletionOverdue => {
            format!("if the node does not come back: kubectl delete pod {name} -n {namespace} --force")
        }
        PodCause::CannotStart { reason, message, .. } if of_image(reason) => image(message, at.job),
        PodCause::CannotStart { message, .. } => start(message, at.job),
        PodCause::CrashLoop { reason, message, .. } if never_ran(reason) => start(message, at.job),
        PodCause::CrashLoop { container, reason, .. } if &**reason == "OOMKilled" => {
            changed(&format!("raise the memory limit of container {container}"), at.job)
        }
        PodCause::CrashLoop { exit_code: 0, container, .. } => format!(
            "a container with restartPolicy Always is restarted whenever it ends; if {container} serves the others, make it a sidecar (an init container)"
        ),
        PodCause::CrashLoop { container, .. } => format!("read what it printed: {} --previous", logs(container)),
        PodCause::SidecarNotStarted { container, .. } => {
            format!("its startup probe has to succeed first; read what it printed: {}", logs(container))
        }
        PodCause::Gated { .. } => "the controller that set the gate has to remove it: is it running?".to_owned(),
        PodCause::Unschedulable { message } => {
            advice(message).unwrap_or_else(|| describe("the message says what no node offers; for details"))
        }
        PodCause::NotScheduled => {
            return Prose::new("is the scheduler that ").field("spec.template.spec.schedulerName").text(" names running?");
        }
        PodCause::NotStarted { .. } => describe("its volumes or its network may not be ready; for details"),
        PodCause::ContainerKeepsPod { container, .. } if declares(&at.job.spec.template, container) => {
            format!("make {container} a sidecar, an init container with restartPolicy Always: it is stopped once the others have ended")
        }
        PodCause::ContainerKeepsPod { container, .. } => injected(container, name, namespace),
        PodCause::SidecarKeepsPod { container, .. } => {
            format!("the kubelet stops sidecars once the other containers have ended; see why it does not stop: {}", logs(container))
        }
        PodCause::Terminating | PodCause::Initializing { .. } | PodCause::Starting | PodCause::Running => String::new(),
    })
}

/// A change of the Pod template, made where the Job comes from.
#[inline(never)]
pub(super) fn changed(change: &str, job: &Job) -> String {
    match job.metadata.controller() {
        Some(owner) if *owner.kind == *Kind::CronJob.name() => {
            format!("{change} in the jobTemplate of CronJob {}, and delete the Job", owner.name)
        }
        Some(owner) => format!("{change} in {} {}, which controls the Job", owner.kind, owner.name),
        None => format!("{change} in the Pod template, and create the Job again"),
    }
}

/// What helps where an image is not pulled.
fn image(message: &str, job: &Job) -> String {
    let message = message.to_lowercase();
    match has(&message, &["unauthorized", "authentication required", "denied", "forbidden", " 401", " 403"]) {
        true => "the registry refuses access: check imagePullSecrets and the name of the image".to_owned(),
        false => format!("{}; or make the image available", changed("correct the image", job)),
    }
}

/// What helps where a container is not started.
fn start(message: &str, job: &Job) -> String {
    if has(message, &["failed to reserve container name", "context deadline exceeded"]) {
        return "the container runtime of the node has not finished an earlier attempt: check that node".to_owned();
    }
    if has(
        message,
        &["executable file not found", "no such file or directory", "exec format error", "no command specified", "permission denied"],
    ) {
        return changed("correct the command or the image", job);
    }
    match has(message, &["not found", "couldn't find key"]) {
        true => format!("create what is missing, or {}", changed("correct the container", job)),
        false => changed("correct the container", job),
    }
}

/// What helps where a container that the Pod template does not have runs on in this pod: at once, if that is known, and from the next pod on.
fn injected(container: &str, name: &str, namespace: &str) -> String {
    let (at_once, injection) = match container {
        "istio-proxy" => (
            format!(
                "; to end this run: kubectl exec {name} -c istio-proxy -n {namespace} -- pilot-agent request POST quitquitquit; for later runs, "
            ),
            "have Istio inject native sidecars (ENABLE_NATIVE_SIDECARS), or label the pods with sidecar.istio.io/inject=false",
        ),
        "linkerd-proxy" => (
            ": ".to_owned(),
            "have Linkerd inject native sidecars (proxy.nativeSidecar), or annotate the pods with linkerd.io/inject=disabled",
        ),
        _ => (": ".to_owned(), "have it injected as an init container with restartPolicy Always, or exclude the Job from the injection"),
    };
    format!("{container} is not in the Pod template but was injected{at_once}{injection}")
}

/// Whether a message has one of these phrases.
fn has(message: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| message.contains(phrase))
}
