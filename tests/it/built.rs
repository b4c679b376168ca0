//! What `cargo xtask build` made: the program and the component.
//!
//! Docs: `README.md`. Who starts the program is in `program.rs` and `dialogue.rs`; tests and benchmarks find both here.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jobsmith::{Component, Guest};

/// The program, beside this one.
pub(crate) fn binary() -> PathBuf {
    let this = std::env::current_exe().expect("this program has a path");
    let folder = this.ancestors().nth(2).expect("Cargo puts tests two folders below its target directory");
    let binary = folder.join("jobsmith");
    assert!(binary.exists(), "{} is not built: run `cargo xtask build`, or all tests with `cargo xtask test`", binary.display());
    binary
}

/// The component, loaded once.
pub(crate) static COMPONENT: LazyLock<Component> =
    LazyLock::new(|| Component::from_file(&component_path()).unwrap_or_else(|refused| panic!("{refused}; run `cargo xtask build`")));

/// Where the component is.
pub(crate) fn component_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/component/controllers.wasm")
}

/// An instance of the component.
pub(crate) fn guest() -> Guest {
    Guest::new(&COMPONENT).expect("there is room for an instance")
}
