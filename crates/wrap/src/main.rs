//! Wraps a core module as a component: `wrap MODULE WIT [LABEL=TEXT…]` prints the component that exports the one world of the WIT; with `-` for a
//! module that carries its own.
//!
//! Docs: the Component Model, "Binary Format". `crates/xtask/src/component.rs` builds the module and calls this; the program
//! compiles what comes out for this machine, in `host/embed/src/bin/precompile.rs`.

use std::io::Write as _;

use anyhow::{Context as _, bail, ensure};
use wit_component::{ComponentEncoder, DecodedWasm, StringEncoding};
use wit_parser::Resolve;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, module, wit, labels @ ..] = &arguments[..] else { bail!("usage: wrap MODULE WIT [LABEL=TEXT…]") };
    let mut module = std::fs::read(module).with_context(|| format!("{module} cannot be read"))?;
    if wit != "-" {
        let mut resolve = Resolve::default();
        let package = resolve.push_file(wit)?;
        let world = resolve.select_world(&[package], None)?;
        wit_component::embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8, false)?;
    }
    let mut component = ComponentEncoder::default()
        .module(&module)
        .and_then(|encoder| encoder.validate(true).encode())
        .context("cannot make a component from the core module")?;
    check(&component)?;
    for label in labels {
        let (name, text) = label.split_once('=').with_context(|| format!("{label} is not LABEL=TEXT"))?;
        component.extend(section(name, text)?);
    }
    Ok(std::io::stdout().write_all(&component)?)
}

/// Checks that a component imports nothing.
fn check(component: &[u8]) -> anyhow::Result<()> {
    let DecodedWasm::Component(resolve, world) = wit_component::decode(component)? else { bail!("this is not a component") };
    let imports: Vec<String> = resolve.worlds[world].imports.keys().map(|key| resolve.name_world_key(key)).collect();
    ensure!(imports.is_empty(), "the component must not import anything, but imports {}", imports.join(", "));
    Ok(())
}

/// A custom section: its number, its length, its name with the name's length, and its text.
fn section(name: &str, text: &str) -> anyhow::Result<Vec<u8>> {
    let content = [leb128(name.len())?, name.into(), text.into()].concat();
    Ok([vec![0], leb128(content.len())?, content].concat())
}

/// A length as WebAssembly writes it: seven bits a byte, the lowest first.
fn leb128(length: usize) -> anyhow::Result<Vec<u8>> {
    let mut rest = u32::try_from(length)?;
    let mut bytes = Vec::new();
    while rest >= 0x80 {
        bytes.push(u8::try_from(rest & 0x7f)? | 0x80);
        rest >>= 7;
    }
    bytes.push(u8::try_from(rest)?);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_that_imports_is_not_shipped() {
        // A component whose one import is an instance `clock`, written out: its preamble, a type section, an import section.
        let importing = b"\0asm\x0d\0\x01\0\x07\x03\x01\x42\x00\x0a\x0a\x01\x00\x05clock\x05\x00";
        assert_eq!(check(importing).unwrap_err().to_string(), "the component must not import anything, but imports clock");
    }

    #[test]
    fn a_label_is_a_custom_section() {
        assert_eq!(section("source", "here").unwrap(), b"\0\x0b\x06sourcehere");
        let long = section("source", &"x".repeat(200)).unwrap();
        assert_eq!(&long[..4], b"\0\xcf\x01\x06", "207 bytes in two groups of seven bits");
    }
}
