//! Success policy: when an Indexed Job has succeeded before all of its indexes have.
//!
//! Docs: Jobs, "Success policy" (J-116…J-118). When a rule is met is in `api`; the ordinary end is in `verdict.rs`.

use api::Job;

use super::tally::Indexes;

/// The first rule that is met (J-116).
pub(crate) fn met_rule(job: &Job, indexes: &Indexes<'_>) -> Option<usize> {
    job.spec.success_policy.as_ref()?.met(&indexes.succeeded, indexes.completions)
}
