//! Scenario files in `jobsmith simulate`: a claim is simulated as what it has, and what was simulated is saved as a claim.
//!
//! Docs: `jobsmith simulate --help`, `--claim` and `--save`. Claims are tested in `mod.rs`.

use expect_test::{Expect, expect};

use super::{GOOD, NIGHTLY, folder};
use crate::program::Folder;
use crate::simulate::JOB;

#[test]
fn one_claim_is_simulated_with_its_script() {
    let folder = folder(&[("A failed pod is replaced", GOOD), ("Another pod is replaced", GOOD)]);
    let check = |words: &[&str], expected: Expect| {
        let ended = folder.run(&[&["simulate", "tests/retry.md", "-q"], words].concat()).with_status(2);
        assert_eq!(ended.stdout, "");
        expected.assert_eq(&ended.stderr);
    };
    check(
        &[],
        expect![[r#"
        error: tests/retry.md has several claims: choose one with --claim WORDS, or test all with `jobsmith test tests/retry.md`:
          3: A failed pod is replaced
          19: Another pod is replaced
    "#]],
    );
    check(
        &["--claim", "pod"],
        expect![[r#"
        error: tests/retry.md has several claims with these words; write more words with --claim:
          3: A failed pod is replaced
          19: Another pod is replaced
    "#]],
    );
    check(
        &["--claim", "index"],
        expect![[r#"
        error: tests/retry.md has no claim with these words; its claims are:
          3: A failed pod is replaced
          19: Another pod is replaced
    "#]],
    );
    let ended = folder.run(&["simulate", "tests/retry.md", "--claim", "failed", "-s", "pods: OOMKilled", "-q"]).with_status(1);
    expect![[r#"
        job pi: Failed at 0:21: 2 pods failed (2 × OOMKilled); backoffLimit 1
    "#]]
    .assert_eq(&ended.stdout);
    let plain = folder.run(&["simulate", "job.yaml", "-s", "pods: exit 1 once", "--why"]).with_status(0);
    assert_eq!(folder.run(&["simulate", "tests/retry.md", "--claim", "failed", "--why"]).with_status(0).stdout, plain.stdout);
}

#[test]
fn what_is_wrong_in_a_claim_has_its_place_in_the_file() {
    let folder = Folder::new();
    folder.write("a.md", format!("## One\n```files\nnowhere.yaml\n```\n```yaml\n{JOB}```\n```script\npods: fly\n```\n"));
    expect![[r#"
        error: a.md:3: cannot read nowhere.yaml: No such file or directory (os error 2); check the name
    "#]]
    .assert_eq(&folder.run(&["simulate", "a.md"]).with_status(2).stderr);
    folder.write("a.md", format!("## One\n```yaml\n{}```\n```script\npods: fly\n```\n", JOB.replace("backoffLimit", "limit")));
    expect![[r#"
        error: unknown field "limit"
         --> a.md:8:3
          |
        8 |   limit: 1
          |   ^^^^^ spec.limit
          |
          = help: the fields here are activeDeadlineSeconds, backoffLimit, backoffLimitPerIndex, completionMode, completions, managedBy, manualSelector, maxFailedIndexes, parallelism, podFailurePolicy, podReplacementPolicy, scheduling, selector, successPolicy, suspend, template, ttlSecondsAfterFinished

    "#]].assert_eq(&folder.run(&["simulate", "a.md"]).with_status(2).stderr);
    folder.write("a.md", format!("## One\n```yaml\n{JOB}```\n```script\npods: fly\n```\n"));
    expect![[r#"
        error: expected what pods do, found "fly"
          --> a.md:17:7
           |
        17 | pods: fly
           |       ^
           |
           = help: write one of: succeed after 5s, exit 1 after 5s, killed by signal 9 after 5s, runs forever, scheduled after 1s, never scheduled, starts after 1s, never starts, ready after 1s, never ready, ends 2s after TERM with 0, ignores TERM, OOMKilled after 5s, message "retry-after 30", evicted after 10s, preempted after 10s, evicted by the kubelet after 10s, condition ConfigIssue after 2s

    "#]].assert_eq(&folder.run(&["simulate", "a.md"]).with_status(2).stderr);
}

/// Saves a simulation with these arguments, and tests what was saved.
fn check_saved(folder: &Folder, arguments: &[&str], status: i32) -> String {
    let ended = folder.run(&[&["simulate", "-q", "--save", "tests/saved.md"], arguments].concat()).with_status(status);
    assert!(ended.stderr.contains("note: saved the claim "), "{}", ended.stderr);
    folder.run(&["test", "tests/saved.md"]).with_status(0);
    folder.run(&["test", "tests/saved.md", "--exact"]).with_status(0);
    folder.read("tests/saved.md")
}

#[test]
fn what_was_simulated_is_saved_as_a_claim() {
    let folder = folder(&[("One", GOOD)]);
    expect![[r##"
        # Job pi

        ## With pods: exit 1 after 5s once

        ```files
        ../job.yaml
        ```

        ```script
        pods: exit 1 after 5s once
        ```

        ```expect
        Complete within 21s
        at most 2 pods
        ```

        ```trace exact
           0:00 job pi: created
           0:00 ● Starting the Job: startTime is set (J-46)
           0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
           0:00 pod pi-00001 Pending
           0:00 pod pi-00001 Ready
           0:05 pod pi-00001 Failed with exit code 1 after 5 s
           0:06 ○ Retrying pod creation at 0:15: back-off of 10 s after 1 consecutive failure (J-84)
           0:06 ● Counting pod pi-00001 as failed with exit code 1: every failed pod counts (J-124)
           0:15 ● Creating 1 pod: 0 active, 1 wanted (J-83)
           0:15 pod pi-00002 Pending
           0:15 pod pi-00002 Ready
           0:20 pod pi-00002 Succeeded after 5 s
           0:21 ● The Job succeeds: 1 of 1 completion reached, and no pod is active (J-49)
           0:21 ● Counting pod pi-00002 as succeeded (J-124)
           0:21 job pi: SuccessCriteriaMet: CompletionsReached
           0:21 ● The Job is Complete (CompletionsReached) (J-127)
           0:21 job pi: Complete: CompletionsReached
        ```

        ```status exact
        completionTime: "2026-01-01T00:00:21Z"
        conditions:
        - message: Reached expected number of succeeded pods
          reason: CompletionsReached
          status: "True"
          type: SuccessCriteriaMet
        - message: Reached expected number of succeeded pods
          reason: CompletionsReached
          status: "True"
          type: Complete
        failed: 1
        ready: 0
        startTime: "2026-01-01T00:00:00Z"
        succeeded: 1
        terminating: 0
        uncountedTerminatedPods: {}
        ```
    "##]]
    .assert_eq(&check_saved(&folder, &["job.yaml", "-s", "pods: exit 1 once"], 0));
    let text = check_saved(&folder, &["job.yaml", "-s", "pods: exit 1", "--claim", "Two failures are too many"], 1);
    assert!(text.contains("\n\n## Two failures are too many\n"), "{text}");
    let text = check_saved(&folder, &["job.yaml", "-s", "pods: exit 1 once"], 0);
    assert!(text.contains("## With pods: exit 1 after 5s once (2)\n"), "{text}");
    let text = check_saved(&folder, &["job.yaml", "-s", "pods: runs forever", "--for", "1m"], 3);
    assert!(text.contains("\nat 1m: end\n```\n\n```expect\nnot finished\nat most 1 pod\n"), "{text}");
}

#[test]
fn cron_jobs_sessions_and_claims_are_saved_too() {
    let folder = folder(&[("One", GOOD)]);
    folder.write("nightly.yaml", NIGHTLY);
    let text = check_saved(&folder, &["nightly.yaml", "job.yaml", "-s", "run 2: exit 1"], 1);
    expect![[r#"
        # CronJob nightly, Job pi

        ## With run 2: exit 1 after 5s

        ```files
        ../nightly.yaml
        ../job.yaml
        ```

        ```script
        run 2: exit 1 after 5s
        at 50h10m: end
        ```

        ```expect
        job pi: Complete within 6s
        cronjob nightly run 1: Complete within 6s
        cronjob nightly run 2: Failed with BackoffLimitExceeded within 46s
        cronjob nightly run 3: Complete within 6s
        at most 6 pods
        ```

    "#]]
    .assert_eq(text.split_once("```trace").expect("it has a trace").0);
    let text = check_saved(&folder, &["nightly.yaml", "--for", "30d"], 0);
    assert!(
        text.contains("\nat 720h: end\n```\n\n```expect\nexactly 30 Jobs\nexactly 30 Complete Jobs\nno Failed Jobs\nat most 30 pods\n"),
        "{text}"
    );
    folder.write("stdin", NIGHTLY);
    let text = check_saved(&folder, &["-"], 0);
    assert!(text.contains("```yaml\napiVersion: batch/v1\nkind: CronJob\n"), "{text}");
    let text = check_saved(&folder, &["tests/retry.md"], 0);
    assert!(text.contains("## One\n\n```files\n../job.yaml\n```\n"), "{text}");
    folder.write(
        "a.jobsmith",
        r#"{"version": 1, "manifest": "MANIFEST", "script": "pods: exit 1 once"}"#.replace("MANIFEST", &JOB.replace('\n', "\\n")),
    );
    check_saved(&folder, &["a.jobsmith"], 0);
}

/// What is wrong with a claim that would not go as expected.
const IDLE: &str = "error: cannot write a.md: a scenario cannot have this: no pod matched \"index 9: exit 1 after 5s\"; no pod has an index, because the completionMode \
                    of its Job is not Indexed\n";

#[test]
fn nothing_is_written_over_and_nothing_that_would_fail() {
    let folder = folder(&[("One", GOOD)]);
    let notes = "# Notes\n\nBuy milk.\n";
    folder.write("notes.md", notes);
    let check = |target: &str, manifest: &str, expected: Expect| {
        expected.assert_eq(&folder.run(&["simulate", "-q", manifest, "--save", target]).with_status(2).stderr);
    };
    check(
        "notes.md",
        "job.yaml",
        expect![[r#"
        error: notes.md: line 1: no claim: begin each with a heading `## …`, followed by a ```yaml block with a Job
    "#]],
    );
    assert_eq!(folder.read("notes.md"), notes);
    let idle = folder.run(&["simulate", "-q", "job.yaml", "-s", "index 9: exit 1", "--save", "a.md"]).with_status(2).stderr;
    assert!(idle.ends_with(IDLE), "{idle}");
    assert!(!folder.path().join("a.md").exists());
    check(
        "notes.txt",
        "job.yaml",
        expect![[r#"
        error: --save notes.txt: a scenario file ends in .md: name it so
    "#]],
    );
    check(
        "nowhere/a.md",
        "job.yaml",
        expect![[r#"
        error: cannot write nowhere/a.md: No such file or directory (os error 2)
    "#]],
    );
    folder.write("found.yaml", JOB.replace("  name: pi", "  name: pi\n  uid: 6d1c8f9e-0000-4000-8000-000000000001"));
    check(
        "a.md",
        "found.yaml",
        expect![[r#"
        error: --save a.md: a scenario begins with manifests, and these are objects of a cluster: save the manifest without `status` and `metadata.uid`
    "#]],
    );
}
