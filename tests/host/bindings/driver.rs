//! The driver of a binding: a program that makes the calls that it reads, and compares the answers.
//!
//! Docs: `tests/plugins/README.md`, "The driver".

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::{ChildStdin, Command, Output, Stdio};
use std::rc::Rc;

use core_tests::built;
use serde_json::Value;

use super::tape::Lines;

/// How a driver is started.
pub(super) struct Driver {
    /// The language that it is written in.
    pub(super) language: &'static str,
    /// The program and its first arguments; the component follows.
    pub(super) command: Vec<OsString>,
}

impl Driver {
    /// Runs it over what `write` writes, with the component of this name; returns what it prints.
    ///
    /// # Panics
    /// If it finds a difference.
    pub(super) fn run(&self, component: &str, write: impl FnOnce(&Lines)) -> String {
        let output = self.output(component, write);
        let [printed, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
        assert!(output.status.success(), "the driver in {} {}\n{printed}\n{errors}", self.language, output.status);
        printed
    }

    /// Runs it over these lines, in which it must find a difference; returns what it prints.
    pub(super) fn refused(&self, component: &str, lines: &[Value]) -> String {
        let output = self.output(component, |all| {
            lines.iter().for_each(|line| writeln!(all.borrow_mut(), "{line}").expect("a closed pipe is no error here"));
        });
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn output(&self, component: &str, write: impl FnOnce(&Lines)) -> Output {
        let path = built::component_path().with_file_name(format!("{component}.wasm"));
        assert!(path.exists(), "{} is not built: run the tests with `cargo xtask test --all`", path.display());
        let [program, arguments @ ..] = &self.command[..] else { panic!("a driver has a program") };
        let mut command = Command::new(program);
        command.args(arguments).arg(path).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start {program:?}: {error}"));
        let input = child.stdin.take().expect("standard input is piped");
        let lines: Lines = Rc::new(RefCell::new(Input(BufWriter::new(input))));
        write(&lines);
        drop(lines);
        child.wait_with_output().expect("it ends")
    }
}

/// The standard input of a driver; one that has found a difference reads no further, which is not for the writer to report.
struct Input(BufWriter<ChildStdin>);

impl Write for Input {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).or_else(|error| closed(error).map(|()| bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().or_else(closed)
    }
}

fn closed(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
}
