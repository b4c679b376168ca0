//! `jobsmith.dev/skip-during` and `jobsmith.dev/delay-during`: times of the clock and of the calendar.
//!
//! Docs: README, "Beyond Kubernetes". Times here are those that a clock in the CronJob's time zone shows. What follows is decided in `controllers`.

use crate::{Timestamp, time};

use super::part::{AnnotationPart, AnnotationProblem};

/// Windows of time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Windows(Vec<Window>);

/// On these days, the whole day or a part of it that begins on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Window {
    days: Days,
    hours: Option<Hours>,
}

/// Days, as numbers from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Days {
    All,
    /// Both included.
    Dates {
        first: i64,
        last: i64,
    },
    /// By their numbers from Sunday.
    Weekdays([bool; 7]),
}

/// A part of a day, in seconds from midnight; it ends on the next day if it ends before it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hours {
    from: i64,
    to: i64,
}

const DAY: i64 = 86_400;
const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
/// The most windows of an annotation.
const MOST: usize = 200;
/// The longest range of dates, in days.
const LONGEST_RANGE: i64 = 366;
/// The forms of a window, as an error lists them.
const FORMS: &str = "write 2026-12-24, 2026-12-24..2027-01-01, Sat, Mon-Fri, 22:00-06:00 or Sat 22:00-06:00";

impl Windows {
    /// Reads windows with commas or line ends between them. Those without dates have to leave some time of the week free; whether those with dates take the rest
    /// for long depends on the day, and `jobsmith check` warns of it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn read(value: &str) -> Result<Self, AnnotationProblem> {
        let parts: Vec<AnnotationPart<'_>> = AnnotationPart::lines(value).flat_map(|line| line.without_last_comma().split(',')).collect();
        if let Some(part) = parts.get(MOST) {
            return Err(part.problem(format!("there are more than {MOST} windows"), "remove those that are past"));
        }
        if parts.is_empty() {
            return Err(AnnotationPart::whole(value).problem("a window is missing", format!("{FORMS}, or remove the annotation")));
        }
        let windows = Self(parts.iter().map(|part| window(*part)).collect::<Result<_, _>>()?);
        let weekly = Self(windows.0.iter().copied().filter(|window| !matches!(window.days, Days::Dates { .. })).collect());
        match weekly.end_within(0, 8 * DAY) {
            Some(_) => Ok(windows),
            None => Err(parts[0].problem("the windows leave no time free in a week", "leave out some")),
        }
    }

    /// Whether a time that the clock shows is in a window.
    #[must_use]
    pub fn cover(&self, clock: Timestamp) -> bool {
        self.covering(clock.as_second()).next().is_some()
    }

    /// When the windows that a time is in have ended, as the clock shows it; `None` if it is in none, or they never end.
    #[must_use]
    pub fn end(&self, clock: Timestamp) -> Option<Timestamp> {
        let start = clock.as_second();
        let end = self.end_within(start, i64::MAX)?;
        Timestamp::from_second(end).ok().filter(|_| end > start)
    }

    /// The first second from this one on that is in no window, if it is before a limit.
    fn end_within(&self, start: i64, limit: i64) -> Option<i64> {
        let mut at = start;
        while at < limit {
            match self.covering(at).max() {
                Some(end) => at = end,
                None => return Some(at),
            }
        }
        None
    }

    /// When each window ends that a time is in.
    fn covering(&self, at: i64) -> impl Iterator<Item = i64> {
        self.0.iter().filter_map(move |window| window.end(at))
    }
}

impl Window {
    /// When it ends, if a time is in it.
    fn end(self, at: i64) -> Option<i64> {
        let (today, second) = (at.div_euclid(DAY), at.rem_euclid(DAY));
        let Some(Hours { from, to }) = self.hours else {
            return self.days.contain(today).then(|| match self.days {
                Days::Dates { last, .. } => (last + 1) * DAY,
                Days::All | Days::Weekdays(_) => (today + 1) * DAY,
            });
        };
        if from < to {
            return (self.days.contain(today) && (from..to).contains(&second)).then_some(today * DAY + to);
        }
        let begins = (self.days.contain(today) && second >= from).then_some((today + 1) * DAY + to);
        begins.or_else(|| (self.days.contain(today - 1) && second < to).then_some(today * DAY + to))
    }
}

