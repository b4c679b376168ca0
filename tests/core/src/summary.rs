//! How much the tests go through, and went through, printed past Cargo, which hides the output of tests that pass.
//!
//! Docs: `cargo xtask test`, `cargo xtask soak`. What is counted is up to each test.

use std::io::Write as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often a long test reports its progress.
const INTERVAL: Duration = Duration::from_mins(1);

/// Prints one line of the summary.
pub fn print(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("standard error takes all");
}

/// A number as people read it: `12,345`.
pub fn grouped(number: u64) -> String {
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

/// The number in an environment variable, which chooses another length of a test.
pub fn number(variable: &str, default: u64) -> u64 {
    let Ok(text) = std::env::var(variable) else { return default };
    text.parse().unwrap_or_else(|error| panic!("{variable}={text}: {error}"))
}

/// Reports once a minute how far a long test is.
pub struct Progress {
    /// As in `differential`, `histories`.
    test: &'static str,
    things: &'static str,
    total: u64,
    reported: Mutex<Instant>,
}

impl Progress {
    pub fn new(test: &'static str, things: &'static str, total: u64) -> Self {
        Self { test, things, total, reported: Mutex::new(Instant::now()) }
    }

    /// This many are done, and this many of them failed.
    pub fn at(&self, done: u64, failures: u64) {
        let mut reported = self.reported.lock().expect("nobody panics while it is held");
        if reported.elapsed() >= INTERVAL {
            *reported = Instant::now();
            let [done, total, failures] = [done, self.total, failures].map(grouped);
            print(&format!("{}: {done} of {total} {}, {failures} failures", self.test, self.things));
        }
    }
}

#[test]
fn numbers_are_grouped() {
    assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
}
