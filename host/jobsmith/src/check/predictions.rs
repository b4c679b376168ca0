//! What each Job and CronJob of a file will do, printed below what was found in it.
//!
//! Docs: `jobsmith check --help`. What is predicted, and its words, are in the crate `prediction`.

use api::{Duration, Kind, Timestamp, time};
use check::Findings;
use cluster::stored::Stored;
use jiff::tz::TimeZone;
use prediction::Prediction;
use schedule::Zone;
use serde_json::{Value, json};

use super::files::CheckedFile;

/// A longer name has a line of its own.
const LONG_NAME: usize = 24;
/// How far lines below it are indented.
const INDENT: usize = 4;
/// A zone whose clock is not changed for so long never changes it.
const YEAR: Duration = Duration::from_hours(366 * 24);
/// Text is not squeezed into fewer columns.
const NARROWEST: usize = 30;

/// For which files predictions are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum WhenPredicted {
    /// For files given by name, and standard input
    Auto,
    /// For all files
    Always,
    /// For none
    Never,
}

/// What an object will do.
pub(super) struct PredictedObject {
    kind: Kind,
    namespace: String,
    name: String,
    prediction: Prediction,
    /// What the object would do that is there, if that is something else.
    before: Option<Prediction>,
}

impl WhenPredicted {
    /// Whether predictions are printed for a file; `named`: it was given by name.
    pub(super) fn predicts(self, named: bool) -> bool {
        match self {
            Self::Auto => named,
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// What the objects of a file will do that the API server would accept. Schedules without a time zone are in UTC, as most controllers have them.
pub(super) fn predictions(findings: &Findings, now: Timestamp) -> Vec<PredictedObject> {
    let predicted = |stored: &Stored| {
        let (metadata, prediction) = (stored.metadata(), Prediction::of(stored, &Zone::utc(), now)?);
        let (kind, namespace, name) = (stored.kind(), metadata.namespace.to_string(), prediction::shown_name(stored));
        Some(PredictedObject { kind, namespace, name, prediction, before: None })
    };
    findings.stored.iter().filter_map(|stored| predicted(stored)).collect()
}

/// Notes what the objects of a file would do differently than these of the same names, which are there; those that would are shown in any case.
pub(super) fn compare(file: &mut CheckedFile, old: &[PredictedObject], now: Timestamp) {
    let shown = !file.predictions.is_empty();
    let new = if shown { std::mem::take(&mut file.predictions) } else { predictions(&file.report, now) };
    let compared = new.into_iter().map(|new| {
        let there = old.iter().find(|old| old.identity() == new.identity());
        let before = there.filter(|before| before.prediction.lines(None, now) != new.prediction.lines(None, now));
        PredictedObject { before: before.map(|before| before.prediction.clone()), ..new }
    });
    file.predictions = compared.filter(|compared| shown || compared.before.is_some()).collect();
}

/// The time zone of the people at this machine: that of the machine, unless it is in UTC, as servers are.
pub(super) fn here(now: Timestamp) -> Option<Zone> {
    let utc = |zone: &Zone| zone.offset(now) == 0 && zone.changes(now, time::after(now, YEAR)).is_empty();
    TimeZone::system().iana_name().and_then(Zone::named).filter(|zone| !utc(zone))
}

impl PredictedObject {
    fn identity(&self) -> (Kind, &str, &str) {
        (self.kind, &self.namespace, &self.name)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What it will do, each line followed by what it would have done before, if that is something else.
    pub(super) fn lines(&self, reader: Option<&Zone>, now: Timestamp) -> Vec<String> {
        let lines = self.prediction.lines(reader, now);
        match &self.before {
            Some(before) => prediction::changes(&before.lines(reader, now), &lines),
            None => lines.iter().map(ToString::to_string).collect(),
        }
    }

    /// Its name, and beside it lines that are at most this wide.
    pub(super) fn paragraph(&self, reader: Option<&Zone>, width: Option<usize>, now: Timestamp) -> String {
        let long = self.name.chars().count() > LONG_NAME;
        let indent = if long { INDENT } else { self.name.chars().count() + 2 };
        let room = width.map_or(usize::MAX, |width| width.saturating_sub(indent).max(NARROWEST));
        let lines: Vec<String> = self.lines(reader, now).iter().flat_map(|line| wrapped(line, room)).collect();
        let margin = " ".repeat(indent);
        let lines = lines.iter().map(|line| format!("{margin}{line}\n")).collect::<String>();
        if long { format!("{}\n{lines}", self.name) } else { format!("{}  {}", self.name, lines.trim_start()) }
    }

    /// It as JSON, with the same lines as text.
    pub(super) fn json(&self, file: &str, reader: Option<&Zone>, now: Timestamp) -> Value {
        let Self { kind, namespace, name, prediction, before } = self;
        let lines: Vec<String> = prediction.lines(reader, now).iter().map(ToString::to_string).collect();
        json!({"file": file, "kind": kind.name(), "namespace": namespace, "name": name, "prediction": prediction, "text": lines, "before": before})
    }
}

/// The lines of a text that have at most so many columns, where its words are not longer.
fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is a line");
        if last.is_empty() {
            last.push_str(word);
        } else if console::measure_text_width(last) + 1 + console::measure_text_width(word) <= room {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn text_is_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("longer than that", 3), ["longer", "than", "that"]);
        assert_eq!(wrapped("as it is", usize::MAX), ["as it is"]);
    }
}
