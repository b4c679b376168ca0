//! Watches: what each of any number of watchers has not seen yet.
//!
//! Docs: API Concepts, "Efficient detection of changes". Changes come from `store.rs`.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use api::{Kind, Text};
use contract::{Change, ObjectJson};

use crate::stored::Stored;

/// An open watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WatchId(u64);

/// One write of an object.
#[derive(Debug, Clone)]
pub struct Write {
    /// `Kind/namespace/name`.
    pub key: Text,
    /// The object before the write, if it was there.
    pub before: Option<Arc<Stored>>,
    /// The object after the write; if it went, its last state with the version at which it went.
    pub after: Arc<Stored>,
    /// Whether the object went.
    pub gone: bool,
}

/// All watches, and the writes that one of them has not seen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watches {
    unseen: VecDeque<Write>,
    /// The number of the first unseen write.
    first: u64,
    open: Vec<WatchCursor>,
    opened: u64,
}

#[derive(Debug, Clone, Copy)]
struct WatchCursor {
    watch: WatchId,
    kind: Option<Kind>,
    /// The number of the next write to see.
    next: u64,
}

impl Watches {
    /// Opens a watch on one kind or on all, for what comes from here on.
    pub(crate) fn open(&mut self, kind: Option<Kind>) -> WatchId {
        let watch = WatchId(self.opened);
        self.opened += 1;
        self.open.push(WatchCursor { watch, kind, next: self.first + self.unseen.len() as u64 });
        watch
    }

    /// Closes a watch; a watch that is not open shows nothing.
    pub(crate) fn close(&mut self, watch: WatchId) {
        self.open.retain(|cursor| cursor.watch != watch);
        self.forget_seen();
    }

    pub(crate) fn record(&mut self, write: Write) {
        if !self.open.is_empty() {
            self.unseen.push_back(write);
        }
    }

    /// The next write that the watch shows.
    pub(crate) fn next_write(&mut self, watch: WatchId) -> Option<Write> {
        let cursor = self.open.iter_mut().find(|cursor| cursor.watch == watch)?;
        let skipped = usize::try_from(cursor.next - self.first).expect("a log in memory is indexed by usize");
        let passed = self.unseen.iter().skip(skipped).position(|write| cursor.kind.is_none_or(|kind| kind == write.after.kind()));
        let write = passed.map(|passed| self.unseen[skipped + passed].clone());
        cursor.next += passed.map_or(self.unseen.len() - skipped, |passed| passed + 1) as u64;
        self.forget_seen();
        write
    }

    /// All that changed since the last look, one state for each object, sorted by the text `Kind/namespace/name`.
    ///
    /// An object that went and came again is reported as deleted and then as applied; one that came and went, as deleted.
    pub(crate) fn coalesced(&mut self, watch: WatchId) -> Vec<Change> {
        let Some(cursor) = self.open.iter_mut().find(|cursor| cursor.watch == watch) else { return Vec::new() };
        let skipped = usize::try_from(cursor.next - self.first).expect("a log in memory is indexed by usize");
        let mut changed: BTreeMap<&Text, Coalesced<'_>> = BTreeMap::new();
        for write in self.unseen.iter().skip(skipped) {
            if cursor.kind.is_none_or(|kind| kind == write.after.kind()) {
                changed.entry(&write.key).or_insert(Coalesced { seen: write.before.as_ref(), gone: None, there: None }).add(write);
            }
        }
        let changes = changed.into_values().flat_map(Coalesced::changes).collect();
        cursor.next = self.first + self.unseen.len() as u64;
        self.forget_seen();
        changes
    }

    /// Lets go of the writes that all watches have seen.
    fn forget_seen(&mut self) {
        let end = self.first + self.unseen.len() as u64;
        let oldest = self.open.iter().map(|cursor| cursor.next).min().unwrap_or(end);
        let seen = usize::try_from(oldest - self.first).expect("a log in memory is indexed by usize");
        self.unseen.drain(..seen);
        self.first = oldest;
    }
}

/// What happened to one object since the last call. An object that came and went is reported too: its creator may be waiting to see it.
struct Coalesced<'a> {
    /// Its state at the last look.
    seen: Option<&'a Arc<Stored>>,
    /// The last state of what was seen, if that went; of what came and went, if nothing was seen.
    gone: Option<&'a Arc<Stored>>,
    /// Its state now.
    there: Option<&'a Arc<Stored>>,
}

impl<'a> Coalesced<'a> {
    fn add(&mut self, write: &'a Write) {
        self.there = (!write.gone).then_some(&write.after);
        if write.gone && self.seen.is_none_or(|seen| seen.metadata().uid == write.after.metadata().uid) {
            self.gone = Some(&write.after);
        }
    }

