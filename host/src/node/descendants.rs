//! The processes that came from one process, whatever they did to get away from it.
//!
//! Docs: proc(5), "/proc/pid/stat"; prctl(2), PR_SET_CHILD_SUBREAPER. Who is to be ended, and when, is decided in `shim.rs` and
//! `processes.rs`.
//!
//! The parent of a process that lost its own is the nearest living subreaper above it: as long as that one lives, a new session, a new
//! process group or a double fork changes nothing.

use std::collections::BTreeSet;
use std::fs;

use rustix::process::{Pid, Signal, kill_process};

/// A process and its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    pub pid: i32,
    pub parent: i32,
    pub session: i32,
    /// When it started, in ticks since the machine did: a number that is given to another process comes with another time.
    started: u64,
}

/// All processes, read one after the other.
pub(super) fn all() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| look_at(entry.file_name().to_str()?.parse().ok()?)).collect()
}

fn look_at(pid: i32) -> Option<Process> {
    parse(&fs::read(format!("/proc/{pid}/stat")).ok()?)
}

fn parse(stat: &[u8]) -> Option<Process> {
    // The second field is the name in parentheses, and a name may hold anything, even parentheses and bytes that are not text.
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let pid = std::str::from_utf8(stat.split(|byte| *byte == b' ').next()?).ok()?.parse().ok()?;
    let rest: Vec<&str> = std::str::from_utf8(&stat[end + 1..]).ok()?.split_ascii_whitespace().collect();
    Some(Process { pid, parent: rest.get(1)?.parse().ok()?, session: rest.get(3)?.parse().ok()?, started: rest.get(19)?.parse().ok()? })
}

/// Those of `all` that descend from one of `ancestors`, these not included.
pub(super) fn of(ancestors: impl IntoIterator<Item = i32>, all: &[Process]) -> Vec<Process> {
    let mut family: BTreeSet<i32> = ancestors.into_iter().collect();
    let mut found = Vec::new();
    loop {
        let before = found.len();
        found.extend(all.iter().filter(|process| family.contains(&process.parent) && !family.contains(&process.pid)));
        if found.len() == before {
            return found;
        }
        family.extend(found[before..].iter().map(|process| process.pid));
    }
}

/// Kills a process, unless its number is another's by now; returns whether it could.
pub(super) fn kill(process: &Process) -> bool {
    let Some(pid) = Pid::from_raw(process.pid) else { return false };
    look_at(process.pid).is_some_and(|now| now.started == process.started) && kill_process(pid, Signal::KILL).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let process = parse(b"42 (a) S 7 (\xff b) R 6 5 4 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 12345 9 9").unwrap();
        assert_eq!(process, Process { pid: 42, parent: 6, session: 4, started: 12345 });
        assert_eq!(parse(b""), None);
        assert_eq!(parse(b"42 (a) S"), None);
    }

    #[test]
    fn this_process_is_among_all_of_them() {
        let own = i32::try_from(std::process::id()).unwrap();
        assert!(all().iter().any(|process| process.pid == own));
    }

    #[test]
    fn descendants_are_found_at_any_depth_and_in_any_order() {
        let all: Vec<Process> =
            [(5, 4), (2, 1), (3, 2), (4, 3), (9, 8), (1, 0)].map(|(pid, parent)| Process { pid, parent, session: 1, started: 0 }).into();
        let mut pids: Vec<i32> = of([2], &all).iter().map(|process| process.pid).collect();
        pids.sort_unstable();
        assert_eq!(pids, [3, 4, 5]);
        assert_eq!(of([5], &all), []);
    }
}
