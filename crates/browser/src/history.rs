//! The objects of a session as they were after each of its steps.
//!
//! Docs: Kubernetes API Concepts, "Resource versions". Steps are made in `playing.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Kind, Text};
use cluster::stored::Stored;
use play::step::Touched;
use serde::Serialize;

/// All states of all objects.
#[derive(Debug, Default)]
pub(crate) struct ObjectHistory {
    /// By `Kind/namespace/name`: what the object was, in order.
    objects: BTreeMap<Text, Vec<ObjectState>>,
}

/// What an object was from a step on.
#[derive(Debug)]
struct ObjectState {
    step: usize,
    /// None once it has gone.
    object: Option<Arc<Stored>>,
}

/// An object that is there.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ObjectName"))]
#[serde(rename_all = "camelCase")]
pub struct ObjectNameView {
    kind: &'static str,
    namespace: Text,
    name: Text,
    resource_version: Text,
}

impl ObjectHistory {
    /// Adds what a step wrote, which comes after the last one.
    pub(crate) fn record(&mut self, step: usize, touched: &[Touched]) {
        for Touched { key, after, gone, .. } in touched {
            self.objects.entry(Text::clone(key)).or_default().push(ObjectState { step, object: (!gone).then(|| Arc::clone(after)) });
        }
    }

    /// The objects that exist after a step, by kind, namespace and name.
    pub(crate) fn objects(&self, step: usize) -> Vec<ObjectNameView> {
        let line = |stored: &Arc<Stored>| {
            let metadata = stored.metadata();
            ObjectNameView {
                kind: stored.kind().name(),
                namespace: metadata.namespace.clone(),
                name: metadata.name.clone(),
                resource_version: metadata.resource_version.clone(),
            }
        };
        self.all(step).map(line).collect()
    }

    /// The objects themselves, in the same order.
    pub(crate) fn all(&self, step: usize) -> impl Iterator<Item = &Arc<Stored>> {
        self.objects.values().filter_map(move |states| state(states, step))
    }

    /// An object after a step.
    pub(crate) fn object(&self, step: usize, kind: Kind, namespace: &str, name: &str) -> Option<&Arc<Stored>> {
        state(self.objects.get(&*format!("{}/{namespace}/{name}", kind.name()))?, step)
    }
}

/// The state after a step.
fn state(states: &[ObjectState], step: usize) -> Option<&Arc<Stored>> {
    let known = states.partition_point(|state| state.step <= step);
    states[..known].last().and_then(|state| state.object.as_ref())
}
