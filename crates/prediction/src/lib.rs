//! What a Job or a CronJob will do, computed without playing it: how many pods it starts, how long it waits, until when it is Failed, what remains of it, and
//! when it runs.
//!
//! Docs: Jobs; CronJob. `tests/core/prediction.rs` holds what is predicted against the play.

mod attempts;
mod draining;
mod failing;
mod pod_failure;
mod succeeding;

pub use draining::Draining;
pub use failing::{Endless, FailedJob, Failing, FailureReason};
pub use succeeding::{Succeeding, SuccessReason};
