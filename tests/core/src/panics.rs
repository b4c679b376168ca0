//! Panics: what one says, for tests that go on after it.
//!
//! Docs: `std::panic::catch_unwind`. Scenarios are gone through in `scenarios.rs`, seeds in `simulation/`.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls something.
///
/// # Errors
/// The message of the panic that ends it. What it changed is as the panic left it.
pub fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| message(&*panic))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    text.unwrap_or_else(|| "a panic".to_owned())
}
