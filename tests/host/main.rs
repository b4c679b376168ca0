//! The tests of what runs the core: the component, the program, clusters, and the bindings of other languages.
//!
//! Docs: `crates/README.md` has the map; each module here holds one kind of test. What needs no host is tested in `tests/core`.
#![allow(missing_docs, reason = "tests name what they test")]
#![allow(clippy::print_stdout, reason = "how much a test went through is for people to see")]

mod annotations;
mod apiserver;
mod bad_input;
mod bindings;
mod browser;
mod check;
mod cluster;
mod component;
mod controller;
mod decoding;
mod deploy;
mod differential;
mod explain;
mod faults;
mod fields;
mod kubectl;
mod loaded;
mod nodes;
mod outcomes;
mod packaging;
mod playground;
mod playing;
mod playing_past;
mod plugins;
mod program;
mod readers;
mod render;
mod replay;
mod reproducible;
mod run;
mod runs_alike;
mod schedule;
mod schedule_windows;
mod schema;
mod simulate;
mod step;
mod stuck;
mod stuck_dumps;
mod test;
mod year;
