//! Histories for the bindings: what the native core answers in simulated worlds, call by call, as lines of JSON.
//!
//! Docs: `tests/plugins/README.md`, "Histories". The worlds are those of `crates/simulation/`.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

use api::{Text, Timestamp};
use contract::{ApiResource, Event, Explanation, Malformed, Manager, ObjectRef, Plan, Wakeup};
use core_tests::native::Native;
use serde_json::{Value, json};

use super::{RARELY, wit_json};

/// Where lines go: to a program's standard input, or to memory.
pub(super) type Lines = Rc<RefCell<dyn Write>>;

/// The native core, with every call and its answer written down.
pub(super) struct Taped {
    native: Native,
    configuration: String,
    lines: Lines,
}

impl Taped {
    /// A new history.
    pub(super) fn new(native: Native, configuration: String, lines: Lines) -> Self {
        let taped = Self { native, configuration, lines };
        taped.line(&json!({"history": "new"}));
        taped.configured();
        taped
    }

    fn configured(&self) {
        self.call("configure", vec![json!(self.configuration)], wit_json::result(Ok(Value::Null)));
    }

    fn call(&self, name: &str, arguments: Vec<Value>, answer: Value) {
        self.line(&json!({"call": name, "arguments": arguments, "answer": answer}));
    }

    fn line(&self, line: &Value) {
        writeln!(self.lines.borrow_mut(), "{line}").expect("the binding reads to the end");
    }
}

impl Manager for Taped {
    fn resources(&mut self) -> Vec<ApiResource> {
        let resources = self.native.resources();
        self.call("resources", Vec::new(), resources.iter().map(wit_json::resource).collect());
        resources
    }

    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        let arguments = vec![wit_json::event(&event), wit_json::timestamp(now)];
        let result = self.native.handle(event, now);
        let answer = result.as_ref().map(|()| Value::Null).map_err(wit_json::malformed);
        self.call("handle", arguments, wit_json::result(answer));
        result
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        let plan = self.native.next_plan(now);
        self.call("next-plan", vec![wit_json::timestamp(now)], plan.as_ref().map_or(Value::Null, wit_json::plan));
        if let Some(plan) = plan.as_ref().filter(|plan| plan.id.is_multiple_of(RARELY)) {
            let _ = self.explain(&plan.object, &[], now);
            let metrics = self.native.metrics(now).iter().map(wit_json::family).collect();
            self.call("metrics", vec![wit_json::timestamp(now)], metrics);
        }
        plan
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        let wakeup = self.native.next_wakeup();
        self.call("next-wakeup", Vec::new(), wakeup.as_ref().map_or(Value::Null, wit_json::wakeup));
        wakeup
    }

    fn explain(&mut self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String> {
        let explanation = self.native.explain(object, warnings, now);
        let answer = explanation.as_ref().map(wit_json::explanation).map_err(|error| json!(error));
        self.call("explain", vec![wit_json::object(object), json!(warnings), wit_json::timestamp(now)], wit_json::result(answer));
        explanation
    }

    fn restart(&mut self) {
        self.native.restart();
        self.configured();
    }
}
