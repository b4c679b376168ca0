//! When a CronJob runs, in words, and times as the clock of a zone shows them.
//!
//! Docs: CronJob, "Schedule syntax", "Time zones". When a CronJob runs is in the crate `schedule`; whether a run is started, the component decides.

use api::{CronJob, Timestamp, time};
use schedule::Zone;
pub use schedule::{CronJobTimetable, clock_text, precise_clock_text, zone};

/// Shown for a schedule that the API server accepts although it never runs, such as one on 31 February (C-65).
pub const NO_RUN: &str = "It has no runs within five years.";
/// Shown for a schedule whose runs are all in windows that skip them (X-17).
pub const NO_RUN_STARTS: &str = "No run starts within five years.";

/// When a CronJob with this timetable runs, in words; without one, what of it cannot be read.
pub fn meaning(cron_job: &CronJob, timetable: Option<&CronJobTimetable>) -> String {
    match (timetable, &cron_job.spec.time_zone) {
        (Some(timetable), _) => timetable.words(),
        (None, Some(zone)) if Zone::named(zone).is_none() => format!("{}, in the unknown time zone {zone}", cron_job.spec.schedule),
        (None, _) if cron_job.extensions().is_err() => format!("{}, with an invalid annotation", cron_job.spec.schedule),
        (None, _) => "a schedule that cannot be read".to_owned(),
    }
}

/// The zone that the times of a CronJob are in, even if it cannot run: that of its schedule, or the one that it names, or UTC.
pub fn zone_of(cron_job: &CronJob) -> Zone {
    let named = || cron_job.spec.time_zone.as_deref().and_then(Zone::named).unwrap_or_else(Zone::utc);
    CronJobTimetable::read(cron_job, &Zone::utc()).map_or_else(|_| named(), |timetable| timetable.zone().clone())
}

/// A time as the clock of a zone shows it: `2026-03-27 02:30:00 +01:00`.
pub fn local_time(at: Timestamp, zone: &Zone) -> String {
    format!("{} {}", clock_text(zone.clock(time::whole_seconds(at))), time::offset_text(zone.offset(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn times_are_those_of_the_clock_on_the_wall() {
        let zone = Zone::named("Europe/Paris").unwrap();
        assert_eq!(local_time(at("2026-03-29T00:59:59.9Z"), &zone), "2026-03-29 01:59:59 +01:00");
        assert_eq!(local_time(at("2026-03-29T01:00:00Z"), &zone), "2026-03-29 03:00:00 +02:00");
    }

    #[test]
    fn a_cron_job_has_a_zone_even_if_it_cannot_run() {
        let check = |schedule: &str, time_zone: Option<&str>, expected: &str| {
            let mut cron_job = CronJob::default();
            cron_job.spec.schedule = schedule.into();
            cron_job.spec.time_zone = time_zone.map(Into::into);
            assert_eq!(zone_of(&cron_job).name(), expected, "{schedule} {time_zone:?}");
            let timetable = CronJobTimetable::read(&cron_job, &Zone::utc()).ok();
            assert_eq!(meaning(&cron_job, timetable.as_ref()).contains("cannot be read"), schedule == "soon", "{schedule} {time_zone:?}");
        };
        check("0 9 * * *", Some("Europe/Paris"), "Europe/Paris");
        check("0 9 * * *", None, "UTC");
        check("TZ=Asia/Tokyo 0 9 * * *", None, "Asia/Tokyo");
        check("0 9 * * *", Some("Mars/Olympus"), "UTC");
        check("soon", Some("Europe/Paris"), "Europe/Paris");
    }

    #[test]
    fn x_0_a_schedule_with_a_wrong_annotation_beside_it_can_be_read() {
        let text = r#"{"metadata":{"annotations":{"jobsmith.dev/skip-during":"at night"}},"spec":{"schedule":"0 9 * * *"}}"#;
        assert_eq!(meaning(&serde_json::from_str(text).unwrap(), None), "0 9 * * *, with an invalid annotation");
    }
}
