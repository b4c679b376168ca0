//! Texts that are not manifests: empty, not YAML, badly encoded, or missing.
//!
//! Docs: Kubernetes API Concepts; the YAML is kubectl's. What is YAML and no Job is in `objects.rs`.

use expect_test::expect;

use super::{JOB, check, check_arguments, check_job, good_folder};
use crate::program::Folder;

#[test]
fn an_empty_file() {
    check(
        "",
        expect![[r#"
            error: the input is empty
             --> job.yaml:1:1
              |
            1 |
              | ^
              |
              = help: if it comes from a command, look at the errors of that command

        "#]],
    );
}

#[test]
fn a_comment() {
    check(
        "# nothing\n",
        expect![[r#"
            error: there is no Job in this file
             --> job.yaml:1:1
              |
            1 | # nothing
              | ^
              |
              = help: a Job starts with the lines `apiVersion: batch/v1` and `kind: Job`

        "#]],
    );
}

#[test]
fn a_list() {
    check(
        "- a\n- b\n",
        expect![[r#"
            error: this is a list, not an object
             --> job.yaml:1:1
              |
            1 | - a
              | ^^^
              |
              = help: put each Job into a document of its own, with a line `---` between them

        "#]],
    );
}

#[test]
fn a_word() {
    check(
        "hello\n",
        expect![[r#"
            error: this is a word, not an object
             --> job.yaml:1:1
              |
            1 | hello
              | ^^^^^
              |
              = help: a Job starts with the lines `apiVersion: batch/v1` and `kind: Job`

        "#]],
    );
}

#[test]
fn yaml_that_does_not_parse() {
    check(
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: pi\n   labels: {}\n",
        expect![[r#"
            error: invalid YAML: mapping values are not allowed in this context
             --> job.yaml:5:10
              |
            5 |    labels: {}
              |          ^^^^ metadata
              |
              = help: indent the line like the lines around it, or quote a value that contains `: `

        "#]],
    );
}

#[test]
fn quotes_that_stay_open() {
    check(
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: \"pi\nspec: {}\n",
        expect![[r#"
            error: invalid YAML: found unexpected end of stream
             --> job.yaml:4:9
              |
            4 |   name: "pi
              |         ^^^ metadata
              |
              = help: close the quotes that start here

        "#]],
    );
}

#[test]
fn brackets_that_stay_open() {
    check(
        "{".repeat(30),
        expect![[r#"
            error: this is a template
             --> job.yaml:1:1
              |
            1 | {{{{{{{{{{{{{{{{{{{{{{{{{{{{{{
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: render it first, and use the result

        "#]],
    );
}

#[test]
fn tabs() {
    check_job(
        "  template",
        "\ttemplate",
        expect![[r#"
            error: invalid YAML: found character that cannot start any token
             --> job.yaml:6:1
              |
            6 |     template:
              | ^^^^^^^^^^^^^
              |
              = help: indent with spaces: YAML does not allow tabs

        "#]],
    );
}

#[test]
fn bytes_that_are_no_text() {
    check(
        b"apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: p\xff\n",
        expect![[r#"
            error: this is not valid UTF-8
             --> job.yaml:4:10
              |
            4 |   name: p�
              |          ^
              |
              = help: save the file as UTF-8

        "#]],
    );
}

#[test]
fn utf_16_is_read() {
    let text = JOB.replace("busybox", "ß").replace("Never", "Sometimes");
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let folder = Folder::new();
        folder.write("job.yaml", "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect::<Vec<u8>>());
        let refused = folder.run(&["run", "job.yaml"]).with_status(2).stderr;
        assert!(refused.starts_with("error: Unsupported value: \"Sometimes\""), "{refused}");
    }
}

#[test]
fn utf_16_without_a_byte_order_mark_is_named() {
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        check(
            JOB.encode_utf16().flat_map(bytes).collect::<Vec<u8>>(),
            expect![[r#"
                error: this is UTF-16 without a byte order mark
                 --> job.yaml:1:1
                  |
                1 | apiVersion: batch/v1
                  | ^
                  |
                  = help: save the file as UTF-8

            "#]],
        );
    }
}

#[test]
fn five_megabytes() {
    let annotation = format!("name: pi\n  annotations:\n    big: {}", "x".repeat(5_000_000));
    let folder = Folder::new();
    folder.write("job.yaml", JOB.replace("name: pi", &annotation));
    check_arguments(
        &folder,
        &["run", "job.yaml"],
        expect![[r#"
            error: Too long: may not be more than 262144 bytes
             --> job.yaml:5:3
              |
            5 |   annotations:
              |   ^^^^^^^^^^^ metadata.annotations
              |
              = help: shorten them: together they must not exceed 256 KiB

        "#]],
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = good_folder();
    folder.write("empty.yaml", "");
    check_arguments(
        &folder,
        &["run", "missing.yaml", ".", "job.yaml", "empty.yaml"],
        expect![[r#"
            error: cannot read missing.yaml: No such file or directory (os error 2); check the name
            error: cannot read .: Is a directory (os error 21); pass the files in it
            error: the input is empty
             --> empty.yaml:1:1
              |
            1 |
              | ^
              |
              = help: if it comes from a command, look at the errors of that command

        "#]],
    );
}

#[test]
fn standard_input() {
    let folder = Folder::new();
    folder.write("stdin", JOB.replace("Never", "Sometimes"));
    check_arguments(
        &folder,
        &["run", "-"],
        expect![[r#"
            error: Unsupported value: "Sometimes": supported values: "OnFailure", "Never"
             --> standard input:8:22
              |
            8 |       restartPolicy: Sometimes
              |                      ^^^^^^^^^ spec.template.spec.restartPolicy
              |
              = help: use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod

        "#]],
    );
}
