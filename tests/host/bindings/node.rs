//! The binding for Node and browsers.
//!
//! Docs: `host/bindings/node/README.md`, `tests/plugins/node/README.md`.

use std::process::Command;
use std::sync::LazyLock;

use super::driver::Driver;
use super::tools::{place, replaced, run};

const PLUGIN: &str = "tests/plugins/node";

/// Installs what its tests need, once. `cargo xtask test --all` has built the binding.
static INSTALLED: LazyLock<()> = LazyLock::new(|| run(PLUGIN, "npm", &["ci", "--silent"]));

fn driver() -> Driver {
    LazyLock::force(&INSTALLED);
    Driver { language: "Node", command: vec!["node".into(), place("tests/plugins/node/driver.mjs").into()] }
}

/// The README's program, on a cluster without authentication.
pub(super) fn sample(url: &str) -> Command {
    let code = replaced(&super::code("node", "Drive a cluster"), "http://127.0.0.1:8001", url);
    // Modules are found from the folder of a file.
    let file = place(PLUGIN).join("node_modules/sample.mjs");
    LazyLock::force(&INSTALLED);
    std::fs::write(&file, code).expect("the folder is there");
    let mut command = Command::new("node");
    command.arg(file);
    command
}

held_against_the_core!(driver, "needs Node: `cargo xtask test --all`");

#[test]
#[ignore = "needs Node: `cargo xtask test --all`"]
fn its_own_tests_pass() {
    LazyLock::force(&INSTALLED);
    run(PLUGIN, "npm", &["test"]);
}

#[test]
#[ignore = "needs Node: `cargo xtask test --all`"]
fn jobs_run_in_webernetes() {
    LazyLock::force(&INSTALLED);
    run(PLUGIN, "npm", &["run", "demo"]);
}
