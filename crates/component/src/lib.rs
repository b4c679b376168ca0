//! The controllers behind WIT: calls come in, the manager answers them, and nothing is decided here.
//!
//! Docs: `wit/controllers.wit` is the border for every language. What crosses it is converted in `border.rs`; the message of a panic is kept by `panic.rs`.

mod border;
mod panic;

use std::cell::RefCell;

use controllers::{Config, ControllerManager, TZDB_VERSION, decision_kinds};

use wit::exports::jobsmith::controllers::manager::{
    ApiResource, DecisionKind, Event, Explanation, Family, Guest, Malformed, ObjectRef, Plan, Timestamp, Versions, Wakeup,
};

/// What is generated from the WIT.
#[expect(unsafe_code, reason = "generated")]
mod wit {
    use super::Component;

    wit_bindgen::generate!({ world: "controllers" });
    export!(Component with_types_in self);
}

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

struct Component;

impl Guest for Component {
    fn configure(config: String) -> Result<(), String> {
        let config = Config::from_json(&config)?;
        // Setting the cell would skip its initialiser, and the messages of panics would be lost.
        MANAGER.with_borrow_mut(|manager| *manager = ControllerManager::new(&config));
        Ok(())
    }

    fn resources() -> Vec<ApiResource> {
        MANAGER.with_borrow(|manager| border::many(manager.resources()))
    }

    fn handle(event: Event, now: Timestamp) -> Result<(), Malformed> {
        Ok(MANAGER.with_borrow_mut(|manager| manager.handle(event.into(), now.into()))?)
    }

    fn next_plan(now: Timestamp) -> Option<Plan> {
        MANAGER.with_borrow_mut(|manager| manager.next_plan(now.into()).map(Into::into))
    }

    fn next_wakeup() -> Option<Wakeup> {
        MANAGER.with_borrow(|manager| manager.next_wakeup().map(Into::into))
    }

    fn explain(object: ObjectRef, now: Timestamp) -> Result<Explanation, String> {
        MANAGER.with_borrow(|manager| manager.explain(&object.into(), now.into()).map(Into::into))
    }

    fn metrics(now: Timestamp) -> Vec<Family> {
        MANAGER.with_borrow(|manager| border::many(manager.metrics(now.into())))
    }

    fn decision_kinds() -> Vec<DecisionKind> {
        decision_kinds().iter().map(|kind| (&**kind).into()).collect()
    }

    fn about() -> Versions {
        Versions {
            component: env!("CARGO_PKG_VERSION").to_owned(),
            kubernetes: KUBERNETES.to_owned(),
            time_zones: Some(TZDB_VERSION.to_owned()),
        }
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
        let time = Timestamp { seconds: 0, nanoseconds: 0 };
        assert_eq!(Component::configure("{}".to_owned()), Ok(()));
        assert!(Component::configure("[".to_owned()).unwrap_err().contains("invalid configuration"));
        let report = wit::exports::jobsmith::controllers::manager::Report { plan: 1, outcomes: Vec::new() };
        Component::handle(Event::Finished(report), time).unwrap();
        assert_eq!(Component::configure(r#"{"job":{"name":"example.com/jobs"}}"#.to_owned()), Ok(()));
    }
}
