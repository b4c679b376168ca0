//! `jobsmith controller`, `explain`, `wait` and `replay` on a real API server, and what they print when a cluster is not as it should be.
//!
//! Docs: `jobsmith controller --help`. Whether Jobs end as they should whatever goes wrong is requests in `faults/`, with what rights in `deploy.rs`.

mod by_hand;
mod proxies;
mod replacing;
pub(crate) mod server;
mod trouble;
mod ttl;

use api::Kind;
use api::request::{Method, Request};
use serde_json::{Value, json};

use crate::cluster::{Cluster, PlainClient};
use crate::program::{Ended, Folder, Program};

/// A cluster, a client of it, and a folder with its kubeconfig.
struct Stage {
    cluster: Cluster,
    eyes: PlainClient,
    folder: Folder,
}

impl Stage {
    fn new() -> Self {
        let cluster = Cluster::start(&["-nodes", "1", "-run-for", "2s"]);
        let folder = Folder::new();
        cluster.give_kubeconfig(&folder);
        Self { eyes: PlainClient::new(&cluster), cluster, folder }
    }

    fn create(&self, namespace: &str, name: &str, spec: Value) {
        let mut job = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": spec});
        job["spec"]["template"] = json!({"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}]}});
        self.eyes.ask(&Request::create(Kind::Job, namespace, job.to_string()));
    }

    fn job(&self, namespace: &str, name: &str) -> Value {
        self.eyes.ask(&Request::read(Kind::Job, namespace, name))
    }

    fn start(&self, command: &str) -> Program {
        let words: Vec<&str> = command.split(' ').chain(["--kubeconfig", "config"]).collect();
        self.folder.start(&words)
    }

    fn run(&self, command: &str, status: i32) -> Ended {
        self.start(command).end().with_status(status)
    }
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_job_is_explained_run_awaited_and_gone_through_again() {
    let stage = Stage::new();
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "other"}});
    let mut request = Request::get("/api/v1/namespaces".to_owned());
    (request.method, request.body) = (Method::Post, namespace.to_string());
    stage.eyes.ask(&request);
    let ours = json!({"managedBy": "jobsmith.dev/controller", "completions": 2, "parallelism": 1});
    stage.create("default", "pi", ours.clone());
    stage.create("other", "pi", ours);
    stage.create("default", "slow", json!({"managedBy": "jobsmith.dev/controller", "activeDeadlineSeconds": 1}));
    stage.create("default", "theirs", json!({"completions": 3, "parallelism": 3}));
    nothing_is_written(&stage);
    let watching = Folder::new();
    watching.write("config", stage.folder.read("config"));
    let watcher = watching.start(&["explain", "job/pi", "--watch", "--kubeconfig", "config"]);
    watcher.wait_for("jobsmith.dev/controller would decide:");

    let [metrics, health] = [free_address(), free_address()];
    let running = Folder::new();
    running.write("config", stage.folder.read("config"));
    let controller = running.start(&[
        "controller",
        "-n",
        "default",
        "--record",
        "tape.jsonl",
        "--log-format",
        "json",
        "--metrics-addr",
        &metrics,
        "--health-addr",
        &health,
        "--kubeconfig",
        "config",
    ]);
    let waited = stage.run("wait job/pi --timeout 1m", 0);
    assert!(waited.stdout.starts_with("job pi is Complete: CompletionsReached: "), "{}", waited.stdout);
    let waited = stage.run("wait slow --timeout 1m", 1);
    assert!(waited.stdout.starts_with("job slow is Failed: DeadlineExceeded: "), "{}", waited.stdout);
    let waited = stage.run("wait job pi slow --timeout 1m", 1).stdout;
    assert!(waited.contains("job pi is Complete: ") && waited.contains("job slow is Failed: "), "{waited}");
    let waited = stage.run("wait theirs slow --timeout 2s", 1);
    assert!(waited.stdout.starts_with("job slow is Failed: "), "{}", waited.stdout);
    assert!(waited.stderr.contains("job theirs has not finished") && !waited.stderr.contains("slow"), "{}", waited.stderr);
    stage.run("wait -l job-name=pi --timeout 1m", 0);
    let waited = stage.run("wait job/pi -n other --timeout 1s", 3);
    assert!(waited.stderr.contains("job pi has not finished"), "{}", waited.stderr);
    let watched = watcher.end().with_status(0).stdout;
    assert!(watched.matches(" decide:").count() >= 3 && watched.contains("Nothing more happens: the Job has finished."), "{watched}");
    let failed = stage.run("explain job/slow", 0).stdout;
    assert!(failed.contains("DeadlineExceeded"), "{failed}");

