//! How an entry reads, on a line of its own.
//!
//! Docs: the same lines are in scenario files, in `jobsmith simulate` and, without a terminal, in `jobsmith run`.

use std::fmt::Write as _;

use api::{Duration, Timestamp};

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
        let at = self.time(entry.at);
        let told = match &entry.what {
            What::Job { job, change } => format!("job {job}: {change}"),
            What::Pod(pod) => self.pod(pod, entry.at)?,
            What::Decision { minor: true, .. } if !all => return None,
            What::Decision { explanation, .. } => {
                let mark = if explanation.kind.acts { '●' } else { '○' };
                format!("{mark} {} ({})", explanation.sentence, explanation.kind.rule)
            }
            What::Request { outcome, .. } if outcome == "done" && !all => return None,
            What::Request { method, path, outcome } => format!("{} {path}: {outcome}", method.name()),
            What::Event(_) if !all => return None,
            What::Event(notice) => {
                format!("Event {} {}: {}", if notice.warning { "Warning" } else { "Normal" }, notice.reason, notice.message)
            }
            What::Complaint { message } => format!("! {message}"),
        };
        Some(format!("{at} {told}"))
    }

    /// `m:ss`, or `h:mm:ss`, with tenths of a second where there are any.
    #[must_use]
    pub fn time(&self, at: Timestamp) -> String {
        let since = at.duration_since(self.start);
        let (seconds, tenths) = (since.as_secs().max(0), since.subsec_millis() / 100);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let mut text = if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") };
        if tenths > 0 {
            let _ = write!(text, ".{tenths}");
        }
        format!("{text:>7}")
    }

    fn pod(&self, pod: &PodEntry, at: Timestamp) -> Option<String> {
        let name = &pod.pod;
        let lived = at.duration_since(pod.created_at);
        Some(match pod.state {
            PodState::Pending => match pod.index {
                Some(index) => format!("pod {name} Pending: attempt {} of index {index}", pod.attempt),
                None => format!("pod {name} Pending"),
            },
            PodState::Running | PodState::Ready => format!("pod {name} {:?}", pod.state),
            PodState::Restarted => format!("pod {name} Restarted: {} in place", times(pod.restarts)),
            PodState::Terminating => format!("pod {name} Terminating"),
            PodState::Succeeded => format!("pod {name} Succeeded after {}", length(lived)),
            PodState::Failed => {
                let code = pod.exit_code.map(|code| format!(" with exit code {code}")).unwrap_or_default();
                let reason = if pod.reason.is_empty() { String::new() } else { format!(": {}", pod.reason) };
                format!("pod {name} Failed{code} after {}{reason}", length(lived))
            }
            PodState::Gone => format!("pod {name} gone"),
        })
    }
}

fn length(length: Duration) -> String {
    if length.subsec_millis() == 0 { format!("{} s", length.as_secs()) } else { format!("{:.1} s", length.as_secs_f64()) }
}

fn times(number: i32) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        number => format!("{number} times"),
    }
}
