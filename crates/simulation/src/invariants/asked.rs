//! W19: what a Job's annotations ask for holds for each pod that is created: when, how, and what it carries.
//!
//! Docs: README, "Beyond Kubernetes" (X-0, X-6, X-11…X-13). The bounds are those of what the manager was shown: pods that are gone, or that it has not seen end,
//! may bind it or not.

use std::collections::BTreeSet;

use api::annotation::{FailureAction, GrowingResource, GrowthStep, PodChange, StartRate};
use api::meta::names;
use api::quantity::Quantity;
use api::{Job, time};
use serde_json::Value;

use super::{Checked, hold};
use crate::ledger::{JobRecord, Ledger, PodRecord, SentRequest};
use crate::rules::{self, DecidingRule};

/// A pod that was just created for a Job that asks for something.
struct AskedPod<'a> {
    ledger: &'a Ledger,
    /// The Job as the manager knew it.
    job: &'a Job,
    pod: &'a PodRecord,
    /// What was sent for it.
    sent: SentRequest<'a>,
}

/// W19: the pod may be created now, and is as the template, its predecessors and the annotations say.
pub(super) fn follows(ledger: &Ledger, record: &JobRecord, pod: &PodRecord, sent: SentRequest<'_>) -> Checked {
    let Some(job) = sent.job().filter(|job| rules::asks(job) && job.metadata.uid == record.job().metadata.uid) else { return Ok(()) };
    let created = AskedPod { ledger, job, pod, sent };
    created.is_not_held()?;
    created.is_of_the_template()?;
    // People may have made pods of the Job, or changed what theirs carry.
    if record.disturbed || record.meddled || ledger.pods_of(&job.metadata.uid).any(|other| other.touched) {
        return Ok(());
    }
    created.keeps_to_the_rate()?;
    created.waits()?;
    created.carries_what_happened()?;
    created.has_grown()
}

