//! When a simulation begins.
//!
//! Docs: `jobsmith simulate --help`, `--from`. When the objects of a cluster were left is found in `play::found`.

use ::schedule::Zone;
use api::{Timestamp, time};
use manifest::ManifestObject;
use past::ReadAt;
use story::timetable::CronJobTimetable;

use super::super::input::{BadInput, Input, Inputs};
use super::super::{output, schedule};
use super::Arguments;

/// When the simulation begins: at `--from`; with a CronJob of a cluster that no session has played, by the clock; or where the objects were left, at `last`.
pub(super) fn beginning(arguments: &Arguments, inputs: &Inputs<ManifestObject>, last: Timestamp, played: bool) -> Result<ReadAt, BadInput> {
    if let Some(from) = &arguments.from {
        return schedule::read_time(from, &zone_of_from(arguments, inputs)).map(|at| ReadAt { at, or_later: false }).map_err(|error| {
            output::error(&format!("--from: {error}"));
            BadInput
        });
    }
    let note = |note: String| {
        if arguments.output.for_people() {
            output::complain(&format!("note: {note}\n"));
        }
    };
    if !played && play::live_cron_job(&inputs.texts()) {
        let now = time::whole_seconds(Timestamp::now());
        if last < now {
            let [last, now] = [last, now].map(time::text);
            note(format!("the simulation begins now, at {now}; to begin at the last time in these objects, pass --from {last}"));
        }
        return Ok(ReadAt { at: last.max(now), or_later: false });
    }
    let or_later = !played && inputs.objects.iter().any(|input| live_and_unfinished(&input.object));
    if or_later {
        let last = time::text(last);
        note(format!(
            "the simulation begins at {last}, the last time in these objects; if they were read later, pass that time with --from, or --from now"
        ));
    }
    Ok(ReadAt { at: last, or_later })
}

/// The zone of a local time that is given with `--from` or `--until`: that of the CronJobs if they are all in one, as in `jobsmith schedule`, or else that of `--time-zone`.
pub(super) fn zone_of_from(arguments: &Arguments, inputs: &Inputs<ManifestObject>) -> Zone {
    let zone = arguments.configuration.zone();
    let of_cron_job = |input: &Input<ManifestObject>| {
        let ManifestObject::CronJob(manifest) = &input.object else { return None };
        CronJobTimetable::read(&manifest.cron_job, &zone).ok().map(|timetable| timetable.zone().clone())
    };
    let zones: Vec<Zone> = inputs.objects.iter().filter_map(of_cron_job).collect();
    zones.first().filter(|first| zones.iter().all(|other| other == *first)).cloned().unwrap_or(zone)
}

/// Whether this is a Job of a real cluster that goes on.
fn live_and_unfinished(object: &ManifestObject) -> bool {
    matches!(object, ManifestObject::Job(manifest) if !manifest.job.finished() && play::uuid(&manifest.job.metadata.uid))
}
