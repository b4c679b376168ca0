//! What to write instead of a schedule that does not exist: most of them come from other crons.
//!
//! Docs: CronJob, "Schedule syntax" (C-50…C-57). What a schedule is, is decided in `../fields.rs` and `../every.rs`; what is wrong with one of its fields is
//! in `field.rs`, lengths of time are in `interval.rs`, time zones in `zone.rs`.

mod field;
mod interval;
mod zone;

pub use self::zone::zone_remedy;
use crate::{Schedule, Zone};

const FIELDS: &str =
    "use five fields (minute, hour, day of month, month and day of week), as in `*/5 * * * *`, or a shorthand such as @daily";
const NO_SECONDS: &str = "Kubernetes schedules have no seconds field";
/// What is known by name.
const KNOWN: [&str; 7] = ["hourly", "daily", "midnight", "weekly", "monthly", "yearly", "annually"];

/// What to write instead of a text that is not a schedule (C-50).
#[must_use]
pub fn schedule_remedy(text: &str) -> String {
    let text = text.trim();
    if let Some(descriptor) = text.strip_prefix('@') {
        return of_descriptor(descriptor);
    }
    if let Some(inner) = text.strip_prefix("cron(").and_then(|rest| rest.strip_suffix(')')) {
        return of_aws(&inner.split_whitespace().collect::<Vec<_>>());
    }
    if let Some(schedule) = interval::schedule(text) {
        return format!("write it as `{schedule}`");
    }
    let plain = text.trim_matches(['"', '\'', '`', '“', '”']).replace('\\', "");
    if let Some(schedule) = schedule_of(&[&plain]).filter(|_| plain != text) {
        return format!("write it without quotation marks and backslashes: `{schedule}`");
    }
    let fields: Vec<&str> = text.split_whitespace().collect();
    let named = fields.first().and_then(|first| first.strip_prefix("CRON_TZ=").or_else(|| first.strip_prefix("TZ=")));
    if let Some(zone) = named.or(fields.last().copied()).filter(|zone| Zone::named(zone).is_some()) {
        return format!("set the time zone in its own field: `timeZone: {zone}`");
    }
    match fields.len() {
        1 if KNOWN.contains(&&*text.to_lowercase()) => format!("did you mean @{}?", text.to_lowercase()),
        4 => schedule_of(&[&fields[..], &["*"]].concat()).map_or_else(
            || FIELDS.to_owned(),
            |schedule| format!("a schedule needs five fields: with the day of week added, it is `{schedule}`"),
        ),
        5 if text.contains(|letter: char| letter == '*' || letter.is_ascii_digit()) => {
            field::remedy(&fields).map_or_else(|| FIELDS.to_owned(), |remedy| remedy.words())
        }
        6 => of_six(&fields),
        7 if for_years(fields[6]) && (fields.contains(&"?") || schedule_of(&fields[1..6]).is_some()) => of_seven(&fields),
        7.. if fields[0].starts_with(|first: char| first == '*' || first.is_ascii_digit()) => without_command(&fields),
        _ => FIELDS.to_owned(),
    }
}

/// Six fields: with a year, with a user or a command, or with seconds.
fn of_six(fields: &[&str]) -> String {
    let (first_five, last) = (&fields[..5], fields[5]);
    // Where there are years and no seconds, the `?` stands for one of the days two fields further to the left.
    if year(last) || fields[2] == "?" || fields[4] == "?" {
        let (days, left) = named_days(first_five);
        return with_fields(&format!("Kubernetes schedules have no year field: drop the last field{}{days}", every_year(last)), &left);
    }
    if schedule_of(first_five).is_some() && !field::means_weekday(last) && last.contains(|letter: char| letter.is_alphabetic()) {
        return without_command(fields);
    }
    let (days, left) = named_days(&fields[1..]);
    if fields[0].parse::<u32>().is_ok() {
        return with_fields(&format!("{NO_SECONDS}: drop the first field{days}"), &left);
    }
    let runs = |which: &str, left: &str| {
        let schedule = schedule_of(&[left])?;
        let words = Schedule::parse(&schedule, &Zone::utc()).ok()?.words();
        Some(format!("without the {which} field, `{schedule}` runs {words}"))
    };
    let without_last = || runs("last", &first_five.join(" ")).filter(|_| last == "*" && first_five.join(" ") != left);
    match runs("first", &left) {
        Some(first) => {
            let readings: Vec<String> = [Some(first), without_last()].into_iter().flatten().collect();
            format!("{NO_SECONDS}, and cannot run more than once a minute: {}", readings.join("; "))
        }
        None => with_fields(&format!("{NO_SECONDS}: drop the first field{days}"), &left),
    }
}

