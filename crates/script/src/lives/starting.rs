//! How pods start, and what stands in the way.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Container states". How lives are written out is in `lib.rs`.

use std::collections::BTreeMap;

use api::Kind;
use cluster::Dependence;
use cluster::kubelet::{Kubelet, PodId};
use cluster::testing::{noon, send_line, server};
use expect_test::expect;
use serde_json::{Value, json};

use super::{Cluster, life, never, on_failure, spec};
use crate::Scripted;

#[test]
fn a_pod_is_scheduled_runs_and_succeeds() {
    life("", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:05 Succeeded · main exit 0 Completed
    "#]]);
}

#[test]
fn a_pod_fails_by_exit_code_or_signal() {
    life("pods: exit 42 after 2s", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:02 Failed · main exit 42 Error
    "#]]);
    life("pods: killed by signal 9 after 2s", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:02 Failed · main exit 137 Error
    "#]]);
}

#[test]
fn each_step_takes_its_time() {
    life("pods: scheduled after 1s, starts after 500ms, ready after 2s, exit 1 after 20s", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:01 Pending on node-1
        0:01 Pending on node-1 · main waits for ContainerCreating
        0:01.500 Running · main runs
        0:03.500 Running ready · main runs ready
        0:21.500 Failed · main exit 1 Error
    "#]]);
}

#[test]
fn a_pod_that_fits_on_no_node_waits_until_it_is_deleted() {
    life("pods: never scheduled", never(), &[(60, "DELETE pods/pi")]).is(expect![[r#"
        0:00 Pending
        0:00 Pending unschedulable
        1:00 Pending unschedulable deleted with 0s
        1:00 gone
    "#]]);
    let held = json!({"metadata": {"finalizers": ["example.com/held"]}, "spec": {"containers": [{"name": "main"}]}});
    life("pods: never scheduled", held, &[(60, "DELETE pods/pi")]).is(expect![[r#"
        0:00 Pending
        0:00 Pending unschedulable
        1:00 Pending unschedulable deleted with 0s
        1:00 Failed unschedulable deleted with 0s
    "#]]);
}

#[test]
fn a_pod_that_was_made_for_a_node_starts_there() {
    life("pods: never scheduled", spec(json!({"restartPolicy": "Never", "nodeName": "elsewhere"})), &[]).is(expect![[r#"
        0:00 Pending on elsewhere
        0:00 Running ready · main runs ready
        0:05 Succeeded · main exit 0 Completed
    "#]]);
}

#[test]
fn an_image_that_cannot_be_pulled_is_waited_for() {
    life("pods: never starts", never(), &[(60, "DELETE pods/pi")]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · main waits for ImagePullBackOff
        1:00 Pending on node-1 deleted with 30s · main waits for ImagePullBackOff
        1:00 Failed deleted with 30s · main exit 137 ContainerStatusUnknown (the container was not running when its pod was stopped)
        1:00 Failed deleted with 0s · main exit 137 ContainerStatusUnknown (the container was not running when its pod was stopped)
        1:00 gone
    "#]]);
}

#[test]
fn a_spec_that_cannot_be_read_fails_the_pod() {
    life("", json!({"spec": {"containers": []}}), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Failed (UnexpectedAdmissionError)
    "#]]);
    life("", spec(json!({"restartPolicy": "Sometimes"})), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Failed (UnexpectedAdmissionError)
    "#]]);
}

#[test]
fn a_status_holds_what_a_node_reports() {
    let mut cluster = Cluster::new("container main: exit 1 after 1s");
    cluster.create("pi", on_failure(30));
    cluster.run_to(5);
    let stored = cluster.server.object(Kind::Pod, "default", "pi").unwrap();
    let status: BTreeMap<String, Value> = serde_json::from_str(stored.pod().unwrap().status.json()).unwrap();
    let lines = |(field, value): (&String, &Value)| match value.as_array() {
        Some(items) => items.iter().map(|item| format!("{field} {item}\n")).collect::<String>(),
        None => format!("{field} {value}\n"),
    };
    expect![[r#"
        conditions {"lastTransitionTime":"2026-01-02T12:00:00Z","status":"True","type":"PodScheduled"}
        conditions {"lastTransitionTime":"2026-01-02T12:00:00Z","status":"True","type":"Initialized"}
        conditions {"lastTransitionTime":"2026-01-02T12:00:02Z","message":"not ready: main","reason":"ContainersNotReady","status":"False","type":"ContainersReady"}
        conditions {"lastTransitionTime":"2026-01-02T12:00:02Z","message":"not ready: main","reason":"ContainersNotReady","status":"False","type":"Ready"}
        containerStatuses {"image":"i","imageID":"","lastState":{"terminated":{"exitCode":1,"finishedAt":"2026-01-02T12:00:02Z","reason":"Error","startedAt":"2026-01-02T12:00:01Z"}},"name":"main","ready":false,"restartCount":1,"started":false,"state":{"waiting":{"message":"back-off 10s restarting failed container=main","reason":"CrashLoopBackOff"}}}
        hostIP "10.0.0.1"
        hostIPs {"ip":"10.0.0.1"}
        phase "Running"
        podIP "10.1.0.1"
        podIPs {"ip":"10.1.0.1"}
        startTime "2026-01-02T12:00:00Z"
    "#]]
    .assert_eq(&status.iter().map(lines).collect::<String>());
}

#[test]
fn pods_that_were_there_before_the_kubelet_are_run() {
    let mut server = server(Dependence::OnController);
    send_line(&mut server, r#"POST pods {"metadata":{"name":"pi"},"spec":{"containers":[{"name":"main"}]}}"#, 0);
    let mut kubelet = Kubelet::new(&mut server, Scripted::default(), noon());
    assert_eq!(kubelet.pod_id("pod-pi-1"), Some(PodId(1)));
    kubelet.tick(&mut server, noon());
    assert_eq!(&**server.object(Kind::Pod, "default", "pi").unwrap().pod().unwrap().status.phase(), "Running");
}
