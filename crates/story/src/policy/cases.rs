//! The cases in which a pod failure policy is tried: how the first pod of a Job fails in each, as lines of a script.
//!
//! Docs: Jobs, "Pod failure policy"; Disruptions, "Pod disruption conditions". What comes of a case is simulated in `mod.rs`.

use api::Job;
use api::job::{OnExitCodes, OnPodCondition};
use script::Script;
use serde_json::Value;

/// The condition that disruptions give a pod.
const DISRUPTION: &str = "DisruptionTarget";
/// With this code a container ends that is killed for its memory: a case of its own.
const KILLED: i32 = 137;
/// How many of the exit codes in the rules are tried: with more cases, the table is too long to read.
const MOST_CODES: usize = 12;

/// One way in which the first pod of a Job fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyCase {
    /// What happens, in a few words: `Preemption by the scheduler`.
    pub title: String,
    /// The pod or its container, as a script names them in a session of this Job alone.
    which: String,
    /// What it does.
    what: String,
    /// Whether somebody deletes the pod.
    pub(super) deleted: bool,
}

impl PolicyCase {
    /// The lines of a script. Where the Job is not alone, `owner` names it: `job pi`, `cronjob nightly`.
    #[must_use]
    pub fn script(&self, owner: Option<&str>) -> String {
        let Self { which, what, deleted, .. } = self;
        let which = owner.map_or_else(|| which.clone(), |owner| format!("{owner} {which}"));
        let deletion = if *deleted { format!("at 5s: delete {which}\n") } else { String::new() };
        format!("{which}: {what}\n{deletion}")
    }
}

/// What the rules of a policy distinguish.
struct Distinguished {
    /// How the first pod is named in a script.
    which: String,
    /// The containers that rules name, and one for rules that name none; nothing where there is only one.
    containers: Vec<String>,
    /// The exit codes that rules name, and then one that none names.
    codes: Vec<i32>,
    /// The types of conditions that no disruption gives a pod.
    conditions: Vec<String>,
}

/// The cases for a Job whose pods have this spec.
pub(super) fn cases(job: &Job, pod: &Value) -> Vec<PolicyCase> {
    let Distinguished { which, containers, codes, conditions } = Distinguished::of(job, pod);
    let case = |title: String, within: &str, what: String| PolicyCase { title, which: format!("{which}{within}"), what, deleted: false };
    let pod = |title: &str, what: &str| case(title.to_owned(), "", what.to_owned());
    let mut found: Vec<PolicyCase> = Vec::new();
    for container in &containers {
        let words = |before: &str| if container.is_empty() { String::new() } else { format!("{before}{container}") };
        let (of, within) = (words(" of "), words(" container "));
        let exits = |code: &i32| case(format!("Exit code {code}{of}"), &within, format!("exit {code} after 5s"));
        found.extend(codes.iter().filter(|code| **code != KILLED).map(exits));
        found.push(case(format!("OOMKilled{of}, exit code {KILLED}"), &within, "OOMKilled after 5s".to_owned()));
    }
    found.push(pod("Eviction through the API", "runs forever, evicted after 5s"));
    found.push(pod("Preemption by the scheduler", "runs forever, preempted after 5s"));
    found.push(pod("Eviction by the kubelet (node pressure)", "runs forever, evicted by the kubelet after 5s"));
    found.push(PolicyCase { deleted: true, ..pod("Deletion of the pod", "runs forever") });
    for condition in conditions {
        let ends = |code: &i32| {
            let what = format!("exit {code} after 5s, condition {condition} after 2s");
            case(format!("Condition {condition}, exit code {code}"), "", what)
        };
        found.extend(codes.iter().map(ends));
    }
    // A name that the API server refuses may have no place in the script language.
    found.retain(|case| Script::parse(&case.script(None)).is_ok());
    found
}

impl Distinguished {
    fn of(job: &Job, pod: &Value) -> Self {
        let rules = job.spec.pod_failure_policy.as_ref().map(|policy| &*policy.rules).unwrap_or_default();
        let by_code: Vec<&OnExitCodes> = rules.iter().filter_map(|rule| rule.on_exit_codes.as_ref()).collect();
        let mut codes: Vec<i32> = by_code.iter().flat_map(|codes| &codes.values).copied().filter(|code| (1..=255).contains(code)).collect();
        codes.sort_unstable();
        codes.dedup();
        let other = (1..=255).find(|code| *code != KILLED && !codes.contains(code));
        codes.truncate(MOST_CODES);
        codes.extend(other);
        let patterns = rules.iter().flat_map(|rule| &rule.on_pod_conditions);
        let mut conditions: Vec<String> = Vec::new();
        for OnPodCondition { kind, .. } in patterns.filter(|pattern| &*pattern.kind != DISRUPTION) {
            if !conditions.iter().any(|known| *known == **kind) {
                conditions.push(kind.to_string());
            }
        }
        let which = if job.indexed() { "index 0 attempt 1" } else { "attempt 1" };
        Self { which: which.to_owned(), containers: containers(&by_code, pod), codes, conditions }
    }
}

/// The containers that rules name, and the first one, which may end alone.
fn containers(rules: &[&OnExitCodes], pod: &Value) -> Vec<String> {
    let names = |field: &str| -> Vec<String> {
        let containers = pod[field].as_array().into_iter().flatten();
        containers.filter_map(|container| container["name"].as_str()).map(str::to_owned).collect()
    };
    let (regular, init) = (names("containers"), names("initContainers"));
    if regular.len() + init.len() < 2 {
        return vec![String::new()];
    }
    let named = |name: &String| rules.iter().any(|rule| rule.container_name.as_deref() == Some(name.as_str()));
    let first = regular.first();
    let all = || regular.iter().chain(&init);
    all().filter(|name| named(name) || first == Some(*name)).cloned().collect()
}
