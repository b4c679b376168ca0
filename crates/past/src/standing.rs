//! How Jobs and CronJobs stood when they were recorded, in the words of the controllers.
//!
//! Docs: `crates/component/wit/controllers.wit`, `explain`. What follows from a Job's status alone is in `ending.rs`.

use api::meta::names;
use api::{Kind, Text, Timestamp};
use contract::{ApiResource, Event, Explanation, Listing, Manager, ObjectRef, Obstacle, Part, Sentence};
use serde_json::Value;

use crate::ending::{JobEnding, JobState};
use crate::fields::text;
use crate::record::RecordedJob;

/// How many other Jobs have a line above a past: of more, the number is shown.
pub const SUMMED_UP: usize = 10;

/// How a Job stands, and what it is stuck on.
#[derive(Debug, Clone, PartialEq)]
pub struct JobStanding {
    /// What its status has.
    pub ending: JobEnding,
    /// What the controllers say of it; absent if they do not know it, or if its pods are missing.
    pub explanation: Option<Explanation>,
}

/// How urgently people ask about a Job, the most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// It gets no further without somebody's help.
    Stuck,
    /// It is Failed, or will be.
    Failed,
    /// It is suspended, or another controller decides about it.
    Waiting,
    /// It gets on.
    UnderWay,
    /// It is Complete.
    Complete,
}

/// How an object without a past stands: a CronJob, or a Job on which no controller has acted.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherStanding {
    /// The object.
    pub object: ObjectRef,
    /// The time zone that it names.
    pub time_zone: Option<Text>,
    /// What the controllers say of it.
    pub explanation: Explanation,
}

impl OtherStanding {
    /// How those among the objects stood at this time that a cluster had, each of them: of Jobs, those that something keeps from beginning. The controllers
    /// come back without anything in memory.
    pub fn of<M: Manager>(manager: &mut M, objects: &[Text], records: &[&RecordedJob], now: Timestamp) -> Vec<Self> {
        let values: Vec<Value> = objects.iter().filter_map(|object| serde_json::from_str(object).ok()).collect();
        let recorded = |value: &Value| records.iter().any(|record| value["metadata"]["uid"] == *record.job.metadata.uid);
        let stored = |value: &&Value| ["uid", "creationTimestamp"].iter().all(|field| value["metadata"][*field].is_string());
        let kinds = [Kind::CronJob, Kind::Job];
        let others = values.iter().filter(|value| kinds.iter().any(|kind| value["kind"] == kind.name()) && !recorded(value)).filter(stored);
        let others: Vec<Value> = others.cloned().map(with_namespace).collect();
        if others.is_empty() {
            return Vec::new();
        }
        let events: Vec<Text> = values.iter().filter(|value| value["kind"] == "Event").map(|event| event.to_string().into()).collect();
        list(manager, &others, records, now);
        let explained = |value: &Value| {
            let (kind, metadata) = (text(&value["kind"]), &value["metadata"]);
            let [namespace, name, uid] = ["namespace", "name", "uid"].map(|field| text(&metadata[field]));
            let object = ObjectRef { kind, namespace, name, uid };
            let explanation = manager.explain(&object, &events, now).ok()?;
            let time_zone = value["spec"]["timeZone"].as_str().map(Text::from);
            let shown = *object.kind == *Kind::CronJob.name() || !explanation.obstacles.is_empty();
            shown.then_some(Self { object, time_zone, explanation })
        };
        let standings = others.iter().filter_map(explained).collect();
        manager.restart();
        standings
    }
}

impl JobStanding {
    /// How the recorded Jobs stood at this time, each of them; the controllers come back without anything in memory.
    pub fn of<M: Manager>(manager: &mut M, records: &[&RecordedJob], now: Timestamp) -> Vec<Self> {
        list(manager, &[], records, now);
        // The pods of other managers may be on another cluster.
        let known = |record: &RecordedJob| record.foreign() || !record.without_pods();
        let mut explained = |record: &RecordedJob| {
            let object = ObjectRef::of(Kind::Job.name(), &record.job.metadata);
            manager.explain(&object, &record.events, now).ok().filter(|_| known(record))
        };
        let standing = |record: &&RecordedJob| Self { ending: JobEnding::of(record), explanation: explained(record) };
        let standings = records.iter().map(standing).collect();
        manager.restart();
        standings
    }

