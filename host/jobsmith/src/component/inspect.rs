//! `jobsmith component inspect`: what is in a component. The feature `inspect` adds it.
//!
//! Docs: the Component Model, "WIT"; `crates/component/wit/controllers.wit`. How a component is loaded and checked is in `host/embed/src/component.rs`.

use std::fmt::Write as _;
use std::path::Path;

use host_embed::{Component, Embedded, WIT, sections};
use wit_component::{DecodedWasm, WitPrinter};
use wit_parser::{PackageId, Resolve};

use crate::{CommandEnd, output};

/// Shows what is in the component in a file, or in the built-in one.
pub(super) fn run(file: Option<&Path>, wit: bool, embedded: Embedded) -> CommandEnd {
    match described(file, wit, embedded) {
        Ok(text) => {
            output::text(&text);
            CommandEnd::Reached
        }
        Err(error) => {
            output::error(&format!("{error:#}"));
            CommandEnd::BadInput
        }
    }
}

fn described(file: Option<&Path>, wit: bool, embedded: Embedded) -> anyhow::Result<String> {
    let (component, wasm) = match file {
        None => (Component::embedded(embedded)?, embedded.wasm.to_vec()),
        Some(file) => (Component::from_file(file)?, std::fs::read(file)?),
    };
    let mut interface = interface(&wasm)?;
    if known()?.starts_with(interface.trim_end()) {
        interface = WIT.to_owned();
    }
    if wit { Ok(interface) } else { Ok(summary(&component, &wasm) + "\n" + &interface) }
}

/// What the component says of itself, a line each.
fn summary(component: &Component, wasm: &[u8]) -> String {
    let about = component.about();
    let label = |name| sections::label(wasm, name).map(str::to_owned);
    let lines = [
        ("version", Some(about.component.clone())),
        ("Kubernetes", Some(about.kubernetes.clone())),
        ("time zones", about.time_zones.clone()),
        ("licence", label("licenses")),
        ("source", label("source")),
        ("revision", label("revision")),
        ("sha256", Some(component.sha256().to_owned())),
        ("size", Some(format!("{} bytes", wasm.len()))),
        ("imports", Some("none".to_owned())),
    ];
    let mut text = String::new();
    for (name, value) in lines {
        if let Some(value) = value {
            writeln!(text, "{name:<11} {value}").expect("a string takes all that is written");
        }
    }
    text
}

/// The interface of a component as WIT.
fn interface(wasm: &[u8]) -> anyhow::Result<String> {
    let decoded = wit_component::decode(wasm)?;
    let DecodedWasm::Component(resolve, world) = &decoded else { anyhow::bail!("it is a WIT package, not a component") };
    let mut text = String::new();
    for (key, _) in &resolve.worlds[*world].exports {
        let wit_parser::WorldKey::Interface(id) = key else { continue };
        let Some(package) = resolve.interfaces[*id].package else { continue };
        text += &printed(resolve, package)?;
    }
    Ok(text)
}

/// The interface that this program knows, as one is printed that comes without documentation.
fn known() -> anyhow::Result<String> {
    let mut resolve = Resolve::default();
    let package = resolve.push_str("controllers.wit", WIT)?;
    printed(&resolve, package)
}

fn printed(resolve: &Resolve, package: PackageId) -> anyhow::Result<String> {
    let mut printer = WitPrinter::default();
    printer.emit_docs(false);
    printer.print(resolve, package, &[])?;
    Ok(printer.output.to_string())
}
