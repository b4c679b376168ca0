//! A cluster in memory: an API server with watches, a garbage collector, a kubelet, and faults.
//!
//! Docs: Kubernetes Components. It is deterministic, has no clock and knows no controller; `play` runs controllers on it.

pub mod apiserver;
mod garbage_collector;
pub mod kubelet;
pub mod naming;
pub mod patch;
pub mod pod;
mod refusal;
pub mod rng;
pub mod stored;
pub mod testing;

pub use apiserver::ApiServer;
pub use garbage_collector::Dependence;
pub use refusal::Refusal;
