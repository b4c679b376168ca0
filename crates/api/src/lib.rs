//! Kubernetes objects as this project sees them: Job and Pod, what the API server makes of them, and the requests that change them.
//!
//! Docs: Jobs; Objects in Kubernetes. The rules are A-01…A-149. No controller is known here: what follows from an object is decided in `controllers`.

pub mod defaults;
pub mod indexes;
pub mod job;
mod job_policy;
mod job_status;
pub mod json;
pub mod meta;
pub mod object;
pub mod pod;
pub mod preparation;
pub mod request;
pub mod selector;
pub mod time;
pub mod validation;

mod equality;
mod generated;
mod pod_template;
mod quantity;
mod sharing;

pub use job::{Job, JobCondition, JobSpec, JobStatus};
pub use meta::{ObjectMeta, OwnerReference};
pub use object::{Kind, Malformed, Object};
pub use pod::Pod;
pub use time::{Duration, Timestamp};

/// A string that many objects share.
pub type Text = std::sync::Arc<str>;
