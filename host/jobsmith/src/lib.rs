//! The command line: its commands, and how they end.
//!
//! Docs: `jobsmith --help`. Each command is in a file of its name; reading manifests is in `input.rs`, what is printed in the end in `ending.rs`.

mod annotation;
mod answer;
mod check;
mod completions;
mod component;
mod configuration;
mod ending;
mod flaws;
mod folder;
mod headline;
mod history;
mod input;
mod junit;
mod left_out;
mod lint;
#[cfg(feature = "man")]
mod man;
#[cfg(feature = "cluster")]
mod on_cluster;
mod output;
mod parallel;
mod playground;
mod pod_decisions;
mod pod_filter;
mod recorded_runs;
mod render;
mod replay;
mod run;
mod run_table;
mod scenario_file;
mod schedule;
mod schema;
mod simulate;
mod step;
mod test;
mod until;
mod zone_clock;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use api::Job;
use api::job::conditions;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use host_embed::{Component, Embedded, Guest};

/// Runs Kubernetes Jobs and CronJobs, and shows why they do what they do.
#[derive(Parser)]
#[command(name = "jobsmith", disable_version_flag = true, arg_required_else_help = true, after_help = EXIT_STATUS)]
pub(crate) struct Arguments {
    /// Use the controllers in this WebAssembly component instead of the built-in ones
    #[arg(long, value_name = "FILE", global = true, display_order = 100)]
    component: Option<PathBuf>,

    /// Print the versions of this program and its controllers, and the Kubernetes versions they follow
    #[arg(short = 'V', long)]
    version: bool,

    #[command(subcommand)]
    command: Option<ProgramCommand>,
}

const EXIT_STATUS: &str = "\
Exit status: 0 success, 1 a Job or an action of a script failed, or the output could not be written, 2 bad input, 3 a Job did not finish, 4 a Job was stuck
(`wait --fail-if-stuck`), 128+N if stopped by signal N, 141 if standard output was closed; see `jobsmith help COMMAND`.

  jobsmith run job.yaml
  jobsmith simulate job.yaml --script 'index 1: exit 42 after 2s'";

/// The name of the file that kubectl looks for: the program under this name is a plugin of kubectl.
const PLUGIN: &str = "kubectl-why";

#[derive(Subcommand)]
enum ProgramCommand {
    /// Run CronJobs and Jobs on this machine: their containers' commands become local processes
    Run(run::Arguments),
    /// Simulate Jobs and CronJobs in virtual time, with pods that follow a script, and show what happens and why
    Simulate(simulate::Arguments),
    /// Test manifests: simulate the claims of scenario files, and compare what happens with what they expect
    Test(test::Arguments),
    /// Check manifests: report what the API server would refuse or warn about, and how to fix it
    Check(check::Arguments),
    /// Explain the rules of `check`: what each finds, what happens, and what to write instead
    Lint(lint::Arguments),
    /// Print manifests as the API server would store them, with all defaults filled in
    Render(render::Arguments),
    /// Show the next runs of a schedule, or of the CronJobs in a file, including clock changes
    Schedule(schedule::Arguments),
    /// Explain a field of Jobs and CronJobs, or print a JSON Schema of all of them for editors
    Schema(schema::Arguments),
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    OnCluster(on_cluster::ClusterCommand),
    /// Replay a recording: show what the controllers decided, and check that they still make the same decisions
    Replay(replay::Arguments),
    /// Open a page in the browser to step through Jobs and CronJobs
    Playground(playground::Arguments),
    /// Drive a simulated cluster from any language: one line of JSON in, one line of JSON out
    Step(step::Arguments),
    #[cfg_attr(feature = "inspect", doc = "Export the controllers as a WebAssembly component, or show what is in one")]
    #[cfg_attr(not(feature = "inspect"), doc = "Export the controllers as a WebAssembly component")]
    Component(component::Arguments),
    /// Print a shell completion script
    Completions(completions::Arguments),
    /// Write the man pages into a folder
    #[cfg(feature = "man")]
    Man(man::Arguments),
}

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandEnd {
    /// Everything was reached.
    Reached,
    /// A Job failed, or a claim did not go as expected.
    Failed,
    /// The input cannot be used; the reason was printed.
    BadInput,
    /// A Job neither succeeded nor failed, and will not.
    Unfinished,
    /// A Job was stuck for longer than was to be waited.
    Stuck,
    /// A signal of this number ended it.
    Interrupted(u8),
}

