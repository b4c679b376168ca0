//! Kubernetes Events of type `Warning`, as commands read and show them beside what the controllers decide.
//!
//! Docs: Event v1; kubectl's `describe`. What the controllers make of them is in the component; `explain/text.rs` shows them.

use std::time::Duration;

use api::{Text, Timestamp, WarningEvent};
use contract::Explanation;
use host_cluster::cluster::Failure;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::target::ClusterNamespace;

/// How long Events are not read again.
const PAUSE: Duration = Duration::from_secs(5);
/// How many are shown to people.
const SHOWN: usize = 5;

/// The Events of a namespace, or of all.
#[derive(Default)]
pub(crate) struct WarningEvents {
    /// The Events as JSON.
    pub(crate) texts: Vec<Text>,
    /// Why they cannot be read.
    failure: Option<Failure>,
    read_at: Option<Instant>,
}

impl WarningEvents {
    /// Reads them, unless that was done a moment ago; returns whether they were read. Where it is not permitted, there are none.
    pub(crate) async fn read(&mut self, place: &ClusterNamespace) -> bool {
        if !self.older_than(PAUSE) {
            return false;
        }
        match place.cluster.warnings(&place.namespace).await {
            Ok(texts) => (self.texts, self.failure) = (texts, None),
            Err(failure) => (self.texts, self.failure) = (Vec::new(), Some(failure)),
        }
        self.read_at = Some(Instant::now());
        true
    }

    /// Whether they were not read for this long.
    pub(crate) fn older_than(&self, age: Duration) -> bool {
        self.read_at.is_none_or(|at| at.elapsed() >= age)
    }

    /// Those about an object with this UID and about what keeps it from making progress, the newest first.
    pub(crate) fn about(&self, uid: &str, explanation: &Explanation) -> Vec<WarningEvent> {
        let stuck = || explanation.obstacles.iter().flat_map(|obstacle| &obstacle.objects).map(|object| &*object.uid);
        let about =
            |warning: &WarningEvent| !warning.uid.is_empty() && (*warning.uid == *uid || stuck().any(|stuck| *warning.uid == *stuck));
        let mut warnings: Vec<WarningEvent> = self.texts.iter().filter_map(|text| WarningEvent::read(text)).filter(about).collect();
        warnings.sort_by_key(|warning| std::cmp::Reverse(warning.last_at));
        warnings
    }

    /// That they cannot be read, on a line; empty if they can.
    pub(crate) fn complaint(&self) -> String {
        self.failure.as_ref().map(|failure| format!("Events are not shown: {failure}\n")).unwrap_or_default()
    }
}

/// The newest of some Events for people, a line each.
pub(crate) fn lines(warnings: &[WarningEvent], now: Timestamp) -> String {
    let line = |WarningEvent { kind, name, reason, message, count, last_at, .. }: &WarningEvent| {
        let times = if *count > 1 { format!("{count} times, last ") } else { String::new() };
        let ago = last_at.map(|at| format!("{times}{} ago; ", kubectl::between(at, now))).unwrap_or_default();
        let message = message.split(|letter: char| letter.is_whitespace() || letter.is_control()).filter(|word| !word.is_empty());
        format!("  {reason}: {} ({ago}{} {name})\n", message.collect::<Vec<_>>().join(" "), kind.to_ascii_lowercase())
    };
    let heading = if warnings.is_empty() { "" } else { "Newest warnings:\n" };
    heading.to_owned() + &warnings.iter().take(SHOWN).map(line).collect::<String>()
}

/// Events for programs.
pub(crate) fn values(warnings: &[WarningEvent]) -> Vec<Value> {
    let value = |WarningEvent { kind, name, uid, reason, message, count, first_at, last_at }: &WarningEvent| {
        json!({"object": {"kind": kind, "name": name, "uid": uid}, "reason": reason, "message": message, "count": count,
            "firstAt": first_at, "lastAt": last_at})
    };
    warnings.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_a_line_with_its_age() {
        let now: Timestamp = "2026-01-02T12:10:00Z".parse().unwrap();
        let warning = |count, last_at: Option<&str>| WarningEvent {
            kind: "Pod".into(),
            name: "pi-a".into(),
            reason: "FailedMount".into(),
            message: "no\n\tvolume".into(),
            count,
            last_at: last_at.map(|at| at.parse().unwrap()),
            ..WarningEvent::default()
        };
        let shown = lines(&[warning(3, Some("2026-01-02T12:08:00Z")), warning(1, Some("2026-01-02T12:00:00Z")), warning(1, None)], now);
        let expected = "Newest warnings:\n  FailedMount: no volume (3 times, last 2m ago; pod pi-a)\n  FailedMount: no volume (10m ago; pod pi-a)\n  \
                        FailedMount: no volume (pod pi-a)\n";
        assert_eq!((shown.as_str(), lines(&[], now).as_str()), (expected, ""));
    }
}
