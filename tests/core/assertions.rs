//! Assertions: which of them a play meets, and what is said of those that it does not.
//!
//! Docs: the language of assertions is described in `script`. Whole traces and statuses are compared in `scenarios.rs`.

use core_tests::native::Native;
use core_tests::scenarios::BOUNDS;
use expect_test::{Expect, expect};
use play::claim::play;
use play::scenario::read;

/// A Job with these fields in its spec and its pod template.
fn job(name: &str, spec: &str) -> String {
    let template = "template: {spec: {restartPolicy: Never, containers: [{name: main, image: none}]}}";
    format!("apiVersion: batch/v1\nkind: Job\nmetadata: {{name: {name}}}\nspec: {{{spec}{template}}}\n---\n")
}

/// A CronJob that is due every minute.
fn cron_job(spec: &str) -> String {
    let template = "jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: none}]}}}}";
    format!("apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: tick}}\nspec: {{schedule: '* * * * *', {spec}{template}}}\n---\n")
}

/// Plays manifests, and shows for each assertion what was seen instead, if it is not met.
fn check(manifest: &str, script: &str, assertions: &str, expected: Expect) {
    let file = format!("## A claim\n```yaml\n{manifest}```\n```script\n{script}\n```\n```expect\n{assertions}\n```\n");
    let scenario = &read(&file).expect("it is a scenario file")[0];
    let played = play(scenario, &[""; 0], Native::default(), BOUNDS).expect("it can be played");
    let first = scenario.expect.as_ref().map_or(0, |block| block.line);
    let shown = (first..).zip(assertions.lines()).map(|(line, text)| {
        let unmet = played.unmet.iter().find(|unmet| unmet.place.0 == line);
        format!("{text}\n{}", unmet.map(|unmet| format!("    {}\n", unmet.seen)).unwrap_or_default())
    });
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn jobs_end_as_expected_or_otherwise() {
    check(
        &[job("good", ""), job("bad", "backoffLimit: 1, ")].concat(),
        "job bad: exit 1 after 2s",
        "Complete
job good: Complete within 6s
job good: Complete within 5s
job good: Complete with SuccessPolicy
job bad: Failed with BackoffLimitExceeded within 1m
job bad: Failed with DeadlineExceeded
job bad: Complete
not finished
job other: Complete",
        expect![[r#"
            Complete
                job bad is Failed at 0:15 (BackoffLimitExceeded)
            job good: Complete within 6s
            job good: Complete within 5s
                job good is Complete at 0:06 (CompletionsReached)
            job good: Complete with SuccessPolicy
                job good is Complete at 0:06 (CompletionsReached)
            job bad: Failed with BackoffLimitExceeded within 1m
            job bad: Failed with DeadlineExceeded
                job bad is Failed at 0:15 (BackoffLimitExceeded)
            job bad: Complete
                job bad is Failed at 0:15 (BackoffLimitExceeded)
            not finished
                job good is Complete at 0:06 (CompletionsReached); job bad is Failed at 0:15 (BackoffLimitExceeded)
            job other: Complete
                there is no job other; there are job good, job bad
        "#]],
    );
    check(
        &[job("stuck", ""), job("gone", ""), job("late", "")].concat(),
        "job stuck: never scheduled\njob gone: runs forever\nat 3s: delete job gone\nat 10s: create job late",
        "not finished
Complete
job late: Complete within 5s
job late: Complete within 6s",
        expect![[r#"
            not finished
                job late is Complete at 0:16 (CompletionsReached)
            Complete
                job stuck has not finished at 0:17, when the play ends; job gone was deleted at 0:03, before it finished
            job late: Complete within 5s
                job late is Complete at 0:16 (CompletionsReached), 6 s after its creation
            job late: Complete within 6s
        "#]],
    );
}

#[test]
fn pods_and_restarts_are_counted() {
    let indexed = job("many", "completionMode: Indexed, completions: 3, parallelism: 2, backoffLimit: 9, ");
    check(
        &indexed,
        "index 1: exit 1 twice",
        "exactly 5 pods
at most 4 pods
at least 6 pods
exactly 2 failed pods
no failed pods
exactly 3 succeeded pods
at most 2 pods at once
at most 1 pod at once
index 1: exactly 3 pods
indexes 0-2: exactly 5 pods
each index: at most 2 pods
each index: at least 1 succeeded pod
each job: exactly 5 pods
exactly 1 Job
no Failed Jobs
no restarts",
        expect![[r#"
            exactly 5 pods
            at most 4 pods
                there were 5 pods
            at least 6 pods
                there were 5 pods
            exactly 2 failed pods
            no failed pods
                there were 2 failed pods
            exactly 3 succeeded pods
            at most 2 pods at once
            at most 1 pod at once
                there were 2 pods at once at 0:00
            index 1: exactly 3 pods
            indexes 0-2: exactly 5 pods
            each index: at most 2 pods
                index 1 of job many had 3 pods
            each index: at least 1 succeeded pod
            each job: exactly 5 pods
            exactly 1 Job
            no Failed Jobs
            no restarts
        "#]],
    );
}

#[test]
fn restarts_and_indexes_without_pods_are_counted() {
    let indexed = job("many", "completionMode: Indexed, completions: 3, parallelism: 2, ");
    let restarted = job("again", "backoffLimit: 9, ").replace("Never", "OnFailure");
    check(
        &restarted,
        "pods: exit 1 twice",
        "exactly 1 pod\nexactly 2 restarts\nat most 1 restart",
        expect![[r#"
            exactly 1 pod
            exactly 2 restarts
            at most 1 restart
                there were 2 restarts
        "#]],
    );
    check(
        &job("spared", "suspend: true, "),
        "",
        "no pods\neach index: no pods\nnot finished",
        expect![[r#"
            no pods
            each index: no pods
                no Job here has indexes: completionMode is not Indexed
            not finished
        "#]],
    );
    check(
        &indexed,
        "index 2: never scheduled",
        "each index: at least 1 succeeded pod\nnot finished",
        expect![[r#"
            each index: at least 1 succeeded pod
                index 2 of job many had 0 succeeded pods
            not finished
        "#]],
    );
}

#[test]
fn runs_of_a_cron_job_are_jobs() {
    check(
        &cron_job(""),
        "run 2: exit 1\nat 200s: end",
        "exactly 3 Jobs
run 1: Complete within 10s
run 2: Complete
cronjob tick run 3: Complete
run 2026-01-01T00:01:00Z: Complete
run 4: Complete
cronjob tick each job: at most 1 pod
cronjob tock: at most 1 pod
Complete",
        expect![[r#"
            exactly 3 Jobs
            run 1: Complete within 10s
            run 2: Complete
                run 2 (job tick-29453762) has not finished at 3:20, when the play ends
            cronjob tick run 3: Complete
            run 2026-01-01T00:01:00Z: Complete
            run 4: Complete
                there is no run 4; there are run 1 (job tick-29453761), run 2 (job tick-29453762), run 3 (job tick-29453763)
            cronjob tick each job: at most 1 pod
                run 2 (job tick-29453762) had 3 pods
            cronjob tock: at most 1 pod
                there is no cronjob tock; there are run 1 (job tick-29453761), run 2 (job tick-29453762), run 3 (job tick-29453763)
            Complete
                run 2 (job tick-29453762) has not finished at 3:20, when the play ends
        "#]],
    );
    check(
        &job("again", ""),
        "pods: runs forever once\nat 7s: delete job again\nat 10s: create job again",
        "Complete within 20s\nexactly 2 Jobs\nno Failed Jobs",
        expect![[r#"
            Complete within 20s
                job again has not finished at 0:12, when the play ends
            exactly 2 Jobs
            no Failed Jobs
        "#]],
    );
    check(
        &cron_job("suspend: true, "),
        "at 5m: end",
        "Complete\nno Jobs",
        expect![[r#"
        Complete
            no Job was created
        no Jobs
    "#]],
    );
}

#[test]
fn work_that_runs_twice_at_once_is_found() {
    let twice = "no Job runs twice at once";
    check(
        &cron_job(""),
        "pods: succeed after 90s\nat 5m: end",
        &format!("{twice}\nat most 1 Job at once"),
        expect![[r#"
            no Job runs twice at once
                pods of run 1 (job tick-29453761) and of run 2 (job tick-29453762) run at once at 2:00.1
            at most 1 Job at once
                there were 2 Jobs at once at 2:00.1
        "#]],
    );
    check(
        &cron_job("concurrencyPolicy: Forbid, "),
        "pods: succeed after 90s\nat 5m: end",
        twice,
        expect![[r#"
        no Job runs twice at once
    "#]],
    );
    let replace = "pods: succeed after 90s, ends 20s after TERM with 143\nat 5m: end";
    check(
        &cron_job("concurrencyPolicy: Replace, "),
        replace,
        twice,
        expect![[r#"
        no Job runs twice at once
            pods of run 1 (job tick-29453761) and of run 2 (job tick-29453762) run at once at 2:00.1
    "#]],
    );
    let deleted = "pods: succeed after 30s, ends 20s after TERM with 143\nat 5s: delete pod one-00001";
    check(
        &job("one", ""),
        deleted,
        twice,
        expect![[r#"
        no Job runs twice at once
            2 pods of job one run at once, more than its parallelism of 1, at 0:15
    "#]],
    );
    check(
        &job("one", "podReplacementPolicy: Failed, "),
        deleted,
        twice,
        expect![[r#"
        no Job runs twice at once
    "#]],
    );
    let indexed = job("many", "completionMode: Indexed, completions: 3, parallelism: 3, ");
    check(
        &indexed,
        &deleted.replace("one-00001", "many-1-00001"),
        twice,
        expect![[r#"
        no Job runs twice at once
            2 pods of index 1 of job many run at once at 0:15
    "#]],
    );
}
