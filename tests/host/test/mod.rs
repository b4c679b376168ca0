//! `jobsmith test`: scenario files of users, played, compared, and written with what happened.
//!
//! Docs: `jobsmith test --help`; `tests/scenarios/README.md`. Those of this project are played in `tests/core/scenarios.rs`, too; forms of output are in
//! `formats.rs`, what cannot be tested is in `untestable.rs`, and what `jobsmith simulate` does with scenario files in `simulated.rs`.

mod formats;
mod simulated;
mod untestable;

use core_tests::files::root;
use expect_test::{Expect, expect};

use crate::program::Folder;
use crate::simulate::JOB;

/// A CronJob that is due once a night.
const NIGHTLY: &str = "\
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: 0 2 * * *
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: registry.example/backup:3}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
";

/// A claim about `job.yaml`, whose first pod fails, with these blocks.
fn claim(heading: &str, blocks: &str) -> String {
    format!("## {heading}\n\n```files\n../job.yaml\n```\n\n```script\npods: exit 1 once\n```\n\n{blocks}\n")
}

/// A folder with a Job and a scenario file of claims about it.
fn folder(claims: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("tests/.hidden")).expect("the folder can be written to");
    folder.write("job.yaml", JOB);
    let claims: Vec<String> = claims.iter().map(|(heading, blocks)| claim(heading, blocks)).collect();
    folder.write("tests/retry.md", format!("# Retry\n\n{}", claims.join("\n")));
    folder
}

fn check(folder: &Folder, arguments: &[&str], status: i32, expected: Expect) {
    let ended = folder.run(&[&["test"], arguments].concat()).with_status(status);
    expected.assert_eq(&format!("{}{}", ended.stdout, ended.stderr));
}

/// What is expected of the Job, and so happens.
const GOOD: &str = "```expect\nComplete within 21s\nexactly 2 pods\n```\n";

