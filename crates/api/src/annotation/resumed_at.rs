//! `jobsmith.dev/resumed-at`: up to when failures no longer pause a CronJob, or hold a Job.
//!
//! Docs: README, "Beyond Kubernetes". What follows is decided in `controllers`.

use crate::{Timestamp, time};

use super::AnnotationProblem;
use super::part::AnnotationPart;

/// Reads a time: `2026-12-01T08:00:00Z`.
pub(super) fn resumed_at(value: &str) -> Result<Timestamp, AnnotationProblem> {
    let value = AnnotationPart::whole(value);
    time::parse(value.text).ok_or_else(|| {
        let message = if value.text.is_empty() { "a time is missing".to_owned() } else { format!("`{}` is not a time", value.text) };
        value.problem(message, "write it with its offset, as `2026-12-01T08:00:00Z` or `2026-12-01T09:00:00+01:00`")
    })
}
