//! Interruption: by signals, by who does not read, by death; nothing is ever left behind.
//!
//! Docs: Pod Lifecycle, "Termination of Pods"; `jobsmith run --help`. How the processes are held is in `host/node/src/lib.rs`, with tests of
//! their own in `host/node/tests/processes`.

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use core_tests::built::binary;
use expect_test::expect;
use serde_json::json;

use super::{folder, pod};
use crate::program::{Folder, wait_until};

/// Ends with 0 on TERM, after a moment.
const POLITE: &str = "exec 2>/dev/null; trap 'sleep 0.3; echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
/// Ignores whatever can be ignored, and so do its children in sessions of their own.
const STUBBORN: &str =
    "trap '' TERM HUP INT PIPE; setsid sleep 1000 & (setsid sh -c 'sleep 1000; sleep 1000' &); echo ready; while :; do sleep 1; done";

fn endless(script: &str) -> Folder {
    let mut pod = pod(script);
    pod["terminationGracePeriodSeconds"] = 1000.into();
    folder("endless", json!({}), pod)
}

#[test]
fn ctrl_c_deletes_the_jobs_and_lets_the_pods_end() {
    let folder = endless(POLITE);
    let program = folder.start(&["run", "job.yaml"]);
    program.wait_for("| ready");
    program.signal_group("INT");
    let ended = program.end().with_status(130);
    assert_eq!(ended.printed(), ["ready", "bye"]);
    assert!(ended.stdout.contains("job endless: gone"), "{}", ended.stdout);
    expect![[r#"
        note: images are not pulled: commands run with the programs and files of this machine (spec.template.spec.containers[0].image)
        interrupted: deleting the Jobs and waiting up to 16m40s for their pods to end; press Ctrl-C again to kill them
        job endless did not finish: it was deleted because of the interruption
    "#]]
    .assert_eq(&ended.stderr);
    assert!(!ended.stdout.contains("job.batch/") && !ended.stdout.contains("Pods Statuses"), "{}", ended.stdout);
    folder.wait_until_empty();
}

#[test]
fn ctrl_c_twice_kills() {
    let folder = endless(STUBBORN);
    let program = folder.start(&["run", "job.yaml"]);
    program.wait_for("| ready");
    program.signal_group("INT");
    program.wait_for("Terminating");
    program.signal_group("INT");
    let stderr = program.end().with_status(130).stderr;
    assert!(stderr.contains("\npod endless-") && stderr.ends_with(" was killed, because it had not ended yet\n"), "{stderr}");
    folder.wait_until_empty();
}

#[test]
fn term_does_the_same() {
    let folder = endless(POLITE);
    let program = folder.start(&["run", "job.yaml"]);
    program.wait_for("| ready");
    program.signal("TERM");
    assert_eq!(program.end().with_status(143).printed(), ["ready", "bye"]);
    folder.wait_until_empty();
}

#[test]
fn a_lost_terminal_does_the_same() {
    let folder = endless(POLITE);
    // The caller of the tests may have them ignore the signal.
    let program = folder.start_by(Command::new("env").args(["--default-signal=HUP"]).arg(binary()).args(["run", "job.yaml"]));
    program.wait_for("| ready");
    program.signal("HUP");
    assert_eq!(program.end().with_status(129).printed(), ["ready", "bye"]);
    folder.wait_until_empty();
}

#[test]
fn nohup_outlives_the_terminal() {
    let folder = folder("lasting", json!({}), pod("echo ready; sleep 0.7; echo done"));
    let program = folder.start_by(Command::new("nohup").arg(binary()).args(["run", "job.yaml"]));
    program.wait_for("| ready");
    program.signal_group("HUP");
    assert_eq!(program.end().with_status(0).printed(), ["ready", "done"]);
}

#[test]
fn kill_leaves_nothing_behind() {
    let mut pod = pod(STUBBORN);
    pod["terminationGracePeriodSeconds"] = 1000.into();
    let folder = folder("endless", json!({"parallelism": 3, "completions": 3}), pod);
    let program = folder.start(&["run", "job.yaml", "--log-dir", "logs"]);
    let ready = || {
        let logs = fs::read_dir(folder.path().join("logs")).into_iter().flatten().flatten();
        logs.filter(|log| fs::read_to_string(log.path()).is_ok_and(|text| text == "ready\n")).count() == 3
    };
    wait_until(ready, || "three pods are ready".to_owned());
    assert!(folder.alive().len() > 3 * 4, "{:?}", folder.alive());
    program.signal("KILL");
    program.end().with_status(1009);
    folder.wait_until_empty();
}

#[test]
fn a_reader_who_goes_ends_the_run() {
    let folder = endless("echo ready; trap 'exit 0' TERM; while :; do echo more; sleep 0.05; done");
    let mut program = folder.start_piped(&["run", "job.yaml"]);
    wait_until(|| folder.alive().len() > 2, || "the pod runs".to_owned());
    program.close_stdout();
    let ended = program.end().with_status(141);
    assert!(!ended.stderr.contains("panic"), "{}", ended.stderr);
    folder.wait_until_empty();
}

#[test]
fn a_reader_who_does_not_read_does_not_keep_anybody_from_interrupting() {
    let folder = endless("yes");
    let program = folder.start_piped(&["run", "job.yaml"]);
    wait_until(|| folder.alive().len() > 2, || "the pod runs".to_owned());
    // Until the pipe and all that lies before it is full.
    sleep(Duration::from_millis(500));
    program.signal("INT");
    program.wait_for_error("interrupted: ");
    program.signal("INT");
    program.end().with_status(130);
    folder.wait_until_empty();
}
