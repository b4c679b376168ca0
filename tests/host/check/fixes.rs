//! `jobsmith check --fix` and `--diff`: what is corrected, what is left to a person, and what stays of a file.
//!
//! Docs: `jobsmith check --help`. What is printed of problems is tested in `mod.rs`, each correction by itself beside `crates/manifest/src/fix.rs`.

use expect_test::expect;
use serde_json::json;

use super::{REFUSED, check, folder, job};
use crate::program::Folder;

#[test]
fn corrections_are_shown_before_they_are_made() {
    check(
        &["k8s", "--diff"],
        1,
        expect![[r#"
            --- a/k8s/migrate.yaml
            +++ b/k8s/migrate.yaml
            @@ -4,10 +4,10 @@
               name: migrate
             spec:
               backoffLimit: 3
            -  restartPolicy: Never
               completions: -1
               template:
                 spec:
            +      restartPolicy: Never
                   containers:
                   - name: main
                     image: registry.example/migrate:1
        "#]],
    );
    let folder = folder();
    let ended = folder.run(&["check", "k8s", "--fix"]).with_status(1);
    assert!(ended.stdout.contains("error[invalid]") && !ended.stdout.contains("unknown-field"), "{}", ended.stdout);
    let corrected = folder.read("k8s/migrate.yaml");
    assert!(corrected.contains("    spec:\n      restartPolicy: Never\n") && !corrected.contains("\n  restartPolicy"), "{corrected}");
    folder.run(&["check", "k8s", "--diff"]).with_status(0);
    folder.write("stdin", REFUSED);
    let ended = folder.run(&["check", "-", "--fix"]).with_status(1);
    assert_eq!(ended.stdout, corrected);
    assert!(ended.stderr.contains("error[invalid]"), "{}", ended.stderr);
}

/// What `--fix` leaves as it is, and `--unsafe-fixes` does not.
#[test]
fn what_may_mean_several_things_is_corrected_only_if_that_is_asked_for() {
    let folder = Folder::new();
    for text in [
        job("{name: main, image: i, args: [“-v”]}"),
        job("{name: main}"),
        job("{name: main, image: i, command: sleep 5}"),
        job("{name: main, image: i}\n      - {name: main, image: i}"),
        job("{name: main, image: i}").replace("Never", "Always"),
        job("{name: main, image: i}").replace("      restartPolicy: Never\n", ""),
    ] {
        folder.write("job.yaml", &text);
        folder.run(&["check", "job.yaml", "--fix"]);
        assert_eq!(folder.read("job.yaml"), text);
        folder.run(&["check", "job.yaml", "--fix", "--unsafe-fixes"]).with_status(0);
        assert_ne!(folder.read("job.yaml"), text);
    }
    let ended = folder.run(&["check", "job.yaml", "--unsafe-fixes"]).with_status(2);
    assert!(ended.stderr.contains("--fix"), "{}", ended.stderr);
}

#[test]
fn of_several_fields_that_belong_to_one_place_none_is_chosen() {
    let folder = Folder::new();
    let text =
        job("{name: main, image: i}").replace("spec:\n  template", "serviceAccountName: a\nspec:\n  serviceAccountName: b\n  template");
    folder.write("job.yaml", &text);
    folder.run(&["check", "job.yaml", "--fix"]).with_status(1);
    assert_eq!(folder.read("job.yaml"), text);
}

#[test]
fn the_same_mistake_is_corrected_in_each_object() {
    let folder = Folder::new();
    let second = REFUSED.replace("name: migrate", "name: again");
    folder.write("jobs.yaml", format!("{REFUSED}---\n{second}"));
    let ended = folder.run(&["check", "jobs.yaml", "--fix"]).with_status(1);
    assert!(ended.stderr.starts_with("corrected 2 problems in 1 file\n"), "{}", ended.stderr);
    assert_eq!(folder.read("jobs.yaml").matches("    spec:\n      restartPolicy: Never\n").count(), 2);
}

/// Tools pass files of all kinds.
#[test]
fn files_without_jobs_are_not_corrected() {
    let folder = Folder::new();
    for (name, text) in [
        ("compose.yaml", "services:\n  job: {image: a, image: b}\n"),
        ("workflow.yaml", "on: push\njobs:\n  a: {runs-on: x}\non: pull\n"),
        ("vacancy.json", "{\"kind\": \"Job\", \"title\": \"baker\"}\n"),
    ] {
        folder.write(name, text);
        folder.run(&["check", name, "--fix"]);
        assert_eq!(folder.read(name), text);
    }
    assert_eq!(folder.run(&["check", "vacancy.json"]).with_status(0).stdout, "");
}

#[test]
fn corrections_keep_what_a_file_is() {
    let folder = Folder::new();
    folder.write("job.json", r#"{"apiVersion": "batch/v1beta1", "kind": "CronJob", "metadata": {"name": "a", "labels": {"b": 1}}}"#);
    folder.run(&["check", "job.json", "--fix", "--unsafe-fixes"]);
    let json: serde_json::Value = serde_json::from_str(&folder.read("job.json")).expect("it is still JSON");
    assert_eq!((&json["apiVersion"], &json["metadata"]["labels"]["b"]), (&json!("batch/v1"), &json!("1")));
    folder.write("job.yaml", REFUSED.replace('\n', "\r\n"));
    std::fs::create_dir(folder.path().join("links")).expect("the folder can be written to");
    std::os::unix::fs::symlink("../job.yaml", folder.path().join("links/job.yaml")).expect("it can be linked");
    let ended = folder.run(&["check", "links/job.yaml", "--fix"]).with_status(1);
    assert!(ended.stderr.starts_with("corrected 1 problem in 1 file\n"), "{}", ended.stderr);
    let corrected = folder.read("job.yaml");
    assert!(corrected.contains("\r\n      restartPolicy: Never\r\n") && !corrected.replace("\r\n", "").contains('\n'), "{corrected:?}");
    assert!(folder.path().join("links/job.yaml").is_symlink());
    let utf16: Vec<u8> = [0xfeff].into_iter().chain(REFUSED.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    folder.write("wide.yaml", &utf16);
    let ended = folder.run(&["check", "wide.yaml", "--fix"]).with_status(2);
    assert!(ended.stderr.starts_with("error: cannot write wide.yaml: it is in UTF-16: save it as UTF-8 first\n"), "{}", ended.stderr);
    assert_eq!(std::fs::read(folder.path().join("wide.yaml")).expect("it is there"), utf16);
}
