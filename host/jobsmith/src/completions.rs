//! `jobsmith completions`: what shells know of the command line.
//!
//! Docs: `jobsmith completions --help`. They are made of the same arguments as `--help`, and so are the man pages in `man.rs`.

use clap_complete::Shell;

use super::{CommandEnd, output};

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

/// Prints the completion script of a shell.
pub(crate) fn run(arguments: &Arguments) -> CommandEnd {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::command_line(), "jobsmith", &mut script);
    output::bytes(&script);
    CommandEnd::Reached
}
