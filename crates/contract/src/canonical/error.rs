//! What may be wrong with values that the other side of the boundary wrote.
//!
//! Docs: Component Model, "Canonical ABI Explainer", "Loading", where each of these traps.

use std::fmt;

/// A value that the interface does not have, as the object of a sentence: "the host sent …".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AbiError {
    /// Its address is outside the memory.
    Address,
    /// Text that is not UTF-8.
    Text,
    /// A case that its type does not have.
    Case {
        /// The type.
        name: &'static str,
        /// The number of the case.
        case: u32,
    },
    /// A time outside the range that the WIT names, with these seconds.
    Time(i64),
}

impl fmt::Display for AbiError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address => formatter.write_str("an address outside the memory"),
            Self::Text => formatter.write_str("text that is not UTF-8"),
            Self::Case { name, case } => write!(formatter, "case {case} of `{name}`, which has no such case"),
            Self::Time(seconds) => write!(formatter, "a time that does not exist: {seconds} s"),
        }
    }
}
