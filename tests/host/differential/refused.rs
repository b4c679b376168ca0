//! Histories in which the API server refuses requests for a time: creations, patches and deletions of pods, writes of a status.
//!
//! Docs: `refuse` in the session protocol, in the head comment of the oracle's `session.go`; rules J-03, J-47, J-64, J-80, J-87, J-135. What else happens
//! in them is in `core_tests::history`. One difference is known: when a leftover finalizer is taken from a pod, [`frees_at_another_time`].

use api::meta::names::JOB_TRACKING;
use cluster::rng::Rng;
use core_tests::history::history as calm_history;
use serde_json::{Value, json};

use super::compare;

/// How many histories are gone through, unless `JOBSMITH_HISTORIES` is set.
const HISTORIES: u64 = 3000;
/// Sets the choice of refusals apart from that of everything else.
const SALT: u64 = 0x7265_6675_7365;

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn our_controllers_bear_refusals_as_upstreams_do() {
    compare("histories of Jobs with refused requests", HISTORIES, history);
}

/// The history of a seed, with refusals in between.
fn history(seed: u64) -> Vec<Value> {
    let mut rng = Rng::new(seed ^ SALT);
    let mut operations = calm_history(seed);
    // A Job without labels gets those of its template with its first write, so that even an edit of nothing is shown to the controllers as long as its
    // status is not written. The small cluster of `jobsmith step` gives them at once.
    for operation in operations.iter_mut().filter(|operation| operation["object"]["kind"] == "Job") {
        operation["object"]["metadata"]["labels"] = json!({"app": "batch"});
    }
    for _ in 0..rng.below(6) + 2 {
        // Not before the first Job is there, and not in the long calm at the end.
        let at = 2 + rng.place(operations.len() - 3);
        operations.insert(at, refusal(&mut rng));
    }
    operations
}

fn refusal(rng: &mut Rng) -> Value {
    let seconds = *rng.pick(&[0.5, 1.0, 2.0, 3.0, 10.0, 30.0, 100.0]);
    let code = *rng.pick(&[403, 409, 429, 500]);
    let job = *rng.pick(&["a", "a", "a", "b"]);
    let mut operation = json!({"op": "refuse", "seconds": seconds, "code": code});
    let mut set = |fields: Value| fields.as_object().into_iter().flatten().for_each(|(name, value)| operation[name] = value.clone());
    match rng.below(10) {
        0 | 1 => set(json!({"kind": "Pod", "verb": "create"})),
        2..=4 => set(json!({"kind": "Pod", "verb": "patch", "select": {"job": job, "nth": rng.below(4)}})),
        5 | 6 => set(json!({"kind": "Pod", "verb": "delete", "select": {"job": job, "nth": rng.below(4)}})),
        _ => set(json!({"kind": "Job", "verb": "update", "name": job})),
    }
    operation
}

/// Whether the two sides differ in nothing but when they take leftover finalizers from pods whose patches were refused (J-135).
///
/// Upstream takes such a finalizer twice at the same moment, once as a pod of the Job that is gone and once as a pod that is being deleted or has lost its
/// Job. Both requests are refused, and it waits as after two failures. Ours sends one request and waits as after one (J-03).
pub(super) fn frees_at_another_time(operations: &[Value], ours: &Value, theirs: &Value) -> bool {
    if !operations.iter().any(|operation| operation["op"] == "refuse" && operation["kind"] == "Pod" && operation["verb"] == "patch") {
        return false;
    }
    let pods = |state: &Value| state["pods"].as_array().cloned().unwrap_or_default();
    let (our_pods, their_pods) = (pods(ours), pods(theirs));
    let without = |of: &[Value], other: &[Value]| of.iter().filter(|pod| !other.contains(pod)).cloned().collect::<Vec<_>>();
    let (only_ours, only_theirs) = (without(&our_pods, &their_pods), without(&their_pods, &our_pods));
    let held = |pod: &Value| pod["finalizers"].as_array().is_some_and(|held| held.iter().any(|held| held == JOB_TRACKING));
    let leftover = |pod: &Value| pod["owner"].as_str().is_none_or(|owner| ours["jobs"].get(owner).is_none_or(finished));
    // Each pod that only one side has in this form is a leftover one there, or what the other side has made of it.
    let of_other = |pod: &Value, other: &[Value]| other.iter().any(|one| one["name"] == pod["name"] && held(one));
    let explained = |pods: &[Value], other: &[Value]| pods.iter().all(|pod| leftover(pod) && (held(pod) || of_other(pod, other)));
    !(only_ours.is_empty() && only_theirs.is_empty()) && explained(&only_ours, &only_theirs) && explained(&only_theirs, &only_ours)
}

/// Whether a Job in a state has finished.
fn finished(job: &Value) -> bool {
    let conditions = job["status"]["conditions"].as_array().into_iter().flatten();
    conditions
        .filter(|condition| condition["status"] == "True")
        .any(|condition| condition["type"] == "Complete" || condition["type"] == "Failed")
}
