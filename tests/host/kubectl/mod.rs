//! What we print is what kubectl prints: `kubectl describe` and `kubectl get cronjobs,jobs,pods` beside ours, on the same objects of a real API server.
//!
//! Docs: kubectl describe; kubectl get. The objects are in `cron_jobs.yaml`, `jobs.yaml`, `templates.yaml`, `pods.yaml` and `events.yaml`; what prints them is
//! the crate `kubectl`. Ages are compared too: ours are counted to the moment at which kubectl ran.

use std::path::Path;

use api::Timestamp;
use api::request::{ContentType, Method, Request};
use core_tests::summary::print;
use kubectl::Columns;
use serde_json::{Value, json};

use crate::cluster::{Cluster, PlainClient};

/// The namespace beside the default one.
const OTHER: &str = "other";
/// How often a text is compared: an age may change while kubectl runs.
const ATTEMPTS: usize = 10;

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn our_text_is_that_of_kubectl() {
    let cluster = Cluster::start(&["-nodes", "0"]);
    let real = Real { client: PlainClient::new(&cluster), cluster };
    real.send(Method::Post, "/api/v1/namespaces", &json!({"metadata": {"name": OTHER}}));
    for file in ["cron_jobs.yaml", "jobs.yaml", "templates.yaml", "pods.yaml", "events.yaml"] {
        objects(file).into_iter().for_each(|object| real.create(object));
    }
    let (jobs, pods) = (real.list("/apis/batch/v1/jobs"), real.list("/api/v1/pods"));
    let cron_jobs = real.list("/apis/batch/v1/cronjobs");
    let mut differences = Vec::new();
    differences.extend(jobs.iter().filter_map(|job| real.difference_of_description("Job", job, kubectl::describe_job)));
    differences
        .extend(cron_jobs.iter().filter_map(|cron_job| real.difference_of_description("CronJob", cron_job, kubectl::describe_cron_job)));
    differences.extend(real.differences_of_all(&cron_jobs, &jobs, &pods));
    let named = |objects: &[Value], field: &str, value: &str| -> Vec<Value> {
        objects.iter().filter(|object| text(&object["metadata"][field]) == value).cloned().collect()
    };
    for (flags, field, value) in [
        (&["-n", "default"][..], "namespace", "default"),
        (&["-n", OTHER], "namespace", OTHER),
        (&["--field-selector=metadata.name=pending"], "name", "pending"),
        (&["--field-selector=metadata.name=bare"], "name", "bare"),
    ] {
        let (jobs, pods) = (named(&jobs, field, value), named(&pods, field, value));
        differences.extend(real.differences_of_tables(flags, &jobs, &pods));
    }
    differences.extend(real.differences_of_tables(&["-A"], &jobs, &pods));
    assert!(differences.is_empty(), "{} texts differ\n\n{}", differences.len(), differences.join("\n\n"));
    assert!(jobs.len() >= 30 && pods.len() >= 30, "{} Jobs and {} pods are too few", jobs.len(), pods.len());
    assert!(cron_jobs.len() >= 5, "{} CronJobs are too few", cron_jobs.len());
    print(&format!("kubectl: {} Jobs described and {} pods listed as it does", jobs.len(), pods.len()));
}

/// The objects of a file in this folder.
fn objects(file: &str) -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("kubectl").join(file);
    let source = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let documents = manifest::read(&source).unwrap_or_else(|problem| panic!("{}:{problem}", file.display()));
    documents[0].value()["items"].as_array().expect("the file is a List").clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A real API server, and kubectl.
struct Real {
    client: PlainClient,
    cluster: Cluster,
}

impl Real {
    fn send(&self, method: Method, path: &str, body: &Value) -> Value {
        self.client.ask(&Request { method, path: path.to_owned(), content_type: ContentType::Json, body: body.to_string() })
    }

    fn list(&self, path: &str) -> Vec<Value> {
        let answer = self.client.ask(&Request::get(path.to_owned()));
        let items = answer["items"].as_array().expect("it is a list");
        // The items of a list have no kind.
        let kind = text(&answer["kind"]).trim_end_matches("List");
        items.iter().map(|item| with(item, "kind", kind)).map(|item| with(&item, "apiVersion", text(&answer["apiVersion"]))).collect()
    }

