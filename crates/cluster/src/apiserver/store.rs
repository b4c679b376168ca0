//! The stored objects, their versions, and which object depends on which.
//!
//! Docs: API Concepts, "Resource versions"; Owners and Dependents. What follows from dependence is in `garbage_collector.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Kind, Text};
use contract::{Event, Listing, Part};

use super::watch::{Watches, Write};
use crate::garbage_collector::{Dependence, Dependents};
use crate::stored::{Stored, StoredObject};

/// All objects, and the number of the last write.
#[derive(Debug, Clone)]
pub(crate) struct Storage {
    /// By [`key`].
    objects: BTreeMap<Text, Arc<Stored>>,
    /// By the owner's UID; owners that are not there included.
    dependents: BTreeMap<Text, Dependents>,
    dependence: Dependence,
    version: u64,
    pub(crate) watches: Watches,
}

/// An object's key: `Kind/namespace/name`. Keys sort as texts.
pub(crate) fn key(kind: Kind, namespace: &str, name: &str) -> String {
    [kind.name(), "/", namespace, "/", name].concat()
}

impl Storage {
    pub(crate) fn new(dependence: Dependence) -> Self {
        Self { objects: BTreeMap::new(), dependents: BTreeMap::new(), dependence, version: 0, watches: Watches::default() }
    }

    pub(crate) fn dependence(&self) -> Dependence {
        self.dependence
    }

    /// The version of the last write; 0 before the first.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn find(&self, key: &str) -> Option<&Arc<Stored>> {
        self.objects.get(key)
    }

    /// The objects of a kind, of one namespace or (empty) of all, sorted by namespace and name.
    pub(crate) fn list(&self, kind: Kind, namespace: &str) -> impl Iterator<Item = &Arc<Stored>> {
        let mut start = format!("{}/", kind.name());
        if !namespace.is_empty() {
            start.push_str(namespace);
            start.push('/');
        }
        // The character after the slash ends the range of keys that start so.
        let end = format!("{}0", start.strip_suffix('/').expect("it ends in a slash"));
        self.objects.range::<str, _>((std::ops::Bound::Included(&*start), std::ops::Bound::Excluded(&*end))).map(|(_, object)| object)
    }

    /// A complete list of a kind, as an event.
    pub(crate) fn listing(&self, kind: Kind) -> Event {
        let objects = self.list(kind, "").map(|object| object.json()).collect();
        Event::Listed(Listing { kind: kind.name().into(), part: Part::Whole, resource_version: self.version.to_string().into(), objects })
    }

    /// The objects that depend on the owner of this UID.
    pub(crate) fn dependents(&mut self, owner: &str) -> Option<&mut Dependents> {
        self.dependents.get_mut(owner)
    }

    /// Stores an object as the next version.
    pub(crate) fn put(&mut self, mut object: StoredObject) -> Arc<Stored> {
        self.number(&mut object);
        let key: Text = object.key().into();
        let after = Arc::new(Stored::new(object));
        let before = self.objects.insert(Arc::clone(&key), Arc::clone(&after));
        let owners_before = before.as_ref().map(|before| &before.metadata().owner_references[..]);
        if owners_before.unwrap_or_default() != &after.metadata().owner_references[..] {
            if let Some(before) = &before {
                self.unlink(&key, before);
            }
            self.link(&key, &after);
        }
        self.watches.record(Write { key, before, after: Arc::clone(&after), gone: false });
        after
    }

    /// Removes an object, and returns its last state.
    pub(crate) fn take(&mut self, key: &str) -> Option<Arc<Stored>> {
        let (key, before) = self.objects.remove_entry(key)?;
        let mut object = before.object().clone();
        self.number(&mut object);
        let after = Arc::new(Stored::new(object));
        self.unlink(&key, &before);
        self.watches.record(Write { key, before: Some(before), after: Arc::clone(&after), gone: true });
        Some(after)
    }

    fn number(&mut self, object: &mut StoredObject) {
        self.version += 1;
        object.metadata_mut().resource_version = self.version.to_string().into();
    }

    fn link(&mut self, key: &Text, object: &Stored) {
        for owner in object.metadata().owner_references.iter() {
            if let Some(hold) = self.dependence.of(owner) {
                self.dependents.entry(Arc::clone(&owner.uid)).or_default().add(Arc::clone(key), hold);
            }
        }
    }

    fn unlink(&mut self, key: &str, object: &Stored) {
        for owner in object.metadata().owner_references.iter() {
            let Some(dependents) = self.dependents.get_mut(&owner.uid) else { continue };
            dependents.remove(key);
            if dependents.is_empty() {
                self.dependents.remove(&owner.uid);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ApiServer;
    use crate::naming::Names;
    use crate::testing::noon;

    #[test]
    fn lists_hold_one_kind_and_namespace_sorted_as_texts() {
        let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
        for (namespace, name) in [("b", "x"), ("a", "y"), ("a-b", "x"), ("a", "x-1"), ("a", "x"), ("a0", "x")] {
            server.create(Kind::Pod, namespace, &format!(r#"{{"metadata":{{"name":"{name}"}}}}"#), noon()).unwrap();
        }
        let list = |namespace| {
            let key = |object: &Arc<Stored>| format!("{}/{}", object.metadata().namespace, object.metadata().name);
            server.store.list(Kind::Pod, namespace).map(key).collect::<Vec<_>>()
        };
        assert_eq!(list(""), ["a-b/x", "a/x", "a/x-1", "a/y", "a0/x", "b/x"]);
        assert_eq!(list("a"), ["a/x", "a/x-1", "a/y"]);
        assert_eq!(server.store.list(Kind::Job, "").count(), 0);
        let Event::Listed(Listing { resource_version, objects, .. }) = server.listing(Kind::Pod) else { panic!("a list is listed") };
        assert_eq!((&*resource_version, objects.len()), ("6", 6));
    }
}
