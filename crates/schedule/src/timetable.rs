//! When a CronJob runs: its schedule in its time zone, counted from a beginning.
//!
//! Docs: CronJob, "Schedule syntax", "Time zones". What a schedule means is in `schedule.rs`, which clock changes it meets in
//! `clock_changes.rs`; whether a run is started, the component decides.

use api::annotation::CronJobExtensions;
use api::{CronJob, Duration, Timestamp, time};

use crate::{MetClockChange, Schedule, SkippedTime, Zone, zone_remedy};

/// The last moment before another.
const BEFORE: Duration = Duration::from_secs(-1);

/// The schedule of a CronJob, with what annotations ask for.
#[derive(Debug, Clone, PartialEq)]
pub struct CronJobTimetable {
    schedule: Schedule,
    /// From when on `@every` counts.
    start: Timestamp,
    /// What annotations ask for.
    extensions: CronJobExtensions,
    /// How long after its scheduled time a run starts at most, whatever UID the CronJob has.
    longest_spread: Duration,
}

impl CronJobTimetable {
    /// That of a CronJob; one that names no time zone is in this one.
    ///
    /// # Errors
    /// Why its schedule, its time zone or an annotation cannot be read.
    pub fn read(cron_job: &CronJob, zone: &Zone) -> Result<Self, String> {
        let text = &cron_job.spec.schedule;
        let named = cron_job.spec.time_zone.as_deref().map_or_else(|| Ok(zone.clone()), self::zone)?;
        let schedule = Schedule::parse(text, &named).map_err(|error| format!("{text:?} is not a schedule: {error}"))?;
        let extensions = cron_job.extensions().map_err(|error| error.to_string())?;
        let longest_spread = cron_job.longest_spread().map_err(|error| error.to_string())?;
        let schedule = schedule.extended(&extensions);
        let start = cron_job.status.last_schedule_time.or(cron_job.metadata.creation_timestamp).unwrap_or_default();
        Ok(Self { schedule, start, extensions, longest_spread })
    }

    /// When it runs, whatever delays the starts.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// When the run of a scheduled time is to start.
    pub fn starts_at(&self, scheduled_at: Timestamp) -> Timestamp {
        self.zone().starts_at(&self.extensions, scheduled_at)
    }

    /// When the windows end that a scheduled time is in and that delay its run, however starts are spread.
    pub fn delayed_until(&self, scheduled_at: Timestamp) -> Option<Timestamp> {
        let end = self.zone().end_of(self.extensions.delay_during.as_ref()?, scheduled_at)?;
        (time::after(scheduled_at, self.longest_spread) < end).then_some(end)
    }

    /// Whether windows delay the run of a scheduled time.
    pub fn delays(&self, scheduled_at: Timestamp) -> bool {
        self.zone().delayed_until(&self.extensions, scheduled_at).is_some()
    }

    /// The first scheduled time after a time.
    pub fn next(&self, after: Timestamp) -> Option<Timestamp> {
        self.schedule.next(self.schedule.counted_from(self.start, after))
    }

    /// The first scheduled time after a time, whether windows skip it or not.
    pub fn next_of_all(&self, after: Timestamp) -> Option<Timestamp> {
        self.schedule.next_of_all(self.schedule.counted_from(self.start, after))
    }

    /// The scheduled times that the clock is set forward past between two times.
    pub fn skipped(&self, after: Timestamp, until: Timestamp) -> Vec<SkippedTime> {
        self.schedule.skipped(after, until)
    }

    /// The clock changes after one time and up to another that it meets: it has no run at a local time, or two.
    pub fn clock_changes(&self, after: Timestamp, until: Timestamp) -> Vec<MetClockChange> {
        let Some(clock_times) = self.schedule.clock_times() else { return Vec::new() };
        let zone = self.zone();
        let met = |(at, _)| {
            let [from, to] = [time::after(zone.clock(time::after(at, BEFORE)), -BEFORE), zone.clock(at)];
            let next = |last: &Timestamp| clock_times.next(*last).filter(|clock| *clock < from.max(to));
            let clocks = std::iter::successors(next(&time::after(from.min(to), BEFORE)), next);
            let again = |clock: &Timestamp| {
                let second = zone.showing(*clock).times()[1];
                self.schedule.next(time::after(second, BEFORE)) == Some(second)
            };
            MetClockChange { at, from, to, times: clocks.filter(|clock| to > from || again(clock)).collect() }
        };
        zone.changes(after, until).into_iter().map(met).filter(|change| !change.times.is_empty()).collect()
    }

