//! The program `jobsmith`: it runs what the command line names.
//!
//! Docs: `jobsmith --help`. The commands are in `lib.rs`; the component that it carries is loaded by `host/embed/`.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::process::ExitCode;

use host_embed::Embedded;

/// The component; `cargo xtask build` makes it, and this program after it.
const COMPONENT: Embedded = Embedded {
    wasm: include_bytes!("../component/controllers.wasm"), // is it not there? Run `cargo xtask build`
    precompiled: include_bytes!("../component/controllers.cwasm"), // is it not there? Run `cargo xtask build`
};

/// The playground's page, if it was built before; `cargo xtask build` packs it.
const PAGE: &[u8] = include_bytes!("../component/page.pack"); // is it not there? Run `cargo xtask build`

fn main() -> ExitCode {
    if let Some(code) = host_node::stand_in(std::env::args_os()) {
        return code;
    }
    match jobsmith::run(COMPONENT, PAGE) {
        Ok(end) => end.into(),
        Err(error) => {
            jobsmith::report(&error);
            ExitCode::FAILURE
        }
    }
}
