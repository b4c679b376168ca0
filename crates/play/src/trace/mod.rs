//! A trace: what happened in a cluster, one entry for each thing that a person can see.
//!
//! Docs: Pod Lifecycle; Jobs. Entries are made of the effects of `world/turn.rs`; how they read is in `transcript.rs`.

mod containers;
mod decision;
mod pods;
mod report;
mod starts;
mod transcript;

use std::collections::{BTreeMap, BTreeSet};

use api::request::{Method, Outcome, Request};
use api::{CronJob, Job, Kind, ObjectMeta, Text, Timestamp, time};
use cluster::apiserver::Write;
use cluster::stored::{Stored, StoredObject};
use contract::execution::Executed;
use contract::{Decision, Notice, ObjectRef, Plan, Role};
use serde::Serialize;
use serde_json::{Map, Value};

pub use self::containers::{ContainerChange, ContainerEnding, ContainerEntry, EndedBy};
pub use self::pods::{ContainerBackOff, Known, PodEntry, PodState, StartAgain};
use self::pods::{PodEntries, Pods};
pub use self::report::{ContainerReport, ContainerState, Details, PodConditionReport, PodReport};
pub use self::starts::{StartCount, StartsEntry};
pub use self::transcript::{Clock, EntryWords, Transcript};
use crate::world::turn::Effect;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// When.
    #[serde(serialize_with = "time::serialize")]
    pub at: Timestamp,
    /// Whether nothing recorded it: it is the least that must have happened.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// What.
    #[serde(flatten)]
    pub what: What,
}

impl Entry {
    /// Whether it follows from other entries, or repeats an earlier one.
    #[must_use]
    pub fn routine(&self) -> bool {
        match &self.what {
            What::Decision { minor, .. } => *minor,
            What::Request { outcome, because, .. } => outcome == "done" || because.is_some(),
            What::Event(_) | What::Sync { .. } => true,
            What::Action { seen, .. } => *seen,
            What::CronJob { .. } | What::Job { .. } | What::Pod(_) | What::Container(_) | What::Starts(_) => false,
            What::Difference { .. } | What::Complaint { .. } => false,
        }
    }

    /// The object that it is about: of a pod, the Job that controls it; none if it is about the whole cluster.
    #[must_use]
    pub fn subject(&self) -> Option<Subject<'_>> {
        let (kind, namespace, name) = match &self.what {
            What::CronJob { namespace, cron_job, .. } => (Kind::CronJob.name(), namespace, cron_job),
            What::Job { namespace, job, .. } | What::Starts(StartsEntry { namespace, job, .. }) => (Kind::Job.name(), namespace, job),
            What::Pod(PodEntry { namespace, pod, job, .. }) | What::Container(ContainerEntry { namespace, pod, job, .. }) => {
                if job.is_empty() { (Kind::Pod.name(), namespace, pod) } else { (Kind::Job.name(), namespace, job) }
            }
            What::Sync { about: object, .. }
            | What::Decision { about: object, .. }
            | What::Request { about: object, .. }
            | What::Difference { about: object, .. }
            | What::Event(Notice { regarding: object, .. }) => (&*object.kind, &object.namespace, &object.name),
            What::Action { .. } | What::Complaint { .. } => return None,
        };
        Some(Subject { kind, namespace, name })
    }
}

