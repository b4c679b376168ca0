//! Lists: which objects of a kind there are, told at once or in parts; what is in no part is gone.
//!
//! Docs: Kubernetes API Concepts, "Retrieving large results sets in chunks" (J-05). Single changes are taken in by `manager.rs`.

use api::{Kind, Malformed, Object, Text, Timestamp};
use contract::Part;

use crate::job::tally::sorted;
use crate::key::JobKey;
use crate::manager::ControllerManager;

/// How far the list of each kind was told.
#[derive(Debug, Default)]
pub(crate) struct Lists([Progress; Kind::ALL.len()]);

#[derive(Debug, Default)]
enum Progress {
    /// No list was told.
    #[default]
    Unlisted,
    /// Parts of a list were told; these are the places of the objects in them.
    Begun(Vec<Text>),
    /// A list was told to its end.
    Listed,
}

impl Lists {
    /// Whether a list of each kind was told to its end.
    pub(crate) fn complete(&self) -> bool {
        self.0.iter().all(|progress| matches!(progress, Progress::Listed))
    }

    /// A change showed an object: if a list of its kind is being told, it is part of it.
    pub(crate) fn mention(&mut self, kind: Kind, place: impl FnOnce() -> Text) {
        if let Progress::Begun(places) = &mut self.0[kind as usize] {
            places.push(place());
        }
    }

    /// The places that were told in the parts before this one.
    fn resume(&mut self, kind: Kind, part: Part) -> Vec<Text> {
        match (part, std::mem::take(&mut self.0[kind as usize])) {
            (Part::Whole | Part::First, _) => Vec::new(),
            (Part::Middle | Part::Last, Progress::Begun(places)) => places,
            (Part::Middle | Part::Last, Progress::Unlisted | Progress::Listed) => {
                panic!("the host told a part of a list of kind {} that it has not begun", kind.name())
            }
        }
    }
}

impl ControllerManager {
    /// A list was told, or a part of it. Of objects that cannot be understood, the first one is answered.
    pub(crate) fn listed(&mut self, kind: Kind, part: Part, version: &str, objects: &[Text], now: Timestamp) -> Result<(), Malformed> {
        let (mut malformed, mut places) = (None, self.lists.resume(kind, part));
        for text in objects {
            match Object::decode(kind, text) {
                Ok(object) => {
                    places.push(place(&object.metadata().namespace, &object.metadata().name));
                    self.put(object, now);
                }
                Err(error) => {
                    // What was known of it stays.
                    places.push(error.name.as_str().into());
                    malformed.get_or_insert(error);
                }
            }
        }
        match part {
            Part::First | Part::Middle => self.lists.0[kind as usize] = Progress::Begun(places),
            Part::Whole | Part::Last => self.list_told(kind, version, &places, now),
        }
        malformed.map_or(Ok(()), Err)
    }

    /// A list was told to its end: what is not at one of these places is gone.
    fn list_told(&mut self, kind: Kind, version: &str, places: &[Text], now: Timestamp) {
        let places = sorted(places.iter());
        for (namespace, name) in self.store.names(kind) {
            match (kind, places.binary_search(&&*place(&namespace, &name))) {
                (_, Ok(_)) => {}
                (Kind::Job, Err(_)) => self.take_job(&JobKey { namespace, name }, now),
                (Kind::Pod, Err(_)) => self.take_pod(&namespace, &name, now),
            }
        }
        self.lists.0[kind as usize] = Progress::Listed;
        self.freshness.observe_list(kind, version);
        for key in self.holds.shown(kind, None, &self.freshness) {
            self.release(&key);
        }
    }
}

/// Where an object is, as malformed ones are named.
pub(crate) fn place(namespace: &str, name: &str) -> Text {
    format!("{namespace}/{name}").into()
}

#[cfg(test)]
mod tests {
    use contract::{Change, Event, Json, Reconciled};

    use super::*;
    use crate::Config;

