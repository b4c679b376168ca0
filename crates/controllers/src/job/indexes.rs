//! Completion mode: which indexes get a pod next.
//!
//! Docs: Jobs, "Completion mode", "Elastic Indexed Jobs" (J-86, J-101). Sets of indexes and their text are in `api::indexes`.

use api::{Job, Timestamp};

use super::backoff::BackoffDelay;
use super::backoff_per_index;
use super::failures::RuleDelays;
use super::tally::{Indexes, Tally, ascending};
use super::view::JobView;

/// The number of completions of an Indexed Job; `None` for others.
pub(crate) fn indexed_completions(job: &Job) -> Option<u32> {
    job.indexed().then(|| job.spec.completions.unwrap_or(0).try_into().unwrap_or(0))
}

/// The first `count` indexes that have no pod, ascending (J-101). Those that a rule delays are passed over; if it delays all, these are all.
pub(crate) fn missing(tally: &Tally<'_>, indexes: &Indexes<'_>, delays: &RuleDelays, count: usize) -> Vec<u32> {
    let terminating = if tally.only_replace_failed { &*tally.terminating } else { &[] };
    let taken = ascending(tally.active.iter().chain(terminating).filter_map(|pod| pod.index));
    let free = |index: &u32| taken.binary_search(index).is_err() && !tally.index_failed(*index);
    let missing = || indexes.succeeded.outside(indexes.completions).filter(free);
    let first: Vec<u32> = missing().filter(|index| delays.get(Some(*index)).is_none()).take(count).collect();
    if first.is_empty() && !delays.is_empty() { missing().collect() } else { first }
}

/// Which of the indexes can start, and, if none can, the one that can first and its delay (J-86).
pub(crate) fn ready(
    chosen: Vec<u32>,
    indexes: &Indexes<'_>,
    delays: &RuleDelays,
    view: &JobView<'_>,
    now: Timestamp,
) -> Result<Vec<u32>, (u32, BackoffDelay)> {
    let usual = |index: u32| backoff_per_index::delay(indexes.held.get(index)?, view, now);
    let delay = |index: u32| delays.get(Some(index)).cloned().or_else(|| usual(index));
    let waiting = chosen.iter().filter_map(|&index| Some((index, delay(index)?))).min_by_key(|(index, delay)| (delay.left, *index));
    let ready: Vec<u32> = chosen.into_iter().filter(|&index| delay(index).is_none()).collect();
    match waiting {
        Some(first) if ready.is_empty() => Err(first),
        Some(_) | None => Ok(ready),
    }
}
