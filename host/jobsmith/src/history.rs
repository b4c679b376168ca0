//! What happened: the past of Jobs of a cluster, in lines by the clock on the wall.
//!
//! Docs: `jobsmith simulate --help`, `jobsmith explain --help`. The past is made in the crate `past`; what follows is played in `simulate/`.

use api::{DEFAULT_NAMESPACE, Kind, ObjectMeta, Text, Timestamp, time};
use contract::Explanation;
use host_embed::Guest;
use past::{JobStanding, OtherStanding, Past, ReadAt, RecordedJob, SUMMED_UP, Urgency};
use play::trace::{Entry, Transcript, What};
use schedule::Zone;
use script::ObjectName;
use serde_json::{Value, json};

use super::answer::with_name;
use super::headline::with_help;
use super::output;
use super::recorded_runs::RecordedRuns;
use super::zone_clock::ZoneClock;

/// How a past is shown.
pub(crate) struct HistoryOptions {
    /// As objects for programs, one a line.
    pub(crate) json: bool,
    /// Also what is routine.
    pub(crate) why: bool,
    /// The zone of its times, if one is named.
    pub(crate) zone: Option<Zone>,
    /// The last time in the objects, if the play begins at a later one.
    pub(crate) recorded_until: Option<Timestamp>,
    /// The Job whose past is shown, if one is named.
    pub(crate) job: Option<ObjectName>,
}

/// A Job, and how it stands.
type RecordStanding = (RecordedJob, JobStanding);

/// How many Jobs that are stuck or Failed have a line at most.
const MOST_URGENT: usize = 100;

/// Whether there is one Job of this name with a past among objects; if not, why.
///
/// # Errors
/// There is none, or there are several.
pub(crate) fn has_past(job: &ObjectName, objects: &[Text]) -> Result<(), String> {
    let head = |text: &Text| {
        let value: Value = serde_json::from_str(text).ok()?;
        let metadata = |field: &str, absent: &str| value["metadata"][field].as_str().unwrap_or(absent).to_owned();
        (value["kind"] == Kind::Job.name()).then(|| (metadata("namespace", DEFAULT_NAMESPACE), metadata("name", "")))
    };
    let named: Vec<(String, String)> = objects.iter().filter_map(head).filter(|(namespace, name)| job.is(namespace, name)).collect();
    match &named[..] {
        [] => Err(format!("there is no Job {job} in the input; pass --job with the name of one that is")),
        [_] if !RecordedJob::all(objects).iter().any(|record| job.names(&record.job.metadata)) => {
            Err(format!("nothing has happened to Job {job} yet: no controller has acted on it"))
        }
        [_] => Ok(()),
        [(first, _), (second, _), ..] => Err(format!(
            "there are several Jobs {job} in the input; name the namespace, as in --job {first}/{name} or --job {second}/{name}",
            name = job.name
        )),
    }
}

/// Shows the past of the Jobs of a cluster: all of that of the one that people ask about, a line of each other one, the most urgent first. Returns whether
/// there is any.
pub(crate) fn show(
    options: &HistoryOptions,
    objects: &[Text],
    read: ReadAt,
    guest: impl FnOnce() -> anyhow::Result<Guest>,
) -> anyhow::Result<bool> {
    let records = RecordedJob::all(objects);
    if records.is_empty() && !objects.iter().any(|object| play::found(object)) {
        return Ok(false);
    }
    let (mut guest, now) = (guest()?, read.at);
    output::text(&others_without_past(options, &OtherStanding::of(&mut guest, objects, &records, read), now));
    let clock = |record: &RecordedJob| {
        let own = || record.time_zone().and_then(|name| Zone::named(name));
        ZoneClock::new(options.zone.clone().or_else(own))
    };
    let named = |record: &RecordedJob| options.job.as_ref().is_some_and(|job| job.names(&record.job.metadata));
    let standings: Vec<RecordStanding> = JobStanding::ranked(&mut guest, records, read, named);
    let name = |record: &RecordedJob| {
        let ObjectMeta { namespace, name, .. } = &record.job.metadata;
        ObjectName::among(namespace, name, standings.iter().map(|(other, _)| &other.job.metadata.namespace))
    };
    let Some(((opened, standing), others)) = standings.split_first() else { return Ok(false) };
    let clock_of_opened = clock(opened);
    if options.json {
        output::text(&heading_for_programs(opened, standing));
    } else {
        let runs = RecordedRuns::new(objects, &standings, options.zone.clone().unwrap_or_else(Zone::utc));
        output::text(&runs.tables());
        // The tables have no help.
        let others: Vec<_> =
            others.iter().filter(|(record, standing)| !runs.cover(record) || standing.urgency() == Urgency::Stuck).collect();
        let headings = heading(opened, standing, name, now, &clock_of_opened) + &summaries(&others, name, now, clock);
        output::text(&(headings + "\n"));
        if standings.len() > 1 {
            output::text(&format!("What happened to job {} (--job NAME shows another one):\n", name(opened)));
        }
    }
    let headed = if standing.ending.finished() { standing.ending.at.unwrap_or(now) } else { now };
    if opened.without_pods() {
        if !options.json {
            output::text(&without_pods(opened, headed, &clock_of_opened));
        }
        return Ok(true);
    }
    print(options, Past::new(guest, opened.clone()).0, headed, &clock_of_opened);
    if standing.ending.finished() && !options.json {
        // The heading may have gone off the screen.
        output::text(&format!("{}\n\n", answer(opened, standing, name, now, &clock_of_opened)));
    }
    Ok(true)
}

