//! Scenarios: each claim of `tests/scenarios`, and of the pages of rules, is played on the controllers in this process, and must be seen as it is written.
//!
//! Docs: `tests/scenarios/README.md`. `UPDATE_EXPECT=1` writes what is seen into the files. That the claims show every kind of decision is
//! checked in `decisions.rs`.

use std::fmt::Write as _;
use std::fs;

use api::{Duration, Text, Timestamp};
use contract::{ApiResource, Event, Explanation, Malformed, Manager, ObjectRef, Plan, Wakeup};
use core_tests::files::root;
use core_tests::native::Native;
use core_tests::panics::caught;
use core_tests::scenarios::{BOUNDS, File, files, pages};
use core_tests::summary::print;
use play::claim::{Difference, Played};
use play::scenario::{Scenario, read, rewrite};
use play::written::scenario_file;

/// How many lines of a difference are shown.
const MOST_LINES: usize = 100;

#[test]
fn every_claim_is_seen_as_it_is_written() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut pages = pages();
    // What is not played there is compared with what the rule finds: in `advice.rs`.
    pages.iter_mut().for_each(|page| page.scenarios.retain(|scenario| scenario.trace.is_some() || scenario.status.is_some()));
    let (files, mut claims, mut complaints) = ([files(), pages].concat(), 0, Vec::new());
    for file in &files {
        claims += file.scenarios.len();
        let mut texts = Vec::new();
        for scenario in &file.scenarios {
            match played(file, scenario, Native::default()) {
                Ok(played) => {
                    let differences = played.differences(scenario, true);
                    if update {
                        texts.extend(differences.into_iter().map(|differs| (differs.block.place.clone(), differs.rewritten)));
                    } else {
                        complaints.extend(differences.iter().map(|differs| message(file, scenario, &shown(differs))));
                    }
                    complaints.extend(unmet(&played, scenario).iter().map(|unmet| message(file, scenario, unmet)));
                }
                Err(reason) => complaints.push(message(file, scenario, &reason)),
            }
        }
        if !texts.is_empty() {
            fs::write(root().join(&file.path), rewrite(&file.source, texts)).expect("a scenario file can be written");
        }
    }
    assert!(claims > 0, "there are no scenarios");
    assert!(complaints.is_empty(), "{}\n(UPDATE_EXPECT=1 rewrites what is expected)", complaints.join("\n"));
    print(&format!("scenarios: {claims} in {} files, all as written", files.len()));
}

/// What is seen of a claim that expects something.
///
/// # Errors
/// Why nothing can be compared.
fn played(file: &File, scenario: &Scenario, manager: impl Manager) -> Result<Played, String> {
    if scenario.expects_nothing() {
        return Err("expects nothing: add an empty ```trace and an empty ```status, and set UPDATE_EXPECT=1".to_owned());
    }
    caught(|| file.play(scenario, manager)).map_err(|panic| format!("the play ends with a panic: {panic}"))
}

/// The assertions that are not met, and what did not go as the script has it.
fn unmet(played: &Played, scenario: &Scenario) -> Vec<String> {
    let unmet = played.unmet.iter().map(|unmet| format!("line {}: {}, but {}", unmet.place.0, unmet.expected, unmet.seen));
    unmet.chain(played.mishaps(scenario, true)).collect()
}

fn message(file: &File, scenario: &Scenario, what: &str) -> String {
    format!("{}:{}: {:?}: {what}", file.path, scenario.line, scenario.claim)
}

fn shown(Difference { kind, expected, seen, .. }: &Difference<'_>) -> String {
    format!("the {kind} is another one\n{}", difference(expected, seen))
}

/// The lines that differ, after those at the beginning and before those at the end that are alike.
fn difference(expected: &str, seen: &str) -> String {
    let (mut expected, mut seen): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), seen.lines().collect());
    let alike = expected.iter().zip(&seen).take_while(|(expected, seen)| expected == seen).count();
    let (mut expected, mut seen) = (expected.split_off(alike), seen.split_off(alike));
    while expected.last().is_some_and(|line| seen.last() == Some(line)) {
        expected.pop();
        seen.pop();
    }
    let mut lines = if alike > 0 { format!("      {alike} lines alike\n") } else { String::new() };
    for (sign, differing) in [('-', expected), ('+', seen)] {
        for line in differing.iter().take(MOST_LINES) {
            writeln!(lines, "    {sign} {line}").expect("a string takes all");
        }
        if let Some(more) = differing.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
            writeln!(lines, "    {sign} {more} more lines").expect("a string takes all");
        }
    }
    lines
}

