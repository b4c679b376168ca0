//! The answer to `advance`: the time, all CronJobs, Jobs and pods in short, and what was written since the last one.
//!
//! Docs: `upstream/cmd/oracle/session.go`, the comment at its head. How time passes is in `lib.rs`.

use std::collections::BTreeMap;

use api::meta::names;
use api::{CronJobStatus, JobStatus, Kind, Text, Timestamp};
use cluster::stored::Stored;
use contract::Manager;
use serde::Serialize;

use super::Session;

#[derive(Serialize)]
struct StateLine<'a> {
    state: SessionState<'a>,
}

#[derive(Serialize)]
struct SessionState<'a> {
    now: Timestamp,
    jobs: BTreeMap<&'a str, JobSummary<'a>>,
    cronjobs: BTreeMap<&'a str, CronJobSummary<'a>>,
    /// Lists that are empty are `null`, here and below.
    pods: Option<Vec<PodSummary<'a>>>,
    writes: Option<Vec<String>>,
    events: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck: Option<&'static str>,
}

#[derive(Serialize)]
struct CronJobSummary<'a> {
    status: &'a CronJobStatus,
}

#[derive(Serialize)]
struct JobSummary<'a> {
    deleting: bool,
    status: &'a JobStatus,
    suspend: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PodSummary<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    owner: &'a str,
    phase: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    deleting: bool,
    #[serde(skip_serializing_if = "<[Text]>::is_empty")]
    finalizers: &'a [Text],
    #[serde(skip_serializing_if = "str::is_empty")]
    index: &'a str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    failure_counts: BTreeMap<&'a str, &'a str>,
}

impl<M: Manager> Session<M> {
    /// The state as a line of JSON; what was noted since the last one is in it once.
    pub(super) fn state(&mut self) -> String {
        let (writes, events) = (std::mem::take(&mut self.writes), std::mem::take(&mut self.events));
        let cron_jobs = self.world.server.objects(Kind::CronJob).map(|stored| (&*stored.metadata().name, cron_job_state(stored)));
        let jobs = self.world.server.objects(Kind::Job).map(|stored| (&*stored.metadata().name, job_state(stored)));
        let mut pods: Vec<PodSummary<'_>> = self.world.server.objects(Kind::Pod).map(|stored| pod_state(stored)).collect();
        pods.sort_by_key(|pod| pod.name);
        let state = SessionState {
            now: self.now,
            jobs: jobs.collect(),
            cronjobs: cron_jobs.collect(),
            pods: some(pods),
            writes: some(writes),
            events: some(events),
            stuck: self.stuck.then_some("the controllers never fall quiet"),
        };
        serde_json::to_string(&StateLine { state }).expect("a state has text keys only")
    }
}

fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

fn cron_job_state(stored: &Stored) -> CronJobSummary<'_> {
    CronJobSummary { status: &stored.cron_job().expect("a list of CronJobs holds CronJobs").status }
}

fn job_state(stored: &Stored) -> JobSummary<'_> {
    let job = stored.job().expect("a list of Jobs holds Jobs");
    JobSummary { deleting: job.metadata.deleting(), status: &job.status, suspend: job.suspended() }
}

fn pod_state(stored: &Stored) -> PodSummary<'_> {
    let pod = stored.pod().expect("a list of pods holds pods");
    let metadata = &pod.metadata;
    let annotation = |name: &'static str| metadata.annotations.get(name).map(|value| (name, &**value));
    let counts = [names::INDEX_FAILURE_COUNT, names::INDEX_IGNORED_FAILURE_COUNT];
    PodSummary {
        name: &metadata.name,
        owner: metadata.controller().map_or("", |owner| &owner.name),
        phase: pod.status.phase(),
        deleting: metadata.deleting(),
        finalizers: &metadata.finalizers,
        index: annotation(names::COMPLETION_INDEX).map_or("", |(_, index)| index),
        failure_counts: counts.into_iter().filter_map(annotation).collect(),
    }
}
