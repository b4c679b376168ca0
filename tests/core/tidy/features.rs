//! Features: what programs and tests depend on has the same ones in all of them, so that each dependency is compiled once.
//!
//! Docs: The Cargo Book, "Feature unification". What a dependency lacks somewhere is added in `crates/features/Cargo.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use core_tests::files::root;

use super::none;

/// What `cargo xtask run` compiles.
const RUN: &[&str] = &["--package=host_embed", "--package=jobsmith", "--no-default-features", "--edges=normal,build"];

/// What is compiled before and after it, from the same folder of artifacts.
const SELECTIONS: [(&str, &[&str]); 13] = [
    ("xtask", &["--package=xtask", "--edges=normal,build"]),
    ("wrap", &["--package=wrap", "--edges=normal,build"]),
    ("cargo xtask run", RUN),
    ("cargo xtask build", &["--package=host_embed", "--package=jobsmith", "--edges=normal,build"]),
    ("the tests of host_cluster", &["--package=host_cluster"]),
    ("the tests of host_embed", &["--package=host_embed"]),
    ("the tests of host_node", &["--package=host_node"]),
    ("the tests of the hosts' libraries", &["--package=host_node", "--package=host_embed"]),
    ("the tests of the cluster and the commands", &["--package=host_cluster", "--package=jobsmith"]),
    ("the tests of the tools", &["--package=wrap", "--package=xtask"]),
    ("the tests of the core", &["--package=core_tests"]),
    ("the tests of the controllers", &["--package=controllers", "--package=features"]),
    ("the tests of what runs it", &["--package=host_tests"]),
];

/// The features of each package, a set of them for each way in which it is compiled.
type Features = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_dependency_is_compiled_twice() {
    let source = std::fs::read_to_string(root().join("crates/xtask/src/tests.rs")).expect("it starts the tests");
    let all = read(&tree(&packages(&source)));
    none(&SELECTIONS.iter().flat_map(|(name, selection)| differences(name, &read(&tree(selection)), &all)).collect::<Vec<_>>());
}

#[test]
fn the_first_command_compiles_nothing_of_the_kubernetes_api() {
    let needless = |package: &&String| ["k8s-openapi", "kube", "rustls"].iter().any(|name| package.starts_with(name));
    none(&read(&tree(RUN)).keys().filter(needless).map(|package| format!("`cargo xtask run` compiles {package}")).collect::<Vec<_>>());
}

/// What `cargo xtask test` compiles at once: the list `PACKAGES` in its source.
fn packages(source: &str) -> Vec<&str> {
    let list = source.split_once("const PACKAGES: ").and_then(|(_, rest)| rest.split_once("= [")?.1.split_once(']'));
    list.expect("the list has this name").0.split('"').skip(1).step_by(2).collect()
}

/// What Cargo would compile for this machine: each package with its features.
fn tree(selection: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut tree = Command::new(cargo);
    tree.current_dir(root()).args(["tree", "--locked", "--prefix=none", "--format={p}|{f}"]).args(selection);
    let output = tree.output().expect("Cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("names are text")
}

/// The features of each package that is not of the workspace.
fn read(tree: &str) -> Features {
    let mut features = Features::new();
    for (package, of_package) in tree.lines().filter_map(|line| line.split_once('|')) {
        let of_package = of_package.trim_end_matches(" (*)");
        let mut words = package.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if !words.any(|word| word.contains('/')) {
            features.entry(format!("{name} {version}")).or_default().insert(of_package.to_owned());
        }
    }
    features
}

/// The packages that a selection compiles with features which they do not have when everything is compiled at once.
fn differences(selection: &str, some: &Features, all: &Features) -> Vec<String> {
    let mut found = Vec::new();
    for (package, features) in some {
        let Some(known) = all.get(package) else { continue };
        let text = known.iter().map(|features| format!("[{features}]")).collect::<Vec<_>>().join(" and ");
        let other = features.difference(known);
        found.extend(other.map(|other| format!("{package} is compiled twice: {selection} has [{other}], all together {text}")));
    }
    found
}

#[test]
fn what_differs_is_found() {
    assert_eq!(packages("const PACKAGES: [&str; 2] = [\n    \"--workspace\",\n    \"--exclude=a\",\n];\n"), ["--workspace", "--exclude=a"]);
    let [some, all] = [
        "api v0.1.0 (/jobsmith/crates/api)|\nmemchr v2.8.3|std\nserde_derive v1.0.2 (proc-macro)|default\nsyn v3.0.9|full\n",
        "api v0.1.0 (/jobsmith/crates/api)|a\nmemchr v2.8.3|std (*)\n\nmemchr v2.8.3|\nserde_derive v1.0.2 (proc-macro)|\nsyn v2.0.1|fold\n",
    ]
    .map(read);
    let expected = "serde_derive v1.0.2 is compiled twice: cargo x has [default], all together []";
    assert_eq!(differences("cargo x", &some, &all), [expected]);
}
