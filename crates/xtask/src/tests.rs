//! Runs tests, with what they need around them: those that need nothing but Rust, all, or those of one area.
//!
//! Docs: `tests/`, `.github/CONTRIBUTING.md`. A test that needs more than Rust is marked with `#[ignore]`. What tests need of upstream Kubernetes is built in
//! `upstream.rs`; tests at length are in `soak.rs`.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::thread;

use anyhow::{Context as _, ensure};

use crate::upstream::{self, Kubernetes};
use crate::workspace::{Profile, Workspace, print_line};
use crate::{cargo, component, program, release};

/// What is tested as the program is built, with the same features, so that all that both need is compiled once: neither the components, which are built for
/// WebAssembly, nor the tools. A test (`tidy`) reads this list, and finds what would be compiled twice.
const PACKAGES: [&str; 7] = [
    "--workspace",
    "--exclude=component",
    "--exclude=echo",
    "--exclude=pod_labeler",
    "--exclude=release",
    "--exclude=wrap",
    "--exclude=xtask",
];
/// The packages with the tools that are built every day.
const TOOLS: [&str; 2] = ["--package=wrap", "--package=xtask"];

/// Programs that the other tests start.
const NEEDED: [&str; 6] = ["go", "node", "npm", "python3", "javac", "mvn"];
/// What the other tests are.
const MORE: &str = "`cargo xtask test --all` also compares with Kubernetes' own code and runs its suites (needs Go), and tests the bindings (Go, Node, \
                    Python 3, Java 17 with Maven) and the page (Node, Chromium, Firefox).";
/// The tests that are also run beside Kubernetes v1.36: what is admitted, and which fields there are.
const BESIDE_V1_36: [&str; 2] = ["admission::", "fields::"];
/// A test that takes an hour, which only `soak` runs.
const HOUR: &str = "an_hour_of_jobs_leaves_no_trace_in_memory";

/// Builds what the arguments need, and runs those tests.
pub(crate) fn run(workspace: &Workspace, mut arguments: Vec<OsString>) -> anyhow::Result<()> {
    let first = arguments.first().and_then(|argument| argument.to_str()).unwrap_or_default();
    match first {
        "controllers" => test_controllers(workspace, &arguments[1..]),
        "host" => test_host(workspace, &arguments[1..]),
        "web" => test_web(workspace, &arguments[1..]),
        "--all" => {
            prepare_all(workspace)?;
            if arguments.len() > 1 {
                arguments.remove(0);
                return test_rest(workspace, arguments, "--include-ignored");
            }
            test_rust(workspace, Vec::new())?;
            test_rest(workspace, Vec::new(), "--ignored")
        }
        "--rest" => {
            ensure!(arguments.len() == 1, "`cargo xtask test --rest` takes no arguments");
            prepare_all(workspace)?;
            test_rest(workspace, Vec::new(), "--ignored")
        }
        _ => {
            let chosen = !arguments.is_empty();
            prepare_rust(workspace)?;
            test_rust(workspace, arguments)?;
            if !chosen {
                print_line(&format!("\n{MORE}"));
            }
            Ok(())
        }
    }
}

/// After a change in `controllers`: the scenarios, then its own tests; with arguments, those of the core that they choose. No host is built.
fn test_controllers(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    succeed(tests(workspace).args(["--package=core_tests", "--test=it"]).args(filtered("scenarios", arguments)))?;
    // With `features`, which has no tests, so that no dependency is compiled once more.
    become_command(tests(workspace).args(["--package=controllers", "--package=features", "--lib"]).args(arguments))
}

/// After a change in `host`: the tests of its packages, and those that run processes; with arguments, those that they choose.
fn test_host(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    component::build(workspace)?;
    succeed(tests(workspace).args(["--package=host_node", "--package=host_embed"]).args(arguments))?;
    program::build(workspace, Profile::Release)?;
    succeed(tests(workspace).args(["--package=host_tests", "--test=it"]).args(filtered("run::", arguments)))?;
    become_command(tests(workspace).args(["--package=host_cluster", "--package=jobsmith"]).args(arguments))
}

/// After a change in `web`: its types and its tests, or those in the files that the arguments name, on the module that was built last.
fn test_web(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    if !workspace.page().exists() {
        release::run(workspace, &["web".into()])?;
    }
    succeed(npm(workspace).args(["exec", "--", "tsc", "--noEmit"]))?;
    become_command(npm(workspace).args(["test", "--"]).args(arguments))
}

/// Arguments of `cargo test` that choose these tests, unless they choose some themselves.
fn filtered(usual: &str, arguments: &[OsString]) -> Vec<OsString> {
    let chosen = arguments.first().is_some_and(|argument| !argument.as_encoded_bytes().starts_with(b"-"));
    let usual = (!chosen).then(|| OsString::from(usual));
    usual.into_iter().chain(arguments.iter().cloned()).collect()
}