impl<'a> AskedPod<'a> {
    fn name(&self) -> &'a str {
        self.pod.name()
    }

    /// The pods of its index, or of its Job without indexes.
    fn others(&self) -> impl Iterator<Item = &'a PodRecord> {
        let (indexed, index, name) = (self.job.indexed(), self.pod.index(), self.pod.name());
        self.ledger.pods_of(&self.job.metadata.uid).filter(move |other| other.name() != name && (!indexed || other.index() == index))
    }

    /// The pods that the manager knew to have failed: those that are still there, and, if the Job has rules on failed pods, those that somebody else deleted before
    /// they ended. Such a pod is kept until another one carries its attempt; once that one is gone as well, the attempt is forgotten.
    fn known_to_have_failed(&self) -> impl Iterator<Item = &'a PodRecord> + use<'a, '_> {
        let (ledger, step) = (self.ledger, self.sent.flight.planned.step);
        let shown = move |pod: &&PodRecord| {
            ledger.view.pod(&pod.metadata().uid).is_some_and(|seen| seen.had_ended(step) && seen.news.is_none_or(|news| news < step))
        };
        let ended_by_others = |pod: &PodRecord| {
            let deleted_at = pod.metadata().deletion_requested_at().filter(|_| pod.countable && pod.deleted_by_controllers.is_none());
            deleted_at.zip(rules::ended_at(pod.json())).is_some_and(|(deleted_at, ended_at)| deleted_at < ended_at)
        };
        let forgotten = move |pod: &PodRecord| self.others().any(|other| other.gone && rules::attempt(other) > rules::attempt(pod));
        let keeps = rules::has_rules(self.job);
        let kept = move |pod: &&PodRecord| !pod.gone || keeps && ended_by_others(pod) && !forgotten(pod);
        self.others().filter(kept).filter(|pod| pod.phase() == "Failed").filter(shown)
    }

    /// no pod is created while the Job is held, or one of its annotations means nothing.
    fn is_not_held(&self) -> Checked {
        let asked = self.job.extensions();
        let held = asked.as_ref().is_ok_and(|asked| asked.hold);
        hold(asked.is_ok() && !held, "W19", || format!("pod {} is created, and its Job asks for {asked:?}", self.name()))?;
        let resumed_at = asked.ok().and_then(|asked| asked.resumed_at);
        let holds = |pod: &&PodRecord| rules::decided(self.job, pod).is_some_and(|decided| decided.rule.action == FailureAction::Hold);
        let later = |pod: &&PodRecord| rules::ended_at(pod.json()).is_some_and(|ended| resumed_at.is_none_or(|resumed| ended > resumed));
        let holding = self.known_to_have_failed().filter(|pod| !pod.touched).filter(later).find(holds);
        hold(holding.is_none(), "W19", || {
            format!("pod {} is created, although {} holds its Job", self.name(), holding.map(PodRecord::name).unwrap_or_default())
        })
    }

    /// no more pods were created in the length of time, of those that the manager knew.
    fn keeps_to_the_rate(&self) -> Checked {
        let Some(StartRate { pods, within }) = rules::asked(self.job).and_then(|asked| asked.start_rate) else { return Ok(()) };
        let planned = self.sent.flight.planned;
        let known = |pod: &&PodRecord| {
            pod.name() == self.name() || self.ledger.view.pod(&pod.metadata().uid).is_some_and(|seen| seen.first < planned.step)
        };
        let recent = |pod: &&PodRecord| pod.metadata().creation_timestamp.is_some_and(|at| time::after(at, within) > planned.at);
        let of_job = self.ledger.pods_of(&self.job.metadata.uid).filter(|pod| !pod.gone && !pod.foreign);
        let count = of_job.filter(known).filter(recent).count();
        hold(u32::try_from(count).is_ok_and(|count| count <= pods), "W19", || {
            format!("{count} pods of job {} were created within {within:?}, and {pods} may be", self.job.metadata.name)
        })
    }

    /// P5: all but its size, its node and its attempt is as the template says.
    fn is_of_the_template(&self) -> Checked {
        let template: Value = serde_json::from_str(self.job.spec.template.json()).expect("a template is JSON");
        let pod = self.pod.json();
        let mut labels = template["metadata"]["labels"].clone();
        if let Some(index) = self.pod.index() {
            labels[names::COMPLETION_INDEX] = index.to_string().into();
        }
        let owner = self.pod.metadata().controller().is_some_and(|owner| owner.uid == self.job.metadata.uid);
        let holds = pod["metadata"]["labels"] == labels
            && owner
            && self.pod.metadata().has_finalizer(names::JOB_TRACKING)
            && pod["spec"]["restartPolicy"] == template["spec"]["restartPolicy"]
            && unchanged(&pod["spec"]) == unchanged(&template["spec"]);
        hold(holds, "W19", || format!("pod {} is not what its Job's template says: {pod}", self.name()))
    }

    /// P7: no pod follows a failed one sooner than its rule says.
    fn waits(&self) -> Checked {
        let planned = self.sent.flight.planned.at;
        for before in self.known_to_have_failed() {
            let Some(decided) = rules::decided(self.job, before) else { continue };
            let Some(ended) = rules::ended_at(before.json()) else { continue };
            let earliest = time::after(ended, decided.delay());
            hold(planned >= earliest, "W19", || {
                let line = decided.rule.line;
                format!(
                    "pod {} was decided on at {planned}; line {line} lets no pod follow {} before {earliest}",
                    self.name(),
                    before.name()
                )
            })?;
        }
        Ok(())
    }

    /// P8: the attempt and the matches that it carries are those of its predecessors, each counted once.
    fn carries_what_happened(&self) -> Checked {
        let asked = rules::asked(self.job).unwrap_or_default();
        let by_rule = asked.on_failure.is_some() && !self.job.spec.template.json().contains("OnFailure");
        if !by_rule && asked.on_pending.is_none() && asked.retry_delay.is_none() && asked.retry_within.is_none() {
            // Pods carry their attempt only where something asks about it.
            return Ok(());
        }
        let own = rules::attempt(self.pod);
        let least = self.known_to_have_failed().map(|pod| rules::attempt(pod) + u32::from(shows_its_failure(pod))).max().unwrap_or(1);
        let most = self.others().map(|pod| rules::attempt(pod) + 1).max().unwrap_or(1);
        hold((least..=most).contains(&own), "W19", || format!("pod {} is attempt {own}, and follows from {least} to {most}", self.name()))?;
        let mut keys: BTreeSet<(u32, String)> = self.others().chain([self.pod]).flat_map(rules::matched).collect();
        keys.extend(self.others().flat_map(|pod| rules::may_have_decided(self.job, pod)).map(key));
        for key in keys {
            let carried = |pod: &PodRecord| rules::matches(pod, key.0, Some(&key.1));
            let matches = |decided: DecidingRule| self::key(decided) == key;
            let with_own = |pod: &PodRecord| carried(pod) + u32::from(rules::decided(self.job, pod).is_some_and(matches));
            let least = self.known_to_have_failed().map(with_own).max().unwrap_or(0);
            // One that was ended from outside may have been judged before it had ended.
            let may_match = |pod: &PodRecord| rules::disrupted(pod.json()) || rules::may_have_decided(self.job, pod).any(matches);
            let most = self.others().map(|pod| carried(pod) + u32::from(may_match(pod))).max().unwrap_or(0);
            let own = carried(self.pod);
            hold((least..=most).contains(&own), "W19", || {
                format!("pod {} carries {own} matches of {key:?}, and they follow from {least} to {most}", self.name())
            })?;
        }
        Ok(())
    }

    /// its containers have as much memory as the rules give that have matched before it.
    fn has_grown(&self) -> Checked {
        let rules = rules::asked(self.job).and_then(|asked| asked.on_failure).map(|rules| rules.0).unwrap_or_default();
        let template: Value = serde_json::from_str(self.job.spec.template.json()).expect("a template is JSON");
        let pod = self.pod.json();
        let containers = template["spec"]["containers"].as_array().into_iter().flatten();
        for (place, container) in containers.enumerate() {
            for kind in ["requests", "limits"] {
                let Some(mut expected) = bytes(&container["resources"][kind]["memory"]) else { continue };
                for rule in &rules {
                    let named = container["name"].as_str().unwrap_or_default();
                    let times = [named, "*"].map(|name| rules::matches(self.pod, rule.identity, Some(name)));
                    for change in rule.changes.iter().flat_map(|change| times.map(|times| (change, times))) {
                        expected = grown(expected, change.0, change.1);
                    }
                }
                let found = bytes(&pod["spec"]["containers"][place]["resources"][kind]["memory"]);
                hold(found == Some(expected), "W19", || {
                    format!(
                        "pod {} has {kind} of {found:?} bytes in container {named:?}; {expected} follow from its matches",
                        self.name(),
                        named = container["name"]
                    )
                })?;
            }
        }
        Ok(())
    }
}

