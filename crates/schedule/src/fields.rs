//! The five fields of a schedule: minute, hour, day of the month, month and day of the week.
//!
//! Docs: CronJob, "Schedule syntax" (C-51…C-55). What stands before or instead of fields is read in `schedule.rs`.

use std::num::IntErrorKind;

use crate::civil::{Date, weekday};
use crate::quoted::quoted;

/// The times that five fields choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) minutes: Numbers,
    pub(crate) hours: Numbers,
    days: Numbers,
    pub(crate) months: Numbers,
    weekdays: Numbers,
}

/// The numbers that a field chooses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// A bit for each number.
    bits: u64,
    /// Whether it has a `*` that chooses every number (C-54).
    star: bool,
}

/// The numbers that a field may have.
struct Bounds {
    least: i64,
    most: i64,
    /// Names of numbers, from the least on.
    names: &'static [&'static str],
}

const MINUTE: Bounds = Bounds { least: 0, most: 59, names: &[] };
const HOUR: Bounds = Bounds { least: 0, most: 23, names: &[] };
const DAY: Bounds = Bounds { least: 1, most: 31, names: &[] };
const MONTH: Bounds = Bounds {
    least: 1,
    most: 12,
    names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
const WEEKDAY: Bounds = Bounds { least: 0, most: 6, names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] };

impl Fields {
    /// Reads five fields.
    ///
    /// # Errors
    /// What is wrong with the first field that is not valid, or with their number (C-58).
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [minutes, hours, days, months, weekdays] = fields[..] else {
            return Err(format!("expected exactly 5 fields, found {}: [{}]", fields.len(), fields.join(" ")));
        };
        Ok(Self {
            minutes: MINUTE.field(minutes)?,
            hours: HOUR.field(hours)?,
            days: DAY.field(days)?,
            months: MONTH.field(months)?,
            weekdays: WEEKDAY.field(weekdays)?,
        })
    }

    /// Whether no time of day, or no month, is chosen (C-52).
    pub(crate) fn never(&self) -> bool {
        [self.minutes, self.hours, self.months].iter().any(|numbers| numbers.bits == 0)
    }

    /// Whether the day that is so many days after 1970-01-01 is chosen, whatever its month (C-55).
    pub(crate) fn day_chosen(&self, days: i64) -> bool {
        let (of_month, of_week) = (self.days.contains(Date::of(days).day), self.weekdays.contains(weekday(days)));
        if self.days.star || self.weekdays.star { of_month && of_week } else { of_month || of_week }
    }
}

impl Numbers {
    pub(crate) fn contains(self, number: i64) -> bool {
        self.bits >> number & 1 == 1
    }
}

impl Bounds {
    /// Reads a list of ranges.
    fn field(&self, text: &str) -> Result<Numbers, String> {
        let mut all = Numbers::default();
        for range in text.split(',').filter(|range| !range.is_empty()) {
            let numbers = self.range(range)?;
            all = Numbers { bits: all.bits | numbers.bits, star: all.star || numbers.star };
        }
        Ok(all)
    }

    /// Reads a range with or without a step (C-53).
    fn range(&self, text: &str) -> Result<Numbers, String> {
        let (range, step) = text.split_once('/').map_or((text, None), |(range, step)| (range, Some(step)));
        let (low, high) = range.split_once('-').map_or((range, None), |(low, high)| (low, Some(high)));
        let star = matches!(low, "*" | "?");
        let (first, mut last) = match high {
            _ if star => (self.least, self.most),
            None => self.number(low).map(|number| (number, number))?,
            Some(high) => {
                let first = self.number(low)?;
                if high.contains('-') {
                    return Err(format!("too many hyphens: {text}"));
                }
                (first, self.number(high)?)
            }
        };
        let step = match step {
            None => 1,
            Some(step) if step.contains('/') => return Err(format!("too many slashes: {text}")),
            Some(step) => integer(step)?,
        };
        if high.is_none() && text.contains('/') {
            last = self.most;
        }
        if first < self.least {
            return Err(format!("beginning of range ({first}) below minimum ({}): {text}", self.least));
        }
        if last > self.most {
            return Err(format!("end of range ({last}) above maximum ({}): {text}", self.most));
        }
        if first > last {
            return Err(format!("beginning of range ({first}) beyond end of range ({last}): {text}"));
        }
        if step == 0 {
            return Err(format!("step of range should be a positive number: {text}"));
        }
        let (mut bits, mut number) = (0, first);
        while number <= last {
            bits |= 1 << number;
            number = number.saturating_add(step);
        }
        Ok(Numbers { bits, star: star && step == 1 })
    }

    /// Reads a number, or the name of one.
    fn number(&self, text: &str) -> Result<i64, String> {
        match (self.least..).zip(self.names).find(|(_, name)| same_letters(name, text)) {
            Some((number, _)) => Ok(number),
            None => integer(text),
        }
    }
}

/// Whether a text is a name in letters of either case.
fn same_letters(name: &str, text: &str) -> bool {
    // The one letter beyond ASCII that Go makes a letter of these names.
    let lower = |letter: char| if letter == 'İ' { 'i' } else { letter.to_ascii_lowercase() };
    text.chars().map(lower).eq(name.chars())
}

/// Reads a number that is not negative.
fn integer(text: &str) -> Result<i64, String> {
    let number: i64 = text.parse().map_err(|error: std::num::ParseIntError| {
        let why = match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "value out of range",
            _ => "invalid syntax",
        };
        format!("failed to parse int from {text}: strconv.Atoi: parsing {}: {why}", quoted(text))
    })?;
    if number < 0 { Err(format!("negative number ({number}) not allowed: {text}")) } else { Ok(number) }
}
