//! Faults that last: from an action of a script until they are over.
//!
//! Docs: Controllers, "Design"; the actions are in `script::Action`, and what a fault does is in `world/turn.rs`.

use api::{Duration, Timestamp, time};

use script::Action;

/// A fault that lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// What it is.
    pub kind: FaultKind,
    /// When it begins.
    pub from: Timestamp,
    /// When it is over, unless another one comes in its place.
    pub until: Timestamp,
}

/// What a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The controllers are shown later what changes.
    WatchDelayed,
    /// The watch of the controllers has ended, and they list everything again.
    WatchCut,
    /// The controllers do nothing.
    ControllerPaused,
    /// The clock jumps over this time.
    ClockAdvanced,
    /// The API server refuses to create pods.
    CreationsRefused,
}

impl Fault {
    /// The fault that an action brings; `None` if it brings none that lasts.
    #[must_use]
    pub fn of(action: &Action, now: Timestamp) -> Option<Self> {
        let (kind, length) = match action {
            Action::DelayWatch(length) => (FaultKind::WatchDelayed, *length),
            Action::CutWatch(length) => (FaultKind::WatchCut, *length),
            Action::PauseController(length) => (FaultKind::ControllerPaused, *length),
            Action::Advance(length) => (FaultKind::ClockAdvanced, *length),
            Action::RefuseCreations { length, .. } => (FaultKind::CreationsRefused, *length),
            Action::Job { .. }
            | Action::CronJob { .. }
            | Action::ResumeAll
            | Action::SuspendAll
            | Action::CreateJob(_)
            | Action::Overwrite { .. }
            | Action::SetPod { .. }
            | Action::DeletePods(_)
            | Action::Evict(_)
            | Action::EvictByKubelet(_)
            | Action::Preempt(_)
            | Action::Exit { .. }
            | Action::MakeReady(_)
            | Action::LoseNode
            | Action::RemoveNode
            | Action::RestartController
            | Action::RefuseNextWrite(_)
            | Action::RefuseCreation { .. }
            | Action::AcceptPods
            | Action::End => return None,
        };
        (length > Duration::ZERO).then(|| Self { kind, from: now, until: time::after(now, length) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use script::Script;

    fn check(action: &str, expected: Option<(FaultKind, i64)>) {
        let script = Script::parse(&format!("at 0s: {action}")).unwrap();
        let now = Timestamp::UNIX_EPOCH;
        let fault = Fault::of(&script.actions[0].what.action, now);
        assert_eq!(fault, expected.map(|(kind, seconds)| Fault { kind, from: now, until: time::after(now, Duration::from_secs(seconds)) }));
    }

    #[test]
    fn actions_bring_faults_that_last() {
        check("delay watch by 5s", Some((FaultKind::WatchDelayed, 5)));
        check("cut watch for 30s", Some((FaultKind::WatchCut, 30)));
        check("pause controller for 30s", Some((FaultKind::ControllerPaused, 30)));
        check("advance 1h", Some((FaultKind::ClockAdvanced, 3600)));
        check("refuse pod creations for 30s with forbidden", Some((FaultKind::CreationsRefused, 30)));
        check("cut watch", None);
        check("restart controller", None);
    }
}
