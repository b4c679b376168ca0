//! One process `jobsmith controller`, and what may happen to a process.
//!
//! Docs: `jobsmith controller --help`. Its log is kept, to find out why a test failed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use core_tests::built;

use crate::program::{kill, memory};

/// A controller that can be killed, stopped and started again.
pub(super) struct Replica {
    kubeconfig: PathBuf,
    log: PathBuf,
    child: Child,
}

impl Replica {
    pub(super) fn start(kubeconfig: PathBuf, folder: &Path, number: usize) -> Self {
        let log = folder.join(format!("controller-{number}.log"));
        let child = begin(&kubeconfig, &log);
        Self { kubeconfig, log, child }
    }

    /// Kills it, and starts it again.
    pub(super) fn die(&mut self) {
        self.child.kill().expect("it is ours");
        self.child.wait().expect("it is ours");
        self.child = begin(&self.kubeconfig, &self.log);
    }

    /// Stops it for so long, as a machine does that is overloaded.
    pub(super) fn pause(&self, length: Duration) {
        self.signal("STOP");
        sleep(length);
        self.signal("CONT");
    }

    /// Sends it TERM; returns how it ended, and after what time.
    pub(super) fn end(&mut self) -> (ExitStatus, Duration) {
        let begin = Instant::now();
        self.signal("TERM");
        (self.child.wait().expect("it is ours"), begin.elapsed())
    }

    /// The memory that it holds, in KiB.
    pub(super) fn memory(&self) -> u64 {
        memory(&self.child.id().to_string())
    }

    fn signal(&self, name: &str) {
        kill(name, &self.child.id().to_string());
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn begin(kubeconfig: &Path, log: &Path) -> Child {
    let log = File::options().create(true).append(true).open(log).expect("the folder is there");
    let mut command = Command::new(built::binary());
    command.args([
        "controller",
        "--leader-elect-lease-duration=4s",
        "--leader-elect-renew-deadline=3s",
        "--leader-elect-retry-period=500ms",
    ]);
    command
        .args(["--pod-failure-backoff=100ms", "--pod-failure-backoff-max=1s", "--sync-batch-period=100ms", "--kubeconfig"])
        .arg(kubeconfig);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().expect("the program is built")
}
