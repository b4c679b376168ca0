//! One account of a play for all views: the runs of CronJobs and how late they were, in words that the terminal and the page share.
//!
//! Docs: CronJob; Jobs. What happens in a play is in `play`; views lay out what this crate tells, and neither decide, count nor word it.

pub mod removal;
pub mod restarts;
pub mod runs;
pub mod timetable;