/// An object that an entry is about, whichever of that name it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject<'a> {
    /// Its kind.
    pub kind: &'a str,
    /// Its namespace.
    pub namespace: &'a Text,
    /// Its name.
    pub name: &'a Text,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum What {
    /// Something became of a CronJob.
    CronJob {
        /// Its namespace.
        namespace: Text,
        /// Its name.
        cron_job: Text,
        /// What, in words: `created`, `spec.suspend is true`.
        change: String,
    },
    /// Something became of a Job.
    Job {
        /// Its namespace.
        namespace: Text,
        /// Its name.
        job: Text,
        /// What, in words: `created`, `Complete: CompletionsReached`.
        change: String,
    },
    /// Something became of a pod.
    Pod(PodEntry),
    /// Something happened to one container of a pod.
    Container(ContainerEntry),
    /// A Job whose containers were started again in place has finished, or the play has.
    Starts(StartsEntry),
    /// Something was done from outside.
    Action {
        /// What, in the words of the script language.
        text: Text,
        /// Whether something else is seen of it at once.
        #[serde(skip)]
        seen: bool,
    },
    /// The controllers looked at an object, and what follows is what they decided.
    Sync {
        /// The object.
        about: ObjectRef,
        /// Which of the controllers.
        controller: Text,
        /// Why: "the Job's spec changed".
        because: Text,
    },
    /// The controllers decided something.
    Decision {
        /// What it is about: a Job, or a pod.
        about: ObjectRef,
        /// The decision.
        #[serde(flatten, serialize_with = "decision::serialize")]
        decision: Decision,
        /// Whether it is routine, or waits for what the last plan waited for.
        minor: bool,
    },
    /// The controllers sent a request.
    Request {
        /// What the plan is about to which it belongs.
        about: ObjectRef,
        /// The method.
        method: Method,
        /// The path.
        path: String,
        /// The number of its batch in the plan, from 1.
        batch: usize,
        /// Its outcome: `done`, `skipped` or the error.
        outcome: String,
        /// Why it was skipped.
        #[serde(skip_serializing_if = "Option::is_none")]
        because: Option<&'static str>,
    },
    /// A Kubernetes Event was recorded.
    Event(Notice),
    /// What is known of a cluster differs from what these controllers decide.
    Difference {
        /// The Job.
        about: ObjectRef,
        /// What differs: a sentence without its end.
        message: Text,
        /// What may explain it: a sentence without its end, or nothing.
        #[serde(skip_serializing_if = "str::is_empty")]
        because: Text,
    },
    /// Something is wrong that no controller decided.
    Complaint {
        /// What.
        message: Text,
    },
}

impl What {
    /// The requests of a plan with their outcomes, where known.
    pub fn requests(plan: &Plan, outcomes: &[Outcome]) -> impl Iterator<Item = Self> {
        let numbered = plan.batches.iter().zip(1..).flat_map(|(batch, number)| batch.iter().map(move |command| (command, number)));
        let mut failed = false;
        numbered.zip(outcomes).map(move |((command, batch), outcome)| {
            let (outcome, because) = match outcome {
                Outcome::Done(_) => ("done".to_owned(), None),
                Outcome::Skipped if !failed => ("skipped".to_owned(), None),
                Outcome::Skipped if command.after.is_some() => ("skipped".to_owned(), Some("the request that it depends on failed")),
                Outcome::Skipped => ("skipped".to_owned(), Some("an earlier batch failed")),
                Outcome::Failed(error) => {
                    failed |= !command.tolerates.contains(&error.code);
                    (error.message.clone(), None)
                }
            };
            let Request { method, path, .. } = &command.request;
            Self::Request { about: plan.object.clone(), method: *method, path: path.clone(), batch, outcome, because }
        })
    }
}

/// Makes entries of what happens.
#[derive(Debug, Default)]
pub struct Trace {
    pods: Pods,
    /// The values of the last decision to wait of each kind, by object, controller and code.
    waits: BTreeMap<(ObjectRef, Text), BTreeMap<Text, Vec<Values>>>,
    /// What went by what the last entries are of: it is known until the next.
    gone: Vec<ObjectRef>,
}

/// The values of a decision.
type Values = Vec<(Text, contract::Value)>;