    /// Creates an object with its status; those that are annotated so are deleted at once, and stay for as long as they have a finalizer.
    fn create(&self, mut object: Value) {
        let namespace = object["metadata"]["namespace"].as_str().unwrap_or("default").to_owned();
        let (path, kind) = match text(&object["kind"]) {
            "CronJob" => (format!("/apis/batch/v1/namespaces/{namespace}/cronjobs"), "CronJob"),
            "Job" => (format!("/apis/batch/v1/namespaces/{namespace}/jobs"), "Job"),
            "Pod" => (format!("/api/v1/namespaces/{namespace}/pods"), "Pod"),
            _ => (format!("/api/v1/namespaces/{namespace}/events"), "Event"),
        };
        if kind == "Event" {
            let name = text(&object["involvedObject"]["name"]).to_owned();
            let kind = object["involvedObject"]["kind"].as_str().unwrap_or("Job").to_owned();
            let about = format!("/apis/batch/v1/namespaces/default/{}s/{name}", kind.to_lowercase());
            let uid = self.client.ask(&Request::get(about))["metadata"]["uid"].take();
            object["involvedObject"] = json!({"apiVersion": "batch/v1", "kind": kind, "namespace": "default", "name": name, "uid": uid});
        }
        let status = object["status"].take();
        let mut stored = self.send(Method::Post, &path, &object);
        let path = format!("{path}/{}", text(&object["metadata"]["name"]));
        if !status.is_null() {
            stored["status"] = status;
            self.send(Method::Put, &format!("{path}/status"), &stored);
        }
        if object["metadata"]["annotations"]["test"] == "deleted" {
            self.send(Method::Delete, &path, &json!({"propagationPolicy": "Background"}));
        }
    }

    /// What differs between the description of an object that kubectl prints and ours.
    fn difference_of_description(
        &self,
        kind: &str,
        object: &Value,
        describe: impl Fn(&Value, &[Value], Timestamp) -> String,
    ) -> Option<String> {
        let [name, namespace] = ["name", "namespace"].map(|field| text(&object["metadata"][field]));
        let selector = format!("involvedObject.name={name},involvedObject.kind={kind}");
        let events = self.list(&format!("/api/v1/namespaces/{namespace}/events?fieldSelector={selector}"));
        self.difference(&["describe", &kind.to_lowercase(), name, "-n", namespace], |now| describe(object, &events, now))
    }

    /// What differs between the tables of all three kinds.
    fn differences_of_all(&self, cron_jobs: &[Value], jobs: &[Value], pods: &[Value]) -> Vec<String> {
        let tables = [(Columns::Short, &["-A"][..]), (Columns::Wide, &["-A", "-o", "wide"])];
        let difference = |(columns, flags): (Columns, &[&str])| {
            let ours = |now| kubectl::get_with_cron_jobs(cron_jobs, jobs, pods, columns, now);
            self.difference(&[&["get", "cronjobs,jobs,pods"], flags].concat(), ours)
        };
        tables.into_iter().filter_map(difference).collect()
    }

    /// What differs between the tables of these objects that kubectl prints with these flags and ours.
    fn differences_of_tables(&self, flags: &[&str], jobs: &[Value], pods: &[Value]) -> Vec<String> {
        let tables = [(Columns::Short, &[][..]), (Columns::Wide, &["-o", "wide"])];
        let difference = |(columns, wide): (Columns, &[&str])| {
            self.difference(&[&["get", "jobs,pods"], flags, wide].concat(), |now| kubectl::get(jobs, pods, columns, now))
        };
        tables.into_iter().filter_map(difference).collect()
    }

    /// What differs between the text that kubectl prints and ours, if anything does.
    fn difference(&self, arguments: &[&str], ours: impl Fn(Timestamp) -> String) -> Option<String> {
        let mut difference = String::new();
        for _ in 0..ATTEMPTS {
            let before = ours(Timestamp::now());
            let theirs = self.cluster.kubectl_output(arguments);
            let after = ours(Timestamp::now());
            if theirs == before || theirs == after {
                return None;
            }
            difference = first_difference(&theirs, &after);
        }
        Some(format!("kubectl {}\n{difference}", arguments.join(" ")))
    }
}

/// The object with a field.
fn with(object: &Value, field: &str, value: &str) -> Value {
    let mut object = object.clone();
    object[field] = value.into();
    object
}

/// The first line in which two texts differ, with some before it.
fn first_difference(theirs: &str, ours: &str) -> String {
    let (theirs, ours): (Vec<&str>, Vec<&str>) = (theirs.split('\n').collect(), ours.split('\n').collect());
    let same = theirs.iter().zip(&ours).take_while(|(theirs, ours)| theirs == ours).count();
    let before = theirs[same.saturating_sub(3)..same].iter().map(|line| format!("  {line}\n")).collect::<String>();
    let line = |lines: &[&str]| lines.get(same).map_or("its end".to_owned(), |line| format!("{line:?}"));
    format!("{before}kubectl: {}\nours:    {}", line(&theirs), line(&ours))
}
