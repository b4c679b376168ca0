//! A watch as its user sees it: it shows changes one by one, late, and after a break some of them once more.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes". The writes come from `stage.rs`, which sees each when it is made.

use std::collections::VecDeque;
use std::sync::Arc;

use api::Kind;
use contract::{Event, Listing, Part};

use cluster::apiserver::ApiServer;
use cluster::stored::Stored;

/// How many shown changes a watch can show once more.
pub(crate) const REMEMBERED: usize = 6;

/// The watch of one kind.
#[derive(Debug, Default)]
pub(crate) struct WatchStream {
    ahead: VecDeque<Sight>,
    shown: VecDeque<Sight>,
    /// Whether the kind was listed, so that changes mean something.
    pub(crate) listed: bool,
    /// The list that is coming in parts.
    listing: Option<ListInParts>,
}

/// A list that comes in parts: what there was when it was begun.
#[derive(Debug)]
pub(crate) struct ListInParts {
    /// All objects that are in it.
    pub(crate) objects: Vec<Arc<Stored>>,
    /// The last write that is in it.
    pub(crate) version: u64,
    parts: VecDeque<Event>,
}

impl ListInParts {
    /// A list of a kind in at least two parts, perhaps empty ones among them.
    pub(crate) fn new(server: &ApiServer, kind: Kind, parts: usize) -> Self {
        let objects: Vec<Arc<Stored>> = server.objects(kind).cloned().collect();
        let (version, last) = (server.version(), parts.max(2) - 1);
        let part = |number: usize| {
            let part = match number {
                0 => Part::First,
                number if number == last => Part::Last,
                _ => Part::Middle,
            };
            let own = &objects[objects.len() * number / (last + 1)..objects.len() * (number + 1) / (last + 1)];
            let objects = own.iter().map(|object| object.json()).collect();
            Event::Listed(Listing { kind: kind.name().into(), part, resource_version: version.to_string().into(), objects })
        };
        let parts = (0..=last).map(part).collect();
        Self { objects, version, parts }
    }
}

/// One change.
#[derive(Debug, Clone)]
pub(crate) struct Sight {
    /// The object after it; if it went, its last state.
    pub(crate) object: Arc<Stored>,
    /// Whether the object went.
    pub(crate) gone: bool,
}

impl WatchStream {
    /// Something was written.
    pub(crate) fn push(&mut self, sight: Sight) {
        if self.listed || self.listing.is_some() {
            self.ahead.push_back(sight);
        }
    }

    /// How many changes were not shown.
    pub(crate) fn ahead(&self) -> usize {
        self.ahead.len()
    }

    /// The next change.
    pub(crate) fn next(&mut self) -> Option<Sight> {
        let sight = self.ahead.pop_front()?;
        if self.shown.len() == REMEMBERED {
            self.shown.pop_front();
        }
        self.shown.push_back(sight.clone());
        Some(sight)
    }

    /// How many changes can be shown once more.
    pub(crate) fn remembered(&self) -> usize {
        self.shown.len()
    }

    /// Schedules the last changes to be shown once more, in their order; returns how many.
    pub(crate) fn repeat(&mut self, count: usize) -> usize {
        let count = count.min(self.shown.len());
        for _ in 0..count {
            self.ahead.extend(self.shown.pop_back());
            self.ahead.rotate_right(1);
        }
        count
    }

    /// A complete list was shown; the watch goes on from it.
    pub(crate) fn list(&mut self) {
        *self = Self { listed: true, ..Self::default() };
    }

    /// A list comes in parts from here on; an earlier one is broken off.
    pub(crate) fn begin_list(&mut self, listing: ListInParts) {
        *self = Self { listing: Some(listing), ..Self::default() };
    }

    /// Whether a list is coming in parts.
    pub(crate) fn listing(&self) -> bool {
        self.listing.is_some()
    }

    /// The next part of the list that is coming, and, once this is the last one, what the list was; the watch goes on from there.
    pub(crate) fn next_part(&mut self) -> Option<(Event, Option<ListInParts>)> {
        let listing = self.listing.as_mut()?;
        let part = listing.parts.pop_front()?;
        if !listing.parts.is_empty() {
            return Some((part, None));
        }
        self.listed = true;
        Some((part, self.listing.take()))
    }
}

#[cfg(test)]
mod tests {
    use cluster::Dependence;
    use cluster::testing::{pod, send_line, server};

    use super::*;

    #[test]
    fn changes_come_in_order_and_the_last_ones_again() {
        let mut server = server(Dependence::OnOwners);
        let watch = server.watch(None);
        for name in ["a", "b", "c"] {
            send_line(&mut server, &pod(name, "", ""), 0);
        }
        let mut stream = WatchStream::default();
        stream.list();
        while let Some(write) = server.next_write(watch) {
            stream.push(Sight { object: write.after, gone: write.gone });
        }
        let next = |stream: &mut WatchStream| stream.next().map(|sight| sight.object.metadata().name.to_string()).unwrap_or_default();
        assert_eq!((next(&mut stream), next(&mut stream)), ("a".to_owned(), "b".to_owned()));
        assert_eq!(stream.repeat(2), 2);
        let shown: Vec<String> = (0..4).map(|_| next(&mut stream)).collect();
        assert_eq!(shown, ["a", "b", "c", ""]);
        stream.list();
        assert_eq!((stream.repeat(2), stream.ahead()), (0, 0));
    }

    #[test]
    fn a_list_comes_in_parts_and_then_what_was_written_since_it_was_begun() {
        let mut server = server(Dependence::OnOwners);
        for name in ["a", "b", "c"] {
            send_line(&mut server, &pod(name, "", ""), 0);
        }
        let watch = server.watch(None);
        let mut stream = WatchStream::default();
        stream.begin_list(ListInParts::new(&server, Kind::Pod, 3));
        send_line(&mut server, &pod("d", "", ""), 0);
        while let Some(write) = server.next_write(watch) {
            stream.push(Sight { object: write.after, gone: write.gone });
        }
        let mut parts = Vec::new();
        while let Some((Event::Listed(Listing { part, resource_version, objects, .. }), list)) = stream.next_part() {
            parts.push((part, resource_version.to_string(), objects.len(), list.map(|list| list.objects.len()), stream.listed));
        }
        let version = "3".to_owned();
        assert_eq!(
            parts,
            [
                (Part::First, version.clone(), 1, None, false),
                (Part::Middle, version.clone(), 1, None, false),
                (Part::Last, version, 1, Some(3), true),
            ]
        );
        assert_eq!(stream.next().map(|sight| sight.object.metadata().name.to_string()), Some("d".to_owned()));
        assert!(!stream.listing());
    }
}
