//! The past from the objects: plays drawn from seeds are recorded at some time, and what is told of them is compared with what happened.
//!
//! Docs: the crate `past`. `JOBSMITH_PASTS` sets how many seeds, `JOBSMITH_SEED` where they start.

use std::collections::BTreeMap;

use api::{Duration, Kind, Text, Timestamp, time};
use cluster::ApiServer;
use cluster::rng::Rng;
use core_tests::native::Native;
use core_tests::summary::{number, print};
use past::{JobRecord, Past};
use play::step::Step;
use play::trace::{Entry, Transcript};
use play::{Bounds, Play};
use simulation::{RandomPlay, random_play};

/// How many plays are recorded, unless `JOBSMITH_PASTS` is set.
const PLAYS: u64 = 60;

#[test]
fn pasts_are_as_the_plays_were() {
    let (first, plays) = (number("JOBSMITH_SEED", 0), number("JOBSMITH_PASTS", PLAYS));
    let mut failures = BTreeMap::new();
    let mut told = 0;
    for seed in first..first + plays {
        let RandomPlay { edited, .. } = random_play(seed);
        match check(seed) {
            None => {}
            Some(Ok(())) => told += 1,
            Some(Err(failure)) => _ = failures.insert((edited, seed), failure),
        }
    }
    print(&format!("pasts: {plays} plays, {told} told, {} differ", failures.len()));
    for ((edited, seed), failure) in failures.iter().take(5) {
        println!("seed {seed} edited {edited}\n{failure}\n");
    }
    println!("{:?}", failures.keys().collect::<Vec<_>>());
    assert!(failures.is_empty());
}

fn lines(steps: &[Step], transcript: &mut Transcript) -> Vec<String> {
    let entries = steps.iter().flat_map(|step| &step.entries);
    let line = |entry: &Entry| Some(format!("{}{}", transcript.line(entry, false)?, if entry.estimated { " ~" } else { "" }));
    entries.filter_map(line).collect()
}

fn check(seed: u64) -> Option<Result<(), String>> {
    let RandomPlay { job, script, .. } = random_play(seed);
    let start = play::start();
    let mut play = Play::new(Native::default(), &script, &[job.clone()], start).expect("it can be played");
    play.bounds = Bounds { pods: 200, steps: 20_000 };
    let length = Duration::from_millis(i64::try_from(Rng::new(seed ^ 0xdead).below(if seed % 3 == 0 { 20_000_000 } else { 120_000 })).unwrap());
    let end = time::after(start, length);
    let (mut transcript, mut happened) = (Transcript::new(start), Vec::new());
    while let Some(steps) = play.next_moment(end) {
        happened.extend(lines(&steps, &mut transcript));
    }
    let objects = objects(play.server());
    let record = JobRecord::all(&objects).pop()?;
    let mut past = Past::new(Native::default(), record).expect("it can be read");
    let (mut transcript, mut again) = (Transcript::new(start), Vec::new());
    while let Some(steps) = past.next_moment() {
        again.extend(lines(&steps, &mut transcript));
    }
    if past.differences() == 0 {
        return Some(Ok(()));
    }
    let at = |at: Timestamp| time::text(at);
    Some(Err(format!("{job}\n{script}recorded at {}\n{}\n--- past\n{}", at(end), happened.join("\n"), again.join("\n"))))
}

/// The Job and the pods of a server, as JSON.
fn objects(server: &ApiServer) -> Vec<Text> {
    [Kind::Job, Kind::Pod].into_iter().flat_map(|kind| server.objects(kind)).map(|stored| stored.json()).collect()
}
