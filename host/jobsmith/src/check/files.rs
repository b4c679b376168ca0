//! The files that are checked: those that are named, and in folders those that mention a Job.
//!
//! Docs: `jobsmith check --help`. How a file is read is in `input.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use advice::ObjectSet;
use api::Timestamp;
use check::{CheckDepth, FileSet, Findings, ManifestFile};
use manifest::Diagnostic;

use super::exclusion::{Exclusion, excluded};
use super::kustomization::Kustomizations;
use super::predictions::{PredictedObject, WhenPredicted, predictions};
use crate::input::{BadInput, InputFile, UnreadFile};
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
    /// Why it is no text, if it is none: then it is not checked any further.
    pub(super) no_text: Option<Diagnostic>,
}

/// What was read: each file once.
pub(super) struct ReadFiles {
    /// The files to check.
    pub(super) to_check: Vec<FileToCheck>,
    /// The texts of files without Jobs that are in folders, and have objects of use for those beside them.
    of_use: BTreeMap<PathBuf, String>,
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

/// Reads all files that are not excluded, each once, and whether all of them could be read; prints which could not, and which folders have nothing to check.
pub(super) fn read(paths: &[&PathBuf], exclusions: &[Exclusion], stdin_name: &str) -> (ReadFiles, Result<(), BadInput>) {
    let (mut read_files, mut all) = (ReadFiles { to_check: Vec::new(), of_use: BTreeMap::new() }, Ok(()));
    for path in paths.iter().filter(|path| !excluded(exclusions, path)) {
        let known = read_files.to_check.len();
        let read = if path.is_dir() {
            read_files.walk(path, exclusions).inspect(|()| {
                if read_files.to_check.len() == known {
                    output::complain(&format!("note: no manifest in {} mentions a Job\n", path.display()));
                }
            })
        } else if path.as_os_str() == "-" {
            stdin(stdin_name).map(|file| read_files.to_check.push(file))
        } else {
            named(path).map(|file| read_files.to_check.push(FileToCheck { named: true, ..file }))
        };
        all = all.and(read);
    }
    let mut seen = BTreeSet::new();
    let files = &mut read_files.to_check;
    files.retain(|file| file.path.as_ref().and_then(|path| path.canonicalize().ok()).is_none_or(|path| seen.insert(path)));
    if files.iter().any(|file| file.no_text.is_some()) {
        all = Err(BadInput);
    }
    (read_files, all)
}

/// Standard input. If there is nothing in it, the program before this one has failed.
fn stdin(name: &str) -> Result<FileToCheck, BadInput> {
    let file = InputFile { name: name.to_owned(), ..InputFile::read(Path::new("-"))? };
    if file.text.trim().is_empty() {
        output::error(&format!("{name} is empty: pass manifests"));
        return Err(BadInput);
    }
    Ok(FileToCheck { file, path: None, named: true, no_text: None })
}

/// A file, by the name that annotations have.
fn named(path: &Path) -> Result<FileToCheck, BadInput> {
    let (file, no_text) = match InputFile::load(path) {
        Ok(file) => (file, None),
        Err(UnreadFile::NotText(file, problem)) => (file, Some(*problem)),
        Err(unread @ UnreadFile::Missing(_)) => {
            unread.complain("");
            return Err(BadInput);
        }
    };
    Ok(FileToCheck { file: file.without_dot(), path: Some(path.to_path_buf()), named: false, no_text })
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

/// What is found in a text by itself; nothing if it mentions no Job.
pub(super) fn findings(text: &str, depth: CheckDepth<'_>, now: Timestamp) -> Findings {
    if mentions_a_job(text) { check::check(text, depth, now) } else { Findings::default() }
}

/// Checks all files, on all cores. Those of a folder are applied together, and so are those that were named.
pub(super) fn check(files: ReadFiles, predicted: WhenPredicted, depth: CheckDepth<'_>, now: Timestamp) -> Vec<CheckedFile> {
    let reports = reports(&files, predicted, depth, now);
    let checked = |(FileToCheck { file, .. }, (report, predictions))| CheckedFile { file, report, predictions };
    files.to_check.into_iter().zip(reports).map(checked).collect()
}

/// What was found in each file, and what its objects will do.
fn reports(files: &ReadFiles, predicted: WhenPredicted, depth: CheckDepth<'_>, now: Timestamp) -> Vec<(Findings, Vec<PredictedObject>)> {
    let (files, beside) = (&files.to_check[..], files.beside());
    let texts: Vec<&str> = files.iter().map(|file| &*file.file.text).chain(beside.iter().map(|(_, text)| *text)).collect();
    let kustomizations = Kustomizations::beside(files.iter().filter_map(|file| file.path.as_deref()));
    let read = on_all_cores(texts.len(), |at| {
        let text = if mentions_a_job(texts[at]) || is_of_use(texts[at]) { texts[at] } else { "" };
        let path = files.get(at).and_then(|file| file.path.as_deref());
        ManifestFile::read(text).kustomized(path.is_some_and(|path| kustomizations.list(path)))
    });
    let mut together: BTreeMap<Option<&Path>, Vec<usize>> = BTreeMap::new();
    let folders = files.iter().map(FileToCheck::folder).chain(beside.iter().map(|(folder, _)| Some(*folder)));
    folders.enumerate().for_each(|(at, folder)| together.entry(folder).or_default().push(at));
    let sets: BTreeMap<Option<&Path>, (FileSet<'_>, &[usize])> =
        together.iter().map(|(folder, places)| (*folder, (FileSet::new(places.iter().map(|at| &read[*at]), now), &places[..]))).collect();
    on_all_cores(files.len(), |at| {
        if let Some(problem) = &files[at].no_text {
            return (Findings { diagnostics: vec![problem.clone()], ..Findings::default() }, Vec::new());
        }
        let (set, places) = &sets[&files[at].folder()];
        let place = places.binary_search(&at).expect("each file is in the set of its folder");
        let report = if mentions_a_job(texts[at]) { set.findings(place, depth) } else { Findings::default() };
        let predictions = if predicted.predicts(files[at].named) { predictions(&report, now) } else { Vec::new() };
        (report, predictions)
    })
}

/// What comes of each piece of work, in order.
fn on_all_cores<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let mut results = Vec::new();
    parallel::in_order(count, work, |_, result| {
        results.push(result);
        ControlFlow::Continue(())
    });
    results
}

/// Whether a line has a kind whose objects advice on Jobs asks for.
fn is_of_use(text: &str) -> bool {
    text.lines().any(|line| line.contains("kind") && ObjectSet::OTHERS.iter().any(|kind| line.contains(kind)))
}

impl ReadFiles {
    /// Reads the manifests in a folder and below that are not excluded.
    fn walk(&mut self, folder: &Path, exclusions: &[Exclusion]) -> Result<(), BadInput> {
        let visit = |path: &Path| {
            let file = named(path)?;
            if file.no_text.is_some() || has_job_kind(&file.file.text) {
                self.to_check.push(file);
            } else if is_of_use(&file.file.text) {
                self.of_use.insert(path.to_path_buf(), file.file.text);
            }
            Ok(())
        };
        folder::walk(folder, &EXTENSIONS, |path| excluded(exclusions, path), visit)
    }

    /// The texts that are of use for files in the same folders, with these.
    fn beside(&self) -> Vec<(&Path, &str)> {
        let folders: BTreeSet<&Path> = self.to_check.iter().filter_map(FileToCheck::folder).collect();
        let with_folders = self.of_use.iter().filter_map(|(path, text)| Some((path.parent()?, &**text)));
        with_folders.filter(|(folder, _)| folders.contains(folder)).collect()
    }
}

impl FileToCheck {
    /// The folder with whose files it is applied; `None` if it was named, as are those with which it is.
    fn folder(&self) -> Option<&Path> {
        self.path.as_deref().filter(|_| !self.named)?.parent()
    }
}

#[cfg(test)]
mod tests {
    use super::{has_job_kind, is_of_use, mentions_a_job};

    #[test]
    fn files_without_jobs_are_told_by_their_kinds() {
        for text in ["kind: Job\n", "  \"kind\": \"CronJob\",\n", "- kind: 'Job' # x\n", "kind: JobList\n"] {
            assert!(has_job_kind(text) && mentions_a_job(text), "{text}");
        }
        for text in ["", "kind: Deployment\n", "name: Job\nkind: Service\n"] {
            assert!(!has_job_kind(text), "{text}");
        }
        assert!(is_of_use("kind: Service\n") && !is_of_use("kind: Job\nservice: Service\n"));
        assert!(mentions_a_job("kind: cronjob\n") && !mentions_a_job("services: {web: {image: nginx}}\n"));
    }
}
