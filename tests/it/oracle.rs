//! The oracle: upstream's own code, asked one line of JSON at a time.
//!
//! Docs: `tests/upstream/README.md`. It is built from Go modules; without it a test is skipped visibly, in CI never.

use serde_json::Value;

use crate::built;
use crate::dialogue::Dialogue;

/// A running oracle.
pub(crate) struct Oracle(pub(crate) Dialogue);

impl Oracle {
    /// Starts the oracle that `cargo xtask test` builds; `None`, and a line that says so, where there is none.
    pub(crate) fn start() -> Option<Self> {
        let path = built::upstream("oracle")?.join("oracle");
        Some(Self(Dialogue::start(&path, &[""; 0])))
    }

    /// Asks one question.
    pub(crate) fn ask(&mut self, question: &Value) -> Value {
        self.0.ask(question)
    }
}