/// Seven fields of Quartz, with seconds and years.
fn of_seven(fields: &[&str]) -> String {
    let (days, left) = named_days(&fields[1..6]);
    let seldom = if fields[0].parse::<u32>().is_ok() { "" } else { ", and five fields run at most once a minute" };
    let years = every_year(fields[6]);
    with_fields(
        &format!("Kubernetes schedules have no seconds and no year field{seldom}: drop the first and the last field{years}{days}"),
        &left,
    )
}

/// What stands between the parentheses of `cron(…)`; the sixth field is the year.
fn of_aws(fields: &[&str]) -> String {
    match fields {
        [first_five @ .., last] if fields.len() == 6 => {
            let (days, left) = named_days(first_five);
            with_fields(&format!("write it without cron(…) and without the year{}{days}", every_year(last)), &left)
        }
        _ => with_fields("write it without cron(…)", &fields.join(" ")),
    }
}

/// Five fields of a line of a crontab, without what follows.
fn without_command(fields: &[&str]) -> String {
    with_fields("a schedule has only the five time fields, no user or command", &fields[..5].join(" "))
}

/// What to do, with the schedule that is left then; if that is none, with what to write instead of the field that is wrong.
fn with_fields(words: &str, left: &str) -> String {
    let fields: Vec<&str> = left.split_whitespace().collect();
    let remedy = || if fields.len() == 5 { field::remedy(&fields) } else { None };
    match schedule_of(&fields) {
        Some(schedule) => format!("{words}: `{schedule}`"),
        None => remedy().map_or_else(|| FIELDS.to_owned(), |remedy| remedy.after(words)),
    }
}

/// These five fields as a schedule, if they are one.
fn schedule_of(fields: &[&str]) -> Option<String> {
    let schedule = fields.join(" ").replace('?', "*");
    Schedule::parse(&schedule, &Zone::utc()).is_ok().then_some(schedule)
}

/// What happens to a schedule without its years.
fn every_year(years: &str) -> &'static str {
    if year(years) { ", so that it runs every year" } else { "" }
}

/// Whether the last field of a schedule chooses some years.
fn year(field: &str) -> bool {
    let years = field.split([',', '-', '/']).all(|part| part == "*" || part.len() == 4 && part.bytes().all(|digit| digit.is_ascii_digit()));
    years && field != "*"
}

/// Whether a field is one for years, or for all of them.
fn for_years(field: &str) -> bool {
    matches!(field, "*" | "?") || year(field)
}

/// Five fields with names of days of the week instead of numbers from 1 for Sunday, as Quartz and AWS have them along with `?`; and words on it if there
/// are any.
fn named_days(fields: &[&str]) -> (&'static str, String) {
    let [first_four @ .., weekday] = fields else { return ("", String::new()) };
    if !fields.contains(&"?") {
        return ("", fields.join(" "));
    }
    let named = field::named_weekdays(weekday);
    let words = if named == *weekday { "" } else { ", and write days by name, as Kubernetes counts them from 0 for Sunday" };
    (words, format!("{} {named}", first_four.join(" ")))
}

