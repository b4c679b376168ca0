//! The binding for Go.
//!
//! Docs: `host/bindings/go/README.md`, `tests/plugins/go/README.md`. Its demo is put before Kubernetes' own suites by `cargo xtask conformance`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use super::driver::Driver;
use super::tools::{have, place, run};
use crate::program::Folder;

const PLUGIN: &str = "tests/plugins/go";

/// Where its driver is built, if Go is there.
static BUILT: LazyLock<Option<String>> = LazyLock::new(|| {
    let driver = place("target/bindings/go/driver").to_string_lossy().into_owned();
    have("go", "version", "Go").then(|| {
        run(PLUGIN, "go", &["build", "-o", &driver, "./driver"]);
        driver
    })
});

fn driver() -> Option<Driver> {
    BUILT.as_ref().map(|driver| Driver { language: "Go", command: vec![driver.into()] })
}

/// The README's loop, on a cluster without authentication.
pub(super) fn sample(folder: &Folder, url: &str) -> Option<Command> {
    let code = super::code("go", "The loop");
    folder.write("sample.go", SAMPLE.replace("SAMPLE", &code));
    let mut command = built(folder, "sample", "sample.go")?;
    command.arg(url);
    Some(command)
}

/// The controller that passes Kubernetes' own suites, with its defaults.
pub(super) fn controller(folder: &Folder, kubeconfig: &Path) -> Option<Command> {
    let mut command = built(folder, "controller", "./controller")?;
    command.arg("-kubeconfig").arg(kubeconfig);
    Some(command)
}

/// Builds a program of the module with the tests.
fn built(folder: &Folder, name: &str, source: &str) -> Option<Command> {
    BUILT.as_ref()?;
    let program = folder.path().join(name);
    let text = |path: PathBuf| path.into_os_string().into_string().expect("the path is text");
    let source = if source.starts_with('.') { source.to_owned() } else { text(folder.path().join(source)) };
    run(PLUGIN, "go", &["build", "-o", &text(program.clone()), &source]);
    Some(Command::new(program))
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

held_against_the_core!(driver);

#[test]
fn its_own_tests_pass() {
    if BUILT.is_some() {
        // In the package: the quick start among them puts this folder in the place of the published module.
        run("target/bindings/packages/go", "go", &["vet", "./..."]);
        run("target/bindings/packages/go", "go", &["test", "-count=1", "./..."]);
        run(PLUGIN, "go", &["test", "-count=1", "./..."]);
    }
}

/// The suites and the demo find each other through it.
#[test]
fn the_helpers_of_the_suites_pass_their_tests() {
    if BUILT.is_some() {
        run("tests/upstream", "go", &["test", "-count=1", "./loopback"]);
    }
}
