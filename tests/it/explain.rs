//! `jobsmith explain` and `jobsmith wait` where there is nothing to explain: what is printed, and the exit status.
//!
//! Docs: `jobsmith explain --help`, `jobsmith wait --help`. What is explained of a Job is tested beside `host/src/explain.rs`.

use crate::program::Folder;

/// A kubeconfig of a cluster that nobody listens at.
const NOBODY: &str = r#"{"apiVersion":"v1","kind":"Config","current-context":"here","users":[{"name":"me","user":{}}],
    "clusters":[{"name":"none","cluster":{"server":"http://127.0.0.1:1"}}],
    "contexts":[{"name":"here","context":{"cluster":"none","user":"me","namespace":"team-a"}}]}"#;

fn check(arguments: &str, expected: &str) {
    for command in ["explain", "wait"] {
        let folder = Folder::new();
        folder.write("config", NOBODY);
        let arguments: Vec<&str> = [command].into_iter().chain(arguments.split(' ')).collect();
        let ended = folder.run(&arguments).with_status(2);
        assert!(ended.stderr.starts_with(expected) && ended.stdout.is_empty(), "{}{}", ended.stdout, ended.stderr);
    }
}

#[test]
fn another_kind_is_refused() {
    check("pod/pi", "error: invalid value 'pod/pi' for '<job/NAME>': pod is not a Job; write job/NAME\n");
    check("job/", "error: invalid value 'job/' for '<job/NAME>': write job/NAME\n");
}

#[test]
fn a_cluster_that_cannot_be_reached_is_named() {
    check("job/pi --kubeconfig nowhere", "error: nowhere: No such file or directory (os error 2); pass --kubeconfig a file that ");
    check("job/pi --kubeconfig config", "error: cannot read job team-a/pi: cannot reach http://127.0.0.1:1: ");
}
