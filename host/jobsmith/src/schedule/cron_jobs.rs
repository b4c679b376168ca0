//! The CronJobs of a file: when each runs next, and what its other fields do to its runs.
//!
//! Docs: CronJob, "Deadline for delayed Job start", "Concurrency policy", "Schedule suspension", "Jobs history limits" (C-18, C-24, C-25, C-40, C-71). The
//! table of runs is made in `schedule/mod.rs`, what the API server refuses is decided in `admission`.

use std::path::Path;
use std::sync::Arc;

use api::annotation::{DELAY_DURING, InvalidAnnotation, MAX_ACTIVE, PAUSE_AFTER_FAILURES, RESUMED_AT, SPREAD_SECONDS, SUSPEND};
use api::cron_job::concurrency_policy;
use api::request::{ApiError, Request};
use api::{CronJob, CronJobSpec, DEFAULT_NAMESPACE, Duration, Kind, ObjectMeta, Timestamp, time};
use cluster::naming::Names;
use cluster::stored::Stored;
use cluster::{ApiServer, Dependence};
use manifest::{CronJobManifest, ManifestObject};
use prediction::ShortDeadline;
use schedule::Schedule;
use serde_json::Value;
use story::timetable::CronJobTimetable;

use super::super::CommandEnd;
use super::super::input::{Input, Inputs};
use super::super::output::{self, Format};
use super::{Arguments, NextRuns, PASSED_OVER, PAST_DEADLINE, WindowEffect};

/// The shortest deadline that Kubernetes does not warn about.
const SHORT_DEADLINE: i64 = 10;

/// Prints the next runs of all CronJobs in a file.
pub(super) fn run(file: &Path, arguments: &Arguments, now: Timestamp) -> CommandEnd {
    let Ok(inputs) = Inputs::read(&[file.to_owned()], manifest::objects) else { return CommandEnd::BadInput };
    let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
    let (mut cron_jobs, mut refused) = (Vec::new(), false);
    for (at, Input { object, .. }) in inputs.objects.iter().enumerate() {
        let ManifestObject::CronJob(manifest) = object else { continue };
        match admit(&mut server, manifest, now) {
            Ok(stored) => cron_jobs.push(stored),
            Err(error) => {
                inputs.complain(at, manifest::refusals(&manifest.document, &error));
                refused = true;
            }
        }
    }
    if refused {
        return CommandEnd::BadInput;
    }
    inputs.warn(now);
    if cron_jobs.is_empty() {
        output::error(&format!("there is no CronJob in {}; pass a file with an object of kind CronJob", inputs.sources[0].name));
        return CommandEnd::BadInput;
    }
    server.take_warnings().iter().for_each(|warning| output::complain(&format!("warning: {}\n", warning.text)));
    let shown = cron_jobs.iter().filter_map(|stored| stored.cron_job()).map(|cron_job| shown(cron_job, arguments, now));
    match shown.collect::<Result<Vec<(String, CommandEnd)>, String>>() {
        Ok(shown) => {
            let between = if arguments.output == Format::Text { "\n" } else { "" };
            output::text(&shown.iter().map(|(text, _)| &**text).collect::<Vec<_>>().join(between));
            shown.iter().fold(CommandEnd::Reached, |all, (_, end)| all.or(*end))
        }
        Err(error) => {
            output::error(&error);
            CommandEnd::BadInput
        }
    }
}

/// The CronJob as the API server stores it; as it is, if a cluster has stored it already.
fn admit(
    server: &mut ApiServer,
    CronJobManifest { document, cron_job }: &CronJobManifest,
    now: Timestamp,
) -> Result<Arc<Stored>, ApiError> {
    let namespace = if cron_job.metadata.namespace.is_empty() { DEFAULT_NAMESPACE } else { &cron_job.metadata.namespace };
    let text = document.value().to_string();
    let name = if cron_job.metadata.uid.is_empty() {
        server.execute(&Request::create(Kind::CronJob, namespace, text), now)?.written().name
    } else {
        server.restore(Kind::CronJob, namespace, &text)?;
        cron_job.metadata.name.to_string()
    };
    Ok(server.object(Kind::CronJob, namespace, &name).cloned().expect("it was stored"))
}

/// The next runs of a CronJob, and for people a sentence on each field that has a say in them; and how the command ends because of them.
fn shown(cron_job: &CronJob, arguments: &Arguments, now: Timestamp) -> Result<(String, CommandEnd), String> {
    let CronJob { metadata: ObjectMeta { namespace, name, .. }, spec, .. } = cron_job;
    let timetable = CronJobTimetable::read(cron_job, &arguments.time_zone).map_err(|error| format!("cronjob {name}: {error}"))?;
    let (schedule, invalid) = (timetable.schedule(), |error| format!("cronjob {name}: {error}"));
    let runs = NextRuns::of(&spec.schedule, schedule, &|at| delay(&timetable, spec, at), arguments, now)?;
    if arguments.output == Format::Json {
        return Ok((runs.json_lines(Some((namespace, name))), runs.end()));
    }
    let suspension = suspension(cron_job).map_err(invalid)?;
    let extensions = cron_job.extensions().map_err(invalid)?;
    let spread = spread(cron_job.longest_spread().map_err(invalid)?, extensions.delay_during.is_some());
    let policy = extensions.max_active.map_or_else(|| policy(spec), limit);
    let pause = extensions.pause_after_failures.map(pause);
    let sentences = [suspension, spread, Some(deadline(spec, schedule)), Some(policy), Some(history(spec)), pause];
    let sentences = sentences.into_iter().flatten().collect::<Vec<_>>().join("\n");
    Ok((format!("cronjob {name}: {}\n{sentences}\n", runs.table()), runs.end()))
}

