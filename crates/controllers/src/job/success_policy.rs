//! Success policy: when an Indexed Job has succeeded before all of its indexes have.
//!
//! Docs: Jobs, "Success policy" (J-116…J-118). The ordinary end is in `verdict.rs`.

use api::Job;
use api::indexes::IndexSet;

use super::tally::Indexes;

/// The first rule that is met (J-116).
pub(crate) fn met_rule(job: &Job, indexes: &Indexes<'_>) -> Option<usize> {
    let policy = job.spec.success_policy.as_ref()?;
    if indexes.succeeded.is_empty() {
        return None;
    }
    policy.rules.iter().position(|rule| {
        let enough = |succeeded: u32| rule.succeeded_count.is_some_and(|count| i64::from(succeeded) >= i64::from(count));
        let Some(text) = &rule.succeeded_indexes else { return enough(indexes.succeeded.len()) };
        let listed = IndexSet::parse_leniently(text, indexes.completions);
        let succeeded = indexes.succeeded.common(&listed);
        !listed.is_empty() && (succeeded == listed.len() || enough(succeeded))
    })
}