/// How CronJobs stand, and Jobs that something keeps from beginning: what a person knows from `jobsmith explain`.
fn others_without_past(options: &HistoryOptions, standings: &[OtherStanding], now: Timestamp) -> String {
    let one = |OtherStanding { object, time_zone, explanation, later }: &OtherStanding| {
        if options.json {
            let kind = object.kind.to_lowercase();
            let mut object = json!({"type": "past", "namespace": object.namespace, kind: object.name, "headline": explanation.headline, "obstacles": explanation.obstacles});
            add_later(&mut object, later.as_ref());
            return format!("{object}\n");
        }
        let clock = ZoneClock::new(options.zone.clone().or_else(|| time_zone.as_deref().and_then(Zone::named)));
        let shown = |at: Timestamp| clock.time(at, now);
        let answer = format!("At {}: {}", clock.moment(now), explanation.headline.render(shown));
        let first = explanation.obstacles.first();
        let outdated = options.recorded_until.filter(|until| first.and_then(|first| first.since).is_some_and(|since| since > *until));
        let outdated = outdated
            .map(time::text)
            .map(|last| format!("        Or these objects are older than that: pass --from {last}, the last time in them\n"));
        // What else there is about its Jobs is said of them.
        with_help(&answer, first.map(|first| &first.remedy), [].iter(), shown)
            + &if_still_so(later.as_ref(), shown)
            + &outdated.unwrap_or_default()
            + "\n"
    };
    standings.iter().map(one).collect()
}

/// Shows what happened, entry by entry; the first line has a date if that is another one than that of the heading.
fn print(options: &HistoryOptions, mut past: Past, headed: Timestamp, clock: &ZoneClock) {
    let (day, wall) = (past.start(), clock.clone());
    if !options.json {
        output::text(&clock.other_date(day, headed));
    }
    let mut transcript = Transcript::with(move |at| wall.time(at, day));
    let (mut estimated, mut differs) = (false, false);
    while let Some(moment) = past.next_moment() {
        for entry in moment.iter().flat_map(|step| &step.entries) {
            estimated |= entry.estimated;
            differs |= matches!(entry.what, What::Difference { .. });
            output::text(&line(options, entry, &mut transcript));
        }
    }
    if !options.json {
        let except = if differs { ", except where marked ≠" } else { "" };
        let least = if estimated { " Lines marked (estimated) left no trace: they are the least that must have happened." } else { "" };
        output::text(&format!("Up to {}, everything is as recorded{except}.{least}\n\n", clock.time(past.end(), day)));
    }
}

/// A line for each of the other Jobs, with what helps if it is stuck; of many that are neither stuck nor Failed, their number.
fn summaries(
    others: &[&RecordStanding],
    name: impl Fn(&RecordedJob) -> ObjectName + Copy,
    now: Timestamp,
    clock: impl Fn(&RecordedJob) -> ZoneClock,
) -> String {
    let line = |(record, standing): &&RecordStanding| {
        let helped = match standing.urgency() {
            Urgency::Stuck => true,
            // What holds up its deletion.
            Urgency::Failed | Urgency::Complete => standing.remedy().is_some(),
            Urgency::Waiting | Urgency::UnderWay => false,
        };
        let clock = clock(record);
        if helped { heading(record, standing, name, now, &clock) } else { answer(record, standing, name, now, &clock) + "\n" }
    };
    let urgent = others.iter().filter(|(_, standing)| standing.urgency() <= Urgency::Failed).count();
    let (shown, more) = others.split_at(urgent.clamp(SUMMED_UP, MOST_URGENT).min(others.len()));
    let mut text: String = shown.iter().map(line).collect();
    if !more.is_empty() {
        let s = if more.len() == 1 { "" } else { "s" };
        text.push_str(&format!("{} more Job{s}: {}\n", more.len(), counts(more)));
    }
    text
}

