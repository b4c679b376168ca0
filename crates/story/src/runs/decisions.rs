//! What was decided last about the runs of one CronJob: why one that is due is not started.
//!
//! Docs: CronJob, "Concurrency policy", "Deadline for delayed Job start", "Schedule suspension". What follows for the runs is in `cron_job.rs`.

use api::Timestamp;
use contract::{Decision, Role, Value};

/// The latest decisions about a CronJob.
#[derive(Debug, Default)]
pub(super) struct RunDecisions {
    /// The latest decision about a run, after those to wait of other rules; with its scheduled time.
    about_run: Option<(Timestamp, Vec<Decision>)>,
    /// The latest decision to wait that is about no run.
    pub(super) waiting: Option<Decision>,
    /// For which time it waits if that is known: runs before are not started any more.
    pub(super) waits_for: Option<Timestamp>,
}

impl RunDecisions {
    /// Records a decision; returns the scheduled time of the run that it is about, if it is about one.
    pub(super) fn record(&mut self, decision: &Decision) -> Option<Timestamp> {
        match (decision.value("scheduledAt"), decision.role) {
            (_, Role::Routine) => None,
            (Some(Value::Time(at)), role) => {
                let earlier = self.about_run.take().filter(|(about, _)| about == at).map(|(_, decisions)| decisions);
                let waits = |earlier: &Decision| matches!(earlier.role, Role::Wait(_)) && earlier.kind.rule != decision.kind.rule;
                let others = earlier.into_iter().flatten().filter(waits);
                self.about_run = Some((*at, others.chain([decision.clone()]).collect()));
                if role == Role::Action {
                    self.waiting = None;
                }
                Some(*at)
            }
            (_, role @ (Role::Wait(_) | Role::Invalid)) => {
                self.waiting = Some(decision.clone());
                self.waits_for = if let Role::Wait(period) = role { period.until } else { None };
                None
            }
            (_, Role::Action) => None,
        }
    }

    /// Whether the run of a scheduled time is about to be started.
    pub(super) fn starts(&self, scheduled_at: Timestamp) -> bool {
        let about_it = self.about_run.as_ref().filter(|(about, _)| *about == scheduled_at);
        about_it.is_some_and(|(_, decisions)| decisions.iter().any(|decision| decision.role == Role::Action))
    }

    /// Why the run that was due then is not started, if anything was decided about it.
    pub(super) fn about(&self, due: Timestamp) -> Option<Vec<Decision>> {
        let goes_on = |decision: &&Decision| match decision.role {
            Role::Wait(period) => period.until.is_none_or(|until| until > due),
            Role::Action | Role::Invalid | Role::Routine => true,
        };
        let about_it = self.about_run.as_ref().filter(|(at, _)| *at == due).map(|(_, decisions)| decisions.clone());
        about_it.or_else(|| Some(vec![self.waiting.as_ref().filter(goes_on)?.clone()]))
    }
}
