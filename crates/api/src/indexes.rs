//! Sets of completion indexes and their text: `1,3-5,7`.
//!
//! Docs: Jobs, "Completion mode" (J-104, J-105, A-105). What the sets mean for a Job is decided in `controllers`.

use std::fmt;

/// A set of indexes, kept as ascending intervals that neither overlap nor touch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexSet {
    intervals: Vec<Interval>,
}

/// The indexes from `first` to `last`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Interval {
    first: u32,
    last: u32,
}

impl IndexSet {
    /// Reads the text as the controller does (J-105): what is not an index is skipped, and indexes from `completions` on are dropped.
    #[must_use]
    pub fn parse_leniently(text: &str, completions: u32) -> Self {
        let mut set = Self::default();
        for item in text.split(',') {
            let (first, last) = item.split_once('-').unwrap_or((item, item));
            let (Some(first), Some(last)) = (integer(first), integer(last)) else { continue };
            if first >= i64::from(completions) {
                break;
            }
            let last = last.min(i64::from(completions) - 1);
            if let (Ok(first), Ok(last)) = (u32::try_from(first), u32::try_from(last)) {
                set.append(first, last);
            }
        }
        set
    }

    /// Reads the text as the API server does (A-105).
    ///
    /// # Errors
    /// The first violation of the format, in the API server's words.
    pub fn parse_strictly(text: &str, completions: u32) -> Result<Self, String> {
        let mut set = Self::default();
        let mut previous: Option<i64> = None;
        if text.is_empty() {
            return Ok(set);
        }
        let index = |text: &str, previous: Option<i64>| -> Result<i64, String> {
            let Some(index) = integer(text) else {
                return Err(format!("cannot convert string to integer for index: {text:?}"));
            };
            if index >= i64::from(completions) {
                return Err(format!("too large index: {text:?}"));
            }
            match previous {
                Some(previous) if previous >= index => Err(format!("non-increasing order, previous: {previous}, current: {index}")),
                _ => Ok(index),
            }
        };
        for item in text.split(',') {
            let mut parts = item.split('-');
            let first = parts.next().unwrap_or_default();
            let last = parts.next();
            if parts.next().is_some() {
                return Err(format!(
                    "the fragment {item:?} violates the requirement that an index interval can have at most two parts separated by '-'"
                ));
            }
            let first = index(first, previous)?;
            let last = last.map_or(Ok(first), |last| index(last, Some(first)))?;
            previous = Some(last);
            set.append(u32::try_from(first).unwrap_or(0), u32::try_from(last).unwrap_or(0));
        }
        Ok(set)
    }

    /// How many indexes are in the set.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.intervals.iter().map(|interval| interval.last - interval.first + 1).sum()
    }

    /// Whether no index is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Whether the index is in the set.
    #[must_use]
    pub fn contains(&self, index: u32) -> bool {
        let after = self.intervals.partition_point(|interval| interval.first <= index);
        after.checked_sub(1).is_some_and(|at| index <= self.intervals[at].last)
    }

    /// The indexes of the set that are not below this one.
    #[must_use]
    pub fn from(&self, first: u32) -> Self {
        let rest = self.intervals.iter().filter(|interval| interval.last >= first);
        Self { intervals: rest.map(|interval| Interval { first: interval.first.max(first), last: interval.last }).collect() }
    }

    /// The smallest index that is in both sets.
    #[must_use]
    pub fn first_common(&self, other: &Self) -> Option<u32> {
        let (mut left, mut right) = (self.intervals.iter().peekable(), other.intervals.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            if a.last < b.first {
                left.next();
            } else if b.last < a.first {
                right.next();
            } else {
                return Some(a.first.max(b.first));
            }
        }
        None
    }

    /// How many indexes of `other` are in this set.
    #[must_use]
    pub fn common(&self, other: &Self) -> u32 {
        let mut count = 0;
        let (mut left, mut right) = (self.intervals.iter().peekable(), other.intervals.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            let (first, last) = (a.first.max(b.first), a.last.min(b.last));
            if first <= last {
                count += last - first + 1;
            }
            if a.last < b.last {
                left.next();
            } else {
                right.next();
            }
        }
        count
    }

    /// The set with these indexes too; they come in ascending order and may be in the set already.
    #[must_use]
    pub fn with(&self, ascending: impl IntoIterator<Item = u32>) -> Self {
        let mut joined = Self { intervals: Vec::with_capacity(self.intervals.len()) };
        let mut held = self.intervals.iter().peekable();
        for index in ascending {
            while let Some(interval) = held.next_if(|interval| interval.first <= index) {
                joined.append(interval.first, interval.last);
            }
            joined.append(index, index);
        }
        for interval in held {
            joined.append(interval.first, interval.last);
        }
        joined
    }

    /// The indexes in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.intervals.iter().flat_map(|interval| interval.first..=interval.last)
    }

    /// The indexes below `completions` that are not in the set, in ascending order; what is in the set costs nothing.
    pub fn outside(&self, completions: u32) -> impl Iterator<Item = u32> + '_ {
        let starts = std::iter::once(0).chain(self.intervals.iter().map(|interval| interval.last.saturating_add(1)));
        let ends = self.intervals.iter().map(|interval| interval.first).chain(std::iter::once(completions));
        starts.zip(ends).flat_map(move |(start, end)| start..end.min(completions))
    }

    /// Adds an interval that starts not before the last one's start; an interval that ends before it starts adds nothing.
    fn append(&mut self, first: u32, last: u32) {
        if last < first {
            return;
        }
        match self.intervals.last_mut() {
            Some(end) if first <= end.last.saturating_add(1) => end.last = end.last.max(last),
            _ => self.intervals.push(Interval { first, last }),
        }
    }
}

