//! How a simulation shows times: as time since it began or, where all that a CronJob does has lines, by the clock of its time zone, as in the table of its runs.
//!
//! Docs: CronJob, "Time zones". The page has a choice of its own in `story::session_clock`.

use api::{Kind, Timestamp};
use host_embed::Guest;
use play::Play;
use play::trace::Transcript;
use schedule::Zone;
use story::timetable::{precise_clock_text, zone_of};

use super::super::ending;
use super::super::zone_clock::ZoneClock;
use super::Arguments;

/// The clock of a simulation.
#[derive(Debug, Clone)]
pub(super) enum PlayClock {
    /// It counts from the beginning; what was before has the time on the wall.
    SinceStart { start: Timestamp, wall: ZoneClock },
    /// It shows dates and times of this zone.
    Dated(Zone),
}

impl PlayClock {
    /// The clock of a play that begins then.
    pub(super) fn of(arguments: &Arguments, play: &Play<Guest>, start: Timestamp) -> Self {
        let cron_job = play.server().objects(Kind::CronJob).find_map(|stored| stored.cron_job()).filter(|_| arguments.why);
        match cron_job {
            Some(cron_job) if cron_job.spec.time_zone.is_some() => Self::Dated(zone_of(cron_job)),
            Some(_) => Self::Dated(arguments.configuration.zone()),
            None => Self::SinceStart { start, wall: ZoneClock::new(arguments.configuration.named_zone()) },
        }
    }

    /// A transcript with its times.
    pub(super) fn transcript(&self) -> Transcript {
        match self {
            Self::SinceStart { start, .. } => Transcript::new(*start),
            Self::Dated(zone) => {
                let zone = zone.clone();
                Transcript::with(move |at| precise_clock_text(&zone, at))
            }
        }
    }

    /// How times in sentences are written.
    pub(super) fn time(&self) -> impl Fn(Timestamp) -> String {
        let clock = self.clone();
        move |at| match &clock {
            Self::SinceStart { start, wall } => ending::play_time(*start, wall.clone())(at),
            Self::Dated(zone) => precise_clock_text(zone, at),
        }
    }
}
