//! Run times: when a CronJob runs, for rules: how many runs a day has, and how long it is from one to the next.
//!
//! Docs: CronJob, "Schedule syntax", "Time zones". What a schedule means is decided in `schedule`.

use api::annotation::{CronJobExtensions, Windows};
use api::{CronJob, Duration, Timestamp};
use schedule::{Schedule, Zone};

/// How far ahead runs in windows are checked.
pub(crate) const A_YEAR: Duration = Duration::from_hours(366 * 24);
/// How many runs count: the rest is alike.
const RUNS: usize = 50;

/// When a CronJob runs.
pub(crate) struct RunTimes {
    schedule: Schedule,
    now: Timestamp,
}

impl RunTimes {
    /// The timetable of a CronJob from a time on; `None` if its schedule or its time zone is not valid.
    pub(crate) fn of(cron_job: &CronJob, now: Timestamp) -> Option<Self> {
        let zone = cron_job.spec.time_zone.as_deref().map_or_else(|| Some(Zone::utc()), Zone::named)?;
        Some(Self { schedule: Schedule::parse(&cron_job.spec.schedule, &zone).ok()?, now })
    }

    /// The same without the runs that annotations leave out.
    pub(crate) fn extended(self, extensions: &CronJobExtensions) -> Self {
        Self { schedule: self.schedule.extended(extensions), ..self }
    }

    /// Whether a CronJob has any run at all.
    pub(crate) fn fires(cron_job: &CronJob, now: Timestamp) -> bool {
        Self::of(cron_job, now).is_some_and(|timetable| timetable.next().is_some())
    }

    /// The next run.
    pub(crate) fn next(&self) -> Option<Timestamp> {
        self.schedule.next(self.now)
    }

    /// The next run after a time.
    pub(crate) fn after(&self, at: Timestamp) -> Option<Timestamp> {
        self.schedule.next(at)
    }

    /// When the windows end that a time is in, if it is in any.
    pub(crate) fn end_of(&self, windows: &Windows, at: Timestamp) -> Option<Timestamp> {
        self.schedule.zone().end_of(windows, at)
    }

    /// A time as the clock of its zone shows it, to the minute.
    pub(crate) fn shown(&self, at: Timestamp) -> String {
        shown(self.schedule.zone().clock(at))
    }

    /// Whether there is a run at a time.
    pub(crate) fn include(&self, at: Timestamp) -> bool {
        at.checked_sub(Duration::from_secs(1)).is_ok_and(|before| self.schedule.next(before) == Some(at))
    }

    /// Whether the clock of its zone shows midnight at the next run.
    pub(crate) fn at_midnight(&self) -> bool {
        self.next().is_some_and(|next| self.schedule.zone().clock(next).as_second() % 86_400 == 0)
    }

    /// The shortest time from one run to the next; `None` if there are no two runs.
    pub(crate) fn period(&self) -> Option<Duration> {
        let runs: Vec<Timestamp> = self.runs().take(RUNS).collect();
        runs.windows(2).map(|runs| Duration::from_secs(runs[1].as_second() - runs[0].as_second())).min()
    }

    /// How many runs there are in the day after the next run has started, with that one.
    pub(crate) fn runs_a_day(&self) -> usize {
        let Some(first) = self.next() else { return 0 };
        self.runs().take_while(|run| run.as_second() < first.as_second() + 86_400).count()
    }

    /// The first local times within two years, as times in UTC: one that the clock skips, so that no run starts, and one that it shows twice, so that two do.
    pub(crate) fn clock_changes(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        let (zone, until) = (self.schedule.zone(), api::time::after(self.now, Duration::from_hours(24 * 365 * 2)));
        if self.schedule.clock_times().is_none() {
            return (None, None);
        }
        let skipped = self.schedule.skipped(self.now, until).first().map(|skipped| skipped.clock);
        let repeated = zone.changes(self.now, until).into_iter().find_map(|(at, _)| {
            let run = self.schedule.next(at.saturating_sub(Duration::from_secs(1)).ok()?)?;
            self.schedule.repeats(run).then(|| zone.clock(run))
        });
        (skipped, repeated)
    }

    /// All runs.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Timestamp> {
        std::iter::successors(self.next(), |last| self.schedule.next(*last))
    }
}

/// What a clock shows, to the minute.
pub(crate) fn shown(clock: Timestamp) -> String {
    clock.to_string().chars().take("2027-03-28T02:30".len()).collect::<String>().replace('T', " ")
}
