//! `jobsmith explain`: what a controller decides about a Job at this moment and why, what it waits for, and what follows if nothing changes.
//!
//! Docs: Jobs. What is decided is asked in `jobsmith::explain`, which Job is meant is read in `target.rs`; how a Job's status is shown is in `describe.rs`.

use std::fmt::Write as _;
use std::time::Duration;

use api::request::{Method, Request};
use api::{Kind, Timestamp};
use contract::{Explanation, Plan};
use jiff::tz::TimeZone;
use jobsmith::Guest;
use jobsmith::explain::{Explained, commands, explain};
use serde_json::{Value, json};

use super::output::{self, Format};
use super::{End, describe, target};

/// How many failed pods and how many decisions are shown to people: a Job with many pods has more of them than anybody reads.
const SHOWN: usize = 20;
/// For how long further changes are gathered before it is explained again.
const GATHERED: Duration = Duration::from_millis(200);

/// What `jobsmith explain` can be told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: target::Arguments,

    /// Explain again whenever the Job or its pods change, until the Job has finished
    #[arg(short, long)]
    watch: bool,

    /// How to write it
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "text")]
    output: Format,
}

const EXAMPLES: &str = "\
It reads the Job and its pods from the cluster and writes nothing. A Job of Kubernetes' own controller is explained as one of jobsmith's:
its decisions are those of Kubernetes v1.36.

  jobsmith explain job/pi
  jobsmith explain job/pi -n team-a --watch
  jobsmith explain job/pi -o json

Exit status: 0 it was explained, 1 the Job went while it was watched, 2 there is no such Job, or the cluster cannot be asked.";

/// Explains the Job.
///
/// # Errors
/// If the controllers do not understand an object, or this machine has no room for what it takes.
pub(crate) fn run(arguments: &Arguments, guest: Guest) -> anyhow::Result<End> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(follow(arguments, guest))
}

async fn follow(arguments: &Arguments, mut guest: Guest) -> anyhow::Result<End> {
    let Some(mut found) = arguments.target.find(&Kind::ALL).await else { return Ok(End::BadInput) };
    let (mut told, mut trouble) = (None, None);
    loop {
        if let Err(failure) = found.changed().await {
            if told.is_none() {
                output::error(&format!("the cluster cannot be asked about job {}: {failure}", arguments.target.name()));
                return Ok(End::BadInput);
            }
            // What is wrong is said once; it may pass.
            if trouble.replace(failure.to_string()).as_ref() != Some(&failure.to_string()) {
                output::complain(&format!("the cluster cannot be asked for now: {failure}\n"));
            }
            continue;
        }
        if told.is_some() {
            found.gather(GATHERED).await;
        }
        if found.subject.gone() {
            output::error(&format!("job {} is gone", arguments.target.name()));
            return Ok(End::Failed);
        }
        if !found.subject.complete() {
            continue;
        }
        let explained = explain(&mut guest, &found.subject, Timestamp::now()).map_err(anyhow::Error::msg)?;
        let seen = (explained.job.clone(), explained.plan.clone());
        if told.as_ref() != Some(&seen) {
            let between = if told.is_some() && arguments.output == Format::Text { "\n" } else { "" };
            output::text(&match arguments.output {
                Format::Text => format!("{between}{}", text(&explained, &TimeZone::system())),
                Format::Json => format!("{}\n", value(&explained)),
            });
            told = Some(seen);
        }
        if !arguments.watch || explained.job.finished() || output::reader_gone() {
            return Ok(End::Reached);
        }
    }
}

/// The explanation for people.
fn text(explained: &Explained, zone: &TimeZone) -> String {
    let Explained { job, manager, now, plan, waits, next, failures } = explained;
    let time = |at: Timestamp| clock(at, *now, zone);
    let mut text = describe::describe(job, &[]);
    let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all");
    if !failures.is_empty() {
        line(format!("Failed pods that are still there: {}", failures.len()));
        for (pod, explanation) in failures.iter().take(SHOWN) {
            let what = if pod.what.is_empty() { String::new() } else { format!(": {}", pod.what) };
            line(format!("  {}{what}", pod.name));
            line(decision(explanation));
        }
        if failures.len() > SHOWN {
            line(format!("  … and {} more: -o json tells them all", failures.len() - SHOWN));
        }
    }
    line(format!("At {}, {manager} decides:", time(*now).trim_end_matches(" (now)")));
    decisions(plan).into_iter().for_each(&mut line);
    for request in requests(plan) {
        line(format!("  → {request}"));
    }
    if let Some(look_again) = plan.look_again.as_ref().filter(|_| waits.is_none()) {
        line(format!("It looks again at {} at the latest: {}", time(look_again.at), look_again.because));
    }
    match (waits, next) {
        (Some(waits), Some(next)) => {
            line(format!("It waits until {}: {}", time(waits.at), waits.because));
            line("If nothing changes, it decides then:".to_owned());
            decisions(next).into_iter().for_each(&mut line);
            for request in requests(next) {
                line(format!("  → {request}"));
            }
        }
        _ if commands(plan).next().is_some() => line("What follows depends on what becomes of these requests.".to_owned()),
        _ if job.finished() => line("Nothing follows: the Job has finished.".to_owned()),
        _ => line("It waits for nothing but changes of the Job and its pods.".to_owned()),
    }
    text
}

