//! What the cluster stores, as the watches have shown it.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes". Objects are found by their name and by their controller; those that have ended are
//! kept apart, so that a Job's open pods are found without them.

use std::collections::BTreeMap;

use api::{CronJob, Job, Kind, Object, ObjectMeta, Pod, Text};
use contract::ObjectRef;
use slab::Slab;

use super::lookup::Lookup;
use super::order;

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
pub(crate) struct StoreChange<'a> {
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
    objects: Slab<Object>,
    /// Where in the slab an object is, so that those of one controller are gone through without looking up each by its name.
    places: Lookup<ObjectKey, usize>,
    /// Those that have not ended, or that something holds back.
    open: Groups,
    /// The others.
    closed: Groups,
}

/// Where objects are in the slab: by the namespace and the UID of their controller, which is empty for objects without one, and then by name.
#[derive(Debug, Default)]
struct Groups(BTreeMap<Home, BTreeMap<Text, usize>>);

/// Where an object is found by its controller: its namespace, and the UID of the controller.
type Home = (Text, Text);

impl Store {
    pub(crate) fn object(&self, kind: Kind, key: &ObjectKey) -> Option<&Object> {
        self.table(kind).get(key)
    }

    /// The object that a key means; without a UID if it is gone.
    pub(crate) fn reference(&self, kind: Kind, key: &ObjectKey) -> ObjectRef {
        let uid = self.object(kind, key).map(|object| object.metadata().uid.clone()).unwrap_or_default();
        ObjectRef { kind: kind.name().into(), namespace: key.namespace.clone(), name: key.name.clone(), uid }
    }

    pub(crate) fn cron_job(&self, key: &ObjectKey) -> Option<&CronJob> {
        self.object(Kind::CronJob, key)?.cron_job()
    }

    pub(crate) fn job(&self, key: &ObjectKey) -> Option<&Job> {
        self.object(Kind::Job, key)?.job()
    }

    pub(crate) fn pod(&self, key: &ObjectKey) -> Option<&Pod> {
        self.object(Kind::Pod, key)?.pod()
    }

    /// The pods that the controller of this UID controls and that have not ended, or hold a finalizer, by name; those without a controller if it is empty.
    pub(crate) fn open_pods(&self, namespace: &Text, controller: &Text) -> impl Iterator<Item = &Pod> {
        let table = self.table(Kind::Pod);
        table.open.of(namespace, controller).filter_map(|place| table.objects[place].pod())
    }

    /// The other pods that it controls, by name.
    pub(crate) fn closed_pods(&self, namespace: &Text, controller: &Text) -> impl Iterator<Item = &Pod> {
        let table = self.table(Kind::Pod);
        table.closed.of(namespace, controller).filter_map(|place| table.objects[place].pod())
    }

    /// The Jobs that the controller of this UID controls, by name.
    pub(crate) fn jobs_of(&self, namespace: &Text, controller: &Text) -> impl Iterator<Item = &Job> {
        let table = self.table(Kind::Job);
        table.open.of(namespace, controller).filter_map(|place| table.objects[place].job())
    }

    /// All Jobs of a namespace.
    pub(crate) fn jobs_in(&self, namespace: &Text) -> impl Iterator<Item = &Job> {
        self.table(Kind::Job).open_in(namespace).filter_map(Object::job)
    }

    /// The pods of a namespace that have not ended, or hold a finalizer.
    pub(crate) fn open_pods_in(&self, namespace: &Text) -> impl Iterator<Item = &Pod> {
        self.table(Kind::Pod).open_in(namespace).filter_map(Object::pod)
    }

    /// Puts an object in its place; returns the one that was there.
    pub(crate) fn put(&mut self, object: Object) -> Option<Object> {
        self.tables[object.kind() as usize].put(object)
    }

    /// Takes an object away.
    pub(crate) fn take(&mut self, kind: Kind, key: &ObjectKey) -> Option<Object> {
        self.tables[kind as usize].take(key)
    }

    /// The places of all objects of a kind, in order.
    pub(crate) fn keys(&self, kind: Kind) -> Vec<ObjectKey> {
        let keys: Vec<ObjectKey> = self.table(kind).places.keys().cloned().collect();
        order::sorted(&keys, ObjectKey::cmp)
    }

    fn table(&self, kind: Kind) -> &Table {
        &self.tables[kind as usize]
    }
}

impl Table {
    fn get(&self, key: &ObjectKey) -> Option<&Object> {
        self.places.get(key).map(|place| &self.objects[*place])
    }

    fn put(&mut self, mut object: Object) -> Option<Object> {
        let key = ObjectKey::of(object.metadata());
        let home = home(&object);
        let sibling = [&self.open, &self.closed].into_iter().find_map(|groups| groups.of(&home.0, &home.1).next());
        if let Some(sibling) = sibling {
            object.share(&self.objects[sibling]);
        }
        let closed = object.closed();
        let Some(place) = self.places.get(&key).copied() else {
            let (name, place) = (key.name.clone(), self.objects.insert(object));
            self.places.insert(key, place);
            self.groups(closed).insert(home, name, place);
            return None;
        };
        let before = std::mem::replace(&mut self.objects[place], object);
        if before.closed() != closed || before.metadata().controller_uid() != &*home.1 {
            self.groups(before.closed()).remove(&before);
            self.groups(closed).insert(home, key.name, place);
        }
        Some(before)
    }

    fn take(&mut self, key: &ObjectKey) -> Option<Object> {
        let object = self.objects.remove(self.places.remove(key)?);
        self.groups(object.closed()).remove(&object);
        Some(object)
    }

    fn groups(&mut self, closed: bool) -> &mut Groups {
        if closed { &mut self.closed } else { &mut self.open }
    }

    /// The open objects of a namespace, by their controllers.
    fn open_in(&self, namespace: &Text) -> impl Iterator<Item = &Object> {
        let first = (namespace.clone(), Text::default());
        let groups = self.open.0.range(first..).take_while(move |((of, _), _)| of == namespace);
        groups.flat_map(|(_, places)| places.values()).map(|place| &self.objects[*place])
    }
}

impl Groups {
    /// The places of the objects of one controller.
    fn of(&self, namespace: &Text, controller: &Text) -> impl Iterator<Item = usize> {
        let places = self.0.get(&(namespace.clone(), controller.clone()));
        places.into_iter().flat_map(|places| places.values().copied())
    }

    fn insert(&mut self, home: Home, name: Text, place: usize) {
        self.0.entry(home).or_default().insert(name, place);
    }

    fn remove(&mut self, object: &Object) {
        let home = home(object);
        let Some(places) = self.0.get_mut(&home) else { return };
        places.remove(&object.metadata().name);
        if places.is_empty() {
            self.0.remove(&home);
        }
    }
}

fn home(object: &Object) -> Home {
    let metadata = object.metadata();
    (metadata.namespace.clone(), metadata.controller().map(|controller| controller.uid.clone()).unwrap_or_default())
}
