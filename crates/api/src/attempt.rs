//! What a pod carries of the attempts before it, in annotations that the Job controller writes and reads back.
//!
//! Docs: README, "Beyond Kubernetes". How it follows from the failed pods is decided in `controllers`; counted failures of indexes are in `pod.rs`.

use std::fmt;

use crate::Text;
use crate::meta::Labels;

/// The attempt that a pod is, from 1.
pub const ATTEMPT: &str = "jobsmith.dev/attempt";
/// How often the rules on failures have matched before a pod.
pub const RULE_MATCHES: &str = "jobsmith.dev/rule-matches";
/// The nodes that a pod rather does not run on, because others failed there.
pub const FAILED_NODES: &str = "jobsmith.dev/failed-nodes";

/// What a pod carries of the attempts before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Which attempt of its index, or of its Job, it is; from 1.
    pub number: u32,
    /// How often rules have matched before it.
    pub matches: RuleMatches,
    /// The nodes on which others failed that are to be tried elsewhere, the latest last.
    pub failed_nodes: Vec<Text>,
    /// Its own node; empty if it has none.
    pub node: Text,
}

/// How often each rule has matched, for each container that failed, as in `5d1f3a07/main=2,e12a4c39/*=1`.
///
/// Rules go by their identity, not by their line, so that a Job's rules may be edited while it runs. It only grows: of two, the larger numbers hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleMatches(Vec<(RuleKey, u32)>);

/// The identity of a rule, and the container that failed; in this order they are kept.
type RuleKey = (u32, Option<Text>);

/// What stands for the container where no single one failed.
const NO_CONTAINER: &str = "*";

impl Default for Attempt {
    fn default() -> Self {
        Self { number: 1, matches: RuleMatches::default(), failed_nodes: Vec::new(), node: Text::default() }
    }
}

impl Attempt {
    /// Reads the annotations of a pod on this node; `None` if they name no attempt. What of the others means nothing is left out.
    pub(crate) fn read(annotations: &Labels, node: &Text) -> Option<Self> {
        let text = |key| annotations.get(key).map_or("", |text| &**text);
        let number = text(ATTEMPT).parse().ok().filter(|number| *number > 0)?;
        let nodes = text(FAILED_NODES).split(',').filter(|node| !node.is_empty());
        let (matches, failed_nodes) = (RuleMatches::read(text(RULE_MATCHES)), nodes.map(Text::from).collect());
        Some(Self { number, matches, failed_nodes, node: node.clone() })
    }

    /// Writes it to the annotations of a pod.
    pub fn write(&self, annotations: &mut Labels) {
        let mut set = |key: &str, value: String| match value.is_empty() {
            true => _ = annotations.remove(key),
            false => _ = annotations.insert(key.into(), value.into()),
        };
        set(ATTEMPT, self.number.to_string());
        set(RULE_MATCHES, self.matches.to_string());
        set(FAILED_NODES, self.failed_nodes.join(","));
    }
}

impl RuleMatches {
    /// Reads what was written, and leaves out what means nothing.
    fn read(text: &str) -> Self {
        let one = |item: &str| {
            let (key, times) = item.split_once('=')?;
            let (rule, container) = key.split_once('/')?;
            let container = Some(container).filter(|container| *container != NO_CONTAINER).map(Text::from);
            Some(((u32::from_str_radix(rule, 16).ok()?, container), times.parse().ok()?))
        };
        let mut matches = Self::default();
        text.split(',').filter_map(one).for_each(|(key, times)| *matches.times(key) = times);
        matches
    }

    /// How often a rule has matched for a container, to be changed.
    fn times(&mut self, key: RuleKey) -> &mut u32 {
        let place = self.0.binary_search_by(|(known, _)| known.cmp(&key));
        let place = place.unwrap_or_else(|place| {
            self.0.insert(place, (key, 0));
            place
        });
        &mut self.0[place].1
    }

    /// How often the rule with this identity has matched, whichever container failed.
    #[must_use]
    pub fn of_rule(&self, rule: u32) -> u32 {
        self.containers(rule).fold(0, |sum, (_, times)| sum.saturating_add(times))
    }

