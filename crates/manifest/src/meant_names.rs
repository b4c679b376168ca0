//! Names that people give to fields by mistake, because another type has them or another tool does: what each is meant to be.
//!
//! Docs: Kubernetes API reference, "Volume", "Job", "CronJob". Names that differ by a few letters are found in `misplaced.rs`.

/// Types, each with a name that it does not have, and the one that is meant.
const MEANT: [(&str, &str, &str); 29] = [
    ("SecretVolumeSource", "name", "secretName"),
    ("SecretVolumeSource", "secret", "secretName"),
    ("ConfigMapVolumeSource", "secretName", "name"),
    ("ConfigMapVolumeSource", "configMapName", "name"),
    ("PersistentVolumeClaimVolumeSource", "name", "claimName"),
    ("PersistentVolumeClaimVolumeSource", "persistentVolumeClaimName", "claimName"),
    ("SecretProjection", "secretName", "name"),
    ("ConfigMapProjection", "configMapName", "name"),
    ("SecretKeySelector", "secretName", "name"),
    ("SecretKeySelector", "secretKey", "key"),
    ("ConfigMapKeySelector", "configMapName", "name"),
    ("ConfigMapKeySelector", "configMapKey", "key"),
    ("SecretEnvSource", "secretName", "name"),
    ("ConfigMapEnvSource", "configMapName", "name"),
    ("LocalObjectReference", "secretName", "name"),
    ("EnvVarSource", "configMapRef", "configMapKeyRef"),
    ("EnvVarSource", "secretRef", "secretKeyRef"),
    ("EnvFromSource", "configMapKeyRef", "configMapRef"),
    ("EnvFromSource", "secretKeyRef", "secretRef"),
    ("VolumeMount", "path", "mountPath"),
    ("VolumeMount", "volumeName", "name"),
    ("HostPathVolumeSource", "name", "path"),
    ("Volume", "pvc", "persistentVolumeClaim"),
    ("PodSpec", "priorityClass", "priorityClassName"),
    ("JobSpec", "ttlSeconds", "ttlSecondsAfterFinished"),
    ("JobSpec", "ttl", "ttlSecondsAfterFinished"),
    ("CronJobSpec", "cron", "schedule"),
    ("CronJobSpec", "concurrency", "concurrencyPolicy"),
    ("CronJobSpec", "startingDeadline", "startingDeadlineSeconds"),
];

/// What a name that a type does not have is meant to be.
pub(crate) fn meant(owner: &str, name: &str) -> Option<&'static str> {
    MEANT.into_iter().find(|(of, given, _)| (*of, *given) == (owner, name)).map(|(_, _, meant)| meant)
}

/// Whether a name is meant to be another one, in some type.
pub(crate) fn is_meant(name: &str, other: &str) -> bool {
    MEANT.iter().any(|(_, given, meant)| (*given, *meant) == (name, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_what_is_meant_and_not_what_is_given() {
        for (owner, given, meant) in MEANT {
            assert!(schema::of(owner).has(meant) && !schema::of(owner).has(given), "{owner}.{given}");
        }
    }
}