/// What windows do to the run of a scheduled time that they delay: when they end, only the last run that is due starts, if it is in time.
fn delay(timetable: &CronJobTimetable, spec: &CronJobSpec, scheduled_at: Timestamp) -> WindowEffect {
    let Some(until) = timetable.delayed_until(scheduled_at) else { return WindowEffect::None };
    let deadline = spec.starting_deadline_seconds.map(|seconds| time::after(scheduled_at, Duration::from_secs(seconds)));
    match () {
        () if deadline.is_some_and(|deadline| deadline <= until) => WindowEffect::Skips(PAST_DEADLINE),
        () if timetable.next(scheduled_at).is_some_and(|next| next <= until) => WindowEffect::Skips(PASSED_OVER),
        () => WindowEffect::Delays(until),
    }
}

/// What is done about runs that were missed, once they may start.
fn catching_up(spec: &CronJobSpec) -> String {
    match spec.starting_deadline_seconds {
        None => "the last of the missed runs starts at once".to_owned(),
        Some(0) => "no missed run starts".to_owned(),
        Some(seconds) => format!("the last of the missed runs starts at once, if its scheduled time is at most {seconds} s ago"),
    }
}

/// What its suspension does; beside the built-in controller, an annotation counts.
fn suspension(cron_job: &CronJob) -> Result<Option<String>, InvalidAnnotation> {
    let sentence =
        |field: &str| format!("{field} is true: none of these runs starts. When the CronJob is resumed, {}.", catching_up(&cron_job.spec));
    Ok(match cron_job.managed_by() {
        None => cron_job.suspended().then(|| sentence("suspend")),
        Some(_) if cron_job.suspended_by_annotation()? => Some(sentence(SUSPEND)),
        Some(manager) => {
            cron_job.suspended().then(|| format!("suspend is true for the built-in controller only: {manager} starts these runs."))
        }
    })
}

fn spread(longest: Duration, in_windows: bool) -> Option<String> {
    let sentence = || {
        let windows = if in_windows { format!(" {DELAY_DURING} delays a run that would then start in a window.") } else { String::new() };
        format!(
            "{SPREAD_SECONDS} is {0}: each run starts up to {0} s after its scheduled time, with the same delay every time.{windows}",
            longest.as_secs()
        )
    };
    (!longest.is_zero()).then(sentence)
}

fn deadline(spec: &CronJobSpec, schedule: &Schedule) -> String {
    let never = ShortDeadline::of(spec, schedule).map(|never| match never {
        ShortDeadline::BelowInterval { deadline, interval } => format!(
            "startingDeadlineSeconds is {}, which is less than the interval: no run ever starts. Set it to {} or more, or remove it.",
            deadline.as_secs(),
            interval.as_secs()
        ),
        ShortDeadline::Zero => {
            "startingDeadlineSeconds is 0: no run ever starts, as each is too late as soon as it is due. Set it to 10 or more, or remove it.".to_owned()
        }
    });
    never.unwrap_or_else(|| match spec.starting_deadline_seconds {
        None => "startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.".to_owned(),
        Some(seconds) => {
            let short = " Kubernetes warns that with less than 10 s, Jobs may not be scheduled at all, because the controller may check only every 10 s.";
            let warning = if seconds < SHORT_DEADLINE { short } else { "" };
            format!("startingDeadlineSeconds is {seconds}: a run that cannot start within {seconds} s of its time is skipped.{warning}")
        }
    })
}

fn policy(spec: &CronJobSpec) -> String {
    match &*spec.concurrency_policy {
        concurrency_policy::FORBID => {
            format!(
                "concurrencyPolicy is Forbid: no run starts while the Job of an earlier one is running; when that Job ends, {}.",
                catching_up(spec)
            )
        }
        concurrency_policy::REPLACE => {
            "concurrencyPolicy is Replace: a Job that is still running is deleted with its pods when the next run starts.".to_owned()
        }
        _ => "concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.".to_owned(),
    }
}

fn limit(most: u32) -> String {
    let jobs = if most == 1 { "Job is" } else { "Jobs are" };
    format!(
        "concurrencyPolicy is Allow, and {MAX_ACTIVE} is {most}: no run starts while {most} {jobs} running; when one ends, the last of the missed runs starts at once."
    )
}

fn pause(failures: u32) -> String {
    let runs = if failures == 1 { "a run has failed".to_owned() } else { format!("{failures} runs in a row have failed") };
    format!(
        "{PAUSE_AFTER_FAILURES} is {failures}: after {runs}, no more start until {RESUMED_AT} has a later time, or a Job of it succeeds."
    )
}

fn history(spec: &CronJobSpec) -> String {
    let kept = |limit: Option<i32>, which: &str| match limit {
        None => format!("all {which} Jobs"),
        Some(0) => format!("no {which} Jobs"),
        Some(1) => format!("the last {which} Job"),
        Some(limit) => format!("the last {limit} {which} Jobs"),
    };
    let [successful, failed] = [kept(spec.successful_jobs_history_limit, "successful"), kept(spec.failed_jobs_history_limit, "failed")];
    let limits = format!("The history limits keep {successful} and {failed}");
    let job: Value = serde_json::from_str(spec.job_template.spec.json()).unwrap_or_default();
    match job["ttlSecondsAfterFinished"].as_i64() {
        None => format!("{limits}."),
        Some(0) => format!("{limits}, but ttlSecondsAfterFinished is 0: each Job is deleted as soon as it has finished."),
        Some(seconds) => format!(
            "{limits}, but ttlSecondsAfterFinished is {seconds}: each Job is deleted {seconds} s after it has finished at the latest."
        ),
    }
}
