//! `jobsmith step` against the oracle, on the same random histories.
//!
//! Docs: the session protocol, in the head comment of the oracle's `session.go`. That both answer alike is a test, `tests/host/differential/mod.rs`.

use std::time::Duration;

use core_tests::built;
use core_tests::dialogue::Dialogue;
use core_tests::history::history;
use core_tests::oracle::Oracle;

use crate::table::{Row, medians, rendered, timed};

const HISTORIES: u64 = 200;
const ROUNDS: usize = 7;
/// How many times faster than upstream's controllers ours are to be.
const LEAST: f64 = 10.0;

/// All figures; none without the oracle.
pub(crate) fn rows() -> Vec<Row> {
    if !built::programs(&built::kubernetes()).join("oracle").exists() {
        return Vec::new();
    }
    let mut theirs = Oracle::start();
    let mut ours = Dialogue::with_jobsmith();
    let lines: Vec<String> = (0..HISTORIES).flat_map(history).map(|operation| operation.to_string()).collect();
    let rounds: Vec<[Duration; 2]> =
        (0..ROUNDS).map(|_| [timed(|| ours.request_all(&lines)).0, timed(|| theirs.request_all(&lines)).0]).collect();
    let [ours, theirs] = medians(&rounds);
    let times = theirs.as_secs_f64() / ours.as_secs_f64();
    vec![
        Row::plain(format!("{HISTORIES} random histories: jobsmith step"), rendered(ours)),
        Row::plain(format!("{HISTORIES} random histories: oracle"), rendered(theirs)),
        Row {
            what: "random histories: oracle : jobsmith step".to_owned(),
            figure: format!("{times:.2}×"),
            goal: format!("≥ {LEAST}×"),
            met: times >= LEAST,
        },
    ]
}
