//! The binding for Python.
//!
//! Docs: `host/bindings/python/README.md`, `tests/plugins/python/README.md`.

use std::fs;
use std::process::Command;
use std::sync::LazyLock;

use super::driver::Driver;
use super::tools::{package, place, replaced, run};

const PLUGIN: &str = "tests/plugins/python";

/// The Python of a new environment with the wheel in it.
static PYTHON: LazyLock<String> = LazyLock::new(|| {
    let environment = place("target/bindings/python").to_string_lossy().into_owned();
    let python = format!("{environment}/bin/python");
    run("", "python3", &["-m", "venv", "--clear", &environment]);
    let wheel = package("jobsmith-VERSION-py3-none-any.whl").to_string_lossy().into_owned();
    run("", &python, &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pytest", &wheel]);
    python
});

fn driver() -> Driver {
    Driver { language: "Python", command: vec![(&*PYTHON).into(), place("tests/plugins/python/driver.py").into()] }
}

/// The README's program, on a cluster without authentication.
pub(super) fn sample(url: &str) -> Command {
    edited_sample(url, "", "")
}

/// The same with a part of it replaced.
pub(super) fn edited_sample(url: &str, part: &str, by: &str) -> Command {
    let code = replaced(&super::code("python", "Drive a cluster"), "http://127.0.0.1:8001", url);
    let mut command = Command::new(&*PYTHON);
    command.arg("-c").arg(replaced(&code, part, by));
    command
}

held_against_the_core!(driver, "needs Python: `cargo xtask test --all`");

#[test]
#[ignore = "needs Python: `cargo xtask test --all`"]
fn a_checkout_without_the_component_names_what_writes_it() {
    let checkout = place("target/bindings/checkout");
    let source = checkout.join("jobsmith");
    fs::create_dir_all(&source).expect("it can be created");
    for file in ["pyproject.toml", "hatch_build.py", "README.md"] {
        fs::copy(place("host/bindings/python").join(file), checkout.join(file)).expect("it can be copied");
    }
    fs::write(source.join("__init__.py"), "").expect("it can be written");
    let pip = Command::new(&*PYTHON).args(["-m", "pip", "install", "--no-deps"]).arg(&checkout).output().expect("pip runs");
    let output = String::from_utf8_lossy(&pip.stdout).into_owned() + &String::from_utf8_lossy(&pip.stderr);
    assert!(!pip.status.success() && output.contains("`jobsmith component export ") && !output.contains("Traceback"), "{output}");
}

#[test]
#[ignore = "needs Python: `cargo xtask test --all`"]
fn its_own_tests_pass() {
    run(PLUGIN, &PYTHON, &["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]);
}
