//! How Jobs and CronJobs stood when they were recorded, in the words of the controllers.
//!
//! Docs: `crates/component/wit/controllers.wit`, `explain`. What follows from a Job's status alone is in `ending.rs`.

use std::cmp::Reverse;

use api::meta::names;
use api::{Duration, Kind, Text, Timestamp, time};
use contract::decision::TextPart;
use contract::{ApiResource, Event, Explanation, Listing, Manager, ObjectRef, Obstacle, Part, Sentence};
use serde_json::Value;

use crate::ending::{JobEnding, JobState};
use crate::fields::text;
use crate::pod_decisions::PodDecisions;
use crate::record::RecordedJob;

/// How many other Jobs have a line above a past: of more, the number is shown.
pub const SUMMED_UP: usize = 10;

/// How much later objects may well have been read than the last time in them says.
const LATER: Duration = Duration::from_mins(10);

/// When objects were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadAt {
    /// When.
    pub at: Timestamp,
    /// Whether it may have been later, because nothing but the times in the objects says when.
    pub or_later: bool,
}

/// How a Job stands, and what it is stuck on.
#[derive(Debug, Clone, PartialEq)]
pub struct JobStanding {
    /// What its status has.
    pub ending: JobEnding,
    /// What the controllers say of it; absent if they do not know it, or if its pods are missing.
    pub explanation: Option<Explanation>,
    /// What it is stuck on if all of that is still so later.
    pub later: Option<Explanation>,
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
    /// It makes progress.
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
    /// What it is stuck on if all of that is still so later.
    pub later: Option<Explanation>,
}

impl OtherStanding {
    /// How those among the objects stood at this time that a cluster had, each of them: of Jobs, those that something keeps from beginning. The controllers
    /// come back without anything in memory.
    pub fn of<M: Manager>(manager: &mut M, objects: &[Text], records: &[RecordedJob], read: ReadAt) -> Vec<Self> {
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
        list(manager, &others, records, read.at);
        let explained = |value: &Value| {
            let (kind, metadata) = (text(&value["kind"]), &value["metadata"]);
            let [namespace, name, uid] = ["namespace", "name", "uid"].map(|field| text(&metadata[field]));
            let object = ObjectRef { kind, namespace, name, uid };
            let (explanation, later) = explain(manager, &object, &events, read)?;
            let time_zone = value["spec"]["timeZone"].as_str().map(Text::from);
            let shown = *object.kind == *Kind::CronJob.name() || !explanation.obstacles.is_empty() || later.is_some();
            shown.then_some(Self { object, time_zone, explanation, later })
        };
        let standings = others.iter().filter_map(explained).collect();
        manager.restart();
        standings
    }
}

impl JobStanding {
    /// The recorded Jobs with how they stood at this time, in the order in which people ask about them: those that are `named` first, then the most urgent,
    /// the last first. The controllers come back without anything in memory.
    pub fn ranked<M: Manager>(
        manager: &mut M,
        records: Vec<RecordedJob>,
        read: ReadAt,
        named: impl Fn(&RecordedJob) -> bool,
    ) -> Vec<(RecordedJob, Self)> {
        if records.is_empty() {
            return Vec::new();
        }
        let standings = Self::of(manager, &records, read);
        let mut ranked: Vec<(RecordedJob, Self)> = records.into_iter().zip(standings).collect();
        ranked.sort_by_cached_key(|(record, standing)| {
            (!named(record), standing.urgency(), Reverse(standing.ending.at.unwrap_or(record.created_at())))
        });
        ranked
    }

    /// How the recorded Jobs stood at this time, each of them; the controllers come back without anything in memory.
    pub fn of<M: Manager>(manager: &mut M, records: &[RecordedJob], read: ReadAt) -> Vec<Self> {
        list(manager, &[], records, read.at);
        // The pods of other managers may be on another cluster.
        let known = |record: &RecordedJob| record.foreign() || record.job.finished() || !record.lacks_pods();
        let standing = |record: &RecordedJob| {
            let object = ObjectRef::of(Kind::Job.name(), &record.job.metadata);
            let (explanation, later) = explain(manager, &object, &record.events, read).filter(|_| known(record)).unzip();
            let ending = JobEnding::of(record, |pod| decided(explanation.as_ref(), pod));
            let later = later.flatten().filter(|_| !ending.finished());
            Self { ending, explanation, later }
        };
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
            Some(_) | None => {
                let mut sentence = self.ending.sentence();
                // A finished Job has no obstacle but what holds up its deletion.
                if let Some(first) = self.explanation.as_ref().and_then(|explanation| explanation.obstacles.first()) {
                    sentence.0.push(TextPart::Text("; ".into()));
                    sentence.0.extend(first.sentence.0.iter().cloned());
                }
                sentence
            }
        }
    }

    /// What helps with what the sentence names.
    #[must_use]
    pub fn remedy(&self) -> Option<&Sentence> {
        self.explanation.as_ref()?.obstacles.first().map(|first| &first.remedy)
    }

    /// The obstacles that the sentence does not name.
    pub fn beside(&self) -> impl Iterator<Item = &Obstacle> {
        let finished = self.ending.finished();
        let explained = self.explanation.iter();
        explained.flat_map(move |explanation| -> Vec<&Obstacle> {
            if finished { explanation.obstacles.iter().skip(1).collect() } else { explanation.beside_headline().collect() }
        })
    }
}

/// What is decided about a failed pod.
fn decided(explanation: Option<&Explanation>, pod: &str) -> PodDecisions {
    let mut decisions = PodDecisions::default();
    let related = explanation.iter().flat_map(|explanation| &explanation.related).filter(|related| *related.object.name == *pod);
    related.for_each(|related| decisions.add(&related.decision));
    decisions
}

/// What the controllers say of an object, and what it is stuck on if that is still so later.
fn explain<M: Manager>(manager: &mut M, object: &ObjectRef, events: &[Text], read: ReadAt) -> Option<(Explanation, Option<Explanation>)> {
    let explanation = manager.explain(object, events, read.at).ok()?;
    let may_change = read.or_later && !explanation.stuck();
    let later = may_change.then(|| manager.explain(object, events, time::after(read.at, LATER)).ok()).flatten();
    Some((explanation, later.filter(Explanation::stuck)))
}

/// Shows these objects and what was recorded to controllers that have just started.
fn list<M: Manager>(manager: &mut M, others: &[Value], records: &[RecordedJob], now: Timestamp) {
    manager.restart();
    for ApiResource { kind, .. } in manager.resources() {
        let recorded: Vec<Text> = if *kind == *Kind::Job.name() {
            records.iter().map(job).collect()
        } else if *kind == *Kind::Pod.name() {
            records.iter().flat_map(pods).collect()
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
    let mut value = record.decided_here();
    value["metadata"]["namespace"] = (*record.job.metadata.namespace).into();
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
