//! Pod replacement policy: when a pod that goes is replaced.
//!
//! Docs: Jobs, "Delayed creation of replacement pods" (J-72). How many pods are created is in `parallelism.rs`.

use api::Job;

/// Whether a pod is replaced only once it has failed, and counts as failed only then. A pod failure policy requires that too.
pub(crate) fn only_replace_failed(job: &Job) -> bool {
    job.spec.pod_replacement_policy.as_deref() == Some("Failed") || job.spec.pod_failure_policy.is_some()
}

/// Why pods are created, as a label of the metrics (J-160).
pub(crate) fn creation_reason(job: &Job, failed: i32, terminating: usize) -> &'static str {
    if job.spec.pod_replacement_policy.as_deref() == Some("Failed") && failed > 0 {
        "recreate_failed"
    } else if failed > 0 || terminating > 0 {
        "recreate_terminating_or_failed"
    } else {
        "new"
    }
}
