//! Loads the component that holds the controllers, and refuses what is none.
//!
//! Docs: `crates/component/wit/controllers.wit`. An instance of it is driven in `guest.rs`; `cargo xtask build` makes both forms of it.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use contract::DecisionKind;
use sha2::{Digest as _, Sha256};
use target_lexicon::Triple;
use wasmtime::component::Linker;
use wasmtime::{Config, Engine, Store};

use crate::border::{ControllersPre, Kinds};

/// What a component begins with; a core module begins otherwise.
const PREAMBLE: &[u8] = b"\0asm\x0d\0\x01\0";
/// The interface that a component exports, before its version.
const INTERFACE: &str = "jobsmith:controllers/manager@";
/// The version of the interface that this host knows. Until 1.0 each minor version is another shape.
const KNOWN: &str = "0.2";

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
    pub(crate) instances: ControllersPre<()>,
    pub(crate) kinds: Arc<Kinds>,
    sha256: LazyDigest,
    about: About,
}

/// A SHA-256 in hexadecimal, computed when it is first wanted: most commands start and end without it.
type LazyDigest = Arc<LazyLock<String, Box<dyn FnOnce() -> String + Send>>>;

/// The versions that a component reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The version of the component.
    pub version: String,
    /// The version of Kubernetes that it follows: `v1.37`.
    pub kubernetes: String,
    /// The version of the time zone database in it, if it has one: `2026b`.
    pub time_zones: Option<String>,
}

/// Why a file is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} is not a jobsmith component: {reason}")]
pub struct Refused {
    /// The file.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Component {
    /// Loads the component that the program carries, and compiles it again if the compiled form does not fit this machine.
    ///
    /// # Errors
    /// If it is not one of our components, which `cargo xtask build` rules out.
    pub fn embedded(embedded: Embedded) -> Result<Self, Refused> {
        let load = |engine: &Engine| {
            deserialize(engine, embedded.precompiled).or_else(|_| wasmtime::component::Component::from_binary(engine, embedded.wasm))
        };
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
        Self::checked(&name, &wasm, digest, |engine| wasmtime::component::Component::from_binary(engine, &wasm))
    }

    fn checked(
        name: &str,
        wasm: &[u8],
        sha256: LazyDigest,
        load: impl FnOnce(&Engine) -> wasmtime::Result<wasmtime::component::Component>,
    ) -> Result<Self, Refused> {
        let refused = |reason: String| Refused { name: name.to_owned(), reason };
        if !wasm.starts_with(PREAMBLE) {
            return Err(refused("it is not a WebAssembly component".to_owned()));
        }
        let engine = engine();
        let component = load(&engine).map_err(|error| refused(format!("{error:#}")))?;
        let imports: Vec<String> = component.component_type().imports(&engine).map(|(import, _)| import.to_owned()).collect();
        if !imports.is_empty() {
            return Err(refused(format!("it imports {}; a component of controllers imports nothing", imports.join(", "))));
        }
        let exports = component.component_type();
        check_version(exports.exports(&engine).map(|(export, _)| export)).map_err(refused)?;
        let instances = Linker::new(&engine)
            .instantiate_pre(&component)
            .and_then(ControllersPre::new)
            .map_err(|error| refused(format!("{error:#}")))?;
        let (about, kinds) = first_instance(&instances).map_err(|error| refused(format!("{error:#}")))?;
        Ok(Self { instances, kinds: kinds.into(), sha256, about })
    }

    /// The versions that the component reports.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// All kinds of decisions that it takes, sorted by code.
    pub fn decision_kinds(&self) -> impl Iterator<Item = &DecisionKind> {
        self.kinds.iter()
    }

    /// The SHA-256 of the component, in hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// Checks that a component with these exports has the interface in a version that this host knows.
fn check_version<'a>(exports: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let versions: Vec<&str> = exports.filter_map(|export| export.strip_prefix(INTERFACE)).collect();
    if versions.iter().any(|version| version.rsplit_once('.').is_some_and(|(minor, _)| minor == KNOWN)) {
        return Ok(());
    }
    let interface = INTERFACE.trim_end_matches('@');
    Err(match versions[..] {
        [] => format!("it does not export the interface {interface}"),
        _ => format!("it exports version {} of the interface {interface}; this jobsmith runs version {KNOWN}", versions.join(", ")),
    })
}

