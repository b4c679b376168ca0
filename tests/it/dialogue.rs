//! A program that is asked one line of JSON at a time, and answers each with a line.
//!
//! Docs: `jobsmith step`; the oracle of `oracle.rs` and the cluster of `cluster.rs` speak the same way.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::built;

/// A running program.
pub(crate) struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Dialogue {
    /// Starts a program.
    pub(crate) fn start(program: &Path, arguments: &[impl AsRef<OsStr>]) -> Self {
        let mut command = Command::new(program);
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}; run `cargo xtask build`", program.display()));
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("standard output is piped"));
        Self { child, input, output }
    }

    /// Starts `jobsmith step`.
    pub(crate) fn with_jobsmith() -> Self {
        Self::start(&built::binary(), &["step"])
    }

    /// Asks one question.
    pub(crate) fn ask(&mut self, question: &Value) -> Value {
        self.say(&question.to_string());
        self.hear()
    }

    /// Says a line that need not be JSON.
    pub(crate) fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is asked only while it runs");
        writeln!(input, "{line}").expect("it reads");
    }

    /// The next line that it says.
    pub(crate) fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("it said {line:?}: {error}"))
    }

    /// Asks many questions at once, a line each.
    pub(crate) fn ask_all(&mut self, questions: &[String]) -> Vec<String> {
        let mut input = self.input.take().expect("it is asked only while it runs");
        let mut lines = self.output.by_ref().lines();
        let (input, answers) = std::thread::scope(|scope| {
            let writer = scope.spawn(move || {
                questions.iter().for_each(|question| writeln!(input, "{question}").expect("it reads"));
                input
            });
            let answers = questions.iter().map(|_| lines.next().expect("every line is answered").expect("an answer is text")).collect();
            (writer.join().expect("all is written"), answers)
        });
        self.input = Some(input);
        answers
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
