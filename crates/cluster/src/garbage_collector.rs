//! Garbage collection: what happens to objects whose owners go. It is worked off right after each write.
//!
//! Docs: Garbage Collection, "Owners and dependents", "Cascading deletion" (T-10, J-137). Requests to delete are in `apiserver/delete.rs`.

use std::collections::BTreeSet;
use std::sync::Arc;

use api::meta::names::{FOREGROUND, ORPHAN};
use api::{Kind, OwnerReference, Text, Timestamp};

use crate::apiserver::{ApiServer, Propagation};
use crate::stored::Stored;

/// Which objects depend on which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependence {
    /// On all of their owners, as in a real cluster: an object goes when none is left, or when none ever was; only
    /// `blockOwnerDeletion` makes an owner wait in the foreground.
    OnOwners,
    /// On their controller alone, as in the session protocol. There, an object of an owner that never was stays, one that comes late to
    /// an owner in the foreground goes when the next one does, an owner in the foreground begins once no other finalizer holds it and
    /// waits for all, and a request for Background does not take back an earlier Foreground.
    OnController,
}

/// How an object depends on an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnerHold {
    /// The owner waits for it in the foreground.
    Blocking,
    /// The owner does not wait for it.
    Free,
}

impl Dependence {
    /// How an object with this reference depends on the owner, if it does.
    pub(crate) fn of(self, owner: &OwnerReference) -> Option<OwnerHold> {
        match self {
            Self::OnOwners if owner.block_owner_deletion == Some(true) => Some(OwnerHold::Blocking),
            Self::OnOwners => Some(OwnerHold::Free),
            Self::OnController => (owner.controller == Some(true)).then_some(OwnerHold::Blocking),
        }
    }
}

/// The keys of the objects that depend on one owner.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dependents {
    blocking: BTreeSet<Text>,
    free: BTreeSet<Text>,
    /// Whether all of them have been notified because their owner goes in the foreground.
    notified: bool,
}

impl Dependents {
    pub(crate) fn add(&mut self, key: Text, hold: OwnerHold) {
        self.notified = false;
        match hold {
            OwnerHold::Blocking => self.blocking.insert(key),
            OwnerHold::Free => self.free.insert(key),
        };
    }

    pub(crate) fn remove(&mut self, key: &str) {
        self.blocking.remove(key);
        self.free.remove(key);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocking.is_empty() && self.free.is_empty()
    }

    fn keys(&self) -> Vec<Text> {
        self.blocking.iter().chain(&self.free).cloned().collect()
    }
}

/// Whether an owner can still be depended on.
#[derive(PartialEq, Eq)]
enum Standing {
    /// It is there, or it is of a kind that this cluster does not serve.
    Solid,
    /// It waits for its dependents to go.
    Going,
    /// It is not there.
    Absent,
}

impl ApiServer {
    /// Carries out what an object's deletion waits for, where possible.
    pub(crate) fn settle(&mut self, written: &Stored, now: Timestamp) {
        if !written.metadata().deleting() {
            return;
        }
        let Some(stored) = self.store.find(&written.object().key()).cloned() else { return };
        let metadata = stored.metadata();
        if metadata.has_finalizer(ORPHAN) {
            for key in self.dependents(&metadata.uid) {
                self.disown(&key, now, |owner| owner.uid == metadata.uid);
            }
            // What owned itself has changed by this, or gone.
            if let Some(stored) = self.store.find(&stored.object().key()).cloned() {
                self.finalize(&stored, ORPHAN, now);
            }
        } else if self.due_in_foreground(&stored) {
            self.notify_dependents(&metadata.uid, now);
            let blocked = self.store.dependents(&metadata.uid).is_some_and(|dependents| !dependents.blocking.is_empty());
            // The last dependent may have taken its owner along.
            if !blocked && self.store.find(&stored.object().key()).is_some() {
                self.finalize(&stored, FOREGROUND, now);
            }
        }
    }

    /// Removes an object and continues with its dependents and owners; returns its last state.
    pub(crate) fn let_go(&mut self, stored: &Arc<Stored>, now: Timestamp) -> Arc<Stored> {
        let metadata = stored.metadata();
        let last = self.store.take(&stored.object().key()).expect("an object is let go while it is stored");
        for key in self.dependents(&metadata.uid) {
            self.collect(&key, now);
        }
        for owner in metadata.owner_references.iter() {
            if let Some(owner) = self.owner(&metadata.namespace, owner).cloned() {
                self.settle(&owner, now);
            }
        }
        last
    }

