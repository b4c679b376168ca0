//! Kubernetes controllers as a pure, deterministic core: given what happened, it decides what to do and why.
//!
//! Docs: the contract is `crates/component/wit/controllers.wit`; its types in Rust are in the crate `contract`. What every controller needs is in
//! `runtime/`, each controller in a folder of its own.
//!
//! The core has no IO, clock, randomness, environment or threads. An object that is malformed is refused at the door, an API error is an outcome, and
//! anything else that is wrong is a bug, and a panic.

mod config;
pub mod cronjob;
pub mod job;
mod manager;
mod naming;
mod registry;
mod runtime;
pub mod ttl;

pub use config::Config;
pub use manager::ControllerManager;
pub use registry::decision_kinds;
pub use runtime::{Detail, InitialMemory};
pub use schedule::TZDB_VERSION;
