//! What to write instead of a schedule or a time zone that does not exist: most of them come from other crons.
//!
//! Docs: CronJob, "Schedule syntax", "Time zones" (C-50…C-57, A-155). What a schedule is, is decided in `fields.rs` and `every.rs`.

use crate::{Schedule, Zone, zone_names};

const FIELDS: &str =
    "use five fields (minute, hour, day of month, month and day of week), as in `*/5 * * * *`, or a shorthand such as @daily";

/// A field of a schedule: its name, the least and the greatest number, and the names of its values, from the least number on.
struct ScheduleField {
    name: &'static str,
    plural: &'static str,
    range: (u32, u32),
    names: &'static [&'static str],
}

const ALL: [ScheduleField; 5] = [
    ScheduleField { name: "minute", plural: "minutes", range: (0, 59), names: &[] },
    ScheduleField { name: "hour", plural: "hours", range: (0, 23), names: &[] },
    ScheduleField { name: "day of month", plural: "days of the month", range: (1, 31), names: &[] },
    ScheduleField {
        name: "month",
        plural: "months",
        range: (1, 12),
        names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    },
    ScheduleField {
        name: "day of week",
        plural: "days of the week",
        range: (0, 6),
        names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
    },
];

/// What to write instead of a text that is not a schedule (C-50).
#[must_use]
pub fn schedule_remedy(text: &str) -> String {
    let text = text.trim();
    if let Some(descriptor) = text.strip_prefix('@') {
        return of_descriptor(descriptor);
    }
    if let Some(inner) = text.strip_prefix("cron(").and_then(|rest| rest.strip_suffix(')')) {
        // The sixth field is the year.
        let fields: Vec<&str> = inner.split_whitespace().take(5).collect();
        return schedule_of(&fields)
            .map_or_else(|| FIELDS.to_owned(), |schedule| format!("write it without cron(…) and without the year: `{schedule}`"));
    }
    let fields: Vec<&str> = text.split_whitespace().collect();
    if let Some(zone) = fields.last().filter(|last| Zone::named(last).is_some()) {
        return format!("name the time zone outside the schedule, as in `timeZone: {zone}`");
    }
    match &fields[..] {
        [minute, hour, day, month, weekday] => {
            let values = [minute, hour, day, month, weekday];
            ALL.iter().zip(values).find_map(|(field, value)| field.remedy(value)).unwrap_or_else(|| FIELDS.to_owned())
        }
        // Where there are years and no seconds, the `?` stands for one of the days two fields further to the left.
        [first_five @ .., last] if fields.len() == 6 && (year(last) || fields[2] == "?" || fields[4] == "?") => {
            without("the year", "last", first_five)
        }
        [_, last_five @ ..] if fields.len() == 6 => without("seconds", "first", last_five),
        [first_five @ .., _, last] if fields.len() == 7 && !year(last) || fields.len() > 7 => {
            let first_five = &first_five[..5];
            match schedule_of(first_five) {
                Some(schedule) => format!("a schedule has no user and no command: `{schedule}`"),
                None => FIELDS.to_owned(),
            }
        }
        [_, _, _, _, _, _, _] => "Kubernetes has no fields for seconds and the year: remove the first and the last one".to_owned(),
        _ => FIELDS.to_owned(),
    }
}

/// That Kubernetes has no field for something, with what is left of the schedule.
fn without(what: &str, which: &str, left: &[&str]) -> String {
    let schedule = schedule_of(left).map(|schedule| format!(": `{schedule}`")).unwrap_or_default();
    format!("Kubernetes has no field for {what}: remove the {which} one{schedule}")
}

/// What to write instead of a name that is not one of a time zone (A-155).
#[must_use]
pub fn zone_remedy(name: &str) -> String {
    let plain = |name: &str| name.to_lowercase().replace(' ', "_");
    let city = |name: &str| plain(name.rsplit('/').next().unwrap_or(name));
    if let Some(offset) = offset(name) {
        return format!("write {offset}: the sign of these names is reversed");
    }
    let abbreviated = ABBREVIATIONS.iter().find(|(short, _)| short.eq_ignore_ascii_case(name)).map(|(_, name)| *name);
    let same = |known: &&str| plain(known) == plain(name) || city(known) == plain(name);
    let same = || zone_names().filter(same).min_by_key(|known| known.len());
    let near = || {
        let distance = |known: &&str| strsim::damerau_levenshtein(&plain(known), &plain(name));
        zone_names()
            .map(|known| (distance(&known), known))
            .min()
            .filter(|(distance, _)| (1..=name.len() / 3).contains(distance))
            .map(|(_, known)| known)
    };
    match abbreviated.or_else(same).or_else(near) {
        Some(meant) => format!("did you mean {meant}?"),
        None => "write a name from the time zone database, such as Etc/UTC or Europe/Paris".to_owned(),
    }
}

