//! A pod failure policy, tried: which rule matches in each of its cases, and what happens to the Job. Each case is simulated by itself with the controllers.
//!
//! Docs: Jobs, "Pod failure policy" (J-96…J-100). Which cases there are is decided in `cases.rs`.

mod cases;

use api::job::PodFailurePolicyRule;
use api::{Job, Kind, ObjectMeta, Text, Timestamp, manual, time};
use contract::decision::RULE;
use contract::{Decision, Manager, Value as DecisionValue};
use play::trace::{PodState, What};
use play::{Bounds, LONGEST, Play, Unplayable};
use script::Script;
use serde_json::Value;

pub use self::cases::PolicyCase;
use crate::account::{Account, EndOfPlay};
use crate::outcome::ObjectOutcome;

/// The field that has the rules.
const POLICY: &str = "spec.podFailurePolicy";
/// A case that takes longer shows no more of the policy.
const BOUNDS: Bounds = Bounds { pods: 2_000, steps: 5_000 };

/// A Job with a pod failure policy, and the cases in which it is tried.
#[derive(Debug)]
pub struct TriedPolicy {
    /// The object that has the policy: a Job, or a CronJob whose Jobs have it.
    pub kind: Kind,
    /// Its namespace; empty if the manifest names none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The rules, in order.
    pub rules: Vec<PodFailurePolicyRule>,
    /// The cases.
    pub cases: Vec<PolicyCase>,
    /// The Job that is simulated, as a manifest.
    pub job: Value,
}

/// What came of one case.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyTrial {
    /// The rule that matched, from 0; `None` if none did.
    pub matched: Option<usize>,
    /// The rules behind it that match in this case where they are the only one.
    pub hidden: Vec<usize>,
    /// Whether a pod failed at all.
    pub failed: bool,
    /// The outcome of the Job.
    pub outcome: ObjectOutcome,
    /// When the simulation began.
    pub start: Timestamp,
}

impl TriedPolicy {
    /// The policy of a Job or a CronJob as its manifest has it; `None` if it has none.
    #[must_use]
    pub fn of(kind: Kind, manifest: &Value) -> Option<Self> {
        let name = manifest["metadata"]["name"].as_str().unwrap_or("job");
        let job = manual::without_owner(match kind {
            Kind::Job => manual::again(manifest, Some(name)),
            Kind::CronJob => manual::from_cron_job(manifest, Some(name)),
            Kind::Pod => return None,
        });
        let read: Job = api::json::from_str(&job.to_string()).ok()?;
        let rules = read.spec.pod_failure_policy.as_ref()?.rules.clone();
        let mut cases = cases::cases(&read, &job["spec"]["template"]["spec"]);
        // When a script would have to delete the pod of a run, its schedule decides.
        cases.retain(|case| kind == Kind::Job || !case.deleted);
        let namespace = manifest["metadata"]["namespace"].as_str().unwrap_or_default();
        Some(Self { kind, namespace: namespace.to_owned(), name: name.to_owned(), rules, cases, job })
    }

    /// Simulates one case; `manager` makes the controllers, for each simulation once.
    ///
    /// # Errors
    /// If the API server refuses the Job.
    pub fn trial<M: Manager>(&self, case: &PolicyCase, mut manager: impl FnMut() -> M) -> Result<PolicyTrial, Unplayable> {
        let mut trial = simulated(manager(), &self.job, case)?;
        let behind = trial.matched.map_or(0, |first| self.rules.len() - first - 1);
        for number in self.rules.len() - behind..self.rules.len() {
            if simulated(manager(), &self.with_only(number), case)?.matched.is_some() {
                trial.hidden.push(number);
            }
        }
        Ok(trial)
    }

    /// The Job with only one rule in its policy.
    fn with_only(&self, number: usize) -> Value {
        let mut job = self.job.clone();
        let rules = &mut job["spec"]["podFailurePolicy"]["rules"];
        *rules = Value::Array(vec![rules[number].take()]);
        job
    }
}

/// The outcome of a Job whose first pod fails like this.
fn simulated<M: Manager>(manager: M, job: &Value, case: &PolicyCase) -> Result<PolicyTrial, Unplayable> {
    let script = Script::parse(&case.script(None)).expect("cases are written in the script language");
    let start = play::start();
    let mut play = Play::new(manager, &script, &[Text::from(job.to_string())], start)?;
    play.bounds = BOUNDS;
    let (mut account, mut steps, mut matched, mut failed) = (Account::default(), 0, None, false);
    while let Some(moment) = play.next_moment(time::after(start, LONGEST)) {
        for step in &moment {
            account.observe(steps, step);
            steps += 1;
            for entry in &step.entries {
                if let What::Decision { decision, .. } = &entry.what {
                    matched = matched.or_else(|| rule(decision));
                }
                failed |= matches!(&entry.what, What::Pod(pod) if pod.state == PodState::Failed);
            }
        }
    }
    let still = play.next_due().is_none() && play.stopped().is_none();
    let now = play.now();
    let mut obstacles = |kind: Kind, metadata: &ObjectMeta| play.obstacles(kind, metadata, now);
    let mut outcomes = account.outcomes(Some(EndOfPlay { still, obstacles: &mut obstacles }));
    Ok(PolicyTrial { matched, hidden: Vec::new(), failed, outcome: outcomes.swap_remove(0), start })
}

/// The rule of the policy on which a decision rests.
fn rule(decision: &Decision) -> Option<usize> {
    let number = if let Some(DecisionValue::Integer(number)) = decision.value(RULE) { usize::try_from(*number).ok() } else { None };
    number.filter(|_| decision.kind.fields.iter().any(|field| &**field == POLICY))
}
