//! The tools of other languages, as tests start them.
//!
//! Docs: `tests/plugins/README.md`. What they build stays in folders that Git ignores.

use std::path::PathBuf;
use std::process::Command;

use crate::summary::print;
use crate::tidy;

/// Whether a program is there; without it, a line that reports what is skipped. In CI it is there.
pub(super) fn have(program: &str, version: &str, language: &str) -> bool {
    if Command::new(program).arg(version).output().is_ok_and(|output| output.status.success()) {
        return true;
    }
    assert!(std::env::var_os("CI").is_none(), "there is no {program}, and CI needs it");
    print(&format!("SKIPPED: the binding for {language}: there is no {program}"));
    false
}

/// A place in the checkout.
pub(super) fn place(path: &str) -> PathBuf {
    tidy::root().join(path)
}

/// Runs a command in a folder of the checkout, to its successful end.
pub(super) fn run(folder: &str, program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).current_dir(place(folder)).output();
    let output = output.unwrap_or_else(|error| panic!("{program} does not start: {error}"));
    let [printed, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{program} {} in {folder}: {}\n{printed}\n{errors}", arguments.join(" "), output.status);
}
