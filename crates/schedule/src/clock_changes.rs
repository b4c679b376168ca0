//! Clock changes that a schedule meets: local times at which a CronJob has no run, or two.
//!
//! Docs: CronJob, "Time zones" (C-61…C-63). When the clock of a zone changes is in `zone.rs`; a schedule that fires in each hour, or counts from its last
//! run, meets none.

use crate::{Timestamp, clock_text};

/// More local times than these are not named one by one.
const FEW: usize = 3;

/// A change of a zone's clock past local times that a schedule chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetClockChange {
    /// When.
    pub at: Timestamp,
    /// What the clock shows before it, as a time in UTC.
    pub from: Timestamp,
    /// What it shows after it.
    pub to: Timestamp,
    /// The local times that the schedule chooses: none of them exists, or each occurs twice.
    pub times: Vec<Timestamp>,
}

impl MetClockChange {
    /// Whether the clock is set forward, so that times do not exist.
    #[must_use]
    pub fn forward(&self) -> bool {
        self.to > self.from
    }

    /// What it means for the schedule, in short: `02:30 does not exist`, `02:30 occurs twice`.
    #[must_use]
    pub fn fact(&self) -> String {
        let (first, last) = if self.forward() { (self.from, self.to) } else { (self.to, self.from) };
        let named: Vec<String> = if self.times.len() <= FEW {
            self.times.iter().map(|time| hours(*time)).collect()
        } else {
            vec![format!("{}–{}", hours(first), hours(last))]
        };
        let what = match (self.forward(), named.len()) {
            (true, 1) => "does not exist",
            (true, _) => "do not exist",
            (false, 1) => "occurs twice",
            (false, _) => "occur twice",
        };
        format!("{} {what}", named.join(", "))
    }

    /// What happens, and what follows: a sentence without its end.
    #[must_use]
    pub fn words(&self) -> String {
        let [from, to] = [self.from, self.to].map(hours);
        let (set, runs) = if self.forward() { ("forward", "no run is scheduled then") } else { ("back", "runs are scheduled both times") };
        format!("the clock is set {set} from {from} to {to}: {}, so {runs}", self.fact())
    }
}

/// What a clock shows, without its date and seconds: `02:30`.
pub(crate) fn hours(clock: Timestamp) -> String {
    clock_text(clock).chars().skip("2026-03-29 ".len()).take("02:30".len()).collect()
}

#[cfg(test)]
mod tests {
    use api::CronJob;

    use crate::{CronJobTimetable, Zone};

    /// The clock changes that a schedule in a zone meets in 2026.
    fn met(schedule: &str, zone: &str, annotated: bool) -> Vec<String> {
        let mut object = CronJob::default();
        (object.spec.schedule, object.spec.time_zone) = (schedule.into(), Some(zone.into()));
        if annotated {
            object.metadata.annotations.insert("jobsmith.dev/dst".into(), "once".into());
        }
        let timetable = CronJobTimetable::read(&object, &Zone::utc()).unwrap();
        let [after, until] = ["2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"].map(|at| at.parse().unwrap());
        timetable.clock_changes(after, until).iter().map(|change| format!("{} {}", change.at, change.words())).collect()
    }

    #[test]
    fn a_scheduled_time_that_does_not_exist_or_occurs_twice_is_said_with_what_follows() {
        let forward =
            "2026-03-29T01:00:00Z the clock is set forward from 02:00 to 03:00: 02:30 does not exist, so no run is scheduled then";
        let back = "2026-10-25T01:00:00Z the clock is set back from 03:00 to 02:00: 02:30 occurs twice, so runs are scheduled both times";
        assert_eq!(met("30 2 * * *", "Europe/Paris", false), [forward, back]);
        assert_eq!(met("30 2 * * *", "Europe/Paris", true), [forward], "each time once");
        assert_eq!(
            met("*/30 2 * * *", "Europe/Paris", true)[0].split(": ").nth(1),
            Some("02:00, 02:30 do not exist, so no run is scheduled then")
        );
        assert_eq!(
            met("*/5 2 * * *", "Europe/Paris", true)[0].split(": ").nth(1),
            Some("02:00–03:00 does not exist, so no run is scheduled then")
        );
    }

    #[test]
    fn other_schedules_meet_none() {
        for schedule in ["30 4 * * *", "*/5 * * * *", "0 * * * *", "@every 1h", "30 2 1 * *"] {
            assert_eq!(met(schedule, "Europe/Paris", false), [""; 0], "{schedule}");
        }
        assert_eq!(met("30 2 * * *", "UTC", false), [""; 0]);
    }
}