impl Days {
    fn contain(self, day: i64) -> bool {
        match self {
            Self::All => true,
            Self::Dates { first, last } => (first..=last).contains(&day),
            // The first day was a Thursday.
            Self::Weekdays(days) => usize::try_from((day + 4).rem_euclid(7)).is_ok_and(|weekday| days[weekday]),
        }
    }
}

fn window(part: AnnotationPart<'_>) -> Result<Window, AnnotationProblem> {
    match part.words()[..] {
        [] => Err(part.problem("a window is missing", FORMS)),
        [one] if one.text.contains(':') => Ok(Window { days: Days::All, hours: Some(hours(one)?) }),
        [one] => Ok(Window { days: days(one)?, hours: None }),
        [first, second] if second.text.starts_with(char::is_alphabetic) && weekday(second, second.text).is_ok() => {
            Err(second.problem(format!("`{}` is not expected after `{}`", second.text, first.text), "put a comma between two windows"))
        }
        [first, second] => Ok(Window { days: days(first)?, hours: Some(hours(second)?) }),
        [first, dash, last] if matches!(dash.text, "-" | "–" | ".." | "to" | "until") => {
            let between = if first.text.contains('-') { ".." } else { "-" };
            Err(dash.problem("the window contains spaces", format!("write `{}{between}{}`", first.text, last.text)))
        }
        [_, _, third, ..] => {
            Err(third.problem(format!("`{}` is not expected after a window", third.text), "put a comma between two windows"))
        }
    }
}

fn days(part: AnnotationPart<'_>) -> Result<Days, AnnotationProblem> {
    if let Some((first, last)) = part.text.split_once("..") {
        if weekday(part, first).is_ok() {
            return Err(part.problem("`..` is for dates", format!("write `{first}-{last}`")));
        }
        let (first, last) = (date(part, first)?, date(part, last)?);
        if last < first {
            return Err(part.problem("the range ends before it begins", "write the earlier date first"));
        }
        if last - first >= LONGEST_RANGE {
            return Err(part.problem(format!("the range has more than {LONGEST_RANGE} days"), "suspend the CronJob instead"));
        }
        return Ok(Days::Dates { first, last });
    }
    if part.text.starts_with(|first: char| first.is_ascii_digit()) {
        let day = date(part, part.text)?;
        return Ok(Days::Dates { first: day, last: day });
    }
    let (first, last) = part.text.split_once('-').unwrap_or((part.text, part.text));
    let (first, last) = (weekday(part, first)?, weekday(part, last)?);
    let mut days = [false; 7];
    let mut day = first;
    days[day] = true;
    while day != last {
        day = (day + 1) % 7;
        days[day] = true;
    }
    Ok(Days::Weekdays(days))
}

fn date(part: AnnotationPart<'_>, text: &str) -> Result<i64, AnnotationProblem> {
    let wrong = || part.problem(format!("`{text}` is not a date"), "write the year, month and day: 2026-12-24, or 2026-12-24..2027-01-01");
    let digits = |at: usize| if matches!(at, 4 | 7) { text.as_bytes()[at] == b'-' } else { text.as_bytes()[at].is_ascii_digit() };
    if text.len() != 10 || !(0..10).all(digits) {
        return Err(wrong());
    }
    time::parse(&format!("{text}T00:00:00Z")).map(|midnight| midnight.as_second().div_euclid(DAY)).ok_or_else(wrong)
}

