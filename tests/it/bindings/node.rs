//! The binding for Node and browsers.
//!
//! Docs: `host/bindings/node/README.md`, `tests/plugins/node/README.md`.

use std::sync::LazyLock;

use super::driver::Driver;
use super::tools::{have, place, run};
use super::{echoes, notices_a_difference, replays};

const PLUGIN: &str = "tests/plugins/node";

/// Whether Node is there, and what its tests need is installed. `cargo xtask test` has built the binding.
static READY: LazyLock<bool> = LazyLock::new(|| {
    let ready = have("npm", "--version", "Node");
    if ready {
        run(PLUGIN, "npm", &["ci", "--silent"]);
    }
    ready
});

fn driver() -> Option<Driver> {
    READY.then(|| Driver { language: "Node", command: vec!["node".into(), place("tests/plugins/node/driver.mjs").into()] })
}

#[test]
fn it_answers_as_the_native_core() {
    driver().iter().for_each(replays);
}

#[test]
fn every_value_crosses_the_border_unchanged() {
    driver().iter().for_each(echoes);
}

#[test]
fn a_wrong_answer_is_noticed() {
    driver().iter().for_each(notices_a_difference);
}

#[test]
fn its_own_tests_pass() {
    if *READY {
        run(PLUGIN, "npm", &["test"]);
    }
}

#[test]
fn jobs_run_in_webernetes() {
    if *READY {
        run(PLUGIN, "npm", &["run", "demo"]);
    }
}
