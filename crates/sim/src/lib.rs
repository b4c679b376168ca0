//! A cluster in memory: an API server, a garbage collector, watches, and the loop that runs controllers on it.
//!
//! Docs: Kubernetes Components. It is deterministic, has no clock and knows no controller: it runs whatever implements `contract::Manager`.

pub mod apiserver;
pub mod cluster;
mod garbage_collector;
pub mod kubelet;
pub mod naming;
pub mod patch;
pub mod play;
pub mod pod;
#[cfg(test)]
mod puppet;
pub mod recording;
pub mod refusal;
pub mod rng;
pub mod scenario;
pub mod script;
pub mod session;
pub mod simulation;
pub mod step;
pub mod stored;
#[cfg(test)]
mod testing;
pub mod trace;
pub mod world;

pub use apiserver::ApiServer;
pub use cluster::Cluster;
pub use garbage_collector::Dependence;
pub use refusal::Refusal;
pub use session::Session;
pub use world::World;