    /// The containers for which a rule has matched, and how often; `None` where no single one failed.
    pub fn containers(&self, rule: u32) -> impl Iterator<Item = (Option<&Text>, u32)> {
        self.0.iter().filter(move |((of, _), _)| *of == rule).map(|((_, container), times)| (container.as_ref(), *times))
    }

    /// The containers for which a rule has matched more often than in `others`; `None` where no single one failed.
    pub fn beyond<'a>(&'a self, others: &'a Self) -> impl Iterator<Item = Option<&'a Text>> {
        let before = |key: &RuleKey| others.0.iter().find(|(known, _)| known == key).map_or(0, |(_, times)| *times);
        self.0.iter().filter(move |(key, times)| before(key) < *times).map(|((_, container), _)| container.as_ref())
    }

    /// With one more match.
    #[must_use]
    pub fn with(mut self, rule: u32, container: Option<&Text>) -> Self {
        let times = self.times((rule, container.cloned()));
        *times = times.saturating_add(1);
        self
    }

    /// Takes over the larger numbers of others.
    pub fn join(&mut self, other: Self) {
        for (key, times) in other.0 {
            let own = self.times(key);
            *own = times.max(*own);
        }
    }
}

impl fmt::Display for RuleMatches {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, ((rule, container), times)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(formatter, "{comma}{rule:08x}/{}={times}", container.as_deref().unwrap_or(NO_CONTAINER))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn annotations(pairs: &[(&str, &str)]) -> Labels {
        pairs.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect()
    }

    #[test]
    fn an_attempt_is_read_as_it_is_written() {
        let written = annotations(&[(ATTEMPT, "3"), (RULE_MATCHES, "00000001/main=2,00000003/*=1"), (FAILED_NODES, "node-1,node-2")]);
        let attempt = Attempt::read(&written, &"node-3".into()).unwrap();
        assert_eq!((attempt.number, attempt.matches.of_rule(1), attempt.matches.of_rule(2), attempt.matches.of_rule(3)), (3, 2, 0, 1));
        let mut again = annotations(&[("app", "pi"), (ATTEMPT, "1")]);
        attempt.write(&mut again);
        assert_eq!(again.remove("app").as_deref(), Some("pi"));
        assert_eq!(again, written);
        Attempt::default().write(&mut again);
        assert_eq!(again, annotations(&[(ATTEMPT, "1")]), "what is empty is left out");
    }

    #[test]
    fn what_means_nothing_is_left_out() {
        let read = |pairs: &[(&str, &str)]| Attempt::read(&annotations(pairs), &Text::default());
        for wrong in ["", "0", "-1", "two", "99999999999"] {
            assert_eq!(read(&[(ATTEMPT, wrong), (RULE_MATCHES, "00000001/main=2")]), None, "{wrong}");
        }
        let lenient = read(&[
            (ATTEMPT, "1"),
            (RULE_MATCHES, "x/main=2,00000001/main,00000001/main=-1,,00000002/a=1,18446744073709551616/a=1"),
            (FAILED_NODES, ","),
        ]);
        let lenient = lenient.unwrap();
        assert_eq!((lenient.matches.to_string().as_str(), lenient.failed_nodes.len()), ("00000002/a=1", 0));
    }

    #[test]
    fn matches_only_grow_and_the_larger_number_holds() {
        let main = Text::from("main");
        let matches = |text| RuleMatches::read(text);
        let mut joined = matches("00000001/main=2,00000002/*=1");
        joined.join(matches("00000001/main=1,00000001/log=1"));
        assert_eq!((joined.to_string().as_str(), joined.of_rule(1)), ("00000001/log=1,00000001/main=2,00000002/*=1", 3));
        assert_eq!(joined.beyond(&matches("00000001/main=1,00000002/*=1")).collect::<Vec<_>>(), [Some(&"log".into()), Some(&main)]);
        let again = joined.clone();
        joined.join(again.clone());
        assert_eq!(joined, again);
        assert_eq!(
            joined.with(1, Some(&main)).with(2, None).with(4, None).to_string(),
            "00000001/log=1,00000001/main=3,00000002/*=2,00000004/*=1"
        );
    }
}
