//! Admission: what the API server does with an object before it stores it, what it refuses, and what it warns of.
//!
//! Docs: Jobs, "Writing a Job spec"; CronJob, "Writing a CronJob spec" (A-13…A-173). Objects themselves are in `api`; where they are stored, in `cluster::apiserver`.

pub mod defaults;
pub mod equality;
pub mod job_template;
pub mod preparation;
pub mod validation;
pub mod warnings;

mod generated;
mod pod_template;
