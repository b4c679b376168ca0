//! `jobsmith explain`, `wait`, `trigger` and `rerun` where there is nothing to do: what is printed, and the exit status.
//!
//! Docs: `jobsmith explain --help`, `jobsmith wait --help`. What is explained is tested beside `host/cluster/src/explain.rs`, what is done on a cluster in
//! `controller/by_hand.rs`.

use crate::program::Folder;

/// A kubeconfig of a cluster where nothing listens.
const NOBODY: &str = r#"{"apiVersion":"v1","kind":"Config","current-context":"here","users":[{"name":"me","user":{}}],
    "clusters":[{"name":"none","cluster":{"server":"http://127.0.0.1:1"}}],
    "contexts":[{"name":"here","context":{"cluster":"none","user":"me","namespace":"team-a"}}]}"#;

fn check(arguments: &str, expected: &str) {
    let folder = Folder::new();
    folder.write("config", NOBODY);
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let ended = folder.run(&arguments).with_status(2);
    assert!(ended.stderr.starts_with(expected) && ended.stdout.is_empty(), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn another_kind_is_refused() {
    check(
        "explain pod/pi",
        "error: invalid value 'pod/pi' for '<job/NAME|cronjob/NAME>': expected a Job or CronJob, not pod; write job/NAME or cronjob/NAME\n",
    );
    check("wait pod/pi", "error: invalid value 'pod/pi' for '<job/NAME>': expected a Job, not pod; write job/NAME\n");
    check("wait job/", "error: invalid value 'job/' for '<job/NAME>': write job/NAME\n");
    check("rerun cronjob/pi", "error: invalid value 'cronjob/pi' for '<job/NAME>': expected a Job, not cronjob; write job/NAME\n");
    check("trigger job/pi", "error: invalid value 'job/pi' for '<cronjob/NAME>': expected a CronJob, not job; write cronjob/NAME\n");
}

#[test]
fn a_cron_job_is_not_waited_for() {
    let refused = "error: invalid value 'cj/pi' for '<job/NAME>': a CronJob never finishes; wait for one of its Jobs: job/NAME\n";
    check("wait cj/pi", refused);
}

#[test]
fn a_cluster_that_cannot_be_reached_is_named() {
    let unreachable = "cannot reach http://127.0.0.1:1: ";
    for command in ["explain job/pi", "wait job/pi", "rerun job/pi", "explain cronjob/pi", "trigger cronjob/pi"] {
        let nowhere = "error: nowhere: No such file or directory (os error 2); pass --kubeconfig a file that ";
        check(&format!("{command} --kubeconfig nowhere"), nowhere);
        let kind = if command.contains("cronjob") { "cronjob" } else { "job" };
        check(&format!("{command} --kubeconfig config"), &format!("error: cannot read {kind} team-a/pi: {unreachable}"));
    }
}
