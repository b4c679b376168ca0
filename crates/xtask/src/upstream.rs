//! Builds the programs around Kubernetes' own code, from Go modules, and runs them with our controllers.
//!
//! Docs: `tests/upstream/README.md`. The tests that use them are started in `tests.rs`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context as _, ensure};

use crate::program;
use crate::workspace::{Workspace, print_line, written_at};

/// The controller that is run where none is named.
const OURS: [&str; 4] = ["jobsmith", "controller", "--name", "kubernetes.io/job-controller"];
/// The controller that it is held against, with as many workers as it has in a cluster.
const REFERENCE: &str = "reference-controller --workers 5";

/// Builds what tests need; without Go that is an error in CI, and elsewhere those tests are skipped.
pub(crate) fn build_for_tests(workspace: &Workspace) -> anyhow::Result<()> {
    if go_is_installed() || std::env::var_os("CI").is_some() {
        return build_for_soak(workspace);
    }
    print_line(&format!("SKIPPED: {WITHOUT_GO}, and tests that need them are skipped"));
    Ok(())
}

/// Builds the same for tests that must not be skipped.
pub(crate) fn build_for_soak(workspace: &Workspace) -> anyhow::Result<()> {
    ensure!(go_is_installed(), "{WITHOUT_GO}; install Go from https://go.dev/dl");
    build(workspace, &["oracle", "etcd", "kube-apiserver", "kubectl", "cluster"])
}

const WITHOUT_GO: &str = "Go is not installed, so upstream's programs cannot be built";

fn go_is_installed() -> bool {
    Command::new("go").arg("version").output().is_ok()
}

/// Becomes Kubernetes' suites with our controller, or with the one that follows `--`.
pub(crate) fn conformance(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    let (flags, command) = split(arguments);
    let suites = value_of(&flags, "suite").unwrap_or_else(|| "job".to_owned());
    let binaries: Vec<String> = suites.split(',').map(|suite| format!("{suite}.test")).collect();
    let mut targets = vec!["etcd", "conformance"];
    targets.extend(binaries.iter().map(String::as_str));
    let command = controller(workspace, command, &mut targets)?;
    build(workspace, &targets)?;
    let mut conformance = Command::new(workspace.upstream("conformance"));
    conformance.arg("-build").arg(workspace.upstream("")).arg("-skip-file").arg(source(workspace).join("not-applicable.txt"));
    conformance.arg("-suite").arg(&suites).args(flags).args(command);
    Err(conformance.exec()).context("the suites do not start")
}

/// Becomes the load meter, with the reference beside our controller or the one that follows `--`.
pub(crate) fn load(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    let (flags, command) = split(arguments);
    let mut targets = vec!["etcd", "kube-apiserver", "load", "reference-controller"];
    let command = controller(workspace, command, &mut targets)?.join(OsStr::new(" "));
    build(workspace, &targets)?;
    let mut load = Command::new(workspace.upstream("load"));
    load.arg("-bin").arg(workspace.upstream("")).args(flags);
    load.arg(workspace.upstream(REFERENCE)).arg(command);
    Err(load.exec()).context("the load meter does not start")
}

/// Becomes a real API server with nodes that play pods.
pub(crate) fn cluster(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    build(workspace, &["etcd", "kube-apiserver", "cluster"])?;
    let mut cluster = Command::new(workspace.upstream("cluster"));
    cluster.arg("-bin").arg(workspace.upstream("")).args(arguments);
    Err(cluster.exec()).context("the cluster does not start")
}

/// The flags before `--`, and the command behind it.
fn split(mut arguments: Vec<OsString>) -> (Vec<OsString>, Vec<OsString>) {
    let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let command = arguments.split_off(end).into_iter().skip(1).collect();
    (arguments, command)
}

/// The value of a flag as Go reads it: `-name value`, `-name=value`, with one dash or two.
fn value_of(flags: &[OsString], name: &str) -> Option<String> {
    let mut flags = flags.iter().filter_map(|flag| flag.to_str());
    while let Some(flag) = flags.next() {
        let flag = flag.trim_start_matches('-');
        match flag.split_once('=') {
            Some((found, value)) if found == name => return Some(value.to_owned()),
            None if flag == name => return flags.next().map(str::to_owned),
            _ => {}
        }
    }
    None
}

/// The whole path of the controller to run, and its arguments; ours is built, the reference joins the targets.
fn controller(workspace: &Workspace, command: Vec<OsString>, targets: &mut Vec<&str>) -> anyhow::Result<Vec<OsString>> {
    let mut command = if command.is_empty() { OURS.map(OsString::from).to_vec() } else { command };
    if command[0] == OURS[0] {
        program::build(workspace)?;
        command[0] = workspace.program(OURS[0]).into();
    } else if command[0] == "reference-controller" {
        targets.push("reference-controller");
        command[0] = workspace.upstream("reference-controller").into();
    }
    Ok(command)
}

/// The folder with the source of it all.
fn source(workspace: &Workspace) -> PathBuf {
    workspace.root.join("tests/upstream")
}

/// Builds programs whose source is newer than they are.
fn build(workspace: &Workspace, targets: &[&str]) -> anyhow::Result<()> {
    let changed = newest(&source(workspace))?;
    let stale: Vec<&str> = targets.iter().copied().filter(|target| written_at(&workspace.upstream(target)) <= changed).collect();
    if stale.is_empty() {
        return Ok(());
    }
    print_line(&format!("building {} from Go modules; the first time this takes some minutes", stale.join(", ")));
    let status = Command::new(source(workspace).join("build")).arg(workspace.upstream("")).args(stale).status();
    ensure!(status.context("the script that builds them does not start")?.success(), "upstream's programs cannot be built");
    Ok(())
}

/// When the last of a folder's files was written.
fn newest(folder: &Path) -> anyhow::Result<Option<SystemTime>> {
    let mut newest = None;
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                newest = newest.max(written_at(&path));
            }
        }
    }
    Ok(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_split_and_flags_are_read_as_go_reads_them() {
        let words = |line: &str| line.split_whitespace().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(split(words("-run x -- a -- b")), (words("-run x"), words("a -- b")));
        assert_eq!(split(words("-run x")), (words("-run x"), Vec::new()));
        let suite = |line: &str| value_of(&words(line), "suite");
        assert_eq!(suite("-run x --suite job,cronjob"), Some("job,cronjob".to_owned()));
        assert_eq!(suite("-suite=cronjob"), Some("cronjob".to_owned()));
        assert_eq!(suite("-run suite"), None);
    }
}
