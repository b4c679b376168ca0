//! What was built: the program, the component, and with Go the programs around upstream's code.
//!
//! Docs: `README.md`, `tests/upstream/README.md`. Who starts the program is in `program.rs` and `dialogue.rs`; tests and benchmarks find all
//! of it here.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use host_embed::{Component, Guest};

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

/// The version of Kubernetes that is followed.
pub(crate) const FOLLOWED: &str = "1.37";

/// The version of Kubernetes whose code is compared with: the one that is followed, unless the environment variable `KUBERNETES` names another one.
pub(crate) fn kubernetes() -> String {
    std::env::var("KUBERNETES").unwrap_or_else(|_| FOLLOWED.to_owned())
}

/// The folder with the programs of `tests/upstream`, this one among them.
pub(crate) fn upstream(program: &str) -> PathBuf {
    of_version(&kubernetes(), program)
}

/// The same for programs of this version.
pub(crate) fn of_version(version: &str, program: &str) -> PathBuf {
    let folder = programs(version);
    assert!(folder.join(program).exists(), "{program} is not in {}: run `cargo xtask upstream`, with Go", folder.display());
    folder
}

/// The folder with the programs of `tests/upstream` for this version, where they are built.
pub(crate) fn programs(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/upstream").join(version)
}
