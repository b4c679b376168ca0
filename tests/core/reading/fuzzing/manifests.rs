//! Fuzzing of manifests: they are read, checked, corrected, stored and shown, and it is predicted what they do.
//!
//! Docs: `cargo xtask soak`. How texts are tried is in `mod.rs`.

use api::Timestamp;
use check::{CheckDepth, Findings};
use cluster::Dependence;
use cluster::apiserver::{Answer, ApiServer};
use cluster::naming::Names;
use cluster::rng::Rng;
use core_tests::files::files;
use manifest::{Diagnostic, Repairs, Severity};
use prediction::Prediction;
use schedule::Zone;

use super::super::{TRICKY, tricky};
use super::{FuzzTarget, change};

/// Longer texts are cut off.
const LONGEST: usize = 6000;

/// What fields and values of manifests turn on, beside what YAML does.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "apiVersion: batch/v1\n", "kind: Job\n", "kind: CronJob\n", "kind: List\nitems:\n- ", "kind: JobList\n", "metadata: ", "spec:\n  ", "template: ", "$patch: delete\n",
    "schedule: ", "@every 1h", "*/5 * * * *", "timeZone: ", "containers:\n- ", "image: ", "1,5Gi", "512MB", "100 m", "99999999999999999999", "-1", "2147483648", "1e400",
    "---\n", "--- x\n", "```\n", "{{ .Values.x }}", "$ kubectl get jobs\n", "Name:  x\n", "// c\n", "/*", "# jobsmith: ignore[latest] x\n", "“x”", "\u{a0}", "\u{feff}",
    "<<: *x\n", "&x ", "\"", "2026-01-02T03:04:05Z", "NAME  READY\n", "1 | ", "\0", "\u{1f600}",
];

#[test]
fn no_text_makes_what_reads_manifests_panic_or_hang() {
    let corpus = corpus();
    FuzzTarget { name: "manifests", texts: 3000, text: |seed| text(&corpus, seed), exercise }.run();
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
        change(&mut bytes, corpus, WORDS, random);
    }
    bytes.truncate(LONGEST);
    String::from_utf8_lossy(&bytes).into_owned()
}