impl Trace {
    /// The entries for things that happened at a time, in their order.
    pub fn entries(&mut self, happened: &[Effect], at: Timestamp) -> Vec<Entry> {
        self.forget_gone();
        let mut entries = Vec::new();
        for effect in happened {
            match effect {
                Effect::Written(write) => entries.extend(self.written(write, "created", at)),
                Effect::Found(write) => entries.extend(self.written(write, "found", at)),
                Effect::Planned { executed, writes, because } => {
                    let Plan { object, controller, .. } = &executed.plan;
                    let sync =
                        |because: &Text| What::Sync { about: object.clone(), controller: controller.clone(), because: because.clone() };
                    entries.extend(because.as_ref().map(sync));
                    self.planned(executed, &mut entries);
                    entries.extend(writes.iter().flat_map(|write| self.written(write, "created", at)));
                }
                Effect::Differed { about, message, because } => {
                    let (about, message, because) = (about.clone(), message.clone(), because.clone());
                    entries.push(What::Difference { about, message, because });
                }
                Effect::Signalled(signal) => entries.extend(self.pods.signalled(signal).map(What::Container)),
                Effect::Complaint(message) => entries.push(What::Complaint { message: message.clone() }),
            }
        }
        entries.into_iter().map(|what| Entry { at, estimated: false, what }).collect()
    }

    /// What is known of the pod of this UID, if it was ever seen.
    #[must_use]
    pub fn pod(&self, uid: &str) -> Option<&Known> {
        self.pods.find(uid)
    }

    /// How often containers of a Job were started so far, if any was started again in place.
    #[must_use]
    pub fn starts(&self, job: &Job) -> Option<What> {
        let ObjectMeta { namespace, name, uid, .. } = &job.metadata;
        let count = *self.pods.starts(uid)?;
        Some(What::Starts(StartsEntry { namespace: namespace.clone(), job: name.clone(), count }))
    }

    /// What a write did to an object; `first` is what to report of a CronJob or Job that did not exist
    /// before.
    fn written(&mut self, Write { before, after, gone, .. }: &Write, first: &str, at: Timestamp) -> Vec<What> {
        let before = before.as_deref();
        if *gone {
            self.gone.push(ObjectRef::of(after.kind().name(), after.metadata()));
        }
        match after.object() {
            StoredObject::CronJob(cron_job) => cron_job_changes(before.and_then(Stored::cron_job), cron_job, first, *gone),
            StoredObject::Job(job) => {
                let before = before.and_then(Stored::job);
                let finishes = before.is_some_and(|before| !before.finished()) && job.finished() && !*gone;
                job_changes(before, job, first, *gone).into_iter().chain(self.starts(job).filter(|_| finishes)).collect()
            }
            StoredObject::Pod(pod) => {
                let PodEntries { containers, pod, not_starting } = self.pods.changes(before.and_then(Stored::pod), pod, *gone, at);
                let not_starting = not_starting.into_iter().map(What::Container);
                containers.into_iter().map(What::Container).chain(pod.into_iter().map(What::Pod)).chain(not_starting).collect()
            }
        }
    }

    /// Forgets what was known of objects that are gone, so that a play may go on for years.
    fn forget_gone(&mut self) {
        for object in std::mem::take(&mut self.gone) {
            self.pods.forget(&object.uid);
            let waits = self.waits.range((object.clone(), Text::default())..).map(|(key, _)| key.clone());
            for key in waits.take_while(|(known, _)| *known == object).collect::<Vec<_>>() {
                self.waits.remove(&key);
            }
        }
    }

    fn planned(&mut self, Executed { plan, outcomes }: &Executed, entries: &mut Vec<What>) {
        let minor = self.minor(plan);
        entries.extend(plan.decisions.iter().zip(minor).map(|(decision, minor)| What::Decision {
            about: plan.object.clone(),
            decision: decision.clone(),
            minor,
        }));
        entries.extend(What::requests(plan, outcomes));
        entries.extend(plan.notices.iter().cloned().map(What::Event));
    }

