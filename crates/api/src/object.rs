//! Objects of the kinds that the controllers read, and how they come in: JSON, decoded once.
//!
//! Docs: Kubernetes API Concepts, "Resource URIs". What an object holds is in `job.rs` and `pod.rs`.

use serde::{Deserialize, Serialize};

use crate::{Job, ObjectMeta, Pod};

/// The kinds of objects that are watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `batch/v1` Job.
    Job,
    /// `v1` Pod.
    Pod,
}

impl Kind {
    /// All of them, in the order in which they are listed at the start.
    pub const ALL: [Self; 2] = [Self::Job, Self::Pod];

    /// The kind's name, as in `kind:`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Job => "Job",
            Self::Pod => "Pod",
        }
    }

    /// The kind's resource, as in paths: `jobs`.
    #[must_use]
    pub fn resource(self) -> &'static str {
        match self {
            Self::Job => "jobs",
            Self::Pod => "pods",
        }
    }

    /// The API group; empty for the core group.
    #[must_use]
    pub fn group(self) -> &'static str {
        match self {
            Self::Job => "batch",
            Self::Pod => "",
        }
    }

    /// Group and version, as in `apiVersion:`.
    #[must_use]
    pub fn api_version(self) -> &'static str {
        match self {
            Self::Job => "batch/v1",
            Self::Pod => "v1",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// An object that was decoded.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    /// A Job.
    Job(Box<Job>),
    /// A Pod.
    Pod(Box<Pod>),
}

impl Object {
    /// Decodes one object.
    ///
    /// # Errors
    /// If the text is no JSON, or a field that is read has another type than the API gives it.
    pub fn decode(kind: Kind, json: &[u8]) -> Result<Self, Malformed> {
        let decoded = match kind {
            Kind::Job => serde_json::from_slice(json).map(Self::Job),
            Kind::Pod => serde_json::from_slice(json).map(Self::Pod),
        };
        decoded.map_err(|error| Malformed { kind, name: name_in(json), reason: error.to_string() })
    }

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
}

/// An object that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{} {name} cannot be understood: {reason}", kind.name())]
pub struct Malformed {
    /// Its kind.
    pub kind: Kind,
    /// `namespace/name`, as far as they can be read; otherwise empty.
    pub name: String,
    /// What is wrong, and where.
    pub reason: String,
}

/// The name of an object of which the rest cannot be read.
fn name_in(json: &[u8]) -> String {
    #[derive(Deserialize)]
    struct Named {
        metadata: Name,
    }
    #[derive(Deserialize)]
    struct Name {
        #[serde(default)]
        namespace: String,
        #[serde(default)]
        name: String,
    }
    serde_json::from_slice(json).map(|Named { metadata }| format!("{}/{}", metadata.namespace, metadata.name)).unwrap_or_default()
}
