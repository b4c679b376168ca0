//! What a comparison does when the oracle dies: it repeats the history, once.
//!
//! Docs: `tests/upstream/README.md`. A script stands in for the oracle of `tests/core/src/oracle.rs`.

use core_tests::oracle::Oracle;
use serde_json::Value;

use crate::program::Folder;

/// Answers each line with its number, counted from the start of the process, but ends at the line `"die"` as long as the file `deaths` has lines.
const STAND_IN: &str = r#"#!/bin/sh
cd "$(dirname "$0")"
number=0
while read -r line; do
    number=$((number + 1))
    if [ "$line" = '"die"' ] && [ -s deaths ]; then
        sed -i 1d deaths
        printf 'half an ans'
        exit 3
    fi
    echo "$number"
done
"#;

fn oracle(folder: &Folder, deaths: usize) -> Oracle {
    folder.write("deaths", "death\n".repeat(deaths));
    Oracle::of(folder.write_script("oracle", STAND_IN))
}

fn questions(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| Value::from(*line).to_string()).collect()
}

#[test]
fn a_history_is_repeated_whole_when_the_oracle_dies_of_it() {
    let folder = Folder::new();
    let mut oracle = oracle(&folder, 1);
    assert_eq!(oracle.request_all(&questions(&["a", "b"])), ["1", "2"]);
    assert_eq!(oracle.request_all(&questions(&["c", "die", "d"])), ["1", "2", "3"], "by a process that has just started");
    assert_eq!(oracle.request(&"e".into()), 4);
}

#[test]
#[should_panic(expected = "the oracle died twice of one history, and ended with exit status: 3 instead of answering \"die\"")]
fn an_oracle_that_dies_twice_of_one_history_fails_the_comparison() {
    let folder = Folder::new();
    oracle(&folder, 2).request_all(&questions(&["c", "die", "d"]));
}
