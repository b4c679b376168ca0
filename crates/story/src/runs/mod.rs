//! The runs of CronJobs: which were scheduled, started and skipped, why, and how they ended.
//!
//! Docs: CronJob; `jobsmith simulate --help`. They are read from what is written and decided, in `cron_job.rs`; what they are called, in `words.rs`.

mod coming;
mod cron_job;
mod history;
mod log;
mod recorded;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Job, Kind, ObjectMeta, Text, Timestamp};
use cluster::stored::{Stored, StoredObject};
use contract::Obstacle;
use play::obstacles;
use play::trace::{Entry, Subject, What};
use schedule::{MetClockChange, Zone};
use script::ObjectName;

use crate::timetable::local_time;

pub use self::cron_job::CronJobRuns;
pub use self::history::{Group, Holdup, Manner, PastRun, RunHistory, RunResult, StartedJob, Totals};
pub use self::log::{RunChange, RunCounts};
pub use self::words::{grouped, span};

/// Namespace and name of a CronJob.
pub type CronJobName = (Text, Text);

/// The runs of all CronJobs that were seen.
pub struct Runs {
    /// The zone of schedules that name none.
    zone: Zone,
    cron_jobs: BTreeMap<CronJobName, CronJobRuns>,
}

impl Runs {
    /// No runs yet; a CronJob without a time zone is in this one.
    pub fn new(zone: Zone) -> Self {
        Self { zone, cron_jobs: BTreeMap::new() }
    }

