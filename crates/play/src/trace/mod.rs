//! A trace: what happened in a cluster, one entry for each thing that a person can see.
//!
//! Docs: Pod Lifecycle; Jobs. Entries are made of what `world/turn.rs` tells; how they read is in `text.rs`.

mod pods;
mod report;
mod text;

use std::collections::BTreeSet;

use api::request::{Method, Outcome};
use api::{Job, Text, Timestamp, time};
use cluster::apiserver::Write;
use cluster::stored::{Object, Stored};
use contract::{Explanation, Notice, Plan};
use serde::Serialize;
use serde_json::{Map, Value};

use self::pods::Pods;
pub use self::pods::{Known, PodEntry, PodState, StartAgain};
pub use self::report::{Container, ContainerState, Details, PodCondition, Report};
pub use self::text::Clock;
use crate::world::Step;
use crate::world::turn::Happening;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// When.
    #[serde(serialize_with = "time::serialize")]
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub what: What,
}

impl Entry {
    /// Whether it says nothing that was not said before, or follows from what is said.
    #[must_use]
    pub fn routine(&self) -> bool {
        match &self.what {
            What::Decision { minor, .. } => *minor,
            What::Request { outcome, .. } => outcome == "done",
            What::Event(_) => true,
            What::Job { .. } | What::Pod(_) | What::Complaint { .. } => false,
        }
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum What {
    /// Something became of a Job.
    Job {
        /// Its name.
        job: Text,
        /// What, in words: `created`, `Complete: CompletionsReached`.
        change: String,
    },
    /// Something became of a pod.
    Pod(PodEntry),
    /// The controllers decided something.
    Decision {
        /// What it is about: a Job's name, or a pod's.
        about: Text,
        /// The decision.
        #[serde(flatten)]
        explanation: Explanation,
        /// Whether it tells nothing that was not told before: routine, or the same as the last time.
        minor: bool,
    },
    /// The controllers sent a request.
    Request {
        /// The method.
        method: Method,
        /// The path.
        path: String,
        /// What became of it: `done`, `skipped` or the error.
        outcome: String,
    },
    /// A Kubernetes Event was recorded.
    Event(Notice),
    /// Something is wrong that is nobody's decision.
    Complaint {
        /// What.
        message: Text,
    },
}

impl What {
    /// The requests of a plan with what became of them, as far as that is known.
    pub fn requests(plan: &Plan, outcomes: &[Outcome]) -> impl Iterator<Item = Self> {
        plan.batches.iter().flatten().zip(outcomes).map(|(command, outcome)| {
            let outcome = match outcome {
                Outcome::Done(_) => "done".to_owned(),
                Outcome::Skipped => "skipped".to_owned(),
                Outcome::Failed(error) => error.message.clone(),
            };
            Self::Request { method: command.request.method, path: command.request.path.clone(), outcome }
        })
    }
}

/// Makes entries of what happens.
#[derive(Debug, Default)]
pub struct Trace {
    pods: Pods,
    /// The waiting that was told last, by what it is about, its kind, and the pod if there is one.
    told: Map<String, Value>,
}

/// Decisions that a person sees from the pods and the status anyway.
const ROUTINE: [&str; 9] = [
    "AlreadyFinished",
    "PodCreated",
    "PodDeleted",
    "JobFinished",
    "WritesStatus",
    "StatusIsCurrent",
    "HasEnough",
    "Records",
    "NothingLeftOver",
];

impl Trace {
    /// The entries for things that happened at a time, in their order.
    pub fn entries(&mut self, happened: &[Happening], at: Timestamp) -> Vec<Entry> {
        let mut entries = Vec::new();
        for happening in happened {
            match happening {
                Happening::Written(write) => entries.extend(self.written(write, at)),
                Happening::Planned { step, writes } => {
                    self.planned(step, &mut entries);
                    entries.extend(writes.iter().flat_map(|write| self.written(write, at)));
                }
                Happening::Complaint(message) => entries.push(What::Complaint { message: message.clone() }),
            }
        }
        entries.into_iter().map(|what| Entry { at, what }).collect()
    }

    /// What is known of the pod of this UID, if it was ever seen.
    #[must_use]
    pub fn pod(&self, uid: &str) -> Option<&Known> {
        self.pods.find(uid)
    }

    fn written(&mut self, Write { before, after, gone, .. }: &Write, at: Timestamp) -> Vec<What> {
        let before = before.as_deref();
        match after.object() {
            Object::Job(job) => job_changes(before.and_then(Stored::job), job, *gone),
            Object::Pod(pod) => self.pods.changes(before.and_then(Stored::pod), pod, *gone, at).into_iter().map(What::Pod).collect(),
        }
    }

    fn planned(&mut self, step: &Step, entries: &mut Vec<What>) {
        let (about, plan) = (&step.reconciled.key.name, &step.reconciled.plan);
        for explanation in &plan.decisions {
            let minor = self.is_minor(about, explanation);
            entries.push(What::Decision { about: about.clone(), explanation: explanation.clone(), minor });
        }
        entries.extend(What::requests(plan, &step.outcomes));
        entries.extend(plan.notices.iter().cloned().map(What::Event));
    }

    /// Whether the decision is routine, or waits for what was said to be waited for before.
    fn is_minor(&mut self, about: &Text, explanation: &Explanation) -> bool {
        if ROUTINE.contains(&&*explanation.kind.code) {
            return true;
        }
        if explanation.kind.acts {
            return false;
        }
        let mut lasting = serde_json::from_str(&explanation.values).unwrap_or(Value::Null);
        if let Value::Object(lasting) = &mut lasting {
            lasting.remove("left");
        }
        let place = format!("{about}/{}/{}", explanation.kind.code, lasting["pod"]);
        self.told.insert(place, lasting.clone()) == Some(lasting)
    }
}

/// What became of a Job between two writes.
fn job_changes(before: Option<&Job>, after: &Job, gone: bool) -> Vec<What> {
    let mut changes = Vec::new();
    match before {
        None if after.status.start_time.is_some() => {
            changes.push("found".to_owned());
            changes.extend(new_conditions(None, after));
        }
        None => changes.push("created".to_owned()),
        Some(_) if gone => changes.push("gone".to_owned()),
        Some(before) => {
            if !before.metadata.deleting() && after.metadata.deleting() {
                changes.push("being deleted".to_owned());
            } else if before.metadata.generation != after.metadata.generation {
                changes.extend(changed_fields(before, after));
            }
            changes.extend(new_conditions(Some(before), after));
        }
    }
    changes.into_iter().map(|change| What::Job { job: after.metadata.name.clone(), change }).collect()
}

/// The conditions that were not there before, or were others.
fn new_conditions(before: Option<&Job>, after: &Job) -> impl Iterator<Item = String> {
    let known = move |condition: &api::JobCondition| {
        let mut known = before.into_iter().flat_map(|before| &before.status.conditions);
        known.any(|known| known.kind == condition.kind && known.status == condition.status)
    };
    after.status.conditions.iter().filter(move |condition| !known(condition)).map(|condition| {
        let end = if &*condition.status == "True" { String::new() } else { format!(" is {}", condition.status) };
        format!("{}{end}: {}", condition.kind, condition.reason)
    })
}

/// The fields of the spec that changed, with their values.
fn changed_fields(before: &Job, after: &Job) -> Vec<String> {
    let fields = |job: &Job| match serde_json::to_value(&job.spec) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) | Err(_) => Map::new(),
    };
    let (before, after) = (fields(before), fields(after));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = names.into_iter().filter(|name| before.get(*name) != after.get(*name));
    changed
        .map(|name| match after.get(name) {
            Some(value) if value.is_object() => format!("spec.{name} is changed"),
            Some(value) => format!("spec.{name} is {value}"),
            None => format!("spec.{name} is unset"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use api::Kind;
    use cluster::Dependence;
    use cluster::testing::{ask, job, noon, server};
    use contract::{DecisionKind, Key, Reconciled};

    use super::*;

    #[test]
    fn what_was_told_before_is_minor() {
        let explanation = |code: &str, acts, values: &str| Explanation {
            kind: Arc::new(DecisionKind {
                code: code.into(),
                acts,
                page: Text::default(),
                heading: Text::default(),
                rule: Text::default(),
                fields: Vec::new(),
            }),
            sentence: String::new(),
            values: values.to_owned(),
        };
        let mut trace = Trace::default();
        let mut minor = |code: &str, acts: bool, values: &str| {
            let plan = Plan { decisions: vec![explanation(code, acts, values)], ..Plan::default() };
            let step = Step { reconciled: Reconciled { id: 1, key: Key::default(), plan }, outcomes: Vec::new() };
            let entries = trace.entries(&[Happening::Planned { step: Box::new(step), writes: Vec::new() }], noon());
            matches!(entries[..], [Entry { what: What::Decision { minor: true, .. }, .. }])
        };
        assert!(minor("HasEnough", false, "{}"), "routine");
        assert_eq!([(); 2].map(|()| minor("Creates", true, "{}")), [false, false], "what is done");
        assert_eq!([9, 8].map(|left| minor("BacksOff", false, &format!(r#"{{"failures":1,"left":{left}}}"#))), [false, true]);
        assert!(!minor("BacksOff", false, r#"{"failures":2,"left":9}"#), "another waiting");
        let pods = ["a", "b", "a", "b"];
        assert_eq!(pods.map(|pod| minor("HoldsFailure", false, &format!(r#"{{"pod":"{pod}"}}"#))), [false, false, true, true]);
    }

    #[test]
    fn changes_of_a_job_are_told_by_what_they_change() {
        let mut server = server(Dependence::OnOwners);
        ask(&mut server, &job("pi", ""), 0);
        let mut seen = vec![server.object(Kind::Job, "default", "pi").unwrap().clone()];
        for patch in [
            r#"PATCH jobs/pi merge {"spec":{"parallelism":3,"activeDeadlineSeconds":9}}"#,
            r#"PATCH jobs/pi merge {"spec":{"activeDeadlineSeconds":null,"suspend":true}}"#,
            r#"PATCH jobs/pi merge {"spec":{"template":{"spec":{"nodeSelector":{"zone":"a"}}}}}"#,
            r#"PATCH jobs/pi/status merge {"status":{"conditions":[{"type":"Suspended","status":"True","reason":"JobSuspended"}]}}"#,
            r#"PATCH jobs/pi/status merge {"status":{"conditions":[{"type":"Suspended","status":"False","reason":"JobResumed"}]}}"#,
            r#"PATCH jobs/pi merge {"metadata":{"labels":{"a":"b"},"finalizers":["x.y/z"]}}"#,
            "DELETE jobs/pi",
        ] {
            ask(&mut server, patch, 1);
            seen.push(server.object(Kind::Job, "default", "pi").unwrap().clone());
        }
        let mut told = job_changes(None, seen[0].job().unwrap(), false);
        for pair in seen.windows(2) {
            told.extend(job_changes(pair[0].job(), pair[1].job().unwrap(), false));
        }
        told.extend(job_changes(seen[0].job(), seen[0].job().unwrap(), true));
        let told: Vec<String> =
            told.into_iter().filter_map(|what| if let What::Job { change, .. } = what { Some(change) } else { None }).collect();
        expect_test::expect![[r#"
            created
            spec.activeDeadlineSeconds is 9
            spec.parallelism is 3
            spec.activeDeadlineSeconds is unset
            spec.suspend is true
            spec.template is changed
            Suspended: JobSuspended
            Suspended is False: JobResumed
            being deleted
            gone"#]]
        .assert_eq(&told.join("\n"));
    }
}
