//! `jobsmith simulate`: Jobs on virtual time, with pods that follow a script.
//!
//! Docs: Jobs; the script language is described in `script`, scenario files in `play::scenario`. The same with processes is `run/`.

mod beginning;
mod claims;
mod help;
mod length;
mod open;
mod session;
mod unfinished;
mod watch;

use std::path::{Path, PathBuf};

use api::{Kind, Text, Timestamp};
use host_embed::{Component, Guest};
use past::ReadAt;
use play::claim::script_problem;
use play::{Play, Unplayable};
use script::{Action, ObjectName, Script};

use self::beginning::beginning;
use self::help::{EXIT_STATUS, SCRIPT_HELP};
use self::watch::watch;
use super::ending::{self, OutputFormat};
use super::history::{self, HistoryOptions};
use super::input::{BadInput, InputFile};
use super::pod_filter::PodFilter;
use super::{CommandEnd, configuration, input, output};

/// The arguments of `jobsmith simulate`.
#[derive(clap::Args)]
#[command(after_help = EXIT_STATUS, override_usage = "jobsmith simulate [OPTIONS] <FILE>...")]
pub(crate) struct Arguments {
    /// Files with Jobs and CronJobs in YAML or JSON (`-` is standard input), scenario files (`.md`), or sessions that the playground saved (`.jobsmith`); given the output of `kubectl get cronjobs,jobs,pods -o yaml`, what happened before is shown first, and the simulation continues from that state
    #[arg(required_unless_present = "filenames", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The same, as kubectl has it
    #[arg(short = 'f', long = "filename", value_name = "FILE", hide = true)]
    filenames: Vec<PathBuf>,

    /// What pods do, or what happens and when; may be repeated
    #[arg(short, long, value_name = "RULE", long_help = SCRIPT_HELP)]
    script: Vec<String>,

    /// Read more rules from a file, one per line; `#` starts a comment
    #[arg(long, value_name = "FILE")]
    script_file: Option<PathBuf>,

    /// Stop after this much virtual time, for example `90s`, `2h` or `30d` [default: 366d; with a CronJob, until each has had its next three runs, but at least 1h and until the last action of the script]
    #[arg(long = "for", value_name = "DURATION", value_parser = input::long_duration)]
    limit: Option<std::time::Duration>,

    /// Begin at this time: `now`, a date, a local time such as 2026-03-27T14:00 in the time zone of the CronJobs, or else in that of --time-zone, or a time with its offset [default: 2026-01-01; for objects of a cluster, the last time in them or, if there is a CronJob among them, now]
    #[arg(long, value_name = "TIME")]
    from: Option<String>,

    /// Show everything, including routine and repeated decisions, why they are made, actions, requests and Events; for a CronJob, also every Job and pod
    #[arg(long)]
    why: bool,

    /// For objects of a cluster: begin with their current state, without showing what happened before
    #[arg(long)]
    skip_past: bool,

    /// For objects of a cluster: show what happened to this Job [default: one that is stuck, or else one that failed]
    #[arg(long, value_name = "NAME", conflicts_with = "skip_past", value_parser = input::job_name)]
    job: Option<ObjectName>,

    /// Open this in the playground instead; for a scenario file, its first scenario
    #[arg(long, conflicts_with_all = ["limit", "from", "skip_past", "job", "why", "names", "indexes", "output", "config"])]
    open: bool,

    #[command(flatten)]
    configuration: configuration::Arguments,

    #[command(flatten)]
    pods: PodFilter,

    /// Print only how each Job ended
    #[arg(short, long, conflicts_with_all = ["why", "output", "open"])]
    quiet: bool,

    /// What to print
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "text")]
    output: OutputFormat,
}

/// What pods do that no rule is about.
const DEFAULT_COURSE: &str =
    "note: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'\n";