/// Short names that people write for a time zone, and that the database does not have.
const ABBREVIATIONS: [(&str, &str); 14] = [
    ("PST", "America/Los_Angeles"),
    ("PDT", "America/Los_Angeles"),
    ("MDT", "America/Denver"),
    ("CST", "America/Chicago"),
    ("CDT", "America/Chicago"),
    ("EDT", "America/New_York"),
    ("BRT", "America/Sao_Paulo"),
    ("BST", "Europe/London"),
    ("CEST", "Europe/Berlin"),
    ("MSK", "Europe/Moscow"),
    ("IST", "Asia/Kolkata"),
    ("SGT", "Asia/Singapore"),
    ("JST", "Asia/Tokyo"),
    ("AEST", "Australia/Sydney"),
];

/// The name of a zone for a difference from UTC in whole hours: of `UTC+2`, `Etc/GMT-2`.
fn offset(name: &str) -> Option<String> {
    let rest =
        ["UTC", "GMT", "utc", "gmt", ""].iter().find_map(|start| name.strip_prefix(start).filter(|rest| rest.starts_with(['+', '-'])))?;
    let (sign, hours) = rest.split_at(1);
    let hours: u32 =
        hours.strip_suffix(":00").or_else(|| hours.strip_suffix("00").filter(|hours| hours.len() == 2)).unwrap_or(hours).parse().ok()?;
    let reversed = format!("Etc/GMT{}{hours}", if sign == "+" { '-' } else { '+' });
    Zone::named(&reversed).is_some().then_some(reversed)
}

/// These five fields as a schedule, if they are one.
fn schedule_of(fields: &[&str]) -> Option<String> {
    let schedule = fields.join(" ").replace('?', "*");
    Schedule::parse(&schedule, &Zone::utc()).is_ok().then_some(schedule)
}

/// Whether the last field of a schedule is one for years.
fn year(field: &str) -> bool {
    let years = field.split([',', '-', '/']).all(|part| part == "*" || part.len() == 4 && part.bytes().all(|digit| digit.is_ascii_digit()));
    years && field != "*"
}

fn of_descriptor(descriptor: &str) -> String {
    if descriptor == "reboot" {
        return "Kubernetes has no @reboot: a Job runs once, when it is created".to_owned();
    }
    if let Some(length) = descriptor.strip_prefix("every") {
        let days: Option<u32> = length.trim().strip_suffix('d').and_then(|days| days.parse().ok());
        let hours = days.and_then(|days| days.checked_mul(24)).map_or_else(|| "90m".to_owned(), |hours| format!("{hours}h"));
        return format!("use hours, minutes and seconds, as in `@every {hours}`");
    }
    let known = ["hourly", "daily", "midnight", "weekly", "monthly", "yearly", "annually"];
    match known.into_iter().find(|known| strsim::damerau_levenshtein(known, &descriptor.to_lowercase()) <= 2) {
        Some(meant) => format!("did you mean @{meant}?"),
        None => "use @hourly, @daily, @weekly, @monthly, @yearly or an interval, as in `@every 90m`".to_owned(),
    }
}

impl ScheduleField {
    /// What to write instead of a value that this field does not have.
    fn remedy(&self, value: &str) -> Option<String> {
        value.split(',').find_map(|part| {
            let (range, step) = part.split_once('/').map_or((part, None), |(range, step)| (range, Some(step)));
            let foreign = self.foreign(part);
            foreign.or_else(|| self.of_range(range)).or_else(|| {
                let step = step.filter(|step| step.parse::<u32>().is_ok_and(|step| step == 0))?;
                Some(format!("a step of {step} leads nowhere: use 1 or more"))
            })
        })
    }

