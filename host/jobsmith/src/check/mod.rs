//! `jobsmith check`: what the API server would refuse of manifests, or warn of, before they are sent.
//!
//! Docs: Kubernetes API Concepts, "Field validation". What is wrong with a file is decided in the crate `check`; which files there are is found in
//! `check/files.rs`, the forms of output are in `check/format.rs` and beside it, corrections are made in `check/fixes.rs`.

mod against;
mod exclusion;
mod files;
mod fixes;
mod format;
mod kustomization;
mod markdown;
mod pedantic;
mod predictions;
mod sarif;

use std::path::PathBuf;

use api::Timestamp;
use check::{CheckDepth, Findings};
use manifest::{ManifestObject, Severity};

use self::against::Against;
use self::exclusion::Exclusion;
use self::files::CheckedFile;
use self::format::CheckFormat;
pub(crate) use self::format::level;
use self::pedantic::PedanticRules;
use self::predictions::{PredictedObject, WhenPredicted};
use super::CommandEnd;
use super::input::BadInput;
use super::output::{self, number};

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

    /// Leave out the files and folders that match this glob, relative to the working directory and read as in a `.gitignore`; may be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<Exclusion>,

    /// What to print
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "full")]
    output: CheckFormat,

    /// For which files to print what each Job and CronJob will do; with `json`, it is in `predictions`
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    prediction: WhenPredicted,

    /// Exit with status 1 on warnings, too
    #[arg(long)]
    strict: bool,

    /// Also report what only some want to hear: what the pedantic rules of `jobsmith lint` find, or only those that are named, as in --pedantic=herd
    #[arg(long, value_name = "RULE,…", num_args = 0..=1, require_equals = true, default_missing_value = pedantic::ALL)]
    pedantic: Option<PedanticRules>,

    /// Correct the files in place, where only one correction is possible; for standard input, print the corrected text
    #[arg(long, group = "corrections")]
    fix: bool,

    /// With --fix or --diff, also make corrections that may not be what you mean, such as a missing restartPolicy or a command as a list
    #[arg(long, requires = "corrections")]
    unsafe_fixes: bool,

    /// Print the corrections as a diff without changing any file
    #[arg(long, group = "corrections", conflicts_with_all = ["fix", "output"])]
    diff: bool,

    /// The version of the API server: 1.36 does not know the fields that came with 1.37
    #[arg(long, value_name = "VERSION", value_parser = ["1.36", "1.37"], default_value = "1.37")]
    kubernetes: String,

    /// Also report what could not be applied over the objects that are there: those in a file or folder, those of the same files at a commit
    /// (`git:main`), or those on the cluster of the kubeconfig (`cluster`)
    #[arg(long, value_name = "FILE|git:COMMIT|cluster", conflicts_with = "corrections")]
    against: Option<Against>,

    /// The file name to report for standard input
    #[arg(long, value_name = "NAME", default_value = "standard input")]
    stdin_filename: String,

    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: super::on_cluster::AccessArguments,
}

impl Arguments {
    /// The files and folders to check.
    fn paths(&self) -> Vec<&PathBuf> {
        self.files.iter().chain(&self.filenames).collect()
    }

    /// How much is reported.
    fn depth(&self) -> CheckDepth<'_> {
        self.pedantic.as_ref().map_or(CheckDepth::Advice, |PedanticRules(rules)| CheckDepth::Pedantic(rules))
    }
}

const HELP: &str = "\
Errors are what the API server of Kubernetes v1.37 would refuse: unknown fields, values of the wrong type, and anything that fails validation. Warnings are what it accepts, but
will hardly do what you mean; notes are worth knowing, and never change the exit status. `jobsmith lint RULE` explains a rule: what happens, and what to write instead. Other objects
are counted but not checked: Jobs are only compared with the Services, claims and others that they have to do with. The files of a folder are taken together, and so are those that are
named. In folders, hidden files are left out, and so is whatever matches --exclude: 'k8s/old' one folder, '*.tpl.yaml' files of that name wherever they are, 'charts/*/templates' the
templates of all charts.

After the problems comes what each Job and CronJob will do once it is applied: how many attempts it makes when its pods fail at once, how long it waits between them, what remains then, what
a node drain costs, and when a CronJob runs in the next year. It never changes the exit status.

Silence a warning by the name of its rule, in a comment on its line or on a line of its own above; or for a whole object with an annotation, which survives templating:

  schedule: 0 0 31 2 *   # jobsmith: ignore[never-fires] started by hand

  metadata:
    annotations: {jobsmith.dev/ignore: 'never-fires: started by hand'}

Examples:

  jobsmith check job.yaml
  jobsmith check k8s/ --strict
  jobsmith check . --exclude 'charts/*/templates'
  helm template . | jobsmith check -
  jobsmith check k8s/ -o github                  # annotations in a workflow of GitHub Actions
  jobsmith check k8s/ -o sarif > check.sarif     # for code scanning
  jobsmith check job.yaml --diff                 # what --fix would change
  jobsmith check k8s/ --against git:main         # what cannot be applied over what main has, and what would be different
  jobsmith check k8s/ --against git:main -o markdown | gh pr comment --body-file -

