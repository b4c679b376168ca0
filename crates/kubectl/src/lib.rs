//! What kubectl prints of stored objects, text for text: `kubectl describe job` and `kubectl get jobs,pods`.
//!
//! Docs: kubectl Quick Reference, "Viewing and finding resources". `tests/it/kubectl/` compares every line with kubectl's own on a real API server.
//! Objects are what the API server stores, as JSON; nothing here knows who stored them. Times are UTC, and ages are counted to `now`.

mod age;
mod columns;
mod container;
mod describe_job;
mod environment;
mod events;
mod get;
mod job_row;
mod labels;
mod pod_row;
mod pod_status;
mod pod_template;
mod probe;
mod scheduling;
mod value;
mod volumes;

pub use describe_job::describe_job;
pub use get::{Columns, get, list};
