//! Lists: how far the list of each kind has come, and what is gone by it.
//!
//! Docs: Kubernetes API Concepts, "Retrieving large results sets in chunks" (J-05). What an object of a list changes is in `informer.rs`.

use api::Kind;
use contract::Part;

use super::store::ObjectKey;

/// How far the list of each kind has come.
#[derive(Debug, Default)]
pub(crate) struct Lists([Progress; Kind::ALL.len()]);

#[derive(Debug, Default)]
enum Progress {
    /// There was no list.
    #[default]
    Unlisted,
    /// Parts of a list have come; these are the places of the objects in them.
    Begun(Vec<ObjectKey>),
    /// A list has come to its end.
    Listed,
}

impl Lists {
    /// Whether a list of each of these kinds has come to its end.
    pub(crate) fn complete(&self, kinds: &[Kind]) -> bool {
        kinds.iter().all(|kind| matches!(self.0[*kind as usize], Progress::Listed))
    }

    /// A change showed an object: if a list of its kind is under way, it is part of it.
    pub(crate) fn mention(&mut self, kind: Kind, place: impl FnOnce() -> ObjectKey) {
        if let Progress::Begun(places) = &mut self.0[kind as usize] {
            places.push(place());
        }
    }

    /// Adds a part with the objects at these places. At the end of the list, answers all places, in order: what is elsewhere is gone.
    pub(crate) fn add(&mut self, kind: Kind, part: Part, mut places: Vec<ObjectKey>) -> Option<Vec<ObjectKey>> {
        let progress = &mut self.0[kind as usize];
        if !part.begins() {
            let Progress::Begun(before) = std::mem::take(progress) else {
                panic!("the host sent a part of a list of kind {} that it has not begun", kind.name())
            };
            places.splice(0..0, before);
        }
        if part.ends() {
            *progress = Progress::Listed;
            places.sort_unstable();
            return Some(places);
        }
        *progress = Progress::Begun(places);
        None
    }
}
