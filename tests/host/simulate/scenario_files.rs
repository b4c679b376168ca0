//! Scenario files of users: played, compared, and written with what happened.
//!
//! Docs: `jobsmith simulate --help`; `tests/scenarios/README.md`. Those of this project are played in `tests/core/scenarios.rs`.

use expect_test::expect;

use super::JOB;
use crate::program::Folder;

/// A scenario file with one claim, with these blocks.
fn file(blocks: &str) -> Folder {
    let folder = Folder::new();
    let script = "```script\npods: exit 1 once\n```";
    folder.write("retry.md", format!("# Retry\n\n## A failed pod is replaced\n\n```yaml\n{JOB}```\n\n{script}\n\n{blocks}"));
    folder
}

const EMPTY: &str = "```trace\n```\n\n```status\n```\n";

#[test]
fn what_happened_is_written_and_then_expected() {
    let folder = file(EMPTY);
    assert_eq!(folder.run(&["simulate", "retry.md", "-q"]).with_status(1).stdout, "");
    let updated = folder.run(&["simulate", "retry.md", "-q", "--update"]).with_status(0);
    assert_eq!((&*updated.stdout, &*updated.stderr), ("retry.md:3: \"A failed pod is replaced\" updated\n", ""));
    let good = "retry.md:3: \"A failed pod is replaced\" went as expected\n";
    assert_eq!(folder.run(&["simulate", "retry.md", "-q"]).with_status(0).stdout, good);
    let all = folder.run(&["simulate", "retry.md"]).with_status(0).stdout;
    assert!(all.starts_with("## A failed pod is replaced\n") && all.ends_with(&format!("\n{good}\n")), "{all}");
    let lines = folder.run(&["simulate", "retry.md", "-o", "json"]).with_status(0).objects();
    let last = lines.last().expect("there is a line");
    assert_eq!(
        (&last["type"], &last["claim"], &last["asExpected"]),
        (&"scenario".into(), &"A failed pod is replaced".into(), &true.into())
    );
}

#[test]
fn what_differs_is_shown_line_beside_line() {
    let folder = file(EMPTY);
    folder.run(&["simulate", "retry.md", "-q", "--update"]).with_status(0);
    let text = std::fs::read_to_string(folder.path().join("retry.md")).expect("the file is there");
    let changed = text.replacen("job pi: created", "job pi: made", 1).replacen("pod pi-00002 Succeeded", "pod pi-00002 succeeded", 1);
    folder.write("retry.md", changed);
    expect![[r#"
        error: retry.md:25: the trace differs from here on (- expected, + played); --update rewrites it
          -    0:00 job pi: made
          +    0:00 job pi: created
               0:00 ● Starting the Job: startTime is set (J-46)
               0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
               0:00 pod pi-00001 Pending
          … 4 lines are the same
               0:15 ● Creating 1 pod: 0 active, 1 wanted (J-83)
               0:15 pod pi-00002 Pending
               0:15 pod pi-00002 Ready
          -    0:20 pod pi-00002 succeeded after 5 s
          +    0:20 pod pi-00002 Succeeded after 5 s
               0:21 ● The Job succeeds: 1 of 1 completion reached, and no pod is active (J-49)
               0:21 ● Counting pod pi-00002 as succeeded (J-124)
               0:21 job pi: SuccessCriteriaMet: CompletionsReached
          … 2 lines are the same
    "#]]
    .assert_eq(&folder.run(&["simulate", "retry.md", "-q"]).with_status(1).stderr);
}

#[test]
fn all_files_are_read_before_any_is_played() {
    let folder = file(EMPTY);
    folder.write("bad.md", format!("## One\n\n```yaml\n{}```\n\n```script\npods: fly\n```\n", JOB.replace("backoffLimit", "limit")));
    let ended = folder.run(&["simulate", "retry.md", "bad.md", "nowhere.md", "job.yaml"]).with_status(2);
    assert_eq!(ended.stdout, "");
    expect![[r#"
        error: unknown field "limit"
         --> bad.md:9:3
          |
        9 |   limit: 1
          |   ^^^^^ spec.limit
          |
          = help: the fields here are activeDeadlineSeconds, backoffLimit, backoffLimitPerIndex, completionMode, completions, managedBy, manualSelector, maxFailedIndexes, parallelism, podFailurePolicy, podReplacementPolicy, scheduling, selector, successPolicy, suspend, template, ttlSecondsAfterFinished

        error: cannot read nowhere.md: No such file or directory (os error 2); check the name
        error: cannot read job.yaml: No such file or directory (os error 2); check the name
    "#]].assert_eq(&ended.stderr);
    folder.write("job.yaml", JOB);
    let refused = folder.run(&["simulate", "job.yaml", "--update"]).with_status(2).stderr;
    assert_eq!(refused, "error: --update rewrites scenario files (.md): pass one, or leave out --update\n");
}
