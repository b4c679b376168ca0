//! Pod template: what a created pod looks like.
//!
//! Docs: Jobs, "Pod Template", "Completion mode" (J-89, J-102, J-103, J-110).

use std::borrow::Cow;
use std::fmt::Write as _;

use api::job::Template;
use api::json::{self, Read};
use api::meta::{Labels, names};
use api::{Duration, Job, Kind, OwnerReference, Text};
use serde::Serialize;
use serde_json::value::RawValue;

use super::fields::{self, OrderedFields, quoted};
use super::limits::GENERATED_NAME_BASE;
use super::ownership::owner_reference;
use super::view::JobView;

/// How long pods have to stop, where their template does not say.
const DEFAULT_GRACE_SECONDS: i64 = 30;

/// Makes the bodies of requests that create pods.
#[derive(Debug)]
pub(crate) struct PodTemplate<'a> {
    job: &'a Job,
    metadata: Metadata,
    /// The spec as JSON, without its last brace.
    spec: String,
}

/// The metadata of a created pod.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    generate_name: String,
    labels: Labels,
    #[serde(skip_serializing_if = "Labels::is_empty")]
    annotations: Labels,
    finalizers: Vec<Text>,
    owner_references: [OwnerReference; 1],
}

/// An index and the failures that its next pod carries (J-110).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NextOfIndex {
    pub(crate) index: u32,
    /// Failures that count and ignored ones, with `backoffLimitPerIndex` only.
    pub(crate) failures: Option<(u32, u32)>,
}

/// The parts of the template that are copied.
#[derive(Default, Read)]
struct Wire {
    metadata: WireMetadata,
    #[read(with = Template::read)]
    spec: Template,
}

#[derive(Default, Read)]
struct WireMetadata {
    labels: Labels,
    annotations: Labels,
    finalizers: Vec<Text>,
}

impl<'a> PodTemplate<'a> {
    /// Reads the Job's template; `None` if it has no labels, so that no pod of it could be found again (J-89).
    pub(crate) fn read(view: &JobView<'a>) -> Option<Self> {
        let job = view.job;
        let Wire { metadata: template, spec: pod_spec } = json::from_str(job.spec.template.json()).ok()?;
        if template.labels.is_empty() {
            return None;
        }
        let mut finalizers = template.finalizers;
        if !finalizers.contains(&view.config.tracking_finalizer) {
            finalizers.push(view.config.tracking_finalizer.clone());
        }
        let metadata = Metadata {
            generate_name: format!("{}-", job.metadata.name),
            labels: template.labels,
            annotations: template.annotations,
            finalizers,
            owner_references: [owner_reference(job)],
        };
        Some(Self { job, metadata, spec: spec(pod_spec.json(), job.indexed()) })
    }

    /// The body of the request that creates the next pod.
    pub(crate) fn body(&mut self, next: Option<NextOfIndex>) -> String {
        if let Some(next) = next {
            self.mark(next);
        }
        let metadata = serde_json::to_string(&self.metadata).expect("metadata has text keys only");
        let (api_version, kind, spec) = (Kind::Pod.api_version(), Kind::Pod.name(), &self.spec);
        let mut body = format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}","metadata":{metadata},"spec":{spec}"#);
        if let Some(next) = next {
            let separator = if self.spec.len() > 1 { "," } else { "" };
            let hostname = format!("{}-{}", self.job.metadata.name, next.index);
            write!(body, r#"{separator}"hostname":{}"#, quoted(&hostname)).expect("a string takes all");
        }
        body.push_str("}}");
        body
    }

    /// Gives the next pod its index.
    fn mark(&mut self, next: NextOfIndex) {
        let (index, metadata): (Text, _) = (next.index.to_string().into(), &mut self.metadata);
        metadata.generate_name = generate_name(&self.job.metadata.name, next.index);
        metadata.labels.insert(names::COMPLETION_INDEX.into(), index.clone());
        metadata.annotations.insert(names::COMPLETION_INDEX.into(), index);
        let Some((counted, ignored)) = next.failures else { return };
        metadata.annotations.insert(names::INDEX_FAILURE_COUNT.into(), counted.to_string().into());
        metadata.annotations.remove(names::INDEX_IGNORED_FAILURE_COUNT);
        if ignored > 0 {
            metadata.annotations.insert(names::INDEX_IGNORED_FAILURE_COUNT.into(), ignored.to_string().into());
        }
    }
}

