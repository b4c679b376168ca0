//! Tidiness: what the workspace promises about itself is so.
//!
//! Docs: `crates/README.md`. What a source file must meet is in `source.rs`, who may know whom in `layers.rs`, that no dependency is compiled twice
//! in `features.rs`, the words of the map in `map.rs`, the style of modules in `modules.rs`, names of types in `names.rs`, the words of comments in `words.rs`.

mod features;
mod layers;
mod map;
mod modules;
mod names;
mod source;
mod words;

use core_tests::files::{File, files, root};

/// Fails with all that was found.
#[track_caller]
pub(super) fn none(found: &[String]) {
    assert!(found.is_empty(), "{} places are not tidy\n{}", found.len(), found.join("\n"));
}
