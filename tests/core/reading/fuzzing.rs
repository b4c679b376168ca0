//! Fuzzing: whatever a text is, all that reads manifests ends, and does not panic.
//!
//! Docs: `cargo xtask soak`. `JOBSMITH_FUZZ_SECONDS` sets how long, `JOBSMITH_SEED` where the seeds start; each text follows from its seed. What is read of
//! texts is compared in `mod.rs`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{panic, thread};

use api::Timestamp;
use check::{CheckDepth, Findings};
use cluster::Dependence;
use cluster::apiserver::{Answer, ApiServer};
use cluster::naming::Names;
use cluster::rng::Rng;
use core_tests::files::files;
use core_tests::panics::caught;
use core_tests::summary::{grouped, number, print};
use manifest::{Diagnostic, Repairs, Severity};
use prediction::Prediction;
use schedule::Zone;

use super::{PIECES, TRICKY, tricky};

/// How many texts are tried unless `JOBSMITH_FUZZ_SECONDS` is set.
const TEXTS: u64 = 3000;
/// Longer texts are cut off.
const LONGEST: usize = 6000;
/// What takes longer does not end.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often the progress is printed.
const INTERVAL: Duration = Duration::from_secs(30);

/// What fields and values of manifests turn on, beside what YAML does.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "apiVersion: batch/v1\n", "kind: Job\n", "kind: CronJob\n", "kind: List\nitems:\n- ", "kind: JobList\n", "metadata: ", "spec:\n  ", "template: ", "$patch: delete\n",
    "schedule: ", "@every 1h", "*/5 * * * *", "timeZone: ", "containers:\n- ", "image: ", "1,5Gi", "512MB", "100 m", "99999999999999999999", "-1", "2147483648", "1e400",
    "---\n", "--- x\n", "```\n", "{{ .Values.x }}", "$ kubectl get jobs\n", "Name:  x\n", "// c\n", "/*", "# jobsmith: ignore[latest] x\n", "“x”", "\u{a0}", "\u{feff}",
    "<<: *x\n", "&x ", "\"", "2026-01-02T03:04:05Z", "NAME  READY\n", "1 | ", "\0", "\u{1f600}",
];

/// A text that makes something panic, in its shortest form.
struct Crash {
    seed: u64,
    message: String,
    text: String,
}

#[test]
fn no_text_makes_what_reads_manifests_panic_or_hang() {
    let (first, seconds) = (number("JOBSMITH_SEED", 0), number("JOBSMITH_FUZZ_SECONDS", 0));
    let corpus = corpus();
    let (begin, mut reported) = (Instant::now(), Instant::now());
    let (mut crashes, mut slowest) = (Vec::<Crash>::new(), (Duration::ZERO, first));
    watch();
    if seconds > 0 {
        // At length, nothing else runs in this process, and each crash is printed once, in its shortest form.
        panic::set_hook(Box::new(|_| {}));
    }
    let mut seed = first;
    while if seconds > 0 { begin.elapsed().as_secs() < seconds } else { seed - first < TEXTS } {
        let text = text(&corpus, seed);
        RUNNING.store(seed, Ordering::Relaxed);
        let started = Instant::now();
        if let Err(message) = caught(|| exercise(&text)) {
            crashes.extend(crash(seed, message, text, &crashes));
        }
        slowest = slowest.max((started.elapsed(), seed));
        seed += 1;
        if seconds > 0 && reported.elapsed() >= INTERVAL {
            reported = Instant::now();
            print(&summary(seed - first, begin.elapsed(), &crashes, slowest));
        }
    }
    RUNNING.store(u64::MAX, Ordering::Relaxed);
    if seconds > 0 {
        drop(panic::take_hook());
    }
    print(&summary(seed - first, begin.elapsed(), &crashes, slowest));
    assert!(crashes.is_empty(), "{} texts crash", crashes.len());
    assert!(slowest.0 < PATIENCE, "seed {} took {:?}", slowest.1, slowest.0);
}

fn summary(texts: u64, elapsed: Duration, crashes: &[Crash], slowest: (Duration, u64)) -> String {
    let (texts, seconds, crashes) = (grouped(texts), elapsed.as_secs(), crashes.len());
    format!("fuzzing: {texts} executions in {seconds} s, {crashes} crashes, slowest {} ms (seed {})", slowest.0.as_millis(), slowest.1)
}

/// The seed that is tried at the moment.
static RUNNING: AtomicU64 = AtomicU64::new(u64::MAX);

/// Ends the process, and prints the seed, if one takes too long.
fn watch() {
    thread::spawn(|| {
        let (mut seed, mut since) = (u64::MAX, Instant::now());
        loop {
            thread::sleep(Duration::from_secs(1));
            let running = RUNNING.load(Ordering::Relaxed);
            if running != seed {
                (seed, since) = (running, Instant::now());
            } else if running != u64::MAX && since.elapsed() > PATIENCE {
                print(&format!("fuzzing: seed {seed} does not end"));
                std::process::abort();
            }
        }
    });
}

