//! Lists: how far the list of each kind has come, and which objects are gone after it.
//!
//! Docs: Kubernetes API Concepts, "Retrieving large results sets in chunks" (J-05). What an object of a list changes is in `informer.rs`.

use api::Kind;
use contract::Part;

use super::order;
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

    /// Adds a part with the objects at these places. At the end of the list, returns all places, in order: objects in other places are gone.
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
            return Some(order::sorted(&places, ObjectKey::cmp));
        }
        *progress = Progress::Begun(places);
        None
    }
}

#[cfg(test)]
mod tests {
    use api::{Text, Timestamp};
    use contract::{Change, Event, Listing, ObjectJson, Plan};

    use super::*;
    use crate::{Config, ControllerManager};

    /// A Job that wants two pods, or a pod that runs for it.
    fn object(kind: Kind, name: &str, version: u32) -> Text {
        let metadata = format!(r#""namespace":"default","name":"{name}","uid":"{name}","resourceVersion":"{version}""#);
        match kind {
            Kind::CronJob => format!(r#"{{"metadata":{{{metadata}}}}}"#),
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

    fn list(manager: &mut ControllerManager, kind: Kind, part: Part, names: &[&str]) {
        let objects = names.iter().map(|name| object(kind, name, 5)).collect();
        manager
            .handle(Event::Listed(Listing { kind: kind.name().into(), part, resource_version: "7".into(), objects }), Timestamp::UNIX_EPOCH)
            .unwrap();
    }

    /// A manager that knows one Job, and no list of pods.
    fn manager() -> ControllerManager {
        let config = Config { controllers: vec!["job".into()], ..Config::default() };
        let mut manager = ControllerManager::new(&config);
        list(&mut manager, Kind::Job, Part::Whole, &["pi"]);
        manager
    }

    fn plans(manager: &mut ControllerManager) -> Vec<Plan> {
        std::iter::from_fn(|| manager.next_plan(Timestamp::UNIX_EPOCH + api::Duration::from_secs(9))).collect()
    }

    /// The names of all pods that are known.
    fn pods(manager: &ControllerManager) -> Vec<String> {
        manager.informer().store.keys(Kind::Pod).into_iter().map(|key| key.name.to_string()).collect()
    }

    #[test]
    fn nothing_is_planned_before_the_last_part_and_then_as_after_a_whole_list() {
        let (mut whole, mut parts) = (manager(), manager());
        list(&mut whole, Kind::Pod, Part::Whole, &["a", "b", "c"]);
        list(&mut parts, Kind::Pod, Part::First, &["a"]);
        assert_eq!((plans(&mut parts), parts.next_wakeup()), (Vec::new(), None));
        list(&mut parts, Kind::Pod, Part::Middle, &["b", "c"]);
        assert_eq!((plans(&mut parts), parts.next_wakeup()), (Vec::new(), None));
        list(&mut parts, Kind::Pod, Part::Last, &[]);
        let planned = plans(&mut parts);
        let methods = planned.iter().flat_map(Plan::commands).map(|command| command.request.method.name());
        assert_eq!(methods.collect::<Vec<_>>(), ["PATCH", "DELETE", "PUT"], "there is one pod too many");
        assert_eq!(planned, plans(&mut whole));
    }

    #[test]
    fn a_list_that_comes_again_is_waited_for_too() {
        let mut manager = manager();
        list(&mut manager, Kind::Pod, Part::Whole, &["a"]);
        list(&mut manager, Kind::Pod, Part::First, &[]);
        assert_eq!(plans(&mut manager), []);
        assert_eq!(pods(&manager), ["a"], "it may come with a later part");
        list(&mut manager, Kind::Pod, Part::Last, &["b"]);
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
            list(&mut manager, Kind::Pod, Part::First, &["a"]);
            list(&mut manager, Kind::Pod, Part::Middle, &["b"]);
            for (part, names) in parts {
                list(&mut manager, Kind::Pod, *part, &names.split(' ').collect::<Vec<_>>());
            }
            assert_eq!(pods(&manager), ["b", "c"]);
        }
    }

    #[test]
    fn what_a_stream_shows_between_two_parts_is_part_of_the_list() {
        let mut manager = manager();
        let show = |manager: &mut ControllerManager, change: fn(ObjectJson) -> Change, name: &str| {
            let object = ObjectJson { kind: "Pod".into(), json: object(Kind::Pod, name, 6) };
            manager.handle(Event::Changed(change(object)), Timestamp::UNIX_EPOCH).unwrap();
        };
        list(&mut manager, Kind::Pod, Part::First, &["a", "b"]);
        show(&mut manager, Change::Applied, "b");
        show(&mut manager, Change::Deleted, "a");
        show(&mut manager, Change::Applied, "c");
        list(&mut manager, Kind::Pod, Part::Last, &[]);
        assert_eq!(pods(&manager), ["b", "c"]);
    }

    #[test]
    fn a_malformed_object_in_any_part_stays_as_it_was_known() {
        let mut manager = manager();
        list(&mut manager, Kind::Pod, Part::Whole, &["a", "b"]);
        let odd = r#"{"metadata":{"namespace":"default","name":"a"},"status":{"phase":1}}"#.into();
        let first = Event::Listed(Listing { kind: "Pod".into(), part: Part::First, resource_version: "8".into(), objects: vec![odd] });
        assert_eq!(manager.handle(first, Timestamp::UNIX_EPOCH).unwrap_err().name, "default/a");
        list(&mut manager, Kind::Pod, Part::Last, &["c"]);
        assert_eq!(pods(&manager), ["a", "c"]);
    }

    #[test]
    #[should_panic(expected = "the host sent a part of a list of kind Pod that it has not begun")]
    fn a_part_that_follows_none_is_a_bug_of_the_host() {
        list(&mut manager(), Kind::Pod, Part::Last, &[]);
    }
}
