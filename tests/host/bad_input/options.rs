//! What is given on the command line beside manifests: actions, scripts, lengths of time, components.
//!
//! Docs: `jobsmith run --help`, `jobsmith simulate --help`.

use expect_test::expect;

use super::{JOB, check_arguments, good_folder};

#[test]
fn actions() {
    let folder = good_folder();
    for (action, expected) in [
        (
            "at 5x: suspend",
            expect![[r#"
                error: invalid duration "5x"
                 --> --do:1:4
                  |
                1 | at 5x: suspend
                  |    ^
                  |
                  = help: write it as "500ms", "90s", "1h30m", "30d" or "1y"

            "#]],
        ),
        (
            "at 5s: scale to many",
            expect![[r#"
                error: invalid number "many"
                 --> --do:1:17
                  |
                1 | at 5s: scale to many
                  |                 ^
                  |
                  = help: write how many pods may run at a time

            "#]],
        ),
        (
            "suspend",
            expect![[r#"
                error: --do "suspend": write a time and an action: 'at 5s: suspend'
            "#]],
        ),
        (
            "at 5s: evict index 1",
            expect![[r#"
                error: "evict index 1" works only in `jobsmith simulate`: here, pods run their commands; --do takes only actions on Jobs and CronJobs, as in 'at 5s: suspend'
            "#]],
        ),
        (
            "pods: succeed after 5s",
            expect![[r#"
                error: "pods" works only in `jobsmith simulate`: here, pods run their commands; --do takes only actions on Jobs and CronJobs, as in 'at 5s: suspend'
            "#]],
        ),
    ] {
        check_arguments(&folder, &["run", "job.yaml", "--do", action], expected);
    }
}

#[test]
fn actions_on_jobs() {
    let folder = good_folder();
    for (action, expected) in [
        (
            "at 5s: set spec.foo=3",
            expect![[r#"
                error: unknown field "spec.foo"
                 --> --do:1:12
                  |
                1 | at 5s: set spec.foo=3
                  |            ^
                  |
                  = help: the fields here are activeDeadlineSeconds, backoffLimit, backoffLimitPerIndex, completionMode, completions, managedBy, manualSelector, maxFailedIndexes, parallelism, podFailurePolicy, podReplacementPolicy, scheduling, selector, successPolicy, suspend, template, ttlSecondsAfterFinished

            "#]],
        ),
        (
            "at 5s: set spec.parallelism=\"2\"",
            expect![[r#"
                error: spec.parallelism: expected a whole number (int32), found text
                 --> --do:1:12
                  |
                1 | at 5s: set spec.parallelism="2"
                  |            ^
                  |
                  = help: write it without quotes: 2

            "#]],
        ),
        (
            "at 5s: suspend job rho",
            expect![[r#"
                error: --do: suspend job rho: job default/rho does not exist; the Jobs are: default/pi
            "#]],
        ),
    ] {
        check_arguments(&folder, &["run", "job.yaml", "--do", action], expected);
    }
    folder.write("rho.yaml", JOB.replace("name: pi", "name: rho"));
    check_arguments(
        &folder,
        &["run", "job.yaml", "rho.yaml", "--do", "at 5s: suspend"],
        expect![[r#"
            error: --do: suspend: there are several Jobs; write "suspend job pi" or "suspend job rho"; for every Job and CronJob, "suspend all"
        "#]],
    );
}

#[test]
fn scripts() {
    let folder = good_folder();
    for (rule, expected) in [
        (
            "pods: fly",
            expect![[r#"
                error: expected what pods do, found "fly"
                 --> --script:1:7
                  |
                1 | pods: fly
                  |       ^
                  |
                  = help: write one of: succeed after 5s, exit 1 after 5s, killed by signal 9 after 5s, runs forever, scheduled after 1s, never scheduled, starts after 1s, never starts, ready after 1s, never ready, ends 2s after TERM with 0, ignores TERM, OOMKilled after 5s, message "retry-after 30", evicted after 10s, preempted after 10s, evicted by the kubelet after 10s, condition ConfigIssue after 2s

            "#]],
        ),
        (
            "at 3s: set spec.backofLimit=3",
            expect![[r#"
            error: unknown field "spec.backofLimit"
             --> --script:1:12
              |
            1 | at 3s: set spec.backofLimit=3
              |            ^
              |
              = help: did you mean backoffLimit?

        "#]],
        ),
        (
            "pods succeed",
            expect![[r#"
                error: expected ":", found "succeed"
                 --> --script:1:6
                  |
                1 | pods succeed
                  |      ^
                  |
                  = help: write a colon after the pods or the time, as in "pods: succeed after 5s" or "at 5s: suspend"

            "#]],
        ),
        (
            "pods: exit 300 after 2s",
            expect![[r#"
                error: invalid number "300"
                 --> --script:1:12
                  |
                1 | pods: exit 300 after 2s
                  |            ^
                  |
                  = help: write an exit code from 0 to 255

            "#]],
        ),
    ] {
        check_arguments(&folder, &["simulate", "job.yaml", "--script", rule], expected);
    }
}

#[test]
fn scripts_without_a_length_of_time() {
    let folder = good_folder();
    for (rule, expected) in [
        (
            "at 12: suspend",
            expect![[r#"
                error: invalid duration "12"
                 --> --script:1:4
                  |
                1 | at 12: suspend
                  |    ^
                  |
                  = help: write it as "500ms", "90s", "1h30m", "30d" or "1y"

            "#]],
        ),
        (
            "index 1: exit 42 after",
            expect![[r#"
                error: expected a duration, found the end of the line
                 --> --script:1:23
                  |
                1 | index 1: exit 42 after
                  |                       ^
                  |
                  = help: write it as "500ms", "90s", "1h30m", "30d" or "1y"

            "#]],
        ),
    ] {
        check_arguments(&folder, &["simulate", "job.yaml", "--script", rule], expected);
    }
}

#[test]
fn files_with_scripts() {
    let folder = good_folder();
    folder.write("rules.txt", "# rules\npods: succeed after 2s\nat 3s: scale to many\n");
    check_arguments(
        &folder,
        &["simulate", "job.yaml", "--script-file", "rules.txt"],
        expect![[r#"
            error: invalid number "many"
             --> rules.txt:3:17
              |
            3 | at 3s: scale to many
              |                 ^
              |
              = help: write how many pods may run at a time

        "#]],
    );
    check_arguments(
        &folder,
        &["simulate", "job.yaml", "--script-file", "missing.txt"],
        expect![[r#"
            error: cannot read missing.txt: No such file or directory (os error 2); check the name
        "#]],
    );
}

#[test]
fn lengths_of_time() {
    let folder = good_folder();
    for (length, expected) in [
        (
            "3parsecs",
            expect![[r#"
                error: invalid value '3parsecs' for '--for <DURATION>': write it as "500ms", "90s", "1h30m", "30d" or "1y"

                For more information, try '--help'.
            "#]],
        ),
        (
            "",
            expect![[r#"
                error: invalid value '' for '--for <DURATION>': write it as "500ms", "90s", "1h30m", "30d" or "1y"

                For more information, try '--help'.
            "#]],
        ),
        (
            "5",
            expect![[r#"
                error: invalid value '5' for '--for <DURATION>': add the unit: "5s"

                For more information, try '--help'.
            "#]],
        ),
        (
            "ten",
            expect![[r#"
                error: invalid value 'ten' for '--for <DURATION>': write it as "500ms", "90s", "1h30m", "30d" or "1y"

                For more information, try '--help'.
            "#]],
        ),
    ] {
        check_arguments(&folder, &["simulate", "job.yaml", "--for", length], expected);
    }
}

#[test]
fn components() {
    let folder = good_folder();
    folder.write("module.wasm", b"\0asm\x01\0\0\0");
    folder.write("empty.wasm", b"\0asm\x0d\0\x01\0");
    for (file, expected) in [
        (
            "missing.wasm",
            expect![[r#"
                error: cannot read missing.wasm: No such file or directory (os error 2); pass --component FILE with the controllers.wasm that `cargo xtask component` builds
            "#]],
        ),
        (
            "job.yaml",
            expect![[r#"
                error: job.yaml is not a jobsmith component: it is not a WebAssembly component; pass --component FILE with the controllers.wasm that `cargo xtask component` builds
            "#]],
        ),
        (
            "module.wasm",
            expect![[r#"
                error: module.wasm is not a jobsmith component: it is not a WebAssembly component; pass --component FILE with the controllers.wasm that `cargo xtask component` builds
            "#]],
        ),
        (
            "empty.wasm",
            expect![[r#"
                error: empty.wasm is not a jobsmith component: it does not export the interface jobsmith:controllers/manager; pass --component FILE with the controllers.wasm that `cargo xtask component` builds
            "#]],
        ),
    ] {
        check_arguments(&folder, &["run", "job.yaml", "--component", file], expected);
    }
}

#[test]
fn a_folder_for_logs_that_cannot_be_made() {
    let folder = good_folder();
    check_arguments(
        &folder,
        &["run", "job.yaml", "--log-dir", "job.yaml/logs"],
        expect![[r#"
            error: cannot create --log-dir job.yaml/logs: Not a directory (os error 20); choose a directory that this user can write to
        "#]],
    );
}

#[test]
fn commands_that_are_misspelled() {
    check_arguments(
        &good_folder(),
        &["rnu", "job.yaml"],
        expect![[r#"
        error: unrecognized subcommand 'rnu'

          tip: a similar subcommand exists: 'run'

        Usage: jobsmith [OPTIONS] [COMMAND]

        For more information, try '--help'.
    "#]],
    );
}