/// A CronJob that nothing ends.
const CRON_JOB: &str = "
apiVersion: batch/v1
kind: CronJob
metadata: {name: hello}
spec:
  schedule: '* * * * *'
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
";

#[test]
fn what_the_page_exports_is_seen_as_it_is_written() {
    let check = |claim: &str, manifest: &str, script: &str| {
        let source = scenario_file(claim, manifest, script, Duration::from_mins(5), Native::default(), BOUNDS).expect("it can be played");
        let file = File { path: "export.md".to_owned(), scenarios: read(&source).expect("it is a scenario file"), source };
        let played = played(&file, &file.scenarios[0], Native::default()).expect("it is compared");
        let complaints: Vec<String> = played.differences(&file.scenarios[0], true).iter().map(shown).collect();
        assert_eq!([complaints, unmet(&played, &file.scenarios[0])].concat(), Vec::<String>::new(), "{claim}");
        file.scenarios.into_iter().next().expect("it has a claim")
    };
    for file in &files() {
        for scenario in &file.scenarios {
            let script = scenario.script.as_ref().map_or("", |block| &block.text);
            let exported = check(&scenario.claim, scenario.own_manifest(), script);
            let texts =
                |scenario: &Scenario| [&scenario.trace, &scenario.status].map(|block| block.as_ref().map(|block| block.text.clone()));
            let same = texts(scenario).into_iter().zip(texts(&exported)).all(|(there, seen)| there.is_none() || there == seen);
            assert!(same, "{}: {}", file.path, scenario.claim);
        }
    }
    let faults = "pods: exit 1 after 5s\nat 70s: cut watch for 5s\nat 2m: refuse next write with conflict\n";
    for script in ["", faults] {
        let exported = check("A CronJob", CRON_JOB, script);
        let script = exported.script.map(|block| block.text).unwrap_or_default();
        assert!(script.ends_with("at 5m: end\n"), "{script}");
        assert!(exported.trace.is_some_and(|trace| trace.text.contains("5:00")));
    }
}

#[test]
fn what_differs_is_shown_line_by_line() {
    assert_eq!(difference("one\ntwo\nthree\n", "one\n2\n2½\nthree\n"), "      1 lines alike\n    - two\n    + 2\n    + 2½\n");
}

#[test]
fn a_panic_names_file_and_claim_and_the_others_are_still_played() {
    let source = "# Jobs\n\n## It runs\n\n```yaml\napiVersion: batch/v1\nkind: Job\nmetadata: {name: pi}\nspec:\n  template:\n    spec: \
                  {restartPolicy: Never, containers: [{name: main, image: none}]}\n```\n\n```status\n```\n";
    let file = File { path: "a.md".to_owned(), source: source.to_owned(), scenarios: read(source).expect("it is a scenario file") };
    let scenario = &file.scenarios[0];
    let complaint = played(&file, scenario, Broken).map_err(|reason| message(&file, scenario, &reason)).err();
    assert_eq!(complaint.as_deref(), Some("a.md:3: \"It runs\": the play ends with a panic: there is no such Job"));
    assert_eq!(played(&file, scenario, Native::default()).map(|played| played.differences(scenario, true).len()), Ok(1));
}

/// A manager with a bug.
struct Broken;

impl Manager for Broken {
    fn resources(&mut self) -> Vec<ApiResource> {
        Vec::new()
    }

    fn handle(&mut self, _event: Event, _now: Timestamp) -> Result<(), Malformed> {
        Ok(())
    }

    fn next_plan(&mut self, _now: Timestamp) -> Option<Plan> {
        panic!("there is no such Job")
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        None
    }

    fn explain(&mut self, _object: &ObjectRef, _warnings: &[Text], _now: Timestamp) -> Result<Explanation, String> {
        Err("nothing is known".to_owned())
    }

    fn restart(&mut self) {}
}
