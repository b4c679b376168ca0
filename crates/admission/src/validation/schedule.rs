//! A CronJob's schedule and its time zone: whether both can be understood, and whether the zone is in the field that it belongs in.
//!
//! Docs: CronJob, "Schedule syntax", "Time zones" (A-151…A-153, A-155). What a schedule means is in the crate `schedule`.

use ::schedule::{Schedule, Zone};
use api::CronJobSpec;

use super::{FieldError, Path};

/// The most bytes of a part of a time zone's name.
const PART_LENGTH: usize = 14;

/// Checks a schedule. A time zone may stand in it only where one stands in the stored schedule already.
pub(super) fn check(path: &Path, spec: &CronJobSpec, stored: Option<&CronJobSpec>, errors: &mut Vec<FieldError>) {
    let schedule = &*spec.schedule;
    if schedule.is_empty() {
        errors.push(FieldError::required(path, ""));
        return;
    }
    if let Err(fault) = Schedule::parse(schedule, &Zone::utc()) {
        errors.push(FieldError::invalid(path, schedule, fault));
    }
    if !spec.zone_in_schedule() {
        return;
    }
    if !stored.is_some_and(CronJobSpec::zone_in_schedule) {
        let detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
        errors.push(FieldError::invalid(path, schedule, detail));
    } else if spec.time_zone.is_some() {
        let detail = "cannot use both timeZone field and TZ or CRON_TZ in schedule";
        errors.push(FieldError::invalid(path, schedule, detail));
    }
}

/// Checks a time zone, if there is one.
pub(super) fn check_time_zone(path: &Path, zone: Option<&str>, errors: &mut Vec<FieldError>) {
    let Some(zone) = zone else { return };
    let mut refuse = |detail: String| errors.push(FieldError::invalid(path, zone, detail));
    if zone.is_empty() {
        return refuse("timeZone must be nil or non-empty string".to_owned());
    }
    let unknown = || format!("unknown time zone {zone}");
    if !zone.split('/').all(is_part) {
        return refuse(unknown());
    }
    if zone.eq_ignore_ascii_case("Local") {
        refuse("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones".to_owned());
    }
    if zone.contains("..") {
        refuse("time: invalid location name".to_owned());
    } else if zone != "Local" && Zone::named(zone).is_none() {
        refuse(unknown());
    }
}

/// Whether a time zone's name may have this part between its slashes.
fn is_part(part: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b".-_+".contains(&byte);
    (1..=PART_LENGTH).contains(&part.len()) && part.bytes().all(letter) && !part.starts_with('-') && ![".", ".."].contains(&part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(schedule: &str, zone: Option<&str>) -> CronJobSpec {
        CronJobSpec { schedule: schedule.into(), time_zone: zone.map(Into::into), ..CronJobSpec::default() }
    }

    fn texts(errors: &[FieldError]) -> Vec<String> {
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_151_a_152_schedules() {
        let check = |schedule: &str, expected: &[&str]| {
            let mut errors = Vec::new();
            check(&Path::of("s"), &spec(schedule, None), Some(&spec(schedule, None)), &mut errors);
            assert_eq!(texts(&errors), expected);
        };
        for schedule in ["@daily", "*/5 * * * *", "0 0 31 2 *", "TZ=Europe/Paris 0 0 * * *"] {
            check(schedule, &[]);
        }
        check("", &["s: Required value"]);
        check("60 * * * *", &[r#"s: Invalid value: "60 * * * *": end of range (60) above maximum (59): 60"#]);
    }

    #[test]
    fn a_153_a_time_zone_in_a_schedule_stays_where_it_is() {
        let check = |new: CronJobSpec, stored: Option<&CronJobSpec>, expected: &[&str]| {
            let mut errors = Vec::new();
            check(&Path::of("s"), &new, stored, &mut errors);
            let details: Vec<_> = errors.iter().map(|error| error.detail.as_str()).collect();
            assert_eq!(details, expected);
        };
        let (zoned, plain) = (spec("CRON_TZ=UTC @daily", None), spec("@daily", None));
        let misplaced = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
        check(zoned.clone(), None, &[misplaced]);
        check(zoned.clone(), Some(&plain), &[misplaced]);
        check(zoned.clone(), Some(&zoned), &[]);
        let twice = "cannot use both timeZone field and TZ or CRON_TZ in schedule";
        check(spec("TZ=UTC @weekly", Some("UTC")), Some(&zoned), &[twice]);
        check(spec("TZ=UTC", None), None, &["invalid schedule format: runtime error: slice bounds out of range [:-1]", misplaced]);
    }

    #[test]
    fn a_155_time_zones() {
        let check = |zone: &str, expected: &[&str]| {
            let mut errors = Vec::new();
            check_time_zone(&Path::of("z"), Some(zone), &mut errors);
            let details: Vec<_> = errors.iter().map(|error| error.detail.as_str()).collect();
            assert_eq!(details, expected, "{zone}");
        };
        for zone in ["UTC", "EST", "US/Pacific", "Etc/GMT+3", "America/Argentina/Ushuaia"] {
            check(zone, &[]);
        }
        check("", &["timeZone must be nil or non-empty string"]);
        let explicit = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
        check("Local", &[explicit]);
        check("LOCAL", &[explicit, "unknown time zone LOCAL"]);
        for zone in ["utc", "GMT+3", "/UTC", "UTC/", "Europe//Paris", "-Paris", "./UTC", "../UTC", "a b", "Europe/AVeryLongCityName"] {
            check(zone, &[&format!("unknown time zone {zone}")]);
        }
        check("a..b", &["time: invalid location name"]);
    }
}
