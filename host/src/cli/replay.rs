//! `jobsmith replay`: goes through a recording once more, tells what was decided, and whether every plan is the recorded one.
//!
//! Docs: `jobsmith replay --help`. How a recording is made and read is in `../record/`; the lines are those of `jobsmith simulate`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use api::Timestamp;
use contract::{Event, Key, Manager as _, PlanId, Reconciled};
use jobsmith::record::{Asked, Difference, Header, Line, Lines, Told, Unreadable};
use jobsmith::{Component, Guest};
use sim::cluster::Happening;
use sim::trace::{Clock, Entry, Trace, What};
use sim::world::Step;

use super::End;
use super::output::{self, Format};

/// What `jobsmith replay` can be told.
#[derive(clap::Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct Arguments {
    /// A recording, as `jobsmith controller --record` writes it
    file: PathBuf,

    /// Tell every decision, request and Event, not only what is new
    #[arg(long)]
    why: bool,

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
  jobsmith --component older.wasm replay today.jsonl";

/// Goes through a recording.
pub(crate) fn run(arguments: &Arguments, component: &Component, mut guest: Guest) -> End {
    let name = arguments.file.display();
    let refuse = |reason: &str| {
        output::error(&format!("{name} is no recording that can be gone through: {reason}"));
        End::BadInput
    };
    let mut lines = match File::open(&arguments.file) {
        Ok(file) => Lines::new(BufReader::new(file)),
        Err(error) => return refuse(&format!("it cannot be read: {error}")),
    };
    let header = match lines.next() {
        Some(Ok(Line::Recording(header))) => header,
        Some(Ok(_)) | None => return refuse("it is empty"),
        Some(Err(error)) => return refuse(&error.to_string()),
    };
    if let Err(reason) = guest.configure(header.configuration.get()) {
        return refuse(&reason);
    }
    warn(&header, component);
    let mut replay = Replay::new(arguments, guest, header.start);
    while let Some(line) = lines.next() {
        let difference = match line {
            Ok(line) => replay.go_on(line),
            Err(torn @ Unreadable::Torn(_)) => {
                output::complain(&format!("{name}: {torn}; all before it is gone through\n"));
                None
            }
            Err(error @ (Unreadable::File(_) | Unreadable::Line(..))) => return refuse(&error.to_string()),
        };
        if let Some(difference) = difference {
            output::error(&format!("{name}:{}: it differs from here on: {difference}", lines.number()));
            return End::Failed;
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

/// A recording that is gone through.
struct Replay<'a> {
    arguments: &'a Arguments,
    guest: Guest,
    clock: Clock,
    trace: Trace,
    /// What the last line was about.
    about: Key,
    /// Plans whose outcomes were not told yet.
    in_flight: BTreeMap<PlanId, Reconciled>,
    /// Why the component broke down over the last call, if it did.
    lost: Option<String>,
    events: u64,
    plans: u64,
}

impl<'a> Replay<'a> {
    fn new(arguments: &'a Arguments, guest: Guest, start: Timestamp) -> Self {
        Self {
            arguments,
            guest,
            clock: Clock { start },
            trace: Trace::default(),
            about: Key::default(),
            in_flight: BTreeMap::new(),
            lost: None,
            events: 0,
            plans: 0,
        }
    }

    /// Repeats what a line tells; answers what differs.
    fn go_on(&mut self, line: Line) -> Option<Difference> {
        let lost = self.lost.take();
        let recorded = if let Line::Lost { because } = &line { Some(because.clone()) } else { None };
        if recorded != lost {
            let told =
                |because: Option<String>| because.map_or_else(|| "no trouble".to_owned(), |because| format!("lost its memory: {because}"));
            return Some(Difference { path: "the component".to_owned(), recorded: told(recorded), answered: told(lost) });
        }
        let difference = match line {
            Line::Told(told) => self.tell(told),
            Line::Asked(asked) => self.ask(&asked),
            Line::Restarted => {
                self.in_flight.clear();
                self.guest.restart();
                None
            }
            Line::Lost { .. } => {
                self.in_flight.clear();
                None
            }
            // A recording has one header, which was read.
            Line::Recording(_) => None,
        };
        self.lost = self.guest.lost();
        difference
    }

    /// Tells the component what it was told.
    fn tell(&mut self, Told { at, event, refused }: Told) -> Option<Difference> {
        self.events += 1;
        if let Event::Finished { plan, outcomes } = &event
            && let Some(Reconciled { key, plan, .. }) = self.in_flight.remove(plan)
        {
            self.show(&key, What::requests(&plan, outcomes).map(|what| Entry { at, what }).collect());
        }
        let answered = self.guest.handle(event, at).err();
        let told = |refused: &Option<String>| refused.clone().unwrap_or_else(|| "understood".to_owned());
        (answered != refused).then(|| Difference { path: "the event".to_owned(), recorded: told(&refused), answered: told(&answered) })
    }

    /// Asks the component for a plan, as it was asked, and shows what it decides.
    fn ask(&mut self, recorded: &Asked) -> Option<Difference> {
        let next = self.guest.next_plan(recorded.at);
        let answered = Asked::new(recorded.at, next.as_ref()).expect("a plan has text keys only");
        let difference = Difference::between(recorded, &answered);
        if difference.is_none()
            && let Some(reconciled) = next
        {
            self.plans += 1;
            let step = Step { reconciled: reconciled.clone(), outcomes: Vec::new() };
            let entries = self.trace.entries(&[Happening::Planned { step: Box::new(step), writes: Vec::new() }], recorded.at);
            self.show(&reconciled.key, entries);
            if !reconciled.plan.batches.is_empty() {
                self.in_flight.insert(reconciled.id, reconciled);
            }
        }
        difference
    }

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