    /// Collects an object that was just given owners, if they do not hold it.
    pub(crate) fn consider_owners(&mut self, stored: &Arc<Stored>, now: Timestamp) {
        let metadata = stored.metadata();
        let loose = |owner: &OwnerReference| self.standing(&metadata.namespace, owner) != Standing::Solid;
        if self.store.dependence() == Dependence::OnOwners && metadata.owner_references.iter().any(loose) {
            self.collect(&stored.object().key(), now);
        }
    }

    /// Deletes an object that has lost an owner, or takes the owner's name from it if another one is left.
    fn collect(&mut self, key: &str, now: Timestamp) {
        let Some(stored) = self.store.find(key).cloned() else { return };
        let metadata = stored.metadata();
        if metadata.deleting() {
            return;
        }
        let solid = |server: &Self, owner: &OwnerReference| server.standing(&metadata.namespace, owner) == Standing::Solid;
        let held = self.store.dependence() == Dependence::OnOwners && metadata.owner_references.iter().any(|owner| solid(self, owner));
        if held {
            let lost: Vec<Text> =
                metadata.owner_references.iter().filter(|owner| !solid(self, owner)).map(|owner| owner.uid.clone()).collect();
            self.disown(key, now, |owner| lost.contains(&owner.uid));
        } else {
            let propagation = self.propagation(&stored);
            let stored = if propagation == Propagation::Foreground { self.unblock(stored, now) } else { stored };
            self.begin_deletion(&stored, Some(propagation), None, now);
        }
    }

    /// What happens to the dependents of an object that is collected: those of one that its owner waits for go before it, so that the owner
    /// waits for them too.
    fn propagation(&mut self, stored: &Stored) -> Propagation {
        let metadata = stored.metadata();
        let awaited = metadata.owner_references.iter().any(|owner| self.standing(&metadata.namespace, owner) == Standing::Going);
        match self.store.dependence() {
            Dependence::OnController => Propagation::Background,
            Dependence::OnOwners if awaited && self.store.dependents(&metadata.uid).is_some() => Propagation::Foreground,
            Dependence::OnOwners if metadata.has_finalizer(ORPHAN) => Propagation::Orphan,
            Dependence::OnOwners if metadata.has_finalizer(FOREGROUND) => Propagation::Foreground,
            Dependence::OnOwners => Propagation::Background,
        }
    }

    /// Keeps the owners of an object from waiting for it if one of its dependents waits for its own in turn: they could wait for each other.
    fn unblock(&mut self, stored: Arc<Stored>, now: Timestamp) -> Arc<Stored> {
        let dependents = self.dependents(&stored.metadata().uid);
        if !dependents.iter().filter_map(|key| self.store.find(key)).any(|dependent| self.due_in_foreground(dependent)) {
            return stored;
        }
        let mut object = stored.object().clone();
        for owner in object.metadata_mut().owner_references.iter_mut().filter(|owner| owner.block_owner_deletion == Some(true)) {
            owner.block_owner_deletion = Some(false);
        }
        self.write(&stored, object, now)
    }

    /// Notifies all dependents of an owner that goes in the foreground, once.
    fn notify_dependents(&mut self, owner: &str, now: Timestamp) {
        let Some(dependents) = self.store.dependents(owner) else { return };
        if std::mem::replace(&mut dependents.notified, true) {
            return;
        }
        for key in dependents.keys() {
            self.collect(&key, now);
        }
    }

    /// Takes some owners from an object.
    fn disown(&mut self, key: &str, now: Timestamp, lost: impl Fn(&OwnerReference) -> bool) {
        let Some(stored) = self.store.find(key).cloned() else { return };
        let mut object = stored.object().clone();
        object.metadata_mut().owner_references.retain(|owner| !lost(owner));
        self.write(&stored, object, now);
    }

    /// Takes a finalizer from an object.
    fn finalize(&mut self, stored: &Arc<Stored>, finalizer: &str, now: Timestamp) {
        let mut object = stored.object().clone();
        object.metadata_mut().finalizers.retain(|held| **held != *finalizer);
        self.write(stored, object, now);
    }

    fn due_in_foreground(&self, stored: &Stored) -> bool {
        let metadata = stored.metadata();
        let alone = metadata.finalizers.len() == 1 || self.store.dependence() == Dependence::OnOwners;
        metadata.deleting() && metadata.has_finalizer(FOREGROUND) && alone
    }

    fn standing(&self, namespace: &str, owner: &OwnerReference) -> Standing {
        if Kind::of(&owner.kind).is_none_or(|kind| kind.api_version() != &*owner.api_version) {
            return Standing::Solid;
        }
        match self.owner(namespace, owner) {
            None => Standing::Absent,
            Some(there) if self.due_in_foreground(there) => Standing::Going,
            Some(_) => Standing::Solid,
        }
    }

