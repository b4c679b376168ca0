//! A session in lines of text, as `jobsmith simulate --why` prints them.
//!
//! Docs: Jobs. The words are those of `play::trace::Transcript`; what the page shows of a step is in `step_view.rs`.

use api::{Kind, Timestamp};
use contract::Manager;
use play::Play;
use play::trace::{Clock, Entry, EntryWords, Transcript};
use story::timetable::{precise_clock_text, zone_of};

/// The lines of a session so far.
pub(crate) struct TraceLines {
    clock: Clock,
    /// Writes them with dates and times of the CronJob's time zone; `None` while they have the time since the beginning.
    dated: Option<Transcript>,
    /// Each, and whether it is routine.
    lines: Vec<(String, bool)>,
}

impl TraceLines {
    /// Those of a session that begins then, and has no CronJob.
    pub(crate) fn new(start: Timestamp) -> Self {
        Self { clock: Clock { start }, dated: None, lines: Vec::new() }
    }

    /// Those of a play that begins then. Where there is a CronJob, they have dates.
    pub(crate) fn of<M: Manager>(play: &Play<M>, start: Timestamp) -> Self {
        let cron_job = play.server().objects(Kind::CronJob).find_map(|stored| stored.cron_job());
        let zone = cron_job.map(zone_of);
        Self { dated: zone.map(|zone| Transcript::with(move |at| precise_clock_text(&zone, at))), ..Self::new(start) }
    }

    /// Adds these entries; `words` are those with the time since the beginning.
    pub(crate) fn extend(&mut self, entries: &[Entry], words: &[EntryWords]) {
        let Self { clock, dated, lines } = self;
        lines.extend(entries.iter().zip(words).map(|(entry, words)| {
            let line = dated.as_mut().map_or_else(|| format!("{:>7} {words}", clock.time(entry.at)), |transcript| transcript.text(entry));
            (line, entry.routine())
        }));
    }

    /// The lines, with `all` also what is routine.
    pub(crate) fn text(&self, all: bool) -> String {
        self.lines.iter().filter(|(_, routine)| all || !routine).flat_map(|(line, _)| [line, "\n"]).collect()
    }
}
