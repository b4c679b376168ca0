//! An instance of the component's core module: its memory, and how its functions are called.
//!
//! Docs: Component Model, "Canonical ABI Explainer". A page loads no components, and through JavaScript objects the same values take three times as long.
//! Which functions there are, and how values lie in memory, is in `contract::canonical`. When an instance traps, `guest.rs` takes another one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use api::Text;
use contract::DecisionKind;
use contract::canonical::{self, AbiError, AbiMemory, AbiRoom, AbiSource, CoreInstance, CoreType, ExportedFunction, Slots, calls};
use js_sys::{Array, Error, Object, Reflect, Uint8Array, WebAssembly};
use wasm_bindgen::{JsCast, JsValue};

/// An instance. Its calls fail if it traps.
pub(crate) struct PageInstance {
    memory: PageMemory,
    /// Makes room in the memory.
    realloc: js_sys::Function,
    /// In the order of [`ExportedFunction::ALL`].
    exports: Vec<PageExport>,
    /// Where the message of a panic is, if the component keeps it.
    last_panic: Option<u32>,
}

/// A function of the interface.
struct PageExport {
    function: js_sys::Function,
    /// Frees the result, after it has been read.
    free: js_sys::Function,
}

impl PageInstance {
    /// The instance that exports these.
    pub(crate) fn new(exports: &Object) -> Result<Self, JsValue> {
        let functions = ExportedFunction::ALL.map(|function| PageExport::of(exports, function.name()));
        let last_panic = Reflect::get(exports, &"LAST_PANIC".into())?.dyn_into::<WebAssembly::Global>().ok();
        let mut instance = Self {
            memory: PageMemory { memory: Reflect::get(exports, &"memory".into())?.unchecked_into(), kinds: BTreeMap::new() },
            realloc: Reflect::get(exports, &"cabi_realloc".into())?.unchecked_into(),
            exports: functions.into_iter().collect::<Result<_, _>>()?,
            last_panic: last_panic.map(|global| address(&global.value())),
        };
        let kinds = calls::decision_kinds(&mut instance)?;
        instance.memory.kinds = kinds.into_iter().map(|kind| (kind.code.clone(), Arc::new(kind))).collect();
        Ok(instance)
    }

    fn attempt<Answer>(
        &mut self,
        function: ExportedFunction,
        lower: impl FnOnce(&mut Slots<'_>),
        size: usize,
        lift: impl FnOnce(AbiSource<'_>) -> Result<Answer, AbiError>,
    ) -> Result<Answer, JsValue> {
        let mut room = PageRoom { memory: &self.memory, realloc: &self.realloc, trap: None };
        let mut slots = Slots::new(&mut room);
        lower(&mut slots);
        let slots = slots.finish();
        if let Some(trap) = room.trap {
            return Err(trap);
        }
        let parameters: Array = function.parameters().iter().zip(slots).map(|(ty, slot)| parameter(*ty, slot)).collect();
        let export = &self.exports[function as usize];
        let at = export.function.apply(&JsValue::UNDEFINED, &parameters)?;
        let result = self.memory.read(address(&at), size);
        let answer = lift(AbiSource::new(&result, &self.memory)).map_err(|error| JsValue::from(format!("the component sent {error}")))?;
        export.free.call1(&JsValue::UNDEFINED, &at)?;
        Ok(answer)
    }

    /// The message of a panic, if there was one.
    fn panic_message(&self) -> Option<String> {
        let address = self.last_panic?;
        let length = self.memory.read(address, 4).try_into().map(u32::from_le_bytes).ok()?;
        let text = self.memory.read(address + 4, length as usize);
        (!text.is_empty()).then(|| String::from_utf8_lossy(&text).into_owned())
    }
}

impl CoreInstance for PageInstance {
    /// The message of the panic, or of what JavaScript throws.
    type Trap = String;

    fn call<Answer>(
        &mut self,
        function: ExportedFunction,
        lower: impl FnOnce(&mut Slots<'_>),
        size: usize,
        lift: impl FnOnce(AbiSource<'_>) -> Result<Answer, AbiError>,
    ) -> Result<Answer, String> {
        self.attempt(function, lower, size, lift).map_err(|thrown| self.panic_message().unwrap_or_else(|| message(&thrown)))
    }
}

impl PageExport {
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
}

/// The memory of an instance, and the kinds of decisions that its component knows.
struct PageMemory {
    memory: WebAssembly::Memory,
    kinds: BTreeMap<Text, Arc<DecisionKind>>,
}

impl PageMemory {
    /// A part of the memory as it is: it may be another one after the next call of the instance, when the memory has grown.
    fn view(&self, at: u32, length: usize) -> Uint8Array {
        let length = u32::try_from(length).expect("the memory is addressed by 32 bits");
        Uint8Array::new_with_byte_offset_and_length(&self.memory.buffer(), at, length)
    }

    fn write(&self, at: u32, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.view(at, bytes.len()).copy_from(bytes);
        }
    }

    fn read(&self, at: u32, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        if length > 0 {
            self.view(at, length).copy_to(&mut bytes);
        }
        bytes
    }
}

impl AbiMemory for PageMemory {
    /// JavaScript throws if the memory has no such part.
    fn bytes(&self, at: u32, length: usize) -> Option<Cow<'_, [u8]>> {
        Some(Cow::Owned(self.read(at, length)))
    }

    fn kind(&self, code: &str) -> Arc<DecisionKind> {
        self.kinds.get(code).cloned().unwrap_or_else(|| canonical::unlisted(code))
    }
}

/// Room in the memory of an instance. What is written belongs to the instance, which frees it.
struct PageRoom<'a> {
    memory: &'a PageMemory,
    realloc: &'a js_sys::Function,
    /// Why the instance trapped while it made room.
    trap: Option<JsValue>,
}

impl PageRoom<'_> {
    fn write(&mut self, bytes: &[u8], align: usize) -> u32 {
        if self.trap.is_some() {
            return 0;
        }
        let (none, align, size) = (JsValue::from(0), JsValue::from(align), JsValue::from(bytes.len()));
        match self.realloc.call4(&JsValue::UNDEFINED, &none, &none, &align, &size) {
            Ok(at) => {
                let at = address(&at);
                self.memory.write(at, bytes);
                at
            }
            Err(trap) => {
                self.trap = Some(trap);
                0
            }
        }
    }
}

impl AbiRoom for PageRoom<'_> {
    fn text(&mut self, text: &str) -> u32 {
        self.write(text.as_bytes(), 1)
    }

    fn list(&mut self, elements: &[u8], align: usize) -> u32 {
        self.write(elements, align)
    }
}

fn parameter(ty: CoreType, slot: u64) -> JsValue {
    match ty {
        CoreType::I32 => u32::try_from(slot).expect("the upper half is empty").into(),
        CoreType::I64 => slot.into(),
    }
}

/// An address that JavaScript answered with.
fn address(value: &JsValue) -> u32 {
    // It is a whole number of 32 bits, with a sign that means nothing.
    value.as_f64().expect("a function of the canonical ABI answers with an address") as i32 as u32
}

/// The message of what JavaScript throws.
pub(crate) fn message(thrown: &JsValue) -> String {
    let message = thrown.dyn_ref::<Error>().map(|error| String::from(error.message())).or_else(|| thrown.as_string());
    message.unwrap_or_else(|| "the thrown value is not an Error".to_owned())
}
