//! What local processes print, and the log files that keep it.
//!
//! Docs: Logging Architecture, "Pod and container logs". How processes end is in `ends.rs`.

use std::fs;

use host_node::log;
use host_node::process::{ProcessEnd, ProcessEvent, Processes, Signal, Stream};

use crate::support::{Node, command, run, scratch, shim, wait_until};

#[test]
fn commands_go_on_when_nobody_receives() {
    let directory = scratch("unreceived");
    let (mut processes, events) = Processes::new(shim()).unwrap();
    drop(events);
    let file = log::path(&directory, "pod", "main");
    processes.start(command(&["sh", "-c", "seq 1000000"]), Some(file.clone())).unwrap();
    wait_until("all is in the log", || fs::read(&file).is_ok_and(|text| text.ends_with(b"\n1000000\n")));
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_hundred_megabytes_arrive_whole() {
    let mut node = Node::new();
    let id = node.start(command(&["sh", "-c", "yes 'a line of thirty-two characters' | head -c 100000000"]));
    let mut bytes = 0;
    loop {
        match node.next() {
            ProcessEvent::Output { lines, .. } => {
                assert!(lines.len() <= 2 * 64 * 1024);
                bytes += lines.len();
            }
            ProcessEvent::Exited { end, .. } => break assert_eq!(end, ProcessEnd::Exited(0)),
            ProcessEvent::Started { .. } => {}
            other @ ProcessEvent::LogLost { .. } => panic!("{other:?}"),
        }
    }
    assert_eq!(bytes, 100_000_000);
    node.processes.signal(id, Signal::Kill);
}

#[test]
fn a_megabyte_without_a_newline() {
    let ended = run(&["sh", "-c", "head -c 1000000 /dev/zero"]);
    assert_eq!(ended.end, ProcessEnd::Exited(0));
    let bytes: Vec<u8> = ended.output.iter().flat_map(|(_, lines)| lines.clone()).collect();
    assert_eq!((bytes.len(), bytes.iter().filter(|byte| **byte == 0).count()), (1_000_001, 1_000_000));
    assert!(ended.output.iter().all(|(_, lines)| lines.len() <= 2 * 64 * 1024));
}

#[test]
fn both_streams_and_a_last_line_without_a_newline() {
    let ended = run(&["sh", "-c", "echo one; echo two >&2; printf three; printf '\\377' >&2"]);
    assert_eq!(ended.text(Stream::Stdout), "one\nthree\n");
    let stderr: Vec<u8> =
        ended.output.iter().filter(|(stream, _)| *stream == Stream::Stderr).flat_map(|(_, lines)| lines.clone()).collect();
    assert_eq!(stderr, b"two\n\xff\n");
}

#[test]
fn a_log_file_is_continued_over_restarts() {
    let directory = scratch("log");
    let file = log::path(&directory, "pi-0-abcde", "main");
    let mut node = Node::new();
    for run in 1..=3 {
        let id = node.processes.start(command(&["sh", "-c", &format!("echo run {run}; printf end")]), Some(file.clone())).unwrap();
        node.wait_for_end(id);
    }
    let id = node.processes.start(command(&["true"]), Some(log::path(&directory, "pi-0-abcde", "silent"))).unwrap();
    node.wait_for_end(id);
    assert_eq!(fs::read_to_string(&file).unwrap(), "run 1\nend\nrun 2\nend\nrun 3\nend\n");
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_lost_log_file_is_reported_once() {
    let directory = scratch("lost-log");
    fs::write(directory.join("file"), "").unwrap();
    let mut node = Node::new();
    let mut lost = 0;
    for container in ["a", "b"] {
        let id = node
            .processes
            .start(command(&["sh", "-c", "echo one; echo two"]), Some(log::path(&directory.join("file"), "pod", container)))
            .unwrap();
        loop {
            match node.next() {
                ProcessEvent::LogLost { .. } => lost += 1,
                ProcessEvent::Exited { id: ended, end, .. } if ended == id => break assert_eq!(end, ProcessEnd::Exited(0)),
                ProcessEvent::Exited { .. } | ProcessEvent::Started { .. } | ProcessEvent::Output { .. } => {}
            }
        }
    }
    assert_eq!(lost, 1);
    fs::remove_dir_all(directory).unwrap();
}
