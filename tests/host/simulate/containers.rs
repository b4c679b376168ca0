//! Pods with several containers, and containers that restart in their pod: what is printed of each.
//!
//! Docs: `jobsmith simulate --help`; Pod Lifecycle, "Container restarts". The same with every decision is in `tests/scenarios/job/`.

use expect_test::{Expect, expect};

use crate::program::Folder;

/// The lines about a Job with this pod and its containers, without the decisions, what is printed about its end, and the exit status.
#[track_caller]
fn check(spec: &str, pod: &str, arguments: &[&str], status: i32, expected: Expect) {
    let folder = Folder::new();
    let job = format!(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: pi}}\nspec:\n  {spec}\n  template:\n    spec:\n      {}\n",
        pod.replace('\n', "\n      ")
    );
    folder.write("job.yaml", &job);
    let ended = folder.run(&[&["simulate", "job.yaml"], arguments].concat()).with_status(status);
    let trace = ended.stdout.split("\n\n").next().unwrap_or_default();
    let shown: String = trace.lines().filter(|line| !line.contains(['●', '○'])).map(|line| format!("{}\n", line.trim_start())).collect();
    expected.assert_eq(&format!("{shown}{}", ended.stderr));
}

const RULES: &str = "restartPolicy: Never
containers:
- name: c
  image: c
  restartPolicy: Never
  restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [42]}}]";

