//! A Job on a real API server, and everything that can go wrong goes wrong.
//!
//! Docs: Jobs, "Handling Pod and container failures"; Leases. Requests fail in `proxy.rs`, processes in `replica.rs`; who wrote is noted in `ledger.rs`.

mod ledger;
mod proxy;
mod recreation;
mod replica;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use api::Kind;
use api::request::{ContentType, Method, Request};
use cluster::rng::Rng;
use core_tests::summary::{number, print};
use serde_json::{Value, json};

use self::ledger::Ledger;
use self::proxy::Proxies;
use self::replica::Replica;
use crate::cluster::{Cluster, PlainClient};

/// How many completions the Job has, unless `FAULTS_COMPLETIONS` is set; `cargo xtask soak` has more.
const COMPLETIONS: u64 = 500;
/// After how long the Job must have ended, whatever goes wrong.
const LIMIT: Duration = Duration::from_secs(900);
const FINALIZER: &str = "jobsmith.dev/job-tracking";

/// A cluster, controllers behind proxies, and an observer.
struct Stage {
    cluster: Cluster,
    eyes: PlainClient,
    ledger: Arc<Ledger>,
    proxies: Proxies,
    replicas: Vec<Replica>,
    folder: std::path::PathBuf,
}

impl Stage {
    /// `test`: the name of a folder for what the controllers log.
    fn new(test: &str, replicas: usize, seed: u64) -> Self {
        let cluster = Cluster::start(&["-nodes", "3", "-run-for", "300ms", "-fail", "0.03"]);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        let ledger = Arc::new(Ledger::default());
        let proxies = Proxies::start(&cluster.kubeconfig, replicas, seed, ledger.clone());
        let start = |number| Replica::start(proxies.kubeconfig(number, &folder), &folder, number);
        let replicas = (0..replicas).map(start).collect();
        Self { eyes: PlainClient::new(&cluster), cluster, ledger, proxies, replicas, folder }
    }

    fn request(&self, method: Method, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.eyes.ask(&Request { method, path: path.to_owned(), content_type: ContentType::Json, body })
    }

    fn create_job(&self, name: &str, completions: u64) {
        let template =
            json!({"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox", "command": ["true"]}]}});
        let job = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": {
            "managedBy": "jobsmith.dev/controller", "completionMode": "Indexed", "completions": completions, "parallelism": 40,
            "backoffLimit": 1_000_000, "template": template}});
        self.request(Method::Post, &api::request::path(Kind::Job, "default", "", ""), &job);
    }

    fn status(&self, name: &str) -> Value {
        self.request(Method::Get, &api::request::path(Kind::Job, "default", name, ""), &Value::Null)["status"].take()
    }

    fn pods(&self) -> Vec<Value> {
        let mut list = self.request(Method::Get, &api::request::path(Kind::Pod, "default", "", ""), &Value::Null);
        list["items"].as_array_mut().map(std::mem::take).unwrap_or_default()
    }

    fn leader(&self) -> usize {
        self.ledger.leader().unwrap_or(0)
    }
}

fn ended(status: &Value) -> Option<&str> {
    let conditions = status["conditions"].as_array()?;
    let end = |condition: &&Value| matches!(condition["type"].as_str(), Some("Complete" | "Failed")) && condition["status"] == "True";
    conditions.iter().find(end).and_then(|condition| condition["type"].as_str())
}

/// Makes one thing go wrong; returns its name.
fn mishap(stage: &mut Stage, rng: &mut Rng) -> &'static str {
    let (leader, other) = (stage.leader(), rng.place(stage.replicas.len()));
    match rng.below(6) {
        0 => {
            stage.proxies.fail(30);
            sleep(Duration::from_secs(3));
            stage.proxies.fail(1);
            "for three seconds a third of all requests goes wrong"
        }
        5 => {
            stage.replicas[leader].die();
            "the leader is killed"
        }
        1 => {
            stage.replicas[other].die();
            "a replica is killed"
        }
        2 => {
            stage.replicas[leader].pause(Duration::from_secs(6));
            "the leader is stopped for longer than its Lease lasts"
        }
        3 => {
            stage.cluster.restart("apiserver");
            "the API server is restarted"
        }
        _ => {
            stage.cluster.restart("etcd");
            "etcd is restarted"
        }
    }
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_job_ends_as_it_should_whatever_goes_wrong() {
    let (seed, completions) = (number("FAULTS_SEED", 1), number("FAULTS_COMPLETIONS", COMPLETIONS));
    let mut stage = Stage::new("all", 2, seed);
    let mut rng = Rng::new(seed);
    stage.create_job("large", completions);
    let (begin, mut mishaps, mut counted) = (Instant::now(), BTreeMap::new(), (0, 0));
    // A plan of many requests rarely succeeds if more go wrong, and then backs off for up to a minute.
    stage.proxies.fail(1);
    loop {
        sleep(Duration::from_millis(3000 + rng.below(3000)));
        let status = stage.status("large");
        let count = |field: &str| status[field].as_u64().unwrap_or(0);
        let now = (count("succeeded"), count("failed"));
        assert!(now.0 >= counted.0 && now.1 >= counted.1, "counters fell from {counted:?} to {now:?}");
        assert!(now.0 <= completions, "{now:?}");
        counted = now;
        if ended(&status).is_some() {
            break;
        }
        assert!(begin.elapsed() < LIMIT, "after {LIMIT:?} {counted:?} are counted; logs in {}: {status}", stage.folder.display());
        *mishaps.entry(mishap(&mut stage, &mut rng)).or_insert(0) += 1;
    }
    stage.proxies.fail(0);
    let took = begin.elapsed();
    check(&stage, completions, counted);
    let (terms, writes, violations) = stage.ledger.sum();
    assert!(violations.is_empty(), "only the leader writes: {violations:#?}");
    let mishaps: Vec<String> = mishaps.iter().map(|(what, times)| format!("{what} ({times})")).collect();
    print(&format!(
        "faults: seed {seed}, {completions} completions and {} failures counted in {} s; {} of the requests went wrong, {writes} writes in {terms} terms; {}",
        counted.1,
        took.as_secs(),
        stage.proxies.faults(),
        mishaps.join(", ")
    ));
    take_over(&mut stage);
}

