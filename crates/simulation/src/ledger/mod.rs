//! The ledger: what really happened, write by write, kept apart from what the controllers report.
//!
//! Docs: Jobs, "Job tracking with finalizers"; CronJob. It judges nothing: that is done in `invariants/` and `promise.rs`.

mod cron_job;
mod job;
mod pod;
mod refusals;
mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

use api::meta::names;
use api::request::{Method, Outcome, Request};
use api::{CronJob, Job, Kind, Text, Timestamp};
use cluster::apiserver::{Target, Write};
use cluster::stored::Stored;
use contract::Plan;
use contract::execution::Executed;

pub(super) use self::cron_job::CronJobRecord;
pub(super) use self::job::{JobRecord, indexes, listed};
pub(super) use self::pod::{Birth, PodRecord, read};
use self::refusals::Refusals;
pub(super) use self::view::{ManagerView, SeenPod};
use crate::flight::Flight;
use crate::settings::Settings;

/// All that really happened.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// The number of the present step.
    pub(super) step: u64,
    /// By UID.
    pub(super) cron_jobs: BTreeMap<Text, CronJobRecord>,
    /// By UID.
    pub(super) jobs: BTreeMap<Text, JobRecord>,
    /// By UID.
    pub(super) pods: BTreeMap<Text, PodRecord>,
    /// What the manager has been shown in its present life.
    pub(super) view: ManagerView,
    /// The writes that were reported to the manager, in its present life, by what its plans were about.
    pub(super) written: BTreeMap<Key, WrittenVersions>,
    /// What was refused to the manager in its present life.
    pub(super) refusals: Refusals,
}

/// Who is behind a write.
#[derive(Debug, Clone, Copy)]
pub(super) enum Author<'a> {
    /// The controllers.
    Controllers(SentRequest<'a>),
    /// A node, or what watches over nodes.
    Nodes,
    /// Somebody else.
    People,
}

/// A request of the controllers.
#[derive(Debug, Clone, Copy)]
pub(super) struct SentRequest<'a> {
    /// The plan that it belongs to.
    pub(super) flight: &'a Flight,
    /// The request.
    pub(super) request: &'a Request,
    /// Whether it is answered.
    pub(super) answered: bool,
}

/// What plans are about: controller, kind, namespace and name.
pub(super) type Key = [Text; 4];

/// What a plan is about.
pub(super) fn key(plan: &Plan) -> Key {
    [&plan.controller, &plan.object.kind, &plan.object.namespace, &plan.object.name].map(Text::clone)
}

/// The newest versions that one key's plans wrote.
#[derive(Debug, Clone)]
pub(super) struct WrittenVersions {
    /// The UID of the CronJob or Job that it was about.
    pub(super) object: Text,
    /// By kind; 0 where they wrote none.
    pub(super) versions: [(Kind, u64); Kind::ALL.len()],
}

impl Ledger {
    /// The Job of this UID, if it ever was.
    pub(super) fn job(&self, uid: &str) -> Option<&JobRecord> {
        self.jobs.get(uid)
    }