    /// What only other crons have: L, W and # of Quartz, H of Jenkins.
    fn foreign(&self, part: &str) -> Option<String> {
        let upper = part.to_uppercase();
        if upper.starts_with('H') && self.names.is_empty() || upper == "H" {
            let (first, last) = self.range;
            return Some(format!("Kubernetes has no H: write a number from {first} to {last} as the {}", self.name));
        }
        if let Some((day, number)) = part.split_once('#') {
            let weekday = self.number(day).and_then(|day| WEEKDAYS.get(usize::try_from(day % 7).ok()?));
            let weeks = number.parse::<u32>().ok().filter(|number| (1..=5).contains(number));
            let (weekday, weeks) = weekday.zip(weeks)?;
            let (first, last) = (weeks * 7 - 6, (weeks * 7).min(31));
            return Some(format!(
                "Kubernetes has no #: run on days {first}-{last} of the month, and have the command end at once unless it is a {weekday}"
            ));
        }
        let letters: String = upper.chars().filter(char::is_ascii_alphabetic).collect();
        let known = self.names.iter().any(|name| letters.eq_ignore_ascii_case(name));
        match (self.name, &*letters) {
            ("day of month", "L" | "LW") => {
                Some("Kubernetes has no L: run on days 28-31, and have the command end at once unless tomorrow is day 1".to_owned())
            }
            ("day of month", "W") => Some(
                "Kubernetes has no W: run on the days around it, and have the command end at once on those that do not count".to_owned(),
            ),
            ("day of week", text) if text.ends_with('L') && !known => Some(
                "Kubernetes has no L: run on that day each week, and have the command end at once unless it is the month's last".to_owned(),
            ),
            _ => None,
        }
    }

    /// What to write instead of a number, a name or a range.
    fn of_range(&self, range: &str) -> Option<String> {
        let (low, high) = range.split_once('-').map_or((range, None), |(low, high)| (low, Some(high)));
        if let Some(remedy) = [Some(low), high].into_iter().flatten().find_map(|value| self.of_value(value)) {
            return Some(remedy);
        }
        let (low, high, (first, last)) = (self.number(low)?, self.number(high?)?, self.range);
        (low > high).then(|| {
            let one = |from: u32, to: u32| if from == to { from.to_string() } else { format!("{from}-{to}") };
            format!("a range does not go past the end: write `{},{}`", one(low, last), one(first, high))
        })
    }

    fn of_value(&self, value: &str) -> Option<String> {
        if matches!(value, "*" | "?") {
            return None;
        }
        let (first, last) = self.range;
        match (value.parse::<u32>(), self.name) {
            (Ok(7), "day of week") => Some("write 0 for Sunday: days of the week are 0 to 6".to_owned()),
            (Ok(24), "hour") => Some("write 0 for midnight: hours are 0 to 23".to_owned()),
            (Ok(number), _) if (first..=last).contains(&number) => None,
            (Ok(_), _) => Some(format!("{} are {first} to {last}", self.plural)),
            (Err(_), _) if self.names.iter().any(|name| name.eq_ignore_ascii_case(value)) => None,
            (Err(_), _) => {
                let short = value.get(..3)?.to_lowercase();
                let meant = self.names.iter().find(|name| **name == short)?;
                let (head, tail) = meant.split_at(1);
                Some(format!("write three letters: {}{tail}", head.to_uppercase()))
            }
        }
    }

    /// The number of a value.
    fn number(&self, value: &str) -> Option<u32> {
        let named = || self.names.iter().position(|name| name.eq_ignore_ascii_case(value)).and_then(|place| u32::try_from(place).ok());
        value.parse().ok().or_else(|| named().map(|place| place + self.range.0))
    }
}

