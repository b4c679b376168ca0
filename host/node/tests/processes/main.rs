//! Local processes, for real: how they end, what they print, and that nothing of them is ever left behind.
//!
//! Docs: Pod Lifecycle, "Container states", "Termination of Pods". The shim is the program in `src/bin/shim.rs`, the node is this test.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "whatever fails here fails a test")]

mod ends;
mod leftovers;
mod output;
mod support;
