//! Fuzzing: whatever a text is, all that reads it ends, and does not panic.
//!
//! Docs: `cargo xtask soak`. `JOBSMITH_FUZZ_SECONDS` sets how long, `JOBSMITH_SEED` where the seeds start; each text follows from its seed. What reads texts is
//! in the files beside this one; what is read of them is compared in `../mod.rs`.

mod annotations;
mod manifests;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{panic, thread};

use cluster::rng::Rng;
use core_tests::panics::caught;
use core_tests::summary::{grouped, number, print};

use super::PIECES;

/// What takes longer does not end.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often the progress is printed.
const INTERVAL: Duration = Duration::from_secs(30);

/// Something that reads texts.
struct FuzzTarget<T> {
    /// What it reads.
    name: &'static str,
    /// How many texts are tried unless `JOBSMITH_FUZZ_SECONDS` is set.
    texts: u64,
    /// The text of a seed.
    text: T,
    /// Reads a text. Reporting that a text cannot be read is not a failure.
    exercise: fn(&str),
}

/// A text that makes something panic, in its shortest form.
struct Crash {
    seed: u64,
    message: String,
    text: String,
}

impl<T: Fn(u64) -> String> FuzzTarget<T> {
    /// Tries texts, each once; fails if one crashes or takes too long.
    fn run(&self) {
        let (first, seconds) = (number("JOBSMITH_SEED", 0), number("JOBSMITH_FUZZ_SECONDS", 0));
        let (begin, mut reported) = (Instant::now(), Instant::now());
        let (mut crashes, mut slowest) = (Vec::<Crash>::new(), (Duration::ZERO, first));
        let running = watch();
        if seconds > 0 {
            // At length, nothing else runs in this process, and each crash is printed once, in its shortest form.
            panic::set_hook(Box::new(|_| {}));
        }
        let mut seed = first;
        while if seconds > 0 { begin.elapsed().as_secs() < seconds } else { seed - first < self.texts } {
            let text = (self.text)(seed);
            running.store(seed, Ordering::Relaxed);
            let started = Instant::now();
            if let Err(message) = caught(|| (self.exercise)(&text)) {
                crashes.extend(self.crash(seed, message, text, &crashes));
            }
            slowest = slowest.max((started.elapsed(), seed));
            seed += 1;
            if seconds > 0 && reported.elapsed() >= INTERVAL {
                reported = Instant::now();
                print(&self.summary(seed - first, begin.elapsed(), &crashes, slowest));
            }
        }
        running.store(u64::MAX, Ordering::Relaxed);
        if seconds > 0 {
            drop(panic::take_hook());
        }
        print(&self.summary(seed - first, begin.elapsed(), &crashes, slowest));
        assert!(crashes.is_empty(), "{} texts crash", crashes.len());
        assert!(slowest.0 < PATIENCE, "seed {} took {:?}", slowest.1, slowest.0);
    }

    fn summary(&self, texts: u64, elapsed: Duration, crashes: &[Crash], slowest: (Duration, u64)) -> String {
        let (name, texts, seconds, crashes) = (self.name, grouped(texts), elapsed.as_secs(), crashes.len());
        let slowest = format!("slowest {} ms (seed {})", slowest.0.as_millis(), slowest.1);
        format!("fuzzing {name}: {texts} executions in {seconds} s, {crashes} crashes, {slowest}")
    }

    /// The crash, unless one with its message is known; it is printed at once.
    fn crash(&self, seed: u64, message: String, text: String, known: &[Crash]) -> Option<Crash> {
        let cause =
            |message: &str| message.split(|letter: char| letter.is_ascii_digit() || letter == '"').next().unwrap_or_default().to_owned();
        if known.iter().any(|crash| cause(&crash.message) == cause(&message)) {
            return None;
        }
        let text = shortest(text, |text| caught(|| (self.exercise)(text)).is_err_and(|other| cause(&other) == cause(&message)));
        let crash = Crash { seed, message, text };
        print(&format!("fuzzing {}: CRASH at seed {}: {}\n  {:?}", self.name, crash.seed, crash.message, crash.text));
        Some(crash)
    }
}

/// Ends the process, and prints the seed, if one takes too long: the seed that is tried at the moment is stored in what this returns.
fn watch() -> Arc<AtomicU64> {
    let watched = Arc::new(AtomicU64::new(u64::MAX));
    let shared = Arc::clone(&watched);
    thread::spawn(move || {
        let (mut seed, mut since) = (u64::MAX, Instant::now());
        loop {
            thread::sleep(Duration::from_secs(1));
            let running = shared.load(Ordering::Relaxed);
            if running != seed {
                (seed, since) = (running, Instant::now());
            } else if running != u64::MAX && since.elapsed() > PATIENCE {
                print(&format!("fuzzing: seed {seed} does not end"));
                std::process::abort();
            }
        }
    });
    watched
}

/// The text without all that can be left out so that it still fails.
fn shortest(text: String, fails: impl Fn(&str) -> bool) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let mut step = letters.len() / 2;
    while step > 0 {
        let mut at = 0;
        while at < letters.len() {
            let end = (at + step).min(letters.len());
            let shorter: String = letters[..at].iter().chain(&letters[end..]).collect();
            if fails(&shorter) { letters = shorter.chars().collect() } else { at = end }
        }
        step /= 2;
    }
    letters.into_iter().collect()
}

/// Changes something of a text: by words that it turns on, or by parts of others.
fn change(bytes: &mut Vec<u8>, corpus: &[String], words: &[&str], random: &mut Rng) {
    let at = random.place(bytes.len() + 1);
    let end = (at + random.place(40)).min(bytes.len());
    let into = random.place(bytes.len() + 1);
    match random.place(9) {
        0 => drop(bytes.drain(at..end)),
        1 => drop(bytes.splice(at..at, random.pick(PIECES).bytes())),
        2 => drop(bytes.splice(at..at, random.pick(words).bytes())),
        3 => drop(bytes.splice(at..end, random.pick(words).bytes())),
        4 => {
            let copy = bytes[at..end].to_vec();
            drop(bytes.splice(into..into, copy));
        }
        5 => {
            let other = random.pick(corpus).as_bytes();
            let from = random.place(other.len());
            let part = other[from..(from + random.place(300)).min(other.len())].to_vec();
            drop(bytes.splice(at..at, part));
        }
        6 if at < bytes.len() => bytes[at] = u8::try_from(random.below(256)).expect("it is below 256"),
        7 => {
            let line = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end + 1);
            let spaces = vec![b' '; random.place(5)];
            drop(bytes.splice(line..line, spaces));
        }
        _ => bytes.truncate(at.max(bytes.len() / 2)),
    }
}
