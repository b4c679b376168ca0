//! A program that reads one line of JSON at a time, and answers each with a line.
//!
//! Docs: `jobsmith step`; the oracle of `oracle.rs` and the cluster of `tests/host/cluster.rs` speak the same way.

use std::ffi::OsStr;
use std::fmt;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

use serde_json::Value;

use crate::built;

/// Upstream's expectations grow old by the real clock, which a session does not move (J-31).
const CONFIGURATION: &str = r#"{"job":{"limits":{"expectationTimeout":"200000h"}}}"#;

/// A running program.
pub struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Dialogue {
    /// Starts a program.
    pub fn start(program: &Path, arguments: &[impl AsRef<OsStr>]) -> Self {
        let mut command = Command::new(program);
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {}: {error}; run `cargo xtask build`", program.display()));
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("standard output is piped"));
        Self { child, input, output }
    }

    /// Starts `jobsmith step`, as it is compared with upstream.
    pub fn with_jobsmith() -> Self {
        Self::start(&built::binary(), &["step", "--config", CONFIGURATION])
    }

    /// Sends one question.
    pub fn ask(&mut self, question: &Value) -> Value {
        self.send(&question.to_string());
        self.receive()
    }

    /// Sends a line that need not be JSON.
    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is used only while it runs");
        writeln!(input, "{line}").expect("it reads");
    }

    /// The next line that it prints.
    pub fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("it printed {line:?}: {error}"))
    }

    /// Sends many questions at once, a line each.
    pub fn request_all(&mut self, questions: &[String]) -> Vec<String> {
        self.try_request_all(questions).unwrap_or_else(|exit| panic!("the program {exit}"))
    }

    /// The same for a program that may end before it has answered all; it answers nothing more then.
    pub fn try_request_all(&mut self, questions: &[String]) -> Result<Vec<String>, Exit> {
        let mut input = self.input.take().expect("it is used only while it runs");
        let output = &mut self.output;
        let (input, answers) = std::thread::scope(|scope| {
            let writer = scope.spawn(move || questions.iter().try_for_each(|question| writeln!(input, "{question}")).map(|()| input));
            let answers: Vec<String> = questions.iter().map_while(|_| whole_line(output)).collect();
            (writer.join().expect("the writer does not panic"), answers)
        });
        if let (Ok(input), true) = (input, answers.len() == questions.len()) {
            self.input = Some(input);
            return Ok(answers);
        }
        let status = self.child.wait().expect("it is a child of this process");
        Err(Exit { status, unanswered: questions.get(answers.len()).cloned().unwrap_or_default() })
    }
}

/// The next line, unless the output ends before or within it.
fn whole_line(output: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    output.read_line(&mut line).expect("the output is UTF-8");
    line.strip_suffix('\n').map(str::to_owned)
}

/// How a program ended that had not answered all.
#[derive(Debug)]
pub struct Exit {
    status: ExitStatus,
    /// The first line that it did not answer.
    unanswered: String,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ended with {} instead of answering {}", self.status, self.unanswered)
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
