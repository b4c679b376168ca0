//! How local processes begin and end: exit codes, signals, and what cannot be started.
//!
//! Docs: Pod Lifecycle, "Container states"; Define a Command and Arguments for a Container. What is left of a process is in `leftovers.rs`.

use std::fs;

use host_node::process::{ProcessEnd, ProcessId, Signal, Stream};

use crate::support::{Node, alive, command, inheritable_files, marked, marker, run, run_command, scratch, script};

#[test]
fn exit_codes() {
    for code in [0, 1, 42, 126, 127, 137, 255] {
        let ended = run(&["sh", "-c", &format!("exit {code}")]);
        assert_eq!((ended.end.exit_code(), &ended.end), (code, &ProcessEnd::Exited(code)));
    }
}

#[test]
fn signals_count_from_128() {
    for (signal, number) in [("KILL", 9), ("TERM", 15), ("SEGV", 11), ("PIPE", 13)] {
        let ended = run(&["sh", "-c", &format!("kill -{signal} $$")]);
        assert_eq!((ended.end.exit_code(), &ended.end), (128 + number, &ProcessEnd::Signaled(number)));
    }
}

#[test]
fn commands_that_cannot_start_report_why() {
    let directory = scratch("unstartable");
    let plain = script(&directory, "plain", "#!/bin/sh\n", "644");
    let unmarked = script(&directory, "unmarked", "echo hello\n", "755");
    let interpreter = script(&directory, "interpreter", "#!/no/such/shell\n", "755");
    let directory_name = directory.to_str().unwrap();
    let huge = "x".repeat(3_000_000);
    for (argv, message) in [
        (vec!["no-such-program"], r#"cannot run "no-such-program": it is not in PATH"#.to_owned()),
        (vec!["/no/such/program"], r#"cannot run "/no/such/program": the file does not exist"#.to_owned()),
        (vec![""], r#"cannot run "": it is not in PATH"#.to_owned()),
        (
            vec!["echo hi; sleep 1"],
            r#"cannot run "echo hi; sleep 1": it is not in PATH; for a line with arguments, use a shell: ["sh", "-c", …]"#.to_owned(),
        ),
        (
            vec!["/bin/echo hi"],
            r#"cannot run "/bin/echo hi": the file does not exist; for a line with arguments, use a shell: ["sh", "-c", …]"#.to_owned(),
        ),
        (vec![&plain], format!("cannot run {plain:?}: this user may not execute {plain}")),
        (vec![directory_name], format!("cannot run {directory_name:?}: {directory_name} is a directory")),
        (vec![&unmarked], format!("cannot run {unmarked:?}: it is neither a program nor a script that begins with #!")),
        (vec![&interpreter], format!("cannot run {interpreter:?}: the interpreter that it names was not found")),
        (vec!["true", &huge], r#"cannot run "true": its arguments and environment are larger than this machine allows"#.to_owned()),
        (vec!["true", "a\0b"], r#"cannot run "true": nul byte found in provided data"#.to_owned()),
    ] {
        let ended = run(&argv);
        assert_eq!((ended.end.exit_code(), ended.end.reason(), ended.end.message()), (128, "StartError", &*message));
        assert!(!ended.started && ended.output.is_empty());
    }
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn what_is_too_long_to_quote_is_shortened() {
    let huge = "x".repeat(200_000);
    let mut command = command(&[&huge]);
    command.env.insert("PATH".to_owned(), huge.clone());
    let (ended, shown) = (run_command(command), &huge[..1000]);
    let message = format!("cannot run \"{shown}…\": it is not in PATH");
    assert_eq!((ended.end.exit_code(), ended.end.message()), (128, &*message));
}

#[test]
fn a_working_directory() {
    let mut command = command(&["pwd"]);
    command.working_dir = Some("/usr/bin".into());
    assert_eq!(run_command(command.clone()).text(Stream::Stdout), "/usr/bin\n");
    command.working_dir = Some("/no/such/directory".into());
    let ended = run_command(command);
    assert_eq!(ended.end.exit_code(), 128);
    assert!(ended.end.message().starts_with("cannot enter the working directory /no/such/directory: "), "{}", ended.end.message());
}

#[test]
fn arguments_and_environment_arrive_as_they_are() {
    let argument = "two words\n'quoted' \"twice\" é $HOME *";
    assert_eq!(run(&["printf", "[%s]", argument, ""]).text(Stream::Stdout), format!("[{argument}][]\n"));

    let mut command = command(&["env", "-0"]);
    command.env.extend([("MULTI".to_owned(), "a\nb=c".to_owned()), ("EMPTY".to_owned(), String::new())]);
    let printed = run_command(command.clone()).text(Stream::Stdout);
    let mut found: Vec<&str> = printed.trim_end_matches('\n').trim_end_matches('\0').split('\0').collect();
    found.sort_unstable();
    let mut expected: Vec<String> = command.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn many_long_arguments() {
    let argument = "x".repeat(100_000);
    let mut argv = vec!["sh", "-c", "echo $#", "sh"];
    argv.extend(vec![&*argument; 15]);
    assert_eq!(run(&argv).text(Stream::Stdout), "15\n");
}

#[test]
fn nothing_is_inherited_but_the_output() {
    let listed = run(&["ls", "-l", "/proc/self/fd"]).text(Stream::Stdout);
    let mut files: Vec<&str> =
        listed.lines().filter_map(|line| line.split_once(" -> ")).map(|(before, _)| before.rsplit(' ').next().unwrap()).collect();
    files.sort_unstable();
    let outside = inheritable_files();
    // The last is the directory that ls reads.
    let mut expected: Vec<&str> = ["0", "1", "2", "3"].into_iter().chain(outside.iter().map(String::as_str)).collect();
    expected.sort_unstable();
    assert_eq!(files, expected, "{listed}");
    assert!(listed.contains(" 0 -> /dev/null"));
    assert_eq!(run(&["cat"]).end, ProcessEnd::Exited(0));
}

#[test]
fn term_is_the_commands_to_answer() {
    let mut node = Node::new();
    let id = node.start(command(&["sh", "-c", "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.01; done"]));
    node.wait_for_output(id, "ready\n");
    node.processes.signal(id, Signal::Term);
    let ended = node.wait_for_end(id);
    assert_eq!((ended.text(Stream::Stdout), ended.end), ("bye\n".to_owned(), ProcessEnd::Exited(3)));
}

#[test]
fn term_reaches_the_whole_group() {
    let mut node = Node::new();
    let child = "(trap 'echo child; exit' TERM; echo ready; while :; do sleep 0.01; done)";
    let id = node.start(command(&["sh", "-c", &format!("trap 'wait; exit 4' TERM; {child} & wait")]));
    node.wait_for_output(id, "ready\n");
    node.processes.signal(id, Signal::Term);
    let ended = node.wait_for_end(id);
    assert_eq!((ended.text(Stream::Stdout), ended.end), ("child\n".to_owned(), ProcessEnd::Exited(4)));
}

#[test]
fn who_ignores_term_is_killed() {
    let mut node = Node::new();
    let marker = marker();
    let id = node.start(marked(&marker, "trap '' TERM; echo ready; while :; do sleep 1000; done"));
    node.wait_for_output(id, "ready\n");
    node.processes.signal(id, Signal::Term);
    node.processes.signal(id, Signal::Kill);
    assert_eq!(node.wait_for_end(id).end, ProcessEnd::Signaled(9));
    assert_eq!(alive(&marker), [0; 0]);
}

#[test]
fn who_is_stopped_is_killed() {
    let mut node = Node::new();
    let id = node.start(command(&["sh", "-c", "echo ready; kill -STOP $$"]));
    node.wait_for_output(id, "ready\n");
    node.processes.signal(id, Signal::Kill);
    assert_eq!(node.wait_for_end(id).end, ProcessEnd::Signaled(9));
}

#[test]
fn signals_to_what_has_ended_are_nothing() {
    let mut node = Node::new();
    let id = node.start(command(&["true"]));
    assert_eq!(node.wait_for_end(id).end, ProcessEnd::Exited(0));
    node.processes.signal(id, Signal::Kill);
    node.processes.signal(id, Signal::Term);
}

#[test]
fn kill_right_after_the_start() {
    let mut node = Node::new();
    for signal in [Signal::Kill, Signal::Term] {
        let id = node.start(command(&["sleep", "1000"]));
        node.processes.signal(id, signal);
        assert!(matches!(node.wait_for_end(id).end, ProcessEnd::Signaled(9 | 15)));
    }
}

#[test]
fn two_hundred_at_once() {
    let mut node = Node::new();
    let ids: Vec<ProcessId> =
        (0..200).map(|number| node.start(command(&["sh", "-c", &format!("echo {number}; exit {}", number % 7)]))).collect();
    let mut ends = node.wait_for_ends(&ids);
    for (number, id) in ids.iter().enumerate() {
        let ended = ends.remove(id).unwrap();
        assert_eq!((ended.end.exit_code(), ended.text(Stream::Stdout)), (i32::try_from(number % 7).unwrap(), format!("{number}\n")));
    }
}
