//! The command line: its commands, and how they end.
//!
//! Docs: `jobsmith --help`. Each command is in a file of its name; reading manifests is in `input.rs`, what is printed in the end in `ending.rs`.

mod access;
mod completions;
mod component;
mod configuration;
mod controller;
mod creation;
mod ending;
mod explain;
mod flaws;
mod input;
mod output;
mod playground;
mod replay;
mod rerun;
mod run;
mod runs;
mod schedule;
mod simulate;
mod step;
mod target;
mod timetable;
mod trigger;
mod wait;
mod why;

use std::path::PathBuf;
use std::process::ExitCode;

use api::Job;
use api::job::conditions;
use clap::{Parser, Subcommand};
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
Exit status: 0 success, 1 a Job or an action of a script failed, or the output could not be written, 2 bad input, 3 a Job did not finish, 128+N if stopped by
signal N, 141 if standard output was closed; see `jobsmith help COMMAND`.

  jobsmith run job.yaml
  jobsmith simulate job.yaml --script 'index 1: exit 42 after 2s'";

#[derive(Subcommand)]
enum ProgramCommand {
    /// Run CronJobs and Jobs on this machine: their containers' commands become local processes
    Run(run::Arguments),
    /// Play Jobs and CronJobs in virtual time, with pods that follow a script, and show what happens and why
    Simulate(simulate::Arguments),
    /// Show the next runs of a schedule, or of the CronJobs in a file, including clock changes
    Schedule(schedule::Arguments),
    /// Run the controllers on a real cluster
    Controller(Box<controller::Arguments>),
    /// Explain what the controllers decide about a Job or CronJob on a cluster right now and what happens next; for a CronJob, also what happened to its last runs
    Explain(explain::Arguments),
    /// Start a run of a CronJob on a cluster by hand
    Trigger(trigger::Arguments),
    /// Run a finished Job on a cluster again, as a new Job
    Rerun(rerun::Arguments),
    /// Wait until a Job on a cluster has finished
    Wait(wait::Arguments),
    /// Replay a recording: show what the controllers decided, and check that they decide the same again
    Replay(replay::Arguments),
    /// Open a page in the browser to step through Jobs and CronJobs
    Playground(playground::Arguments),
    /// Drive a simulated cluster from any language: one line of JSON in, one line of JSON out
    Step(step::Arguments),
    /// Export the controllers as a WebAssembly component, or show what is in one
    Component(component::Arguments),
    /// Print a shell completion script
    Completions(completions::Arguments),
    /// Write the man pages into a folder
    Man(completions::ManArguments),
}

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandEnd {
    /// Everything was reached.
    Reached,
    /// A Job failed, or a scenario is not as expected.
    Failed,
    /// The input cannot be used; the reason was printed.
    BadInput,
    /// A Job neither succeeded nor failed, and will not.
    Unfinished,
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
            CommandEnd::Interrupted(signal) => 128 + signal,
        })
    }
}

/// Runs the command that the command line names.
///
/// # Errors
/// What keeps it from being done at all, apart from bad input, which is reported where it is found.
pub fn run(embedded: Embedded, page: &'static [u8]) -> anyhow::Result<CommandEnd> {
    let plugin = std::env::args_os().next().is_some_and(|program| why::meant(&program));
    let end = if plugin { why::run(embedded)? } else { carry_out(&Arguments::parse(), embedded, page)? };
    Ok(if output::lost() { end.or(CommandEnd::Failed) } else { end })
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
        Some(ProgramCommand::Schedule(arguments)) => Ok(schedule::run(arguments)),
        Some(ProgramCommand::Controller(arguments)) => controller::run(arguments, &component, guest(&component)?),
        Some(ProgramCommand::Explain(arguments)) => explain::run(arguments, guest(&component)?),
        Some(ProgramCommand::Trigger(arguments)) => trigger::run(arguments),
        Some(ProgramCommand::Rerun(arguments)) => rerun::run(arguments),
        Some(ProgramCommand::Wait(arguments)) => wait::run(arguments),
        Some(ProgramCommand::Replay(arguments)) => replay::run(arguments, &component, guest(&component)?, page),
        Some(ProgramCommand::Playground(arguments)) => playground::run(arguments, page),
        Some(ProgramCommand::Step(arguments)) => step::run(arguments, &component),
        Some(ProgramCommand::Component(arguments)) => Ok(component::run(arguments, embedded)),
        Some(ProgramCommand::Completions(arguments)) => Ok(completions::run(arguments)),
        Some(ProgramCommand::Man(arguments)) => Ok(completions::man(arguments)),
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
        about.version,
        about.kubernetes
    )
}
