//! What there is in the end, as kubectl prints it: tables, descriptions, objects; and why a Job has not finished.
//!
//! Docs: kubectl get; kubectl describe. The text is made in the crate `kubectl`; why a Job goes no further is found by the controllers (`play::obstacles`).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use api::{Duration, Job, Kind, Text, Timestamp, time};
use clap::ValueEnum;
use cluster::ApiServer;
use cluster::stored::Stored;
use contract::Obstacle;
use host_embed::events::EventLog;
use kubectl::Columns;
use past::{JobEnding, RecordedJob};
use play::trace::Clock;
use play::{FinishedJobs, job_name, obstacles};
use script::ObjectName;
use serde_json::{Value, json};
use story::runs::CronJobRuns;

use super::pod_decisions::DecidedPods;
use super::zone_clock::ZoneClock;
use super::{CommandEnd, output};

/// How what happens, and what there is in the end, is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// What happens, then how each Job ended
    Text,
    /// The same, with the tables of `kubectl get cronjobs,jobs,pods -o wide`
    Wide,
    /// The same, with the output of `kubectl get cronjobs,jobs,pods` and `kubectl describe`
    Describe,
    /// Only what containers print, each line behind its pod's name (`jobsmith run` only)
    Logs,
    /// Only the final objects, as `kubectl get cronjobs,jobs,pods -o yaml` prints them
    Yaml,
    /// What happens, one JSON object per line; its `type` is cronJob, job, pod, container, starts, action, sync, decision, request, event, difference, complaint or run (a run of a CronJob that is over, with its `result`). Last come lines of the type status, with the last status of each CronJob and Job; that of a Job of a CronJob comes when the Job is deleted
    Json,
}

impl OutputFormat {
    /// Whether it is text that people read as it comes.
    pub(crate) fn for_people(self) -> bool {
        matches!(self, Self::Text | Self::Wide | Self::Describe)
    }
}

/// How a command ends whose output has no reader: as by SIGPIPE.
pub(crate) const CLOSED: CommandEnd = CommandEnd::Interrupted(13);

/// How many pods the short table has at most: more of them than anybody reads are listed with `-o wide`.
const LISTED_PODS: usize = 20;

/// What there is in the end.
pub(crate) struct FinalState<'e> {
    cron_jobs: Vec<Arc<Stored>>,
    jobs: Vec<Arc<Stored>>,
    pods: Vec<Arc<Stored>>,
    /// The pods that are gone, and failed or were restarted.
    gone: Vec<Arc<Stored>>,
    /// Why Jobs have not finished, by their UIDs.
    obstacles: BTreeMap<Text, Vec<Obstacle>>,
    /// What was decided about failed pods.
    decided: DecidedPods,
    events: &'e EventLog,
    now: Timestamp,
    /// How many Jobs are left out, because nothing happened to them.
    left_out: usize,
}

