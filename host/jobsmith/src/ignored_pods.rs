//! The failed pods that do not count, because a rule of `podFailurePolicy` ignores them: they are no reason why their Job failed.
//!
//! Docs: Jobs, "Pod failure policy" (J-100). How Jobs ended is read by the crate `past`, which has no decisions; its words are shown in `answer.rs`.

use std::collections::BTreeSet;

use api::Text;
use contract::Value;
use play::trace::{Entry, What};

/// The code of the decision not to count a pod.
const IGNORES: &str = "IgnoresFailure";

/// Failed pods that do not count, by namespace and name.
#[derive(Debug, Clone, Default)]
pub(crate) struct IgnoredPods(BTreeSet<(Text, Text)>);

impl IgnoredPods {
    /// Records what was decided.
    pub(crate) fn observe<'e>(&mut self, entries: impl Iterator<Item = &'e Entry>) {
        for entry in entries {
            if let What::Decision { decision, .. } = &entry.what
                && decision.code() == IGNORES
                && let Some(Value::Object(pod)) = decision.value("pod")
            {
                self.0.insert((pod.namespace.clone(), pod.name.clone()));
            }
        }
    }

    /// Whether a pod is one of them.
    pub(crate) fn contain(&self, namespace: &Text, pod: &str) -> bool {
        self.0.contains(&(namespace.clone(), pod.into()))
    }
}
