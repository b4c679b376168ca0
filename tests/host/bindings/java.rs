//! The binding for Java.
//!
//! Docs: `host/bindings/java/README.md`, `tests/plugins/java/README.md`. Maven runs its own tests, the demo among them, before its driver is built.

use std::process::Command;
use std::sync::LazyLock;

use super::driver::Driver;
use super::tools::{place, run};
use crate::program::Folder;

const PLUGIN: &str = "tests/plugins/java";

/// The class path of its driver.
static CLASS_PATH: LazyLock<String> = LazyLock::new(|| {
    run(PLUGIN, "mvn", &["-q", "-B", "-f", "reactor.xml", "test"]);
    let written = place("tests/plugins/java/target/classpath");
    let libraries = std::fs::read_to_string(&written).unwrap_or_else(|error| panic!("{}: {error}", written.display()));
    format!("{}:{}", place("tests/plugins/java/target/test-classes").display(), libraries.trim())
});

fn driver() -> Driver {
    Driver { language: "Java", command: vec!["java".into(), "-cp".into(), (&*CLASS_PATH).into(), "dev.jobsmith.plugins.Driver".into()] }
}

/// The README's loop with the cluster that it names, for an address without authentication.
pub(super) fn sample(folder: &Folder, url: &str) -> Command {
    let class_path = &*CLASS_PATH;
    folder.write("Sample.java", SAMPLE.replace("SAMPLE", &super::code("java", "On a cluster")));
    let classes = folder.path().to_str().expect("the path is text");
    run("", "javac", &["-d", classes, "-cp", class_path, &format!("{classes}/Sample.java")]);
    let mut command = Command::new("java");
    command.args(["-cp", &format!("{classes}:{class_path}"), "dev.jobsmith.plugins.Sample", url]);
    command
}

/// What the README leaves to the reader; `Fabric8Cluster` is in this package.
const SAMPLE: &str = r#"package dev.jobsmith.plugins;

import dev.jobsmith.*;
import io.fabric8.kubernetes.client.*;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        var access = new ConfigBuilder(Config.empty()).withMasterUrl(arguments[0]).build();
        var cluster = new Fabric8Cluster(new KubernetesClientBuilder().withConfig(access).build());
        SAMPLE
    }
}
"#;

held_against_the_core!(driver, "needs Java and Maven: `cargo xtask test --all`");
