//! What is printed for programs is read back by other people's libraries: SARIF, JUnit and JSON Schema.
//!
//! Docs: `jobsmith check --help`, `jobsmith test --help`, `jobsmith schema --help`. The libraries are called in `read.py`.

use std::process::Command;

use admission::{preparation, validation};
use api::Job;
use core_tests::files::root;
use core_tests::scenarios;
use expect_test::expect;
use serde_json::{Value, json};

use crate::program::Folder;

const REFUSED: &str = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: refused}\nspec:\n  completions: -1\n  template:\n    spec:\n      restartPolicy: OnFailure\n      \
                       containers: [{name: main, image: a:1}]\n";
const CLAIMS: &str = "```yaml\napiVersion: batch/v1\nkind: Job\nmetadata: {name: pi}\nspec:\n  activeDeadlineSeconds: 60\n  template: {spec: {restartPolicy: Never, containers: [{name: main, image: \
                      a:1}]}}\n```\n\n## It completes\n\n```expect\nComplete within 1m\n```\n\n## It takes no time\n\n```expect\nComplete within 1ms\n```\n";

#[test]
#[ignore = "needs Python: `cargo xtask test --all`"]
fn other_peoples_libraries_read_what_is_printed() {
    let folder = Folder::new();
    folder.write("job.yaml", REFUSED);
    folder.write("claims.md", CLAIMS);
    let print = |file: &str, arguments: &[&str]| folder.write(file, folder.run(arguments).stdout);
    print("check.sarif", &["check", "job.yaml", "-o", "sarif"]);
    print("check.xml", &["check", "job.yaml", "-o", "junit"]);
    print("test.xml", &["test", "claims.md", "-o", "junit"]);
    print("job.schema.json", &["schema", "job"]);
    print("cronjob.schema.json", &["schema", "cronjob"]);
    let valid = valid();
    let all_valid = format!("schema: {} objects are valid\n", valid.len());
    folder.write("valid.json", Value::from(valid).to_string());
    folder.write("invalid.json", Value::from(invalid()).to_string());
    let output =
        Command::new(python()).arg(root().join("tests/host/readers/read.py")).arg(folder.path()).output().expect("there is Python");
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    expect![[r#"
        sarif: note job.yaml 4 never-ends
        sarif: note job.yaml 4 never-removed
        sarif: error job.yaml 5 invalid
        sarif: warning job.yaml 8 logs-lost
        check.xml: jobsmith check job.yaml Failure
        test.xml: claims.md It completes passed
        test.xml: claims.md It takes no time Failure
    "#]]
    .assert_eq(printed.strip_suffix(&all_valid).unwrap_or(&printed));
    assert!(printed.ends_with(&all_valid), "{printed}");
}

/// The Python of an environment with the libraries in it.
fn python() -> std::path::PathBuf {
    let environment = root().join("target/readers");
    let run = |command: &mut Command| assert!(command.status().expect("it starts").success(), "{command:?}");
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment));
    let python = environment.join("bin/python");
    run(Command::new(&python).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "jsonschema==4.26.0",
        "junitparser==5.0.3",
        "sarif-tools==3.0.5",
    ]));
    python
}

/// The objects of all scenarios, which the API server takes.
fn valid() -> Vec<Value> {
    let scenarios = scenarios::files().into_iter().flat_map(|file| file.scenarios);
    let documents = scenarios.flat_map(|scenario| manifest::read(scenario.own_manifest()).expect("scenarios have manifests"));
    documents.map(|document| document.value().clone()).filter(is_taken).collect()
}

/// Whether the API server takes an object: some scenarios are about one that it refuses.
fn is_taken(object: &Value) -> bool {
    let job = serde_json::from_value::<Job>(object.clone()).ok().filter(|_| object["kind"] == "Job");
    job.is_none_or(|mut job| {
        job.metadata.uid = "1".into();
        preparation::prepare_create(&mut job);
        validation::job::create(&job).is_empty()
    })
}

/// Objects with unknown fields, values of other types, and values that there are not.
fn invalid() -> Vec<Value> {
    let job = || {
        json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a"}, "spec": {"template": {"spec":
            {"restartPolicy": "Never", "containers": [{"name": "a"}]}}}})
    };
    let changes = [
        ("/spec", json!({"paralelism": 1, "template": {}})),
        ("/spec", json!({"parallelism": "two", "template": {}})),
        ("/spec", json!({"parallelism": 3_000_000_000_i64, "template": {}})),
        ("/spec", json!({"completionMode": "indexed", "template": {}})),
        ("/spec", json!({})),
        ("/apiVersion", json!("batch/v2")),
        ("/spec/template/spec/restartPolicy", json!("Sometimes")),
        ("/spec/template/spec/containers", json!({"name": "a"})),
        ("/spec/template/spec/containers/0", json!({"image": "a"})),
    ];
    let changed = |(place, value): (&str, Value)| {
        let mut job = job();
        *job.pointer_mut(place).expect("the place is there") = value;
        job
    };
    changes.into_iter().map(changed).collect()
}
