//! A map that is only looked up in: what is gone through in order is a `BTreeMap`.
//!
//! Docs: none of Kubernetes'. Objects are kept in such maps in `store.rs`, keys in `workqueue.rs` and `sync_state.rs`.

use rustc_hash::FxBuildHasher;

/// Values by key. A lookup costs the same with ten and with 100,000 keys. The hash has no random seed, but nothing may depend on the map's order.
#[expect(clippy::disallowed_types, reason = "looked up, never iterated without sorting")]
pub(crate) type Lookup<K, V> = std::collections::HashMap<K, V, FxBuildHasher>;
