//! Dates: days since 1970-01-01 as years, months and days, and back.
//!
//! Docs: the proleptic Gregorian calendar of ISO 8601. Time zones are in `zone.rs`.

/// The seconds of a day on a clock.
pub(crate) const DAY: i64 = 86_400;

/// A day in the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: i64,
    /// 1 to 12.
    pub(crate) month: i64,
    /// 1 to 31.
    pub(crate) day: i64,
}

impl Date {
    /// The date this many days after 1970-01-01.
    pub(crate) fn of(days: i64) -> Self {
        // Years begin in March, so that a leap day is the last of its year; 400 of them have 146,097 days.
        let days = days + 719_468;
        let (cycle, of_cycle) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
        let of_year = of_cycle - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        Self { year: cycle * 400 + year + i64::from(month <= 2), month, day }
    }

    /// Days from 1970-01-01 to this date. A month beyond December is one of the next year, a day beyond the month's last is one of the next.
    pub(crate) fn days(self) -> i64 {
        let month = self.month - 3;
        let (year, month) = (self.year + month.div_euclid(12), month.rem_euclid(12));
        year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + self.day - 719_469
    }
}

/// The day of the week, from Sunday, which is 0.
pub(crate) fn weekday(days: i64) -> i64 {
    (days + 4).rem_euclid(7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_library() {
        for days in (-800_000..2_900_000).step_by(17).chain(-1_000..40_000) {
            let date = Date::of(days);
            let expected = jiff::civil::date(1970, 1, 1).checked_add(jiff::Span::new().days(days));
            if let Ok(expected) = expected {
                assert_eq!((date.year, date.month, date.day), (expected.year().into(), expected.month().into(), expected.day().into()));
                assert_eq!(weekday(days), i64::from(expected.weekday().to_sunday_zero_offset()));
            }
            assert_eq!(date.days(), days);
        }
    }

    #[test]
    fn what_is_beyond_a_month_or_year_is_in_the_next() {
        let date = |year, month, day| Date { year, month, day };
        assert_eq!(date(2023, 13, 1).days(), date(2024, 1, 1).days());
        assert_eq!(date(2024, 2, 30).days(), date(2024, 3, 1).days());
        assert_eq!(date(2024, 1, 0).days(), date(2023, 12, 31).days());
    }
}
