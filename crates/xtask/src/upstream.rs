//! Builds the programs around Kubernetes' own code, from Go modules, and runs them with our controllers.
//!
//! Docs: `tests/upstream/README.md`. The tests that use them are started in `tests.rs`.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::program;
use crate::sources::newest;
use crate::workspace::{Profile, Workspace, print_line, written_at};

/// The controller that is run where none is named.
const OURS: [&str; 4] = ["jobsmith", "controller", "--name", "kubernetes.io/job-controller"];
/// The controller that it is held against, with as many workers as it has in a cluster.
const REFERENCE: &str = "reference-controller --workers 5";

/// The environment variable that has the version of Kubernetes; the tests read it too.
pub(crate) const VARIABLE: &str = "KUBERNETES";

/// A version of Kubernetes whose code can be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kubernetes {
    /// The version that the controllers follow.
    V1_37,
    /// The version before, which they are also compared with.
    V1_36,
}

impl Kubernetes {
    /// The version that the flag `--kubernetes` or else the environment names, or else the one that the controllers follow.
    pub(crate) fn chosen(flag: Option<String>) -> anyhow::Result<Self> {
        let named = flag.or_else(|| std::env::var(VARIABLE).ok());
        named.map_or(Ok(Self::V1_37), |name| Self::named(&name))
    }

    fn named(name: &str) -> anyhow::Result<Self> {
        let found = [Self::V1_37, Self::V1_36].into_iter().find(|version| version.name() == name);
        found.with_context(|| format!("{name:?} is not a version of Kubernetes that can be built: 1.36 and 1.37 are"))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::V1_37 => "1.37",
            Self::V1_36 => "1.36",
        }
    }

    /// Whether all tests of this version include those of admission beside v1.36.
    pub(crate) fn is_compared_with_v1_36(self) -> bool {
        self == Self::V1_37
    }

    /// The folder with what is of this version only.
    fn sources(self, workspace: &Workspace) -> PathBuf {
        match self {
            Self::V1_37 => source(workspace),
            Self::V1_36 => source(workspace).join("1.36"),
        }
    }
}

/// Builds what is measured beside ours; without Go, ours is measured alone.
pub(crate) fn build_for_bench(workspace: &Workspace) -> anyhow::Result<()> {
    if go_is_installed() {
        return build_for_soak(workspace, Kubernetes::chosen(None)?);
    }
    print_line(&format!("SKIPPED: {WITHOUT_GO}"));
    Ok(())
}

/// Builds what tests and suites need, and what compares admission with v1.36 ([`Kubernetes::is_compared_with_v1_36`]).
pub(crate) fn build_for_tests(workspace: &Workspace, kubernetes: Kubernetes) -> anyhow::Result<()> {
    build_for_soak(workspace, kubernetes)?;
    Programs::of(workspace, kubernetes).build(&["conformance", "cronjob.test", "job.test"])?;
    if kubernetes.is_compared_with_v1_36() {
        Programs::of(workspace, Kubernetes::V1_36).build(&["oracle", "schema"])?;
    }
    Ok(())
}

/// Builds what tests compare with.
pub(crate) fn build_for_soak(workspace: &Workspace, kubernetes: Kubernetes) -> anyhow::Result<()> {
    ensure!(go_is_installed(), "{WITHOUT_GO}; install Go from https://go.dev/dl");
    // What is printed is compared with kubectl of the version that is followed, whichever version the API server has.
    Programs::of(workspace, Kubernetes::V1_37).build(&["kubectl"])?;
    Programs::of(workspace, kubernetes).build(&["oracle", "schema", "etcd", "kube-apiserver", "cluster", "reference-controller"])
}

const WITHOUT_GO: &str = "Go is not installed, so upstream's programs cannot be built";

fn go_is_installed() -> bool {
    Command::new("go").arg("version").output().is_ok()
}

