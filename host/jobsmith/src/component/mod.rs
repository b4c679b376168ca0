//! `jobsmith component`: the component as a file, and what is in one.
//!
//! Docs: `crates/component/wit/controllers.wit`. What is in a component is read in `component/inspect.rs`; how one is loaded and checked is in
//! `host/embed/src/component.rs`.

#[cfg(feature = "inspect")]
mod inspect;

use std::path::{Path, PathBuf};

use host_embed::Embedded;

use super::{CommandEnd, output};

/// The arguments of `jobsmith component`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: ComponentCommand,
}

#[derive(clap::Subcommand)]
enum ComponentCommand {
    /// Write the built-in component to a file, for hosts in other languages
    Export {
        /// The file to write; `-` for standard output
        file: PathBuf,
    },
    #[cfg(feature = "inspect")]
    /// Show a component's versions, licence, source, revision, hash and size, and its interface as WIT, documented if it is the one that this program knows
    Inspect {
        /// The component [default: the built-in one]
        file: Option<PathBuf>,

        /// Print only the WIT
        #[arg(long)]
        wit: bool,
    },
}

/// Writes the component, or shows what is in one.
pub(crate) fn run(arguments: &Arguments, embedded: Embedded) -> CommandEnd {
    match &arguments.command {
        ComponentCommand::Export { file } => export(file, embedded.wasm),
        #[cfg(feature = "inspect")]
        ComponentCommand::Inspect { file, wit } => inspect::run(file.as_deref(), *wit, embedded),
    }
}

fn export(file: &Path, wasm: &[u8]) -> CommandEnd {
    if file == Path::new("-") {
        output::bytes(wasm);
        return CommandEnd::Reached;
    }
    match std::fs::write(file, wasm) {
        Ok(()) => {
            output::complain(&format!("wrote {}: {} bytes\n", file.display(), wasm.len()));
            CommandEnd::Reached
        }
        Err(error) => {
            output::error(&format!("cannot write {}: {error}", file.display()));
            CommandEnd::BadInput
        }
    }
}