    /// How urgently people ask about it.
    #[must_use]
    pub fn urgency(&self) -> Urgency {
        let explained = |holds: fn(&Explanation) -> bool| self.explanation.as_ref().is_some_and(holds);
        match self.ending.state {
            JobState::Complete => Urgency::Complete,
            JobState::Failed => Urgency::Failed,
            JobState::Suspended => Urgency::Waiting,
            JobState::Running | JobState::Failing | JobState::Completing if explained(Explanation::held) => Urgency::Waiting,
            JobState::Running | JobState::Failing | JobState::Completing if explained(Explanation::stuck) => Urgency::Stuck,
            JobState::Failing => Urgency::Failed,
            JobState::Running | JobState::Completing => Urgency::UnderWay,
        }
    }

    /// The answer in one sentence that names the Job: of one that has not finished, the controllers' own.
    #[must_use]
    pub fn sentence(&self) -> Sentence {
        match &self.explanation {
            Some(explanation) if !self.ending.finished() => explanation.headline.clone(),
            Some(_) | None => self.ending.sentence(),
        }
    }

    /// What helps with what the sentence names.
    #[must_use]
    pub fn remedy(&self) -> Option<&Sentence> {
        self.explanation.as_ref().filter(|_| !self.ending.finished())?.obstacles.first().map(|first| &first.remedy)
    }

    /// The obstacles that the sentence does not name.
    pub fn beside(&self) -> impl Iterator<Item = &Obstacle> {
        let finished = self.ending.finished();
        let explained = self.explanation.iter();
        explained.flat_map(move |explanation| -> Vec<&Obstacle> {
            if finished { explanation.obstacles.iter().collect() } else { explanation.beside_headline().collect() }
        })
    }
}

/// Shows these objects and what was recorded to controllers that have just started.
fn list<M: Manager>(manager: &mut M, others: &[Value], records: &[&RecordedJob], now: Timestamp) {
    manager.restart();
    for ApiResource { kind, .. } in manager.resources() {
        let recorded: Vec<Text> = if *kind == *Kind::Job.name() {
            records.iter().map(|record| job(record)).collect()
        } else if *kind == *Kind::Pod.name() {
            records.iter().flat_map(|record| pods(record)).collect()
        } else {
            Vec::new()
        };
        let others = others.iter().filter(|value| value["kind"] == *kind).map(|value| Text::from(value.to_string()));
        let objects = recorded.into_iter().chain(others).collect();
        // What is malformed is left alone, as a controller leaves it alone.
        let _ = manager.handle(Event::Listed(Listing { kind, part: Part::Whole, resource_version: "0".into(), objects }), now);
    }
}

fn with_namespace(mut value: Value) -> Value {
    if !value["metadata"]["namespace"].is_string() {
        value["metadata"]["namespace"] = api::DEFAULT_NAMESPACE.into();
    }
    value
}

/// A Job as the controllers see it that decide about it.
fn job(record: &RecordedJob) -> Text {
    let mut value = record.value.clone();
    value["metadata"]["namespace"] = (*record.job.metadata.namespace).into();
    if let Some(spec) = value["spec"].as_object_mut().filter(|_| !record.foreign()) {
        // These controllers decide in its place.
        spec.remove("managedBy");
    }
    value.to_string().into()
}

/// Its pods, with the finalizer of those controllers.
fn pods(record: &RecordedJob) -> impl Iterator<Item = Text> {
    record.pods.iter().filter(|pod| !pod.estimated).map(|pod| {
        let mut value = pod.value.clone();
        value["metadata"]["namespace"] = (*pod.metadata.namespace).into();
        let finalizers = value["metadata"].get_mut("finalizers").and_then(Value::as_array_mut);
        for finalizer in finalizers.into_iter().flatten().filter(|finalizer| **finalizer == *names::OWN_JOB_TRACKING) {
            *finalizer = names::JOB_TRACKING.into();
        }
        value.to_string().into()
    })
}
