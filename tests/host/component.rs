//! Component = native: the same calls return the same results, whether the controllers are in this process or behind the wall of a sandbox.
//!
//! Docs: `crates/component/wit/controllers.wit`, "Order and time". What the component imports and exports is read from the file itself.

use std::fmt::Debug;

use api::{Text, Timestamp};
use contract::{ApiResource, DecisionKind, Event, Explanation, Malformed, Manager, ObjectRef, Outcome, Plan, Report, Wakeup};
use controllers::{Config, decision_kinds};
use core_tests::built::component_path;
use core_tests::files::root;
use core_tests::history::history;
use core_tests::native::Native;
use core_tests::scenarios;
use core_tests::summary::{grouped, print};
use host_embed::Guest;
use host_embed::sections::sections;
use protocol::Session;
use simulation::{Settings, Simulation};

use crate::loaded::{COMPONENT, guest};

/// How many worlds are simulated.
const SEEDS: u64 = 200;
/// How many random histories are gone through.
const HISTORIES: u64 = 200;
/// Limits that are reached.
const SMALL: &str = r#"{"job":{"limits":{"maxPodsPerSync":2,"maxUncountedPods":2}}}"#;

#[test]
fn all_scenarios_go_alike() {
    let mut answers = 0;
    for file in scenarios::files() {
        for scenario in &file.scenarios {
            let mut twins = Twins::new("{}");
            file.play(scenario, &mut twins);
            answers += twins.answers;
        }
    }
    print(&format!("component = native: {} answers over all scenarios", grouped(answers)));
}

#[test]
fn all_simulated_worlds_go_alike() {
    let mut twins = [Twins::new("{}"), Twins::new(SMALL)];
    for seed in 0..SEEDS {
        let twins = &mut twins[usize::from(seed.is_multiple_of(4))];
        let pods = twins.pods;
        let settings =
            Settings { pods_per_plan: pods, uncounted_pods: pods, lists_in_parts: seed.is_multiple_of(3), ..Settings::default() };
        // Whether the invariants hold is tested in `tests/core/simulation/`.
        let _ = Simulation::new(seed, twins, settings).run();
    }
    let answers = twins.iter().map(|twins| twins.answers).sum();
    print(&format!("component = native: {} answers over {SEEDS} simulated worlds", grouped(answers)));
}

#[test]
fn all_histories_go_alike() {
    let mut twins = Twins::new("{}");
    let mut session = Session::new(&mut twins);
    for operation in (0..HISTORIES).flat_map(history) {
        session.serve(&operation.to_string());
    }
    print(&format!("component = native: {} answers over {HISTORIES} random histories", grouped(twins.answers)));
}

#[test]
fn a_report_on_a_plan_that_nobody_made_changes_nothing() {
    let mut twins = Twins::new("{}");
    let mut twins = &mut twins;
    let outcomes = vec![Outcome::Skipped; 3];
    assert_eq!(twins.handle(Event::Finished(Report { plan: 99, outcomes }), Timestamp::UNIX_EPOCH), Ok(()));
    assert_eq!((twins.next_plan(Timestamp::UNIX_EPOCH), twins.next_wakeup()), (None, None));
}

#[test]
fn all_decisions_are_described_alike() {
    assert_eq!(COMPONENT.decision_kinds().collect::<Vec<&DecisionKind>>(), decision_kinds().iter().map(|kind| &**kind).collect::<Vec<_>>());
}

