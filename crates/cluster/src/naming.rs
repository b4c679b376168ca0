//! Names and UIDs that the server chooses: predictable ones, or random ones from a seed.
//!
//! Docs: Object Names and IDs, "UIDs"; API Concepts, "Generated names". Objects are stored under their names by `store.rs`.

use std::collections::BTreeMap;

use api::{Kind, Text};

use crate::rng::Rng;

/// What a generated name consists of at most, without its random end.
const LONGEST_BASE: usize = 58;
/// How much of a name a predictable UID holds at most: a Job's UID is the value of a label, which has 63 bytes at most.
const LONGEST_IN_UID: usize = 50;
/// How many counters are recent.
const ROOM: usize = 20_000;
/// The letters and digits of random ends: none that could make up a word or be taken for another.
const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
/// How many of them there are.
const RANDOM_END: usize = 5;

/// How names and UIDs are chosen.
#[derive(Debug, Clone)]
pub struct Names(Policy);

#[derive(Debug, Clone)]
enum Policy {
    Predictable(NameCounters),
    Random(Rng),
}

/// Counters by key. Those that were not used for long start again: a cluster that makes names for years has no use for all of them.
#[derive(Debug, Clone, Default)]
struct NameCounters {
    recent: BTreeMap<Text, u64>,
    /// Those that were recent before.
    older: BTreeMap<Text, u64>,
}

impl NameCounters {
    /// The counter of a key.
    fn of(&mut self, key: &str) -> &mut u64 {
        if !self.recent.contains_key(key) {
            let known = self.older.remove(key).unwrap_or_default();
            if self.recent.len() == ROOM {
                self.older = std::mem::take(&mut self.recent);
            }
            self.recent.insert(key.into(), known);
        }
        self.recent.get_mut(key).expect("it was inserted")
    }
}

impl Names {
    /// Names that end in a five-digit counter, and UIDs such as `pod-pi-00001-1`, which count the objects of that kind and name in all namespaces.
    #[must_use]
    pub fn predictable() -> Self {
        Self(Policy::Predictable(NameCounters::default()))
    }

    /// Names that end in five random characters, and random UUIDs.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        Self(Policy::Random(Rng::new(seed)))
    }

    /// The first name that starts so and is not taken; none without a start.
    pub(crate) fn name(&mut self, start: &str, taken: impl Fn(&str) -> bool) -> Option<String> {
        if start.is_empty() {
            return None;
        }
        loop {
            let name = match &mut self.0 {
                Policy::Predictable(counters) => format!("{start}{:05}", count(counters, start)),
                Policy::Random(rng) => {
                    let end = (0..RANDOM_END).map(|_| char::from(ALPHABET[rng.below(ALPHABET.len() as u64) as usize]));
                    start.chars().take(LONGEST_BASE).chain(end).collect()
                }
            };
            if !taken(&name) {
                return Some(name);
            }
        }
    }

    /// The UID of an object that is about to be made.
    pub(crate) fn uid(&mut self, kind: Kind, name: &str) -> Text {
        match &mut self.0 {
            Policy::Predictable(counters) => {
                let start = uid_start(kind, name);
                let made = count(counters, &uid_counter(&start));
                format!("{start}{made}").into()
            }
            Policy::Random(rng) => uuid(rng).into(),
        }
    }

    /// Has generated names go on behind the one that an object brought along.
    pub(crate) fn reserve_generated(&mut self, start: &str, name: &str) {
        if let Policy::Predictable(counters) = &mut self.0 {
            let Some(number) = name.strip_prefix(start).filter(|end| end.len() == 5).and_then(|end| end.parse::<u32>().ok()) else {
                return;
            };
            let counter = counters.of(start);
            *counter = u64::from(number).max(*counter);
        }
    }

    /// Has the UIDs of this kind and name go on behind the one that an object brought along.
    pub(crate) fn reserve(&mut self, kind: Kind, name: &str, uid: &str) {
        if let Policy::Predictable(counters) = &mut self.0 {
            let start = uid_start(kind, name);
            let Some(number) = uid.strip_prefix(&start).and_then(|number| number.parse::<u32>().ok()) else { return };
            let counter = counters.of(&uid_counter(&start));
            *counter = u64::from(number).max(*counter);
        }
    }
}