/// Becomes Kubernetes' suites with our controller, or with the one that follows `--`.
pub(crate) fn conformance(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    let (mut flags, command) = split(arguments);
    let kubernetes = Kubernetes::chosen(take(&mut flags, "kubernetes"))?;
    Err(suites(workspace, kubernetes, flags, command)?.exec()).context("cannot start the suites")
}

/// The command that runs Kubernetes' suites, all of it built.
pub(crate) fn suites(
    workspace: &Workspace,
    kubernetes: Kubernetes,
    mut flags: Vec<OsString>,
    command: Vec<OsString>,
) -> anyhow::Result<Command> {
    let programs = Programs::of(workspace, kubernetes);
    let suites = take(&mut flags, "suite").unwrap_or_else(|| "job,cronjob".to_owned());
    let binaries: Vec<String> = suites.split(',').map(|suite| format!("{suite}.test")).collect();
    let mut targets = vec!["etcd", "conformance"];
    targets.extend(binaries.iter().map(String::as_str));
    let command = programs.controller(Profile::Release, command, &mut targets)?;
    programs.build(&targets)?;
    let mut conformance = Command::new(programs.path("conformance"));
    conformance.arg("-build").arg(programs.folder()).arg("-skip-file").arg(kubernetes.sources(workspace).join("not-applicable.txt"));
    conformance.arg("-suite").arg(&suites).args(flags).args(command);
    Ok(conformance)
}

/// Becomes the load meter, with the reference beside our controller or the one that follows `--`.
pub(crate) fn load(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    let (mut flags, command) = split(arguments);
    let programs = Programs::of(workspace, Kubernetes::chosen(take(&mut flags, "kubernetes"))?);
    let mut targets = vec!["etcd", "kube-apiserver", "load", "reference-controller"];
    let command = programs.controller(Profile::Dist, command, &mut targets)?.join(OsStr::new(" "));
    programs.build(&targets)?;
    let mut load = Command::new(programs.path("load"));
    load.arg("-bin").arg(programs.folder()).args(flags);
    load.arg(programs.path(REFERENCE)).arg(command);
    Err(load.exec()).context("cannot start the load meter")
}

/// Becomes a real API server with nodes that play pods.
pub(crate) fn cluster(workspace: &Workspace, mut arguments: Vec<OsString>) -> anyhow::Result<()> {
    let programs = Programs::of(workspace, Kubernetes::chosen(take(&mut arguments, "kubernetes"))?);
    programs.build(&["etcd", "kube-apiserver", "cluster"])?;
    let mut cluster = Command::new(programs.path("cluster"));
    cluster.arg("-bin").arg(programs.folder()).args(arguments);
    Err(cluster.exec()).context("cannot start the cluster")
}

/// Writes the table of all fields from Kubernetes' own types. A field that only the newer version has is marked so.
pub(crate) fn schema(workspace: &Workspace) -> anyhow::Result<()> {
    let fields = |kubernetes| {
        let programs = Programs::of(workspace, kubernetes);
        programs.build(&["schema"])?;
        let output = Command::new(programs.path("schema")).output().context("cannot start the program that prints the fields")?;
        ensure!(output.status.success(), "the fields cannot be printed: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).context("fields are text")
    };
    let (older, newer) = (fields(Kubernetes::V1_36)?, fields(Kubernetes::V1_37)?);
    let name = |line: &str| line.split(' ').next().map(str::to_owned);
    let known: BTreeSet<Option<String>> = older.lines().map(name).collect();
    let since = |line| if known.contains(&name(line)) { "" } else { " since 1.37" };
    let table: String = newer.lines().flat_map(|line| [line, since(line), "\n"]).collect();
    let path = workspace.root.join("crates/schema/fields.txt");
    fs::write(&path, table).with_context(|| format!("cannot write {}", path.display()))
}

/// The flags before `--`, and the command behind it.
fn split(mut arguments: Vec<OsString>) -> (Vec<OsString>, Vec<OsString>) {
    let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let command = arguments.split_off(end).into_iter().skip(1).collect();
    (arguments, command)
}

/// Removes a flag, and returns its value, as Go reads it: `-name value`, `-name=value`, with one dash or two.
fn take(flags: &mut Vec<OsString>, name: &str) -> Option<String> {
    for place in 0..flags.len() {
        let Some(flag) = flags[place].to_str().filter(|flag| flag.starts_with('-')) else { continue };
        match flag.trim_start_matches('-').split_once('=') {
            Some((found, value)) if found == name => {
                let value = value.to_owned();
                flags.remove(place);
                return Some(value);
            }
            None if flag.trim_start_matches('-') == name && place + 1 < flags.len() => {
                let value = flags.drain(place..place + 2).next_back();
                return value.map(|value| value.to_string_lossy().into_owned());
            }
            _ => {}
        }
    }
    None
}

/// The programs around the code of one version of Kubernetes.
struct Programs<'w> {
    workspace: &'w Workspace,
    kubernetes: Kubernetes,
}

