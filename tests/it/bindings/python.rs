//! The binding for Python.
//!
//! Docs: `host/bindings/python/README.md`, `tests/plugins/python/README.md`.

use std::sync::LazyLock;

use super::driver::Driver;
use super::tools::{have, package, place, run};

const PLUGIN: &str = "tests/plugins/python";

/// The Python of a new environment with the wheel in it, if Python is there.
static PYTHON: LazyLock<Option<String>> = LazyLock::new(|| {
    let environment = place("target/bindings/python").to_string_lossy().into_owned();
    have("python3", "--version", "Python").then(|| {
        let python = format!("{environment}/bin/python");
        run("", "python3", &["-m", "venv", "--clear", &environment]);
        let wheel = package("jobsmith-VERSION-py3-none-any.whl").to_string_lossy().into_owned();
        run("", &python, &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pytest", &wheel]);
        python
    })
});

fn driver() -> Option<Driver> {
    PYTHON
        .as_ref()
        .map(|python| Driver { language: "Python", command: vec![python.into(), place("tests/plugins/python/driver.py").into()] })
}

held_against_the_core!(driver);

#[test]
fn its_own_tests_pass() {
    if let Some(python) = &*PYTHON {
        run(PLUGIN, python, &["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]);
    }
}
