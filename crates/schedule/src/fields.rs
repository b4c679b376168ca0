//! The five fields of a schedule: minute, hour, day of the month, month and day of the week.
//!
//! Docs: CronJob, "Schedule syntax" (C-51…C-55). What stands before or instead of fields is read in `schedule.rs`.

use std::num::{IntErrorKind, ParseIntError};

use crate::civil::{Date, weekday};
use crate::quoted::quoted;

/// The times that five fields choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CronFields {
    pub(crate) minutes: FieldValues,
    pub(crate) hours: FieldValues,
    days: FieldValues,
    pub(crate) months: FieldValues,
    weekdays: FieldValues,
}

/// The numbers that a field chooses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FieldValues {
    /// A bit for each number.
    bits: u64,
    /// Whether it has a `*` that chooses every number (C-54).
    star: bool,
}

/// The numbers that a field may have.
struct FieldBounds {
    least: i64,
    most: i64,
    /// Names of numbers, from the least on.
    names: &'static [&'static str],
}

const MINUTE: FieldBounds = FieldBounds { least: 0, most: 59, names: &[] };
const HOUR: FieldBounds = FieldBounds { least: 0, most: 23, names: &[] };
const DAY: FieldBounds = FieldBounds { least: 1, most: 31, names: &[] };
const MONTH: FieldBounds =
    FieldBounds { least: 1, most: 12, names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] };
const WEEKDAY: FieldBounds = FieldBounds { least: 0, most: 6, names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] };

impl CronFields {
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

    /// Whether its times are at each hour of the clock.
    pub(crate) fn hourly(&self) -> bool {
        self.hours.all(0..24).len() == 24
    }

    /// Whether there are several times in each hour of each day.
    pub(crate) fn several_an_hour(&self) -> bool {
        let (days, weekdays) = self.days();
        let each_day = days.len() == 31 && weekdays.len() == 7 && self.months.all(1..13).len() == 12;
        each_day && self.hourly() && self.minutes.all(0..60).len() > 1
    }

    /// The days of the month and of the week that are chosen.
    pub(crate) fn days(&self) -> (Vec<i64>, Vec<i64>) {
        (self.days.all(1..32), self.weekdays.all(0..7))
    }

    /// Whether a day is chosen by either of the fields, and not by both (C-55).
    pub(crate) fn either_day(&self) -> bool {
        !self.days.star && !self.weekdays.star
    }

    /// Whether the day this many days after 1970-01-01 is chosen, regardless of its month (C-55).
    pub(crate) fn day_chosen(&self, days: i64) -> bool {
        let (of_month, of_week) = (self.days.contains(Date::of(days).day), self.weekdays.contains(weekday(days)));
        if self.either_day() { of_month || of_week } else { of_month && of_week }
    }
}

impl FieldValues {
    /// Those of a range that are chosen.
    pub(crate) fn all(self, range: std::ops::Range<i64>) -> Vec<i64> {
        range.filter(|number| self.contains(*number)).collect()
    }

    /// How many of those below a number are chosen.
    pub(crate) fn below(self, number: i64) -> u64 {
        (self.bits & !(u64::MAX << number)).count_ones().into()
    }

    pub(crate) fn contains(self, number: i64) -> bool {
        self.bits >> number & 1 == 1
    }
}

impl FieldBounds {
    /// Reads a list of ranges.
    fn field(&self, text: &str) -> Result<FieldValues, String> {
        let mut all = FieldValues::default();
        for range in text.split(',').filter(|range| !range.is_empty()) {
            let numbers = self.range(range)?;
            all = FieldValues { bits: all.bits | numbers.bits, star: all.star || numbers.star };
        }
        Ok(all)
    }

