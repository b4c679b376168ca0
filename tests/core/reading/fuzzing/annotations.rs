//! Fuzzing of annotations: each value is read as each annotation; what is wrong with it is at a place of it, and what is right keeps to its bounds.
//!
//! Docs: README, "Beyond Kubernetes"; `cargo xtask soak`. How texts are tried is in `mod.rs`. The values that they are made of are tested one by one in
//! `crates/api/src/annotation/vectors.rs`.

use api::annotation::{
    AnnotationProblem, FailureRule, FailureRules, KNOWN, PendingRule, PendingRules, RetryDelay, RetryJitter, Windows, WrongAnnotationValue,
    retry_after,
};
use api::{CronJobSpec, Duration, Kind, Timestamp};
use cluster::rng::Rng;
use core_tests::files::files;

use super::{FuzzTarget, change};

/// Longer values are cut off; rules may have 8192 bytes.
const LONGEST: usize = 9000;
/// The longest delay before a retry.
const DAY: Duration = Duration::from_hours(24);

/// What values of annotations turn on.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "exit ", "reason ", "condition ", "message ", "container ", "index ", "attempt ", " or later", "any", " at most 3 times", ": ", "retry", " uncounted", " after 5m",
    " after the message says", "fail the index", "fail the Job", "hold", "replace", "fail", ", memory x2", ", cpu +500m", " up to 16Gi", ", another node", ", on pool=spot",
    "image ", "config ", "unschedulable ", "starting ", "OOMKilled|Evicted", "0-255", "4294967296", "10m", "1h30m", "0.5s", "9999999999h", "x1.5", "×2", "20%", "10/1m",
    "2026-12-24..2027-01-01", "Mon-Fri", "22:00-06:00", "24:00", "Sat, Sun", "2026-12-01T08:00:00Z", "retry-after", "\"", "\"a, b: c\"", "*", ",", "|", "=", "/", "\n", "\r\n",
    "# x\n", "\u{85}", "\u{2028}", "é", "\u{1f600}", "\0",
];

#[test]
fn no_value_makes_what_reads_annotations_panic_or_hang() {
    let corpus = corpus();
    FuzzTarget { name: "annotations", texts: 10_000, text: |seed| text(&corpus, seed), exercise }.run();
}

/// What values are made of: all that are tested one by one.
fn corpus() -> Vec<String> {
    let vectors = files(&["txt"]).into_iter().filter(|file| file.path.starts_with("crates/api/src/annotation/vectors/"));
    let values = vectors.flat_map(|file| {
        let written = file.text.lines().filter(|line| line.starts_with('"'));
        written.map(|value| serde_json::from_str(value).expect("values are written as JSON writes texts")).collect::<Vec<String>>()
    });
    values.chain(KNOWN.iter().map(|known| known.example.trim_matches('"').to_owned())).filter(|value| !value.is_empty()).collect()
}

/// The value of a seed: a few with changes, a line each.
fn text(corpus: &[String], seed: u64) -> String {
    let random = &mut Rng::new(seed);
    let lines: Vec<&str> = (0..=random.place(3)).map(|_| &**random.pick(corpus)).collect();
    let mut bytes = lines.join("\n").into_bytes();
    for _ in 0..random.place(5) {
        change(&mut bytes, corpus, WORDS, random);
    }
    bytes.truncate(LONGEST);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads a value as each annotation, and uses what is read.
fn exercise(value: &str) {
    for known in &KNOWN {
        let on = *known.kinds.first().unwrap_or(&Kind::Job);
        let problems = known.problems(value, on, &CronJobSpec::default());
        assert_eq!(problems.is_empty(), known.check(value, on, &CronJobSpec::default()).is_ok(), "a value is wrong or it is not");
        for invalid in problems {
            if let WrongAnnotationValue::Problem(problem) = invalid.wrong {
                is_within(&problem, value);
            }
        }
    }
    let FailureRules(rules) = FailureRules::read(value).unwrap_or_default();
    for rule in rules {
        let FailureRules(mut alone) = FailureRules::read(line(value, rule.line)).expect("it could be read");
        // Of several with the same matchers, the later ones have other identities.
        alone.iter_mut().for_each(|alone| alone.identity = rule.identity);
        assert_eq!(alone, [FailureRule { line: 1, ..rule }], "a rule follows from its line");
    }
    let PendingRules(rules) = PendingRules::read(value).unwrap_or_default();
    for rule in rules {
        let alone = PendingRules::read(line(value, rule.line));
        assert_eq!(alone, Ok(PendingRules(vec![PendingRule { line: 1, ..rule }])), "a rule follows from its line");
    }
    lengths_have_bounds(value);
}

/// A line of a value, from 1.
fn line(value: &str, number: usize) -> &str {
    value.lines().nth(number - 1).unwrap_or_default()
}

/// What is wrong is at a place of the value, or right behind a line of it.
fn is_within(problem: &AnnotationProblem, value: &str) {
    let (lines, letters) = (value.lines().count().max(1), |number| line(value, number).chars().count());
    assert!((1..=lines).contains(&problem.line), "the line is one of the value's: {problem}");
    let end = problem.column - 1 + problem.length(value);
    assert!(end <= letters(problem.line), "the columns are the line's: {problem}");
}

/// What is read of a value keeps to its bounds.
fn lengths_have_bounds(value: &str) {
    let bounded = |delay: &Duration| (Duration::from_secs(1)..=DAY).contains(delay);
    if let Ok(delay) = RetryDelay::read(value) {
        let delays = [1, 2, 20, u32::MAX].map(|failures| delay.after(failures));
        assert!(delays.iter().all(bounded), "delays are from 1s to 24h: {delays:?}");
    }
    if let Ok(jitter) = RetryJitter::read(value) {
        assert!((Duration::ZERO..=DAY).contains(&jitter.of(DAY, value)), "a delay is at most twice as long");
    }
    if let Ok(windows) = Windows::read(value) {
        let now: Timestamp = "2026-12-24T23:00:00Z".parse().expect("it is a time");
        let end = windows.end(now);
        assert!(end.is_some() == windows.cover(now), "windows that cover a time end");
        assert!(end.is_none_or(|end| end > now && !windows.cover(end)), "windows end where none goes on");
    }
    assert!(retry_after(value).iter().all(bounded), "a message asks for 1s to 24h");
}
