//! Nothing: without this file Cargo would not look at what it depends on.
//!
//! Docs: The Cargo Book, "Build dependencies". Why it depends on something at all is in `src/lib.rs`.

fn main() {}
