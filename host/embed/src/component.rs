//! Loads the component that contains the controllers, and refuses other files.
//!
//! Docs: `crates/component/wit/controllers.wit`; Component Model, "Binary Format". A component of controllers is one core module that imports nothing in a
//! frame that describes its interface; the module is what runs. An instance of it is driven in `guest.rs`; `cargo xtask build` makes both forms of it.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use contract::canonical::calls;
use contract::{DecisionKind, Versions};
use sha2::{Digest as _, Sha256};
use target_lexicon::Triple;
use wasmtime::{Config, Engine, InstancePre, Linker, Module};

use crate::instance::{HostInstance, KindsByCode};
use crate::sections::{counted, cut_short, leb128, sections};

/// What a component begins with; a core module begins otherwise.
const PREAMBLE: &[u8] = b"\0asm\x0d\0\x01\0";
/// The number of the section that holds a core module.
const CORE_MODULE: u8 = 1;
/// The number of the section that holds a component's imports.
const IMPORTS: u8 = 10;
/// The interface that a component exports, before its version.
const INTERFACE: &str = "jobsmith:controllers/manager@";
/// The version of the interface that this host knows. Until 1.0, each minor version may differ in its types.
const KNOWN: &str = "0.3";

/// The component as a program carries it.
#[derive(Debug, Clone, Copy)]
pub struct Embedded {
    /// The component itself.
    pub wasm: &'static [u8],
    /// What [`precompile`] made of it.
    pub precompiled: &'static [u8],
}

/// A component that was checked and compiled, ready for instances.
#[derive(Clone)]
pub struct Component {
    module: InstancePre<()>,
    /// The name of the interface with its version.
    interface: String,
    kinds: Arc<KindsByCode>,
    sha256: LazyDigest,
    about: Versions,
}

/// A SHA-256 in hexadecimal, computed when it is first wanted: most commands start and end without it.
type LazyDigest = Arc<LazyLock<String, Box<dyn FnOnce() -> String + Send>>>;

/// Why a component cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The file cannot be read.
    #[error("cannot read {name}: {reason}")]
    Unreadable {
        /// The file.
        name: String,
        /// Why.
        reason: String,
    },
    /// The file is something else.
    #[error("{name} is not a jobsmith component: {reason}")]
    NotAComponent {
        /// The file.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Component {
    /// Loads the component that the program carries, and compiles it again if the compiled form does not fit this machine.
    ///
    /// # Errors
    /// If it is not one of our components, which `cargo xtask build` rules out.
    pub fn embedded(embedded: Embedded) -> Result<Self, Refused> {
        let load =
            |engine: &Engine, module: &[u8]| deserialize(engine, embedded.precompiled).or_else(|_| Module::from_binary(engine, module));
        let digest: LazyDigest = Arc::new(LazyLock::new(Box::new(|| sha256(embedded.wasm))));
        Self::checked("the embedded component", embedded.wasm, digest, load)
    }

    /// Loads a component from a file.
    ///
    /// # Errors
    /// If the file cannot be read, is not a component, imports anything, or lacks an export.
    pub fn from_file(path: &Path) -> Result<Self, Refused> {
        let name = path.display().to_string();
        let wasm = read(path)?;
        let content = sha256(&wasm);
        let digest: LazyDigest = Arc::new(LazyLock::new(Box::new(|| content)));
        Self::checked(&name, &wasm, digest, Module::from_binary)
    }

    fn checked(
        name: &str,
        wasm: &[u8],
        sha256: LazyDigest,
        load: impl FnOnce(&Engine, &[u8]) -> wasmtime::Result<Module>,
    ) -> Result<Self, Refused> {
        let refused = |reason: String| Refused::NotAComponent { name: name.to_owned(), reason };
        let failed = |error: wasmtime::Error| refused(format!("{error:#}"));
        let engine = engine();
        let module = load(&engine, core_module(wasm).map_err(refused)?).map_err(failed)?;
        let interface = checked_interface(module.exports().map(|export| export.name())).map_err(refused)?;
        let module = Linker::new(&engine).instantiate_pre(&module).map_err(failed)?;
        let (about, kinds) = first_instance(&module, &interface).map_err(refused)?;
        Ok(Self { module, interface, kinds: kinds.into(), sha256, about })
    }

    /// Makes an instance.
    pub(crate) fn instantiate(&self) -> wasmtime::Result<HostInstance> {
        HostInstance::new(&self.module, &self.interface, Arc::clone(&self.kinds))
    }

    /// The versions that the component reports.
    #[must_use]
    pub fn about(&self) -> &Versions {
        &self.about
    }

    /// All kinds of decisions that it takes, sorted by code.
    pub fn decision_kinds(&self) -> impl Iterator<Item = &DecisionKind> {
        self.kinds.values().map(|kind| &**kind)
    }

    /// The SHA-256 of the component, in hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// The one core module of a component that imports nothing.
fn core_module(wasm: &[u8]) -> Result<&[u8], String> {
    if !wasm.starts_with(PREAMBLE) {
        return Err("it is not a WebAssembly component".to_owned());
    }
    if cut_short(wasm) {
        return Err("it ends in the middle of a section: the file is incomplete or damaged".to_owned());
    }
    if let Some((_, imports)) = sections(wasm).find(|(id, _)| *id == IMPORTS) {
        // Each import begins with a byte for the kind of its name.
        let first = leb128(imports).and_then(|(_, imports)| counted(imports.get(1..)?)).map(|(name, _)| String::from_utf8_lossy(name));
        return Err(format!("it imports {}; a component with controllers must import nothing", first.unwrap_or_default()));
    }
    let modules: Vec<&[u8]> = sections(wasm).filter(|(id, _)| *id == CORE_MODULE).map(|(_, module)| module).collect();
    match modules[..] {
        [module] => Ok(module),
        [] => Err(lacks_interface()),
        _ => Err(format!("it contains {} core modules instead of one", modules.len())),
    }
}

/// The interface of a core module with these exports, in a version that this host knows, as the prefix of each function's name.
fn checked_interface<'a>(exports: impl Iterator<Item = &'a str>) -> Result<String, String> {
    let mut versions: Vec<&str> = exports.filter_map(|export| Some(export.strip_prefix(INTERFACE)?.split_once('#')?.0)).collect();
    versions.dedup();
    if let Some(version) = versions.iter().find(|version| version.rsplit_once('.').is_some_and(|(minor, _)| minor == KNOWN)) {
        return Ok(format!("{INTERFACE}{version}"));
    }
    if versions.is_empty() {
        return Err(lacks_interface());
    }
    let interface = INTERFACE.trim_end_matches('@');
    Err(format!("it exports version {} of the interface {interface}; this jobsmith runs version {KNOWN}", versions.join(", ")))
}

