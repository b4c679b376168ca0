//! The API server in memory answers as a real one does: the same requests to both, one after the other, and the same answers.
//!
//! Docs: API Concepts; Garbage Collection; Finalizers (A-01… ). Requests that need thought are in `cases.rs`, those that chance makes up
//! in `chance.rs`. What is compared of an answer is in `answer.rs`; the two servers are in `sides.rs`.
//!
//! Compared are the status code, the warnings, and the reason of a refusal with its causes (each once) or its message, and the resulting object without what cannot be the same:
//! UIDs, versions, times and generated names are compared by when they change, `managedFields` not at all. Of a pod's spec only what the
//! server in memory keeps is compared: it fills in no defaults there. The real server has no garbage collector beside it, so `collector.rs`
//! plays one after each request, straight from the page.

mod answer;
mod cases;
mod chance;
mod collector;
mod sides;

use crate::cluster::{Cluster, PlainClient};
use core_tests::summary::{grouped, print};
use sides::{Real, Side as _, Simulated};

/// How many sequences chance makes up.
const SEQUENCES: u64 = 60;

/// Requests about one namespace, in the language of `sides.rs`.
struct Sequence {
    title: String,
    lines: Vec<String>,
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn the_api_server_answers_as_a_real_one() {
    let cluster = Cluster::start(&["-nodes", "0"]);
    let client = PlainClient::new(&cluster);
    let (mut requests, mut refused, mut differences) = (0, 0, Vec::new());
    let written = cases::all();
    let sequences = written.into_iter().chain((0..SEQUENCES).map(chance::sequence));
    for (number, sequence) in sequences.enumerate() {
        let namespace = format!("compared-{number}");
        let mut real = Real::new(&client, &namespace);
        let mut simulated = Simulated::new(&namespace);
        for (at, line) in sequence.lines.iter().enumerate() {
            let (theirs, ours) = (real.answer(line), simulated.answer(line));
            requests += 1;
            refused += u64::from(theirs.refused());
            if theirs != ours {
                let before = sequence.lines[..at].join("\n  ");
                differences.push(format!("{}\n  {before}\n> {line}\nreal: {theirs}\nours: {ours}", sequence.title));
            }
            if theirs.refused() != ours.refused() {
                break;
            }
        }
    }
    assert!(differences.is_empty(), "{} answers differ\n\n{}", differences.len(), differences.join("\n\n"));
    assert!(requests >= 500, "only {requests} requests were compared");
    print(&format!("API server: {} requests compared with a real one, {} of them refused", grouped(requests), grouped(refused)));
}
