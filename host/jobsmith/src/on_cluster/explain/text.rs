//! An explanation for people: what an object is stuck on, what was reported about it, and what is decided.
//!
//! Docs: `jobsmith explain --help`; of a Job, the lines below the answer begin as those of `kubectl get job`. For programs, it is written in `mod.rs`.

use std::fmt::Write as _;

use api::request::{Method, Request};
use api::{CronJob, Job, JobCondition, Kind, Object, Timestamp, WarningEvent};
use contract::decision::TextPart;
use contract::{Command, Decision, Explanation, Forecast, ObjectRef, Related, Requeue};
use host_cluster::explain::Explained;
use kubectl::Columns;
use schedule::Zone;
use serde_json::Value;
use story::timetable::CronJobTimetable;

use super::super::warnings;
use crate::headline::with_help;
use crate::zone_clock::ZoneClock;

/// How many failed pods and how many decisions are shown to people: a Job with many pods has more of them than anybody reads.
const SHOWN: usize = 20;
/// The value of a decision about a run that is its scheduled time.
const SCHEDULED_AT: &str = "scheduledAt";

/// An explanation and what is shown with it.
pub(super) struct WrittenAnswer<'a> {
    pub(super) subject: &'a Explained,
    pub(super) explanation: &'a Explanation,
    /// Events about it, the newest first.
    pub(super) warnings: &'a [WarningEvent],
    /// What could not be read, a line each.
    pub(super) complaints: String,
    pub(super) zone: &'a Zone,
    pub(super) now: Timestamp,
}

/// The explanation for people.
pub(super) fn text(answer: &WrittenAnswer<'_>) -> String {
    let WrittenAnswer { subject, explanation, warnings, complaints, zone, now } = answer;
    let zone_clock = zone_clock(&subject.object, zone);
    let time = |at: Timestamp| clock(at, *now, &zone_clock);
    let body = match &subject.object {
        Object::CronJob(cron_job) => timetable(cron_job, zone) + &last_runs(&explanation.related, time),
        Object::Job(job) => head(job, *now) + &failed_pods(subject, &explanation.related, time),
        Object::Pod(_) => String::new(),
    };
    let decided = decided(answer, &zone_clock);
    let remedy = explanation.obstacles.first().map(|first| &first.remedy);
    let headline = with_help(&explanation.headline.render(time), remedy, explanation.beside_headline(), time);
    format!("{headline}{}{complaints}\n{body}{decided}", warnings::lines(warnings, *now))
}

/// The clock by which times are shown: of a CronJob, that of its schedule; one that names no time zone is in `zone`.
fn zone_clock(object: &Object, zone: &Zone) -> ZoneClock {
    let timetable = if let Object::CronJob(cron_job) = object { CronJobTimetable::read(cron_job, zone).ok() } else { None };
    ZoneClock::new(timetable.map(|timetable| timetable.zone().clone()))
}

/// What is decided now, and what comes next.
fn decided(WrittenAnswer { subject, explanation, now, .. }: &WrittenAnswer<'_>, zone_clock: &ZoneClock) -> String {
    let time = |at: Timestamp| clock(at, *now, zone_clock);
    let Explanation { now: forecast, requeue_at, next, .. } = explanation;
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all");
    if !forecast.decisions.is_empty() {
        let decides = match subject.manager() {
            Some(manager) if subject.foreign() => format!("Kubernetes' controllers, in place of {manager},"),
            Some(manager) => manager.to_owned(),
            None => "the CronJob controller".to_owned(),
        };
        line(format!("At {}, {decides} would decide:", zone_clock.moment(*now)));
        lines(forecast, time).into_iter().for_each(&mut line);
    }
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
        Some(_) | None if requeue_at.is_none() && idle && explanation.obstacles.is_empty() => line(rest(&subject.object).to_owned()),
        Some(_) | None => {}
    }
    text
}

/// What follows where nothing is due.
fn rest(object: &Object) -> &'static str {
    match object {
        Object::CronJob(_) => "It waits only for changes to the CronJob and its Jobs.",
        Object::Job(job) if job.finished() => "Nothing more happens: the Job has finished.",
        Object::Job(_) | Object::Pod(_) => "It waits only for changes to the Job and its pods.",
    }
}

/// When a CronJob runs, on a line.
fn timetable(cron_job: &CronJob, zone: &Zone) -> String {
    let text = &cron_job.spec.schedule;
    let heading =
        CronJobTimetable::read(cron_job, zone).map_or_else(|_| text.to_string(), |timetable| format!("{text}: {}", timetable.words()));
    let suspended = if cron_job.suspended() && cron_job.managed_by().is_none() { ", suspended" } else { "" };
    format!("cronjob {}{suspended}: {heading}\n", cron_job.metadata.name)
}

