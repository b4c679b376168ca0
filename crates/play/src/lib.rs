//! A cluster and controllers on virtual time: steps, traces, scenarios and recordings.
//!
//! Docs: Kubernetes Components. It is deterministic and knows no controller: it runs whatever implements `contract::Manager`. The cluster
//! itself is in `cluster`, what its pods do in `script`, and the session that is driven line by line in `protocol`.

mod bounds;
pub mod claim;
pub mod fault;
mod finished;
mod found;
mod held;
mod job_name;
mod observed;
pub mod obstacles;
mod overlap;
mod play;
pub mod recording;
mod refusal;
mod repetition;
pub mod scenario;
mod stated;
pub mod step;
mod stuck;
mod suspension;
pub mod testing;
pub mod trace;
mod unmet;
pub mod world;
pub mod written;

pub use bounds::Bounds;
pub use finished::{FinishedJobs, failed_or_restarted};
pub use found::{beginning, found, live_cron_job, start, uuid};
pub use job_name::{job_name, namespaces};
pub use play::{LONGEST, Play, Unplayable};
pub use refusal::refusal;
pub use suspension::{cron_job_meant, no_job, requests};
pub use unmet::UnmetAssertion;
pub use world::World;
pub use world::turn::Cluster;
