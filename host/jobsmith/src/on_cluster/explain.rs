//! `jobsmith explain`: what the controllers decide about a CronJob or Job at this moment and why, what they wait for, and what follows if nothing changes.
//!
//! Docs: Jobs; CronJob. The component explains through `host_cluster::explain`, which object is meant is read in `target.rs`; of a Job, the first lines are
//! those of `kubectl get job`.

use std::fmt::Write as _;
use std::time::Duration;

use api::request::{Method, Request};
use api::{CronJob, Job, JobCondition, Kind, Object, Timestamp};
use contract::{Command, Decision, Explanation, Forecast, ObjectRef, Related, Requeue};
use host_cluster::explain::Explained;
use host_embed::Guest;
use jiff::tz::TimeZone;
use kubectl::Columns;
use schedule::Zone;
use serde_json::{Value, json};

use super::target::{self, ObjectTarget};
use crate::output::{self, Format};
use crate::timetable::CronJobTimetable;
use crate::{CommandEnd, configuration, ending};

/// How many failed pods and how many decisions are shown to people: a Job with many pods has more of them than anybody reads.
const SHOWN: usize = 20;
/// For how long further changes are gathered before it is explained again.
const GATHERED: Duration = Duration::from_millis(200);

/// The arguments of `jobsmith explain`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The Job or CronJob; a bare NAME means a Job
    #[arg(value_name = "job/NAME|cronjob/NAME", value_parser = target::job_or_cron_job)]
    target: ObjectTarget,

    /// Explain again whenever the Job or its pods change, until the Job has finished; for a CronJob, whenever it or its Jobs change
    #[arg(short, long)]
    watch: bool,

    /// For a Job that another controller manages: show what Kubernetes' Job controller would decide in its place
    #[arg(long)]
    as_if_built_in: bool,

    /// The output format
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "text")]
    output: Format,

    #[command(flatten)]
    time_zone: configuration::TimeZone,

    #[command(flatten)]
    place: target::Arguments,
}

pub(super) const EXAMPLES: &str = "\
It reads the Job and its pods, or the CronJob and its Jobs, from the cluster and writes nothing. It also explains what Kubernetes'
built-in controllers do: the decisions are those of Kubernetes v1.37.

For a CronJob, it shows what happened at each of its last scheduled times, if the cluster still has a record of it.

  jobsmith explain job/pi
  jobsmith explain job/pi -n team-a --watch
  jobsmith explain job/pi -o json
  jobsmith explain cronjob/nightly
  jobsmith explain cronjob/nightly --time-zone Europe/Paris    if that is the time zone of the kube-controller-manager

Permissions in the namespace: get, list and watch jobs and pods; for a CronJob, get, list and watch cronjobs and jobs.

Exit status: 0 success, 1 the object was deleted while it was being watched, 2 it does not exist, or the cluster cannot be read.";

/// Explains the object.
///
/// # Errors
/// If the component does not know objects of its kind, or this machine has no room for what it takes.
pub(crate) fn run(arguments: &Arguments, guest: Guest) -> anyhow::Result<CommandEnd> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(follow(arguments, guest))
}

