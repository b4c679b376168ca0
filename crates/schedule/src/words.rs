//! What a schedule means, in words.
//!
//! Docs: CronJob, "Schedule syntax" (C-53…C-57). Which fields there are is in `fields.rs`.

use crate::Duration;
use crate::fields::{CronFields, FieldValues};
use api::listed;

const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// As many times of day are listed one by one.
const FEW: usize = 6;

/// `@every` in words.
pub(crate) fn every(delay: Duration) -> String {
    format!("every {delay:#}, counted from the last run")
}

/// Five fields in words.
pub(crate) fn fields(fields: &CronFields) -> String {
    if fields.never() {
        return "never: a field is empty".to_owned();
    }
    let (time, day) = (time(fields.minutes, fields.hours), day(fields));
    // "every minute, every day" says the same twice.
    let day = if time.starts_with("every") && day == "every day" { String::new() } else { day };
    let parts: Vec<String> = [time, day, month(fields.months)].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

fn time(minutes: FieldValues, hours: FieldValues) -> String {
    let (minutes, hours) = (minutes.all(0..60), hours.all(0..24));
    let all_hours = hours.len() == 24;
    if !all_hours && minutes.len() * hours.len() <= FEW {
        let times = hours.iter().flat_map(|hour| minutes.iter().map(move |minute| format!("{hour:02}:{minute:02}")));
        return format!("at {}", listed(&times.collect::<Vec<_>>(), "and"));
    }
    let minute = match step(&minutes, 60) {
        Some(1) => "every minute".to_owned(),
        Some(step) => format!("every {step} minutes"),
        None if all_hours && minutes == [0] => return "every hour, on the hour".to_owned(),
        None => format!("at {} {}", if minutes.len() == 1 { "minute" } else { "minutes" }, numbers(&minutes)),
    };
    match step(&hours, 24) {
        Some(1) if minute.starts_with("every") => minute,
        Some(1) => format!("{minute} of every hour"),
        Some(step) => format!("{minute} of every {step} hours"),
        None => format!("{minute} of {} {}", if hours.len() == 1 { "hour" } else { "hours" }, numbers(&hours)),
    }
}

/// The day rule: both fields must match if one of them is a star, otherwise either (C-55).
fn day(fields: &CronFields) -> String {
    let (days, weekdays) = fields.days();
    let of_month = format!("on {} {} of the month", if days.len() == 1 { "day" } else { "days" }, numbers(&days));
    let of_week = format!("on {}", weekday_names(&weekdays));
    match (days.len() == 31, weekdays.len() == 7, fields.either_day()) {
        (true, true, _) | (true, _, true) | (_, true, true) => "every day".to_owned(),
        (true, false, false) => of_week,
        (false, true, false) => of_month,
        (false, false, true) => format!("{of_month} or {of_week}"),
        (false, false, false) => format!("{of_month} if that is {}", weekday_names(&weekdays)),
    }
}

fn weekday_names(weekdays: &[i64]) -> String {
    match weekdays {
        [] => "no day of the week".to_owned(),
        [1, 2, 3, 4, 5] => "Monday to Friday".to_owned(),
        _ => names(weekdays, 0, &WEEKDAYS),
    }
}

fn month(months: FieldValues) -> String {
    let months = months.all(1..13);
    if months.len() == 12 { String::new() } else { format!("in {}", names(&months, 1, &MONTHS)) }
}

fn names(numbers: &[i64], least: i64, names: &[&str]) -> String {
    let place = |number: &i64| usize::try_from(number - least).ok();
    listed(&numbers.iter().filter_map(place).filter_map(|at| names.get(at)).collect::<Vec<_>>(), "and")
}

fn numbers(numbers: &[i64]) -> String {
    if numbers.is_empty() { "none".to_owned() } else { listed(numbers, "and") }
}

/// The step by which all numbers below a bound are counted from 0, if they are.
fn step(numbers: &[i64], below: i64) -> Option<i64> {
    let step = match numbers {
        [0, second, ..] => *second,
        _ => return None,
    };
    let counted = (0..below).filter(|number| number % step == 0);
    (below % step == 0 && counted.eq(numbers.iter().copied())).then_some(step)
}

#[cfg(test)]
mod tests {
    use crate::{Schedule, Zone};

    #[test]
    fn schedules_in_words() {
        let words = |text: &str| Schedule::parse(text, &Zone::utc()).unwrap().words();
        for (text, expected) in [
            ("* * * * *", "every minute"),
            ("*/5 * * * *", "every 5 minutes"),
            ("0 * * * *", "every hour, on the hour"),
            ("30 2 * * *", "at 02:30, every day"),
            ("30 10,11,12 * * 1-5", "at 10:30, 11:30 and 12:30, on Monday to Friday"),
            ("15 */6 * * *", "at 00:15, 06:15, 12:15 and 18:15, every day"),
            ("7,8 * * * *", "at minutes 7 and 8 of every hour, every day"),
            ("*/10 9-17 * * *", "every 10 minutes of hours 9, 10, 11, 12, 13, 14, 15, 16 and 17"),
            ("0 0 13 * 5", "at 00:00, on day 13 of the month or on Friday"),
            ("0 0 * * 0", "at 00:00, on Sunday"),
            ("0 0 1,15 1,7 *", "at 00:00, on days 1 and 15 of the month, in January and July"),
            ("0 0 1-31 * 5", "at 00:00, every day"),
            ("@yearly", "at 00:00, on day 1 of the month, in January"),
            ("@every 90s", "every 1m 30s, counted from the last run"),
            (", * * * *", "never: a field is empty"),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }
}
