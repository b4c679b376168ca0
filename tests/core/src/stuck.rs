//! Jobs and CronJobs that make no progress: the states of `tests/stuck/states.yaml` as objects, and the sentences of `tests/stuck/headlines.md`.
//!
//! Docs: `tests/stuck/states.yaml`. `tests/core/events/obstacles.rs` gives the objects to the core, `tests/host/stuck.rs` to a real API server.

use std::collections::BTreeMap;
use std::path::PathBuf;

use api::{Duration, Kind, Timestamp, time};
use serde_json::{Value, json};

/// How long ago all objects were created: as long as a real API server takes until the last state is there.
pub const AGE: Duration = Duration::from_secs(20);

/// A state of a Job or a CronJob.
pub struct StuckState {
    /// The state, in words.
    pub state: String,
    /// The name of the Job, or of the CronJob.
    pub name: String,
    /// Whether a real API server refuses it.
    pub refused: bool,
    fields: Value,
}

/// An object of a state, as it is created.
pub struct StuckObject {
    pub kind: Kind,
    /// What is sent to create it.
    pub object: Value,
    /// Its status, if it has one.
    pub status: Value,
    /// How it is then deleted: the seconds of grace, or the propagation policy.
    pub deleted: Value,
}

/// All states, in their order.
#[must_use]
pub fn states(now: Timestamp) -> Vec<StuckState> {
    let file = folder().join("states.yaml");
    let source = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let documents = manifest::read(&source).unwrap_or_else(|problem| panic!("{}:{problem}", file.display()));
    let states = documents[0].value()["states"].as_array().expect("the file has states").clone();
    let text = |fields: &Value, field: &str| fields[field].as_str().expect("each state has it").to_owned();
    let state = |mut fields: Value| {
        fields["now"] = json!({"startedAt": "10m ago", "scheduledAt": "9m ago", "firstAt": "8m ago", "lastAt": "1m ago"});
        date(&mut fields, now);
        StuckState { state: text(&fields, "state"), name: text(&fields, "name"), refused: fields["refused"] == json!(true), fields }
    };
    states.into_iter().map(state).collect()
}

/// The headlines by state, and what `kubectl describe` says.
#[must_use]
pub fn headlines() -> BTreeMap<String, [String; 2]> {
    let text = std::fs::read_to_string(folder().join("headlines.md")).unwrap_or_default();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = rows.map(|row| row.split(" | ").map(|cell| cell.replace("\\|", "|")).collect::<Vec<_>>());
    cells.filter_map(|cells| <[String; 3]>::try_from(cells).ok()).map(|[state, headline, kubectl]| (state, [headline, kubectl])).collect()
}

/// Compares headlines, or what kubectl says (`column` 1), with the file; `UPDATE_EXPECT=1` writes it.
pub fn check(column: usize, found: &[(String, String)]) {
    let mut known = headlines();
    let differing = |(state, found): &&(String, String)| known.get(state).is_none_or(|cells| cells[column] != *found);
    let differing: Vec<String> = found.iter().filter(differing).map(|(state, found)| format!("{state}:\n    {found}")).collect();
    if differing.is_empty() {
        return;
    }
    if std::env::var_os("UPDATE_EXPECT").is_none() {
        panic!("{} of {} differ from headlines.md:\n{}", differing.len(), found.len(), differing.join("\n"));
    }
    for (state, found) in found {
        known.entry(state.clone()).or_default()[column].clone_from(found);
    }
    let row = |StuckState { state, .. }: StuckState| {
        let [headline, kubectl] = known.get(&state).cloned().unwrap_or_default().map(|cell| cell.replace('|', "\\|"));
        format!("| {state} | {headline} | {kubectl} |\n")
    };
    let rows: String = states(Timestamp::UNIX_EPOCH).into_iter().map(row).collect();
    let text = format!("{HEAD}{rows}");
    std::fs::write(folder().join("headlines.md"), text).expect("the file can be written");
}

const HEAD: &str = "# What `jobsmith explain` says of Jobs that make no progress

