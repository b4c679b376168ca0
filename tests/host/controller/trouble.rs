//! A cluster that cannot be reached, is not understood, or refuses: each is logged once, with a remedy, and what may pass is tried again.
//!
//! Docs: Organizing Cluster Access Using kubeconfig Files. Foreign components are refused for all commands alike: `bad_input/options.rs`.

use expect_test::{Expect, expect};
use serde_json::json;

use super::server::{self, Server};
use super::{Stage, free_address};
use crate::cluster::kubeconfig;
use crate::program::{Folder, Program, wait_until};

/// What is printed about a kubeconfig.
fn check(content: &str, arguments: &[&str], expected: Expect) {
    let folder = Folder::new();
    folder.write("config", content);
    let arguments = [&["controller", "--leader-elect=false", "--kubeconfig", "config"], arguments].concat();
    expected.assert_eq(&folder.run(&arguments).with_status(2).stderr);
}

#[test]
fn a_kubeconfig_that_is_none_is_refused() {
    check(
        "",
        &[],
        expect![[r#"
            error: config: it is empty; pass --kubeconfig a file that `kubectl config view` can read
        "#]],
    );
    check(
        "kind: [Config",
        &[],
        expect![[r#"
            error: config: failed to parse kubeconfig YAML: error: line 1 column 7: expected string scalar; pass --kubeconfig a file that `kubectl config view` can read
        "#]],
    );
    check(
        "hello",
        &[],
        expect![[r#"
            error: config: failed to parse kubeconfig YAML: error: line 1 column 1: expected mapping start; pass --kubeconfig a file that `kubectl config view` can read
        "#]],
    );
    check(
        "apiVersion: v1\nkind: Config\n",
        &[],
        expect![[r#"
            error: config: no current-context is set; pass --context; it has none
        "#]],
    );
    let good = kubeconfig("127.0.0.1:1");
    check(
        &good,
        &["--context", "b"],
        expect![[r#"
            error: config: there is no context b; it has a
        "#]],
    );
    check(
        &good.replace("user: {}", "user: {client-certificate: nowhere.pem, client-key: nowhere.key}"),
        &[],
        expect![[r#"
            error: cannot use the cluster: cannot read the client certificate nowhere.pem: No such file or directory (os error 2)
        "#]],
    );
}

#[test]
fn what_a_kubeconfig_lacks_is_named() {
    let good = kubeconfig("127.0.0.1:1");
    let lacks = |from: &str, to: &str, expected: Expect| check(&good.replace(from, to), &[], expected);
    lacks(
        "current-context: a",
        "",
        expect![[r#"
            error: config: no current-context is set; pass --context; it has a
        "#]],
    );
    lacks(
        "current-context: a",
        "current-context: b",
        expect![[r#"
            error: config: there is no context b, its current-context; it has a
        "#]],
    );
    lacks(
        "cluster: a,",
        "cluster: nosuch,",
        expect![[r#"
            error: config: context a names the cluster nosuch, which the kubeconfig lacks; it has a
        "#]],
    );
    check(
        &good.replace("user: a}", "user: nosuch}").replace("http:", "https:"),
        &[],
        expect![[r#"
            error: config: context a names the user nosuch, which the kubeconfig lacks; it has a
        "#]],
    );
    // Without TLS nobody is authenticated, and kubectl needs no user.
    let folder = Folder::new();
    folder.write("config", good.replace("user: a}", "user: nosuch}"));
    let unreachable = folder.run(&["wait", "job/pi", "--kubeconfig", "config"]).with_status(2).stderr;
    assert!(unreachable.starts_with("error: cannot read job default/pi: cannot reach http://127.0.0.1:1: "), "{unreachable}");
}

#[test]
fn a_credential_plugin_that_does_not_work_is_named() {
    let plugin = |plugin: &str| {
        kubeconfig("127.0.0.1:1").replace("user: {}", &format!("user: {{exec: {{apiVersion: client.authentication.k8s.io/v1, {plugin}}}}}"))
    };
    check(
        &plugin("command: aws-nonexistent, args: [eks], installHint: \"Install it with\\n  brew install aws\\n\""),
        &[],
        expect![[r#"
            error: cannot use the cluster: the kubeconfig's credential plugin aws-nonexistent is not in PATH; install it, or choose another context:
            Install it with
              brew install aws
        "#]],
    );
    check(
        &plugin("command: /nowhere/aws"),
        &[],
        expect![[r#"
            error: cannot use the cluster: the kubeconfig's credential plugin /nowhere/aws does not exist; install it, or choose another context
        "#]],
    );
    check(
        &plugin("command: sh, args: [-c, 'echo session expired >&2; exit 3'], interactiveMode: Never"),
        &[],
        expect![[r#"
            error: cannot use the cluster: the credential plugin sh failed with exit status: 3: session expired
        "#]],
    );
    // One that may speak to people has done so.
    check(
        &plugin("command: sh, args: [-c, 'echo session expired >&2; exit 3'], interactiveMode: IfAvailable"),
        &[],
        expect![[r#"
            session expired
            error: cannot use the cluster: the credential plugin sh failed with exit status: 3
        "#]],
    );
    // It learns of the cluster what the kubeconfig has.
    check(
        &plugin("command: sh, args: [-c, 'echo $KUBERNETES_EXEC_INFO >&2; exit 3'], interactiveMode: Never, provideClusterInfo: true"),
        &[],
        expect![[r#"
            error: cannot use the cluster: the credential plugin sh failed with exit status: 3: {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false,"cluster":{"server":"http://127.0.0.1:1"}}}
        "#]],
    );
    check(
        &plugin("command: echo, args: ['{}']"),
        &[],
        expect![[r#"
            error: cannot use the cluster: the credential plugin echo returned no status
        "#]],
    );
}

#[test]
fn a_credential_plugin_that_stops_working_is_named() {
    let folder = Folder::new();
    let credential = r#"{"status": {"token": "a", "expirationTimestamp": "2026-01-02T03:04:05Z"}}"#;
    let script = format!("#!/bin/sh\nif test -e used; then echo session expired >&2; exit 3; fi\ntouch used\necho '{credential}'\n");
    folder.write("plugin", script);
    let plugin = "user: {exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: sh, args: [plugin]}}";
    folder.write("config", kubeconfig("127.0.0.1:1").replace("user: {}", plugin));
    let printed = folder.run(&["wait", "job/pi", "--kubeconfig", "config"]).with_status(2).stderr;
    let failed = "cannot authenticate to http://127.0.0.1:1: the credential plugin sh failed with exit status: 3: session expired";
    assert_eq!(printed, format!("error: cannot read job default/pi: {failed}\n"));
}

/// An API server whose namespaces are known to some.
fn without_namespaces(_: &str, path: &str, _: usize) -> (u16, String) {
    match path {
        "/api/v1/namespaces/nosuchns" => {
            (404, json!({"kind": "Status", "code": 404, "message": "namespaces \"nosuchns\" not found"}).to_string())
        }
        "/api/v1/namespaces/secret" => (403, json!({"kind": "Status", "code": 403, "message": "forbidden"}).to_string()),
        _ => (200, "{}".to_owned()),
    }
}

#[test]
fn a_namespace_that_does_not_exist_is_named() {
    let (folder, server) = (Folder::new(), Server::start(without_namespaces));
    folder.write("config", kubeconfig(&server.address));
    let namespaces = "secret,team-a,nosuchns";
    let controller = folder.start(&["controller", "--leader-elect=false", "-n", namespaces, "--kubeconfig", "config"]);
    controller.wait_for_error("WARN namespace nosuchns does not exist; watching it in case it is created\n");
    controller.signal("TERM");
    let log = controller.end().with_status(0).stderr;
    assert_eq!(log.matches("does not exist").count(), 1, "{log}");
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn an_api_server_that_goes_is_reported_at_once_in_the_same_words() {
    let mut stage = Stage::new();
    stage.create("default", "held", json!({"suspend": true}));
    let folders = [(); 3].map(|()| Folder::new());
    let commands = ["controller", "explain job/held --watch", "wait job/held"];
    let running: Vec<Program> = folders
        .iter()
        .zip(commands)
        .map(|(folder, command)| {
            folder.write("config", stage.folder.read("config"));
            folder.start(&command.split(' ').chain(["--kubeconfig", "config"]).collect::<Vec<_>>())
        })
        .collect();
    running[0].wait_for_error(" acquired the Lease and is the leader");
    running[1].wait_for(" would decide:");
    stage.cluster.restart("apiserver 6s");
    running[0].wait_for_error("cannot renew the Lease jobsmith.dev-controller: cannot reach https://");
    running[1].wait_for_error("cannot read the cluster at the moment: cannot reach https://");
    running[2].wait_for_error("cannot read the cluster at the moment: cannot reach https://");
    running[0].wait_for_error(" renewed the Lease jobsmith.dev-controller\n");
    for program in running {
        program.signal("TERM");
        let ended = program.end();
        assert!(!ended.stderr.contains("ServiceError"), "{}", ended.stderr);
    }
}

#[test]
fn without_a_kubeconfig_the_error_names_the_options() {
    let folder = Folder::new();
    let run = |variables: &[(&str, &str)]| {
        let mut command = std::process::Command::new(core_tests::built::binary());
        command.args(["explain", "job/pi"]).env_clear().envs(variables.iter().copied());
        folder.start_by(&mut command).end().with_status(2).stderr
    };
    let home = folder.path().to_str().expect("the path is text").to_owned();
    expect![[r#"
        error: no cluster is configured: there is no ~/.kube/config, and this is not running in a pod; pass --kubeconfig FILE, or set KUBECONFIG
    "#]]
    .assert_eq(&run(&[("HOME", &home)]));
    expect![[r#"
        error: here: No such file or directory (os error 2); pass --kubeconfig a file that `kubectl config view` can read
    "#]]
    .assert_eq(&run(&[("HOME", &home), ("KUBECONFIG", "here:there")]));
    // Files that are not there are passed over, as by kubectl.
    folder.write("there", kubeconfig("127.0.0.1:1"));
    let unreachable = run(&[("HOME", &home), ("KUBECONFIG", "here:there")]);
    assert!(unreachable.contains("127.0.0.1:1"), "{unreachable}");
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let good = kubeconfig("127.0.0.1:1");
    check(
        &good,
        &["--name", "jobs"],
        expect![[r#"
        error: invalid value 'jobs' for '--name <NAME>': write a domain in lower case, a slash and a path, as in example.com/jobs, of at most 63 characters

        For more information, try '--help'.
    "#]],
    );
    check(
        &good,
        &["--controllers", "daemonset"],
        expect![[r#"
            error: cannot configure the component: invalid configuration: controllers: unknown controller "daemonset"; choose from job, cronjob, ttl
        "#]],
    );
    check(
        &good,
        &["--workers", "0"],
        expect![[r#"
        error: invalid value '0' for '--workers <N>': 0 is not in 1..=65535

        For more information, try '--help'.
    "#]],
    );
    check(
        &good,
        &["--qps", "many"],
        expect![[r#"
        error: invalid value 'many' for '--qps <N>': write a number of requests per second, from 0 to 1000000

        For more information, try '--help'.
    "#]],
    );
    check(
        &good,
        &["--sync-batch-period", "soon"],
        expect![[r#"
            error: invalid value 'soon' for '--sync-batch-period <DURATION>': write it as "100ms", "1.5s" or "10m"

            For more information, try '--help'.
        "#]],
    );
    check(
        &good,
        &["--leader-elect-renew-deadline", "20s"],
        expect![[r#"
        error: --leader-elect-renew-deadline must be less than --leader-elect-lease-duration: a leader has to stop before another one takes over
    "#]],
    );
    check(
        &good,
        &["--record", "no/such/folder/tape"],
        expect![[r#"
            error: cannot write the --record file: No such file or directory (os error 2); choose another file
        "#]],
    );
    check(
        &good,
        &["--metrics-addr", "192.0.2.1:1"],
        expect![[r#"
            error: cannot listen on 192.0.2.1:1: Cannot assign requested address (os error 99); choose another address
        "#]],
    );
}

#[test]
fn an_unreachable_server_is_retried() {
    let (folder, health) = (Folder::new(), free_address());
    folder.write("config", kubeconfig("127.0.0.1:1"));
    let controller = folder.start(&["controller", "--leader-elect=false", "--health-addr", &health, "--kubeconfig", "config"]);
    controller.wait_for_error(
        "the watch of pods was interrupted: cannot reach http://127.0.0.1:1: Connection refused (os error 111); retrying in 1s",
    );
    let (code, missing) = server::get(&health, "/readyz");
    assert!(code == 503 && missing.contains("jobs: cannot reach http://127.0.0.1:1: "), "{code} {missing}");
    assert_eq!(server::get(&health, "/livez").0, 200);
    controller.signal("TERM");
    controller.end().with_status(0);
}

/// A Job that no API server would store, one that it would, and a watch of pods that is refused at first.
fn odd(method: &str, path: &str, times: usize) -> (u16, String) {
    let job = |name: &str, completions: serde_json::Value| {
        let spec = json!({"managedBy": "jobsmith.dev/controller", "completions": completions, "parallelism": 1, "backoffLimit": 6,
            "completionMode": "NonIndexed", "suspend": false, "selector": {"matchLabels": {"a": name}},
            "template": {"metadata": {"labels": {"a": name}}, "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "a"}]}}});
        let metadata =
            json!({"name": name, "namespace": "default", "uid": name, "resourceVersion": "5", "creationTimestamp": "2026-01-02T03:04:05Z"});
        format!("{}\n", json!({"type": "ADDED", "object": {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}}))
    };
    let end = |kind: &str| {
        let metadata = json!({"resourceVersion": "7", "annotations": {"k8s.io/initial-events-end": "true"}});
        format!("{}\n", json!({"type": "BOOKMARK", "object": {"kind": kind, "metadata": metadata}}))
    };
    match (method, path) {
        ("GET", "/api/v1/pods") if times == 0 => {
            let message = r#"pods is forbidden: User "a" cannot list resource "pods" in API group "" at the cluster scope"#;
            (403, json!({"kind": "Status", "reason": "Forbidden", "code": 403, "message": message}).to_string())
        }
        ("GET", "/apis/batch/v1/jobs") => {
            (200, job("broken", json!("many")) + &job("good", json!(1)) + &job("broken", json!("many")) + &end("Job"))
        }
        ("GET", "/api/v1/pods") => (200, end("Pod")),
        _ => (201, json!({"metadata": {"name": "it", "uid": "it", "resourceVersion": "8"}}).to_string()),
    }
}

#[test]
fn malformed_objects_are_ignored_and_a_missing_permission_is_retried() {
    let (folder, server) = (Folder::new(), Server::start(odd));
    folder.write("config", kubeconfig(&server.address));
    let controller = folder.start(&["controller", "--leader-elect=false", "--kubeconfig", "config"]);
    wait_until(|| server.count("POST /api/v1/namespaces/default/pods") == 1, || "a pod is made for the good Job".to_owned());
    controller.signal("TERM");
    let log = controller.end().with_status(0).stderr;
    assert!(
        log.contains(r#"the watch of pods was interrupted: permission denied: pods is forbidden: User "a" cannot list resource "pods""#),
        "{log}"
    );
    assert_eq!(log.matches("broken").count(), 1, "{log}");
    let line = log.lines().find(|line| line.contains("broken")).expect("it is there");
    assert!(line.contains("ERROR") && line.contains("completions") && line.ends_with("ignoring it until it changes"), "{line}");
}
