//! What the cluster stores, as the watches have shown it.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes". Objects are found by their name and by their controller; those that have ended are
//! kept apart, so that a Job's open pods are found without them.

use std::collections::{BTreeMap, BTreeSet};

use api::{Job, Kind, Object, ObjectMeta, Pod, Text};
use rustc_hash::FxBuildHasher;

/// Objects by name. Nothing depends on the order of such a map: it is asked, and what is gone through is sorted.
#[expect(
    clippy::disallowed_types,
    reason = "looked up, never iterated without sorting; a lookup costs the same with ten and with 100,000 objects"
)]
type ByName = std::collections::HashMap<ObjectKey, Object, FxBuildHasher>;

/// The namespace and name of an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ObjectKey {
    pub(crate) namespace: Text,
    pub(crate) name: Text,
}

impl ObjectKey {
    /// The key of the object with this metadata.
    pub(crate) fn of(metadata: &ObjectMeta) -> Self {
        Self { namespace: metadata.namespace.clone(), name: metadata.name.clone() }
    }
}

/// A change of an object, as a watch or a list showed it: it was not there before, is another one, or is gone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change<'a> {
    /// The object before.
    pub(crate) before: Option<&'a Object>,
    /// The object from here on.
    pub(crate) after: Option<&'a Object>,
}

/// All objects, by kind.
#[derive(Debug, Default)]
pub(crate) struct Store {
    tables: [Table; Kind::ALL.len()],
}

/// The objects of one kind.
#[derive(Debug, Default)]
struct Table {
    objects: ByName,
    /// Names by namespace and UID of the controller, which is empty for objects without one.
    controlled: BTreeMap<(Text, Text), Names>,
}

/// The names of the objects of one controller.
#[derive(Debug, Default)]
struct Names {
    open: BTreeSet<Text>,
    /// Of objects that have ended and that nothing holds back.
    closed: BTreeSet<Text>,
}

impl Store {
    pub(crate) fn object(&self, kind: Kind, key: &ObjectKey) -> Option<&Object> {
        self.table(kind).objects.get(key)
    }

    pub(crate) fn job(&self, key: &ObjectKey) -> Option<&Job> {
        self.object(Kind::Job, key)?.job()
    }

    pub(crate) fn pod(&self, key: &ObjectKey) -> Option<&Pod> {
        self.object(Kind::Pod, key)?.pod()
    }

    /// The pods that the controller of this UID controls and that have not ended, or hold a finalizer, by name; those without a controller if it is empty.
    pub(crate) fn open_pods(&self, namespace: &Text, controller: &Text) -> impl Iterator<Item = &Pod> {
        let names = self.table(Kind::Pod).names(namespace, controller).into_iter().flat_map(|names| &names.open);
        self.named_pods(namespace, names)
    }

    /// The other pods that it controls, by name.
    pub(crate) fn closed_pods(&self, namespace: &Text, controller: &Text) -> impl Iterator<Item = &Pod> {
        let names = self.table(Kind::Pod).names(namespace, controller).into_iter().flat_map(|names| &names.closed);
        self.named_pods(namespace, names)
    }

    /// All Jobs of a namespace.
    pub(crate) fn jobs_in(&self, namespace: &Text) -> impl Iterator<Item = &Job> {
        self.table(Kind::Job).keys_in(namespace).filter_map(|key| self.job(&key))
    }

    /// All pods of a namespace.
    pub(crate) fn pods_in(&self, namespace: &Text) -> impl Iterator<Item = &Pod> {
        self.table(Kind::Pod).keys_in(namespace).filter_map(|key| self.pod(&key))
    }

    /// Puts an object in its place; answers the one that was there.
    pub(crate) fn put(&mut self, object: Object) -> Option<Object> {
        self.tables[object.kind() as usize].put(object)
    }

    /// Takes an object away.
    pub(crate) fn take(&mut self, kind: Kind, key: &ObjectKey) -> Option<Object> {
        self.tables[kind as usize].take(key)
    }

    /// The places of all objects of a kind, in order.
    pub(crate) fn keys(&self, kind: Kind) -> Vec<ObjectKey> {
        let mut keys: Vec<ObjectKey> = self.table(kind).objects.keys().cloned().collect();
        keys.sort_unstable();
        keys
    }

    fn named_pods<'a>(&'a self, namespace: &Text, names: impl Iterator<Item = &'a Text>) -> impl Iterator<Item = &'a Pod> {
        names.filter_map(move |name| self.pod(&ObjectKey { namespace: namespace.clone(), name: name.clone() }))
    }

    fn table(&self, kind: Kind) -> &Table {
        &self.tables[kind as usize]
    }
}

impl Table {
    fn put(&mut self, mut object: Object) -> Option<Object> {
        let key = ObjectKey::of(object.metadata());
        let home = home(&object);
        if let Some(sibling) = self.names(&home.0, &home.1).and_then(|names| names.open.first().or(names.closed.first())) {
            let sibling = ObjectKey { namespace: home.0.clone(), name: sibling.clone() };
            if let Some(sibling) = self.objects.get(&sibling) {
                object.share(sibling);
            }
        }
        let closed = object.closed();
        let before = self.objects.insert(key.clone(), object);
        match &before {
            Some(before) if before.closed() == closed && before.metadata().controller_uid() == &*home.1 => {}
            Some(before) => {
                self.forget(before);
                self.remember(home, key.name, closed);
            }
            None => self.remember(home, key.name, closed),
        }
        before
    }

    fn take(&mut self, key: &ObjectKey) -> Option<Object> {
        let object = self.objects.remove(key)?;
        self.forget(&object);
        Some(object)
    }

    fn remember(&mut self, home: (Text, Text), name: Text, closed: bool) {
        let names = self.controlled.entry(home).or_default();
        if closed {
            names.closed.insert(name)
        } else {
            names.open.insert(name)
        };
    }

    fn forget(&mut self, object: &Object) {
        let (home, name) = (home(object), &object.metadata().name);
        let Some(names) = self.controlled.get_mut(&home) else { return };
        if object.closed() {
            names.closed.remove(name)
        } else {
            names.open.remove(name)
        };
        if names.open.is_empty() && names.closed.is_empty() {
            self.controlled.remove(&home);
        }
    }

    fn names(&self, namespace: &Text, controller: &Text) -> Option<&Names> {
        self.controlled.get(&(namespace.clone(), controller.clone()))
    }

    /// The places of all objects of a namespace, by their controllers.
    fn keys_in(&self, namespace: &Text) -> impl Iterator<Item = ObjectKey> {
        let first = (namespace.clone(), Text::default());
        let groups = self.controlled.range(first..).take_while(move |((of, _), _)| of == namespace);
        groups.flat_map(|((namespace, _), names)| {
            names.open.iter().chain(&names.closed).map(|name| ObjectKey { namespace: namespace.clone(), name: name.clone() })
        })
    }
}

/// Where an object is found by its controller: its namespace, and the UID of the controller.
fn home(object: &Object) -> (Text, Text) {
    let metadata = object.metadata();
    (metadata.namespace.clone(), metadata.controller().map(|controller| controller.uid.clone()).unwrap_or_default())
}
