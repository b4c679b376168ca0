//! Random CronJobs whose runs all fail: when the first one starts, what happens to those after it, and what remains. And their times in a year.
//!
//! Docs: CronJob, "Concurrency policy", "Jobs history limits", "Time zones".

use std::collections::BTreeMap;

use api::job::conditions;
use api::{CronJob, Duration, Job, Text, Timestamp, time};
use cluster::rng::Rng;
use core_tests::native::Native;
use play::{Bounds, Play};
use prediction::{CronJobPrediction, FailedJob, Failing, FutureRuns, JobPrediction, Overlap, OverlapPolicy, ScheduledRuns};
use schedule::{CronJobTimetable, Zone};
use script::Script;

use super::draw::{Draw, DrawnCronJob};
use super::none;

/// How many CronJobs are played.
const PLAYED: usize = 200;
/// How many have their times counted.
const COUNTED: usize = 300;
/// How long a run is awaited.
const LONG: Duration = Duration::from_hours(8);
/// A play of more than this is not held against the prediction.
const BOUNDS: Bounds = Bounds { pods: 3_000, steps: 20_000 };

/// A Job as it was seen.
struct ShownRun {
    created_at: Timestamp,
    scheduled_at: Timestamp,
    /// When it was decided that it fails.
    failed_at: Option<Timestamp>,
    finished_at: Option<Timestamp>,
    gone_at: Option<Timestamp>,
}

#[test]
fn cron_jobs_whose_runs_fail_do_what_was_predicted() {
    let mut draw = Draw { rng: Rng::new(4), deadlines: true, ttl: false };
    let (mut differences, mut compared) = (Vec::new(), 0);
    while compared < PLAYED {
        let start = moment(&mut draw.rng);
        let DrawnCronJob { sent, stored } = draw.cron_job(start);
        let predicted = CronJobPrediction::of(&stored, &Zone::utc(), start).expect("its schedule is one");
        let Some(end) = end_of_play(&predicted, &stored, start) else { continue };
        let Some(shown) = played(&sent, start, end) else { continue };
        compared += 1;
        let found = differs(&predicted, &shown, end);
        differences.extend(found.map(|found| format!("{sent}\n  from {start} to {end}\n  predicted {predicted:?}\n  played {found}")));
    }
    none(&differences);
}

#[test]
fn the_runs_of_a_year_are_counted_as_they_come() {
    let mut draw = Draw { rng: Rng::new(5), deadlines: true, ttl: false };
    for _ in 0..COUNTED {
        let now = moment(&mut draw.rng);
        let stored = draw.cron_job(now).stored;
        let predicted = CronJobPrediction::of(&stored, &Zone::utc(), now).expect("its schedule is one");
        let FutureRuns::Scheduled(ScheduledRuns { in_a_year, next, .. }) = predicted.runs else { continue };
        let timetable = CronJobTimetable::read(&stored, &Zone::utc()).expect("its schedule is one");
        let times = std::iter::successors(timetable.next(now), |last| timetable.next(*last));
        let end = now + Duration::from_hours(365 * 24);
        let count = times.take_while(|at| *at <= end).count();
        assert_eq!((in_a_year, Some(next)), (count as u64, timetable.next(now)), "{:?} from {now}", stored.spec);
    }
}

/// A time around which clocks may change.
fn moment(rng: &mut Rng) -> Timestamp {
    let days = *rng.pick(&[0, 66, 87, 180, 296, 303]);
    play::start() + Duration::from_secs(i64::try_from(days * 86_400 + rng.below(86_400)).expect("it is a year"))
}

/// Until when to play: the end of the first run, and what follows from it. `None` if that takes too long, or is decided by a tie.
fn end_of_play(predicted: &CronJobPrediction, cron_job: &CronJob, start: Timestamp) -> Option<Timestamp> {
    let JobPrediction::Runs(run) = &predicted.run else { return None };
    let FutureRuns::Scheduled(ScheduledRuns { next, .. }) = &predicted.runs else { return Some(start + LONG) };
    let after = match &run.failing {
        Failing::Ends(FailedJob { after, .. }) => *after,
        Failing::GoesOn { .. } => Duration::from_hours(1),
    };
    let timetable = CronJobTimetable::read(cron_job, &Zone::utc()).ok()?;
    let tied = (-3..=3).any(|seconds| {
        let at = time::after(*next, after + Duration::from_secs(seconds));
        timetable.next(time::after(at, Duration::from_secs(-1))) == Some(at)
    });
    let second = timetable.next(*next)?.duration_since(*next);
    (after < LONG && !tied).then(|| time::after(*next, after.max(second) + Duration::from_secs(20)))
}