impl<'e> FinalState<'e> {
    /// These CronJobs and Jobs, and the pods of a server.
    pub(crate) fn new<'s>(
        objects: impl Iterator<Item = &'s Arc<Stored>>,
        server: &ApiServer,
        events: &'e EventLog,
        now: Timestamp,
    ) -> Self {
        let (cron_jobs, jobs) = objects.cloned().partition(|stored| stored.kind() == Kind::CronJob);
        let pods = server.objects(Kind::Pod).cloned().collect();
        let (gone, obstacles, decided) = Default::default();
        Self { cron_jobs, jobs, pods, gone, obstacles, decided, events, now, left_out: 0 }
    }

    /// The same with what shows why Jobs failed, or have not finished: pods that are gone, what was decided about them, and what keeps Jobs, by their UIDs.
    pub(crate) fn because(self, finished: &FinishedJobs, decided: DecidedPods, obstacles: BTreeMap<Text, Vec<Obstacle>>) -> Self {
        Self { gone: finished.pods().cloned().collect(), obstacles, decided, ..self }
    }

    /// The same without Jobs that had finished before, and their pods, if there are others.
    pub(crate) fn without(mut self, settled: &BTreeSet<Text>) -> Self {
        let (before, rest): (Vec<_>, Vec<_>) = self.jobs.into_iter().partition(|job| settled.contains(&job.metadata().uid));
        if rest.is_empty() && self.cron_jobs.is_empty() {
            return Self { jobs: before, ..self };
        }
        self.pods.retain(|pod| !settled.contains(pod.metadata().controller_uid()));
        Self { jobs: rest, left_out: before.len(), ..self }
    }

    /// The text for this kind of output; an empty line comes first where something came before.
    pub(crate) fn text(&self, output: OutputFormat) -> String {
        match output {
            OutputFormat::Text | OutputFormat::Logs => String::new(),
            OutputFormat::Wide => format!("\n{}", self.tables(Columns::Wide)),
            OutputFormat::Describe => format!("\n{}{}", self.tables(Columns::Short), self.descriptions()),
            OutputFormat::Yaml => {
                manifest::write(&kubectl::list(self.cron_jobs.iter().chain(&self.jobs).chain(&self.pods).map(value).collect()))
            }
            OutputFormat::Json => {
                let lines = self.cron_jobs.iter().map(|cron_job| status_line("cronJob", &value(cron_job), json!({})));
                lines.chain(self.job_lines()).collect()
            }
        }
    }

    /// How the Jobs except these ended, or how they stand.
    pub(crate) fn endings(&self, except: &BTreeSet<Text>) -> Vec<(RecordedJob, JobEnding)> {
        let pods = self.pods.iter().filter(|pod| play::failed_or_restarted(pod));
        let jobs = self.jobs.iter().filter(|job| !except.contains(&job.metadata().uid));
        let evidence: Vec<Text> = jobs.chain(pods).chain(&self.gone).map(|stored| stored.json()).collect();
        endings(&evidence, &self.decided)
    }

    /// A line of JSON for each Job: its status, with how it ended and why, or what keeps it from finishing.
    fn job_lines(&self) -> Vec<String> {
        let endings = self.endings(&BTreeSet::new());
        let endings: BTreeMap<&Text, &JobEnding> = endings.iter().map(|(record, ending)| (&record.job.metadata.uid, ending)).collect();
        let line = |job: &Arc<Stored>| {
            let uid = &job.metadata().uid;
            let ending = endings.get(uid).filter(|ending| ending.finished()).map(|ending| json!({"ending": ending}));
            let obstacles = self.obstacles.get(uid).map(|obstacles| json!({"obstacles": obstacles}));
            status_line("job", &value(job), ending.or(obstacles).unwrap_or_else(|| json!({})))
        };
        self.jobs.iter().map(line).collect()
    }

    fn tables(&self, columns: Columns) -> String {
        let listed = columns == Columns::Wide || self.pods.len() <= LISTED_PODS;
        let [cron_jobs, jobs] = [&self.cron_jobs, &self.jobs].map(|objects| objects.iter().map(value).collect::<Vec<_>>());
        let pods: Vec<Value> = self.pods.iter().filter(|_| listed).map(value).collect();
        let tables = kubectl::get_with_cron_jobs(&cron_jobs, &jobs, &pods, columns, self.now);
        let tables = if listed { tables } else { format!("{tables}\n{} pods: -o wide lists them\n", self.pods.len()) };
        match self.left_out {
            0 => tables,
            1 => format!("{tables}\n1 more Job had finished before: -o wide lists it\n"),
            left_out => format!("{tables}\n{left_out} more Jobs had finished before: -o wide lists them\n"),
        }
    }

    /// The descriptions of the CronJobs and of the Jobs.
    fn descriptions(&self) -> String {
        let cron_jobs = self.cron_jobs.iter().map(|cron_job| self.description(cron_job, kubectl::describe_cron_job));
        cron_jobs.chain(self.jobs.iter().map(|job| self.description(job, kubectl::describe_job))).collect()
    }

    fn description(&self, stored: &Arc<Stored>, describe: impl Fn(&Value, &[Value], Timestamp) -> String) -> String {
        let uid = &stored.metadata().uid;
        let described = describe(&value(stored), self.events.about(uid), self.now);
        match self.events.dropped(uid) {
            0 => format!("\n{described}"),
            dropped => format!("\n{described}\n{dropped} more Events were dropped, as on a cluster; --why shows all of them\n"),
        }
    }
}

fn value(stored: &Arc<Stored>) -> Value {
    serde_json::from_str(&stored.json()).expect("the server stores JSON")
}

/// The name and status of a CronJob or a Job and `more`, as a line of JSON; the name is in the field of its `kind`.
fn status_line(kind: &str, object: &Value, mut more: Value) -> String {
    let metadata = &object["metadata"];
    let line = json!({"type": "status", kind: metadata["name"], "namespace": metadata["namespace"], "status": object["status"]});
    line.as_object().into_iter().flatten().for_each(|(field, value)| more[field] = value.clone());
    format!("{more}\n")
}

/// How Jobs ended by what is left of them and their pods, as JSON.
fn endings(evidence: &[Text], decided: &DecidedPods) -> Vec<(RecordedJob, JobEnding)> {
    let ending = |record: RecordedJob| {
        let ending = JobEnding::of(&record, |pod| decided.about(&record.job.metadata.namespace, pod));
        (record, ending)
    };
    RecordedJob::all(evidence).into_iter().map(ending).collect()
}

