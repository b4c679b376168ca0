//! The garbage collector that the real API server lacks here, played request by request, straight from the page.
//!
//! Docs: Garbage Collection, "Owners and dependents", "Cascading deletion". That of the cluster in memory is `crates/cluster/src/garbage_collector.rs`.

use api::Kind;
use api::request::{ContentType, Method, Request};
use serde_json::{Value, json};

use crate::cluster::PlainClient;

/// Does what a collector has to do in a namespace, until nothing is left to do.
pub(super) fn collect(client: &PlainClient, namespace: &str) {
    let collector = Collector { client, namespace };
    while collector.step() {}
}

struct Collector<'a> {
    client: &'a PlainClient,
    namespace: &'a str,
}

impl Collector<'_> {
    /// Does one thing, if there is one.
    fn step(&self) -> bool {
        let objects: Vec<(Kind, Value)> =
            Kind::ALL.iter().flat_map(|kind| self.list(*kind).into_iter().map(|object| (*kind, object))).collect();
        // All dependents of an owner in the foreground are considered once, also those that do not block it.
        objects.iter().any(|dependent| self.consider_dependent(dependent, &objects))
            || objects.iter().any(|owner| self.finish_owner(owner, &objects))
    }

    /// Does what an object that is being deleted waits for.
    fn finish_owner(&self, owner: &(Kind, Value), objects: &[(Kind, Value)]) -> bool {
        let refers = |object: &Value| owners(object).into_iter().find(|reference| is(reference, &owner.1));
        if held_by(&owner.1, "orphan") {
            let dependents = objects.iter().filter(|(_, object)| refers(object).is_some());
            dependents.for_each(|dependent| self.disown(dependent, |reference| is(reference, &owner.1)));
            self.release(owner, "orphan");
            return true;
        }
        let blocks = |object: &Value| refers(object).is_some_and(|reference| reference["blockOwnerDeletion"] == true);
        if held_by(&owner.1, "foregroundDeletion") && !objects.iter().any(|(_, object)| blocks(object)) {
            self.release(owner, "foregroundDeletion");
            return true;
        }
        false
    }

    /// Deletes an object whose owners have gone or wait for it to go; takes those owners from one that has others.
    fn consider_dependent(&self, dependent: &(Kind, Value), objects: &[(Kind, Value)]) -> bool {
        let served = |owner: &Value| Kind::ALL.iter().any(|kind| owner["kind"] == kind.name());
        let there = |owner: &Value| objects.iter().any(|(_, object)| is(owner, object) && !held_by(object, "foregroundDeletion"));
        let solid = |owner: &Value| !served(owner) || there(owner);
        let owners = owners(&dependent.1);
        if deleting(&dependent.1) || owners.iter().all(solid) {
            return false;
        }
        if owners.iter().any(solid) {
            self.disown(dependent, |owner| !solid(owner));
        } else {
            let waits = owners.iter().any(|owner| objects.iter().any(|(_, object)| is(owner, object)));
            let has_dependents = objects.iter().any(|(_, object)| refers(object, &dependent.1));
            let policy = match () {
                () if waits && has_dependents => "Foreground",
                () if finalizers(&dependent.1).iter().any(|held| held == "orphan") => "Orphan",
                () if finalizers(&dependent.1).iter().any(|held| held == "foregroundDeletion") => "Foreground",
                () => "Background",
            };
            let preconditions = json!({"uid": dependent.1["metadata"]["uid"]});
            self.send(dependent, Method::Delete, &json!({"propagationPolicy": policy, "preconditions": preconditions}));
        }
        true
    }

    fn disown(&self, dependent: &(Kind, Value), lost: impl Fn(&Value) -> bool) {
        let left: Vec<Value> = owners(&dependent.1).into_iter().filter(|owner| !lost(owner)).collect();
        self.send(dependent, Method::Patch, &json!({"metadata": {"ownerReferences": left}}));
    }

    fn release(&self, owner: &(Kind, Value), finalizer: &str) {
        let left: Vec<&Value> = finalizers(&owner.1).iter().filter(|held| **held != finalizer).collect();
        self.send(owner, Method::Patch, &json!({"metadata": {"finalizers": left}}));
    }

    fn list(&self, kind: Kind) -> Vec<Value> {
        let path = api::request::path(kind, self.namespace, "", "");
        let request = Request { method: Method::Get, path, content_type: ContentType::Json, body: String::new() };
        self.client.send(&request).1["items"].as_array().cloned().expect("a list has items")
    }

    fn send(&self, (kind, object): &(Kind, Value), method: Method, body: &Value) {
        let name = object["metadata"]["name"].as_str().expect("an object has a name");
        let content_type = if method == Method::Patch { ContentType::MergePatch } else { ContentType::Json };
        let path = api::request::path(*kind, self.namespace, name, "");
        let (code, answer) = self.client.send(&Request { method, path, content_type, body: body.to_string() });
        assert!(code < 300, "{answer}");
    }
}

fn deleting(object: &Value) -> bool {
    object["metadata"]["deletionTimestamp"].is_string()
}

fn finalizers(object: &Value) -> &[Value] {
    object["metadata"]["finalizers"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn held_by(object: &Value, finalizer: &str) -> bool {
    deleting(object) && finalizers(object).iter().any(|held| held == finalizer)
}

fn owners(object: &Value) -> Vec<Value> {
    object["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default()
}

/// Whether an object has a reference to the owner.
fn refers(object: &Value, owner: &Value) -> bool {
    owners(object).iter().any(|reference| is(reference, owner))
}

/// Whether a reference is to this object.
fn is(owner: &Value, object: &Value) -> bool {
    owner["uid"] == object["metadata"]["uid"]
}
