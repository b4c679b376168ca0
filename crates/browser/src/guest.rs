//! The component of the controllers in JavaScript, driven as a manager; an instance that traps is replaced.
//!
//! Docs: `crates/component/wit/controllers.wit`, "Errors". One instance, with its calls, is in `instance.rs`; wasmtime does the same in
//! `host/embed/src/guest.rs`.

use api::{Malformed, Text, Timestamp};
use contract::canonical::calls;
use contract::{ApiResource, Event, Explanation, Manager, ObjectRef, Plan, Versions, Wakeup};
use js_sys::Function;
use wasm_bindgen::{JsCast as _, JsValue};

use crate::instance::{PageInstance, message};

/// The controllers in JavaScript.
pub(crate) struct JsManager {
    /// Instantiates the core module, and returns its exports.
    factory: Function,
    /// What instances are configured with, JSON.
    configuration: String,
    instance: PageInstance,
    /// Why an instance was lost, until that is taken.
    lost: Option<String>,
}

impl JsManager {
    /// Makes an instance as it is by default.
    pub(crate) fn new(factory: Function) -> Result<Self, String> {
        Self::configured(factory, "{}")
    }

    /// Makes an instance with this configuration.
    pub(crate) fn configured(factory: Function, configuration: &str) -> Result<Self, String> {
        let instance = instantiate(&factory, configuration)?;
        Ok(Self { factory, configuration: configuration.to_owned(), instance, lost: None })
    }

    pub(crate) fn about(&mut self) -> Result<Versions, String> {
        calls::about(&mut self.instance)
    }

    /// Puts another instance in the place of this one. If that fails, this one stays: its next call traps, and the replacement is tried again.
    fn replace(&mut self) -> Result<(), String> {
        self.instance = instantiate(&self.factory, &self.configuration)?;
        Ok(())
    }

    /// The answer of a call; none if the instance traps, and another one takes its place.
    fn answered<T>(&mut self, answer: Result<T, String>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(mut reason) => {
                if let Err(failed) = self.replace() {
                    reason = format!("{reason}; cannot start another instance: {failed}");
                }
                // What traps later is a consequence.
                self.lost.get_or_insert(reason);
                None
            }
        }
    }
}

impl Manager for JsManager {
    fn resources(&mut self) -> Vec<ApiResource> {
        let resources = calls::resources(&mut self.instance);
        self.answered(resources).unwrap_or_default()
    }

    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        let handled = calls::handle(&mut self.instance, &event, now);
        // An event that was lost with its instance comes again with the lists.
        self.answered(handled).unwrap_or(Ok(()))
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        let plan = calls::next_plan(&mut self.instance, now);
        self.answered(plan).flatten()
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        let wakeup = calls::next_wakeup(&mut self.instance);
        self.answered(wakeup).flatten()
    }

    fn explain(&mut self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String> {
        let explanation = calls::explain(&mut self.instance, object, warnings, now);
        self.answered(explanation).ok_or("the component failed to answer")?
    }

    fn restart(&mut self) {
        // `configure` resets an instance; one that cannot even do that is replaced. Whatever it lost before, it would lose here.
        let reset = calls::configure(&mut self.instance, &self.configuration);
        self.lost = if reset == Ok(Ok(())) { None } else { self.replace().err() };
    }

    fn take_over(&mut self) {
        // A restart forgets it again. A component that refuses it begins as it is.
        if let Some(configuration) = contract::taking_over(&self.configuration) {
            let configured = calls::configure(&mut self.instance, &configuration);
            self.answered(configured);
        }
    }

    fn lost(&mut self) -> Option<String> {
        self.lost.take()
    }
}

/// An instance with this configuration, or why there is none.
fn instantiate(factory: &Function, configuration: &str) -> Result<PageInstance, String> {
    let made = factory.call0(&JsValue::UNDEFINED).and_then(|exports| PageInstance::new(&exports.unchecked_into()));
    let mut instance = made.map_err(|thrown| message(&thrown))?;
    calls::configure(&mut instance, configuration)??;
    Ok(instance)
}
