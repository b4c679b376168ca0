//! The files that are checked: those that are named, and in folders those that mention a Job.
//!
//! Docs: `jobsmith check --help`. How a file is read is in `input.rs`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use api::Timestamp;
use check::Findings;
use walkdir::{DirEntry, WalkDir};

use crate::input::{BadInput, InputFile};
use crate::output;

/// What files with manifests end in.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// A file to check.
pub(super) struct FileToCheck {
    /// Its name and its text.
    pub(super) file: InputFile,
    /// Where it is; `None` for standard input.
    pub(super) path: Option<PathBuf>,
}

/// A file, and what is to be said of it.
pub(super) struct CheckedFile {
    /// Its name and its text.
    pub(super) file: InputFile,
    /// What is to be said of it.
    pub(super) report: Findings,
}

/// Reads all files; prints which of them cannot be read.
pub(super) fn read(paths: &[&PathBuf], stdin_name: &str) -> Result<Vec<FileToCheck>, BadInput> {
    let (mut files, mut bad) = (Vec::new(), false);
    for path in paths {
        if path.is_dir() {
            bad |= walk(path, &mut files).is_err();
        } else if *path == Path::new("-") {
            match InputFile::read(path) {
                Ok(file) => files.push(FileToCheck { file: InputFile { name: stdin_name.to_owned(), ..file }, path: None }),
                Err(BadInput) => bad = true,
            }
        } else {
            match InputFile::read(path) {
                Ok(file) => files.push(FileToCheck { file, path: Some(path.to_path_buf()) }),
                Err(BadInput) => bad = true,
            }
        }
    }
    if bad { Err(BadInput) } else { Ok(files) }
}

/// Reads the files in a folder and below that mention a Job, in the order of their names; hidden ones are left out.
fn walk(folder: &Path, files: &mut Vec<FileToCheck>) -> Result<(), BadInput> {
    let shown = |entry: &DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    let mut result = Ok(());
    for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(shown) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                output::error(&format!("cannot read {}: {error}", folder.display()));
                result = Err(BadInput);
                continue;
            }
        };
        let named = entry.path().extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known));
        if !named || !entry.file_type().is_file() {
            continue;
        }
        match InputFile::read(entry.path()) {
            Ok(file) if has_kind_of_job(&file.text) => files.push(FileToCheck { file, path: Some(entry.into_path()) }),
            Ok(_) => {}
            Err(BadInput) => result = Err(BadInput),
        }
    }
    result
}

/// Whether a line has a kind that is a Job's, a CronJob's, or one of their lists'.
fn has_kind_of_job(text: &str) -> bool {
    text.lines().any(|line| line.contains("kind") && line.contains("Job"))
}

/// Whether a text mentions a Job in any way. Tools that pass all files of a repository pass others, too.
fn mentions_a_job(text: &str) -> bool {
    text.as_bytes().windows(3).any(|word| word.eq_ignore_ascii_case(b"job"))
}

/// Checks all files, on all cores.
pub(super) fn check(files: Vec<FileToCheck>, now: Timestamp) -> Vec<CheckedFile> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut reports = Vec::new();
        while let Some((at, file)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, files.get(at)?))) {
            let text = &file.file.text;
            reports.push((at, if mentions_a_job(text) { check::check(text, now) } else { Findings::default() }));
        }
        reports
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(files.len());
    let mut reports: Vec<(usize, Findings)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let own = work();
        let of_others = others.into_iter().flat_map(|worker| worker.join().expect("a check does not panic"));
        own.into_iter().chain(of_others).collect()
    });
    reports.sort_unstable_by_key(|(at, _)| *at);
    files.into_iter().zip(reports).map(|(FileToCheck { file, .. }, (_, report))| CheckedFile { file, report }).collect()
}

#[cfg(test)]
mod tests {
    use super::{has_kind_of_job, mentions_a_job};

    #[test]
    fn files_without_jobs_are_told_by_their_kinds() {
        for text in ["kind: Job\n", "  \"kind\": \"CronJob\",\n", "- kind: 'Job' # x\n", "kind: JobList\n"] {
            assert!(has_kind_of_job(text) && mentions_a_job(text), "{text}");
        }
        for text in ["", "kind: Deployment\n", "name: Job\nkind: Service\n"] {
            assert!(!has_kind_of_job(text), "{text}");
        }
        assert!(mentions_a_job("kind: cronjob\n") && !mentions_a_job("services: {web: {image: nginx}}\n"));
    }
}
