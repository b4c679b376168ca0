//! What holds for all pods under any script, whatever others do to them meanwhile.
//!
//! Docs: Pod Lifecycle, "Pod lifetime", "Pod phase". Single behaviours are tested in `lives/`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Duration, Kind, Text, Timestamp, time};
use cluster::Dependence;
use cluster::apiserver::{ApiServer, WatchId};
use cluster::kubelet::Kubelet;
use cluster::rng::Rng;
use cluster::stored::Stored;
use cluster::testing::{noon, send_line, server};
use serde_json::{Value, json};

use super::{Scripted, act, random};

/// How many seconds of interference a cluster lives through.
const INTERFERENCE: u64 = 1500;
/// More things than can be due in that time.
const MOST_TICKS: usize = 20_000;

#[test]
fn pods_hold_what_the_pages_promise_under_any_script_and_interference() {
    for seed in 0..300 {
        Cluster::new(seed).live();
    }
}

/// A cluster to which random things happen.
struct Cluster {
    seed: u64,
    rng: Rng,
    server: ApiServer,
    kubelet: Kubelet<Scripted>,
    watch: WatchId,
    now: Timestamp,
    /// By UID.
    seen: BTreeMap<Text, Seen>,
    ticks: usize,
}

/// What was last seen of a pod.
struct Seen {
    stored: Arc<Stored>,
    status: Value,
}

