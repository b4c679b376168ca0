//! `jobsmith wait`: until Jobs have finished, either way, or one of them has been stuck for too long.
//!
//! Docs: Jobs, "Terminal Job conditions". Which Jobs are meant is read in `target.rs`; what is known of them while they are waited for is in `awaited.rs`.

mod awaited;

use std::time::Duration;

use api::{Job, Kind, Object, Timestamp};
use clap::ArgGroup;
use host_cluster::cluster::reflector::{Reflector, Update};
use host_cluster::cluster::{Failure, Scope};
use host_cluster::explainers::Explainers;
use host_embed::Component;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::{Instant, sleep_until, timeout_at};

use self::awaited::AwaitedJob;
use super::target::{self, ClusterNamespace, ObjectTarget, TargetWord};
use super::warnings::WarningEvents;
use crate::{CommandEnd, output};

/// How many updates may wait to be handled.
const WAITING: usize = 64;
/// For how long further changes are gathered before it is looked again at what Jobs are stuck on.
const GATHERED: Duration = Duration::from_millis(500);
/// How long after that it is looked again although nothing changed: some obstacles come with time alone.
const GLANCE: Duration = Duration::from_secs(5);
/// How long Events are not read again if nothing changes.
const EVENTS: Duration = Duration::from_secs(60);

/// The arguments of `jobsmith wait`.
#[derive(clap::Args)]
#[command(after_help = EXIT_STATUS, group(ArgGroup::new("jobs").required(true)))]
pub(crate) struct Arguments {
    /// The Jobs: `job/NAME`, or just their names
    #[arg(value_name = "job/NAME", value_parser = finishing, group = "jobs")]
    words: Vec<TargetWord>,

    /// All Jobs that exist now and have these labels, for example `app=etl`
    #[arg(short = 'l', long, value_name = "LABELS", group = "jobs")]
    selector: Option<String>,

    #[command(flatten)]
    patience: Patience,

    #[command(flatten)]
    place: target::Arguments,
}

/// How long is waited.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct Patience {
    /// Give up after this time, for example `90s` or `2h` [default: never]
    #[arg(long, value_name = "DURATION", value_parser = super::duration)]
    timeout: Option<Duration>,

    /// Give up once a Job has been stuck for this long, for example `10m` [default: never]
    #[arg(long, value_name = "DURATION", value_parser = super::duration)]
    fail_if_stuck: Option<Duration>,
}

const EXIT_STATUS: &str = "\
While it waits, it prints how each Job ended as soon as it has, and what a Job is stuck on, once. --fail-if-stuck counts from when the Job got stuck,
which may be before the command started. A container that keeps running after all others of its pod have ended, such as a sidecar that is a regular
container, counts as stuck after a minute.

Permissions in the namespace: get, list and watch jobs. Optional: list and watch pods and list events, without which it does not say what a Job is
stuck on.

Exit status:
  0  all Jobs are Complete
  1  a Job is Failed, or was deleted
  2  a Job does not exist, or the cluster cannot be reached
  3  the timeout passed before all Jobs finished, and none is Failed
  4  a Job was stuck for as long as --fail-if-stuck allows, and none is Failed

Examples:
  jobsmith wait job/pi
  jobsmith wait job/pi -n team-a --timeout 10m
  jobsmith wait job extract load --fail-if-stuck 10m
  jobsmith wait -l app=etl --timeout 2h";

/// Waits for the Jobs.
///
/// # Errors
/// If this machine has no room for what it takes.
pub(crate) fn run(arguments: &Arguments, component: &Component) -> anyhow::Result<CommandEnd> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let deadline = arguments.patience.deadline();
        let reading = async {
            let place = arguments.place.place().await?;
            let targets = arguments.targets(&place).await?;
            Some((place, targets))
        };
        Ok(match timeout_at(deadline, reading).await {
            Ok(Some((place, targets))) => until_finished(&place, &targets, arguments.patience, component).await,
            Ok(None) => CommandEnd::BadInput,
            Err(_) => {
                output::complain("no Job has finished: the cluster has not answered\n");
                CommandEnd::Unfinished
            }
        })
    })
}

impl Patience {
    fn deadline(&self) -> Instant {
        let never = || Instant::now() + Duration::from_secs(100 * 365 * 86400);
        self.timeout.and_then(|timeout| Instant::now().checked_add(timeout)).unwrap_or_else(never)
    }
}

impl Arguments {
    /// The Jobs to wait for; prints why if there are none.
    async fn targets(&self, place: &ClusterNamespace) -> Option<Vec<ObjectTarget>> {
        let Some(selector) = &self.selector else {
            return target::objects(&self.words, &[Kind::Job]).inspect_err(|reason| output::error(reason)).ok();
        };
        let listed = place.cluster.list(&Kind::Job.into(), &place.namespace, Some(selector)).await;
        let listed = listed.inspect_err(|failure| output::error(&format!("cannot list jobs: {failure}"))).ok()?;
        let jobs = listed.iter().filter_map(|text| Object::decode(Kind::Job, text).ok());
        let targets: Vec<ObjectTarget> = jobs.map(|job| ObjectTarget { kind: Kind::Job, name: job.metadata().name.to_string() }).collect();
        if targets.is_empty() {
            output::error(&format!("no Job in namespace {} has the labels {selector}", place.namespace));
            return None;
        }
        Some(targets)
    }
}

