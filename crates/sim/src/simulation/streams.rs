//! A watch as its user sees it: it shows changes one by one, late, and after a break some of them once more.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes". The writes come from `stage.rs`, which sees each when it is made.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::stored::Stored;

/// How many shown changes a watch can show once more.
pub(super) const REMEMBERED: usize = 6;

/// The watch of one kind.
#[derive(Debug, Default)]
pub(super) struct Stream {
    ahead: VecDeque<Sight>,
    shown: VecDeque<Sight>,
    /// Whether the kind was listed, so that changes mean something.
    pub(super) listed: bool,
}

/// One change.
#[derive(Debug, Clone)]
pub(super) struct Sight {
    /// The object after it; if it went, its last state.
    pub(super) object: Arc<Stored>,
    /// Whether the object went.
    pub(super) gone: bool,
}

impl Stream {
    /// Something was written.
    pub(super) fn push(&mut self, sight: Sight) {
        if self.listed {
            self.ahead.push_back(sight);
        }
    }

    /// How many changes were not shown.
    pub(super) fn ahead(&self) -> usize {
        self.ahead.len()
    }

    /// The next change.
    pub(super) fn next(&mut self) -> Option<Sight> {
        let sight = self.ahead.pop_front()?;
        if self.shown.len() == REMEMBERED {
            self.shown.pop_front();
        }
        self.shown.push_back(sight.clone());
        Some(sight)
    }

    /// How many changes can be shown once more.
    pub(super) fn remembered(&self) -> usize {
        self.shown.len()
    }

    /// The last changes are going to be shown once more, in their order; tells how many.
    pub(super) fn repeat(&mut self, count: usize) -> usize {
        let count = count.min(self.shown.len());
        for _ in 0..count {
            self.ahead.extend(self.shown.pop_back());
            self.ahead.rotate_right(1);
        }
        count
    }

    /// A complete list was shown; the watch goes on from it.
    pub(super) fn list(&mut self) {
        *self = Self { listed: true, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dependence;
    use crate::testing::{ask, pod, server};

    #[test]
    fn changes_come_in_order_and_the_last_ones_again() {
        let mut server = server(Dependence::OnOwners);
        let watch = server.watch(None);
        for name in ["a", "b", "c"] {
            ask(&mut server, &pod(name, "", ""), 0);
        }
        let mut stream = Stream::default();
        stream.list();
        while let Some(write) = server.next_write(watch) {
            stream.push(Sight { object: write.after, gone: write.gone });
        }
        let next = |stream: &mut Stream| stream.next().map(|sight| sight.object.metadata().name.to_string()).unwrap_or_default();
        assert_eq!((next(&mut stream), next(&mut stream)), ("a".to_owned(), "b".to_owned()));
        assert_eq!(stream.repeat(2), 2);
        let shown: Vec<String> = (0..4).map(|_| next(&mut stream)).collect();
        assert_eq!(shown, ["a", "b", "c", ""]);
        stream.list();
        assert_eq!((stream.repeat(2), stream.ahead()), (0, 0));
    }
}