    /// The pods of the Job of this UID, those that went or were taken from it included.
    pub(super) fn pods_of<'a>(&'a self, job: &str) -> impl Iterator<Item = &'a PodRecord> {
        self.pods.values().filter(move |pod| *pod.job == *job)
    }

    /// The Jobs that the CronJob of this UID had when they were created.
    pub(super) fn jobs_of<'a>(&'a self, cron_job: &str) -> impl Iterator<Item = &'a JobRecord> {
        self.jobs.values().filter(move |job| job.cron_job.as_deref() == Some(cron_job))
    }

    /// Records a write.
    pub(super) fn record(&mut self, write: &Write, by: Author<'_>, now: Timestamp) {
        match write.after.kind() {
            Kind::CronJob => self.record_cron_job(write),
            Kind::Job => self.record_job(write, by, now),
            Kind::Pod => self.record_pod(write, by, now),
        }
    }

    fn record_cron_job(&mut self, write: &Write) {
        let after = || Arc::clone(&write.after);
        let record = self.cron_jobs.entry(write.after.metadata().uid.clone()).or_insert_with(|| CronJobRecord::new(after()));
        record.change(after());
    }

    fn record_job(&mut self, write: &Write, by: Author<'_>, now: Timestamp) {
        let uid = &write.after.metadata().uid;
        for (listed, _) in write.after.job().into_iter().flat_map(|job| listed(&job.status)) {
            if let Some(pod) = self.pods.get_mut(listed) {
                pod.settled.get_or_insert(self.step);
            }
        }
        let by_controllers = matches!(by, Author::Controllers(_));
        if let Some(job) = self.jobs.get_mut(uid) {
            job.change(Arc::clone(&write.after), write.gone, by_controllers, now);
        } else {
            self.jobs.insert(uid.clone(), JobRecord::new(Arc::clone(&write.after), by_controllers));
        }
    }

    fn record_pod(&mut self, write: &Write, by: Author<'_>, now: Timestamp) {
        let after = &write.after;
        let uid = &after.metadata().uid;
        let birth = match by {
            Author::Controllers(SentRequest { flight, answered, .. }) => Some(Birth { planned_at: flight.planned.at, answered }),
            Author::Nodes | Author::People => None,
        };
        let pod = self.pods.entry(uid.clone()).or_insert_with(|| PodRecord::new(Arc::clone(after), birth));
        // One that goes while it holds the finalizer was stripped of it.
        let changed = |before: &Stored| differs(before, after) || write.gone && before.metadata().has_finalizer(names::JOB_TRACKING);
        pod.touched |= matches!(by, Author::People) && write.before.as_deref().is_some_and(changed);
        if matches!(by, Author::Controllers(sent) if sent.is_about(after, Method::Delete)) {
            pod.deleted_by_controllers.get_or_insert(now);
        }
        pod.foreign &= after.metadata().controller().is_some_and(|owner| &*owner.kind != Kind::Job.name());
        pod.change(after, write.gone);
        pod.indexes.extend(pod.index());
        let owner = after.metadata().controller().filter(|owner| &*owner.kind == Kind::Job.name());
        let before = write.before.as_deref().and_then(|before| before.metadata().controller());
        let parted = after.metadata().deleting() && owner.is_none_or(|owner| owner.uid != pod.job);
        if let Some(job) = self.jobs.get_mut(&pod.job).filter(|_| parted) {
            job.bereft = true;
        }
        let adopted = owner.is_some_and(|owner| before.is_none_or(|before| before.uid != owner.uid));
        if let Some(owner) = owner.filter(|_| adopted) {
            pod.job = owner.uid.clone();
        }
        if !pod.tracked() {
            pod.settled.get_or_insert(self.step);
        }
        if let Some(job) = self.jobs.get_mut(&pod.job) {
            job.disturbed |= pod.touched;
            if adopted {
                // It may be counted once for each stay with a Job (J-63, J-66).
                job.listed.remove(uid);
            }
        }
        pod.countable |= pod.tracked() && (pod.ended() || pod.metadata().deleting());
    }

    /// A watch showed the manager an object, or, if it went, its last state.
    pub(super) fn show(&mut self, object: &Arc<Stored>, gone: bool, now: Timestamp) {
        self.note_timing(object, now);
        let news = self.is_news(object);
        self.view.show(object, gone, news, self.step);
    }

    /// The manager was shown a complete list of a kind, true up to this version.
    pub(super) fn list<'a>(&mut self, kind: Kind, objects: impl Iterator<Item = &'a Arc<Stored>>, version: u64, now: Timestamp) {
        self.view.list(kind, version, self.step);
        for object in objects {
            self.note_timing(object, now);
            let news = self.is_news(object);
            self.view.record(object, false, news, self.step);
        }
    }

    fn note_timing(&mut self, object: &Stored, now: Timestamp) {
        let record = self.cron_jobs.get_mut(&object.metadata().uid);
        if let (Some(record), Some(cron_job)) = (record, object.cron_job()) {
            record.show(cron_job, now);
        }
    }

    /// Whether this is a pod that ended and waits to be counted.
    fn is_news(&self, object: &Stored) -> bool {
        let metadata = object.metadata();
        object.pod().is_some_and(cluster::pod::StoredPod::ended)
            && metadata.has_finalizer(names::JOB_TRACKING)
            && !self.jobs.values().any(|job| job.listed.contains(&metadata.uid))
    }

    /// The manager lost its memory.
    pub(super) fn lose(&mut self) {
        self.view = ManagerView::default();
        self.written.clear();
        self.cron_jobs.values_mut().for_each(|record| record.reported = None);
        self.refusals = Refusals::default();
    }

    /// The manager made a plan.
    pub(super) fn planned(&mut self, plan: &Plan, now: Timestamp) {
        let refused = self.refusals.of(&key(plan));
        let news = refused.is_some_and(|refused| self.view.has_news(&plan.object.name, refused.made));
        self.refusals.planned(plan, news, now, self.step);
    }

    /// The manager gets the outcomes of a plan.
    pub(super) fn report(&mut self, object: Option<&Stored>, executed: &Executed, settings: &Settings, now: Timestamp) {
        let Executed { plan, outcomes } = executed;
        let mut versions = Kind::ALL.map(|kind| (kind, 0));
        for (command, outcome) in plan.commands().zip(outcomes) {
            let Some(target) = Target::read(&command.request.path) else { continue };
            if target.kind == Kind::CronJob
                && let Some(record) = object.and_then(|object| self.cron_jobs.get_mut(&object.metadata().uid))
            {
                // A status that was refused is decided once more, by what the cluster stores (C-29).
                record.reported = None;
            }
            let Outcome::Done(written) = outcome else { continue };
            let Ok(version) = written.resource_version.parse::<u64>() else { continue };
            if command.request.method != Method::Get {
                versions.iter_mut().filter(|(kind, _)| *kind == target.kind).for_each(|(_, newest)| *newest = version.max(*newest));
            }
            let job = self.jobs.get(&*written.uid).filter(|_| command.request.method == Method::Post);
            if let Some(record) = job.and_then(|job| self.cron_jobs.get_mut(job.cron_job.as_ref()?)) {
                record.reported = job.and_then(|job| job.run).max(record.reported);
            }
        }
        let object = object.map(|object| object.metadata().uid.clone()).unwrap_or_default();
        self.written.insert(key(plan), WrittenVersions { object: object.clone(), versions });
        self.refusals.report(object, executed, settings, now);
    }

    /// What the manager knows of past failures may not hold them (J-93): a status write of the Job was not answered.
    pub(super) fn forget(&mut self, name: &str) {
        let step = self.step;
        self.jobs.values_mut().filter(|job| *job.job().metadata.name == *name).for_each(|job| job.forgotten = step);
    }
}

