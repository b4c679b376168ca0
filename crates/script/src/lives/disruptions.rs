//! How pods are evicted, and what happens to those whose node is lost.
//!
//! Docs: Disruptions, "Pod disruption conditions"; Taints and Tolerations, "Taint based Evictions". How lives are written out is in
//! `lib.rs`.

use cluster::kubelet::Runtime as _;
use expect_test::expect;

use super::{Cluster, life, never};
use crate::{Script, act};

#[test]
fn an_evicted_pod_is_marked_and_stopped() {
    life("pods: runs forever, evicted after 10s, ends 1s after TERM with 0", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:10 Running ready EvictionByEvictionAPI · main runs ready
        0:10 Running ready EvictionByEvictionAPI deleted with 30s · main runs ready
        0:11 Succeeded EvictionByEvictionAPI deleted with 30s · main exit 0 Completed
        0:11 Succeeded EvictionByEvictionAPI deleted with 0s · main exit 0 Completed
        0:11 gone
    "#]]);
    life("pods: runs forever\nat 4s: evict pod pi", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:04 Running ready EvictionByEvictionAPI · main runs ready
        0:04 Running ready EvictionByEvictionAPI deleted with 30s · main runs ready
        0:04 Failed EvictionByEvictionAPI deleted with 30s · main exit 143 Error
        0:04 Failed EvictionByEvictionAPI deleted with 0s · main exit 143 Error
        0:04 gone
    "#]]);
}

#[test]
fn a_pod_that_is_being_deleted_is_not_evicted() {
    let script = "pods: runs forever, evicted after 10s, ends 1s after TERM with 0\nat 10s: delete pod pi\nat 10s: evict pod pi";
    life(script, never(), &[]).is(expect![[r#"
            0:00 Pending
            0:00 Pending on node-1
            0:00 Running ready · main runs ready
            0:10 Running ready deleted with 30s · main runs ready
            0:11 Succeeded deleted with 30s · main exit 0 Completed
            0:11 Succeeded deleted with 0s · main exit 0 Completed
            0:11 gone
    "#]]);
}

#[test]
fn a_lost_node_keeps_its_pods_until_it_is_removed() {
    life("pods: runs forever\nat 5s: lose node\nat 10m: remove node", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:55 Running · main runs ready
        5:55 Running DeletionByTaintManager · main runs ready
        5:55 Running DeletionByTaintManager deleted with 30s · main runs ready
        10:00 Failed DeletionByPodGC deleted with 30s · main runs ready
        10:00 Failed DeletionByPodGC deleted with 0s · main runs ready
        10:00 gone
    "#]]);
}

#[test]
fn a_pod_on_a_lost_node_can_be_deleted_by_force_only() {
    let deletions = [(7, "DELETE pods/pi"), (400, r#"DELETE pods/pi {"gracePeriodSeconds":0}"#)];
    life("pods: runs forever\nat 5s: lose node", never(), &deletions).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:07 Running ready deleted with 30s · main runs ready
        0:55 Running deleted with 30s · main runs ready
        6:40 Running deleted with 0s · main runs ready
        6:40 gone
    "#]]);
}

#[test]
fn nothing_of_a_lost_node_is_heard_or_reached() {
    life("pods: runs forever, ends 9s after TERM with 0\nat 5s: lose node", never(), &[(3, "DELETE pods/pi")]).is(expect![[r#"
            0:00 Pending
            0:00 Pending on node-1
            0:00 Running ready · main runs ready
            0:03 Running ready deleted with 30s · main runs ready
            0:55 Running deleted with 30s · main runs ready
    "#]]);
    let mut cluster = Cluster::new("at 2s: lose node");
    cluster.create("pi", never());
    cluster.run_to(3);
    assert_eq!(cluster.kubelet.runtime.next_end(), None);
    let exit = Script::parse("at 0s: exit 3 in pods").unwrap().actions.remove(0).what.action;
    assert!(act(&mut cluster.kubelet, &exit, &mut cluster.server, cluster.now).is_empty());
}

#[test]
fn a_node_that_is_removed_at_once_takes_its_pods_along() {
    life("pods: runs forever\nat 5s: remove node", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:05 Failed ready DeletionByPodGC · main runs ready
        0:05 Failed ready DeletionByPodGC deleted with 0s · main runs ready
        0:05 gone
    "#]]);
}

#[test]
fn pods_that_come_after_a_lost_node_get_another() {
    let mut cluster = Cluster::new("pods: runs forever\nat 5s: lose node");
    cluster.create("pi", never());
    cluster.run_to(6);
    cluster.create("rho", never());
    cluster.run_to(6);
    assert_eq!(cluster.lines.join("\n").matches("on node-2").count(), 1);
    assert_eq!(*cluster.kubelet.node_name(), *"node-2");
}

#[test]
fn a_preempted_pod_is_marked_and_stopped() {
    life("pods: runs forever, preempted after 3s", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready PreemptionByScheduler · main runs ready
        0:03 Running ready PreemptionByScheduler deleted with 30s · main runs ready
        0:03 Failed PreemptionByScheduler deleted with 30s · main exit 143 Error
        0:03 Failed PreemptionByScheduler deleted with 0s · main exit 143 Error
        0:03 gone
    "#]]);
    life("pods: runs forever\nat 4s: preempt pod pi", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:04 Running ready PreemptionByScheduler · main runs ready
        0:04 Running ready PreemptionByScheduler deleted with 30s · main runs ready
        0:04 Failed PreemptionByScheduler deleted with 30s · main exit 143 Error
        0:04 Failed PreemptionByScheduler deleted with 0s · main exit 143 Error
        0:04 gone
    "#]]);
}

#[test]
fn the_kubelet_gives_a_pod_that_it_evicts_a_second_and_leaves_it_there() {
    life("pods: runs forever, evicted by the kubelet after 3s", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Failed TerminationByKubelet (Evicted) · main exit 143 Error
    "#]]);
    life("pods: runs forever, ignores TERM, evicted by the kubelet after 3s", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:04 Failed TerminationByKubelet (Evicted) · main exit 137 Error
    "#]]);
    life("pods: never starts, evicted by the kubelet after 3s", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · main waits for ImagePullBackOff
        0:03 Failed TerminationByKubelet (Evicted) · main exit 137 ContainerStatusUnknown (the container was not running when its pod was stopped)
    "#]]);
}

#[test]
fn a_condition_is_there_when_the_pod_ends() {
    let mut cluster = Cluster::new("pods: never starts, condition ConfigIssue after 2s, preempted after 2s");
    cluster.live(never(), &[]);
    let configured = |line: &String| line.contains("ConfigIssue");
    expect![[r#"
        0:02 Pending on node-1 ConfigIssue · main waits for ImagePullBackOff
        0:02 Pending on node-1 PreemptionByScheduler ConfigIssue · main waits for ImagePullBackOff
        0:02 Pending on node-1 PreemptionByScheduler ConfigIssue deleted with 30s · main waits for ImagePullBackOff
        0:02 Failed PreemptionByScheduler ConfigIssue deleted with 30s · main exit 137 ContainerStatusUnknown (the container was not running when its pod was stopped)
        0:02 Failed PreemptionByScheduler ConfigIssue deleted with 0s · main exit 137 ContainerStatusUnknown (the container was not running when its pod was stopped)"#]]
    .assert_eq(&cluster.lines.into_iter().filter(configured).collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_container_that_uses_too_much_memory_is_killed() {
    life("pods: OOMKilled after 5s", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:05 Failed · main exit 137 OOMKilled
    "#]]);
}
