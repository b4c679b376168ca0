//! The canonical ABI: how values of the contract lie in the memory of a core module, and how they are read and written there.
//!
//! Docs: Component Model, "Canonical ABI Explainer". `lift.rs` and `lower.rs` have a function for each type of the WIT that lies in memory, `lift_flat.rs` and
//! `lower_flat.rs` one for each type of a parameter, `calls.rs` one for each function: `cargo xtask bindings` writes them. The component uses them on its
//! own memory, hosts on that of the component's core module.

pub mod calls;
mod error;
pub mod lift;
pub mod lift_flat;
pub mod lower;
pub mod lower_flat;
mod source;
mod target;

pub use calls::ExportedFunction;
pub use error::AbiError;
pub use source::{AbiMemory, AbiSource, Parameters, unlisted};
pub use target::{AbiRoom, AbiTarget, Slots};

use api::{Duration, time};

/// The type of a parameter of a core function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoreType {
    /// 32 bits.
    I32,
    /// 64 bits.
    I64,
}

/// An instance of a core module that exports the interface.
pub trait CoreInstance {
    /// Why a call failed, after which the instance is lost.
    type Trap;

    /// Calls a function: `lower` writes its parameters, and `lift` reads its result, which has `size` bytes.
    ///
    /// # Errors
    /// If the instance traps, or returns what its interface does not have.
    fn call<Answer>(
        &mut self,
        function: ExportedFunction,
        lower: impl FnOnce(&mut Slots<'_>),
        size: usize,
        lift: impl FnOnce(AbiSource<'_>) -> Result<Answer, AbiError>,
    ) -> Result<Answer, Self::Trap>;
}

/// What the WIT has as an `s64`.
pub trait Signed: Copy {
    /// From the number.
    fn from_number(number: i64) -> Self;

    /// The number.
    fn number(self) -> i64;
}

impl Signed for i64 {
    fn from_number(number: i64) -> Self {
        number
    }

    fn number(self) -> i64 {
        self
    }
}

/// In milliseconds.
impl Signed for Duration {
    fn from_number(number: i64) -> Self {
        Self::from_millis(number)
    }

    fn number(self) -> i64 {
        time::milliseconds(self)
    }
}

#[cfg(test)]
mod tests;