/// The Jobs of a CronJob in the order in which they were created; `None` if there is too much of them.
fn played(sent: &Text, start: Timestamp, end: Timestamp) -> Option<Vec<ShownRun>> {
    let script = Script::parse("container main: exit 1 after 0s\npods: succeed after 0s").expect("the script is one");
    let mut play = Play::new(Native::default(), &script, std::slice::from_ref(sent), start).expect("the CronJob is valid");
    play.bounds = BOUNDS;
    let mut runs = BTreeMap::<(Timestamp, Text), ShownRun>::new();
    let mut created = BTreeMap::<Text, Timestamp>::new();
    while let Some(moment) = play.next_moment(end) {
        // The controller starts runs a tenth of a second late (C-41).
        let now = time::whole_seconds(moment[0].at);
        for touched in moment.iter().flat_map(|step| &step.touched) {
            let Some(job) = touched.after.job() else { continue };
            let created_at = *created.entry(job.metadata.uid.clone()).or_insert(now);
            let run = runs.entry((created_at, job.metadata.uid.clone())).or_insert_with(|| ShownRun::new(job, now));
            let at = |kind: &str| job.condition(kind).map(|_| now);
            run.failed_at = run.failed_at.or(at(conditions::FAILURE_TARGET));
            run.finished_at = run.finished_at.or(at(conditions::FAILED));
            run.gone_at = run.gone_at.or((touched.gone || job.metadata.deleting()).then_some(now));
        }
    }
    play.stopped().is_none().then(|| runs.into_values().collect())
}

impl ShownRun {
    fn new(job: &Job, created_at: Timestamp) -> Self {
        let scheduled_at = job.scheduled_at().expect("a CronJob created it");
        Self { created_at, scheduled_at, failed_at: None, finished_at: None, gone_at: None }
    }
}

/// What was played, if it is not what was predicted.
fn differs(predicted: &CronJobPrediction, shown: &[ShownRun], end: Timestamp) -> Option<String> {
    let (FutureRuns::Scheduled(ScheduledRuns { next, .. }), JobPrediction::Runs(run)) = (&predicted.runs, &predicted.run) else {
        return (!shown.is_empty()).then(|| format!("{} runs", shown.len()));
    };
    let Some(first) = shown.first() else { return Some("no run".to_owned()) };
    if [first.scheduled_at, first.created_at] != [*next; 2] {
        return Some(format!("a first run at {} for {}", first.created_at, first.scheduled_at));
    }
    let failed_at = match &run.failing {
        Failing::Ends(FailedJob { after, .. }) => Some(time::after(*next, *after)),
        Failing::GoesOn { .. } => None,
    };
    let over = failed_at.unwrap_or(end);
    let beside = shown[1..].iter().filter(|run| run.created_at < over).count() as u64;
    let replaced = first.gone_at.is_some_and(|gone_at| gone_at <= over) && first.finished_at.is_none();
    let late = first
        .finished_at
        .is_some_and(|finished_at| shown[1..].iter().any(|run| run.created_at == finished_at && run.scheduled_at < finished_at));
    // It stays until as many runs after it have failed as are kept.
    let limit = run.removal_when_failed.history_limit.and_then(|limit| usize::try_from(limit).ok());
    let mut finished: Vec<Timestamp> = shown.iter().filter_map(|run| run.finished_at).collect();
    finished.sort_unstable();
    let removed_at = limit.and_then(|limit| finished.get(limit).copied());
    let kept = first.finished_at.is_none() || first.gone_at == removed_at;
    let as_predicted = kept
        && match predicted.overlap {
            None | Some(Overlap { times: Some(0), .. }) => beside == 0 && first.failed_at == failed_at,
            Some(Overlap { policy: OverlapPolicy::Replace, .. }) => replaced && shown[1].created_at == first.gone_at.unwrap_or(end),
            Some(Overlap { policy: OverlapPolicy::Allow, times }) => {
                times.is_none_or(|times| beside == times) && first.failed_at == failed_at
            }
            Some(Overlap { policy: OverlapPolicy::Forbid { starts_late }, .. }) => {
                beside == 0 && first.failed_at == failed_at && late == starts_late
            }
        };
    (!as_predicted).then(|| {
        format!(
            "{beside} beside it until {over}, failed at {:?}, replaced {replaced}, a late one {late}, gone {:?}",
            first.failed_at, first.gone_at
        )
    })
}