async fn follow(arguments: &Arguments, mut guest: Guest) -> anyhow::Result<CommandEnd> {
    let (Arguments { target, .. }, place) = (arguments, arguments.place.place().await);
    let Some(place) = place else { return Ok(CommandEnd::BadInput) };
    let Some(mut found) = place.find(target, Explained::kinds).await else { return Ok(CommandEnd::BadInput) };
    let (mut shown, zone) = (None, arguments.time_zone.zone());
    loop {
        if let Err(failure) = found.changed().await {
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
        let subject = &found.subject;
        if subject.gone() {
            output::error(&format!("{target} was deleted"));
            return Ok(CommandEnd::Failed);
        }
        if !subject.complete() {
            continue;
        }
        let now = Timestamp::now();
        let explanation = subject.explain(&mut guest, arguments.as_if_built_in, &zone, now).map_err(anyhow::Error::msg)?;
        let seen = (subject.object.clone(), explanation.now.clone());
        if shown.as_ref() != Some(&seen) {
            let between = if shown.is_some() && arguments.output == Format::Text { "\n" } else { "" };
            output::text(&match arguments.output {
                Format::Text => format!("{between}{}", text(subject, &explanation, &zone, now)),
                Format::Json => format!("{}\n", value(subject, &explanation, now)),
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

/// The explanation for people.
fn text(subject: &Explained, explanation: &Explanation, zone: &Zone, now: Timestamp) -> String {
    let here = TimeZone::system();
    let time = |at: Timestamp| clock(at, now, &here);
    let Explanation { now: forecast, requeue_at, next, related, .. } = explanation;
    let mut text = match &subject.object {
        Object::CronJob(cron_job) => timetable(cron_job, zone) + &last_runs(related, time),
        Object::Job(job) => head(job, now) + &failed_pods(subject, related, time),
        Object::Pod(_) => String::new(),
    };
    let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all");
    let decides = subject.manager().unwrap_or("the CronJob controller");
    line(format!("At {}, {decides} would decide:", now.to_zoned(here.clone()).strftime("%H:%M:%S %Z")));
    lines(forecast, time).into_iter().for_each(&mut line);
    match (requeue_at, next) {
        (Some(Requeue { at, reason }), Some(next)) => {
            line(format!("The next sync is at {}: {reason}", time(*at)));
            line("If nothing changes, it then decides:".to_owned());
            lines(next, time).into_iter().for_each(&mut line);
        }
        (Some(Requeue { at, reason }), None) => line(format!("The next sync is at {} at the latest: {reason}", time(*at))),
        (None, _) => {}
    }
    let idle = forecast.batches.iter().all(Vec::is_empty);
    if !idle {
        line("What follows depends on the outcome of these requests.".to_owned());
    }
    match subject.job().filter(|job| job.finished()).and_then(|job| job.metadata.controller()) {
        // The CronJob is not read: that may not be permitted.
        Some(owner) if *owner.kind == *Kind::CronJob.name() => {
            line(format!(
                "CronJob {0} may delete the Job earlier, because of its history limits: see jobsmith explain cronjob/{0}",
                owner.name
            ));
        }
        Some(_) | None if requeue_at.is_none() && idle => line(rest(&subject.object).to_owned()),
        Some(_) | None => {}
    }
    text
}

/// What follows where nothing is due.
fn rest(object: &Object) -> &'static str {
    match object {
        Object::CronJob(_) => "It waits only for changes to the CronJob and its Jobs.",
        Object::Job(job) if job.finished() => "Nothing follows: the Job has finished.",
        Object::Job(_) | Object::Pod(_) => "It waits only for changes to the Job and its pods.",
    }
}

fn finished(subject: &Explained) -> bool {
    subject.job().is_some_and(Job::finished)
}

/// When a CronJob runs, on a line.
fn timetable(cron_job: &CronJob, zone: &Zone) -> String {
    let text = &cron_job.spec.schedule;
    let heading =
        CronJobTimetable::read(cron_job, zone).map_or_else(|_| text.to_string(), |timetable| format!("{text}: {}", timetable.words()));
    let suspended = if cron_job.suspended() && cron_job.managed_by().is_none() { ", suspended" } else { "" };
    format!("cronjob {}{suspended}: {heading}\n", cron_job.metadata.name)
}

/// What happened at the last scheduled times of a CronJob, one line each.
fn last_runs(related: &[Related], time: impl Fn(Timestamp) -> String + Copy) -> String {
    let line = |Related { decision: Decision { kind, role, sentence, .. }, .. }: &Related| {
        format!("  {} {} ({})\n", role.mark(), sentence.render(time), kind.rule)
    };
    let heading = if related.is_empty() { "None of its scheduled times has passed yet.\n" } else { "Its last scheduled times:\n" };
    heading.to_owned() + &related.iter().map(line).collect::<String>()
}

/// What each failed pod of a Job counts as; of very many, the first.
fn failed_pods(subject: &Explained, related: &[Related], time: impl Fn(Timestamp) -> String + Copy) -> String {
    if related.is_empty() {
        return String::new();
    }
    let mut text = format!("Failed pods that still exist: {}\n", related.len());
    for Related { object, decision: explained } in related.iter().take(SHOWN) {
        let failure = failure(subject, object);
        let colon = if failure.is_empty() { "" } else { ": " };
        text += &format!("  {}{colon}{failure}\n{}\n", object.name, decision(explained, time));
    }
    if related.len() > SHOWN {
        text += &format!("  … and {} more: see -o json\n", related.len() - SHOWN);
    }
    text
}

/// The Job as `kubectl get job` lists it, and its conditions.
fn head(job: &Job, now: Timestamp) -> String {
    let listed = serde_json::to_value(job).expect("a Job has text keys only");
    let condition = |condition: &JobCondition| {
        let JobCondition { kind, status, reason, message, .. } = condition;
        format!("  {kind}={status} {reason}: {message}\n")
    };
    let conditions: String = job.status.conditions.iter().map(condition).collect();
    let heading = if conditions.is_empty() { "" } else { "Conditions:\n" };
    kubectl::get(&[listed], &[], Columns::Short, now) + heading + &conditions
}

/// The decisions and requests of one moment; of very many decisions, those that were taken first.
fn lines(Forecast { decisions, batches }: &Forecast, time: impl Fn(Timestamp) -> String + Copy) -> Vec<String> {
    let mut lines: Vec<String> = decisions.iter().take(SHOWN).map(|taken| decision(taken, time)).collect();
    if decisions.len() > SHOWN {
        lines.push(format!("  … and {} more: see -o json", decisions.len() - SHOWN));
    }
    lines.extend(requests(batches.iter().flatten()).into_iter().map(|request| format!("  → {request}")));
    lines
}

/// A decision, and where it comes from.
fn decision(Decision { kind, role, sentence, .. }: &Decision, time: impl Fn(Timestamp) -> String) -> String {
    let (mark, sentence) = (role.mark(), sentence.render(time));
    let fields = if kind.fields.is_empty() { String::new() } else { format!("; {}", kind.fields.join(", ")) };
    format!("  {mark} {sentence}\n      {}, \"{}\" ({}){fields}", kind.page, kind.heading, kind.rule)
}

/// What went wrong in a pod: exit codes and reasons, as its status has them; may be empty.
fn failure(subject: &Explained, pod: &ObjectRef) -> String {
    let pod: Value = subject.object(pod).and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
    let status = &pod["status"];
    let mut failures: Vec<String> = ["reason", "message"].iter().filter_map(|field| status[*field].as_str()).map(str::to_owned).collect();
    for list in ["initContainerStatuses", "containerStatuses"] {
        for container in status[list].as_array().into_iter().flatten() {
            let end = &container["state"]["terminated"];
            let (Some(code), Some(name)) = (end["exitCode"].as_i64().filter(|code| *code != 0), container["name"].as_str()) else {
                continue;
            };
            let reason =
                end["reason"].as_str().filter(|reason| *reason != "Error").map(|reason| format!(" ({reason})")).unwrap_or_default();
            failures.push(format!("container {name} exit code {code}{reason}"));
        }
    }
    let disrupted = |condition: &&Value| condition["type"] == "DisruptionTarget" && condition["status"] == "True";
    let disruption = status["conditions"].as_array().into_iter().flatten().find(disrupted);
    failures.extend(disruption.and_then(|condition| condition["reason"].as_str()).map(|reason| format!("disrupted: {reason}")));
    failures.join("; ")
}

/// The requests of commands, those that are alike in one line.
fn requests<'a>(commands: impl Iterator<Item = &'a Command>) -> Vec<String> {
    let mut alike: Vec<(Method, &str, Vec<&str>)> = Vec::new();
    for Request { method, path, .. } in commands.map(|command| &command.request) {
        let path = path.split_once("/namespaces/").and_then(|(_, path)| path.split_once('/')).map_or("", |(_, path)| path);
        let (resource, name) = path.split_once('/').unwrap_or((path, ""));
        match alike.iter_mut().find(|(other, of, _)| (other, *of) == (method, resource)) {
            Some((.., names)) => names.push(name),
            None => alike.push((*method, resource, vec![name])),
        }
    }
    let line = |(method, resource, names): (Method, &str, Vec<&str>)| {
        let number = if names.len() > 1 { format!(", {} times", names.len()) } else { String::new() };
        match names[..] {
            [] | ["", ..] => format!("{} {resource}{number}", method.name()),
            [name] => format!("{} {resource}/{name}", method.name()),
            [first, .., last] => format!("{} {resource}/{first} … {last}{number}", method.name()),
        }
    };
    alike.into_iter().map(line).collect()
}

/// The time of day here, with the date if it is another one, and how far that is away.
fn clock(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let (here, today) = (at.to_zoned(zone.clone()), now.to_zoned(zone.clone()));
    let form = if here.date() == today.date() { "%H:%M:%S" } else { "%Y-%m-%d %H:%M:%S" };
    let seconds = at.duration_since(now).as_millis().div_euclid(1000) + i128::from(at.duration_since(now).subsec_millis() > 0);
    let length = length(seconds.unsigned_abs());
    let away = match seconds {
        0 => "now".to_owned(),
        1.. => format!("in {length}"),
        _ => format!("{length} ago"),
    };
    format!("{} ({away})", here.strftime(form))
}

/// A number of seconds in hours, minutes and seconds: `1m 15s`.
fn length(seconds: u128) -> String {
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")];
    parts.iter().filter(|(number, _)| *number > 0).map(|(number, unit)| format!("{number}{unit}")).collect::<Vec<_>>().join(" ")
}

/// The explanation for programs.
fn value(subject: &Explained, explanation: &Explanation, now: Timestamp) -> Value {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_local_and_say_how_far_away_they_are() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let now: Timestamp = "2026-01-02T12:00:00.5Z".parse().unwrap();
        let shown = |seconds: i64| clock(now + api::Duration::from_secs(seconds), now, &zone);
        assert_eq!(shown(0), "14:00:00 (now)");
        assert_eq!(shown(75), "14:01:15 (in 1m 15s)");
        assert_eq!(shown(-60), "13:59:00 (1m ago)");
        assert_eq!(shown(12 * 3600), "2026-01-03 02:00:00 (in 12h)");
        assert_eq!(clock(now + api::Duration::from_millis(500), now, &zone), "14:00:01 (in 1s)", "not yet");
    }
}
