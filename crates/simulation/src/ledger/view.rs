//! What the manager has been shown of the cluster in its present life: it cannot know better.
//!
//! Docs: rule J-35. What really is stands in `mod.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Kind, Text};

use cluster::stored::Stored;
use contract::Plan;

/// What the manager has been shown.
#[derive(Debug, Default)]
pub(crate) struct ManagerView {
    /// CronJobs and Jobs by name, as they were last shown.
    objects: BTreeMap<(Kind, Text), Arc<Stored>>,
    /// By UID.
    pods: BTreeMap<Text, SeenPod>,
    /// How far each kind has been shown.
    positions: BTreeMap<Kind, u64>,
    /// In which step a Job or a pod was last shown, if not by a list, by the name of the Job; that of pods is empty, as any Job may be theirs.
    news: BTreeMap<Text, u64>,
    /// In which step a list was last shown.
    listed: u64,
}

/// What was shown of a pod, and in which step first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenPod {
    /// That it is there.
    pub(crate) first: u64,
    /// That it ended.
    pub(crate) ended: Option<u64>,
    /// That it ended, while it held the finalizer and was on no list of its Job: the manager learns of it and counts it.
    pub(crate) news: Option<u64>,
    /// That it is being deleted, before or when it was shown to have ended.
    pub(crate) deleting: Option<u64>,
}

impl ManagerView {
    /// A watch showed an object in this step; what it shows once more changes nothing.
    pub(super) fn show(&mut self, object: &Arc<Stored>, gone: bool, news: bool, step: u64) {
        let (position, version) = (self.positions.entry(object.kind()).or_default(), version(object));
        if version > *position {
            *position = version;
            let job = object.job().map(|job| job.metadata.name.clone());
            self.news.insert(job.unwrap_or_default(), step);
            self.record(object, gone, news, step);
        }
    }

    /// A complete list of a kind is shown in this step, which is true up to this version.
    pub(super) fn list(&mut self, kind: Kind, version: u64, step: u64) {
        self.listed = step;
        self.positions.insert(kind, version);
        self.objects.retain(|(other, _), _| *other != kind);
    }

    /// An object is known; `news`: if it is a pod that ended, it is to be counted.
    pub(super) fn record(&mut self, object: &Arc<Stored>, gone: bool, news: bool, step: u64) {
        let Some(pod) = object.pod() else {
            let key = (object.kind(), object.metadata().name.clone());
            return if gone { drop(self.objects.remove(&key)) } else { drop(self.objects.insert(key, Arc::clone(object))) };
        };
        let seen = self.pods.entry(pod.metadata.uid.clone()).or_insert(SeenPod { first: step, ended: None, news: None, deleting: None });
        if pod.metadata.deleting() && seen.ended.is_none() {
            seen.deleting.get_or_insert(step);
        }
        if pod.ended() && seen.ended.is_none() {
            seen.ended = Some(step);
            seen.news = news.then_some(step);
        }
    }

    /// Whether all versions of a kind up to this one were shown.
    pub(crate) fn has_shown(&self, kind: Kind, version: u64) -> bool {
        self.positions.get(&kind).is_some_and(|position| version <= *position)
    }

    /// Whether something was shown in this step or later that may make a Job due: the Job, a pod, or a list.
    pub(crate) fn has_news(&self, job: &str, step: u64) -> bool {
        let shown = |name| self.news.get(name).is_some_and(|shown| *shown >= step);
        shown(job) || shown("") || self.listed >= step
    }

    /// The CronJob or Job that a plan is about.
    pub(crate) fn object(&self, plan: &Plan) -> Option<&Arc<Stored>> {
        self.objects.get(&(Kind::of(&plan.object.kind)?, plan.object.name.clone()))
    }

    /// What was shown of a pod.
    pub(crate) fn pod(&self, uid: &str) -> Option<&SeenPod> {
        self.pods.get(uid)
    }
}

impl SeenPod {
    /// Whether it was shown before this step that the pod ended.
    pub(crate) fn had_ended(&self, step: u64) -> bool {
        self.ended.is_some_and(|shown| shown < step)
    }
}

/// The number of an object's version.
fn version(object: &Stored) -> u64 {
    object.metadata().resource_version.parse().expect("the server numbers its versions")
}