/// Builds what tests need that need nothing but Rust.
fn prepare_rust(workspace: &Workspace) -> anyhow::Result<()> {
    program::build(workspace, Profile::Release)?;
    component::build_plugins(workspace)
}

/// Builds what all tests need; Go's programs at the side.
fn prepare_all(workspace: &Workspace) -> anyhow::Result<()> {
    let missing: Vec<&str> = NEEDED.into_iter().filter(|program| !is_installed(program)).collect();
    ensure!(missing.is_empty(), "not installed: {}; `cargo xtask test` runs the tests that need nothing but Rust", missing.join(", "));
    let kubernetes = Kubernetes::chosen(None)?;
    thread::scope(|scope| {
        let upstream = scope.spawn(|| upstream::build_for_tests(workspace, kubernetes));
        release::run(workspace, &["web".into()])?;
        prepare_rust(workspace)?;
        release::run(workspace, &["package-for-tests".into()])?;
        upstream.join().expect("it does not panic")
    })
}

/// All tests that need nothing but Rust, or those that the arguments choose.
fn test_rust(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    if arguments.is_empty() {
        succeed(tests(workspace).args(TOOLS))?;
    }
    succeed(command(workspace).args(arguments))
}

/// The tests that need more, or those that the arguments choose.
fn test_rest(workspace: &Workspace, arguments: Vec<OsString>, ignored: &str) -> anyhow::Result<()> {
    if arguments.is_empty() {
        succeed(npm(workspace).arg("test"))?;
        // In CI no browser may be missing.
        succeed(npm(workspace).args(["run", "e2e:built"]).env("CI", "true"))?;
        let kubernetes = Kubernetes::chosen(None)?;
        succeed(&mut upstream::suites(workspace, kubernetes, Vec::new(), Vec::new())?)?;
        if kubernetes.is_compared_with_v1_36() {
            let mut beside = command(workspace);
            beside.args(["--test", "it", "--", "--ignored"]).args(BESIDE_V1_36).env(upstream::VARIABLE, Kubernetes::V1_36.name());
            succeed(&mut beside)?;
        }
        succeed(tests(workspace).arg("--package=release"))?;
    }
    succeed(command(workspace).args(["--test", "it"]).args(with_ignored(arguments, ignored)))
}

/// Arguments of `cargo test` that have it run ignored tests too, but for the one that takes an hour.
fn with_ignored(mut arguments: Vec<OsString>, ignored: &str) -> Vec<OsString> {
    if !arguments.iter().any(|argument| argument == "--") {
        arguments.push("--".into());
    }
    arguments.extend([ignored, "--skip", HOUR].map(OsString::from));
    arguments
}

fn is_installed(program: &str) -> bool {
    let version = if program == "go" { "version" } else { "--version" };
    Command::new(program).arg(version).output().is_ok_and(|output| output.status.success())
}

/// npm, for the playground's page.
fn npm(workspace: &Workspace) -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(workspace.web());
    npm
}

/// `cargo test`, for tests that are built as the program is.
pub(crate) fn command(workspace: &Workspace) -> Command {
    let mut tests = tests(workspace);
    tests.args(PACKAGES);
    tests
}

fn tests(workspace: &Workspace) -> Command {
    let mut tests = cargo::cargo(workspace);
    tests.args(["test", "--release", "--target-dir"]).arg(&workspace.target);
    tests
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", command.get_program().display()))?;
    ensure!(status.success(), "tests failed");
    Ok(())
}

/// Replaces this program, so that signals and the exit status are the command's own.
fn become_command(command: &mut Command) -> anyhow::Result<()> {
    Err(command.exec()).with_context(|| format!("cannot start {}", command.get_program().display()))
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    fn split(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn joined(arguments: &[OsString]) -> String {
        arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_filter_takes_the_place_of_the_usual_one() {
        let filtered = |line: &str| joined(&filtered("scenarios", &split(line)));
        assert_eq!(filtered(""), "scenarios");
        assert_eq!(filtered("backoff"), "backoff");
        assert_eq!(filtered("backoff -- --exact"), "backoff -- --exact");
        assert_eq!(filtered("-- --nocapture"), "scenarios -- --nocapture");
    }

    #[test]
    fn ignored_tests_are_asked_for_behind_the_dashes() {
        let with_ignored = |line: &str| joined(&with_ignored(split(line), "--ignored"));
        let end = format!("--ignored --skip {HOUR}");
        assert_eq!(with_ignored("differential"), format!("differential -- {end}"));
        assert_eq!(with_ignored("-- --exact a::b"), format!("-- --exact a::b {end}"));
    }
}
