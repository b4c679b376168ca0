//! An instance of the component's core module: its memory, and how its functions are called.
//!
//! Docs: Component Model, "Canonical ABI Explainer". Which functions there are, and how values lie in memory, is in `contract::canonical`. When an instance
//! traps, `guest.rs` takes another one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use api::Text;
use contract::DecisionKind;
use contract::canonical::{self, AbiError, AbiMemory, AbiRoom, AbiSource, CoreInstance, CoreType, ExportedFunction, Slots};
use wasmtime::{Error, Func, Global, InstancePre, Result, Store, TypedFunc, Val, ValType, format_err};

/// The kinds of decisions that a component knows, by their codes.
pub(crate) type KindsByCode = BTreeMap<Text, Arc<DecisionKind>>;

/// An instance. Once a call has failed, all that follow fail for the same reason.
pub(crate) struct HostInstance {
    store: Store<()>,
    memory: wasmtime::Memory,
    /// Makes room in the memory.
    realloc: TypedFunc<(u32, u32, u32, u32), u32>,
    /// In the order of [`ExportedFunction::ALL`].
    exports: Vec<HostExport>,
    /// Where the message of a panic is, if the component keeps it.
    last_panic: Option<Global>,
    kinds: Arc<KindsByCode>,
    lost: Option<String>,
}

/// A function of the interface.
struct HostExport {
    function: Func,
    /// Frees the result, after it has been read.
    free: TypedFunc<u32, ()>,
}

impl HostInstance {
    /// Makes an instance of a module whose functions have the name of the `interface` before their own.
    pub(crate) fn new(module: &InstancePre<()>, interface: &str, kinds: Arc<KindsByCode>) -> Result<Self> {
        let mut store = Store::new(module.module().engine(), ());
        let instance = module.instantiate(&mut store)?;
        let memory = instance.get_memory(&mut store, "memory").ok_or_else(|| format_err!("it exports no memory"))?;
        let realloc = instance.get_typed_func(&mut store, "cabi_realloc")?;
        let last_panic = instance.get_global(&mut store, "LAST_PANIC");
        let exports = ExportedFunction::ALL.map(|function| {
            let name = format!("{interface}#{}", function.name());
            let free = instance.get_typed_func(&mut store, &format!("cabi_post_{name}"))?;
            let export = instance.get_func(&mut store, &name).ok_or_else(|| format_err!("it does not export {name}"))?;
            let ty = export.ty(&store);
            if !fit(ty.params(), function.parameters()) || !fit(ty.results(), &[CoreType::I32]) {
                return Err(format_err!("its function {name} has an unexpected type"));
            }
            Ok(HostExport { function: export, free })
        });
        let exports = exports.into_iter().collect::<Result<_>>()?;
        Ok(Self { store, memory, realloc, exports, last_panic, kinds, lost: None })
    }