/// The identity of the rule that a pod matches, and the container.
fn key(decided: DecidingRule) -> (u32, String) {
    (decided.rule.identity, decided.container.unwrap_or_else(|| "*".to_owned()))
}

/// A number of bytes after a change that happened so often; its bound takes nothing from what there is.
fn grown(bytes: i128, change: &PodChange, times: u32) -> i128 {
    let PodChange::Grow { resource: GrowingResource::Memory, by, up_to } = change else { return bytes };
    if times == 0 {
        return bytes;
    }
    let whole = |quantity: &Quantity| quantity.whole().expect("only small quantities are drawn");
    let more = match by {
        GrowthStep::Plus(more) => bytes + whole(more) * i128::from(times),
        // Factors of 2 and 1.5 of few powers of two are whole numbers.
        GrowthStep::Times(factor) => (0..times).fold(bytes, |bytes, _| (bytes * i128::from(factor.0) + 999) / 1000),
    };
    up_to.as_ref().map_or(more, |most| more.min(whole(most).max(bytes)))
}

fn bytes(quantity: &Value) -> Option<i128> {
    Quantity::parse(quantity.as_str()?)?.whole()
}

/// A pod's spec without what rules change, and what the API server or a node adds.
fn unchanged(spec: &Value) -> Value {
    let container = |container: &Value| {
        let own = ["name", "image", "command", "args", "volumeMounts"];
        own.iter().map(|name| container[name].clone()).collect::<Value>()
    };
    let list = |name: &str| spec[name].as_array().into_iter().flatten().map(container).collect::<Value>();
    ["containers", "initContainers"].map(list).into_iter().chain([spec["terminationGracePeriodSeconds"].clone()]).collect()
}

/// Whether a pod that failed shows that it counts. One that was deleted before it ended, and that its Job has let go, looks like one that the Job did not want.
fn shows_its_failure(pod: &PodRecord) -> bool {
    rules::may_decide(pod.json()) || pod.metadata().has_finalizer(names::JOB_TRACKING)
}
