//! `jobsmith simulate`: Jobs on virtual time, with pods that follow a script.
//!
//! Docs: Jobs; the script language is described in `script`, scenario files in `play::scenario`. The same with processes is `run/`.

mod attempts;
mod beginning;
mod help;
mod length;
mod open;
mod play_clock;
mod save;
mod session;
mod unfinished;
mod watch;

use std::path::{Path, PathBuf};

use ::schedule::Zone;
use api::{Duration, Kind, Text, Timestamp, time};
use host_embed::{Component, Guest};
use past::ReadAt;
use play::claim::script_problem;
use play::{Play, Unplayable};
use script::{Action, ObjectName, Script};

use self::beginning::beginning;
use self::help::{EXIT_STATUS, SCRIPT_HELP};
use self::watch::{Length, watch};
use super::ending::OutputFormat;
use super::history::{self, HistoryOptions};
use super::input::{BadInput, InputFile};
use super::pod_filter::PodFilter;
use super::scenario_file::is_scenario;
use super::until::read_until;
use super::{CommandEnd, configuration, input, output};

/// The arguments of `jobsmith simulate`.
#[derive(clap::Args)]
#[command(after_help = EXIT_STATUS, override_usage = "jobsmith simulate [OPTIONS] <FILE>...")]
pub(crate) struct Arguments {
    /// Files with Jobs and CronJobs in YAML or JSON (`-` is standard input), scenario files (`.md`) of which a claim is simulated, or sessions that the playground saved (`.jobsmith`); given the output of `kubectl get cronjobs,jobs,pods -o yaml`, what happened before is shown first, and the simulation continues from that state
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

    /// Stop after this much virtual time, for example `90s`, `2h`, `30d` or `1y` [default: 366d; with a CronJob, until each has had its next three runs, but at least 1h and until the last action of the script]
    #[arg(long = "for", value_name = "DURATION", value_parser = input::long_duration)]
    limit: Option<std::time::Duration>,

    /// Stop at this virtual time: a duration, a clock time such as `18:30`, a date, a local time such as 2026-03-27T14:00 in the time zone of --from, or a time with its offset
    #[arg(long, value_name = "TIME", conflicts_with = "limit")]
    until: Option<String>,

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

    /// Of a scenario file, simulate the claim whose heading has these words; with --save and manifests, the heading of the claim that is written
    #[arg(short, long, value_name = "WORDS")]
    claim: Option<String>,

    /// Write what was simulated into a scenario file (`.md`), with what happened, as a claim that `jobsmith test` then tests; a file that exists gets another claim
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "skip_past", "job", "open", "config", "defaults", "time_zone", "names", "indexes"])]
    save: Option<PathBuf>,

    /// Open this in the playground instead; with --default, its Jobs have these annotations there
    #[arg(long, conflicts_with_all = ["limit", "until", "from", "skip_past", "job", "why", "names", "indexes", "output", "config"])]
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
const DEFAULT_COURSE: &str = "note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'\n";

/// Plays the manifests of all files together.
pub(crate) fn run(arguments: &Arguments, component: &Component, page: &'static [u8]) -> anyhow::Result<CommandEnd> {
    if arguments.open {
        return open::open(arguments, page);
    }
    let Ok(guest) = arguments.configuration.guest(component)? else { return Ok(CommandEnd::BadInput) };
    if let Err(unfit) = arguments.fit() {
        output::error(&unfit);
        return Ok(CommandEnd::BadInput);
    }
    let Ok(session) = session::read(arguments) else { return Ok(CommandEnd::BadInput) };
    let Some(target) = &arguments.save else { return simulate(arguments, component, guest, &session).map(|(end, _)| end) };
    let Ok(target) = save::SaveTarget::new(target, &session) else { return Ok(CommandEnd::BadInput) };
    match simulate(arguments, component, guest, &session)? {
        (CommandEnd::BadInput, _) => Ok(CommandEnd::BadInput),
        (end, length) => Ok(match target.save(arguments, &session, length, arguments.configuration.another(component)?) {
            Ok(()) => end,
            Err(BadInput) => CommandEnd::BadInput,
        }),
    }
}

