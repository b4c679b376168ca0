//! Tests over more than one crate, in one binary.
//!
//! Docs: `crates/README.md` has the map; each module here holds one kind of test.
#![allow(missing_docs, reason = "tests name what they test")]
#![allow(clippy::print_stdout, reason = "how much a test went through is for people to see")]

mod admission;
mod apiserver;
mod bad_input;
mod bindings;
mod browser;
mod built;
mod cluster;
mod component;
mod controller;
mod decisions;
mod decoding;
mod deploy;
mod dialogue;
mod differential;
mod events;
mod explain;
mod faults;
mod kubectl;
mod metrics;
mod native;
mod nodes;
mod oracle;
mod packaging;
mod panics;
mod playground;
mod playing;
mod plugins;
mod program;
mod reading;
mod replay;
mod reproducible;
mod run;
mod scenarios;
mod schedule;
mod schema;
mod simulate;
mod simulation;
mod step;
mod summary;
mod tidy;
mod year;
