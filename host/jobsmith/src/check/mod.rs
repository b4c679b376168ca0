//! `jobsmith check`: what the API server would refuse of manifests, or warn of, before they are sent.
//!
//! Docs: Kubernetes API Concepts, "Field validation". What is to be said of a file is decided in the crate `check`; which files there are is found in
//! `check/files.rs`, the forms of output are in `check/format.rs` and beside it, corrections are made in `check/fixes.rs`.

mod files;
mod fixes;
mod format;
mod junit;
mod sarif;

use std::path::PathBuf;

use api::Timestamp;
use check::Findings;
use manifest::{ManifestObject, Severity};

use self::files::CheckedFile;
use self::format::CheckFormat;
use super::{CommandEnd, output};

/// The arguments of `jobsmith check`.
#[derive(clap::Args)]
#[command(after_help = HELP, override_usage = "jobsmith check [OPTIONS] <FILE|DIR>…")]
pub(crate) struct Arguments {
    /// Manifests in YAML or JSON, folders with them (files that end in .yaml, .yml or .json and mention a Job), or `-` for standard input
    #[arg(value_name = "FILE|DIR", required_unless_present = "filenames")]
    files: Vec<PathBuf>,

    /// The same, as kubectl has it
    #[arg(short = 'f', long = "filename", value_name = "FILE|DIR", hide = true)]
    filenames: Vec<PathBuf>,

    /// What to print
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "full")]
    output: CheckFormat,

    /// Exit with status 1 for warnings, too
    #[arg(long)]
    strict: bool,

    /// Correct what can have only one meaning, in the files themselves; standard input is printed as corrected
    #[arg(long)]
    fix: bool,

    /// With --fix or --diff: also make corrections that may change what the manifest does
    #[arg(long)]
    unsafe_fixes: bool,

    /// Print the corrections as a diff instead, and change nothing
    #[arg(long, conflicts_with_all = ["fix", "output"])]
    diff: bool,

    /// The name of standard input in what is printed
    #[arg(long, value_name = "NAME", default_value = "standard input")]
    stdin_filename: String,
}

const HELP: &str = "\
Errors are what the API server of Kubernetes v1.37 would refuse: unknown fields, values of other types, and all that its validation finds. Warnings are what it accepts
and hardly anybody means. Other objects in the files are counted, and not checked.

A warning is silenced by the name of its rule, on its line or on a line of its own before it; or for a whole object by an annotation, which templates keep:

  schedule: 0 0 31 2 *   # jobsmith: ignore[never-fires] started by hand

  metadata:
    annotations: {jobsmith.dev/ignore: never-fires}

Examples:

  jobsmith check job.yaml
  jobsmith check k8s/ --strict
  helm template . | jobsmith check -
  jobsmith check k8s/ -o github                  # annotations in a workflow of GitHub Actions
  jobsmith check k8s/ -o sarif > check.sarif     # for code scanning
  jobsmith check job.yaml --diff                 # what --fix would change

Exit status:
  0  the API server would accept everything
  1  it would refuse something; with --strict, there are warnings; with --diff, there are corrections
  2  a file cannot be read";

/// Checks all files, and prints what was found.
pub(crate) fn run(arguments: &Arguments) -> CommandEnd {
    let now = Timestamp::now();
    let paths: Vec<&PathBuf> = arguments.files.iter().chain(&arguments.filenames).collect();
    let Ok(mut files) = files::read(&paths, &arguments.stdin_filename) else { return CommandEnd::BadInput };
    if arguments.fix || arguments.diff {
        let Ok(differ) = fixes::make(&mut files, arguments.unsafe_fixes, arguments.diff, now) else { return CommandEnd::BadInput };
        if arguments.diff {
            return if differ { CommandEnd::Failed } else { CommandEnd::Reached };
        }
    }
    // What is corrected of standard input is on standard output.
    let corrected = arguments.fix && files.iter().any(|file| file.path.is_none());
    let checked = files::check(files, now);
    let found = arguments.output.text(&checked);
    if corrected {
        output::complain(&found)
    } else {
        output::text(&found)
    }
    let total = Total::of(&checked);
    if arguments.output == CheckFormat::Full {
        output::complain(&total.summary());
    }
    if total.errors > 0 || arguments.strict && total.warnings > 0 { CommandEnd::Failed } else { CommandEnd::Reached }
}

/// What was found in all files.
#[derive(Debug, Default, PartialEq, Eq)]
struct Total {
    files: usize,
    cron_jobs: usize,
    jobs: usize,
    others: usize,
    errors: usize,
    warnings: usize,
    silenced: usize,
}

impl Total {
    fn of(checked: &[CheckedFile]) -> Self {
        let mut total = Self { files: checked.len(), ..Self::default() };
        for Findings { objects, others, silenced, .. } in checked.iter().map(|file| &file.report) {
            total.cron_jobs += objects.iter().filter(|object| matches!(object, ManifestObject::CronJob(_))).count();
            total.jobs += objects.iter().filter(|object| matches!(object, ManifestObject::Job(_))).count();
            total.others += others.len();
            total.silenced += silenced;
        }
        let count = |severity| checked.iter().map(|file| file.report.count(severity)).sum();
        Self { errors: count(Severity::Error), warnings: count(Severity::Warning), ..total }
    }

    /// As in `2 errors and 1 warning in 1 CronJob and 3 Jobs; 4 other objects not checked`.
    fn summary(&self) -> String {
        let found = match (self.errors, self.warnings) {
            (0, 0) => "no problems".to_owned(),
            (errors, 0) => number(errors, "error"),
            (0, warnings) => number(warnings, "warning"),
            (errors, warnings) => format!("{} and {}", number(errors, "error"), number(warnings, "warning")),
        };
        let of = match (self.cron_jobs, self.jobs) {
            (0, 0) => format!("{}, with no Job or CronJob", number(self.files, "file")),
            (0, jobs) => number(jobs, "Job"),
            (cron_jobs, 0) => number(cron_jobs, "CronJob"),
            (cron_jobs, jobs) => format!("{} and {}", number(cron_jobs, "CronJob"), number(jobs, "Job")),
        };
        let mut summary = format!("{found} in {of}");
        if self.others > 0 {
            summary += &format!("; {} not checked", number(self.others, "other object"));
        }
        if self.silenced > 0 {
            summary += &format!("; {} silenced", number(self.silenced, "warning"));
        }
        summary + "\n"
    }
}

/// As in `1 Job`, `2 Jobs`.
fn number(count: usize, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{s}")
}

#[cfg(test)]
mod tests {
    use super::Total;

    #[test]
    fn the_summary_counts_what_was_found() {
        let total = Total { files: 2, cron_jobs: 1, jobs: 3, others: 4, errors: 2, warnings: 1, silenced: 1 };
        assert_eq!(total.summary(), "2 errors and 1 warning in 1 CronJob and 3 Jobs; 4 other objects not checked; 1 warning silenced\n");
        assert_eq!(Total { files: 1, ..Total::default() }.summary(), "no problems in 1 file, with no Job or CronJob\n");
        assert_eq!(Total { jobs: 1, warnings: 2, ..Total::default() }.summary(), "2 warnings in 1 Job\n");
    }
}
