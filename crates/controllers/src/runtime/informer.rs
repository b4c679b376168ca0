//! The informer: stores what lists and watches show, and reports what changed.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes" (J-05, J-35). What follows from a change is each controller's.

use api::{Kind, Malformed, Object, ObjectMeta, Text, Timestamp};
use contract::{Change, ObjectJson, Part};

use super::controller::Context;
use super::lists::Lists;
use super::store::{ObjectKey, Store, StoreChange};
use super::watch_progress::WatchProgress;

/// What is known of the cluster, and how far that has come.
#[derive(Debug, Default)]
pub(crate) struct Informer {
    pub(crate) store: Store,
    pub(crate) progress: WatchProgress,
    pub(crate) lists: Lists,
}

/// Takes a change, with what is known of the cluster after it.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(&StoreChange<'_>, &Store, &WatchProgress);

/// The kind whose watch, or list, has come further: in a namespace, or in all of them.
pub(crate) type Progressed = (Kind, Option<Text>);

impl Informer {
    /// What controllers look at.
    pub(crate) fn context(&self, now: Timestamp) -> Context<'_> {
        Context { store: &self.store, progress: &self.progress, now }
    }

    /// Handles a change that a watch showed.
    pub(crate) fn changed(&mut self, shown: &Change, sink: Sink<'_>) -> Result<Option<Progressed>, Malformed> {
        match shown {
            Change::Applied(object) => Ok(self.applied(Object::decode(kind_of(object)?, &object.json)?, sink)),
            Change::Deleted(object) => {
                let kind = kind_of(object)?;
                Ok(Some(self.deleted(kind, &Object::decode_metadata(kind, &object.json)?, sink)))
            }
        }
    }

    /// Handles a list, or a part of one. The first malformed object is the error; all well-formed objects are stored.
    pub(crate) fn listed(
        &mut self,
        kind: &str,
        part: Part,
        version: &str,
        objects: &[Text],
        sink: Sink<'_>,
    ) -> (Option<Progressed>, Result<(), Malformed>) {
        let Some(kind) = Kind::of(kind) else { return (None, Err(unknown(kind))) };
        let (mut malformed, mut places) = (Ok(()), Vec::with_capacity(objects.len()));
        for text in objects {
            match Object::decode(kind, text) {
                Ok(object) => {
                    places.push(ObjectKey::of(object.metadata()));
                    self.put(object, sink);
                }
                Err(error) => {
                    // What was known of it stays.
                    let (namespace, name) = error.name.split_once('/').unwrap_or_default();
                    places.push(ObjectKey { namespace: namespace.into(), name: name.into() });
                    malformed = malformed.and(Err(error));
                }
            }
        }
        let Some(places) = self.lists.add(kind, part, places) else { return (None, malformed) };
        for key in self.store.keys(kind).into_iter().filter(|key| places.binary_search(key).is_err()) {
            self.take(kind, &key, sink);
        }
        self.progress.observe_list(kind, version);
        (Some((kind, None)), malformed)
    }

    fn applied(&mut self, object: Object, sink: Sink<'_>) -> Option<Progressed> {
        let (kind, metadata) = (object.kind(), object.metadata());
        let key = ObjectKey::of(metadata);
        let known = self.store.object(kind, &key).map(|known| &*known.metadata().resource_version);
        if self.progress.is_old(kind, metadata, known) {
            return None;
        }
        let (namespace, version) = (metadata.namespace.clone(), metadata.resource_version.clone());
        self.lists.mention(kind, || key);
        self.put(object, sink);
        self.progress.observe(kind, &namespace, &version);
        Some((kind, Some(namespace)))
    }

    fn deleted(&mut self, kind: Kind, metadata: &ObjectMeta, sink: Sink<'_>) -> Progressed {
        let key = ObjectKey::of(metadata);
        if self.store.object(kind, &key).is_some_and(|known| known.metadata().uid == metadata.uid) {
            self.take(kind, &key, sink);
        }
        self.progress.observe_end(kind, metadata);
        self.progress.observe(kind, &metadata.namespace, &metadata.resource_version);
        (kind, Some(metadata.namespace.clone()))
    }

    fn put(&mut self, object: Object, sink: Sink<'_>) {
        let (kind, key) = (object.kind(), ObjectKey::of(object.metadata()));
        if self.store.object(kind, &key).is_some_and(|known| known.metadata().uid != object.metadata().uid) {
            self.take(kind, &key, sink);
        }
        let before = self.store.put(object);
        let change = StoreChange { before: before.as_ref(), after: self.store.object(kind, &key) };
        sink(&change, &self.store, &self.progress);
    }

    fn take(&mut self, kind: Kind, key: &ObjectKey, sink: Sink<'_>) {
        if let Some(before) = self.store.take(kind, key) {
            sink(&StoreChange { before: Some(&before), after: None }, &self.store, &self.progress);
        }
    }
}

fn kind_of(object: &ObjectJson) -> Result<Kind, Malformed> {
    Kind::of(&object.kind).ok_or_else(|| unknown(&object.kind))
}

fn unknown(kind: &str) -> Malformed {
    Malformed { kind: kind.into(), name: String::new(), reason: "the controllers do not watch this kind".to_owned() }
}
