//! Labels pods that have finished: a controller that knows nothing of Jobs, as a component that the same hosts run.
//!
//! Docs: `crates/component/wit/controllers.wit`; Labels and Selectors. What it shows of the hosts is tested in `tests/it/plugins.rs`.

use std::{cell::RefCell, collections::BTreeMap};

use serde_json::{Value as Json, from_str, json};
use wit::exports::jobsmith::controllers::manager::*;

#[expect(unsafe_code, reason = "generated")]
mod wit {
    use super::PodLabeler;
    wit_bindgen::generate!({ path: "../../crates/component/wit", world: "controllers" });
    export!(PodLabeler with_types_in self);
}

/// A namespace and a name.
type Key = (String, String);

#[derive(Default)]
struct PodLabeler {
    label: Option<String>,
    listed: bool,
    pods: BTreeMap<Key, Json>,
    /// The pods to look at, with the time at which each changed.
    changed: BTreeMap<Key, Timestamp>,
    plans: u64,
}

thread_local!(static LABELER: RefCell<PodLabeler> = RefCell::default());

impl PodLabeler {
    fn observe(&mut self, text: &str, now: Timestamp) -> Result<Key, Malformed> {
        let pod: Json = from_str(text).unwrap_or_default();
        let [namespace, name] = ["namespace", "name"].map(|field| pod["metadata"][field].as_str().unwrap_or_default().to_owned());
        if !pod["status"]["phase"].is_string() {
            return Err(Malformed { kind: "Pod".to_owned(), name: format!("{namespace}/{name}"), reason: "it has no phase".to_owned() });
        }
        let key = (namespace, name);
        self.changed.insert(key.clone(), now);
        self.pods.insert(key.clone(), pod);
        Ok(key)
    }

    fn plan(&self, key: &Key) -> Option<Plan> {
        let (pod, label) = (self.pods.get(key)?, self.label.as_deref().unwrap_or("example.dev/finished"));
        let (code, role, words) = match (&pod["status"]["phase"], pod["metadata"]["labels"].get(label)) {
            (_, Some(_)) => ("PodLabelled", Role::Routine, " has its label"),
            (phase, None) if phase == "Succeeded" || phase == "Failed" => ("PodFinished", Role::Action, " has finished and gets its label"),
            _ => ("PodUnfinished", Role::Wait(Period { since: None, until: None }), " gets its label when it has finished"),
        };
        let (namespace, name, uid) = (key.0.clone(), key.1.clone(), pod["metadata"]["uid"].as_str().unwrap_or_default().to_owned());
        let (path, content_type) = (format!("/api/v1/namespaces/{namespace}/pods/{name}"), ContentType::MergePatch);
        let body = json!({"metadata": {"uid": uid, "labels": {label: "true"}}}).to_string();
        let object = ObjectRef { kind: "Pod".to_owned(), namespace, name, uid };
        let patch = Command { method: Method::Patch, path, content_type, body, tolerates: vec![404, 409] };
        let [controller, reporting_controller, reason, message] =
            ["pod_labeler", "pod-labeler", "Labelled", "It has finished"].map(str::to_owned);
        let notice = Notice { regarding: object.clone(), reporting_controller, warning: false, reason, message };
        let (batches, notices) = if code == "PodFinished" { (vec![vec![patch]], vec![notice]) } else { (Vec::new(), Vec::new()) };
        let sentence = vec![TextPart::Object(object.clone()), TextPart::Text(words.to_owned())];
        let decisions = vec![Decision { code: code.to_owned(), role, sentence, values: Vec::new() }];
        Some(Plan { id: self.plans, controller, object, batches, decisions, notices, requeue_at: None })
    }
}

impl Guest for PodLabeler {
    fn configure(config: String) -> Result<(), String> {
        let sections: BTreeMap<String, Json> = from_str(&config).map_err(|error| error.to_string())?;
        if let Some(unknown) = sections.keys().find(|name| !["controllers", "pod_labeler"].contains(&name.as_str())) {
            return Err(format!("there is no section {unknown:?}"));
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
            Event::Changed(Change::Deleted(pod)) => this.observe(&pod.json, now).map(|key| _ = this.pods.remove(&key)),
            Event::Listed(Listing { part, objects, .. }) => {
                this.pods.retain(|_, _| !matches!(part, Part::Whole | Part::First));
                this.listed = matches!(part, Part::Whole | Part::Last);
                objects.iter().map(|pod| this.observe(pod, now).map(drop)).fold(Ok(()), Result::and)
            }
            Event::Finished(_) => Ok(()),
        })
    }

    fn next_plan(_now: Timestamp) -> Option<Plan> {
        LABELER.with_borrow_mut(|this| {
            while this.listed {
                let (key, _) = this.changed.pop_first()?;
                this.plans += 1;
                if let Some(plan) = this.plan(&key) {
                    return Some(plan);
                }
            }
            None
        })
    }

    fn next_wakeup() -> Option<Wakeup> {
        LABELER.with_borrow(|this| {
            let (key, at) = this.changed.iter().find(|(key, _)| this.listed && this.pods.contains_key(*key))?;
            this.plan(key).map(|Plan { controller, object, .. }| Wakeup {
                at: *at,
                controller,
                object,
                reason: "the pod changed".to_owned(),
            })
        })
    }

    fn explain(object: ObjectRef, _now: Timestamp) -> Result<Explanation, String> {
        let plan = LABELER.with_borrow(|this| this.plan(&(object.namespace, object.name)));
        let Plan { controller, decisions, batches, requeue_at, .. } = plan.ok_or("there is no such pod")?;
        Ok(Explanation { controller, now: Forecast { decisions, batches }, requeue_at, next: None, related: Vec::new() })
    }

    fn metrics(_now: Timestamp) -> Vec<Family> {
        Vec::new()
    }

    fn decision_kinds() -> Vec<DecisionKind> {
        let [page, heading, rule, fields] = ["Labels and Selectors", "Motivation", "P-1", "metadata.labels"].map(str::to_owned);
        let url = "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#motivation".to_owned();
        let kind = DecisionKind { code: String::new(), page, heading, url, rule, fields: vec![fields] };
        ["PodFinished", "PodLabelled", "PodUnfinished"].map(|code| DecisionKind { code: code.to_owned(), ..kind.clone() }).into()
    }

    fn about() -> Versions {
        Versions { component: env!("CARGO_PKG_VERSION").to_owned(), kubernetes: "v1.36".to_owned() }
    }
}
