//! One version of a stored object.
//!
//! Docs: API Concepts, "Resource versions". Where versions are kept is `apiserver/store.rs`; who sees them, `apiserver/watch.rs`.

use std::io::Write as _;

use api::{CronJob, Job, Kind, ObjectMeta, Text};
use serde::Serialize;

use crate::apiserver::key;
use crate::pod::StoredPod;

/// One version of an object; it never changes.
#[derive(Debug)]
pub struct Stored {
    object: StoredObject,
}

/// A whole object of one of the kinds that the cluster serves.
#[derive(Debug, Clone, PartialEq)]
pub enum StoredObject {
    /// A CronJob.
    CronJob(Box<CronJob>),
    /// A Job.
    Job(Box<Job>),
    /// A Pod.
    Pod(Box<StoredPod>),
}

impl StoredObject {
    /// The object's kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::CronJob(_) => Kind::CronJob,
            Self::Job(_) => Kind::Job,
            Self::Pod(_) => Kind::Pod,
        }
    }

    /// The object's metadata.
    #[must_use]
    pub fn metadata(&self) -> &ObjectMeta {
        match self {
            Self::CronJob(cron_job) => &cron_job.metadata,
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
            Self::CronJob(cron_job) => &mut cron_job.metadata,
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
            Self::CronJob(cron_job) => write_fields(cron_job, &mut text),
            Self::Job(job) => write_fields(job, &mut text),
            Self::Pod(pod) => {
                pod.write_fields(&mut text);
                text.push(b'}');
            }
        }
        str::from_utf8(&text).expect("JSON is UTF-8").into()
    }
}

/// Writes the fields of an object and its end, without its beginning.
fn write_fields(object: &impl Serialize, text: &mut Vec<u8>) {
    let begin = text.len();
    serde_json::to_writer(&mut *text, object).expect("an object has text keys only");
    text.remove(begin);
}

impl Stored {
    pub(crate) fn new(object: StoredObject) -> Self {
        Self { object }
    }

    /// The object itself.
    #[must_use]
    pub fn object(&self) -> &StoredObject {
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

    /// The CronJob, if it is one.
    #[must_use]
    pub fn cron_job(&self) -> Option<&CronJob> {
        match &self.object {
            StoredObject::CronJob(cron_job) => Some(cron_job),
            StoredObject::Job(_) | StoredObject::Pod(_) => None,
        }
    }

    /// The Job, if it is one.
    #[must_use]
    pub fn job(&self) -> Option<&Job> {
        match &self.object {
            StoredObject::Job(job) => Some(job),
            StoredObject::CronJob(_) | StoredObject::Pod(_) => None,
        }
    }

    /// The pod, if it is one.
    #[must_use]
    pub fn pod(&self) -> Option<&StoredPod> {
        match &self.object {
            StoredObject::CronJob(_) | StoredObject::Job(_) => None,
            StoredObject::Pod(pod) => Some(pod),
        }
    }

    /// Writes the object as JSON text, with `apiVersion` and `kind`. It is not kept: a play has many versions, and shows most of them once.
    #[must_use]
    pub fn json(&self) -> Text {
        self.object.json()
    }
}
