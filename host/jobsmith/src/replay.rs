//! `jobsmith replay`: repeats the calls of a recording, shows what is decided, and checks that every plan is the recorded one.
//!
//! Docs: `jobsmith replay --help`. A recording is made in `host_embed::record`, and read and replayed in `play::recording`; the lines are
//! those of `jobsmith simulate`.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use api::Timestamp;
use contract::ObjectRef;
use host_embed::{Component, Guest};
use play::recording::{Header, Lines, Replay, Replayed, Unreadable};
use play::trace::{Entry, Transcript};

use super::CommandEnd;
use super::configuration;
use super::ending;
use super::output::{self, Format};
use super::playground::{self, Opening};

/// The arguments of `jobsmith replay`.
#[derive(clap::Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct Arguments {
    /// A recording from `jobsmith controller --record`
    file: PathBuf,

    /// Show everything, including routine and repeated decisions, requests and Events
    #[arg(long)]
    why: bool,

    /// Open it in the playground instead
    #[arg(long, conflicts_with_all = ["why", "output", "defaults"])]
    open: bool,

    #[command(flatten)]
    defaults: configuration::Defaults,

    /// The output format
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "text")]
    output: Format,
}

const EXIT_STATUS: &str = "\
Exit status:
  0    every plan is the same as the recorded one
  1    a plan differs; the first difference is printed
  2    the file is not a recording
  141  standard output was closed

Examples:
  jobsmith replay today.jsonl
  jobsmith replay today.jsonl --why -o json
  jobsmith replay today.jsonl --default jobsmith.dev/retry-delay=30s    where would these controllers have decided otherwise?
  jobsmith replay today.jsonl --open
  jobsmith --component older.wasm replay today.jsonl";

/// Replays a recording, or opens it in the playground.
pub(crate) fn run(arguments: &Arguments, component: &Component, guest: Guest, page: &'static [u8]) -> anyhow::Result<CommandEnd> {
    let file = File::open(&arguments.file).map_err(|error| error.to_string());
    match file.and_then(|file| Lines::begin(BufReader::new(file))) {
        Ok(_) if arguments.open => {
            let name = arguments.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            playground::open(page, 0, Some(Opening::File(name, std::fs::read(&arguments.file)?)), true)
        }
        Ok((lines, header)) => Ok(replay(arguments, lines, &header, component, guest)),
        Err(reason) => Ok(refuse(arguments, &reason)),
    }
}

fn refuse(arguments: &Arguments, reason: &str) -> CommandEnd {
    output::error(&format!("cannot replay {}: {reason}", arguments.file.display()));
    CommandEnd::BadInput
}

fn replay(
    arguments: &Arguments,
    mut lines: Lines<BufReader<File>>,
    header: &Header,
    component: &Component,
    mut guest: Guest,
) -> CommandEnd {
    let name = arguments.file.display();
    let mut configuration = header.configuration.get().to_owned();
    if !arguments.defaults.is_empty() {
        let mut changed = serde_json::from_str(&configuration).unwrap_or_default();
        arguments.defaults.add_to(&mut changed);
        configuration = changed.to_string();
    }
    if let Err(reason) = guest.configure(&configuration) {
        return refuse(arguments, &reason);
    }
    warn(header, component);
    let mut replay = Replay::new(guest);
    let mut printer = Printer { arguments, start: header.start, object: ObjectRef::default() };
    while let Some(line) = lines.next() {
        let replayed = match line {
            Ok(line) => replay.go_on(line),
            Err(torn @ Unreadable::Torn(_)) => {
                output::complain(&format!("{name}: {torn}; everything before it was replayed\n"));
                Ok(None)
            }
            Err(error @ (Unreadable::File(_) | Unreadable::Other | Unreadable::Line(..))) => return refuse(arguments, &error.to_string()),
        };
        match replayed {
            Ok(replayed) => replayed.into_iter().for_each(|Replayed { object, entries, .. }| printer.print(&object, entries)),
            Err(difference) => {
                output::error(&format!("{name}:{}: the replay differs from here on: {difference}", lines.number()));
                return CommandEnd::Failed;
            }
        }
        if let Some(end) = ending::cut_short() {
            return end;
        }
    }
    output::complain(&format!("{} events, {} plans: all as recorded\n", replay.events, replay.plans));
    CommandEnd::Reached
}

/// Warns if another component was recorded.
fn warn(header: &Header, component: &Component) {
    if header.component != component.sha256() {
        output::complain(&format!(
            "warning: recorded with component sha256:{} of jobsmith {}, but replayed with sha256:{}: plans may differ\n",
            header.component,
            header.jobsmith,
            component.sha256()
        ));
    }
}

/// Prints what is replayed.
struct Printer<'a> {
    arguments: &'a Arguments,
    /// When the recording begins.
    start: Timestamp,
    /// The object of the last line.
    object: ObjectRef,
}

impl Printer<'_> {
    /// Prints entries about one object, below a line that names it if the last one was about another.
    fn print(&mut self, object: &ObjectRef, entries: Vec<Entry>) {
        let (mut text, mut transcript) = (String::new(), Transcript::new(self.start));
        for entry in entries {
            match self.arguments.output {
                Format::Text => {
                    let Some(line) = transcript.line(&entry, self.arguments.why) else { continue };
                    if self.object != *object {
                        self.object = object.clone();
                        text.push_str(&format!("{} {}/{}\n", object.kind, object.namespace, object.name));
                    }
                    text.push_str(&line);
                }
                Format::Json => {
                    let mut value = serde_json::to_value(&entry).expect("an entry has text keys only");
                    value["object"] = serde_json::to_value(object).expect("an object has text keys only");
                    text.push_str(&value.to_string());
                }
            }
            text.push('\n');
        }
        output::text(&text);
    }
}
