//! Which pods are shown: those of a name or of a completion index.
//!
//! Docs: Jobs, "Completion mode". Entries about no single pod are always shown; what each entry says is `play::trace`'s.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use api::{Kind, Text};
use contract::{Decision, Value};
use play::trace::{Entry, What};

/// The options that name pods.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct PodFilter {
    /// Show only pods whose name begins with this; may be repeated
    #[arg(long = "pod", value_name = "NAME")]
    names: Vec<String>,

    /// Show only the pods of these completion indexes, for example `3` or `0,2-5`
    #[arg(long = "index", value_name = "INDEXES", value_delimiter = ',', value_parser = indexes)]
    indexes: Vec<RangeInclusive<u32>>,

    /// The pods there were, with their indexes.
    #[arg(skip)]
    known: BTreeMap<Text, Option<u32>>,
}

impl PodFilter {
    /// Whether all pods are shown.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.indexes.is_empty()
    }

    /// Whether an entry is shown. Entries come in the order in which they happened.
    pub(crate) fn shows(&mut self, entry: &Entry) -> bool {
        if self.is_empty() {
            return true;
        }
        match &entry.what {
            What::Pod(pod) => {
                self.known.insert(pod.pod.clone(), pod.index);
                self.has(&pod.pod)
            }
            What::Container(container) => self.has(&container.pod),
            What::Decision { about, decision, .. } => match *about.kind == *Kind::Pod.name() {
                true => self.has(&about.name),
                false => self.concerns(decision),
            },
            What::CronJob { .. } | What::Job { .. } | What::Starts(_) | What::Action { .. } | What::Sync { .. } => true,
            What::Request { .. } | What::Event(_) | What::Difference { .. } | What::Complaint { .. } => true,
        }
    }

    /// Whether what a pod of this name prints is shown.
    pub(crate) fn has(&self, pod: &str) -> bool {
        let named = self.names.is_empty() || self.names.iter().any(|name| pod.starts_with(&**name));
        named && self.has_index(self.known.get(pod).copied().flatten())
    }

    /// What to say if no pod was shown.
    pub(crate) fn note(&self) -> Option<String> {
        let first = self.known.keys().next()?;
        let none = !self.known.keys().any(|pod| self.has(pod));
        none.then(|| format!("note: no pod has this name or index; the first pod is {first}\n"))
    }

    fn has_index(&self, index: Option<u32>) -> bool {
        self.indexes.is_empty() || index.is_some_and(|index| self.indexes.iter().any(|range| range.contains(&index)))
    }

    /// Whether a decision is about one of these pods or indexes, or about none in particular.
    fn concerns(&self, decision: &Decision) -> bool {
        let mut found = decision.values.iter().filter_map(|(name, value)| {
            if let Value::Object(object) = value {
                return (*object.kind == *Kind::Pod.name()).then(|| self.has(&object.name));
            }
            let Value::Integer(index) = value else { return None };
            (**name == *"index" && !self.indexes.is_empty()).then(|| self.has_index(u32::try_from(*index).ok()))
        });
        found.next().is_none_or(|first| first || found.any(|shown| shown))
    }
}

/// One index, or all from one to another, as `status.completedIndexes` has them.
fn indexes(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
        _ => Err("write indexes as in 3 or 0,2-5".to_owned()),
    }
}
