//! What happened: the past of Jobs of a cluster, in lines by the clock on the wall.
//!
//! Docs: `jobsmith simulate --help`, `jobsmith explain --help`. The past is made in the crate `past`; what follows is played in `simulate/`.

use std::collections::BTreeMap;

use api::{Job, Kind, Text, Timestamp};
use host_embed::Guest;
use past::{JobEnding, JobState, Past, RecordedJob};
use play::trace::{Entry, Transcript};
use schedule::Zone;
use script::ObjectName;
use serde_json::{Value, json};

use super::output;
use super::zone_clock::ZoneClock;

/// How many Jobs that have finished have a line: of more, the number.
const SUMMED_UP: usize = 10;

/// How a past is shown.
pub(crate) struct HistoryOptions {
    /// As objects for programs, one a line.
    pub(crate) json: bool,
    /// Also what is routine.
    pub(crate) why: bool,
    /// The zone of its times, if one is named.
    pub(crate) zone: Option<Zone>,
}

/// Shows the past of the Jobs of a cluster: all of that of the one that people ask about, a line of each other one. Returns whether there is any.
pub(crate) fn show(options: &HistoryOptions, objects: &[Text], guest: impl FnOnce() -> anyhow::Result<Guest>) -> anyhow::Result<bool> {
    let Some((opened, records)) = RecordedJob::open(RecordedJob::all(objects)) else { return Ok(false) };
    let zones = zones(objects);
    let clock = |job: &Job| {
        let owner = job.metadata.controller().map(|owner| &owner.uid);
        ZoneClock::new(options.zone.clone().or_else(|| owner.and_then(|owner| zones.get(owner)).cloned()))
    };
    if !options.json {
        output::text(&summaries(&records, &opened, clock));
    }
    let clock = clock(&opened.job);
    let name = name(&opened.job, &records);
    let ending = JobEnding::of(&opened);
    output::text(&heading(options, &name, &opened, &ending, &clock));
    if opened.without_pods() {
        if !options.json {
            output::text(&without_pods(&opened, &clock));
        }
        return Ok(true);
    }
    let (mut past, _) = Past::new(guest()?, opened);
    let (day, wall) = (past.start(), clock.clone());
    let mut transcript = Transcript::with(move |at| wall.time(at, day));
    let mut estimated = false;
    while let Some(moment) = past.next_moment() {
        for entry in moment.iter().flat_map(|step| &step.entries) {
            estimated |= entry.estimated;
            output::text(&line(options, entry, &mut transcript));
        }
    }
    if !options.json {
        let state = if past.differences() == 0 { "as recorded" } else { "as recorded, but for what is marked ≠" };
        let marked = if estimated { "; what is marked (estimated) left no trace, and is the least that must have happened" } else { "" };
        output::text(&format!("At {} all is {state}{marked}.\n\n", clock.time(past.end(), day)));
    }
    Ok(true)
}

/// The time zones of CronJobs that name one, by UID.
fn zones(objects: &[Text]) -> BTreeMap<Text, Zone> {
    let values = objects.iter().filter_map(|object| serde_json::from_str::<Value>(object).ok());
    let cron_jobs = values.filter(|value| value["kind"] == Kind::CronJob.name());
    let zone = |value: &Value| Some((value["metadata"]["uid"].as_str()?.into(), Zone::named(value["spec"]["timeZone"].as_str()?)?));
    cron_jobs.filter_map(|value| zone(&value)).collect()
}

fn name(job: &Job, others: &[RecordedJob]) -> ObjectName {
    let namespaces = others.iter().map(|other| &other.job.metadata.namespace).chain([&job.metadata.namespace]);
    ObjectName::among(&job.metadata.namespace, &job.metadata.name, namespaces)
}

/// A line for each of the other Jobs, the last ones first.
fn summaries(records: &[RecordedJob], opened: &RecordedJob, clock: impl Fn(&Job) -> ZoneClock) -> String {
    let mut endings: Vec<(JobEnding, &RecordedJob)> = records.iter().map(|record| (JobEnding::of(record), record)).collect();
    endings.sort_by_key(|(ending, record)| std::cmp::Reverse((ending.state < JobState::Failed, ending.at.unwrap_or(record.created_at()))));
    let line = |(ending, record): &(JobEnding, &RecordedJob)| {
        let clock = clock(&record.job);
        let sentence = ending.sentence(|at| format!("{} ({})", clock.time(at, at), clock.day(at)));
        let namespaces = records.iter().chain([opened]).map(|other| &other.job.metadata.namespace);
        let name = ObjectName::among(&record.job.metadata.namespace, &record.job.metadata.name, namespaces);
        format!("job {name}: {sentence}\n")
    };
    let mut text: String = endings.iter().take(SUMMED_UP).map(line).collect();
    let more = endings.len().saturating_sub(SUMMED_UP);
    if more > 0 {
        let failed = endings.iter().skip(SUMMED_UP).filter(|(ending, _)| ending.state == JobState::Failed).count();
        text.push_str(&format!("{more} more Jobs, of which {failed} are Failed\n"));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// How the Job stands, for people or for programs.
fn heading(options: &HistoryOptions, name: &ObjectName, record: &RecordedJob, ending: &JobEnding, clock: &ZoneClock) -> String {
    if options.json {
        let metadata = &record.job.metadata;
        return format!("{}\n", json!({"type": "past", "namespace": metadata.namespace, "job": metadata.name, "ending": ending}));
    }
    let sentence = ending.sentence(|at| format!("{} ({})", clock.time(at, at), clock.day(at)));
    format!("job {name}: {sentence}\n\n")
}

/// What the status of a Job tells that came without its pods, and how to get them.
fn without_pods(record: &RecordedJob, clock: &ZoneClock) -> String {
    let (job, day) = (&record.job, record.created_at());
    let mut lines: Vec<(Timestamp, String)> = vec![(day, "created".to_owned())];
    lines.extend(job.status.start_time.map(|at| (at, "started".to_owned())));
    for condition in &job.status.conditions {
        let at = condition.last_transition_time.unwrap_or(day);
        let end = if &*condition.status == "True" { String::new() } else { format!(" is {}", condition.status) };
        lines.push((
            at,
            [format!("{}{end}", condition.kind), condition.reason.to_string(), condition.message.to_string()]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(": "),
        ));
    }
    lines.sort_by_key(|(at, _)| *at);
    let mut text: String =
        lines.into_iter().map(|(at, line)| format!("{} job {}: {line}\n", clock.time(at, day), job.metadata.name)).collect();
    let (namespace, name) = (&job.metadata.namespace, &job.metadata.name);
    text.push_str(&format!(
        "Its pods are not among these objects: they have the exit codes and the times of what happened in between. If they still exist, get them with\n  kubectl get jobs,pods -n {namespace} -l batch.kubernetes.io/job-name={name} -o yaml | jobsmith simulate -\n\n"
    ));
    text
}

fn line(options: &HistoryOptions, entry: &Entry, transcript: &mut Transcript) -> String {
    if options.json {
        return serde_json::to_string(entry).expect("an entry has text keys only") + "\n";
    }
    let estimated = if entry.estimated { " (estimated)" } else { "" };
    transcript.line(entry, options.why).map(|line| format!("{line}{estimated}\n")).unwrap_or_default()
}
