//! What makes Jobs stand still, drawn from a seed: no node, no image, a scheduling gate, a quota that is used up.
//!
//! Docs: Debug Pods; Pod Scheduling Readiness; Resource Quotas. What is explained about it is checked in `obstacles.rs`.

use api::request::{ContentType, Method, Request, path};
use api::{Kind, Text};
use cluster::ApiServer;
use cluster::kubelet::Delay;
use cluster::rng::Rng;
use script::{Course, NumberList, Rule, Script, Selector};
use serde_json::{Value, json};

use crate::interventions::{Intervention, NAMESPACE};

/// Why containers are not started, as nodes report it.
const REASONS: [&str; 4] = ["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "CreateContainerConfigError"];

/// The pods that get no node, or whose containers are not started: the first ones of some Jobs.
pub(crate) fn script(dice: &mut Rng, jobs: &[&str]) -> Script {
    let mut rules = Vec::new();
    for job in jobs {
        let never = match dice.below(3) {
            0 => Course { scheduled: Some(Delay::Never), ..Course::default() },
            1 => Course { starts: Some(Delay::Never), ..Course::default() },
            _ => continue,
        };
        let attempt = dice.one_in(2).then(|| NumberList::only(1));
        let which = Selector { job: Some(Text::from(*job).into()), attempt, ..Selector::default() };
        rules.push(Rule { which, course: never, times: None });
    }
    Script::of(rules, Vec::new())
}

/// Perhaps has a scheduling gate hold back the pods of a Job that is created.
pub(crate) fn gate(dice: &mut Rng, creation: &mut Request) {
    if dice.one_in(8) {
        let mut job: Value = serde_json::from_str(&creation.body).expect("a Job is JSON");
        job["spec"]["template"]["spec"]["schedulingGates"] = json!([{"name": "example.com/quota"}]);
        creation.body = job.to_string();
    }
}

/// Draws something that makes pods stand still, or lets them go on.
pub(crate) fn intervention(dice: &mut Rng, server: &ApiServer, quota_used_up: bool) -> Option<Intervention> {
    match dice.below(4) {
        0 if quota_used_up => Some(Intervention::RaiseQuota),
        0 => Some(Intervention::UseUpQuota),
        _ => refuse_container(dice, server),
    }
}

/// A node reports why it does not start the containers of a pod.
fn refuse_container(dice: &mut Rng, server: &ApiServer) -> Option<Intervention> {
    let waits = |status: &Value| {
        let mut containers = status["containerStatuses"].as_array().into_iter().flatten();
        status["phase"] == "Pending" && containers.any(|container| container["state"]["waiting"]["reason"] == "ContainerCreating")
    };
    let pods = server.objects(Kind::Pod).filter_map(|stored| {
        let pod: Value = serde_json::from_str(&stored.json()).ok()?;
        waits(&pod["status"]).then_some(pod)
    });
    let pods: Vec<Value> = pods.collect();
    if pods.is_empty() {
        return None;
    }
    let pod = dice.pick(&pods);
    let mut containers = pod["status"]["containerStatuses"].clone();
    let reason = *dice.pick(&REASONS);
    containers[0]["state"] = json!({"waiting": {"reason": reason, "message": "the node says so"}});
    Some(Intervention::Request(Request {
        method: Method::Patch,
        path: path(Kind::Pod, NAMESPACE, pod["metadata"]["name"].as_str()?, "status"),
        content_type: ContentType::MergePatch,
        body: json!({"status": {"containerStatuses": containers}}).to_string(),
    }))
}
