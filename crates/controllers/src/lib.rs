//! The Kubernetes Job controller as a pure, deterministic core: told what happened, it answers what to do and why.
//!
//! Docs: Jobs (spec/job.md). The types that cross the border are in the crate `contract`; objects and requests in `api`.
//!
//! # The contract
//!
//! A host tells a [`ControllerManager`] what happened and carries out what it plans:
//!
//! ```text
//! loop {
//!     while let Some(next) = core.reconcile_next(now())? { executing.push(execute(next)); }   // batch by batch
//!     let event = select! {
//!         event = watches.next()   => event,
//!         done  = executing.next() => Event::Finished { plan: done.id, outcomes: done.outcomes },
//!         _     = sleep_until(core.next_wakeup()?) => continue,
//!     };
//!     core.handle(event, now())?;
//! }
//! ```
//!
//! - The core has no IO, clock, randomness, environment or threads. The same events at the same times give the same plans, byte for byte.
//! - An object that cannot be understood is refused at the door and changes nothing. An API error is an outcome. Anything else that is wrong is a bug, and a panic.
//! - What the cluster stores is the only memory that matters: a manager may be lost at any moment, and another one that lists again goes on.
//! - No command's content depends on another's outcome; whether it runs may: a batch starts only when every command of the batch before it succeeded.
//! - When part of a plan fails, the rest is skipped and the key is planned again: at once for what the failure does not block, after a back-off for what it does.
//! - What is known of the cluster changes only through watches and lists. A key whose own writes they have not shown waits.
//! - A plan always says why, also when it does nothing. A plan without commands is over when it is told; its outcomes need not be.

mod config;
pub mod decision;
mod expectations;
mod fields;
mod freshness;
mod holds;
mod job;
mod key;
mod limits;
mod lists;
mod manager;
mod metrics;
mod outcomes;
mod plan;
mod store;
mod triggers;
mod workqueue;

pub use config::Config;
pub use limits::Limits;
pub use manager::ControllerManager;
