//! The name of an object in a script, perhaps with its namespace: `pi`, `b/pi`.
//!
//! Docs: Object Names and IDs; Namespaces. Which object a name without a namespace means is decided in `resolve.rs`.

use std::fmt;

use api::{ObjectMeta, Text};

/// The name of an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectName {
    /// Its namespace; absent: to be found out.
    pub namespace: Option<Text>,
    /// Its name.
    pub name: Text,
}

impl ObjectName {
    /// Reads `name` or `namespace/name`; `None` if the text is neither.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (namespace, name) = text.split_once('/').map_or((None, text), |(namespace, name)| (Some(namespace), name));
        let whole = !name.is_empty() && !name.contains('/') && namespace.is_none_or(|namespace| !namespace.is_empty());
        whole.then(|| Self { namespace: namespace.map(Text::from), name: name.into() })
    }

    /// The object of this name in this namespace.
    #[must_use]
    pub fn of(namespace: &Text, name: &Text) -> Self {
        Self { namespace: Some(namespace.clone()), name: name.clone() }
    }

    /// The name that distinguishes an object from others, in messages and in scripts: with its namespace if there are others, whose namespaces these
    /// are.
    #[must_use]
    pub fn among<'n>(namespace: &Text, name: &Text, mut namespaces: impl Iterator<Item = &'n Text>) -> Self {
        Self { namespace: namespaces.any(|other| other != namespace).then(|| namespace.clone()), name: name.clone() }
    }

    /// Whether an object has this name; without a namespace, in whatever namespace it is.
    #[must_use]
    pub fn names(&self, object: &ObjectMeta) -> bool {
        self.is(&object.namespace, &object.name)
    }

    /// Whether this is the name of the object of this name in this namespace.
    #[must_use]
    pub fn is(&self, namespace: &str, name: &str) -> bool {
        *self.name == *name && self.namespace.as_deref().is_none_or(|own| own == namespace)
    }
}

impl From<Text> for ObjectName {
    fn from(name: Text) -> Self {
        Self { namespace: None, name }
    }
}

impl fmt::Display for ObjectName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.namespace {
            Some(namespace) => write!(formatter, "{namespace}/{}", self.name),
            None => formatter.write_str(&self.name),
        }
    }
}