fn weekday(part: AnnotationPart<'_>, text: &str) -> Result<usize, AnnotationProblem> {
    let short = text.get(..3).unwrap_or(text);
    let known = WEEKDAYS.iter().position(|name| name.eq_ignore_ascii_case(short));
    match known {
        Some(day) if text.len() == 3 => Ok(day),
        Some(day) => Err(part.problem(format!("`{text}` is not a day of the week"), format!("write {}", WEEKDAYS[day]))),
        None => Err(part.problem(format!("`{text}` is neither a day nor a time of day"), FORMS)),
    }
}

fn hours(part: AnnotationPart<'_>) -> Result<Hours, AnnotationProblem> {
    let Some((from, to)) = part.text.split_once('-') else {
        return Err(part.problem(format!("`{}` has no end", part.text), "write when it begins and ends: 22:00-06:00"));
    };
    let hours = Hours { from: time_of_day(part, from)?, to: time_of_day(part, to)? };
    if hours.from == hours.to {
        return Err(part.problem("the time ends when it begins", "leave it out for the whole day"));
    }
    if hours.from == DAY {
        return Err(part.problem("a time cannot begin at 24:00", "write 00:00"));
    }
    Ok(hours)
}

/// A time of day in seconds: `06:00`, up to `24:00`.
fn time_of_day(part: AnnotationPart<'_>, text: &str) -> Result<i64, AnnotationProblem> {
    let two = |text: &str, most: i64| match text.as_bytes() {
        [b'0'..=b'9', b'0'..=b'9'] => text.parse::<i64>().ok().filter(|number| *number <= most),
        _ => None,
    };
    let read = |text: &str| {
        let second = text.split_once(':').and_then(|(hour, minute)| Some(two(hour, 24)? * 3600 + two(minute, 59)? * 60));
        second.filter(|second| *second <= DAY)
    };
    read(text).ok_or_else(|| {
        let padded = format!("0{text}");
        let remedy =
            if read(&padded).is_some() { format!("write `{padded}`") } else { "write hours and minutes, from 00:00 to 24:00".to_owned() };
        part.problem(format!("`{text}` is not a time of day"), remedy)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(windows: &str, clock: &str, expected: Option<&str>) {
        let time = |text: &str| time::parse(&format!("{text}:00Z")).unwrap();
        let windows = Windows::read(windows).unwrap();
        assert_eq!(windows.end(time(clock)), expected.map(time));
        assert_eq!(windows.cover(time(clock)), expected.is_some());
    }

    #[test]
    fn x_17_windows_end() {
        check("2026-12-24..2027-01-01", "2026-12-23T23:59", None);
        check("2026-12-24..2027-01-01", "2026-12-24T00:00", Some("2027-01-02T00:00"));
        check("2026-12-24..2027-01-01", "2027-01-02T00:00", None);
        check("22:00-06:00", "2026-12-24T21:59", None);
        check("22:00-06:00", "2026-12-24T22:00", Some("2026-12-25T06:00"));
        check("22:00-06:00", "2026-12-25T05:59", Some("2026-12-25T06:00"));
        check("22:00-06:00", "2026-12-25T06:00", None);
        // A Friday.
        check("Sat, Sun", "2026-12-25T23:59", None);
        check("Sat, Sun", "2026-12-26T00:00", Some("2026-12-28T00:00"));
        check("Fri-Sun", "2026-12-25T12:00", Some("2026-12-28T00:00"));
        check("Sat-Sun, Mon 00:00-08:00", "2026-12-26T00:00", Some("2026-12-28T08:00"));
        check("Mon-Fri 08:00-18:00", "2026-12-25T17:59", Some("2026-12-25T18:00"));
        check("Mon-Fri 08:00-18:00", "2026-12-26T12:00", None);
        check("Fri 22:00-06:00", "2026-12-26T05:00", Some("2026-12-26T06:00"));
        check("Fri 22:00-06:00", "2026-12-27T05:00", None);
        check("2026-12-31 18:00-24:00\n2027-01-01", "2026-12-31T20:00", Some("2027-01-02T00:00"));
        check("00:00-12:00, 12:00-23:00", "2026-12-31T00:00", Some("2026-12-31T23:00"));
    }
}
