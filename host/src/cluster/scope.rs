//! Which namespaces are looked after: all, or some by name.
//!
//! Docs: Namespaces. With some, each is listed and watched by itself, so that roles in those namespaces are rights enough.

use contract::ApiResource;

/// The namespaces that objects are read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Every namespace.
    All,
    /// These; never empty.
    Some(Vec<String>),
}

impl Scope {
    /// The scope of these names; all namespaces if there are none. Duplicates are dropped.
    #[must_use]
    pub fn of(mut namespaces: Vec<String>) -> Self {
        namespaces.sort_unstable();
        namespaces.dedup();
        if namespaces.is_empty() { Self::All } else { Self::Some(namespaces) }
    }

    /// What is listed of a resource by itself: each namespace, or the empty name for all of them.
    pub(crate) fn parts(&self, resource: &ApiResource) -> Vec<String> {
        match self {
            Self::Some(namespaces) if resource.namespaced => namespaces.clone(),
            Self::All | Self::Some(_) => vec![String::new()],
        }
    }
}
