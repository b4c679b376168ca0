//! The bindings of other languages against the native core: the same calls have the same answers, and every value crosses the boundary unchanged.
//!
//! Docs: `tests/plugins/README.md`. Each language has a file here with what its driver and its demo need.

/// The tests that each binding has to pass, with its driver, and the tools that they need.
macro_rules! held_against_the_core {
    ($driver:ident, $needs:literal) => {
        #[test]
        #[ignore = $needs]
        fn it_answers_as_the_native_core() {
            super::replays(&$driver());
        }

        #[test]
        #[ignore = $needs]
        fn every_value_crosses_the_border_unchanged() {
            super::echoes(&$driver());
        }

        #[test]
        #[ignore = $needs]
        fn a_wrong_answer_is_noticed() {
            super::notices_a_difference(&$driver());
        }
    };
}

mod driver;
mod go;
mod java;
mod node;
mod packages;
mod python;
mod random;
mod samples;
mod tape;
mod tools;
mod wit_json;

use std::rc::Rc;

use api::job::conditions;
use controllers::Config;
use core_tests::native::Native;
use core_tests::summary::print;
use play::Play;
use script::Script;
use serde_json::json;
use simulation::{Settings, Simulation};

use self::driver::Driver;
use self::tape::{Lines, Taped};

/// How many simulated worlds are replayed.
const WORLDS: u64 = 300;
/// How many random values of each type cross the boundary and come back.
const VALUES: u64 = 200;
/// How many pods the largest Job has.
const PODS: usize = 10_000;
/// After how many plans the binding is asked for metrics and explanations too.
const RARELY: u64 = 10;

#[test]
fn the_readme_shows_the_quick_starts_that_are_run() {
    let readme = read("README.md");
    for language in ["go", "java", "node", "python"] {
        let block = quick_start(language);
        assert!(readme.contains(&format!("```{block}```")), "README.md has another quick start for {language}");
        assert!(block.trim_end().lines().count() <= 21, "the quick start for {language} has more than twenty lines");
    }
}

/// The block of code with which a binding's README begins, from the name of the language on.
fn quick_start(language: &str) -> String {
    block(language, "Quick start")
}

/// The code under a heading of a binding's README.
fn code(language: &str, heading: &str) -> String {
    let block = block(language, heading);
    let (_, code) = block.split_once('\n').expect("the language has a line of its own");
    code.to_owned()
}

/// The first block of code under a heading of a binding's README, from the name of the language on.
fn block(language: &str, heading: &str) -> String {
    let readme = read(&format!("host/bindings/{language}/README.md"));
    let (_, rest) = readme.split_once(&format!("## {heading}\n")).unwrap_or_else(|| panic!("{language}: there is no {heading}"));
    rest.split("```").nth(1).expect("it has a block of code").to_owned()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(tools::place(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The binding answers as the native core does.
fn replays(driver: &Driver) {
    let compared = driver.run("controllers", |lines| {
        (0..WORLDS).for_each(|seed| world(seed, lines));
        large_job(lines);
    });
    print(&format!("{} = native: {compared} over {WORLDS} worlds and a Job with {PODS} pods", driver.language));
}

/// The binding takes every value across the boundary and back.
fn echoes(driver: &Driver) {
    let compared = driver.run("echo", |lines| random::values(VALUES, lines));
    print(&format!("{} echoes: {compared}", driver.language));
}

/// A wrong answer is noticed.
fn notices_a_difference(driver: &Driver) {
    let wrong = json!({"call": "about", "arguments": [], "answer": {"component": "0", "kubernetes": "v0", "timeZones": null}});
    let refused = driver.refused("controllers", &[json!({"history": "new"}), wrong]);
    assert!(refused.contains("v0") && refused.contains("v1.37"), "both answers are shown: {refused}");
}

/// What the native core answers in a simulated world.
fn world(seed: u64, lines: &Lines) {
    let few = seed.is_multiple_of(4);
    let configuration = if few { r#"{"job":{"limits":{"maxPodsPerSync":2,"maxUncountedPods":2}}}"# } else { "{}" };
    let limits = if few { 2 } else { Settings::default().pods_per_plan };
    let settings = Settings {
        pods_per_plan: limits,
        uncounted_pods: limits,
        lists_in_parts: seed.is_multiple_of(3),
        cron_jobs: seed.is_multiple_of(2),
        ..Settings::default()
    };
    // Whether the invariants hold is tested in `tests/core/simulation/`.
    let _ = Simulation::new(seed, taped(configuration, lines), settings).run();
}

/// A Job whose pods all run at once, from its start to its end.
fn large_job(lines: &Lines) {
    let template = json!({"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "large"}]}});
    let spec = json!({"completions": PODS, "parallelism": PODS, "completionMode": "Indexed", "template": template});
    let job = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "large"}, "spec": spec});
    let play = Play::new(taped("{}", lines), &Script::default(), &[job.to_string().into()], play::start());
    let mut play = play.unwrap_or_else(|unplayable| panic!("the Job is refused: {unplayable}"));
    while play.next_moment(api::Timestamp::MAX).is_some() {}
    assert!(play.jobs().all(|job| job.condition(conditions::COMPLETE).is_some()), "all pods succeed");
}

fn taped(configuration: &str, lines: &Lines) -> Taped {
    let config = Config::from_json(configuration).expect("the configuration is valid");
    Taped::new(Native::new(config), configuration.to_owned(), Rc::clone(lines))
}
