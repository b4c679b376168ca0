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
/// The letters and digits of random ends: none that could make up a word or be taken for another.
const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
/// How many of them there are.
const RANDOM_END: usize = 5;

/// How names and UIDs are chosen.
#[derive(Debug, Clone)]
pub struct Names(Policy);

#[derive(Debug, Clone)]
enum Policy {
    Predictable(BTreeMap<Text, u32>),
    Random(Rng),
}

impl Names {
    /// Names that end in a five-digit counter, and UIDs such as `pod-pi-00001-1`, which count the objects of that kind and name in all namespaces.
    #[must_use]
    pub fn predictable() -> Self {
        Self(Policy::Predictable(BTreeMap::new()))
    }

    /// Names that end in five random characters, and random UUIDs.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        Self(Policy::Random(Rng::new(seed)))
    }

    /// A name that starts so; random ones are drawn until one is not taken. A predictable name needs no start.
    pub(crate) fn name(&mut self, start: &str, taken: impl Fn(&str) -> bool) -> Option<String> {
        match &mut self.0 {
            Policy::Predictable(counters) => Some(format!("{start}{:05}", count(counters, start))),
            Policy::Random(_) if start.is_empty() => None,
            Policy::Random(rng) => loop {
                let mut name: String = start.chars().take(LONGEST_BASE).collect();
                name.extend((0..RANDOM_END).map(|_| char::from(ALPHABET[rng.below(ALPHABET.len() as u64) as usize])));
                if !taken(&name) {
                    return Some(name);
                }
            },
        }
    }

    /// The UID of an object that is about to be made.
    pub(crate) fn uid(&mut self, kind: Kind, name: &str) -> Text {
        match &mut self.0 {
            Policy::Predictable(counters) => {
                let start = format!("{}-{}", kind.name().to_ascii_lowercase(), name.chars().take(LONGEST_IN_UID).collect::<String>());
                let made = count(counters, &format!("uid {start}"));
                format!("{start}-{made}").into()
            }
            Policy::Random(rng) => uuid(rng).into(),
        }
    }
}

fn count(counters: &mut BTreeMap<Text, u32>, key: &str) -> u32 {
    let counter = match counters.get_mut(key) {
        Some(counter) => counter,
        None => counters.entry(key.into()).or_default(),
    };
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
        assert_eq!(names.name("pi-", |_| true).unwrap(), "pi-00002");
        assert_eq!(names.name("", |_| false).unwrap(), "00001");
        assert_eq!(&*names.uid(Kind::Pod, "pi-00001"), "pod-pi-00001-1");
        assert_eq!(&*names.uid(Kind::Pod, "pi-00001"), "pod-pi-00001-2");
        assert_eq!(&*names.uid(Kind::Job, "pi-00001"), "job-pi-00001-1");
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
