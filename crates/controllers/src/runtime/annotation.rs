//! Annotations that ask for more than Kubernetes has: how they are read, and what is reported of one that means nothing.
//!
//! Docs: Annotations; README, "Beyond Kubernetes" (X-1…X-5). What each of them asks for is in the folder of its controller.

use api::{Kind, ObjectMeta, Text};
use contract::{Notice, ObjectRef};

use super::decision::Shared;

/// An annotation whose value means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InvalidAnnotation {
    /// Its key.
    pub(crate) key: &'static str,
    /// Its value.
    pub(crate) value: Text,
    /// What its value must be.
    pub(crate) expected: &'static str,
}

/// What an annotation asks for; `None` if it is not there.
pub(crate) fn read<T>(
    metadata: &ObjectMeta,
    key: &'static str,
    expected: &'static str,
    value_of: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, InvalidAnnotation> {
    let Some(value) = metadata.annotations.get(key) else { return Ok(None) };
    value_of(value).map(Some).ok_or_else(|| InvalidAnnotation { key, value: value.clone(), expected })
}

impl InvalidAnnotation {
    /// Why something is left undone.
    pub(crate) fn decision(&self) -> Shared {
        Shared::InvalidAnnotation { annotation: self.key, value: self.value.clone(), expected: self.expected }
    }

    /// The Event about it.
    pub(crate) fn notice(&self, kind: Kind, metadata: &ObjectMeta, reporting_controller: Text) -> Notice {
        let Self { key, value, expected } = self;
        Notice {
            regarding: ObjectRef::of(kind.name(), metadata),
            reporting_controller,
            warning: true,
            reason: "InvalidAnnotation".to_owned(),
            message: format!("annotation {key} must be {expected}, not {value:?}"),
        }
    }
}
