//! `jobsmith step`: the answers do not depend on how many lines come at once.
//!
//! Docs: `jobsmith step --help`. That the answers are upstream's is in `differential/`.

use core_tests::dialogue::Dialogue;
use core_tests::history::history;
use serde_json::Value;

/// Enough histories for many to come together, and for some to be cut where a read ends.
const HISTORIES: u64 = 150;

#[test]
fn histories_that_come_together_are_answered_as_if_they_came_line_by_line() {
    let operations: Vec<Value> = (0..HISTORIES).flat_map(history).collect();
    let lines: Vec<String> = operations.iter().map(Value::to_string).collect();
    let mut one_by_one = Dialogue::with_jobsmith();
    let expected: Vec<Value> = operations.iter().map(|operation| one_by_one.ask(operation)).collect();
    // The second time, sessions find managers that have been through others.
    let mut together = Dialogue::with_jobsmith();
    for _ in 0..2 {
        let answers = together.request_all(&lines);
        for ((line, answer), expected) in lines.iter().zip(&answers).zip(&expected) {
            assert_eq!(serde_json::from_str::<Value>(answer).expect("an answer is JSON"), *expected, "to {line}");
        }
    }
}
