//! The tests of the core: of what decides, without a host, the program or a cluster.
//!
//! Docs: `crates/README.md` has the map; each module here holds one kind of test. What needs more is tested in `tests/host`.
#![allow(missing_docs, reason = "tests name what they test")]
#![allow(clippy::print_stdout, reason = "how much a test went through is for people to see")]

mod admission;
mod advice;
mod annotation_examples;
mod annotations;
mod assertions;
mod continuing;
mod decisions;
mod events;
mod hints;
mod metrics;
mod noise;
mod past;
mod policy_cases;
mod prediction;
mod reading;
mod scenarios;
mod schedule;
mod simulation;
mod tidy;
mod windows;
