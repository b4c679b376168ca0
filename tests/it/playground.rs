//! `jobsmith playground` and `--open`: the page is served to a browser on this machine, and a session is opened by its link.
//!
//! Docs: `jobsmith playground --help`. How files are served is asked in `host/src/playground/`; the page itself is tested by what `web/package.json` names.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::built::{binary, component_path};
use crate::program::{Folder, wait_until};

const JOB: &str = "\
apiVersion: batch/v1
kind: Job
metadata: {name: pi}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: perl}]}}}
";

/// A folder in whose `PATH` there is a program that opens links: it writes them down.
fn desk() -> Folder {
    let folder = Folder::new();
    folder.write("job.yaml", JOB);
    folder.write("xdg-open", "#!/bin/sh\nprintf %s \"$1\" > opened.part\nmv opened.part opened\n");
    fs::set_permissions(folder.path().join("xdg-open"), fs::Permissions::from_mode(0o755)).expect("the file is there");
    folder
}

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).env("PATH", format!("{}:/usr/bin:/bin", folder.path().display()));
    command
}

/// Whether the program was built with the page in it.
fn carries_the_page() -> bool {
    fs::metadata(component_path().with_file_name("page.pack")).is_ok_and(|pack| pack.len() > 0)
}

#[test]
fn a_session_is_opened_by_its_link_and_the_page_behind_it_is_served() {
    let folder = desk();
    let program = folder.start_by(&mut command(&folder, &["simulate", "job.yaml", "-s", "pods: exit 1 after 3s", "--open"]));
    if !carries_the_page() {
        let ended = program.end().with_status(2);
        assert!(ended.stderr.contains("run `cargo xtask web` and then `cargo xtask build`"), "{}", ended.stderr);
        return;
    }
    program.wait_for("/#1.");
    let opened = || fs::read_to_string(folder.path().join("opened")).unwrap_or_default();
    wait_until(|| !opened().is_empty(), || "the link is opened".to_owned());
    let link = opened();
    let (address, session) = link.strip_prefix("http://").and_then(|rest| rest.split_once("/#1.")).expect("the link has a session");
    assert!(session.len() > 50 && session.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"-_".contains(&letter)), "{link}");
    let mut stream = TcpStream::connect(address).expect("somebody listens");
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("it can be asked");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers in text");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("text/html") && answer.contains("<!doctype html>"), "{answer}");
    program.signal("INT");
    program.end().with_status(130);
}

#[test]
fn what_cannot_be_opened_is_told() {
    let folder = desk();
    folder.write("bad.yaml", "kind: Pod\n");
    let bad = folder.start_by(&mut command(&folder, &["simulate", "bad.yaml", "--open"])).end().with_status(2);
    assert!(bad.stderr.contains("jobsmith runs Jobs"), "{}", bad.stderr);
    let both = folder.start_by(&mut command(&folder, &["simulate", "job.yaml", "--open", "--why"])).end().with_status(2);
    assert!(both.stderr.contains("cannot be used with"), "{}", both.stderr);
}