    /// For each decision of the plan, whether it is routine, or only repeats a wait or a refusal of the last plan for the object that had one.
    fn minor(&mut self, plan: &Plan) -> Vec<bool> {
        let known = self.waits.entry((plan.object.clone(), plan.controller.clone())).or_default();
        let minor = plan.decisions.iter().map(|decision| match decision.role {
            Role::Action => false,
            Role::Routine => true,
            Role::Wait(_) | Role::Invalid => known.get(&decision.kind.code).is_some_and(|values| values.contains(&decision.values)),
        });
        let minor = minor.collect();
        let waits = || plan.decisions.iter().filter(|decision| matches!(decision.role, Role::Wait(_) | Role::Invalid));
        waits().for_each(|wait| known.entry(wait.kind.code.clone()).or_default().clear());
        waits().for_each(|wait| known.entry(wait.kind.code.clone()).or_default().push(wait.values.clone()));
        minor
    }
}

/// What happened to a CronJob between two writes.
fn cron_job_changes(before: Option<&CronJob>, after: &CronJob, first: &str, gone: bool) -> Vec<What> {
    let changes = match before {
        None => vec![first.to_owned()],
        Some(before) => metadata_changes(&before.metadata, &after.metadata, gone, || changed_fields(&before.spec, &after.spec)),
    };
    let (namespace, cron_job) = (&after.metadata.namespace, &after.metadata.name);
    changes.into_iter().map(|change| What::CronJob { namespace: namespace.clone(), cron_job: cron_job.clone(), change }).collect()
}

/// What happened to a Job between two writes.
fn job_changes(before: Option<&Job>, after: &Job, first: &str, gone: bool) -> Vec<What> {
    let mut changes = match before {
        None => vec![first.to_owned()],
        Some(before) => metadata_changes(&before.metadata, &after.metadata, gone, || changed_fields(&before.spec, &after.spec)),
    };
    if !gone {
        changes.extend(new_conditions(before, after));
    }
    let (namespace, job) = (&after.metadata.namespace, &after.metadata.name);
    changes.into_iter().map(|change| What::Job { namespace: namespace.clone(), job: job.clone(), change }).collect()
}

/// What happened to an object that existed before, according to its metadata; for another generation, the `fields` that changed.
fn metadata_changes(before: &ObjectMeta, after: &ObjectMeta, gone: bool, fields: impl FnOnce() -> Vec<String>) -> Vec<String> {
    if gone {
        vec!["gone".to_owned()]
    } else if !before.deleting() && after.deleting() {
        vec!["being deleted".to_owned()]
    } else if before.generation != after.generation {
        fields()
    } else {
        Vec::new()
    }
}

/// The conditions that were not there before, or were others.
fn new_conditions(before: Option<&Job>, after: &Job) -> impl Iterator<Item = String> {
    let known = move |condition: &api::JobCondition| {
        let mut known = before.into_iter().flat_map(|before| &before.status.conditions);
        known.any(|known| known.kind == condition.kind && known.status == condition.status)
    };
    after.status.conditions.iter().filter(move |condition| !known(condition)).map(|condition| {
        let end = if &*condition.status == "True" { String::new() } else { format!(" is {}", condition.status) };
        let reason = if condition.reason.is_empty() { String::new() } else { format!(": {}", condition.reason) };
        format!("{}{end}{reason}", condition.kind)
    })
}

/// How many bytes a value has at most that is shown as JSON.
const LONGEST_VALUE: usize = 60;

/// The fields of the spec that changed, with their values.
fn changed_fields<S: Serialize>(before: &S, after: &S) -> Vec<String> {
    let fields = |spec: &S| match serde_json::to_value(spec) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) | Err(_) => Map::new(),
    };
    changed("spec", &fields(before), &fields(after))
}

