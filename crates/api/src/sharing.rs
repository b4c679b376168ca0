//! Sharing: what pods have in common is kept once.
//!
//! Docs: none of Kubernetes'. A Job can have 100,000 pods with the same labels, owner and conditions; what is read of them is in `pod.rs`.

use crate::meta::Labels;
use crate::{Pod, Text};

impl Pod {
    /// Takes over each text that another pod has in the same place, and gives back memory that nothing is kept in.
    pub fn share(&mut self, sibling: &Self) {
        let (own, other) = (&mut self.metadata, &sibling.metadata);
        share(&mut own.namespace, &other.namespace);
        own.labels = shared(&own.labels, &other.labels);
        for (own, other) in own.owner_references.iter_mut().zip(&other.owner_references) {
            share(&mut own.api_version, &other.api_version);
            share(&mut own.kind, &other.kind);
            share(&mut own.name, &other.name);
            share(&mut own.uid, &other.uid);
        }
        own.finalizers.iter_mut().zip(&other.finalizers).for_each(|(own, other)| share(own, other));
        own.owner_references.shrink_to_fit();
        own.finalizers.shrink_to_fit();
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
    use std::sync::Arc;

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
        assert!(Arc::ptr_eq(&sharing.metadata.owner_references[0].uid, &first.metadata.owner_references[0].uid));
        assert!(Arc::ptr_eq(&sharing.conditions[0].kind, &first.conditions[0].kind));
        assert_eq!(&*sharing.metadata.labels["index"], "1");
    }
}