/// How many Jobs stand how.
fn counts(standings: &[&RecordStanding]) -> String {
    let words = |urgency| match urgency {
        Urgency::Stuck => "stuck",
        Urgency::Failed => "Failed",
        Urgency::Waiting => "waiting",
        Urgency::UnderWay => "under way",
        Urgency::Complete => "Complete",
    };
    let numbers = standings.chunk_by(|(_, one), (_, other)| one.urgency() == other.urgency());
    numbers.map(|same| format!("{} {}", same.len(), words(same[0].1.urgency()))).collect::<Vec<_>>().join(", ")
}

/// How a Job stands in one line, by the clock of its zone: when it ended, or what the controllers say of it.
fn answer(
    record: &RecordedJob,
    standing: &JobStanding,
    name: impl Fn(&RecordedJob) -> ObjectName,
    now: Timestamp,
    clock: &ZoneClock,
) -> String {
    if standing.ending.finished() {
        return sentence(record, standing, name, |at| clock.moment(at));
    }
    let text = sentence(record, standing, name, |at| clock.time(at, now));
    format!("At {}: {text}", clock.moment(now))
}

/// How a Job stands, with its namespace where several have Jobs.
fn sentence(
    record: &RecordedJob,
    standing: &JobStanding,
    name: impl Fn(&RecordedJob) -> ObjectName,
    time: impl Fn(Timestamp) -> String,
) -> String {
    with_name(&standing.sentence(), &record.job.metadata.name, &name(record), time)
}

/// How the Job stands, and what helps.
fn heading(
    record: &RecordedJob,
    standing: &JobStanding,
    name: impl Fn(&RecordedJob) -> ObjectName,
    now: Timestamp,
    clock: &ZoneClock,
) -> String {
    let (answer, time) = (answer(record, standing, name, now, clock), |at| clock.time(at, now));
    with_help(&answer, standing.remedy(), standing.beside(), time) + &if_still_so(standing.later.as_ref(), time)
}

/// What an object is stuck on if nothing has changed since, and what helps then.
fn if_still_so(later: Option<&Explanation>, time: impl Fn(Timestamp) -> String + Copy) -> String {
    let Some(later) = later else { return String::new() };
    let answer = format!("  if that is still so later: {}", later.headline.render(time));
    with_help(&answer, later.obstacles.first().map(|first| &first.remedy), [].iter(), time)
}

/// Adds to an object for programs what it is stuck on if nothing has changed since.
fn add_later(object: &mut Value, later: Option<&Explanation>) {
    if let Some(later) = later {
        object["later"] = json!({"headline": later.headline, "obstacles": later.obstacles});
    }
}

/// How the Job stands, for programs.
fn heading_for_programs(record: &RecordedJob, standing: &JobStanding) -> String {
    let metadata = &record.job.metadata;
    let mut object = json!({"type": "past", "namespace": metadata.namespace, "job": metadata.name, "ending": standing.ending});
    if let Some(explanation) = &standing.explanation {
        (object["headline"], object["obstacles"]) = (json!(explanation.headline), json!(explanation.obstacles));
    }
    add_later(&mut object, standing.later.as_ref());
    format!("{object}\n")
}

/// What the status of a Job shows that came without its pods, and how to get them.
fn without_pods(record: &RecordedJob, headed: Timestamp, clock: &ZoneClock) -> String {
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
    let mut text = clock.other_date(day, headed);
    text.extend(lines.into_iter().map(|(at, line)| format!("{} job {}: {line}\n", clock.time(at, day), job.metadata.name)));
    text.push_str(&format!(
        "Its pods are missing from these objects; they have the exit codes, and the times of what happened in between. If they still exist, get them with\n  {} | jobsmith simulate -\n\n",
        record.pods_command()
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
