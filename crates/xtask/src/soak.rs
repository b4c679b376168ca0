//! Runs tests at length: what `cargo xtask test` tries for minutes, for hours.
//!
//! Docs: `README.md`. The tests themselves are in `tests/core` and `tests/host`, and the numbers here replace their own; `tests.rs` starts them at their usual length. Mutants
//! are run in `mutants/`.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};

use crate::tests::command;
use crate::upstream::{self, Kubernetes};
use crate::workspace::{Profile, Workspace, print_line};
use crate::{mutants, program};

/// Something that runs at length.
struct SoakPart {
    name: &'static str,
    about: &'static str,
    work: SoakWork,
    /// The version of Kubernetes that it compares with, whose code is built with Go; `None`: it does not compare.
    kubernetes: Option<Kubernetes>,
}

/// What a part runs.
enum SoakWork {
    /// Tests, one after the other.
    Tests(&'static [SoakRun]),
    /// All mutants.
    Mutants,
    /// Kubernetes' own suites for Jobs and CronJobs.
    Suite(Kubernetes),
}

/// A test that runs at length.
struct SoakRun {
    /// Its path in the package with it, `core_tests` or `host_tests`.
    path: &'static str,
    /// Its environment. A variable that is set already keeps its value.
    variables: &'static [(&'static str, &'static str)],
}

/// Random histories of Jobs, compared with the controllers of one version of Kubernetes.
const HISTORIES: SoakRun = histories("differential::our_controllers_do_what_upstreams_do");

/// Seeds of the simulation.
const SEEDS: &[(&str, &str)] = &[("JOBSMITH_SEEDS", "100000")];

const fn histories(path: &'static str) -> SoakRun {
    SoakRun { path, variables: &[("JOBSMITH_HISTORIES", "5000")] }
}

const fn usual(path: &'static str) -> SoakRun {
    SoakRun { path, variables: &[] }
}

const fn faults(variables: &'static [(&'static str, &'static str)]) -> SoakRun {
    SoakRun { path: "faults::a_job_ends_as_it_should_whatever_goes_wrong", variables }
}

/// All parts, those first that find most in the least time.
const PARTS: [SoakPart; 9] = [
    SoakPart {
        name: "simulation",
        about: "100,000 seeds of the simulation (JOBSMITH_SEEDS, from JOBSMITH_SEED)",
        work: SoakWork::Tests(&[
            SoakRun { path: "simulation::the_controllers_keep_all_invariants_and_promises", variables: SEEDS },
            SoakRun { path: "simulation::all_three_controllers_keep_all_invariants_and_promises", variables: SEEDS },
            SoakRun { path: "simulation::jobs_that_stand_still_keep_all_invariants_and_promises", variables: SEEDS },
            SoakRun { path: "simulation::jobs_that_ask_for_more_keep_all_invariants_and_promises", variables: SEEDS },
        ]),
        kubernetes: None,
    },
    SoakPart {
        name: "fuzzing",
        about: "an hour of changed manifests, which are read, checked, corrected and shown, and ten minutes of changed annotations (JOBSMITH_FUZZ_SECONDS, from JOBSMITH_SEED)",
        work: SoakWork::Tests(&[
            SoakRun {
                path: "reading::fuzzing::manifests::no_text_makes_what_reads_manifests_panic_or_hang",
                variables: &[("JOBSMITH_FUZZ_SECONDS", "3600")],
            },
            SoakRun {
                path: "reading::fuzzing::annotations::no_value_makes_what_reads_annotations_panic_or_hang",
                variables: &[("JOBSMITH_FUZZ_SECONDS", "600")],
            },
        ]),
        kubernetes: None,
    },
    SoakPart {
        name: "year",
        about: "a CronJob every minute for a year (JOBSMITH_DAYS)",
        work: SoakWork::Tests(&[SoakRun { path: "year::each_minute_has_one_job", variables: &[("JOBSMITH_DAYS", "365")] }]),
        kubernetes: None,
    },
    SoakPart {
        name: "mutants",
        about: "bugs put into the controllers one by one: a test must notice each",
        work: SoakWork::Mutants,
        kubernetes: None,
    },
    SoakPart {
        name: "differential",
        about: "5,000 random histories each of Jobs, of Jobs with refused requests and of CronJobs, beside upstream's controllers (JOBSMITH_HISTORIES, from JOBSMITH_SEED)",
        work: SoakWork::Tests(&[
            HISTORIES,
            histories("differential::refused::our_controllers_bear_refusals_as_upstreams_do"),
            histories("differential::cron_jobs::our_controllers_run_cron_jobs_as_upstreams_do"),
        ]),
        kubernetes: Some(Kubernetes::V1_37),
    },
    SoakPart {
        name: "differential-1.36",
        about: "as many of Jobs beside the controllers of Kubernetes v1.36",
        // The other histories run into bugs that v1.37 has fixed.
        work: SoakWork::Tests(&[HISTORIES]),
        kubernetes: Some(Kubernetes::V1_36),
    },
    SoakPart {
        name: "conformance-1.36",
        about: "the suites for Jobs and CronJobs of Kubernetes v1.36",
        work: SoakWork::Suite(Kubernetes::V1_36),
        kubernetes: Some(Kubernetes::V1_36),
    },
    SoakPart {
        name: "faults",
        about: "Jobs with 2,000 completions on a real API server while everything goes wrong, three runs (FAULTS_SEED, FAULTS_COMPLETIONS)",
        work: SoakWork::Tests(&[
            faults(&[("FAULTS_COMPLETIONS", "2000"), ("FAULTS_SEED", "1")]),
            faults(&[("FAULTS_COMPLETIONS", "2000"), ("FAULTS_SEED", "2")]),
            faults(&[("FAULTS_COMPLETIONS", "2000"), ("FAULTS_SEED", "3")]),
        ]),
        kubernetes: Some(Kubernetes::V1_37),
    },
    SoakPart {
        name: "memory",
        about: "an hour of Jobs and faults on a real API server, and how much memory they leave behind (SOAK_SECONDS)",
        work: SoakWork::Tests(&[usual("faults::an_hour_of_jobs_leaves_no_trace_in_memory")]),
        kubernetes: Some(Kubernetes::V1_37),
    },
];

/// Builds everything, then runs the parts that the arguments name, or all, one after the other. A part that fails does not keep the others
/// from running.
pub(crate) fn run(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        print_line(&help());
        return Ok(());
    }
    let parts = chosen(arguments)?;
    for version in [Kubernetes::V1_37, Kubernetes::V1_36] {
        if parts.iter().any(|part| part.kubernetes == Some(version)) {
            upstream::build_for_soak(workspace, version)?;
        }
    }
    program::build(workspace, Profile::Release)?;
    let (begin, mut failed) = (Instant::now(), Vec::new());
    for (number, part) in parts.iter().enumerate() {
        print_line(&format!("\n[{} of {}] {}: {}", number + 1, parts.len(), part.name, part.about));
        let started = Instant::now();
        let passed = part.run(workspace)?;
        print_line(&format!("{} {} after {}", part.name, if passed { "passed" } else { "FAILED" }, length(started.elapsed())));
        if !passed {
            failed.push(part.name);
        }
    }
    ensure!(failed.is_empty(), "{} of {} parts failed: {}", failed.len(), parts.len(), failed.join(", "));
    print_line(&format!("\nall {} parts passed in {}", parts.len(), length(begin.elapsed())));
    Ok(())
}

