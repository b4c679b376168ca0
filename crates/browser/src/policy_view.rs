//! The pod failure policies of a manifest with their cases, and what came of one, as the page shows them.
//!
//! Docs: Jobs, "Pod failure policy". Cases are listed and simulated in `story::policy`.

use api::{Kind, Text};
use contract::Manager;
use manifest::{Diagnostic, ManifestObject};
use play::Unplayable;
use serde::Serialize;
use story::policy::{PolicyCase, PolicyTrial, TriedPolicy};

use crate::outcome_view::OutcomeView;

/// The pod failure policy of a Job, or of the Jobs of a CronJob.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FailurePolicy"))]
pub(crate) struct PolicyView {
    #[cfg_attr(test, ts(type = "'CronJob' | 'Job'"))]
    kind: &'static str,
    namespace: String,
    name: String,
    /// The action of each rule, in order.
    actions: Vec<Text>,
    cases: Vec<CaseView>,
    /// Of a Job that a cluster has: the manifest of one that has yet to start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    manifest: Option<String>,
}

/// A case in which a policy is tried.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "PolicyCase"))]
pub(crate) struct CaseView {
    /// What happens to the first pod, in a few words.
    title: String,
    /// The same as lines of a script.
    script: String,
}

/// What came of a case.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "PolicyTrial"))]
pub(crate) struct TrialView {
    /// The rule that matched, from 0.
    matched: Option<usize>,
    /// The rules behind it that would match if it were not there.
    hidden: Vec<usize>,
    /// Whether a pod failed at all.
    failed: bool,
    outcome: OutcomeView,
}

/// The policies of a manifest, in order; none if it cannot be read.
pub(crate) fn policies(manifest: &str) -> Vec<PolicyView> {
    let tried = tried(manifest).unwrap_or_default();
    let alone = tried.len() < 2 && manifest::objects(manifest).is_ok_and(|objects| objects.len() < 2);
    tried.into_iter().map(|(policy, object)| PolicyView::of(policy, &object, alone)).collect()
}

impl PolicyView {
    /// The policy of an object, which may be the only one of a session.
    fn of(policy: TriedPolicy, object: &ManifestObject, alone: bool) -> Self {
        let TriedPolicy { kind, namespace, name, rules, cases, job } = policy;
        let stored = object.document().value()["metadata"]["uid"].is_string();
        let place = if namespace.is_empty() { name.clone() } else { format!("{namespace}/{name}") };
        let owner = (!alone && !stored).then(|| format!("{} {place}", kind.name().to_lowercase()));
        let case = |case: PolicyCase| CaseView { script: case.script(owner.as_deref()), title: case.title };
        Self {
            kind: kind.name(),
            actions: rules.into_iter().map(|rule| rule.action).collect(),
            cases: cases.into_iter().map(case).collect(),
            manifest: stored.then(|| manifest::write(&job)),
            namespace,
            name,
        }
    }
}

/// Simulates one case of a policy, both by their places.
///
/// # Errors
/// What is wrong with the manifest.
pub(crate) fn trial<M: Manager>(
    manager: impl FnMut() -> M,
    manifest: &str,
    policy: usize,
    case: usize,
) -> Result<Option<TrialView>, Vec<Diagnostic>> {
    let all = tried(manifest)?;
    let Some((policy, object)) = all.get(policy) else { return Ok(None) };
    let Some(case) = policy.cases.get(case) else { return Ok(None) };
    let PolicyTrial { matched, hidden, failed, outcome, start } = policy.trial(case, manager).map_err(|unplayable| match unplayable {
        Unplayable::Object { error, .. } => manifest::refusals(object.document(), &error),
        Unplayable::Script(ambiguous) => vec![play::claim::ambiguity(ambiguous)],
    })?;
    Ok(Some(TrialView { matched, hidden, failed, outcome: OutcomeView::of(outcome, start) }))
}

/// The objects that have a policy.
fn tried(manifest: &str) -> Result<Vec<(TriedPolicy, ManifestObject)>, Vec<Diagnostic>> {
    let policy = |object: ManifestObject| {
        let kind = match object {
            ManifestObject::CronJob(_) => Kind::CronJob,
            ManifestObject::Job(_) => Kind::Job,
            ManifestObject::Pod(_) => Kind::Pod,
        };
        Some((TriedPolicy::of(kind, object.document().value())?, object))
    };
    Ok(manifest::objects(manifest)?.into_iter().filter_map(policy).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_of_a_case_names_its_job_where_there_are_others() {
        let spec = "spec: {podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [42]}}]}, template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}}";
        let job = |metadata: &str| format!("apiVersion: batch/v1\nkind: Job\nmetadata: {{{metadata}}}\n{spec}\n");
        let scripts =
            |manifest: &str| -> Vec<String> { policies(manifest).into_iter().map(|policy| policy.cases[0].script.clone()).collect() };
        assert_eq!(scripts(&job("name: a")), ["attempt 1: exit 42 after 5s\n"]);
        let two = format!("{}---\n{}", job("name: a"), job("name: b, namespace: team"));
        assert_eq!(scripts(&two), ["job a attempt 1: exit 42 after 5s\n", "job team/b attempt 1: exit 42 after 5s\n"]);
        let stored = policies(&job("name: a, uid: u"));
        assert!(stored[0].manifest.as_ref().is_some_and(|manifest| !manifest.contains("uid") && manifest.contains("podFailurePolicy")));
        assert!(policies("kind: Job").is_empty());
    }
}
