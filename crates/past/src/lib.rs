//! The past of a Job: what happened to it, from the objects that are left of it, with the controllers deciding along.
//!
//! Docs: Jobs; Pod Lifecycle. `record.rs` is what the objects show, `life.rs` what they show of a pod, `reconstruction.rs` the cluster in which all of it
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
mod older;
mod pacing;
mod past;
mod pod_decisions;
mod pod_ending;
mod reconstruction;
mod record;
mod recorded;
mod runs;
mod slots;
mod standing;

pub use ending::{JobEnding, JobState};
pub use past::Past;
pub use pod_decisions::PodDecisions;
pub use pod_ending::PodEnding;
pub use record::{RecordedJob, RecordedPod};
pub use standing::{JobStanding, OtherStanding, ReadAt, SUMMED_UP, Urgency};
