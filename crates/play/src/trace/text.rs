//! How an entry reads, on a line of its own.
//!
//! Docs: the same lines are in scenario files, in `jobsmith simulate` and, without a terminal, in `jobsmith run`.

use std::fmt::Write as _;

use api::Timestamp;
use api::time::length;
use contract::Decision;

use super::{Entry, PodEntry, PodState, What};

/// Tells times as lengths of time since a beginning.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    /// The beginning.
    pub start: Timestamp,
}

impl Clock {
    /// The entry as a line, without a line break; `None` where there is nothing to be said that was not said before.
    ///
    /// With `all`, every decision, request and Event is told.
    #[must_use]
    pub fn line(&self, entry: &Entry, all: bool) -> Option<String> {
        (all || !entry.routine()).then(|| self.text(entry))
    }

    /// The entry as a line, whatever it says.
    #[must_use]
    pub fn text(&self, entry: &Entry) -> String {
        let at = format!("{:>7}", self.time(entry.at));
        let told = match &entry.what {
            What::Job { job, change } => format!("job {job}: {change}"),
            What::Pod(pod) => pod_line(pod, entry.at),
            What::Decision { decision, .. } => self.decision(decision),
            What::Request { method, path, outcome } => format!("{} {path}: {outcome}", method.name()),
            What::Event(notice) => {
                format!("Event {} {}: {}", if notice.warning { "Warning" } else { "Normal" }, notice.reason, notice.message)
            }
            What::Complaint { message } => format!("! {message}"),
        };
        format!("{at} {told}")
    }

    /// A decision: its mark, its sentence with times of this clock, and its rule.
    #[must_use]
    pub fn decision(&self, Decision { kind, role, sentence, .. }: &Decision) -> String {
        format!("{} {} ({})", role.mark(), sentence.render(|at| self.time(at)), kind.rule)
    }

    /// `m:ss`, or `h:mm:ss`, with tenths of a second where there are any; with a sign before the beginning.
    #[must_use]
    pub fn time(&self, at: Timestamp) -> String {
        let since = at.duration_since(self.start);
        let sign = if since.is_negative() { "-" } else { "" };
        let (seconds, tenths) = (since.as_secs().unsigned_abs(), since.subsec_millis().unsigned_abs() / 100);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let mut text = if hours > 0 { format!("{sign}{hours}:{minutes:02}:{seconds:02}") } else { format!("{sign}{minutes}:{seconds:02}") };
        if tenths > 0 {
            let _ = write!(text, ".{tenths}");
        }
        text
    }
}

fn pod_line(pod: &PodEntry, at: Timestamp) -> String {
    let name = &pod.pod;
    let after = if pod.found { String::new() } else { format!(" after {}", length(at.duration_since(pod.created_at))) };
    match pod.state {
        PodState::Pending => match pod.index {
            Some(index) => format!("pod {name} Pending: attempt {} of index {index}", pod.attempt),
            None => format!("pod {name} Pending"),
        },
        PodState::Running | PodState::Ready => format!("pod {name} {:?}", pod.state),
        PodState::Restarted => {
            let starts = pod.starts.iter().map(|start| format!("start {} of container {}", start.number, start.container));
            format!("pod {name} Restarted: {}", starts.collect::<Vec<_>>().join(", "))
        }
        PodState::Terminating => format!("pod {name} Terminating"),
        PodState::Succeeded => format!("pod {name} Succeeded{after}"),
        PodState::Failed => {
            let code = pod.exit_code.map(|code| format!(" with exit code {code}")).unwrap_or_default();
            let reason = if pod.reason.is_empty() { String::new() } else { format!(": {}", pod.reason) };
            format!("pod {name} Failed{code}{after}{reason}")
        }
        PodState::Gone => format!("pod {name} gone"),
    }
}

#[cfg(test)]
mod tests {
    use api::{Duration, Text};
    use cluster::testing::noon;
    use expect_test::{Expect, expect};

    use super::super::StartAgain;
    use super::*;

    fn at(milliseconds: i64) -> Timestamp {
        api::time::after(noon(), Duration::from_millis(milliseconds))
    }

    #[test]
    fn times_are_told_since_the_beginning() {
        let clock = Clock { start: noon() };
        let told = [-5500, 0, 1300, 59_990, 61_000, 3_600_000, 360_000_500].map(|milliseconds| clock.time(at(milliseconds)));
        expect!["-0:05.5|0:00|0:01.3|0:59.9|1:01|1:00:00|100:00:00.5"].assert_eq(&told.join("|"));
    }

    fn check(change: impl FnOnce(&mut PodEntry), expected: Expect) {
        let mut entry = PodEntry {
            pod: "pi-00001".into(),
            job: "pi".into(),
            index: None,
            attempt: 1,
            state: PodState::Pending,
            restarts: 0,
            starts: Vec::new(),
            exit_code: None,
            found: false,
            created_at: noon(),
            reason: String::new(),
        };
        change(&mut entry);
        expected.assert_eq(&Clock { start: noon() }.line(&Entry { at: at(2500), what: What::Pod(entry) }, false).unwrap());
    }

    #[test]
    fn pods_are_told_by_their_states() {
        check(|_| {}, expect![" 0:02.5 pod pi-00001 Pending"]);
        check(|pod| (pod.index, pod.attempt) = (Some(3), 2), expect![" 0:02.5 pod pi-00001 Pending: attempt 2 of index 3"]);
        check(|pod| pod.state = PodState::Ready, expect![" 0:02.5 pod pi-00001 Ready"]);
        check(
            |pod| (pod.state, pod.exit_code, pod.reason) = (PodState::Failed, Some(9), "Evicted".to_owned()),
            expect![" 0:02.5 pod pi-00001 Failed with exit code 9 after 2.5 s: Evicted"],
        );
        check(|pod| (pod.state, pod.exit_code) = (PodState::Succeeded, Some(0)), expect![" 0:02.5 pod pi-00001 Succeeded after 2.5 s"]);
        let start = |container: &str, number| StartAgain { container: Text::from(container), number };
        check(
            |pod| (pod.state, pod.starts) = (PodState::Restarted, vec![start("main", 2), start("log", 5)]),
            expect![" 0:02.5 pod pi-00001 Restarted: start 2 of container main, start 5 of container log"],
        );
        check(|pod| pod.state = PodState::Gone, expect![" 0:02.5 pod pi-00001 gone"]);
    }
}
