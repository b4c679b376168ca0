//! Annotations that ask for more than Kubernetes has, drawn from a seed: on Jobs that people create, and changed later.
//!
//! Docs: README, "Beyond Kubernetes" (X-0, X-6… ). What follows from them is checked in `invariants/asked.rs`.

use api::annotation::{HOLD, ON_FAILURE, ON_PENDING, RESUMED_AT, RETRY_DELAY, RETRY_WITHIN, START_RATE};
use api::request::{ContentType, Method, Request, path};
use api::{Kind, Text, Timestamp, time};
use cluster::ApiServer;
use cluster::apiserver::Target;
use cluster::rng::Rng;
use serde_json::{Map, Value, json};

use crate::interventions::{Intervention, NAMESPACE};

/// What a rule asks of a failed pod.
const MATCHERS: [&str; 11] = [
    "exit 1",
    "exit 2|42",
    "exit 3-137",
    "reason Error|OOMKilled",
    "condition DisruptionTarget",
    "container main, exit 1-3",
    "container other",
    "index 0|2-3",
    "attempt 1",
    "attempt 2 or later",
    "any",
];
/// For how many failures it is.
const BUDGETS: [&str; 5] = ["", "", "", " at most 1 times", " at most 2 times"];
/// What follows; the last one is for Jobs with a limit for each index.
const ACTIONS: [&str; 9] = [
    "retry",
    "retry after 3s",
    "retry after 40s",
    "retry uncounted",
    "retry uncounted after 5s",
    "retry uncounted after the message says",
    "fail the Job",
    "hold",
    "fail the index",
];
/// What is different in the next pod.
const CHANGES: [&str; 7] =
    ["", "", ", memory x2 up to 300Mi", ", memory x1.5", ", memory +64Mi, cpu x2", ", another node", ", on pool=spot"];
/// What follows from pods that do not start; behind the first four, what goes on forever if none of them ever starts. If such failures are ignored too, only
/// the second ends.
const PENDING: [&str; 6] = [
    "image 10s: fail",
    "unschedulable 20s: fail the Job",
    "config 10s: fail the Job\nany 1m: fail",
    "any 25s: fail the index",
    "any 30s: replace",
    "starting 15s: replace",
];

/// Has a Job that is created ask for something, perhaps; `start`: whether its pods start in the end.
pub(crate) fn ask(dice: &mut Rng, creation: &mut Request, start: bool) {
    if creation.method != Method::Post || Target::read(&creation.path).is_none_or(|target| target.kind != Kind::Job) {
        return;
    }
    let mut job: Value = serde_json::from_str(&creation.body).expect("a Job is JSON");
    let per_index = job["spec"]["backoffLimitPerIndex"].is_u64();
    let mut annotations = Map::new();
    let mut ask = |key: &str, value: String| drop(annotations.insert(key.to_owned(), value.into()));
    if !dice.one_in(3) {
        let lines: Vec<String> = (0..dice.below(4) + 1).map(|_| rule(dice, per_index)).collect();
        ask(ON_FAILURE, lines.join("\n"));
        // With a rule that does not count what the deadline does to pods, there would be no end to them.
        if let Some(spec) = job["spec"]["template"]["spec"].as_object_mut() {
            spec.remove("activeDeadlineSeconds");
        }
    }
    if dice.one_in(3) {
        let rules = &job["spec"]["podFailurePolicy"]["rules"];
        let ignored = rules.as_array().into_iter().flatten().any(|rule| rule["action"] == "Ignore");
        let drawn = match (start, ignored) {
            (true, _) => &PENDING[..],
            (false, false) => &PENDING[..4],
            (false, true) => &PENDING[1..2],
        };
        ask(ON_PENDING, (*dice.pick(drawn)).to_owned());
    }
    if dice.one_in(4) {
        ask(RETRY_DELAY, (*dice.pick(&["1s", "2s x1.5 up to 20s", "1s, 30s", "25s"])).to_owned());
    }
    if dice.one_in(8) {
        ask(RETRY_WITHIN, (*dice.pick(&["5s", "1m"])).to_owned());
    }
    if dice.one_in(5) {
        ask(START_RATE, (*dice.pick(&["1/10s", "2/1m", "3/5s"])).to_owned());
    }
    if dice.one_in(12) {
        ask(HOLD, (*dice.pick(&["true", "false", "maybe"])).to_owned());
    }
    if dice.one_in(2) {
        for container in job["spec"]["template"]["spec"]["containers"].as_array_mut().into_iter().flatten() {
            container["resources"] = json!({"requests": {"memory": "64Mi", "cpu": "100m"}, "limits": {"memory": "128Mi"}});
        }
    }
    job["metadata"]["annotations"] = annotations.into();
    creation.body = job.to_string();
}

fn rule(dice: &mut Rng, per_index: bool) -> String {
    let actions = if per_index { &ACTIONS[..] } else { &ACTIONS[..ACTIONS.len() - 1] };
    let action = *dice.pick(actions);
    let change = if action.starts_with("retry") { *dice.pick(&CHANGES) } else { "" };
    format!("{}{}: {action}{change}", dice.pick(&MATCHERS), dice.pick(&BUDGETS))
}

/// Draws a change of what a Job asks for, if there is a Job: it is held, or resumed.
pub(crate) fn intervention(dice: &mut Rng, server: &ApiServer, now: Timestamp) -> Option<Intervention> {
    let names: Vec<&Text> = server.objects(Kind::Job).map(|job| &job.metadata().name).collect();
    if names.is_empty() {
        return None;
    }
    let name = (*dice.pick(&names)).clone();
    let annotations = match dice.below(4) {
        0 => json!({HOLD: "true"}),
        1 => json!({HOLD: null}),
        _ => json!({HOLD: null, RESUMED_AT: time::text(now)}),
    };
    let (content_type, body) = (ContentType::MergePatch, json!({"metadata": {"annotations": annotations}}).to_string());
    Some(Intervention::Request(Request { method: Method::Patch, path: path(Kind::Job, NAMESPACE, &name, ""), content_type, body }))
}