    fn attempt<Answer>(
        &mut self,
        function: ExportedFunction,
        lower: impl FnOnce(&mut Slots<'_>),
        size: usize,
        lift: impl FnOnce(AbiSource<'_>) -> std::result::Result<Answer, AbiError>,
    ) -> Result<Answer> {
        let Self { store, memory, realloc, exports, kinds, .. } = self;
        let HostExport { function: export, free } = &exports[function as usize];
        let mut room = HostRoom { store, memory: *memory, realloc, failed: None };
        let mut slots = Slots::new(&mut room);
        lower(&mut slots);
        let slots = slots.finish();
        room.failed.map_or(Ok(()), Err)?;

        let parameters: Vec<Val> = function.parameters().iter().zip(slots).map(|(ty, slot)| parameter(*ty, slot)).collect();
        let mut results = [Val::I32(0)];
        export.call(&mut *store, &parameters, &mut results)?;
        let at = results[0].unwrap_i32().cast_unsigned();

        let memory = HostMemory { bytes: memory.data(&*store), kinds };
        let sent = |error: AbiError| format_err!("the component sent {error}");
        let result = memory.bytes(at, size).ok_or(AbiError::Address).map_err(sent)?;
        let answer = lift(AbiSource::new(&result, &memory)).map_err(sent)?;
        free.call(store, at)?;
        Ok(answer)
    }

    /// The message of a panic, if there was one.
    fn panic_message(&mut self) -> Option<String> {
        let address = self.last_panic?.get(&mut self.store).i32()?;
        let memory = self.memory.data(&self.store);
        let (length, text) = memory.get(address.cast_unsigned() as usize..)?.split_first_chunk()?;
        let text = text.get(..u32::from_le_bytes(*length) as usize)?;
        (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
    }
}

impl CoreInstance for HostInstance {
    /// The message of the panic, or what else went wrong.
    type Trap = String;

    fn call<Answer>(
        &mut self,
        function: ExportedFunction,
        lower: impl FnOnce(&mut Slots<'_>),
        size: usize,
        lift: impl FnOnce(AbiSource<'_>) -> std::result::Result<Answer, AbiError>,
    ) -> std::result::Result<Answer, String> {
        if let Some(reason) = &self.lost {
            return Err(reason.clone());
        }
        self.attempt(function, lower, size, lift).map_err(|error| {
            let reason = self.panic_message().unwrap_or_else(|| format!("{:#}", error.root_cause()));
            self.lost.insert(reason).clone()
        })
    }
}

/// Whether parameters or results have these types.
fn fit(known: impl Iterator<Item = ValType>, types: &[CoreType]) -> bool {
    let known = known.map(|ty| match ty {
        ValType::I32 => Some(CoreType::I32),
        ValType::I64 => Some(CoreType::I64),
        ValType::F32 | ValType::F64 | ValType::V128 | ValType::Ref(_) => None,
    });
    known.eq(types.iter().map(|ty| Some(*ty)))
}

fn parameter(ty: CoreType, slot: u64) -> Val {
    match ty {
        CoreType::I32 => Val::I32(u32::try_from(slot).expect("the upper half is empty").cast_signed()),
        CoreType::I64 => Val::I64(slot.cast_signed()),
    }
}

/// The memory of an instance between two calls.
struct HostMemory<'a> {
    bytes: &'a [u8],
    kinds: &'a KindsByCode,
}

impl AbiMemory for HostMemory<'_> {
    fn bytes(&self, at: u32, length: usize) -> Option<Cow<'_, [u8]>> {
        self.bytes.get(at as usize..)?.get(..length).map(Cow::Borrowed)
    }

    fn kind(&self, code: &str) -> Arc<DecisionKind> {
        self.kinds.get(code).cloned().unwrap_or_else(|| canonical::unlisted(code))
    }
}

/// Room in the memory of an instance. What is written belongs to the instance, which frees it.
struct HostRoom<'a> {
    store: &'a mut Store<()>,
    memory: wasmtime::Memory,
    realloc: &'a TypedFunc<(u32, u32, u32, u32), u32>,
    /// Why the instance was lost while it made room.
    failed: Option<Error>,
}

impl HostRoom<'_> {
    fn write(&mut self, bytes: &[u8], align: usize) -> u32 {
        if self.failed.is_some() {
            return 0;
        }
        self.written(bytes, align).unwrap_or_else(|error| {
            self.failed = Some(error);
            0
        })
    }

    fn written(&mut self, bytes: &[u8], align: usize) -> Result<u32> {
        let at = self.realloc.call(&mut *self.store, (0, 0, u32::try_from(align)?, u32::try_from(bytes.len())?))?;
        self.memory.write(&mut *self.store, at as usize, bytes)?;
        Ok(at)
    }
}

impl AbiRoom for HostRoom<'_> {
    fn text(&mut self, text: &str) -> u32 {
        self.write(text.as_bytes(), 1)
    }

    fn list(&mut self, elements: &[u8], align: usize) -> u32 {
        self.write(elements, align)
    }
}
