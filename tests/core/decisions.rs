//! Decisions: every kind of decision that the controllers can take occurs in some scenario.
//!
//! Docs: `controllers::decision_kinds`. The scenarios themselves are played and compared in `scenarios.rs`.

use std::collections::BTreeSet;

use api::Text;
use contract::decision::Role;
use controllers::{Config, Detail, decision_kinds};
use core_tests::native::Native;
use core_tests::scenarios::{File, files};
use core_tests::summary::print;
use play::scenario::Scenario;
use play::trace::{Entry, What};

/// Decided only beside the built-in controller, in whose place scenarios are played: `events/delegation.rs` shows these.
const BESIDE: [&str; 3] = ["CronJobManagedByOther", "NotSuspendedForBuiltIn", "SuspendedByAnnotation"];
/// Answered only by `explain`: while a sync is under way, which `events/explain.rs` shows, and about past runs, which
/// `controllers/src/cronjob/last_runs.rs` shows.
const EXPLAINED: [&str; 12] = [
    "WaitsForRequests",
    "HasJob",
    "JobIsGone",
    "LeftNoRecord",
    "WasSkipped",
    "WasLimited",
    "WasHeldUp",
    "WasSuspended",
    "WasPaused",
    "WasTooLate",
    "WasMissed",
    "IsDue",
];

#[test]
fn every_kind_of_decision_occurs_in_some_scenario() {
    let mut seen = BTreeSet::<Text>::new();
    for file in files() {
        for scenario in &file.scenarios {
            let codes = file.play(scenario, Native::default()).entries.into_iter().filter_map(|entry| match entry.what {
                What::Decision { decision, .. } => Some(decision.kind.code.clone()),
                What::CronJob { .. } | What::Job { .. } | What::Starts(_) | What::Pod(_) | What::Container(_) => None,
                What::Action { .. }
                | What::Sync { .. }
                | What::Request { .. }
                | What::Event(_)
                | What::Difference { .. }
                | What::Complaint { .. } => None,
            });
            seen.extend(codes);
        }
    }
    let kinds = decision_kinds();
    let shown = |code: &&str| seen.contains(*code) || BESIDE.contains(code) || EXPLAINED.contains(code);
    let missing: Vec<&str> = kinds.iter().map(|kind| &*kind.code).filter(|code| !shown(code)).collect();
    assert!(missing.is_empty(), "no scenario shows {}: write one for each in tests/scenarios", missing.join(", "));
    print(&format!("decisions: {} kinds, each in some scenario", kinds.len()));
}

#[test]
fn what_is_not_reported_is_done_all_the_same() {
    // A plan less lies between two others: what happens at one moment comes in another order, and some of it later.
    let became = |entries: &[Entry]| {
        let changed = entries.iter().filter_map(|entry| match &entry.what {
            What::CronJob { cron_job, change, .. } => Some(format!("{cron_job} {change}")),
            What::Job { job, change, .. } => Some(format!("{job} {change}")),
            What::Starts(_)
            | What::Pod(_)
            | What::Container(_)
            | What::Action { .. }
            | What::Sync { .. }
            | What::Decision { .. }
            | What::Request { .. }
            | What::Event(_)
            | What::Difference { .. }
            | What::Complaint { .. } => None,
        });
        changed.collect::<BTreeSet<String>>()
    };
    let play = |file: &File, scenario: &Scenario, decisions| {
        let entries = file.play(scenario, Native::new(Config { decisions, ..Config::default() })).entries;
        entries.into_iter().partition::<Vec<Entry>, _>(|entry| matches!(entry.what, What::Decision { .. }))
    };
    let acts =
        |entry: &Entry| matches!(&entry.what, What::Decision { decision, .. } if matches!(decision.role, Role::Action | Role::Invalid));
    let mut left_out = 0;
    for file in files() {
        for scenario in &file.scenarios {
            let (all, expected) = play(&file, scenario, Detail::All);
            let (actions, others) = play(&file, scenario, Detail::Actions);
            assert_eq!(became(&others), became(&expected), "{}: {}", file.path, scenario.claim);
            assert!(actions.iter().all(acts), "{}: {}", file.path, scenario.claim);
            left_out += all.len() - actions.len();
        }
    }
    assert!(left_out > 1000, "{left_out} decisions were left out");
}
