//! What files are compared with: other files, the same files at a commit of their git repository, or the objects of a cluster.
//!
//! Docs: `jobsmith check --help`. Which changes the API server would refuse is decided in the crate `check`.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use api::Timestamp;
use check::{CheckDepth, Findings};
use manifest::{ManifestObject, Severity};

use super::Arguments;
use super::exclusion::{Exclusion, excluded};
use super::files::{self, CheckedFile};
use crate::input::BadInput;
use crate::output;

/// Where the objects are from that would be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Against {
    /// A file or folder.
    Path(PathBuf),
    /// The same files at this commit.
    Commit(String),
    /// The cluster of the kubeconfig.
    #[cfg(feature = "cluster")]
    Cluster,
}

impl FromStr for Against {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("git:") {
            Some("") => Err("name a commit, as in git:main".to_owned()),
            Some(commit) if commit.starts_with('-') => Err(format!("{commit:?} is not the name of a commit")),
            Some(commit) => Ok(Self::Commit(commit.to_owned())),
            #[cfg(feature = "cluster")]
            None if text == "cluster" => Ok(Self::Cluster),
            None if Path::new(text).exists() => Ok(Self::Path(text.into())),
            None => Err(format!("there is no file {text:?}; for a commit, write git:{text}")),
        }
    }
}

impl Against {
    /// What the files hold that are compared with, and the cluster of the names in these files; prints why if that cannot be read.
    #[cfg_attr(not(feature = "cluster"), expect(unused_variables, reason = "only a cluster is asked for objects by name"))]
    pub(super) fn findings(&self, arguments: &Arguments, checked: &[CheckedFile], now: Timestamp) -> Result<Vec<Findings>, BadInput> {
        match self {
            Self::Path(path) => {
                let (files, all) = files::read(&[path], &arguments.exclude, "");
                all?;
                let found =
                    files.to_check.iter().map(|file| (&*file.file.name, files::findings(&file.file.text, CheckDepth::Mistakes, now)));
                let (found, errors) = sound(found);
                if errors.is_empty() {
                    return Ok(found);
                }
                errors.iter().for_each(|error| output::error(&format!("cannot compare with {error}")));
                Err(BadInput)
            }
            Self::Commit(commit) => {
                let texts = arguments.paths().into_iter().map(|path| {
                    let standard_input = path.as_os_str() == "-";
                    at_commit(commit, if standard_input { Path::new(named_input(arguments)?) } else { path }, &arguments.exclude)
                });
                let texts = texts.collect::<Result<Vec<_>, _>>().map_err(|reason| refuse(&reason))?;
                let found = texts.iter().flatten().map(|(name, text)| (&**name, files::findings(text, CheckDepth::Mistakes, now)));
                let (found, errors) = sound(found);
                // What is mended since then is no reason to stop.
                errors.iter().for_each(|error| output::complain(&format!("note: not compared with git:{commit}: {error}\n")));
                Ok(found)
            }
            #[cfg(feature = "cluster")]
            Self::Cluster => {
                let wanted = checked.iter().flat_map(|file| file.report.objects.iter()).filter_map(ManifestObject::workload);
                let texts = crate::on_cluster::stored(&arguments.cluster, &wanted.collect::<Vec<_>>()).ok_or(BadInput)?;
                Ok(texts.iter().map(|text| files::findings(text, CheckDepth::Mistakes, now)).collect())
            }
        }
    }
}

impl Against {
    /// Which objects were compared with nothing, and which are no longer there, a line each.
    pub(super) fn uncompared(&self, checked: &[CheckedFile], old: &[Findings]) -> String {
        let identities = |objects: &mut dyn Iterator<Item = &ManifestObject>| -> BTreeSet<String> {
            objects.filter_map(check::identity).map(|(kind, namespace, name)| format!("{} {namespace}/{name}", kind.name())).collect()
        };
        let new = identities(&mut checked.iter().flat_map(|file| file.report.objects.iter()));
        let old = identities(&mut old.iter().flat_map(|found| found.objects.iter()));
        let line = |objects: Vec<&String>, words: &str| {
            let names: Vec<&str> = objects.into_iter().map(|name| &**name).collect();
            if names.is_empty() { String::new() } else { format!("{words} {self}: {}\n", names.join(", ")) }
        };
        let gone = match self {
            #[cfg(feature = "cluster")]
            Self::Cluster => Vec::new(),
            Self::Path(_) | Self::Commit(_) => old.difference(&new).collect(),
        };
        line(new.difference(&old).collect(), "not compared, as there is none in") + &line(gone, "no longer there, but in")
    }
}

impl fmt::Display for Against {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(f, "{}", path.display()),
            Self::Commit(commit) => write!(f, "git:{commit}"),
            #[cfg(feature = "cluster")]
            Self::Cluster => f.write_str("the cluster"),
        }
    }
}

/// What was found in files, and the errors in them, which keep objects from being there.
fn sound<'n>(found: impl Iterator<Item = (&'n str, Findings)>) -> (Vec<Findings>, Vec<String>) {
    let mut errors = Vec::new();
    let noted = |(name, findings): (&str, Findings)| {
        let wrong = findings.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        errors.extend(wrong.map(|found| format!("{name}:{found}")));
        findings
    };
    (found.map(noted).collect(), errors)
}

/// The file that standard input stands for.
fn named_input(arguments: &Arguments) -> Result<&str, String> {
    let name = &*arguments.stdin_filename;
    if Path::new(name).parent().is_some_and(Path::is_dir) || Path::new(name).exists() {
        return Ok(name);
    }
    Err("standard input is no file at a commit: name the one that it would be with --stdin-filename, or write what is there to a file"
        .to_owned())
}

fn refuse(reason: &str) -> BadInput {
    output::error(reason);
    BadInput
}

/// The names and texts of a file, or of the manifests in a folder, at a commit; none of what was not there then, or is excluded.
fn at_commit(commit: &str, path: &Path, exclusions: &[Exclusion]) -> Result<Vec<(String, String)>, String> {
    let folder = if path.is_dir() { path } else { path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")) };
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").arg("-C").arg(folder).args(arguments).output().map_err(|error| format!("cannot start git: {error}"))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let reason = String::from_utf8_lossy(&output.stderr);
        Err(format!("git cannot show {} at {commit}: {}", path.display(), reason.trim().trim_start_matches("fatal: ")))
    };
    let below = match path.file_name() {
        Some(name) if !path.is_dir() => name.to_string_lossy().into_owned(),
        _ => ".".to_owned(),
    };
    let names = git(&["ls-tree", "-r", "-z", "--name-only", commit, "--", &below])?;
    let names = String::from_utf8_lossy(&names).into_owned();
    let manifests = names.split_terminator('\0').filter(|name| !path.is_dir() || files::is_manifest(Path::new(name)));
    let manifests = manifests.filter(|name| !excluded(exclusions, &folder.join(name)));
    let text = |name: &str| Ok((name.to_owned(), String::from_utf8_lossy(&git(&["show", &format!("{commit}:./{name}")])?).into_owned()));
    manifests.map(text).collect()
}
