//! A bounded memory: of more keys than it has room for, those that were used last stay.
//!
//! Docs: none of Kubernetes'. What is kept in it is decided in `mod.rs`.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

/// Values by key, as many as there is room for.
#[derive(Debug)]
pub(super) struct Recent<K, V> {
    room: usize,
    /// Each value with the number of its last use.
    values: HashMap<Arc<K>, (u64, V)>,
    /// The keys by the number of their last use.
    uses: BTreeMap<u64, Arc<K>>,
    used: u64,
}

impl<K: Eq + Hash, V: Default> Recent<K, V> {
    pub(super) fn new(room: usize) -> Self {
        Self { room, values: HashMap::new(), uses: BTreeMap::new(), used: 0 }
    }

    /// The value of a key, which begins with its default; the key that was not used for longest goes if there is no room.
    pub(super) fn of(&mut self, key: K) -> &mut V {
        self.used += 1;
        let key = match self.values.get(&key) {
            Some((last, _)) => self.uses.remove(last).expect("each value has its last use"),
            None => Arc::new(key),
        };
        if self.uses.len() == self.room
            && let Some((_, oldest)) = self.uses.pop_first()
        {
            self.values.remove(&oldest);
        }
        self.uses.insert(self.used, Arc::clone(&key));
        let (last, value) = self.values.entry(key).or_default();
        *last = self.used;
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes() {
        let mut recent: Recent<&str, u32> = Recent::new(2);
        for key in ["a", "b", "a", "c", "a", "b"] {
            *recent.of(key) += 1;
        }
        assert_eq!((*recent.of("a"), *recent.of("b")), (3, 1), "b went for c, and came again for c");
        assert_eq!((recent.values.len(), recent.uses.len()), (2, 2));
    }
}
