//! `jobsmith completions` and `jobsmith man`: what shells and manual readers know of the command line.
//!
//! Docs: `jobsmith completions --help`. Both are made of the same arguments as `--help`.

use std::path::{Path, PathBuf};

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{End, output};

/// The arguments of `jobsmith completions`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  source <(jobsmith completions bash)                                          # in ~/.bashrc
  jobsmith completions zsh > ~/.zfunc/_jobsmith                                # with ~/.zfunc in fpath
  jobsmith completions fish > ~/.config/fish/completions/jobsmith.fish";

/// The arguments of `jobsmith man`.
#[derive(clap::Args)]
pub(crate) struct ManArguments {
    /// The folder to write to, for example `~/.local/share/man/man1`
    folder: PathBuf,
}

/// Prints the completion script of a shell.
pub(crate) fn run(arguments: &Arguments) -> End {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::Arguments::command(), "jobsmith", &mut script);
    output::bytes(&script);
    End::Reached
}

/// Writes the man pages, one for each command.
pub(crate) fn man(arguments: &ManArguments) -> End {
    match write(&arguments.folder) {
        Ok(()) => End::Reached,
        Err(error) => {
            output::error(&format!("cannot write man pages to {}: {error}", arguments.folder.display()));
            End::BadInput
        }
    }
}

fn write(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(super::Arguments::command(), folder)
}
