//! What builds the component and the program, for `cargo xtask` and for the package `release`.
//!
//! Docs: `README.md`. The component is made in `component.rs`, the program around it in `program.rs`. The commands are in `main.rs`.

pub mod cargo;
pub mod component;
pub mod pack;
pub mod program;
pub mod rust;
pub mod sources;
pub mod workspace;
