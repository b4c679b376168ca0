//! The door for nodes: changes of a pod that need no request, because the nodes are part of the cluster.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Pod Termination Flow". What nodes do, and when, is the kubelet's business.

use std::sync::Arc;

use api::{Kind, ObjectMeta, Text, Timestamp};
use serde_json::{Map, Value};

use super::ApiServer;
use crate::pod::{StoredPod, StoredPodStatus};
use crate::stored::{Stored, StoredObject};

/// What a node may change of a pod.
#[derive(Debug)]
pub struct PodParts {
    /// Metadata.
    pub metadata: ObjectMeta,
    /// The name of the pod's node; empty if it has none.
    pub node_name: Text,
    /// `status`; its `phase` is text, if it is there.
    pub status: Map<String, Value>,
}

impl ApiServer {
    /// Changes a pod and works off what follows: a pod that nothing holds any more goes. `None` if there is no such pod.
    ///
    /// # Panics
    /// If the change makes the phase anything but text.
    pub fn update_pod(&mut self, namespace: &str, name: &str, now: Timestamp, change: impl FnOnce(&mut PodParts)) -> Option<Arc<Stored>> {
        let stored = Arc::clone(self.object(Kind::Pod, namespace, name)?);
        let StoredPod { metadata, mut spec, status } = stored.pod()?.clone();
        let mut parts = PodParts { metadata, node_name: spec.node_name().clone(), status: status.fields() };
        change(&mut parts);
        spec.assign(parts.node_name);
        let status = StoredPodStatus::read(parts.status).expect("the change keeps the phase a text");
        let pod = StoredPod { metadata: parts.metadata, spec, status };
        Some(self.write(&stored, StoredObject::Pod(Box::new(pod)), now))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::Dependence;
    use crate::testing::{describe, noon, pod, send_line, server};

    #[test]
    fn a_node_starts_a_pod_and_lets_it_go() {
        let mut server = server(Dependence::OnOwners);
        send_line(&mut server, &pod("a", "", ""), 0);
        let started = server.update_pod("default", "a", noon(), |parts| {
            parts.node_name = "node".into();
            parts.status.insert("phase".to_owned(), "Running".into());
        });
        let started = started.unwrap();
        expect![[r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"default","uid":"pod-a-1","resourceVersion":"2","generation":1,"creationTimestamp":"2026-01-02T12:00:00Z"},"spec":{"containers":[{"name":"main"}],"terminationGracePeriodSeconds":30,"nodeName":"node"},"status":{"phase":"Running"}}"#]].assert_eq(&started.json());
        let version = started.metadata().resource_version.clone();
        let same = server.update_pod("default", "a", noon(), |_| {}).unwrap();
        assert_eq!(same.metadata().resource_version, version);
        send_line(&mut server, "DELETE pods/a", 1);
        let stopped = server.update_pod("default", "a", noon(), |parts| parts.metadata.deletion_grace_period_seconds = Some(0));
        expect!["a v3 g2 Running goes at 12:00:31 after 0 s"].assert_eq(&describe(&stopped.unwrap()));
        assert!(server.update_pod("default", "a", noon(), |_| {}).is_none());
    }
}