/// Plays all files: manifests together, each claim of a scenario file by itself.
pub(crate) fn run(arguments: &Arguments, component: &Component, page: &'static [u8]) -> anyhow::Result<CommandEnd> {
    if arguments.open {
        return open::open(arguments, page);
    }
    let Ok(first) = arguments.configuration.guest(component)? else { return Ok(CommandEnd::BadInput) };
    let mut first = Some(first);
    let mut guest = || {
        let next = first.take().map_or_else(|| arguments.configuration.guest(component), |guest| Ok(Ok(guest)))?;
        Ok(next.expect("the first instance took this configuration"))
    };
    let mut end = CommandEnd::Reached;
    if let Err(unfit) = arguments.fit() {
        output::error(&unfit);
        return Ok(CommandEnd::BadInput);
    }
    for path in arguments.files().filter(is_scenario) {
        end = end.or(claims::play_file(arguments, path, &mut guest)?);
        if let Some(end) = ending::cut_short() {
            return Ok(end);
        }
    }
    let manifests: Vec<PathBuf> = arguments.files().filter(|path| !is_scenario(path)).cloned().collect();
    if manifests.is_empty() {
        return Ok(end);
    }
    let Ok(session::SessionInput { inputs, script, until }) = session::read(arguments, &manifests) else { return Ok(CommandEnd::BadInput) };
    let (objects, events) = (inputs.texts(), inputs.events());
    let recorded = [&objects[..], &events].concat();
    if let Some(Err(error)) = arguments.job.as_ref().map(|job| history::has_past(job, &objects)) {
        output::error(&error);
        return Ok(CommandEnd::BadInput);
    }
    let last = inputs.last_moment(&recorded);
    let Ok(read) = beginning(arguments, &inputs, last, until.is_some()) else { return Ok(CommandEnd::BadInput) };
    let start = read.at;
    inputs.warn(start);
    match Play::new(guest()?, &script, &objects, start) {
        Ok(mut play) => {
            play.read_events(events);
            if !arguments.skip_past && !arguments.quiet && arguments.output != OutputFormat::Yaml {
                show_past(arguments, component, &recorded, read, last)?;
            }
            if script.rules.is_empty() && arguments.output.for_people() && !arguments.quiet && may_create_pods(&play, &script) {
                output::complain(DEFAULT_COURSE);
            }
            let script_ends = script.actions.iter().any(|statement| statement.what.action == Action::End);
            let last_action = script.actions.iter().map(|statement| statement.what.after).max().unwrap_or_default();
            let next_runs = |play: &Play<Guest>| {
                let cron_jobs = play.server().objects(Kind::CronJob).filter_map(|stored| stored.cron_job());
                length::length(cron_jobs, &script, &arguments.configuration.zone(), start)
            };
            let cron_jobs = until.unwrap_or_else(|| next_runs(&play)).max(last_action);
            Ok(end.or(watch(arguments, &mut play, (!script_ends).then_some(cron_jobs), start)))
        }
        Err(Unplayable::Object { place, error }) => {
            inputs.complain(place, manifest::refusals(inputs.objects[place].object.document(), &error));
            Ok(CommandEnd::BadInput)
        }
        Err(Unplayable::Script(ambiguous)) => {
            output::error(&ambiguous.to_string());
            Ok(CommandEnd::BadInput)
        }
    }
}

/// Shows what happened to the Jobs of a cluster, by what was recorded up to `last`.
fn show_past(arguments: &Arguments, component: &Component, recorded: &[Text], read: ReadAt, last: Timestamp) -> anyhow::Result<()> {
    let zone = arguments.configuration.named_zone();
    let (json, job) = (arguments.output == OutputFormat::Json, arguments.job.clone());
    let recorded_until = Some(last).filter(|last| arguments.from.is_none() && *last < read.at);
    let options = HistoryOptions { json, why: arguments.why, zone, recorded_until, job };
    history::show(&options, recorded, read, || arguments.configuration.another(component)).map(|_| ())
}

/// Whether anything is left to do.
fn may_create_pods(play: &Play<Guest>, script: &Script) -> bool {
    let unfinished = play.jobs().any(|job| !job.finished());
    unfinished || play.server().objects(Kind::CronJob).next().is_some() || !script.actions.is_empty()
}

fn is_scenario(path: &&PathBuf) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

impl Arguments {
    /// The files, named in either way.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().chain(&self.filenames)
    }

    /// Whether the options go with these files; if not, why.
    fn fit(&self) -> Result<(), String> {
        match (self.output, self.files().find(is_scenario)) {
            (OutputFormat::Logs, _) => {
                Err("-o logs works only in `jobsmith run`: in a simulation, no container prints anything".to_owned())
            }
            (_, Some(path)) => match self.of_manifests() {
                Some(option) => Err(format!(
                    "{option} does not work with a scenario file ({}): leave out {option}, or pass manifests instead",
                    path.display()
                )),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// An option that was given and that only a simulation of manifests has: a scenario file has its own script.
    fn of_manifests(&self) -> Option<&'static str> {
        let given = [
            (self.output == OutputFormat::Yaml, "-o yaml"),
            (!self.script.is_empty(), "--script"),
            (self.script_file.is_some(), "--script-file"),
            (self.limit.is_some(), "--for"),
            (self.from.is_some(), "--from"),
            (self.quiet, "--quiet"),
            (!self.pods.is_empty(), "--pod or --index"),
        ];
        given.into_iter().find_map(|(given, option)| given.then_some(option))
    }

    /// Whether every entry has a line.
    fn shows_all(&self) -> bool {
        self.why || self.output == OutputFormat::Json
    }
}

/// Reads the rules of the command line, given with `option`, then those of a file.
pub(crate) fn read_script(option: &str, rules: &[String], file: Option<&Path>) -> Result<Script, BadInput> {
    let mut sources: Vec<InputFile> = rules.iter().map(|rule| InputFile { name: option.to_owned(), text: rule.clone() }).collect();
    if let Some(file) = file {
        sources.push(InputFile::read(file)?);
    }
    parse(sources)
}

/// All rules and actions of scripts, in their order.
fn parse(scripts: Vec<InputFile>) -> Result<Script, BadInput> {
    let mut script = Script::default();
    for source in scripts {
        match Script::parse(&source.text) {
            Ok(read) => script.append(read),
            Err(error) => {
                source.complain(&[script_problem(error)]);
                return Err(BadInput);
            }
        }
    }
    Ok(script)
}