impl CommandEnd {
    /// How a Job ended.
    fn of(job: &Job) -> Self {
        match (job.condition(conditions::COMPLETE), job.condition(conditions::FAILED)) {
            (Some(_), _) => Self::Reached,
            (None, Some(_)) => Self::Failed,
            (None, None) => Self::Unfinished,
        }
    }

    /// This end, or another one if this one was good.
    fn or(self, other: Self) -> Self {
        if self == Self::Reached { other } else { self }
    }
}

impl From<CommandEnd> for ExitCode {
    fn from(end: CommandEnd) -> Self {
        Self::from(match end {
            CommandEnd::Reached => 0,
            CommandEnd::Failed => 1,
            CommandEnd::BadInput => 2,
            CommandEnd::Unfinished => 3,
            CommandEnd::Stuck => 4,
            CommandEnd::Interrupted(signal) => 128 + signal,
        })
    }
}

/// Runs the command that the command line names.
///
/// # Errors
/// What keeps it from being done at all, apart from bad input, which is reported where it is found.
pub fn run(embedded: Embedded, page: &'static [u8]) -> anyhow::Result<CommandEnd> {
    let plugin = std::env::args_os().next().is_some_and(|program| Path::new(&program).file_stem() == Some(OsStr::new(PLUGIN)));
    let end = if plugin { as_plugin(embedded)? } else { as_itself(embedded, page)? };
    Ok(if output::lost() { end.or(CommandEnd::Failed) } else { end })
}

fn as_itself(embedded: Embedded, page: &'static [u8]) -> anyhow::Result<CommandEnd> {
    match command_line().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => carry_out(&arguments, embedded, page),
        Err(rejected) => Ok(left_out::named_in(&rejected).map_or_else(|| with_suggestion(rejected).exit(), left_out::report)),
    }
}

/// The command line; the commands that ask no controllers have no `--component` in their help.
fn command_line() -> clap::Command {
    let hidden = || {
        clap::Arg::new("component").long("component").value_name("FILE").value_parser(clap::value_parser!(PathBuf)).global(true).hide(true)
    };
    let without = |line: clap::Command, name: &'static str| match line.find_subcommand(name) {
        Some(_) => line.mut_subcommand(name, |command| command.arg(hidden())),
        None => line,
    };
    let line = ["check", "lint", "render", "schedule", "schema", "playground", "completions", "man"]
        .into_iter()
        .fold(Arguments::command(), without);
    line.mut_subcommand("component", |component| without(component, "export"))
}

/// The same with the command that is meant, where letters are swapped or missing: clap suggests only those that begin alike; or with the option that is meant.
fn with_suggestion(mut rejected: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(option)) = rejected.get(ContextKind::InvalidArg) {
        let usage = rejected.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
        if let Some((kind, value)) = meant_option(option, &usage) {
            rejected.insert(kind, value);
        }
        return rejected;
    }
    let Some(ContextValue::String(word)) = rejected.get(ContextKind::InvalidSubcommand) else { return rejected };
    let known = Arguments::command();
    if let Some(meant) = manifest::nearest(word, known.get_subcommands().map(clap::Command::get_name)).map(str::to_owned) {
        rejected.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![meant]));
    }
    rejected
}

