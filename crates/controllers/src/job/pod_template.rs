//! Pod template: what a created pod looks like.
//!
//! Docs: Jobs, "Pod Template", "Completion mode" (J-89, J-102, J-103, J-110).

use api::job::Template;
use api::meta::names;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::JobView;
use super::ownership::owner_reference;
use crate::limits::GENERATED_NAME_BASE;

/// Makes the bodies of requests that create pods.
#[derive(Debug)]
pub(crate) struct PodTemplate<'a> {
    view: &'a JobView<'a>,
    labels: Map<String, Value>,
    annotations: Map<String, Value>,
    finalizers: Vec<Value>,
    spec: Map<String, Value>,
}

/// An index and the failures that its next pod carries (J-110).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NextOfIndex {
    pub(crate) index: u32,
    /// Failures that count and ignored ones, with `backoffLimitPerIndex` only.
    pub(crate) failures: Option<(u32, u32)>,
}

/// The template, as far as it is copied.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wire {
    metadata: Option<WireMetadata>,
    spec: Option<Map<String, Value>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WireMetadata {
    labels: Option<Map<String, Value>>,
    annotations: Option<Map<String, Value>>,
    finalizers: Option<Vec<Value>>,
}

impl<'a> PodTemplate<'a> {
    /// Reads the Job's template; `None` if it has no labels, so that no pod of it could be found again (J-89).
    pub(crate) fn read(view: &'a JobView<'a>) -> Option<Self> {
        let wire: Wire = serde_json::from_str(view.job.spec.template.json()).unwrap_or_default();
        let metadata = wire.metadata.unwrap_or_default();
        let mut finalizers = metadata.finalizers.unwrap_or_default();
        let tracking = Value::from(&*view.config.tracking_finalizer);
        if !finalizers.contains(&tracking) {
            finalizers.push(tracking);
        }
        let mut spec = wire.spec.unwrap_or_default();
        if view.job.indexed() {
            ["containers", "initContainers"].iter().for_each(|list| add_index_variable(spec.get_mut(*list)));
        }
        let labels = metadata.labels.filter(|labels| !labels.is_empty())?;
        Some(Self { view, labels, annotations: metadata.annotations.unwrap_or_default(), finalizers, spec })
    }

    /// The body of the request that creates the next pod.
    pub(crate) fn body(&mut self, next: Option<NextOfIndex>) -> String {
        let name = &*self.view.job.metadata.name;
        let generate_name = match next {
            Some(next) => {
                self.mark(next);
                self.spec.insert("hostname".to_owned(), format!("{name}-{}", next.index).into());
                generate_name(name, next.index)
            }
            None => format!("{name}-"),
        };
        let mut metadata = json!({
            "generateName": generate_name,
            "labels": self.labels,
            "finalizers": self.finalizers,
            "ownerReferences": [owner_reference(self.view.job)],
        });
        if !self.annotations.is_empty() {
            metadata["annotations"] = Value::Object(self.annotations.clone());
        }
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": self.spec}).to_string()
    }

    fn mark(&mut self, next: NextOfIndex) {
        let index = Value::from(next.index.to_string());
        self.labels.insert(names::COMPLETION_INDEX.to_owned(), index.clone());
        self.annotations.insert(names::COMPLETION_INDEX.to_owned(), index);
        let Some((counted, ignored)) = next.failures else { return };
        self.annotations.insert(names::INDEX_FAILURE_COUNT.to_owned(), counted.to_string().into());
        self.annotations.remove(names::INDEX_IGNORED_FAILURE_COUNT);
        if ignored > 0 {
            self.annotations.insert(names::INDEX_IGNORED_FAILURE_COUNT.to_owned(), ignored.to_string().into());
        }
    }
}

/// Adds the index variable to the containers that do not have one of that name (J-103).
fn add_index_variable(containers: Option<&mut Value>) {
    let Some(Value::Array(containers)) = containers else { return };
    let path = format!("metadata.labels['{}']", names::COMPLETION_INDEX);
    for container in containers.iter_mut().filter_map(Value::as_object_mut) {
        let variables = container.entry("env").or_insert_with(|| json!([]));
        if variables.is_null() {
            *variables = json!([]);
        }
        let Value::Array(variables) = variables else { continue };
        if !variables.iter().any(|variable| variable["name"] == names::INDEX_VARIABLE) {
            variables.push(json!({"name": names::INDEX_VARIABLE, "valueFrom": {"fieldRef": {"fieldPath": path}}}));
        }
    }
}

/// `<job>-<index>-`, with the Job's name cut so that the whole stays within the limit (J-102).
fn generate_name(job: &str, index: u32) -> String {
    let ending = format!("-{index}-");
    let longest = GENERATED_NAME_BASE - ending.len();
    format!("{}{ending}", &job[..job.len().min(longest)])
}

/// The restart policy that the template names.
pub(crate) fn restart_policy(template: &Template) -> Option<String> {
    #[derive(Deserialize)]
    struct Head {
        spec: Option<Spec>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Spec {
        restart_policy: Option<String>,
    }
    serde_json::from_str::<Head>(template.json()).ok()?.spec?.restart_policy
}
