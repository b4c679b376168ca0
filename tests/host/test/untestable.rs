//! What cannot be tested, or is not as it is written: each with its place and what to do.
//!
//! Docs: `jobsmith test --help`, exit status 2.

use expect_test::{Expect, expect};

use super::{GOOD, NIGHTLY, check, claim, folder};
use crate::simulate::JOB;

/// Tests a file with this text.
fn check_file(text: &str, status: i32, expected: Expect) {
    let folder = folder(&[("One", GOOD)]);
    folder.write("nightly.yaml", NIGHTLY);
    folder.write("tests/retry.md", text);
    check(&folder, &["tests/retry.md"], status, expected);
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_others_from_being_tested() {
    let folder = folder(&[("One", GOOD)]);
    folder.write("bytes.md", b"## \xff\n");
    folder.write("empty.md", "");
    check(
        &folder,
        &["nowhere.md", "bytes.md", "empty.md", "tests"],
        2,
        expect![[r#"
        ok      tests/retry.md:3: One

        1 claim passed in 1 file
        error: cannot read nowhere.md: No such file or directory (os error 2); check the name
        error: this is not valid UTF-8
         --> bytes.md:1:4
          |
        1 | ## �
          |    ^
          |
          = help: save the file as UTF-8

        error: empty.md: line 1: no claim: begin each with a heading `## …`, followed by a ```yaml block with a Job
    "#]],
    );
}

#[test]
fn a_claim_needs_a_manifest_and_what_is_expected() {
    check_file(
        &claim("One", ""),
        2,
        expect![[r#"
        FAILED  tests/retry.md:1: One
          tests/retry.md:1: the claim expects nothing: add a block ```expect with, for example, "Complete within 10m"; or an empty block ```trace or ```status, and pass --update

        1 claim failed in 1 file
    "#]],
    );
    check_file(
        "## One\n```expect\nComplete\n```\n",
        2,
        expect![[r#"
        error: tests/retry.md: line 1: the claim has no manifest: add a ```yaml block with a Job, or a ```files block with the paths of manifests
    "#]],
    );
    check_file(
        &claim("One", GOOD).replace("../job.yaml", "job.yaml\n../nightly.yml"),
        2,
        expect![[r#"
            FAILED  tests/retry.md:1: One
              tests/retry.md:4: cannot read tests/job.yaml: No such file or directory (os error 2); check the name; paths begin at the folder of this file
              tests/retry.md:5: cannot read nightly.yml: No such file or directory (os error 2); check the name; paths begin at the folder of this file

            1 claim failed in 1 file
        "#]],
    );
    check_file(
        &[claim("One", GOOD), claim("One", GOOD)].concat(),
        2,
        expect![[r#"
        error: tests/retry.md: line 16: the claim "One" is already on line 1: give it a heading of its own
    "#]],
    );
    check_file(
        &claim("One", GOOD).replace("../job.yaml", "../nightly.yaml"),
        2,
        expect![[r#"
        FAILED  tests/retry.md:1: One
          tests/retry.md:8:1: a claim with a CronJob never ends; end it in its script, as in "at 12m: end"

        1 claim failed in 1 file
    "#]],
    );
    check_file(
        &claim("One", "```expect\n# soon\n```\n"),
        2,
        expect![[r#"
        FAILED  tests/retry.md:1: One
          tests/retry.md:12:1: the block expects nothing; write one a line, as in "Complete within 10m" or "at most 8 pods"

        1 claim failed in 1 file
    "#]],
    );
    check_file(
        &claim("One", "```status\n```\n"),
        1,
        expect![[r#"
        FAILED  tests/retry.md:1: One
          tests/retry.md:12: status: the block is empty, and so it states nothing: --update writes what happens into it
          everything that happens: jobsmith simulate tests/retry.md --claim One

        1 claim failed in 1 file
    "#]],
    );
}

#[test]
fn what_is_wrong_in_a_block_has_its_place_in_the_file() {
    check_file(
        &claim("One", "```expect\nComplete\n  atmost 3 pods\n```\n"),
        2,
        expect![[r#"
        FAILED  tests/retry.md:1: One
          tests/retry.md:13:3: expected an assertion, found "atmost"; write one of: Complete within 10m, Failed with BackoffLimitExceeded, not finished, at most 8 pods, at least 1 failed pod, exactly 3 Jobs, at most 2 pods at once, no restarts, no Job runs twice at once; before it, if it is not about everything: job NAME, cronjob NAME, run N, index N, each job or each index, and a colon

        1 claim failed in 1 file
    "#]],
    );
    check_file(
        &claim("One", GOOD).replace("exit 1 once", "fly"),
        2,
        expect![[r#"
            FAILED  tests/retry.md:1: One
              tests/retry.md:8:7: expected what pods do, found "fly"; write one of: succeed after 5s, exit 1 after 5s, killed by signal 9 after 5s, runs forever, scheduled after 1s, never scheduled, starts after 1s, never starts, ready after 1s, never ready, ends 2s after TERM with 0, ignores TERM, OOMKilled after 5s, message "retry-after 30", evicted after 10s, preempted after 10s, evicted by the kubelet after 10s, condition ConfigIssue after 2s

            1 claim failed in 1 file
        "#]],
    );
    check_file(
        &claim("One", "```status\na: [\n```\n"),
        2,
        expect![[r#"
        FAILED  tests/retry.md:1: One
          tests/retry.md:12:5: a: invalid YAML: did not find expected node content; check this line and the one above it for missing quotes, unclosed brackets or wrong indentation

        1 claim failed in 1 file
    "#]],
    );
    check_file(
        &claim("One", "```status\nsuceeded: 0\n```\n"),
        1,
        expect![[r#"
        FAILED  tests/retry.md:1: One
          tests/retry.md:12: status: unknown field "status.suceeded"; did you mean succeeded?
            --- expected
            +++ actual
            @@ -1 +0,0 @@
            -suceeded: 0
          everything that happens: jobsmith simulate tests/retry.md --claim One

        1 claim failed in 1 file
    "#]],
    );
    let own = format!("## One\n```yaml\n{}```\n```expect\nComplete\n```\n", JOB.replace("backoffLimit", "limit"));
    check_file(
        &own,
        2,
        expect![[r#"
        FAILED  tests/retry.md:1: One
          tests/retry.md:8:3: spec.limit: unknown field "limit"; the fields here are activeDeadlineSeconds, backoffLimit, backoffLimitPerIndex, completionMode, completions, managedBy, manualSelector, maxFailedIndexes, parallelism, podFailurePolicy, podReplacementPolicy, scheduling, selector, successPolicy, suspend, template, ttlSecondsAfterFinished

        1 claim failed in 1 file
    "#]],
    );
}

#[test]
fn a_manifest_that_would_be_refused_is_shown_where_it_is() {
    let folder = folder(&[("One", GOOD), ("Two", GOOD)]);
    folder.write("job.yaml", JOB.replace("backoffLimit: 1", "backoffLimit: -1").replace("restartPolicy: Never", "restartPolicy: Always"));
    check(
        &folder,
        &["tests"],
        2,
        expect![[r#"
        FAILED  tests/retry.md:3: One
          job.yaml:6:17: spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0; use 0 or more
          job.yaml:9:22: spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"; use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod
        FAILED  tests/retry.md:19: Two
          job.yaml:6:17: spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0; use 0 or more
          job.yaml:9:22: spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"; use Never or OnFailure: Never creates a pod for each attempt, OnFailure restarts the container in its pod

        2 claims failed in 1 file
    "#]],
    );
    folder.write("job.yaml", JOB.replace("backoffLimit", "limit"));
    check(
        &folder,
        &["tests"],
        2,
        expect![[r#"
        FAILED  tests/retry.md:3: One
          job.yaml:6:3: spec.limit: unknown field "limit"; the fields here are activeDeadlineSeconds, backoffLimit, backoffLimitPerIndex, completionMode, completions, managedBy, manualSelector, maxFailedIndexes, parallelism, podFailurePolicy, podReplacementPolicy, scheduling, selector, successPolicy, suspend, template, ttlSecondsAfterFinished
        FAILED  tests/retry.md:19: Two
          job.yaml:6:3: spec.limit: unknown field "limit"; the fields here are activeDeadlineSeconds, backoffLimit, backoffLimitPerIndex, completionMode, completions, managedBy, manualSelector, maxFailedIndexes, parallelism, podFailurePolicy, podReplacementPolicy, scheduling, selector, successPolicy, suspend, template, ttlSecondsAfterFinished

        2 claims failed in 1 file
    "#]],
    );
}

#[test]
fn actions_and_rules_without_effect_fail_a_claim() {
    check_file(
        &claim("One", GOOD).replace("exit 1 once", "exit 1 once\nat 1s: evict index 3\nindex 9: exit 1"),
        1,
        expect![[r#"
        FAILED  tests/retry.md:1: One
          tests/retry.md:1: evict index 3: no pod has an index, because no Job has the completionMode Indexed
          tests/retry.md:10:1: no pod matched "index 9: exit 1 after 5s"; no pod has an index, because the completionMode of its Job is not Indexed
          everything that happens: jobsmith simulate tests/retry.md --claim One

        1 claim failed in 1 file
    "#]],
    );
    let stated = "```trace\n! evict index 3: no pod has an index, because no Job has the completionMode Indexed\n```\n";
    check_file(
        &claim("One", stated).replace("exit 1 once", "exit 1 once\nat 1s: evict index 3"),
        0,
        expect![[r#"
        ok      tests/retry.md:1: One

        1 claim passed in 1 file
    "#]],
    );
}

#[test]
fn options_are_refused_that_would_do_nothing() {
    let folder = folder(&[("One", GOOD)]);
    for (arguments, expected) in [
        (
            &["test", "tests/retry.md", "--for", "1m"][..],
            expect![[r#"
            error: unexpected argument '--for' found

              tip: a claim has all of this in its block `script`; `at 3d: end` ends it

            Usage: jobsmith test [OPTIONS] <FILE|DIR>…

            For more information, try '--help'.
        "#]],
        ),
        (
            &["test", "tests/retry.md", "-s", "pods: exit 1"],
            expect![[r#"
            error: unexpected argument '-s' found

              tip: a claim has all of this in its block `script`; `at 3d: end` ends it

            Usage: jobsmith test [OPTIONS] <FILE|DIR>…

            For more information, try '--help'.
        "#]],
        ),
        (
            &["simulate", "tests/retry.md", "--update"],
            expect![[r#"
            error: unexpected argument '--update' found

              tip: `jobsmith test FILE.md --update` rewrites scenario files

            Usage: jobsmith simulate [OPTIONS] <FILE>...

            For more information, try '--help'.
        "#]],
        ),
        (
            &["simulate", "job.yaml", "--claim", "retried"],
            expect![[r#"
            error: --claim chooses a claim of a scenario file (.md): pass one, or leave out --claim
        "#]],
        ),
        (
            &["simulate", "job.yaml", "--save", "a.md", "--from", "2026-03-01"],
            expect![[r#"
            error: the argument '--save <FILE>' cannot be used with '--from <TIME>'

            Usage: jobsmith simulate [OPTIONS] <FILE>...

            For more information, try '--help'.
        "#]],
        ),
        (
            &["test"],
            expect![[r#"
            error: the following required arguments were not provided:
              <FILE|DIR>...

            Usage: jobsmith test [OPTIONS] <FILE|DIR>…

            For more information, try '--help'.
        "#]],
        ),
    ] {
        expected.assert_eq(&folder.run(arguments).with_status(2).stderr);
    }
}
