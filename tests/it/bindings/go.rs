//! The binding for Go.
//!
//! Docs: `host/bindings/go/README.md`, `tests/plugins/go/README.md`. Its demo is put before Kubernetes' own suites by `cargo xtask conformance`.

use std::sync::LazyLock;

use super::driver::Driver;
use super::tools::{have, place, run};

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
