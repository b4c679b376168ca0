//! The host of the controllers: it loads their component and carries out their plans; it decides nothing.
//!
//! Docs: `crates/component/wit/controllers.wit` is the border; the component is loaded in `component.rs` and driven by `guest.rs`.
//! Local processes are run in `node/`.

mod backoff;
mod border;
mod calls;
pub mod cluster;
pub mod component;
pub mod controller;
pub mod driver;
pub mod events;
pub mod execution;
pub mod explain;
pub mod guest;
pub mod health;
pub mod journal;
pub mod leader;
pub mod manual;
pub mod metrics;
pub mod node;
pub mod notices;
pub mod playground;
pub mod record;
mod serving;
pub mod shared;

pub use component::{Component, Embedded, Refused};
pub use guest::Guest;
