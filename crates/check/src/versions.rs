//! Fields that an older version of Kubernetes does not have.
//!
//! Docs: Kubernetes API reference of each version. Since when there is a field is in the crate `schema`.

use manifest::{Diagnostic, ManifestObject, RuleName, Severity, given};

/// What Kubernetes v1.36 refuses of objects as fields that it does not know.
pub(super) fn unknown_to_1_36(objects: &[ManifestObject]) -> Vec<Diagnostic> {
    let unknown = |object: &ManifestObject| -> Vec<Diagnostic> {
        let Some((kind, _)) = object.workload() else { return Vec::new() };
        let newer = given(kind, object.document(), |field| field.since.is_some()).into_iter();
        let refused = newer.map(|(path, field)| {
            let message = format!("unknown field {:?}: it is new in Kubernetes v{}", field.name, field.since.unwrap_or_default());
            let remedy = "remove it, or leave it to clusters of that version";
            let located = Diagnostic::warning(RuleName::UNKNOWN_FIELD, object.document(), &path, &message, remedy);
            Diagnostic { severity: Severity::Error, ..located }
        });
        refused.collect()
    };
    objects.iter().flat_map(unknown).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::{CheckDepth, check};

    #[test]
    fn fields_that_came_later_are_unknown() {
        let job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  scheduling: {schedulingPolicy: {gang: {minCount: 1}}}\n  template:\n    spec:\n      \
                   restartPolicy: Never\n      containers: [{name: main, image: i, volumeMounts: [{name: v, mountPath: /v, bindMountOptions: [ro]}]}]\n      volumes: [{name: v}]\n";
        let objects = check(job, CheckDepth::Mistakes, api::Timestamp::UNIX_EPOCH).objects;
        let found: String = unknown_to_1_36(&objects).iter().map(|found| format!("{found}\n")).collect();
        expect![[r#"
            5:3: spec.scheduling: unknown field "scheduling": it is new in Kubernetes v1.37; remove it, or leave it to clusters of that version
            9:83: spec.template.spec.containers[0].volumeMounts[0].bindMountOptions: unknown field "bindMountOptions": it is new in Kubernetes v1.37; remove it, or leave it to clusters of that version
        "#]].assert_eq(&found);
    }
}
