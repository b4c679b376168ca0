//! Compiles a component as the program `jobsmith` wants it: `precompile COMPONENT RESULT`.
//!
//! Docs: `cargo xtask build` calls it before it builds the program around the result. The settings are in `component.rs`.

use std::path::Path;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, component, result] = &arguments[..] else { anyhow::bail!("usage: precompile COMPONENT RESULT") };
    Ok(std::fs::write(result, host_embed::component::precompile(Path::new(component))?)?)
}
