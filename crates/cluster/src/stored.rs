//! One version of a stored object, with its JSON text made at most once.
//!
//! Docs: API Concepts, "Resource versions". Where versions are kept is `apiserver/store.rs`; who sees them, `apiserver/watch.rs`.

use std::io::Write as _;
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

    /// Writes the object as JSON text, with `apiVersion` and `kind`.
    fn json(&self) -> Text {
        let mut text = Vec::with_capacity(2048);
        let kind = self.kind();
        write!(text, r#"{{"apiVersion":"{}","kind":"{}","#, kind.api_version(), kind.name()).expect("memory takes all that is written");
        match self {
            Self::Job(job) => {
                let begin = text.len();
                serde_json::to_writer(&mut text, job).expect("a Job has text keys only");
                text.remove(begin);
            }
            Self::Pod(pod) => {
                pod.write_fields(&mut text);
                text.push(b'}');
            }
        }
        str::from_utf8(&text).expect("JSON is UTF-8").into()
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
        self.json.get_or_init(|| self.object.json()).clone()
    }
}
