//! What a Job or a CronJob will do, computed without playing it: how many pods it starts, how long it waits between them, when it is Failed, what remains of
//! it, and when it runs.
//!
//! Docs: Jobs; CronJob. What is predicted is data, and `words.rs` has the sentences for it, so that all views word it alike. `tests/core/prediction/` holds
//! it against the play.

mod attempts;
mod cron_job;
mod data;
mod draining;
mod failing;
mod job;
mod left_out;
mod line;
mod pod_failure;
mod prediction;
mod removal;
mod succeeding;
mod words;

pub use cron_job::{ChangedDay, CronJobPrediction, FutureRuns, NoRuns, Overlap, OverlapPolicy, ScheduledRuns, ShortDeadline};
pub use draining::Draining;
pub use failing::{Endless, FailedJob, Failing, FailureReason};
pub use job::{Idle, JobPrediction, JobRun};
pub use line::{LineTopic, PredictionLine, changes};
pub use prediction::{Prediction, shown_name};
pub use removal::Removal;
pub use succeeding::{Succeeding, SuccessReason};
