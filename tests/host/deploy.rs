//! What `host/deploy/` puts into a cluster: a real API server takes it, and its rights are enough and no more than needed.
//!
//! Docs: Using RBAC Authorization; Pod Security Standards, "Restricted". The controller itself is tried in `faults/`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use core_tests::built;
use core_tests::files::root;

use crate::cluster::Cluster;
use crate::program::{Folder, Program, wait_until};

const WHO: &str = "system:serviceaccount:jobsmith:jobsmith";

fn folder() -> PathBuf {
    root().join("host/deploy")
}

/// Starts the controller with the rights of the service account that is deployed.
fn start(cluster: &Cluster, folder: &Folder, arguments: &[&str]) -> Program {
    let text = fs::read_to_string(&cluster.kubeconfig).expect("the cluster wrote it");
    folder.write("kubeconfig", text.replace("    token: ", &format!("    as: {WHO}\n    token: ")));
    folder.start(&[&["controller", "--kubeconfig", "kubeconfig"], arguments].concat())
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_real_api_server_takes_it_and_its_rights_are_enough() {
    let cluster = Cluster::start(&["-nodes", "1", "-run-for", "200ms"]);
    let deploy = folder();
    let deploy = deploy.to_str().expect("the path is text");
    let at = |arguments: &[&str]| cluster.kubectl_output(arguments);
    // What is in a namespace that does not exist yet cannot be tried.
    at(&["apply", "-f", &format!("{deploy}/namespace.yaml")]);
    let here = Folder::new();
    let controller = start(&cluster, &here, &["--leader-elect-resource-namespace=jobsmith"]);
    controller.wait_for_error("permission denied: leases.coordination.k8s.io");
    let tried = at(&["apply", "--dry-run=server", "-k", deploy]);
    assert_eq!(tried.lines().filter(|line| line.contains("(server dry run)")).count(), 8, "{tried}");
    assert!(!tried.contains("Warning"), "{tried}");
    at(&["apply", "-k", deploy]);
    controller.wait_for_error("acquired the Lease and is the leader");
    at(&["apply", "-f", &format!("{deploy}/../../tests/examples/managed.yaml")]);
    at(&["wait", "job/letters", "--for=condition=Complete", "--timeout=60s"]);
    let since = here.read("stderr");
    let (_, since) = since.split_once("acquired the Lease and is the leader").expect("it logged that");
    assert!(!since.contains("permission denied") && !since.contains("WARN"), "{since}");
    let events = at(&["get", "events", "--field-selector", "involvedObject.kind=Job", "-o", "jsonpath={.items[*].reason}"]);
    assert!(events.contains("SuccessfulCreate") && events.contains("Completed"), "{events}");
    let finalizers = at(&["get", "pods", "-o", "jsonpath={.items[*].metadata.finalizers}"]);
    assert_eq!(finalizers, "", "no pod is held");
    for denied in [
        "get secrets",
        "delete jobs.batch",
        "update jobs.batch",
        "create pods --subresource=exec",
        "update leases.coordination.k8s.io -n kube-system",
    ] {
        is_denied(&cluster, denied);
    }
}

fn is_denied(cluster: &Cluster, what: &str) {
    let words: Vec<&str> = ["auth", "can-i", "--as", WHO].into_iter().chain(what.split(' ')).collect();
    let (answer, may) = cluster.kubectl(&words);
    assert!(!may && answer.trim().ends_with("no"), "{what}: {answer}");
}

/// Starts a cluster with the rights of the Job controller and those in another file of the folder.
fn with_rights(file: &str) -> Cluster {
    let cluster = Cluster::start(&["-nodes", "1", "-run-for", "200ms"]);
    for file in ["namespace.yaml", "service-account.yaml", "rbac.yaml", file] {
        cluster.kubectl_output(&["apply", "-f", folder().join(file).to_str().expect("the path is text")]);
    }
    cluster
}

/// In place of the built-in controllers. Who leads is tried with the Job controller.
const IN_PLACE: [&str; 3] = ["--name=kubernetes.io/job-controller", "--leader-elect=false", "--log-level=debug"];

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn the_rights_of_the_cron_job_controller_are_enough() {
    let cluster = with_rights("rbac-cronjob.yaml");
    let here = Folder::new();
    let controller = start(&cluster, &here, &[&IN_PLACE[..], &["--controllers=job,cronjob"]].concat());
    here.write("hello.yaml", CRON_JOB);
    cluster.kubectl_output(&["apply", "-f", here.path().join("hello.yaml").to_str().expect("the path is text")]);
    // A Job that its status does not list makes the controller read the CronJob.
    cluster.kubectl_output(&["create", "job", "by-hand", "--from=cronjob/hello"]);
    let events = || {
        cluster.kubectl_output(&["get", "events", "--field-selector", "involvedObject.kind=CronJob", "-o", "jsonpath={.items[*].reason}"])
    };
    wait_until(|| events().contains("SuccessfulCreate"), || format!("a Job is created: {}", events()));
    wait_until(|| events().contains("SuccessfulDelete"), || format!("a Job is deleted: {}", events()));
    let last = || cluster.kubectl_output(&["get", "cronjob", "hello", "-o", "jsonpath={.status.lastSuccessfulTime}"]);
    wait_until(|| !last().is_empty(), || "the status is written".to_owned());
    for denied in
        ["update cronjobs.batch", "delete cronjobs.batch", "create cronjobs.batch", "update jobs.batch", "deletecollection jobs.batch"]
    {
        is_denied(&cluster, denied);
    }
    controller.signal("TERM");
    let log = controller.end().with_status(0).stderr;
    assert!(log.contains("Reading the CronJob") && !log.contains("permission denied") && !log.contains("WARN"), "{log}");
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn the_rights_of_the_ttl_controller_are_enough() {
    let cluster = with_rights("rbac-ttl.yaml");
    let here = Folder::new();
    let controller = start(&cluster, &here, &[&IN_PLACE[..], &["--controllers=job,ttl"]].concat());
    here.write("brief.yaml", JOB);
    cluster.kubectl_output(&["apply", "-f", here.path().join("brief.yaml").to_str().expect("the path is text")]);
    let deleted = || cluster.kubectl_output(&["get", "job", "brief", "-o", "jsonpath={.metadata.deletionTimestamp}"]);
    wait_until(|| !deleted().is_empty(), || "the Job is deleted".to_owned());
    for denied in ["create jobs.batch", "update jobs.batch", "list cronjobs.batch", "deletecollection jobs.batch"] {
        is_denied(&cluster, denied);
    }
    controller.signal("TERM");
    let log = controller.end().with_status(0).stderr;
    assert!(!log.contains("permission denied") && !log.contains("WARN"), "{log}");
}

/// A CronJob that keeps no Job that has succeeded.
const CRON_JOB: &str = "\
apiVersion: batch/v1
kind: CronJob
metadata: {name: hello}
spec:
  schedule: '@every 1s'
  successfulJobsHistoryLimit: 0
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
";

/// A Job that is deleted as soon as it has finished.
const JOB: &str = "\
apiVersion: batch/v1
kind: Job
metadata: {name: brief}
spec:
  ttlSecondsAfterFinished: 0
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
";

#[test]
fn the_container_starts_what_is_built() {
    let read = |name: &str| fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (dockerfile, deployment) = (read("Dockerfile"), read("deployment.yaml"));
    let workspace = fs::read_to_string(folder().join("../../Cargo.toml")).expect("the workspace is there");
    let rust = workspace.lines().find_map(|line| line.strip_prefix("rust-version = ")).expect("it names its Rust").trim_matches('"');
    assert!(dockerfile.contains(&format!("FROM rust:{rust}-")), "{dockerfile}");
    assert!(dockerfile.contains("target/dist/jobsmith /jobsmith") && dockerfile.contains("USER 65532:65532"), "{dockerfile}");
    let arguments = deployment.lines().skip_while(|line| line.trim() != "args:").skip(1);
    let arguments: Vec<&str> =
        arguments.map_while(|line| line.trim().strip_prefix("- ")).take_while(|argument| !argument.starts_with("name:")).collect();
    assert!(arguments.len() >= 3 && arguments[0] == "controller", "{arguments:?}");
    let ended = Command::new(built::binary()).args(&arguments).args(["--kubeconfig", "/nowhere"]).output().expect("the program is built");
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert!(stderr.contains("/nowhere: No such file"), "all arguments are known, and only the cluster is not: {stderr}");
}

#[test]
fn the_dashboard_shows_metrics_that_there_are() {
    let dashboard = fs::read_to_string(folder().join("dashboard.json")).expect("it is there");
    let dashboard: serde_json::Value = serde_json::from_str(&dashboard).expect("it is JSON");
    let panels = dashboard["panels"].as_array().expect("it has panels");
    let sources: String = [
        "crates/controllers/src/job/metrics.rs",
        "crates/controllers/src/manager.rs",
        "host/embed/src/metrics.rs",
        "host/cluster/src/shared.rs",
    ]
    .iter()
    .map(|file| fs::read_to_string(root().join(file)).expect("the file is there"))
    .collect();
    let mut shown = 0;
    for target in panels.iter().flat_map(|panel| panel["targets"].as_array().into_iter().flatten()) {
        let words = target["expr"].as_str().expect("it queries something").split(|c: char| !c.is_alphanumeric() && c != '_');
        for metric in
            words.filter(|word| word.starts_with("job_controller_") || word.starts_with("jobsmith_") || word.starts_with("workqueue_"))
        {
            let name = metric.trim_end_matches("_bucket");
            assert!(sources.contains(&format!("\"{name}\"")), "there is no metric {name}");
            shown += 1;
        }
    }
    assert!(shown >= 10, "{shown} metrics are shown");
}
