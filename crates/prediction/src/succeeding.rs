//! What a Job does if all of its pods succeed: how many there are, and how many rounds they come in.
//!
//! Docs: Jobs, "Parallel execution for Jobs", "Success policy" (J-49, J-81, J-116). When a rule of a success policy is met is decided in `api`.

use api::Job;
use api::indexes::IndexSet;
use serde::Serialize;

use crate::failing::at_once;

/// What a Job does if its pods succeed one and all, after the same time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Succeeding {
    /// How many pods there are.
    pub pods: u64,
    /// How many of them run at a time.
    pub at_once: u64,
    /// How many times pods are started, each time after those before have ended.
    pub rounds: u64,
    /// What makes the Job Complete.
    pub end: SuccessReason,
}

/// What makes a Job Complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SuccessReason {
    /// All completions.
    Completions,
    /// The first success, after which no pod is started: `completions` is not set.
    FirstSuccess,
    /// The rule of the success policy with this number, counted from 0.
    SuccessPolicy(usize),
}

impl Succeeding {
    /// What a Job does that runs pods, as the API server stores it.
    #[must_use]
    pub fn of(job: &Job) -> Self {
        let at_once = at_once(job);
        let Some(completions) = job.spec.completions.and_then(|completions| u32::try_from(completions).ok()) else {
            return Self { pods: at_once, at_once, rounds: 1, end: SuccessReason::FirstSuccess };
        };
        let all = u64::from(completions);
        let pods = |rounds: u64| rounds.saturating_mul(at_once).min(all);
        let met = |rounds: u64| {
            let first = pods(rounds).checked_sub(1)?;
            let succeeded = IndexSet::parse_leniently(&format!("0-{first}"), completions);
            job.spec.success_policy.as_ref()?.met(&succeeded, completions)
        };
        let (mut last, mut unmet) = (all.div_ceil(at_once.max(1)), 0);
        let Some(mut rule) = met(last) else {
            return Self { pods: all, at_once, rounds: last, end: SuccessReason::Completions };
        };
        while last - unmet > 1 {
            let rounds = unmet + (last - unmet) / 2;
            match met(rounds) {
                Some(earlier) => (last, rule) = (rounds, earlier),
                None => unmet = rounds,
            }
        }
        Self { pods: pods(last), at_once, rounds: last, end: SuccessReason::SuccessPolicy(rule) }
    }
}