impl SentRequest<'_> {
    /// Whether the request has this method and is about this object.
    pub(super) fn is_about(&self, object: &Stored, method: Method) -> bool {
        let target = Target::read(&self.request.path);
        self.request.method == method
            && target.is_some_and(|target| target.kind == object.kind() && *target.name == *object.metadata().name)
    }

    /// The Job that the plan is about, as the manager had been shown it.
    pub(super) fn job(&self) -> Option<&Job> {
        self.flight.object.as_ref().and_then(|job| job.job())
    }

    /// The CronJob that the plan is about, as the manager had been shown it.
    pub(super) fn cron_job(&self) -> Option<&CronJob> {
        self.flight.object.as_ref().and_then(|cron_job| cron_job.cron_job())
    }

    /// The name of the controller that sent it.
    pub(super) fn controller(&self) -> &str {
        &self.flight.execution.plan().controller
    }
}

/// Whether a pod differs in what decides whose it is, what it counts as, and whether it is counted.
fn differs(before: &Stored, after: &Stored) -> bool {
    let parts = |object: &Stored| {
        let metadata = object.metadata();
        (
            metadata.labels.clone(),
            metadata.annotations.clone(),
            metadata.owner_references.clone(),
            metadata.has_finalizer(names::JOB_TRACKING),
        )
    };
    parts(before) != parts(after)
}
