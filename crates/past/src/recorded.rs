//! The recorded cluster: what happens to a Job and its pods by the record, and what the controllers are answered.
//!
//! Docs: Pod Lifecycle; API Concepts. Pods are made in `answers.rs`; the controllers that decide along are in `reconstruction.rs`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use api::meta::names;
use api::request::{ApiError, Method, Outcome, Request};
use api::{Duration, Kind, Text, Timestamp, time};
use cluster::apiserver::{Answer, ApiServer, Target};
use contract::Command;
use play::trace::{PodState, What};
use play::world::send;
use serde_json::{Value, json};

use crate::agenda::{self, Agenda, RecordedChange};
use crate::answers;
use crate::difference::Discrepancy;
use crate::gaps::{Assumptions, Gaps, GoneEnd, verdict_at, waited_for_until};
use crate::notes::notes;
use crate::pacing::Pacing;
use crate::record::{RecordedJob, RecordedPod};
use crate::slots;

/// What is left of a Job, and what of it has not happened again yet.
#[derive(Debug)]
pub(crate) struct RecordedCluster {
    pub(crate) record: RecordedJob,
    agenda: Agenda,
    /// What is to be said, the last thing first.
    notes: Vec<(Timestamp, Discrepancy)>,
    pub(crate) gaps: Gaps,
    /// The recorded pods that were not created yet, in order.
    waiting: VecDeque<RecordedPod>,
    /// How many of those are known from Events alone.
    announced: usize,
    /// The deletions of pods that were created, and that no condition explains: when, and the UID.
    deletions: BTreeSet<(Timestamp, Text)>,
    /// How many recorded pods were created in a later second than they were.
    pub(crate) late: usize,
    /// How many pods that no longer exist and that no Event reports were created so far.
    invented: u32,
    /// The pods that were created and no longer exist, by name, and whether an Event reports their creation.
    gone: BTreeMap<Text, bool>,
    /// The pods that were created, by UID.
    living: BTreeMap<Text, RecordedPod>,
}

impl RecordedCluster {
    pub(crate) fn new(record: RecordedJob, assumed: Assumptions) -> Self {
        let (agenda, gaps, waiting) = (Agenda::of(&record), Gaps::of(&record, assumed), VecDeque::from(record.pods.clone()));
        let announced = waiting.iter().filter(|pod| pod.estimated).count();
        let mut notes = notes(&record);
        notes.reverse();
        let (deletions, gone, living) = Default::default();
        Self { record, agenda, notes, gaps, waiting, announced, deletions, late: 0, invented: 0, gone, living }
    }

    /// The Job as it begins.
    pub(crate) fn beginning(&self) -> Value {
        agenda::beginning(&self.record, &self.gaps.skipped)
    }

    /// What is to be said by now and was not.
    pub(crate) fn note(&mut self, now: Timestamp) -> Option<Discrepancy> {
        self.notes.pop_if(|(at, _)| *at <= now).map(|(_, note)| note)
    }