Each state is in [`states.yaml`](states.yaml). `cargo test --release --package core_tests obstacles` compares the headlines with those of the core, and
`cargo xtask test --all stuck` with those of `jobsmith explain` on a real API server, beside the Events and conditions of `kubectl describe`; with
`UPDATE_EXPECT=1` they write what they found. Times are `TIME`.

| state | `jobsmith explain` | `kubectl describe` |
|---|---|---|
";

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../stuck"))
}

/// Puts dates in the place of `8m ago` and `in 1h`.
fn date(value: &mut Value, now: Timestamp) {
    match value {
        Value::String(text) => {
            let length =
                text.strip_suffix(" ago").map(|length| (length, -1)).or_else(|| text.strip_prefix("in ").map(|length| (length, 1)));
            if let Some((length, sign)) = length
                && let Some(length) = api::duration::parse(length)
            {
                *text = time::text(time::whole_seconds(time::after(now, length * sign)));
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| date(value, now)),
        Value::Object(fields) => fields.values_mut().for_each(|value| date(value, now)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

impl StuckState {
    /// The kind of the object that is asked about.
    #[must_use]
    pub fn kind(&self) -> Kind {
        if self.fields["cronJob"].is_null() { Kind::Job } else { Kind::CronJob }
    }

    /// The CronJob, if there is one.
    #[must_use]
    pub fn cron_job(&self) -> Option<StuckObject> {
        let mut spec = self.fields["cronJob"].as_object()?.clone();
        let status = spec.remove("lastScheduleTime").map_or(Value::Null, |at| json!({"lastScheduleTime": at}));
        spec.insert("jobTemplate".to_owned(), json!({"spec": {"template": self.template()}}));
        let object =
            json!({"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": self.name, "namespace": "default"}, "spec": spec});
        Some(StuckObject { kind: Kind::CronJob, object, status, deleted: Value::Null })
    }

    /// The Job, which a CronJob with this UID controls.
    #[must_use]
    pub fn job(&self, cron_job: Option<&str>) -> Option<StuckObject> {
        if self.fields["job"] == "none" {
            return None;
        }
        let mut spec = json!({"parallelism": 1, "completions": 1, "backoffLimit": 6, "template": self.template()});
        merge(&mut spec, &self.fields["spec"]);
        let mut metadata = json!({"name": self.name, "namespace": "default"});
        merge(&mut metadata, &self.fields["metadata"]);
        if let Some(uid) = cron_job {
            metadata["name"] = format!("{}-29000000", self.name).into();
            metadata["annotations"] = json!({"batch.kubernetes.io/cronjob-scheduled-timestamp": self.started_at()});
            metadata["ownerReferences"] = owner("CronJob", &self.name, uid);
        }
        let mut status = json!({"startTime": self.started_at(), "active": 1, "ready": 0, "terminating": 0, "uncountedTerminatedPods": {}});
        match self.fields.get("status") {
            Some(Value::Null) => status = Value::Null,
            Some(fields) => merge(&mut status, fields),
            None => {}
        }
        let object = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec});
        Some(StuckObject { kind: Kind::Job, object, status, deleted: self.fields["deleted"].clone() })
    }

    /// The pods of a Job with this name and UID.
    #[must_use]
    pub fn pods(&self, job: &str, uid: &str) -> Vec<StuckObject> {
        let pods = self.fields["pods"].as_array().cloned().unwrap_or_default();
        pods.iter().enumerate().map(|(number, fields)| self.pod(fields, format!("{job}-{}", letter(number)), job, uid)).collect()
    }

    /// Events of type `Warning`, about the CronJob, the Job or its first pod; the latter have these names and UIDs.
    #[must_use]
    pub fn warnings(&self, job: [&str; 2], pod: Option<[&str; 2]>) -> Vec<Value> {
        let own = uid(Kind::CronJob.name());
        let event = |(number, fields): (usize, &Value)| {
            let (kind, component, [name, uid]) = match fields["of"].as_str() {
                Some("cronjob") => ("CronJob", "cronjob-controller", [&*self.name, &own]),
                Some("job") => ("Job", "job-controller", job),
                _ => ("Pod", "kubelet", pod.expect("it has a pod")),
            };
            json!({"apiVersion": "v1", "kind": "Event", "metadata": {"name": format!("{}-{number}", self.name), "namespace": "default"},
                "involvedObject": {"apiVersion": if kind == "Pod" { "v1" } else { "batch/v1" }, "kind": kind, "namespace": "default", "name": name, "uid": uid},
                "type": "Warning", "reason": fields["reason"], "message": fields["message"], "count": fields["count"],
                "firstTimestamp": self.fields["now"]["firstAt"], "lastTimestamp": self.fields["now"]["lastAt"],
                "source": {"component": component}})
        };
        self.fields["warnings"].as_array().into_iter().flatten().enumerate().map(event).collect()
    }

    /// The objects as an API server would store them at this time, and the Events about them.
    #[must_use]
    pub fn stored(&self, now: Timestamp) -> (Vec<Value>, Vec<Value>) {
        let mut cron_job = self.cron_job();
        let job = self.job(cron_job.as_ref().map(|_| uid(Kind::CronJob.name())).as_deref());
        let text = |object: &StuckObject| object.object["metadata"]["name"].as_str().expect("it has a name").to_owned();
        let (name, job_uid) = (job.as_ref().map(text).unwrap_or_default(), uid(Kind::Job.name()));
        if let Some(cron_job) = cron_job.as_mut().filter(|_| job.is_some()) {
            cron_job.status["active"] = active(&name, &job_uid);
        }
        let pods = if job.is_some() { self.pods(&name, &job_uid) } else { Vec::new() };
        let first = pods.first().map(|pod| [text(pod), uid(&text(pod))]);
        let events = self.warnings([&name, &job_uid], first.as_ref().map(|[name, uid]| [name.as_str(), uid.as_str()]));
        (cron_job.into_iter().chain(job).chain(pods).map(|object| as_stored(object, now)).collect(), events)
    }

    fn started_at(&self) -> &Value {
        &self.fields["now"]["startedAt"]
    }

    fn template(&self) -> Value {
        let mut spec = json!({"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}]});
        merge(&mut spec, &self.fields["template"]);
        json!({"spec": spec})
    }

    fn pod(&self, fields: &Value, name: String, job: &str, uid: &str) -> StuckObject {
        let mut spec = self.template()["spec"].take();
        spec["nodeName"] = fields.get("node").cloned().unwrap_or_else(|| json!("node-1"));
        merge(&mut spec, &fields["spec"]);
        let tracking = if fields["counted"] == json!(true) { json!([]) } else { json!(["batch.kubernetes.io/job-tracking"]) };
        let mut metadata = json!({"name": name, "namespace": "default", "ownerReferences": owner("Job", job, uid), "annotations": {},
            "labels": {"batch.kubernetes.io/controller-uid": uid, "controller-uid": uid, "batch.kubernetes.io/job-name": job, "job-name": job},
            "finalizers": fields.get("finalizers").cloned().unwrap_or(tracking)});
        if let Some(index) = fields["index"].as_i64() {
            metadata["annotations"]["batch.kubernetes.io/job-completion-index"] = index.to_string().into();
        }
        if let Some(failures) = fields["failures"].as_i64() {
            metadata["annotations"]["batch.kubernetes.io/job-index-failure-count"] = failures.to_string().into();
        }
        let mut status = self.pod_status(fields);
        merge(&mut status, &fields["status"]);
        let object = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec});
        StuckObject { kind: Kind::Pod, object, status, deleted: fields["deleted"].clone() }
    }

    /// The status of a pod with one container.
    fn pod_status(&self, fields: &Value) -> Value {
        let scheduled_at = &self.fields["now"]["scheduledAt"];
        let condition = |kind: &str, status: &str| json!({"type": kind, "status": status, "lastTransitionTime": scheduled_at});
        let mut container = json!({"name": "main", "image": "busybox", "imageID": "", "ready": fields["running"].is_string(),
            "restartCount": fields["restarts"].as_i64().unwrap_or(0)});
        let (phase, state) = match (&fields["waiting"], &fields["running"], &fields["ended"]) {
            (_, running @ Value::String(_), _) => ("Running", json!({"running": {"startedAt": running}})),
            (_, _, ended @ Value::Object(_)) => (if ended["exitCode"] == 0 { "Succeeded" } else { "Failed" }, json!({"terminated": ended})),
            (waiting @ Value::Object(_), ..) => {
                (if fields["restarts"].is_null() { "Pending" } else { "Running" }, json!({"waiting": waiting}))
            }
            _ => return json!({}),
        };
        container["state"] = state;
        if fields["last"].is_object() {
            container["lastState"] = json!({"terminated": fields["last"]});
        }
        let ready = if phase == "Running" && fields["running"].is_string() { "True" } else { "False" };
        json!({"phase": phase, "containerStatuses": [container], "conditions": [
            condition("PodScheduled", "True"), condition("Initialized", "True"), condition("Ready", ready), condition("ContainersReady", ready)]})
    }
}

/// A sentence with times as the table has them.
#[must_use]
pub fn words(sentence: &Value) -> String {
    let part = |part: &Value| {
        let field = || part["field"].as_str().and_then(|path| path.rsplit('.').next());
        let text = part.as_str().or(part["object"]["name"].as_str()).or_else(field).map(str::to_owned);
        let length = || part["milliseconds"].as_i64().map(|length| time::length(Duration::from_millis(length)));
        text.or_else(length).unwrap_or_else(|| "TIME".to_owned())
    };
    sentence.as_array().into_iter().flatten().map(part).collect()
}

/// The active Jobs of a CronJob: the one with this name and UID.
#[must_use]
pub fn active(name: &str, uid: &str) -> Value {
    json!([{"apiVersion": "batch/v1", "kind": "Job", "namespace": "default", "name": name, "uid": uid}])
}

/// An object as an API server would store it.
fn as_stored(StuckObject { kind, mut object, status, deleted }: StuckObject, now: Timestamp) -> Value {
    let created_at = time::text(time::after(now, -AGE));
    object["status"] = status;
    let metadata = &mut object["metadata"];
    let own = match kind {
        Kind::CronJob | Kind::Job => uid(kind.name()),
        Kind::Pod => uid(metadata["name"].as_str().expect("it has a name")),
    };
    (metadata["uid"], metadata["creationTimestamp"], metadata["resourceVersion"]) =
        (own.clone().into(), created_at.clone().into(), "1".into());
    if let Some(grace) = deleted.as_i64() {
        metadata["deletionTimestamp"] = time::text(time::after(now, -AGE + Duration::from_secs(grace))).into();
        metadata["deletionGracePeriodSeconds"] = grace.into();
    } else if let Some(policy) = deleted.as_str() {
        metadata["deletionTimestamp"] = created_at.into();
        if policy == "Foreground" {
            metadata["finalizers"] = json!(["foregroundDeletion"]);
        }
    }
    if kind == Kind::Job {
        object["spec"]["selector"] = json!({"matchLabels": {"batch.kubernetes.io/controller-uid": own}});
        object["spec"]["template"]["metadata"] = json!({"labels": {"batch.kubernetes.io/controller-uid": own}});
    }
    object
}

/// The UID of the object that these words are for.
fn uid(of: &str) -> String {
    let number = of.bytes().fold(0_u64, |number, byte| (number * 31 + u64::from(byte)) % 0x1_0000_0000_0000);
    format!("5e6f7081-92a3-4b4c-8d5e-{number:012x}")
}

/// The letter by which a pod's name ends.
fn letter(number: usize) -> char {
    char::from(b'a' + u8::try_from(number).expect("there are few pods"))
}

fn owner(kind: &str, name: &str, uid: &str) -> Value {
    json!([{"apiVersion": "batch/v1", "kind": kind, "name": name, "uid": uid, "controller": true, "blockOwnerDeletion": true}])
}

/// Puts fields in the place of others of their names.
fn merge(into: &mut Value, fields: &Value) {
    for (name, value) in fields.as_object().into_iter().flatten() {
        into[name] = value.clone();
    }
}
