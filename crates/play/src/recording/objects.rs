//! The objects of a recording, as the watches showed them.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes". What is shown of them is in `../trace/`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Kind, Text};
use contract::{Change, Event, Listing, ObjectJson, Part};

use cluster::apiserver::{Write, stored};
use cluster::stored::Stored;

/// All objects that were shown and are not gone.
#[derive(Debug, Default)]
pub(super) struct Cache {
    /// By `Kind/namespace/name`.
    known: BTreeMap<Text, Arc<Stored>>,
    /// What the parts of a list have held so far, by kind; a list of Jobs may come between the parts of a list of pods.
    listed: BTreeMap<Kind, Vec<Text>>,
}

impl Cache {
    /// What an event shows that was not known. An object that cannot be read is passed over: the controllers refuse it too.
    pub(super) fn apply(&mut self, event: &Event) -> Vec<Write> {
        match event {
            Event::Changed(Change::Applied(object)) => self.applied(object).1.into_iter().collect(),
            Event::Changed(Change::Deleted(object)) => self.deleted(object).into_iter().collect(),
            Event::Listed(Listing { kind, part, objects, .. }) => {
                Kind::of(kind).map(|kind| self.list(kind, *part, objects)).unwrap_or_default()
            }
            Event::Finished(_) => Vec::new(),
        }
    }

    /// The object's key, and what is new of it.
    fn applied(&mut self, ObjectJson { kind, json: text }: &ObjectJson) -> (Option<Text>, Option<Write>) {
        let Some(object) = read(kind, text) else { return (None, None) };
        let (key, after): (Text, _) = (object.object().key().into(), Arc::new(object));
        let before = self.known.insert(Text::clone(&key), Arc::clone(&after));
        let same = before.as_ref().is_some_and(|before| before.metadata().resource_version == after.metadata().resource_version);
        let write = Write { key: Text::clone(&key), before, after, gone: false };
        (Some(key), (!same).then_some(write))
    }

    fn deleted(&mut self, ObjectJson { kind, json: text }: &ObjectJson) -> Option<Write> {
        self.gone(&read(kind, text)?.object().key())
    }

    fn gone(&mut self, key: &str) -> Option<Write> {
        let (key, before) = self.known.remove_entry(key)?;
        Some(Write { key, before: Some(Arc::clone(&before)), after: before, gone: true })
    }

    fn list(&mut self, kind: Kind, part: Part, objects: &[Text]) -> Vec<Write> {
        let mut listed = self.listed.remove(&kind).filter(|_| !part.begins()).unwrap_or_default();
        let mut writes = Vec::new();
        for text in objects {
            let (key, write) = self.applied(&ObjectJson { kind: kind.name().into(), json: Text::clone(text) });
            listed.extend(key);
            writes.extend(write);
        }
        if part.ends() {
            listed.sort_unstable();
            let of_kind = |key: &&Text| key.strip_prefix(kind.name()).is_some_and(|rest| rest.starts_with('/'));
            let unlisted: Vec<Text> = self.known.keys().filter(of_kind).filter(|key| listed.binary_search(key).is_err()).cloned().collect();
            writes.extend(unlisted.iter().filter_map(|key| self.gone(key)));
        } else {
            self.listed.insert(kind, listed);
        }
        writes
    }
}

/// An object of a kind that a cluster in memory can store, if it can be read.
fn read(kind: &str, text: &str) -> Option<Stored> {
    stored(Kind::of(kind)?, text).ok()
}
