//! Several things in a sentence: `a`, `a and b`, `a, b and c`.
//!
//! Docs: none. Lengths of time and times in words are in `time.rs`.

use std::fmt::Display;

/// Things as a sentence lists them, with a word such as `and` before the last of several.
#[must_use]
pub fn listed<T: Display>(things: &[T], conjunction: &str) -> String {
    let mut text = String::new();
    for (place, thing) in things.iter().enumerate() {
        match place {
            0 => {}
            _ if place + 1 == things.len() => text += &format!(" {conjunction} "),
            _ => text += ", ",
        }
        text += &thing.to_string();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_listed_with_a_word_before_the_last() {
        let check = |things: &[&str], expected: &str| assert_eq!(listed(things, "or"), expected);
        check(&[], "");
        check(&["a"], "a");
        check(&["a", "b"], "a or b");
        check(&["a", "b", "c"], "a, b or c");
    }
}
