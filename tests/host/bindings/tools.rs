//! The tools of other languages, as tests start them.
//!
//! Docs: `tests/plugins/README.md`. What they build stays in folders that Git ignores.

use std::path::PathBuf;
use std::process::Command;

use core_tests::files::root;

/// What a command prints until it ends with success.
pub(super) fn printed_by(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    let [printed, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{command:?}: {}\n{printed}\n{errors}", output.status);
    output.stdout
}

/// A text with a part of it replaced, which it must have.
pub(super) fn replaced(text: &str, part: &str, by: &str) -> String {
    assert!(text.contains(part), "{part:?} is not in {text}");
    text.replacen(part, by, 1)
}

/// A place in the checkout.
pub(super) fn place(path: &str) -> PathBuf {
    root().join(path)
}

/// A package that `cargo xtask test --all` made.
pub(super) fn package(name: &str) -> PathBuf {
    place("target/bindings/packages").join(name.replace("VERSION", env!("CARGO_PKG_VERSION")))
}

/// Runs a command in a folder of the checkout, to its successful end.
pub(super) fn run(folder: &str, program: &str, arguments: &[&str]) {
    printed_by(Command::new(program).args(arguments).current_dir(place(folder)));
}
