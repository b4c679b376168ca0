//! The component of the controllers in a Rust program: it is loaded, checked, driven and recorded; nothing is decided here.
//!
//! Docs: `crates/component/wit/controllers.wit` is the boundary; the component is loaded in `component.rs` and driven by `guest.rs`.
//! `events/` makes Kubernetes Events of a plan's notices.

mod calls;
pub mod component;
pub mod events;
pub mod guest;
mod instance;
pub mod metrics;
pub mod record;
pub mod sections;

pub use component::{Component, Embedded, Refused};
pub use guest::Guest;

/// The interface that a component exports, as WIT with its documentation, which a component does not carry.
pub const WIT: &str = include_str!("../wit/controllers.wit");
