//! What the cluster stores, as the watches have shown it.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes". Pods are kept by their controller, so that one Job's pods are found without the others.

use std::collections::BTreeMap;

use api::{Job, Kind, ObjectMeta, Pod, Text};

use crate::key::JobKey;

/// Jobs and pods by namespace.
#[derive(Debug, Default)]
pub(crate) struct Store {
    namespaces: BTreeMap<Text, Box<Namespace>>,
}

#[derive(Debug, Default)]
struct Namespace {
    jobs: BTreeMap<Text, Box<Job>>,
    /// Each pod's name with the UID of its controller; an empty one for pods without.
    homes: BTreeMap<Text, Text>,
    pods: BTreeMap<Text, BTreeMap<Text, Box<Pod>>>,
}

/// What an object was before it was replaced or taken away.
pub(crate) type Before<T> = Option<T>;

impl Store {
    pub(crate) fn job(&self, key: &JobKey) -> Option<&Job> {
        self.namespaces.get(&key.namespace)?.jobs.get(&key.name).map(|job| &**job)
    }

    pub(crate) fn jobs_in(&self, namespace: &str) -> impl Iterator<Item = &Job> {
        self.namespaces.get(namespace).into_iter().flat_map(|namespace| namespace.jobs.values()).map(|job| &**job)
    }

    pub(crate) fn pod(&self, namespace: &str, name: &str) -> Option<&Pod> {
        let namespace = self.namespaces.get(namespace)?;
        namespace.pods.get(namespace.homes.get(name)?)?.get(name).map(|pod| &**pod)
    }

    pub(crate) fn metadata(&self, kind: Kind, namespace: &str, name: &str) -> Option<&ObjectMeta> {
        match kind {
            Kind::Job => Some(&self.namespaces.get(namespace)?.jobs.get(name)?.metadata),
            Kind::Pod => Some(&self.pod(namespace, name)?.metadata),
        }
    }

    /// The pods that the controller of this UID controls, by name; those that nobody controls if it is empty.
    pub(crate) fn pods_of(&self, namespace: &str, controller: &str) -> impl Iterator<Item = &Pod> + Clone {
        self.namespaces
            .get(namespace)
            .and_then(|namespace| namespace.pods.get(controller))
            .into_iter()
            .flat_map(BTreeMap::values)
            .map(|pod| &**pod)
    }

    pub(crate) fn pods_in(&self, namespace: &str) -> impl Iterator<Item = &Pod> {
        self.namespaces
            .get(namespace)
            .into_iter()
            .flat_map(|namespace| namespace.pods.values())
            .flat_map(BTreeMap::values)
            .map(|pod| &**pod)
    }

    pub(crate) fn put_job(&mut self, job: Job) -> Before<Job> {
        let namespace = self.namespaces.entry(job.metadata.namespace.clone()).or_default();
        namespace.jobs.insert(job.metadata.name.clone(), Box::new(job)).map(|job| *job)
    }

    pub(crate) fn put_pod(&mut self, mut pod: Pod) -> Before<Pod> {
        let namespace = self.namespaces.entry(pod.metadata.namespace.clone()).or_default();
        let siblings = namespace.pods.get(pod.metadata.controller().map_or("", |controller| &controller.uid));
        if let Some(sibling) = siblings.and_then(|siblings| siblings.values().next()) {
            pod.share(sibling);
        }
        let controller = pod.metadata.controller().map(|controller| controller.uid.clone()).unwrap_or_default();
        let name = pod.metadata.name.clone();
        let before = match namespace.homes.get_mut(&name) {
            Some(home) if *home == controller => None,
            Some(home) => {
                let left = std::mem::replace(home, controller.clone());
                namespace.take(&left, &name)
            }
            None => {
                namespace.homes.insert(name.clone(), controller.clone());
                None
            }
        };
        let replaced = namespace.pods.entry(controller).or_default().insert(name, Box::new(pod));
        before.or(replaced.map(|pod| *pod))
    }

    pub(crate) fn take_job(&mut self, key: &JobKey) -> Before<Job> {
        self.namespaces.get_mut(&key.namespace)?.jobs.remove(&key.name).map(|job| *job)
    }

    pub(crate) fn take_pod(&mut self, namespace: &str, name: &str) -> Before<Pod> {
        let namespace = self.namespaces.get_mut(namespace)?;
        let controller = namespace.homes.remove(name)?;
        namespace.take(&controller, name)
    }

    /// Namespaces and names of all objects of a kind, in order.
    pub(crate) fn names(&self, kind: Kind) -> Vec<(Text, Text)> {
        let mut names = Vec::new();
        for (namespace, stored) in &self.namespaces {
            match kind {
                Kind::Job => names.extend(stored.jobs.keys().map(|name| (namespace.clone(), name.clone()))),
                Kind::Pod => names.extend(stored.homes.keys().map(|name| (namespace.clone(), name.clone()))),
            }
        }
        names
    }
}

impl Namespace {
    fn take(&mut self, controller: &Text, name: &str) -> Before<Pod> {
        let pods = self.pods.get_mut(controller)?;
        let pod = pods.remove(name);
        if pods.is_empty() {
            self.pods.remove(controller);
        }
        pod.map(|pod| *pod)
    }
}
