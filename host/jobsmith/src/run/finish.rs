//! What a run ends with: the last state of its CronJobs and Jobs, and why Jobs did not finish or were deleted.
//!
//! Docs: `jobsmith run --help`. When a run ends is decided in `mod.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use api::{Job, Kind};
use cluster::ApiServer;
use cluster::stored::Stored;
use play::{job_name, obstacles};
use story::runs::owner_of;

use super::super::answer::answer;
use super::super::ending::{self, FinalState, OutputFormat};
use super::super::zone_clock::ZoneClock;
use super::super::{CommandEnd, output, run_table};
use super::{Running, interruption};

/// Shows how it ended. Of CronJobs and Jobs that were deleted because the run was interrupted, the last status would be false, unless a Job had
/// finished.
pub(super) fn finish(mut run: Running, jobs: &[Job], end: CommandEnd) -> CommandEnd {
    let cut_off = |job: &Job| run.interrupted.is_some() && !job.finished();
    let shown: Vec<Job> = jobs.iter().filter(|job| !cut_off(job)).cloned().collect();
    run.last.retain(|stored| if stored.cron_job().is_some() { run.interrupted.is_none() } else { !stored.job().is_some_and(cut_off) });
    let (mut unfinished, mut obstacles) = (Vec::new(), BTreeMap::new());
    for job in jobs.iter().filter(|job| !job.finished()) {
        let found = obstacles::obstacles(&mut run.cluster.world.manager, Kind::Job, &job.metadata, &[], run.now);
        run.runs.keep(job, &found, true);
        obstacles.insert(job.metadata.uid.clone(), found.clone());
        unfinished.push((job, found));
    }
    let over = run.runs.finish(run.now);
    run.view.runs(&over);
    run.view.close(&shown, &run.runs, run.now);
    if run.output.for_people() {
        output::text(&run_table::tables(&run.runs));
    }
    let server = &run.cluster.world.server;
    let state =
        FinalState::new(run.last.iter(), server, &run.events, run.now).because(&run.finished, std::mem::take(&mut run.decided), obstacles);
    if !(run.last.is_empty() && run.output.for_people()) {
        output::text(&state.text(run.output));
    }
    if run.output != OutputFormat::Json {
        output::complain(&run.flaws.lines());
    }
    let interrupted = matches!(run.interrupted, Some(CommandEnd::Interrupted(_)));
    let until = !interrupted && run.limits.until.is_some_and(|until| until <= run.now);
    let cause = if until { "at --until" } else { "because of the interruption" };
    for (job, found) in unfinished {
        let name = job_name(&job.metadata, jobs.iter().map(|job| &job.metadata.namespace));
        output::complain(&if cut_off(job) {
            format!("job {name} did not finish: it was deleted {cause}\n")
        } else {
            let of = if jobs.len() > 1 { format!(" job {name}") } else { String::new() };
            ending::unfinished(
                &name,
                &found,
                &of,
                "--do",
                ending::play_time(run.start, ZoneClock::new(None)),
                run.now.duration_since(run.start),
            )
        });
    }
    if run.interrupted.is_some() {
        output::complain(&interruption::killed(server));
    } else {
        output::complain(&ending::deleted_unfinished(&run.finished, jobs.iter().map(|job| &job.metadata.namespace)));
        let blocked = run.waiting().filter(|(_, runs)| !run.flaws.block(runs));
        output::complain(&blocked.map(|(name, runs)| ending::starts_nothing(&run.runs.name(name), runs, "--do")).collect::<String>());
        if run.output.for_people() {
            explain_deletions(&run, server);
        }
    }
    if run.output.for_people() {
        let answer =
            answer(state.endings(&BTreeSet::new()), &ending::play_time(run.start, ZoneClock::new(None)), |pod| run.look_at(pod), run.quiet);
        output::text(&answer);
    }
    end
}

/// Prints which Jobs were deleted after they had finished, or would be.
fn explain_deletions(run: &Running, server: &ApiServer) {
    let gone = |job: &&Arc<Stored>| run.finished.gone(server).any(|gone| Arc::ptr_eq(gone, job));
    let (gone, there): (Vec<&Arc<Stored>>, Vec<&Arc<Stored>>) = run.last.iter().partition(gone);
    for job in gone {
        output::complain(&ending::deleted(job, run.last.iter().map(|job| &job.metadata().namespace)));
    }
    let alone = there.into_iter().filter_map(|stored| stored.job()).filter(|job| owner_of(&job.metadata).is_none());
    if let Some(note) = ending::unexpired(alone) {
        output::complain(note);
    }
}
