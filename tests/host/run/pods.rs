//! What pods are made of: containers, their order, their environment and their ends.
//!
//! Docs: Pod Lifecycle; Init Containers; Sidecar Containers; Define Environment Variables for a Container.

use serde_json::{Value, json};

use super::{container, folder, pod};

/// The container with further fields.
fn with(mut container: Value, fields: Value) -> Value {
    let fields = fields.as_object().expect("fields are an object");
    container.as_object_mut().expect("a container is an object").extend(fields.clone());
    container
}

#[test]
fn indexed_pods_know_their_index_and_have_it_in_their_host_name() {
    let spec = json!({"completionMode": "Indexed", "completions": 3, "parallelism": 3});
    let echo = json!({
        "name": "first", "image": "busybox", "command": ["/bin/echo", "$(JOB_COMPLETION_INDEX)"], "args": ["of", "$$(JOB_COMPLETION_INDEX)"],
    });
    let second = container("second", "echo $HOSTNAME $JOB_COMPLETION_INDEX");
    let pod = json!({"restartPolicy": "Never", "containers": [echo, second]});
    let ended = folder("letters", spec, pod).run(&["run", "job.yaml"]).with_status(0);
    let mut printed = ended.printed();
    printed.sort_unstable();
    let index = "$(JOB_COMPLETION_INDEX)";
    let [zero, one, two] = ["0", "1", "2"].map(|number| format!("{number} of {index}"));
    assert_eq!(printed, [&*zero, &one, &two, "letters-0 0", "letters-1 1", "letters-2 2"]);
}

#[test]
fn init_containers_run_in_order_and_sidecars_until_the_end() {
    let sidecar = "trap 'echo sidecar ends >>$TMPDIR/order; exit' TERM; echo sidecar >>$TMPDIR/order; while :; do sleep 0.05; done";
    let pod = json!({
        "restartPolicy": "Never",
        "initContainers": [
            container("first", "sleep 0.2; echo first >>$TMPDIR/order"),
            with(container("sidecar", sidecar), json!({"restartPolicy": "Always"})),
            container("second", "until grep -q sidecar $TMPDIR/order; do sleep 0.05; done; echo second >>$TMPDIR/order"),
        ],
        "containers": [container("main", "echo main >>$TMPDIR/order")],
    });
    let folder = folder("layers", json!({}), pod);
    folder.run(&["run", "job.yaml"]).with_status(0);
    assert_eq!(folder.read("order"), "first\nsidecar\nsecond\nmain\nsidecar ends\n");
    folder.wait_until_empty();
}

