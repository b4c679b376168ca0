//! Makes what is checked in or shipped and needs more than a compiler: the page, the bindings' types, packages, time zones.
//!
//! Docs: `cargo xtask help`, which starts it. The page is built in `web.rs`, the types of other languages in `bindings/`, packages in `package/`, the time
//! zones of schedules in `zones.rs`.

mod bindings;
mod package;
mod web;
mod zones;

use std::ffi::OsString;
use std::process::ExitCode;

use xtask::workspace::{Workspace, print_line};
// The modules here find them in the crate, as those of `xtask` do.
use xtask::{cargo, component, program, rust, sources, workspace};

fn main() -> ExitCode {
    match run(&std::env::args_os().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_line(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[OsString]) -> anyhow::Result<()> {
    let workspace = Workspace::current()?;
    let (command, arguments) = arguments.split_first().map_or((None, arguments), |(command, rest)| (command.to_str(), rest));
    match command {
        Some("web") => web::build(&workspace),
        Some("bindings") => bindings::write(&workspace),
        Some("package") => package::run(&workspace, arguments),
        Some("package-for-tests") => package::for_tests(&workspace),
        Some("zones") => zones::write(&workspace),
        _ => anyhow::bail!("usage: release web|bindings|package|package-for-tests|zones"),
    }
}