/// The fields that changed below a path, as deep as they differ; values that are long are not shown.
fn changed(path: &str, before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<String> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differ = names.into_iter().filter(|name| before.get(*name) != after.get(*name));
    let lines = differ.map(|name| match (before.get(name), after.get(name)) {
        (Some(Value::Object(before)), Some(Value::Object(after))) => changed(&format!("{path}.{name}"), before, after),
        (_, None) => vec![format!("{path}.{name} is unset")],
        (_, Some(value)) => {
            let text = value.to_string();
            vec![if text.len() > LONGEST_VALUE { format!("{path}.{name} is changed") } else { format!("{path}.{name} is {text}") }]
        }
    });
    lines.flatten().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cluster::Dependence;
    use cluster::testing::{cron_job, job, noon, send_line, server};
    use contract::decision::TextPart;
    use contract::{DecisionKind, Period, Sentence};

    use super::*;

    #[test]
    fn a_request_that_was_skipped_has_its_batch_and_what_kept_it_from_being_sent() {
        let command =
            |name: &str, after| contract::Command { request: Request::read(Kind::Pod, "default", name), tolerates: Vec::new(), after };
        let batches = vec![vec![command("a", None), command("b", None)], vec![command("c", None), command("d", Some(0))]];
        let plan = Plan { batches, ..Plan::default() };
        let requests = |outcomes: &[Outcome]| {
            let lines = What::requests(&plan, outcomes).map(|request| {
                let json = serde_json::to_value(request).unwrap();
                format!("{} {} {}", json["batch"], json["outcome"].as_str().unwrap(), json["because"].as_str().unwrap_or("-"))
            });
            lines.collect::<Vec<_>>().join("\n")
        };
        let (done, skipped) = (|| Outcome::Done(Default::default()), || Outcome::Skipped);
        let error = api::request::ApiError { code: 403, reason: String::new(), message: "no".to_owned(), causes: Vec::new() };
        expect_test::expect![[r#"
            1 no -
            1 done -
            2 skipped an earlier batch failed
            2 skipped the request that it depends on failed"#]]
        .assert_eq(&requests(&[Outcome::Failed(error), done(), skipped(), skipped()]));
        expect_test::expect![[r#"
            1 done -
            1 done -
            2 skipped -
            2 skipped -"#]]
        .assert_eq(&requests(&[done(), done(), skipped(), skipped()]));
    }

    #[test]
    fn a_wait_that_goes_on_is_minor() {
        let decision = |code: &str, role, value: i64| Decision {
            kind: Arc::new(DecisionKind { code: code.into(), ..DecisionKind::default() }),
            role,
            sentence: Sentence::default(),
            values: vec![("value".into(), contract::Value::Integer(value))],
        };
        let mut trace = Trace::default();
        let mut minor = |namespace: &str, decisions: &[Decision]| -> Vec<bool> {
            let object = ObjectRef { namespace: namespace.into(), ..ObjectRef::default() };
            let plan = Plan { object, decisions: decisions.to_vec(), ..Plan::default() };
            let executed = Box::new(Executed { plan, outcomes: Vec::new() });
            let entries = trace.entries(&[Effect::Planned { executed, writes: Vec::new(), because: None }], noon());
            entries.iter().map(|entry| matches!(entry.what, What::Decision { minor: true, .. })).collect()
        };
        let (act, routine) = (decision("A", Role::Action, 1), decision("R", Role::Routine, 1));
        assert_eq!([(); 2].map(|()| minor("x", &[act.clone(), routine.clone()])), [[false, true], [false, true]]);
        let wait = |value, until| decision("W", Role::Wait(Period { since: None, until }), value);
        assert_eq!(minor("x", &[wait(1, None), wait(2, None)]), [false, false]);
        assert_eq!(minor("x", &[wait(2, Some(noon())), wait(3, None), wait(3, None)]), [true, false, false], "values count, not times");
        assert_eq!(minor("x", &[act]), [false]);
        assert_eq!(minor("x", &[wait(1, None), wait(3, None)]), [false, true], "the last plan that waited counts");
        assert_eq!(minor("y", &[wait(3, None)]), [false], "each object waits for itself");
    }

    #[test]
    fn a_decision_in_json_has_a_sentence_for_people_and_parts_for_programs() {
        let decision = Decision {
            kind: Arc::new(DecisionKind { code: "W".into(), fields: vec!["spec.x".into()], ..DecisionKind::default() }),
            role: Role::Wait(Period { since: None, until: Some(noon()) }),
            sentence: Sentence(vec![
                TextPart::Text("At ".into()),
                TextPart::Time(noon()),
                TextPart::Text(" by ".into()),
                TextPart::Field("spec.x".into()),
            ]),
            values: vec![("pods".into(), contract::Value::Integer(2))],
        };
        let about = ObjectRef { kind: "Job".into(), namespace: "b".into(), name: "pi".into(), uid: Text::default() };
        let entry = Entry { at: noon(), estimated: false, what: What::Decision { about, decision, minor: false } };
        expect_test::expect![[r#"
            {
              "at": "2026-01-02T12:00:00.25Z",
              "type": "decision",
              "about": {
                "kind": "Job",
                "namespace": "b",
                "name": "pi"
              },
              "code": "W",
              "page": "",
              "heading": "",
              "url": "",
              "rule": "",
              "fields": [
                "spec.x"
              ],
              "role": "wait",
              "until": "2026-01-02T12:00:00.25Z",
              "sentence": "At 2026-01-02T12:00:00.25Z by x",
              "parts": [
                "At ",
                {
                  "time": "2026-01-02T12:00:00.25Z"
                },
                " by ",
                {
                  "field": "spec.x"
                }
              ],
              "values": {
                "pods": 2
              },
              "minor": false
            }"#]]
        .assert_eq(&serde_json::to_string_pretty(&entry).unwrap());
    }

    #[test]
    fn changes_of_a_job_are_named_by_their_fields() {
        let mut server = server(Dependence::OnOwners);
        send_line(&mut server, &job("pi", ""), 0);
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
            send_line(&mut server, patch, 1);
            seen.push(server.object(Kind::Job, "default", "pi").unwrap().clone());
        }
        let mut changes = job_changes(None, seen[0].job().unwrap(), "created", false);
        for pair in seen.windows(2) {
            changes.extend(job_changes(pair[0].job(), pair[1].job().unwrap(), "created", false));
        }
        changes.extend(job_changes(seen[0].job(), seen[0].job().unwrap(), "created", true));
        let changes: Vec<String> =
            changes.into_iter().filter_map(|what| if let What::Job { change, .. } = what { Some(change) } else { None }).collect();
        expect_test::expect![[r#"
            created
            spec.activeDeadlineSeconds is 9
            spec.parallelism is 3
            spec.activeDeadlineSeconds is unset
            spec.suspend is true
            spec.template.spec.nodeSelector is {"zone":"a"}
            Suspended: JobSuspended
            Suspended is False: JobResumed
            being deleted
            gone"#]]
        .assert_eq(&changes.join("\n"));
    }

    #[test]
    fn changes_of_a_cron_job_are_named_as_those_of_a_job() {
        let mut server = server(Dependence::OnOwners);
        let watch = server.watch(None);
        for line in [
            &*cron_job("c", ""),
            r#"PATCH cronjobs/c merge {"spec":{"suspend":true,"timeZone":"UTC","jobTemplate":{"spec":{"parallelism":3}}}}"#,
            r#"PATCH cronjobs/c/status merge {"status":{"lastScheduleTime":"2026-01-02T12:00:00Z"}}"#,
            r#"PATCH cronjobs/c merge {"metadata":{"finalizers":["x.y/z"]},"spec":{"timeZone":null}}"#,
            "DELETE cronjobs/c",
            r#"PATCH cronjobs/c merge {"metadata":{"finalizers":null}}"#,
        ] {
            send_line(&mut server, line, 1);
        }
        let written = std::iter::from_fn(|| server.next_write(watch)).map(Effect::Written).collect::<Vec<_>>();
        let mut transcript = Transcript::new(noon());
        let lines: Vec<String> = Trace::default().entries(&written, noon()).iter().map(|entry| transcript.words(entry)).collect();
        expect_test::expect![[r#"
            cronjob c: created
            cronjob c: spec.jobTemplate.spec.parallelism is 3
            cronjob c: spec.suspend is true
            cronjob c: spec.timeZone is "UTC"
            cronjob c: spec.timeZone is unset
            cronjob c: being deleted
            cronjob c: gone"#]]
        .assert_eq(&lines.join("\n"));
    }
}