/// What to write instead of an option that other programs have.
fn meant_option(option: &str, usage: &str) -> Option<(ContextKind, ContextValue)> {
    let similar = |known: &str| Some((ContextKind::SuggestedArg, ContextValue::String(known.to_owned())));
    match option {
        "--update" if usage.contains("jobsmith simulate") => {
            let tip = StyledStr::from("`jobsmith test FILE.md --update` rewrites scenario files");
            Some((ContextKind::Suggested, ContextValue::StyledStrs(vec![tip])))
        }
        "--script" | "-s" | "--script-file" | "--for" | "--until" | "--from" if usage.contains("jobsmith test") => {
            let tip = StyledStr::from("a claim has all of this in its block `script`; `at 3d: end` ends it");
            Some((ContextKind::Suggested, ContextValue::StyledStrs(vec![tip])))
        }
        "--tz" | "--timezone" => similar("--time-zone"),
        "-n" if usage.contains("jobsmith schedule") => similar("--count"),
        "-n" | "--namespace" => {
            let tip = StyledStr::from("write the namespace into the manifest, as metadata.namespace");
            Some((ContextKind::Suggested, ContextValue::StyledStrs(vec![tip])))
        }
        _ => None,
    }
}

#[cfg(feature = "cluster")]
fn as_plugin(embedded: Embedded) -> anyhow::Result<CommandEnd> {
    on_cluster::why::run(embedded)
}

#[cfg(not(feature = "cluster"))]
fn as_plugin(_: Embedded) -> anyhow::Result<CommandEnd> {
    Ok(left_out::report("explain"))
}

fn carry_out(arguments: &Arguments, embedded: Embedded, page: &'static [u8]) -> anyhow::Result<CommandEnd> {
    let component = match &arguments.component {
        Some(file) => Component::from_file(file),
        None => Component::embedded(embedded),
    };
    let component = match component {
        Ok(component) => component,
        Err(refused) => {
            output::error(&format!("{refused}; pass --component FILE with the controllers.wasm that `cargo xtask component` builds"));
            return Ok(CommandEnd::BadInput);
        }
    };
    if arguments.version {
        output::text(&versions(&component));
        return Ok(CommandEnd::Reached);
    }
    match &arguments.command {
        Some(ProgramCommand::Run(arguments)) => run::run(arguments, guest(&component)?),
        Some(ProgramCommand::Simulate(arguments)) => simulate::run(arguments, &component, page),
        Some(ProgramCommand::Test(arguments)) => test::run(arguments, &component),
        Some(ProgramCommand::Check(arguments)) => Ok(check::run(arguments)),
        Some(ProgramCommand::Lint(arguments)) => Ok(lint::run(arguments)),
        Some(ProgramCommand::Render(arguments)) => Ok(render::run(arguments)),
        Some(ProgramCommand::Schedule(arguments)) => Ok(schedule::run(arguments)),
        Some(ProgramCommand::Schema(arguments)) => Ok(schema::run(arguments)),
        #[cfg(feature = "cluster")]
        Some(ProgramCommand::OnCluster(command)) => on_cluster::run(command, &component),
        Some(ProgramCommand::Replay(arguments)) => replay::run(arguments, &component, guest(&component)?, page),
        Some(ProgramCommand::Playground(arguments)) => playground::run(arguments, page),
        Some(ProgramCommand::Step(arguments)) => step::run(arguments, &component),
        Some(ProgramCommand::Component(arguments)) => Ok(component::run(arguments, embedded)),
        Some(ProgramCommand::Completions(arguments)) => Ok(completions::run(arguments)),
        #[cfg(feature = "man")]
        Some(ProgramCommand::Man(arguments)) => Ok(man::run(arguments)),
        None => Ok(CommandEnd::Reached),
    }
}

/// Reports what kept a command from being done.
pub fn report(error: &anyhow::Error) {
    output::error(&format!("{error:#}"));
}

fn guest(component: &Component) -> anyhow::Result<Guest> {
    Guest::new(component).map_err(anyhow::Error::msg)
}

/// What this program is, what its component is, and which Kubernetes and time zones that follows; each on a line.
fn versions(component: &Component) -> String {
    let (about, sha256) = (component.about(), component.sha256());
    let time_zones = about.time_zones.iter().map(|version| format!("time zones {version}\n")).collect::<String>();
    format!(
        "jobsmith {}\ncomponent {} sha256:{sha256}\nKubernetes {}\n{time_zones}",
        env!("CARGO_PKG_VERSION"),
        about.component,
        about.kubernetes
    )
}
