//! Which namespaces are looked after: all, or some by name.
//!
//! Docs: Namespaces. With some, each is listed and watched by itself, so that roles in those namespaces are rights enough.

/// The namespaces that objects are read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Every namespace.
    All,
    /// These; never empty.
    Some(Vec<String>),
}

impl Scope {
    /// The scope of so many names; of all namespaces if there is none. Each counts once.
    #[must_use]
    pub fn of(mut namespaces: Vec<String>) -> Self {
        namespaces.sort_unstable();
        namespaces.dedup();
        if namespaces.is_empty() { Self::All } else { Self::Some(namespaces) }
    }

    /// What is listed by itself: each namespace, or the empty name for all of them.
    pub(crate) fn parts(&self) -> Vec<String> {
        match self {
            Self::All => vec![String::new()],
            Self::Some(namespaces) => namespaces.clone(),
        }
    }
}