fn lacks_interface() -> String {
    format!("it does not export the interface {}", INTERFACE.trim_end_matches('@'))
}

/// Reads from a first instance what the component is, and which decisions it takes.
fn first_instance(module: &InstancePre<()>, interface: &str) -> Result<(Versions, KindsByCode), String> {
    let mut instance = HostInstance::new(module, interface, Arc::default()).map_err(|error| format!("{error:#}"))?;
    let kinds = calls::decision_kinds(&mut instance)?;
    Ok((calls::about(&mut instance)?, kinds.into_iter().map(|kind| (kind.code.clone(), Arc::new(kind))).collect()))
}

/// Compiles the component in a file for all machines of this kind, as [`Embedded::precompiled`] has it.
///
/// # Errors
/// If the file cannot be read or is not a component.
pub fn precompile(path: &Path) -> Result<Vec<u8>, Refused> {
    let wasm = read(path)?;
    let compiled = core_module(&wasm).and_then(|module| engine().precompile_module(module).map_err(|error| format!("{error:#}")));
    compiled.map_err(|reason| Refused::NotAComponent { name: path.display().to_string(), reason })
}

fn read(path: &Path) -> Result<Vec<u8>, Refused> {
    std::fs::read(path).map_err(|error| Refused::Unreadable { name: path.display().to_string(), reason: error.to_string() })
}

fn sha256(content: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(content) {
        write!(text, "{byte:02x}").expect("a string takes all that is written");
    }
    text
}

fn engine() -> Engine {
    let mut config = Config::new();
    // The same results on every machine: not-a-numbers have one form, and no processor's own instructions are used,
    // so that what was compiled on one machine runs on the next.
    config.cranelift_nan_canonicalization(true);
    config.target(&Triple::host().to_string()).expect("this machine is a target");
    Engine::new(&config).expect("the settings fit together")
}

