//! L1: when a Job's clock starts, and that it is set back only by a suspension.
//!
//! Docs: Jobs, "Suspending a Job", "Job termination and cleanup" (J-46, J-52, J-121, J-122). What ends when the clock has run out is in `reasons.rs`.

use api::job::conditions::SUSPENDED;
use api::time;

use super::{StatusWrite, Verdict, hold};

/// L1: a Job that runs has a start time. It is the time of the plan that started or resumed it, and stays; a Job that is suspended has none.
pub(super) fn clock(write: &StatusWrite<'_>) -> Verdict {
    let (before, after, name) = (write.before, write.after, write.name());
    let (was, is) = (before.status.start_time, after.status.start_time);
    let [suspended, resumed] = [(before, after), (after, before)].map(|(from, to)| from.condition(SUSPENDED).is_none() && to.condition(SUSPENDED).is_some());
    let now = time::whole_seconds(write.planned.at);
    let expected = match was {
        _ if suspended => None,
        Some(was) if !resumed => Some(was),
        None if after.suspended() => None,
        Some(_) | None => Some(now),
    };
    hold(is == expected, "L1", || format!("job {name} had the start time {was:?}, and has {is:?} instead of {expected:?}"))
}
