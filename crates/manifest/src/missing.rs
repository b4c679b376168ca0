//! Pods that a Job of a cluster counts as active, and that did not come with it: a play that continues from there has to treat them as deleted.
//!
//! Docs: Jobs, "Job API", `status.active`. Objects of a cluster are read in `jobs.rs`.

use crate::{Diagnostic, ManifestObject, Severity, locate};

/// A warning for each Job that counts more active pods than there are of it.
#[must_use]
pub fn missing_pods(objects: &[&ManifestObject]) -> Vec<Diagnostic> {
    let warning = |object: &&ManifestObject| {
        let ManifestObject::Job(manifest) = object else { return None };
        let (uid, active) = (&*manifest.job.metadata.uid, manifest.job.status.active);
        // The pods of other managers may be on another cluster.
        if manifest.job.managed_elsewhere() {
            return None;
        }
        let there = objects.iter().filter(|object| active_pod_of(object, uid)).count();
        let missing = usize::try_from(active).ok()?.checked_sub(there).filter(|missing| *missing > 0 && !uid.is_empty())?;
        let message = message(there, missing);
        let remedy = "add the Job's pods, as printed by `kubectl get cronjobs,jobs,pods -o yaml`".to_owned();
        Some(Diagnostic { severity: Severity::Warning, remedy: Some(remedy), ..locate(&manifest.document, "status.active", &message) })
    };
    objects.iter().filter_map(warning).collect()
}

fn message(there: usize, missing: usize) -> String {
    let counted = there + missing;
    match (there, missing) {
        (0, 1) => "status.active counts 1 pod, but the manifest does not contain it; the controllers treat it as deleted".to_owned(),
        (0, _) => {
            format!("status.active counts {counted} pods, but the manifest contains none of them; the controllers treat them as deleted")
        }
        (_, _) => {
            let rest = if missing == 1 { "missing pod" } else { "missing pods" };
            format!(
                "status.active counts {counted} pods, but the manifest contains only {there} of them; the controllers treat the {rest} as deleted"
            )
        }
    }
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
        let messages = [(0, 1), (0, 2), (1, 2)].map(|(there, missing)| super::message(there, missing));
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
            let found: Vec<String> = super::missing_pods(&objects.iter().collect::<Vec<_>>()).iter().map(ToString::to_string).collect();
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
}
