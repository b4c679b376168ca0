//! The component, as it was built.
//!
//! Docs: `README.md`. Where it and the program are is in `tests/core/src/built.rs`; tests and benchmarks load it here.

use std::sync::LazyLock;

use core_tests::built::component_path;
use host_embed::{Component, Guest};

/// The component, loaded once.
pub(crate) static COMPONENT: LazyLock<Component> =
    LazyLock::new(|| Component::from_file(&component_path()).unwrap_or_else(|refused| panic!("{refused}; run `cargo xtask build`")));

/// An instance of the component.
pub(crate) fn guest() -> Guest {
    Guest::new(&COMPONENT).expect("there is room for an instance")
}
