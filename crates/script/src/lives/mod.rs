//! The lives of pods, written out: one test for each behaviour, one line for each thing that the API server shows.
//!
//! Docs: Pod Lifecycle; Init Containers; Sidecar Containers; Disruptions. What holds for all lives is tested in `../fuzz.rs`.

mod disruptions;
mod restarting;
mod scripts;
mod several_containers;
mod starting;
mod stopping;

use std::collections::BTreeMap;

use api::{Duration, Kind, Text, Timestamp, time};
use cluster::Dependence;
use cluster::apiserver::{ApiServer, WatchId};
use cluster::kubelet::Kubelet;
use cluster::stored::Stored;
use cluster::testing::{noon, send_line, server};
use expect_test::Expect;
use serde_json::{Value, json};

use super::{Script, Scripted, act};

/// A pod's life for an hour under a script, with requests at their seconds from the start.
fn life(script: &str, pod: Value, requests: &[(i64, &str)]) -> Life {
    let mut cluster = Cluster::new(script);
    cluster.live(pod, requests);
    Life(cluster.shown())
}

/// A life, written out.
struct Life(String);

impl Life {
    fn is(&self, expected: Expect) {
        expected.assert_eq(&self.0);
    }
}

fn spec(mut spec: Value) -> Value {
    if spec["containers"].is_null() {
        spec["containers"] = json!([{"name": "main", "image": "i"}]);
    }
    json!({"spec": spec})
}

fn never() -> Value {
    spec(json!({"restartPolicy": "Never"}))
}

fn on_failure(grace: i64) -> Value {
    spec(json!({"restartPolicy": "OnFailure", "terminationGracePeriodSeconds": grace}))
}

/// A cluster with a kubelet, whose clock moves from one thing that is due to the next.
struct Cluster {
    server: ApiServer,
    kubelet: Kubelet<Scripted>,
    script: Script,
    watch: WatchId,
    now: Timestamp,
    lines: Vec<String>,
}

impl Cluster {
    fn new(script: &str) -> Self {
        let script = Script::parse(script).unwrap();
        let mut server = server(Dependence::OnController);
        let watch = server.watch(Some(Kind::Pod));
        let kubelet = Kubelet::new(&mut server, Scripted::new(script.clone()), noon());
        Self { server, kubelet, script, watch, now: noon(), lines: Vec::new() }
    }

    fn create(&mut self, name: &str, mut pod: Value) {
        pod["metadata"]["name"] = name.into();
        let after = self.now.duration_since(noon()).as_secs();
        send_line(&mut self.server, &format!("POST pods {pod}"), after);
    }

    fn live(&mut self, pod: Value, requests: &[(i64, &str)]) {
        self.create("pi", pod);
        for (at, request) in requests {
            self.run_to(*at);
            send_line(&mut self.server, request, *at);
        }
        self.run_to(3600);
    }

    /// Does all that is due up to this many seconds from the start.
    fn run_to(&mut self, seconds: i64) {
        let end = time::after(noon(), Duration::from_secs(seconds));
        loop {
            for statement in self.script.actions.clone() {
                if time::after(noon(), statement.what.after) == self.now {
                    act(&mut self.kubelet, &statement.what.action, &mut self.server, self.now);
                }
            }
            self.kubelet.observe(&mut self.server, self.now);
            self.kubelet.tick(&mut self.server, self.now);
            self.note();
            let actions = self.script.actions.iter().map(|statement| time::after(noon(), statement.what.after)).filter(|at| *at > self.now);
            match actions.chain(self.kubelet.next_due()).min() {
                Some(next) if next <= end => self.now = next,
                Some(_) | None => break,
            }
        }
        self.now = end;
    }

    fn note(&mut self) {
        let second = self.now.duration_since(noon()).as_millis();
        let fraction = if second % 1000 == 0 { String::new() } else { format!(".{:03}", second % 1000) };
        let clock = format!("{}:{:02}{fraction}", second / 60_000, second / 1000 % 60);
        while let Some(write) = self.server.next_write(self.watch) {
            let state = if write.gone { "gone".to_owned() } else { describe(&write.after) };
            if self.lines.last().and_then(|line| line.split_once(' ')).is_none_or(|(_, last)| last != state) {
                self.lines.push(format!("{clock} {state}"));
            }
        }
    }

    fn shown(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// A pod in a line: phase, deletion, node, what is ready, reasons, then its containers.
fn describe(stored: &Stored) -> String {
    let (metadata, pod) = (stored.metadata(), stored.pod().unwrap());
    let status: Value = serde_json::from_str(pod.status.json()).unwrap();
    let list = |name: &str| status[name].as_array().cloned().unwrap_or_default();
    let mut words = vec![pod.status.phase().to_string()];
    let conditions: BTreeMap<String, Value> =
        list("conditions").into_iter().map(|condition| (condition["type"].as_str().unwrap().to_owned(), condition)).collect();
    let holds = |kind: &str| conditions.get(kind).is_some_and(|condition| condition["status"] == "True");
    if holds("Ready") {
        words.push("ready".to_owned());
    }
    if status["phase"] == "Pending" && !pod.spec.node_name().is_empty() {
        words.push(format!("on {}", pod.spec.node_name()));
    }
    if conditions.contains_key("PodScheduled") && !holds("PodScheduled") {
        words.push("unschedulable".to_owned());
    }
    if let Some(target) = conditions.get("DisruptionTarget") {
        words.push(target["reason"].as_str().unwrap().to_owned());
    }
    if holds("ConfigIssue") {
        words.push("ConfigIssue".to_owned());
    }
    words.extend(status["reason"].as_str().map(|reason| format!("({reason})")));
    words.extend(metadata.deletion_grace_period_seconds.map(|grace| format!("deleted with {grace}s")));
    for container in list("initContainerStatuses").into_iter().chain(list("containerStatuses")) {
        words.push(format!("· {}", container["name"].as_str().unwrap()));
        let restarts = container["restartCount"].as_i64().unwrap();
        if restarts > 0 {
            words.push(format!("restarts {restarts}"));
        }
        let state = &container["state"];
        let word = |kind: &str, field: &str| state[kind][field].as_str().map(Text::from);
        words.push(match (word("waiting", "reason"), state["terminated"]["exitCode"].as_i64()) {
            (Some(reason), _) => format!("waits for {reason}"),
            (None, Some(code)) => format!("exit {code} {}", word("terminated", "reason").unwrap()),
            (None, None) => if container["ready"] == true { "runs ready" } else { "runs" }.to_owned(),
        });
        words.extend(word("terminated", "message").map(|message| format!("({message})")));
    }
    words.join(" ")
}
