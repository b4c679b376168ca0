//! Pod template: what a created pod looks like.
//!
//! Docs: Jobs, "Pod Template", "Completion mode" (J-89, J-102, J-103, J-110).

use api::job::Template;
use api::meta::names;
use api::{Job, Kind, OwnerReference};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::JobView;
use super::ownership::owner_reference;
use crate::limits::GENERATED_NAME_BASE;

/// Makes the bodies of requests that create pods.
#[derive(Debug)]
pub(crate) struct PodTemplate<'a> {
    job: &'a Job,
    metadata: Metadata,
    /// The spec as JSON; for an Indexed Job without its last brace, and without a host name.
    spec: String,
}

/// The metadata of a created pod.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    generate_name: String,
    labels: Map<String, Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    annotations: Map<String, Value>,
    finalizers: Vec<Value>,
    owner_references: [OwnerReference; 1],
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
    pub(crate) fn read(view: &JobView<'a>) -> Option<Self> {
        let job = view.job;
        let wire: Wire = serde_json::from_str(job.spec.template.json()).unwrap_or_default();
        let template = wire.metadata.unwrap_or_default();
        let mut finalizers = template.finalizers.unwrap_or_default();
        let tracking = Value::from(&*view.config.tracking_finalizer);
        if !finalizers.contains(&tracking) {
            finalizers.push(tracking);
        }
        let metadata = Metadata {
            generate_name: format!("{}-", job.metadata.name),
            labels: template.labels.filter(|labels| !labels.is_empty())?,
            annotations: template.annotations.unwrap_or_default(),
            finalizers,
            owner_references: [owner_reference(job)],
        };
        let mut spec = wire.spec.unwrap_or_default();
        if job.indexed() {
            spec.remove("hostname");
            ["containers", "initContainers"].iter().for_each(|list| add_index_variable(spec.get_mut(*list)));
        }
        let mut spec = serde_json::to_string(&spec).expect("a spec that was read can be written");
        if job.indexed() {
            spec.pop();
            spec.push_str(if spec.len() > 1 { "," } else { "" });
        }
        Some(Self { job, metadata, spec })
    }

    /// The body of the request that creates the next pod.
    pub(crate) fn body(&mut self, next: Option<NextOfIndex>) -> String {
        let hostname = next.map(|next| self.mark(next)).unwrap_or_default();
        let metadata = serde_json::to_string(&self.metadata).expect("metadata has text keys only");
        let (api_version, kind) = (Kind::Pod.api_version(), Kind::Pod.name());
        format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}","metadata":{metadata},"spec":{}{hostname}}}"#, self.spec)
    }

    /// Gives the next pod its index. Answers the end of its spec: the host name.
    fn mark(&mut self, next: NextOfIndex) -> String {
        let (name, index, metadata) = (&self.job.metadata.name, next.index.to_string(), &mut self.metadata);
        metadata.generate_name = generate_name(name, next.index);
        metadata.labels.insert(names::COMPLETION_INDEX.to_owned(), index.as_str().into());
        metadata.annotations.insert(names::COMPLETION_INDEX.to_owned(), index.as_str().into());
        if let Some((counted, ignored)) = next.failures {
            metadata.annotations.insert(names::INDEX_FAILURE_COUNT.to_owned(), counted.to_string().into());
            metadata.annotations.remove(names::INDEX_IGNORED_FAILURE_COUNT);
            if ignored > 0 {
                metadata.annotations.insert(names::INDEX_IGNORED_FAILURE_COUNT.to_owned(), ignored.to_string().into());
            }
        }
        format!(r#""hostname":{}}}"#, Value::from(format!("{name}-{index}")))
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
