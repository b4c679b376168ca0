//! A third party's controller under the same hosts: the component of `tests/plugins/`, which knows nothing of Jobs and which no host knows.
//!
//! Docs: `crates/component/wit/controllers.wit`. The same hosts with the component of this project: `controller/`, `simulate/`, `step.rs`.

use api::Kind;
use api::request::{Request, path};
use core_tests::built;
use core_tests::dialogue::Dialogue;
use expect_test::expect;
use serde_json::{Value, json};

use crate::cluster::{Cluster, PlainClient};
use crate::program::{Folder, wait_until};

/// How the labeller is configured where it is not to use its own label.
const CONFIGURATION: &str = r#"{"pod_labeler":{"label":"example.dev/ended"}}"#;

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn somebody_elses_controller_runs_on_a_cluster_and_is_recorded_and_replayed() {
    let cluster = Cluster::start(&["-nodes", "1", "-run-for", "2s"]);
    let (eyes, folder, plugin) = (PlainClient::new(&cluster), Folder::new(), plugin_path());
    cluster.give_kubeconfig(&folder);
    let create = |name: &str| {
        let spec = json!({"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}]});
        let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec});
        eyes.ask(&Request::create(Kind::Pod, "default", pod.to_string()));
    };
    create("early");
    let start = "controller --controllers pod_labeler --name example.dev/labels --record tape.jsonl --kubeconfig config";
    let arguments = [&["--component", &plugin][..], &start.split(' ').collect::<Vec<_>>(), &["--config", CONFIGURATION]].concat();
    let controller = folder.start(&arguments);
    controller.wait_for_error("acquired the Lease and is the leader");
    create("late");
    let labels = || {
        let pods = eyes.ask(&Request::get(path(Kind::Pod, "default", "", "")));
        let label = |pod: &Value| (pod["metadata"]["name"].clone(), pod["status"]["phase"].clone(), pod["metadata"]["labels"].clone());
        pods["items"].as_array().expect("it is a list").iter().map(label).collect::<Vec<_>>()
    };
    let ended = |name: &str| (json!(name), json!("Succeeded"), json!({"example.dev/ended": "true"}));
    let expected = [ended("early"), ended("late")];
    wait_until(|| labels() == expected, || format!("both pods are labelled: {:?}", labels()));
    let events = || eyes.ask(&Request::get("/apis/events.k8s.io/v1/namespaces/default/events".to_owned()));
    let reported = |events: &Value| {
        let items = events["items"].as_array().expect("it is a list").iter();
        let ours = items.filter(|event| event["reportingController"] == "pod-labeler");
        ours.filter(|event| event["regarding"]["kind"] == "Pod" && event["reason"] == "Labelled").count()
    };
    wait_until(|| reported(&events()) == 2, || format!("two Events are recorded: {}", events()));
    controller.signal("TERM");
    controller.end().with_status(0);
    let replayed = folder.run(&["--component", &plugin, "replay", "tape.jsonl", "--why"]).with_status(0);
    assert!(replayed.stderr.ends_with("plans: all as recorded\n"), "{}", replayed.stderr);
    let decisions = ["early has finished and gets its label", "late gets its label when it has finished", "late has its label"];
    assert!(decisions.iter().all(|decision| replayed.stdout.contains(decision)), "{}", replayed.stdout);
    let other = folder.run(&["replay", "tape.jsonl"]).with_status(2).stderr;
    assert!(
        other.contains("cannot replay tape.jsonl: ") && other.contains("pod_labeler"),
        "the built-in component refuses this recording: {other}"
    );
}

#[test]
fn somebody_elses_controller_is_simulated() {
    let folder = Folder::new();
    folder.write(
        "pods.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default, uid: u-1, creationTimestamp: '2026-01-01T00:00:00Z'}\n\
         spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\nstatus: {phase: Pending}\n",
    );
    let plugin = plugin_path();
    let arguments = ["--component", &plugin, "simulate", "pods.yaml", "--script", "pods: exit 1 after 3s", "--why", "-o", "wide"];
    let played = folder.run(&arguments).with_status(0);
    expect![[r#"
           0:00 pod a Pending
           0:00 pod a Ready
           0:00 Reconciling: the pod changed
           0:00 ○ a gets its label when it has finished
           0:00 Reconciling: the pod changed
           0:00 ○ a gets its label when it has finished
           0:03 pod a Failed with exit code 1 after 3 s
           0:03 Reconciling: the pod changed
           0:03 ● a has finished and gets its label
           0:03 PATCH /api/v1/namespaces/default/pods/a: done
           0:03 Event Normal Labelled: It has finished
           0:03 Reconciling: the pod changed
           0:03 · a has its label

        NAME    READY   STATUS   RESTARTS   AGE   IP         NODE     NOMINATED NODE   READINESS GATES
        pod/a   0/1     Error    0          3s    10.1.0.1   node-1   <none>           <none>
    "#]]
    .assert_eq(&(played.stdout + &played.stderr));
    let refused = folder.run(&[&arguments[..], &["--config", r#"{"job":{}}"#]].concat()).with_status(2).stderr;
    expect![[r#"
        error: cannot configure the component: unknown section "job"
    "#]]
    .assert_eq(&refused);
}

/// Where the component of `tests/plugins` is.
fn plugin_path() -> String {
    let path = built::component_path().with_file_name("pod_labeler.wasm");
    assert!(path.exists(), "{} is not built: run all tests with `cargo xtask test`", path.display());
    path.to_str().expect("the path is text").to_owned()
}

#[test]
fn somebody_elses_controller_is_driven_step_by_step() {
    let plugin = plugin_path();
    let mut session = Dialogue::start(&built::binary(), &["--component", &plugin, "step", "--config", CONFIGURATION]);
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
        "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}]}});
    session.ask(&json!({"op": "session", "now": "2026-01-01T00:00:00Z"}));
    assert_eq!(session.ask(&json!({"op": "apply", "object": pod})), json!({}));
    let writes = |state: Value| state["state"]["writes"].clone();
    assert_eq!(writes(session.ask(&json!({"op": "advance", "seconds": 1}))), json!(null));
    for action in ["start", "succeed"] {
        assert_eq!(session.ask(&json!({"op": "pod", "select": {}, "do": action})), json!({}));
    }
    let ended = session.ask(&json!({"op": "advance", "seconds": 1}));
    expect![[r#"{"state":{"cronjobs":{},"events":["Normal Labelled It has finished"],"jobs":{},"now":"2026-01-01T00:00:02Z","pods":[{"name":"a","phase":"Succeeded"}],"writes":["patch Pod a"]}}"#]].assert_eq(&ended.to_string());
    assert_eq!(writes(session.ask(&json!({"op": "advance", "seconds": 20}))), json!(null));
}
