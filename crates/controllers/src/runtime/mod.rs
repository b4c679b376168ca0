//! The runtime: what every controller needs around its decisions, generic over its keys and over what its requests are for.
//!
//! Docs: Controllers, "Controller pattern" (J-01…J-35). What a controller brings along is [`Controller`]; the work on one of its keys is in
//! `sync_state.rs`, when a key is due in `workqueue.rs`, what the cluster stores in `informer.rs`.

pub(crate) mod annotation;
mod controller;
pub(crate) mod decision;
mod defaults;
pub(crate) mod deletion;
mod detail;
pub(crate) mod draft;
pub(crate) mod informer;
mod initial_memory;
mod lists;
pub(crate) mod lookup;
pub(crate) mod metrics;
pub(crate) mod obstacle;
pub(crate) mod order;
pub(crate) mod refusals;
pub(crate) mod store;
pub(crate) mod sync_state;
mod watch_progress;
pub(crate) mod wording;
mod worker;
pub(crate) mod workqueue;

pub(crate) use controller::{Context, Controller, Finished, Sent, Turn};
pub use detail::Detail;
pub(crate) use draft::{Draft, DraftCommand};
pub(crate) use informer::Informer;
pub use initial_memory::InitialMemory;
pub(crate) use store::{ObjectKey, Store, StoreChange};
pub(crate) use watch_progress::WatchProgress;
pub(crate) use worker::{Issuer, Run, Worker};