/// The last status of those Jobs of CronJobs that are gone, of objects as they were written, each with whether it is gone: a line of JSON each.
pub(crate) fn gone_runs<'a>(written: impl Iterator<Item = (&'a Arc<Stored>, bool)>, server: &ApiServer, decided: &DecidedPods) -> String {
    let gone: Vec<&Arc<Stored>> = written.filter(|(_, gone)| *gone).map(|(stored, _)| stored).collect();
    let line = |job: &&Arc<Stored>| {
        // Some of its pods may have gone with it.
        let pods = server.objects(Kind::Pod).chain(gone.iter().copied());
        let pods = pods.filter(|pod| pod.metadata().controller_uid() == &*job.metadata().uid);
        let evidence: Vec<Text> = [*job].into_iter().chain(pods).map(|stored| stored.json()).collect();
        let finished = endings(&evidence, decided).into_iter().map(|(_, ending)| ending).find(JobEnding::finished);
        status_line("job", &value(job), finished.map_or_else(|| json!({}), |ending| json!({"ending": ending})))
    };
    let controlled = |stored: &&&Arc<Stored>| stored.job().is_some_and(|job| job.metadata.controller().is_some());
    gone.iter().filter(controlled).map(line).collect()
}

/// What happens to finished Jobs whose TTL has not expired yet; `None` if there are none.
pub(crate) fn unexpired<'a>(mut jobs: impl Iterator<Item = &'a Job>) -> Option<&'static str> {
    jobs.any(|job| job.finished() && job.spec.ttl_seconds_after_finished.is_some())
        .then_some("note: the run ends before ttlSecondsAfterFinished expires; on a cluster, the Job would be deleted then\n")
}

/// That a Job whose description was printed no longer exists.
pub(crate) fn deleted<'n>(job: &Stored, namespaces: impl Iterator<Item = &'n Text>) -> String {
    format!("note: job {} was deleted after it had finished; it is shown as it was before\n", job_name(job.metadata(), namespaces))
}

/// That Jobs were deleted before they had finished, a line each; `namespaces` are those of the others.
pub(crate) fn deleted_unfinished<'n>(jobs: &'n FinishedJobs, namespaces: impl Iterator<Item = &'n Text>) -> String {
    let deleted = || jobs.unfinished().iter().map(|job| job.metadata());
    let namespaces: BTreeSet<&Text> = namespaces.chain(deleted().map(|job| &job.namespace)).collect();
    deleted().map(|job| format!("job {} did not finish: it was deleted\n", job_name(job, namespaces.iter().copied()))).collect()
}

/// Why a CronJob that is there starts no more Jobs, on a line; `option` is the one that takes actions.
pub(crate) fn starts_nothing(name: &ObjectName, runs: &CronJobRuns, option: &str) -> String {
    let why = runs.blocked().unwrap_or_else(|| "nothing is left to wait for".to_owned());
    let remedy =
        if runs.cron_job.suspended() { format!("; resume it with {option} 'at 5s: resume cronjob {name}'") } else { String::new() };
    format!("cronjob {name}: {why}{remedy}\n")
}

/// How a command ends whose output is no longer read; `None` as long as it is.
pub(crate) fn cut_short() -> Option<CommandEnd> {
    let end = || if output::lost() { CommandEnd::Failed } else { CLOSED };
    output::reader_gone().then(end)
}

/// How times of a play are shown: from its beginning `start` on, how long after that; before, by the clock on the wall.
pub(crate) fn play_time(start: Timestamp, wall: ZoneClock) -> impl Fn(Timestamp) -> String {
    // Times in objects are whole seconds, so they are counted from a whole second: what happened in the first one did not happen before the beginning.
    let clock = Clock { start: time::whole_seconds(start) };
    move |at| match at.as_second().cmp(&start.as_second()) {
        Ordering::Less => wall.moment(at),
        Ordering::Equal => clock.time(clock.start),
        Ordering::Greater => clock.time(at),
    }
}

/// Why a Job will not finish, on a line, where nothing is due any more; `of` is the Job in the script language if that needs it, `option` the one that takes
/// actions, and `elapsed` for how long it has been played.
pub(crate) fn unfinished(
    name: &ObjectName,
    obstacles: &[Obstacle],
    of: &str,
    option: &str,
    time: impl Fn(Timestamp) -> String,
    elapsed: Duration,
) -> String {
    let Some(reason) = obstacles::reason(obstacles, true, time) else {
        return format!("job {name} will not finish, and there is nothing left to wait for: see --why\n");
    };
    match obstacles::action(obstacles, of) {
        Some((what, action)) => {
            let second = (elapsed.as_secs() / 5 + 1) * 5;
            format!("job {name} will not finish: {reason}; {what} with {option} 'at {second}s: {action}'\n")
        }
        None => {
            let change = obstacles::change(obstacles).map(|change| format!("; {change}")).unwrap_or_default();
            format!("job {name} will not finish: {reason}{change}\n")
        }
    }
}