/// What the predictable UIDs of a kind and name start with: `job-pi-`.
fn uid_start(kind: Kind, name: &str) -> String {
    format!("{}-{}-", kind.name().to_ascii_lowercase(), name.chars().take(LONGEST_IN_UID).collect::<String>())
}

fn uid_counter(start: &str) -> String {
    format!("uid {start}")
}

fn count(counters: &mut NameCounters, key: &str) -> u64 {
    let counter = counters.of(key);
    *counter += 1;
    *counter
}

/// A random UUID: version 4, variant 1.
fn uuid(rng: &mut Rng) -> String {
    let bits = (u128::from(rng.draw()) << 64) | u128::from(rng.draw());
    let bits = bits & !(0xf << 76) & !(0b11 << 62) | (0x4 << 76) | (0b10 << 62);
    let digits = format!("{bits:032x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictable_names_count() {
        let mut names = Names::predictable();
        assert_eq!(names.name("pi-", |_| false).unwrap(), "pi-00001");
        assert_eq!(names.name("pi-", |name| name < "pi-00004").unwrap(), "pi-00004");
        assert_eq!(names.name("", |_| false), None);
        assert_eq!(&*names.uid(Kind::Pod, "pi-00001"), "pod-pi-00001-1");
        assert_eq!(&*names.uid(Kind::Pod, "pi-00001"), "pod-pi-00001-2");
        assert_eq!(&*names.uid(Kind::Job, "pi-00001"), "job-pi-00001-1");
    }

    #[test]
    fn predictable_uids_go_on_behind_those_that_are_there() {
        let mut names = Names::predictable();
        for uid in ["job-pi-3", "job-pi-2", "0d1cbbd8-5f0c-4a59-8bd7-a7ba7e1d1b5e"] {
            names.reserve(Kind::Job, "pi", uid);
        }
        assert_eq!(&*names.uid(Kind::Job, "pi"), "job-pi-4");
        assert_eq!(&*names.uid(Kind::Pod, "pi"), "pod-pi-1");
    }

    #[test]
    fn counters_that_are_used_go_on_and_the_others_take_no_room() {
        let mut counters = NameCounters::default();
        for number in 0..3 * ROOM {
            count(&mut counters, &number.to_string());
            count(&mut counters, "used");
        }
        assert_eq!(*counters.of("used"), 3 * ROOM as u64);
        assert!(counters.recent.len() + counters.older.len() <= 2 * ROOM);
    }

    #[test]
    fn predictable_uids_differ_and_fit_into_labels() {
        let mut names = Names::predictable();
        // Objects of one name are in different namespaces, or come after one another.
        assert_eq!([(); 2].map(|()| names.uid(Kind::Job, "pi").to_string()), ["job-pi-1", "job-pi-2"]);
        let long = ["a", "b"].map(|end| names.uid(Kind::Job, &format!("{}{end}", "x".repeat(62))));
        assert_ne!(long[0], long[1]);
        assert!(long.iter().all(|uid| uid.len() <= 63), "{long:?}");
    }

    #[test]
    fn random_names_look_as_those_of_a_server() {
        let mut names = Names::random(1);
        let first = names.name("pi-", |_| false).unwrap();
        assert_eq!(first.len(), "pi-".len() + RANDOM_END);
        assert_ne!(Names::random(1).name("pi-", |name| name == first), Some(first));
        assert_eq!(names.name(&"a".repeat(80), |_| false).unwrap().len(), 63);
        assert_eq!(names.name("", |_| false), None);
        let uid = names.uid(Kind::Job, "pi");
        let lengths: Vec<usize> = uid.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!((&uid[14..15], "89ab".contains(&uid[19..20])), ("4", true));
    }
}
