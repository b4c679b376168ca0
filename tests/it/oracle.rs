//! The oracle: upstream's own code, asked one line of JSON at a time.
//!
//! Docs: `upstream/README.md` beside the oracle's source. It is built from Go modules; without it a test is skipped visibly, in CI never.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

/// A running oracle.
pub(crate) struct Oracle {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Oracle {
    /// Starts the oracle that `cargo xtask test` builds; `None`, and a line that says so, where there is none.
    pub(crate) fn start() -> Option<Self> {
        let built = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/upstream/oracle");
        let path = std::env::var_os("JOBSMITH_ORACLE").map_or(built, PathBuf::from);
        if !path.exists() {
            assert!(std::env::var_os("CI").is_none(), "CI needs the oracle at {}", path.display());
            println!("SKIPPED: no oracle at {}; it is built from Go modules, so install Go and run `cargo xtask test`", path.display());
            return None;
        }
        let mut child = Command::new(&path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", path.display()));
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("standard output is piped"));
        Some(Self { child, input, output })
    }

    /// Asks one question.
    pub(crate) fn ask(&mut self, question: &Value) -> Value {
        let input = self.input.as_mut().expect("the oracle is asked only while it runs");
        writeln!(input, "{question}").expect("the oracle reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the oracle answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("the oracle answered {line:?} to {question}: {error}"))
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