    /// When something happens next by the record.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.agenda.next_due().into_iter().chain(self.notes.last().map(|(at, _)| *at)).min()
    }

    /// Lets happen what is next by the record; returns whether it is estimated.
    pub(crate) fn happen(&mut self, server: &mut ApiServer, now: Timestamp) -> Option<bool> {
        Some(match self.agenda.pop(now)? {
            RecordedChange::Frame { uid, place } => self.frame(&uid, place, server, now),
            RecordedChange::Disruption { uid } => {
                self.delete(&uid, server, now);
                false
            }
            RecordedChange::End { uid } => {
                self.end(&uid, server, now);
                true
            }
            RecordedChange::Suspension { suspended, estimated } => {
                let (namespace, name) = self.job_name();
                let body = json!({"spec": {"suspend": suspended}}).to_string();
                // The Job is there: nobody but its record deletes it.
                let _ = server.overwrite_job(&namespace, &name, &body, now);
                estimated
            }
            RecordedChange::JobDeletion => {
                let metadata = &self.record.job.metadata;
                let policy = if metadata.has_finalizer(names::FOREGROUND) {
                    "Foreground"
                } else if metadata.has_finalizer(names::ORPHAN) {
                    "Orphan"
                } else {
                    "Background"
                };
                let (namespace, name) = self.job_name();
                let request = Request::delete(Kind::Job, &namespace, &name, json!({"propagationPolicy": policy}).to_string());
                let _ = server.execute(&request, now);
                false
            }
        })
    }

    /// Brings a pod into its next status; returns whether that is estimated.
    fn frame(&mut self, uid: &str, place: usize, server: &mut ApiServer, now: Timestamp) -> bool {
        let Some(pod) = self.living.get(uid) else { return false };
        let (metadata, frame, last) = (pod.metadata.clone(), pod.frames[place].clone(), place + 1 == pod.frames.len());
        let (ended, estimated) = (pod.ended && last, pod.estimated);
        let node = pod.value["spec"]["nodeName"].as_str().map(Text::from);
        let written = server.update_pod(&metadata.namespace, &metadata.name, now, |parts| {
            parts.status = frame.status;
            if frame.assigned && parts.node_name.is_empty() {
                parts.node_name = node.unwrap_or_else(|| "unknown".into());
            }
        });
        // Nothing is left of it: it goes as soon as its Job has counted it.
        if let Some(stored) = written.filter(|stored| ended && (estimated || stored.metadata().deleting())) {
            server.begin_deletion(&stored, None, Some(0), now);
        }
        frame.estimated
    }

    /// Deletes a pod as the record has it, unless it is being deleted.
    fn delete(&mut self, uid: &str, server: &mut ApiServer, now: Timestamp) {
        let Some((metadata, deletion)) = self.living.get(uid).and_then(|pod| Some((&pod.metadata, pod.deletion?))) else { return };
        let stored = server.object(Kind::Pod, &metadata.namespace, &metadata.name).filter(|stored| !stored.metadata().deleting());
        let Some(stored) = stored.cloned() else { return };
        let grace = (deletion.grace > 0).then_some(deletion.grace);
        server.begin_deletion(&stored, None, grace, now);
    }

    /// Answers a command, if the record has it by now.
    pub(crate) fn answer(&mut self, command: &Command, server: &mut ApiServer, now: Timestamp) -> Answered {
        let request = &command.request;
        let target = Target::read(&request.path);
        if let Some(target) = target.filter(|target| request.method == Method::Post && target.kind == Kind::Pod) {
            return self.answer_creation(command, target.namespace, server, now);
        }
        if let Some(target) = target.filter(|target| request.method == Method::Delete && target.kind == Kind::Pod) {
            let stored = server.object(Kind::Pod, target.namespace, target.name).cloned();
            let outcome = send(server, command, now);
            if let Some(stored) = stored {
                self.leave(&stored.metadata().uid, server, now);
            }
            return Answered::Now(outcome);
        }
        Answered::Now(send(server, command, now))
    }

    fn answer_creation(&mut self, command: &Command, namespace: &str, server: &mut ApiServer, now: Timestamp) -> Answered {
        let body: Value = serde_json::from_str(&command.request.body).unwrap_or_default();
        let index = answers::index(&body);
        let place = self.waiting.iter().position(|pod| pod.index == index);
        let next = place.map(|place| self.waiting[place].created_at);
        let counted = self.gaps.fills(index, self.announced, next, now);
        if counted || self.pacing(server).left_no_trace(next, now) {
            return Answered::Now(self.create_gone(command, index, counted, server, now));
        }
        let (Some(place), Some(created_at)) = (place, next.filter(|next| *next <= time::after(now, SLOWEST_ANSWER))) else {
            return Answered::Now(Outcome::Failed(not_recorded()));
        };
        if created_at > now {
            return Answered::At(created_at);
        }
        let Some(pod) = self.waiting.remove(place) else { return Answered::At(created_at) };
        let name = pod.metadata.name.clone();
        let created = self.begin(pod, Some(&body), server, now);
        let stored = server.object(Kind::Pod, namespace, &name).filter(|_| created);
        let outcome =
            stored.map_or_else(|| Outcome::Failed(not_recorded()), |stored| Outcome::Done(Answer::Object(Arc::clone(stored)).written()));
        Answered::Now(outcome)
    }

    /// Begins the life of a recorded pod; returns whether it is there now.
    fn begin(&mut self, pod: RecordedPod, asked: Option<&Value>, server: &mut ApiServer, now: Timestamp) -> bool {
        let created = answers::create(server, &pod, asked);
        self.announced -= usize::from(pod.estimated);
        self.late += usize::from(time::whole_seconds(now) > pod.created_at);
        self.deletions.extend(pod.deletion.map(|deletion| (deletion.at, pod.metadata.uid.clone())));
        if pod.estimated {
            self.gone.insert(pod.metadata.name.clone(), true);
        }
        let pod = if pod.estimated { self.live_on(pod.value.clone(), pod.index, true, server, now).unwrap_or(pod) } else { pod };
        self.agenda.add_pod(&pod, now);
        self.living.insert(pod.metadata.uid.clone(), pod);
        created
    }

    /// How a pod lives that no longer exists in the record and was created just now.
    fn live_on(&mut self, value: Value, index: Option<u32>, counted: bool, server: &ApiServer, now: Timestamp) -> Option<RecordedPod> {
        let end = if counted { self.gaps.take(index) } else { GoneEnd::Deleted };
        let (namespace, name) = self.job_name();
        let job = server.object(Kind::Job, &namespace, &name);
        let failures = job.and_then(|job| usize::try_from(job.job()?.status.failed).ok()).unwrap_or_default();
        let until = verdict_at(&self.record).unwrap_or(self.record.end);
        let next = self.waiting.iter().find(|pod| pod.index == index).map(|pod| pod.created_at);
        let course = if end == GoneEnd::Succeeded {
            let free = slots::free(&self.record, &self.living, &self.waiting, now);
            self.gaps.success(&self.record, self.announced, free, now)
        } else {
            self.gaps.course(&self.record, end, (self.announced, failures), next, now)
        };
        let judged = self.record.judged.as_ref().filter(|judged| end == GoneEnd::Failed && value["metadata"]["name"] == *judged.pod);
        answers::gone(value, course, end == GoneEnd::Succeeded, judged, until, now)
    }

    /// Creates a pod that no longer exists; `counted`: whether the Job counted it.
    fn create_gone(&mut self, command: &Command, index: Option<u32>, counted: bool, server: &mut ApiServer, now: Timestamp) -> Outcome {
        self.invented += 1;
        let mut command = command.clone();
        let mut body: Value = serde_json::from_str(&command.request.body).unwrap_or_default();
        // No recorded pod can be taken for it.
        let start = body["metadata"]["generateName"].as_str().unwrap_or_default().to_owned();
        let announced = |name: &Text| self.record.pods.iter().any(|pod| pod.metadata.name == *name);
        let judged = self.record.judged_and_gone().map(|judged| &judged.pod);
        let judged = judged.filter(|name| self.gaps.last_failure() && name.starts_with(&start) && !announced(name));
        body["metadata"]["name"] = judged.map_or_else(|| format!("{start}gone{}", self.invented), Text::to_string).into();
        command.request.body = body.to_string();
        let outcome = send(server, &command, now);
        let Outcome::Done(written) = &outcome else { return outcome };
        let (namespace, _) = self.job_name();
        self.gone.insert(written.name.as_str().into(), false);
        let stored = server.object(Kind::Pod, &namespace, &written.name);
        let value = stored.and_then(|stored| serde_json::from_str(&stored.json()).ok()).unwrap_or_default();
        if let Some(pod) = self.live_on(value, index, counted, server, now) {
            self.agenda.add_pod(&pod, now);
            self.living.insert(pod.metadata.uid.clone(), pod);
        }
        outcome
    }

    /// Lets a pod end that was deleted just now, if nothing is left of it: just before its Job finished, if that waited for it.
    fn leave(&mut self, uid: &Text, server: &mut ApiServer, now: Timestamp) {
        if !self.living.get(uid).is_some_and(|pod| pod.estimated) {
            return;
        }
        self.agenda.forget(uid);
        match waited_for_until(&self.record, now) {
            Some(until) => self.agenda.add(until, RecordedChange::End { uid: uid.clone() }),
            None => self.end(uid, server, now),
        }
    }

    /// Ends a pod that is being deleted.
    fn end(&self, uid: &str, server: &mut ApiServer, now: Timestamp) {
        let Some(metadata) = self.living.get(uid).map(|pod| &pod.metadata) else { return };
        server.update_pod(&metadata.namespace, &metadata.name, now, |parts| {
            if parts.status.get("phase").and_then(Value::as_str) != Some("Succeeded") {
                parts.status.insert("phase".to_owned(), "Failed".into());
            }
        });
        if let Some(stored) = server.object(Kind::Pod, &metadata.namespace, &metadata.name).cloned() {
            server.begin_deletion(&stored, None, Some(0), now);
        }
    }

    /// Whether what an entry says of a pod is estimated because the pod no longer exists.
    pub(crate) fn estimated(&self, what: &What) -> bool {
        match what {
            What::Pod(entry) => self.gone.get(&entry.pod).is_some_and(|announced| !announced || entry.state != PodState::Pending),
            What::Container(entry) => self.gone.contains_key(&entry.pod),
            What::CronJob { .. } | What::Job { .. } | What::Decision { .. } | What::Request { .. } | What::Sync { .. } => false,
            What::Starts(_) | What::Action { .. } | What::Event(_) | What::Difference { .. } | What::Complaint { .. } => false,
        }
    }

    /// What the record has from some time on, and is not there.
    pub(crate) fn unmet(&mut self, server: &ApiServer) -> Vec<(Timestamp, Outstanding)> {
        let living = &self.living;
        let there = |uid: &Text| {
            let metadata = &living.get(uid)?.metadata;
            server.object(Kind::Pod, &metadata.namespace, &metadata.name).filter(|stored| !stored.metadata().deleting())
        };
        while self.deletions.first().is_some_and(|(_, uid)| there(uid).is_none()) {
            self.deletions.pop_first();
        }
        let creations = self.waiting.front().map(|pod| (pod.created_at, Outstanding::Creation(pod.metadata.uid.clone())));
        let deletions = self.deletions.first().map(|(at, uid)| (*at, Outstanding::Deletion(uid.clone())));
        let metadata = &self.record.job.metadata;
        let held = server.object(Kind::Job, &metadata.namespace, &metadata.name).and_then(|stored| stored.job());
        let conditions = self.record.job.status.conditions.iter().filter_map(move |condition| {
            let mut held = held?.status.conditions.iter();
            let there = held.any(|held| held.kind == condition.kind && held.status == condition.status);
            Some((condition.last_transition_time.filter(|_| !there)?, Outstanding::Condition(condition.kind.clone())))
        });
        creations.into_iter().chain(deletions).chain(conditions).collect()
    }

    /// Has something happen that the record has and the controllers have not done; returns the difference.
    pub(crate) fn enforce(&mut self, unmet: &Outstanding, server: &mut ApiServer, now: Timestamp) -> Option<Discrepancy> {
        match unmet {
            Outstanding::Creation(uid) => self.inject(uid, server, now),
            Outstanding::Deletion(uid) => {
                self.delete(uid, server, now);
                let name = self.living.get(uid).map(|pod| pod.metadata.name.clone()).unwrap_or_default();
                let message = format!("pod {name} was deleted here, but not by the Job's controller");
                Some(Discrepancy::new(message, "a person or another controller may have deleted it"))
            }
            Outstanding::Condition(kind) => self.impose(kind, server, now),
        }
    }

    /// Creates a recorded pod that nobody asked for.
    fn inject(&mut self, uid: &str, server: &mut ApiServer, now: Timestamp) -> Option<Discrepancy> {
        let place = self.waiting.iter().position(|pod| *pod.metadata.uid == *uid)?;
        let pod = self.waiting.remove(place)?;
        let name = pod.metadata.name.clone();
        self.begin(pod, None, server, now);
        let because = if self.record.job.metadata.generation > 1 {
            EDITED
        } else {
            "it may replace a pod that no longer exists, or the controller was restarted, or another version of it was at work"
        };
        Some(Discrepancy::new(format!("pod {name} was created here, as recorded, but no new pod was expected"), because))
    }

    /// Writes a recorded condition that the controllers have not written.
    fn impose(&self, kind: &str, server: &mut ApiServer, now: Timestamp) -> Option<Discrepancy> {
        let recorded = self.record.job.status.conditions.iter().find(|condition| *condition.kind == *kind)?.clone();
        let (namespace, name) = self.job_name();
        let stored = server.object(Kind::Job, &namespace, &name)?;
        let mut conditions: Vec<api::JobCondition> = stored.job()?.status.conditions.clone();
        conditions.retain(|condition| *condition.kind != *kind);
        conditions.push(recorded.clone());
        let mut status = json!({"conditions": conditions});
        if let Some(at) = self.record.job.status.completion_time.filter(|_| kind == api::job::conditions::COMPLETE) {
            status["completionTime"] = time::text(at).into();
        }
        // The Job is there, and its status can be read.
        let _ = server.overwrite_job(&namespace, &name, &json!({"status": status}).to_string(), now);
        let reason = if recorded.reason.is_empty() { String::new() } else { format!(" ({})", recorded.reason) };
        let message = format!("the Job became {kind}={}{reason} here, as recorded, but that was not expected", recorded.status);
        Some(Discrepancy::new(message, "there may have been pods that no longer exist, an edit, or another version of the controller"))
    }

    /// Whether Events report requests that were refused in this time.
    pub(crate) fn refused(&self, since: Timestamp, now: Timestamp) -> bool {
        self.record.refusals.iter().any(|refusal| (since..=now).contains(&refusal.at))
    }

    /// The difference if the controllers would have done so much earlier what the record has only now.
    pub(crate) fn acted_late(&self, late: Duration) -> Discrepancy {
        let because = if self.record.job.metadata.generation > 1 {
            EDITED
        } else {
            "the controller may not have been running, or its requests may have been refused"
        };
        Discrepancy::new(format!("the Job's controller acted {} later than expected", time::length(late)), because)
    }

    pub(crate) fn pacing<'p>(&'p self, server: &'p ApiServer) -> Pacing<'p> {
        let Self { record, agenda, waiting, announced, living, gaps, .. } = self;
        Pacing { record, server, agenda, waiting, announced: *announced, living, gaps }
    }

    fn job_name(&self) -> (Text, Text) {
        let metadata = &self.record.job.metadata;
        (metadata.namespace.clone(), metadata.name.clone())
    }
}

/// How long a request may be under way.
const SLOWEST_ANSWER: Duration = Duration::from_secs(5);
/// What explains a difference if the Job was edited.
const EDITED: &str = "the Job was edited, and its earlier spec is not known";

/// How a command is answered.
pub(crate) enum Answered {
    /// With this.
    Now(Outcome),
    /// Later.
    At(Timestamp),
}

/// Something that the record has and that is not there.
#[derive(Debug, Clone)]
pub(crate) enum Outstanding {
    Creation(Text),
    Deletion(Text),
    Condition(Text),
}

/// The answer to a creation that the record does not have.
fn not_recorded() -> ApiError {
    let message = "there is no record of this pod".to_owned();
    ApiError { code: 403, reason: "Forbidden".to_owned(), message, causes: Vec::new() }
}
