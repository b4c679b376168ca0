//! Jobs that a CronJob counts as active, and that did not come with it. A play that continues from there has to treat them as deleted.
//!
//! Docs: CronJob, "Concurrency policy". Objects of a cluster are read in `jobs.rs`; which pods of Jobs are missing is found in `play`.

use std::collections::BTreeSet;

use crate::{CronJobManifest, Diagnostic, ManifestObject, RuleName};

/// A warning for each CronJob that counts Jobs that are not there.
#[must_use]
pub fn missing(objects: &[&ManifestObject]) -> Vec<Diagnostic> {
    let uid =
        |object: &&ManifestObject| if let ManifestObject::Job(manifest) = object { Some(manifest.job.metadata.uid.clone()) } else { None };
    let there: BTreeSet<_> = objects.iter().filter_map(uid).collect();
    let warning = |object: &&ManifestObject| {
        let ManifestObject::CronJob(manifest) = object else { return None };
        let CronJobManifest { document, cron_job } = &**manifest;
        let active = cron_job.status.active.iter().filter(|_| !cron_job.metadata.uid.is_empty());
        let (found, missing): (Vec<_>, Vec<_>) = active.partition(|job| there.contains(&job.uid));
        let remedy = "add the CronJob's Jobs, as printed by `kubectl get cronjobs,jobs,pods -o yaml`";
        let message = message(found.len(), missing.len())?;
        Some(Diagnostic::warning(RuleName::MISSING_JOBS, document, "status.active", &message, remedy))
    };
    objects.iter().filter_map(warning).collect()
}

/// What is missing, if anything is.
fn message(there: usize, missing: usize) -> Option<String> {
    let counted = there + missing;
    Some(match (there, missing) {
        (_, 0) => return None,
        (0, 1) => "status.active counts 1 Job, but the manifest does not contain it; the controllers treat it as deleted".to_owned(),
        (0, _) => {
            format!("status.active counts {counted} Jobs, but the manifest contains none of them; the controllers treat them as deleted")
        }
        (_, _) => {
            let s = if missing == 1 { "" } else { "s" };
            format!(
                "status.active counts {counted} Jobs, but the manifest contains only {there} of them; the controllers treat the missing Job{s} as deleted"
            )
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::objects;

    #[test]
    fn numbers_agree_with_their_nouns() {
        let messages = [(0, 1), (0, 2), (1, 2)].map(|(there, missing)| super::message(there, missing).unwrap_or_default());
        assert_eq!(
            messages,
            [
                "status.active counts 1 Job, but the manifest does not contain it; the controllers treat it as deleted",
                "status.active counts 2 Jobs, but the manifest contains none of them; the controllers treat them as deleted",
                "status.active counts 3 Jobs, but the manifest contains only 1 of them; the controllers treat the missing Jobs as deleted",
            ]
        );
    }

    #[test]
    fn missing_active_jobs_are_reported() {
        let cron_job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c, uid: c}\nspec: {schedule: '@daily'}\nstatus: {active: [{kind: Job, name: c-1, uid: j}]}\n";
        let job = "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: c-1, uid: j}\n";
        let check = |text: &str, expected: &[&str]| {
            let objects = objects(text).unwrap();
            let found: Vec<String> = super::missing(&objects.iter().collect::<Vec<_>>()).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected);
        };
        check(&format!("{cron_job}{job}"), &[]);
        check(
            cron_job,
            &[
                "5:10: status.active: status.active counts 1 Job, but the manifest does not contain it; the controllers treat it as deleted; add the CronJob's Jobs, as printed by `kubectl get cronjobs,jobs,pods -o yaml`",
            ],
        );
    }
}