    fn changes(self) -> impl Iterator<Item = Change> {
        self.gone.map(|gone| deleted(gone)).into_iter().chain(self.there.map(|there| applied(there)))
    }
}

fn applied(object: &Stored) -> Change {
    Change::Applied(json(object))
}

fn deleted(object: &Stored) -> Change {
    Change::Deleted(json(object))
}

fn json(object: &Stored) -> ObjectJson {
    ObjectJson { kind: object.kind().name().into(), json: object.json() }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::testing::{job, pod, send_line, server};
    use crate::{ApiServer, Dependence};

    fn next(server: &mut ApiServer, watch: WatchId) -> Option<String> {
        let Write { after, gone, .. } = server.next_write(watch)?;
        Some(described(&if gone { deleted(&after) } else { applied(&after) }))
    }

    fn described(change: &Change) -> String {
        let (word, json) = match change {
            Change::Applied(json) => ("applied", json),
            Change::Deleted(json) => ("deleted", json),
        };
        let object: serde_json::Value = serde_json::from_str(&json.json).unwrap();
        let metadata = &object["metadata"];
        format!("{word} {} v{}", metadata["uid"].as_str().unwrap(), metadata["resourceVersion"].as_str().unwrap())
    }

    /// What a watch shows that was opened after the object `a` was there: change by change, and coalesced.
    fn check(lines: &[&str], stream: Expect, coalesced: Expect) {
        let mut server = server(Dependence::OnOwners);
        send_line(&mut server, &pod("a", "", ""), 0);
        let (one, other) = (server.watch(None), server.watch(None));
        for line in lines {
            send_line(&mut server, line, 0);
        }
        let shown: Vec<String> = std::iter::from_fn(|| next(&mut server, one)).collect();
        stream.assert_eq(&shown.join(", "));
        let shown: Vec<String> = server.changes(other).iter().map(described).collect();
        coalesced.assert_eq(&shown.join(", "));
        assert_eq!((next(&mut server, one), server.changes(other)), (None, Vec::new()));
    }

    #[test]
    fn one_state_for_each_object_or_all_in_order() {
        let label = |value: &str| format!(r#"PATCH pods/a merge {{"metadata":{{"labels":{{"l":"{value}"}}}}}}"#);
        check(&[], expect![""], expect![""]);
        check(
            &[&pod("b", "", ""), &label("1"), &job("c", ""), &label("2")],
            expect!["applied pod-b-1 v2, applied pod-a-1 v3, applied job-c-1 v4, applied pod-a-1 v5"],
            expect!["applied job-c-1 v4, applied pod-a-1 v5, applied pod-b-1 v2"],
        );
    }

    #[test]
    fn deletions_are_reported_before_creations_of_the_same_name() {
        check(&["DELETE pods/a"], expect!["applied pod-a-1 v2, deleted pod-a-1 v3"], expect!["deleted pod-a-1 v3"]);
        check(
            &["DELETE pods/a", &pod("a", "", "")],
            expect!["applied pod-a-1 v2, deleted pod-a-1 v3, applied pod-a-2 v4"],
            expect!["deleted pod-a-1 v3, applied pod-a-2 v4"],
        );
        check(
            &[&pod("b", "", ""), "DELETE pods/b"],
            expect!["applied pod-b-1 v2, applied pod-b-1 v3, deleted pod-b-1 v4"],
            expect!["deleted pod-b-1 v4"],
        );
        check(
            &["DELETE pods/a", &pod("a", "", ""), "DELETE pods/a", &pod("a", "", "")],
            expect![
                "applied pod-a-1 v2, deleted pod-a-1 v3, applied pod-a-2 v4, applied pod-a-2 v5, deleted pod-a-2 v6, applied pod-a-3 v7"
            ],
            expect!["deleted pod-a-1 v3, applied pod-a-3 v7"],
        );
    }

    #[test]
    fn a_watch_shows_its_kind_and_what_came_after_it_was_opened() {
        let mut server = server(Dependence::OnOwners);
        let jobs = server.watch(Some(Kind::Job));
        send_line(&mut server, &pod("a", "", ""), 0);
        let pods = server.watch(Some(Kind::Pod));
        send_line(&mut server, &job("b", ""), 0);
        send_line(&mut server, &pod("c", "", ""), 0);
        assert_eq!(next(&mut server, jobs).unwrap(), "applied job-b-1 v2");
        assert_eq!(next(&mut server, jobs), None);
        assert_eq!(server.changes(pods).iter().map(described).collect::<Vec<_>>(), ["applied pod-c-1 v3"]);
        server.close(pods);
        send_line(&mut server, &pod("d", "", ""), 0);
        assert_eq!((next(&mut server, pods), server.changes(jobs)), (None, Vec::new()));
    }
}
