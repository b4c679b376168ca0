//! The oracle: upstream's own code, one line of JSON at a time.
//!
//! Docs: `tests/upstream/README.md`. It is built from Go modules, by `cargo xtask test --all`. Who speaks with the
//! process is `dialogue.rs`; that it is started again is tested in `tests/host/differential/death.rs`.

use std::path::PathBuf;

use serde_json::Value;

use crate::built;
use crate::dialogue::Dialogue;
use crate::summary::print;

/// How many histories a process goes through: each leaves a megabyte or two behind.
const HISTORIES: usize = 200;

/// An oracle. If its process dies, the next one repeats what was lost.
pub struct Oracle {
    program: PathBuf,
    dialogue: Dialogue,
    /// How many histories the process has gone through.
    histories: usize,
}

impl Oracle {
    /// Starts the oracle.
    pub fn start() -> Self {
        Self::of(built::upstream("oracle").join("oracle"))
    }

    /// Starts it if it knows all fields of the schema; `None`, and a line that reports it, where it is of a version that does not.
    pub fn start_with_schema() -> Option<Self> {
        if built::kubernetes() == "1.36" {
            print("SKIPPED: the schema has fields that Kubernetes v1.36 does not know");
            return None;
        }
        Some(Self::start())
    }

    /// Starts this program as the oracle.
    pub fn of(program: PathBuf) -> Self {
        let dialogue = Dialogue::start(&program, &[""; 0]);
        Self { program, dialogue, histories: 0 }
    }

    /// Sends one question that stands by itself.
    pub fn request(&mut self, question: &Value) -> Value {
        let answers = self.request_all(&[question.to_string()]);
        serde_json::from_str(&answers[0]).unwrap_or_else(|error| panic!("the oracle answers {:?}: {error}", answers[0]))
    }

    /// Goes through a history, in a process that has not grown too large.
    pub fn history(&mut self, questions: &[String]) -> Vec<String> {
        if self.histories == HISTORIES {
            *self = Self::of(self.program.clone());
        }
        self.histories += 1;
        self.request_all(questions)
    }

    /// Sends all questions of a history, which begins with a session of its own. If the oracle dies of it, it starts again and the history is
    /// repeated; it may not die of the same history twice.
    pub fn request_all(&mut self, questions: &[String]) -> Vec<String> {
        let exit = match self.dialogue.try_request_all(questions) {
            Ok(answers) => return answers,
            Err(exit) => exit,
        };
        print(&format!("the oracle {exit}; it is started again, and the history is repeated"));
        self.dialogue = Dialogue::start(&self.program, &[""; 0]);
        self.dialogue
            .try_request_all(questions)
            .unwrap_or_else(|exit| panic!("the oracle died twice of one history, and {exit}\n{}", questions.join("\n")))
    }
}