    /// The delay between its runs if that is less than a minute.
    pub fn within_a_minute(&self) -> Option<Duration> {
        self.schedule.every().filter(|delay| *delay < Duration::from_mins(1))
    }

    /// What it means: `every 5 minutes, in Europe/Paris`.
    pub fn words(&self) -> String {
        self.schedule.words_in_zone()
    }

    /// The zone that its times are in.
    pub fn zone(&self) -> &Zone {
        self.schedule.zone()
    }
}

/// Reads the name of a time zone.
///
/// # Errors
/// That there is no such zone, with the one that may be meant.
pub fn zone(text: &str) -> Result<Zone, String> {
    Zone::named(text).ok_or_else(|| format!("unknown time zone; {}", zone_remedy(text)))
}

/// What a clock of a zone shows, with tenths of a second where there are any: `2026-01-03 02:00:06.1`.
pub fn precise_clock_text(zone: &Zone, at: Timestamp) -> String {
    let text = clock_text(zone.clock(time::whole_seconds(at)));
    match at.subsec_millisecond() / 100 {
        0 => text,
        tenths => format!("{text}.{tenths}"),
    }
}

/// What a clock shows, which is given as a time in UTC: `2026-03-27 02:30:00`.
pub fn clock_text(clock: Timestamp) -> String {
    time::text(clock).replace('T', " ").trim_end_matches('Z').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timetable(schedule: &str, time_zone: Option<&str>) -> Option<CronJobTimetable> {
        let mut cron_job = CronJob::default();
        cron_job.spec.schedule = schedule.into();
        cron_job.spec.time_zone = time_zone.map(Into::into);
        cron_job.metadata.creation_timestamp = Some(at("2026-01-01T00:00:03Z"));
        CronJobTimetable::read(&cron_job, &Zone::named("Asia/Tokyo").unwrap()).ok()
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn runs_follow_the_schedule() {
        let next =
            |schedule: &str, zone: Option<&str>, after: &str| timetable(schedule, zone).unwrap().next(at(after)).unwrap().to_string();
        assert_eq!(next("0 9 * * *", None, "2026-01-01T00:00:00Z"), "2026-01-02T00:00:00Z", "in the zone of schedules without one");
        assert_eq!(next("0 9 * * *", Some("UTC"), "2026-01-01T00:00:00Z"), "2026-01-01T09:00:00Z");
        for (after, expected) in [("00:00:03", "00:00:08"), ("00:00:07.9", "00:00:08"), ("00:00:08", "00:00:13"), ("01:00:00", "01:00:03")]
        {
            assert_eq!(next("@every 5s", None, &format!("2026-01-01T{after}Z")), format!("2026-01-01T{expected}Z"), "{after}");
        }
        assert_eq!((timetable("61 * * * *", None), timetable("* * * * *", Some("Mars"))), (None, None));
        let short = |schedule| timetable(schedule, None).unwrap().within_a_minute().map(|delay| delay.as_secs());
        assert_eq!(["@every 59s", "@every 1m", "* * * * *"].map(short), [Some(59), None, None]);
    }

    #[test]
    fn a_time_zone_is_one_of_the_database() {
        let read = |text| zone(text).map_or_else(|error| error, |zone| zone.name().to_owned());
        assert_eq!(["Europe/Paris", "UTC"].map(read), ["Europe/Paris", "UTC"]);
        for (text, meant) in [
            ("europe/paris", "did you mean Europe/Paris?"),
            ("Paris", "did you mean Europe/Paris?"),
            ("new york", "did you mean America/New_York?"),
            ("utc", "did you mean UTC?"),
            ("Mars", "write a name from the time zone database, such as Etc/UTC or Europe/Paris"),
            ("", "write a name from the time zone database, such as Etc/UTC or Europe/Paris"),
        ] {
            assert_eq!(read(text), format!("unknown time zone; {meant}"), "{text}");
        }
    }
}
