//! How much the tests went through, told past Cargo, which keeps to itself what tests that pass print.
//!
//! Docs: `cargo xtask test`. What is counted is up to each test.

use std::io::Write as _;

/// Tells one line of the summary.
pub(crate) fn tell(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("standard error takes all");
}

/// A number as people read it: `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[test]
fn numbers_are_grouped() {
    assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
}
