//! What kubectl prints of stored objects, text for text: `kubectl describe cronjob`, `kubectl describe job` and
//! `kubectl get cronjobs,jobs,pods`.
//!
//! Docs: kubectl Quick Reference, "Viewing and finding resources". `tests/host/kubectl/` compares every line with kubectl's own on a real API server.
//! Objects are what the API server stores, as JSON; nothing here knows who stored them. Times are UTC, and ages are counted to `now`.

mod age;
mod columns;
mod container;
mod cron_job_row;
mod describe_cron_job;
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

pub use age::between;
pub use describe_cron_job::describe_cron_job;
pub use describe_job::describe_job;
pub use get::{Columns, get, get_with_cron_jobs, list};
