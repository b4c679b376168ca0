//! A program that is nothing but a shim or a launcher: `tests/processes` runs its containers below it.
//!
//! Docs: none of Kubernetes. What it does is in `shim.rs` and `launch.rs`; users have the program `jobsmith`, which does the same.

use std::process::ExitCode;

fn main() -> ExitCode {
    host_node::stand_in(std::env::args_os()).unwrap_or(ExitCode::FAILURE)
}
