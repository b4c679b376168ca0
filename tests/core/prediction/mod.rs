//! Predictions held against the play: random Jobs and CronJobs do what was predicted of them, to the second.
//!
//! Docs: Jobs; CronJob. The closed forms are in the crate `prediction`, what is drawn is in `draw.rs`, what a play showed in `shown.rs`.

mod cron_jobs;
mod draw;
mod jobs;
mod shown;

/// Fails if something was played that was not predicted.
#[track_caller]
fn none(differences: &[String]) {
    let first: String = differences.iter().take(5).map(|found| format!("{found}\n")).collect();
    assert!(differences.is_empty(), "{} differ:\n{first}", differences.len());
}
