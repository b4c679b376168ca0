//! How pods are stopped, and what others may do to them.
//!
//! Docs: Pod Lifecycle, "Termination of Pods". How lives are written out is in `lib.rs`.

use api::Kind;
use expect_test::expect;
use serde_json::{Value, json};

use super::{Cluster, life, never, spec};

#[test]
fn a_deleted_pod_is_stopped_and_goes() {
    life("pods: runs forever", never(), &[(3, "DELETE pods/pi")]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 30s · main runs ready
        0:03 Failed deleted with 30s · main exit 143 Error
        0:03 Failed deleted with 0s · main exit 143 Error
        0:03 gone
    "#]]);
    life("pods: runs forever, ends 4s after TERM with 0", never(), &[(3, "DELETE pods/pi")]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 30s · main runs ready
        0:07 Succeeded deleted with 30s · main exit 0 Completed
        0:07 Succeeded deleted with 0s · main exit 0 Completed
        0:07 gone
    "#]]);
}

#[test]
fn a_deleted_pod_that_ignores_it_is_killed_after_its_grace_period() {
    life("pods: runs forever, ignores TERM", never(), &[(3, "DELETE pods/pi")]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 30s · main runs ready
        0:33 Failed deleted with 30s · main exit 137 Error
        0:33 Failed deleted with 0s · main exit 137 Error
        0:33 gone
    "#]]);
    let shortened = [(3, "DELETE pods/pi"), (10, r#"DELETE pods/pi {"gracePeriodSeconds":5}"#), (12, "DELETE pods/pi")];
    life("pods: runs forever, ignores TERM", never(), &shortened).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 30s · main runs ready
        0:10 Running ready deleted with 5s · main runs ready
        0:15 Failed deleted with 5s · main exit 137 Error
        0:15 Failed deleted with 0s · main exit 137 Error
        0:15 gone
    "#]]);
}

#[test]
fn a_deletion_may_give_a_pod_more_time() {
    let longer = [(3, r#"DELETE pods/pi {"gracePeriodSeconds":60}"#)];
    life("pods: runs forever, ignores TERM", never(), &longer).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 60s · main runs ready
        1:03 Failed deleted with 60s · main exit 137 Error
        1:03 Failed deleted with 0s · main exit 137 Error
        1:03 gone
    "#]]);
}

#[test]
fn a_deleted_pod_with_a_finalizer_keeps_its_end() {
    let held = json!({"metadata": {"finalizers": ["example.com/held"]}, "spec": {"containers": [{"name": "main"}]}});
    let released = (9, r#"PATCH pods/pi merge {"metadata":{"finalizers":null}}"#);
    life("pods: runs forever", held.clone(), &[(3, "DELETE pods/pi"), released]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 30s · main runs ready
        0:03 Failed deleted with 30s · main exit 143 Error
        0:03 Failed deleted with 0s · main exit 143 Error
        0:09 gone
    "#]]);
    life("", held, &[(9, "DELETE pods/pi"), (10, released.1)]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:05 Running ready · main restarts 1 runs ready
        0:09 Running ready deleted with 30s · main restarts 1 runs ready
        0:09 Failed deleted with 30s · main restarts 1 exit 143 Error
        0:09 Failed deleted with 0s · main restarts 1 exit 143 Error
        0:10 gone
    "#]]);
}

#[test]
fn a_pod_that_is_gone_is_forgotten() {
    life("pods: runs forever", never(), &[(3, r#"DELETE pods/pi {"gracePeriodSeconds":0}"#)]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 0s · main runs ready
        0:03 gone
    "#]]);
    life("pods: runs forever", spec(json!({"terminationGracePeriodSeconds": 0})), &[(3, "DELETE pods/pi")]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 0s · main runs ready
        0:03 gone
    "#]]);
}

#[test]
fn a_pod_that_is_active_for_too_long_fails() {
    life("pods: runs forever, ends 2s after TERM with 0", spec(json!({"restartPolicy": "Never", "activeDeadlineSeconds": 8})), &[]).is(
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:10 Failed (DeadlineExceeded) · main exit 0 Completed
    "#]],
    );
}

#[test]
fn changes_by_others_are_kept_and_disturb_nothing() {
    let others = [
        (1, r#"PATCH pods/pi merge {"metadata":{"labels":{"a":"b"}}}"#),
        (
            2,
            r#"PATCH pods/pi/status merge {"status":{"qosClass":"Burstable","conditions":[{"type":"example.com/other","status":"True"}]}}"#,
        ),
        (3, r#"PATCH pods/pi merge {"metadata":{"finalizers":["example.com/held"]}}"#),
    ];
    let mut cluster = Cluster::new("");
    cluster.live(never(), &others);
    let stored = cluster.server.object(Kind::Pod, "default", "pi").unwrap();
    assert_eq!(&*stored.metadata().labels["a"], "b");
    let status: Value = serde_json::from_str(stored.pod().unwrap().status.json()).unwrap();
    assert_eq!(status["qosClass"], "Burstable");
    assert_eq!(status["conditions"][0]["type"], "example.com/other");
}

#[test]
fn a_pod_that_somebody_else_ended_is_left_as_it_is() {
    let ended = (3, r#"PATCH pods/pi/status merge {"status":{"phase":"Failed","reason":"Elsewhere"}}"#);
    let mut cluster = Cluster::new("pods: runs forever");
    cluster.live(never(), &[ended]);
    expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Failed ready (Elsewhere) · main runs ready
    "#]]
    .assert_eq(&cluster.shown());
    assert_eq!(cluster.kubelet.pod_id("pod-pi-1"), None);
    assert_eq!(cluster.kubelet.next_due(), None);
}

#[test]
fn a_container_has_its_message_if_it_ends_by_itself() {
    let script = "pods: exit 75 after 5s, message \"retry-after 30\"";
    life(script, never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:05 Failed · main exit 75 Error (retry-after 30)
    "#]]);
    life(script, never(), &[(3, "DELETE pods/pi")]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 30s · main runs ready
        0:03 Failed deleted with 30s · main exit 143 Error
        0:03 Failed deleted with 0s · main exit 143 Error
        0:03 gone
    "#]]);
}
