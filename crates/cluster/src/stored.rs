//! One version of a stored object, with its JSON text made at most once.
//!
//! Docs: API Concepts, "Resource versions". Where versions are kept is `apiserver/store.rs`; who sees them, `apiserver/watch.rs`.

use std::sync::OnceLock;

use api::{Job, Kind, ObjectMeta, Text};

use crate::apiserver::key;
use crate::pod::Pod;

/// One version of an object; it never changes.
#[derive(Debug)]
pub struct Stored {
    object: Object,
    json: OnceLock<Text>,
}

/// A whole object of one of the kinds that the cluster serves.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    /// A Job.
    Job(Box<Job>),
    /// A Pod.
    Pod(Box<Pod>),
}

impl Object {
    /// The object's kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Job(_) => Kind::Job,
            Self::Pod(_) => Kind::Pod,
        }
    }

    /// The object's metadata.
    #[must_use]
    pub fn metadata(&self) -> &ObjectMeta {
        match self {
            Self::Job(job) => &job.metadata,
            Self::Pod(pod) => &pod.metadata,
        }
    }

    /// Its key among all objects: `Kind/namespace/name`. Keys sort as texts.
    #[must_use]
    pub fn key(&self) -> String {
        key(self.kind(), &self.metadata().namespace, &self.metadata().name)
    }

    pub(crate) fn metadata_mut(&mut self) -> &mut ObjectMeta {
        match self {
            Self::Job(job) => &mut job.metadata,
            Self::Pod(pod) => &mut pod.metadata,
        }
    }

    fn json(&self) -> String {
        let (kind, parts) = match self {
            Self::Job(job) => (Kind::Job, serde_json::to_string(job).expect("a Job has text keys only")),
            Self::Pod(pod) => (Kind::Pod, pod.json()),
        };
        let fields = parts.strip_prefix('{').expect("an object was written");
        format!(r#"{{"apiVersion":"{}","kind":"{}",{fields}"#, kind.api_version(), kind.name())
    }
}

impl Stored {
    pub(crate) fn new(object: Object) -> Self {
        Self { object, json: OnceLock::new() }
    }

    /// The object itself.
    #[must_use]
    pub fn object(&self) -> &Object {
        &self.object
    }

    /// The object's kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.object.kind()
    }

    /// The object's metadata.
    #[must_use]
    pub fn metadata(&self) -> &ObjectMeta {
        self.object.metadata()
    }

    /// The Job, if it is one.
    #[must_use]
    pub fn job(&self) -> Option<&Job> {
        match &self.object {
            Object::Job(job) => Some(job),
            Object::Pod(_) => None,
        }
    }

    /// The pod, if it is one.
    #[must_use]
    pub fn pod(&self) -> Option<&Pod> {
        match &self.object {
            Object::Job(_) => None,
            Object::Pod(pod) => Some(pod),
        }
    }

    /// The object as JSON text, with `apiVersion` and `kind`.
    #[must_use]
    pub fn json(&self) -> Text {
        self.json.get_or_init(|| self.object.json().into()).clone()
    }
}
