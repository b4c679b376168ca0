//! What was decided about failed pods and their Jobs' endings show: which do not count, and why those were deleted that never started.
//!
//! Docs: Jobs, "Pod failure policy" (J-100); README, "Beyond Kubernetes". How Jobs ended is read by the crate `past`, which has no decisions; its
//! words are shown in `answer.rs`.

use std::collections::BTreeMap;

use api::Text;
use contract::Value;
use past::PodDecisions;
use play::trace::{Entry, What};

/// What was decided about pods, by namespace and name.
#[derive(Debug, Clone, Default)]
pub(crate) struct DecidedPods(BTreeMap<(Text, Text), PodDecisions>);

impl DecidedPods {
    /// Records what was decided.
    pub(crate) fn observe<'e>(&mut self, entries: impl Iterator<Item = &'e Entry>) {
        for entry in entries {
            let What::Decision { decision, .. } = &entry.what else { continue };
            let Some(Value::Object(pod)) = decision.value("pod") else { continue };
            let mut decided = PodDecisions::default();
            decided.add(decision);
            if decided != PodDecisions::default() {
                self.0.entry((pod.namespace.clone(), pod.name.clone())).or_default().add(decision);
            }
        }
    }

    /// What was decided about a pod.
    pub(crate) fn about(&self, namespace: &Text, pod: &str) -> PodDecisions {
        self.0.get(&(namespace.clone(), pod.into())).cloned().unwrap_or_default()
    }
}
