//! One number, or all from one to another: `2`, `1-3`.
//!
//! Docs: none; the language is described in `lib.rs`. What is numbered is up to `selector.rs`.

use std::fmt;

/// Numbers from 1 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberRange {
    /// The lowest.
    pub first: u32,
    /// The highest.
    pub last: u32,
}

impl NumberRange {
    /// A single one.
    #[must_use]
    pub fn only(number: u32) -> Self {
        Self { first: number, last: number }
    }

    /// Reads `2` or `1-3`; `None` if the text is neither, or the number is out of range.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let [first, last] = [first, last].map(|number| number.parse().ok());
        Some(Self { first: first?, last: last? }).filter(|numbers| 1 <= numbers.first && numbers.first <= numbers.last)
    }

    /// Whether a number is one of these.
    #[must_use]
    pub fn contain(self, number: u32) -> bool {
        (self.first..=self.last).contains(&number)
    }

    /// Writes the numbers after what they count: `attempt 2`, `attempts 1-3`.
    pub(super) fn of(self, what: &str) -> String {
        if self.first == self.last { format!("{what} {}", self.first) } else { format!("{what}s {self}") }
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
