//! A copy of the core and its tests in which bugs are put: without the hosts, so that a bug costs seconds.
//!
//! Docs: The Cargo Book, "Workspaces". Which tests are run on it is in the mutants' patches (`patch.rs`).

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use super::patch::Killer;
use crate::cargo::cargo;
use crate::sources::files;
use crate::workspace::Workspace;

/// The crates that the core's tests need.
const CRATES: [&str; 19] = [
    "admission",
    "advice",
    "api",
    "check",
    "cluster",
    "contract",
    "controllers",
    "derive",
    "features",
    "manifest",
    "past",
    "play",
    "prediction",
    "protocol",
    "schedule",
    "schema",
    "script",
    "simulation",
    "story",
];
/// What else is copied: the tests of the core, and what they read.
const FOLDERS: [&str; 3] = ["tests/core", "tests/scenarios", "tests/stuck"];
/// Files that are copied besides: the samples in them are read.
const FILES: [&str; 1] = ["README.md"];
/// What is left empty: tests look for their files in these, too.
const EMPTY: [&str; 3] = [".github", "host", "web"];
/// How long a test may take; one with a bug may never end.
const PATIENCE: Duration = Duration::from_secs(240);

/// Built to be changed often: the crates that change are barely optimised.
const PROFILE: &str = "[profile.dev]\nopt-level = 1\ndebug = false\nincremental = true\n\n[profile.dev.package.\"*\"]\nopt-level = 2\n";

/// The copy.
pub(super) struct Scratch<'a> {
    workspace: &'a Workspace,
    folder: PathBuf,
}

/// What tests make of a bug.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum MutantResult {
    /// They fail.
    Failed,
    /// They do not end.
    Hung,
    /// They pass.
    Passed,
    /// There are none of that name.
    Missing,
    /// The code with the bug does not compile.
    Uncompiled(String),
    /// The code has changed, and the patch no longer applies.
    Unapplied(String),
}

impl MutantResult {
    /// The verdict in a word or two.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Failed => "noticed",
            Self::Hung => "noticed, as the test does not end",
            Self::Passed => "SURVIVES",
            Self::Missing => "NO SUCH TEST",
            Self::Uncompiled(_) => "DOES NOT COMPILE",
            Self::Unapplied(_) => "DOES NOT APPLY",
        }
    }

    /// What is wrong with the mutant, or with the test.
    pub(super) fn complaint(&self) -> Option<String> {
        match self {
            Self::Failed | Self::Hung => None,
            Self::Passed => Some("the test passes with the bug".to_owned()),
            Self::Missing => Some("there is no such test".to_owned()),
            Self::Uncompiled(error) => Some(format!("it does not compile:\n{error}")),
            Self::Unapplied(error) => Some(format!("it no longer applies: {error}")),
        }
    }
}

impl<'a> Scratch<'a> {
    /// Brings the copy up to date. Files that are as they were stay, so that little is compiled.
    pub(super) fn new(workspace: &'a Workspace) -> anyhow::Result<Self> {
        let scratch = Self { workspace, folder: workspace.target.join("mutants/workspace") };
        let crates = CRATES.map(|name| format!("crates/{name}"));
        for folder in crates.iter().map(String::as_str).chain(FOLDERS) {
            for file in files(&workspace.root.join(folder))? {
                let path = file.strip_prefix(&workspace.root).expect("it lies in the workspace");
                scratch.write_bytes(path, &fs::read(&file)?)?;
            }
            // What was renamed would be there twice.
            for copy in files(&scratch.folder.join(folder))? {
                let path = copy.strip_prefix(&scratch.folder).expect("it lies in the copy");
                if !workspace.root.join(path).exists() {
                    fs::remove_file(&copy)?;
                }
            }
        }
        for file in FILES {
            scratch.write_bytes(Path::new(file), &fs::read(workspace.root.join(file))?)?;
        }
        for folder in EMPTY {
            fs::create_dir_all(scratch.folder.join(folder))?;
        }
        scratch.write_bytes(Path::new("Cargo.lock"), &fs::read(workspace.root.join("Cargo.lock"))?)?;
        scratch.write("Cargo.toml", &manifest(&fs::read_to_string(workspace.root.join("Cargo.toml"))?)?)?;
        Ok(scratch)
    }

    /// Writes a file of the copy, unless it is as it is to be.
    pub(super) fn write(&self, path: &str, text: &str) -> anyhow::Result<()> {
        self.write_bytes(Path::new(path), text.as_bytes())
    }

    fn write_bytes(&self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.folder.join(path);
        if fs::read(&path).is_ok_and(|before| before == bytes) {
            return Ok(());
        }
        fs::create_dir_all(path.parent().expect("it lies in a folder"))?;
        fs::write(&path, bytes).with_context(|| format!("{} cannot be written", path.display()))
    }

    /// Builds and runs tests.
    pub(super) fn test(&self, killer: &Killer) -> anyhow::Result<MutantResult> {
        let own = format!("--package={}", killer.binary);
        let target: &[&str] = if killer.binary == "it" { &["--package=core_tests", "--test=it"] } else { &[&own, "--lib"] };
        let mut build = cargo(self.workspace);
        build
            .current_dir(&self.folder)
            .args(["test", "--no-run", "--color=never", "--target-dir"])
            .arg(self.folder.with_file_name("target"));
        let built = build.args(target).output().context("cannot start cargo")?;
        let log = String::from_utf8_lossy(&built.stderr).into_owned();
        if !built.status.success() {
            return Ok(MutantResult::Uncompiled(log.lines().filter(|line| line.starts_with("error")).collect::<Vec<_>>().join("\n")));
        }
        let program = log.lines().rev().find_map(|line| line.trim().strip_prefix("Executable ")?.rsplit_once('(')?.1.strip_suffix(')'));
        let program = self.folder.join(program.with_context(|| format!("cargo did not report what it built:\n{log}"))?);
        self.run(&program, &killer.filter)
    }

    fn run(&self, program: &Path, filter: &str) -> anyhow::Result<MutantResult> {
        let output = self.folder.with_file_name("output");
        let package = self.folder.join(if program.file_name().is_some_and(|name| name.to_string_lossy().starts_with("it-")) {
            "tests/core"
        } else {
            ""
        });
        let mut child = Command::new(program)
            .arg(filter)
            .current_dir(package)
            .env("JOBSMITH_SEEDS", "3000")
            .env_remove("JOBSMITH_SEED")
            .env_remove("UPDATE_EXPECT")
            .stdin(Stdio::null())
            .stdout(File::create(&output)?)
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = child.try_wait()? {
                let printed = String::from_utf8_lossy(&fs::read(&output)?).into_owned();
                return Ok(match () {
                    () if !status.success() => MutantResult::Failed,
                    () if printed.contains("running 0 tests") => MutantResult::Missing,
                    () => MutantResult::Passed,
                });
            }
            sleep(Duration::from_millis(20));
        }
        child.kill()?;
        child.wait()?;
        Ok(MutantResult::Hung)
    }
}

/// The workspace's manifest with the members of the copy alone.
fn manifest(text: &str) -> anyhow::Result<String> {
    let Some((head, _)) = text.split_once("[profile.release]") else { bail!("Cargo.toml has no [profile.release]") };
    let members = CRATES.map(|name| format!("\"crates/{name}\"")).join(", ");
    let lines = head.lines().filter(|line| !line.starts_with("default-members")).map(|line| match line.starts_with("members = ") {
        true => format!("members = [{members}, \"tests/core\"]"),
        false => line.to_owned(),
    });
    Ok(lines.collect::<Vec<_>>().join("\n") + "\n\n" + PROFILE)
}
