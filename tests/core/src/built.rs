//! Where what was built is: the program, the component, and with Go the programs around upstream's code.
//!
//! Docs: `README.md`, `tests/upstream/README.md`. What speaks with a program is in `dialogue.rs`; the component is loaded in `tests/host/loaded.rs`.

use std::path::PathBuf;

use crate::files::root;

/// The program, beside this one.
pub fn binary() -> PathBuf {
    let this = std::env::current_exe().expect("this program has a path");
    let folder = this.ancestors().nth(2).expect("Cargo puts tests two folders below its target directory");
    let binary = folder.join("jobsmith");
    assert!(binary.exists(), "{} is not built: run `cargo xtask build`, or all tests with `cargo xtask test`", binary.display());
    binary
}

/// Where the component is.
pub fn component_path() -> PathBuf {
    root().join("target/component/controllers.wasm")
}

/// The version of Kubernetes that is followed.
pub const FOLLOWED: &str = "1.37";

/// The version of Kubernetes whose code is compared with: the one that is followed, unless the environment variable `KUBERNETES` names another one.
pub fn kubernetes() -> String {
    std::env::var("KUBERNETES").unwrap_or_else(|_| FOLLOWED.to_owned())
}

/// The folder with the programs of `tests/upstream`, this one among them.
pub fn upstream(program: &str) -> PathBuf {
    of_version(&kubernetes(), program)
}

/// The same for programs of this version.
pub fn of_version(version: &str, program: &str) -> PathBuf {
    let folder = programs(version);
    assert!(folder.join(program).exists(), "{program} is not in {}: run `cargo xtask upstream`, with Go", folder.display());
    folder
}

/// The folder with the programs of `tests/upstream` for this version, where they are built.
pub fn programs(version: &str) -> PathBuf {
    root().join("target/upstream").join(version)
}