/// Waits until Jobs have finished, and prints how, and what they are stuck on.
pub(crate) async fn until_finished(
    place: &ClusterNamespace,
    targets: &[ObjectTarget],
    patience: Patience,
    component: &Component,
) -> CommandEnd {
    let deadline = patience.deadline();
    let mut jobs = Vec::new();
    for target in targets {
        let Some((job, _)) = place.object::<Job>(target).await else { return CommandEnd::BadInput };
        jobs.push(AwaitedJob::new(target.clone(), job));
    }
    let explainers = match Explainers::new(component, jobs.iter().map(|job| &job.job)) {
        Ok(explainers) => explainers,
        Err(reason) => {
            output::error(&reason);
            return CommandEnd::BadInput;
        }
    };
    let (sender, updates) = channel(WAITING);
    for kind in [Kind::Job, Kind::Pod] {
        let scope = Scope::of(vec![place.namespace.clone()]);
        tokio::spawn(Reflector::new(place.cluster.clone(), kind.into(), scope, sender.clone()).run());
    }
    let look_at = Instant::now() + GATHERED;
    let events = WarningEvents::default();
    let wait = Wait { place, jobs, explainers, updates, events, changed: true, podless: false, complaint: None, look_at };
    wait.run(deadline, patience.fail_if_stuck).await
}

/// Jobs that are waited for, and what the cluster shows.
struct Wait<'a> {
    place: &'a ClusterNamespace,
    jobs: Vec<AwaitedJob>,
    explainers: Explainers,
    updates: Receiver<Update>,
    events: WarningEvents,
    /// Whether something changed since Events were read.
    changed: bool,
    /// Whether pods cannot be read.
    podless: bool,
    /// What was printed of the watches last.
    complaint: Option<String>,
    /// When it is looked again at what the Jobs are stuck on.
    look_at: Instant,
}

impl Wait<'_> {
    async fn run(mut self, deadline: Instant, patience: Option<Duration>) -> CommandEnd {
        loop {
            if awaited::report_ended(&mut self.jobs) {
                return self.end(CommandEnd::Reached);
            }
            tokio::select! {
                update = self.updates.recv() => match update {
                    Some(update) => self.handle(update),
                    None => return CommandEnd::BadInput,
                },
                () = sleep_until(self.look_at) => {
                    if self.look(patience).await {
                        return self.end(CommandEnd::Stuck);
                    }
                }
                () = sleep_until(deadline) => {
                    self.unfinished().for_each(AwaitedJob::complain_of_time);
                    return self.end(CommandEnd::Unfinished);
                }
            }
        }
    }

    fn unfinished(&self) -> impl Iterator<Item = &AwaitedJob> {
        self.jobs.iter().filter(|job| job.end.is_none())
    }

    /// How the command ends: as its Jobs did, or as given if none of those that finished failed.
    fn end(&self, otherwise: CommandEnd) -> CommandEnd {
        self.jobs.iter().filter_map(|job| job.end).fold(CommandEnd::Reached, CommandEnd::or).or(otherwise)
    }

    fn handle(&mut self, update: Update) {
        match update {
            Update::Event(event) => {
                self.explainers.handle(&event, Timestamp::now());
                self.jobs.iter_mut().for_each(|job| job.handle(&event));
                self.changed = true;
                self.look_at = self.look_at.min(Instant::now() + GATHERED);
            }
            Update::Watching(_) => {}
            Update::Interrupted { resource, failure, .. } if *resource.kind == *Kind::Pod.name() && failure.forbidden() => {
                self.podless = true;
            }
            Update::Interrupted { failure, .. } => self.complain(&failure),
        }
    }

    /// Prints what is wrong, if that was not printed last.
    fn complain(&mut self, failure: &Failure) {
        let complaint = Some(failure.to_string());
        if complaint != self.complaint {
            output::complain(&format!("cannot read the cluster at the moment: {failure}; retrying\n"));
            self.complaint = complaint;
        }
    }

    /// Looks at what the Jobs are stuck on; returns whether one has been stuck for too long, and prints what is true of each then.
    async fn look(&mut self, patience: Option<Duration>) -> bool {
        self.look_at = Instant::now() + GLANCE;
        if self.podless {
            return false;
        }
        if self.changed || self.events.older_than(EVENTS) {
            self.changed = !self.events.read(self.place).await;
        }
        let now = Timestamp::now();
        for job in self.jobs.iter_mut().filter(|job| job.end.is_none()) {
            let Some(explanation) = self.explainers.explain(&job.job, &self.events.texts, now) else { continue };
            // What is new may have its reason in an Event.
            self.changed |= job.explained(explanation, now);
        }
        let Some(patience) = patience else { return false };
        let (stuck, others): (Vec<&AwaitedJob>, _) = self.unfinished().partition(|job| job.stuck_for(patience, now));
        if !stuck.is_empty() {
            others.into_iter().for_each(AwaitedJob::complain_of_time);
        }
        !stuck.is_empty()
    }
}

/// The Job in `job/NAME`, `job NAME` or `NAME`; a CronJob has no end to wait for.
fn finishing(text: &str) -> Result<TargetWord, String> {
    let word = target::job_word(text);
    let endless = match &word {
        Ok(word) => target::kind(word, &[Kind::CronJob]).is_some(),
        Err(_) => target::cron_job_word(text).is_ok(),
    };
    if endless { Err("a CronJob never finishes; wait for one of its Jobs: job/NAME".to_owned()) } else { word }
}
