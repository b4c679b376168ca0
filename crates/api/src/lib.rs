//! Kubernetes objects as this project sees them: Job, CronJob and Pod, reading them from JSON, and the requests that change them.
//!
//! Docs: Jobs; Objects in Kubernetes. No controller is known here: what follows from an object is decided in `controllers`. What the API server
//! fills in and refuses is in `admission`.

// What `#[derive(Read)]` writes names this crate, in this crate too.
extern crate self as api;

pub mod annotation;
pub mod attempt;
pub mod back_off;
mod container_status;
pub mod cron_job;
pub mod duration;
pub mod indexes;
pub mod job;
mod job_policy;
mod job_status;
pub mod json;
mod listing;
pub mod manual;
pub mod meta;
pub mod object;
pub mod pod;
mod pod_failure;
pub mod quantity;
pub mod request;
pub mod run;
pub mod selector;
pub mod syntax;
pub mod time;
pub mod warning;

mod sharing;

pub use attempt::Attempt;
pub use cron_job::{CronJob, CronJobSpec, CronJobStatus, ObjectReference};
pub use job::{Job, JobCondition, JobSpec, JobStatus};
pub use listing::listed;
pub use meta::{DEFAULT_NAMESPACE, ObjectMeta, OwnerReference};
pub use object::{Kind, Malformed, Object};
pub use pod::Pod;
pub use sharing::Shared;
pub use time::{Duration, Timestamp};
pub use warning::WarningEvent;

/// A string that many objects share.
pub type Text = std::sync::Arc<str>;
