//! What was refused to the manager: until when it creates no pods for a Job, and since when it may be slow.
//!
//! Docs: rules J-03, J-87, J-88. Used by `invariants/requests.rs` and `patience.rs`.

use std::collections::BTreeMap;

use api::request::{Method, Outcome};
use api::{Duration, Text, Timestamp, time};
use contract::Plan;
use contract::execution::Executed;

use super::{Key, key};
use crate::settings::Settings;

/// What was refused in the manager's present life.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    /// Creations of pods that failed, by what the plan was about.
    creations: BTreeMap<Key, RefusedCreations>,
    /// In which step the last plan was made that creates pods, by what it was about.
    made: BTreeMap<Key, u64>,
    /// How many plans failed in any way, and until when the manager may wait because of that, by the name of the Job.
    slow: BTreeMap<Text, (u32, Timestamp)>,
}

/// Creations for one Job that failed, plan after plan.
#[derive(Debug, Clone)]
pub(crate) struct RefusedCreations {
    /// The UID of the Job.
    pub(crate) job: Text,
    /// How often in a row, at least.
    pub(crate) times: u32,
    /// Until when no further creation is tried for this reason alone.
    pub(crate) until: Timestamp,
    /// In which step the plan was made that failed.
    pub(crate) made: u64,
}

impl Refusals {
    /// The creations that failed for what this plan is about.
    pub(crate) fn of(&self, key: &Key) -> Option<&RefusedCreations> {
        self.creations.get(key)
    }

    /// Until when the manager may be slow in what it does for a Job.
    pub(crate) fn slow_until(&self, job: &str) -> Option<Timestamp> {
        self.slow.get(job).map(|(_, until)| *until)
    }

    /// A plan is made. One that creates nothing, after the wait or because something was shown (`news`), may have been a success, after which the manager need
    /// not wait as long again.
    pub(super) fn planned(&mut self, plan: &Plan, news: bool, now: Timestamp, step: u64) {
        let creates = plan.commands().any(|command| command.request.method == Method::Post);
        if creates {
            self.made.insert(key(plan), step);
        }
        if !creates && self.creations.get(&key(plan)).is_some_and(|refused| refused.until <= now || news) {
            self.creations.remove(&key(plan));
        }
    }

    /// The manager gets the outcomes of a plan for the Job of this UID.
    pub(super) fn report(&mut self, job: Text, Executed { plan, outcomes }: &Executed, settings: &Settings, now: Timestamp) {
        if outcomes.iter().any(|outcome| matches!(outcome, Outcome::Failed(_))) {
            let (failures, until) = self.slow.entry(plan.object.name.clone()).or_insert((0, now));
            *failures += 1;
            let patience = match outcomes {
                _ if outcomes.iter().any(terminating) => settings.expectation_timeout,
                _ if outcomes.iter().any(unanswered) => settings.patience_unanswered,
                _ => Duration::ZERO,
            };
            *until = time::after(now, patience.max(settings.api_delay(*failures))).max(*until);
        }
        let first = plan.commands().zip(outcomes).find(|(command, outcome)| match outcome {
            Outcome::Failed(error) => !command.tolerates.contains(&error.code) && !terminating(outcome),
            Outcome::Done(_) | Outcome::Skipped => false,
        });
        let key = key(plan);
        let refused = self.creations.get(&key).filter(|refused| refused.job == job);
        let (times, over) = refused.map_or((0, true), |refused| (refused.times, refused.until <= now));
        match first {
            Some((command, _)) if command.request.method == Method::Post => {
                // The wait for a pod that may be there nevertheless makes the Job due as well (J-02).
                let longest = if outcomes.iter().any(unanswered) { settings.patience_unanswered } else { Duration::MAX };
                let until = time::after(now, settings.api_delay(times + 1).min(longest));
                let made = self.made.get(&key).copied().unwrap_or_default();
                self.creations.insert(key, RefusedCreations { job, times: times + 1, until, made });
            }
            // The manager remembers one thing that failed: the last one.
            Some(_) => _ = self.creations.remove(&key),
            None if over => _ = self.creations.remove(&key),
            None => {}
        }
    }
}

/// Whether it is not known whether a request took effect.
fn unanswered(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(error) if error.outcome_unknown())
}

/// Whether a creation was refused because the namespace is being deleted, which does not count as a failure (J-88).
fn terminating(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(error) if error.causes.iter().any(|cause| cause.reason == "NamespaceTerminating"))
}
