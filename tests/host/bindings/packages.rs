//! The packages: each has the very component that the program carries, and can be installed in an empty folder.
//!
//! Docs: `host/bindings/README.md`. Wheel, tarball and module are installed where their languages' tests are; here is what belongs to all of them, and Maven.

use std::fs;
use std::path::Path;
use std::process::Command;

use core_tests::built::component_path;
use serde_json::Value;

use super::tools::{package, place, printed_by};
use super::{quick_start, read};
use crate::program::Folder;

/// How a program prints a file of an archive in the form of zip.
const UNZIP: &str = "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))";

#[test]
#[ignore = "needs Go, Java, Node and Python: `cargo xtask test --all`"]
fn all_carry_the_component_of_the_program() {
    let component = fs::read(component_path()).expect("it is built");
    let sum = printed_by(Command::new("sha256sum").arg(component_path()));
    let (sha256, _) = str::from_utf8(&sum).expect("the sum is text").split_once(' ').expect("the sum is first");
    let version = Folder::new().run(&["--version"]).with_status(0).stdout;
    assert!(version.contains(&format!("sha256:{sha256}")), "{sha256} is not in {version}");

    let of_oci =
        |digest: &Value| read(&format!("target/bindings/packages/oci/blobs/{}", digest.as_str().expect("a digest").replace(':', "/")));
    let index: Value = serde_json::from_str(&read("target/bindings/packages/oci/index.json")).expect("it is JSON");
    let manifest: Value = serde_json::from_str(&of_oci(&index["manifests"][0]["digest"])).expect("it is JSON");
    assert_eq!(manifest["layers"][0]["digest"], format!("sha256:{sha256}"));
    assert!(fs::read(package(&format!("oci/blobs/sha256/{sha256}"))).is_ok_and(|layer| layer == component), "the layer is the component");
    assert!(fs::read(package("controllers.wasm")).is_ok_and(|file| file == component), "the file is the component");

    let packages = [
        ("Go", fs::read(package("go/controllers.wasm")).expect("the package is built")),
        ("Java", zipped("controllers-VERSION.jar", "dev/jobsmith/controllers.wasm")),
        ("Node", in_tarball("jobsmith-controllers-VERSION.tgz", "package/controllers.wasm")),
        ("Python", zipped("jobsmith-VERSION-py3-none-any.whl", "jobsmith/controllers.wasm")),
    ];
    for (language, carried) in packages {
        assert!(carried == component, "the package for {language} has another component");
    }
}

#[test]
#[ignore = "needs Java and Maven: `cargo xtask test --all`"]
fn the_jar_is_installed_in_an_empty_folder_and_runs_the_quick_start() {
    let folder = Folder::new();
    let version = env!("CARGO_PKG_VERSION");
    // A registry that has nothing but this package, and a repository of its own: that of the user stays as it is.
    let published = folder.path().join(format!("registry/dev/jobsmith/controllers/{version}"));
    fs::create_dir_all(&published).expect("the folder can be written to");
    for kind in ["jar", "pom"] {
        let file = format!("controllers-{version}.{kind}");
        fs::copy(package(&file), published.join(&file)).expect("the package is built");
    }
    let downloaded = place("target/bindings/maven");
    let _ = fs::remove_dir_all(downloaded.join("dev/jobsmith"));
    let registry = folder.path().join("registry");
    folder.write("pom.xml", pom(version, &registry));
    let program = quick_start("java");
    fs::create_dir_all(folder.path().join("src/main/java")).expect("the folder can be written to");
    folder.write("src/main/java/QuickStart.java", program.trim_start_matches("java\n"));
    let maven = |arguments: &[&str]| {
        let mut maven = Command::new("mvn");
        maven.args(["-q", "-B"]).arg(format!("-Dmaven.repo.local={}", downloaded.display())).args(arguments).current_dir(folder.path());
        printed_by(&mut maven)
    };
    maven(&["compile", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath", "-Dmdep.outputFile=classpath"]);
    let class_path = format!("target/classes:{}", folder.read("classpath").trim());
    let printed = printed_by(Command::new("java").args(["-cp", &class_path, "QuickStart"]).current_dir(folder.path()));
    let printed = String::from_utf8_lossy(&printed);
    assert_eq!(printed.matches("POST /api/v1/namespaces/default/pods\n").count(), 2, "{printed}");
}

/// A project that takes the package from a registry.
fn pom(version: &str, registry: &Path) -> String {
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">
           <modelVersion>4.0.0</modelVersion>
           <groupId>com.example</groupId><artifactId>quick-start</artifactId><version>1</version>
           <properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
           <dependencies>
             <dependency><groupId>dev.jobsmith</groupId><artifactId>controllers</artifactId><version>{version}</version></dependency>
           </dependencies>
           <repositories><repository><id>packages</id><url>file://{}</url></repository></repositories>
         </project>",
        registry.display()
    )
}

fn zipped(archive: &str, file: &str) -> Vec<u8> {
    printed_by(Command::new("python3").args(["-c", UNZIP]).arg(package(archive)).arg(file))
}

fn in_tarball(archive: &str, file: &str) -> Vec<u8> {
    printed_by(Command::new("tar").args(["--extract", "--to-stdout", "--file"]).arg(package(archive)).arg(file))
}