/// Loads what [`precompile`] made; fails if another version, or for another machine, made it.
#[expect(unsafe_code, reason = "machine code is run as it is")]
fn deserialize(engine: &Engine, precompiled: &[u8]) -> wasmtime::Result<Module> {
    // SAFETY: the bytes are those of `Embedded::precompiled`, which come from `precompile` and have been part of the program since it was built.
    unsafe { Module::deserialize(engine, precompiled) }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn refusal(content: &[u8]) -> String {
        static FILES: AtomicUsize = AtomicUsize::new(0);
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let file = std::env::temp_dir().join(format!("jobsmith-{}-{number}", std::process::id()));
        std::fs::write(&file, content).unwrap();
        let refused = Component::from_file(&file).err().unwrap().to_string();
        std::fs::remove_file(&file).unwrap();
        refused.split_once(" is not a jobsmith component: ").unwrap().1.to_owned()
    }

    #[test]
    fn what_is_no_component_is_refused() {
        let core_module = b"\0asm\x01\0\0\0";
        for content in [&b""[..], b"kind: Job", core_module] {
            assert_eq!(refusal(content), "it is not a WebAssembly component");
        }
        assert!(Component::from_file(Path::new("/no/such/file")).err().unwrap().to_string().starts_with("cannot read /no/such/file: "));
    }

    /// A component around core modules that export an empty memory under these names, written out.
    fn component(exports: &[&str]) -> Vec<u8> {
        let module = |name: &&str| {
            let export = [b"\x01", &[u8::try_from(name.len()).unwrap()][..], name.as_bytes(), b"\x02\0"].concat();
            let module = [b"\0asm\x01\0\0\0\x05\x03\x01\0\0\x07", &[u8::try_from(export.len()).unwrap()][..], &export].concat();
            [&[CORE_MODULE, u8::try_from(module.len()).unwrap()][..], &module].concat()
        };
        [PREAMBLE.to_vec(), exports.iter().flat_map(module).collect()].concat()
    }

    #[test]
    fn a_component_that_lacks_an_export_is_refused() {
        for nothing in [PREAMBLE.to_vec(), component(&["memory"])] {
            assert_eq!(refusal(&nothing), "it does not export the interface jobsmith:controllers/manager");
        }
        assert_eq!(refusal(&component(&["jobsmith:controllers/manager@0.3.0#handle"])), "it exports no memory");
    }

    #[test]
    fn a_component_that_is_cut_short_is_refused() {
        let whole = component(&["jobsmith:controllers/manager@0.3.0#handle"]);
        for length in [PREAMBLE.len() + 1, whole.len() / 2, whole.len() - 1] {
            assert_eq!(refusal(&whole[..length]), "it ends in the middle of a section: the file is incomplete or damaged");
        }
    }

    #[test]
    fn a_component_of_several_core_modules_is_refused() {
        assert_eq!(refusal(&component(&["a", "b"])), "it contains 2 core modules instead of one");
    }

    #[test]
    fn a_component_of_another_version_is_refused() {
        let named = |version: &str| component(&[&format!("{INTERFACE}{version}#about")]);
        for version in ["0.2.0", "0.30.0", "1.2.0"] {
            assert_eq!(
                refusal(&named(version)),
                format!("it exports version {version} of the interface jobsmith:controllers/manager; this jobsmith runs version {KNOWN}")
            );
        }
        assert!(!refusal(&named("0.3.7")).contains("this jobsmith runs"), "it is refused only because nothing is in it");
    }

    #[test]
    fn a_component_that_imports_is_refused() {
        // A component whose one import is an instance `clock`, written out: a type section, then an import section.
        let importing = [PREAMBLE, b"\x07\x03\x01\x42\x00", b"\x0a\x0a\x01\x00\x05clock\x05\x00"].concat();
        assert_eq!(refusal(&importing), "it imports clock; a component with controllers must import nothing");
    }

    #[test]
    fn what_was_not_precompiled_for_this_program_is_compiled() {
        let embedded = crate::guest::tests::embedded();
        let component = Component::embedded(Embedded { precompiled: b"another version's", ..embedded }).unwrap();
        assert_eq!(component.sha256(), crate::guest::tests::component().sha256());
    }

    #[test]
    fn the_component_reports_its_versions() {
        let component = crate::guest::tests::component();
        assert_eq!(
            component.about(),
            &Versions {
                component: env!("CARGO_PKG_VERSION").to_owned(),
                kubernetes: "v1.37".to_owned(),
                time_zones: Some(schedule::TZDB_VERSION.to_owned())
            }
        );
        assert_eq!(component.sha256().len(), 64);
    }
}
