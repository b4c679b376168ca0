//! No code, but a list: which features dependencies have in all programs and tests, so that each of them is compiled once.
//!
//! Docs: The Cargo Book, "Feature unification". Where two of them differ is found by `tests/core/tidy/features.rs`.
