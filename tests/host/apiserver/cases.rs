//! The written sequences: each claim about the API server with the requests that show it, in `cases.txt`.
//!
//! Docs: API Concepts; A-01… …A-124. The language of the lines is in `sides.rs`.

use super::Sequence;

/// All of them. A sequence begins with its title after `# `; empty lines mean nothing.
pub(super) fn all() -> Vec<Sequence> {
    let mut sequences: Vec<Sequence> = Vec::new();
    for line in include_str!("cases.txt").lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(title) => sequences.push(Sequence { title: title.to_owned(), lines: Vec::new() }),
            None => sequences.last_mut().expect("a title comes first").lines.push(line.to_owned()),
        }
    }
    sequences
}
