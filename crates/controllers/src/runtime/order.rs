//! Sorting, with the comparison passed by reference: the component contains one sort instead of one per type.
//!
//! Docs: none of Kubernetes'. Long lists of numbers are sorted in place instead.

use std::cmp::Ordering;

/// The places of a list of this length in the order of a comparison; equal ones stay in theirs.
pub(crate) fn places(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

/// A list in the order of a comparison; equal items stay in theirs.
pub(crate) fn sorted<T: Clone>(items: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let places = places(items.len(), &|one, other| compare(&items[one], &items[other]));
    places.into_iter().map(|place| items[place].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_in_order_and_equal_ones_stay_in_theirs() {
        let items = [("b", 1), ("a", 2), ("b", 0), ("a", 1)];
        assert_eq!(sorted(&items, |one, other| one.0.cmp(other.0)), [("a", 2), ("a", 1), ("b", 1), ("b", 0)]);
        assert!(sorted(&[], u32::cmp).is_empty());
    }
}
