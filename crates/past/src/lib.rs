//! The past of a Job: what happened to it, from the objects that are left of it, with the controllers deciding along.
//!
//! Docs: Jobs; Pod Lifecycle. `record.rs` is what the objects tell, `life.rs` what they tell of a pod, `reconstruction.rs` the cluster in which all of it
//! happens again: pods are created when they were and live as they did, and everything else is up to the controllers. How it goes on from there is a `play::Play`.

mod agenda;
mod answers;
mod difference;
mod ending;
mod fields;
mod gaps;
mod judged;
mod life;
mod notes;
mod pacing;
mod past;
mod record;
mod recorded;
mod reconstruction;
mod runs;
mod standing;

pub use ending::{JobEnding, JobState, PodEnding};
pub use past::Past;
pub use record::{RecordedJob, RecordedPod};
pub use standing::{JobStanding, OtherStanding, SUMMED_UP, Urgency};
