//! `jobsmith explain`: what a CronJob or Job on a cluster is stuck on, what the controllers decide about it at this moment and why, and what follows if
//! nothing changes; or what all of a namespace are stuck on.
//!
//! Docs: Jobs; CronJob. The component explains through `host_cluster::explain`, which object is meant is read in `target.rs`; for people, the
//! explanation is written in `text.rs`; of all objects there is a line each, in `overview.rs`.

mod overview;
mod text;

use std::time::Duration;

use api::{Job, Kind, Object, Text, Timestamp, WarningEvent};
use contract::decision::Sentence;
use contract::{Explanation, Forecast};
use host_cluster::explain::Explained;
use host_embed::Guest;
use past::ReadAt;
use serde_json::{Value, json};
use tokio::time::timeout;

pub(super) use self::text::clock;
use self::text::{WrittenAnswer, failure, text};
use super::target::{self, Found, ObjectTarget, TargetWord};
use super::warnings::{self, WarningEvents};
use crate::history::HistoryOptions;
use crate::output::{self, Format};
use crate::{CommandEnd, configuration, ending};

/// For how long further changes are gathered before it is explained again.
const GATHERED: Duration = Duration::from_millis(200);
/// How long after an explanation it is explained again although nothing changed: some obstacles come with time alone.
const GLANCE: Duration = Duration::from_secs(10);

/// The arguments of `jobsmith explain`.
#[derive(clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The Job or CronJob; a bare NAME means a Job [default: all Jobs and CronJobs of the namespace, a line each]
    #[arg(value_name = "job/NAME|cronjob/NAME", value_parser = target::job_or_cron_job_word, num_args = 0..=2)]
    words: Vec<TargetWord>,

    /// Explain again whenever the Job or its pods change, until the Job has finished; for a CronJob, whenever it or its Jobs change
    #[arg(short, long)]
    watch: bool,

    /// Only Jobs and CronJobs with these labels, for example `app=etl`
    #[arg(short = 'l', long, value_name = "LABELS")]
    selector: Option<String>,

    /// The Jobs and CronJobs of all namespaces
    #[arg(short = 'A', long, conflicts_with = "namespace")]
    all_namespaces: bool,

    /// Show what happened to the Job so far, from what is left of it: every decision with its reason, by the clock
    #[arg(long, conflicts_with_all = ["watch", "selector", "all_namespaces", "as_if_built_in"])]
    history: bool,

    /// For a Job that another controller manages: show what Kubernetes' Job controller would decide in its place
    #[arg(long)]
    as_if_built_in: bool,

    /// The output format
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "text")]
    output: Format,

    #[command(flatten)]
    fallbacks: configuration::Fallbacks,

    #[command(flatten)]
    place: target::Arguments,
}

/// One object, although its name may be two words.
pub(super) const USAGE: &str = "jobsmith explain [OPTIONS] [job/NAME|cronjob/NAME]";

pub(super) const EXAMPLES: &str = "\
The answer comes first: how the Job ended, what it is stuck on, or what it waits for, and what helps. Then come the newest Events of type
Warning about it and its pods, and what the controllers decide. It reads the cluster and writes nothing. It also explains what Kubernetes'
built-in controllers do: the decisions are those of Kubernetes v1.37. It does not know what other controllers, such as Kueue, decide.

For a CronJob, it shows what happened at each of its last scheduled times, if the cluster still has a record of it.

  jobsmith explain                             all Jobs and CronJobs of the namespace, the stuck ones first
  jobsmith explain -A -l app=etl
  jobsmith explain cronjobs
  jobsmith explain job/pi
  jobsmith explain job pi -n team-a --watch
  jobsmith explain job/pi --history
  jobsmith explain job/pi -o json
  jobsmith explain cronjob/nightly
  jobsmith explain cronjob/nightly --time-zone Europe/Paris    if that is the time zone of the kube-controller-manager