/// The decisions of a plan; of very many, those that were taken first.
fn decisions(plan: &Plan) -> Vec<String> {
    let mut lines: Vec<String> = plan.decisions.iter().take(SHOWN).map(decision).collect();
    if plan.decisions.len() > SHOWN {
        lines.push(format!("  … and {} more: -o json tells them all", plan.decisions.len() - SHOWN));
    }
    lines
}

/// A decision, and where it comes from.
fn decision(explanation: &Explanation) -> String {
    let Explanation { kind, sentence, .. } = explanation;
    let mark = if kind.acts { '●' } else { '○' };
    let fields = if kind.fields.is_empty() { String::new() } else { format!("; {}", kind.fields.join(", ")) };
    format!("  {mark} {sentence}\n      {}, \"{}\" ({}){fields}", kind.page, kind.heading, kind.rule)
}

/// The requests of a plan, those that are alike in one line.
fn requests(plan: &Plan) -> Vec<String> {
    let mut alike: Vec<(Method, &str, Vec<&str>)> = Vec::new();
    for Request { method, path, .. } in commands(plan).map(|command| &command.request) {
        let path = path.split_once("/namespaces/").and_then(|(_, path)| path.split_once('/')).map_or("", |(_, path)| path);
        let (resource, name) = path.split_once('/').unwrap_or((path, ""));
        match alike.iter_mut().find(|(other, of, _)| (other, *of) == (method, resource)) {
            Some((.., names)) => names.push(name),
            None => alike.push((*method, resource, vec![name])),
        }
    }
    let told = |(method, resource, names): (Method, &str, Vec<&str>)| {
        let number = if names.len() > 1 { format!(", {} times", names.len()) } else { String::new() };
        match names[..] {
            [] | ["", ..] => format!("{} {resource}{number}", method.name()),
            [name] => format!("{} {resource}/{name}", method.name()),
            [first, .., last] => format!("{} {resource}/{first} … {last}{number}", method.name()),
        }
    };
    alike.into_iter().map(told).collect()
}

/// The time of day here, with the date if it is another one, and how far that is away.
fn clock(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let (here, today) = (at.to_zoned(zone.clone()), now.to_zoned(zone.clone()));
    let form = if here.date() == today.date() { "%H:%M:%S" } else { "%Y-%m-%d %H:%M:%S" };
    let seconds = at.duration_since(now).as_millis().div_euclid(1000) + i128::from(at.duration_since(now).subsec_millis() > 0);
    let length = humantime::format_duration(Duration::from_secs(seconds.unsigned_abs().try_into().unwrap_or(u64::MAX)));
    let away = match seconds {
        0 => "now".to_owned(),
        1.. => format!("in {length}"),
        _ => format!("{length} ago"),
    };
    format!("{} ({away})", here.strftime(form))
}

/// The explanation for programs.
fn value(explained: &Explained) -> Value {
    let Explained { job, manager, now, plan, waits, next, failures } = explained;
    let failure =
        |(pod, explanation): &(jobsmith::explain::Ended, Explanation)| json!({"pod": pod.name, "what": pod.what, "decision": explanation});
    json!({
        "job": job.metadata.name,
        "namespace": job.metadata.namespace,
        "status": job.status,
        "manager": manager,
        "now": now,
        "failures": failures.iter().map(failure).collect::<Vec<_>>(),
        "decisions": plan.decisions,
        "requests": commands(plan).map(|command| &command.request).collect::<Vec<_>>(),
        "lookAgain": plan.look_again,
        "waits": waits.as_ref().map(|waits| json!({"until": waits.at, "because": waits.because})),
        "next": next.as_ref().map(|next| json!({
            "decisions": next.decisions,
            "requests": commands(next).map(|command| &command.request).collect::<Vec<_>>(),
        })),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_the_clock_here_shows_them_and_how_far_they_are_away() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let now: Timestamp = "2026-01-02T12:00:00.5Z".parse().unwrap();
        let told = |seconds: i64| clock(now + api::Duration::from_secs(seconds), now, &zone);
        assert_eq!(told(0), "14:00:00 (now)");
        assert_eq!(told(75), "14:01:15 (in 1m 15s)");
        assert_eq!(told(-60), "13:59:00 (1m ago)");
        assert_eq!(told(12 * 3600), "2026-01-03 02:00:00 (in 12h)");
        assert_eq!(clock(now + api::Duration::from_millis(500), now, &zone), "14:00:01 (in 1s)", "not yet");
    }
}
