//! Labels pods that have finished: controllers that know nothing of Jobs, as a component that the same hosts run.
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
/// Seconds and nanoseconds.
type Time = (i64, u32);

#[derive(Default)]
struct PodLabeler {
    label: Option<String>,
    listed: bool,
    pods: BTreeMap<Key, Json>,
    /// When each pod is looked at.
    due: BTreeMap<Key, Time>,
    plans: u64,
}

thread_local!(static LABELER: RefCell<PodLabeler> = RefCell::default());

impl PodLabeler {
    fn take_in(&mut self, text: &str, gone: bool, now: Timestamp) -> Result<(), Malformed> {
        let pod: Json = from_str(text).unwrap_or_default();
        let [namespace, name] = ["namespace", "name"].map(|field| pod["metadata"][field].as_str().unwrap_or_default().to_owned());
        if !pod["status"]["phase"].is_string() {
            return Err(Malformed { kind: "Pod".to_owned(), name: format!("{namespace}/{name}"), reason: "it has no phase".to_owned() });
        }
        let key = (namespace, name);
        self.due.insert(key.clone(), (now.seconds, now.nanoseconds));
        self.pods.insert(key.clone(), pod);
        self.pods.retain(|known, _| !gone || *known != key);
        self.due.retain(|known, _| self.pods.contains_key(known));
        Ok(())
    }

    fn next(&self) -> Option<(&Key, Time)> {
        self.due.iter().filter(|_| self.listed).min_by_key(|(_, at)| **at).map(|(key, at)| (key, *at))
    }

    fn plan(&self, (namespace, name): &Key, now: Timestamp) -> Option<Plan> {
        let (pod, label) = (self.pods.get(&(namespace.clone(), name.clone()))?, self.label.as_deref().unwrap_or("example.dev/finished"));
        let finished = pod["status"]["phase"] == "Succeeded" || pod["status"]["phase"] == "Failed";
        let (code, role, words) = match pod["metadata"]["labels"].get(label) {
            _ if !finished => ("PodUnfinished", Role::Wait(Period { since: None, until: None }), " gets its label when it has finished"),
            None => ("PodFinished", Role::Action, " has finished and gets its label"),
            Some(_) => ("PodLabelled", Role::Routine, " has its label"),
        };
        let [kind, uid] = ["Pod", pod["metadata"]["uid"].as_str().unwrap_or_default()].map(str::to_owned);
        let body = json!({"metadata": {"uid": uid, "labels": {label: "true"}}}).to_string();
        let object = ObjectRef { kind, namespace: namespace.clone(), name: name.clone(), uid };
        let path = format!("/api/v1/namespaces/{namespace}/pods/{name}");
        let patch = Command { method: Method::Patch, path, content_type: ContentType::MergePatch, body, tolerates: vec![404, 409] };
        let sentence = vec![TextPart::Object(object.clone()), TextPart::Text(words.to_owned())];
        let values = vec![("label".to_owned(), Value::Text(label.to_owned()))];
        let [controller, reporting_controller, reason, message] =
            ["pod_labeler", "pod-labeler", "Labelled", "It has finished"].map(str::to_owned);
        let notice = Notice { regarding: object.clone(), reporting_controller, warning: false, reason, message };
        let retry = Requeue { at: Timestamp { seconds: now.seconds + 10, ..now }, reason: "the label is there by then".to_owned() };
        let acts = matches!(role, Role::Action);
        let decisions = vec![Decision { code: code.to_owned(), role, sentence, values }];
        let (batches, notices) = if acts { (vec![vec![patch]], vec![notice]) } else { (Vec::new(), Vec::new()) };
        Some(Plan { id: self.plans, controller, object, batches, decisions, notices, requeue_at: acts.then_some(retry) })
    }
}

impl Guest for PodLabeler {
    fn configure(config: String) -> Result<(), String> {
        let config: Json = from_str(&config).map_err(|error| error.to_string())?;
        let label = config["pod_labeler"]["label"].as_str();
        let known = [("controllers", json!(["pod_labeler"])), ("pod_labeler", json!({"label": label}))]
            .map(|(name, value)| (name.to_owned(), value));
        if !config
            .as_object()
            .is_some_and(|sections| sections.iter().all(|(name, section)| known.contains(&(name.clone(), section.clone()))))
        {
            return Err(r#"only {"controllers":["pod_labeler"],"pod_labeler":{"label":"…"}} is known"#.to_owned());
        }
        LABELER.set(Self { label: label.map(str::to_owned), ..Self::default() });
        Ok(())
    }

    fn resources() -> Vec<ApiResource> {
        let [group, version, kind, plural] = ["", "v1", "Pod", "pods"].map(str::to_owned);
        vec![ApiResource { group, version, kind, plural, namespaced: true }]
    }

    fn handle(event: Event, now: Timestamp) -> Result<(), Malformed> {
        LABELER.with_borrow_mut(|this| match event {
            Event::Changed(Change::Applied(pod)) => this.take_in(&pod.json, false, now),
            Event::Changed(Change::Deleted(pod)) => this.take_in(&pod.json, true, now),
            Event::Listed(Listing { part, objects, .. }) => {
                this.pods.retain(|_, _| !matches!(part, Part::Whole | Part::First));
                this.listed = matches!(part, Part::Whole | Part::Last);
                objects.iter().map(|pod| this.take_in(pod, false, now)).fold(Ok(()), Result::and)
            }
            Event::Finished(_) => Ok(()),
        })
    }

    fn next_plan(now: Timestamp) -> Option<Plan> {
        LABELER.with_borrow_mut(|this| {
            let key = this.next().filter(|(_, at)| *at <= (now.seconds, now.nanoseconds))?.0.clone();
            (this.plans, _) = (this.plans + 1, this.due.remove(&key));
            let plan = this.plan(&key, now)?;
            this.due.extend(plan.requeue_at.as_ref().map(|requeue| (key, (requeue.at.seconds, requeue.at.nanoseconds))));
            Some(plan)
        })
    }

    fn next_wakeup() -> Option<Wakeup> {
        LABELER.with_borrow(|this| {
            let (key, (seconds, nanoseconds)) = this.next()?;
            let (at, reason) = (Timestamp { seconds, nanoseconds }, "the pod changed, or was to be labelled".to_owned());
            this.plan(key, at).map(|Plan { controller, object, .. }| Wakeup { at, controller, object, reason })
        })
    }

    fn explain(object: ObjectRef, now: Timestamp) -> Result<Explanation, String> {
        let plan = LABELER.with_borrow(|this| this.plan(&(object.namespace, object.name), now));
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
