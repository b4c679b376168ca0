//! Sharing: what pods have in common is kept once.
//!
//! Docs: none of Kubernetes'. A Job can have 100,000 pods with the same labels, owner and conditions; what is read of them is in `pod.rs`.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::Serialize;

use crate::json::{Fault, Read, Value};
use crate::meta::Labels;
use crate::{Pod, Text};

/// A value that objects share until one of them changes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Shared<T>(Arc<T>);

impl<T: PartialEq> Shared<T> {
    /// Takes over what another object has, if it is equal; answers whether it is.
    fn share(&mut self, other: &Self) -> bool {
        let equal = self == other;
        if equal {
            self.0 = Arc::clone(&other.0);
        }
        equal
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T: Read + Clone> Read for Shared<T> {
    fn wanted(&self) -> &'static str {
        self.0.wanted()
    }

    fn begin(&mut self) {
        (**self).begin();
    }

    fn item(&mut self, item: Value<'_>) -> Result<(), Fault> {
        (**self).item(item)
    }

    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        (**self).field(name, value)
    }
}

impl Pod {
    /// Takes over what another pod has in the same place, and gives back memory that nothing is kept in.
    pub fn share(&mut self, sibling: &Self) {
        let (own, other) = (&mut self.metadata, &sibling.metadata);
        share(&mut own.namespace, &other.namespace);
        own.owner_references.share(&other.owner_references);
        own.finalizers.share(&other.finalizers);
        if !own.labels.share(&other.labels) {
            own.labels = shared(&own.labels, &other.labels).into();
        }
        for (own, other) in self.conditions.iter_mut().zip(&sibling.conditions) {
            share(&mut own.kind, &other.kind);
            share(&mut own.status, &other.status);
        }
        for (own, other) in self.containers.iter_mut().zip(&sibling.containers) {
            share(&mut own.name, &other.name);
        }
        self.conditions.shrink_to_fit();
        self.containers.shrink_to_fit();
        self.init_containers.shrink_to_fit();
    }
}

fn share(own: &mut Text, other: &Text) {
    if own == other {
        own.clone_from(other);
    }
}

fn shared(own: &Labels, other: &Labels) -> Labels {
    let shared = own.iter().map(|(key, value)| match other.get_key_value(key) {
        Some((other_key, other_value)) => (other_key.clone(), if value == other_value { other_value.clone() } else { value.clone() }),
        None => (key.clone(), value.clone()),
    });
    shared.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const POD: &str = r#"{"metadata":{"name":"NAME","namespace":"default","labels":{"a":"b","index":"NAME"},"finalizers":["f"],
        "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"pi","uid":"u","controller":true}]},
        "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],"containerStatuses":[{"name":"main"}]}}"#;

    #[test]
    fn what_is_shared_is_equal_and_kept_once() {
        let [first, second]: [Pod; 2] = ["0", "1"].map(|name| serde_json::from_str(&POD.replace("NAME", name)).unwrap());
        let mut sharing = second.clone();
        sharing.share(&first);
        assert_eq!(sharing, second);
        assert!(Arc::ptr_eq(&sharing.metadata.labels["a"], &first.metadata.labels["a"]));
        assert!(Arc::ptr_eq(&sharing.metadata.owner_references.0, &first.metadata.owner_references.0));
        assert!(Arc::ptr_eq(&sharing.conditions[0].kind, &first.conditions[0].kind));
        assert_eq!(&*sharing.metadata.labels["index"], "1");
    }
}