impl Cluster {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut server = server(Dependence::OnController);
        let watch = server.watch(Some(Kind::Pod));
        let script = random::script(&mut rng);
        let kubelet = Kubelet::new(&mut server, Scripted::new(script), noon());
        Self { seed, rng, server, kubelet, watch, now: noon(), seen: BTreeMap::new(), ticks: 0 }
    }

    fn live(&mut self) {
        let mut actions = self.kubelet.runtime.script.actions.clone();
        let mut at = 0;
        while at < INTERFERENCE {
            self.run_to(time::after(noon(), Duration::from_secs(at.try_into().unwrap())));
            if self.rng.below(6) == 0
                && let Some(statement) = actions.pop()
            {
                act(&mut self.kubelet, &statement.what.action, &mut self.server, self.now);
            } else {
                self.interfere();
            }
            let longest = if self.rng.below(8) == 0 { 500 } else { 40 };
            at += self.rng.below(longest);
        }
        self.let_all_go();
        assert_eq!(self.server.objects(Kind::Pod).count(), 0, "seed {}: pods are left", self.seed);
        assert_eq!(self.kubelet.next_due(), None, "seed {}: something is due", self.seed);
        assert!(!self.kubelet.has_residents(), "seed {}: residents are left", self.seed);
        assert!(self.kubelet.runtime.pods.is_empty(), "seed {}: containers are left", self.seed);
    }

    fn interfere(&mut self) {
        let name = format!("p-{}", self.rng.below(3));
        let request = match self.rng.below(14) {
            0..4 => format!("POST pods {}", self.pod(&name)),
            4 => format!("DELETE pods/{name}"),
            5 => format!(r#"DELETE pods/{name} {{"gracePeriodSeconds":{}}}"#, self.rng.below(20)),
            6 => format!(r#"DELETE pods/{name} {{"gracePeriodSeconds":0}}"#),
            7 => format!(r#"PATCH pods/{name} merge {{"metadata":{{"labels":{{"a":"{}"}}}}}}"#, self.rng.below(100)),
            8 => format!(r#"PATCH pods/{name} merge {{"metadata":{{"finalizers":["example.com/held"]}}}}"#),
            9 => format!(r#"PATCH pods/{name} merge {{"metadata":{{"finalizers":null}}}}"#),
            10 => return self.kubelet.lose_node(self.now),
            11 => return self.kubelet.remove_node(&mut self.server, self.now),
            _ => {
                // A copy ends in the same state as the original.
                self.kubelet = self.kubelet.clone();
                self.server = self.server.clone();
                return;
            }
        };
        self.send(&request);
    }

    fn pod(&mut self, name: &str) -> Value {
        let mut one_in = |number| self.rng.below(number) == 0;
        let mut init = Vec::new();
        if one_in(4) {
            init.push(json!({"name": "log", "restartPolicy": "Always"}));
        }
        if one_in(3) {
            init.push(json!({"name": "first"}));
        }
        if one_in(4) {
            init.push(json!({"name": "proxy", "restartPolicy": "Always"}));
        }
        let containers = if one_in(3) { json!([{"name": "main"}, {"name": "other"}]) } else { json!([{"name": "main"}]) };
        let mut spec = json!({"initContainers": init, "containers": containers});
        if one_in(5) {
            spec["activeDeadlineSeconds"] = (1 + self.rng.below(60)).into();
        }
        let draw = |rng: &mut Rng, from: [Value; 4]| from[usize::try_from(rng.below(4)).unwrap()].clone();
        spec["restartPolicy"] = draw(&mut self.rng, ["Never".into(), "Never".into(), "OnFailure".into(), "Always".into()]);
        spec["terminationGracePeriodSeconds"] = draw(&mut self.rng, [0.into(), 1.into(), 7.into(), 30.into()]);
        let finalizers = draw(&mut self.rng, [json!(null), json!(null), json!(null), json!(["batch.kubernetes.io/job-tracking"])]);
        let owner = json!({"apiVersion": "batch/v1", "kind": "Job", "name": "pi", "uid": "job-pi-1", "controller": true});
        let index = json!({"batch.kubernetes.io/job-completion-index": self.rng.below(3).to_string()});
        json!({"metadata": {"name": name, "finalizers": finalizers, "ownerReferences": [owner], "annotations": index}, "spec": spec})
    }

    /// Deletes all pods, lets go of what holds them, and removes the nodes that were lost.
    fn let_all_go(&mut self) {
        for name in ["p-0", "p-1", "p-2"] {
            self.send(&format!("DELETE pods/{name}"));
            self.send(&format!(r#"PATCH pods/{name} merge {{"metadata":{{"finalizers":null}}}}"#));
        }
        self.run_to(time::after(self.now, Duration::from_mins(2)));
        self.kubelet.remove_node(&mut self.server, self.now);
        self.run_to(time::after(self.now, Duration::from_mins(2)));
    }

    fn send(&mut self, request: &str) {
        // Requests are timed in whole seconds from noon; interference comes at such times.
        send_line(&mut self.server, request, self.now.duration_since(noon()).as_secs());
    }

    /// Does all that is due, sometimes a little late.
    fn run_to(&mut self, end: Timestamp) {
        loop {
            self.kubelet.observe(&mut self.server, self.now);
            self.kubelet.tick(&mut self.server, self.now);
            self.ticks += 1;
            assert!(self.ticks < MOST_TICKS, "seed {}: it never falls quiet", self.seed);
            self.check();
            let Some(next) = self.kubelet.next_due() else { break };
            assert!(next > self.now, "seed {}: something due at {next} was not done at {}", self.seed, self.now);
            if next > end {
                break;
            }
            let late = if self.rng.below(10) == 0 { self.rng.below(3000) } else { 0 };
            self.now = time::after(next, Duration::from_millis(late.try_into().unwrap())).min(end);
        }
        self.now = end;
    }

    fn check(&mut self) {
        while let Some(write) = self.server.next_write(self.watch) {
            let (metadata, pod) = (write.after.metadata(), write.after.pod().unwrap());
            let status: Value = serde_json::from_str(pod.status.json()).unwrap();
            let place = format!("seed {} pod {} at {}: {status}", self.seed, metadata.name, self.now);
            if let Some(seen) = self.seen.get(&metadata.uid) {
                check_change(seen, &write.after, &status, &place);
            }
            check_status(&status, &place);
            if write.gone {
                self.seen.remove(&metadata.uid);
            } else {
                self.seen.insert(metadata.uid.clone(), Seen { stored: write.after, status });
            }
        }
    }
}

fn check_change(before: &Seen, after: &Stored, status: &Value, place: &str) {
    let (was, is) = (before.stored.pod().unwrap(), after.pod().unwrap());
    assert!(rank(was.status.phase()) <= rank(is.status.phase()), "the phase went back; {place}");
    assert!(was.spec.node_name().is_empty() || was.spec.node_name() == is.spec.node_name(), "the node changed; {place}");
    if was.ended() {
        assert_eq!(before.status, *status, "a pod changed after its end; {place}");
    }
    for name in ["containerStatuses", "initContainerStatuses"] {
        let (Some(was), Some(is)) = (before.status[name].as_array(), status[name].as_array()) else { continue };
        for (was, is) in was.iter().zip(is) {
            assert_eq!(was["name"], is["name"], "{place}");
            assert!(was["restartCount"].as_i64() <= is["restartCount"].as_i64(), "a restart was taken back; {place}");
        }
    }
}

fn check_status(status: &Value, place: &str) {
    assert!(!has_fractions(status), "times are in whole seconds; {place}");
    let holds = |kind: &str| condition(status, kind) == Some("True");
    assert!(!holds("Ready") || holds("ContainersReady") || holds("DisruptionTarget"), "ready without its containers; {place}");
    let regular = status["containerStatuses"].as_array().cloned().unwrap_or_default();
    let all = regular.iter().chain(status["initContainerStatuses"].as_array().into_iter().flatten());
    let succeeded = regular.iter().all(|container| container["state"]["terminated"]["exitCode"] == 0);
    let collected = condition(status, "DisruptionTarget").is_some();
    for container in all {
        let state = &container["state"];
        assert_eq!(state.as_object().unwrap().len(), 1, "{place}");
        let end = &state["terminated"];
        assert!(end["startedAt"].as_str() <= end["finishedAt"].as_str(), "an end before the start; {place}");
        assert!(!is_ended(status) || collected || state["running"].is_null(), "something runs after the end; {place}");
    }
    assert!(status["phase"] != "Succeeded" || succeeded, "success without success; {place}");
}

fn condition<'a>(status: &'a Value, kind: &str) -> Option<&'a str> {
    let conditions = status["conditions"].as_array()?;
    conditions.iter().find(|condition| condition["type"] == kind)?["status"].as_str()
}

fn has_fractions(value: &Value) -> bool {
    let is_time = |text: &str| text.len() > 20 && text.parse::<Timestamp>().is_ok();
    match value {
        Value::String(text) => is_time(text),
        Value::Array(values) => values.iter().any(has_fractions),
        Value::Object(fields) => fields.values().any(has_fractions),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn is_ended(status: &Value) -> bool {
    rank(status["phase"].as_str().unwrap()) == 2
}

fn rank(phase: &str) -> u8 {
    match phase {
        "Pending" => 0,
        "Running" => 1,
        _ => 2,
    }
}
