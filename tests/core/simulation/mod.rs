//! Simulation: the controllers in worlds drawn from seeds, under faults, then calm.
//!
//! Docs: the crate `simulation`. `JOBSMITH_SEEDS` sets how many seeds, `JOBSMITH_SEED` where they start. What fails is shown in its shortest form.

mod planted;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use api::{Text, Timestamp};
use contract::{ApiResource, Event, Explanation, Malformed, Manager, ObjectRef, Plan, Wakeup};
use controllers::Config;
use controllers::job::{self, Limits};
use core_tests::native::Native;
use core_tests::panics::caught;
use core_tests::summary::{Progress, grouped, number, print};
use simulation::{Settings, Simulation, Statistics, Violation, shortest};

/// How many seeds are gone through, unless `JOBSMITH_SEEDS` is set.
const SEEDS: u64 = 16_000;
/// As many more seeds have CronJobs and Jobs with a TTL: fewer than of the others, as each takes longer.
const WITH_CRON_JOBS: u64 = 8;
/// So many fewer seeds have pods that are held back.
const STANDING_STILL: u64 = 8;
/// So many fewer seeds have Jobs with rules in annotations.
const WITH_RULES: u64 = 8;
/// How many failures are shown.
const MOST_LINES: usize = 100;

#[test]
fn the_controllers_keep_all_invariants_and_promises() {
    keep_all("simulation", number("JOBSMITH_SEEDS", SEEDS), settings);
}

#[test]
fn all_three_controllers_keep_all_invariants_and_promises() {
    keep_all("simulation with CronJobs and TTL", number("JOBSMITH_SEEDS", SEEDS) / WITH_CRON_JOBS, with_cron_jobs);
}

#[test]
fn jobs_that_stand_still_keep_all_invariants_and_promises() {
    keep_all("simulation of standstills", number("JOBSMITH_SEEDS", SEEDS) / STANDING_STILL, standing_still);
}

#[test]
fn jobs_that_ask_for_more_keep_all_invariants_and_promises() {
    keep_all("simulation of annotations", number("JOBSMITH_SEEDS", SEEDS) / WITH_RULES, with_rules);
}

fn keep_all(name: &'static str, seeds: u64, settings: fn(u64) -> Settings) {
    let first = number("JOBSMITH_SEED", 0);
    let (statistics, failures) = go_through(name, first, seeds, settings);
    let [all, steps, plans] = [seeds, statistics.steps, statistics.plans].map(grouped);
    print(&format!("{name}: {all} seeds, {steps} steps, {plans} plans, {} failures", failures.len()));
    println!("{seeds} seeds from {first}\n{statistics}");
    assert!(failures.is_empty(), "{} of {seeds} seeds fail\n{}", failures.len(), report(&failures, settings));
}

/// Bugs of `tests/mutants/`, each with the first seed that notices it: no test of one case does. What the simulation once found and a case shows too is in
/// `tests/core/events/`.
const NOTICED: [(&str, u64); 22] = [
    ("adopts-pods-that-go", 692),
    ("container-name-ignored", 492),
    ("creates-for-deleted-jobs", 10),
    ("creates-without-limit", 44),
    ("creations-not-observed", 5),
    ("deleted-success-fails", 9885),
    ("ends-after-a-cut", 48),
    ("ends-with-active-pods", 60),
    ("expectations-ignored", 1566),
    ("failed-index-succeeds", 4538),
    ("failed-jobs-have-a-completion-time", 14),
    ("finalizer-counted-as-held", 34),
    ("finalizer-removals-not-awaited", 5),
    ("index-beyond-completions", 124),
    ("index-doubled-while-terminating", 2155),
    ("leftover-finalizers-stay", 82),
    ("owner-by-name", 146),
    ("refused-creations-stay-expected", 15),
    ("released-pods-stay-in-the-store", 40),
    ("successes-counted-twice", 197),
    ("uncounted-without-limit", 44),
    ("writes-are-not-awaited", 5),
];

/// The same for worlds that stand still: bugs in what is explained.
const NOTICED_STANDING_STILL: [(&str, u64); 3] =
    [("obstacle-cronjob-first-stage", 300), ("obstacle-of-a-passed-back-off", 1), ("obstacle-of-the-watch", 12)];

/// The same for worlds in which Jobs ask for more.
const NOTICED_WITH_RULES: [(&str, u64); 1] = [("rules-free-running-pods", 153)];

