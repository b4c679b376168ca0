//! Numbers: one, all from one to another, or a list of those: `2`, `1-3`, `1,4-6`.
//!
//! Docs: none; the language is described in `lib.rs`. What is numbered is up to `selector.rs`.

use std::fmt;

/// Numbers in ranges; at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberList(Vec<NumberRange>);

impl NumberList {
    /// A single one.
    #[must_use]
    pub fn only(number: u32) -> Self {
        Self::of_range(number, number)
    }

    /// All from one number to another.
    #[must_use]
    pub fn of_range(first: u32, last: u32) -> Self {
        Self(vec![NumberRange { first, last }])
    }

    /// The same numbers and those of another range.
    #[must_use]
    pub(super) fn and(mut self, range: NumberRange) -> Self {
        self.0.push(range);
        self
    }

    /// Whether a number is one of these.
    #[must_use]
    pub fn contain(&self, number: u32) -> bool {
        self.0.iter().any(|range| (range.first..=range.last).contains(&number))
    }

    /// The highest.
    #[must_use]
    pub fn last(&self) -> u32 {
        self.0.iter().map(|range| range.last).max().unwrap_or_default()
    }

    /// Whether each range of other numbers is within one of these.
    pub(super) fn cover(&self, others: &Self) -> bool {
        let within = |other: &NumberRange| self.0.iter().any(|own| own.first <= other.first && other.last <= own.last);
        others.0.iter().all(within)
    }

    /// Writes the numbers after what they count, of one number and of several: `attempt 2`, `attempts 1-3`.
    pub(super) fn of(&self, one: &str, several: &str) -> String {
        let single = matches!(&self.0[..], [NumberRange { first, last }] if first == last);
        format!("{} {self}", if single { one } else { several })
    }
}

impl From<NumberRange> for NumberList {
    fn from(range: NumberRange) -> Self {
        Self(vec![range])
    }
}

impl fmt::Display for NumberList {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges: Vec<String> = self.0.iter().map(NumberRange::to_string).collect();
        formatter.write_str(&ranges.join(","))
    }
}

/// All numbers from one to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumberRange {
    /// The lowest.
    first: u32,
    /// The highest.
    last: u32,
}

impl NumberRange {
    /// Reads `2` or `1-3`; `None` if the text is neither, or a number is lower than `least`.
    pub(super) fn parse(text: &str, least: u32) -> Option<Self> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let [first, last] = [first, last].map(|number| number.parse().ok());
        Some(Self { first: first?, last: last? }).filter(|numbers| least <= numbers.first && numbers.first <= numbers.last)
    }
}

impl fmt::Display for NumberRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last } = self;
        if first == last { write!(formatter, "{first}") } else { write!(formatter, "{first}-{last}") }
    }
}

/// A number in a row: `1st`, `2nd`, `3rd`, `11th`.
pub(super) fn ordinal(number: u32) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}
