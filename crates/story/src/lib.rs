//! One account of a play for all views: the outcome of each object, what is waited for, the runs of CronJobs and how late they were, in words that the
//! terminal and the page share.
//!
//! Docs: CronJob; Jobs. What happens in a play is in `play`; views lay out what this crate tells, and neither decide, count nor word it.

pub mod account;
mod awaited;
pub mod clock_changes;
pub mod outcome;
pub mod policy;
pub mod removal;
pub mod restarts;
pub mod runs;
pub mod session_clock;
#[cfg(test)]
mod testing;
pub mod timetable;