#[test]
fn seeds_that_notice_a_bug_pass() {
    let failure = |(bug, seed): (&str, u64), settings: fn(u64) -> Settings| {
        let violation = Simulation::new(seed, manager(seed), settings(seed)).run().err()?;
        Some(format!("seed {seed}, which notices {bug}: {violation}"))
    };
    let standing_still = NOTICED_STANDING_STILL.into_iter().filter_map(|noticed| failure(noticed, standing_still));
    let with_rules = NOTICED_WITH_RULES.into_iter().filter_map(|noticed| failure(noticed, with_rules));
    let usual = NOTICED.into_iter().filter_map(|noticed| failure(noticed, settings));
    let failures: Vec<String> = usual.chain(standing_still).chain(with_rules).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Worlds with CronJobs in which a bug was once found, and the bug.
const FOUND: [(&str, u64); 2] = [
    ("a status that was written, but not answered, is not waited for: Jobs run side by side in spite of the policy", 276),
    ("a Job that has finished by a write whose answer was lost is ended once more, with another completion time", 104_930),
];

#[test]
fn seeds_that_found_a_bug_pass() {
    for (bug, seed) in FOUND {
        let violation = Simulation::new(seed, manager(seed), with_cron_jobs(seed)).run().err();
        assert_eq!(violation, None, "seed {seed}, which found that {bug}");
    }
}

/// All failures in a line each, and the first of each invariant in its shortest form.
fn report(failures: &[(u64, Violation)], settings: fn(u64) -> Settings) -> String {
    let mut lines: Vec<String> = failures.iter().take(MOST_LINES).map(|(seed, violation)| format!("seed {seed}: {violation}")).collect();
    let mut shown = BTreeSet::new();
    for (seed, _) in failures.iter().filter(|(_, violation)| shown.insert(violation.invariant)) {
        lines.extend(shortest(*seed, settings(*seed), || manager(*seed)).map(|failure| failure.to_string()));
    }
    lines.join("\n")
}

/// Goes through seeds on all cores.
fn go_through(name: &'static str, first: u64, seeds: u64, settings: fn(u64) -> Settings) -> (Statistics, Vec<(u64, Violation)>) {
    let (next, failed) = (AtomicU64::new(first), AtomicU64::new(0));
    let progress = Progress::new(name, "seeds", seeds);
    let work = || {
        let (mut statistics, mut failures) = (Statistics::default(), Vec::new());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + seeds {
                return (statistics, failures);
            }
            progress.at(seed - first, failed.load(Ordering::Relaxed));
            let mut simulation = Simulation::new(seed, manager(seed), settings(seed));
            if let Err(violation) = simulation.run() {
                failures.push((seed, violation));
                failed.fetch_add(1, Ordering::Relaxed);
            }
            statistics.add(simulation.statistics());
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (mut statistics, mut failures) = (Statistics::default(), Vec::new());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            let (numbers, found) = worker.join().expect("a worker ends");
            statistics.add(&numbers);
            failures.extend(found);
        }
    });
    failures.sort_by_key(|(seed, _)| *seed);
    (statistics, failures)
}

/// Every fourth seed has small limits, so that they are reached.
fn limits(seed: u64) -> Limits {
    if seed.is_multiple_of(4) { Limits { max_pods_per_sync: 2, max_uncounted_pods: 2, ..Limits::default() } } else { Limits::default() }
}

fn settings(seed: u64) -> Settings {
    let limits = limits(seed);
    Settings {
        pods_per_plan: limits.max_pods_per_sync,
        uncounted_pods: limits.max_uncounted_pods,
        back_off: limits.pod_failure_back_off,
        back_off_max: limits.pod_failure_back_off_max,
        patience_unanswered: limits.unanswered_creation_timeout,
        api_back_off: limits.api_back_off,
        api_back_off_max: limits.api_back_off_max,
        expectation_timeout: limits.expectation_timeout,
        lists_in_parts: seed.is_multiple_of(3),
        cron_jobs: false,
        standstills: false,
        rules: false,
    }
}

/// The settings of a world with CronJobs, and Jobs with a TTL.
fn with_cron_jobs(seed: u64) -> Settings {
    Settings { cron_jobs: true, ..settings(seed) }
}

/// The settings of a world in which pods are held back; every third of them has CronJobs.
fn standing_still(seed: u64) -> Settings {
    Settings { standstills: true, cron_jobs: seed.is_multiple_of(3), ..settings(seed) }
}

/// The settings of a world in which Jobs ask for more than Kubernetes has; in every third of them, pods are held back.
fn with_rules(seed: u64) -> Settings {
    Settings { rules: true, standstills: seed.is_multiple_of(3), ..settings(seed) }
}

fn manager(seed: u64) -> Guarded {
    let job = job::Config { limits: limits(seed), ..job::Config::default() };
    Guarded { native: Native::new(Config { job, ..Config::default() }), broken: None }
}

/// The controllers in this process; a panic in them is reported as the loss of their memory.
struct Guarded {
    native: Native,
    broken: Option<String>,
}

impl Guarded {
    fn guard<T>(&mut self, call: impl FnOnce(&mut Native) -> T) -> Option<T> {
        let native = &mut self.native;
        caught(|| call(native)).map_err(|message| self.broken = Some(message)).ok()
    }
}

impl Manager for Guarded {
    fn resources(&mut self) -> Vec<ApiResource> {
        self.native.resources()
    }

    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        self.guard(|native| native.handle(event, now)).unwrap_or(Ok(()))
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        self.guard(|native| native.next_plan(now)).flatten()
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        self.native.next_wakeup()
    }

    fn explain(&mut self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String> {
        self.native.explain(object, warnings, now)
    }

    fn restart(&mut self) {
        self.native.restart();
    }

    fn lost(&mut self) -> Option<String> {
        self.broken.take()
    }
}
