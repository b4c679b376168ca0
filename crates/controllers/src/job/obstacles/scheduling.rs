//! What helps a pod that no node takes, by the scheduler's message.
//!
//! Docs: Kubernetes Scheduler, "Scheduling Framework" (`Filter`); Taints and Tolerations; Assigning Pods to Nodes. Other remedies are in `remedies.rs`.

/// Phrases of the message, and what helps.
const ADVICE: [(&str, &str); 12] = [
    ("Insufficient ", "free resources on the nodes, or lower the pod's requests"),
    ("Too many pods", "free resources on the nodes, or add one"),
    ("didn't match Pod's node affinity/selector", "correct its nodeSelector or nodeAffinity, or label a node accordingly"),
    ("didn't match pod anti-affinity", "loosen its podAntiAffinity, or add a node"),
    ("didn't satisfy existing pods anti-affinity", "loosen the podAntiAffinity of the pods on the nodes, or add a node"),
    ("didn't match pod affinity", "correct its podAffinity"),
    ("didn't match pod topology spread", "loosen its topologySpreadConstraints"),
    ("PersistentVolumeClaim", "check its PersistentVolumeClaims with kubectl get pvc"),
    ("persistentvolumeclaim", "check its PersistentVolumeClaims with kubectl get pvc"),
    ("volume node affinity conflict", "check where its PersistentVolumes are with kubectl get pv"),
    ("free ports", "free the hostPort on a node, or change it"),
    ("were unschedulable", "uncordon a node"),
];

/// What helps, if the message says it: each node refuses the pod for a reason of its own.
pub(super) fn advice(message: &str) -> Option<String> {
    // What follows is about other pods.
    let nodes = message.split_once(" preemption: ").map_or(message, |(nodes, _)| nodes);
    let known = ADVICE.iter().filter(|(phrase, _)| nodes.contains(phrase)).map(|(_, helps)| (*helps).to_owned());
    let advice: Vec<String> = known.chain(taint(nodes)).collect();
    (!advice.is_empty()).then(|| advice.join(", or "))
}

/// What helps against the first taint that does not only keep pods off the control plane.
fn taint(message: &str) -> Option<String> {
    let mut keys = message.split("taint {").skip(1).filter_map(|rest| rest.split([':', '=', '}']).next());
    let key = keys.find(|key| !key.starts_with("node-role.kubernetes.io/"))?;
    let helps = if key.starts_with("node.kubernetes.io/") { "check the nodes with" } else { "add a toleration for" };
    Some(format!("{helps} the taint {key}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_helps_follows_from_what_the_nodes_lack() {
        let check = |message: &str, expected: Option<&str>| assert_eq!(advice(message).as_deref(), expected, "{message}");
        let preemption = " preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
        check(
            &format!("0/3 nodes are available: 3 Insufficient cpu.{preemption}"),
            Some("free resources on the nodes, or lower the pod's requests"),
        );
        check(
            &format!(
                "0/3 nodes are available: 1 node(s) had untolerated taint {{gpu: true}}, 2 node(s) didn't match Pod's node affinity/selector.{preemption}"
            ),
            Some("correct its nodeSelector or nodeAffinity, or label a node accordingly, or add a toleration for the taint gpu"),
        );
        check(
            "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 Too many pods.",
            Some("free resources on the nodes, or add one"),
        );
        check(
            "0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }.",
            Some("check the nodes with the taint node.kubernetes.io/disk-pressure"),
        );
        for message in
            ["persistentvolumeclaim \"data\" not found", "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims."]
        {
            check(message, Some("check its PersistentVolumeClaims with kubectl get pvc"));
        }
        check(
            "0/2 nodes are available: 2 node(s) didn't have free ports for the requested pod ports.",
            Some("free the hostPort on a node, or change it"),
        );
        check("no nodes available to schedule pods", None);
    }
}
