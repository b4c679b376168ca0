//! `--default`: annotations that all Jobs have that do not have them themselves.
//!
//! Docs: README, "Beyond Kubernetes". What the annotations ask for is in `tests/scenarios/job/beyond-kubernetes.md`.

use expect_test::expect;

use super::JOB;
use crate::program::{Ended, Folder};

const FAILING: [&str; 4] = ["-s", "pods: exit 1 after 5s", "--default", "jobsmith.dev/retry-delay=1m"];

/// Simulates the Job with this annotation.
fn simulate(annotation: &str, arguments: &[&str]) -> Ended {
    let folder = Folder::new();
    folder.write("job.yaml", JOB.replace("  name: pi\n", &format!("  name: pi\n  annotations: {{{annotation}}}\n")));
    folder.run(&[&["simulate", "job.yaml"], arguments].concat())
}

fn retries(annotation: &str) -> String {
    let ended = simulate(annotation, &FAILING).with_status(1);
    ended.stdout.lines().filter(|line| line.contains("Retrying")).map(|line| format!("{}\n", line.trim_start())).collect()
}

#[test]
fn a_job_has_them_unless_it_says_otherwise() {
    expect![[r#"
        0:06 ○ Retrying pod creation at 1:05: the annotation jobsmith.dev/retry-delay (by default) asks for 60 s after 1 consecutive failure (X-8)
    "#]]
    .assert_eq(&retries(""));
    expect![[r#"
        0:06 ○ Retrying pod creation at 2:05: the annotation jobsmith.dev/retry-delay asks for 2m after 1 consecutive failure (X-8)
    "#]]
    .assert_eq(&retries("jobsmith.dev/retry-delay: 2m"));
    expect![[r#"
        0:06 ○ Retrying pod creation at 0:15: back-off of 10 s after 1 consecutive failure (J-84)
    "#]]
    .assert_eq(&retries("jobsmith.dev/retry-delay: ''"));
}

#[test]
fn those_that_mean_nothing_are_refused() {
    let refused = |default: &str| simulate("", &["--default", default]).with_status(2).stderr;
    expect![[r#"
        error: cannot configure the component: invalid configuration: job.defaults: annotation jobsmith.dev/retry-delay, line 1, column 1: `30` has no unit; write a delay from 1s to 24h, as in `90s`, `5m` or `1h30m`
    "#]].assert_eq(&refused("jobsmith.dev/retry-delay=30"));
    expect![[r#"
        error: cannot configure the component: invalid configuration: job.defaults: "jobsmith.dev/retry-delays" cannot have a default; choose from jobsmith.dev/on-failure, jobsmith.dev/on-pending, jobsmith.dev/retry-delay, jobsmith.dev/retry-jitter, jobsmith.dev/retry-within, jobsmith.dev/attempt-env, jobsmith.dev/start-rate, jobsmith.dev/hold
    "#]].assert_eq(&refused("jobsmith.dev/retry-delays=30s"));
    expect![[r#"
        error: invalid value 'jobsmith.dev/retry-delay' for '--default <KEY=VALUE>': it has no value; write it as in jobsmith.dev/retry-delay=30s

        For more information, try '--help'.
    "#]].assert_eq(&refused("jobsmith.dev/retry-delay"));
}