#[test]
fn a_container_restarts_by_its_own_rule() {
    let main = container("main", "test -e $TMPDIR/tried && exit 0; touch $TMPDIR/tried; exit 42");
    let rules = json!([{"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}]);
    let main = with(main, json!({"restartPolicy": "Never", "restartPolicyRules": rules}));
    let pod = json!({"restartPolicy": "Never", "containers": [main]});
    let ended = folder("again", json!({"backoffLimit": 0}), pod).run(&["run", "job.yaml"]).with_status(0);
    assert!(ended.stdout.contains("container main exited with code 42; restarting immediately (start 2)"), "{}", ended.stdout);
    assert!(ended.stdout.contains("job again: 1 pod, 2 starts: all ran to their end"), "{}", ended.stdout);
}

#[test]
fn an_init_container_that_fails_fails_its_pod() {
    let pod = json!({
        "restartPolicy": "Never",
        "initContainers": [container("prepare", "exit 7")],
        "containers": [container("main", "echo main")],
    });
    let ended = folder("unprepared", json!({"backoffLimit": 0}), pod).run(&["run", "job.yaml"]).with_status(1);
    assert!(ended.stdout.contains("Failed with exit code 7"), "{}", ended.stdout);
    assert_eq!(ended.printed(), [""; 0]);
}

#[test]
fn the_environment_is_that_of_the_manifest() {
    let field = |name: &str, path: &str| json!({"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}});
    let env = json!([
        {"name": "GREETING", "value": "hello"}, {"name": "BOTH", "value": "$(GREETING) $(UNKNOWN)"},
        field("NAMESPACE", "metadata.namespace"), field("JOB", "metadata.labels['batch.kubernetes.io/job-name']"),
        field("NODE", "spec.nodeName"), field("POD_IP", "status.podIP"), field("HOST_IP", "status.hostIP"),
    ]);
    let script = "echo $BOTH; echo $NAMESPACE $JOB $NODE $POD_IP $HOST_IP; pwd; echo secret: $MY_SECRET";
    let mut pod = pod("");
    pod["containers"][0] = with(container("main", script), json!({"env": env, "workingDir": "/usr"}));
    let ended = folder("facts", json!({}), pod).run(&["run", "job.yaml"]).with_status(0);
    assert_eq!(ended.printed(), ["hello $(UNKNOWN)", "default facts local 127.0.0.1 127.0.0.1", "/usr", "secret:"]);
}

#[test]
fn lines_of_several_containers_are_distinguished() {
    let pod = json!({"restartPolicy": "Never", "containers": [container("one", "echo 1"), container("two", "sleep 1; echo 2")]});
    let ended = folder("pair", json!({}), pod).run(&["run", "job.yaml"]).with_status(0);
    let names: Vec<&str> = ended.stdout.lines().filter_map(|line| line.split_once(" | ")).map(|(name, _)| name).collect();
    assert!(names[0].starts_with("pair-") && names[0].ends_with("/one") && names[1] == names[0].replace("/one", "/two"), "{names:?}");
}

#[test]
fn exit_codes_of_signals_count_from_128() {
    let script = "sh -c 'kill -SEGV $PPID'; sleep 1000";
    let ended = folder("shot", json!({"backoffLimit": 0}), pod(script)).run(&["run", "job.yaml"]).with_status(1);
    assert!(ended.stdout.contains("Failed with exit code 139"), "{}", ended.stdout);
}

#[test]
fn a_command_that_cannot_start_reports_why() {
    let mut pod = pod("");
    pod["containers"][0]["command"] = json!(["no-such-program"]);
    let ended = folder("absent", json!({"backoffLimit": 0}), pod).run(&["run", "job.yaml"]).with_status(1);
    assert!(ended.stdout.contains("Failed with exit code 128"), "{}", ended.stdout);
    assert!(ended.stdout.contains("cannot run \"no-such-program\": it is not in PATH"), "{}", ended.stdout);
}

#[test]
fn a_pod_has_a_deadline_of_its_own() {
    let mut pod = pod("sleep 1000");
    pod["activeDeadlineSeconds"] = 1.into();
    let folder = folder("slow", json!({"backoffLimit": 0}), pod);
    let ended = folder.run(&["run", "job.yaml"]).with_status(1);
    assert!(ended.stdout.contains(": DeadlineExceeded"), "{}", ended.stdout);
    folder.wait_until_empty();
}

#[test]
fn who_ignores_term_is_killed_after_the_grace_period() {
    let mut pod = pod("trap '' TERM; sleep 1000 & wait; sleep 1000");
    pod["terminationGracePeriodSeconds"] = 1.into();
    let folder = folder("stubborn", json!({"activeDeadlineSeconds": 2}), pod);
    let ended = folder.run(&["run", "job.yaml"]).with_status(1);
    assert!(ended.stdout.contains("Failed with exit code 137"), "{}", ended.stdout);
    folder.wait_until_empty();
}

#[test]
fn a_pod_that_wants_a_dns_name_is_refused_before_its_command_waits_for_one_forever() {
    let mut pod = pod("until getent hosts pi-0.pods; do sleep 1; done");
    pod["subdomain"] = json!("pods");
    let ended = folder("pi", json!({}), pod).run(&["run", "job.yaml"]).with_status(2);
    let refused = "error: a local process has no DNS name: a command that waits for another pod's name to resolve would wait forever";
    assert!(
        ended.stderr.contains(refused) && ended.stderr.contains("= help: remove it, and reach the other pods at 127.0.0.1"),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.stdout, "");
}

#[test]
fn what_the_api_server_warns_of_is_printed_before_anything_starts() {
    let ended = folder("a.b", json!({}), pod("true")).run(&["run", "job.yaml"]).with_status(0);
    let warned = "Warning: job a.b: metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is \
                  recommended: [must not contain dots]\n";
    assert!(ended.stderr.starts_with(warned), "{}", ended.stderr);
}