/// The crash, unless one with its message is known; it is printed at once.
fn crash(seed: u64, message: String, text: String, known: &[Crash]) -> Option<Crash> {
    let cause =
        |message: &str| message.split(|letter: char| letter.is_ascii_digit() || letter == '"').next().unwrap_or_default().to_owned();
    if known.iter().any(|crash| cause(&crash.message) == cause(&message)) {
        return None;
    }
    let text = shortest(text, |text| caught(|| exercise(text)).is_err_and(|other| cause(&other) == cause(&message)));
    let crash = Crash { seed, message, text };
    print(&format!("fuzzing: CRASH at seed {}: {}\n  {:?}", crash.seed, crash.message, crash.text));
    Some(crash)
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

/// All that is done with a manifest before it is played.
fn exercise(text: &str) {
    let now = "2026-11-28T15:00:00Z".parse().expect("it is a time");
    let mut findings = check::check(text, CheckDepth::Advice, now);
    store(&findings, now);
    findings.hold_against_1_36();
    let old = std::mem::take(&mut findings.objects);
    findings.objects = manifest::objects(text).unwrap_or_default().into();
    findings.compare(&old, now);
    shown(&findings.diagnostics, text);
    let repairs = Repairs::of(text);
    for repair in findings.diagnostics.iter().filter_map(|found| repairs.repair(found)) {
        let changed = repair.apply(text).expect("a repair fits its text");
        let _ = manifest::contents(&manifest::FileReading::of(&changed));
    }
    for refused in [manifest::jobs(text).err(), manifest::workloads(text).err(), manifest::workloads_among_others(text).err()] {
        shown(&refused.unwrap_or_default(), text);
    }
    let objects = manifest::objects(text).unwrap_or_default();
    let all: Vec<&manifest::ManifestObject> = objects.iter().collect();
    let others = manifest::pods_of_others(&all);
    let _ = manifest::passed_over(&manifest::FileReading::of(text), &others.iter().flatten().collect::<Vec<_>>());
    for document in manifest::read(text).unwrap_or_default() {
        let _ = manifest::read(&manifest::write(document.value()));
    }
    let lines = text.lines().count();
    for line in [1, lines / 2, lines, lines + 2] {
        let length = text.lines().nth(line.saturating_sub(1)).map_or(0, |line| line.chars().count());
        let _ = manifest::completions(text, line, length / 2 + 1);
    }
}

/// What is done with objects in which nothing is wrong: they are stored, and it is predicted what they do.
fn store(findings: &Findings, now: Timestamp) {
    let mut server = ApiServer::new(Names::random(0), Dependence::OnOwners);
    for request in findings.objects.iter().filter_map(check::creation).filter(|_| findings.count(Severity::Error) == 0) {
        let Ok(Answer::Object(created)) = server.execute(&request, now) else { panic!("an object is refused in which nothing is wrong") };
        let _ = manifest::write(&serde_json::from_str(&created.json()).expect("an object is stored as JSON"));
    }
    for prediction in findings.stored.iter().filter_map(|stored| Prediction::of(stored, &Zone::utc(), now)) {
        let _ = prediction.lines(None, now);
    }
}

fn shown(found: &[Diagnostic], text: &str) {
    assert!(found.is_empty() || !manifest::render(found, "x.yaml", text, true).is_empty());
    let _ = manifest::render_with_rules(found, "x.yaml", text, false);
}

/// What texts are made of: all manifests here.
fn corpus() -> Vec<String> {
    let files = files(&["yaml", "yml", "json"]).into_iter().filter(|file| file.text.contains("Job")).map(|file| file.text);
    let scenarios = files_in_markdown();
    files.chain(scenarios).chain(TRICKY.iter().map(|text| (*text).to_owned())).filter(|text| !text.is_empty()).collect()
}

/// The manifests in Markdown.
fn files_in_markdown() -> Vec<String> {
    let blocks = |text: &str| {
        text.split("```yaml").skip(1).filter_map(|block| Some(block.split_once("```")?.0.trim_start().to_owned())).collect::<Vec<_>>()
    };
    files(&["md"]).iter().flat_map(|file| blocks(&file.text)).collect()
}

/// The text of a seed.
fn text(corpus: &[String], seed: u64) -> String {
    let random = &mut Rng::new(seed);
    if random.one_in(100) {
        let bytes: Vec<u8> = (0..random.place(200)).map(|_| random.draw().to_le_bytes()[0]).collect();
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let mut bytes = if random.one_in(4) { tricky::file(seed).text } else { random.pick(corpus).clone() }.into_bytes();
    for _ in 0..random.place(8) {
        change(&mut bytes, corpus, random);
    }
    bytes.truncate(LONGEST);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Changes something.
fn change(bytes: &mut Vec<u8>, corpus: &[String], random: &mut Rng) {
    let at = random.place(bytes.len() + 1);
    let end = (at + random.place(40)).min(bytes.len());
    let into = random.place(bytes.len() + 1);
    match random.place(9) {
        0 => drop(bytes.drain(at..end)),
        1 => drop(bytes.splice(at..at, random.pick(PIECES).bytes())),
        2 => drop(bytes.splice(at..at, random.pick(WORDS).bytes())),
        3 => drop(bytes.splice(at..end, random.pick(WORDS).bytes())),
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
