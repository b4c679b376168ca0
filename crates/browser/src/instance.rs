//! An instance of the component's core module, and the calls of its interface.
//!
//! Docs: `crates/component/wit/controllers.wit`. The parameters of a call are made in `lowered.rs`, and its result is read in `border.rs`. When an
//! instance traps, `guest.rs` takes another one.

use api::{Malformed, Timestamp, time};
use contract::{ApiResource, DecisionKind, Event, Explanation, ObjectRef, Plan, Wakeup};
use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::border::{self, Kinds, Versions};
use crate::canonical::{Lift, Memory};
use crate::lowered::{FlatEvent, Lowering};

/// An instance. Its calls fail if it traps, with what JavaScript throws then.
pub(crate) struct Instance {
    memory: Memory,
    /// Makes room in the memory.
    realloc: Function,
    kinds: Kinds,
    configure: Call,
    resources: Call,
    handle: Call,
    next_plan: Call,
    next_wakeup: Call,
    explain: Call,
    about: Call,
}

/// A function of the interface.
struct Call {
    function: Function,
    /// Frees the result, after it has been read.
    free: Function,
}

impl Instance {
    /// The instance that exports these.
    pub(crate) fn new(exports: &Object) -> Result<Self, JsValue> {
        let memory = Memory::new(Reflect::get(exports, &"memory".into())?.unchecked_into());
        let realloc = Reflect::get(exports, &"cabi_realloc".into())?.unchecked_into();
        let call = |name| Call::of(exports, name);
        let kinds: Vec<DecisionKind> = call("decision-kinds")?.made(&[], &memory, &Kinds::new())?;
        Ok(Self {
            memory,
            realloc,
            kinds: border::kinds(kinds),
            configure: call("configure")?,
            resources: call("resources")?,
            handle: call("handle")?,
            next_plan: call("next-plan")?,
            next_wakeup: call("next-wakeup")?,
            explain: call("explain")?,
            about: call("about")?,
        })
    }

    pub(crate) fn configure(&self, configuration: &str) -> Result<Result<(), String>, JsValue> {
        let parameters = self.lower(|lowering| lowering.text(configuration))?;
        self.call(&self.configure, &parameters.map(JsValue::from))
    }

    pub(crate) fn resources(&self) -> Result<Vec<ApiResource>, JsValue> {
        self.call(&self.resources, &[])
    }

    pub(crate) fn handle(&self, event: &Event, now: Timestamp) -> Result<Result<(), Malformed>, JsValue> {
        let FlatEvent { case, first, rest } = self.lower(|lowering| lowering.event(event))?;
        let event = [case.into(), first.into()].into_iter().chain(rest.map(JsValue::from));
        self.call(&self.handle, &event.chain(timestamp(now)).collect::<Vec<_>>())
    }

    pub(crate) fn next_plan(&self, now: Timestamp) -> Result<Option<Plan>, JsValue> {
        self.call(&self.next_plan, &timestamp(now))
    }

    pub(crate) fn next_wakeup(&self) -> Result<Option<Wakeup>, JsValue> {
        self.call(&self.next_wakeup, &[])
    }

    pub(crate) fn explain(&self, object: &ObjectRef, now: Timestamp) -> Result<Result<Explanation, String>, JsValue> {
        let object = self.lower(|lowering| lowering.object(object))?;
        let parameters = object.into_iter().flatten().map(JsValue::from).chain(timestamp(now));
        self.call(&self.explain, &parameters.collect::<Vec<_>>())
    }

    pub(crate) fn about(&self) -> Result<Versions, JsValue> {
        self.call(&self.about, &[])
    }

    fn call<T: Lift>(&self, call: &Call, parameters: &[JsValue]) -> Result<T, JsValue> {
        call.made(parameters, &self.memory, &self.kinds)
    }

    fn lower<T>(&self, lower: impl FnOnce(Lowering<'_>) -> Result<T, JsValue>) -> Result<T, JsValue> {
        let room = |size: u32, align: u32| {
            let (none, align) = (JsValue::from(0), JsValue::from(align));
            self.realloc.call4(&JsValue::UNDEFINED, &none, &none, &align, &size.into()).map(|at| address(&at))
        };
        lower(Lowering { memory: &self.memory, room: &room })
    }
}

impl Call {
    /// The function of this name: in a core module, that of the interface and its version stands before it.
    fn of(exports: &Object, name: &str) -> Result<Self, JsValue> {
        let end = format!("#{name}");
        let names = Object::keys(exports).into_iter().filter_map(|known| known.as_string()).filter(|known| known.ends_with(&end));
        let (free, function): (Vec<String>, Vec<String>) = names.partition(|known| known.starts_with("cabi_post_"));
        let export = |name: Option<&String>| {
            let name = name.ok_or_else(|| JsValue::from(format!("the component does not export {end}")))?;
            Reflect::get(exports, &name.into()).map(JsCast::unchecked_into)
        };
        Ok(Self { function: export(function.first())?, free: export(free.first())? })
    }

    /// Calls the function, and reads its result.
    fn made<T: Lift>(&self, parameters: &[JsValue], memory: &Memory, kinds: &Kinds) -> Result<T, JsValue> {
        let parameters: Array = parameters.iter().collect();
        let at = self.function.apply(&JsValue::UNDEFINED, &parameters)?;
        let result = memory.lift(address(&at), kinds);
        self.free.call1(&JsValue::UNDEFINED, &at)?;
        Ok(result)
    }
}

fn timestamp(time: Timestamp) -> [JsValue; 2] {
    let (seconds, nanoseconds) = time::parts(time);
    [seconds.into(), nanoseconds.into()]
}

/// An address that JavaScript answered with.
fn address(value: &JsValue) -> u32 {
    // It is a whole number of 32 bits, with a sign that means nothing.
    value.as_f64().expect("a function of the canonical ABI answers with an address") as i32 as u32
}
