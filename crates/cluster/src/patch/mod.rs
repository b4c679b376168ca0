//! Patches: what a partial change makes of a JSON value.
//!
//! Docs: API Concepts, "Patch and update". Who may change what is decided in `apiserver/`.

mod merge;
mod strategic;

pub use merge::merge;
pub(crate) use strategic::strategic;