/// The parts that are named; all if none is.
fn chosen(names: &[OsString]) -> anyhow::Result<Vec<&'static SoakPart>> {
    if names.is_empty() {
        return Ok(PARTS.iter().collect());
    }
    let find = |name: &OsString| PARTS.iter().find(|part| name == part.name);
    let unknown = names.iter().find(|name| find(name).is_none());
    if let Some(name) = unknown {
        bail!("there is no part {:?}\n\n{}", name.to_string_lossy(), help());
    }
    Ok(names.iter().filter_map(find).collect())
}

fn help() -> String {
    let lines: String = PARTS.iter().map(|part| format!("    {:<18}{}\n", part.name, part.about)).collect();
    format!(
        "cargo xtask soak [PART…]\n\nRuns tests at length, which takes several hours. Without arguments, all parts:\n\n{lines}\nWhat is in parentheses are environment \
         variables that choose other numbers."
    )
}

impl SoakPart {
    /// Runs it; returns whether it passed.
    fn run(&self, workspace: &Workspace) -> anyhow::Result<bool> {
        match self.work {
            SoakWork::Tests(runs) => {
                for run in runs {
                    if !passes(&mut test(workspace, run, self.kubernetes))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            SoakWork::Suite(kubernetes) => Ok(upstream::suites(workspace, kubernetes, Vec::new(), Vec::new())?.status()?.success()),
            SoakWork::Mutants => Ok(mutants::run(workspace, &[]).inspect_err(|error| print_line(&format!("{error:#}"))).is_ok()),
        }
    }
}

/// The command that runs one test at length.
fn test(workspace: &Workspace, run: &SoakRun, kubernetes: Option<Kubernetes>) -> Command {
    let mut command = command(workspace);
    command.args(["--test", "it", "--", "--exact", "--include-ignored", run.path]);
    command.envs(kubernetes.map(|version| (upstream::VARIABLE, version.name())));
    command.envs(run.variables.iter().filter(|(name, _)| std::env::var_os(name).is_none()).copied());
    command
}

/// Runs one test and shows what it prints. A test that is not there has not passed.
fn passes(command: &mut Command) -> anyhow::Result<bool> {
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let output = child.stdout.take().expect("standard output is piped");
    let mut passed = 0;
    for line in BufReader::new(output).lines() {
        let line = line.context("the output of the test is not UTF-8")?;
        passed += usize::from(line.starts_with("test result: ok. 1 passed"));
        if !line.is_empty() {
            print_line(&line);
        }
    }
    Ok(child.wait()?.success() && passed == 1)
}

/// A length of time as people read it.
fn length(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_chosen_by_name() {
        let names = |arguments: &[&str]| {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            chosen(&arguments).map(|parts| parts.iter().map(|part| part.name).collect::<Vec<_>>()).map_err(|error| error.to_string())
        };
        assert_eq!(names(&[]).map(|parts| parts.len()), Ok(PARTS.len()));
        assert_eq!(names(&["memory", "simulation"]), Ok(vec!["memory", "simulation"]));
        assert!(
            names(&["simulatoin"]).is_err_and(|error| error.starts_with("there is no part \"simulatoin\"\n\ncargo xtask soak [PART…]"))
        );
    }

    #[test]
    fn a_test_that_is_not_there_has_not_passed() {
        let prints = |text: &str| passes(Command::new("echo").arg(text)).expect("echo runs");
        assert!(prints("test result: ok. 1 passed; 0 failed; 0 ignored"));
        assert!(!prints("test result: ok. 0 passed; 0 failed; 0 ignored"));
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!([59, 61, 3661].map(|seconds| length(Duration::from_secs(seconds))), ["59 s", "1 min 1 s", "1 h 1 min"]);
    }
}