#[test]
fn the_component_imports_nothing_and_exports_one_interface() {
    let component = std::fs::read(component_path()).expect("the component was loaded before");
    let sections: Vec<(u8, &[u8])> = sections(&component).collect();
    assert_eq!(sections.iter().filter(|(id, _)| *id == COMPONENT_IMPORTS).count(), 0);
    let exports: Vec<&[u8]> = sections.iter().filter(|(id, _)| *id == COMPONENT_EXPORTS).map(|(_, section)| *section).collect();
    let name = b"jobsmith:controllers/manager@0.3.0";
    assert!(exports.len() == 1 && exports[0][0] == 1 && exports[0].windows(name.len()).any(|window| window == name), "one export");

    let modules = sections.iter().filter(|(id, _)| *id == CORE_MODULE);
    let cores: Vec<(u8, &[u8])> = modules.flat_map(|(_, module)| self::sections(module)).collect();
    assert!(cores.iter().all(|(id, _)| *id != CORE_IMPORTS), "what is inside imports nothing either");
    let exported: Vec<&[u8]> = cores.iter().filter(|(id, _)| *id == CORE_EXPORTS).map(|(_, section)| *section).collect();
    let text = String::from_utf8_lossy(exported[0]).into_owned();
    let functions: Vec<&str> = text.split("\0").filter_map(|name| name.rsplit_once("@0.3.0#").map(|(_, name)| name)).collect();
    for function in ["about", "configure", "decision-kinds", "explain", "handle", "metrics", "next-plan", "next-wakeup", "resources"] {
        assert!(functions.contains(&function), "{function} of {functions:?}");
    }
}

#[test]
fn nothing_of_the_machine_that_built_it_is_in_the_component() {
    let component = std::fs::read(component_path()).expect("the component was loaded before");
    let text = String::from_utf8_lossy(&component);
    let home = std::env::home_dir().expect("there is a home directory");
    for place in [root(), home.join(".cargo"), home.join(".rustup")] {
        let place = format!("{}/", place.display());
        let shown = text.find(&place).map(|at| text[at..].chars().take(160).collect::<String>());
        assert_eq!(shown, None, "a path below {place}");
    }
}

const COMPONENT_IMPORTS: u8 = 10;
const COMPONENT_EXPORTS: u8 = 11;
const CORE_MODULE: u8 = 1;
const CORE_IMPORTS: u8 = 2;
const CORE_EXPORTS: u8 = 7;

/// The controllers twice, here and behind the wall: both are shown the same, and must answer the same.
struct Twins {
    native: Native,
    guest: Guest,
    /// How many pods a plan makes and counts at most.
    pods: usize,
    /// How many answers were compared.
    answers: u64,
}

impl Twins {
    fn new(config: &str) -> Self {
        let mut guest = guest();
        guest.configure(config).expect("the configuration is one");
        let config = Config::from_json(config).expect("the configuration is one");
        Self { pods: config.job.limits.max_pods_per_sync, native: Native::new(config), guest, answers: 0 }
    }

    /// The one answer of both.
    fn same<Answer: PartialEq + Debug>(&mut self, call: &str, native: Answer, guest: Answer) -> Answer {
        assert_eq!(self.guest.lost(), None, "{call}");
        assert_eq!(native, guest, "{call}: native, component");
        self.answers += 1;
        native
    }

    fn same_metrics(&mut self, now: Timestamp) {
        let (native, guest) = (self.native.metrics(now), self.guest.metrics(now));
        self.same("metrics", native, guest);
    }
}

impl Manager for &mut Twins {
    fn resources(&mut self) -> Vec<ApiResource> {
        let (native, guest) = (self.native.resources(), self.guest.resources());
        self.same("resources", native, guest)
    }

    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        let (native, guest) = (self.native.handle(event.clone(), now), self.guest.handle(event, now));
        self.same("handle", native, guest)
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        let (native, guest) = (self.native.next_plan(now), self.guest.next_plan(now));
        if native.is_none() {
            self.same_metrics(now);
        }
        if let Some(plan) = &native {
            let (here, there) = (self.native.explain(&plan.object, &[], now), self.guest.explain(&plan.object, &[], now));
            let _ = self.same("explain", here, there);
        }
        self.same("next_plan", native, guest)
    }

    fn explain(&mut self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String> {
        let (native, guest) = (self.native.explain(object, warnings, now), self.guest.explain(object, warnings, now));
        self.same("explain", native, guest)
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        let (native, guest) = (self.native.next_wakeup(), self.guest.next_wakeup());
        self.same("next_wakeup", native, guest)
    }

    fn restart(&mut self) {
        // At the end of time, all that waits is in the queues.
        self.same_metrics(Timestamp::MAX);
        self.native.restart();
        self.guest.restart();
    }
}