    assert_eq!(stage.job("other", "pi")["status"], json!({}), "another namespace is left alone");
    assert_eq!(stage.job("default", "theirs")["status"], json!({}), "another controller's Job is left alone");
    assert_eq!(server::get(&health, "/readyz"), (200, "ok".to_owned()));
    assert_eq!(server::get(&health, "/livez").0, 200);
    counted(&server::get(&metrics, "/metrics").1);
    controller.signal("TERM");
    let log = controller.end().with_status(0).stderr;
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect();
    assert!(lines.iter().any(|line| line["object"] == "default/pi" && line["rule"].is_string() && line["level"] == "INFO"), "{log}");
    let replayed = running.run(&["replay", "tape.jsonl", "--why"]).with_status(0);
    assert!(
        replayed.stderr.ends_with("plans: all as recorded\n") && replayed.stdout.contains("default/pi"),
        "{}{}",
        replayed.stdout,
        replayed.stderr
    );
}

/// What only reads changes nothing: `explain`, also of a Job that the built-in controller manages, and `controller --dry-run`.
fn nothing_is_written(stage: &Stage) {
    let before = stage.job("default", "pi");
    let explained = stage.run("explain job/pi", 0).stdout;
    assert!(explained.contains("jobsmith.dev/controller would decide:") && explained.contains("  → POST pods"), "{explained}");
    let explained = stage.run("explain theirs -o json", 0).objects();
    assert_eq!((&explained[0]["job"], &explained[0]["manager"]), (&json!("theirs"), &json!("kubernetes.io/job-controller")));
    let missing = stage.run("explain job/pi -n nowhere", 2).stderr;
    assert!(missing.starts_with("error: job pi not found in namespace nowhere of https://127.0.0.1:"), "{missing}");
    let dry = stage.start("controller --dry-run");
    dry.wait_for_error("default/pi");
    dry.signal("INT");
    let log = dry.end().with_status(0).stderr;
    assert!(log.contains(", as a dry run") && !log.contains("WARN") && !log.contains("leads"), "{log}");
    assert_eq!(stage.job("default", "pi"), before);
    let pods = stage.eyes.ask(&Request::get(api::request::path(Kind::Pod, "default", "", "")));
    assert_eq!(pods["items"], json!([]));
}

/// The metrics count what was done for two Jobs of three pods.
fn counted(metrics: &str) {
    let value = |series: &str| {
        let line = metrics.lines().find_map(|line| line.strip_prefix(series)).unwrap_or_else(|| panic!("no {series} in\n{metrics}"));
        line.trim().parse::<f64>().expect("it is a number")
    };
    let counts = |series: &str, count: u32| assert!((value(series) - f64::from(count)).abs() < 0.5, "{series}: {}", value(series));
    counts(r#"job_controller_jobs_finished_total{completion_mode="NonIndexed",result="succeeded",reason="CompletionsReached"}"#, 1);
    counts(r#"job_controller_jobs_finished_total{completion_mode="NonIndexed",result="failed",reason="DeadlineExceeded"}"#, 1);
    counts(r#"job_controller_jobs_by_external_controller_total{controller_name="kubernetes.io/job-controller"}"#, 1);
    counts(r#"jobsmith_api_requests_total{verb="create",resource="pods",code="201"}"#, 3);
    counts("jobsmith_leader", 1);
}

/// An address where nothing listens.
fn free_address() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback can be listened at");
    listener.local_addr().expect("it listens").to_string()
}
