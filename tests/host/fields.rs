//! The table of fields: `crates/schema/fields.txt` has the fields of Kubernetes' own types, with what these say of each.
//!
//! Docs: Kubernetes API reference, "CronJob", "Job" and "Pod". `cargo xtask schema` writes the file.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use core_tests::{built, files};

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn fields_are_those_of_kubernetes_own_types() {
    let table = fs::read_to_string(files::root().join("crates/schema/fields.txt")).expect("the crate has its table");
    let output = Command::new(built::upstream("schema").join("schema")).output().expect("`cargo xtask test --all` builds it");
    let upstream = String::from_utf8(output.stdout).expect("fields are text");
    if built::kubernetes() == "1.37" {
        let known: Vec<&str> = table.lines().map(|line| line.split_once(" since ").map_or(line, |(line, _)| line)).collect();
        assert!(upstream.lines().eq(known), "the table is not up to date: run `cargo xtask schema`");
        return;
    }
    let name = |line: &'_ str| line.split(' ').next().unwrap_or_default().to_owned();
    let upstream: BTreeSet<String> = upstream.lines().map(name).collect();
    let (newer, older): (Vec<&str>, Vec<&str>) = table.lines().partition(|line| line.contains(" since "));
    assert!(newer.len() > 20 && older.len() > 500, "{} and {}", newer.len(), older.len());
    let missing: Vec<_> = older.iter().filter(|line| !upstream.contains(&name(line))).collect();
    let known: Vec<_> = newer.iter().filter(|line| upstream.contains(&name(line))).collect();
    assert!(missing.is_empty() && known.is_empty(), "not in v1.36: {missing:?}; in it already: {known:?}");
}
