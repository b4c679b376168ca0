//! When the record shows what the controllers are about to do.
//!
//! Docs: none of Kubernetes': a controller acts some time after what it acts on, and the record has whole seconds. What a sync would do is forecast by the
//! controllers themselves; it happens when the record has it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use api::request::Method;
use api::{Duration, Kind, Text, Timestamp, time};
use cluster::ApiServer;
use cluster::apiserver::Target;
use contract::Command;
use serde_json::Value;

use crate::agenda::Agenda;
use crate::fields::{items, moment, text};
use crate::gaps::Gaps;
use crate::record::{RecordedJob, RecordedPod};

/// The field of a strategic merge patch that takes finalizers from an object.
const TAKEN_FINALIZERS: &str = "$deleteFromPrimitiveList/finalizers";

/// How long controllers may take to do something before it counts as late.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);

/// When the record has what a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InRecord {
    /// It leaves no trace in objects.
    Unseen,
    /// Then.
    At(Timestamp),
    /// It leaves no trace, and happens by then.
    By(Timestamp),
    /// It is not there.
    Never,
}

impl InRecord {
    /// What the record has first of two things.
    fn first(self, other: Self) -> Self {
        match (self, other) {
            (Self::At(one), Self::By(by)) | (Self::By(by), Self::At(one)) if by < one => Self::By(by),
            (Self::By(one), Self::By(other)) => Self::By(one.min(other)),
            (Self::At(one), Self::At(other)) => Self::At(one.min(other)),
            (Self::At(at), _) | (_, Self::At(at)) => Self::At(at),
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::By(by), Self::Unseen) | (Self::Unseen, Self::By(by)) => Self::By(by),
            (Self::Unseen, Self::Unseen) => Self::Unseen,
        }
    }
}

/// What the record has of a plan.
pub(crate) struct Pacing<'p> {
    pub(crate) record: &'p RecordedJob,
    pub(crate) server: &'p ApiServer,
    pub(crate) agenda: &'p Agenda,
    /// The recorded pods that were not created yet.
    pub(crate) waiting: &'p VecDeque<RecordedPod>,
    /// How many of those are known from Events alone.
    pub(crate) announced: usize,
    /// The pods that were created, by UID.
    pub(crate) living: &'p BTreeMap<Text, RecordedPod>,
    pub(crate) gaps: &'p Gaps,
}

impl Pacing<'_> {
    /// When the record has the first of what these commands do.
    pub(crate) fn earliest<'c>(&self, commands: impl Iterator<Item = &'c Command>, now: Timestamp) -> InRecord {
        let (mut taken, mut gone) = (BTreeSet::new(), 0);
        let (mut others, mut creations, mut ended) = (InRecord::Unseen, InRecord::Unseen, None);
        for command in commands {
            let shown = self.shown(command, &mut taken, &mut gone, now);
            if command.request.method == Method::Post {
                creations = creations.first(shown);
            } else {
                others = others.first(shown);
                ended = self.counted(command).into_iter().chain(ended).min();
            }
        }
        // Pods are counted even if those that replace them are late.
        others.first(match (creations, ended) {
            (InRecord::At(at), Some(ended)) if at > time::after(ended, PATIENCE) => InRecord::By(ended),
            (InRecord::Never, Some(ended)) => InRecord::By(time::after(ended, PATIENCE)),
            (creations, _) => creations,
        })
    }

    /// When a pod ended, if a command counts it.
    fn counted(&self, command: &Command) -> Option<Timestamp> {
        let target = Target::read(&command.request.path).filter(|target| target.kind == Kind::Pod)?;
        let stored = self.server.object(Kind::Pod, target.namespace, target.name)?;
        let pod = self.living.get(&stored.metadata().uid).filter(|pod| pod.ended && command.request.method == Method::Patch)?;
        Some(pod.frames.last()?.at)
    }

    /// Whether a pod was there that is created now, and its Job's suspension deleted it without counting it; `next`: when the next recorded pod was created.
    pub(crate) fn left_no_trace(&self, next: Option<Timestamp>, now: Timestamp) -> bool {
        self.agenda.suspended_at(now).is_some_and(|suspended_at| next.is_none_or(|next| next >= suspended_at))
    }

    fn shown(&self, command: &Command, taken: &mut BTreeSet<Text>, gone: &mut usize, now: Timestamp) -> InRecord {
        let request = &command.request;
        let Some(target) = Target::read(&request.path) else { return InRecord::Unseen };
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        match (request.method, target.kind) {
            (Method::Post, Kind::Pod) => self.creation(&body, taken, gone, now),
            (Method::Put | Method::Patch, Kind::Job) => self.status(&body["status"]),
            (Method::Patch, Kind::Pod) if body["metadata"].get(TAKEN_FINALIZERS).is_some() => match self.recorded(target) {
                Some(pod) if pod.uncounted => InRecord::Never,
                Some(_) | None => InRecord::Unseen,
            },
            (Method::Delete, Kind::Pod) => match self.recorded(target) {
                Some(pod) => pod.deletion.map_or(InRecord::Never, |deletion| InRecord::At(deletion.at)),
                None => InRecord::Unseen,
            },
            (Method::Delete, Kind::Job | Kind::CronJob) => InRecord::Never,
            (Method::Get | Method::Post | Method::Put | Method::Patch, _) => InRecord::Unseen,
        }
    }

    fn recorded(&self, target: Target<'_>) -> Option<&RecordedPod> {
        let stored = self.server.object(Kind::Pod, target.namespace, target.name)?;
        self.living.get(&stored.metadata().uid).filter(|pod| !pod.estimated)
    }

    fn creation(&self, body: &Value, taken: &mut BTreeSet<Text>, gone: &mut usize, now: Timestamp) -> InRecord {
        let index = crate::answers::index(body);
        let next = self.waiting.iter().find(|pod| pod.index == index && !taken.contains(&pod.metadata.uid));
        if self.gaps.fills(index, *gone + self.announced, next.map(|pod| pod.created_at), now) {
            *gone += 1;
            return InRecord::Unseen;
        }
        if self.left_no_trace(next.map(|pod| pod.created_at), now) {
            return InRecord::Unseen;
        }
        next.map_or(InRecord::Never, |pod| {
            taken.insert(pod.metadata.uid.clone());
            InRecord::At(pod.created_at)
        })
    }

    /// When the record has what is new in a status.
    fn status(&self, status: &Value) -> InRecord {
        let job = &self.record.job;
        let stored = self.server.object(Kind::Job, &job.metadata.namespace, &job.metadata.name).and_then(|stored| stored.job());
        let held = |kind: &str, value: &str| {
            let mut conditions = stored.into_iter().flat_map(|job| &job.status.conditions);
            conditions.any(|condition| *condition.kind == *kind && *condition.status == *value)
        };
        let mut shown = InRecord::Unseen;
        for condition in items(&status["conditions"]) {
            let (kind, value) = (text(&condition["type"]), text(&condition["status"]));
            if held(&kind, &value) {
                continue;
            }
            shown = match self.record.condition(&kind, &value).and_then(|recorded| recorded.last_transition_time) {
                Some(at) => return InRecord::At(at),
                // That of an earlier suspension is not kept.
                None if &*kind == api::job::conditions::SUSPENDED => shown,
                None => InRecord::Never,
            };
        }
        let started_at = moment(&status["startTime"]);
        match job.status.start_time {
            Some(at) if shown == InRecord::Unseen && started_at.is_some() && stored.is_none_or(|job| job.status.start_time.is_none()) => {
                InRecord::At(at)
            }
            _ => shown,
        }
    }
}
