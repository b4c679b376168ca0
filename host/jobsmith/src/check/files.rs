//! The files that are checked: those that are named, and in folders those that mention a Job.
//!
//! Docs: `jobsmith check --help`. How a file is read is in `input.rs`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use api::Timestamp;
use check::{CheckDepth, Findings};
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

/// A file, and what was found in it.
pub(super) struct CheckedFile {
    /// Its name and its text.
    pub(super) file: InputFile,
    /// What was found in it.
    pub(super) report: Findings,
}

/// Reads all files, and whether all of them could be read; prints which could not.
pub(super) fn read(paths: &[&PathBuf], stdin_name: &str) -> (Vec<FileToCheck>, Result<(), BadInput>) {
    let (mut files, mut all) = (Vec::new(), Ok(()));
    for path in paths {
        let read = if path.is_dir() {
            walk(path, &mut files)
        } else if *path == Path::new("-") {
            stdin(stdin_name).map(|file| files.push(file))
        } else {
            named(path).map(|file| files.push(file))
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
    Ok(FileToCheck { file, path: None })
}

/// A file, by a name that begins with no `./`: what shows annotations compares it with names in the repository.
fn named(path: &Path) -> Result<FileToCheck, BadInput> {
    let file = InputFile::read(path)?;
    let name = file.name.strip_prefix("./").unwrap_or(&file.name).to_owned();
    Ok(FileToCheck { file: InputFile { name, ..file }, path: Some(path.to_path_buf()) })
}

/// Reads the files in a folder and below that mention a Job, in the order of their names; hidden ones are left out.
fn walk(folder: &Path, files: &mut Vec<FileToCheck>) -> Result<(), BadInput> {
    let shown = |entry: &DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    let mut result = Ok(());
    for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(shown) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(folder).display();
                let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                output::error(&format!("cannot read {path}: {reason}"));
                result = Err(BadInput);
                continue;
            }
        };
        let manifest = entry.path().extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known));
        if !manifest || !entry.file_type().is_file() {
            continue;
        }
        match named(entry.path()) {
            Ok(file) if has_job_kind(&file.file.text) => files.push(file),
            Ok(_) => {}
            Err(BadInput) => result = Err(BadInput),
        }
    }
    result
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
pub(super) fn check(files: Vec<FileToCheck>, now: Timestamp) -> Vec<CheckedFile> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut reports = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(at) else { break reports };
            reports.push((at, findings(&file.file.text, now)));
        }
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
