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

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use api::{Job, Kind, Text, Timestamp, time};
use cluster::ApiServer;
use host_embed::events::EventLog;
use host_embed::{Component, Guest};
use past::ReadAt;
use play::claim::script_problem;
use play::step::Step;
use play::trace::{Entry, Transcript, What};
use play::{FinishedJobs, LONGEST, Play, Unplayable, namespaces};
use script::{Action, ObjectName, Script};
use story::runs::{CronJobName, PastRun, Runs, owner_of};

use self::beginning::beginning;
use self::help::{EXIT_STATUS, SCRIPT_HELP};
use self::unfinished::unfinished;
use super::ending::{self, FinalState, OutputFormat};
use super::flaws::Flaws;
use super::history::{self, HistoryOptions};
use super::input::{BadInput, InputFile};
use super::zone_clock::ZoneClock;
use super::{CommandEnd, configuration, input, output, run_table};

/// The arguments of `jobsmith simulate`.
#[derive(clap::Args)]
#[command(after_help = EXIT_STATUS)]
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

    /// Begin at this time: `now`, a date, a local time such as 2026-03-27T14:00, or a time with its offset [default: 2026-01-01; for objects of a cluster, the last time in them or, if there is a CronJob among them, now]
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
    #[arg(long, conflicts_with_all = ["limit", "from", "skip_past", "job", "why", "output", "config"])]
    open: bool,

    #[command(flatten)]
    configuration: configuration::Arguments,

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
    if let Some(path) = arguments.files().find(is_scenario).filter(|_| arguments.output == OutputFormat::Yaml) {
        output::error(&format!(
            "-o yaml does not work with the scenario file {}: pass manifests, or choose another output format",
            path.display()
        ));
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
            if !arguments.skip_past && arguments.output != OutputFormat::Yaml {
                show_past(arguments, component, &recorded, read, last)?;
            }
            if script.rules.is_empty() && arguments.output.for_people() && may_create_pods(&play, &script) {
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

/// Plays manifests to their end, printing what happens as it does; CronJobs for a time, where no script ends them.
fn watch(arguments: &Arguments, play: &mut Play<Guest>, cron_jobs: Option<api::Duration>, start: Timestamp) -> CommandEnd {
    let mut transcript = Transcript::new(start);
    let longest = cron_jobs.filter(|_| play.server().objects(Kind::CronJob).next().is_some()).unwrap_or(LONGEST);
    let length = arguments.limit.map_or(longest, |limit| limit.try_into().unwrap_or(api::Duration::MAX));
    play.bounds = play.bounds.over(length);
    let end = time::after(start, length);
    let (mut events, mut finished, mut flaws) = (EventLog::default(), FinishedJobs::default(), Flaws::default());
    let mut runs = Runs::new(arguments.configuration.zone());
    let settled = if arguments.skip_past { Settled::default() } else { Settled::of(play) };
    // Those that had failed before may be deleted on the way.
    let failed_before = play.jobs().any(failed);
    let shows =
        |entry: &Entry, runs: &Runs| arguments.shows_all() || !(summed_up(entry, runs) || entry.at == start && settled.covers(entry));
    while let Some(moment) = play.next_moment(end) {
        let touched = || moment.iter().flat_map(|step| &step.touched);
        finished.observe(touched().map(|touched| (&touched.after, touched.gone)));
        let over =
            runs.observe(moment.iter().flat_map(|step| &step.entries), touched().map(|touched| (&touched.after, touched.gone)), play.now());
        record(&mut events, &moment);
        flaws.observe(moment.iter().flat_map(|step| &step.entries));
        let entries = moment.iter().flat_map(|step| &step.entries);
        print(arguments, &mut transcript, entries.filter(|entry| shows(entry, &runs)));
        print_runs(arguments, &over);
        if let Some(end) = ending::cut_short() {
            return end;
        }
    }
    let due = play.next_due();
    let now = if due.is_some() { end } else { play.now() };
    let starts: Vec<Entry> = play.starts_so_far().map(|what| Entry { at: now, estimated: false, what }).collect();
    let counted: Vec<&Entry> = starts.iter().filter(|entry| shows(entry, &runs)).collect();
    if arguments.output.for_people() {
        // Nothing happened: it is no line of the trace.
        output::complain(&counted.iter().map(|entry| transcript.words(entry) + "\n").collect::<String>());
    } else {
        print(arguments, &mut transcript, counted.into_iter());
    }
    let unfinished = unfinished(play, &mut runs, [start, end], due, ZoneClock::new(arguments.configuration.named_zone()));
    print_runs(arguments, &runs.finish(now));
    warn(arguments, &mut transcript, play.unmatched_rules(), now);
    if arguments.output.for_people() {
        output::complain(&runs.notes());
        output::text(&run_table::tables(&runs));
    }
    let server = play.server();
    // Those that are gone do not exist any more, but are what people played for.
    let gone = finished.gone(server).filter(|_| arguments.output != OutputFormat::Yaml);
    let objects = server.objects(Kind::CronJob).chain(server.objects(Kind::Job)).chain(gone);
    let state = FinalState::new(objects, server, &events, now);
    output::text(&if arguments.output == OutputFormat::Text { state.without(&settled.uids) } else { state }.text(arguments.output));
    play.undone().iter().for_each(|undone| flaws.add(undone.to_string()));
    if arguments.output != OutputFormat::Json {
        output::complain(&flaws.lines());
        output::complain(&unfinished.lines);
        output::complain(&ending::deleted_unfinished(&finished, namespaces(server)));
        let idle = runs.all().filter(|(_, runs)| due.is_none() && cron_jobs.is_some() && runs.exists() && !flaws.block(runs));
        idle.for_each(|(name, cron_job)| output::complain(&ending::starts_nothing(&runs.name(name), cron_job, "--script")));
    }
    if arguments.output.for_people() {
        explain_deletions(&finished, server);
    }
    let jobs: Vec<&Job> = play.jobs().chain(finished.gone(server).filter_map(|stored| stored.job())).collect();
    let first = match () {
        () if failed_before || runs.failed() || jobs.iter().any(|job| failed(job)) => CommandEnd::Failed,
        () if unfinished.stuck || !finished.unfinished().is_empty() => CommandEnd::Unfinished,
        () => CommandEnd::Reached,
    };
    ending::cut_short().unwrap_or_else(|| end_of(&jobs, first).or(flaws.end()))
}

/// The exit status of Jobs: of those of CronJobs, the last may always be under way.
fn end_of(jobs: &[&Job], first: CommandEnd) -> CommandEnd {
    jobs.iter().filter(|job| owner_of(&job.metadata).is_none()).fold(first, |end, job| end.or(CommandEnd::of(job)))
}

/// Prints which Jobs were deleted after they had finished.
fn explain_deletions(finished: &FinishedJobs, server: &ApiServer) {
    for job in finished.gone(server) {
        let others = finished.gone(server).map(|job| &job.metadata().namespace);
        output::complain(&ending::deleted(job, namespaces(server).chain(others)));
    }
}

fn failed(job: &Job) -> bool {
    CommandEnd::of(job) == CommandEnd::Failed
}

impl Arguments {
    /// The files, named in either way.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().chain(&self.filenames)
    }

    /// Whether every entry has a line.
    fn shows_all(&self) -> bool {
        self.why || self.output == OutputFormat::Json
    }
}

/// Whether an entry needs no line: what follows from a CronJob's schedule is in the table of its runs.
fn summed_up(entry: &Entry, runs: &Runs) -> bool {
    match &entry.what {
        What::CronJob { .. } | What::Action { .. } | What::Difference { .. } | What::Complaint { .. } => false,
        What::Job { .. }
        | What::Starts(_)
        | What::Pod(_)
        | What::Container(_)
        | What::Sync { .. }
        | What::Decision { .. }
        | What::Request { .. }
        | What::Event(_) => entry.subject().is_some_and(|subject| runs.cover(subject)),
    }
}

/// Jobs that had finished before the simulation begins: how they ended is shown with the past.
#[derive(Default)]
struct Settled {
    /// Their namespaces and names.
    names: BTreeSet<(Text, Text)>,
    /// Their UIDs.
    uids: BTreeSet<Text>,
}

impl Settled {
    fn of(play: &Play<Guest>) -> Self {
        let jobs = || play.jobs().filter(|job| job.finished() && !job.metadata.deleting()).map(|job| &job.metadata);
        Self {
            names: jobs().map(|metadata| (metadata.namespace.clone(), metadata.name.clone())).collect(),
            uids: jobs().map(|metadata| metadata.uid.clone()).collect(),
        }
    }

    /// Whether an entry is about one of them.
    fn covers(&self, entry: &Entry) -> bool {
        let name = entry.subject().filter(|subject| subject.kind == Kind::Job.name());
        name.is_some_and(|subject| self.names.contains(&(subject.namespace.clone(), subject.name.clone())))
    }
}

fn record(events: &mut EventLog, moment: &[Step]) {
    for step in moment {
        for entry in &step.entries {
            if let What::Event(notice) = &entry.what {
                events.record(notice, entry.at);
            }
        }
        step.touched.iter().filter(|touched| touched.gone).for_each(|touched| events.forget_controlled(touched.after.metadata()));
    }
}

/// Prints the runs that are over, for programs.
fn print_runs(arguments: &Arguments, runs: &[(CronJobName, PastRun)]) {
    if arguments.output == OutputFormat::Json {
        output::text(&runs.iter().map(|(name, run)| run_table::json_line(name, run)).collect::<String>());
    }
}

/// Prints warnings: for programs among all that happened, as they have those of the API server.
fn warn(arguments: &Arguments, transcript: &mut Transcript, warnings: Vec<(usize, String)>, at: Timestamp) {
    for (_, warning) in warnings {
        if arguments.output == OutputFormat::Json {
            let message = format!("Warning: {warning}").into();
            print(arguments, transcript, [&Entry { at, estimated: false, what: What::Complaint { message } }].into_iter());
        } else {
            output::complain(&format!("warning: {warning}\n"));
        }
    }
}

fn print<'e>(arguments: &Arguments, transcript: &mut Transcript, entries: impl Iterator<Item = &'e Entry>) {
    let mut text = String::new();
    for entry in entries {
        match arguments.output {
            OutputFormat::Text | OutputFormat::Wide => {
                let Some(line) = transcript.line(entry, arguments.why) else { continue };
                text.push_str(&line);
            }
            OutputFormat::Json => text.push_str(&serde_json::to_string(entry).expect("an entry has text keys only")),
            OutputFormat::Yaml => return,
        }
        text.push('\n');
    }
    output::text(&text);
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
