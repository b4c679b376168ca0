//! Steps for tests, with what matters in a test and nothing else.
//!
//! Docs: `play::step`. The objects in them are as the API server stores them.

use std::sync::Arc;

use api::{Duration, Kind, ObjectMeta, Text, Timestamp, time};
use cluster::apiserver::stored;
use contract::decision::{Sentence, TextPart};
use contract::{Decision, DecisionKind, ObjectRef, Obstacle, Period, Role, Value};
use play::step::{Step, Touched, Trigger};
use play::trace::{Clock, Entry, What};
use serde_json::json;

use crate::account::{Account, EndOfPlay};

/// When plays begin.
pub(crate) fn start() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

/// So many milliseconds after the beginning.
pub(crate) fn at(milliseconds: i64) -> Timestamp {
    time::after(start(), Duration::from_millis(milliseconds))
}

/// A sentence with times since the beginning.
pub(crate) fn words(sentence: &Sentence) -> String {
    sentence.render(|at| Clock { start: start() }.time(at))
}

/// A play up to the last of these steps.
pub(crate) fn played(steps: &[Step]) -> Account {
    let mut account = Account::default();
    steps.iter().enumerate().for_each(|(number, step)| account.observe(number, step));
    account
}

/// The outcomes: name, facts, and the question with the step that answers it; `obstacles` are those of each object, once the play has ended.
pub(crate) fn outcomes(steps: &[Step], obstacles: Option<&[Obstacle]>) -> Vec<(String, String, String)> {
    let mut ask = |_: Kind, _: &ObjectMeta| obstacles.unwrap_or_default().to_vec();
    let found = played(steps).outcomes(obstacles.map(|_| EndOfPlay { still: true, obstacles: &mut ask }));
    let line = |outcome: &crate::outcome::ObjectOutcome| {
        let facts: Vec<String> = outcome.facts.iter().map(words).collect();
        let decided = outcome.decided.as_ref().map(|decided| format!("{}: {}", words(&decided.question), decided.step));
        (outcome.name.to_string(), facts.join(" · "), decided.unwrap_or_default())
    };
    found.iter().map(line).collect()
}

/// The outcome that is listed first: its facts, and the question with the step.
pub(crate) fn first(steps: &[Step], obstacles: Option<&[Obstacle]>) -> [String; 2] {
    let (_, facts, decided) = outcomes(steps, obstacles).swap_remove(0);
    [facts, decided]
}

/// An obstacle that passes by itself, or not.
pub(crate) fn obstacle(sentence: &str, passes: bool) -> Obstacle {
    let sentence = Sentence(vec![TextPart::Text(sentence.into())]);
    let (code, remedy) = ("Any".into(), Sentence::default());
    Obstacle { code, objects: Vec::new(), count: 1, since: None, until: None, passes, sentence, remedy }
}

/// An object as it is written, and whether it went.
pub(crate) struct Object(Kind, serde_json::Value, bool);

