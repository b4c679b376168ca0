//! The launcher: the process that becomes a container's command.
//!
//! Docs: Define a Command and Arguments for a Container. It ties the command's life to that of the shim (`shim.rs`), and reports why it cannot
//! be started; what the command is was decided in `command.rs`.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rustix::fs::{Access, access};
use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, Signal, getppid, getrlimit, set_parent_process_death_signal, setrlimit};

use super::command::ContainerCommand;
use super::process::ProcessEnd;
use super::protocol::{Launch, inherited_socket, receive, send};

/// How much of a value a message shows, in characters.
const LONGEST: usize = 1000;

/// Becomes the command that the shim sends over standard input, or reports to it there why that is not possible.
pub(super) fn run(shim: &OsStr) -> ExitCode {
    let Ok(socket) = inherited_socket() else { return ExitCode::FAILURE };
    let end = match become_command(shim, &mut BufReader::new(&socket)) {
        Ok(never) => match never {},
        Err(end) => end,
    };
    // If this fails, there is no reader left to report it to.
    let _ = send(&socket, &end);
    ExitCode::FAILURE
}

fn become_command(shim: &OsStr, socket: &mut BufReader<impl io::Read>) -> Result<std::convert::Infallible, ProcessEnd> {
    let unprepared = |error: &dyn std::fmt::Display| not_started(format!("cannot prepare the process: {error}"));
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| unprepared(&error))?;
    // A shim that was gone before the signal was requested sends none.
    if getppid().map(|parent| Pid::as_raw(Some(parent)).to_string()).as_deref().map(OsStr::new) != Some(shim) {
        return Err(unprepared(&"its shim is gone"));
    }
    let Some(Launch { command, open_files }) = receive(socket).map_err(|error| unprepared(&error))? else {
        return Err(unprepared(&"its shim is gone"));
    };
    let limit = Rlimit { current: open_files, ..getrlimit(Resource::Nofile) };
    setrlimit(Resource::Nofile, limit).map_err(|error| unprepared(&error))?;
    let nothing = File::open("/dev/null").map_err(|error| unprepared(&error))?;
    rustix::stdio::dup2_stdin(nothing).map_err(|error| unprepared(&error))?;
    execute(&command)
}

fn execute(command: &ContainerCommand) -> Result<std::convert::Infallible, ProcessEnd> {
    if let Some(directory) = &command.working_dir {
        std::env::set_current_dir(directory)
            .map_err(|error| not_started(format!("cannot enter the working directory {}: {error}", short(&directory.to_string_lossy()))))?;
    }
    let Some((name, arguments)) = command.argv.split_first() else { return Err(not_started("there is no command".to_owned())) };
    let program = find(name, command.env.get("PATH").map_or("", String::as_str))?;
    let shown = short(name);
    if !executable_format(&program) {
        return Err(not_started(format!("cannot run {shown:?}: it is neither a program nor a script that begins with #!")));
    }
    let error = std::process::Command::new(program).arg0(name).args(arguments).env_clear().envs(&command.env).exec();
    Err(match Errno::from_io_error(&error) {
        Some(Errno::NOENT) => not_started(format!("cannot run {shown:?}: the interpreter that it names was not found")),
        Some(Errno::TOOBIG) => {
            not_started(format!("cannot run {shown:?}: its arguments and environment are larger than this machine allows"))
        }
        _ => not_started(format!("cannot run {shown:?}: {error}")),
    })
}

/// The file of a program, looked for in the directories of `path` unless its name has a slash.
fn find(name: &str, path: &str) -> Result<PathBuf, ProcessEnd> {
    let candidates: Vec<PathBuf> = match name {
        "" => Vec::new(),
        _ if name.contains('/') => vec![PathBuf::from(name)],
        _ => path.split(':').filter(|directory| !directory.is_empty()).map(|directory| Path::new(directory).join(name)).collect(),
    };
    let files: Vec<&PathBuf> = candidates.iter().filter(|file| file.exists()).collect();
    if let Some(program) = files.iter().find(|file| file.is_file() && access(file.as_path(), Access::EXEC_OK).is_ok()) {
        return Ok((*program).clone());
    }
    let shown = short(name);
    Err(match files.first() {
        Some(file) if file.is_dir() => not_started(format!("cannot run {shown:?}: {} is a directory", file.display())),
        Some(file) => not_started(format!("cannot run {shown:?}: this user may not execute {}", file.display())),
        None => not_started(not_found(name)),
    })
}

/// That a program was not found; one with blanks in its name is a line for a shell.
fn not_found(name: &str) -> String {
    let shown = short(name);
    let shell = if shown.contains(' ') { "; for a line with arguments, use a shell: [\"sh\", \"-c\", …]" } else { "" };
    let why = if name.contains('/') { "the file does not exist" } else { "it is not in PATH" };
    format!("cannot run {shown:?}: {why}{shell}")
}

/// A value as a message shows it: the beginning of a long one.
fn short(value: &str) -> Cow<'_, str> {
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &value[..end]).into(),
        None => value.into(),
    }
}

/// Whether a file looks like something that the kernel executes. If it does not, the C library would pass it to a shell, which no container
/// runtime does.
fn executable_format(program: &Path) -> bool {
    // A program may be executed without being read; the kernel then knows what it is.
    let Ok(mut file) = File::open(program) else { return true };
    let mut magic = [0; 4];
    file.read_exact(&mut magic).is_ok() && (magic.starts_with(b"#!") || magic == *b"\x7fELF")
}

fn not_started(message: String) -> ProcessEnd {
    ProcessEnd::NotStarted { message }
}
