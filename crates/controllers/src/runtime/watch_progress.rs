//! Watch progress: how far the watches have come, and whether they have shown what was written (read-your-writes).
//!
//! Docs: rule J-35; Kubernetes API Concepts, "Resource versions". A version that is not a number counts as shown.

use api::{Kind, ObjectMeta, Text};

use super::lookup::Lookup;

/// The newest version that was seen of each kind in each namespace.
#[derive(Debug, Default)]
pub(crate) struct WatchProgress {
    places: Lookup<(Kind, Text), Seen>,
    /// The version of the last list of each kind.
    listed: [u64; Kind::ALL.len()],
    /// Where something was seen since the last request for a plan.
    ahead: Vec<(Kind, Text)>,
    /// Objects that were seen to go since then, by kind, namespace and name, and the version at which they went.
    gone: Lookup<(Kind, Text, Text), u64>,
}

#[derive(Debug, Default)]
struct Seen {
    version: u64,
    /// The version at the last request for a plan. Changes of several objects that came since then are in no order among each other.
    settled: u64,
}

impl WatchProgress {
    /// A watch showed this version.
    pub(crate) fn observe(&mut self, kind: Kind, namespace: &Text, version: &str) {
        let Ok(version) = version.parse::<u64>() else { return };
        let seen = self.places.entry((kind, namespace.clone())).or_default();
        if seen.version == seen.settled {
            self.ahead.push((kind, namespace.clone()));
        }
        seen.version = version.max(seen.version);
    }

    /// A complete list of this version was seen; watches go on from it, even where they had come further: a restored cluster counts from
    /// an older version.
    pub(crate) fn observe_list(&mut self, kind: Kind, version: &str) {
        self.places.retain(|(of, _), _| *of != kind);
        self.gone.retain(|(of, ..), _| *of != kind);
        self.listed[kind as usize] = version.parse().unwrap_or(0);
    }

    /// A watch showed that an object went.
    pub(crate) fn observe_end(&mut self, kind: Kind, metadata: &ObjectMeta) {
        let Ok(version) = metadata.resource_version.parse() else { return };
        self.gone.insert((kind, metadata.namespace.clone(), metadata.name.clone()), version);
    }

    /// From here on, what is not newer than what was seen is old.
    pub(crate) fn settle(&mut self) {
        self.gone.clear();
        for place in self.ahead.drain(..) {
            if let Some(seen) = self.places.get_mut(&place) {
                seen.settled = seen.version;
            }
        }
    }

    /// Whether a state of an object repeats what was seen before: of all objects, or of this one, which is known at a version.
    pub(crate) fn is_old(&self, kind: Kind, metadata: &ObjectMeta, known: Option<&str>) -> bool {
        let Ok(version) = metadata.resource_version.parse::<u64>() else { return false };
        let (namespace, name) = (&metadata.namespace, &metadata.name);
        let settled = self.places.get(&(kind, namespace.clone())).map_or(0, |seen| seen.settled);
        let known = known.and_then(|known| known.parse().ok());
        let gone = || self.gone.get(&(kind, namespace.clone(), name.clone())).copied();
        version <= settled.max(self.listed[kind as usize]).max(known.or_else(gone).unwrap_or(0))
    }

    /// Whether the watches have come to this version.
    pub(crate) fn has_shown(&self, kind: Kind, namespace: &Text, version: u64) -> bool {
        version <= self.seen(kind, namespace)
    }

    /// The newest version seen of a kind in a namespace; 0 if none was.
    pub(crate) fn seen(&self, kind: Kind, namespace: &Text) -> u64 {
        self.places.get(&(kind, namespace.clone())).map_or(0, |seen| seen.version).max(self.listed[kind as usize])
    }
}

/// The newest versions that were written for one key and must be seen before it is planned again; 0 where nothing was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Unseen([u64; Kind::ALL.len()]);

impl Unseen {
    /// An object of this version was written.
    pub(crate) fn wrote(&mut self, kind: Kind, version: &str) {
        let newest = &mut self.0[kind as usize];
        *newest = version.parse().unwrap_or(0).max(*newest);
    }

    /// The first kind with a version that is not shown, and that version.
    pub(crate) fn first(self, progress: &WatchProgress, namespace: &Text) -> Option<(Kind, u64)> {
        let written = Kind::ALL.into_iter().map(|kind| (kind, self.0[kind as usize]));
        written.into_iter().find(|(kind, version)| !progress.has_shown(*kind, namespace, *version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_are_unseen_until_a_watch_or_a_list_comes_to_them() {
        let (mut progress, mut unseen, namespace) = (WatchProgress::default(), Unseen::default(), Text::from("default"));
        unseen.wrote(Kind::Job, "7");
        unseen.wrote(Kind::Job, "5");
        unseen.wrote(Kind::Pod, "not a number");
        progress.observe(Kind::Job, &namespace, "6");
        assert_eq!(unseen.first(&progress, &namespace), Some((Kind::Job, 7)));
        progress.observe_list(Kind::Job, "9");
        assert_eq!(unseen.first(&progress, &namespace), None);
    }

    #[test]
    fn what_was_seen_before_the_last_plan_is_old() {
        let (mut progress, namespace) = (WatchProgress::default(), Text::from("default"));
        progress.observe(Kind::Pod, &namespace, "6");
        assert!(!progress.is_old(Kind::Pod, &pod("5"), None));
        progress.settle();
        assert!(progress.is_old(Kind::Pod, &pod("6"), None) && !progress.is_old(Kind::Pod, &pod("7"), None));
        assert!(!progress.is_old(Kind::Job, &pod("5"), None));
    }

    #[test]
    fn a_list_of_an_older_version_starts_over() {
        let (mut progress, namespace) = (WatchProgress::default(), Text::from("default"));
        progress.observe(Kind::Pod, &namespace, "90");
        progress.observe(Kind::Job, &namespace, "90");
        progress.settle();
        progress.observe_end(Kind::Pod, &pod("91"));
        progress.observe_list(Kind::Pod, "50");
        assert_eq!((progress.seen(Kind::Pod, &namespace), progress.seen(Kind::Job, &namespace)), (50, 90));
        assert!(progress.is_old(Kind::Pod, &pod("50"), None) && !progress.is_old(Kind::Pod, &pod("51"), None));
    }

    #[test]
    fn what_was_seen_of_an_object_is_old() {
        let mut progress = WatchProgress::default();
        assert!(progress.is_old(Kind::Pod, &pod("5"), Some("5")) && !progress.is_old(Kind::Pod, &pod("5"), Some("4")));
        progress.observe_end(Kind::Pod, &pod("6"));
        assert!(progress.is_old(Kind::Pod, &pod("5"), None) && !progress.is_old(Kind::Pod, &pod("7"), None));
    }

    fn pod(version: &str) -> ObjectMeta {
        ObjectMeta { namespace: "default".into(), name: "pi".into(), resource_version: version.into(), ..ObjectMeta::default() }
    }
}