impl<'w> Programs<'w> {
    fn of(workspace: &'w Workspace, kubernetes: Kubernetes) -> Self {
        Self { workspace, kubernetes }
    }

    fn folder(&self) -> PathBuf {
        self.workspace.upstream(self.kubernetes.name())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// The whole path of the controller to run, and its arguments; ours is built, the reference joins the targets.
    fn controller(&self, profile: Profile, command: Vec<OsString>, targets: &mut Vec<&str>) -> anyhow::Result<Vec<OsString>> {
        let mut command = if command.is_empty() { OURS.map(OsString::from).to_vec() } else { command };
        if command[0] == OURS[0] {
            program::build(self.workspace, profile)?;
            command[0] = self.workspace.program(profile, OURS[0]).into();
        } else if command[0] == "reference-controller" {
            targets.push("reference-controller");
            command[0] = self.path("reference-controller").into();
        }
        Ok(command)
    }

    /// Builds programs whose source is newer than they are.
    fn build(&self, targets: &[&str]) -> anyhow::Result<()> {
        let source = source(self.workspace);
        let changed = newest(&source)?;
        let stale: Vec<&str> = targets.iter().copied().filter(|target| written_at(&self.path(target)) <= changed).collect();
        if stale.is_empty() {
            return Ok(());
        }
        let kubernetes = self.kubernetes.name();
        print_line(&format!(
            "building {} of Kubernetes {kubernetes} from Go modules; the first time this takes some minutes",
            stale.join(", ")
        ));
        let status = Command::new(source.join("build")).args(["--kubernetes", kubernetes]).arg(self.folder()).args(stale).status();
        ensure!(status.context("cannot start the script that builds them")?.success(), "upstream's programs cannot be built");
        Ok(())
    }
}

/// The folder with the source of it all.
fn source(workspace: &Workspace) -> PathBuf {
    workspace.root.join("tests/upstream")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_split_and_flags_are_read_as_go_reads_them() {
        let words = |line: &str| line.split_whitespace().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(split(words("-run x -- a -- b")), (words("-run x"), words("a -- b")));
        assert_eq!(split(words("-run x")), (words("-run x"), Vec::new()));
        let suite = |line: &str| {
            let mut flags = words(line);
            (take(&mut flags, "suite"), flags)
        };
        assert_eq!(suite("-run x --suite job,cronjob -logs y"), (Some("job,cronjob".to_owned()), words("-run x -logs y")));
        assert_eq!(suite("-suite=cronjob"), (Some("cronjob".to_owned()), Vec::new()));
        assert_eq!(suite("-run suite x"), (None, words("-run suite x")));
        assert_eq!(suite("-suite"), (None, words("-suite")));
    }

    #[test]
    fn versions_have_names() {
        assert_eq!(Kubernetes::named("1.36").ok(), Some(Kubernetes::V1_36));
        let error = Kubernetes::named("1.35").unwrap_err().to_string();
        assert_eq!(error, "\"1.35\" is not a version of Kubernetes that can be built: 1.36 and 1.37 are");
    }
}
