//! The binding for Java.
//!
//! Docs: `host/bindings/java/README.md`, `tests/plugins/java/README.md`. Maven runs its own tests, the demo among them, before its driver is built.

use std::sync::LazyLock;

use super::driver::Driver;
use super::tools::{have, place, run};

const PLUGIN: &str = "tests/plugins/java";

/// The class path of its driver, if Java and Maven are there.
static CLASS_PATH: LazyLock<Option<String>> = LazyLock::new(|| {
    (have("java", "--version", "Java") && have("mvn", "--version", "Java")).then(|| {
        run(PLUGIN, "mvn", &["-q", "-B", "-f", "reactor.xml", "test"]);
        let written = place("tests/plugins/java/target/classpath");
        let libraries = std::fs::read_to_string(&written).unwrap_or_else(|error| panic!("{}: {error}", written.display()));
        format!("{}:{}", place("tests/plugins/java/target/test-classes").display(), libraries.trim())
    })
});

fn driver() -> Option<Driver> {
    let command = |class_path: &String| vec!["java".into(), "-cp".into(), class_path.into(), "dev.jobsmith.plugins.Driver".into()];
    CLASS_PATH.as_ref().map(|class_path| Driver { language: "Java", command: command(class_path) })
}

held_against_the_core!(driver);
