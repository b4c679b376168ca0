//! Cron schedules and time zones: when a CronJob is to run next.
//!
//! Docs: CronJob, "Schedule syntax" and "Time zones" (C-50…C-65). Which of these times a CronJob still starts is the controller's business.

mod civil;
mod clock_changes;
mod count;
mod every;
mod fields;
mod quoted;
mod remedies;
mod schedule;
mod search;
mod surprises;
mod timetable;
mod windows;
mod words;
mod zone;

pub use api::time::{Duration, Timestamp};
pub use clock_changes::MetClockChange;
pub use remedies::{schedule_remedy, zone_remedy};
pub use schedule::{Schedule, SkippedTime};
pub use surprises::{UnevenStep, once_an_hour, surprises, uneven_steps};
pub use timetable::{CronJobTimetable, clock_text, precise_clock_text, zone};
pub use windows::StartDelay;
pub use zone::{Showing, TZDB_VERSION, Zone, zone_names};
