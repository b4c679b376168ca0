//! The forms in which `jobsmith test` prints what went as expected and what did not.
//!
//! Docs: `jobsmith test --help`, `--output`. The form for people is tested in `mod.rs`.

use expect_test::expect;
use serde_json::json;

use super::{GOOD, check, folder};

const BAD: &str = "```expect\nat most 1 pod\n```\n\n```status\nsucceeded: 2\n```\n";

#[test]
fn failures_take_a_line_each() {
    let folder = folder(&[("A failed pod is replaced", GOOD), ("One, at most: 100%", BAD)]);
    check(
        &folder,
        &["tests", "-o", "concise"],
        1,
        expect![[r#"
        tests/retry.md:30:1: expected "at most 1 pod", but there were 2 pods
        tests/retry.md:34: the status differs
        1 claim failed, 1 passed in 1 file
    "#]],
    );
    check(
        &folder,
        &["tests", "-o", "github"],
        1,
        expect![[r#"
        ::error file=tests/retry.md,line=30,col=1,title=One%2C at most%3A 100%25::expected "at most 1 pod", but there were 2 pods
        ::error file=tests/retry.md,line=34,title=One%2C at most%3A 100%25::the status differs%0A--- expected%0A+++ actual%0A@@ -1 +1 @@%0A-succeeded: 2%0A+succeeded: 1
        1 claim failed, 1 passed in 1 file
    "#]],
    );
    check(
        &folder,
        &["tests", "-o", "concise", "--claim", "replaced"],
        0,
        expect![[r#"
        1 claim passed in 1 file
    "#]],
    );
}

#[test]
fn programs_read_reports() {
    let folder = folder(&[("A failed pod is replaced", GOOD), ("One & \"only\"", BAD)]);
    let mut report = folder.run(&["test", "tests", "-o", "json"]).with_status(1).json();
    for claim in report["claims"].as_array_mut().expect("there are claims") {
        assert!(claim["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0 && seconds < 60.0));
        claim["seconds"] = json!(null);
    }
    expect![[r#"
        {
          "claims": [
            {
              "claim": "A failed pod is replaced",
              "failures": [],
              "file": "tests/retry.md",
              "line": 3,
              "outcome": "passed",
              "seconds": null
            },
            {
              "claim": "One & \"only\"",
              "failures": [
                {
                  "column": 1,
                  "difference": null,
                  "file": "tests/retry.md",
                  "line": 30,
                  "message": "expected \"at most 1 pod\", but there were 2 pods"
                },
                {
                  "column": null,
                  "difference": "--- expected\n+++ actual\n@@ -1 +1 @@\n-succeeded: 2\n+succeeded: 1\n",
                  "file": "tests/retry.md",
                  "line": 34,
                  "message": "the status differs"
                }
              ],
              "file": "tests/retry.md",
              "line": 19,
              "outcome": "failed",
              "seconds": null
            }
          ],
          "failed": 1,
          "passed": 1
        }"#]]
    .assert_eq(&format!("{report:#}"));
    let xml = folder.run(&["test", "tests", "-o", "junit"]).with_status(1).stdout;
    let without_times: String = xml.split(" time=\"").enumerate().map(|(at, part)| if at == 0 { part } else { &part[6..] }).collect();
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="tests/retry.md" tests="2" failures="1">
            <testcase classname="tests/retry.md" name="A failed pod is replaced"/>
            <testcase classname="tests/retry.md" name="One &amp; &quot;only&quot;">
              <failure message="tests/retry.md:30:1: expected &quot;at most 1 pod&quot;, but there were 2 pods">tests/retry.md:30:1: expected &quot;at most 1 pod&quot;, but there were 2 pods
        tests/retry.md:34: the status differs
        --- expected
        +++ actual
        @@ -1 +1 @@
        -succeeded: 2
        +succeeded: 1
        </failure>
            </testcase>
          </testsuite>
        </testsuites>
    "#]].assert_eq(&without_times);
}
