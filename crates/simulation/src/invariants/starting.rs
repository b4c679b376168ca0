//! L1: when a Job's clock starts, and that it is set back only by a suspension.
//!
//! Docs: Jobs, "Suspending a Job", "Job termination and cleanup" (J-46, J-52, J-121, J-122). What ends when the clock has run out is in `reasons.rs`.

use api::job::conditions::SUSPENDED;
use api::time;

use super::{Checked, CheckedWrite, hold};

/// L1: a Job that runs has a start time, and it stays. It lies between the time at which the Job was created or resumed and that of the plan; a Job that is suspended
/// has none.
pub(super) fn clock(write: &CheckedWrite<'_>) -> Checked {
    let (before, after, name) = (write.before, write.after, write.name());
    let (was, is) = (before.status.start_time, after.status.start_time);
    let [halted, halts] = [before, after].map(|job| job.condition(SUSPENDED).is_some());
    let holds = match was {
        _ if halts && !halted => is.is_none(),
        Some(_) if halted == halts => is == was,
        None if after.suspended() => is.is_none(),
        Some(_) | None => {
            let since = write.record.runs_since.map(time::whole_seconds);
            is.is_some_and(|is| since.is_none_or(|since| since <= is) && is <= write.planned.at)
        }
    };
    hold(holds, "L1", || {
        let since = write.record.runs_since;
        format!(
            "job {name} had the start time {was:?} and has {is:?}; it runs since {since:?}, and the plan was made at {}",
            write.planned.at
        )
    })
}
