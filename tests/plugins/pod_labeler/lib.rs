//! Labels pods that have finished: a controller that knows nothing of Jobs, as a component that the same hosts run.
//!
//! Docs: `crates/component/wit/controllers.wit`; Labels and Selectors. What it shows of the hosts is tested in `tests/host/plugins.rs`.

use std::{cell::RefCell, collections::BTreeMap};

use serde_json::{Value as Json, from_str, json};
use wit::exports::jobsmith::controllers::manager::*;

#[expect(unsafe_code, reason = "generated")]
mod wit {
    use super::PodLabeler;
    wit_bindgen::generate!({ path: "../../../crates/component/wit", world: "controllers" });
    export!(PodLabeler with_types_in self);
}

#[derive(Default)]
struct PodLabeler {
    label: Option<String>,
    /// What to do about each pod, by namespace and name.
    plans: BTreeMap<[String; 2], Plan>,
    /// The pods that changed, and when.
    changed: BTreeMap<[String; 2], Timestamp>,
    issued: u64,
}

thread_local!(static LABELER: RefCell<PodLabeler> = RefCell::default());

impl PodLabeler {
    fn observe(&mut self, text: &str, now: Timestamp) -> Result<[String; 2], Malformed> {
        let pod: Json = from_str(text).unwrap_or_default();
        let key = ["namespace", "name"].map(|field| pod["metadata"][field].as_str().unwrap_or_default().to_owned());
        if !pod["status"]["phase"].is_string() {
            return Err(Malformed { kind: "Pod".to_owned(), name: key.join("/"), reason: "it has no phase".to_owned() });
        }
        self.plans.insert(key.clone(), plan(&pod, key.clone(), self.label.as_deref().unwrap_or("example.dev/finished")));
        self.changed.insert(key.clone(), now);
        Ok(key)
    }
}

fn plan(pod: &Json, [namespace, name]: [String; 2], label: &str) -> Plan {
    let (code, role, words) = match (&pod["status"]["phase"], pod["metadata"]["labels"].get(label)) {
        (_, Some(_)) => ("PodLabelled", Role::Routine, " has its label"),
        (phase, None) if phase == "Succeeded" || phase == "Failed" => ("PodFinished", Role::Action, " has finished and gets its label"),
        _ => ("PodUnfinished", Role::Wait(Period { since: None, until: None }), " gets its label when it has finished"),
    };
    let body = json!({"metadata": {"uid": pod["metadata"]["uid"], "labels": {label: "true"}}}).to_string();
    let (path, content_type) = (format!("/api/v1/namespaces/{namespace}/pods/{name}"), ContentType::MergePatch);
    let patch = Command { method: Method::Patch, path, content_type, body, tolerates: vec![404, 409], after: None };
    let uid = pod["metadata"]["uid"].as_str().unwrap_or_default().to_owned();
    let object = ObjectRef { kind: "Pod".to_owned(), namespace, name, uid };
    let [controller, reporting_controller, reason, message] =
        ["pod_labeler", "pod-labeler", "Labelled", "It has finished"].map(str::to_owned);
    let notice = Notice { regarding: object.clone(), reporting_controller, warning: false, reason, message };
    let (batches, notices) = if code == "PodFinished" { (vec![vec![patch]], vec![notice]) } else { (Vec::new(), Vec::new()) };
    let sentence = vec![TextPart::Object(object.clone()), TextPart::Text(words.to_owned())];
    let decisions = vec![Decision { code: code.to_owned(), role, sentence, values: Vec::new() }];
    Plan { id: 0, controller, object, batches, decisions, notices, requeue_at: None }
}

impl Guest for PodLabeler {
    fn configure(config: String) -> Result<(), String> {
        let sections: BTreeMap<String, Json> = from_str(&config).map_err(|error| error.to_string())?;
        if let Some(name) = sections.keys().find(|name| !["controllers", "decisions", "pod_labeler"].contains(&name.as_str())) {
            return Err(format!("unknown section {name:?}"));
        }
        let label = sections.get("pod_labeler").and_then(|section| section["label"].as_str()).map(str::to_owned);
        LABELER.set(Self { label, ..Self::default() });
        Ok(())
    }

    fn resources() -> Vec<ApiResource> {
        let [group, version, kind, plural] = ["", "v1", "Pod", "pods"].map(str::to_owned);
        vec![ApiResource { group, version, kind, plural, namespaced: true }]
    }

    fn handle(event: Event, now: Timestamp) -> Result<(), Malformed> {
        LABELER.with_borrow_mut(|this| match event {
            Event::Changed(Change::Applied(pod)) => this.observe(&pod.json, now).map(drop),
            Event::Changed(Change::Deleted(pod)) => {
                this.observe(&pod.json, now).map(|key| _ = (this.plans.remove(&key), this.changed.remove(&key)))
            }
            Event::Listed(Listing { part, objects, .. }) => {
                if matches!(part, Part::Whole | Part::First) {
                    this.plans.clear();
                    this.changed.clear();
                }
                objects.iter().map(|pod| this.observe(pod, now).map(drop)).fold(Ok(()), Result::and)
            }
            Event::Finished(_) => Ok(()),
        })
    }

    fn next_plan(_now: Timestamp) -> Option<Plan> {
        LABELER.with_borrow_mut(|this| {
            let (key, _) = this.changed.pop_first()?;
            this.issued += 1;
            Some(Plan { id: this.issued, ..this.plans[&key].clone() })
        })
    }

    fn next_wakeup() -> Option<Wakeup> {
        LABELER.with_borrow(|this| {
            let (key, at) = this.changed.first_key_value()?;
            let Plan { controller, object, .. } = this.plans[key].clone();
            Some(Wakeup { at: *at, controller, object, reason: "the pod changed".to_owned() })
        })
    }

    fn explain(object: ObjectRef, _warnings: Vec<String>, _now: Timestamp) -> Result<Explanation, String> {
        let plan = LABELER.with_borrow(|this| this.plans.get(&[object.namespace, object.name]).cloned());
        let Plan { controller, decisions, batches, requeue_at, .. } = plan.ok_or("the pod is not known")?;
        Ok(Explanation {
            controllers: vec![controller],
            headline: Vec::new(),
            obstacles: Vec::new(),
            now: Forecast { decisions, batches },
            requeue_at,
            next: None,
            related: Vec::new(),
        })
    }

    fn metrics(_now: Timestamp) -> Vec<Family> {
        Vec::new()
    }

    fn decision_kinds() -> Vec<DecisionKind> {
        Vec::new()
    }

    fn about() -> Versions {
        Versions { component: env!("CARGO_PKG_VERSION").to_owned(), kubernetes: "v1.37".to_owned(), time_zones: None }
    }
}
