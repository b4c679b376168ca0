//! The objects of a session as they were after each of its steps.
//!
//! Docs: Kubernetes API Concepts, "Resource versions". Steps are taken in `playing.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Kind, Text};
use serde::Serialize;
use sim::apiserver::Write;
use sim::stored::Stored;

/// All states of all objects.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// By `Kind/namespace/name`: the steps after which the object was another one, in order; `None` where it had gone.
    objects: BTreeMap<Text, Vec<(usize, Option<Arc<Stored>>)>>,
}

/// An object that is there.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectLine {
    kind: &'static str,
    namespace: Text,
    name: Text,
    resource_version: Text,
}

impl History {
    /// Takes in what a step wrote, which is not before the last one.
    pub(crate) fn record(&mut self, step: usize, writes: &[Write]) {
        for Write { key, after, gone, .. } in writes {
            let states = self.objects.entry(Text::clone(key)).or_default();
            if states.last().is_some_and(|(last, _)| *last == step) {
                states.pop();
            }
            states.push((step, (!gone).then(|| Arc::clone(after))));
        }
    }

    /// The objects that exist after a step, by kind, namespace and name.
    pub(crate) fn objects(&self, step: usize) -> Vec<ObjectLine> {
        let line = |stored: &Arc<Stored>| {
            let metadata = stored.metadata();
            ObjectLine {
                kind: stored.kind().name(),
                namespace: metadata.namespace.clone(),
                name: metadata.name.clone(),
                resource_version: metadata.resource_version.clone(),
            }
        };
        self.objects.values().filter_map(|states| state(states, step)).map(line).collect()
    }

    /// An object after a step.
    pub(crate) fn object(&self, step: usize, kind: Kind, namespace: &str, name: &str) -> Option<&Arc<Stored>> {
        state(self.objects.get(&*format!("{}/{namespace}/{name}", kind.name()))?, step)
    }
}

/// The state after a step.
fn state(states: &[(usize, Option<Arc<Stored>>)], step: usize) -> Option<&Arc<Stored>> {
    let known = states.partition_point(|(at, _)| *at <= step);
    states[..known].last().and_then(|(_, stored)| stored.as_ref())
}
