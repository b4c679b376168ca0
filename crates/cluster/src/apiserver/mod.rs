//! The API server: stores CronJobs, Jobs and Pods, answers REST requests about them and shows each change to its watches.
//!
//! Docs: API Concepts, "Resource URIs", "API verbs" (A-01…A-16). What a single verb does is in `create.rs`, `update.rs` and `delete.rs`;
//! what happens to dependents, in `garbage_collector.rs`; what makes an object valid, in `admission::validation`.

mod admission;
mod body;
mod create;
mod delete;
mod errors;
mod moments;
mod pods;
mod restore;
mod store;
mod target;
mod update;
mod watch;

use std::sync::Arc;

use api::request::{ApiError, Method, Request, Written};
use api::{Kind, ObjectMeta, Text, Timestamp};
use contract::{Change, Event};

pub use self::delete::Propagation;
pub use self::errors::refused;
pub use self::moments::{last_moment, stopped_at};
pub use self::pods::PodParts;
pub use self::restore::stored;
pub(crate) use self::store::key;
pub use self::target::Target;
pub use self::watch::{WatchId, Write};
use crate::garbage_collector::Dependence;
use crate::naming::Names;
use crate::stored::Stored;
use store::Storage;

/// An API server with its objects; a clone is another server that starts from the same objects.
#[derive(Debug, Clone)]
pub struct ApiServer {
    pub(crate) store: Storage,
    names: Names,
    warnings: Vec<ApiWarning>,
}

/// A word of caution in the answer to a request, which a server sends in the header `Warning`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiWarning {
    /// The kind of the object that it is about.
    pub kind: Kind,
    /// The namespace of the object that it is about.
    pub namespace: Text,
    /// The name of the object that it is about.
    pub name: Text,
    /// The warning itself.
    pub text: String,
}

/// The server's response to a request that succeeded.
#[derive(Debug, Clone)]
pub enum Answer {
    /// The object that was read, or as it is after the request.
    Object(Arc<Stored>),
    /// The objects of a collection, and the version of the list.
    List {
        /// All writes up to this version are in the list.
        resource_version: Text,
        /// The objects, sorted by namespace and name.
        items: Vec<Arc<Stored>>,
    },
    /// The object went at once, and the answer does not hold it.
    Deleted,
}

impl Answer {
    /// The part of the response in an `Outcome`: the relevant fields of the object, or nothing.
    #[must_use]
    pub fn written(&self) -> Written {
        let Self::Object(object) = self else { return Written::default() };
        let metadata = object.metadata();
        Written {
            name: metadata.name.to_string(),
            uid: metadata.uid.to_string(),
            resource_version: metadata.resource_version.to_string(),
            deleting: metadata.deleting(),
        }
    }
}

impl ApiServer {
    /// An empty server.
    #[must_use]
    pub fn new(names: Names, dependence: Dependence) -> Self {
        Self { store: Storage::new(dependence), names, warnings: Vec::new() }
    }

    /// Carries out one request.
    ///
    /// # Errors
    /// What a real server refuses, with its status code and in its words.
    pub fn execute(&mut self, request: &Request, now: Timestamp) -> Result<Answer, ApiError> {
        let target = Target::read(&request.path).ok_or_else(errors::no_such_path)?;
        match (request.method, target.name.is_empty()) {
            (Method::Get, true) => Ok(self.collection(target)),
            (Method::Get, false) => self.find(target).map(|object| Answer::Object(Arc::clone(object))),
            (Method::Post, true) if !target.namespace.is_empty() => self.create(target.kind, target.namespace, &request.body, now),
            (Method::Put, false) => self.replace(target, &request.body, now),
            (Method::Patch, false) => self.patch(target, request.content_type, &request.body, now),
            (Method::Delete, false) if !target.status => self.delete(target, &request.body, now),
            (Method::Post | Method::Put | Method::Patch | Method::Delete, _) => Err(errors::method_not_allowed()),
        }
    }

    /// The warnings in the responses since the last call, in order.
    pub fn take_warnings(&mut self) -> Vec<ApiWarning> {
        std::mem::take(&mut self.warnings)
    }

    /// Adds warnings to the answer to a request.
    fn warn(&mut self, kind: Kind, namespace: &str, name: &str, texts: impl IntoIterator<Item = String>) {
        let warning = |text| ApiWarning { kind, namespace: namespace.into(), name: name.into(), text };
        self.warnings.extend(texts.into_iter().map(warning));
    }

    /// The object of this kind and name, if it is there.
    #[must_use]
    pub fn object(&self, kind: Kind, namespace: &str, name: &str) -> Option<&Arc<Stored>> {
        self.store.find(&key(kind, namespace, name))
    }

    /// All objects of a kind, sorted by namespace and name.
    pub fn objects(&self, kind: Kind) -> impl Iterator<Item = &Arc<Stored>> {
        self.store.list(kind, "")
    }

    /// The name of the CronJob that controls the Job that controls a pod.
    #[must_use]
    pub fn cron_job_of(&self, pod: &ObjectMeta) -> Option<&Text> {
        let controller = pod.controller().filter(|owner| &*owner.kind == Kind::Job.name())?;
        let job = self.object(Kind::Job, &pod.namespace, &controller.name)?.metadata();
        let cron_job = job.controller().filter(|owner| job.uid == controller.uid && &*owner.kind == Kind::CronJob.name())?;
        Some(&cron_job.name)
    }

    /// A complete list of a kind, as an event; it is true up to the last write.
    #[must_use]
    pub fn listing(&self, kind: Kind) -> Event {
        self.store.listing(kind)
    }

    /// Opens a watch on one kind or on all, for what changes from here on. It costs memory until it looks or is closed.
    pub fn watch(&mut self, kind: Option<Kind>) -> WatchId {
        self.store.watches.open(kind)
    }

    /// Closes a watch; it shows nothing any more.
    pub fn close(&mut self, watch: WatchId) {
        self.store.watches.close(watch);
    }

    /// The version of the last write; 0 before the first.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.store.version()
    }

    /// The next write that a watch has not shown, in order of `resourceVersion`.
    pub fn next_write(&mut self, watch: WatchId) -> Option<Write> {
        self.store.watches.next_write(watch)
    }

    /// All that changed since the watch last looked, one state for each object, sorted by the text `Kind/namespace/name`.
    ///
    /// An object that went and came again is reported as deleted and then as applied; one that came and went, as deleted.
    pub fn changes(&mut self, watch: WatchId) -> Vec<Change> {
        self.store.watches.coalesced(watch)
    }

    fn collection(&self, target: Target<'_>) -> Answer {
        let items = self.store.list(target.kind, target.namespace).cloned().collect();
        Answer::List { resource_version: self.store.version().to_string().into(), items }
    }

    fn find(&self, target: Target<'_>) -> Result<&Arc<Stored>, ApiError> {
        self.object(target.kind, target.namespace, target.name).ok_or_else(|| errors::not_found(target.kind, target.name))
    }
}