/// Reads from a first instance what the component is, and which decisions it takes.
fn first_instance(instances: &ControllersPre<()>) -> wasmtime::Result<(About, Kinds)> {
    let mut store = Store::new(instances.engine(), ());
    let instance = instances.instantiate(&mut store)?;
    let manager = instance.jobsmith_controllers_manager();
    let versions = manager.call_about(&mut store)?;
    let kinds = Kinds::new(manager.call_decision_kinds(&mut store)?);
    Ok((About { version: versions.component, kubernetes: versions.kubernetes, time_zones: versions.time_zones }, kinds))
}

/// Compiles the component in a file for all machines of this kind, as [`Embedded::precompiled`] has it.
///
/// # Errors
/// If the file cannot be read or is not a component.
pub fn precompile(path: &Path) -> Result<Vec<u8>, Refused> {
    let wasm = read(path)?;
    engine().precompile_component(&wasm).map_err(|error| Refused { name: path.display().to_string(), reason: format!("{error:#}") })
}

fn read(path: &Path) -> Result<Vec<u8>, Refused> {
    std::fs::read(path).map_err(|error| Refused { name: path.display().to_string(), reason: format!("it cannot be read: {error}") })
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
    // After a trap the memory is searched for the message of the panic.
    config.coredump_on_trap(true);
    Engine::new(&config).expect("the settings fit together")
}

/// Loads what [`precompile`] made; fails if another version, or for another machine, made it.
#[expect(unsafe_code, reason = "machine code is run as it is")]
fn deserialize(engine: &Engine, precompiled: &[u8]) -> wasmtime::Result<wasmtime::component::Component> {
    // SAFETY: the bytes are those of `Embedded::precompiled`, which come from `precompile` and have been part of the program since it was built.
    unsafe { wasmtime::component::Component::deserialize(engine, precompiled) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(content: &[u8]) -> String {
        let file = std::env::temp_dir().join(format!("jobsmith-{}-{}", std::process::id(), content.len()));
        std::fs::write(&file, content).unwrap();
        let refused = Component::from_file(&file).err().unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(refused.to_string().contains("is not a jobsmith component: "));
        refused.reason
    }

    #[test]
    fn what_is_no_component_is_refused() {
        let core_module = b"\0asm\x01\0\0\0";
        for content in [&b""[..], b"kind: Job", core_module] {
            assert_eq!(refusal(content), "it is not a WebAssembly component");
        }
        assert!(Component::from_file(Path::new("/no/such/file")).err().unwrap().reason.starts_with("it cannot be read: "));
    }

    #[test]
    fn a_component_that_lacks_an_export_is_refused() {
        assert_eq!(refusal(PREAMBLE), "it does not export the interface jobsmith:controllers/manager");
    }

    #[test]
    fn a_component_of_another_version_is_refused() {
        // A component that exports an empty instance under that name, written out: an instance section, then an export section.
        let named = |version: &str| {
            let name = [INTERFACE.as_bytes(), version.as_bytes()].concat();
            let export = [b"\x01\x00", &[u8::try_from(name.len()).unwrap()][..], &name, b"\x05\x00\x00"].concat();
            [PREAMBLE, b"\x05\x03\x01\x01\x00", b"\x0b", &[u8::try_from(export.len()).unwrap()], &export].concat()
        };
        for version in ["0.1.0", "0.30.0", "1.2.0"] {
            assert_eq!(
                refusal(&named(version)),
                format!("it exports version {version} of the interface jobsmith:controllers/manager; this jobsmith runs version {KNOWN}")
            );
        }
        assert!(!refusal(&named("0.2.7")).contains("this jobsmith runs"), "it is refused only because nothing is in it");
    }

    #[test]
    fn a_component_that_imports_is_refused() {
        // A component whose one import is an instance `clock`, written out: a type section, then an import section.
        let importing = [PREAMBLE, b"\x07\x03\x01\x42\x00", b"\x0a\x0a\x01\x00\x05clock\x05\x00"].concat();
        assert_eq!(refusal(&importing), "it imports clock; a component of controllers imports nothing");
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
            &About {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                kubernetes: "v1.37".to_owned(),
                time_zones: Some(schedule::TZDB_VERSION.to_owned())
            }
        );
        assert_eq!(component.sha256().len(), 64);
    }
}