Exit status:
  0  the API server would accept everything
  1  it would refuse something; with --strict, also if there are warnings; with --diff, if anything would be corrected
  2  a file cannot be read or written";

/// Checks all files, and prints what was found.
pub(crate) fn run(arguments: &Arguments) -> CommandEnd {
    let now = Timestamp::now();
    let (mut files, mut all) = files::read(&arguments.paths(), &arguments.exclude, &arguments.stdin_filename);
    if arguments.fix || arguments.diff {
        let made = fixes::make(&mut files.to_check, arguments.unsafe_fixes, arguments.diff, arguments.depth(), now);
        if arguments.diff {
            return ended(all, made.unwrap_or(true));
        }
        all = all.and(made.map(|_| ()));
    }
    // What is corrected of standard input is on standard output.
    let corrected = arguments.fix && files.to_check.iter().any(|file| file.path.is_none());
    let mut checked = files::check(files, arguments.prediction, arguments.depth(), now);
    if arguments.kubernetes == "1.36" {
        checked.iter_mut().for_each(|file| file.report.hold_against_1_36());
    }
    let mut uncompared = String::new();
    if let Some(against) = &arguments.against {
        match against.findings(arguments, &checked, now) {
            Ok(old) => {
                uncompared = against.uncompared(&checked, &old);
                compare(&mut checked, &old, arguments.prediction, now);
            }
            Err(BadInput) => all = Err(BadInput),
        }
    }
    let found = arguments.output.text(&checked, arguments.strict, now);
    if corrected {
        output::complain(&found)
    } else {
        output::text(&found)
    }
    let total = Total::of(&checked);
    if arguments.output == CheckFormat::Full && !checked.is_empty() {
        output::complain(&total.summary());
    }
    output::complain(&uncompared);
    ended(all, total.errors > 0 || arguments.strict && total.warnings > 0)
}

/// Adds what cannot be applied over what is there, and what the objects would do differently.
fn compare(checked: &mut [CheckedFile], old: &[Findings], predicted: WhenPredicted, now: Timestamp) {
    let objects: Vec<ManifestObject> = old.iter().flat_map(|findings| findings.objects.iter().cloned()).collect();
    let predictions: Vec<PredictedObject> = old.iter().flat_map(|findings| predictions::predictions(findings, now)).collect();
    for file in checked {
        file.report.compare(&objects, now);
        if predicted != WhenPredicted::Never {
            predictions::compare(file, &predictions, now);
        }
    }
}

/// How the command ends: a file that could not be read or written counts most.
fn ended(all: Result<(), BadInput>, found: bool) -> CommandEnd {
    match all {
        Err(BadInput) => CommandEnd::BadInput,
        Ok(()) if found => CommandEnd::Failed,
        Ok(()) => CommandEnd::Reached,
    }
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
    notes: usize,
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
        Self { errors: count(Severity::Error), warnings: count(Severity::Warning), notes: count(Severity::Note), ..total }
    }

    /// As in `2 errors and 1 warning in 1 CronJob and 3 Jobs; 4 other objects not checked`.
    fn summary(&self) -> String {
        let found: Vec<String> = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| number(count, noun))
            .collect();
        let found = match &found[..] {
            [] => "no problems".to_owned(),
            [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => found.concat(),
        };
        let of = match (self.cron_jobs, self.jobs) {
            (0, 0) => format!("{} without Jobs and CronJobs", number(self.files, "file")),
            (0, jobs) => number(jobs, "Job"),
            (cron_jobs, 0) => number(cron_jobs, "CronJob"),
            (cron_jobs, jobs) => format!("{} and {}", number(cron_jobs, "CronJob"), number(jobs, "Job")),
        };
        let mut summary = format!("{found} in {of}");
        if self.others > 0 {
            summary += &format!("; {} not checked", number(self.others, "other object"));
        }
        if self.silenced > 0 {
            summary += &format!("; {} silenced", self.silenced);
        }
        summary + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::Total;

    #[test]
    fn the_summary_counts_what_was_found() {
        let total = Total { files: 2, cron_jobs: 1, jobs: 3, others: 4, errors: 2, warnings: 1, notes: 2, silenced: 1 };
        assert_eq!(total.summary(), "2 errors, 1 warning and 2 notes in 1 CronJob and 3 Jobs; 4 other objects not checked; 1 silenced\n");
        assert_eq!(Total { files: 1, ..Total::default() }.summary(), "no problems in 1 file without Jobs and CronJobs\n");
        assert_eq!(Total { jobs: 1, warnings: 2, ..Total::default() }.summary(), "2 warnings in 1 Job\n");
    }
}