    /// Records what happened at a time, and the objects that were written, each with whether it was removed; returns the runs that are over.
    pub fn observe<'a, 'e>(
        &mut self,
        entries: impl Iterator<Item = &'e Entry>,
        written: impl Iterator<Item = (&'a Arc<Stored>, bool)>,
        now: Timestamp,
    ) -> Vec<(CronJobName, PastRun)> {
        for runs in self.cron_jobs.values_mut() {
            runs.log.take();
            runs.pass(now);
        }
        // What is decided when a CronJob appears is about one that is known.
        let (cron_jobs, others): (Vec<_>, Vec<_>) = written.partition(|(object, _)| object.cron_job().is_some());
        cron_jobs.into_iter().for_each(|(object, gone)| self.write(object, gone, now));
        for entry in entries {
            if let What::Decision { about, decision, .. } = &entry.what
                && *about.kind == *Kind::CronJob.name()
                && let Some(runs) = self.cron_jobs.get_mut(&(about.namespace.clone(), about.name.clone()))
            {
                runs.decide(decision);
            }
        }
        others.into_iter().for_each(|(object, gone)| self.write(object, gone, now));
        self.cron_jobs.values_mut().for_each(CronJobRuns::pass_over);
        self.close(CronJobRuns::close)
    }

    /// What changed in the last moment that was observed, in order for each CronJob.
    pub fn changes(&mut self) -> impl Iterator<Item = (&CronJobName, RunChange)> {
        self.cron_jobs.iter_mut().flat_map(|(name, runs)| runs.log.take().into_iter().map(move |change| (name, change)))
    }

    /// Records what keeps the Job of a run from finishing. Where nothing is due any more (`still`), that is also what would pass by itself.
    pub fn keep(&mut self, job: &Job, obstacles: &[Obstacle], still: bool) {
        let Some(runs) = owner_of(&job.metadata).and_then(|name| self.cron_jobs.get_mut(&name)) else { return };
        let zone = runs.timetable().map_or_else(Zone::utc, |timetable| timetable.zone().clone());
        if let Some(reason) = obstacles::reason(obstacles, still, |at| local_time(at, &zone)) {
            runs.keep(job, &reason);
        }
    }

    /// Nothing more happens; returns the runs that are left.
    pub fn finish(&mut self, now: Timestamp) -> Vec<(CronJobName, PastRun)> {
        self.close(|runs| runs.finish(now))
    }

    fn close(&mut self, close: impl Fn(&mut CronJobRuns) -> Vec<PastRun>) -> Vec<(CronJobName, PastRun)> {
        let close =
            |(name, runs): (&CronJobName, &mut CronJobRuns)| close(runs).into_iter().map(|run| (name.clone(), run)).collect::<Vec<_>>();
        self.cron_jobs.iter_mut().flat_map(close).collect()
    }

    fn write(&mut self, object: &Stored, gone: bool, now: Timestamp) {
        let metadata = object.metadata();
        match object.object() {
            StoredObject::CronJob(cron_job) => {
                let name = (metadata.namespace.clone(), metadata.name.clone());
                let runs = self.cron_jobs.entry(name).or_insert_with(|| CronJobRuns::new(cron_job, &self.zone, now));
                runs.write(cron_job, gone, &self.zone, now);
            }
            StoredObject::Job(job) => {
                let Some(name) = owner_of(metadata) else { return };
                if let Some(runs) = self.cron_jobs.get_mut(&name) {
                    runs.write_job(job, gone, now);
                }
            }
            StoredObject::Pod(_) => {
                let Some(job) = metadata.controller().filter(|owner| *owner.kind == *Kind::Job.name()) else { return };
                let own = self.cron_jobs.iter_mut().filter(|((namespace, _), _)| *namespace == metadata.namespace);
                own.for_each(|(_, runs)| runs.write_pod(&job.name, &metadata.name, gone, now));
            }
        }
    }

    /// The clock changes after one time and up to another that CronJobs meet which start Jobs.
    pub fn clock_changes(&self, after: Timestamp, until: Timestamp) -> impl Iterator<Item = (&CronJobName, MetClockChange)> {
        let met = move |runs: &CronJobRuns| runs.timetable().map_or_else(Vec::new, |timetable| timetable.clock_changes(after, until));
        let active = self.cron_jobs.iter().filter(|(_, runs)| runs.next().is_some());
        active.flat_map(move |(name, runs)| met(runs).into_iter().map(move |change| (name, change)))
    }

    /// The CronJobs with their runs, by namespace and name.
    pub fn all(&self) -> impl Iterator<Item = (&CronJobName, &CronJobRuns)> {
        self.cron_jobs.iter()
    }

    /// The name of a CronJob in messages and in scripts: with its namespace if there are several.
    pub fn name(&self, (namespace, name): &CronJobName) -> ObjectName {
        ObjectName::among(namespace, name, self.cron_jobs.keys().map(|(namespace, _)| namespace))
    }

    /// When each CronJob runs next, a sentence each.
    pub fn next_runs(&self, now: Timestamp) -> impl Iterator<Item = String> {
        self.all().filter_map(move |(name, runs)| {
            let name = self.name(name);
            let (next, timetable) = (runs.next()?, runs.timetable()?);
            let at = local_time(next, timetable.zone());
            Some(format!("cronjob {name}: the next run is at {at}, in {}", span(next.duration_since(now))))
        })
    }

    /// What people should know of the schedules before they wait for them.
    pub fn notes(&self) -> String {
        let note = |(name, runs): (&CronJobName, &CronJobRuns)| {
            let name = self.name(name);
            let delay = runs.timetable()?.within_a_minute()?;
            Some(format!(
                "note: cronjob {name} is due every {}, but the names of its Jobs only distinguish minutes: while the Job of an earlier run in the same minute exists, no other Job is started\n",
                span(delay)
            ))
        };
        self.all().filter_map(note).collect()
    }

    /// Whether an object belongs to the runs of a CronJob: the CronJob itself, a Job of its, or a pod of one.
    pub fn cover(&self, object: Subject<'_>) -> bool {
        let Subject { kind, namespace, name } = object;
        self.all().filter(|((own, _), _)| own == namespace).any(|((_, own), runs)| match Kind::of(kind) {
            Some(Kind::CronJob) => own == name,
            Some(Kind::Job) => runs.has_job(name),
            Some(Kind::Pod) => runs.has_pod(name),
            None => false,
        })
    }

    /// Whether a run failed.
    pub fn failed(&self) -> bool {
        self.cron_jobs.values().any(|runs| runs.failed() > 0)
    }
}

/// The CronJob that controls a Job, if one does.
pub fn owner_of(metadata: &ObjectMeta) -> Option<CronJobName> {
    let owner = metadata.controller().filter(|owner| *owner.kind == *Kind::CronJob.name())?;
    Some((metadata.namespace.clone(), owner.name.clone()))
}
