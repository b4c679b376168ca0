//! A session in lines of text, as `jobsmith simulate --why` prints them.
//!
//! Docs: Jobs. The words are those of `play::trace::Transcript`; what the page shows of a step is in `step_view.rs`.

use api::{Kind, Timestamp};
use contract::Manager;
use play::Play;
use play::trace::{Clock, Entry, EntryWords, Transcript};
use schedule::{Zone, precise_clock_text};
use story::timetable::zone_of;

/// The lines of a session so far.
pub(crate) struct TraceLines {
    clock: Clock,
    /// The CronJob's time zone, and what writes them with its dates; `None` where they have the time since the beginning.
    dated: Option<(Zone, Transcript)>,
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
        let dated = |zone: Zone| {
            let shown = zone.clone();
            (shown, Transcript::with(move |at| precise_clock_text(&zone, at)))
        };
        Self { dated: cron_job.map(zone_of).map(dated), ..Self::new(start) }
    }

    /// Adds the entries of a step at this time; `words` are those with the time since the beginning.
    pub(crate) fn extend(&mut self, at: Timestamp, entries: &[Entry], words: &[EntryWords]) {
        let Self { clock, dated, lines } = self;
        let line = |(entry, words): (&Entry, &EntryWords)| match dated {
            Some((zone, transcript)) => format!("{} {}", precise_clock_text(zone, at), transcript.words(entry)),
            None => format!("{:>7} {words}", clock.time(at)),
        };
        let written: Vec<String> = entries.iter().zip(words).map(line).collect();
        lines.extend(written.into_iter().zip(entries).map(|(line, entry)| (line, entry.routine())));
    }

    /// The lines, with `all` also what is routine.
    pub(crate) fn text(&self, all: bool) -> String {
        self.lines.iter().filter(|(_, routine)| all || !routine).flat_map(|(line, _)| [line, "\n"]).collect()
    }
}
