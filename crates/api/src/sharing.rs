//! Sharing: what pods have in common is kept once.
//!
//! Docs: none of Kubernetes'. A Job can have 100,000 pods with the same labels, owner and conditions; what is read of them is in `pod.rs`.

use std::cell::RefCell;
use std::hash::{BuildHasher as _, BuildHasherDefault};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use rustc_hash::FxHasher;
use serde::Serialize;

use crate::json::{JsonValue, Read, ReadError};
use crate::{Pod, Text};

/// How many texts are kept to be shared with later readers of the same text.
const RECENT: usize = 256;
/// The longest of them, in bytes: longer ones seldom come again.
const LONGEST: usize = 64;

thread_local! {
    /// Texts that were read lately, each in the place that follows from its hash.
    static TEXTS: RefCell<[Text; RECENT]> = RefCell::new(std::array::from_fn(|_| Text::default()));
}

/// A text, shared with those who read the same one lately.
pub(crate) fn text(read: &str) -> Text {
    if read.len() > LONGEST {
        return read.into();
    }
    let place = BuildHasherDefault::<FxHasher>::default().hash_one(read) as usize % RECENT;
    TEXTS.with_borrow_mut(|texts| {
        let held = &mut texts[place];
        if **held != *read {
            *held = read.into();
        }
        Text::clone(held)
    })
}

/// A value that objects share until one of them changes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Shared<T>(Arc<T>);

impl<T: PartialEq> Shared<T> {
    /// Takes over what another object has, if it is equal.
    fn share(&mut self, other: &Self) {
        if self == other {
            self.0 = Arc::clone(&other.0);
        }
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

    fn item(&mut self, item: JsonValue<'_>) -> Result<(), ReadError> {
        (**self).item(item)
    }

    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        (**self).field(name, value)
    }
}

impl Pod {
    /// Takes over what another pod has in the same place, and gives back memory that nothing is kept in.
    pub fn share(&mut self, sibling: &Self) {
        let (own, other) = (&mut self.metadata, &sibling.metadata);
        own.owner_references.share(&other.owner_references);
        own.finalizers.share(&other.finalizers);
        own.labels.share(&other.labels);
        self.conditions.shrink_to_fit();
        self.containers.shrink_to_fit();
        self.init_containers.shrink_to_fit();
    }
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
