//! Installs Rust's standard library for WebAssembly, and reads the version of the compiler.
//!
//! Docs: The rustup book, "Cross-compilation". What is built with it is in `component.rs` and `crates/release/src/web.rs`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::workspace::print_line;

/// The target without any system: what is built for it cannot import one.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// The standard library for [`TARGET`].
pub fn add_target() -> anyhow::Result<()> {
    let library = rustc(&["--print=target-libdir", "--target", TARGET])?;
    if Path::new(&library).exists() {
        return Ok(());
    }
    print_line(&format!("adding Rust's standard library for {TARGET}"));
    match Command::new("rustup").args(["target", "add", TARGET]).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => bail!("`rustup target add {TARGET}` failed"),
        Err(_) => {
            bail!(
                "Rust's standard library for {TARGET} is missing, and rustup is not installed: install Rust with rustup, or add the target"
            )
        }
    }
}

/// Where the source of the standard library is, if it is installed.
pub fn source() -> anyhow::Result<String> {
    Ok(format!("{}/lib/rustlib/src/rust", rustc(&["--print=sysroot"])?))
}

/// What the compiler reports about itself.
pub fn rustc(arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("rustc").args(arguments).output().context("cannot start rustc")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
