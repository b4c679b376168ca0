//! `jobsmith replay`: goes through a recording once more, tells what was decided, and whether every plan is the recorded one.
//!
//! Docs: `jobsmith replay --help`. How a recording is made is in `../record.rs`, how it is read and gone through in `play::recording`; the lines are those of
//! `jobsmith simulate`.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use contract::Key;
use jobsmith::{Component, Guest};
use play::recording::{Header, Lines, Replay, Seen, Unreadable};
use play::trace::{Clock, Entry};

use super::End;
use super::output::{self, Format};
use super::playground::{self, Opening};

/// What `jobsmith replay` can be told.
#[derive(clap::Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct Arguments {
    /// A recording, as `jobsmith controller --record` writes it
    file: PathBuf,

    /// Tell every decision, request and Event, not only what is new
    #[arg(long)]
    why: bool,

    /// Open it in the playground, in a browser on this machine
    #[arg(long, conflicts_with_all = ["why", "output"])]
    open: bool,

    /// How to write what was decided
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "text")]
    output: Format,
}

const EXIT_STATUS: &str = "\
Exit status:
  0  every plan is the recorded one
  1  a plan differs; the first place where it does was told
  2  the file is no recording

Examples:
  jobsmith replay today.jsonl
  jobsmith replay today.jsonl --why -o json
  jobsmith replay today.jsonl --open
  jobsmith --component older.wasm replay today.jsonl";

/// Goes through a recording, or opens it in the playground.
pub(crate) fn run(arguments: &Arguments, component: &Component, guest: Guest, page: &'static [u8]) -> anyhow::Result<End> {
    let file = File::open(&arguments.file).map_err(|error| format!("it cannot be read: {error}"));
    match file.and_then(|file| Lines::begin(BufReader::new(file))) {
        Ok(_) if arguments.open => {
            let name = arguments.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            playground::open(page, 0, Some(Opening::File(name, std::fs::read(&arguments.file)?)), true)
        }
        Ok((lines, header)) => Ok(go_through(arguments, lines, &header, component, guest)),
        Err(reason) => Ok(refuse(arguments, &reason)),
    }
}

fn refuse(arguments: &Arguments, reason: &str) -> End {
    output::error(&format!("{} is no recording that can be gone through: {reason}", arguments.file.display()));
    End::BadInput
}

fn go_through(arguments: &Arguments, mut lines: Lines<BufReader<File>>, header: &Header, component: &Component, mut guest: Guest) -> End {
    let name = arguments.file.display();
    if let Err(reason) = guest.configure(header.configuration.get()) {
        return refuse(arguments, &reason);
    }
    warn(header, component);
    let mut replay = Replay::new(guest);
    let mut told = Teller { arguments, clock: Clock { start: header.start }, about: Key::default() };
    while let Some(line) = lines.next() {
        let seen = match line {
            Ok(line) => replay.go_on(line),
            Err(torn @ Unreadable::Torn(_)) => {
                output::complain(&format!("{name}: {torn}; all before it is gone through\n"));
                Ok(None)
            }
            Err(error @ (Unreadable::File(_) | Unreadable::Line(..))) => return refuse(arguments, &error.to_string()),
        };
        match seen {
            Ok(seen) => seen.into_iter().for_each(|Seen { key, entries, .. }| told.show(&key, entries)),
            Err(difference) => {
                output::error(&format!("{name}:{}: it differs from here on: {difference}", lines.number()));
                return End::Failed;
            }
        }
        if output::reader_gone() {
            return End::Reached;
        }
    }
    output::complain(&format!("{} events, {} plans: all as recorded\n", replay.events, replay.plans));
    End::Reached
}

/// Says so if another component was recorded.
fn warn(header: &Header, component: &Component) {
    if header.component != component.sha256() {
        output::complain(&format!(
            "warning: it was recorded with the component sha256:{} of jobsmith {}, and is gone through with sha256:{}: plans may differ\n",
            header.component,
            header.jobsmith,
            component.sha256()
        ));
    }
}

/// Tells what is seen.
struct Teller<'a> {
    arguments: &'a Arguments,
    clock: Clock,
    /// What the last line was about.
    about: Key,
}

impl Teller<'_> {
    /// Shows entries about one key, below a line that names it if the last one was about another.
    fn show(&mut self, key: &Key, entries: Vec<Entry>) {
        let mut text = String::new();
        for entry in entries {
            match self.arguments.output {
                Format::Text => {
                    let Some(line) = self.clock.line(&entry, self.arguments.why) else { continue };
                    if self.about != *key {
                        self.about = key.clone();
                        text.push_str(&format!("{} {}/{}\n", key.queue, key.namespace, key.name));
                    }
                    text.push_str(&line);
                }
                Format::Json => {
                    let mut value = serde_json::to_value(&entry).expect("an entry has text keys only");
                    value["namespace"] = (&*key.namespace).into();
                    value["name"] = (&*key.name).into();
                    text.push_str(&value.to_string());
                }
            }
            text.push('\n');
        }
        output::text(&text);
    }
}
