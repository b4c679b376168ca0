//! Jobs that do not finish in a simulation: why, and what is printed of them.
//!
//! Docs: `jobsmith simulate --help`, exit statuses 3 and 141. The reasons are found in `play::standstill`.

use expect_test::{Expect, expect};

use super::{JOB, simulate};
use crate::program::Folder;

/// What is printed of a Job that does not finish.
#[track_caller]
fn check_unfinished(arguments: &[&str], expected: Expect) {
    expected.assert_eq(&simulate(arguments).with_status(3).stderr);
}

#[test]
fn a_job_that_does_not_finish_has_a_reason() {
    check_unfinished(
        &["-s", "pods: runs forever"],
        expect![[r#"
            job pi will not finish: pod pi-00001 has been running since 0:00, and nothing will end it; end it with --script 'at 5s: exit 0 in pods'
        "#]],
    );
    check_unfinished(
        &["-s", "pods: runs forever", "-s", "at 12s: set spec={\"parallelism\": 4, \"backoffLimit\": 2}"],
        expect![[r#"
            job pi will not finish: pod pi-00001 has been running since 0:00, and nothing will end it; end it with --script 'at 15s: exit 0 in pods'
        "#]],
    );
    check_unfinished(
        &["-s", "pods: never scheduled"],
        expect![[r#"
            job pi will not finish: pod pi-00001 has been unschedulable since 0:00: no node matches the pod
        "#]],
    );
    check_unfinished(
        &["-s", "pods: never starts"],
        expect![[r#"
            job pi will not finish: pod pi-00001 cannot pull the image of container main (ImagePullBackOff since 0:00): the image "perl" cannot be pulled
        "#]],
    );
    check_unfinished(
        &["-s", "pods: exit 1 after 1s", "-s", "at 0s: scale to 0"],
        expect![[r#"
            job pi will not finish: parallelism is 0, so it may have no pods; scale it with --script 'at 5s: scale to 1'
        "#]],
    );
    check_unfinished(
        &["-s", "pods: exit 1 after 1s", "-s", "at 12s: suspend"],
        expect![[r#"
            job pi will not finish: it has been suspended since 0:12; resume it with --script 'at 15s: resume'
        "#]],
    );
    check_unfinished(
        &["-s", "pods: runs forever", "-s", "at 1s: lose node"],
        expect![[r#"
            job pi will not finish: pod pi-00002 has been running since 5:52, and nothing will end it; pod pi-00001 should be gone by 6:21, but its node, node-1, has not responded since 0:51; end it with --script 'at 355s: exit 0 in pods'
        "#]],
    );
}

#[test]
fn pods_that_are_invalid_are_not_refused_for_a_year() {
    let folder = Folder::new();
    folder.write("job.yaml", JOB.replace("image: perl", "image: ' perl'"));
    let refused = |rules: &[&str]| folder.run(&[&["simulate", "job.yaml"], rules].concat()).with_status(3);
    let ended = refused(&[]);
    assert!(ended.stdout.lines().count() < 20, "{}", ended.stdout);
    expect!["job pi will not finish: waiting until 0:01 before creating pods again, after 1 failed request"]
        .assert_eq(ended.stderr.lines().last().unwrap_or_default());
    assert!(refused(&["-s", "at 1h: suspend"]).stderr.contains("it has been suspended since 1:00:00"), "actions are waited for");
}

#[test]
fn containers_that_keep_failing_and_end_no_job_are_not_played_for_a_year() {
    let folder = Folder::new();
    let job = |spec: &str| folder.write("job.yaml", JOB.replace("backoffLimit: 1", spec).replace("Never", "OnFailure"));
    let shown = |rules: &[&str], status: i32| {
        let rules: Vec<&str> = rules.iter().flat_map(|rule| ["-s", rule]).collect();
        let ended = folder.run(&[&["simulate", "job.yaml"], &rules[..]].concat()).with_status(status);
        let last = ended.stdout.lines().last().unwrap_or_default().to_owned();
        format!("{last}\n{}", ended.stderr)
    };
    job("backoffLimit: 1000000");
    expect![[r#"
           5:17 pod pi-00001 CrashLoopBackOff: container main exited with code 1; start 8 at 10:17, back-off of 5m
        job pi: 1 pod, 7 starts: all ran to their end
        job pi will not finish: pod pi-00001 keeps failing to run container main: it ended with exit code 1 and was restarted 6 times; backoffLimit is 1000000, and there have been 6 restarts: at one every 5 minutes, the limit is out of reach; lower backoffLimit, or delete the Job
    "#]].assert_eq(&shown(&["pods: exit 1 after 1s"], 3));
    expect![[r#"
        job pi: Complete at 30:23: 1 pod succeeded after 11 restarts
    "#]]
    .assert_eq(&shown(&["start 12: succeed after 1s", "pods: exit 1 after 1s"], 0));
    expect![[r#"
        4:00:00 pod pi-00001 gone
        exit 0 in pods: no pod matches
        job pi did not finish: it was deleted
    "#]]
    .assert_eq(&shown(&["pods: exit 1 after 1s", "at 3h: exit 0 in pods", "at 4h: delete job pi"], 3));
    job("backoffLimit: 20");
    expect![[r#"
        job pi: Failed at 1:15:32: 1 pod failed (exit 1); backoffLimit 20, which counts restarts
    "#]]
    .assert_eq(&shown(&["pods: exit 1 after 1s"], 1));
    job("backoffLimitPerIndex: 3\n  completionMode: Indexed\n  completions: 2\n  parallelism: 2");
    expect![[r#"
        1:00:00 pod pi-1-00001 Succeeded after 1h
        warning: backoffLimitPerIndex counts failed pods, and with restartPolicy OnFailure a container that fails restarts in its pod: an index can restart without end
          --> job.yaml:12:22
           |
        12 |       restartPolicy: OnFailure
           |                      ^^^^^^^^^ spec.template.spec.restartPolicy
           |
           = help: set restartPolicy to Never

        job pi: 2 pods, 18 starts: all ran to their end
        job pi will not finish: pod pi-0-00001 keeps failing to run container main: it ended with exit code 1 and was restarted 16 times; backoffLimitPerIndex does not count restarts in place, so they never end; create the Job again with restartPolicy Never
    "#]].assert_eq(&shown(&["index 0: exit 1 after 1s", "index 1: succeed after 1h"], 3));
    job("backoffLimit: 1000000\n  activeDeadlineSeconds: 7200");
    expect![[r#"
        job pi: Failed at 2:00:01: 1 pod failed (exit 1); the Job was active for longer than activeDeadlineSeconds (7200)
    "#]]
    .assert_eq(&shown(&["pods: exit 1 after 1s"], 1));
}

#[test]
fn programs_are_shown_why_a_job_does_not_finish_or_has_failed() {
    let status = |rule: &str, status: i32| {
        let ended = simulate(&["-s", rule, "-o", "json"]).with_status(status);
        ended.objects().into_iter().find(|line| line["type"] == "status").expect("each Job has a status")
    };
    let stuck = status("pods: never starts", 3);
    assert_eq!((&stuck["obstacles"][0]["code"], &stuck["obstacles"][0]["passes"]), (&"ImageNotPulled".into(), &false.into()), "{stuck}");
    let failed = status("pods: exit 3 after 1s", 1);
    assert_eq!((&failed["ending"]["limit"], &failed["ending"]["pods"][0]["how"]), (&"backoffLimit 1".into(), &"exit 3".into()), "{failed}");
}

#[test]
fn a_simulation_stops_at_its_limit_and_shows_when_more_is_due() {
    check_unfinished(
        &["-s", "pods: succeed after 2m", "--for", "1m"],
        expect![[r#"
            job pi has not finished after 1:00 (--for); the next event is due at 2:00
        "#]],
    );
    check_unfinished(
        &["-s", "pods: exit 1 after 1s", "-s", "at 0s: suspend", "-s", "at 2m: resume", "--for", "1m"],
        expect![[r#"
            job pi has not finished after 1:00 (--for): it has been suspended since 0:00; the next event is due at 2:00
        "#]],
    );
}

#[test]
fn a_job_that_is_deleted_has_not_finished() {
    for action in ["at 0s: delete job pi", "at 1s: delete job pi", "at 1s: delete job pi foreground"] {
        assert_eq!(simulate(&["-s", action, "-s", "pods: runs forever"]).with_status(3).stderr, "job pi did not finish: it was deleted\n");
    }
    let late = simulate(&["-s", "pods: succeed after 1s", "-s", "at 5s: delete job pi"]).with_status(0).stderr;
    assert_eq!(late, "note: job pi was deleted after it had finished; it is shown as it was before\n");
}

#[test]
fn a_reader_who_goes_ends_the_simulation() {
    let folder = Folder::new();
    folder.write("job.yaml", JOB.replace("backoffLimit: 1", "completions: 2000000000\n  parallelism: 2"));
    let mut program = folder.start_piped(&["simulate", "job.yaml"]);
    program.close_stdout();
    program.end().with_status(141);
}

#[test]
fn jobs_of_one_name_are_named_with_their_namespaces() {
    let folder = Folder::new();
    let job = |namespace: &str| JOB.replace("  name: pi", &format!("  name: pi\n  namespace: {namespace}"));
    folder.write("job.yaml", format!("{}---\n{}", job("a"), job("b")));
    let stderr = |limit: &str| {
        folder.run(&["simulate", "job.yaml", "-s", "pods: runs forever", "-s", "at 1h: lose node", "--for", limit]).with_status(3).stderr
    };
    expect![[r#"
        job a/pi has not finished after 1:00 (--for); the next event is due at 1:00:00
        job b/pi has not finished after 1:00 (--for); the next event is due at 1:00:00
        job a/pi will not finish: pod pi-00003 has been running since 1:05:51, and nothing will end it; pod pi-00001 should be gone by 1:06:20, but its node, node-1, has not responded since 1:00:50; end it with --script 'at 3955s: exit 0 in pods'
        job b/pi will not finish: pod pi-00004 has been running since 1:05:51, and nothing will end it; pod pi-00002 should be gone by 1:06:20, but its node, node-1, has not responded since 1:00:50; end it with --script 'at 3955s: exit 0 in pods'
    "#]]
    .assert_eq(&(stderr("1m") + &stderr("100h")));
}
