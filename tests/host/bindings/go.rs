//! The binding for Go.
//!
//! Docs: `host/bindings/go/README.md`, `tests/plugins/go/README.md`. Its demo is put before Kubernetes' own suites by `cargo xtask conformance`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use super::driver::Driver;
use super::tools::{place, run};
use crate::program::Folder;

const PLUGIN: &str = "tests/plugins/go";

/// Where its driver is built.
static BUILT: LazyLock<String> = LazyLock::new(|| {
    let driver = place("target/bindings/go/driver").to_string_lossy().into_owned();
    run(PLUGIN, "go", &["build", "-o", &driver, "./driver"]);
    driver
});

fn driver() -> Driver {
    Driver { language: "Go", command: vec![(&*BUILT).into()] }
}

/// The README's loop, on a cluster without authentication.
pub(super) fn sample(folder: &Folder, url: &str) -> Command {
    let code = super::code("go", "The loop");
    folder.write("sample.go", SAMPLE.replace("SAMPLE", &code));
    let mut command = built(folder, "sample", "sample.go");
    command.arg(url);
    command
}

/// The controller that passes Kubernetes' own suites, with its defaults.
pub(super) fn controller(folder: &Folder, kubeconfig: &Path) -> Command {
    let mut command = built(folder, "controller", "./controller");
    command.arg("-kubeconfig").arg(kubeconfig);
    command
}

/// Builds a program of the module with the tests.
fn built(folder: &Folder, name: &str, source: &str) -> Command {
    let program = folder.path().join(name);
    let text = |path: PathBuf| path.into_os_string().into_string().expect("the path is text");
    let source = if source.starts_with('.') { source.to_owned() } else { text(folder.path().join(source)) };
    run(PLUGIN, "go", &["build", "-o", &text(program.clone()), &source]);
    Command::new(program)
}

/// What the README leaves to the reader: a client for an address.
const SAMPLE: &str = r#"package main

import ("context"; "log"; "net/http"; "os"; "jobsmith.dev/controllers"; "jobsmith.dev/controllers/httpcluster")

var config, client = struct{ Host string }{os.Args[1]}, http.DefaultClient

func run(ctx context.Context) error {
SAMPLE
}

func main() { log.Fatal(run(context.Background())) }
"#;

held_against_the_core!(driver, "needs Go: `cargo xtask test --all`");

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn its_own_tests_pass() {
    // In the package: the quick start among them puts this folder in the place of the published module.
    run("target/bindings/packages/go", "go", &["vet", "./..."]);
    run("target/bindings/packages/go", "go", &["test", "-count=1", "./..."]);
    run(PLUGIN, "go", &["test", "-count=1", "./..."]);
}

/// The suites and the demo find each other through it.
#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn the_helpers_of_the_suites_pass_their_tests() {
    run("tests/upstream", "go", &["test", "-count=1", "./loopback"]);
}