/// Simulates a session, and returns how that ends, and after which time if nothing in it does.
fn simulate(
    arguments: &Arguments,
    component: &Component,
    guest: Guest,
    session: &session::SessionInput,
) -> anyhow::Result<(CommandEnd, Option<Duration>)> {
    let bad = Ok((CommandEnd::BadInput, None));
    let session::SessionInput { inputs, script, until, .. } = session;
    let (objects, events) = (inputs.texts(), inputs.events());
    let recorded = [&objects[..], &events].concat();
    if let Some(Err(error)) = arguments.job.as_ref().map(|job| history::has_past(job, &objects)) {
        output::error(&error);
        return bad;
    }
    let last = inputs.last_moment(&recorded);
    let Ok(read) = beginning(arguments, inputs, last, until.is_some()) else { return bad };
    let start = read.at;
    let Ok(limit) = arguments.limit(&beginning::zone_of_from(arguments, inputs), start) else { return bad };
    inputs.warn(start);
    match Play::new(guest, script, &objects, start) {
        Ok(mut play) => {
            play.read_events(events);
            if !arguments.skip_past && !arguments.quiet && arguments.output != OutputFormat::Yaml {
                show_past(arguments, component, &recorded, read, last)?;
            }
            if script.rules.is_empty() && arguments.output.for_people() && !arguments.quiet && may_create_pods(&play, script) {
                output::complain(DEFAULT_COURSE);
            }
            if arguments.output.for_people() && !arguments.quiet {
                let documents = inputs.objects.iter().map(|input| input.object.document().value());
                output::complain(&attempts::notes(script, &documents.collect::<Vec<_>>()));
            }
            let script_ends = script.actions.iter().any(|statement| statement.what.action == Action::End);
            let last_action = script.actions.iter().map(|statement| statement.what.after).max().unwrap_or_default();
            let next_runs = |play: &Play<Guest>| {
                let cron_jobs = play.server().objects(Kind::CronJob).filter_map(|stored| stored.cron_job());
                length::length(cron_jobs, script, &arguments.configuration.zone(), start)
            };
            let cron_jobs = until.unwrap_or_else(|| next_runs(&play)).max(last_action);
            let cron_jobs = (!script_ends).then_some(cron_jobs);
            let endless = play.server().objects(Kind::CronJob).next().is_some();
            let length = limit.or(cron_jobs.filter(|_| endless));
            Ok((watch(arguments, &mut play, Length { limit, cron_jobs }, start), length))
        }
        Err(Unplayable::Object { place, error }) => {
            inputs.complain_of_all(place, manifest::refusals(inputs.objects[place].object.document(), &error));
            bad
        }
        Err(Unplayable::Script(ambiguous)) => {
            output::error(&ambiguous.to_string());
            bad
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

impl Arguments {
    /// The files, named in either way.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().chain(&self.filenames)
    }

    /// Whether the options go with one another and with these files; if not, why.
    fn fit(&self) -> Result<(), String> {
        if self.output == OutputFormat::Logs {
            return Err("-o logs works only in `jobsmith run`: in a simulation, no container prints anything".to_owned());
        }
        if self.claim.is_some() && self.save.is_none() && !self.files().any(|path| is_scenario(path)) {
            return Err("--claim chooses a claim of a scenario file (.md): pass one, or leave out --claim".to_owned());
        }
        Ok(())
    }

    /// For how long to simulate, if that is given; what is wrong with it is printed.
    fn limit(&self, zone: &Zone, start: Timestamp) -> Result<Option<Duration>, BadInput> {
        let Some(until) = &self.until else { return Ok(self.limit.map(|limit| limit.try_into().unwrap_or(Duration::MAX))) };
        let at = read_until(until, zone, start).and_then(|at| match at > start {
            true => Ok(at.duration_since(start)),
            false => Err(format!("{until} is not after {}, where the simulation begins", time::text(start))),
        });
        at.map(Some).map_err(|error| {
            output::error(&format!("--until: {error}"));
            BadInput
        })
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