    /// Reads a range with or without a step (C-53).
    fn range(&self, text: &str) -> Result<FieldValues, String> {
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
        Ok(FieldValues { bits, star: star && step == 1 })
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
    let failed = |why: &str| format!("failed to parse int from {text}: strconv.Atoi: parsing {}: {why}", quoted(text));
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.starts_with('+') {
        return Err(failed("invalid syntax"));
    }
    // Without its sign, and in 64 bits: as in Go, a letter behind too large a number is found as long as it is not too large for these.
    let size: u64 = digits.parse().map_err(|error: ParseIntError| {
        failed(if *error.kind() == IntErrorKind::PosOverflow { "value out of range" } else { "invalid syntax" })
    })?;
    let number = if text.starts_with('-') { 0_i64.checked_sub_unsigned(size) } else { i64::try_from(size).ok() };
    let number = number.ok_or_else(|| failed("value out of range"))?;
    if number < 0 { Err(format!("negative number ({number}) not allowed: {text}")) } else { Ok(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of a field, and an asterisk where it counts as one.
    #[track_caller]
    fn check(bounds: &FieldBounds, text: &str, expected: &str) {
        let numbers = bounds.field(text).unwrap();
        let mut found: Vec<String> = (0..64).filter(|number| numbers.contains(*number)).map(|number| number.to_string()).collect();
        found.extend(numbers.star.then(|| "*".to_owned()));
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[track_caller]
    fn refused(text: &str, expected: &str) {
        assert_eq!(CronFields::read(text).unwrap_err(), expected);
    }

    #[test]
    fn lists_are_joined_and_empty_elements_are_ignored() {
        check(&HOUR, "1,3,2", "1 2 3");
        check(&HOUR, ",5,,", "5");
        check(&HOUR, ",,", "");
    }

    #[test]
    fn ranges_and_steps_choose_numbers() {
        check(&HOUR, "20", "20");
        check(&HOUR, "+07,008", "7 8");
        check(&HOUR, "20-22", "20 21 22");
        check(&HOUR, "20/2", "20 22");
        check(&HOUR, "1-6/2", "1 3 5");
        check(&HOUR, "5/100,9/9223372036854775807", "5 9");
        check(&WEEKDAY, "*-5", "0 1 2 3 4 5 6 *");
        check(&WEEKDAY, "?-x/3", "0 3 6");
    }

    #[test]
    fn names_are_numbers() {
        check(&MONTH, "jan,FEB-Apr,Dec", "1 2 3 4 12");
        check(&WEEKDAY, "Sun,THU-sat", "0 4 5 6");
        check(&WEEKDAY, "frİ", "5");
        refused("* * * january *", r#"failed to parse int from january: strconv.Atoi: parsing "january": invalid syntax"#);
        refused("* * * * fri-mon", "beginning of range (5) beyond end of range (1): fri-mon");
    }

    #[test]
    fn a_star_is_one_that_chooses_every_number() {
        check(&WEEKDAY, "*", "0 1 2 3 4 5 6 *");
        check(&WEEKDAY, "?/1", "0 1 2 3 4 5 6 *");
        check(&WEEKDAY, "2,*", "0 1 2 3 4 5 6 *");
        check(&WEEKDAY, "*/2", "0 2 4 6");
        check(&WEEKDAY, "0-6", "0 1 2 3 4 5 6");
    }

    #[test]
    fn what_is_wrong_is_named_as_upstream_names_it() {
        refused("* * * *", "expected exactly 5 fields, found 4: [* * * *]");
        refused(" ", "expected exactly 5 fields, found 0: []");
        refused("60 * * * *", "end of range (60) above maximum (59): 60");
        refused("* 24 * * *", "end of range (24) above maximum (23): 24");
        refused("* * 0 * *", "beginning of range (0) below minimum (1): 0");
        refused("* * * 0-99 *", "beginning of range (0) below minimum (1): 0-99");
        refused("* * * * 7", "end of range (7) above maximum (6): 7");
        refused("5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1");
        refused("70-1/0 * * * *", "beginning of range (70) beyond end of range (1): 70-1/0");
        refused("*/0 * * * *", "step of range should be a positive number: */0");
        refused("1/-0 * * * *", "step of range should be a positive number: 1/-0");
        refused("* * L * *", r#"failed to parse int from L: strconv.Atoi: parsing "L": invalid syntax"#);
        refused("*/-5 * * * *", "negative number (-5) not allowed: -5");
        refused("1-2-3/x * * * *", "too many hyphens: 1-2-3/x");
        refused("x-2-3 * * * *", r#"failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax"#);
        refused("1/2/3 x * * *", "too many slashes: 1/2/3");
    }

    #[test]
    fn numbers_are_read_as_go_reads_them() {
        let check = |text: &str, why: &str| {
            assert_eq!(integer(text), Err(format!("failed to parse int from {text}: strconv.Atoi: parsing \"{text}\": {why}")));
        };
        for text in ["", "+", "-", "++1", "+-1", "1_0", "0x1", "9233720368547758075x"] {
            check(text, "invalid syntax");
        }
        for text in ["9223372036854775808", "-9223372036854775809", "99999999999999999999x"] {
            check(text, "value out of range");
        }
        assert_eq!(integer("+0009"), Ok(9));
        assert!(integer("-9223372036854775808").unwrap_err().starts_with("negative number (-9223372036854775808)"));
    }

    #[test]
    fn one_day_field_is_enough_unless_one_is_a_star() {
        let chosen = |days: &str| {
            let fields = CronFields::read(&format!("0 0 {days}")).unwrap();
            // May 2024: the 3rd is a Friday.
            let of_may = |day: i64| Date { year: 2024, month: 5, day }.days();
            (1..=31).filter(|day| fields.day_chosen(of_may(*day))).map(|day| day.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(chosen("13 * 5"), "3 10 13 17 24 31");
        assert_eq!(chosen("13 * *"), "13");
        assert_eq!(chosen("? * 5"), "3 10 17 24 31");
        assert_eq!(chosen("*/1 * 5"), "3 10 17 24 31");
        assert_eq!(chosen("*/10 * 5"), "1 3 10 11 17 21 24 31");
        assert_eq!(chosen(", * 5"), "3 10 17 24 31");
        assert_eq!(chosen(", * *"), "");
    }
}
