//! Commands that this build leaves out: its help does not show them, and naming one reports which build has it.
//!
//! Docs: `Cargo.toml`, "features". The features that add commands are `cluster`, `inspect` and `man`; the commands are declared in `lib.rs`.

use clap::error::{ContextKind, ContextValue};

use super::{CommandEnd, output};

/// The commands that features add, and whether this build has them.
const OPTIONAL: [(&str, bool); 7] = [
    ("controller", cfg!(feature = "cluster")),
    ("explain", cfg!(feature = "cluster")),
    ("trigger", cfg!(feature = "cluster")),
    ("rerun", cfg!(feature = "cluster")),
    ("wait", cfg!(feature = "cluster")),
    ("component inspect", cfg!(feature = "inspect")),
    ("man", cfg!(feature = "man")),
];

/// The command that a rejected command line names, if this build leaves it out.
pub(crate) fn named_in(rejected: &clap::Error) -> Option<&'static str> {
    let Some(ContextValue::String(name)) = rejected.get(ContextKind::InvalidSubcommand) else { return None };
    let named = |command: &str| command.rsplit(' ').next() == Some(name);
    OPTIONAL.iter().find(|(command, built)| !built && named(command)).map(|(command, _)| *command)
}

/// Prints which build has the command.
pub(crate) fn report(command: &str) -> CommandEnd {
    output::error(&format!("this build leaves out `jobsmith {command}`; `cargo xtask build` builds jobsmith with all commands"));
    CommandEnd::BadInput
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::super::Arguments;
    use super::*;

    #[test]
    fn each_command_is_in_the_help_or_known_to_be_left_out() {
        let program = Arguments::command();
        for (command, built) in OPTIONAL {
            let names: Vec<&str> = command.split(' ').collect();
            let found = names.iter().try_fold(&program, |parent, name| parent.find_subcommand(name)).is_some();
            assert_eq!(found, built, "{command}");
            let rejected = Arguments::try_parse_from(["jobsmith"].iter().chain(&names)).err();
            assert_eq!(rejected.as_ref().and_then(named_in), (!built).then_some(command));
        }
    }
}
