//! Predictions held against the play: random Jobs and CronJobs do what was predicted of them, to the second.
//!
//! Docs: Jobs; CronJob. The closed forms are in the crate `prediction`, what is drawn is in `draw.rs`, what a play showed in `shown.rs`.

mod draw;
mod jobs;
mod shown;
