//! A line of a prediction, and what is different in two predictions of one object.
//!
//! Docs: `jobsmith check --against`. What lines say is in `words.rs`.

use std::fmt;

/// A line about one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredictionLine {
    /// What it is about.
    pub topic: LineTopic,
    /// What stands before the words, as in `if it fails`; empty if nothing does.
    pub label: &'static str,
    /// What happens.
    pub words: String,
}

/// What a line is about. An object has one line at most about each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineTopic {
    /// Whether it is suspended.
    Suspension,
    /// Whether the Jobs of a CronJob are suspended.
    SuspendedRuns,
    /// When a CronJob runs, or why it never does.
    Runs,
    /// How many pods there are if all goes well, or why there are none.
    Pods,
    /// How often pods are tried that fail.
    Attempts,
    /// What happens to the runs that are due while one fails.
    Overlap,
    /// What stays once it has failed.
    Remains,
    /// What a node drain does.
    Drain,
    /// What is left out.
    LeftOut,
}

impl PredictionLine {
    pub(crate) fn new(topic: LineTopic, label: &'static str, words: impl Into<String>) -> Self {
        Self { topic, label, words: words.into() }
    }
}

impl fmt::Display for PredictionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, words, .. } = self;
        if label.is_empty() { f.write_str(words) } else { write!(f, "{label}: {words}") }
    }
}

/// Lines of an object, each followed by what it was before if that was something else; then what has ended.
#[must_use]
pub fn changes(before: &[PredictionLine], lines: &[PredictionLine]) -> Vec<String> {
    let about = |lines: &'_ [PredictionLine], topic| lines.iter().find(|line| line.topic == topic).cloned();
    let mut changes = Vec::new();
    for line in lines {
        changes.push(line.to_string());
        let known = about(before, line.topic).filter(|known| known.words != line.words);
        changes.extend(known.map(|known| format!("  before: {}", known.words)));
    }
    let gone = before.iter().filter(|known| about(lines, known.topic).is_none());
    changes.extend(gone.map(|known| format!("no longer: {known}")));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_compared_by_what_they_are_about() {
        let attempts = |words: &str| PredictionLine::new(LineTopic::Attempts, "", words);
        let suspended = PredictionLine::new(LineTopic::Suspension, "", "suspended: nothing runs until it is resumed");
        let pods = PredictionLine::new(LineTopic::Pods, "", "2 pods at a time");
        let failing = PredictionLine::new(LineTopic::Attempts, "if pods fail", "1 attempt: rule 0 fails the Job");
        assert_eq!(changes(&[attempts("7")], &[suspended.clone(), attempts("7")]), ["suspended: nothing runs until it is resumed", "7"]);
        assert_eq!(
            changes(&[suspended, attempts("1 attempt; no deadline")], &[pods, failing]),
            [
                "2 pods at a time",
                "if pods fail: 1 attempt: rule 0 fails the Job",
                "  before: 1 attempt; no deadline",
                "no longer: suspended: nothing runs until it is resumed"
            ]
        );
    }
}