    /// A Job that wants two pods, or a pod that runs for it.
    fn object(kind: Kind, name: &str, version: u32) -> Text {
        let metadata = format!(r#""namespace":"default","name":"{name}","uid":"{name}","resourceVersion":"{version}""#);
        match kind {
            Kind::Job => format!(
                r#"{{"metadata":{{{metadata},"generation":1}},"spec":{{"parallelism":2,"completions":2,"backoffLimit":6,
                "selector":{{"matchLabels":{{"app":"pi"}}}},"template":{{"spec":{{"restartPolicy":"Never"}}}}}}}}"#
            ),
            Kind::Pod => format!(
                r#"{{"metadata":{{{metadata},"labels":{{"app":"pi"}},"finalizers":["batch.kubernetes.io/job-tracking"],"ownerReferences":
                [{{"apiVersion":"batch/v1","kind":"Job","name":"pi","uid":"pi","controller":true}}]}},"status":{{"phase":"Running"}}}}"#
            ),
        }
        .into()
    }

    fn tell(manager: &mut ControllerManager, kind: Kind, part: Part, names: &[&str]) {
        let objects = names.iter().map(|name| object(kind, name, 5)).collect();
        manager.handle(Event::Listed { kind, part, resource_version: "7".into(), objects }, Timestamp::UNIX_EPOCH).unwrap();
    }

    /// A manager that was told of one Job, and of no list of pods.
    fn manager() -> ControllerManager {
        let mut manager = ControllerManager::new(Config::default());
        tell(&mut manager, Kind::Job, Part::Whole, &["pi"]);
        manager
    }

    fn plans(manager: &mut ControllerManager) -> Vec<Reconciled> {
        std::iter::from_fn(|| manager.reconcile_next(Timestamp::UNIX_EPOCH + api::Duration::from_secs(9))).collect()
    }

    /// The names of all pods that are known.
    fn pods(manager: &ControllerManager) -> Vec<String> {
        manager.store.names(Kind::Pod).into_iter().map(|(_, name)| name.to_string()).collect()
    }

    #[test]
    fn nothing_is_planned_before_the_last_part_and_then_as_after_a_whole_list() {
        let (mut whole, mut parts) = (manager(), manager());
        tell(&mut whole, Kind::Pod, Part::Whole, &["a", "b", "c"]);
        tell(&mut parts, Kind::Pod, Part::First, &["a"]);
        assert_eq!((plans(&mut parts), parts.next_wakeup()), (Vec::new(), None));
        tell(&mut parts, Kind::Pod, Part::Middle, &["b", "c"]);
        assert_eq!((plans(&mut parts), parts.next_wakeup()), (Vec::new(), None));
        tell(&mut parts, Kind::Pod, Part::Last, &[]);
        let planned = plans(&mut parts);
        let methods = planned.iter().flat_map(|plan| &plan.plan.batches).flatten().map(|command| command.request.method.name());
        assert_eq!(methods.collect::<Vec<_>>(), ["PATCH", "DELETE", "PUT"], "there is one pod too many");
        assert_eq!(planned, plans(&mut whole));
    }

    #[test]
    fn a_list_that_is_told_again_is_waited_for_too() {
        let mut manager = manager();
        tell(&mut manager, Kind::Pod, Part::Whole, &["a"]);
        tell(&mut manager, Kind::Pod, Part::First, &[]);
        assert_eq!(plans(&mut manager), []);
        assert_eq!(pods(&manager), ["a"], "it may come with a later part");
        tell(&mut manager, Kind::Pod, Part::Last, &["b"]);
        assert_eq!(pods(&manager), ["b"]);
        assert!(!plans(&mut manager).is_empty());
    }

    #[test]
    fn what_was_in_a_list_that_broke_off_and_is_gone_in_the_next_is_taken_away() {
        for parts in [
            &[(Part::First, "b"), (Part::Last, "c")][..],
            &[(Part::First, "b"), (Part::Middle, "c"), (Part::Last, "c")],
            &[(Part::Whole, "b c")],
        ] {
            let mut manager = manager();
            tell(&mut manager, Kind::Pod, Part::First, &["a"]);
            tell(&mut manager, Kind::Pod, Part::Middle, &["b"]);
            for (part, names) in parts {
                tell(&mut manager, Kind::Pod, *part, &names.split(' ').collect::<Vec<_>>());
            }
            assert_eq!(pods(&manager), ["b", "c"]);
        }
    }

    #[test]
    fn what_a_stream_shows_between_two_parts_is_part_of_the_list() {
        let mut manager = manager();
        let show = |manager: &mut ControllerManager, change: fn(Json) -> Change, name: &str| {
            let object = Json { kind: Kind::Pod, text: object(Kind::Pod, name, 6) };
            manager.handle(Event::Changed(change(object)), Timestamp::UNIX_EPOCH).unwrap();
        };
        tell(&mut manager, Kind::Pod, Part::First, &["a", "b"]);
        show(&mut manager, Change::Applied, "b");
        show(&mut manager, Change::Deleted, "a");
        show(&mut manager, Change::Applied, "c");
        tell(&mut manager, Kind::Pod, Part::Last, &[]);
        assert_eq!(pods(&manager), ["b", "c"]);
    }

    #[test]
    fn what_cannot_be_understood_in_any_part_stays_as_it_was_known() {
        let mut manager = manager();
        tell(&mut manager, Kind::Pod, Part::Whole, &["a", "b"]);
        let odd = r#"{"metadata":{"namespace":"default","name":"a"},"status":{"phase":1}}"#.into();
        let first = Event::Listed { kind: Kind::Pod, part: Part::First, resource_version: "8".into(), objects: vec![odd] };
        assert_eq!(manager.handle(first, Timestamp::UNIX_EPOCH).unwrap_err().name, "default/a");
        tell(&mut manager, Kind::Pod, Part::Last, &["c"]);
        assert_eq!(pods(&manager), ["a", "c"]);
    }

    #[test]
    #[should_panic(expected = "the host told a part of a list of kind Pod that it has not begun")]
    fn a_part_that_follows_none_is_a_bug_of_the_host() {
        tell(&mut manager(), Kind::Pod, Part::Last, &[]);
    }
}
