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
            job pi will not finish: pod pi-00002 has been running since 5:52, and nothing will end it; pod pi-00001 is to be gone by 6:21, but its node, node-1, has not responded since 0:51; end it with --script 'at 355s: exit 0 in pods'
        "#]],
    );
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
        job a/pi will not finish: pod pi-00003 has been running since 1:05:51, and nothing will end it; pod pi-00001 is to be gone by 1:06:20, but its node, node-1, has not responded since 1:00:50; end it with --script 'at 3955s: exit 0 in pods'
        job b/pi will not finish: pod pi-00004 has been running since 1:05:51, and nothing will end it; pod pi-00002 is to be gone by 1:06:20, but its node, node-1, has not responded since 1:00:50; end it with --script 'at 3955s: exit 0 in pods'
    "#]]
    .assert_eq(&(stderr("1m") + &stderr("100h")));
}