fn of_descriptor(descriptor: &str) -> String {
    if descriptor == "reboot" {
        return "Kubernetes does not support @reboot: use a Job, which runs once when you create it".to_owned();
    }
    if let Some(length) = descriptor.strip_prefix("every") {
        return match interval::every(length) {
            Some(schedule) => format!("use only hours, minutes and seconds: `{schedule}`"),
            None => "use hours, minutes and seconds, as in `@every 90m`".to_owned(),
        };
    }
    match KNOWN.into_iter().find(|known| strsim::damerau_levenshtein(known, &descriptor.to_lowercase()) <= 2) {
        Some(meant) => format!("did you mean @{meant}?"),
        None => "use @hourly, @daily, @weekly, @monthly, @yearly or an interval, as in `@every 90m`".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::Timestamp;

    /// Five fields that other crons accept and Kubernetes does not.
    const FIELD_SLIPS: [&str; 23] = [
        "0 9 L * *",
        "0 9 15W * *",
        "0 9 * * 5L",
        "0 9 * * 5#2",
        "0 9 * * fri#1",
        "H 9 * * *",
        "H/15 * * * *",
        "~ * * * *",
        "0~30 * * * *",
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
        "0 9AM * * *",
        "0 9 * * 1;2",
        "0 9 * * funday",
    ];

    /// Schedules with other fields, or in another form.
    const OTHER_FORMS: [&str; 43] = [
        "5 4 * * * *",
        "* * * * * *",
        "*/5 * * * * *",
        "*/30 0 3 * * 1",
        "0 0 12 * * ?",
        "0 0 12 ? * 2",
        "0 0 12 ? * 6#3",
        "0 0 12 * * Monday",
        "0 12 ? * 2-6 2027",
        "0 9 * * 1-5 2027",
        "\"0 3 * * *\"",
        "\\*/5 \\* * * *",
        "at five in the morning",
        "0 0,24 * * *",
        "0 12 * * ? 2027",
        "0 12 * * ? *",
        "cron(0 12 * * ? *)",
        "cron(0 12 ? * 2-6 *)",
        "cron(0 12 L * ? *)",
        "0 0 12 * * ? 2027",
        "0 0 12 ? * MON-FRI *",
        "*/10 * * ? * 2 *",
        "0 9 * * * Europe/Berlin",
        "TZ=Europe/Berlin 0 9 * *",
        "0 0 * * * root",
        "0 0 * * * root /bin/x",
        "*/5 * * * * /usr/bin/backup",
        "0 24 * * * root /bin/x --all now",
        "rate(5 minutes)",
        "every 5 minutes",
        "every day",
        "every 45 min",
        "@reboot",
        "@every 1d",
        "@every 5 minutes",
        "@every 1h 30m",
        "@every",
        "@dayly",
        "daily",
        "@often",
        "*/5",
        "0 2-7/1 * *",
        "0 5 x *",
    ];

    #[track_caller]
    fn check(schedules: &[&str], expected: Expect) {
        expected.assert_eq(&schedules.iter().map(|text| format!("{text}: {}\n", schedule_remedy(text))).collect::<String>());
        assert!(schedules.iter().all(|text| Schedule::parse(text, &Zone::utc()).is_err()), "they are no schedules");
    }

    #[test]
    fn values_of_other_crons_are_known() {
        check(
            &FIELD_SLIPS,
            expect![[r#"
                0 9 L * *: Kubernetes does not support L: run on days 28-31, and let the command exit unless tomorrow is the 1st
                0 9 15W * *: Kubernetes does not support W: run on the days around it, and let the command exit on the other days
                0 9 * * 5L: Kubernetes does not support L: run on that day each week, and let the command exit unless it is the month's last
                0 9 * * 5#2: Kubernetes does not support #: run on days 8-14 of the month, and let the command exit unless it is a Friday
                0 9 * * fri#1: Kubernetes does not support #: run on days 1-7 of the month, and let the command exit unless it is a Friday
                H 9 * * *: Kubernetes does not support H: write a number from 0 to 59 as the minute
                H/15 * * * *: Kubernetes does not support H: write `*/15` as the minute
                ~ * * * *: Kubernetes does not support ~: write a number from 0 to 59 as the minute
                0~30 * * * *: Kubernetes does not support ~: write a number from 0 to 59 as the minute
                5 4 * * 7: days of the week are 0 to 6, and 0 is Sunday: write `5 4 * * 0`
                0 9 * * 1-7: days of the week are 0 to 6, and 0 is Sunday: write `0 9 * * 0-6`
                0 24 * * *: hours are 0 to 23, and midnight is 0: write `0 0 * * *`
                60 * * * *: minutes are 0 to 59
                0 9 * * Tues: use three-letter names: write `0 9 * * Tue`
                0 9 1 Sept *: use three-letter names: write `0 9 1 Sep *`
                5-1 * * * *: a range cannot wrap around: write `5-59,0-1 * * * *`
                0 22-6 * * *: a range cannot wrap around: write `0 22-23,0-6 * * *`
                0 9 * * fri-mon: a range cannot wrap around: write `0 9 * * 5-6,0-1`
                0 9 0 * *: days of the month are 1 to 31
                */0 * * * *: a step must be at least 1
                0 9AM * * *: hours are 0 to 23, without am and pm: write `0 9 * * *`
                0 9 * * 1;2: commas separate the values of a field: write `0 9 * * 1,2`
                0 9 * * funday: use three-letter names: write `0 9 * * Sun`
            "#]],
        );
    }

    #[test]
    fn schedules_of_other_crons_are_known() {
        check(
            &OTHER_FORMS,
            expect![[r#"
                5 4 * * * *: Kubernetes schedules have no seconds field: drop the first field: `4 * * * *`
                * * * * * *: Kubernetes schedules have no seconds field, and cannot run more than once a minute: without the first field, `* * * * *` runs every minute
                */5 * * * * *: Kubernetes schedules have no seconds field, and cannot run more than once a minute: without the first field, `* * * * *` runs every minute; without the last field, `*/5 * * * *` runs every 5 minutes
                */30 0 3 * * 1: Kubernetes schedules have no seconds field, and cannot run more than once a minute: without the first field, `0 3 * * 1` runs at 03:00, on Monday
                0 0 12 * * ?: Kubernetes schedules have no seconds field: drop the first field: `0 12 * * *`
                0 0 12 ? * 2: Kubernetes schedules have no seconds field: drop the first field, and write days by name, as Kubernetes counts them from 0 for Sunday: `0 12 * * Mon`
                0 0 12 ? * 6#3: Kubernetes schedules have no seconds field: drop the first field, and write days by name, as Kubernetes counts them from 0 for Sunday; Kubernetes does not support #: run on days 15-21 of the month, and let the command exit unless it is a Friday
                0 0 12 * * Monday: Kubernetes schedules have no seconds field: drop the first field: `0 12 * * Mon`
                0 12 ? * 2-6 2027: Kubernetes schedules have no year field: drop the last field, so that it runs every year, and write days by name, as Kubernetes counts them from 0 for Sunday: `0 12 * * Mon-Fri`
                0 9 * * 1-5 2027: Kubernetes schedules have no year field: drop the last field, so that it runs every year: `0 9 * * 1-5`
                "0 3 * * *": write it without quotation marks and backslashes: `0 3 * * *`
                \*/5 \* * * *: write it without quotation marks and backslashes: `*/5 * * * *`
                at five in the morning: use five fields (minute, hour, day of month, month and day of week), as in `*/5 * * * *`, or a shorthand such as @daily
                0 0,24 * * *: hours are 0 to 23, and midnight is 0: write `0 0 * * *`
                0 12 * * ? 2027: Kubernetes schedules have no year field: drop the last field, so that it runs every year: `0 12 * * *`
                0 12 * * ? *: Kubernetes schedules have no year field: drop the last field: `0 12 * * *`
                cron(0 12 * * ? *): write it without cron(…) and without the year: `0 12 * * *`
                cron(0 12 ? * 2-6 *): write it without cron(…) and without the year, and write days by name, as Kubernetes counts them from 0 for Sunday: `0 12 * * Mon-Fri`
                cron(0 12 L * ? *): write it without cron(…) and without the year; Kubernetes does not support L: run on days 28-31, and let the command exit unless tomorrow is the 1st
                0 0 12 * * ? 2027: Kubernetes schedules have no seconds and no year field: drop the first and the last field, so that it runs every year: `0 12 * * *`
                0 0 12 ? * MON-FRI *: Kubernetes schedules have no seconds and no year field: drop the first and the last field: `0 12 * * MON-FRI`
                */10 * * ? * 2 *: Kubernetes schedules have no seconds and no year field, and five fields run at most once a minute: drop the first and the last field, and write days by name, as Kubernetes counts them from 0 for Sunday: `* * * * Mon`
                0 9 * * * Europe/Berlin: set the time zone in its own field: `timeZone: Europe/Berlin`
                TZ=Europe/Berlin 0 9 * *: set the time zone in its own field: `timeZone: Europe/Berlin`
                0 0 * * * root: a schedule has only the five time fields, no user or command: `0 0 * * *`
                0 0 * * * root /bin/x: a schedule has only the five time fields, no user or command: `0 0 * * *`
                */5 * * * * /usr/bin/backup: a schedule has only the five time fields, no user or command: `*/5 * * * *`
                0 24 * * * root /bin/x --all now: a schedule has only the five time fields, no user or command: `0 0 * * *`
                rate(5 minutes): write it as `*/5 * * * *`
                every 5 minutes: write it as `*/5 * * * *`
                every day: write it as `0 0 * * *`
                every 45 min: write it as `@every 45m`
                @reboot: Kubernetes does not support @reboot: use a Job, which runs once when you create it
                @every 1d: use only hours, minutes and seconds: `@every 24h`
                @every 5 minutes: use only hours, minutes and seconds: `@every 5m`
                @every 1h 30m: use only hours, minutes and seconds: `@every 1h30m`
                @every: use hours, minutes and seconds, as in `@every 90m`
                @dayly: did you mean @daily?
                daily: did you mean @daily?
                @often: use @hourly, @daily, @weekly, @monthly, @yearly or an interval, as in `@every 90m`
                */5: use five fields (minute, hour, day of month, month and day of week), as in `*/5 * * * *`, or a shorthand such as @daily
                0 2-7/1 * *: a schedule needs five fields: with the day of week added, it is `0 2-7/1 * * *`
                0 5 x *: use five fields (minute, hour, day of month, month and day of week), as in `*/5 * * * *`, or a shorthand such as @daily
            "#]],
        );
    }

    /// The schedules that a remedy proposes.
    fn proposed(text: &str) -> Vec<Schedule> {
        let remedy = schedule_remedy(text);
        let schedules = remedy.split('`').skip(1).step_by(2).filter(|quoted| quoted.contains(' ') && !quoted.contains(':'));
        schedules
            .map(|schedule| Schedule::parse(schedule, &Zone::utc()).unwrap_or_else(|error| panic!("{text}: {remedy}: {error}")))
            .collect()
    }

    #[test]
    fn what_is_proposed_is_a_schedule() {
        let values = [
            "*", "?", "7", "1-7", "24", "8-24/3", "60", "9AM", "Monday", "fri-mon", "Sept", "*5", "/5", "*/*", "L", "2#1", "~", "1;2",
            "root", "2027",
        ];
        for value in values {
            for place in 0..6 {
                for stars in 4..7 {
                    let mut fields = vec!["*"; stars];
                    fields.insert(place.min(stars), value);
                    let text = fields.join(" ");
                    if Schedule::parse(&text, &Zone::utc()).is_err() {
                        proposed(&text);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_proposed_is_what_was_meant() {
        let start: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let times = |schedule: &Schedule| {
            std::iter::successors(schedule.next(start), |last| schedule.next(*last)).take(100).collect::<Vec<Timestamp>>()
        };
        for (text, meant) in [
            ("0 9 * * 7", "0 9 * * sun"),
            ("0 9 * * 1-7", "0 9 * * *"),
            ("0 9 * * 0-7", "0 9 * * *"),
            ("0 9 1 * 1-7", "0 9 * * 0,1,2,3,4,5,6"),
            ("0 9 * * 5-7", "0 9 * * fri,sat,sun"),
            ("0 9 * * 6-7", "0 9 * * sat,sun"),
            ("0 9 * * 7-2", "0 9 * * sun,mon,tue"),
            ("0 9 * * 1-7/2", "0 9 * * mon,wed,fri,sun"),
            ("0 9 * * 1,7", "0 9 * * mon,sun"),
            ("0 9 * * sat-sun", "0 9 * * sat,sun"),
            ("0 9 * * 5-1/2", "0 9 * * fri,sun"),
            ("0 0-24 * * *", "0 * * * *"),
            ("0 22-24 * * *", "0 22,23,0 * * *"),
            ("0 9AM-5PM * * *", "0 9-17 * * *"),
            ("0 12AM,12PM * * *", "0 0,12 * * *"),
            ("0 9 1 October *", "0 9 1 10 *"),
            ("0 9 * * Monday-Fri", "0 9 * * 1-5"),
            ("cron(0 12 ? * 2-6 *)", "0 12 * * mon-fri"),
            ("cron(0 12 ? * 1,7 *)", "0 12 * * sun,sat"),
            ("0 0 12 ? * 2", "0 12 * * mon"),
            ("0 0 12 * * 1", "0 12 * * mon"),
            ("0 0 12 ? * 2-6 2026", "0 12 * * mon-fri"),
            ("rate(1 hour)", "0 * * * *"),
            ("rate(5 minutes)", "*/5 * * * *"),
            ("every 2 hours", "0 */2 * * *"),
            ("every 45 minutes", "@every 45m"),
            ("@every 2 days", "@every 48h"),
        ] {
            let meant = Schedule::parse(meant, &Zone::utc()).unwrap();
            let proposed = proposed(text);
            assert_eq!(proposed.iter().map(times).collect::<Vec<_>>(), [times(&meant)], "{text}: {}", schedule_remedy(text));
        }
    }
}
