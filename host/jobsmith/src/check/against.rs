//! What files are compared with: other files, the same files at a commit of their git repository, or the objects of a cluster.
//!
//! Docs: `jobsmith check --help`. Which changes the API server would refuse is decided in the crate `check`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use api::Timestamp;
use check::Findings;
#[cfg(feature = "cluster")]
use manifest::ManifestObject;

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
                all.map(|()| files.iter().map(|file| files::findings(&file.file.text, now)).collect())
            }
            Self::Commit(commit) => {
                let paths = arguments.paths().into_iter().filter(|path| path.as_os_str() != "-");
                let texts = paths.map(|path| at_commit(commit, path, &arguments.exclude));
                let texts = texts.collect::<Result<Vec<_>, _>>().map_err(|reason| refuse(&reason))?;
                Ok(texts.iter().flatten().map(|text| files::findings(text, now)).collect())
            }
            #[cfg(feature = "cluster")]
            Self::Cluster => {
                let wanted = checked.iter().flat_map(|file| &file.report.objects).filter_map(ManifestObject::workload);
                let texts = crate::on_cluster::stored(&arguments.cluster, &wanted.collect::<Vec<_>>()).ok_or(BadInput)?;
                Ok(texts.iter().map(|text| files::findings(text, now)).collect())
            }
        }
    }
}

fn refuse(reason: &str) -> BadInput {
    output::error(reason);
    BadInput
}

/// The texts of a file, or of the manifests in a folder, at a commit; none of what was not there then, or is excluded.
fn at_commit(commit: &str, path: &Path, exclusions: &[Exclusion]) -> Result<Vec<String>, String> {
    let folder = if path.is_dir() { path } else { path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")) };
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").arg("-C").arg(folder).args(arguments).output().map_err(|error| format!("cannot start git: {error}"))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let reason = String::from_utf8_lossy(&output.stderr);
        Err(format!("git has no {commit} of {}: {}", path.display(), reason.trim().trim_start_matches("fatal: ")))
    };
    let below = match path.file_name() {
        Some(name) if !path.is_dir() => name.to_string_lossy().into_owned(),
        _ => ".".to_owned(),
    };
    let names = git(&["ls-tree", "-r", "-z", "--name-only", commit, "--", &below])?;
    let names = String::from_utf8_lossy(&names).into_owned();
    let manifests = names.split_terminator('\0').filter(|name| !path.is_dir() || files::is_manifest(Path::new(name)));
    let manifests = manifests.filter(|name| !excluded(exclusions, &folder.join(name)));
    manifests.map(|name| Ok(String::from_utf8_lossy(&git(&["show", &format!("{commit}:./{name}")])?).into_owned())).collect()
}