#[test]
fn a_sidecar_that_ignores_term_is_killed_and_the_job_is_complete() {
    check(
        "backoffLimit: 0",
        "restartPolicy: Never
terminationGracePeriodSeconds: 20
initContainers: [{name: log, image: shipper, restartPolicy: Always}]
containers: [{name: build, image: builder}]",
        &["-s", "container log: runs forever, ignores TERM", "-s", "container build: succeed after 5s"],
        0,
        expect![[r#"
            0:00 job pi: created
            0:00 pod pi-00001 Pending
            0:00 pod pi-00001: container log started
            0:00 pod pi-00001: container build started
            0:00 pod pi-00001 Ready
            0:05 pod pi-00001: container build exited with code 0 after 5 s
            0:05 pod pi-00001: container log was sent TERM and has until 0:25 to exit
            0:25 pod pi-00001: container log was killed after 25 s (exit code 137)
            0:25 pod pi-00001 Succeeded after 25 s
            0:26 job pi: SuccessCriteriaMet: CompletionsReached
            0:26 job pi: Complete: CompletionsReached
        "#]],
    );
}

#[test]
fn a_regular_container_that_always_restarts_keeps_its_job_from_finishing() {
    check(
        "parallelism: 1",
        "restartPolicy: Never
containers:
- {name: tests, image: tests}
- {name: browser, image: browser, restartPolicy: Always}",
        &["-s", "container tests: succeed after 5s", "-s", "container browser: runs forever"],
        3,
        expect![[r#"
            0:00 job pi: created
            0:00 pod pi-00001 Pending
            0:00 pod pi-00001: container tests started
            0:00 pod pi-00001: container browser started
            0:00 pod pi-00001 Ready
            0:05 pod pi-00001: container tests exited with code 0 after 5 s; container browser keeps the pod running
            job pi will not finish: pod pi-00001 keeps running: container tests ended at 0:05, but container browser is still running, and nothing will end it; make browser a sidecar, an init container with restartPolicy Always: it is stopped once the others have ended
        "#]],
    );
}

#[test]
fn a_container_restarts_by_its_rules() {
    check(
        "backoffLimit: 0",
        RULES,
        &["-s", "start 1: exit 42 after 2s", "-s", "start 2: exit 42 after 2s", "-s", "start 3: succeed after 2s"],
        0,
        expect![[r#"
            0:00 job pi: created
            0:00 pod pi-00001 Pending
            0:00 pod pi-00001 Ready
            0:02 pod pi-00001 Restarted: container c exited with code 42; restarting immediately (start 2)
            0:04 pod pi-00001 CrashLoopBackOff: container c exited with code 42; start 3 at 0:14, back-off of 10 s
            0:14 pod pi-00001 Restarted: start 3 of container c
            0:14 pod pi-00001 Ready
            0:16 pod pi-00001 Succeeded after 16 s
            0:17 job pi: SuccessCriteriaMet: CompletionsReached
            0:17 job pi: Complete: CompletionsReached
            0:17 job pi: 1 pod, 3 starts: all ran to their end
        "#]],
    );
    check(
        "backoffLimit: 0",
        &RULES.replace("Restart,", "RestartAllContainers,"),
        &["-s", "pods: exit 42 after 2s"],
        1,
        expect![[r#"
        0:00 job pi: created
        0:00 pod pi-00001 Pending
        0:00 pod pi-00001 Failed after 0 s: the node cannot read the pod's spec: container c has the restart rule RestartAllContainers, which this node does not carry out
        0:01 job pi: FailureTarget: BackoffLimitExceeded
        0:01 job pi: Failed: BackoffLimitExceeded
    "#]],
    );
}

#[test]
fn starts_are_counted_so_far_where_a_job_does_not_finish() {
    let pod = "restartPolicy: OnFailure
containers: [{name: step, image: step}]";
    check(
        "backoffLimit: 2147483647",
        pod,
        &["-s", "pods: exit 1 after 1s", "--for", "5m"],
        3,
        expect![[r#"
            0:00 job pi: created
            0:00 pod pi-00001 Pending
            0:00 pod pi-00001 Ready
            0:01 pod pi-00001 Restarted: container step exited with code 1; restarting immediately (start 2)
            0:02 pod pi-00001 CrashLoopBackOff: container step exited with code 1; start 3 at 0:12, back-off of 10 s
            0:12 pod pi-00001 Restarted: start 3 of container step
            0:12 pod pi-00001 Ready
            0:13 pod pi-00001 CrashLoopBackOff: container step exited with code 1; start 4 at 0:33, back-off of 20 s
            0:33 pod pi-00001 Restarted: start 4 of container step
            0:33 pod pi-00001 Ready
            0:34 pod pi-00001 CrashLoopBackOff: container step exited with code 1; start 5 at 1:14, back-off of 40 s
            1:14 pod pi-00001 Restarted: start 5 of container step
            1:14 pod pi-00001 Ready
            1:15 pod pi-00001 CrashLoopBackOff: container step exited with code 1; start 6 at 2:35, back-off of 80 s
            2:35 pod pi-00001 Restarted: start 6 of container step
            2:35 pod pi-00001 Ready
            2:36 pod pi-00001 CrashLoopBackOff: container step exited with code 1; start 7 at 5:16, back-off of 2m40s
            job pi: 1 pod, 6 starts: all ran to their end
            job pi has not finished after 5:00 (--for): pod pi-00001 keeps failing to run container step: it ended with exit code 1 and was restarted 5 times; backoffLimit is 2147483647, and there have been 5 restarts: at one every 5 minutes, the limit is out of reach; the next event is due at 5:16
        "#]],
    );
}

#[test]
fn the_last_start_is_stopped_whatever_the_grace_period() {
    let pod = |grace: &str| format!("restartPolicy: OnFailure\ncontainers: [{{name: main, image: a}}]\n{grace}");
    let script = &["-s", "pods: exit 1 after 20s"];
    check(
        "backoffLimit: 1",
        &pod("terminationGracePeriodSeconds: 0"),
        script,
        1,
        expect![[r#"
        0:00 job pi: created
        0:00 pod pi-00001 Pending
        0:00 pod pi-00001 Ready
        0:20 pod pi-00001 Restarted: container main exited with code 1; restarting immediately (start 2)
        0:21 pod pi-00001 Terminating
        0:21 job pi: FailureTarget: BackoffLimitExceeded
        0:21 pod pi-00001: start 2 of container main was killed after 1 s
        0:21 pod pi-00001 gone
        0:22 job pi: Failed: BackoffLimitExceeded
        0:22 job pi: 1 pod, 2 starts: 1 ran to its end, the 2nd was stopped after 1 s
    "#]],
    );
    check(
        "backoffLimit: 1",
        &pod(""),
        script,
        1,
        expect![[r#"
        0:00 job pi: created
        0:00 pod pi-00001 Pending
        0:00 pod pi-00001 Ready
        0:20 pod pi-00001 Restarted: container main exited with code 1; restarting immediately (start 2)
        0:21 pod pi-00001 Terminating
        0:21 job pi: FailureTarget: BackoffLimitExceeded
        0:21 pod pi-00001: start 2 of container main terminated after 1 s (exit code 143)
        0:21 pod pi-00001 Failed with exit code 143 after 21 s
        0:21 pod pi-00001 gone
        0:22 job pi: Failed: BackoffLimitExceeded
        0:22 job pi: 1 pod, 2 starts: 1 ran to its end, the 2nd was stopped after 1 s
    "#]],
    );
    check(
        "backoffLimit: 1",
        &pod(""),
        &["-s", "pods: exit 1 after 20s, ignores TERM"],
        1,
        expect![[r#"
        0:00 job pi: created
        0:00 pod pi-00001 Pending
        0:00 pod pi-00001 Ready
        0:20 pod pi-00001 Restarted: container main exited with code 1; restarting immediately (start 2)
        0:21 pod pi-00001 Terminating
        0:21 job pi: FailureTarget: BackoffLimitExceeded
        0:40 pod pi-00001: start 2 of container main terminated after 20 s (exit code 1)
        0:40 pod pi-00001 Failed with exit code 1 after 40 s
        0:40 pod pi-00001 gone
        0:41 job pi: Failed: BackoffLimitExceeded
        0:41 job pi: 1 pod, 2 starts: 1 ran to its end, the 2nd was stopped after 20 s
    "#]],
    );
}
