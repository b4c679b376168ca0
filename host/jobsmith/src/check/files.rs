//! The files that are checked: those that are named, and in folders those that mention a Job.
//!
//! Docs: `jobsmith check --help`. How a file is read is in `input.rs`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use api::Timestamp;
use check::{CheckDepth, Findings};

use super::exclusion::{Exclusion, excluded};
use super::predictions::{PredictedObject, WhenPredicted, predictions};
use crate::input::{BadInput, InputFile};
use crate::{folder, output, parallel};

/// What files with manifests end in.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// A file to check.
pub(super) struct FileToCheck {
    /// Its name and its text.
    pub(super) file: InputFile,
    /// Where it is; `None` for standard input.
    pub(super) path: Option<PathBuf>,
    /// Whether it was given by name, not found in a folder; so is standard input.
    pub(super) named: bool,
}

/// A file, and what was found in it.
pub(super) struct CheckedFile {
    /// Its name and its text.
    pub(super) file: InputFile,
    /// What was found in it.
    pub(super) report: Findings,
    /// What its objects will do, if that is wanted.
    pub(super) predictions: Vec<PredictedObject>,
}

/// Reads all files that are not excluded, and whether all of them could be read; prints which could not.
pub(super) fn read(paths: &[&PathBuf], exclusions: &[Exclusion], stdin_name: &str) -> (Vec<FileToCheck>, Result<(), BadInput>) {
    let (mut files, mut all) = (Vec::new(), Ok(()));
    for path in paths.iter().filter(|path| !excluded(exclusions, path)) {
        let read = if path.is_dir() {
            walk(path, exclusions, &mut files)
        } else if path.as_os_str() == "-" {
            stdin(stdin_name).map(|file| files.push(file))
        } else {
            named(path).map(|file| files.push(FileToCheck { named: true, ..file }))
        };
        all = all.and(read);
    }
    (files, all)
}

/// Standard input. If there is nothing in it, the program before this one has failed.
fn stdin(name: &str) -> Result<FileToCheck, BadInput> {
    let file = InputFile { name: name.to_owned(), ..InputFile::read(Path::new("-"))? };
    if file.text.trim().is_empty() {
        output::error(&format!("{name} is empty: pass manifests"));
        return Err(BadInput);
    }
    Ok(FileToCheck { file, path: None, named: true })
}

/// A file, by the name that annotations have.
fn named(path: &Path) -> Result<FileToCheck, BadInput> {
    Ok(FileToCheck { file: InputFile::read(path)?.without_dot(), path: Some(path.to_path_buf()), named: false })
}

/// Reads the files in a folder and below that mention a Job, and are not excluded.
fn walk(folder: &Path, exclusions: &[Exclusion], files: &mut Vec<FileToCheck>) -> Result<(), BadInput> {
    let visit = |path: &Path| {
        files.extend(Some(named(path)?).filter(|file| has_job_kind(&file.file.text)));
        Ok(())
    };
    folder::walk(folder, &EXTENSIONS, |path| excluded(exclusions, path), visit)
}

/// Whether the name of a file is that of a manifest.
pub(super) fn is_manifest(path: &Path) -> bool {
    folder::ends_in(path, &EXTENSIONS)
}

/// Whether a line has a kind that is a Job's, a CronJob's, or one of their lists'.
fn has_job_kind(text: &str) -> bool {
    text.lines().any(|line| line.contains("kind") && line.contains("Job"))
}

/// Whether a text mentions a Job in any way. Tools that pass all files of a repository pass others, too.
fn mentions_a_job(text: &str) -> bool {
    text.as_bytes().windows(3).any(|word| word.eq_ignore_ascii_case(b"job"))
}

/// What is found in a text; nothing if it mentions no Job.
pub(super) fn findings(text: &str, now: Timestamp) -> Findings {
    if mentions_a_job(text) { check::check(text, CheckDepth::Advice, now) } else { Findings::default() }
}

/// Checks all files, on all cores.
pub(super) fn check(files: Vec<FileToCheck>, predicted: WhenPredicted, now: Timestamp) -> Vec<CheckedFile> {
    let mut reports = Vec::new();
    parallel::in_order(
        files.len(),
        |at| {
            let report = findings(&files[at].file.text, now);
            let predictions = if predicted.predicts(files[at].named) { predictions(&report, now) } else { Vec::new() };
            (report, predictions)
        },
        |_, report| {
            reports.push(report);
            ControlFlow::Continue(())
        },
    );
    let checked = |(FileToCheck { file, .. }, (report, predictions))| CheckedFile { file, report, predictions };
    files.into_iter().zip(reports).map(checked).collect()
}

#[cfg(test)]
mod tests {
    use super::{has_job_kind, mentions_a_job};

    #[test]
    fn files_without_jobs_are_told_by_their_kinds() {
        for text in ["kind: Job\n", "  \"kind\": \"CronJob\",\n", "- kind: 'Job' # x\n", "kind: JobList\n"] {
            assert!(has_job_kind(text) && mentions_a_job(text), "{text}");
        }
        for text in ["", "kind: Deployment\n", "name: Job\nkind: Service\n"] {
            assert!(!has_job_kind(text), "{text}");
        }
        assert!(mentions_a_job("kind: cronjob\n") && !mentions_a_job("services: {web: {image: nginx}}\n"));
    }
}
