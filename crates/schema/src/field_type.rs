//! What a field holds.
//!
//! Docs: Kubernetes API Conventions, "Types (Kinds)", "Primitive types".

use crate::SchemaType;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// Text.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A whole number of 32 bits.
    Int32,
    /// A whole number of 64 bits.
    Int64,
    /// A time as RFC 3339 writes it.
    Time,
    /// An amount, as in `500m`.
    Quantity,
    /// A whole number of 32 bits, or text.
    IntOrString,
    /// Anything.
    Any,
    /// A list.
    List(&'static Self),
    /// A map with any keys.
    Map(&'static Self),
    /// A map with the fields of this type.
    Fields(&'static SchemaType),
}

impl FieldType {
    /// The type of the object in a field, or of the objects in its list.
    #[must_use]
    pub fn object(self) -> Option<&'static SchemaType> {
        if let Self::Fields(of) | Self::List(&Self::Fields(of)) = self { Some(of) } else { None }
    }
}