    /// The owner of this reference, if it is there.
    fn owner(&self, namespace: &str, owner: &OwnerReference) -> Option<&Arc<Stored>> {
        self.object(Kind::of(&owner.kind)?, namespace, &owner.name).filter(|there| there.metadata().uid == owner.uid)
    }

    fn dependents(&mut self, owner: &str) -> Vec<Text> {
        self.store.dependents(owner).map(|dependents| dependents.keys()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::testing::{cron_job, describe, job, owned_by, owned_by_kind, pod, send_line, server};

    /// Sends one line a second, and shows what is left in the end.
    fn check(dependence: Dependence, lines: &[&str], expected: Expect) {
        let mut server = server(dependence);
        for (line, second) in lines.iter().zip(0..) {
            send_line(&mut server, line, second);
        }
        let left: Vec<String> = Kind::ALL.iter().flat_map(|kind| server.objects(*kind)).map(|object| describe(object)).collect();
        expected.assert_eq(&left.join("\n"));
    }

    #[test]
    fn in_the_background_dependents_go_after_their_owner() {
        let (new, running) = (pod("new", &owned_by("pi", true), ""), pod("running", &owned_by("pi", false), "node"));
        let lines = [&*job("pi", ""), &new, &running, r#"DELETE jobs/pi {"propagationPolicy":"Background"}"#];
        check(Dependence::OnOwners, &lines, expect!["running v7 g2 Pending of pi goes at 12:00:33 after 30 s"]);
        check(Dependence::OnController, &lines, expect!["running v7 g2 Pending of pi goes at 12:00:33 after 30 s"]);
    }

    #[test]
    fn in_the_foreground_an_owner_waits_for_those_that_block_it() {
        let (job, blocking, free) =
            (job("pi", ""), pod("blocking", &owned_by("pi", true), "node"), pod("free", &owned_by("pi", false), "node"));
        let delete = r#"DELETE jobs/pi {"propagationPolicy":"Foreground"}"#;
        let stop = r#"DELETE pods/blocking {"gracePeriodSeconds":0}"#;
        check(
            Dependence::OnOwners,
            &[&job, &blocking, &free, delete],
            expect![[r#"
            pi v4 g2 held by foregroundDeletion goes at 12:00:03 after 0 s
            blocking v5 g2 Pending of pi goes at 12:00:33 after 30 s
            free v6 g2 Pending of pi goes at 12:00:33 after 30 s"#]],
        );
        check(
            Dependence::OnOwners,
            &[&job, &blocking, &free, delete, stop],
            expect!["free v6 g2 Pending of pi goes at 12:00:33 after 30 s"],
        );
        check(
            Dependence::OnController,
            &[&job, &blocking, &free, delete, stop],
            expect![[r#"
            pi v4 g2 held by foregroundDeletion goes at 12:00:03 after 0 s
            free v6 g2 Pending of pi goes at 12:00:33 after 30 s"#]],
        );
        check(Dependence::OnOwners, &[&job, delete], expect![""]);
    }

    #[test]
    fn c_110_jobs_of_a_cron_job_go_with_it_and_take_their_pods_along() {
        let owned = job("pi", &owned_by_kind(Kind::CronJob, "c", true));
        let pod = pod("a", &owned_by("pi", true), "node");
        let lines = |delete| [cron_job("c", ""), owned.clone(), pod.clone(), delete];
        let left = |policy: &str, expected: Expect| {
            let lines = lines(format!(r#"DELETE cronjobs/c {{"propagationPolicy":"{policy}"}}"#));
            check(Dependence::OnOwners, &lines.each_ref().map(String::as_str), expected);
        };
        let gone = expect!["a v6 g2 Pending of pi goes at 12:00:33 after 30 s"];
        check(Dependence::OnOwners, &lines("DELETE cronjobs/c".to_owned()).each_ref().map(String::as_str), gone);
        left("Background", expect!["a v6 g2 Pending of pi goes at 12:00:33 after 30 s"]);
        left(
            "Foreground",
            expect![[r#"
            c v4 g2 held by foregroundDeletion goes at 12:00:03 after 0 s
            pi v5 g2 of c held by foregroundDeletion goes at 12:00:03 after 0 s
            a v6 g2 Pending of pi goes at 12:00:33 after 30 s"#]],
        );
        left(
            "Orphan",
            expect![[r#"
            pi v5 g1
            a v3 g1 Pending of pi"#]],
        );
    }

    #[test]
    fn in_the_foreground_all_generations_go_once_the_last_one_has_gone() {
        let lines = [
            cron_job("c", ""),
            job("pi", &owned_by_kind(Kind::CronJob, "c", true)),
            pod("a", &owned_by("pi", true), "node"),
            r#"DELETE cronjobs/c {"propagationPolicy":"Foreground"}"#.to_owned(),
            r#"DELETE pods/a {"gracePeriodSeconds":0}"#.to_owned(),
        ];
        check(Dependence::OnOwners, &lines.each_ref().map(String::as_str), expect![""]);
    }

    #[test]
    fn owners_of_each_other_do_not_wait_for_each_other() {
        let late = r#"{"metadata":{"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"b","uid":"job-b-1","blockOwnerDeletion":true}]}}"#;
        let lines = [
            job("a", ""),
            job("b", &owned_by("a", true)),
            format!("PATCH jobs/a merge {late}"),
            r#"DELETE jobs/a {"propagationPolicy":"Foreground"}"#.to_owned(),
        ];
        check(Dependence::OnOwners, &lines.each_ref().map(String::as_str), expect![""]);
    }

    #[test]
    fn orphans_lose_their_owner_only() {
        check(
            Dependence::OnOwners,
            &[&job("pi", ""), &pod("a", &owned_by("pi", true), "node"), r#"DELETE jobs/pi {"propagationPolicy":"Orphan"}"#],
            expect!["a v4 g1 Pending"],
        );
    }

    #[test]
    fn an_object_may_own_itself() {
        let owned = job("pi", &owned_by("pi", true));
        for (policy, left) in
            [("Orphan", ""), ("Background", ""), ("Foreground", "pi v2 g2 of pi held by foregroundDeletion goes at 12:00:01 after 0 s")]
        {
            let mut server = server(Dependence::OnOwners);
            send_line(&mut server, &owned, 0);
            send_line(&mut server, &format!(r#"DELETE jobs/pi {{"propagationPolicy":"{policy}"}}"#), 1);
            let objects: Vec<String> = server.objects(Kind::Job).map(|object| describe(object)).collect();
            assert_eq!(objects.join(" "), left, "{policy}");
        }
    }

    #[test]
    fn other_finalizers_do_not_keep_dependents_except_in_the_session_protocol() {
        let lines = [
            &*job("pi", r#","finalizers":["x.y/z"]"#),
            &pod("a", &owned_by("pi", true), "node"),
            r#"DELETE jobs/pi {"propagationPolicy":"Foreground"}"#,
        ];
        check(
            Dependence::OnOwners,
            &lines,
            expect![[r#"
            pi v3 g2 held by x.y/z,foregroundDeletion goes at 12:00:02 after 0 s
            a v4 g2 Pending of pi goes at 12:00:32 after 30 s"#]],
        );
        check(
            Dependence::OnController,
            &lines,
            expect![[r#"
            pi v3 g2 held by x.y/z,foregroundDeletion goes at 12:00:02 after 0 s
            a v2 g1 Pending of pi"#]],
        );
    }

    #[test]
    fn who_comes_late_or_to_nobody_goes() {
        let (job, first, late) = (job("pi", ""), pod("first", &owned_by("pi", true), "node"), pod("late", &owned_by("pi", true), "node"));
        let delete = r#"DELETE jobs/pi {"propagationPolicy":"Foreground"}"#;
        check(
            Dependence::OnOwners,
            &[&job, &first, delete, &late],
            expect![[r#"
            pi v3 g2 held by foregroundDeletion goes at 12:00:02 after 0 s
            first v4 g2 Pending of pi goes at 12:00:32 after 30 s
            late v6 g2 Pending of pi goes at 12:00:33 after 30 s"#]],
        );
        check(
            Dependence::OnController,
            &[&job, &first, delete, &late],
            expect![[r#"
            pi v3 g2 held by foregroundDeletion goes at 12:00:02 after 0 s
            first v4 g2 Pending of pi goes at 12:00:32 after 30 s
            late v5 g1 Pending of pi"#]],
        );
        check(Dependence::OnOwners, &[&late], expect!["late v2 g2 Pending of pi goes at 12:00:30 after 30 s"]);
        check(Dependence::OnController, &[&late], expect!["late v1 g1 Pending of pi"]);
    }

    #[test]
    fn another_owner_keeps_an_object() {
        let both = r#","ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"pi","uid":"job-pi-1"},
            {"apiVersion":"batch/v1","kind":"Job","name":"e","uid":"job-e-1"},{"apiVersion":"v1","kind":"Node","name":"n","uid":"u"}]"#;
        check(
            Dependence::OnOwners,
            &[&job("pi", ""), &job("e", ""), &pod("a", both, "node"), r#"DELETE jobs/pi {"propagationPolicy":"Background"}"#],
            expect![[r#"
                e v2 g1
                a v5 g1 Pending of e,n"#]],
        );
    }
}