/// The spec without its last brace; that of an Indexed Job with the index variable, and without a host name (J-102, J-103).
fn spec(json: &str, indexed: bool) -> String {
    let whole = if indexed { indexed_spec(json) } else { json.to_owned() };
    whole.strip_suffix('}').unwrap_or("{").to_owned()
}

fn indexed_spec(json: &str) -> String {
    let Ok(mut spec) = serde_json::from_str::<OrderedFields<'_>>(json) else { return json.to_owned() };
    spec.0.retain(|(name, _)| name != "hostname");
    let path = format!("metadata.labels['{}']", names::COMPLETION_INDEX);
    change_containers(&mut spec, |_, container| with_variable(container, names::INDEX_VARIABLE, &path));
    spec.json()
}

/// Changes each container of a spec; the change is given the name of the list that the container is in.
pub(crate) fn change_containers(spec: &mut OrderedFields<'_>, mut change: impl FnMut(&str, &str) -> String) {
    for (name, containers) in &mut spec.0 {
        if matches!(&**name, "containers" | "initContainers")
            && let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(containers)
        {
            let with: Vec<String> = list.iter().map(|container| change(name, container.get())).collect();
            *containers = Cow::Owned(fields::list(&with));
        }
    }
}

/// A container with a variable whose value is a field of its pod, unless it has one of that name (J-103, X-11).
pub(crate) fn with_variable(json: &str, name: &str, field_path: &str) -> String {
    #[derive(Default, Read)]
    struct Variable {
        name: Text,
    }
    let Ok(mut container) = serde_json::from_str::<OrderedFields<'_>>(json) else { return json.to_owned() };
    let mut variables = fields::items(container.get("env"));
    if variables.iter().any(|variable| json::from_str::<Variable>(variable).is_ok_and(|variable| *variable.name == *name)) {
        return json.to_owned();
    }
    let (name, field_path) = (quoted(name), quoted(field_path));
    let added = format!(r#"{{"name":{name},"valueFrom":{{"fieldRef":{{"fieldPath":{field_path}}}}}}}"#);
    variables.push(&added);
    let variables = fields::list(&variables);
    container.set("env", variables);
    container.json()
}

/// `<job>-<index>-`, with the Job's name cut so that the whole stays within the limit (J-102).
fn generate_name(job: &str, index: u32) -> String {
    let ending = format!("-{index}-");
    let longest = GENERATED_NAME_BASE - ending.len();
    format!("{}{ending}", &job[..job.floor_char_boundary(longest)])
}

/// The restart policy that the template names.
pub(crate) fn restart_policy(template: &Template) -> Option<Text> {
    head(template).restart_policy
}

/// How long a pod of the template has to stop.
pub(crate) fn grace_period(template: &Template) -> Duration {
    Duration::from_secs(head(template).termination_grace_period_seconds.unwrap_or(DEFAULT_GRACE_SECONDS))
}

/// Whether the template has a container of this name.
pub(crate) fn declares(template: &Template, container: &str) -> bool {
    head(template).containers.iter().any(|declared| &*declared.name == container)
}

/// The fields of a template's spec that decisions read.
#[derive(Default, Read)]
struct PodSpecHead {
    restart_policy: Option<Text>,
    termination_grace_period_seconds: Option<i64>,
    containers: Vec<DeclaredContainer>,
}

#[derive(Default, Read)]
struct DeclaredContainer {
    name: Text,
}

fn head(template: &Template) -> PodSpecHead {
    #[derive(Default, Read)]
    struct Head {
        spec: PodSpecHead,
    }
    json::from_str::<Head>(template.json()).map(|head| head.spec).unwrap_or_default()
}
