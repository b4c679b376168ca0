//! The controllers behind WIT: calls come in, the manager answers them, and nothing is decided here.
//!
//! Docs: `wit/controllers.wit` is the boundary for every language. Its functions are exported in `exports.rs`, which calls those here; values lie in
//! memory until the host has read them (`memory.rs`); the message of a panic is kept by `panic.rs`.

#[allow(unsafe_code, dead_code, reason = "the names are part of the boundary; only WebAssembly has exports")]
mod exports;
mod memory;
mod panic;

use std::cell::RefCell;
use std::sync::Arc;

use api::{Malformed, Text, Timestamp};
use contract::metrics::Family;
use contract::{ApiResource, DecisionKind, Event, Explanation, ObjectRef, Plan, Versions, Wakeup};
use controllers::{Config, ControllerManager, TZDB_VERSION};

/// Faster and smaller than the standard library's.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// The version of Kubernetes that the controllers follow.
const KUBERNETES: &str = "v1.37";

thread_local! {
    /// The instance's one manager.
    static MANAGER: RefCell<ControllerManager> = RefCell::new({
        panic::keep_last_message();
        ControllerManager::new(&Config::default())
    });
}

fn configure(config: String) -> Result<(), String> {
    let config = Config::from_json(&config)?;
    // Setting the cell would skip its initialiser, and the messages of panics would be lost.
    MANAGER.with_borrow_mut(|manager| *manager = ControllerManager::new(&config));
    Ok(())
}

fn resources() -> Vec<ApiResource> {
    MANAGER.with_borrow(ControllerManager::resources)
}

fn handle(event: Event, now: Timestamp) -> Result<(), Malformed> {
    MANAGER.with_borrow_mut(|manager| manager.handle(event, now))
}

fn next_plan(now: Timestamp) -> Option<Plan> {
    MANAGER.with_borrow_mut(|manager| manager.next_plan(now))
}

fn next_wakeup() -> Option<Wakeup> {
    MANAGER.with_borrow(ControllerManager::next_wakeup)
}

fn explain(object: ObjectRef, warnings: Vec<Text>, now: Timestamp) -> Result<Explanation, String> {
    MANAGER.with_borrow(|manager| manager.explain(&object, &warnings, now))
}

fn metrics(now: Timestamp) -> Vec<Family> {
    MANAGER.with_borrow(|manager| manager.metrics(now))
}

fn decision_kinds() -> Vec<DecisionKind> {
    controllers::decision_kinds().into_iter().map(Arc::unwrap_or_clone).collect()
}

fn about() -> Versions {
    Versions {
        component: env!("CARGO_PKG_VERSION").to_owned(),
        kubernetes: KUBERNETES.to_owned(),
        time_zones: Some(TZDB_VERSION.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wit_shows_the_default_configuration() {
        let wit = include_str!("../wit/controllers.wit").replace("    ///", "");
        let (_, shown) = wit.split_once("```json").unwrap();
        let (shown, _) = shown.split_once("```").unwrap();
        assert_eq!(Config::from_json(shown).unwrap(), Config::default());
        assert_eq!(shown.matches(':').count(), 25, "every member is shown");
    }

    #[test]
    fn a_configuration_is_taken_or_refused() {
        let time = Timestamp::UNIX_EPOCH;
        assert_eq!(configure("{}".to_owned()), Ok(()));
        assert!(configure("[".to_owned()).unwrap_err().contains("invalid configuration"));
        let report = contract::Report { plan: 1, outcomes: Vec::new() };
        handle(Event::Finished(report), time).unwrap();
        assert_eq!(configure(r#"{"job":{"name":"example.com/jobs"}}"#.to_owned()), Ok(()));
    }
}
