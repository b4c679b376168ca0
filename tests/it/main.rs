//! Tests over more than one crate, in one binary.
//!
//! Docs: `crates/README.md` has the map; each module here holds one kind of test.
#![allow(missing_docs, reason = "tests name what they test")]

mod admission;
mod oracle;
mod differential;
mod native;
mod scratch;
mod decoding;
mod reading;
mod schema;
mod simulation;