/// A Job.
pub(crate) fn job(name: &str) -> Object {
    let template = json!({"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "i"}]}});
    let metadata = json!({"name": name, "uid": format!("job-{name}"), "creationTimestamp": "2026-01-01T00:00:00Z"});
    Object(Kind::Job, json!({"metadata": metadata, "spec": {"template": template}, "status": {}}), false)
}

/// A CronJob.
pub(crate) fn cron_job(name: &str) -> Object {
    let metadata = json!({"name": name, "uid": format!("cronjob-{name}"), "creationTimestamp": "2026-01-01T00:00:00Z"});
    let spec = json!({"schedule": "* * * * *", "jobTemplate": {"spec": job(name).1["spec"]}});
    Object(Kind::CronJob, json!({"metadata": metadata, "spec": spec, "status": {}}), false)
}

/// The Job of a run of the CronJob `hello` that was scheduled at a minute.
pub(crate) fn run(minute: i64) -> Object {
    let mut run = job(&format!("hello-{minute}")).owned("CronJob", "hello");
    run.1["metadata"]["annotations"] = json!({"batch.kubernetes.io/cronjob-scheduled-timestamp": time::text(at(minute * 60_000))});
    run
}

/// A pod of the Job `pi` that has not started.
pub(crate) fn pod(name: &str) -> Object {
    let spec = json!({"containers": [{"name": "main", "image": "i"}]});
    let metadata = json!({"name": name, "uid": format!("pod-{name}"), "creationTimestamp": "2026-01-01T00:00:00Z"});
    Object(Kind::Pod, json!({"metadata": metadata, "spec": spec, "status": {"phase": "Pending"}}), false).owned("Job", "pi")
}

impl Object {
    fn owned(mut self, kind: &str, name: &str) -> Self {
        let uid = format!("{}-{name}", kind.to_ascii_lowercase());
        self.1["metadata"]["ownerReferences"] =
            json!([{"apiVersion": "batch/v1", "kind": kind, "name": name, "uid": uid, "controller": true}]);
        self
    }

    /// Created again after its deletion.
    pub(crate) fn again(mut self) -> Self {
        self.1["metadata"]["uid"] = "another".into();
        self
    }

    pub(crate) fn suspended(mut self) -> Self {
        self.1["spec"]["suspend"] = true.into();
        self
    }

    pub(crate) fn deleting(mut self) -> Self {
        self.1["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
        self.1["metadata"]["finalizers"] = json!(["foregroundDeletion"]);
        self
    }

    pub(crate) fn gone(mut self) -> Self {
        self.2 = true;
        self
    }

    /// With a value in its status.
    pub(crate) fn status(mut self, field: &str, value: impl Into<serde_json::Value>) -> Self {
        self.1["status"][field] = value.into();
        self
    }

    pub(crate) fn finished(self, condition: &str, reason: &str) -> Self {
        self.status("conditions", json!([{"type": condition, "status": "True", "reason": reason}]))
    }

    fn touched(self) -> Touched {
        let Self(kind, mut object, gone) = self;
        object["metadata"]["namespace"] = "default".into();
        let after = Arc::new(stored(kind, &object.to_string()).unwrap());
        let key = format!("{}/default/{}", kind.name(), after.metadata().name);
        Touched { key: key.into(), before: None, after, gone, pod: None }
    }
}

/// A step in which objects were written.
pub(crate) fn step(milliseconds: i64, objects: impl IntoIterator<Item = Object>) -> Step {
    let touched = objects.into_iter().map(Object::touched).collect();
    Step { at: at(milliseconds), trigger: Trigger::Change, entries: Vec::new(), touched }
}

/// A step in which a controller planned something for an object.
pub(crate) fn plan(milliseconds: i64, kind: Kind, name: &str, decisions: impl IntoIterator<Item = (Decision, bool)>) -> Step {
    let object = ObjectRef { kind: kind.name().into(), namespace: "default".into(), name: name.into(), uid: Text::default() };
    let entry = |(decision, minor)| {
        let what = What::Decision { about: object.clone(), decision, minor };
        Entry { at: at(milliseconds), estimated: false, what }
    };
    let entries = decisions.into_iter().map(entry).collect();
    let trigger = Trigger::Plan { controller: "job".into(), object: object.clone(), requeue_at: None };
    Step { trigger, entries, ..step(milliseconds, []) }
}

/// A decision with these values.
pub(crate) fn decision(sentence: &str, role: Role, values: impl IntoIterator<Item = (&'static str, Value)>) -> (Decision, bool) {
    let values = values.into_iter().map(|(name, value)| (name.into(), value)).collect();
    let sentence = Sentence(vec![TextPart::Text(sentence.into())]);
    (Decision { kind: DecisionKind::default().into(), role, sentence, values }, role == Role::Routine)
}

/// A wait without a known end.
pub(crate) const WAIT: Role = Role::Wait(Period { since: None, until: None });
