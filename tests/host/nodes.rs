//! The nodes of a real API server that play pods: `kubectl get` shows what it shows on a cluster.
//!
//! Docs: `tests/upstream/README.md`, "A cluster"; kubectl get. The nodes are `../upstream/cluster/nodes.go`.

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::cluster::Cluster;

/// How many pods are made: enough for some to fail and some to succeed.
const PODS: usize = 8;
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn kubectl_shows_how_pods_ended_and_on_which_node() {
    let cluster = Cluster::start(&["-nodes", "2", "-run-for", "200ms", "-fail", "0.5"]);
    let nodes = cluster.kubectl_output(&["get", "nodes", "--no-headers"]);
    let ready: BTreeSet<&str> = nodes.lines().filter(|line| line.contains(" Ready ")).filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(ready, BTreeSet::from(["node-1", "node-2"]), "{nodes}");
    for number in 0..PODS {
        cluster.kubectl_output(&["run", &format!("pod-{number}"), "--image=busybox", "--restart=Never"]);
    }
    let begin = Instant::now();
    let ended = || {
        let pods = cluster.kubectl_output(&[
            "get",
            "pods",
            "--field-selector=status.phase!=Pending,status.phase!=Running",
            "--no-headers",
            "-o",
            "wide",
        ]);
        (pods.lines().count() == PODS).then_some(pods)
    };
    let pods = loop {
        if let Some(pods) = ended() {
            break pods;
        }
        assert!(begin.elapsed() < PATIENCE, "the pods do not end: {}", cluster.kubectl_output(&["get", "pods"]));
        sleep(Duration::from_millis(100));
    };
    let (mut statuses, mut addresses) = (BTreeSet::new(), BTreeSet::new());
    for line in pods.lines() {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let [_, containers, status, _, _, address, node, ..] = columns[..] else { panic!("{pods}") };
        statuses.insert(status);
        assert!(containers == "0/1" && ready.contains(node) && addresses.insert(address), "{pods}");
    }
    assert_eq!(statuses, BTreeSet::from(["Completed", "Error"]), "{pods}");
    ends_are_whole(&cluster);
}

/// The state of each container that ended has what a kubelet writes.
fn ends_are_whole(cluster: &Cluster) {
    let path = "jsonpath={range .items[*]}{.status.containerStatuses[0]}{'\\n'}{end}";
    let statuses = cluster.kubectl_output(&["get", "pods", "-o", path]);
    for line in statuses.lines() {
        let status: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {statuses}"));
        let end = &status["state"]["terminated"];
        let reason = if end["exitCode"] == 0 { "Completed" } else { "Error" };
        assert!(end["reason"] == reason && end["startedAt"].as_str() <= end["finishedAt"].as_str(), "{status}");
        assert!(end["startedAt"].is_string() && end["containerID"].is_string() && end["containerID"] == status["containerID"], "{status}");
    }
    assert_eq!(statuses.lines().count(), PODS, "{statuses}");
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn nodes_stay_ready_when_the_api_server_restarts() {
    let mut cluster = Cluster::start(&["-nodes", "1"]);
    let renewed = |cluster: &Cluster| {
        let lease = ["get", "lease", "node-1", "-n", "kube-node-lease", "--ignore-not-found", "-o", "jsonpath={.spec.renewTime}"];
        cluster.kubectl_output(&lease)
    };
    let before = renewed(&cluster);
    cluster.restart("apiserver");
    let begin = Instant::now();
    while renewed(&cluster) <= before {
        assert!(begin.elapsed() < PATIENCE, "the node's Lease is not renewed after {before:?}");
        sleep(Duration::from_millis(500));
    }
    let nodes = cluster.kubectl_output(&["get", "nodes", "--no-headers"]);
    assert!(nodes.starts_with("node-1   Ready "), "{nodes}");
}
