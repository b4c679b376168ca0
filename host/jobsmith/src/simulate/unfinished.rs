//! Why Jobs have not finished at the end of a simulation, and which have finished and do not go.
//!
//! Docs: `jobsmith simulate --help`, exit status 3. What keeps a Job is found by the controllers (`play::obstacles`).

use std::collections::BTreeMap;

use api::{Job, Kind, Text, Timestamp};
use contract::Obstacle;
use host_embed::Guest;
use play::{Play, job_name, namespaces, obstacles};
use story::runs::{Runs, owner_of};

use super::super::ending;

/// Jobs that have not finished.
#[derive(Default)]
pub(super) struct Unfinished {
    /// Why, a line each; of those that a CronJob controls, the ones that are stuck.
    pub(super) lines: String,
    /// What keeps each, by its UID.
    pub(super) obstacles: BTreeMap<Text, Vec<Obstacle>>,
    /// Whether one that a CronJob controls is stuck.
    pub(super) stuck: bool,
}

/// Why Jobs have not finished, or have and do not go; times are written by `time`, and `option` is what ended the simulation.
pub(super) fn unfinished(
    play: &mut Play<Guest>,
    runs: &mut Runs,
    [start, end]: [Timestamp; 2],
    due: Option<Timestamp>,
    option: &str,
    time: impl Fn(Timestamp) -> String,
) -> Unfinished {
    let jobs: Vec<Job> = play.jobs().filter(|job| !job.finished() || job.metadata.deleting()).cloned().collect();
    let mut found_all = Unfinished::default();
    for job in jobs {
        let name = job_name(&job.metadata, namespaces(play.server()));
        let now = if due.is_some() { end } else { play.now() };
        let found = play.obstacles(Kind::Job, &job.metadata, now);
        found_all.obstacles.insert(job.metadata.uid.clone(), found.clone());
        let reason = obstacles::reason(&found, job.finished() && due.is_none(), &time);
        if job.finished() {
            found_all.lines += &reason.map(|reason| format!("job {name} has finished and is still there: {reason}\n")).unwrap_or_default();
            continue;
        }
        runs.keep(&job, &found, due.is_none());
        let owned = owner_of(&job.metadata).is_some();
        if owned && reason.is_none() {
            continue;
        }
        found_all.stuck |= owned;
        let of = if play.jobs().nth(1).is_some() { format!(" job {name}") } else { String::new() };
        found_all.lines += &match (due, play.stopped()) {
            (None, Some(reason)) => format!("job {name} did not finish: the simulation stopped: {reason}\n"),
            (None, None) if play.ended_by_script() => {
                let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                format!("job {name} has not finished at {}, where the script ends{reason}\n", time(now))
            }
            (None, None) => ending::unfinished(&name, &found, &of, "--script", &time, now.duration_since(start)),
            (Some(due), _) => {
                let [end, due] = [end, due].map(&time);
                let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                format!("job {name} has not finished after {end} ({option}){reason}; the next event is due at {due}\n")
            }
        };
    }
    found_all
}
