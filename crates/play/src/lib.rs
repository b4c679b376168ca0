//! A cluster and controllers on virtual time: scripts, scenarios, traces, sessions and recordings.
//!
//! Docs: Kubernetes Components. It is deterministic and knows no controller: it runs whatever implements `contract::Manager`. The cluster
//! itself is in `cluster`.

mod bounds;
pub mod claim;
pub mod fault;
mod finished;
mod play;
#[cfg(test)]
mod puppet;
pub mod recording;
pub mod scenario;
pub mod script;
pub mod session;
pub mod standstill;
pub mod step;
pub mod trace;
pub mod world;

pub use bounds::Bounds;
pub use finished::FinishedJobs;
pub use play::{DEFAULT_NAMESPACE, LONGEST, NO_JOB, Play, Unplayable, beginning, live_cron_job, start};
pub use session::Session;
pub use world::World;
pub use world::turn::Cluster;
