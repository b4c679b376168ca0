//! What the tests of the core share with those of the hosts and with the benchmarks.
//!
//! Docs: `crates/README.md`. The tests of the core are beside this folder, those of the hosts in `tests/host`. Nothing here depends on a
//! package in `host`: `dialogue.rs` starts `jobsmith step` as it was built, and exchanges lines of JSON with it.
#![allow(missing_docs, reason = "tests are not for others to use")]
#![allow(clippy::print_stdout, reason = "how much a test went through is for people to see")]

pub mod built;
pub mod dialogue;
pub mod files;
pub mod history;
pub mod native;
pub mod oracle;
pub mod panics;
pub mod scenarios;
pub mod stuck;
pub mod summary;
pub mod texts;
