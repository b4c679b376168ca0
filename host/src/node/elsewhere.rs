//! Local processes where there is no Linux: there are none.
//!
//! Docs: README, "jobsmith run". How it is done on Linux is in `processes.rs`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use super::command::ContainerCommand;
use super::process::{ProcessEvent, ProcessId, Signal};

/// Running local processes; this type has no values outside Linux.
#[derive(Debug)]
pub enum Processes {}

impl Processes {
    /// Refuses.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: &Path) -> io::Result<(Self, Receiver<ProcessEvent>)> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "containers' commands run as local processes on Linux only"))
    }

    /// Starts a command.
    ///
    /// # Errors
    /// None: it cannot be called.
    pub fn start(&mut self, _: ContainerCommand, _: Option<PathBuf>) -> io::Result<ProcessId> {
        match *self {}
    }

    /// Signals a process.
    pub fn signal(&self, _: ProcessId, _: Signal) {
        match *self {}
    }
}