const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn what_other_crons_have_is_known() {
        let schedules = [
            "0 9 L * *",
            "0 9 15W * *",
            "0 9 * * 5L",
            "0 9 * * 5#2",
            "0 9 * * fri#1",
            "H 9 * * *",
            "H/15 * * * *",
            "5 4 * * 7",
            "0 9 * * 1-7",
            "0 24 * * *",
            "60 * * * *",
            "0 9 * * Tues",
            "0 9 1 Sept *",
            "5-1 * * * *",
            "0 22-6 * * *",
            "0 9 * * fri-mon",
            "0 9 0 * *",
            "*/0 * * * *",
            "5 4 * * * *",
            "0 0 12 * * ?",
            "0 12 * * ? 2027",
            "0 12 * * ? *",
            "cron(0 12 * * ? *)",
            "0 0 12 * * ? 2027",
            "0 9 * * * Europe/Berlin",
            "@reboot",
            "@every 1d",
            "@dayly",
            "@often",
            "*/5",
            "0 9 * * funday",
        ];
        let remedies: String = schedules.iter().map(|text| format!("{text}: {}\n", schedule_remedy(text))).collect();
        expect![[r#"
            0 9 L * *: Kubernetes has no L: run on days 28-31, and have the command end at once unless tomorrow is day 1
            0 9 15W * *: Kubernetes has no W: run on the days around it, and have the command end at once on those that do not count
            0 9 * * 5L: Kubernetes has no L: run on that day each week, and have the command end at once unless it is the month's last
            0 9 * * 5#2: Kubernetes has no #: run on days 8-14 of the month, and have the command end at once unless it is a Friday
            0 9 * * fri#1: Kubernetes has no #: run on days 1-7 of the month, and have the command end at once unless it is a Friday
            H 9 * * *: Kubernetes has no H: write a number from 0 to 59 as the minute
            H/15 * * * *: Kubernetes has no H: write a number from 0 to 59 as the minute
            5 4 * * 7: write 0 for Sunday: days of the week are 0 to 6
            0 9 * * 1-7: write 0 for Sunday: days of the week are 0 to 6
            0 24 * * *: write 0 for midnight: hours are 0 to 23
            60 * * * *: minutes are 0 to 59
            0 9 * * Tues: write three letters: Tue
            0 9 1 Sept *: write three letters: Sep
            5-1 * * * *: a range does not go past the end: write `5-59,0-1`
            0 22-6 * * *: a range does not go past the end: write `22-23,0-6`
            0 9 * * fri-mon: a range does not go past the end: write `5-6,0-1`
            0 9 0 * *: days of the month are 1 to 31
            */0 * * * *: a step of 0 leads nowhere: use 1 or more
            5 4 * * * *: Kubernetes has no field for seconds: remove the first one: `4 * * * *`
            0 0 12 * * ?: Kubernetes has no field for seconds: remove the first one: `0 12 * * *`
            0 12 * * ? 2027: Kubernetes has no field for the year: remove the last one: `0 12 * * *`
            0 12 * * ? *: Kubernetes has no field for the year: remove the last one: `0 12 * * *`
            cron(0 12 * * ? *): write it without cron(…) and without the year: `0 12 * * *`
            0 0 12 * * ? 2027: Kubernetes has no fields for seconds and the year: remove the first and the last one
            0 9 * * * Europe/Berlin: name the time zone outside the schedule, as in `timeZone: Europe/Berlin`
            @reboot: Kubernetes has no @reboot: a Job runs once, when it is created
            @every 1d: use hours, minutes and seconds, as in `@every 24h`
            @dayly: did you mean @daily?
            @often: use @hourly, @daily, @weekly, @monthly, @yearly or an interval, as in `@every 90m`
            */5: use five fields (minute, hour, day of month, month and day of week), as in `*/5 * * * *`, or a shorthand such as @daily
            0 9 * * funday: use five fields (minute, hour, day of month, month and day of week), as in `*/5 * * * *`, or a shorthand such as @daily
        "#]].assert_eq(&remedies);
        assert!(schedules.iter().all(|text| Schedule::parse(text, &Zone::utc()).is_err()), "they are no schedules");
    }

    #[test]
    fn the_zone_that_is_meant_is_named() {
        let names = ["europe/berlin", "Berlin", "New York", "Europe/Pariss", "UTC+2", "GMT-05:00", "+0900", "PST", "IST", "Mars/Olympus"];
        let remedies: String = names.iter().map(|name| format!("{name}: {}\n", zone_remedy(name))).collect();
        expect![[r#"
            europe/berlin: did you mean Europe/Berlin?
            Berlin: did you mean Europe/Berlin?
            New York: did you mean America/New_York?
            Europe/Pariss: did you mean Europe/Paris?
            UTC+2: write Etc/GMT-2: the sign of these names is reversed
            GMT-05:00: write Etc/GMT+5: the sign of these names is reversed
            +0900: write Etc/GMT-9: the sign of these names is reversed
            PST: did you mean America/Los_Angeles?
            IST: did you mean Asia/Kolkata?
            Mars/Olympus: write a name from the time zone database, such as Etc/UTC or Europe/Paris
        "#]]
        .assert_eq(&remedies);
        assert!(names.iter().all(|name| Zone::named(name).is_none()), "they are no zones");
    }
}