#[test]
fn each_claim_has_a_line_and_those_that_fail_have_more() {
    let bad = "```expect\nComplete within 10s\nat most 1 pod\n```\n\n```trace\njob pi: created\n0:06 pod pi-00001 Failed with exit code 1 after 5 s\njob pi: Complete: \
               CompletionsReached\n```\n\n```status\nsucceeded: 1\nfailed: 0\nconditions:\n- type: Complete\n  reason: SuccessPolicy\n```\n";
    let folder = folder(&[("A failed pod is replaced", GOOD), ("It's quick", bad)]);
    let expected = expect![[r#"
        ok      tests/retry.md:3: A failed pod is replaced
        FAILED  tests/retry.md:19: It's quick
          tests/retry.md:30:1: expected "Complete within 10s", but job pi is Complete at 0:21 (CompletionsReached)
          tests/retry.md:31:1: expected "at most 1 pod", but there were 2 pods
          tests/retry.md:35: the trace differs
            --- expected
            +++ actual
            @@ -3,7 +3,7 @@
                0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
                0:00 pod pi-00001 Pending
                0:00 pod pi-00001 Ready
            -   0:06 pod pi-00001 Failed with exit code 1 after 5 s
            +   0:05 pod pi-00001 Failed with exit code 1 after 5 s
                0:06 ○ Retrying pod creation at 0:15: back-off of 10 s after 1 consecutive failure (J-84)
                0:06 ● Counting pod pi-00001 as failed with exit code 1: every failed pod counts (J-124)
                0:15 ● Creating 1 pod: 0 active, 1 wanted (J-83)
          tests/retry.md:41: the status differs
            --- expected
            +++ actual
            @@ -1,5 +1,5 @@
             conditions:
            -- reason: SuccessPolicy
            +- reason: CompletionsReached
               type: Complete
            -failed: 0
            +failed: 1
             succeeded: 1
          everything that happens: jobsmith simulate tests/retry.md --claim 'It'\''s quick'

        1 claim failed, 1 passed in 1 file
    "#]];
    check(&folder, &["tests/retry.md"], 1, expected);
    check(
        &folder,
        &["--quiet", "tests", "--claim", "POD replaced"],
        0,
        expect![[r#"
            1 claim passed in 1 file
        "#]],
    );
    let simulated = folder.run(&["simulate", "tests/retry.md", "--claim", "It's quick", "-q"]).with_status(0);
    assert!(simulated.stdout.contains("job pi: Complete at 0:21"), "{}", simulated.stdout);
}

#[test]
fn claims_are_listed_without_a_test() {
    let folder = folder(&[("A failed pod is replaced", GOOD), ("Nothing is expected", "")]);
    check(
        &folder,
        &["tests", "--list"],
        0,
        expect![[r#"
        tests/retry.md:3: A failed pod is replaced
        tests/retry.md:19: Nothing is expected
    "#]],
    );
    check(
        &folder,
        &["tests", "--list", "--claim", "nothing"],
        0,
        expect![[r#"
        tests/retry.md:19: Nothing is expected
    "#]],
    );
}

#[test]
fn of_a_cron_job_everything_is_shown_with_why() {
    let folder = Folder::new();
    let claim = "## Too soon\n\n```files\nnightly.yaml\n```\n\n```script\nat 1d: end\n```\n\n```expect\nrun 1: Complete within 1s\n```\n";
    folder.write("nightly.yaml", NIGHTLY.split("---").next().unwrap_or_default());
    folder.write("nightly.md", claim);
    let hint = "everything that happens: jobsmith simulate nightly.md --claim 'Too soon' --why\n";
    let ended = folder.run(&["test", "nightly.md"]).with_status(1);
    assert!(ended.stdout.contains(hint), "{}", ended.stdout);
    let shown = folder.run(&["simulate", "nightly.md", "--claim", "Too soon", "--why"]).with_status(0);
    assert!(shown.stdout.contains("Creating 1 pod"), "{}", shown.stdout);
}

#[test]
fn what_is_stated_is_rewritten() {
    let some = "```trace\n0:01 pod pi-00001 Failed with exit code 1 after 5 s\njob pi: Complete: CompletionsReached\n```\n\n```status\nsucceeded: 7\n```\n";
    let whole = "```status exact\nfailed: 9\n```\n";
    let unmet = "```expect\nno failed pods\n```\n\n```status\n```\n";
    let folder = folder(&[("Some", some), ("Whole", whole), ("Unmet", unmet)]);
    let before = folder.read("tests/retry.md");
    check(
        &folder,
        &["tests", "--update"],
        1,
        expect![[r#"
            updated tests/retry.md:3: Some
            updated tests/retry.md:23: Whole
            FAILED  tests/retry.md:38: Unmet
              tests/retry.md:49:1: expected "no failed pods", but there was 1 failed pod
              everything that happens: jobsmith simulate tests/retry.md --claim Unmet

            1 claim failed, 2 updated in 1 file
            rewrote 3 claims in tests/retry.md
        "#]],
    );
    expect![[r#"
        -0:01 pod pi-00001 Failed with exit code 1 after 5 s
        -succeeded: 7
        -failed: 9
        +0:05 pod pi-00001 Failed with exit code 1 after 5 s
        +succeeded: 1
        +completionTime: "2026-01-01T00:00:21Z"
        +conditions:
        +- message: Reached expected number of succeeded pods
        +  reason: CompletionsReached
        +  status: "True"
        +  type: SuccessCriteriaMet
        +- message: Reached expected number of succeeded pods
        +  reason: CompletionsReached
        +  status: "True"
        +  type: Complete
        +failed: 1
        +ready: 0
        +startTime: "2026-01-01T00:00:00Z"
        +succeeded: 1
        +terminating: 0
        +uncountedTerminatedPods: {}
        +completionTime: "2026-01-01T00:00:21Z"
        +conditions:
        +- message: Reached expected number of succeeded pods
        +  reason: CompletionsReached
        +  status: "True"
        +  type: SuccessCriteriaMet
        +- message: Reached expected number of succeeded pods
        +  reason: CompletionsReached
        +  status: "True"
        +  type: Complete
        +failed: 1
        +ready: 0
        +startTime: "2026-01-01T00:00:00Z"
        +succeeded: 1
        +terminating: 0
        +uncountedTerminatedPods: {}
    "#]]
    .assert_eq(&differing_lines(&before, &folder.read("tests/retry.md")));
    folder.run(&["test", "tests", "--claim", "some"]).with_status(0);
    folder.run(&["test", "tests", "--claim", "whole"]).with_status(0);
}

#[test]
fn lines_end_as_they_did() {
    let folder = folder(&[("Some", "```status\nfailed: 2\n```\n")]);
    let text = folder.read("tests/retry.md").replace('\n', "\r\n");
    folder.write("tests/retry.md", &text);
    folder.run(&["test", "tests", "-q"]).with_status(1);
    folder.run(&["test", "tests", "-q", "--update"]).with_status(0);
    assert_eq!(folder.read("tests/retry.md"), text.replace("failed: 2", "failed: 1"));
}

/// The lines that one of two texts has and the other does not.
fn differing_lines(before: &str, after: &str) -> String {
    let missing = |sign: &str, of: &str, from: &str| -> String {
        of.lines().filter(|line| !from.lines().any(|other| other == *line)).map(|line| format!("{sign}{line}\n")).collect()
    };
    missing("-", before, after) + &missing("+", after, before)
}

#[test]
fn folders_are_searched_for_files_with_claims() {
    let folder = folder(&[("A failed pod is replaced", GOOD)]);
    folder.write("tests/README.md", "# Tests\n\n## How to write one\n\n````markdown\n```expect\nComplete\n```\n````\n\n```sh\nls\n```\n");
    folder.write("tests/.hidden/broken.md", "```expect\n");
    folder.write("tests/a.txt", "## One\n```expect\n```\n");
    check(
        &folder,
        &["./tests", "tests"],
        0,
        expect![[r#"
            ok      tests/retry.md:3: A failed pod is replaced

            1 claim passed in 1 file
        "#]],
    );
    check(
        &folder,
        &["tests/.hidden", "tests"],
        2,
        expect![[r#"
        ok      tests/retry.md:3: A failed pod is replaced

        1 claim passed in 1 file
        error: tests/.hidden/broken.md: line 1: the block does not end: put ``` on a line of its own
    "#]],
    );
    check(
        &folder,
        &["tests", "--claim", "no such words"],
        2,
        expect![[r#"
        error: no claim has the words "no such words" in its heading: leave out --claim, or write other words
    "#]],
    );
    folder.write("tests/retry.md", "# Nothing\n");
    check(
        &folder,
        &["tests"],
        2,
        expect![[r#"
            error: there are no scenario files here: a scenario file ends in .md and has claims with a block ```expect, ```trace or ```status; `jobsmith simulate FILE --save NAME.md` writes one
        "#]],
    );
}

#[test]
fn a_manifest_by_its_path_is_what_is_tested() {
    let folder = folder(&[("A failed pod is replaced", GOOD)]);
    folder.write("job.yaml", JOB.replace("backoffLimit: 1", "backoffLimit: 0"));
    check(
        &folder,
        &["tests"],
        1,
        expect![[r#"
        FAILED  tests/retry.md:3: A failed pod is replaced
          tests/retry.md:14:1: expected "Complete within 21s", but job pi is Failed at 0:06 (BackoffLimitExceeded)
          tests/retry.md:15:1: expected "exactly 2 pods", but there was 1 pod
          everything that happens: jobsmith simulate tests/retry.md --claim 'A failed pod is replaced'

        1 claim failed in 1 file
    "#]],
    );
}

#[test]
fn the_readme_shows_what_is_printed() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("it is there");
    let (_, sample) = readme.split_once("````markdown\n").expect("it has a scenario file");
    let (file, rest) = sample.split_once("````").expect("the file ends");
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("k8s/tests")).expect("the folder can be written to");
    folder.write("k8s/nightly.yaml", NIGHTLY.replace("backoffLimit: 2", "backoffLimit: 0"));
    folder.write("k8s/tests/nightly.md", file);
    let (_, shown) = rest.split_once("$ jobsmith test k8s/tests/\n").expect("it has a sample");
    let ended = folder.run(&["test", "k8s/tests/"]).with_status(1);
    assert_eq!(shown.split_once("```").expect("the sample ends").0, ended.stdout);
    folder.write("k8s/nightly.yaml", NIGHTLY);
    folder.run(&["test", "k8s/tests/"]).with_status(0);
}

#[test]
fn the_scenarios_of_this_project_go_as_they_say() {
    let scenarios = root().join("tests/scenarios");
    let folder = Folder::new();
    let path = scenarios.to_str().expect("it is text");
    for more in [&["--exact"][..], &[]] {
        let ended = folder.run(&[&["test", path, "--quiet"], more].concat()).with_status(0);
        assert!(ended.stdout.contains(" claims passed in 41 files\n"), "{}", ended.stdout);
    }
}

#[test]
fn nobody_waits_for_what_nobody_reads() {
    let claims: Vec<(String, &str)> = (0..3000).map(|number| (format!("Claim {number}"), GOOD)).collect();
    let claims: Vec<(&str, &str)> = claims.iter().map(|(heading, blocks)| (&**heading, *blocks)).collect();
    let folder = folder(&claims);
    let mut closed = folder.start_piped(&["test", "tests"]);
    closed.close_stdout();
    assert_eq!(closed.end().status, 141);
    let full = folder.start_piped(&["test", "tests"]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    full.signal("TERM");
    assert_eq!(full.end().status, 1015);
}