/// What happened at the last scheduled times of a CronJob, one line each; those after the first to which the same happened share one.
fn last_runs(related: &[Related], time: impl Fn(Timestamp) -> String + Copy) -> String {
    let line = |Related { decision: Decision { kind, role, sentence, .. }, .. }: &Related| {
        format!("  {} {} ({})\n", role.mark(), sentence.render(time), kind.rule)
    };
    let lines = related.chunk_by(|one, other| alike(&one.decision, &other.decision)).map(|runs| match runs {
        [first, .., last] if runs.len() > 2 => {
            let Some(contract::Value::Time(until)) = last.decision.value(SCHEDULED_AT) else { return runs.iter().map(line).collect() };
            format!("{}    … and {} more until {}, for the same reason\n", line(first), runs.len() - 1, time(*until))
        }
        runs => runs.iter().map(line).collect(),
    });
    let heading = if related.is_empty() { "None of its scheduled times has passed yet.\n" } else { "Its last scheduled times:\n" };
    heading.to_owned() + &lines.collect::<String>()
}

/// Whether two decisions about runs differ only in when the runs were scheduled.
fn alike(one: &Decision, other: &Decision) -> bool {
    let rest = |decision: &Decision| {
        let untimed = decision.sentence.0.iter().filter(|part| !matches!(part, TextPart::Time(_)));
        untimed.cloned().collect::<Vec<TextPart>>()
    };
    one.kind == other.kind && rest(one) == rest(other)
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
pub(super) fn failure(subject: &Explained, pod: &ObjectRef) -> String {
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

/// The time of day, with the date if it is another one, and how far that is away.
pub(in super::super) fn clock(at: Timestamp, now: Timestamp, zone_clock: &ZoneClock) -> String {
    let seconds = at.duration_since(now).as_millis().div_euclid(1000) + i128::from(at.duration_since(now).subsec_millis() > 0);
    let length = length(seconds.unsigned_abs());
    let away = match seconds {
        0 => "now".to_owned(),
        1.. => format!("in {length}"),
        _ => format!("{length} ago"),
    };
    format!("{} ({away})", zone_clock.time(at, now))
}

/// A number of seconds in hours, minutes and seconds: `1m 15s`.
fn length(seconds: u128) -> String {
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")];
    parts.iter().filter(|(number, _)| *number > 0).map(|(number, unit)| format!("{number}{unit}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use contract::decision::{DecisionKind, Role, Sentence};
    use jiff::tz::TimeZone;

    use super::*;

    #[test]
    fn runs_to_which_the_same_happened_share_a_line() {
        let related = |(minute, text): (i64, &str)| {
            let at = api::time::after(Timestamp::UNIX_EPOCH, api::Duration::from_mins(minute));
            let sentence = Sentence(vec![TextPart::Text("The run of ".into()), TextPart::Time(at), TextPart::Text(text.into())]);
            let values = vec![(SCHEDULED_AT.into(), contract::Value::Time(at))];
            let kind = DecisionKind { rule: "C-1".into(), ..DecisionKind::default() };
            Related { object: ObjectRef::default(), decision: Decision { kind: kind.into(), role: Role::Routine, sentence, values } }
        };
        let runs = [(1, " started"), (2, " waits"), (3, " waits"), (4, " waits"), (5, " started"), (6, " started")].map(related);
        let shown = last_runs(&runs, |at| at.strftime("%H:%M").to_string());
        expect_test::expect![[r#"
            Its last scheduled times:
              · The run of 00:01 started (C-1)
              · The run of 00:02 waits (C-1)
                … and 2 more until 00:04, for the same reason
              · The run of 00:05 started (C-1)
              · The run of 00:06 started (C-1)
        "#]]
        .assert_eq(&shown);
    }

    #[test]
    fn times_are_local_and_say_how_far_away_they_are() {
        let zone = ZoneClock::Here(TimeZone::fixed(jiff::tz::offset(2)));
        let now: Timestamp = "2026-01-02T12:00:00.5Z".parse().unwrap();
        let shown = |seconds: i64| clock(now + api::Duration::from_secs(seconds), now, &zone);
        assert_eq!(shown(0), "14:00:00 (now)");
        assert_eq!(shown(75), "14:01:15 (in 1m 15s)");
        assert_eq!(shown(-60), "13:59:00 (1m ago)");
        assert_eq!(shown(12 * 3600), "2026-01-03 02:00:00 (in 12h)");
        assert_eq!(clock(now + api::Duration::from_millis(500), now, &zone), "14:00:01 (in 1s)", "not yet");
    }
}