Permissions in the namespace: get, list and watch jobs and pods; for a CronJob, get, list and watch cronjobs and jobs. Optional: list events, to show
warnings; for a CronJob, list and watch pods, to show what its Jobs are stuck on.

Exit status: 0 success, 1 the object was deleted while it was being watched, 2 it does not exist, or the cluster cannot be read.";

/// What can be explained; a bare name is that of the first.
const KINDS: [Kind; 2] = [Kind::Job, Kind::CronJob];

/// What was shown last; when it differs, it is shown again.
#[derive(PartialEq)]
struct Shown {
    object: Object,
    now: Forecast,
    headline: Sentence,
    obstacles: Vec<(Text, u32)>,
}

/// Explains the object, or all.
///
/// # Errors
/// If the component does not know objects of its kind, or this machine has no room for what it takes.
pub(crate) fn run(arguments: &Arguments, mut guest: Guest) -> anyhow::Result<CommandEnd> {
    let Ok(()) = arguments.fallbacks.configure(&mut guest) else { return Ok(CommandEnd::BadInput) };
    let explain = async {
        match meant(arguments) {
            Ok(Meant::One(target)) => follow(arguments, &target, guest).await,
            Ok(Meant::All(kinds)) => overview::run(arguments, &kinds, guest).await,
            Err(reason) => {
                output::error(&reason);
                Ok(CommandEnd::BadInput)
            }
        }
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(explain)
}

/// What is to be explained.
enum Meant {
    One(ObjectTarget),
    All(Vec<Kind>),
}

fn meant(Arguments { words, watch, selector, all_namespaces, .. }: &Arguments) -> Result<Meant, String> {
    let all = match &words[..] {
        [] => Some(KINDS.to_vec()),
        [word] => target::kind(word, &KINDS).map(|kind| vec![kind]),
        [..] => None,
    };
    match all {
        Some(_) if *watch => return Err("--watch is for one Job or CronJob: name it".to_owned()),
        Some(kinds) => return Ok(Meant::All(kinds)),
        None if selector.is_some() || *all_namespaces => return Err("-l and -A are for all Jobs and CronJobs: name none".to_owned()),
        None => {}
    }
    match (&words[..], &target::objects(words, &KINDS)?[..]) {
        (_, [target]) => Ok(Meant::One(target.clone())),
        ([TargetWord::Bare(resource), ..], _) => Err(target::not_one_of(resource, &KINDS)),
        _ => Err("name one Job or CronJob, or none for all".to_owned()),
    }
}

async fn follow(arguments: &Arguments, target: &ObjectTarget, mut guest: Guest) -> anyhow::Result<CommandEnd> {
    let Some(place) = arguments.place.place().await else { return Ok(CommandEnd::BadInput) };
    let Some(mut found) = place.find(target, Explained::kinds).await else { return Ok(CommandEnd::BadInput) };
    let (mut shown, mut events, zone) = (None, WarningEvents::default(), arguments.fallbacks.zone());
    loop {
        // Where nothing changes for a while, time alone may tell.
        let pause = if shown.is_some() { GLANCE } else { Duration::MAX };
        if let Ok(Err(failure)) = timeout(pause, found.changed()).await {
            if shown.is_none() {
                output::error(&format!("cannot read {target} from the cluster: {failure}"));
                return Ok(CommandEnd::BadInput);
            }
            found.complain(&failure);
            continue;
        }
        if shown.is_some() {
            found.gather(GATHERED).await;
        }
        if found.subject.gone() {
            output::error(&format!("{target} was deleted"));
            return Ok(CommandEnd::Failed);
        }
        if !found.subject.complete() {
            continue;
        }
        events.read(&place).await;
        found.subject.warnings.clone_from(&events.texts);
        found.subject.defaults = arguments.fallbacks.defaults.annotations();
        if arguments.history {
            return history(arguments, &found.subject, guest);
        }
        let (subject, now) = (&found.subject, Timestamp::now());
        let explanation = subject.explain(&mut guest, arguments.as_if_built_in, &zone, now).map_err(anyhow::Error::msg)?;
        let seen = Shown {
            object: subject.object.clone(),
            now: explanation.now.clone(),
            headline: explanation.headline.clone(),
            obstacles: explanation.obstacles.iter().map(|obstacle| (obstacle.code.clone(), obstacle.count)).collect(),
        };
        if shown.as_ref() != Some(&seen) {
            let between = if shown.is_some() && arguments.output == Format::Text { "\n" } else { "" };
            let warnings = &events.about(&subject.object.metadata().uid, &explanation)[..];
            let complaints = complaints(&found, &events);
            output::text(&match arguments.output {
                Format::Text => {
                    let answer = WrittenAnswer { subject, explanation: &explanation, warnings, complaints, zone: &zone, now };
                    format!("{between}{}", text(&answer))
                }
                Format::Json => format!("{}\n", value(subject, &explanation, warnings, now)),
            });
            shown = Some(seen);
        }
        if !arguments.watch || finished(subject) {
            return Ok(CommandEnd::Reached);
        }
        if let Some(end) = ending::cut_short() {
            return Ok(end);
        }
    }
}

/// Shows what happened to a Job.
fn history(arguments: &Arguments, subject: &Explained, guest: Guest) -> anyhow::Result<CommandEnd> {
    let whole = |kind: &str, text: &Text| {
        let mut value: Value = serde_json::from_str(text).unwrap_or_default();
        // Objects of a list name no kind.
        value["kind"] = kind.into();
        Text::from(value.to_string())
    };
    let of = |kind: Kind| subject.objects(kind).map(move |text| whole(kind.name(), text));
    let events = subject.warnings.iter().map(|text| whole("Event", text));
    let objects: Vec<Text> = of(Kind::Job).chain(of(Kind::Pod)).chain(events).collect();
    let (json, zone) = (arguments.output == Format::Json, arguments.fallbacks.named());
    let options = HistoryOptions { json, why: false, zone, recorded_until: None, job: None };
    let read = ReadAt { at: Timestamp::now(), or_later: false };
    if subject.job().is_none() || !crate::history::show(&options, &objects, read, || Ok(guest))? {
        output::error("--history is for a Job on which a controller has acted: name one, as in job/NAME");
        return Ok(CommandEnd::BadInput);
    }
    Ok(CommandEnd::Reached)
}

/// What could not be read, a line each.
fn complaints(found: &Found, events: &WarningEvents) -> String {
    let pods = found.without_pods.as_ref();
    let pods = pods.map(|failure| format!("What its Jobs are stuck on is not known, because their pods cannot be read: {failure}\n"));
    pods.unwrap_or_default() + &events.complaint()
}

fn finished(subject: &Explained) -> bool {
    subject.job().is_some_and(Job::finished)
}

/// The explanation for programs.
fn value(subject: &Explained, explanation: &Explanation, warnings: &[WarningEvent], now: Timestamp) -> Value {
    let metadata = subject.object.metadata();
    let status = match &subject.object {
        Object::CronJob(cron_job) => json!(cron_job.status),
        Object::Job(job) => json!(job.status),
        Object::Pod(_) => Value::Null,
    };
    let mut value = json!({
        target::word(subject.object.kind()): metadata.name,
        "namespace": metadata.namespace,
        "status": status,
        "at": now,
        "explanation": explanation,
        "warnings": warnings::values(warnings),
    });
    if let Some(manager) = subject.manager() {
        value["manager"] = manager.into();
    }
    if subject.job().is_some() {
        for (related, explained) in explanation.related.iter().zip(value["explanation"]["related"].as_array_mut().into_iter().flatten()) {
            explained["failure"] = failure(subject, &related.object).into();
        }
    }
    value
}