/// Writes the set as the controller does (J-105): runs of three or more as `a-b`, a run of two as `a,b`.
impl fmt::Display for IndexSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, Interval { first, last }) in self.intervals.iter().enumerate() {
            if at > 0 {
                f.write_str(",")?;
            }
            match last - first {
                0 => write!(f, "{first}")?,
                1 => write!(f, "{first},{last}")?,
                _ => write!(f, "{first}-{last}")?,
            }
        }
        Ok(())
    }
}

/// An integer as Go's `strconv.Atoi` reads it: decimal digits with an optional sign.
fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_outside_a_set_is_what_it_does_not_contain() {
        for text in ["", "0", "1", "0-2,4", "1,3-5,7", "9", "7-12"] {
            let set = IndexSet::parse_leniently(text, 100);
            let expected: Vec<u32> = (0..10).filter(|index| !set.contains(*index)).collect();
            assert_eq!(set.outside(10).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    fn lenient(text: &str, completions: u32) -> String {
        let set = IndexSet::parse_leniently(text, completions);
        format!("{set} ({})", set.len())
    }

    #[test]
    fn lenient_reading_skips_cuts_and_merges() {
        assert_eq!(lenient("1,3-5,7", 10), "1,3-5,7 (5)");
        assert_eq!(lenient("", 10), " (0)");
        assert_eq!(lenient("a,1,2", 10), "1,2 (2)");
        assert_eq!(lenient("0-1,2", 10), "0-2 (3)");
        assert_eq!(lenient("0-9", 5), "0-4 (5)");
        assert_eq!(lenient("0,7,8", 5), "0 (1)");
    }

    #[test]
    fn strict_reading_names_the_first_violation() {
        let check = |text: &str, expected: &str| {
            let read = IndexSet::parse_strictly(text, 5).map(|set| set.to_string());
            assert_eq!(read.unwrap_or_else(|error| error), expected, "{text}");
        };
        check("0-1,2", "0-2");
        check("+1", "1");
        check("a", r#"cannot convert string to integer for index: "a""#);
        check("5", r#"too large index: "5""#);
        check("2,0", "non-increasing order, previous: 2, current: 0");
        check("0-0", "non-increasing order, previous: 0, current: 0");
        check(
            "0-1-2",
            "the fragment \"0-1-2\" violates the requirement that an index interval can have at most two parts separated by '-'",
        );
    }

    #[test]
    fn sets_are_joined_and_compared() {
        let set = IndexSet::parse_leniently("1,3-5", 10);
        assert_eq!(set.with([0, 2, 4, 9]).to_string(), "0-5,9");
        assert!(set.contains(4) && !set.contains(2) && !set.contains(0));
        assert_eq!([0, 4, 6].map(|first| set.from(first).to_string()), ["1,3-5", "4,5", ""]);
        let other = IndexSet::parse_leniently("2,5-7", 10);
        assert_eq!((set.first_common(&other), set.common(&other)), (Some(5), 1));
    }
}
