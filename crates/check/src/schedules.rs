//! Schedules that the API server takes and that never fire.
//!
//! Docs: CronJob, "Schedule syntax" (C-65). What a schedule is, is decided in `schedule`.

use api::Timestamp;
use manifest::{CronJobManifest, Diagnostic, ManifestObject, RuleName};
use schedule::{Schedule, Zone};

/// A warning about a schedule that no day of the calendar fits within five years after a time.
#[must_use]
pub fn never_fires(object: &ManifestObject, after: Timestamp) -> Option<Diagnostic> {
    let ManifestObject::CronJob(manifest) = object else { return None };
    let CronJobManifest { document, cron_job } = &**manifest;
    let schedule = Schedule::parse(&cron_job.spec.schedule, &Zone::utc()).ok()?;
    let remedy = "change the day of the month or the month: this month does not have this day";
    let warning =
        || Diagnostic::warning(RuleName::NeverFires, document, "spec.schedule", "the schedule has no run within five years", remedy);
    schedule.next(after).is_none().then(warning)
}
