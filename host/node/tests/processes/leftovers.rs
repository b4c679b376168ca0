//! Nothing of a container is ever left behind, whatever ends and however.
//!
//! Docs: Pod Lifecycle, "Termination of Pods". How the command itself ends is in `ends.rs`.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use host_node::process::{ProcessEnd, Signal, Stream};

use crate::support::{Node, alive, children, command, marked, marker, parent, run_command, scratch, script, wait_until};

/// Processes in the background, in a session of their own, orphaned by a double fork, and one that holds the output open.
const STRAYS: &str = "sleep 1000 & setsid sleep 1000 & (setsid sleep 1000 >/dev/null 2>&1 &) ; (trap '' TERM HUP; setsid sh -c 'sleep 1000; sleep 1000' &) ; echo ready;";

#[test]
fn the_end_of_the_command_is_the_end_of_all_it_started() {
    let marker = marker();
    let ended = run_command(marked(&marker, &format!("{STRAYS} exit 5")));
    assert_eq!(ended.end, ProcessEnd::Exited(5));
    assert_eq!(alive(&marker), [0; 0]);
}

#[test]
fn killing_a_container_kills_all_it_started() {
    let marker = marker();
    let mut node = Node::new();
    let id = node.start(marked(&marker, &format!("{STRAYS} sleep 1000")));
    node.wait_for_output(id, "ready\n");
    node.processes.signal(id, Signal::Kill);
    assert_eq!(node.wait_for_end(id).end, ProcessEnd::Signaled(9));
    assert_eq!(alive(&marker), [0; 0]);
}

#[test]
fn a_chain_of_processes_that_keep_forking_is_caught() {
    let marker = marker();
    let directory = scratch("chain");
    let chain = script(&directory, "chain", "#!/bin/sh\n[ \"$1\" = 0 ] && echo ready\nsleep 0.001\nsetsid \"$0\" $(($1 + 1)) &\n", "755");
    let mut node = Node::new();
    let id = node.start(marked(&marker, &format!("{chain} 0 & {chain} 0 & {chain} 0 & sleep 1000")));
    node.wait_for_output(id, "ready\n");
    node.processes.signal(id, Signal::Kill);
    assert_eq!(node.wait_for_end(id).end, ProcessEnd::Signaled(9));
    assert_eq!(alive(&marker), [0; 0]);
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn orphans_that_end_are_reaped_while_the_command_runs() {
    let mut node = Node::new();
    let id = node.start(command(&["sh", "-c", "for i in $(seq 50); do (true &); done; echo ready; sleep 1000"]));
    let pid = node.wait_for_start(id);
    node.wait_for_output(id, "ready\n");
    let shim = parent(pid);
    wait_until("the shim has no child but the command", || children(shim).iter().all(|child| *child == pid));
    node.processes.signal(id, Signal::Kill);
    node.wait_for_end(id);
}

#[test]
fn dropping_the_node_kills_everything() {
    let marker = marker();
    let mut node = Node::new();
    for _ in 0..5 {
        let id = node.start(marked(&marker, &format!("{STRAYS} sleep 1000")));
        node.wait_for_output(id, "ready\n");
    }
    drop(node);
    assert_eq!(alive(&marker), [0; 0]);
}

#[test]
fn dropping_the_node_does_not_wait_for_who_receives() {
    let marker = marker();
    let mut node = Node::new();
    let id = node.start(marked(&marker, "yes"));
    node.wait_for_start(id);
    let Node { processes, events } = node;
    let before = Instant::now();
    drop(processes);
    assert!(before.elapsed() < Duration::from_secs(4));
    assert_eq!(alive(&marker), [0; 0]);
    drop(events);
}

#[test]
fn a_node_that_is_killed_leaves_nothing() {
    let marker = marker();
    let directory = scratch("killed-node");
    let mut stand_in = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["leftovers::stand_in_for_a_node", "--exact", "--ignored", "--nocapture"])
        .env("STAND_IN", &directory)
        .env("MARKER", &marker)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the stand-in's containers run", || directory.join("ready").exists());
    assert!(alive(&marker).len() > 10 * 7, "shims and commands are marked");
    stand_in.kill().unwrap();
    stand_in.wait().unwrap();
    wait_until("nothing is left", || alive(&marker).is_empty());
    fs::remove_dir_all(directory).unwrap();
}

#[test]
#[ignore = "it is what another test kills"]
fn stand_in_for_a_node() {
    let Some(directory) = std::env::var_os("STAND_IN") else { return };
    let limit = ["sh", "-c", "ulimit -n"];
    let own = std::process::Command::new(limit[0]).args(&limit[1..]).output().unwrap().stdout;
    let mut node = Node::new();
    let id = node.start(command(&limit));
    assert_eq!(node.wait_for_end(id).text(Stream::Stdout).as_bytes(), own, "commands may open as many files as before");
    for _ in 0..10 {
        let id = node.start(marked(&std::env::var("MARKER").unwrap(), &format!("trap '' TERM HUP INT; {STRAYS} sleep 1000")));
        node.wait_for_output(id, "ready\n");
    }
    fs::write(PathBuf::from(directory).join("ready"), "").unwrap();
    while node.events.recv().is_ok() {}
}

#[test]
fn a_shim_that_is_killed_leaves_nothing() {
    let marker = marker();
    let mut node = Node::new();
    let bystander = node.start(command(&["sh", "-c", "echo ready; sleep 1000"]));
    node.wait_for_output(bystander, "ready\n");
    for _ in 0..5 {
        let id = node.start(marked(&marker, &format!("trap '' TERM HUP INT; {STRAYS} sleep 1000")));
        let pid = node.wait_for_start(id);
        node.wait_for_output(id, "ready\n");
        let shim = parent(pid);
        assert!(std::process::Command::new("kill").args(["-9", &shim.to_string()]).status().unwrap().success());
        assert_eq!(node.wait_for_end(id).end, ProcessEnd::Signaled(9));
        assert_eq!(alive(&marker), [0; 0]);
    }
    node.processes.signal(bystander, Signal::Kill);
    assert_eq!(node.wait_for_end(bystander).end, ProcessEnd::Signaled(9));
}

#[test]
fn a_shim_does_not_go_by_the_name_of_the_program() {
    let mut node = Node::new();
    let id = node.start(command(&["sleep", "1000"]));
    let shim = parent(node.wait_for_start(id));
    for file in ["comm", "cmdline"] {
        let text = fs::read_to_string(format!("/proc/{shim}/{file}")).unwrap();
        assert!(text.contains("container-shim") && !text.contains("jobsmith") && !text.contains("sleep"), "{text}");
    }
}
