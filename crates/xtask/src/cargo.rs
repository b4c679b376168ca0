//! Starts Cargo, which shows its progress when there is some and is quiet when nothing is to do.
//!
//! Docs: The Cargo Book, "cargo build". What is built is in `component.rs` and `program.rs`.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, IsTerminal as _};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use crate::workspace::{Workspace, print_line};

/// The Cargo that started this program, in the workspace. It does not learn which package that is: some build scripts look at that, and
/// all that depends on them would be rebuilt on each change between `cargo xtask` and `cargo`.
#[must_use]
pub fn cargo(workspace: &Workspace) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(&workspace.root);
    let package = |name: &OsString| ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|of| name.as_encoded_bytes().starts_with(of.as_bytes()));
    std::env::vars_os().map(|(name, _)| name).filter(package).for_each(|name| {
        command.env_remove(name);
    });
    command
}

/// What Cargo prints with these arguments.
pub fn output(workspace: &Workspace, arguments: &[&str]) -> anyhow::Result<Vec<u8>> {
    let output = cargo(workspace).args(arguments).output().context("cannot start cargo")?;
    ensure!(output.status.success(), "`cargo {}` failed: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}

/// `cargo build` with these arguments.
pub fn build(workspace: &Workspace, arguments: &[&str], environment: &[(&str, String)]) -> anyhow::Result<()> {
    let mut command = cargo(workspace);
    command.arg("build").arg("--target-dir").arg(&workspace.target).args(arguments);
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    if std::io::stderr().is_terminal() {
        command.arg("--color=always");
    }
    let mut child = command.stderr(Stdio::piped()).spawn().context("cannot start cargo")?;
    let output = child.stderr.take().expect("standard error is piped");
    for line in BufReader::new(output).lines() {
        let line = line.context("the output of cargo is not text")?;
        if !finished(&line) {
            print_line(&line);
        }
    }
    ensure!(child.wait()?.success(), "`cargo build {}` failed", arguments.join(" "));
    Ok(())
}

/// Whether this is the line that Cargo ends every build with, also one that did nothing.
fn finished(line: &str) -> bool {
    line.contains("Finished") && line.contains(" target(s) in ")
}
