//! The component of the controllers as JavaScript has it, driven as a manager; an instance that traps is replaced.
//!
//! Docs: `crates/component/wit/controllers.wit`, "Errors". What crosses is converted in `border.rs`; wasmtime does the same in `host/src/guest.rs`.

use api::{Malformed, Timestamp};
use contract::{ApiResource, Event, Explanation, Manager, ObjectRef, Plan, Wakeup};
use js_sys::{Error, Function};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};

use crate::border::{self, Kinds, lift, lower};
use crate::wit;

#[wasm_bindgen]
extern "C" {
    /// The interface `manager` of an instance.
    type Instance;

    #[wasm_bindgen(method, catch)]
    fn configure(this: &Instance, config: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn resources(this: &Instance) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn handle(this: &Instance, event: &JsValue, now: &JsValue) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch, js_name = nextPlan)]
    fn next_plan(this: &Instance, now: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = nextWakeup)]
    fn next_wakeup(this: &Instance) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn explain(this: &Instance, object: &JsValue, now: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = decisionKinds)]
    fn decision_kinds(this: &Instance) -> Result<JsValue, JsValue>;

    /// What jco throws where the interface answers with an error. A trap is another error, and has no payload.
    type ComponentError;

    #[wasm_bindgen(method, getter)]
    fn payload(this: &ComponentError) -> JsValue;
}

/// The controllers behind JavaScript.
pub(crate) struct Guest {
    /// Makes an instance.
    factory: Function,
    /// What instances are configured with, JSON.
    configuration: String,
    instance: Instance,
    kinds: Kinds,
    /// Why an instance was lost, until that is taken.
    lost: Option<String>,
}

impl Guest {
    /// Makes an instance as it is by default.
    pub(crate) fn new(factory: Function) -> Result<Self, String> {
        Self::configured(factory, "{}")
    }

    /// Makes an instance with this configuration.
    pub(crate) fn configured(factory: Function, configuration: &str) -> Result<Self, String> {
        let instance = instantiate(&factory)?;
        let kinds = border::kinds(lift(instance.decision_kinds().map_err(|error| message(&error))?));
        instance.configure(configuration).map_err(|error| message(&error))?;
        Ok(Self { factory, configuration: configuration.to_owned(), instance, kinds, lost: None })
    }

    /// Another instance takes the place of the one that trapped.
    fn replace(&mut self, trap: &JsValue) {
        // If there is no room for another one, this one stays: it traps at the next call, and another try is made.
        if let Ok(instance) = instantiate(&self.factory)
            && instance.configure(&self.configuration).is_ok()
        {
            self.instance = instance;
        }
        self.lost = Some(message(trap));
    }

    /// The answer of a call that fails only if the instance traps; none then.
    fn answered(&mut self, answer: Result<JsValue, JsValue>) -> Option<JsValue> {
        answer.map_err(|trap| self.replace(&trap)).ok().filter(|answer| !answer.is_undefined())
    }

    /// The answer of a call whose interface knows errors, or such an error; none if the instance traps.
    fn checked(&mut self, answer: Result<JsValue, JsValue>) -> Option<Result<JsValue, JsValue>> {
        let error = match answer {
            Ok(answer) => return Some(Ok(answer)),
            Err(error) => error,
        };
        let payload = error.unchecked_ref::<ComponentError>().payload();
        if payload.is_undefined() {
            self.replace(&error);
            return None;
        }
        Some(Err(payload))
    }
}

impl Manager for Guest {
    fn resources(&mut self) -> Vec<ApiResource> {
        let resources = self.instance.resources();
        self.answered(resources).map(lift).unwrap_or_default()
    }

    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        let handled = self.instance.handle(&lower(&wit::Event::from(&event)), &lower(&border::timestamp(now)));
        // An event that was lost with its instance comes again with the lists.
        let answer = self.checked(handled.map(|()| JsValue::UNDEFINED)).unwrap_or(Ok(JsValue::UNDEFINED));
        answer.map(|_| ()).map_err(lift)
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        let plan = self.instance.next_plan(&lower(&border::timestamp(now)));
        self.answered(plan).map(|plan| border::plan(lift(plan), &self.kinds))
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        let wakeup = self.instance.next_wakeup();
        self.answered(wakeup).map(|wakeup| lift::<wit::Wakeup>(wakeup).into())
    }

    fn explain(&mut self, object: &ObjectRef, now: Timestamp) -> Result<Explanation, String> {
        let explanation = self.instance.explain(&lower(&wit::Question::from(object)), &lower(&border::timestamp(now)));
        let answer = self.checked(explanation).ok_or("the component failed to answer")?;
        answer
            .map(|explanation| border::explanation(lift(explanation), &self.kinds))
            .map_err(|payload| payload.as_string().unwrap_or_default())
    }

    fn restart(&mut self) {
        // An instance that is configured is as good as new.
        if let Err(trap) = self.instance.configure(&self.configuration) {
            self.replace(&trap);
        }
    }

    fn lost(&mut self) -> Option<String> {
        self.lost.take()
    }
}

fn instantiate(factory: &Function) -> Result<Instance, String> {
    factory.call0(&JsValue::UNDEFINED).map(JsValue::unchecked_into).map_err(|error| message(&error))
}

/// The message of an error of JavaScript.
fn message(error: &JsValue) -> String {
    let message = error.dyn_ref::<Error>().map(|error| String::from(error.message())).or_else(|| error.as_string());
    message.unwrap_or_else(|| "the thrown value is not an Error".to_owned())
}
