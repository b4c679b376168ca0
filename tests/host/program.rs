//! The program `jobsmith`, started as a person starts it, in a folder of its own.
//!
//! Docs: `jobsmith --help`. What it is tested for is in `run/` and `bad_input/`.

use std::fs::{self, File};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use core_tests::built::binary;

/// How long anything may take, also on a machine that does much else; only a failing test waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The memory that a process holds, in KiB; `self` is this one.
pub(crate) fn memory(process: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("every process has memory");
    line.trim().trim_end_matches(" kB").parse().expect("it is a number")
}

/// A folder for one test, which goes with it. Its path marks all processes that are started in it: they have it as `TMPDIR`.
pub(crate) struct Folder {
    path: PathBuf,
}

/// A run of the program.
pub(crate) struct Program {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

/// What is left of a run.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The exit status, or 1000 and the number of the signal that ended the program.
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Copies a program, and makes it executable. Another process writes the copy: a process that another test starts has all files open for a moment that this one
/// has open, and a program that is open for writing cannot be executed.
pub(crate) fn install(program: &Path, at: &Path) {
    fs::create_dir_all(at.parent().expect("it lies in a folder")).expect("the folder can be written to");
    let status = Command::new("install").args(["-m", "755"]).args([program, at]).status().expect("`install` starts");
    assert!(status.success(), "cannot copy {} to {}", program.display(), at.display());
}

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("jobsmith-run-{}-{}-end", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("there is a folder for what is temporary");
        Self { path }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path.join(name), content).expect("the folder can be written to");
    }

    /// Writes a script that can be executed; returns where it is.
    pub(crate) fn write_script(&self, name: &str, text: &str) -> PathBuf {
        let source = format!("{name}.text");
        self.write(&source, text);
        install(&self.path.join(source), &self.path.join(name));
        self.path.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Starts the program here, with its output in files.
    pub(crate) fn start(&self, arguments: &[&str]) -> Program {
        self.start_by(Command::new(binary()).args(arguments))
    }

    /// Starts the program here by another one, which becomes it, with its output in files.
    pub(crate) fn start_by(&self, command: &mut Command) -> Program {
        let output = File::create(self.path.join("stdout")).expect("the folder can be written to");
        self.start_into(command, output.into())
    }

    /// Starts the program here, with its standard output in a pipe.
    pub(crate) fn start_piped(&self, arguments: &[&str]) -> Program {
        self.start_into(Command::new(binary()).args(arguments), Stdio::piped())
    }

    fn start_into(&self, command: &mut Command, output: Stdio) -> Program {
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| self.path.join(name));
        let errors = File::create(&stderr).expect("the folder can be written to");
        command.current_dir(&self.path).env("TMPDIR", &self.path).env_remove("NO_COLOR").process_group(0);
        let input = File::open(self.path.join("stdin")).map_or_else(|_| Stdio::null(), Stdio::from);
        let child = command.stdin(input).stdout(output).stderr(errors).spawn().expect("the program starts");
        Program { child, stdout, stderr }
    }

    /// Runs the program here to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.start(arguments).end()
    }

    /// The command lines of the processes that were started here and still live.
    pub(crate) fn alive(&self) -> Vec<String> {
        let marker = self.path.as_os_str().as_encoded_bytes();
        let marked = |text: Vec<u8>| text.windows(marker.len()).any(|window| window == marker);
        let processes = fs::read_dir("/proc").expect("this is Linux").flatten();
        let alive = processes.filter(|process| fs::read(process.path().join("environ")).is_ok_and(marked));
        alive.map(|process| fs::read_to_string(process.path().join("cmdline")).unwrap_or_default().replace('\0', " ")).collect()
    }

    /// Waits until nothing that was started here lives.
    pub(crate) fn wait_until_empty(&self) {
        wait_until(|| self.alive().is_empty(), || format!("nothing lives, but {:?} do", self.alive()));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, which cleans its temporary folders.
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl Program {
    /// Waits until standard output has this text.
    pub(crate) fn wait_for(&self, text: &str) {
        let shown = || fs::read_to_string(&self.stdout).unwrap_or_default();
        let errors = || fs::read_to_string(&self.stderr).unwrap_or_default();
        wait_until(|| shown().contains(text), || format!("{text:?} is printed, but this is:\n{}{}", shown(), errors()));
    }

    /// Waits until standard error has this text.
    pub(crate) fn wait_for_error(&self, text: &str) {
        let shown = || fs::read_to_string(&self.stderr).unwrap_or_default();
        wait_until(|| shown().contains(text), || format!("{text:?} is not there, but this is:\n{}", shown()));
    }

    /// Sends a signal to the program alone.
    pub(crate) fn signal(&self, name: &str) {
        kill(name, &self.child.id().to_string());
    }

    /// Sends a signal to the program's process group, as a terminal does.
    pub(crate) fn signal_group(&self, name: &str) {
        kill(name, &format!("-{}", self.child.id()));
    }

    /// Closes the pipe that its standard output is.
    pub(crate) fn close_stdout(&mut self) {
        drop(self.child.stdout.take());
    }

    /// Waits for the end.
    pub(crate) fn end(mut self) -> Ended {
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                break status;
            }
            assert!(begin.elapsed() < PATIENCE, "jobsmith does not end");
            sleep(Duration::from_millis(5));
        };
        let text = |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let status = status.code().or(status.signal().map(|signal| 1000 + signal)).unwrap_or(-1);
        Ended { status, stdout: text(&self.stdout), stderr: text(&self.stderr) }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A failed test leaves nothing behind; after a good one there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    /// What containers printed, in order: the lines behind the name of a pod or of a pod's further container.
    pub(crate) fn printed(&self) -> Vec<&str> {
        self.stdout.lines().filter_map(|line| line.split_once(" | ")).map(|(_, text)| text).collect()
    }

    /// What it printed, as one JSON value.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{}: {error}", self.stdout))
    }

    /// The lines of JSON.
    pub(crate) fn objects(&self) -> Vec<serde_json::Value> {
        let object = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        self.stdout.lines().map(object).collect()
    }

    /// Asserts how it ended.
    pub(crate) fn with_status(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{}{}", self.stdout, self.stderr);
        self
    }
}

/// Sends a signal to a process, or to a group of them if there is a minus before its number.
pub(crate) fn kill(name: &str, target: &str) {
    let sent = Command::new("kill").args(["-s", name, "--", target]).status().expect("there is a `kill`");
    assert!(sent.success(), "{name} cannot be sent to {target}");
}

/// Waits until something is so; the message names what was waited for if it never is.
pub(crate) fn wait_until(condition: impl Fn() -> bool, what: impl Fn() -> String) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < PATIENCE, "waited in vain until {}", what());
        sleep(Duration::from_millis(10));
    }
}
