//! `jobsmith man`: the command line as man pages. The feature `man` adds it.
//!
//! Docs: man(7). They are made of the same arguments as `--help`, and so are the completions in `completions.rs`.

use std::io;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::{CommandEnd, output};

/// The arguments of `jobsmith man`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder to write to, for example `~/.local/share/man/man1`
    folder: PathBuf,
}

/// Writes the man pages, one for each command.
pub(crate) fn run(arguments: &Arguments) -> CommandEnd {
    match write(&arguments.folder) {
        Ok(()) => CommandEnd::Reached,
        Err(error) => {
            output::error(&format!("cannot write man pages to {}: {error}", arguments.folder.display()));
            CommandEnd::BadInput
        }
    }
}

fn write(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut command = super::command_line().disable_help_subcommand(true);
    command.build();
    pages(&command, folder)
}

/// Writes the pages of a command and of those below it.
fn pages(command: &Command, folder: &Path) -> io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        pages(below, folder)?;
    }
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    synopsis(command).to_writer(&mut page)?;
    man.render_description_section(&mut page)?;
    let mut options = Vec::new();
    man.render_options_section(&mut options)?;
    page.extend(unfilled(&String::from_utf8_lossy(&options)).into_bytes());
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(help) = command.get_after_help() {
        notes(&help.to_string()).to_writer(&mut page)?;
    }
    std::fs::write(folder.join(man.get_filename()), page)
}

/// The command with its arguments and what they take, as `--help` has it.
fn synopsis(command: &Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]).control("nf", []);
    usage.trim_start_matches("Usage: ").lines().for_each(|line| _ = roff.text([roman(line.trim())]));
    roff.control("fi", []);
    roff
}

/// The text of a page in which indented lines, such as examples, are kept as they are instead of being filled.
fn unfilled(page: &str) -> String {
    let (mut text, mut kept) = (String::new(), false);
    for line in page.lines() {
        let indented = line.starts_with("  ");
        if indented != kept {
            text.push_str(if indented { ".nf\n" } else { ".fi\n" });
            kept = indented;
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The text after the options as sections of a man page. Indented lines, such as examples, are kept as they are.
fn notes(help: &str) -> Roff {
    let mut roff = Roff::new();
    if heading(help.lines().next().unwrap_or_default()).is_none() {
        roff.control("SH", ["NOTES"]);
    }
    let mut kept = false;
    for line in help.lines() {
        let indented = line.starts_with("  ");
        if indented != kept {
            roff.control(if indented { "nf" } else { "fi" }, []);
            kept = indented;
        }
        match heading(line) {
            Some(heading) => roff.control("SH", [&*heading.to_uppercase()]),
            None if line.is_empty() => roff.control("PP", []),
            None => roff.text([roman(line)]),
        };
    }
    roff
}

/// The heading that a line is: one or two words and a colon, as in `Exit status:`.
fn heading(line: &str) -> Option<&str> {
    line.strip_suffix(':').filter(|words| words.split(' ').count() <= 2)
}
