//! The log files of containers: one for each container of a pod, continued over its restarts.
//!
//! Docs: Logging Architecture, "Pod and container logs". What is written there comes from `supervisor.rs`; what people see meanwhile, from
//! `terminal.rs`.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The log file of a container: `<directory>/<pod>_<container>.log`, with `%` and a number for what a file's name should not hold.
#[must_use]
pub fn path(directory: &Path, pod: &str, container: &str) -> PathBuf {
    directory.join(format!("{}_{}.log", safe(pod), safe(container)))
}

/// Names of pods and containers have letters, digits, `-` and `.`, but nothing here relies on it: no name gets out of the directory.
fn safe(name: &str) -> String {
    let mut safe = String::with_capacity(name.len());
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => safe.push(char::from(byte)),
            b'.' if at > 0 => safe.push('.'),
            _ => safe.push_str(&format!("%{byte:02X}")),
        }
    }
    safe
}

/// A log file that is made when there is something to write, and given up at the first error.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    state: LogState,
}

#[derive(Debug)]
enum LogState {
    Untouched,
    Open(File),
    GivenUp,
}

impl LogFile {
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path, state: LogState::Untouched }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes at the file's end.
    ///
    /// # Errors
    /// The first error that occurs, once: whatever comes after it is dropped.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = match &mut self.state {
            LogState::Untouched => open(&self.path).and_then(|mut file| {
                let written = file.write_all(bytes);
                self.state = LogState::Open(file);
                written
            }),
            LogState::Open(file) => file.write_all(bytes),
            LogState::GivenUp => Ok(()),
        };
        written.inspect_err(|_| self.state = LogState::GivenUp)
    }
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    File::options().append(true).create(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("jobsmith-log-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        directory
    }

    #[test]
    fn names_cannot_leave_the_directory() {
        let name = |pod, container| path(Path::new("logs"), pod, container).to_str().unwrap().to_owned();
        assert_eq!(name("pi-0-abcde", "main"), "logs/pi-0-abcde_main.log");
        assert_eq!(name("a.b", "c"), "logs/a.b_c.log");
        assert_eq!(name("../../etc", "a/b"), "logs/%2E.%2F..%2Fetc_a%2Fb.log");
        assert_eq!(name("a_b", "c"), "logs/a%5Fb_c.log");
        assert_eq!(name("é\0", ""), "logs/%C3%A9%00_.log");
    }

    #[test]
    fn a_file_is_made_with_its_first_byte_and_continued_by_the_next_run() {
        let directory = scratch("continued");
        let path = path(&directory.join("deeper"), "pod", "main");
        let mut first = LogFile::at(path.clone());
        assert!(!directory.exists());
        first.append(b"one\n").unwrap();
        first.append(b"two\n").unwrap();
        LogFile::at(path.clone()).append(b"three\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\nthree\n");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn an_error_is_reported_once() {
        let directory = scratch("error");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("file"), "").unwrap();
        let mut log = LogFile::at(path(&directory.join("file"), "pod", "main"));
        log.append(b"lost").unwrap_err();
        log.append(b"lost too").unwrap();
        fs::remove_dir_all(directory).unwrap();
    }
}
