//! Rules without effect: those that were about no pod or container, because a name or a number in them is wrong, and those that another rule overrules.
//!
//! Docs: the language is described in `lib.rs`. Which rule counts for a pod is decided in `scripted.rs`.

use std::collections::BTreeSet;

use api::{ObjectMeta, Text};
use cluster::pod::StoredPod;
use serde_json::Value;

use super::{Lineage, Rule, Script, Selector, Statement, WhichRuns, completion_index};

/// How many pods are named.
const NAMED: usize = 3;

/// The rules of a script that nothing has matched so far.
#[derive(Debug, Default)]
pub struct Unmatched {
    /// As they are written, each with what it is about; which attempt and which start are left out, as those may not have come to pass.
    rules: Vec<Statement<(String, Selector)>>,
    /// The lines of rules that earlier ones overrule, each with a warning.
    overruled: Vec<(usize, String)>,
    /// The names of the first pods, one more than are named.
    pods: Vec<Text>,
    /// The names of all containers, sorted.
    containers: Vec<Text>,
    /// The CronJobs of the pods.
    cron_jobs: BTreeSet<Text>,
    /// Whether one of the pods has a completion index.
    indexed: bool,
}

impl Unmatched {
    /// All rules of a script; the second has the namespace of each object that the first names.
    #[must_use]
    pub fn new(written: &Script, resolved: &Script) -> Self {
        let rule = |(written, resolved): (&Statement<Rule>, &Statement<Rule>)| {
            written.with((written.what.to_string(), Selector { attempt: None, start: None, ..resolved.what.which.clone() }))
        };
        let overruled = |(place, Statement { line, what, .. }): (usize, &Statement<Rule>)| {
            let earlier = resolved.rules[..place].iter().position(|earlier| earlier.what.overrules(&resolved.rules[place].what))?;
            let first = &written.rules[earlier].what;
            Some((
                *line,
                format!(
                    "{what:?} never applies, because {first:?} comes first; move it above that rule",
                    what = what.to_string(),
                    first = first.to_string()
                ),
            ))
        };
        Self {
            rules: written.rules.iter().zip(&resolved.rules).map(rule).collect(),
            overruled: written.rules.iter().enumerate().filter_map(overruled).collect(),
            ..Self::default()
        }
    }

    /// Records a pod that was created, and the CronJob that controls its Job, if one does.
    pub fn see(&mut self, pod: &StoredPod, cron_job: Option<Text>) {
        if self.rules.is_empty() && (self.overruled.is_empty() || !self.pods.is_empty()) {
            return;
        }
        if self.pods.len() <= NAMED {
            self.pods.push(pod.metadata.name.clone());
        }
        let names = if self.rules.iter().any(|Statement { what: (_, which), .. }| which.container.is_some()) {
            container_names(pod)
        } else {
            Vec::new()
        };
        self.cron_jobs.extend(cron_job.clone());
        self.indexed |= completion_index(&pod.metadata).is_some();
        let lineage = Lineage { attempt: None, cron_job, run: None };
        self.rules.retain(|Statement { what: (_, which), .. }| {
            !(of_some_run(which, &pod.metadata, &lineage) && which.container.as_ref().is_none_or(|container| names.contains(container)))
        });
        for name in names {
            if let Err(place) = self.containers.binary_search(&name) {
                self.containers.insert(place, name);
            }
        }
    }

    /// The lines of rules without effect, each with a warning; none if there was no pod at all.
    #[must_use]
    pub fn warnings(&self) -> Vec<(usize, String)> {
        if self.pods.is_empty() {
            return Vec::new();
        }
        let warning = |Statement { line, what: (rule, which), .. }: &Statement<(String, Selector)>| {
            if let Some(mistake) = self.mistake(which) {
                return (*line, format!("no pod matched {rule:?}; {mistake}"));
            }
            let (what, names) = if which.container.is_some() { ("container", &self.containers) } else { ("pod", &self.pods) };
            let mut listed = names.iter().take(NAMED).map(|name| &**name).collect::<Vec<_>>().join(", ");
            if names.len() > NAMED {
                listed.push_str(", …");
            }
            let are = if names.len() == 1 { format!("the only {what} is") } else { format!("{what}s are named") };
            (*line, format!("no {what} matched {rule:?}; {are} {listed}"))
        };
        // A name or a number may be wrong in those that are about nothing.
        let matched = |(line, _): &&(usize, String)| self.rules.iter().all(|rule| rule.line != *line);
        let mut warnings: Vec<(usize, String)> =
            self.overruled.iter().filter(matched).cloned().chain(self.rules.iter().map(warning)).collect();
        warnings.sort_by_key(|(line, _)| *line);
        warnings
    }

    /// What is wrong with the kind of object that a rule names, if it is that.
    fn mistake(&self, which: &Selector) -> Option<String> {
        let cron_job = which.job.as_ref().map(|job| &job.name).filter(|name| self.cron_jobs.contains(*name));
        match cron_job {
            Some(name) => Some(format!("{name} is a CronJob: write \"cronjob {name}\"")),
            None if which.run.is_some() && self.cron_jobs.is_empty() => Some("no CronJob started a Job".to_owned()),
            None if which.index.is_some() && !self.indexed => {
                Some("no pod has an index, because the completionMode of its Job is not Indexed".to_owned())
            }
            None => None,
        }
    }
}

/// Whether a selector is about this pod, whichever run of its CronJob that is of.
fn of_some_run(which: &Selector, pod: &ObjectMeta, lineage: &Lineage) -> bool {
    match which.run {
        Some(WhichRuns::Numbered(_)) => lineage.cron_job.is_some() && Selector { run: None, ..which.clone() }.matches(pod, lineage),
        Some(WhichRuns::ScheduledAt(_)) | None => which.matches(pod, lineage),
    }
}

/// The names of a pod's containers, init containers included.
fn container_names(pod: &StoredPod) -> Vec<Text> {
    let spec: Value = serde_json::from_str(pod.spec.unassigned()).unwrap_or_default();
    let lists = ["initContainers", "containers"].map(|list| spec[list].as_array().cloned().unwrap_or_default());
    lists.iter().flatten().filter_map(|container| container["name"].as_str().map(Text::from)).collect()
}
