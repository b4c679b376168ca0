//! `jobsmith playground` and `--open`: the page is served to a browser on this machine, and a session is opened by its link.
//!
//! Docs: `jobsmith playground --help`. How files are served is tested in `host/jobsmith/src/playground/`; the page itself is tested by what `web/package.json` names.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;

use core_tests::built::{binary, component_path};

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
    folder.write_script("xdg-open", "#!/bin/sh\nprintf %s \"$1\" > opened.part\nmv opened.part opened\n");
    folder
}

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).env("PATH", format!("{}:/usr/bin:/bin", folder.path().display()));
    command
}

#[test]
fn the_page_is_served_or_its_absence_explained() {
    let folder = desk();
    let program = folder.start_by(&mut command(&folder, &["playground", "--no-open"]));
    if fs::metadata(component_path().with_file_name("page.pack")).is_ok_and(|pack| pack.len() > 0) {
        program.wait_for("http://127.0.0.1:");
        program.signal("INT");
        program.end().with_status(130);
    } else {
        let ended = program.end().with_status(2);
        assert!(ended.stderr.contains("run `cargo xtask web` and `cargo xtask build`"), "{}", ended.stderr);
    }
}

#[test]
#[ignore = "needs the page, which Node builds: `cargo xtask test --all`"]
fn a_session_is_opened_by_its_link_and_the_page_behind_it_is_served() {
    let folder = desk();
    let program = folder.start_by(&mut command(&folder, &["simulate", "job.yaml", "-s", "pods: exit 1 after 3s", "--open"]));
    program.wait_for("/#1.");
    let opened = || fs::read_to_string(folder.path().join("opened")).unwrap_or_default();
    wait_until(|| !opened().is_empty(), || "the link is opened".to_owned());
    let link = opened();
    let (address, session) = link.strip_prefix("http://").and_then(|rest| rest.split_once("/#1.")).expect("the link has a session");
    assert!(session.len() > 50 && session.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"-_".contains(&letter)), "{link}");
    let answer = get(address, "/");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("text/html") && answer.contains("<!doctype html>"), "{answer}");
    program.signal("INT");
    program.end().with_status(130);
}

/// What the page at an address has under a path, as text.
fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("somebody listens");
    stream
        .write_all(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").as_bytes())
        .expect("it takes the request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers in text");
    answer
}

#[test]
#[ignore = "needs the page, which Node builds: `cargo xtask test --all`"]
fn a_recording_and_what_is_too_long_for_a_link_are_served_beside_the_page() {
    let header = host_embed::record::header(&crate::loaded::COMPONENT, "{}", play::start()).expect("the configuration is JSON");
    let header = serde_json::to_string(&play::recording::Line::Recording(header)).expect("a header is JSON") + "\n";
    // What is not the same all over does not become short.
    let noise: String = (0..40_000_u64).map(|number| format!("# {:x}\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let check = |file: &str, content: &str, arguments: &[&str], name: &str, begins: &str| {
        let folder = desk();
        folder.write(file, content);
        let program = folder.start_by(&mut command(&folder, arguments));
        program.wait_for(&format!("/#open={name}\n"));
        let opened = || fs::read_to_string(folder.path().join("opened")).unwrap_or_default();
        wait_until(|| !opened().is_empty(), || "the link is opened".to_owned());
        let link = opened();
        let (address, _) = link.strip_prefix("http://").and_then(|rest| rest.split_once("/#open=")).expect("the link names a file");
        let answer = get(address, &format!("/{name}"));
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains(begins), "{answer:.1000}");
        program.signal("INT");
        program.end().with_status(130);
    };
    check("of today.jsonl", &header, &["replay", "of today.jsonl", "--open"], "of-today.jsonl", &header);
    check(
        "job.yaml",
        &format!("{JOB}{noise}"),
        &["simulate", "job.yaml", "--open"],
        "session.jobsmith",
        r#"{"version":1,"manifest":"apiVersion: batch/v1"#,
    );
}

#[test]
fn what_cannot_be_opened_is_reported() {
    let folder = desk();
    folder.write("bad.yaml", "kind: Pod\n");
    let bad = folder.start_by(&mut command(&folder, &["simulate", "bad.yaml", "--open"])).end().with_status(2);
    assert!(bad.stderr.contains("jobsmith runs Jobs"), "{}", bad.stderr);
    let both = folder.start_by(&mut command(&folder, &["simulate", "job.yaml", "--open", "--why"])).end().with_status(2);
    assert!(both.stderr.contains("cannot be used with"), "{}", both.stderr);
    let default = folder.start_by(&mut command(&folder, &["simulate", "job.yaml", "--open", "--default", "jobsmith.dev/hold=yes"]));
    let default = default.end().with_status(2).stderr;
    assert!(default.contains("invalid --default: annotation jobsmith.dev/hold must be true or false"), "{default}");
    folder.write("claims.md", "# Claims\n");
    let none = folder.start_by(&mut command(&folder, &["simulate", "claims.md", "--open"])).end().with_status(2);
    assert!(none.stderr.contains("claims.md: line 1: no claim"), "{}", none.stderr);
    let recording = folder.start_by(&mut command(&folder, &["replay", "job.yaml", "--open"])).end().with_status(2);
    assert!(recording.stderr.contains("cannot replay job.yaml"), "{}", recording.stderr);
}