/// `SOAK_SECONDS` is how long, if not an hour.
#[test]
#[ignore = "takes an hour: `cargo xtask soak memory`"]
fn an_hour_of_jobs_leaves_no_trace_in_memory() {
    let length = number("SOAK_SECONDS", 3600);
    let mut stage = Stage::new("memory", 2, 1);
    let (begin, length) = (Instant::now(), Duration::from_secs(length));
    stage.proxies.fail(1);
    let (mut jobs, mut first) = (0, 0);
    while begin.elapsed() < length {
        let name = format!("soak-{jobs}");
        stage.create_job(&name, 200);
        let created = Instant::now();
        while ended(&stage.status(&name)) != Some("Complete") {
            assert!(created.elapsed() < LIMIT, "{name} does not end; logs in {}", stage.folder.display());
            sleep(Duration::from_millis(500));
        }
        let pods = settled(&stage);
        assert!(!pods.iter().any(has_finalizer), "pods of {name} keep the finalizer");
        stage.request(
            Method::Delete,
            &format!("{}?propagationPolicy=Background", api::request::path(Kind::Job, "default", &name, "")),
            &Value::Null,
        );
        stage.request(Method::Delete, &format!("{}?gracePeriodSeconds=0", api::request::path(Kind::Pod, "default", "", "")), &Value::Null);
        jobs += 1;
        if jobs == 3 {
            first = stage.replicas[stage.leader()].memory();
        }
        if jobs % 10 == 0 {
            stage.cluster.restart(if jobs % 20 == 0 { "etcd" } else { "apiserver" });
        }
    }
    let last = stage.replicas[stage.leader()].memory();
    print(&format!(
        "soak: {jobs} Jobs and {} pods in {} s; memory {first} KiB after 3 Jobs, {last} KiB in the end",
        jobs * 200,
        begin.elapsed().as_secs()
    ));
    assert!(jobs >= 10 && last < first * 3 / 2, "{jobs} Jobs; memory grew from {first} to {last} KiB");
    let (.., violations) = stage.ledger.sum();
    assert!(violations.is_empty(), "only the leader writes: {violations:#?}");
}

/// Exactly the completions are counted, no pod is held, no index has two pods that succeeded.
fn check(stage: &Stage, completions: u64, (succeeded, failed): (u64, u64)) {
    let status = stage.status("large");
    assert_eq!((ended(&status), succeeded), (Some("Complete"), completions), "{status}");
    assert_eq!(
        (&status["completedIndexes"], &status["active"], &status["terminating"]),
        (&json!(format!("0-{}", completions - 1)), &Value::Null, &json!(0)),
        "{status}"
    );
    let pods = settled(stage);
    let held: Vec<&str> = pods.iter().filter(|pod| has_finalizer(pod)).filter_map(|pod| pod["metadata"]["name"].as_str()).collect();
    assert!(held.is_empty(), "pods keep the finalizer: {held:?}");
    let mut succeeded = BTreeMap::new();
    for pod in pods.iter().filter(|pod| pod["status"]["phase"] == "Succeeded") {
        let index = pod["metadata"]["annotations"]["batch.kubernetes.io/job-completion-index"].as_str().expect("it has an index");
        *succeeded.entry(index.to_owned()).or_insert(0) += 1;
    }
    let twice: Vec<_> = succeeded.iter().filter(|(_, pods)| **pods > 1).collect();
    assert!(twice.is_empty(), "indexes that succeeded more than once: {twice:?}");
    assert_eq!(succeeded.len() as u64, completions);
    let failures = pods.iter().filter(|pod| pod["status"]["phase"] == "Failed").count() as u64;
    assert!(failed <= failures, "{failed} failures are counted, and {failures} pods failed");
}

fn has_finalizer(pod: &Value) -> bool {
    pod["metadata"]["finalizers"].as_array().is_some_and(|finalizers| finalizers.iter().any(|finalizer| finalizer == FINALIZER))
}

/// The pods once none is held, or after a minute.
fn settled(stage: &Stage) -> Vec<Value> {
    let begin = Instant::now();
    loop {
        let pods = stage.pods();
        if !pods.iter().any(has_finalizer) || begin.elapsed() > Duration::from_mins(1) {
            return pods;
        }
        sleep(Duration::from_millis(500));
    }
}

/// A leader that gets TERM gives its Lease back: the other one leads at once.
fn take_over(stage: &mut Stage) {
    let leader = stage.leader();
    let (status, took) = stage.replicas[leader].end();
    assert!(status.success() && took < Duration::from_secs(5), "it ended with {status} after {took:?}");
    let begin = Instant::now();
    while stage.ledger.leader().is_none_or(|now| now == leader) {
        assert!(begin.elapsed() < Duration::from_secs(3), "nobody has taken over");
        sleep(Duration::from_millis(50));
    }
}
