//! The oracle: upstream's own code, asked one line of JSON at a time.
//!
//! Docs: `tests/upstream/README.md`. It is built from Go modules; without it a test is skipped visibly, in CI never.

use std::path::PathBuf;

use serde_json::Value;

use crate::dialogue::Dialogue;
use crate::summary::tell;

/// A running oracle.
pub(crate) struct Oracle(pub(crate) Dialogue);

impl Oracle {
    /// Starts the oracle that `cargo xtask test` builds; `None`, and a line that says so, where there is none.
    pub(crate) fn start() -> Option<Self> {
        let built = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/upstream/oracle");
        let path = std::env::var_os("JOBSMITH_ORACLE").map_or(built, PathBuf::from);
        if !path.exists() {
            assert!(std::env::var_os("CI").is_none(), "CI needs the oracle at {}", path.display());
            tell(&format!(
                "SKIPPED: no oracle at {}; it is built from Go modules, so install Go and run `cargo xtask test`",
                path.display()
            ));
            return None;
        }
        Some(Self(Dialogue::start(&path, &[""; 0])))
    }

    /// Asks one question.
    pub(crate) fn ask(&mut self, question: &Value) -> Value {
        self.0.ask(question)
    }
}
