//! What a cluster counts as active, and what did not come with it: pods of a Job, Jobs of a CronJob. A play that continues from there has to treat them
//! as deleted.
//!
//! Docs: Jobs, "Job API", `status.active`; CronJob, "Concurrency policy". Objects of a cluster are read in `jobs.rs`.

use crate::{CronJobManifest, Diagnostic, Document, Manifest, ManifestObject, Severity, locate};

/// A warning for each Job that counts more active pods than there are of it, and for each CronJob that counts Jobs that are not there.
#[must_use]
pub fn missing(objects: &[&ManifestObject]) -> Vec<Diagnostic> {
    let warning = |object: &&ManifestObject| match object {
        ManifestObject::Job(manifest) => missing_pods(manifest, objects),
        ManifestObject::CronJob(manifest) => missing_jobs(manifest, objects),
        ManifestObject::Pod(_) => None,
    };
    objects.iter().filter_map(warning).collect()
}

fn missing_pods(Manifest { document, job }: &Manifest, objects: &[&ManifestObject]) -> Option<Diagnostic> {
    // The pods of other managers may be on another cluster.
    if job.managed_elsewhere() {
        return None;
    }
    let uid = &*job.metadata.uid;
    let active = usize::try_from(job.status.active).ok().filter(|_| !uid.is_empty())?;
    let there = objects.iter().filter(|object| active_pod_of(object, uid)).count();
    let message = message("pod", there, active.checked_sub(there)?)?;
    Some(warning(document, &message, "add the Job's pods"))
}

fn missing_jobs(CronJobManifest { document, cron_job }: &CronJobManifest, objects: &[&ManifestObject]) -> Option<Diagnostic> {
    let is_there =
        |uid: &str| objects.iter().any(|object| matches!(object, ManifestObject::Job(manifest) if *manifest.job.metadata.uid == *uid));
    let active = cron_job.status.active.iter().filter(|_| !cron_job.metadata.uid.is_empty());
    let (there, missing): (Vec<_>, Vec<_>) = active.partition(|job| is_there(&job.uid));
    let message = message("Job", there.len(), missing.len())?;
    Some(warning(document, &message, "add the CronJob's Jobs"))
}

fn warning(document: &Document, message: &str, remedy: &str) -> Diagnostic {
    let remedy = format!("{remedy}, as printed by `kubectl get cronjobs,jobs,pods -o yaml`");
    Diagnostic { severity: Severity::Warning, remedy: Some(remedy), ..locate(document, "status.active", message) }
}

/// What is missing, if anything is.
fn message(noun: &str, there: usize, missing: usize) -> Option<String> {
    let counted = there + missing;
    Some(match (there, missing) {
        (_, 0) => return None,
        (0, 1) => format!("status.active counts 1 {noun}, but the manifest does not contain it; the controllers treat it as deleted"),
        (0, _) => {
            format!("status.active counts {counted} {noun}s, but the manifest contains none of them; the controllers treat them as deleted")
        }
        (_, _) => {
            let s = if missing == 1 { "" } else { "s" };
            format!(
                "status.active counts {counted} {noun}s, but the manifest contains only {there} of them; the controllers treat the missing {noun}{s} as deleted"
            )
        }
    })
}

fn active_pod_of(object: &ManifestObject, uid: &str) -> bool {
    let ManifestObject::Pod(document) = object else { return false };
    let value = document.value();
    let owned = value["metadata"]["ownerReferences"].as_array().into_iter().flatten().any(|owner| owner["uid"] == uid);
    owned && !matches!(value["status"]["phase"].as_str(), Some("Succeeded" | "Failed"))
}

#[cfg(test)]
mod tests {
    use crate::objects;

    #[test]
    fn numbers_agree_with_their_nouns() {
        let messages = [(0, 1), (0, 2), (1, 2)].map(|(there, missing)| super::message("pod", there, missing).unwrap_or_default());
        assert_eq!(
            messages,
            [
                "status.active counts 1 pod, but the manifest does not contain it; the controllers treat it as deleted",
                "status.active counts 2 pods, but the manifest contains none of them; the controllers treat them as deleted",
                "status.active counts 3 pods, but the manifest contains only 1 of them; the controllers treat the missing pods as deleted",
            ]
        );
    }

    #[test]
    fn missing_active_pods_are_reported() {
        let job = |active| format!("apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a, uid: j}}\nstatus: {{active: {active}}}\n");
        let managed = |manager| job(1) + &format!("spec: {{managedBy: {manager}}}\n");
        let pod = |phase| {
            format!(
                "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: b, uid: p, ownerReferences: [{{uid: j}}]}}\nstatus: {{phase: {phase}}}\n"
            )
        };
        let check = |text: String, expected: &[&str]| {
            let objects = objects(&text).unwrap();
            let found: Vec<String> = super::missing(&objects.iter().collect::<Vec<_>>()).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected);
        };
        check(job(0), &[]);
        check(job(1) + &pod("Running"), &[]);
        check(job(1) + &pod("Running").replace("uid: p,", "uid: p, deletionTimestamp: '2026-01-01T00:00:00Z',"), &[]);
        check(managed("kueue.x-k8s.io/multikueue"), &[]);
        check(
            job(2) + &pod("Running") + &pod("Failed"),
            &[
                "4:18: status.active: status.active counts 2 pods, but the manifest contains only 1 of them; the controllers treat the missing pod as deleted; add the Job's pods, as printed by `kubectl get cronjobs,jobs,pods -o yaml`",
            ],
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
