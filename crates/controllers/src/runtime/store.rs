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
    /// By namespace and UID of the controller, which is empty for objects without one.
    controlled: BTreeMap<(Text, Text), Controlled>,
}

/// The objects of one controller, by name: where each is in the slab.
#[derive(Debug, Default)]
struct Controlled {
    open: BTreeMap<Text, usize>,
    /// Those that have ended and that nothing holds back.
    closed: BTreeMap<Text, usize>,
}

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
        let places = table.controlled(namespace, controller).into_iter().flat_map(|controlled| controlled.open.values());
        places.filter_map(|place| table.objects[*place].pod())
    }

    /// The other pods that it controls, by name.
    pub(crate) fn closed_pods(&self, namespace: &Text, controller: &Text) -> impl Iterator<Item = &Pod> {
        let table = self.table(Kind::Pod);
        let places = table.controlled(namespace, controller).into_iter().flat_map(|controlled| controlled.closed.values());
        places.filter_map(|place| table.objects[*place].pod())
    }

    /// The Jobs that the controller of this UID controls, by name.
    pub(crate) fn jobs_of(&self, namespace: &Text, controller: &Text) -> impl Iterator<Item = &Job> {
        let table = self.table(Kind::Job);
        let places = table.controlled(namespace, controller).into_iter().flat_map(|controlled| controlled.open.values());
        places.filter_map(|place| table.objects[*place].job())
    }

    /// All Jobs of a namespace.
    pub(crate) fn jobs_in(&self, namespace: &Text) -> impl Iterator<Item = &Job> {
        self.table(Kind::Job).objects_in(namespace).filter_map(Object::job)
    }

    /// All pods of a namespace.
    pub(crate) fn pods_in(&self, namespace: &Text) -> impl Iterator<Item = &Pod> {
        self.table(Kind::Pod).objects_in(namespace).filter_map(Object::pod)
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
        let sibling =
            self.controlled(&home.0, &home.1).and_then(|controlled| controlled.open.values().next().or(controlled.closed.values().next()));
        if let Some(sibling) = sibling {
            object.share(&self.objects[*sibling]);
        }
        let closed = object.closed();
        let Some(place) = self.places.get(&key).copied() else {
            let (name, place) = (key.name.clone(), self.objects.insert(object));
            self.places.insert(key, place);
            self.remember(home, name, closed, place);
            return None;
        };
        let before = std::mem::replace(&mut self.objects[place], object);
        if before.closed() != closed || before.metadata().controller_uid() != &*home.1 {
            self.forget(&before);
            self.remember(home, key.name, closed, place);
        }
        Some(before)
    }

    fn take(&mut self, key: &ObjectKey) -> Option<Object> {
        let object = self.objects.remove(self.places.remove(key)?);
        self.forget(&object);
        Some(object)
    }

    fn remember(&mut self, home: (Text, Text), name: Text, closed: bool, place: usize) {
        let controlled = self.controlled.entry(home).or_default();
        if closed { &mut controlled.closed } else { &mut controlled.open }.insert(name, place);
    }

    fn forget(&mut self, object: &Object) {
        let (home, name) = (home(object), &object.metadata().name);
        let Some(controlled) = self.controlled.get_mut(&home) else { return };
        if object.closed() { &mut controlled.closed } else { &mut controlled.open }.remove(name);
        if controlled.open.is_empty() && controlled.closed.is_empty() {
            self.controlled.remove(&home);
        }
    }

    fn controlled(&self, namespace: &Text, controller: &Text) -> Option<&Controlled> {
        self.controlled.get(&(namespace.clone(), controller.clone()))
    }

    /// All objects of a namespace, by their controllers.
    fn objects_in(&self, namespace: &Text) -> impl Iterator<Item = &Object> {
        let first = (namespace.clone(), Text::default());
        let groups = self.controlled.range(first..).take_while(move |((of, _), _)| of == namespace);
        groups.flat_map(|(_, controlled)| controlled.open.values().chain(controlled.closed.values())).map(|place| &self.objects[*place])
    }
}

/// Where an object is found by its controller: its namespace, and the UID of the controller.
fn home(object: &Object) -> (Text, Text) {
    let metadata = object.metadata();
    (metadata.namespace.clone(), metadata.controller().map(|controller| controller.uid.clone()).unwrap_or_default())
}
